//! What every encoding has: numbers as little-endian LEB128, a frame of magic, version and
//! checksum, and errors instead of panics.

use super::{Damaged, SEMANTICS};
use crate::StructuralHash;

/// Bytes of the checksum at the end.
const CHECKSUM: usize = 8;

fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    (StructuralHash::of_bytes(bytes).to_bits() as u64).to_le_bytes()
}

/// Writes an encoding.
pub struct Writer(Vec<u8>);

impl Writer {
    /// An encoding of this kind, in this version of it.
    pub fn new(magic: [u8; 3], version: u64) -> Writer {
        let mut writer = Writer(magic.to_vec());
        writer.number(version);
        writer.number(SEMANTICS);
        writer
    }

    pub fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Bytes behind their number.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.extend(bytes);
    }

    /// All that was written, and its checksum.
    pub fn finish(mut self) -> Vec<u8> {
        let checksum = checksum(&self.0);
        self.0.extend(checksum);
        self.0
    }
}

/// Reads an encoding.
pub struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// What is in the frame, if it is one of this kind and version, and whole.
    pub fn open(bytes: &'a [u8], magic: [u8; 3], version: u64) -> Result<Reader<'a>, Damaged> {
        let inside = bytes.strip_prefix(&magic).ok_or(Damaged::OtherKind)?;
        let mut reader = Reader(inside);
        if reader.number()? != version {
            return Err(Damaged::OtherVersion);
        }
        if reader.number()? != SEMANTICS {
            return Err(Damaged::OtherSemantics);
        }
        let (inside, found) = reader.0.split_last_chunk::<CHECKSUM>().ok_or(Damaged::TooShort)?;
        if *found != checksum(&bytes[..bytes.len() - CHECKSUM]) {
            return Err(Damaged::Checksum);
        }
        Ok(Reader(inside))
    }

    /// A number in the only way to write it.
    pub fn number(&mut self) -> Result<u64, Damaged> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits || byte == 0 && shift > 0 {
                return Err(Damaged::Number);
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Damaged::Number)
    }

    pub fn small(&mut self) -> Result<u32, Damaged> {
        u32::try_from(self.number()?).map_err(|_| Damaged::Number)
    }

    /// How many of something there are, of which each takes at least a byte.
    pub fn count(&mut self) -> Result<usize, Damaged> {
        let count = usize::try_from(self.number()?).map_err(|_| Damaged::TooShort)?;
        if count <= self.0.len() { Ok(count) } else { Err(Damaged::TooShort) }
    }

    pub fn flag(&mut self) -> Result<bool, Damaged> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(Damaged::Tag),
        }
    }

    pub fn byte(&mut self) -> Result<u8, Damaged> {
        let (&byte, rest) = self.0.split_first().ok_or(Damaged::TooShort)?;
        self.0 = rest;
        Ok(byte)
    }

    pub fn bytes(&mut self) -> Result<&'a [u8], Damaged> {
        let count = self.count()?;
        let (bytes, rest) = self.0.split_at(count);
        self.0 = rest;
        Ok(bytes)
    }

    /// Nothing may be left.
    pub fn end(self) -> Result<(), Damaged> {
        if self.0.is_empty() { Ok(()) } else { Err(Damaged::TooLong) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_what_was_written() {
        let numbers = (0..64).flat_map(|bit| [(1 << bit) - 1, 1u64 << bit, (1 << bit) + 1]).chain([u64::MAX]);
        for number in numbers {
            let mut writer = Writer::new(*b"abc", 1);
            writer.number(number);
            let bytes = writer.finish();
            let mut reader = Reader::open(&bytes, *b"abc", 1).expect("it is whole");
            assert_eq!(reader.number(), Ok(number));
            assert_eq!(reader.end(), Ok(()));
        }
    }

    #[test]
    fn other_ways_to_write_a_number_are_refused() {
        let long = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02];
        for (bytes, expected) in [
            (&[0x80, 0x00][..], Err(Damaged::Number)),
            (&[0x80], Err(Damaged::TooShort)),
            (&long, Err(Damaged::Number)),
            (&[0x80; 12], Err(Damaged::Number)),
            (&[0x80, 0x01], Ok(0x80)),
        ] {
            assert_eq!(Reader(bytes).number(), expected, "{bytes:x?}");
        }
    }

    #[test]
    fn frames_of_other_kinds_are_refused() {
        let bytes = Writer::new(*b"abc", 1).finish();
        let open = |bytes: &[u8], magic, version| Reader::open(bytes, magic, version).err();
        assert_eq!(open(&bytes, *b"abc", 1), None);
        assert_eq!(open(&bytes, *b"abd", 1), Some(Damaged::OtherKind));
        assert_eq!(open(&bytes, *b"abc", 2), Some(Damaged::OtherVersion));
        assert_eq!(open(&bytes[..bytes.len() - 1], *b"abc", 1), Some(Damaged::TooShort));
        let mut changed = bytes.clone();
        changed[5] ^= 1;
        assert_eq!(open(&changed, *b"abc", 1), Some(Damaged::Checksum));
        changed = bytes.clone();
        changed[4] ^= 1;
        assert_eq!(open(&changed, *b"abc", 1), Some(Damaged::OtherSemantics));
    }
}
