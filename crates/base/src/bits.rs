//! Numbers of 1 to 64 bits in machine words.

/// All ones in the low `width` bits.
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

/// The sign bit of a number of `width` bits.
#[inline(always)]
pub fn sign_bit(width: u32) -> u64 {
    1 << (width - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widths_have_their_least_and_greatest_numbers() {
        assert_eq!([1, 8, 63, 64].map(mask), [1, 0xff, u64::MAX / 2, u64::MAX]);
        for width in 1..=64 {
            let least = -1i128 << (width - 1);
            assert_eq!(i128::from(signed(sign_bit(width), width)), least);
            assert_eq!(i128::from(signed(mask(width) >> 1, width)), -(least + 1));
            assert_eq!(signed(u64::MAX, width), -1);
            assert_eq!(signed(!mask(width), width), 0, "bits above the width do not count");
        }
    }
}
