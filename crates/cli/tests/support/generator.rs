//! Small random programs with symbolic inputs: loops, arrays, structures, pointers, calls,
//! recursion, `switch`, the heap, and assertions that hold on some paths only. Small enough to be
//! explored whole, and mean enough that a wrong prune shows as a missing error.

use std::fmt::Write;

/// A linear congruential generator: the same seed gives the same program for ever.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }

    pub fn pick<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len())]
    }
}

pub struct Generator {
    random: Random,
    text: String,
    indent: usize,
    /// Inputs that the text may still make, and statements that it may still have.
    inputs: usize,
    statements: usize,
    /// Loops around the current statement.
    loops: usize,
    /// Is the current function one that others may call?
    callable: usize,
}

const VARS: [&str; 7] = ["a", "b", "c", "g1", "g2", "s.x", "s.y"];

/// A whole program.
pub fn program(seed: u64) -> String {
    let mut generator = Generator {
        random: Random::new(seed),
        text: String::new(),
        indent: 0,
        inputs: 5,
        statements: 40,
        loops: 0,
        callable: 0,
    };
    generator.whole();
    generator.text
}

impl Generator {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", 2 * self.indent);
    }

    fn whole(&mut self) {
        for line in [
            "#include <klee/klee.h>",
            "#include <assert.h>",
            "#include <stdlib.h>",
            "#include <string.h>",
            "struct pair { int x, y; };",
            "static int g1, g2 = 3;",
            "static struct pair s;",
            "static int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};",
            "static unsigned char bytes[6];",
            "static int *gp = &g1;",
            "static int twice(int v) { return v * 2; }",
            "static int next(int v) { return v + 1; }",
            "static int (*const ops[2])(int) = {twice, next};",
            "static int down(int n) { return n <= 0 ? g2 & 1 : 1 + down(n - 1); }",
        ] {
            self.line(line);
        }
        for callable in 0..2 {
            self.callable = callable;
            let (inputs, statements) = (self.inputs, self.statements);
            (self.inputs, self.statements) = (1, 6);
            self.line(&format!("static int f{callable}(int a, int b) {{"));
            self.indent += 1;
            self.line("int c = a;");
            self.line("int local[4] = {a, b, 0, 1};");
            self.block(3);
            self.line("return c + local[a & 3];");
            self.indent -= 1;
            self.line("}");
            (self.inputs, self.statements) = (inputs - usize::from(self.inputs == 0), statements);
        }
        self.callable = 2;
        self.line("int main(void) {");
        self.indent += 1;
        self.line("int a = klee_range(0, 5, \"a\"), b = 0, c = 1;");
        self.line("int local[4] = {0, 1, 2, 3};");
        self.line("int *p = &b, *h = malloc(3 * sizeof *h);");
        self.line("h[0] = h[1] = h[2] = 7;");
        self.block(9);
        if self.random.below(2) == 0 {
            self.line("b = *p;");
        }
        self.line("free(h);");
        let last = self.condition();
        self.line(&format!("assert({last});"));
        self.line("return 0;");
        self.indent -= 1;
        self.line("}");
    }

    fn block(&mut self, length: usize) {
        for _ in 0..1 + self.random.below(length) {
            if self.statements == 0 {
                return;
            }
            self.statements -= 1;
            self.statement();
        }
    }

    fn braces(&mut self, head: &str, length: usize) {
        self.line(&format!("{head} {{"));
        self.indent += 1;
        self.block(length);
        self.indent -= 1;
    }

    fn statement(&mut self) {
        let in_main = self.callable == 2;
        match self.random.below(25) {
            0..=3 => {
                let (variable, value) = (self.variable(), self.expression(2));
                self.line(&format!("{variable} = {value};"));
            }
            4..=6 => {
                let condition = self.condition();
                self.braces(&format!("if ({condition})"), 3);
                if self.random.below(2) == 0 {
                    self.line("} else {");
                    self.indent += 1;
                    self.block(3);
                    self.indent -= 1;
                }
                self.line("}");
            }
            7 | 8 if self.loops < 2 => {
                let name = ["i", "j"][self.loops];
                let bound = match self.random.below(3) {
                    0 => format!("({} & 3)", self.variable()),
                    _ => (1 + self.random.below(3)).to_string(),
                };
                self.loops += 1;
                self.braces(&format!("for (int {name} = 0; {name} < {bound}; {name}++)"), 3);
                self.loops -= 1;
                self.line("}");
            }
            9 => {
                let value = self.expression(1);
                self.line(&format!("switch ({value} & 3) {{"));
                for case in 0..self.random.below(3) {
                    self.line(&format!("case {case}:"));
                    self.indent += 1;
                    self.block(2);
                    if self.random.below(4) > 0 {
                        self.line("break;");
                    }
                    self.indent -= 1;
                }
                self.line("default:");
                self.indent += 1;
                self.block(1);
                self.line(";");
                self.indent -= 1;
                self.line("}");
            }
            10 | 11 => {
                let (place, value) = (self.element(), self.expression(1));
                self.line(&format!("{place} = {value};"));
            }
            12 if in_main => {
                let target = match self.random.below(5) {
                    0 => "&b".to_string(),
                    1 => "&g1".to_string(),
                    2 => format!("&table[{} & 7]", self.variable()),
                    3 => format!("({}) ? &c : &s.x", self.condition()),
                    _ => "&local[1]".to_string(),
                };
                self.line(&format!("p = {target};"));
            }
            13 if in_main => {
                let value = self.expression(1);
                self.line(&format!("*p = {value};"));
            }
            14 => {
                let value = self.expression(1);
                self.line(&format!("*gp = {value};"));
            }
            22 | 23 if in_main && self.loops == 0 => {
                let (callee, argument) = (self.random.below(2), self.expression(1));
                let rounds = 2 + self.random.below(2);
                let used = self.random.pick(&["i", "a", "1"]);
                self.line(&format!("for (int i = 0; i < {rounds}; i++) c += f{callee}({argument}, i) > {used};"));
            }
            15 if self.callable > 0 => {
                let callee = self.random.below(self.callable);
                let (variable, x, y) = (self.variable(), self.expression(1), self.expression(1));
                self.line(&format!("{variable} = f{callee}({x}, {y});"));
            }
            16 => {
                let (variable, index) = (self.variable(), self.expression(1));
                let call = match self.random.below(3) {
                    0 => format!("down({index} & 3)"),
                    _ => format!("ops[{index} & 1]({variable})"),
                };
                self.line(&format!("{variable} = {call};"));
            }
            17 | 18 if self.inputs > 0 && self.loops == 0 => {
                self.inputs -= 1;
                let variable = self.variable();
                let input = match self.random.below(3) {
                    0 => "klee_int(\"in\")".to_string(),
                    _ => format!("klee_range(0, {}, \"in\")", 2 + self.random.below(4)),
                };
                self.line(&format!("{variable} = {input};"));
            }
            19 => {
                let condition = self.condition();
                self.line(&format!("assert({condition});"));
            }
            20 if in_main => match self.random.below(3) {
                0 => self.line("memcpy(local, table + 2, sizeof local);"),
                1 => self.line("memset(bytes, 1, sizeof bytes);"),
                _ => {
                    let index = self.expression(1);
                    self.line(&format!("h[({index}) & 3] = 5;"));
                }
            },
            _ => {
                let (variable, x, y) = (self.variable(), self.variable(), self.expression(1));
                let operator = self.random.pick(&["/", "%", ">>"]);
                self.line(&format!("{variable} = {x} {operator} ({y} & 3);"));
            }
        }
    }

    fn variable(&mut self) -> &'static str {
        VARS[self.random.below(VARS.len())]
    }

    fn element(&mut self) -> String {
        let index = self.expression(1);
        match self.random.below(3) {
            0 => format!("table[({index}) & 7]"),
            1 => format!("bytes[({index}) & 7]"),
            _ => format!("local[({index}) & 3]"),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(3) == 0 {
            return match self.random.below(5) {
                0 => self.random.below(9).to_string(),
                1 => "*gp".to_string(),
                _ => self.variable().to_string(),
            };
        }
        let x = self.expression(depth - 1);
        let y = self.expression(depth - 1);
        match self.random.below(6) {
            0 => format!("(int)((unsigned){x} * 3u)"),
            1 => self.element(),
            2 => {
                let condition = self.condition();
                format!("({condition} ? {x} : {y})")
            }
            3 => format!("({x} & {y})"),
            4 => format!("(int)((unsigned){x} - (unsigned){y})"),
            _ => format!("(int)((unsigned){x} + (unsigned){y})"),
        }
    }

    fn condition(&mut self) -> String {
        let x = self.expression(1);
        let y = self.expression(0);
        let operator = self.random.pick(&["<", ">", "==", "!=", "<=", ">="]);
        match self.random.below(6) {
            0 => format!("({x} {operator} {y} || b < 4)"),
            1 => format!("({x} {operator} {y} && c != 2)"),
            _ => format!("({x} {operator} {y})"),
        }
    }
}
