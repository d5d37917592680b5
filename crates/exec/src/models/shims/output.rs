//! What the program prints. Formatting happens here and never forks: a value that depends on the
//! input is shown as `<symbolic>`, and then the number of characters printed is an unknown. For
//! tests it is kept as it is, and formatted with the test's value.

use super::{Arguments, StringRead};
use crate::interpreter::access::{Mode, Place};
use crate::interpreter::fork::Flow;
use crate::interpreter::machine::{Interpreter, Machine};
use crate::interpreter::value::{Value, signed};
use crate::memory::Found;
use crate::memory::object::Byte;
use crate::models::printed::{Channel, File, Piece, Unpredictable};
use crate::paths::approximation::{Cause, Direction, UncheckedOutput};
use crate::paths::state::State;
use espalier_expr::{SymbolShape, Term};
use std::ops::Range;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum OutputCall {
    /// `void __espalier_output(int fd, const void *buffer, size_t length)`.
    Raw,
    /// `int __espalier_vformat(int fd, const char *format, va_list arguments)`: what has a
    /// conversion that is not known here is left to the library.
    Format,
    /// `void __espalier_flush(int settled)`: the buffer of standard output is written, or will be
    /// nobody knows when.
    Flush,
    /// `int __espalier_begin_files(void)`: is it wanted to be told of the files in the end?
    BeginFiles,
    /// `void __espalier_file(unsigned depth, unsigned mode, const char *name, size_t length, const
    /// void *data, size_t size)`.
    File,
    /// `void __espalier_killed(int signal)`: the process ends by it.
    Killed,
}

pub fn named(name: &str) -> Option<OutputCall> {
    match name {
        "__espalier_output" => Some(OutputCall::Raw),
        "__espalier_vformat" => Some(OutputCall::Format),
        "__espalier_flush" => Some(OutputCall::Flush),
        "__espalier_begin_files" => Some(OutputCall::BeginFiles),
        "__espalier_file" => Some(OutputCall::File),
        "__espalier_killed" => Some(OutputCall::Killed),
        _ => None,
    }
}

const SYMBOLIC: &str = "<symbolic>";
const MAX_STRING: usize = 1 << 20;
/// What is kept of a string that depends on the input.
const KEPT_STRING: usize = 4096;
/// Wider ones are left to the library.
const MAX_WIDTH: u64 = 4096;
/// The result that has the library do it.
const NOT_FORMATTED: u64 = 1 << 31;

/// A conversion of a format string.
#[derive(Clone, Default, Debug)]
pub(crate) struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    length: String,
    /// The width or the precision depends on the input.
    is_symbolic: bool,
}

/// A conversion whose value depends on the input.
#[derive(Debug)]
pub(crate) enum Conversion {
    Value {
        letter: u8,
        spec: Spec,
        value: Term,
        width: u32,
    },
    /// A string somewhere in these bytes, which end where its object does.
    String {
        bytes: Box<[Byte]>,
        precision: Option<usize>,
        spec: Spec,
    },
}

impl Conversion {
    /// The text for a value.
    pub fn text(&self, bits: u64) -> Vec<u8> {
        let Conversion::Value { letter, spec, width, .. } = self else { return Vec::new() };
        padded(spec, *letter, text_of(*letter, spec, bits, *width)).0
    }

    /// A string with what is around it.
    pub fn padded(&self, text: Vec<u8>) -> Vec<u8> {
        match self {
            Conversion::String { spec, .. } => padded(spec, b's', Text(text)).0,
            Conversion::Value { .. } => text,
        }
    }

    /// About how long the text can get.
    pub fn most_bytes(&self) -> usize {
        match self {
            Conversion::Value { spec, .. } => spec.width.max(spec.precision.unwrap_or(0)) + 32,
            Conversion::String { bytes, spec, .. } => spec.width.max(bytes.len()),
        }
    }
}

/// Reads variadic arguments one after the other.
struct VarArgs {
    next: u64,
    slot: u64,
}

impl<M: Machine> Interpreter<'_, M> {
    pub(crate) fn output_call(&mut self, state: &mut State, call: OutputCall, args: &Arguments) -> Flow {
        match call {
            OutputCall::Raw => self.output_raw(state, args),
            OutputCall::Format => self.output_format(state, args),
            OutputCall::Flush => {
                let is_settled = args.value(0).as_concrete() != Some(0);
                self.note(state, if is_settled { Piece::Flush } else { Piece::Unsettled })
            }
            OutputCall::Killed => match args.value(0).as_concrete() {
                Some(signal) => self.note(state, Piece::Killed(signal as i32)),
                None => self.fork_on_argument(state, args, 0),
            },
            OutputCall::BeginFiles => {
                // The same when a path is run again, which keeps nothing.
                self.set_result(state, args, Value::concrete(self.options.predict.into()), 32);
                self.note(state, Piece::Files)
            }
            OutputCall::File => self.output_file(state, args),
        }
    }

    fn note(&mut self, state: &mut State, piece: Piece) -> Flow {
        if self.records() {
            state.record.push(piece);
        }
        Flow::Next
    }

    /// A file that cannot be read as it stands is missing then, and so nothing is predicted of any.
    fn output_file(&mut self, state: &mut State, args: &Arguments) -> Flow {
        if !self.records() {
            return Flow::Next;
        }
        let numbers: Option<Vec<u64>> = (0..6).map(|index| args.value(index).as_concrete()).collect();
        let is_kept = numbers.is_some_and(|numbers| {
            let (depth, mode) = (numbers[0] as usize, numbers[1] as u32);
            let file = File { depth, mode, name: Vec::new(), content: Vec::new(), is_cut: false };
            self.record_file(state, file, (numbers[2], numbers[3]), (numbers[4], numbers[5]))
        });
        if !is_kept {
            state.record.push(Piece::NoFiles);
        }
        Flow::Next
    }

    /// Where a call prints to.
    fn channel(&self, args: &Arguments) -> Option<Channel> {
        args.value(0).as_concrete().and_then(Channel::numbered).filter(|_| self.records())
    }

    fn emit(&mut self, bytes: &[u8]) {
        if self.options.show_output {
            self.output.extend_from_slice(bytes);
        }
    }

    fn output_raw(&mut self, state: &mut State, args: &Arguments) -> Flow {
        let Some(count) = args.value(2).as_concrete() else { return self.fork_on_argument(state, args, 2) };
        if count == 0 {
            return Flow::Next;
        }
        let channel = self.channel(args);
        // Reading the buffer is an access like any other: it may be out of bounds.
        self.access(state, args.value(1), count, Mode::Read, |executor, state, place| {
            if let Some(channel) = channel {
                executor.record_block(state, channel, place, count as usize);
            }
            if executor.options.show_output {
                for byte in executor.read_block(state, place, count as usize) {
                    let shown = executor.shown_byte(byte);
                    executor.output.push(shown);
                }
            }
        })
    }

    /// What is fixed is shown as it is.
    fn shown_byte(&mut self, byte: Byte) -> u8 {
        const OPEN: u8 = b'?';
        match byte {
            Byte::Concrete(value) => value,
            Byte::Symbolic(term, index) => {
                let byte = self.terms.extract(term, 8 * index, 8);
                let plain = self.with_fixed_values(byte).map(|(plain, _)| plain);
                plain.and_then(|plain| self.terms.as_u64(plain)).map_or(OPEN, |value| value as u8)
            }
            _ => OPEN,
        }
    }

    fn output_format(&mut self, state: &mut State, args: &Arguments) -> Flow {
        let channel = self.channel(args);
        let unknown = |state: &mut State| {
            if let Some(channel) = channel {
                state.record.push_unknown(channel, Unpredictable::SymbolicFormat);
            }
        };
        let (Some(format), Some(list)) = (args.value(1).as_concrete(), args.value(2).as_concrete()) else {
            state.note_approximation(Direction::Both, Cause::Output(UncheckedOutput::String));
            unknown(state);
            return self.unknown_count(state, args);
        };
        let format = match self.read_string(state, format, MAX_STRING) {
            StringRead::Complete(bytes) => bytes,
            StringRead::Symbolic => {
                state.note_approximation(Direction::Both, Cause::Output(UncheckedOutput::String));
                unknown(state);
                return self.unknown_count(state, args);
            }
            StringRead::Fault(address) => return self.string_fault(state, address),
        };
        let area = if self.pointer_width() == 64 {
            let place = state.memory.object(list).map(|object| (object.base, list - object.base + 8));
            place.and_then(|(base, offset)| {
                self.read_place(state, Place::new(base, Value::concrete(offset)), 64).as_concrete()
            })
        } else {
            Some(list)
        };
        let Some(area) = area else {
            unknown(state);
            return self.unknown_count(state, args);
        };
        let mut varargs = VarArgs { next: area, slot: (self.pointer_width() / 8) as u64 };
        let mut out = Vec::new();
        // What depends on the input or is not known, and the part of `out` that stands for it.
        let mut pieces: Vec<(Range<usize>, Result<Conversion, Unpredictable>)> = Vec::new();
        let mut at = 0;
        while at < format.len() {
            if format[at] != b'%' {
                out.push(format[at]);
                at += 1;
                continue;
            }
            at += 1;
            let mut spec = Spec::default();
            let Some(conversion) = self.parse_spec(state, &format, &mut at, &mut spec, &mut varargs) else {
                return self.not_formatted(state, args);
            };
            let converted = self.convert(state, conversion, &spec, &mut varargs);
            let (shown, piece) = match converted {
                Converted::Text(text) if !spec.is_symbolic => {
                    pad(&mut out, &spec, conversion, &text);
                    continue;
                }
                Converted::Unknown => return self.not_formatted(state, args),
                Converted::Fault(address) => return self.string_fault(state, address),
                Converted::Unchecked(what, later) => {
                    state.note_approximation(Direction::Both, Cause::Output(what));
                    (SYMBOLIC.into(), later.ok_or(Unpredictable::Unchecked(what)))
                }
                Converted::Text(_) => (SYMBOLIC.into(), Err(Unpredictable::SymbolicWidth)),
                Converted::Address(text) => (padded(&spec, conversion, text), Err(Unpredictable::Address)),
                Converted::Symbolic(later) => (SYMBOLIC.into(), Ok(later)),
            };
            let begin = out.len();
            out.extend_from_slice(&shown.0);
            pieces.push((begin..out.len(), if spec.is_symbolic { Err(Unpredictable::SymbolicWidth) } else { piece }));
        }
        self.emit(&out);
        let exact = pieces.is_empty();
        if let Some(channel) = channel {
            let mut kept = 0;
            for (range, piece) in pieces {
                state.record.push_bytes(channel, &out[kept..range.start]);
                match piece {
                    Ok(conversion) => state.record.push_converted(channel, conversion),
                    Err(reason) => state.record.push_unknown(channel, reason),
                }
                kept = range.end;
            }
            state.record.push_bytes(channel, &out[kept..]);
        }
        if !exact {
            return self.unknown_count(state, args);
        }
        self.set_result(state, args, Value::concrete(out.len() as u64 & 0xffff_ffff), 32);
        Flow::Next
    }

    fn not_formatted(&mut self, state: &mut State, args: &Arguments) -> Flow {
        self.set_result(state, args, Value::concrete(NOT_FORMATTED), 32);
        Flow::Next
    }

    /// Not negative: the library need not ask whether it was formatted.
    fn unknown_count(&mut self, state: &mut State, args: &Arguments) -> Flow {
        let symbol = self.unknown_symbol(state, 4, SymbolShape::Scalar);
        let count = self.terms.var(symbol, 0);
        let positive = self.terms.constant(NOT_FORMATTED - 1, 32);
        let count = self.terms.and(count, positive);
        let count = Value::of(&self.terms, count);
        self.set_result(state, args, count, 32);
        Flow::Next
    }

    fn string_fault(&mut self, state: &State, address: u64) -> Flow {
        Flow::End(self.violation(state, self.access_fault(state, address, 1, Mode::Read)))
    }

    /// Everything between the percent sign and the conversion, and that; `None` if it is not known
    /// here.
    fn parse_spec(
        &mut self,
        state: &mut State,
        format: &[u8],
        at: &mut usize,
        spec: &mut Spec,
        args: &mut VarArgs,
    ) -> Option<u8> {
        while let Some(flag) = format.get(*at) {
            match flag {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                b'0' => spec.zero = true,
                _ => break,
            }
            *at += 1;
        }
        let width = self.amount(state, format, at, spec, args)?;
        spec.left |= width < 0;
        spec.width = usize::try_from(width.unsigned_abs()).ok()?;
        if format.get(*at) == Some(&b'.') {
            *at += 1;
            spec.precision = usize::try_from(self.amount(state, format, at, spec, args)?).ok();
        }
        while let Some(&letter) = format.get(*at) {
            if !b"hljztLq".contains(&letter) {
                break;
            }
            spec.length.push(letter as char);
            *at += 1;
        }
        let conversion = *format.get(*at)?;
        *at += 1;
        Some(conversion)
    }

    /// A width or a precision.
    fn amount(
        &mut self,
        state: &mut State,
        format: &[u8],
        at: &mut usize,
        spec: &mut Spec,
        args: &mut VarArgs,
    ) -> Option<i64> {
        if format.get(*at) != Some(&b'*') {
            return number(format, at);
        }
        *at += 1;
        let value = self.next_value(state, args, 4)?;
        spec.is_symbolic |= !value.is_concrete();
        let amount = signed(value.as_concrete().unwrap_or(0), 32);
        (amount.unsigned_abs() <= MAX_WIDTH).then_some(amount)
    }

    /// The next argument, of `size` bytes.
    fn next_value(&mut self, state: &mut State, args: &mut VarArgs, size: u64) -> Option<Value> {
        if size == 16 {
            args.next = args.next.next_multiple_of(16);
        }
        let address = args.next;
        args.next += size.next_multiple_of(args.slot);
        let object = state.memory.object(address)?;
        let (base, offset) = (object.base, address - object.base);
        if offset + size > object.size {
            return None;
        }
        let width = 8 * size.min(10) as u32;
        Some(self.read_place(state, Place::new(base, Value::concrete(offset)), width))
    }

    fn convert(&mut self, state: &mut State, conversion: u8, spec: &Spec, args: &mut VarArgs) -> Converted {
        let long = self.pointer_width() as u64 / 8;
        let size = match spec.length.as_str() {
            "l" | "z" | "t" => long,
            "ll" | "j" | "q" | "L" => 8,
            _ => 4,
        };
        match conversion {
            b'%' => Converted::Text("%".into()),
            b'c' | b's' | b'p' if !spec.length.is_empty() => Converted::Unknown,
            b'p' if spec.plus || spec.space || spec.zero || spec.precision.is_some() => Converted::Unknown,
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' if !matches!(spec.length.as_str(), "" | "l") => Converted::Unknown,
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                let Some(value) = self.next_value(state, args, size) else { return Converted::TOO_FEW };
                let width = match spec.length.as_str() {
                    "hh" => 8,
                    "h" => 16,
                    _ => 8 * size as u32,
                };
                converted(conversion, spec, value, width)
            }
            b'c' => match self.next_value(state, args, 4) {
                Some(value) => converted(conversion, spec, value, 8),
                None => Converted::TOO_FEW,
            },
            b'p' => match self.next_value(state, args, long).map(Value::as_concrete) {
                Some(Some(0)) => Converted::Text("(nil)".into()),
                Some(Some(bits)) if matches!(state.memory.find(bits), Found::Nothing) => {
                    Converted::Text(format!("{bits:#x}").into())
                }
                Some(Some(bits)) => Converted::Address(format!("{bits:#x}").into()),
                Some(None) => Converted::Address(SYMBOLIC.into()),
                None => Converted::TOO_FEW,
            },
            b's' => {
                let Some(value) = self.next_value(state, args, long) else { return Converted::TOO_FEW };
                let Some(address) = value.as_concrete() else {
                    return Converted::Unchecked(UncheckedOutput::String, None);
                };
                if address == 0 {
                    let fits = spec.precision.is_none_or(|precision| precision >= "(null)".len());
                    return Converted::Text(if fits { "(null)" } else { "" }.into());
                }
                match self.read_string(state, address, spec.precision.unwrap_or(MAX_STRING)) {
                    StringRead::Complete(bytes) => Converted::Text(Text(bytes)),
                    StringRead::Symbolic => {
                        let later = self.records().then(|| self.string_later(state, address, spec)).flatten();
                        Converted::Unchecked(UncheckedOutput::String, later)
                    }
                    StringRead::Fault(address) => Converted::Fault(address),
                }
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' => {
                let Some(value) = self.next_value(state, args, 8) else { return Converted::TOO_FEW };
                converted(conversion, spec, value, 64)
            }
            _ => Converted::Unknown,
        }
    }

    /// A string that depends on the input, as far as its object goes.
    fn string_later(&mut self, state: &mut State, address: u64, spec: &Spec) -> Option<Conversion> {
        let object = state.memory.object(address)?;
        let (base, offset) = (object.base, address - object.base);
        let most = spec.precision.unwrap_or(MAX_STRING).min(KEPT_STRING);
        let length = object.size.saturating_sub(offset).min(most as u64) as usize;
        let bytes = self.read_block(state, Place::new(base, Value::concrete(offset)), length);
        Some(Conversion::String { bytes: bytes.into(), precision: spec.precision, spec: spec.clone() })
    }
}

/// A number, now if it is known and with the input if not.
fn converted(letter: u8, spec: &Spec, value: Value, width: u32) -> Converted {
    match value.as_term() {
        Some(value) => Converted::Symbolic(Conversion::Value { letter, spec: spec.clone(), value, width }),
        None => Converted::Text(text_of(letter, spec, value.bits(), width)),
    }
}

fn text_of(letter: u8, spec: &Spec, bits: u64, width: u32) -> Text {
    match letter {
        b'c' => vec![bits as u8].into(),
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
            integer(letter, spec, bits & crate::interpreter::value::mask(width), width)
        }
        _ => real(letter, spec, f64::from_bits(bits)),
    }
}

enum Converted {
    Text(Text),
    /// It depends on the input.
    Symbolic(Conversion),
    /// Shown so; natively it is another one.
    Address(Text),
    /// Not followed, for this reason: the path is approximate from here on. What is printed may be
    /// known with the input.
    Unchecked(UncheckedOutput, Option<Conversion>),
    Fault(u64),
    /// Left to the library.
    Unknown,
}

impl Converted {
    const TOO_FEW: Converted = Converted::Unchecked(UncheckedOutput::TooFewArguments, None);
}

/// Bytes that are to be padded.
struct Text(Vec<u8>);

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        Text(text.as_bytes().to_vec())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text(text.into_bytes())
    }
}

impl From<Vec<u8>> for Text {
    fn from(bytes: Vec<u8>) -> Text {
        Text(bytes)
    }
}

fn number(format: &[u8], at: &mut usize) -> Option<i64> {
    let mut value = 0_u64;
    while let Some(digit) = format.get(*at).filter(|byte| byte.is_ascii_digit()) {
        value = value * 10 + u64::from(digit - b'0');
        if value > MAX_WIDTH {
            return None;
        }
        *at += 1;
    }
    i64::try_from(value).ok()
}

fn padded(spec: &Spec, conversion: u8, text: Text) -> Text {
    let mut out = Vec::new();
    pad(&mut out, spec, conversion, &text);
    Text(out)
}

fn pad(out: &mut Vec<u8>, spec: &Spec, conversion: u8, text: &Text) {
    let missing = spec.width.saturating_sub(text.0.len());
    let integer = b"diuxXo".contains(&conversion);
    // Infinities and what is no number have no digits.
    let numeric = integer || b"fFeEgG".contains(&conversion) && text.0.iter().any(u8::is_ascii_digit);
    if conversion == b'%' {
        out.push(b'%');
    } else if spec.left {
        out.extend_from_slice(&text.0);
        out.resize(out.len() + missing, b' ');
    } else if spec.zero && numeric && !(integer && spec.precision.is_some()) {
        let sign = text.0.iter().take_while(|byte| b"+- ".contains(byte)).count();
        let prefix =
            if text.0[sign..].starts_with(b"0x") || text.0[sign..].starts_with(b"0X") { sign + 2 } else { sign };
        out.extend_from_slice(&text.0[..prefix]);
        out.resize(out.len() + missing, b'0');
        out.extend_from_slice(&text.0[prefix..]);
    } else {
        out.resize(out.len() + missing, b' ');
        out.extend_from_slice(&text.0);
    }
}

fn sign_of(negative: bool, spec: &Spec) -> &'static str {
    match (negative, spec.plus, spec.space) {
        (true, ..) => "-",
        (_, true, _) => "+",
        (_, _, true) => " ",
        _ => "",
    }
}

fn integer(conversion: u8, spec: &Spec, bits: u64, width: u32) -> Text {
    let is_signed = matches!(conversion, b'd' | b'i');
    let number = signed(bits, width);
    let mut digits = match conversion {
        b'd' | b'i' => number.unsigned_abs().to_string(),
        b'x' => format!("{bits:x}"),
        b'X' => format!("{bits:X}"),
        b'o' => format!("{bits:o}"),
        _ => bits.to_string(),
    };
    if spec.precision == Some(0) && bits == 0 {
        digits.clear();
    }
    let precision = spec.precision.unwrap_or(0);
    if digits.len() < precision {
        digits.insert_str(0, &"0".repeat(precision - digits.len()));
    }
    let prefix = match conversion {
        b'x' if spec.alternate && bits != 0 => "0x",
        b'X' if spec.alternate && bits != 0 => "0X",
        b'o' if spec.alternate && !digits.starts_with('0') => "0",
        _ => "",
    };
    let sign = if is_signed { sign_of(number < 0, spec) } else { "" };
    format!("{sign}{prefix}{digits}").into()
}

fn real(conversion: u8, spec: &Spec, value: f64) -> Text {
    let upper = conversion.is_ascii_uppercase();
    let sign = sign_of(value.is_sign_negative(), spec);
    let magnitude = value.abs();
    let body = if value.is_nan() {
        "nan".to_string()
    } else if value.is_infinite() {
        "inf".to_string()
    } else {
        let precision = spec.precision.unwrap_or(6);
        match conversion.to_ascii_lowercase() {
            b'f' => fixed(magnitude, precision, spec.alternate),
            b'e' => scientific(magnitude, precision, spec.alternate),
            _ => general(magnitude, precision.max(1), spec.alternate),
        }
    };
    let text = format!("{sign}{body}");
    if upper { text.to_ascii_uppercase().into() } else { text.into() }
}

fn fixed(magnitude: f64, precision: usize, point: bool) -> String {
    let text = format!("{magnitude:.precision$}");
    if point && precision == 0 { text + "." } else { text }
}

/// Rust prints `1.5e3`; C prints `1.5e+03`.
fn scientific(magnitude: f64, precision: usize, point: bool) -> String {
    let text = format!("{magnitude:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let point = if point && precision == 0 { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}{point}e{sign}{:02}", exponent.abs())
}

fn general(magnitude: f64, precision: usize, keep_zeros: bool) -> String {
    let rounded = format!("{magnitude:.*e}", precision - 1);
    let exponent: i32 = rounded.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let text = if exponent < -4 || exponent >= precision as i32 {
        scientific(magnitude, precision - 1, keep_zeros)
    } else {
        fixed(magnitude, (precision as i32 - 1 - exponent).max(0) as usize, keep_zeros)
    };
    if keep_zeros {
        return text;
    }
    let (mantissa, exponent) = match text.find('e') {
        Some(at) => text.split_at(at),
        None => (text.as_str(), ""),
    };
    let trimmed = if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa };
    format!("{trimmed}{exponent}")
}
