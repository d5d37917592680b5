//! The text form of programs: for people, for expectation tests, and for programs that are written
//! by hand (`.eir`). [`parse`](crate::parse()) reads it back.
//!
//! ```text
//! target "x86_64-pc-linux-gnu" 64        // triple, width of pointers; may be left out
//! packed addresses                        // `Program::packs_addresses`
//! left_out assembly                      // `Program::left_out`; or section ".init_array"
//! file0 = "a.c"
//! constructors @f @g                     // and destructors
//! constant @text size 4 align 1 = 0: "abc\x00"
//! global @table size 24 align 8 = 0: i64 @f, 8: i64 (add i64 @text, 1), 16: undef 8
//! declare @puts(%0: i64) -> i32
//!
//! fn @f(%0: i32 x, %1: i64 byval(16, align 8) s) -> i32, f64 runtime address_taken  !file0:3:5
//!   registers %9: i64                    // those that nothing writes
//!   loop bb1 (%2: signed i) names(i, x)  !7:3
//! bb0:
//!   %3 = add i32 %0, -1  !4:7
//!   %4 = alloca 4 * 1 align 4 scalar scoped "v" declared !5:0
//!   passed !6:2                          // a place that has no instruction of its own
//!   jump bb1 [%2 = i32 %3, %5 = i64 @table]
//! ```
//!
//! - Registers have the widths that their first writer gives them; `%0` and on are the parameters.
//!   A type is `i` and a number of bits, or `f` and a number of bits where it matters that a float
//!   is passed.
//! - Constants are written where they are used, as signed numbers; functions and globals by name
//!   (`@main`, `@"odd name"`), blocks of functions as `@f/bb2`. Names that do not tell what is
//!   meant have a number: `@x#g3`.
//! - The copies of an edge are in brackets after its target, in the order in which they are
//!   executed.
//! - Stack objects are numbered by their allocas: `%4 = live alloca0`, `dead alloca0`.
//! - A location is `!file:line:column`; the file may be left out if it is that of the function's
//!   own location.
//! - Comments begin with `//`. An instruction, a global, a declaration each begin on a line of
//!   their own.
//!
//! Where a number is missing in a malformed program, the text has `<no …>`, which is not read back.

use crate::{
    CallSite, Callee, ConstExpr, Constant, EdgeId, FCastOp, Floats, FuncId, Function, Global, GlobalId, InitPiece,
    Inst, LeftOut, Loc, LoopSite, Operand, Param, Pointee, Program, Reg, Switch, VarArgValue,
};
use espalier_base::bits::signed;
use std::fmt::{self, Display, Formatter};

/// Displays one function; see [`Function::display`].
pub struct FunctionText<'a> {
    program: &'a Program,
    function: &'a Function,
}

/// Displays one instruction; see [`Function::display_inst`].
pub struct InstText<'a> {
    program: &'a Program,
    function: &'a Function,
    inst: &'a Inst,
}

/// Displays one constant; see [`Program::display_constant`].
pub struct ConstantText<'a> {
    program: &'a Program,
    constant: &'a Constant,
}

/// Displays a location as `file:line:column`; see [`Program::display_loc`].
pub struct LocText<'a> {
    program: &'a Program,
    loc: Loc,
}

impl Function {
    /// The function's text form.
    pub fn display<'a>(&'a self, program: &'a Program) -> FunctionText<'a> {
        FunctionText { program, function: self }
    }

    /// The text form of one of its instructions.
    pub fn display_inst<'a>(&'a self, program: &'a Program, inst: &'a Inst) -> InstText<'a> {
        InstText { program, function: self, inst }
    }
}

impl Function {
    /// Is it the number 0?
    fn is_zero(&self, operand: Operand) -> bool {
        let constant = operand.as_const().and_then(|id| self.constants.get(id.index()));
        matches!(constant, Some(Constant::Int { value: 0, .. }))
    }
}

impl Program {
    pub fn display_constant<'a>(&'a self, constant: &'a Constant) -> ConstantText<'a> {
        ConstantText { program: self, constant }
    }

    pub fn display_loc(&self, loc: Loc) -> LocText<'_> {
        LocText { program: self, loc }
    }
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "target {} {}", Quoted(self.target.triple.as_bytes()), self.target.pointer_width)?;
        if self.packs_addresses {
            writeln!(f, "packed addresses")?;
        }
        for left_out in &self.left_out {
            match left_out {
                LeftOut::Assembly => writeln!(f, "left_out assembly")?,
                LeftOut::Section(name) => writeln!(f, "left_out section {}", Quoted(name.as_bytes()))?,
            }
        }
        for (i, file) in self.files.iter().enumerate() {
            writeln!(f, "file{i} = {}", Quoted(file.as_bytes()))?;
        }
        for (what, list) in [("constructors", &self.constructors), ("destructors", &self.destructors)] {
            if !list.is_empty() {
                write!(f, "{what}")?;
                for id in list {
                    write!(f, " {}", FunctionName(self, *id))?;
                }
                writeln!(f)?;
            }
        }
        for (i, pointee) in self.pointees.iter().enumerate() {
            write_pointee(f, i, pointee)?;
        }
        let mut assigned: Vec<(&Loc, &String)> = self.assigned_names.iter().collect();
        assigned.sort();
        for (loc, name) in assigned {
            writeln!(f, "assigned {} {}", WholeLoc(*loc), Name(name))?;
        }
        self.write_aliases(f)?;
        if !self.globals.is_empty() {
            writeln!(f)?;
        }
        for (i, global) in self.globals.iter().enumerate() {
            write_global(f, self, GlobalId::new(i), global)?;
        }
        for function in &self.functions {
            write!(f, "\n{}", function.display(self))?;
        }
        Ok(())
    }
}

impl Program {
    /// Names that stand for functions and globals that have other names.
    fn write_aliases(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut aliases: Vec<(&str, String)> = Vec::new();
        for (name, &id) in &self.function_names {
            if self.functions.get(id.index()).is_some_and(|function| function.name != *name) {
                aliases.push((name, FunctionName(self, id).to_string()));
            }
        }
        for (name, &id) in &self.global_names {
            if self.globals.get(id.index()).is_some_and(|global| global.name != *name) {
                aliases.push((name, GlobalName(self, id).to_string()));
            }
        }
        aliases.sort();
        aliases.into_iter().try_for_each(|(name, of)| writeln!(f, "alias {} = {of}", AtName(name)))
    }
}

/// What words are made of; they do not begin with a digit or a dot, unless `@` is before them.
pub(crate) fn is_word_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')
}

/// A name: as it is if it is a word, else in quotes.
struct Name<'a>(&'a str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let is_word = self.0.chars().all(is_word_char) && !self.0.starts_with(|c: char| c.is_ascii_digit() || c == '.');
        if is_word && !self.0.is_empty() { f.write_str(self.0) } else { write!(f, "{}", Quoted(self.0.as_bytes())) }
    }
}

/// The name of a function or global, with its `@`.
struct AtName<'a>(&'a str);

impl Display for AtName<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.chars().all(is_word_char) && !self.0.is_empty() {
            write!(f, "@{}", self.0)
        } else {
            write!(f, "@{}", Quoted(self.0.as_bytes()))
        }
    }
}

/// Bytes in quotes, all of them.
struct Quoted<'a>(&'a [u8]);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

/// A function where it is meant: `@f`, with its number where its name alone does not lead there.
struct FunctionName<'a>(&'a Program, FuncId);

impl Display for FunctionName<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(program, id) = *self;
        let Some(function) = program.functions.get(id.index()) else { return write!(f, "<no function {id}>") };
        write!(f, "{}", AtName(&function.name))?;
        let leads_here = program.function_names.get(&function.name) == Some(&id);
        if leads_here && !program.global_names.contains_key(&function.name) { Ok(()) } else { write!(f, "#{id}") }
    }
}

/// The same for a global.
struct GlobalName<'a>(&'a Program, GlobalId);

impl Display for GlobalName<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(program, id) = *self;
        let Some(global) = program.globals.get(id.index()) else { return write!(f, "<no global {id}>") };
        write!(f, "{}", AtName(&global.name))?;
        let leads_here = program.global_names.get(&global.name) == Some(&id);
        if leads_here && !program.function_names.contains_key(&global.name) { Ok(()) } else { write!(f, "#{id}") }
    }
}

/// A location with its file, as the text form has it.
struct WholeLoc(Loc);

impl Display for WholeLoc {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Loc { file, line, column } = self.0;
        write!(f, "!{file}:{line}:{column}")
    }
}

/// A location in a function: without its file if it is that of the function's own.
struct ShortLoc<'a>(&'a Function, Loc);

impl Display for ShortLoc<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(function, loc) = *self;
        if loc.file == function.loc.file && function.loc != Loc::UNKNOWN {
            write!(f, "!{}:{}", loc.line, loc.column)
        } else {
            write!(f, "{}", WholeLoc(loc))
        }
    }
}

/// A type: bits, and whether they are a float.
struct Type(u32, bool);

impl Type {
    fn of(floats: u64, index: usize, width: u32) -> Type {
        Type(width, index < 64 && floats >> index & 1 == 1)
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.1 { 'f' } else { 'i' }, self.0)
    }
}

/// What stands between the elements of a list, before number `i`.
fn comma(i: usize) -> &'static str {
    if i == 0 { "" } else { ", " }
}

fn write_pointee(f: &mut Formatter<'_>, index: usize, pointee: &Pointee) -> fmt::Result {
    write!(f, "pointee{index} = size {}{}", pointee.size, if pointee.is_char { " char" } else { "" })?;
    for (i, member) in pointee.pointers.iter().enumerate() {
        let path = Quoted(member.path.as_bytes());
        write!(f, "{}{}: {path} pointee{}", if i == 0 { " { " } else { ", " }, member.offset, member.pointee)?;
    }
    writeln!(f, "{}", if pointee.pointers.is_empty() { "" } else { " }" })
}

fn write_global(f: &mut Formatter<'_>, program: &Program, id: GlobalId, global: &Global) -> fmt::Result {
    write!(f, "{} {}", if global.is_constant { "constant" } else { "global" }, GlobalName(program, id))?;
    let is_hidden = program.global_names.get(&global.name) != Some(&id);
    let attributes = [
        (global.is_external, "external"),
        (global.is_scalar, "scalar"),
        (global.is_integer, "integer"),
        (is_hidden, "hidden"),
    ];
    write_attributes(f, &attributes)?;
    write!(f, " size {} align {}", global.size, global.align)?;
    for (i, piece) in global.init.iter().enumerate() {
        write!(f, "{}", if i == 0 { " = " } else { ", " })?;
        match piece {
            InitPiece::Bytes { offset, bytes } => write!(f, "{offset}: {}", Bytes(bytes))?,
            InitPiece::Value { offset, width, value } => {
                write!(f, "{offset}: i{width} {}", program.display_constant(value))?
            }
            InitPiece::Undef { offset, size } => write!(f, "{offset}: undef {size}")?,
        }
    }
    if global.loc != Loc::UNKNOWN {
        write!(f, "  {}", WholeLoc(global.loc))?;
    }
    writeln!(f)
}

fn write_attributes(f: &mut Formatter<'_>, attributes: &[(bool, &str)]) -> fmt::Result {
    attributes.iter().filter(|(is_set, _)| *is_set).try_for_each(|(_, word)| write!(f, " {word}"))
}

/// Bytes as text when they are printable, else in hexadecimal.
struct Bytes<'a>(&'a [u8]);

impl Display for Bytes<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = self.0.strip_suffix(b"\0").unwrap_or(self.0);
        let is_text = text.len() > 1 && text.iter().all(|b| b.is_ascii_graphic() || matches!(b, b' ' | b'\n' | b'\t'));
        if is_text {
            return write!(f, "{}", Quoted(self.0));
        }
        write!(f, "x\"")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        write!(f, "\"")
    }
}

impl Display for LocText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.program.file_name(self.loc.file), self.loc.line)?;
        if self.loc.column != 0 {
            write!(f, ":{}", self.loc.column)?;
        }
        Ok(())
    }
}

impl Display for FunctionText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { program, function } = *self;
        self.write_signature(f)?;
        if function.is_declaration() {
            return Ok(());
        }
        self.write_registers(f)?;
        function.loops.iter().try_for_each(|site| write_loop(f, function, site))?;
        let mut passed = function.passed.iter().peekable();
        for (i, block) in function.blocks.iter().enumerate() {
            writeln!(f, "bb{i}:")?;
            for index in block.start..block.end {
                while let Some((_, loc)) = passed.next_if(|(pc, _)| *pc == index) {
                    writeln!(f, "  passed {}", ShortLoc(function, *loc))?;
                }
                let Some(inst) = function.code.get(index as usize) else {
                    writeln!(f, "  <no instruction {index}>")?;
                    continue;
                };
                write!(f, "  {}", function.display_inst(program, inst))?;
                if let Some(loc) = function.locs.get(index as usize).filter(|loc| **loc != Loc::UNKNOWN) {
                    write!(f, "  {}", ShortLoc(function, *loc))?;
                }
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

impl FunctionText<'_> {
    fn write_signature(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { program, function } = *self;
        let index = program.functions.iter().position(|other| std::ptr::eq(other, function));
        let listed = program.function_named(&function.name);
        let id = index.map(FuncId::new).or(listed);
        write!(f, "{} ", if function.is_declaration() { "declare" } else { "fn" })?;
        match id {
            Some(id) => write!(f, "{}(", FunctionName(program, id))?,
            None => write!(f, "{}(", AtName(&function.name))?,
        }
        for (i, param) in function.params.iter().enumerate() {
            let Param { width, name, by_value, pointee } = param;
            write!(f, "{}%{i}: {}", comma(i), Type::of(function.floats.args, i, *width))?;
            if let Some((size, align)) = by_value {
                write!(f, " byval({size}, align {align})")?;
            }
            if let Some(pointee) = pointee {
                write!(f, " pointee({pointee})")?;
            }
            if !name.is_empty() {
                write!(f, " {}", Name(name))?;
            }
        }
        if function.is_variadic {
            write!(f, "{}...", comma(function.params.len()))?;
        }
        write!(f, ")")?;
        for (i, width) in function.result.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { " -> " } else { ", " }, Type::of(function.floats.result, i, *width))?;
        }
        let is_hidden = id.is_some() && listed != id;
        let attributes =
            [(function.is_runtime, "runtime"), (function.address_taken, "address_taken"), (is_hidden, "hidden")];
        write_attributes(f, &attributes)?;
        if function.loc != Loc::UNKNOWN {
            write!(f, "  {}", WholeLoc(function.loc))?;
        }
        writeln!(f)
    }

    /// The registers whose widths follow from nothing else.
    fn write_registers(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let function = self.function;
        let mut is_written = vec![false; function.regs.len()];
        let mut note = |reg: Reg| {
            if let Some(is_written) = is_written.get_mut(reg.index()) {
                *is_written = true;
            }
        };
        (0..function.entry_registers()).for_each(|reg| note(Reg::new(reg)));
        for &inst in &function.code {
            match inst {
                Inst::Call { call } => {
                    function.calls.get(call.index()).into_iter().flat_map(|site| &site.dsts).for_each(|dst| note(*dst));
                }
                mut inst => inst.dst_mut().into_iter().for_each(|dst| note(*dst)),
            }
        }
        function.edges.iter().flat_map(|edge| &edge.copies).for_each(|(dst, _)| note(*dst));
        let unwritten = (0..is_written.len()).filter(|&reg| !is_written[reg]);
        let mut count = 0;
        for reg in unwritten {
            let start = if count == 0 { "  registers " } else { ", " };
            write!(f, "{start}%{reg}: i{}", function.regs[reg])?;
            count += 1;
        }
        if count > 0 { writeln!(f) } else { Ok(()) }
    }
}

fn write_loop(f: &mut Formatter<'_>, function: &Function, site: &LoopSite) -> fmt::Result {
    write!(f, "  loop {} (", site.head)?;
    for (i, variable) in site.variables.iter().enumerate() {
        let sign = if variable.is_signed { "signed" } else { "unsigned" };
        write!(f, "{}{}: {sign} {}", comma(i), variable.reg, Name(&variable.name))?;
    }
    write!(f, ") names(")?;
    for (i, name) in site.names.iter().enumerate() {
        write!(f, "{}{}", comma(i), Name(name))?;
    }
    writeln!(f, ")  {}", ShortLoc(function, site.loc))
}

impl Display for InstText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let op = |operand: Operand| OperandText { program: self.program, function: self.function, operand };
        let edge = |edge: EdgeId| EdgeText { program: self.program, function: self.function, edge };
        let ptr = self.program.target.pointer_width;
        match *self.inst {
            Inst::Bin { op: o, width, dst, a, b } => write!(f, "{dst} = {} i{width} {}, {}", o.word(), op(a), op(b)),
            Inst::Un { op: o, width, dst, a } => write!(f, "{dst} = {} i{width} {}", o.word(), op(a)),
            Inst::Cmp { op: o, width, dst, a, b } => write!(f, "{dst} = {} i{width} {}, {}", o.word(), op(a), op(b)),
            Inst::Cast { op: o, from, to, dst, a } => write!(f, "{dst} = {} i{from} {} to i{to}", o.word(), op(a)),
            Inst::Select { width, dst, cond, a, b } => {
                write!(f, "{dst} = select i{width} {} ? {} : {}", op(cond), op(a), op(b))
            }
            Inst::Copy { width, dst, a } => write!(f, "{dst} = copy i{width} {}", op(a)),
            Inst::Freeze { width, dst, a } => write!(f, "{dst} = freeze i{width} {}", op(a)),
            Inst::PtrAdd { dst, base, index, scale, offset } => {
                write!(f, "{dst} = ptradd {}", op(base))?;
                if scale != 0 || !self.function.is_zero(index) {
                    write!(f, " + {} * {scale}", op(index))?;
                }
                if offset != 0 {
                    write!(f, " {} {}", if offset < 0 { '-' } else { '+' }, offset.unsigned_abs())?;
                }
                Ok(())
            }
            Inst::Load { width, dst, ptr, looks } => {
                let number = if looks { "number " } else { "" };
                write!(f, "{dst} = load {number}i{width} [{}]", op(ptr))
            }
            Inst::Store { width, value, ptr } => {
                write!(f, "store i{width} {} to [{}]", op(value), op(ptr))
            }
            Inst::LifeStart { dst, site } => write!(f, "{dst} = live {site}"),
            Inst::LifeEnd { site } => write!(f, "dead {site}"),
            Inst::PointerPair { a, b, asks } => write!(f, "pair {}, {} {}", op(a), op(b), asks.word()),
            Inst::AddressNumber { a, mask } => write!(f, "address {} & {mask:#x}", op(a)),
            Inst::NumberPair { a, b, asks } => write!(f, "numbers {}, {} {}", op(a), op(b), asks.word()),
            Inst::Unknown { width, dst } => write!(f, "{dst} = unknown i{width}"),
            Inst::Alloca { dst, site, count } => {
                let Some(site) = self.function.allocas.get(site.index()) else {
                    return write!(f, "{dst} = alloca <no site {site}>");
                };
                write!(f, "{dst} = alloca {} * {} align {}", site.element_size, op(count), site.align)?;
                if site.is_scalar {
                    write!(f, " scalar")?;
                }
                if site.is_scoped {
                    write!(f, " scoped")?;
                }
                if !site.name.is_empty() {
                    write!(f, " {}", Quoted(site.name.as_bytes()))?;
                }
                if site.loc != Loc::UNKNOWN {
                    write!(f, " declared {}", ShortLoc(self.function, site.loc))?;
                }
                Ok(())
            }
            Inst::StackSave { dst } => write!(f, "{dst} = stacksave"),
            Inst::StackRestore { a } => write!(f, "stackrestore {}", op(a)),
            Inst::MemCpy { dst, src, len } => write!(f, "memcpy [{}] from [{}], i{ptr} {}", op(dst), op(src), op(len)),
            Inst::MemMove { dst, src, len } => {
                write!(f, "memmove [{}] from [{}], i{ptr} {}", op(dst), op(src), op(len))
            }
            Inst::MemSet { dst, byte, len } => {
                write!(f, "memset [{}] with i8 {}, i{ptr} {}", op(dst), op(byte), op(len))
            }
            Inst::FBin { op: o, kind, dst, a, b } => {
                write!(f, "{dst} = {} {} {}, {}", o.word(), kind.word(), op(a), op(b))
            }
            Inst::FUn { op: o, kind, dst, a } => write!(f, "{dst} = {} {} {}", o.word(), kind.word(), op(a)),
            Inst::FMulAdd { kind, fused, dst, a, b, c } => {
                let name = if fused { "fma" } else { "fmuladd" };
                write!(f, "{dst} = {name} {} {} * {} + {}", kind.word(), op(a), op(b), op(c))
            }
            Inst::FCmp { op: o, kind, dst, a, b } => {
                write!(f, "{dst} = fcmp {} {} {}, {}", o.word(), kind.word(), op(a), op(b))
            }
            Inst::FCast { op: o, dst, a } => write_fcast(f, o, dst, op(a)),
            Inst::Call { call } => match self.function.calls.get(call.index()) {
                Some(site) => write_call(f, self.program, self.function, site),
                None => write!(f, "call <no site {call}>"),
            },
            Inst::VaStart { list, area } => write!(f, "va_start [{}], {}", op(list), op(area)),
            Inst::VaCopy { dst, src } => write!(f, "va_copy [{}] from [{}]", op(dst), op(src)),
            Inst::Assume { cond } => write!(f, "assume {}", op(cond)),
            Inst::Trap => write!(f, "trap"),
            Inst::Target { index } => write!(f, "target {index}"),
            Inst::Jump { edge: e } => write!(f, "jump {}", edge(e)),
            Inst::Branch { cond, then, otherwise } => {
                write!(f, "branch {} ? {} : {}", op(cond), edge(then), edge(otherwise))
            }
            Inst::Switch { switch } => match self.function.switches.get(switch.index()) {
                Some(table) => {
                    write!(f, "switch i{} {}", table.width, op(table.value))?;
                    write_cases(f, table, &edge)?;
                    write!(f, " else {}", edge(table.default))
                }
                None => write!(f, "switch <no table {switch}>"),
            },
            Inst::IndirectJump { target, switch } => {
                write!(f, "indirectjump {}", op(target))?;
                match self.function.switches.get(switch.index()) {
                    Some(table) => {
                        for (i, (_, target)) in table.cases.iter().enumerate() {
                            write!(f, "{}{}", if i == 0 { " { " } else { ", " }, edge(*target))?;
                        }
                        write!(f, " }}")
                    }
                    None => write!(f, " <no table {switch}>"),
                }
            }
            Inst::Return { ret } => {
                write!(f, "return")?;
                match self.function.returns.get(ret as usize) {
                    Some(values) => values
                        .iter()
                        .enumerate()
                        .try_for_each(|(i, value)| write!(f, "{} {}", if i == 0 { "" } else { "," }, op(*value))),
                    None => write!(f, " <no values {ret}>"),
                }
            }
            Inst::Unreachable => write!(f, "unreachable"),
            Inst::Unsupported { what } => {
                let text = self.program.unsupported.get(what as usize).map_or("<no description>", String::as_str);
                write!(f, "unsupported {}", Quoted(text.as_bytes()))
            }
        }
    }
}

struct OperandText<'a> {
    program: &'a Program,
    function: &'a Function,
    operand: Operand,
}

impl Display for OperandText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.operand.as_reg() {
            Some(reg) => write!(f, "{reg}"),
            None => match self.function.constants.get(self.operand.index()) {
                Some(constant) => write!(f, "{}", self.program.display_constant(constant)),
                None => write!(f, "<no constant {:?}>", self.operand),
            },
        }
    }
}

struct EdgeText<'a> {
    program: &'a Program,
    function: &'a Function,
    edge: EdgeId,
}

impl Display for EdgeText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Some(edge) = self.function.edges.get(self.edge.index()) else {
            return write!(f, "<no edge {}>", self.edge);
        };
        write!(f, "{}", edge.target)?;
        for (i, (dst, src)) in edge.copies.iter().enumerate() {
            let source = OperandText { program: self.program, function: self.function, operand: *src };
            let width = self.function.regs.get(dst.index()).copied().unwrap_or(0);
            write!(f, "{}{dst} = i{width} {source}", if i == 0 { " [" } else { ", " })?;
        }
        if !edge.copies.is_empty() {
            write!(f, "]")?;
        }
        Ok(())
    }
}

impl Display for ConstantText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let c = |constant| ConstantText { program: self.program, constant };
        match self.constant {
            Constant::Int { value, width } => write!(f, "{}", as_written(*value, *width)),
            Constant::Wide { value, .. } => write!(f, "{value:#x}"),
            Constant::Undef { .. } => write!(f, "undef"),
            Constant::Global(id) => write!(f, "{}", GlobalName(self.program, *id)),
            Constant::Function(id) => write!(f, "{}", FunctionName(self.program, *id)),
            Constant::Block(function, block) => write!(f, "{}/{block}", FunctionName(self.program, *function)),
            Constant::Expr(expr) => match &**expr {
                ConstExpr::Bin { op, width, a, b } => {
                    write!(f, "({} i{width} {}, {})", op.word(), c(a), c(b))
                }
                ConstExpr::Cmp { op, width, a, b } => {
                    write!(f, "({} i{width} {}, {})", op.word(), c(a), c(b))
                }
                ConstExpr::Cast { op, from, to, a } => {
                    write!(f, "({} i{from} {} to i{to})", op.word(), c(a))
                }
                ConstExpr::Select { width, cond, a, b } => {
                    write!(f, "(select i{width} {} ? {} : {})", c(cond), c(a), c(b))
                }
            },
        }
    }
}

/// The value as a signed number of its width, except for single bits.
fn as_written(value: u64, width: u32) -> i128 {
    if (2..=64).contains(&width) { signed(value, width).into() } else { value.into() }
}

fn write_cases<'a>(f: &mut Formatter<'_>, table: &Switch, edge: &dyn Fn(EdgeId) -> EdgeText<'a>) -> fmt::Result {
    write!(f, " {{")?;
    for (i, (value, target)) in table.cases.iter().enumerate() {
        write!(f, "{}{} => {}", if i == 0 { " " } else { ", " }, as_written(*value, table.width), edge(*target))?;
    }
    write!(f, " }}")
}

fn write_call(f: &mut Formatter<'_>, program: &Program, function: &Function, site: &CallSite) -> fmt::Result {
    let op = |operand: Operand| OperandText { program, function, operand };
    let Floats { args, result } = site.floats;
    for (i, dst) in site.dsts.iter().enumerate() {
        write!(f, "{}{dst}", comma(i))?;
    }
    write!(f, "{}", if site.dsts.is_empty() { "call" } else { " = call" })?;
    for (i, dst) in site.dsts.iter().enumerate() {
        let width = function.regs.get(dst.index()).copied().unwrap_or(0);
        write!(f, "{}{}", if i == 0 { " " } else { ", " }, Type::of(result, i, width))?;
    }
    match site.callee {
        Callee::Direct(id) => write!(f, " {}(", FunctionName(program, id))?,
        Callee::Indirect(target) => write!(f, " [{}](", op(target))?,
    }
    for (i, (arg, width)) in site.args.iter().zip(&site.arg_widths).enumerate() {
        write!(f, "{}{} {}", comma(i), Type::of(args, i, *width), op(*arg))?;
    }
    if !site.varargs.is_empty() {
        write!(f, " ...")?;
    }
    for (i, arg) in site.varargs.iter().enumerate() {
        write!(f, "{}", if i == 0 { "" } else { "," })?;
        match &arg.value {
            VarArgValue::Pieces(pieces) => {
                for (offset, width, value) in pieces {
                    if *offset != 0 {
                        write!(f, " {offset}:")?;
                    }
                    write!(f, " i{width} {}", op(*value))?;
                }
            }
            VarArgValue::ByValue(from) => write!(f, " byval [{}]", op(*from))?,
        }
        write!(f, " ({}, align {})", arg.size, arg.align)?;
    }
    write!(f, ")")?;
    if site.result_used == site.dsts.is_empty() { write!(f, " unread") } else { Ok(()) }
}

fn write_fcast(f: &mut Formatter<'_>, op: FCastOp, dst: Reg, a: OperandText<'_>) -> fmt::Result {
    match op {
        FCastOp::FToF { from, to } => write!(f, "{dst} = fcast {} {a} to {}", from.word(), to.word()),
        FCastOp::FToSi { from, to } => write!(f, "{dst} = ftosi {} {a} to i{to}", from.word()),
        FCastOp::FToUi { from, to } => write!(f, "{dst} = ftoui {} {a} to i{to}", from.word()),
        FCastOp::SiToF { from, to } => write!(f, "{dst} = sitof i{from} {a} to {}", to.word()),
        FCastOp::UiToF { from, to } => write!(f, "{dst} = uitof i{from} {a} to {}", to.word()),
    }
}
