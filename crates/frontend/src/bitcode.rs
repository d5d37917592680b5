//! What kind of file is this, and who wrote it? Decided from the first bytes, without LLVM, so that
//! messages can name the version of a file that LLVM cannot read.
//!
//! Bitcode is a stream of bits, words of 32 bits in little-endian order. The identification block
//! that LLVM 3.9 and later write first holds the producer's name as a record of characters; this
//! reader knows just enough of the format to find it.

/// What a file's content looks like.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Content {
    Bitcode,
    Assembly,
    /// A native file, with what it is.
    Native(&'static str),
    Unknown,
}

const RAW_MAGIC: [u8; 4] = *b"BC\xC0\xDE";
const WRAPPER_MAGIC: [u8; 4] = [0xDE, 0xC0, 0x17, 0x0B];

pub fn content(bytes: &[u8]) -> Content {
    let starts = |magic: &[u8]| bytes.starts_with(magic);
    if starts(&RAW_MAGIC) || starts(&WRAPPER_MAGIC) {
        Content::Bitcode
    } else if starts(b"\x7fELF") {
        Content::Native(elf_kind(bytes))
    } else if starts(b"!<arch>\n") || starts(b"!<thin>\n") {
        Content::Native("an archive")
    } else if starts(b"\xCF\xFA\xED\xFE") || starts(b"\xCE\xFA\xED\xFE") || starts(b"\xCA\xFE\xBA\xBE") {
        Content::Native("a native object file (Mach-O)")
    } else if starts(b"MZ") {
        Content::Native("a native program (Windows)")
    } else if looks_like_assembly(bytes) {
        Content::Assembly
    } else {
        Content::Unknown
    }
}

fn elf_kind(bytes: &[u8]) -> &'static str {
    match bytes.get(16) {
        Some(1) => "a native object file (ELF)",
        Some(2 | 3) => "a native program or library (ELF)",
        _ => "a native file (ELF)",
    }
}

fn looks_like_assembly(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
    let first = head.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with(';'));
    match first {
        Some(line) => {
            ["source_filename", "target ", "define ", "declare ", "@", "%", "module asm", "attributes #", "!"]
                .iter()
                .any(|start| line.starts_with(start))
        }
        None => head.starts_with("; ModuleID"),
    }
}

/// The producer's name and version, such as `LLVM 19.1.7`.
pub fn producer(bytes: &[u8]) -> Option<String> {
    let stream = match bytes.strip_prefix(&WRAPPER_MAGIC) {
        // Version, offset and size of the bitcode follow.
        Some(header) => {
            let field = |at: usize| header.get(at..at + 4).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
            let (offset, size) = (field(4)? as usize, field(8)? as usize);
            bytes.get(offset..)?.get(..size).or_else(|| bytes.get(offset..))?
        }
        None => bytes,
    };
    let text = Reader { bytes: stream.strip_prefix(&RAW_MAGIC)?, at: 0 }.identification()?;
    Some(match text.strip_prefix("LLVM") {
        Some(version) => format!("LLVM {version}"),
        None => text,
    })
}

const END_BLOCK: u64 = 0;
const ENTER_SUBBLOCK: u64 = 1;
const DEFINE_ABBREV: u64 = 2;
const UNABBREV_RECORD: u64 = 3;
const IDENTIFICATION_BLOCK: u64 = 13;
const IDENTIFICATION_STRING: u64 = 1;

/// How an abbreviation encodes one operand.
enum Encoding {
    Literal(u64),
    Fixed(u32),
    Vbr(u32),
    Array,
    Char6,
    Blob,
}

struct Reader<'a> {
    bytes: &'a [u8],
    /// In bits.
    at: usize,
}

impl Reader<'_> {
    fn bits(&mut self, count: u32) -> Option<u64> {
        let mut value = 0;
        for i in 0..count {
            let byte = self.bytes.get(self.at / 8)?;
            value |= u64::from(byte >> (self.at % 8) & 1) << i;
            self.at += 1;
        }
        Some(value)
    }

    /// A number in chunks of `width` bits whose top bit says that more follow.
    fn vbr(&mut self, width: u32) -> Option<u64> {
        if !(2..=32).contains(&width) {
            return None;
        }
        let (mut value, mut shift) = (0_u64, 0);
        loop {
            let chunk = self.bits(width)?;
            let more = chunk >> (width - 1) & 1 == 1;
            let payload = chunk & ((1 << (width - 1)) - 1);
            value |= payload.checked_shl(shift)?;
            shift += width - 1;
            if !more {
                return Some(value);
            }
        }
    }

    fn align(&mut self) {
        self.at = self.at.next_multiple_of(32);
    }

    /// Reads the identification block, which is the first one.
    fn identification(&mut self) -> Option<String> {
        if self.bits(2)? != ENTER_SUBBLOCK || self.vbr(8)? != IDENTIFICATION_BLOCK {
            return None;
        }
        let width = u32::try_from(self.vbr(4)?).ok()?;
        self.align();
        self.bits(32)?;
        let mut abbreviations: Vec<Vec<Encoding>> = Vec::new();
        loop {
            match self.bits(width)? {
                END_BLOCK => return None,
                ENTER_SUBBLOCK => return None,
                DEFINE_ABBREV => abbreviations.push(self.abbreviation()?),
                UNABBREV_RECORD => {
                    let code = self.vbr(6)?;
                    let count = self.vbr(6)?;
                    let values: Option<Vec<u64>> = (0..count.min(1 << 16)).map(|_| self.vbr(6)).collect();
                    if code == IDENTIFICATION_STRING {
                        return Some(characters(&values?));
                    }
                }
                id => {
                    let encodings = abbreviations.get(usize::try_from(id).ok()?.checked_sub(4)?)?;
                    let values = Self { bytes: self.bytes, at: self.at }.record(encodings);
                    let (values, at) = values?;
                    self.at = at;
                    if values.first() == Some(&IDENTIFICATION_STRING) {
                        return Some(characters(&values[1..]));
                    }
                }
            }
        }
    }

    fn abbreviation(&mut self) -> Option<Vec<Encoding>> {
        let count = self.vbr(5)?.min(1 << 10);
        (0..count)
            .map(|_| {
                if self.bits(1)? == 1 {
                    return Some(Encoding::Literal(self.vbr(8)?));
                }
                Some(match self.bits(3)? {
                    1 => Encoding::Fixed(u32::try_from(self.vbr(5)?).ok().filter(|width| *width <= 64)?),
                    2 => Encoding::Vbr(u32::try_from(self.vbr(5)?).ok()?),
                    3 => Encoding::Array,
                    4 => Encoding::Char6,
                    5 => Encoding::Blob,
                    _ => return None,
                })
            })
            .collect()
    }

    /// The values of a record, and where it ends.
    fn record(mut self, encodings: &[Encoding]) -> Option<(Vec<u64>, usize)> {
        let mut values = Vec::new();
        let mut rest = encodings.iter();
        while let Some(encoding) = rest.next() {
            match encoding {
                Encoding::Array => {
                    let element = rest.next()?;
                    for _ in 0..self.vbr(6)?.min(1 << 16) {
                        let value = self.value(element)?;
                        values.push(value);
                    }
                }
                other => {
                    let value = self.value(other)?;
                    values.push(value);
                }
            }
        }
        Some((values, self.at))
    }

    fn value(&mut self, encoding: &Encoding) -> Option<u64> {
        match encoding {
            Encoding::Literal(value) => Some(*value),
            Encoding::Fixed(width) => self.bits(*width),
            Encoding::Vbr(width) => self.vbr(*width),
            Encoding::Char6 => {
                const ALPHABET: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
                Some(u64::from(ALPHABET[self.bits(6)? as usize]))
            }
            Encoding::Array | Encoding::Blob => None,
        }
    }
}

fn characters(values: &[u64]) -> String {
    values
        .iter()
        .filter_map(|value| u8::try_from(*value).ok())
        .filter(|c| c.is_ascii_graphic() || *c == b' ')
        .map(char::from)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_content() {
        assert_eq!(content(b"BC\xC0\xDE1234"), Content::Bitcode);
        assert_eq!(content(&[0xDE, 0xC0, 0x17, 0x0B, 0, 0]), Content::Bitcode);
        assert_eq!(
            content(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x01\0"),
            Content::Native("a native object file (ELF)")
        );
        assert_eq!(content(b"!<arch>\nfoo"), Content::Native("an archive"));
        assert_eq!(content(b"; ModuleID = 'x'\nsource_filename = \"x\"\n"), Content::Assembly);
        assert_eq!(content(b"int main(void) { return 0; }"), Content::Unknown);
    }

    #[test]
    fn damaged_headers_have_no_producer() {
        for len in 0..64 {
            let mut bytes = RAW_MAGIC.to_vec();
            bytes.extend(std::iter::repeat_n(0xFF, len));
            assert_eq!(producer(&bytes), None);
        }
    }
}
