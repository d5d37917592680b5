//! `espalier ktest`: shows and writes KLEE's `.ktest` files. What it shows is laid out as by KLEE's
//! `ktest-tool`, so that scripts can read either.

use crate::command::table_option;
use crate::run::fail;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use espalier_engine::exit_code;
use espalier_report::document;
use ktest::{KTest, Object};
use serde_json::json;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read, Write};
use std::path::PathBuf;

/// Larger objects are a mistake.
const MAX_OBJECT: u64 = 1 << 30;

const GEN_EXAMPLES: &str = "\
An object is NAME=TYPE:VALUE. Types:
  i8 i16 i32 i64 u8 u16 u32 u64 f32 f64   numbers, little-endian; several with commas between are an array
  str      the text and a zero, as C has strings     text     the text alone
  hex      bytes as hexadecimal digits               file     the content of a file
  TYPE[N]  the same, filled up with zeros to N bytes

Examples:
  espalier ktest gen -o a.ktest --object x=i32:-5 --object 'buf=str[16]:GET /'
  espalier ktest gen -o b.ktest --object key=hex:00ff41 --object data=file:input.png -- -v out.png

Objects are handed to the program in this order, and must have the names and sizes that it asks for.";

pub(crate) fn command() -> Command {
    let files = Arg::new("files")
        .value_name("FILE")
        .help("Tests (.ktest)")
        .required(true)
        .num_args(1..)
        .value_parser(value_parser!(PathBuf));
    let trim = Arg::new("trim-zeros")
        .long("trim-zeros")
        .help("Leave out zeros at the end of an object")
        .action(ArgAction::SetTrue);
    let json = table_option("json").help("Print a JSON object a line for each file").long_help(None);
    let show = Command::new("show")
        .about("Print tests as KLEE's ktest-tool does")
        .args([files, trim, json])
        .arg_required_else_help(true);
    let output = Arg::new("output")
        .short('o')
        .long("output")
        .value_name("FILE")
        .help("Write the test to FILE")
        .required(true)
        .value_parser(value_parser!(PathBuf));
    let object = Arg::new("object")
        .long("object")
        .value_name("NAME=TYPE:VALUE")
        .help("An input of the program; may be given several times")
        .action(ArgAction::Append)
        .value_parser(object);
    let program = Arg::new("program")
        .long("program")
        .value_name("NAME")
        .help("The program's name, argv[0]")
        .default_value("program");
    let args = Arg::new("args").value_name("ARG").help("Arguments for the program").last(true).num_args(0..);
    let generate = Command::new("gen")
        .about("Write a test by hand")
        .args([output, object, program, args])
        .after_help(GEN_EXAMPLES)
        .arg_required_else_help(true);
    Command::new("ktest")
        .about("Show and write tests (.ktest files)")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(show)
        .subcommand(generate)
}

/// Does what is asked and gives the exit code.
pub(crate) fn ktest(matches: &ArgMatches) -> i32 {
    let done = match matches.subcommand() {
        Some(("show", matches)) => show(matches),
        Some(("gen", matches)) => generate(matches),
        _ => unreachable!("the command requires a verb"),
    };
    done.map_or_else(|code| code, |()| exit_code::CLEAN)
}

/// Shows every file that can be read, and fails if one cannot.
fn show(matches: &ArgMatches) -> Result<(), i32> {
    let (is_json, trims) = (matches.get_flag("json"), matches.get_flag("trim-zeros"));
    let mut result = Ok(());
    for (number, path) in matches.get_many::<PathBuf>("files").into_iter().flatten().enumerate() {
        let name = path.display().to_string();
        let test = match KTest::read_file(path) {
            Ok(test) => test,
            Err(error @ ktest::Error::Io { .. }) => {
                result = Err(fail(exit_code::INPUT, error));
                continue;
            }
            Err(error) => {
                result = Err(fail(exit_code::INPUT, format!("{name}: {error}")));
                continue;
            }
        };
        let text = match is_json {
            true => to_json(&name, &test) + "\n",
            false if number > 0 => format!("\n{}", to_text(&name, &test, trims)),
            false => to_text(&name, &test, trims),
        };
        std::io::stdout().write_all(text.as_bytes()).map_err(|_| exit_code::INTERNAL)?;
    }
    result
}

fn generate(matches: &ArgMatches) -> Result<(), i32> {
    let text = |name: &str| matches.get_many::<String>(name).into_iter().flatten().map(|arg| arg.clone().into_bytes());
    let args = text("program").chain(text("args")).collect();
    let objects = matches.get_many::<Object>("object").into_iter().flatten().cloned().collect();
    let path = matches.get_one::<PathBuf>("output").cloned().unwrap_or_default();
    let test = KTest { args, objects, ..KTest::default() };
    test.write_file(&path).map_err(|error| fail(exit_code::INPUT, error))
}

/// Reads `NAME=TYPE:VALUE`.
fn object(text: &str) -> Result<Object, String> {
    const FORM: &str = "an object is NAME=TYPE:VALUE, such as x=i32:5";
    let (name, value) = text.split_once('=').ok_or(FORM)?;
    let (kind, value) = value.split_once(':').ok_or(FORM)?;
    let (kind, size) = match kind.strip_suffix(']').and_then(|kind| kind.split_once('[')) {
        Some((kind, size)) => {
            let size: u64 = size.parse().map_err(|_| format!("`{size}` is not a size in bytes"))?;
            if size > MAX_OBJECT {
                return Err(format!("{size} bytes are too many; an object has at most {MAX_OBJECT}"));
            }
            (kind, Some(size as usize))
        }
        None => (kind, None),
    };
    let mut bytes = bytes(kind, value)?;
    if let Some(size) = size {
        if bytes.len() > size {
            return Err(format!("the value has {} bytes, more than {size}", bytes.len()));
        }
        bytes.resize(size, 0);
    }
    Ok(Object::new(name, bytes))
}

fn bytes(kind: &str, value: &str) -> Result<Vec<u8>, String> {
    let each = |one: &dyn Fn(&str) -> Result<Vec<u8>, String>| {
        value.split(',').map(|part| one(part.trim())).collect::<Result<Vec<_>, _>>().map(|parts| parts.concat())
    };
    match kind {
        "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64" => {
            let bits: u32 = kind[1..].parse().map_err(|_| "not a width")?;
            let (least, most) = match kind.starts_with('i') {
                true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
                false => (0, (1i128 << bits) - 1),
            };
            each(&|text| {
                let number = integer(text).ok_or_else(|| format!("`{text}` is not a whole number"))?;
                if number < least || number > most {
                    return Err(format!("{text} does not fit {kind}, which is {least} to {most}"));
                }
                Ok(number.to_le_bytes()[..bits as usize / 8].to_vec())
            })
        }
        "f32" => each(&|text| {
            text.parse::<f32>().map(|x| x.to_le_bytes().to_vec()).map_err(|_| format!("`{text}` is not a number"))
        }),
        "f64" => each(&|text| {
            text.parse::<f64>().map(|x| x.to_le_bytes().to_vec()).map_err(|_| format!("`{text}` is not a number"))
        }),
        "str" => Ok([value.as_bytes(), b"\0"].concat()),
        "text" => Ok(value.as_bytes().to_vec()),
        "hex" => hex(value),
        "file" => file(value),
        _ => Err(format!("`{kind}` is not a type; there are i8 to i64, u8 to u64, f32, f64, str, text, hex and file")),
    }
}

/// A decimal number, or a hexadecimal one with 0x.
fn integer(text: &str) -> Option<i128> {
    let (is_negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let number = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if is_negative { -number } else { number })
}

fn hex(text: &str) -> Result<Vec<u8>, String> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let wrong = || format!("`{text}` is not a row of hexadecimal bytes, such as 00ff41");
    let digits: Vec<u32> = digits.chars().map(|c| c.to_digit(16)).collect::<Option<_>>().ok_or_else(wrong)?;
    if !digits.len().is_multiple_of(2) {
        return Err(wrong());
    }
    Ok(digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect())
}

fn file(path: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_OBJECT + 1).read_to_end(&mut bytes));
    read.map_err(|error| format!("{path}: {error}"))?;
    if bytes.len() as u64 > MAX_OBJECT {
        return Err(format!("{path} has more than {MAX_OBJECT} bytes"));
    }
    Ok(bytes)
}

/// A test in the layout of `ktest-tool`.
fn to_text(name: &str, test: &KTest, trims: bool) -> String {
    let args: Vec<String> = test.args.iter().map(|arg| quoted(arg)).collect();
    let mut text = format!("ktest file : {}\n", quoted(name.as_bytes()));
    let _ = writeln!(text, "args       : [{}]\nnum objects: {}", args.join(", "), test.objects.len());
    let width = test.objects.len().saturating_sub(1).max(1).to_string().len();
    for (number, object) in test.objects.iter().enumerate() {
        let mut line = |key: &str, value: &str| {
            let _ = writeln!(text, "object {number:width$}: {key:4}: {value}");
        };
        let bytes = if trims { without_zeros(&object.bytes) } else { &object.bytes };
        line("name", &format!("'{}'", object.name.escape_ascii()));
        line("size", &object.bytes.len().to_string());
        line("data", &format!("b{}", quoted(bytes)));
        line("hex", &format!("0x{}", digits(bytes)));
        if let Some((signed, unsigned)) = as_numbers(&object.bytes) {
            line("int", &signed.to_string());
            line("uint", &unsigned.to_string());
        }
        line("text", &bytes.iter().map(|&byte| visible(byte)).collect::<String>());
    }
    text
}

fn to_json(name: &str, test: &KTest) -> String {
    let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let objects: Vec<_> = test
        .objects
        .iter()
        .map(|object| {
            let numbers = as_numbers(&object.bytes);
            json!({
                "name": object.name_lossy(),
                "size": object.bytes.len(),
                "hex": digits(&object.bytes),
                "int": numbers.map(|(signed, _)| signed),
                "uint": numbers.map(|(_, unsigned)| unsigned),
                "text": object.bytes.iter().map(|&byte| visible(byte)).collect::<String>(),
            })
        })
        .collect();
    document(&json!({
        "file": name,
        "args": test.args.iter().map(|arg| lossy(arg)).collect::<Vec<_>>(),
        "sym_argvs": test.sym_argvs,
        "sym_argv_len": test.sym_argv_len,
        "objects": objects,
    }))
    .to_string()
}

/// Bytes in quotes, as Python writes them.
fn quoted(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { '"' } else { '\'' };
    let mut text = String::from(quote);
    for &byte in bytes {
        match byte {
            b'\\' => text += "\\\\",
            b'\n' => text += "\\n",
            b'\r' => text += "\\r",
            b'\t' => text += "\\t",
            byte if byte as char == quote => text.extend(['\\', quote]),
            b' '..=b'~' => text.push(byte as char),
            _ => {
                let _ = write!(text, "\\x{byte:02x}");
            }
        }
    }
    text.push(quote);
    text
}

fn without_zeros(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1)]
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The number that an object of a number's size is, with and without a sign.
fn as_numbers(bytes: &[u8]) -> Option<(i64, u64)> {
    let mut wide = [0; 8];
    wide[..bytes.len().min(8)].copy_from_slice(bytes.get(..bytes.len().min(8))?);
    let unsigned = u64::from_le_bytes(wide);
    let signed = match bytes.len() {
        1 => i64::from(unsigned as i8),
        2 => i64::from(unsigned as i16),
        4 => i64::from(unsigned as i32),
        8 => unsigned as i64,
        _ => return None,
    };
    Some((signed, unsigned))
}

fn visible(byte: u8) -> char {
    if matches!(byte, b' '..=b'~') { byte as char } else { '.' }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, name: &str, bytes: &[u8]) {
        assert_eq!(object(text), Ok(Object::new(name, bytes)));
    }

    #[test]
    fn values_of_every_type() {
        check("x=i32:5", "x", &[5, 0, 0, 0]);
        check("x=i8:-128", "x", &[0x80]);
        check("x=u64:0xffffffffffffffff", "x", &[0xff; 8]);
        check("x=i16:1, -1", "x", &[1, 0, 0xff, 0xff]);
        check("x=f32:1.5", "x", &1.5f32.to_le_bytes());
        check("x=f64:-inf", "x", &f64::NEG_INFINITY.to_le_bytes());
        check("s=str:a=b:c", "s", b"a=b:c\0");
        check("s=text:", "s", b"");
        check("buf=hex:00fF41", "buf", &[0, 0xff, 0x41]);
        check("a[3]=str[6]:ab", "a[3]", b"ab\0\0\0\0");
    }

    #[test]
    fn mistakes_are_named() {
        let error = |text: &str| object(text).unwrap_err();
        assert!(error("x").contains("NAME=TYPE:VALUE") && error("x=5").contains("NAME=TYPE:VALUE"));
        assert_eq!(error("x=i8:128"), "128 does not fit i8, which is -128 to 127");
        assert_eq!(error("x=u8:-1"), "-1 does not fit u8, which is 0 to 255");
        assert!(error("x=int:1").contains("`int` is not a type"));
        assert!(error("x=i32:").contains("not a whole number") && error("x=i32:+1").contains("not a whole number"));
        assert!(error("x=i64:99999999999999999999999999999999999999999").contains("not a whole number"));
        assert!(error("x=hex:abc").contains("hexadecimal") && error("x=hex:é0").contains("hexadecimal"));
        assert!(error("x=file:/no/such/file").starts_with("/no/such/file: "));
        assert!(error("x=str[3]:abc").contains("4 bytes, more than 3"));
        assert!(error("x=str[99999999999]:abc").contains("too many"));
    }

    #[test]
    fn text_is_laid_out_as_ktest_tool_does() {
        let objects = vec![Object::new("x", (-2i32).to_le_bytes()), Object::new("s", *b"it's\t\xff\0")];
        let test = KTest { args: vec![b"prog.bc".to_vec(), b"-v".to_vec()], objects, ..KTest::default() };
        let expected = "\
ktest file : 'a.ktest'
args       : ['prog.bc', '-v']
num objects: 2
object 0: name: 'x'
object 0: size: 4
object 0: data: b'\\xfe\\xff\\xff\\xff'
object 0: hex : 0xfeffffff
object 0: int : -2
object 0: uint: 4294967294
object 0: text: ....
object 1: name: 's'
object 1: size: 7
object 1: data: b\"it's\\t\\xff\\x00\"
object 1: hex : 0x6974277309ff00
object 1: text: it's...
";
        assert_eq!(to_text("a.ktest", &test, false), expected);
    }
}
