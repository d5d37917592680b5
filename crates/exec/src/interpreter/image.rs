//! The program as loaded: addresses of globals and functions, constants as values, native functions
//! bound to their names.
//!
//! Addresses are given out in the order of the program's tables, so they are the same in every run.

use crate::interpreter::code::{Op, ops};
use crate::interpreter::operator;
use crate::interpreter::value::Value;
use crate::memory::object::Byte;
use crate::memory::{Exhausted, Layout, Memory, Origin};
use crate::models::shims::Shim;
use espalier_analysis::{Graphs, Join, RegisterMap, edges_that_close_loops, joins};
use espalier_base::fidelity::{self, Fidelity};
use espalier_base::provided;
use espalier_expr::{Bv, SymbolKind, Term, Terms};
use espalier_ir::{
    BlockId, CallId, CallSite, Callee, CastOp, ConstExpr, Constant, Edge, EdgeId, FuncId, Function, GlobalId,
    InitPiece, Operand, Program, Reg, Switch,
};
use rustc_hash::FxHashMap;
use std::cell::{Cell, OnceCell};
use std::rc::Rc;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum LoadError {
    #[error("the program's global variables do not fit into its {0}-bit address space")]
    AddressSpace(u32),
    #[error("the initial value of the global variable `{0}` is not valid: {1}")]
    Initialiser(String, String),
    #[error("the front end made a program that is not well-formed: {0}")]
    Malformed(String),
    #[error("the function `{0}` has no body")]
    NoBody(String),
}

/// What is looked up on the hot path for each function. What every call needs is first, in one
/// cache line; what most need is in the next.
#[derive(Clone)]
#[repr(C, align(64))]
pub(crate) struct LoadedFunction {
    pub ops: Box<[Op]>,
    pub edges: Box<[LoadedEdge]>,
    /// For each call, if nothing has to be converted.
    pub plain_calls: Box<[Option<PlainCall>]>,
    /// How often it was called; see `coverage`.
    pub calls: Cell<u64>,
    /// A bit for each of its numbered returns: has it been executed? See `coverage`.
    pub returns: Cell<u32>,
    /// Does a path stop when it calls the function?
    pub is_watched: Cell<bool>,
    pub constants: Box<[Value]>,
    /// What edges copy, one edge after the other; after each what is not a copy.
    copies: Box<[(Reg, Operand)]>,
    /// What plain calls pass, one call after the other.
    pub args: Box<[Operand]>,
    pub switches: Box<[LoadedSwitch]>,
    /// The first instructions of blocks where paths join.
    pub joins: FxHashMap<u32, Join>,
    /// For each edge: does it close a loop?
    pub closes_loop: Box<[bool]>,
    pub shim: Option<Shim>,
    /// Are arguments put into its registers as they are, and is that all there is to a call?
    pub takes_plain_arguments: bool,
    /// For a function that we answer for, if it is not exact: how true it is, as far as the table
    /// knows.
    pub inexact: Option<Option<Fidelity>>,
}

impl LoadedFunction {
    #[inline(always)]
    pub(crate) fn copies(&self, edge: &LoadedEdge) -> impl Iterator<Item = (Reg, Operand)> {
        // SAFETY: edges are made with their copies.
        let copies = unsafe { self.copies.get_unchecked(edge.first_copy()..) };
        copies.iter().copied().take_while(|&(dst, _)| dst != NO_COPY.0)
    }

    pub(crate) fn args(&self, call: &PlainCall) -> &[Operand] {
        // SAFETY: calls are made with their arguments.
        unsafe { self.args.get_unchecked(call.first_arg as usize..(call.first_arg + call.args) as usize) }
    }
}

/// A call of a function that is known, takes plain arguments, and gets them and is used as it is
/// defined.
///
/// A call through a pointer is one once it was made: of the function that was called last, if that
/// is as plain, and as long as the pointer is the same.
#[derive(Clone)]
pub(crate) struct PlainCall {
    pub callee: Cell<FuncId>,
    /// How many registers the callee has.
    pub registers: Cell<u32>,
    pub first_arg: u32,
    pub args: u32,
    pub result: Option<Reg>,
    /// Has it been made? See `coverage`.
    pub is_marked: Cell<bool>,
    /// The callee's address if it was called through a pointer, or 0.
    pub address: Cell<u64>,
}

impl PlainCall {
    /// Its arguments are added to `args`.
    fn of(program: &Program, caller: &Function, site: &CallSite, args: &mut Vec<Operand>) -> Option<PlainCall> {
        let callee = match site.callee {
            Callee::Direct(callee) if !is_plain(program, callee, caller, site) => return None,
            Callee::Indirect(_) if site.dsts.len() > 1 => return None,
            Callee::Direct(callee) => callee,
            Callee::Indirect(_) => FuncId(0),
        };
        let first_arg = args.len() as u32;
        args.extend(site.args.iter());
        Some(PlainCall {
            callee: Cell::new(callee),
            registers: Cell::new(program.function(callee).regs.len() as u32),
            first_arg,
            args: site.args.len() as u32,
            result: site.dsts.first().copied(),
            is_marked: Cell::new(false),
            address: Cell::new(0),
        })
    }
}

fn is_plain(program: &Program, callee: FuncId, caller: &Function, site: &CallSite) -> bool {
    let function = program.function(callee);
    takes_plain_arguments(function)
        && takes_as_given(function, site)
        && plain_result(function, caller, site).is_some()
        && (caller.is_runtime || inexact(program, function).is_none())
}

/// A switch on a number.
#[derive(Clone)]
pub(crate) struct LoadedSwitch {
    /// The edges of `start` and the numbers behind it, if the cases are close enough together for a
    /// table.
    start: u64,
    table: Box<[EdgeId]>,
    cases: Box<[(u64, EdgeId)]>,
    default: EdgeId,
}

impl LoadedSwitch {
    fn new(switch: &Switch) -> LoadedSwitch {
        let (start, last) = (switch.cases.first(), switch.cases.last());
        let (start, last) = (start.map_or(0, |case| case.0), last.map_or(0, |case| case.0));
        let mut table = Vec::new();
        if last - start < 16 * switch.cases.len() as u64 + 16 {
            table.resize((last - start + 1) as usize, switch.default);
            for &(case, edge) in switch.cases.iter() {
                table[(case - start) as usize] = edge;
            }
        }
        LoadedSwitch { start, table: table.into(), cases: switch.cases.clone(), default: switch.default }
    }

    /// The edge of the case, if there is one.
    pub(crate) fn case(&self, value: u64) -> Option<EdgeId> {
        let found = self.cases.binary_search_by_key(&value, |case| case.0);
        found.ok().map(|index| self.cases[index].1)
    }

    #[inline(always)]
    pub(crate) fn edge(&self, value: u64) -> EdgeId {
        match self.table.get(value.wrapping_sub(self.start) as usize) {
            Some(&edge) => edge,
            None if self.table.is_empty() => self.case(value).unwrap_or(self.default),
            None => self.default,
        }
    }
}

/// Where programs begin that run in the model of the environment, on a C library that is executed
/// as it is: what that says of the machine comes from system calls.
const ENVIRONMENT_START: &str = "__espalier_posix_main";

/// How true a function is that we answer for, unless it is exact.
fn inexact(program: &Program, function: &Function) -> Option<Option<Fidelity>> {
    let is_ours = match Shim::for_function(function) {
        Some(_) => true,
        None => function.is_runtime && !program.function_names.contains_key(ENVIRONMENT_START),
    };
    if !is_ours {
        return None;
    }
    match fidelity::of_function(provided::public_name(&function.name)) {
        Some(Fidelity::Exact | Fidelity::ExactIf(_) | Fidelity::Says(_)) => None,
        other => Some(other),
    }
}

fn takes_plain_arguments(function: &Function) -> bool {
    !function.is_declaration()
        && !function.is_variadic
        && Shim::for_function(function).is_none()
        && function.params.iter().all(|param| param.by_value.is_none())
}

/// Where the result of a call goes, if at most one register is to have it, and it needs no
/// conversion.
pub(crate) fn plain_result(function: &Function, caller: &Function, site: &CallSite) -> Option<Option<Reg>> {
    match &site.dsts[..] {
        [] => Some(None),
        [dst] => {
            let fits =
                function.result[..] == [caller.regs[dst.index()]] && function.floats.result == site.floats.result;
            fits.then_some(Some(*dst))
        }
        _ => None,
    }
}

/// Does the call have exactly the arguments that the function is defined with, and look for its
/// result where that is?
pub(crate) fn takes_as_given(function: &Function, site: &CallSite) -> bool {
    let finds_result = function.floats.result == site.floats.result || !site.result_used || function.result.is_empty();
    finds_result
        && function.floats.args == site.floats.args
        && function.params.iter().map(|param| param.width).eq(site.arg_widths.iter().copied())
}

/// An edge with everything that taking it needs, so that one look-up does. Small, because most
/// paths take most of their edges once.
#[derive(Clone)]
pub(crate) struct LoadedEdge {
    /// How often it was taken; see `coverage`.
    pub count: Cell<u64>,
    /// The target's first instruction.
    pub start: u32,
    /// Twice where its copies begin; one more if the target is a block where paths join.
    copies_and_joins: u32,
}

/// Behind the copies of an edge, and in place 0 for those that have none.
const NO_COPY: (Reg, Operand) = (Reg(u32::MAX), Operand::reg(Reg(0)));

impl LoadedEdge {
    fn new(start: u32, edge: &Edge, joins: bool, copies: &mut Vec<(Reg, Operand)>) -> LoadedEdge {
        if copies.is_empty() {
            copies.push(NO_COPY);
        }
        let mut first = 0;
        if !edge.copies.is_empty() {
            first = copies.len() as u32;
            copies.extend(edge.copies.iter().chain([&NO_COPY]));
        }
        LoadedEdge { count: Cell::new(0), start, copies_and_joins: 2 * first + joins as u32 }
    }

    #[inline(always)]
    fn first_copy(&self) -> usize {
        (self.copies_and_joins >> 1) as usize
    }

    #[inline(always)]
    pub(crate) fn has_copies(&self) -> bool {
        self.copies_and_joins > 1
    }

    /// Is the target a block where paths join?
    #[inline(always)]
    pub(crate) fn joins(&self) -> bool {
        self.copies_and_joins & 1 != 0
    }
}

pub struct Image {
    program: Rc<Program>,
    registers: RegisterMap,
    graphs: Rc<Graphs>,
    pub(crate) functions: Vec<LoadedFunction>,
    /// The same for replays: what they count is nobody's business.
    uncounted_functions: OnceCell<Vec<LoadedFunction>>,
    global_addresses: Vec<u64>,
    function_addresses: Vec<u64>,
    by_address: FxHashMap<u64, FuncId>,
    /// Memory with all globals, before anything ran.
    pub memory: Memory,
}

impl Image {
    pub fn load(mut program: Rc<Program>, terms: &mut Terms, has_unknowns: &mut bool) -> Result<Image, LoadError> {
        let malformed = |error: espalier_ir::VerifyError| LoadError::Malformed(error.to_string());
        espalier_ir::verify(&program).map_err(malformed)?;
        let registers = espalier_analysis::compact_registers(Rc::make_mut(&mut program));
        // The interpreter's loop relies on this: it does not check the indices of registers and
        // constants.
        espalier_ir::verify_compacted(&program).map_err(malformed)?;
        let layout = Layout::for_pointer_width(program.target.pointer_width);
        let mut memory = Memory::new(layout);
        let full = |_: Exhausted| LoadError::AddressSpace(layout.pointer_width);
        let mut function_addresses = Vec::new();
        let mut by_address = FxHashMap::default();
        for index in 0..program.functions.len() {
            let id = FuncId::new(index);
            let address = memory.allocate(0, 16, Origin::Function(id), true).map_err(full)?;
            function_addresses.push(address);
            by_address.insert(address, id);
        }
        let mut global_addresses = Vec::new();
        for (index, global) in program.globals.iter().enumerate() {
            let origin = Origin::Global(GlobalId::new(index));
            global_addresses.push(memory.allocate(global.size, global.align, origin, true).map_err(full)?);
        }
        let mut image = Image {
            functions: Vec::new(),
            uncounted_functions: OnceCell::new(),
            registers,
            graphs: Rc::new(Graphs::of(&program)),
            program: program.clone(),
            global_addresses,
            function_addresses,
            by_address,
            memory,
        };
        image.initialise_globals(terms, has_unknowns)?;
        let graphs = image.graphs.clone();
        for (index, function) in program.functions.iter().enumerate() {
            let mut constants = Vec::new();
            for (number, constant) in function.constants.iter().enumerate() {
                let site = format!("undefined value {number} of {}", function.name);
                constants.push(image.constant(terms, has_unknowns, constant, &site));
            }
            let cfg = graphs.function(FuncId::new(index));
            let joins = joins(function, cfg);
            let (mut copies, mut args) = (Vec::new(), Vec::new());
            let mut edges = Vec::new();
            for edge in &function.edges {
                let start = function.block(edge.target).start;
                edges.push(LoadedEdge::new(start, edge, joins.contains_key(&start), &mut copies));
            }
            let calls = function.calls.iter();
            let plain_calls: Box<[_]> = calls.map(|site| PlainCall::of(&program, function, site, &mut args)).collect();
            image.functions.push(LoadedFunction {
                ops: ops(
                    function,
                    &constants,
                    (layout.pointer_width, layout.slot_bits),
                    program.packs_addresses,
                    |call| plain_calls[call.index()].is_some(),
                ),
                edges: edges.into(),
                plain_calls,
                calls: Cell::new(0),
                returns: Cell::new(0),
                is_watched: Cell::new(false),
                constants: constants.into(),
                copies: copies.into(),
                args: args.into(),
                switches: function.switches.iter().map(LoadedSwitch::new).collect(),
                joins,
                closes_loop: edges_that_close_loops(function, cfg).into(),
                shim: Shim::for_function(function),
                takes_plain_arguments: takes_plain_arguments(function),
                inexact: inexact(&program, function),
            });
        }
        Ok(image)
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Where the values of the registers are that the program had when it was given.
    pub(crate) fn registers(&self) -> &RegisterMap {
        &self.registers
    }

    /// The control-flow graphs of its functions.
    pub(crate) fn graphs(&self) -> &Rc<Graphs> {
        &self.graphs
    }

    /// The functions for what is no run of the program, with counters of their own.
    pub(crate) fn uncounted_functions(&self) -> &[LoadedFunction] {
        self.uncounted_functions.get_or_init(|| self.functions.clone())
    }

    /// Notes that a call through a pointer led to a function, so that it need not be looked up the
    /// next time.
    pub(crate) fn note_indirect_call(&self, caller: FuncId, call: CallId, address: u64, callee: FuncId) {
        let (program, function) = (&self.program, self.program.function(caller));
        if let Some(plain) = &self.functions[caller.index()].plain_calls[call.index()]
            && is_plain(program, callee, function, function.call(call))
        {
            plain.callee.set(callee);
            plain.registers.set(program.function(callee).regs.len() as u32);
            plain.address.set(address);
        }
    }

    pub fn function_address(&self, id: FuncId) -> u64 {
        self.function_addresses[id.index()]
    }

    pub fn global_address(&self, id: GlobalId) -> u64 {
        self.global_addresses[id.index()]
    }

    pub fn function_at(&self, address: u64) -> Option<FuncId> {
        self.by_address.get(&address).copied()
    }

    /// The address of a block: some way behind its function's, where no object is.
    pub fn block_address(&self, function: FuncId, block: BlockId) -> u64 {
        self.function_address(function) + 1 + block.0 as u64
    }

    fn initialise_globals(&mut self, terms: &mut Terms, has_unknowns: &mut bool) -> Result<(), LoadError> {
        let program = self.program.clone();
        for (index, global) in program.globals.iter().enumerate() {
            let address = self.global_addresses[index];
            let bad = |what: &str| LoadError::Initialiser(global.name.clone(), what.into());
            for piece in &global.init {
                let (offset, len) = match piece {
                    InitPiece::Bytes { offset, bytes } => (*offset, bytes.len() as u64),
                    InitPiece::Value { offset, width, .. } => (*offset, width.div_ceil(8) as u64),
                    InitPiece::Undef { offset, size } => (*offset, *size),
                };
                if offset.checked_add(len).is_none_or(|end| end > global.size) {
                    return Err(bad("it is larger than the variable"));
                }
                let value = match piece {
                    InitPiece::Value { value, .. } => {
                        let site = format!("undefined value in {}", global.name);
                        Some(self.constant(terms, has_unknowns, value, &site))
                    }
                    _ => None,
                };
                let object = self.memory.object_mut(address).ok_or_else(|| bad("it has no address"))?;
                let offset = offset as usize;
                match (piece, value) {
                    (InitPiece::Bytes { bytes, .. }, _) => object.contents.write_bytes(offset, bytes),
                    (InitPiece::Value { width, .. }, Some(value)) => {
                        let term = value.term(terms, *width);
                        let padded = terms.zext(term, width.div_ceil(8) * 8);
                        for k in 0..len as u32 {
                            let byte = terms.extract(padded, 8 * k, 8);
                            let byte = match terms.as_u64(byte) {
                                Some(number) => Byte::Concrete(number as u8),
                                None => Byte::Symbolic(padded, k),
                            };
                            object.contents.set_byte(offset + k as usize, byte);
                        }
                    }
                    (InitPiece::Value { .. }, None) => {}
                    (InitPiece::Undef { size, .. }, _) => {
                        for k in 0..*size as usize {
                            object.contents.set_byte(offset + k, Byte::Uninit);
                        }
                    }
                }
            }
            if let Some(object) = self.memory.object_mut(address) {
                object.read_only = global.is_constant;
                object.is_scalar = global.is_scalar;
            }
        }
        Ok(())
    }

    /// The value of a constant. Each undefined constant is an unknown of its own, named by `site`.
    fn constant(&self, terms: &mut Terms, has_unknowns: &mut bool, constant: &Constant, site: &str) -> Value {
        let term = self.constant_term(terms, has_unknowns, constant, site);
        Value::of(terms, term)
    }

    fn constant_term(&self, terms: &mut Terms, has_unknowns: &mut bool, constant: &Constant, site: &str) -> Term {
        let pointer = self.program.target.pointer_width;
        match constant {
            Constant::Int { value, width } => terms.constant(*value, *width),
            Constant::Wide { value, width } => terms.constant_bv(&Bv::from_big(value.clone(), *width)),
            Constant::Global(id) => terms.constant(self.global_addresses[id.index()], pointer),
            Constant::Function(id) => terms.constant(self.function_address(*id), pointer),
            Constant::Block(function, block) => terms.constant(self.block_address(*function, *block), pointer),
            Constant::Undef { width } => {
                let var = terms.scalar_var(SymbolKind::SharedUnknown, site, width.div_ceil(8));
                *has_unknowns = true;
                terms.extract(var, 0, *width)
            }
            Constant::Expr(expr) => match &**expr {
                ConstExpr::Bin { op, a, b, .. } => {
                    let (a, b) = self.two(terms, has_unknowns, a, b, site);
                    operator::bin_term(terms, *op, a, b)
                }
                ConstExpr::Cmp { op, a, b, .. } => {
                    let (a, b) = self.two(terms, has_unknowns, a, b, site);
                    operator::cmp_term(terms, *op, a, b)
                }
                ConstExpr::Cast { op, to, a, .. } => {
                    let a = self.constant_term(terms, has_unknowns, a, site);
                    match op {
                        CastOp::Trunc => terms.extract(a, 0, *to),
                        CastOp::ZExt => terms.zext(a, *to),
                        CastOp::SExt => terms.sext(a, *to),
                    }
                }
                ConstExpr::Select { cond, a, b, .. } => {
                    let cond = self.constant_term(terms, has_unknowns, cond, site);
                    let (a, b) = self.two(terms, has_unknowns, a, b, site);
                    terms.ite(cond, a, b)
                }
            },
        }
    }

    fn two(&self, terms: &mut Terms, has_unknowns: &mut bool, a: &Constant, b: &Constant, site: &str) -> (Term, Term) {
        let first = self.constant_term(terms, has_unknowns, a, site);
        (first, self.constant_term(terms, has_unknowns, b, site))
    }
}
