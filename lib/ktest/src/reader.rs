//! Decoding of versions 1 to 3.

use crate::{Error, KTest, MAGIC, OLD_MAGIC, Object, VERSION};

/// The smallest encodings: an argument is at least its length, an object at least its two lengths.
const MIN_ARG: u64 = 4;
const MIN_OBJECT: u64 = 8;

pub fn read(data: &[u8]) -> Result<KTest, Error> {
    check_magic(data)?;
    let mut input = Reader { data, offset: MAGIC.len() };

    let offset = input.offset;
    let version = input.u32("the version")?;
    if !(1..=VERSION).contains(&version) {
        return Err(Error::UnsupportedVersion { offset, version });
    }

    let mut test = KTest::default();
    let args = input.count("the list of arguments", MIN_ARG)?;
    for _ in 0..args {
        test.args.push(input.string("an argument's length", "an argument")?);
    }
    if version >= 2 {
        test.sym_argvs = input.u32("symArgvs")?;
        test.sym_argv_len = input.u32("symArgvLen")?;
    }
    let objects = input.count("the list of objects", MIN_OBJECT)?;
    for _ in 0..objects {
        let name = input.string("the length of an object's name", "an object's name")?;
        let bytes = input.string("an object's length", "an object")?;
        test.objects.push(Object { name, bytes });
    }
    Ok(test)
}

/// Does this begin like a test?
pub fn check_magic(data: &[u8]) -> Result<(), Error> {
    let found = &data[..data.len().min(MAGIC.len())];
    if found != MAGIC && found != OLD_MAGIC {
        return Err(Error::BadMagic { found: found.to_vec() });
    }
    Ok(())
}

struct Reader<'a> {
    data: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    fn available(&self) -> u64 {
        (self.data.len() - self.offset) as u64
    }

    fn take(&mut self, what: &'static str, length: u32) -> Result<&'a [u8], Error> {
        let rest = &self.data[self.offset..];
        let bytes = usize::try_from(length).ok().and_then(|length| rest.get(..length)).ok_or(Error::Truncated {
            offset: self.offset,
            what,
            needed: length.into(),
            available: self.available(),
        })?;
        self.offset += bytes.len();
        Ok(bytes)
    }

    fn u32(&mut self, what: &'static str) -> Result<u32, Error> {
        let bytes = self.take(what, 4)?;
        Ok(bytes.iter().fold(0, |value, &byte| value << 8 | u32::from(byte)))
    }

    fn string(&mut self, length_of: &'static str, what: &'static str) -> Result<Vec<u8>, Error> {
        let length = self.u32(length_of)?;
        Ok(self.take(what, length)?.to_vec())
    }

    /// A number of items, refused at once when the rest of the file cannot hold so many.
    fn count(&mut self, what: &'static str, min_size: u64) -> Result<u32, Error> {
        let offset = self.offset;
        let count = self.u32(what)?;
        let needed = u64::from(count) * min_size;
        if needed > self.available() {
            return Err(Error::Truncated { offset, what, needed, available: self.available() });
        }
        Ok(count)
    }
}
