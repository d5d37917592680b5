//! Writes random programs without undefined behaviour (other than what a claim is about) whose few
//! inputs can be enumerated. What they do is in `scenes`; here are inputs, claims, variables,
//! expressions and plain statements.

use super::scenes;
use super::support::batch::{Claim, Program};
use std::fmt::Write;

/// A linear congruential generator: the same seed gives the same program for ever.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

const MOST_CLAIMS: usize = 14;

pub struct Writer {
    random: Random,
    /// Comes before all names of this program's.
    prefix: String,
    top: String,
    body: String,
    indent: usize,
    /// So many combinations of inputs may still be made.
    room: usize,
    claims: Vec<Claim>,
    /// Integer variables that can be read and written.
    variables: Vec<String>,
    loops: usize,
    statements: usize,
    /// Scenes so far.
    scene: usize,
}

/// The program of a seed.
pub fn program(seed: u64, name: &str) -> Program {
    let mut writer = Writer {
        random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x51_7cc1_b727_220a),
        prefix: format!("{name}_"),
        top: String::new(),
        body: String::new(),
        indent: 1,
        room: 1024,
        claims: Vec::new(),
        variables: Vec::new(),
        loops: 0,
        statements: 24,
        scene: 0,
    };
    writer.whole();
    let Writer { top, body, claims, .. } = writer;
    Program { name: name.to_owned(), text: format!("{top}\nvoid {name}(void) {{\n{body}}}\n"), claims }
}

impl Writer {
    pub fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    pub fn is(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }

    /// A line of the function. `@` stands for the prefix of the program's names.
    fn line(&mut self, text: &str) {
        let text = text.replace('@', &self.prefix);
        let _ = writeln!(self.body, "{:1$}{text}", "", 2 * self.indent);
    }

    /// Lines of the function, in which `$0`, `$1` … stand for these texts and `~` for the number of
    /// the scene.
    pub fn code(&mut self, template: &str, texts: &[&str]) {
        for line in self.filled(template, texts).lines() {
            self.line(line.trim());
        }
    }

    /// As `code`, before the function.
    pub fn declare(&mut self, template: &str, texts: &[&str]) {
        let text = self.filled(template, texts).replace('@', &self.prefix);
        self.top.extend(text.lines().map(|line| format!("{}\n", line.trim())));
    }

    fn filled(&self, template: &str, texts: &[&str]) -> String {
        let texts = texts.iter().enumerate();
        let text =
            texts.fold(template.trim().to_owned(), |text, (index, with)| text.replace(&format!("${index}"), with));
        text.replace('~', &self.scene.to_string())
    }

    fn open(&mut self, head: &str) {
        self.line(&format!("{head}{{"));
        self.indent += 1;
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    /// An input of at most `most` values, which is asked for `times` times; a constant if there is
    /// no room for it.
    pub fn inputs(&mut self, most: usize, times: u32) -> String {
        let fits = |values: usize, room: usize| values.checked_pow(times).is_some_and(|all| all <= room);
        let Some(values) = (2..=most).rev().find(|&values| fits(values, self.room)) else {
            return self.below(most).to_string();
        };
        self.room /= values.pow(times);
        let low = [0, 0, 0, 1, -1, -2][self.below(6)];
        format!("IN({low}, {})", low + values as i32)
    }

    pub fn input(&mut self, most: usize) -> String {
        self.inputs(most, 1)
    }

    /// A character among `most` from `first` on.
    pub fn char_input(&mut self, first: char, most: usize) -> String {
        match most.min(self.room) {
            0 | 1 => format!("'{first}'"),
            values => {
                self.room /= values;
                format!("CHAR_IN('{first}', '{first}' + {values})")
            }
        }
    }

    /// Any byte, if there is room for it.
    pub fn byte_input(&mut self) -> String {
        if self.room < 256 {
            return self.input(4);
        }
        self.room /= 256;
        "BYTE_IN()".to_owned()
    }

    pub fn claim(&mut self, claim: Claim) -> usize {
        self.claims.push(claim);
        self.claims.len() - 1
    }

    pub fn may_claim(&self) -> bool {
        self.claims.len() < MOST_CLAIMS
    }

    /// A claim that something is possible.
    pub fn claim_that(&mut self, condition: &str) {
        if !self.may_claim() {
            return;
        }
        let condition = self.filled(condition, &[]);
        match self.below(10) {
            0..=5 => {
                let claim = self.claim(Claim::Place);
                self.line(&format!("if ({condition}) HIT({claim});"));
            }
            6..=7 => {
                let claim = self.claim(Claim::Reach);
                self.line(&format!("if ({condition}) ERR({claim});"));
            }
            _ => {
                let claim = self.claim(Claim::Assertion);
                self.line(&format!("ASSERT({claim}, !({condition}));"));
            }
        }
    }

    /// A claim that a number can have some small value.
    pub fn claim_about(&mut self, number: &str) {
        let value = self.below(12) as i32 - 2;
        let operator = self.pick(&["==", "==", "==", ">", "<"]);
        self.claim_that(&format!("{number} {operator} {value}"));
    }

    pub fn variable(&mut self) -> String {
        let index = self.below(self.variables.len());
        self.variables[index].clone()
    }

    /// An integer expression without effects.
    pub fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.is(30) {
            return if self.is(25) { self.below(9).to_string() } else { self.variable() };
        }
        let (x, y) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.below(12) {
            0 | 1 => format!("({x} + {y})"),
            2 => format!("({x} - {y})"),
            3 => format!("({x} * {})", 2 + self.below(4)),
            4 => format!("({x} & {y})"),
            5 => format!("({x} ^ {y})"),
            6 => format!("({x} % {})", 2 + self.below(5)),
            7 => format!("({x} / {})", 2 + self.below(5)),
            8 => format!("({x} >> {})", self.below(4)),
            9 => format!("(unsigned char)({x} | {y})"),
            10 => format!("(int)((unsigned){x} << {})", self.below(5)),
            _ => {
                let condition = self.condition();
                format!("({condition} ? {x} : {y})")
            }
        }
    }

    pub fn condition(&mut self) -> String {
        let operator = self.pick(&["<", ">", "==", "!=", "<=", ">="]);
        let x = self.expression(1);
        let y = if self.is(60) { self.below(8).to_string() } else { self.variable() };
        match self.below(8) {
            0 => format!("({x} {operator} {y} && {} > 1)", self.variable()),
            1 => format!("({x} {operator} {y} || {} == 3)", self.variable()),
            2 => format!("!({x} {operator} {y})"),
            3 => format!("(unsigned){x} {operator} (unsigned){y}"),
            _ => format!("{x} {operator} {y}"),
        }
    }

    fn assign(&mut self, value: &str) {
        let variable = self.variable();
        self.line(&format!("{variable} = {value};"));
    }

    /// What came of a scene: from now on a variable like the others.
    pub fn result(&mut self, value: &str) {
        let name = format!("r{}", self.scene);
        self.code("int $0 = $1;", &[&name, value]);
        if self.is(70) {
            self.claim_about(&name);
        }
        self.variables.push(name);
    }

    fn whole(&mut self) {
        let globals =
            "static int @g, @h = 3;\nstatic struct { int x, y; } @s;\nstatic int @table[5] = {1, 2, 3, 5, 8};";
        self.declare(globals, &[]);
        for (name, most) in [("a", 6), ("b", 4), ("c", 3)] {
            let value = if self.is(70) { self.input(most) } else { self.below(4).to_string() };
            self.line(&format!("int {name} = {value};"));
            self.variables.push(name.to_owned());
        }
        let globals = ["@g", "@h", "@s.x", "@s.y"].map(|name| name.replace('@', &self.prefix));
        self.variables.extend(globals);
        let scenes = 2 + self.below(3);
        for _ in 0..scenes {
            self.block(3);
            self.scene += 1;
            scenes::write(self);
        }
        self.block(3);
        while self.claims.len() < 3 {
            let condition = self.condition();
            self.claim_that(&condition);
        }
    }

    /// Some statements.
    fn block(&mut self, most: usize) {
        for _ in 0..1 + self.below(most) {
            if self.statements == 0 {
                return;
            }
            self.statements -= 1;
            self.statement();
        }
    }

    fn statement(&mut self) {
        match self.below(17) {
            0..=3 => {
                let value = self.expression(2);
                self.assign(&value);
            }
            4..=6 => {
                let condition = self.condition();
                self.open(&format!("if ({condition}) "));
                self.block(2);
                if self.is(50) {
                    self.indent -= 1;
                    self.line("} else {");
                    self.indent += 1;
                    self.block(2);
                }
                self.close();
            }
            7 | 8 if self.loops < 2 => self.counted_loop(),
            9 if self.loops == 0 && self.indent == 1 => {
                let value = self.input(5);
                self.assign(&value);
            }
            10 => {
                let (index, value) = (self.expression(1), self.expression(1));
                self.line(&format!("@table[(unsigned)({index}) % 5] = {value};"));
            }
            11 => {
                let index = self.expression(1);
                self.assign(&format!("@table[(unsigned)({index}) % 5]"));
            }
            12 => {
                let value = self.expression(1);
                self.open(&format!("switch ({value} & 3) "));
                for case in 0..1 + self.below(3) {
                    self.line(&format!("case {case}:"));
                    self.block(1);
                    if self.is(70) {
                        self.line("break;");
                    }
                }
                self.line("default:;");
                self.close();
            }
            13 if self.may_claim() && self.is(50) => {
                let claim = self.claim(Claim::Memory);
                let (variable, index) = (self.variable(), self.expression(1));
                self.line(&format!("{variable} = AT({claim}, @table, 5, {index} & 7);"));
            }
            13 if self.may_claim() => {
                let claim = self.claim(Claim::Division);
                // A divisor that is zero at compile time is no instruction that divides: compilers
                // fold it away.
                let (variable, value, divisor) = (self.variable(), self.expression(1), self.expression(1));
                let other = self.variable();
                self.line(&format!("{variable} = ({value} & 255) / DIVISOR({claim}, ({divisor} + {other}) & 7);"));
            }
            _ => {
                let condition = self.condition();
                self.claim_that(&condition);
            }
        }
    }

    fn counted_loop(&mut self) {
        let name = ["i", "j"][self.loops];
        let bound = if self.is(40) { format!("({} & 3)", self.variable()) } else { (1 + self.below(4)).to_string() };
        self.loops += 1;
        self.open(&format!("for (int {name} = 0; {name} < {bound}; {name}++) "));
        if self.is(30) {
            let condition = self.condition();
            let way = self.pick(&["break", "continue"]);
            self.line(&format!("if ({condition}) {way};"));
        }
        self.block(3);
        self.close();
        self.loops -= 1;
    }
}
