//! Reads the text form of programs, which [`display`](crate::Program) describes: a lexer and a
//! recursive descent parser.
//!
//! Names are collected in a first pass over the tokens, so that functions and globals can be
//! mentioned before they are defined; everything else is made in one pass. Tables (constants,
//! edges, calls, …) are filled in the order of the text, each constant once and each edge once for
//! an instruction. What was read goes through the verifier.
//!
//! Whatever the text is, reading it ends with a program or an error that has a place: there are no
//! limits to hit but those on the depth of constants and the width of types, and no number in the
//! text makes a table larger than the text.

mod body;
mod constant;
mod lexer;

use crate::{
    FileId, FuncId, Function, Global, GlobalId, InitPiece, LeftOut, Loc, Param, Pointee, PointerMember, Program,
    Target, VerifyError, verify,
};
use lexer::{Kind, Token, tokens};
use rustc_hash::FxHashMap;

/// Why a text is no program.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseError {
    #[error("line {line}, column {column}: {what}")]
    Text { line: u32, column: u32, what: String },
    /// It can be read, but what it says is malformed; `line` is 0 if that is about no line alone.
    #[error("line {line}: {error}")]
    Malformed { line: u32, error: VerifyError },
}

type Parsed<T> = Result<T, ParseError>;

/// The program that a text says.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    Parser::new(text, None)?.program()
}

/// The same for a text that was written by hand: what has no location is where it stands in the
/// text itself, which is in the file `path`.
pub fn parse_source(text: &str, path: &str) -> Result<Program, ParseError> {
    Parser::new(text, Some(path))?.program()
}

/// What a program is for whose text does not say so.
const TARGET: (&str, u32) = ("x86_64-pc-linux-gnu", 64);

/// The widest integers that LLVM has.
const WIDEST: u32 = (1 << 23) - 1;

/// What a name with an `@` stands for.
#[derive(Copy, Clone)]
enum Meaning {
    Function(FuncId),
    Global(GlobalId),
}

struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
    program: Program,
    symbols: FxHashMap<(String, Option<&'t str>), Meaning>,
    unsupported: FxHashMap<String, u32>,
    /// The file that locations are in by default.
    source: Option<FileId>,
    /// For each function, the lines of its instructions.
    lines: Vec<Vec<u32>>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, path: Option<&str>) -> Parsed<Parser<'t>> {
        let program = Program {
            target: Target { triple: TARGET.0.to_owned(), pointer_width: TARGET.1 },
            files: path.map(str::to_owned).into_iter().collect(),
            ..Program::default()
        };
        let mut parser = Parser {
            tokens: tokens(text)?,
            at: 0,
            program,
            symbols: FxHashMap::default(),
            unsupported: FxHashMap::default(),
            source: path.map(|_| FileId(0)),
            lines: Vec::new(),
        };
        parser.collect_names()?;
        Ok(parser)
    }

    /// The first pass: what each name stands for.
    fn collect_names(&mut self) -> Parsed<()> {
        let (mut functions, mut globals) = (0, 0);
        for index in 0..self.tokens.len().saturating_sub(1) {
            let meaning = match &self.tokens[index] {
                Token { kind: Kind::Word("fn" | "declare"), is_first_on_line: true, .. } => {
                    functions += 1;
                    Meaning::Function(FuncId::new(functions - 1))
                }
                Token { kind: Kind::Word("global" | "constant"), is_first_on_line: true, .. } => {
                    globals += 1;
                    Meaning::Global(GlobalId::new(globals - 1))
                }
                _ => continue,
            };
            let Kind::Symbol(name, number) = &self.tokens[index + 1].kind else { continue };
            if self.symbols.insert((name.clone(), *number), meaning).is_some() {
                return Err(wrong(&self.tokens[index + 1], "this name is defined twice".to_owned()));
            }
        }
        Ok(())
    }

    fn program(mut self) -> Result<Program, ParseError> {
        while self.peek().kind != Kind::End {
            self.item()?;
            self.line_end()?;
        }
        let line_of = |error: &VerifyError| match error {
            VerifyError::Inst { function, index, .. } => {
                let at = self.program.functions.iter().position(|other| other.name == *function);
                at.and_then(|at| self.lines.get(at)?.get(*index).copied()).unwrap_or(0)
            }
            _ => 0,
        };
        verify(&self.program).map_err(|error| ParseError::Malformed { line: line_of(&error), error })?;
        Ok(self.program)
    }

    // --- Tokens ---

    fn peek(&self) -> &Token<'t> {
        &self.tokens[self.at]
    }

    /// "expected …, found …" about the next token.
    fn expected(&self, what: &str) -> ParseError {
        let token = self.peek();
        let found = match token.kind {
            Kind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", token.text),
        };
        wrong(token, format!("expected {what}, found {found}"))
    }

    /// A complaint about the token that was passed last.
    fn wrong(&self, what: String) -> ParseError {
        wrong(&self.tokens[self.at.saturating_sub(1)], what)
    }

    fn eat_mark(&mut self, mark: &str) -> bool {
        let is_there = matches!(self.peek().kind, Kind::Mark(found) if found == mark);
        self.at += usize::from(is_there);
        is_there
    }

    fn mark(&mut self, mark: &str) -> Parsed<()> {
        if self.eat_mark(mark) { Ok(()) } else { Err(self.expected(&format!("`{mark}`"))) }
    }

    /// Passes a word if it is the next token, on the same line.
    fn eat_word(&mut self, word: &str) -> bool {
        let is_there = matches!(self.peek().kind, Kind::Word(found) if found == word) && !self.peek().is_first_on_line;
        self.at += usize::from(is_there);
        is_there
    }

    fn keyword(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    fn word(&mut self, what: &str) -> Parsed<&'t str> {
        match self.peek().kind {
            Kind::Word(word) => {
                self.at += 1;
                Ok(word)
            }
            _ => Err(self.expected(what)),
        }
    }

    /// A decimal number.
    fn number<N: std::str::FromStr>(&mut self, what: &str) -> Parsed<N> {
        match self.peek().kind {
            Kind::Number(digits) => {
                self.at += 1;
                digits.parse().map_err(|_| self.wrong(format!("{digits} is no number for {what}")))
            }
            _ => Err(self.expected(what)),
        }
    }

    /// The number in a word such as `bb3`.
    fn numbered(&mut self, prefix: &str, what: &str) -> Parsed<u32> {
        match number_in(&self.peek().kind, prefix) {
            Some(number) => {
                self.at += 1;
                Ok(number)
            }
            None => Err(self.expected(what)),
        }
    }

    /// `i32`, or `f64` where a float is passed.
    fn type_of(&mut self) -> Parsed<(u32, bool)> {
        let kind = &self.peek().kind;
        let (width, is_float) = match (number_in(kind, "i"), number_in(kind, "f")) {
            (Some(width), _) => (width, false),
            (None, Some(width)) => (width, true),
            (None, None) => return Err(self.expected("a type such as `i32`")),
        };
        if !(1..=WIDEST).contains(&width) {
            return Err(self.expected(&format!("a type of 1 to {WIDEST} bits")));
        }
        self.at += 1;
        Ok((width, is_float))
    }

    fn width(&mut self) -> Parsed<u32> {
        match self.type_of()? {
            (width, false) => Ok(width),
            (_, true) => {
                Err(self.wrong("expected a type such as `i32`: it does not matter here what is a float".into()))
            }
        }
    }

    fn quoted(&mut self, what: &str) -> Parsed<String> {
        match self.peek().kind {
            Kind::Bytes(_) => self.name(what),
            _ => Err(self.expected(what)),
        }
    }

    /// A word, or anything in quotes.
    fn name(&mut self, what: &str) -> Parsed<String> {
        match &self.peek().kind {
            Kind::Word(word) => {
                let word = (*word).to_owned();
                self.at += 1;
                Ok(word)
            }
            Kind::Bytes(bytes) => {
                let name = String::from_utf8(bytes.clone()).map_err(|_| self.expected("a text in UTF-8"))?;
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.expected(what)),
        }
    }

    fn line_end(&mut self) -> Parsed<()> {
        let token = self.peek();
        if token.is_first_on_line || token.kind == Kind::End {
            Ok(())
        } else {
            Err(self.expected("the end of the line"))
        }
    }

    /// A list in parentheses, which have been opened.
    fn rest_of_list(&mut self, mut element: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        if self.eat_mark(")") {
            return Ok(());
        }
        loop {
            element(self)?;
            if !self.eat_mark(",") {
                return self.mark(")");
            }
        }
    }

    /// What the next token, a name with an `@`, stands for.
    fn symbol(&mut self) -> Parsed<Meaning> {
        let Kind::Symbol(name, number) = &self.peek().kind else { return Err(self.expected("a name such as `@main`")) };
        match self.symbols.get(&(name.clone(), *number)) {
            Some(&meaning) => {
                self.at += 1;
                Ok(meaning)
            }
            None => Err(self.expected("the name of a function or global")),
        }
    }

    fn function_symbol(&mut self) -> Parsed<FuncId> {
        match self.symbol()? {
            Meaning::Function(id) => Ok(id),
            Meaning::Global(_) => Err(self.wrong("expected a function, and this is a global".to_owned())),
        }
    }

    // --- Locations ---

    /// The location of what stands at a token, unless the text says another.
    fn own_loc(&self, token: &Token<'t>) -> Loc {
        let here = |file| Loc { file, line: token.line, column: token.column };
        self.source.map_or(Loc::UNKNOWN, here)
    }

    /// A location if there is one, else `own`. `file` is what the location is in if it does not say
    /// so.
    fn loc_or(&mut self, own: Loc, file: Option<FileId>) -> Parsed<Loc> {
        if !self.eat_mark("!") {
            return Ok(own);
        }
        self.loc_after_mark(file)
    }

    fn loc_after_mark(&mut self, file: Option<FileId>) -> Parsed<Loc> {
        let file = match number_in(&self.peek().kind, "file") {
            Some(number) => {
                self.at += 1;
                self.mark(":")?;
                FileId(number)
            }
            None => file.or(self.source).ok_or_else(|| self.expected("a file such as `file0`"))?,
        };
        let line = self.number("a line")?;
        let column = if self.eat_mark(":") { self.number("a column")? } else { 0 };
        Ok(Loc { file, line, column })
    }

    // --- What a program is made of ---

    fn item(&mut self) -> Parsed<()> {
        let begin = self.peek().clone();
        let word = self.word("the beginning of a function, a global or another part of a program")?;
        match word {
            "target" => {
                self.program.target.triple = self.quoted("a target triple in quotes")?;
                self.program.target.pointer_width = self.number("the width of pointers")?;
                Ok(())
            }
            "packed" => {
                self.keyword("addresses")?;
                self.program.packs_addresses = true;
                Ok(())
            }
            "left_out" => {
                let left_out = match self.word("`assembly` or `section`")? {
                    "assembly" => LeftOut::Assembly,
                    "section" => LeftOut::Section(self.quoted("a section in quotes")?),
                    _ => return Err(self.expected("`assembly` or `section`")),
                };
                self.program.left_out.push(left_out);
                Ok(())
            }
            "constructors" => self.function_list().map(|list| self.program.constructors = list),
            "destructors" => self.function_list().map(|list| self.program.destructors = list),
            "assigned" => {
                self.mark("!")?;
                let loc = self.loc_after_mark(None)?;
                let name = self.name("the name of a variable")?;
                self.program.assigned_names.insert(loc, name);
                Ok(())
            }
            "alias" => self.alias(),
            "global" | "constant" => self.global(&begin, word == "constant"),
            "declare" => {
                let (function, _) = self.signature(&begin)?;
                self.push_function(function, Vec::new());
                Ok(())
            }
            "fn" => {
                let (function, file) = self.signature(&begin)?;
                self.line_end()?;
                let (function, lines) = self.body(&begin, function, file)?;
                self.push_function(function, lines);
                Ok(())
            }
            _ => match (number_in(&begin.kind, "file"), number_in(&begin.kind, "pointee")) {
                (Some(number), _) => self.file(number),
                (_, Some(number)) => self.pointee(number),
                _ => {
                    self.at -= 1;
                    Err(self.expected("the beginning of a function, a global or another part of a program"))
                }
            },
        }
    }

    fn push_function(&mut self, function: Function, lines: Vec<u32>) {
        self.program.functions.push(function);
        self.lines.push(lines);
    }

    fn function_list(&mut self) -> Parsed<Vec<FuncId>> {
        let mut list = Vec::new();
        while matches!(self.peek(), Token { kind: Kind::Symbol(..), is_first_on_line: false, .. }) {
            list.push(self.function_symbol()?);
        }
        Ok(list)
    }

    fn file(&mut self, number: u32) -> Parsed<()> {
        self.mark("=")?;
        let name = self.quoted("the name of a file in quotes")?;
        let next = self.program.files.len();
        if number as usize != next {
            return Err(self.wrong(format!("the files are not in order: this should be file{next}")));
        }
        self.program.files.push(name);
        Ok(())
    }

    fn pointee(&mut self, number: u32) -> Parsed<()> {
        if number as usize != self.program.pointees.len() {
            return Err(self.wrong(format!("not in order: this should be pointee{}", self.program.pointees.len())));
        }
        self.mark("=")?;
        self.keyword("size")?;
        let size = self.number("a size")?;
        let is_char = self.eat_word("char");
        let mut pointers = Vec::new();
        if self.eat_mark("{") {
            loop {
                let offset = self.number("an offset")?;
                self.mark(":")?;
                let path = self.quoted("a path such as \"->next\"")?;
                pointers.push(PointerMember { offset, path, pointee: self.numbered("pointee", "a pointee")? });
                if !self.eat_mark(",") {
                    break;
                }
            }
            self.mark("}")?;
        }
        self.program.pointees.push(Pointee { size, is_char, pointers });
        Ok(())
    }

    fn alias(&mut self) -> Parsed<()> {
        let name = self.defined_name()?;
        self.mark("=")?;
        match self.symbol()? {
            Meaning::Function(id) => drop(self.program.function_names.insert(name, id)),
            Meaning::Global(id) => drop(self.program.global_names.insert(name, id)),
        }
        Ok(())
    }

    /// The name after `fn`, `global` and so on.
    fn defined_name(&mut self) -> Parsed<String> {
        match &self.peek().kind {
            Kind::Symbol(name, _) => {
                let name = name.clone();
                self.at += 1;
                Ok(name)
            }
            _ => Err(self.expected("a name such as `@main`")),
        }
    }

    fn global(&mut self, begin: &Token<'t>, is_constant: bool) -> Parsed<()> {
        let name = self.defined_name()?;
        let [is_external, is_scalar, is_integer, is_hidden] =
            ["external", "scalar", "integer", "hidden"].map(|word| self.eat_word(word));
        self.keyword("size")?;
        let size = self.number("a size")?;
        self.keyword("align")?;
        let align = self.number("an alignment")?;
        let mut init = Vec::new();
        if self.eat_mark("=") {
            loop {
                init.push(self.init_piece()?);
                if !self.eat_mark(",") {
                    break;
                }
            }
        }
        let loc = self.loc_or(self.own_loc(begin), None)?;
        let id = GlobalId::new(self.program.globals.len());
        if !is_hidden {
            self.program.global_names.insert(name.clone(), id);
        }
        let global = Global { name, size, align, is_constant, is_scalar, is_integer, is_external, loc, init };
        self.program.globals.push(global);
        Ok(())
    }

    fn init_piece(&mut self) -> Parsed<InitPiece> {
        let offset = self.number("an offset")?;
        self.mark(":")?;
        if let Kind::Bytes(bytes) = &self.peek().kind {
            let bytes = bytes.clone();
            self.at += 1;
            return Ok(InitPiece::Bytes { offset, bytes });
        }
        if self.eat_word("undef") {
            return Ok(InitPiece::Undef { offset, size: self.number("a size")? });
        }
        let width = self.width()?;
        let value = self.constant(width)?;
        Ok(InitPiece::Value { offset, width, value })
    }

    /// Everything of a function but its code, and the file that its locations are in.
    fn signature(&mut self, begin: &Token<'t>) -> Parsed<(Function, Option<FileId>)> {
        let name = self.defined_name()?;
        let mut function = Function::declaration(name, Vec::new(), Vec::new());
        self.mark("(")?;
        self.rest_of_list(|parser| {
            if parser.eat_mark("...") {
                function.is_variadic = true;
                return if matches!(parser.peek().kind, Kind::Mark(")")) {
                    Ok(())
                } else {
                    Err(parser.expected("`)`"))
                };
            }
            let index = function.params.len();
            if parser.peek().kind != Kind::Reg(u32::try_from(index).unwrap_or(u32::MAX)) {
                return Err(parser.expected(&format!("the parameter `%{index}`")));
            }
            parser.at += 1;
            parser.mark(":")?;
            let (param, is_float) = parser.param()?;
            function.floats.args |= u64::from(is_float && index < 64).wrapping_shl(index as u32);
            function.params.push(param);
            Ok(())
        })?;
        if self.eat_mark("->") {
            loop {
                let (width, is_float) = self.type_of()?;
                let index = function.result.len();
                function.floats.result |= u64::from(is_float && index < 64).wrapping_shl(index as u32);
                function.result.push(width);
                if !self.eat_mark(",") {
                    break;
                }
            }
        }
        function.is_runtime = self.eat_word("runtime");
        function.address_taken = self.eat_word("address_taken");
        if !self.eat_word("hidden") {
            let id = FuncId::new(self.program.functions.len());
            self.program.function_names.insert(function.name.clone(), id);
        }
        function.loc = self.loc_or(self.own_loc(begin), None)?;
        let file = Some(function.loc.file).filter(|_| function.loc != Loc::UNKNOWN);
        Ok((function, file))
    }

    fn param(&mut self) -> Parsed<(Param, bool)> {
        let (width, is_float) = self.type_of()?;
        let mut param = Param { width, name: String::new(), by_value: None, pointee: None };
        if self.eat_attribute("byval") {
            let size = self.number("a size")?;
            param.by_value = Some((size, self.alignment_after_size()?));
        }
        if self.eat_attribute("pointee") {
            param.pointee = Some(self.number("a pointee")?);
            self.mark(")")?;
        }
        if matches!(self.peek().kind, Kind::Word(_) | Kind::Bytes(_)) {
            param.name = self.name("a name")?;
        }
        Ok((param, is_float))
    }

    /// A word with an opening parenthesis; without that, it is a name.
    fn eat_attribute(&mut self, word: &str) -> bool {
        let is_open = self.tokens.get(self.at + 1).is_some_and(|token| token.kind == Kind::Mark("("));
        let is_there = is_open && self.peek().kind == Kind::Word(word);
        self.at += if is_there { 2 } else { 0 };
        is_there
    }

    /// `, align 8)`.
    fn alignment_after_size(&mut self) -> Parsed<u64> {
        self.mark(",")?;
        self.keyword("align")?;
        let align = self.number("an alignment")?;
        self.mark(")")?;
        Ok(align)
    }
}

fn wrong(token: &Token<'_>, what: String) -> ParseError {
    ParseError::Text { line: token.line, column: token.column, what }
}

/// The number in a word such as `bb3`.
fn number_in(kind: &Kind<'_>, prefix: &str) -> Option<u32> {
    let Kind::Word(word) = kind else { return None };
    let digits = word.strip_prefix(prefix)?;
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit());
    if is_number { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests;
