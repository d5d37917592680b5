//! Checks that a program is well formed, so that the executor may index its tables without
//! checking.
//!
//! One pass over each function: every id is in range, every operand has the width its instruction
//! needs, blocks tile the code in their order and end in their only terminator, each register has
//! one writer. That definitions dominate their uses is not checked; the front end gets that from
//! LLVM's verifier.

use crate::{
    BinOp, CallSite, Callee, CastOp, ConstExpr, Constant, Edge, FCastOp, FuncId, Function, Global, InitPiece, Inst,
    Operand, Program, Reg, Switch, VarArgValue,
};

/// Why a program is malformed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum VerifyError {
    #[error("malformed program: function `{function}`: {what}")]
    Function { function: String, what: String },
    #[error("malformed program: function `{function}`, instruction {index} (`{inst}`): {what}")]
    Inst { function: String, index: usize, inst: String, what: String },
    #[error("malformed program: global `{global}`: {what}")]
    Global { global: String, what: String },
    #[error("malformed program: {what}")]
    Program { what: String },
}

type Check = Result<(), String>;

/// What registers are in a program.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Form {
    /// Each is written in one place.
    Ssa,
    /// Values share them (`analysis::compact_registers`).
    Compacted,
}

/// Checks every function, global and table of the program.
pub fn verify(program: &Program) -> Result<(), VerifyError> {
    verify_as(program, Form::Ssa)
}

/// The same after `analysis::compact_registers`: registers may be written in several places.
pub fn verify_compacted(program: &Program) -> Result<(), VerifyError> {
    verify_as(program, Form::Compacted)
}

fn verify_as(program: &Program, form: Form) -> Result<(), VerifyError> {
    if !matches!(program.target.pointer_width, 32 | 64) {
        return Err(VerifyError::Program { what: format!("pointers of {} bits", program.target.pointer_width) });
    }
    for id in program.constructors.iter().chain(&program.destructors) {
        if id.index() >= program.functions.len() {
            return Err(VerifyError::Program { what: format!("constructor or destructor {id} does not exist") });
        }
    }
    for (name, id) in &program.function_names {
        if id.index() >= program.functions.len() {
            return Err(VerifyError::Program {
                what: format!("the name `{name}` stands for {id}, which does not exist"),
            });
        }
    }
    for (name, id) in &program.global_names {
        if id.index() >= program.globals.len() {
            return Err(VerifyError::Program {
                what: format!("the name `{name}` stands for {id}, which does not exist"),
            });
        }
    }
    let params = program.functions.iter().flat_map(|function| &function.params).filter_map(|param| param.pointee);
    let members = program.pointees.iter().flat_map(|pointee| &pointee.pointers).map(|member| member.pointee);
    if let Some(missing) = params.chain(members).find(|pointee| *pointee as usize >= program.pointees.len()) {
        return Err(VerifyError::Program {
            what: format!("a pointer leads to pointee {missing}, which does not exist"),
        });
    }
    for global in &program.globals {
        check_global(program, global).map_err(|what| VerifyError::Global { global: global.name.clone(), what })?;
    }
    for function in &program.functions {
        FunctionCheck::new(program, function, form).run()?;
    }
    Ok(())
}

fn check_global(program: &Program, global: &Global) -> Check {
    if !global.align.is_power_of_two() {
        return Err(format!("alignment {} is not a power of two", global.align));
    }
    let mut pieces = Vec::with_capacity(global.init.len());
    for piece in &global.init {
        let (offset, size) = match piece {
            InitPiece::Bytes { offset, bytes } => (*offset, bytes.len() as u64),
            InitPiece::Undef { offset, size } => (*offset, *size),
            InitPiece::Value { offset, width, value } => {
                check_constant(program, value)?;
                let actual = program.constant_width(value);
                if actual != *width {
                    return Err(format!("a value of {actual} bits initialises {width} bits at offset {offset}"));
                }
                (*offset, u64::from(width.div_ceil(8)))
            }
        };
        match offset.checked_add(size) {
            Some(end) if end <= global.size => pieces.push((offset, end)),
            _ => {
                return Err(format!("{size} bytes at offset {offset} lie outside its {} bytes", global.size));
            }
        }
    }
    pieces.sort_unstable();
    match pieces.windows(2).find(|pair| pair[0].1 > pair[1].0) {
        Some(pair) => Err(format!("initialisers overlap at offset {}", pair[1].0)),
        None => Ok(()),
    }
}

fn check_constant(program: &Program, constant: &Constant) -> Check {
    let width_is = |c: &Constant, width: u32| {
        check_constant(program, c)?;
        let actual = program.constant_width(c);
        if actual == width {
            Ok(())
        } else {
            Err(format!("constant expression: {actual} bits where {width} are needed"))
        }
    };
    match constant {
        Constant::Int { value, width } => {
            if !(1..=64).contains(width) || (*width < 64 && value >> width != 0) {
                return Err(format!("constant {value} does not fit {width} bits"));
            }
        }
        Constant::Wide { value, width } => {
            if *width <= 64 || value.bits() > u64::from(*width) {
                return Err(format!("wide constant {value} does not fit {width} bits"));
            }
        }
        Constant::Undef { width } => {
            if *width == 0 {
                return Err("undefined value of no bits".to_owned());
            }
        }
        Constant::Global(id) => {
            if id.index() >= program.globals.len() {
                return Err(format!("{id} does not exist"));
            }
        }
        Constant::Function(id) => {
            if id.index() >= program.functions.len() {
                return Err(format!("{id} does not exist"));
            }
        }
        Constant::Block(function, block) => {
            if program.functions.get(function.index()).is_none_or(|f| block.index() >= f.blocks.len()) {
                return Err(format!("{block} of {function} does not exist"));
            }
        }
        Constant::Expr(expr) => match &**expr {
            ConstExpr::Bin { width, a, b, .. } | ConstExpr::Cmp { width, a, b, .. } => {
                width_is(a, *width)?;
                width_is(b, *width)?;
            }
            ConstExpr::Cast { op, from, to, a } => {
                check_cast(*op, *from, *to)?;
                width_is(a, *from)?;
            }
            ConstExpr::Select { width, cond, a, b } => {
                width_is(cond, 1)?;
                width_is(a, *width)?;
                width_is(b, *width)?;
            }
        },
    }
    Ok(())
}

fn check_cast(op: CastOp, from: u32, to: u32) -> Check {
    let fits = match op {
        CastOp::Trunc => from > to,
        CastOp::ZExt | CastOp::SExt => from < to,
    };
    if fits && from != 0 && to != 0 { Ok(()) } else { Err(format!("{op:?} from {from} to {to} bits")) }
}

/// Who writes a register.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Writer {
    Nobody,
    Param,
    Inst,
    /// Copies of edges into this block.
    EdgesTo(u32),
}

struct FunctionCheck<'a> {
    program: &'a Program,
    function: &'a Function,
    form: Form,
    writers: Vec<Writer>,
    /// One bit per register: is it read?
    read: Vec<bool>,
    /// Is the code that is looked at reachable?
    counts_reads: bool,
    const_widths: Vec<u32>,
}

impl<'a> FunctionCheck<'a> {
    fn new(program: &'a Program, function: &'a Function, form: Form) -> Self {
        FunctionCheck {
            program,
            function,
            form,
            writers: vec![Writer::Nobody; function.regs.len()],
            read: vec![false; function.regs.len()],
            counts_reads: true,
            const_widths: function.constants.iter().map(|c| program.constant_width(c)).collect(),
        }
    }

    fn run(mut self) -> Result<(), VerifyError> {
        let name = || self.function.name.clone();
        self.check_tables().map_err(|what| VerifyError::Function { function: name(), what })?;
        let function = self.function;
        // What is behind an unsupported instruction may be read nowhere, and then its values have
        // no source.
        let reachable = reachable(function);
        for (index, inst) in function.code.iter().enumerate() {
            self.counts_reads = reachable[index];
            self.check_inst(inst).map_err(|what| VerifyError::Inst {
                function: function.name.clone(),
                index,
                inst: function.display_inst(self.program, inst).to_string(),
                what,
            })?;
        }
        self.check_edges_and_registers().map_err(|what| VerifyError::Function { function: function.name.clone(), what })
    }

    fn check_tables(&mut self) -> Check {
        let function = self.function;
        if function.is_declaration() {
            return if function.code.is_empty() { Ok(()) } else { Err("code without blocks".to_owned()) };
        }
        if function.locs.len() != function.code.len() {
            return Err(format!("{} instructions but {} locations", function.code.len(), function.locs.len()));
        }
        if let Some((pc, _)) = function.passed.iter().find(|(pc, _)| *pc as usize >= function.code.len()) {
            return Err(format!("a place is passed before instruction {pc}, which does not exist"));
        }
        if function.regs.len() < function.entry_registers() {
            return Err("fewer registers than parameters".to_owned());
        }
        for (i, param) in function.params.iter().enumerate() {
            if function.regs[i] != param.width {
                return Err(format!("parameter {i} has {} bits, its register {}", param.width, function.regs[i]));
            }
            self.writers[i] = Writer::Param;
        }
        if let Some(area) = function.area() {
            self.writers[area.index()] = Writer::Param;
        }
        if let Some(reg) = function.regs.iter().position(|width| *width == 0) {
            return Err(format!("register %{reg} has no bits"));
        }
        for constant in &function.constants {
            check_constant(self.program, constant)?;
        }
        // Whoever looks for the block of an instruction relies on their order.
        let mut at = 0;
        for block in &function.blocks {
            if block.start != at || block.end <= block.start || block.end as usize > function.code.len() {
                return Err(format!(
                    "block {}..{} leaves a gap, is empty, overlaps or is not in order",
                    block.start, block.end
                ));
            }
            let code = &function.code[block.start as usize..block.end as usize];
            let terminators = code.iter().filter(|inst| inst.is_terminator()).count();
            if terminators != 1 || !code.last().is_some_and(Inst::is_terminator) {
                return Err(format!("block {}..{} does not end in its only terminator", block.start, block.end));
            }
            at = block.end;
        }
        if at as usize != function.code.len() {
            return Err("code after the last block".to_owned());
        }
        for edge in &function.edges {
            if edge.target.index() >= function.blocks.len() {
                return Err(format!("an edge leads to {}, which does not exist", edge.target));
            }
        }
        for alloca in &function.allocas {
            if !alloca.align.is_power_of_two() {
                return Err(format!(
                    "stack object `{}`: alignment {} is not a power of two",
                    alloca.name, alloca.align
                ));
            }
        }
        for site in &function.loops {
            if site.head.index() >= function.blocks.len() {
                return Err(format!("a loop begins with {}, which does not exist", site.head));
            }
            if let Some(variable) = site.variables.iter().find(|variable| variable.reg.index() >= function.regs.len()) {
                return Err(format!("the variable `{}` is in {}, which does not exist", variable.name, variable.reg));
            }
        }
        Ok(())
    }

    fn read(&mut self, operand: Operand, width: u32) -> Check {
        let actual = if operand.is_const() {
            self.const_widths.get(operand.index())
        } else {
            if let Some(read) = self.read.get_mut(operand.index()) {
                *read |= self.counts_reads;
            }
            self.function.regs.get(operand.index())
        };
        match actual {
            Some(actual) if *actual == width => Ok(()),
            Some(actual) => Err(format!("operand {operand:?} has {actual} bits where {width} are needed")),
            None => Err(format!("operand {operand:?} does not exist")),
        }
    }

    fn write(&mut self, reg: Reg, width: u32) -> Check {
        match self.function.regs.get(reg.index()) {
            Some(actual) if *actual == width => {}
            Some(actual) => {
                return Err(format!("register {reg} has {actual} bits where {width} are written"));
            }
            None => return Err(format!("register {reg} does not exist")),
        }
        match std::mem::replace(&mut self.writers[reg.index()], Writer::Inst) {
            Writer::Nobody => Ok(()),
            _ if self.form == Form::Compacted => Ok(()),
            _ => Err(format!("register {reg} is written twice")),
        }
    }

    fn edge(&self, edge: crate::EdgeId) -> Check {
        if edge.index() < self.function.edges.len() { Ok(()) } else { Err(format!("{edge} does not exist")) }
    }

    fn check_inst(&mut self, inst: &Inst) -> Check {
        let pointer = self.program.target.pointer_width;
        match *inst {
            Inst::Bin { op, width, dst, a, b } => {
                self.read(a, width)?;
                self.read(b, width)?;
                self.write(dst, result_width(op, width))
            }
            Inst::Un { op, width, dst, a } => {
                if op == crate::UnOp::ByteSwap && width % 16 != 0 {
                    return Err(format!("byte swap of {width} bits"));
                }
                self.read(a, width)?;
                self.write(dst, width)
            }
            Inst::Cmp { width, dst, a, b, .. } => {
                self.read(a, width)?;
                self.read(b, width)?;
                self.write(dst, 1)
            }
            Inst::Cast { op, from, to, dst, a } => {
                check_cast(op, from, to)?;
                self.read(a, from)?;
                self.write(dst, to)
            }
            Inst::Select { width, dst, cond, a, b } => {
                self.read(cond, 1)?;
                self.read(a, width)?;
                self.read(b, width)?;
                self.write(dst, width)
            }
            Inst::Copy { width, dst, a } | Inst::Freeze { width, dst, a } => {
                self.read(a, width)?;
                self.write(dst, width)
            }
            Inst::PtrAdd { dst, base, index, .. } => {
                self.read(base, pointer)?;
                self.read(index, pointer)?;
                self.write(dst, pointer)
            }
            Inst::Load { width, dst, ptr, .. } => {
                self.read(ptr, pointer)?;
                self.write(dst, width)
            }
            Inst::Store { width, value, ptr } => {
                self.read(value, width)?;
                self.read(ptr, pointer)
            }
            Inst::Alloca { dst, site, count } => {
                if site.index() >= self.function.allocas.len() {
                    return Err(format!("{site} does not exist"));
                }
                self.read(count, pointer)?;
                self.write(dst, pointer)
            }
            Inst::LifeStart { site, .. } | Inst::LifeEnd { site } if site.index() >= self.function.allocas.len() => {
                Err(format!("{site} does not exist"))
            }
            // The one register that is written again is an alloca's.
            Inst::LifeStart { dst, .. } => self.read(dst.into(), pointer),
            Inst::LifeEnd { .. } => Ok(()),
            Inst::PointerPair { a, b, .. } | Inst::NumberPair { a, b, .. } => {
                self.read(a, pointer)?;
                self.read(b, pointer)
            }
            Inst::AddressNumber { a, .. } => self.read(a, pointer),
            Inst::Unknown { width, dst } => self.write(dst, width),
            Inst::StackSave { dst } => self.write(dst, pointer),
            Inst::StackRestore { a } => self.read(a, pointer),
            Inst::VaStart { list, area } => {
                self.read(list, pointer)?;
                self.read(area, pointer)
            }
            Inst::MemCpy { dst, src, len } | Inst::MemMove { dst, src, len } => {
                self.read(dst, pointer)?;
                self.read(src, pointer)?;
                self.read(len, pointer)
            }
            Inst::MemSet { dst, byte, len } => {
                self.read(dst, pointer)?;
                self.read(byte, 8)?;
                self.read(len, pointer)
            }
            Inst::FBin { kind, dst, a, b, .. } => {
                self.read(a, kind.width())?;
                self.read(b, kind.width())?;
                self.write(dst, kind.width())
            }
            Inst::FUn { kind, dst, a, .. } => {
                self.read(a, kind.width())?;
                self.write(dst, kind.width())
            }
            Inst::FMulAdd { kind, dst, a, b, c, .. } => {
                for operand in [a, b, c] {
                    self.read(operand, kind.width())?;
                }
                self.write(dst, kind.width())
            }
            Inst::FCmp { kind, dst, a, b, .. } => {
                self.read(a, kind.width())?;
                self.read(b, kind.width())?;
                self.write(dst, 1)
            }
            Inst::FCast { op, dst, a } => {
                let (from, to) = match op {
                    FCastOp::FToF { from, to } => (from.width(), to.width()),
                    FCastOp::FToSi { from, to } | FCastOp::FToUi { from, to } => (from.width(), to),
                    FCastOp::SiToF { from, to } | FCastOp::UiToF { from, to } => (from, to.width()),
                };
                self.read(a, from)?;
                self.write(dst, to)
            }
            Inst::Call { call } => match self.function.calls.get(call.index()) {
                Some(site) => self.check_call(site),
                None => Err(format!("{call} does not exist")),
            },
            Inst::VaCopy { dst, src } => {
                self.read(dst, pointer)?;
                self.read(src, pointer)
            }
            Inst::Assume { cond } => self.read(cond, 1),
            Inst::Trap | Inst::Target { .. } | Inst::Unreachable => Ok(()),
            Inst::Jump { edge } => self.edge(edge),
            Inst::Branch { cond, then, otherwise } => {
                self.read(cond, 1)?;
                self.edge(then)?;
                self.edge(otherwise)
            }
            Inst::Switch { switch } => match self.function.switches.get(switch.index()) {
                Some(table) if table.width > 64 => Err(format!("a switch on {} bits", table.width)),
                Some(table) => {
                    self.read(table.value, table.width)?;
                    self.check_cases(table)
                }
                None => Err(format!("{switch} does not exist")),
            },
            Inst::IndirectJump { target, switch } => {
                self.read(target, pointer)?;
                match self.function.switches.get(switch.index()) {
                    Some(table) => self.check_destinations(table),
                    None => Err(format!("{switch} does not exist")),
                }
            }
            Inst::Return { ret } => match self.function.returns.get(ret as usize) {
                Some(values) if values.len() == self.function.result.len() => {
                    values.iter().zip(&self.function.result).try_for_each(|(value, width)| self.read(*value, *width))
                }
                Some(values) => Err(format!("returns {} registers, not {}", values.len(), self.function.result.len())),
                None => Err(format!("entry {ret} of the table of returns does not exist")),
            },
            Inst::Unsupported { what } => {
                if (what as usize) < self.program.unsupported.len() {
                    Ok(())
                } else {
                    Err(format!("description {what} does not exist"))
                }
            }
        }
    }

    fn check_cases(&self, table: &Switch) -> Check {
        for (value, edge) in &table.cases {
            self.edge(*edge)?;
            if table.width < 64 && value >> table.width != 0 {
                return Err(format!("case {value} does not fit {} bits", table.width));
            }
        }
        if table.cases.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
            return Err("cases are not sorted or not unique".to_owned());
        }
        self.edge(table.default)
    }

    fn check_destinations(&self, table: &Switch) -> Check {
        for (block, edge) in &table.cases {
            self.edge(*edge)?;
            if u64::from(self.function.edges[edge.index()].target.0) != *block {
                return Err(format!("the edge for block {block} leads elsewhere"));
            }
        }
        if table.cases.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
            return Err("destinations are not sorted or not unique".to_owned());
        }
        self.edge(table.default)
    }

    fn check_call(&mut self, site: &CallSite) -> Check {
        if site.args.len() != site.arg_widths.len() {
            return Err(format!("{} arguments but {} widths", site.args.len(), site.arg_widths.len()));
        }
        for (arg, width) in site.args.iter().zip(&site.arg_widths) {
            self.read(*arg, *width)?;
        }
        for arg in &site.varargs {
            if !arg.align.is_power_of_two() {
                return Err(format!("variadic argument with alignment {}", arg.align));
            }
            match &arg.value {
                VarArgValue::Pieces(pieces) => {
                    for (offset, width, value) in pieces {
                        self.read(*value, *width)?;
                        let end = offset.checked_add(u64::from(width.div_ceil(8)));
                        if end.is_none_or(|end| end > arg.size) {
                            return Err(format!(
                                "{width} bits at offset {offset} of a variadic argument of {} bytes",
                                arg.size
                            ));
                        }
                    }
                }
                VarArgValue::ByValue(from) => self.read(*from, self.program.target.pointer_width)?,
            }
        }
        for dst in &site.dsts {
            let Some(width) = self.function.regs.get(dst.index()).copied() else {
                return Err(format!("register {dst} does not exist"));
            };
            self.write(*dst, width)?;
        }
        match site.callee {
            Callee::Indirect(target) => self.read(target, self.program.target.pointer_width),
            Callee::Direct(id) => self.check_direct(site, id),
        }
    }

    /// A direct call fits its callee. Calls that do not (legal before C23, where `int f();` says
    /// nothing about parameters) are lowered as indirect ones, except to undefined functions
    /// declared in that way.
    fn check_direct(&self, site: &CallSite, id: FuncId) -> Check {
        let Some(callee) = self.program.functions.get(id.index()) else {
            return Err(format!("{id} does not exist"));
        };
        let unprototyped = callee.is_declaration() && callee.is_variadic && callee.params.is_empty();
        if !unprototyped {
            if !callee.params.iter().map(|param| &param.width).eq(&site.arg_widths) {
                return Err(format!("the arguments do not fit the parameters of `{}`", callee.name));
            }
            if !site.varargs.is_empty() && !callee.is_variadic {
                return Err(format!("variadic arguments to `{}`, which takes none", callee.name));
            }
        }
        if !callee.result.iter().eq(site.dsts.iter().map(|dst| &self.function.regs[dst.index()])) {
            return Err(format!("the result does not fit that of `{}`", callee.name));
        }
        Ok(())
    }

    fn check_edges_and_registers(mut self) -> Check {
        let function = self.function;
        for (index, edge) in function.edges.iter().enumerate() {
            self.check_copies(edge).map_err(|what| format!("edge e{index} to {}: {what}", edge.target))?;
        }
        match self.read.iter().zip(&self.writers).position(|(read, writer)| *read && *writer == Writer::Nobody) {
            Some(reg) => Err(format!("register %{reg} is read but never written")),
            None => Ok(()),
        }
    }

    fn check_copies(&mut self, edge: &Edge) -> Check {
        let to = Writer::EdgesTo(edge.target.0);
        for (i, (dst, src)) in edge.copies.iter().enumerate() {
            let Some(width) = self.function.regs.get(dst.index()).copied() else {
                return Err(format!("register {dst} does not exist"));
            };
            self.read(*src, width)?;
            let writer = &mut self.writers[dst.index()];
            if self.form == Form::Ssa && *writer != Writer::Nobody && *writer != to {
                return Err(format!("register {dst} is written elsewhere too"));
            }
            *writer = to;
            if edge.copies[..i].iter().any(|(other, _)| other == dst) {
                return Err(format!("register {dst} is written twice"));
            }
        }
        Ok(())
    }
}

fn result_width(op: BinOp, width: u32) -> u32 {
    if op.is_overflow_test() { 1 } else { width }
}

/// For each instruction: is it in a block that the function's first one leads to?
fn reachable(function: &Function) -> Vec<bool> {
    let mut reachable = vec![false; function.code.len()];
    let mut open: Vec<usize> = if function.blocks.is_empty() { Vec::new() } else { vec![0] };
    while let Some(index) = open.pop() {
        let Some(block) = function.blocks.get(index) else { continue };
        let range = block.start as usize..block.end as usize;
        let Some(&last) = function.code.get(range.clone()).and_then(<[Inst]>::last) else { continue };
        if std::mem::replace(&mut reachable[range.end - 1], true) {
            continue;
        }
        reachable[range].fill(true);
        function.for_each_edge(last, |edge| {
            open.extend(function.edges.get(edge.index()).map(|edge| edge.target.index()));
        });
    }
    reachable
}

#[cfg(test)]
mod tests;
