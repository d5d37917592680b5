//! The text form of programs, for people: debugging, expectation tests, `--dump-ir`.
//!
//! Constants are written where they are used (`add i32 %3, 1`), functions and globals by name (`@main`), copies of an edge in brackets
//! after the edge's target (`jump bb2 [%7 = %3, %8 = 0]`) and source locations as a comment at the end of the first instruction of each
//! line. Nothing reads this form back.

use crate::{
    BinOp, CallSite, Callee, CastOp, CmpOp, ConstExpr, Constant, EdgeId, FBinOp, FCastOp, FCmpOp, FUnOp, FloatKind,
    Function, Global, InitPiece, Inst, Loc, Operand, Program, Switch, UnOp, VarArgValue,
};
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
        writeln!(f, "target {} ({}-bit)", self.target.triple, self.target.pointer_width)?;
        for (what, list) in [("constructors", &self.constructors), ("destructors", &self.destructors)] {
            if !list.is_empty() {
                write!(f, "{what}")?;
                for id in list {
                    write!(f, " @{}", name_of(self, id.index()))?;
                }
                writeln!(f)?;
            }
        }
        if !self.globals.is_empty() {
            writeln!(f)?;
        }
        for global in &self.globals {
            write_global(f, self, global)?;
        }
        for function in &self.functions {
            write!(f, "\n{}", function.display(self))?;
        }
        Ok(())
    }
}

fn name_of(program: &Program, function: usize) -> &str {
    program.functions.get(function).map_or("<no such function>", |f| f.name.as_str())
}

fn write_global(f: &mut Formatter<'_>, program: &Program, global: &Global) -> fmt::Result {
    let kind = if global.is_constant { "constant" } else { "global" };
    let external = if global.is_external { " external" } else { "" };
    let scalar = if global.is_scalar { " scalar" } else { "" };
    write!(f, "{kind} @{}{external}{scalar} size {} align {}", global.name, global.size, global.align)?;
    for (i, piece) in global.init.iter().enumerate() {
        write!(f, "{}", if i == 0 { " = " } else { ", " })?;
        match piece {
            InitPiece::Bytes { offset, bytes } => write!(f, "{offset}: {}", Bytes(bytes))?,
            InitPiece::Value { offset, width, value } => {
                write!(f, "{offset}: i{width} {}", program.display_constant(value))?
            }
            InitPiece::Undef { offset, size } => write!(f, "{offset}: undef({size} bytes)")?,
        }
    }
    if global.loc.is_known() {
        write!(f, "  ; {}", program.display_loc(global.loc))?;
    }
    writeln!(f)
}

/// Bytes as text when they are printable, else in hexadecimal; long ones are cut.
struct Bytes<'a>(&'a [u8]);

impl Display for Bytes<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        const MAX: usize = 64;
        let shown = &self.0[..self.0.len().min(MAX)];
        let text = shown.strip_suffix(b"\0").unwrap_or(shown);
        let is_text = text.len() > 1 && text.iter().all(|b| b.is_ascii_graphic() || matches!(b, b' ' | b'\n' | b'\t'));
        if is_text {
            write!(f, "\"{}\"", shown.escape_ascii())?;
        } else {
            for (i, byte) in shown.iter().enumerate() {
                write!(f, "{}{byte:02x}", if i == 0 { "" } else { " " })?;
            }
        }
        if self.0.len() > MAX {
            write!(f, "… ({} bytes)", self.0.len())?;
        }
        Ok(())
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
        write!(f, "{} @{}(", if function.is_declaration() { "declare" } else { "fn" }, function.name)?;
        for (i, param) in function.params.iter().enumerate() {
            write!(f, "{}%{i}: i{}", if i == 0 { "" } else { ", " }, param.width)?;
            if let Some((size, align)) = param.by_value {
                write!(f, " byval({size}, align {align})")?;
            }
            if !param.name.is_empty() {
                write!(f, " {}", param.name)?;
            }
        }
        if function.is_variadic {
            write!(f, "{}...", if function.params.is_empty() { "" } else { ", " })?;
        }
        write!(f, ")")?;
        for (i, width) in function.result.iter().enumerate() {
            write!(f, "{}i{width}", if i == 0 { " -> " } else { ", " })?;
        }
        if function.is_runtime {
            write!(f, " runtime")?;
        }
        if function.loc.is_known() {
            write!(f, "  ; {}", program.display_loc(function.loc))?;
        }
        writeln!(f)?;
        let mut last_line = (u32::MAX, 0);
        for (i, block) in function.blocks.iter().enumerate() {
            writeln!(f, "bb{i}:")?;
            for index in block.start as usize..block.end as usize {
                let Some(inst) = function.code.get(index) else {
                    writeln!(f, "  <no instruction {index}>")?;
                    continue;
                };
                write!(f, "  {}", function.display_inst(program, inst))?;
                if let Some(loc) = function.locs.get(index).filter(|loc| loc.is_known())
                    && last_line != (loc.file.0, loc.line)
                {
                    write!(f, "  ; {}", program.display_loc(*loc))?;
                    last_line = (loc.file.0, loc.line);
                }
                writeln!(f)?;
            }
        }
        Ok(())
    }
}

impl Display for InstText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let op = |operand: Operand| OperandText { program: self.program, function: self.function, operand };
        let edge = |edge: EdgeId| EdgeText { program: self.program, function: self.function, edge };
        let ptr = self.program.target.pointer_width;
        match *self.inst {
            Inst::Bin { op: o, width, dst, a, b } => write!(f, "{dst} = {} i{width} {}, {}", bin_name(o), op(a), op(b)),
            Inst::Un { op: o, width, dst, a } => write!(f, "{dst} = {} i{width} {}", un_name(o), op(a)),
            Inst::Cmp { op: o, width, dst, a, b } => write!(f, "{dst} = {} i{width} {}, {}", cmp_name(o), op(a), op(b)),
            Inst::Cast { op: o, from, to, dst, a } => write!(f, "{dst} = {} i{from} {} to i{to}", cast_name(o), op(a)),
            Inst::Select { width, dst, cond, a, b } => {
                write!(f, "{dst} = select i{width} {} ? {} : {}", op(cond), op(a), op(b))
            }
            Inst::Copy { width, dst, a } => write!(f, "{dst} = copy i{width} {}", op(a)),
            Inst::Freeze { width, dst, a } => write!(f, "{dst} = freeze i{width} {}", op(a)),
            Inst::PtrAdd { dst, base, index, scale, offset } => {
                write!(f, "{dst} = ptradd {}", op(base))?;
                if scale != 0 {
                    write!(f, " + {} * {scale}", op(index))?;
                }
                if offset != 0 {
                    write!(f, " {} {}", if offset < 0 { '-' } else { '+' }, offset.unsigned_abs())?;
                }
                Ok(())
            }
            Inst::Load { width, dst, ptr } => write!(f, "{dst} = load i{width} [{}]", op(ptr)),
            Inst::Store { width, value, ptr } => {
                write!(f, "store i{width} {} to [{}]", op(value), op(ptr))
            }
            Inst::LifeStart { dst, site } => write!(f, "{dst} = live {site}"),
            Inst::LifeEnd { site } => write!(f, "dead {site}"),
            Inst::PointerPair { a, b, asks } => write!(f, "pair {}, {} {asks:?}", op(a), op(b)),
            Inst::AddressNumber { a, mask } => write!(f, "address {} & {mask:#x}", op(a)),
            Inst::MaybeAddress { a, b: None } => write!(f, "maybe address {}", op(a)),
            Inst::MaybeAddress { a, b: Some(b) } => write!(f, "maybe address {}, {}", op(a), op(b)),
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
                    write!(f, " \"{}\"", site.name)?;
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
                write!(f, "{dst} = {} {} {}, {}", fbin_name(o), kind_name(kind), op(a), op(b))
            }
            Inst::FUn { op: o, kind, dst, a } => write!(f, "{dst} = {} {} {}", fun_name(o), kind_name(kind), op(a)),
            Inst::FMulAdd { kind, fused, dst, a, b, c } => {
                let name = if fused { "fma" } else { "fmuladd" };
                write!(f, "{dst} = {name} {} {} * {} + {}", kind_name(kind), op(a), op(b), op(c))
            }
            Inst::FCmp { op: o, kind, dst, a, b } => {
                write!(f, "{dst} = fcmp {} {} {}, {}", fcmp_name(o), kind_name(kind), op(a), op(b))
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
                    Some(table) => write_cases(f, table, &edge),
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
                write!(f, "unsupported: {text}")
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
            write!(f, "{}{dst} = {source}", if i == 0 { " [" } else { ", " })?;
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
            Constant::Int { value, width } => write!(f, "{}", signed(*value, *width)),
            Constant::Wide { value, .. } => write!(f, "{value:#x}"),
            Constant::Undef { .. } => write!(f, "undef"),
            Constant::Global(id) => match self.program.globals.get(id.index()) {
                Some(global) => write!(f, "@{}", global.name),
                None => write!(f, "<no global {id}>"),
            },
            Constant::Function(id) => write!(f, "@{}", name_of(self.program, id.index())),
            Constant::Block(function, block) => {
                write!(f, "@{}.{block}", name_of(self.program, function.index()))
            }
            Constant::Expr(expr) => match &**expr {
                ConstExpr::Bin { op, width, a, b } => {
                    write!(f, "({} i{width} {}, {})", bin_name(*op), c(a), c(b))
                }
                ConstExpr::Cmp { op, width, a, b } => {
                    write!(f, "({} i{width} {}, {})", cmp_name(*op), c(a), c(b))
                }
                ConstExpr::Cast { op, from, to, a } => {
                    write!(f, "({} i{from} {} to i{to})", cast_name(*op), c(a))
                }
                ConstExpr::Select { width, cond, a, b } => {
                    write!(f, "(select i{width} {} ? {} : {})", c(cond), c(a), c(b))
                }
            },
        }
    }
}

/// The value as a signed number of its width, except for single bits.
fn signed(value: u64, width: u32) -> i128 {
    if (2..=64).contains(&width) && value >> (width - 1) & 1 == 1 {
        i128::from(value) - (1_i128 << width)
    } else {
        i128::from(value)
    }
}

fn write_cases<'a>(f: &mut Formatter<'_>, table: &Switch, edge: &dyn Fn(EdgeId) -> EdgeText<'a>) -> fmt::Result {
    write!(f, " {{")?;
    for (i, (value, target)) in table.cases.iter().enumerate() {
        write!(f, "{}{} => {}", if i == 0 { " " } else { ", " }, signed(*value, table.width), edge(*target))?;
    }
    write!(f, " }}")
}

fn write_call(f: &mut Formatter<'_>, program: &Program, function: &Function, site: &CallSite) -> fmt::Result {
    let op = |operand: Operand| OperandText { program, function, operand };
    for (i, dst) in site.dsts.iter().enumerate() {
        write!(f, "{}{dst}", if i == 0 { "" } else { ", " })?;
    }
    if !site.dsts.is_empty() {
        write!(f, " = ")?;
    }
    match site.callee {
        Callee::Direct(id) => write!(f, "call @{}(", name_of(program, id.index()))?,
        Callee::Indirect(target) => write!(f, "call [{}](", op(target))?,
    }
    for (i, (arg, width)) in site.args.iter().zip(&site.arg_widths).enumerate() {
        write!(f, "{}i{width} {}", if i == 0 { "" } else { ", " }, op(*arg))?;
    }
    if !site.varargs.is_empty() {
        write!(f, " ...")?;
    }
    for (i, arg) in site.varargs.iter().enumerate() {
        write!(f, "{}", if i == 0 { " " } else { ", " })?;
        match &arg.value {
            VarArgValue::Pieces(pieces) => {
                for (j, (offset, width, value)) in pieces.iter().enumerate() {
                    let gap = if j == 0 { "" } else { " " };
                    if *offset == 0 {
                        write!(f, "{gap}i{width} {}", op(*value))?;
                    } else {
                        write!(f, "{gap}{offset}: i{width} {}", op(*value))?;
                    }
                }
            }
            VarArgValue::ByValue(from) => write!(f, "byval [{}]", op(*from))?,
        }
        write!(f, " ({}/{})", arg.size, arg.align)?;
    }
    write!(f, ")")
}

fn write_fcast(f: &mut Formatter<'_>, op: FCastOp, dst: crate::Reg, a: OperandText<'_>) -> fmt::Result {
    match op {
        FCastOp::FToF { from, to } => write!(f, "{dst} = fcast {} {a} to {}", kind_name(from), kind_name(to)),
        FCastOp::FToSi { from, to } => write!(f, "{dst} = ftosi {} {a} to i{to}", kind_name(from)),
        FCastOp::FToUi { from, to } => write!(f, "{dst} = ftoui {} {a} to i{to}", kind_name(from)),
        FCastOp::SiToF { from, to } => write!(f, "{dst} = sitof i{from} {a} to {}", kind_name(to)),
        FCastOp::UiToF { from, to } => write!(f, "{dst} = uitof i{from} {a} to {}", kind_name(to)),
    }
}

fn kind_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Half => "half",
        FloatKind::BFloat => "bfloat",
        FloatKind::F32 => "f32",
        FloatKind::F64 => "f64",
        FloatKind::X87 => "x87",
        FloatKind::F128 => "f128",
    }
}

fn bin_name(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "add",
        BinOp::Sub => "sub",
        BinOp::Mul => "mul",
        BinOp::UDiv => "udiv",
        BinOp::SDiv => "sdiv",
        BinOp::URem => "urem",
        BinOp::SRem => "srem",
        BinOp::Shl => "shl",
        BinOp::LShr => "lshr",
        BinOp::AShr => "ashr",
        BinOp::And => "and",
        BinOp::Or => "or",
        BinOp::Xor => "xor",
        BinOp::UMin => "umin",
        BinOp::UMax => "umax",
        BinOp::SMin => "smin",
        BinOp::SMax => "smax",
        BinOp::UAddSat => "uaddsat",
        BinOp::SAddSat => "saddsat",
        BinOp::USubSat => "usubsat",
        BinOp::SSubSat => "ssubsat",
        BinOp::UShlSat => "ushlsat",
        BinOp::SShlSat => "sshlsat",
        BinOp::UAddOverflow => "uaddo",
        BinOp::SAddOverflow => "saddo",
        BinOp::USubOverflow => "usubo",
        BinOp::SSubOverflow => "ssubo",
        BinOp::UMulOverflow => "umulo",
        BinOp::SMulOverflow => "smulo",
    }
}

fn un_name(op: UnOp) -> &'static str {
    match op {
        UnOp::Popcount => "popcount",
        UnOp::CountLeadingZeros => "clz",
        UnOp::CountTrailingZeros => "ctz",
        UnOp::ByteSwap => "bswap",
        UnOp::BitReverse => "bitreverse",
        UnOp::Abs => "abs",
    }
}

fn cmp_name(op: CmpOp) -> &'static str {
    match op {
        CmpOp::Eq => "eq",
        CmpOp::Ne => "ne",
        CmpOp::Ult => "ult",
        CmpOp::Ule => "ule",
        CmpOp::Ugt => "ugt",
        CmpOp::Uge => "uge",
        CmpOp::Slt => "slt",
        CmpOp::Sle => "sle",
        CmpOp::Sgt => "sgt",
        CmpOp::Sge => "sge",
    }
}

fn cast_name(op: CastOp) -> &'static str {
    match op {
        CastOp::Trunc => "trunc",
        CastOp::ZExt => "zext",
        CastOp::SExt => "sext",
    }
}

fn fbin_name(op: FBinOp) -> &'static str {
    match op {
        FBinOp::Add => "fadd",
        FBinOp::Sub => "fsub",
        FBinOp::Mul => "fmul",
        FBinOp::Div => "fdiv",
        FBinOp::Rem => "frem",
        FBinOp::MinNum => "fminnum",
        FBinOp::MaxNum => "fmaxnum",
        FBinOp::Minimum => "fminimum",
        FBinOp::Maximum => "fmaximum",
        FBinOp::CopySign => "copysign",
    }
}

fn fun_name(op: FUnOp) -> &'static str {
    match op {
        FUnOp::Neg => "fneg",
        FUnOp::Abs => "fabs",
        FUnOp::Sqrt => "sqrt",
        FUnOp::Floor => "floor",
        FUnOp::Ceil => "ceil",
        FUnOp::Trunc => "ftrunc",
        FUnOp::Round => "round",
        FUnOp::RoundEven => "roundeven",
        FUnOp::Sin => "sin",
        FUnOp::Cos => "cos",
        FUnOp::Tan => "tan",
        FUnOp::Exp => "exp",
        FUnOp::Exp2 => "exp2",
        FUnOp::Log => "log",
        FUnOp::Log2 => "log2",
        FUnOp::Log10 => "log10",
    }
}

fn fcmp_name(op: FCmpOp) -> &'static str {
    match op {
        FCmpOp::False => "false",
        FCmpOp::Oeq => "oeq",
        FCmpOp::Ogt => "ogt",
        FCmpOp::Oge => "oge",
        FCmpOp::Olt => "olt",
        FCmpOp::Ole => "ole",
        FCmpOp::One => "one",
        FCmpOp::Ord => "ord",
        FCmpOp::Ueq => "ueq",
        FCmpOp::Ugt => "ugt",
        FCmpOp::Uge => "uge",
        FCmpOp::Ult => "ult",
        FCmpOp::Ule => "ule",
        FCmpOp::Une => "une",
        FCmpOp::Uno => "uno",
        FCmpOp::True => "true",
    }
}
