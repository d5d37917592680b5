//! The code of functions in the text form.

use super::lexer::{Kind, Token};
use super::{Parsed, Parser};
use crate::{
    AllocaId, AllocaSite, BinOp, Block, BlockId, CallId, CallSite, Callee, CastOp, CmpOp, ConstId, Constant, Edge,
    EdgeId, FBinOp, FCastOp, FCmpOp, FUnOp, FileId, FloatKind, Floats, Function, Inst, Loc, LoopSite, LoopVariable,
    Operand, PairQuestion, Reg, Switch, SwitchId, UnOp, VarArg, VarArgValue,
};
use rustc_hash::FxHashMap;

/// What a line that is no instruction begins with.
const NO_INSTRUCTION: &str = "an instruction or a block such as `bb0:`";

/// A function whose code is being read.
struct Body<'p, 't> {
    parser: &'p mut Parser<'t>,
    function: Function,
    /// The file of the function's location.
    file: Option<FileId>,
    constants: FxHashMap<Constant, ConstId>,
    /// The widths of registers, as far as they are known.
    widths: Vec<Option<u32>>,
    /// The first edge of the instruction that is being read.
    first_edge: usize,
    lines: Vec<u32>,
}

impl<'t> Parser<'t> {
    /// The code of a function, up to the next thing that begins with a word that no line of code
    /// begins with; and the lines of its instructions.
    pub(super) fn body(
        &mut self,
        begin: &Token<'t>,
        function: Function,
        file: Option<FileId>,
    ) -> Parsed<(Function, Vec<u32>)> {
        let pointer = self.program.target.pointer_width;
        let area = function.is_variadic.then_some(pointer);
        let widths = function.params.iter().map(|param| param.width).chain(area).map(Some).collect();
        let mut body = Body {
            parser: self,
            function,
            file,
            constants: FxHashMap::default(),
            widths,
            first_edge: 0,
            lines: Vec::new(),
        };
        body.run()?;
        let Body { mut function, widths, lines, .. } = body;
        for (reg, width) in widths.into_iter().enumerate() {
            let Some(width) = width else {
                let what = format!("nothing writes register %{reg}, and `registers` does not say how wide it is");
                return Err(super::wrong(begin, what));
            };
            function.regs.push(width);
        }
        Ok((function, lines))
    }
}

impl<'t> Body<'_, 't> {
    fn run(&mut self) -> Parsed<()> {
        loop {
            match self.parser.peek().kind {
                Kind::Word("registers") => self.registers()?,
                Kind::Word("loop") => self.loop_site()?,
                _ => break,
            }
            self.parser.line_end()?;
        }
        loop {
            let next = u32::try_from(self.function.blocks.len()).unwrap_or(u32::MAX);
            let found = self.parser.numbered("bb", &format!("the block `bb{next}:`"))?;
            if found != next {
                return Err(self.parser.wrong(format!("blocks are numbered in order: expected `bb{next}:`")));
            }
            self.parser.mark(":")?;
            let start = self.pc();
            while !self.is_at_end_of_block() {
                self.line()?;
                self.parser.line_end()?;
            }
            self.function.blocks.push(Block { start, end: self.pc() });
            if !matches!(self.parser.peek().kind, Kind::Word(word) if word.starts_with("bb")) {
                return Ok(());
            }
        }
    }

    /// Is the next line the beginning of a block, or no code at all?
    fn is_at_end_of_block(&self) -> bool {
        match &self.parser.peek().kind {
            Kind::End => true,
            Kind::Word("fn" | "declare" | "global" | "constant" | "alias" | "constructors" | "destructors") => true,
            Kind::Word("assigned") => true,
            kind => ["bb", "file", "pointee"].into_iter().any(|prefix| super::number_in(kind, prefix).is_some()),
        }
    }

    fn pc(&self) -> u32 {
        u32::try_from(self.function.code.len()).unwrap_or(u32::MAX)
    }

    fn registers(&mut self) -> Parsed<()> {
        self.parser.at += 1;
        loop {
            let reg = self.reg()?;
            self.parser.mark(":")?;
            let width = self.parser.width()?;
            self.define(reg, width)?;
            if !self.parser.eat_mark(",") {
                return Ok(());
            }
        }
    }

    fn loop_site(&mut self) -> Parsed<()> {
        let begin = self.parser.peek().clone();
        self.parser.at += 1;
        let head = self.block()?;
        let (mut variables, mut names) = (Vec::new(), Vec::new());
        self.parser.mark("(")?;
        self.parser.rest_of_list(|parser| {
            let Kind::Reg(reg) = parser.peek().kind else { return Err(parser.expected("a register such as `%0`")) };
            parser.at += 1;
            parser.mark(":")?;
            let is_signed = parser.eat_word("signed");
            if !is_signed {
                parser.keyword("unsigned")?;
            }
            variables.push(LoopVariable { reg: Reg(reg), name: parser.name("the name of a variable")?, is_signed });
            Ok(())
        })?;
        self.parser.keyword("names")?;
        self.parser.mark("(")?;
        self.parser.rest_of_list(|parser| {
            names.push(parser.name("the name of a variable")?);
            Ok(())
        })?;
        let loc = self.loc_or(self.parser.own_loc(&begin))?;
        self.function.loops.push(LoopSite { head, loc, variables, names });
        Ok(())
    }

    /// An instruction, or a place that is passed.
    fn line(&mut self) -> Parsed<()> {
        let begin = self.parser.peek().clone();
        if begin.kind == Kind::Word("passed") {
            self.parser.at += 1;
            self.parser.mark("!")?;
            let loc = self.parser.loc_after_mark(self.file)?;
            self.function.passed.push((self.pc(), loc));
            return Ok(());
        }
        self.first_edge = self.function.edges.len();
        let inst = self.inst(&begin)?;
        let loc = self.loc_or(self.parser.own_loc(&begin))?;
        self.function.code.push(inst);
        self.function.locs.push(loc);
        self.lines.push(begin.line);
        Ok(())
    }

    fn loc_or(&mut self, own: Loc) -> Parsed<Loc> {
        self.parser.loc_or(own, self.file)
    }

    // --- Registers, operands, edges ---

    fn reg(&mut self) -> Parsed<Reg> {
        match self.parser.peek().kind {
            Kind::Reg(number) => {
                // Every register is written by a token of its own.
                if number as usize >= self.parser.tokens.len() {
                    return Err(self.parser.expected("the number of a register that is not so large"));
                }
                self.parser.at += 1;
                Ok(Reg(number))
            }
            _ => Err(self.parser.expected("a register such as `%0`")),
        }
    }

    /// Notes that a register has so many bits.
    fn define(&mut self, reg: Reg, width: u32) -> Parsed<()> {
        if reg.index() >= self.widths.len() {
            self.widths.resize(reg.index() + 1, None);
        }
        match self.widths[reg.index()].replace(width) {
            Some(other) if other != width => {
                Err(self.parser.wrong(format!("{reg} has {other} bits elsewhere, and {width} here")))
            }
            _ => Ok(()),
        }
    }

    /// A register, or a constant of `width` bits.
    fn operand(&mut self, width: u32) -> Parsed<Operand> {
        if matches!(self.parser.peek().kind, Kind::Reg(_)) {
            return self.reg().map(Operand::reg);
        }
        let constant = self.parser.constant(width)?;
        Ok(self.constant(constant))
    }

    fn constant(&mut self, constant: Constant) -> Operand {
        let next = ConstId::new(self.function.constants.len());
        let id = *self.constants.entry(constant).or_insert_with_key(|constant| {
            self.function.constants.push(constant.clone());
            next
        });
        Operand::constant(id)
    }

    fn pointer(&mut self) -> Parsed<Operand> {
        self.operand(self.pointer_width())
    }

    fn pointer_width(&self) -> u32 {
        self.parser.program.target.pointer_width
    }

    /// `[%0]`.
    fn place(&mut self) -> Parsed<Operand> {
        self.parser.mark("[")?;
        let place = self.pointer()?;
        self.parser.mark("]")?;
        Ok(place)
    }

    /// `i32 %0`.
    fn typed_operand(&mut self) -> Parsed<(u32, Operand)> {
        let width = self.parser.width()?;
        Ok((width, self.operand(width)?))
    }

    fn pair(&mut self, width: u32) -> Parsed<(Operand, Operand)> {
        let a = self.operand(width)?;
        self.parser.mark(",")?;
        Ok((a, self.operand(width)?))
    }

    fn block(&mut self) -> Parsed<BlockId> {
        self.parser.numbered("bb", "a block such as `bb0`").map(BlockId)
    }

    /// `bb2 [%7 = i32 %3]`. An instruction has each edge once, however many of its cases take it.
    fn edge(&mut self) -> Parsed<EdgeId> {
        let target = self.block()?;
        let mut copies = Vec::new();
        if self.parser.eat_mark("[") {
            loop {
                let dst = self.reg()?;
                self.parser.mark("=")?;
                let (width, source) = self.typed_operand()?;
                self.define(dst, width)?;
                copies.push((dst, source));
                if !self.parser.eat_mark(",") {
                    break;
                }
            }
            self.parser.mark("]")?;
        }
        let edge = Edge { target, copies: copies.into_boxed_slice() };
        let own = &self.function.edges[self.first_edge..];
        let known = own.iter().position(|other| *other == edge).map(|index| self.first_edge + index);
        Ok(EdgeId::new(known.unwrap_or_else(|| {
            self.function.edges.push(edge);
            self.function.edges.len() - 1
        })))
    }

    // --- Instructions ---

    fn inst(&mut self, begin: &Token<'t>) -> Parsed<Inst> {
        let mut dsts = Vec::new();
        if matches!(self.parser.peek().kind, Kind::Reg(_)) {
            loop {
                dsts.push(self.reg()?);
                if !self.parser.eat_mark(",") {
                    break;
                }
            }
            self.parser.mark("=")?;
        }
        let word = self.parser.word(NO_INSTRUCTION)?;
        match dsts[..] {
            _ if word == "call" => self.call(dsts),
            [] => self.effect(word),
            [dst] => self.value(begin, dst, word),
            _ => Err(self.parser.wrong("only calls have several results".to_owned())),
        }
    }

    /// An instruction with one result.
    fn value(&mut self, begin: &Token<'t>, dst: Reg, word: &'t str) -> Parsed<Inst> {
        let (inst, width) = match word {
            "select" => {
                let width = self.parser.width()?;
                let cond = self.operand(1)?;
                self.parser.mark("?")?;
                let a = self.operand(width)?;
                self.parser.mark(":")?;
                (Inst::Select { width, dst, cond, a, b: self.operand(width)? }, width)
            }
            "copy" => {
                let (width, a) = self.typed_operand()?;
                (Inst::Copy { width, dst, a }, width)
            }
            "freeze" => {
                let (width, a) = self.typed_operand()?;
                (Inst::Freeze { width, dst, a }, width)
            }
            "ptradd" => (self.pointer_sum(dst)?, self.pointer_width()),
            "load" => {
                let looks = self.parser.eat_word("number");
                let width = self.parser.width()?;
                (Inst::Load { width, dst, ptr: self.place()?, looks }, width)
            }
            "live" => {
                let site = AllocaId(self.parser.numbered("alloca", "a stack object such as `alloca0`")?);
                (Inst::LifeStart { dst, site }, self.pointer_width())
            }
            "unknown" => {
                let width = self.parser.width()?;
                (Inst::Unknown { width, dst }, width)
            }
            "alloca" => (self.alloca(begin, dst)?, self.pointer_width()),
            "stacksave" => (Inst::StackSave { dst }, self.pointer_width()),
            "fma" | "fmuladd" => {
                let kind = self.float_kind()?;
                let a = self.operand(kind.width())?;
                self.parser.mark("*")?;
                let b = self.operand(kind.width())?;
                self.parser.mark("+")?;
                let c = self.operand(kind.width())?;
                (Inst::FMulAdd { kind, fused: word == "fma", dst, a, b, c }, kind.width())
            }
            "fcmp" => {
                let name = self.parser.word("a comparison such as `oeq`")?;
                let op = FCmpOp::of_word(name).ok_or_else(|| self.unknown_word("a comparison such as `oeq`"))?;
                let kind = self.float_kind()?;
                let (a, b) = self.pair(kind.width())?;
                (Inst::FCmp { op, kind, dst, a, b }, 1)
            }
            "fcast" | "ftosi" | "ftoui" | "sitof" | "uitof" => self.float_cast(dst, word)?,
            _ => self.operator(dst, word)?,
        };
        self.define(dst, width)?;
        Ok(inst)
    }

    /// Instructions whose operator is their word.
    fn operator(&mut self, dst: Reg, word: &str) -> Parsed<(Inst, u32)> {
        if let Some(op) = BinOp::of_word(word) {
            let width = self.parser.width()?;
            let (a, b) = self.pair(width)?;
            return Ok((Inst::Bin { op, width, dst, a, b }, if op.is_overflow_test() { 1 } else { width }));
        }
        if let Some(op) = UnOp::of_word(word) {
            let (width, a) = self.typed_operand()?;
            return Ok((Inst::Un { op, width, dst, a }, width));
        }
        if let Some(op) = CmpOp::of_word(word) {
            let width = self.parser.width()?;
            let (a, b) = self.pair(width)?;
            return Ok((Inst::Cmp { op, width, dst, a, b }, 1));
        }
        if let Some(op) = CastOp::of_word(word) {
            let (from, a) = self.typed_operand()?;
            self.parser.keyword("to")?;
            let to = self.parser.width()?;
            return Ok((Inst::Cast { op, from, to, dst, a }, to));
        }
        if let Some(op) = FBinOp::of_word(word) {
            let kind = self.float_kind()?;
            let (a, b) = self.pair(kind.width())?;
            return Ok((Inst::FBin { op, kind, dst, a, b }, kind.width()));
        }
        if let Some(op) = FUnOp::of_word(word) {
            let kind = self.float_kind()?;
            return Ok((Inst::FUn { op, kind, dst, a: self.operand(kind.width())? }, kind.width()));
        }
        Err(self.unknown_word("an instruction with a result"))
    }

    /// A complaint about the word that was passed last.
    fn unknown_word(&mut self, what: &str) -> crate::ParseError {
        self.parser.at -= 1;
        self.parser.expected(what)
    }

    fn float_kind(&mut self) -> Parsed<FloatKind> {
        const WHAT: &str = "a kind of float such as `f64`";
        let word = self.parser.word(WHAT)?;
        FloatKind::of_word(word).ok_or_else(|| self.unknown_word(WHAT))
    }

    fn float_cast(&mut self, dst: Reg, word: &str) -> Parsed<(Inst, u32)> {
        let (a, op, width) = match word {
            "sitof" | "uitof" => {
                let (from, a) = self.typed_operand()?;
                self.parser.keyword("to")?;
                let to = self.float_kind()?;
                let op = if word == "sitof" { FCastOp::SiToF { from, to } } else { FCastOp::UiToF { from, to } };
                (a, op, to.width())
            }
            _ => {
                let from = self.float_kind()?;
                let a = self.operand(from.width())?;
                self.parser.keyword("to")?;
                if word == "fcast" {
                    let to = self.float_kind()?;
                    (a, FCastOp::FToF { from, to }, to.width())
                } else {
                    let to = self.parser.width()?;
                    let op = if word == "ftosi" { FCastOp::FToSi { from, to } } else { FCastOp::FToUi { from, to } };
                    (a, op, to)
                }
            }
        };
        Ok((Inst::FCast { op, dst, a }, width))
    }

    /// `%0 + %1 * 4 - 8`: an index with its scale, an offset, or both.
    fn pointer_sum(&mut self, dst: Reg) -> Parsed<Inst> {
        let base = self.pointer()?;
        let (mut index, mut scale, mut offset) = (None, 0, 0);
        let is_offset = |body: &Self| {
            let after = |by: usize| body.parser.tokens.get(body.parser.at + by).map(|token| &token.kind);
            matches!(after(0), Some(Kind::Number(_))) && after(1) != Some(&Kind::Mark("*"))
        };
        if self.parser.eat_mark("+") {
            if is_offset(self) {
                offset = self.parser.number("an offset")?;
            } else {
                index = Some(self.pointer()?);
                self.parser.mark("*")?;
                scale = self.parser.number("a scale")?;
            }
        }
        let is_open = index.is_some() && self.parser.eat_mark("+");
        if is_open {
            offset = self.parser.number("an offset")?;
        } else if offset == 0 && self.parser.eat_mark("-") {
            let below: i64 = self.parser.number("an offset")?;
            offset = i32::try_from(-below).map_err(|_| self.parser.wrong("the offset is too large".to_owned()))?;
        }
        let width = self.pointer_width();
        let index = index.unwrap_or_else(|| self.constant(Constant::Int { value: 0, width }));
        Ok(Inst::PtrAdd { dst, base, index, scale, offset })
    }

    fn alloca(&mut self, begin: &Token<'t>, dst: Reg) -> Parsed<Inst> {
        let element_size = self.parser.number("a size")?;
        self.parser.mark("*")?;
        let count = self.pointer()?;
        self.parser.keyword("align")?;
        let align = self.parser.number("an alignment")?;
        let [is_scalar, is_scoped] = ["scalar", "scoped"].map(|word| self.parser.eat_word(word));
        let name = match self.parser.peek().kind {
            Kind::Bytes(_) => self.parser.quoted("a name")?,
            _ => String::new(),
        };
        let mut loc = self.parser.own_loc(begin);
        if self.parser.eat_word("declared") {
            self.parser.mark("!")?;
            loc = self.parser.loc_after_mark(self.file)?;
        }
        let site = AllocaId::new(self.function.allocas.len());
        self.function.allocas.push(AllocaSite { element_size, align, name, loc, is_scalar, is_scoped });
        Ok(Inst::Alloca { dst, site, count })
    }

    fn call(&mut self, dsts: Vec<Reg>) -> Parsed<Inst> {
        let mut floats = Floats::default();
        for (i, dst) in dsts.iter().enumerate() {
            if i > 0 {
                self.parser.mark(",")?;
            }
            let (width, is_float) = self.parser.type_of()?;
            self.define(*dst, width)?;
            floats.result |= u64::from(is_float && i < 64).wrapping_shl(i as u32);
        }
        let callee = match self.parser.peek().kind {
            Kind::Mark("[") => Callee::Indirect(self.place()?),
            _ => Callee::Direct(self.parser.function_symbol()?),
        };
        self.parser.mark("(")?;
        let (mut args, mut arg_widths, mut varargs) = (Vec::new(), Vec::new(), Vec::new());
        while !matches!(self.parser.peek().kind, Kind::Mark(")" | "...")) {
            if !args.is_empty() {
                self.parser.mark(",")?;
            }
            let (width, is_float) = self.parser.type_of()?;
            floats.args |= u64::from(is_float && args.len() < 64).wrapping_shl(args.len() as u32);
            args.push(self.operand(width)?);
            arg_widths.push(width);
        }
        if self.parser.eat_mark("...") {
            loop {
                varargs.push(self.vararg()?);
                if !self.parser.eat_mark(",") {
                    break;
                }
            }
        }
        self.parser.mark(")")?;
        let result_used = dsts.is_empty() == self.parser.eat_word("unread");
        let call = CallId::new(self.function.calls.len());
        self.function.calls.push(CallSite {
            callee,
            args: args.into_boxed_slice(),
            arg_widths: arg_widths.into_boxed_slice(),
            varargs: varargs.into_boxed_slice(),
            dsts: dsts.into_boxed_slice(),
            result_used,
            floats,
        });
        Ok(Inst::Call { call })
    }

    /// `i64 %0 8: i32 %1 (16, align 8)`: the pieces of a variadic argument with their offsets, then
    /// its size.
    fn vararg(&mut self) -> Parsed<VarArg> {
        let value = if self.parser.eat_word("byval") {
            VarArgValue::ByValue(self.place()?)
        } else {
            let mut pieces = Vec::new();
            while !matches!(self.parser.peek().kind, Kind::Mark("(")) {
                let mut offset = 0;
                if matches!(self.parser.peek().kind, Kind::Number(_)) {
                    offset = self.parser.number("an offset")?;
                    self.parser.mark(":")?;
                }
                let (width, value) = self.typed_operand()?;
                pieces.push((offset, width, value));
            }
            VarArgValue::Pieces(pieces.into_boxed_slice())
        };
        self.parser.mark("(")?;
        let size = self.parser.number("a size")?;
        Ok(VarArg { size, align: self.parser.alignment_after_size()?, value })
    }

    /// An instruction without a result.
    fn effect(&mut self, word: &'t str) -> Parsed<Inst> {
        Ok(match word {
            "store" => {
                let (width, value) = self.typed_operand()?;
                self.parser.keyword("to")?;
                Inst::Store { width, value, ptr: self.place()? }
            }
            "dead" => {
                Inst::LifeEnd { site: AllocaId(self.parser.numbered("alloca", "a stack object such as `alloca0`")?) }
            }
            "pair" | "numbers" => {
                const WHAT: &str = "`equality`, `order` or `number`";
                let (a, b) = self.pair(self.pointer_width())?;
                let question = self.parser.word(WHAT)?;
                let asks = PairQuestion::of_word(question).ok_or_else(|| self.unknown_word(WHAT))?;
                match word {
                    "pair" => Inst::PointerPair { a, b, asks },
                    _ => Inst::NumberPair { a, b, asks },
                }
            }
            "address" => {
                let a = self.pointer()?;
                self.parser.mark("&")?;
                Inst::AddressNumber { a, mask: self.mask()? }
            }
            "stackrestore" => Inst::StackRestore { a: self.pointer()? },
            "memcpy" | "memmove" => {
                let dst = self.place()?;
                self.parser.keyword("from")?;
                let src = self.place()?;
                self.parser.mark(",")?;
                let (_, len) = self.typed_operand()?;
                if word == "memcpy" { Inst::MemCpy { dst, src, len } } else { Inst::MemMove { dst, src, len } }
            }
            "memset" => {
                let dst = self.place()?;
                self.parser.keyword("with")?;
                let (_, byte) = self.typed_operand()?;
                self.parser.mark(",")?;
                Inst::MemSet { dst, byte, len: self.typed_operand()?.1 }
            }
            "va_start" => {
                let list = self.place()?;
                self.parser.mark(",")?;
                Inst::VaStart { list, area: self.pointer()? }
            }
            "va_copy" => {
                let dst = self.place()?;
                self.parser.keyword("from")?;
                Inst::VaCopy { dst, src: self.place()? }
            }
            "assume" => Inst::Assume { cond: self.operand(1)? },
            "trap" => Inst::Trap,
            "target" => Inst::Target { index: self.parser.number("a target's number")? },
            _ => self.terminator(word)?,
        })
    }

    fn mask(&mut self) -> Parsed<u32> {
        match self.parser.constant(32)? {
            Constant::Int { value, .. } => Ok(u32::try_from(value).unwrap_or(u32::MAX)),
            _ => Err(self.parser.wrong("expected a number".to_owned())),
        }
    }

    fn terminator(&mut self, word: &str) -> Parsed<Inst> {
        Ok(match word {
            "jump" => Inst::Jump { edge: self.edge()? },
            "branch" => {
                let cond = self.operand(1)?;
                self.parser.mark("?")?;
                let then = self.edge()?;
                self.parser.mark(":")?;
                Inst::Branch { cond, then, otherwise: self.edge()? }
            }
            "switch" => {
                let (width, value) = self.typed_operand()?;
                self.parser.mark("{")?;
                let mut cases = Vec::new();
                while !self.parser.eat_mark("}") {
                    if !cases.is_empty() {
                        self.parser.mark(",")?;
                    }
                    let Constant::Int { value, .. } = self.parser.constant(width)? else {
                        return Err(self.parser.wrong("expected a number of at most 64 bits".to_owned()));
                    };
                    self.parser.mark("=>")?;
                    cases.push((value, self.edge()?));
                }
                self.parser.keyword("else")?;
                let default = self.edge()?;
                Inst::Switch { switch: self.table(width, value, cases, default) }
            }
            "indirectjump" => {
                let target = self.pointer()?;
                self.parser.mark("{")?;
                let mut cases = Vec::new();
                loop {
                    let edge = self.edge()?;
                    cases.push((u64::from(self.function.edge(edge).target.0), edge));
                    if !self.parser.eat_mark(",") {
                        self.parser.mark("}")?;
                        break Inst::IndirectJump {
                            target,
                            switch: self.table(self.pointer_width(), target, cases, edge),
                        };
                    }
                }
            }
            "return" => {
                let mut values = Vec::new();
                for (i, width) in self.function.result.clone().into_iter().enumerate() {
                    if i > 0 {
                        self.parser.mark(",")?;
                    }
                    values.push(self.operand(width)?);
                }
                self.function.returns.push(values);
                Inst::Return { ret: u32::try_from(self.function.returns.len() - 1).unwrap_or(u32::MAX) }
            }
            "unreachable" => Inst::Unreachable,
            "unsupported" => {
                let text = self.parser.quoted("what is not supported, in quotes")?;
                let Parser { unsupported, program, .. } = &mut *self.parser;
                let next = u32::try_from(program.unsupported.len()).unwrap_or(u32::MAX);
                let what = *unsupported.entry(text).or_insert_with_key(|text| {
                    program.unsupported.push(text.clone());
                    next
                });
                Inst::Unsupported { what }
            }
            _ => return Err(self.unknown_word(NO_INSTRUCTION)),
        })
    }

    fn table(&mut self, width: u32, value: Operand, cases: Vec<(u64, EdgeId)>, default: EdgeId) -> SwitchId {
        self.function.switches.push(Switch { width, value, cases: cases.into_boxed_slice(), default });
        SwitchId::new(self.function.switches.len() - 1)
    }
}
