//! Encoding of version 3.

use crate::{Error, KTest, MAGIC, VERSION};

pub fn write(test: &KTest) -> Result<Vec<u8>, Error> {
    let mut out = Vec::with_capacity(encoded_size(test));
    out.extend_from_slice(MAGIC);
    put_u32(&mut out, VERSION);
    put_length(&mut out, "the number of arguments", test.args.len())?;
    for arg in &test.args {
        put_bytes(&mut out, "an argument", arg)?;
    }
    put_u32(&mut out, test.sym_argvs);
    put_u32(&mut out, test.sym_argv_len);
    put_length(&mut out, "the number of objects", test.objects.len())?;
    for object in &test.objects {
        put_bytes(&mut out, "an object's name", &object.name)?;
        put_bytes(&mut out, "an object", &object.bytes)?;
    }
    Ok(out)
}

fn encoded_size(test: &KTest) -> usize {
    let args: usize = test.args.iter().map(|arg| 4 + arg.len()).sum();
    let objects: usize = test.objects.iter().map(|object| 8 + object.name.len() + object.bytes.len()).sum();
    MAGIC.len() + 5 * 4 + args + objects
}

fn put_u32(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_be_bytes());
}

fn put_length(out: &mut Vec<u8>, what: &'static str, length: usize) -> Result<(), Error> {
    put_u32(out, u32::try_from(length).map_err(|_| Error::TooLong { what, length })?);
    Ok(())
}

fn put_bytes(out: &mut Vec<u8>, what: &'static str, bytes: &[u8]) -> Result<(), Error> {
    put_length(out, what, bytes.len())?;
    out.extend_from_slice(bytes);
    Ok(())
}
