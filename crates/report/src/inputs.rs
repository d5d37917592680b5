//! Input values as a person reads them: numbers for objects of a number's size, strings or bytes
//! for the rest.

use std::fmt::Write;

/// Bytes of a buffer that are shown.
const SHOWN: usize = 48;

/// "7", "-1 (0xffffffff)", "113 'q'", "\"abc\"", "de ad be ef (4 bytes)".
pub(crate) fn show(bytes: &[u8]) -> String {
    match bytes.len() {
        1 => show_char(bytes[0]),
        2 => show_number(i64::from(i16::from_le_bytes([bytes[0], bytes[1]])), bytes),
        4 => show_number(i64::from(i32::from_le_bytes(bytes.try_into().expect("four bytes"))), bytes),
        8 => show_number(i64::from_le_bytes(bytes.try_into().expect("eight bytes")), bytes),
        _ => show_text(bytes).unwrap_or_else(|| show_hex(bytes)),
    }
}

fn show_char(byte: u8) -> String {
    let number = byte as i8;
    match byte {
        b' '..=b'~' => format!("{number} '{}'", (byte as char).escape_default()),
        128.. => format!("{number} (0x{byte:02x})"),
        _ => number.to_string(),
    }
}

fn show_number(number: i64, bytes: &[u8]) -> String {
    let mut text = number.to_string();
    if !(-9..=9).contains(&number) {
        text += " (0x";
        for byte in bytes.iter().rev() {
            let _ = write!(text, "{byte:02x}");
        }
        text.push(')');
    }
    if let Some(string) = show_text(bytes).filter(|_| spells_a_word(bytes)) {
        text += " or ";
        text += &string;
    }
    text
}

/// Are more than half of the bytes visible characters, and the rest zeros behind them?
fn spells_a_word(bytes: &[u8]) -> bool {
    let visible = bytes.iter().take_while(|byte| byte.is_ascii_graphic()).count();
    visible * 2 > bytes.len() && bytes[visible..].iter().all(|&byte| byte == 0)
}

/// A C string, if that is what the bytes look like: printable characters, then nothing but zeros.
fn show_text(bytes: &[u8]) -> Option<String> {
    let len = bytes.iter().rposition(|&byte| byte != 0)? + 1;
    let text = &bytes[..len];
    if !text.iter().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r')) {
        return None;
    }
    let shown = text[..len.min(SHOWN)].escape_ascii();
    let dots = if len > SHOWN { "..." } else { "" };
    let terminator = if len == bytes.len() { " (not terminated)" } else { "" };
    Some(format!("\"{shown}\"{dots}{terminator}"))
}

fn show_hex(bytes: &[u8]) -> String {
    let zeros = bytes.iter().rev().take_while(|&&byte| byte == 0).count();
    let rest = &bytes[..bytes.len() - zeros];
    let mut text = String::new();
    for byte in rest.iter().take(SHOWN) {
        let _ = write!(text, "{byte:02x} ");
    }
    if rest.len() > SHOWN {
        text += "... ";
    } else if rest.is_empty() {
        text += "all zero ";
    } else if zeros > 0 {
        text += "then zero ";
    }
    let _ = write!(text, "({} bytes)", bytes.len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(show(&[7]), "7");
        assert_eq!(show(b"q"), "113 'q'");
        assert_eq!(show(b"\\"), "92 '\\\\'");
        assert_eq!(show(&[0xff]), "-1 (0xff)");
        assert_eq!(show(&(-2i16).to_le_bytes()), "-2");
        assert_eq!(show(&1000i32.to_le_bytes()), "1000 (0x000003e8)");
        assert_eq!(show(&i64::MIN.to_le_bytes()), "-9223372036854775808 (0x8000000000000000)");
    }

    #[test]
    fn a_number_that_spells_a_word_is_shown_as_both() {
        assert_eq!(show(b"key\0"), "7955819 (0x0079656b) or \"key\"");
    }

    #[test]
    fn buffers() {
        assert_eq!(show(b"ssssddddwwaawwddddssssddwwww\0"), "\"ssssddddwwaawwddddssssddwwww\"");
        assert_eq!(show(b"a\"\n"), "\"a\\\"\\n\" (not terminated)");
        assert_eq!(show(&[0xde, 0xad, 1, 0, 0]), "de ad 01 then zero (5 bytes)");
        assert_eq!(show(&[0; 100]), "all zero (100 bytes)");
        assert_eq!(show(&[]), "all zero (0 bytes)");
        assert!(show(&[1; 100]).ends_with("01 01 ... (100 bytes)"));
    }
}
