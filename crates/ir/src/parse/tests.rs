//! The text form is read as it was written, and what is no program is refused with its place.

use super::*;
use espalier_base::Rng;
use espalier_base::bits::signed;

/// Everything that the text form has.
const WHOLE: &str = include_str!("whole.eir");

/// A function with one block of these lines.
fn function(lines: &str) -> String {
    format!("global @g size 8 align 8\nfn @f(%0: i32, %1: i64) -> i32\nbb0:\n{lines}\n")
}

#[test]
fn the_whole_language_is_printed_as_it_was_written() {
    let program = parse(WHOLE).unwrap();
    assert_eq!(program.to_string(), WHOLE);
    assert_eq!(parse(&program.to_string()).unwrap(), program);
}

/// All kinds of instructions that there are.
#[test]
fn every_instruction_is_in_the_whole_language() {
    let program = parse(WHOLE).unwrap();
    let mut kinds: Vec<String> = Vec::new();
    for inst in program.functions.iter().flat_map(|function| &function.code) {
        let debug = format!("{inst:?}");
        kinds.push(debug.split(' ').next().unwrap_or_default().to_owned());
    }
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds.len(), 40, "{kinds:?}");
}

#[test]
fn what_may_be_left_out() {
    let program = parse("fn @main() -> i32\nbb0: return 0 // no target, no locations, no files\n").unwrap();
    assert_eq!(program.target, Target { triple: "x86_64-pc-linux-gnu".to_owned(), pointer_width: 64 });
    assert_eq!((program.files.len(), program.functions[0].locs[0]), (0, Loc::UNKNOWN));
    assert_eq!(program.function_named("main"), Some(FuncId(0)));
    assert!(parse("").unwrap().functions.is_empty());
}

#[test]
fn a_text_of_ones_own_has_locations() {
    let text =
        "// A comment.\nglobal @g size 4 align 4\nfn @main() -> i32\nbb0:\n  %0 = load i32 [@g]\n  return %0  !9\n";
    let program = parse_source(text, "own.eir").unwrap();
    let (file, function) = (FileId(0), &program.functions[0]);
    assert_eq!(program.globals[0].loc, Loc { file, line: 2, column: 1 });
    assert_eq!(function.loc, Loc { file, line: 3, column: 1 });
    assert_eq!(function.locs, [Loc { file, line: 5, column: 3 }, Loc { file, line: 9, column: 0 }]);
    assert_eq!(parse(&program.to_string()).unwrap(), program, "they are printed too");
}

#[test]
fn numbers_are_taken_in_both_readings() {
    for (text, expected) in [("-1", Some(255)), ("255", Some(255)), ("0xff", Some(255)), ("-128", Some(128))] {
        assert_eq!(small_constant(text), expected, "{text}");
    }
    for text in ["256", "-129", "0x100", "99999999999999999999999999999999999999999999"] {
        assert_eq!(small_constant(text), None, "{text}");
    }
}

/// The constant of 8 bits that a text is.
fn small_constant(text: &str) -> Option<u64> {
    let program = parse(&format!("fn @f() -> i8\nbb0:\n  return {text}\n")).ok()?;
    match program.functions[0].constants[..] {
        [crate::Constant::Int { value, width: 8 }] => Some(value),
        _ => None,
    }
}

#[test]
fn errors_say_where_and_what() {
    let cases = [
        ("  %2 = add i32 %0 1\n  return %2", "line 4, column 19: expected `,`, found `1`"),
        ("  %2 = ad i32 %0, 1", "line 4, column 8: expected an instruction with a result, found `ad`"),
        ("  frob", "line 4, column 3: expected an instruction or a block such as `bb0:`, found `frob`"),
        ("  %2 = add i32 %0,\n  return %2", "line 5, column 3: expected a register or a constant, found `return`"),
        ("  %2 = add i8 %0, 300", "line 4, column 19: expected a number of 8 bits, found `300`"),
        ("  %2 = add i0 %0, 300", "line 4, column 12: expected a type of 1 to 8388607 bits, found `i0`"),
        ("  %2 = load i32 [@h]", "line 4, column 18: expected the name of a function or global, found `@h`"),
        ("  %2 = call i32 @g()", "line 4, column 17: expected a function, and this is a global"),
        ("  return %0 %1", "line 4, column 13: expected the end of the line, found `%1`"),
        ("  return 0\nbb2:", "line 5, column 1: blocks are numbered in order: expected `bb1:`"),
        ("  %2 = add i32 %0, 1\n  %2 = add i8 1, 1", "line 5, column 18: %2 has 32 bits elsewhere, and 8 here"),
        (
            "  %3 = add i32 %0, 1\n  return %3",
            "line 2, column 1: nothing writes register %2, and `registers` does not say how wide it is",
        ),
        (
            "  %9999 = add i32 %0, 1",
            "line 4, column 3: expected the number of a register that is not so large, found `%9999`",
        ),
        ("  %2, %3 = add i32 %0, 1", "line 4, column 12: only calls have several results"),
        ("  return \"a", "line 4, column 12: expected `\"` before the end of the line"),
        ("  return ;", "line 4, column 10: unexpected `;`"),
        ("  jump", "line 5, column 1: expected a block such as `bb0`, found the end of the text"),
        (
            "  %2 = add i64 %0, 1\n  return %0",
            "line 4: malformed program: function `f`, instruction 0 (`%2 = add i64 %0, 1`): operand %0 has 32 bits where 64 are needed",
        ),
        ("  return %1\nfn @f()", "line 5, column 4: this name is defined twice"),
    ];
    for (lines, expected) in cases {
        assert_eq!(parse(&function(lines)).unwrap_err().to_string(), expected, "{lines}");
    }
}

#[test]
fn constants_may_be_deep_but_not_endless() {
    let nested = |depth: usize| {
        let (open, close) = ("(add i64 ".repeat(depth), ", 1)".repeat(depth));
        parse(&format!("global @g size 8 align 8 = 0: i64 {open}@g{close}\n"))
    };
    assert_eq!(nested(150).map(|program| program.globals.len()), Ok(1));
    assert!(nested(100_000).unwrap_err().to_string().contains("a constant that is less deep"));
}

/// Whatever is done to a text, reading it ends, with a program that is printed and read again as it
/// is, or with an error that has a place.
#[test]
fn damaged_texts_are_refused_or_read() {
    let mut rng = Rng::new(18);
    let (mut read, lines) = (0, WHOLE.lines().count() as u32);
    for round in 0..10_000 {
        let text = damaged(&mut rng, WHOLE);
        match parse(&text) {
            Ok(program) => {
                read += 1;
                assert_eq!(parse(&program.to_string()).as_ref(), Ok(&program), "round {round}: {text}");
            }
            Err(ParseError::Text { line, column, what }) => {
                assert!((1..=2 * lines).contains(&line) && column > 0 && !what.is_empty(), "round {round}");
            }
            Err(ParseError::Malformed { .. }) => {}
        }
    }
    assert!((500..9_500).contains(&read), "{read} of 10000 are programs: the damage is too large or too small");
}

/// The text with one to three parts deleted, doubled, exchanged or overwritten.
fn damaged(rng: &mut Rng, text: &str) -> String {
    const WORDS: [&str; 16] = [
        "%4294967295",
        "%0",
        "18446744073709551615",
        "-",
        "0x",
        "\"",
        "@",
        "bb7",
        "i8388607",
        "f64",
        "(",
        "[",
        "...",
        "é",
        "\\x",
        "undef",
    ];
    let mut text = text.to_owned();
    for _ in 0..rng.below(3) + 1 {
        let cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        if cuts.is_empty() {
            break;
        }
        let at = rng.below(cuts.len());
        let start = cuts[at];
        let end = cuts.get(at + rng.below(12)).copied().unwrap_or(text.len());
        let part = text[start..end].to_owned();
        match rng.below(4) {
            0 => text.replace_range(start..end, ""),
            1 => text.insert_str(start, &part),
            2 => text.replace_range(start..end, WORDS[rng.below(WORDS.len())]),
            _ => {
                let mut lines: Vec<&str> = text.lines().collect();
                let (a, b) = (rng.below(lines.len()), rng.below(lines.len()));
                lines.swap(a, b);
                text = lines.join("\n");
            }
        }
    }
    text
}

/// Random programs are printed as they were written.
#[test]
fn random_programs_are_read_and_printed() {
    let mut rng = Rng::new(5);
    for round in 0..500 {
        let text = RandomText::new(&mut rng).program();
        match parse(&text) {
            Ok(program) => assert_eq!(program.to_string(), text, "round {round}"),
            Err(error) => panic!("round {round}: {error} in:\n{text}"),
        }
    }
}

/// Writes a function of random code that the verifier accepts, in the way in which programs are
/// printed.
struct RandomText<'r> {
    rng: &'r mut Rng,
    /// The widths of the registers so far.
    widths: Vec<u32>,
    /// For each block, the registers that edges to it write.
    joined: Vec<Vec<usize>>,
    result: u32,
    allocas: usize,
}

const WIDTHS: [u32; 8] = [1, 8, 16, 32, 64, 65, 80, 128];

impl<'r> RandomText<'r> {
    fn new(rng: &'r mut Rng) -> RandomText<'r> {
        let result = WIDTHS[rng.below(WIDTHS.len())];
        RandomText { rng, widths: Vec::new(), joined: Vec::new(), result, allocas: 0 }
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.rng.below(from.len())]
    }

    fn width(&mut self) -> u32 {
        self.pick(&WIDTHS)
    }

    fn fresh(&mut self, width: u32) -> usize {
        self.widths.push(width);
        self.widths.len() - 1
    }

    fn program(mut self) -> String {
        let params: Vec<String> = (0..self.rng.below(4))
            .map(|i| {
                let width = self.width();
                self.fresh(width);
                format!("%{i}: i{width}")
            })
            .collect();
        let blocks = self.rng.below(5) + 1;
        for block in 0..blocks {
            let count = if block == 0 { 0 } else { self.rng.below(3) };
            let joined: Vec<usize> = (0..count)
                .map(|_| {
                    let width = self.width();
                    self.fresh(width)
                })
                .collect();
            self.joined.push(joined);
        }
        let mut code = String::new();
        for block in 0..blocks {
            code += &format!("bb{block}:\n");
            for _ in 0..self.rng.below(12) {
                code += &format!("  {}\n", self.inst());
            }
            code += &format!("  {}\n", self.terminator());
        }
        // What no edge wrote has to be said, and may not be read.
        let is_written = |reg: &usize| code.contains(&format!("%{reg} = "));
        let unwritten: Vec<usize> = (params.len()..self.widths.len()).filter(|reg| !is_written(reg)).collect();
        let listed: Vec<String> = unwritten.iter().map(|&reg| format!("%{reg}: i{}", self.widths[reg])).collect();
        let registers = if listed.is_empty() { String::new() } else { format!("  registers {}\n", listed.join(", ")) };
        let params = params.join(", ");
        format!(
            "target \"x86_64-pc-linux-gnu\" 64\n\nglobal @g size 8 align 8\n\nfn @f({params}) -> i{}\n{registers}{code}",
            self.result
        )
    }

    /// A register that an instruction wrote, or a constant.
    fn operand(&mut self, width: u32) -> String {
        let first = self.joined.iter().flatten().max().map_or(0, |last| last + 1);
        let known: Vec<usize> = (first..self.widths.len()).filter(|&reg| self.widths[reg] == width).collect();
        if !known.is_empty() && self.rng.below(3) > 0 {
            return format!("%{}", self.pick(&known));
        }
        let bits = self.rng.next_u64();
        match (self.rng.below(8), width) {
            (0, _) => "undef".to_owned(),
            (1, 64) => "@g".to_owned(),
            (2, 64) => "@f".to_owned(),
            (3, 32) => "(trunc i64 (sub i64 @g, -3) to i32)".to_owned(),
            (_, 1) => (bits & 1).to_string(),
            (_, width) if width > 64 => format!("{bits:#x}"),
            (_, width) => signed(bits, width).to_string(),
        }
    }

    fn inst(&mut self) -> String {
        let width = self.width();
        let [a, b] = [self.operand(width), self.operand(width)];
        let pointer = self.operand(64);
        let op = self.pick(&["add", "sub", "mul", "sdiv", "urem", "shl", "xor", "umin", "sshlsat"]);
        let test = self.pick(&["eq", "ult", "sge"]);
        match self.rng.below(13) {
            0..3 => format!("%{} = {op} i{width} {a}, {b}", self.fresh(width)),
            3 => format!("%{} = {test} i{width} {a}, {b}", self.fresh(1)),
            4 => format!("%{} = smulo i{width} {a}, {b}", self.fresh(1)),
            5 => {
                let cond = self.operand(1);
                format!("%{} = select i{width} {cond} ? {a} : {b}", self.fresh(width))
            }
            6 => format!("%{} = sext i{width} {a} to i{}", self.fresh(width + 7), width + 7),
            7 => format!("%{} = load i{width} [{pointer}]", self.fresh(width)),
            8 => format!("store i{width} {a} to [{pointer}]"),
            9 => {
                let index = self.operand(64);
                let scale = self.rng.below(9) + 1;
                let offset = self.pick(&["", " + 1", " - 2147483648", " + 2147483647"]);
                format!("%{} = ptradd {pointer} + {index} * {scale}{offset}", self.fresh(64))
            }
            10 => {
                self.allocas += 1;
                format!("%{} = alloca {} * 1 align 8 scoped \"v\"", self.fresh(64), self.rng.below(99))
            }
            11 if self.allocas > 0 => format!("dead alloca{}", self.rng.below(self.allocas)),
            11 => "trap".to_owned(),
            _ => format!("%{} = fma f64 {pointer} * {pointer} + 0", self.fresh(64)),
        }
    }

    fn edge(&mut self) -> String {
        let target = self.rng.below(self.joined.len());
        let copies: Vec<String> = self.joined[target]
            .clone()
            .into_iter()
            .map(|reg| {
                let width = self.widths[reg];
                format!("%{reg} = i{width} {}", self.operand(width))
            })
            .collect();
        if copies.is_empty() { format!("bb{target}") } else { format!("bb{target} [{}]", copies.join(", ")) }
    }

    fn terminator(&mut self) -> String {
        match self.rng.below(5) {
            0 => format!("jump {}", self.edge()),
            1 => {
                let cond = self.operand(1);
                format!("branch {cond} ? {} : {}", self.edge(), self.edge())
            }
            2 => {
                let value = self.operand(8);
                let cases = ["0", "5", "127", "-128", "-1"].map(|case| format!("{case} => {}", self.edge()));
                format!("switch i8 {value} {{ {} }} else {}", cases[..self.rng.below(5) + 1].join(", "), self.edge())
            }
            3 => "unsupported \"nothing\"".to_owned(),
            _ => format!("return {}", self.operand(self.result)),
        }
    }
}
