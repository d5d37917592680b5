//! Static libraries: the members of an `ar` archive. Thin archives only name files, which are read
//! from beside them.

use std::borrow::Cow;
use std::path::Path;

const HEADER: usize = 60;

/// The contents of the members; what is damaged ends the list.
pub fn members<'a>(path: &Path, bytes: &'a [u8]) -> Vec<Cow<'a, [u8]>> {
    let is_thin = bytes.starts_with(b"!<thin>\n");
    let mut members = Vec::new();
    if !is_thin && !bytes.starts_with(b"!<arch>\n") {
        return members;
    }
    let mut long_names: &[u8] = &[];
    let mut rest = &bytes[8..];
    while let (Some(header), Some(body)) = (rest.get(..HEADER), rest.get(HEADER..)) {
        let text = |range: std::ops::Range<usize>| String::from_utf8_lossy(&header[range]).trim_end().to_owned();
        let name = text(0..16);
        let Ok(size) = text(48..58).parse::<usize>() else { break };
        // The index of symbols and the table of names are in the archive even if it is thin.
        let is_stored = !is_thin || matches!(name.as_str(), "/" | "//" | "/SYM64/");
        let length = if is_stored { size } else { 0 };
        let Some(content) = body.get(..length) else { break };
        match name.as_str() {
            "/" | "/SYM64/" => {}
            "//" => long_names = content,
            _ if is_thin => {
                let file = path.parent().unwrap_or(Path::new("")).join(long_name(&name, long_names));
                members.extend(std::fs::read(file).ok().map(Cow::Owned));
            }
            _ => members.push(Cow::Borrowed(content)),
        }
        // Members begin at even places.
        rest = body.get(length + length % 2..).unwrap_or_default();
    }
    members
}

/// "/17" is the name at that place of the table, "a.o/" is short enough to be there itself.
fn long_name(name: &str, table: &[u8]) -> String {
    let place = name.strip_prefix('/').and_then(|place| place.parse::<usize>().ok());
    let line = place.and_then(|place| table.get(place..)).map(String::from_utf8_lossy);
    let name = line.as_deref().and_then(|line| line.lines().next()).unwrap_or(name);
    name.strip_suffix('/').unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, content: &str) -> String {
        let padding = if content.len() % 2 == 1 { "\n" } else { "" };
        format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n{content}{padding}", 0, 0, 0, 644, content.len())
    }

    #[test]
    fn members_are_found() {
        let archive = format!("!<arch>\n{}{}{}", member("/", "index"), member("a.o/", "odd"), member("b.o/", "even"));
        let found = members(Path::new("lib.a"), archive.as_bytes());
        assert_eq!(found, [&b"odd"[..], &b"even"[..]]);
        assert_eq!(members(Path::new("lib.a"), &archive.as_bytes()[..archive.len() - 2]).len(), 1);
        assert!(members(Path::new("lib.a"), b"no archive").is_empty());
    }

    #[test]
    fn a_thin_archive_names_files() {
        let dir = tempfile::tempdir().expect("a directory");
        std::fs::write(dir.path().join("with a long name.o"), "content").expect("written");
        let mut archive = String::from("!<thin>\n") + &member("//", "with a long name.o/\n");
        archive += &format!("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", "/0", 0, 0, 0, 644, 7);
        let found = members(&dir.path().join("lib.a"), archive.as_bytes());
        assert_eq!(found, [&b"content"[..]]);
    }
}
