//! What a section says about a source: a line with the path of its bitcode, or why there is none.

use std::path::PathBuf;

/// Why there is no bitcode.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Lack {
    Assembly,
    Cplusplus,
    OtherLanguage,
    /// clang does not compile it; the log says why.
    Failed,
}

const LACKS: [(Lack, &str); 4] =
    [(Lack::Assembly, "asm"), (Lack::Cplusplus, "c++"), (Lack::OtherLanguage, "other"), (Lack::Failed, "failed")];

impl Lack {
    pub fn words(self) -> &'static str {
        match self {
            Lack::Assembly => "assembly",
            Lack::Cplusplus => "C++, which is not supported",
            Lack::OtherLanguage => "not C",
            Lack::Failed => "clang made no bitcode of it",
        }
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Entry {
    Bitcode { bitcode: PathBuf, source: PathBuf },
    Lacks { lack: Lack, source: PathBuf },
}

impl Entry {
    pub fn line(&self) -> String {
        let (kind, source) = match self {
            Entry::Bitcode { bitcode, source } => (format!("bc\t{}", bitcode.display()), source),
            Entry::Lacks { lack, source } => {
                let word = LACKS.iter().find(|(known, _)| known == lack).map_or("other", |(_, word)| word);
                (format!("none\t{word}"), source)
            }
        };
        format!("{kind}\t{}\n", source.display().to_string().replace('\n', " "))
    }

    /// The entries of a section; what is no entry is passed over.
    pub fn parse(section: &[u8]) -> Vec<Entry> {
        let text = String::from_utf8_lossy(section);
        let entry = |line: &str| {
            let mut fields = line.splitn(3, '\t');
            let (kind, value, source) = (fields.next()?, fields.next()?, PathBuf::from(fields.next()?));
            match kind {
                "bc" => Some(Entry::Bitcode { bitcode: value.into(), source }),
                "none" => {
                    let lack = LACKS.iter().find(|(_, word)| *word == value).map(|(lack, _)| *lack)?;
                    Some(Entry::Lacks { lack, source })
                }
                _ => None,
            }
        };
        text.lines().filter_map(entry).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_as_they_were_written() {
        let entries = [
            Entry::Bitcode { bitcode: "/store/a b.bc".into(), source: "/src/a\tb.c".into() },
            Entry::Lacks { lack: Lack::Cplusplus, source: "/src/x.cc".into() },
        ];
        let text: String = entries.iter().map(Entry::line).collect();
        assert_eq!(Entry::parse(text.as_bytes()), entries);
        assert!(Entry::parse(b"\0\0nonsense\nbc\tonly\n\xff").is_empty());
    }
}
