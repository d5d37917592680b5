//! Numbers as little-endian LEB128, and a reader of bytes that may be damaged: it answers with what
//! is wrong, and never reads more than there is.

use crate::Flaw;

/// The parts of a record between those that are bytes already, on the stack.
pub(crate) struct Small {
    bytes: [u8; Small::ROOM],
    length: usize,
}

impl Small {
    /// A branch of which both ways have ended takes up to 93 bytes, and a number may be written
    /// with one more behind it.
    const ROOM: usize = 96;

    #[inline]
    pub(crate) fn new() -> Small {
        Small { bytes: [0; Small::ROOM], length: 0 }
    }

    #[inline]
    pub(crate) fn byte(&mut self, byte: u8) {
        self.bytes[self.length] = byte;
        self.length += 1;
    }

    #[inline]
    pub(crate) fn four(&mut self, bytes: [u8; 4]) {
        self.bytes[self.length..self.length + 4].copy_from_slice(&bytes);
        self.length += 4;
    }

    /// Most have one byte or two, which is hard to predict: both are written.
    #[inline]
    pub(crate) fn number(&mut self, number: u64) {
        if number >= 1 << 14 {
            return self.long_number(number);
        }
        let two = number >= 0x80;
        let bytes = number as u16 & 0x7f | u16::from(two) << 7 | (number as u16 >> 7) << 8;
        self.bytes[self.length..self.length + 2].copy_from_slice(&bytes.to_le_bytes());
        self.length += 1 + usize::from(two);
    }

    fn long_number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.byte(number as u8 | 0x80);
            number >>= 7;
        }
        self.byte(number as u8);
    }

    /// A number by its difference to another, short if they are near.
    #[inline]
    pub(crate) fn near(&mut self, number: u64, base: u64) {
        let difference = number.wrapping_sub(base) as i64;
        self.number((difference << 1 ^ difference >> 63) as u64);
    }

    #[inline]
    pub(crate) fn written(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// Bytes that are not read yet.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    #[inline]
    pub(crate) fn byte(&mut self) -> Result<u8, Flaw> {
        let (&byte, rest) = self.0.split_first().ok_or(Flaw::TooShort)?;
        self.0 = rest;
        Ok(byte)
    }

    /// A number in the only way to write it.
    #[inline]
    pub(crate) fn number(&mut self) -> Result<u64, Flaw> {
        let [low, high, ..] = *self.0 else { return self.long_number() };
        let two = low >= 0x80;
        if two && !(1..0x80).contains(&high) {
            return self.long_number();
        }
        self.0 = &self.0[1 + usize::from(two)..];
        Ok(u64::from(low & 0x7f) | (u64::from(high) * u64::from(two)) << 7)
    }

    fn long_number(&mut self) -> Result<u64, Flaw> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits || byte == 0 && shift > 0 {
                return Err(Flaw::Number);
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Flaw::Number)
    }

    #[inline]
    pub(crate) fn small(&mut self) -> Result<u32, Flaw> {
        u32::try_from(self.number()?).map_err(|_| Flaw::Number)
    }

    /// What [`Small::near`] wrote.
    #[inline]
    pub(crate) fn near(&mut self, base: u64) -> Result<u64, Flaw> {
        let number = self.number()?;
        Ok(base.wrapping_add(number >> 1 ^ (number & 1).wrapping_neg()))
    }

    #[inline]
    pub(crate) fn take(&mut self, count: u64) -> Result<&'a [u8], Flaw> {
        let count = usize::try_from(count).map_err(|_| Flaw::TooShort)?;
        let (bytes, rest) = self.0.split_at_checked(count).ok_or(Flaw::TooShort)?;
        self.0 = rest;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_what_was_written() {
        let numbers = (0..64).flat_map(|bit| [(1 << bit) - 1, 1u64 << bit, (1 << bit) + 1]).chain([u64::MAX]);
        for number in numbers {
            for base in [0, 1, number, 1 << 48, u64::MAX] {
                let mut small = Small::new();
                small.number(number);
                small.near(number, base);
                for behind in [&[][..], &[0xff; 8]] {
                    let written = [small.written(), behind].concat();
                    let mut bytes = Bytes(&written);
                    assert_eq!(bytes.number(), Ok(number));
                    assert_eq!(bytes.near(base), Ok(number), "by its difference to {base}");
                    assert_eq!(bytes.0, behind);
                }
            }
        }
    }

    #[test]
    fn other_ways_to_write_a_number_are_refused() {
        let long = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02];
        for (bytes, expected) in [
            (&[0x80, 0x00][..], Err(Flaw::Number)),
            (&[0xff, 0x80, 0x00], Err(Flaw::Number)),
            (&[0x80], Err(Flaw::TooShort)),
            (&[], Err(Flaw::TooShort)),
            (&long, Err(Flaw::Number)),
            (&[0x80; 12], Err(Flaw::Number)),
            (&[0x80, 0x01], Ok(0x80)),
        ] {
            assert_eq!(Bytes(bytes).number(), expected, "{bytes:x?}");
            if expected != Err(Flaw::TooShort) {
                let longer = [bytes, &[0x55; 8]].concat();
                assert_eq!(Bytes(&longer).number(), expected, "{longer:x?}");
            }
        }
    }
}
