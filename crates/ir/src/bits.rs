//! Numbers of a few bits in machine words.

/// All ones in the low `width` bits, for widths 1 to 64.
#[inline(always)]
pub fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The low `width` bits of `bits` as a signed number.
#[inline(always)]
pub fn signed(bits: u64, width: u32) -> i64 {
    let shift = 64 - width;
    ((bits << shift) as i64) >> shift
}
