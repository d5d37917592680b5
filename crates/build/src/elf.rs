//! The little of ELF that is needed: reading a section, the libraries that a program needs, and
//! adding text to a section.
//!
//! A section is added without objcopy: its content, the section names and the table of sections are
//! appended to the file, and only then the header is changed to point there. Nothing that is loaded
//! moves, which matters for executables, and no process is started, which matters in builds of
//! thousands of files. The section is not part of what is loaded; linkers concatenate sections of a
//! name, archives keep them, and `strip` leaves them.

use std::fs::OpenOptions;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

/// What is known about the code in a file, a line for each source.
pub const SECTION: &str = ".espalier_bc";

const EXECUTABLE: u64 = 2;
const SHARED: u64 = 3;
const PROGBITS: u64 = 1;
const DYNAMIC: u64 = 6;
const DT_NEEDED: u64 = 1;
const DT_SONAME: u64 = 14;
const DT_FLAGS_1: u64 = 0x6fff_fffb;
const DF_1_PIE: u64 = 0x0800_0000;
/// From this number of sections on, the number is kept elsewhere.
const MANY_SECTIONS: u64 = 0xff00;
const INDEX_ELSEWHERE: u64 = 0xffff;

/// Where a field is, for 32 and for 64 bits: offset and width.
type Field = [(usize, usize); 2];

const E_TYPE: Field = [(16, 2), (16, 2)];
const E_SHOFF: Field = [(32, 4), (40, 8)];
const E_SHENTSIZE: Field = [(46, 2), (58, 2)];
const E_SHNUM: Field = [(48, 2), (60, 2)];
const E_SHSTRNDX: Field = [(50, 2), (62, 2)];

const SH_NAME: Field = [(0, 4), (0, 4)];
const SH_TYPE: Field = [(4, 4), (4, 4)];
const SH_OFFSET: Field = [(16, 4), (24, 8)];
const SH_SIZE: Field = [(20, 4), (32, 8)];
const SH_LINK: Field = [(24, 4), (40, 4)];
const SH_ALIGN: Field = [(32, 4), (48, 8)];

const D_TAG: Field = [(0, 4), (0, 8)];
const D_VALUE: Field = [(4, 4), (8, 8)];

/// What the dynamic linker is told: a tag and a value.
type Tagged = (u64, u64);

/// How numbers are written in the file.
#[derive(Copy, Clone)]
struct Format {
    is_64_bit: bool,
    is_big_endian: bool,
}

impl Format {
    fn of(self, field: Field) -> (usize, usize) {
        field[usize::from(self.is_64_bit)]
    }

    fn get(self, bytes: &[u8], field: Field) -> Option<u64> {
        let (offset, width) = self.of(field);
        let bytes = bytes.get(offset..offset + width)?.iter();
        let add = |number, byte: &u8| number << 8 | u64::from(*byte);
        Some(if self.is_big_endian { bytes.fold(0, add) } else { bytes.rev().fold(0, add) })
    }

    /// The caller has made sure that the field is there.
    fn set(self, bytes: &mut [u8], field: Field, number: u64) {
        let (offset, width) = self.of(field);
        for (index, byte) in bytes[offset..offset + width].iter_mut().enumerate() {
            let shift = if self.is_big_endian { width - 1 - index } else { index };
            *byte = (number >> (8 * shift)) as u8;
        }
    }

    fn header_size(self) -> usize {
        if self.is_64_bit { 64 } else { 52 }
    }

    fn section_size(self) -> usize {
        if self.is_64_bit { 64 } else { 40 }
    }
}

/// A file in ELF with its table of sections.
pub struct Elf<'a> {
    bytes: &'a [u8],
    format: Format,
    sections: Vec<&'a [u8]>,
    names: usize,
}

impl<'a> Elf<'a> {
    /// Nothing if it is no ELF file, is damaged or has no sections.
    pub fn parse(bytes: &'a [u8]) -> Option<Elf<'a>> {
        if !bytes.starts_with(b"\x7fELF") {
            return None;
        }
        let format = Format { is_64_bit: *bytes.get(4)? == 2, is_big_endian: *bytes.get(5)? == 2 };
        let header = bytes.get(..format.header_size())?;
        let table = bytes.get(usize::try_from(format.get(header, E_SHOFF)?).ok()?..)?;
        let size = format.section_size();
        if format.get(header, E_SHENTSIZE)? != size as u64 {
            return None;
        }
        let first = table.get(..size)?;
        let count = match format.get(header, E_SHNUM)? {
            0 => format.get(first, SH_SIZE)?,
            count => count,
        };
        let names = match format.get(header, E_SHSTRNDX)? {
            INDEX_ELSEWHERE => format.get(first, SH_LINK)?,
            names => names,
        };
        let length = usize::try_from(count).ok()?.checked_mul(size)?;
        let sections: Vec<&[u8]> = table.get(..length)?.chunks_exact(size).collect();
        let names = usize::try_from(names).ok().filter(|names| *names > 0 && *names < sections.len())?;
        Some(Elf { bytes, format, sections, names })
    }

    fn content(&self, index: usize) -> Option<&'a [u8]> {
        let section = self.sections.get(index)?;
        let start = usize::try_from(self.format.get(section, SH_OFFSET)?).ok()?;
        let length = usize::try_from(self.format.get(section, SH_SIZE)?).ok()?;
        self.bytes.get(start..start.checked_add(length)?)
    }

    fn find(&self, name: &str) -> Option<usize> {
        let names = self.content(self.names)?;
        let is_named = |section: &&[u8]| {
            let start = self.format.get(section, SH_NAME).and_then(|start| usize::try_from(start).ok());
            let text = start.and_then(|start| names.get(start..));
            text.and_then(|text| text.strip_prefix(name.as_bytes())).is_some_and(|rest| rest.first() == Some(&0))
        };
        self.sections.iter().position(is_named)
    }

    /// The content of the section that is called so.
    pub fn section(&self, name: &str) -> Option<&'a [u8]> {
        self.find(name).and_then(|index| self.content(index))
    }

    /// What the dynamic linker is told, and the texts that some of the values are.
    fn dynamic(&self) -> Option<(Vec<Tagged>, &'a [u8])> {
        let format = self.format;
        let index = self.sections.iter().position(|section| format.get(section, SH_TYPE) == Some(DYNAMIC))?;
        let texts = usize::try_from(format.get(self.sections[index], SH_LINK)?).ok()?;
        let entries = self.content(index)?.chunks_exact(if format.is_64_bit { 16 } else { 8 });
        let entries = entries.filter_map(|entry| Some((format.get(entry, D_TAG)?, format.get(entry, D_VALUE)?)));
        Some((entries.collect(), self.content(texts)?))
    }

    fn dynamic_texts(&self, wanted: u64) -> Vec<String> {
        let Some((entries, texts)) = self.dynamic() else { return Vec::new() };
        let text = |start: u64| {
            let rest = texts.get(usize::try_from(start).ok()?..)?;
            Some(String::from_utf8_lossy(rest.split(|byte| *byte == 0).next()?).into_owned())
        };
        entries.iter().filter(|(tag, _)| *tag == wanted).filter_map(|(_, value)| text(*value)).collect()
    }

    /// The names of the shared libraries that it was linked with.
    pub fn needed(&self) -> Vec<String> {
        self.dynamic_texts(DT_NEEDED)
    }

    /// The name under which programs need this library.
    pub fn soname(&self) -> Option<String> {
        self.dynamic_texts(DT_SONAME).pop()
    }

    pub fn is_executable(&self) -> bool {
        let flags = || self.dynamic().map(|(entries, _)| entries).unwrap_or_default();
        let is_pie = || flags().iter().any(|(tag, value)| *tag == DT_FLAGS_1 && value & DF_1_PIE != 0);
        match self.format.get(self.bytes, E_TYPE) {
            Some(EXECUTABLE) => true,
            Some(SHARED) => self.find(".interp").is_some() || is_pie(),
            _ => false,
        }
    }

    pub fn is_shared(&self) -> bool {
        self.format.get(self.bytes, E_TYPE) == Some(SHARED) && !self.is_executable()
    }
}

/// Adds text to the section of a file, which is made if need be.
pub fn append(path: &Path, text: &str) -> io::Result<()> {
    let bytes = std::fs::read(path)?;
    let Some(elf) = Elf::parse(&bytes) else {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it is no ELF file with sections"));
    };
    let damaged = || io::Error::new(io::ErrorKind::InvalidData, "its table of sections is damaged");
    let format = elf.format;
    let mut sections: Vec<Vec<u8>> = elf.sections.iter().map(|section| section.to_vec()).collect();
    let mut added = Vec::new();
    let at = |added: &Vec<u8>| (bytes.len() + added.len()) as u64;
    match elf.find(SECTION) {
        Some(index) => {
            let start = at(&added);
            added.extend_from_slice(elf.content(index).ok_or_else(damaged)?);
            added.extend_from_slice(text.as_bytes());
            format.set(&mut sections[index], SH_OFFSET, start);
            format.set(&mut sections[index], SH_SIZE, at(&added) - start);
        }
        None => {
            let names = elf.content(elf.names).ok_or_else(damaged)?;
            let mut section = vec![0; format.section_size()];
            format.set(&mut section, SH_NAME, names.len() as u64);
            format.set(&mut section, SH_TYPE, PROGBITS);
            format.set(&mut section, SH_OFFSET, at(&added));
            format.set(&mut section, SH_SIZE, text.len() as u64);
            format.set(&mut section, SH_ALIGN, 1);
            added.extend_from_slice(text.as_bytes());
            format.set(&mut sections[elf.names], SH_OFFSET, at(&added));
            added.extend_from_slice(names);
            added.extend_from_slice(SECTION.as_bytes());
            added.push(0);
            format.set(&mut sections[elf.names], SH_SIZE, (names.len() + SECTION.len() + 1) as u64);
            sections.push(section);
        }
    }
    while (bytes.len() + added.len()) % 8 != 0 {
        added.push(0);
    }
    let mut header = bytes[..format.header_size()].to_vec();
    format.set(&mut header, E_SHOFF, at(&added));
    let count = sections.len() as u64;
    if count < MANY_SECTIONS {
        format.set(&mut header, E_SHNUM, count);
    } else {
        format.set(&mut header, E_SHNUM, 0);
        format.set(&mut sections[0], SH_SIZE, count);
    }
    added.extend(sections.concat());
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.seek(SeekFrom::End(0))?;
    file.write_all(&added)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with nothing but section names.
    fn empty(format: Format) -> Vec<u8> {
        let names = b"\0.shstrtab\0";
        let mut bytes = vec![0; format.header_size()];
        bytes[..6].copy_from_slice(b"\x7fELF\x01\x01");
        bytes[4] += u8::from(format.is_64_bit);
        bytes[5] += u8::from(format.is_big_endian);
        let start = bytes.len() as u64;
        bytes.extend_from_slice(names);
        let table = bytes.len() as u64;
        format.set(&mut bytes, E_SHOFF, table);
        format.set(&mut bytes, E_SHENTSIZE, format.section_size() as u64);
        format.set(&mut bytes, E_SHNUM, 2);
        format.set(&mut bytes, E_SHSTRNDX, 1);
        bytes.extend(vec![0; format.section_size()]);
        let mut section = vec![0; format.section_size()];
        format.set(&mut section, SH_NAME, 1);
        format.set(&mut section, SH_OFFSET, start);
        format.set(&mut section, SH_SIZE, names.len() as u64);
        bytes.extend(section);
        bytes
    }

    #[test]
    fn text_is_added_to_a_section() {
        for (is_64_bit, is_big_endian) in [(false, false), (false, true), (true, false), (true, true)] {
            let file = tempfile::NamedTempFile::new().expect("a file");
            std::fs::write(file.path(), empty(Format { is_64_bit, is_big_endian })).expect("written");
            append(file.path(), "one\n").expect("added");
            append(file.path(), "two\n").expect("added");
            let bytes = std::fs::read(file.path()).expect("read");
            let elf = Elf::parse(&bytes).expect("ELF");
            assert_eq!(elf.section(SECTION), Some(&b"one\ntwo\n"[..]));
            assert_eq!(elf.section(".shstrtab").map(<[u8]>::len), Some(11 + SECTION.len() + 1));
            assert!(!elf.is_executable() && !elf.is_shared() && elf.needed().is_empty());
        }
    }

    #[test]
    fn damaged_files_are_refused() {
        let whole = empty(Format { is_64_bit: true, is_big_endian: false });
        for length in 0..whole.len() {
            assert!(Elf::parse(&whole[..length]).is_none(), "{length}");
        }
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), "#!/bin/sh\n").expect("written");
        assert!(append(file.path(), "text").is_err());
    }
}
