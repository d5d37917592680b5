//! The program as loaded: addresses of globals and functions, constants as values, native functions bound to their names.
//!
//! Addresses are given out in the order of the program's tables, so they are the same in every run.

use crate::meeting::{Meeting, meetings};
use crate::memory::object::Byte;
use crate::memory::{Exhausted, Layout, Memory, Origin};
use crate::operator;
use crate::shims::Shim;
use crate::value::Value;
use espalier_expr::{Bv, Symbol, SymbolInfo, SymbolShape, Term, Terms};
use espalier_ir::{
    BlockId, CallSite, Callee, CastOp, ConstExpr, Constant, FuncId, Function, GlobalId, InitPiece, Inst, Operand,
    Program, Reg,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
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

/// What is looked up on the hot path for each function: what the interpreter's loop needs of it is first, close together.
#[derive(Clone)]
#[repr(C)]
pub(crate) struct LoadedFunction {
    pub code: Rc<[Inst]>,
    pub constants: Box<[Value]>,
    pub edges: Box<[LoadedEdge]>,
    /// For each call, if nothing has to be converted.
    pub plain_calls: Box<[Option<PlainCall>]>,
    pub returns: Box<[LoadedReturn]>,
    /// How often it was called; see `coverage`.
    pub calls: Cell<u64>,
    /// The first instructions of blocks where paths meet.
    pub meetings: FxHashMap<u32, Meeting>,
    pub switches: Vec<FxHashMap<u64, espalier_ir::EdgeId>>,
    pub shim: Option<Shim>,
    /// Are arguments put into its registers as they are, and is that all there is to a call?
    pub takes_plain_arguments: bool,
}

/// A call of a function that is known, takes plain arguments, and gets them and is used as it is defined.
#[derive(Clone)]
pub(crate) struct PlainCall {
    pub callee: FuncId,
    /// How many registers the callee has.
    pub registers: u32,
    pub args: SmallVec<[Operand; 6]>,
    pub result: Option<Reg>,
    /// Has it been made? See `coverage`.
    pub is_marked: Cell<bool>,
}

impl PlainCall {
    fn of(program: &Program, caller: &Function, site: &CallSite) -> Option<PlainCall> {
        let Callee::Direct(callee) = site.callee else { return None };
        let function = program.function(callee);
        let result = plain_result(function, caller, site)?;
        let is_plain = takes_plain_arguments(function) && takes_as_given(function, site);
        is_plain.then(|| PlainCall {
            callee,
            registers: function.regs.len() as u32,
            args: site.args.iter().copied().collect(),
            result,
            is_marked: Cell::new(false),
        })
    }
}

/// The first of the values that a function returns with, which mostly is all of them.
#[derive(Clone)]
pub(crate) struct LoadedReturn {
    pub value: Option<Operand>,
    /// Has it been executed? See `coverage`.
    pub is_marked: Cell<bool>,
}

fn takes_plain_arguments(function: &Function) -> bool {
    !function.is_declaration()
        && !function.is_variadic
        && Shim::for_function(function).is_none()
        && function.params.iter().all(|param| param.by_value.is_none())
}

/// Where the result of a call goes, if at most one register is to have it, and it needs no conversion.
pub(crate) fn plain_result(function: &Function, caller: &Function, site: &CallSite) -> Option<Option<Reg>> {
    match &site.dsts[..] {
        [] => Some(None),
        [dst] => (function.result[..] == [caller.regs[dst.index()]]).then_some(Some(*dst)),
        _ => None,
    }
}

/// Does the call have exactly the arguments that the function is defined with?
pub(crate) fn takes_as_given(function: &Function, site: &CallSite) -> bool {
    function.params.iter().map(|param| param.width).eq(site.arg_widths.iter().copied())
}

/// An edge with everything that taking it needs, so that one look-up does.
#[derive(Clone)]
pub(crate) struct LoadedEdge {
    pub copies: SmallVec<[(Reg, Operand); 2]>,
    pub target: BlockId,
    /// The target's first instruction.
    pub start: u32,
    /// How often it was taken; see `coverage`.
    pub count: Cell<u64>,
}

pub struct Image {
    program: Rc<Program>,
    pub(crate) functions: Vec<LoadedFunction>,
    /// The same for replays: what they count is nobody's business.
    replay_functions: OnceCell<Vec<LoadedFunction>>,
    global_addresses: Vec<u64>,
    function_addresses: Vec<u64>,
    by_address: FxHashMap<u64, FuncId>,
    /// Memory with all globals, before anything ran.
    pub memory: Memory,
}

impl Image {
    pub fn load(
        mut program: Rc<Program>,
        terms: &mut Terms,
        unknowns: &mut FxHashSet<Symbol>,
    ) -> Result<Image, LoadError> {
        // The interpreter's loop relies on this: it does not check the indices of registers and constants.
        espalier_ir::verify(&program).map_err(|error| LoadError::Malformed(error.to_string()))?;
        espalier_ir::compact_registers(Rc::make_mut(&mut program));
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
            replay_functions: OnceCell::new(),
            program: program.clone(),
            global_addresses,
            function_addresses,
            by_address,
            memory,
        };
        image.initialise_globals(terms, unknowns)?;
        for function in &program.functions {
            let mut constants = Vec::new();
            for (index, constant) in function.constants.iter().enumerate() {
                let site = format!("undefined value {index} of {}", function.name);
                constants.push(image.constant(terms, unknowns, constant, &site));
            }
            let returns = function.returns.iter();
            image.functions.push(LoadedFunction {
                code: function.code[..].into(),
                constants: constants.into(),
                edges: function
                    .edges
                    .iter()
                    .map(|edge| LoadedEdge {
                        copies: edge.copies.iter().copied().collect(),
                        target: edge.target,
                        start: function.block(edge.target).start,
                        count: Cell::new(0),
                    })
                    .collect(),
                meetings: meetings(function),
                switches: function.switches.iter().map(|switch| switch.cases.iter().copied().collect()).collect(),
                shim: Shim::for_function(function),
                takes_plain_arguments: takes_plain_arguments(function),
                plain_calls: function.calls.iter().map(|site| PlainCall::of(&program, function, site)).collect(),
                returns: returns
                    .map(|values| LoadedReturn { value: values.first().copied(), is_marked: Cell::new(false) })
                    .collect(),
                calls: Cell::new(0),
            });
        }
        Ok(image)
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The functions for a replay, with counters of their own.
    pub(crate) fn replay_functions(&self) -> &[LoadedFunction] {
        self.replay_functions.get_or_init(|| self.functions.clone())
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

    fn initialise_globals(&mut self, terms: &mut Terms, unknowns: &mut FxHashSet<Symbol>) -> Result<(), LoadError> {
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
                        Some(self.constant(terms, unknowns, value, &site))
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
    fn constant(&self, terms: &mut Terms, unknowns: &mut FxHashSet<Symbol>, constant: &Constant, site: &str) -> Value {
        let term = self.constant_term(terms, unknowns, constant, site);
        Value::of(terms, term)
    }

    fn constant_term(
        &self,
        terms: &mut Terms,
        unknowns: &mut FxHashSet<Symbol>,
        constant: &Constant,
        site: &str,
    ) -> Term {
        let pointer = self.program.target.pointer_width;
        match constant {
            Constant::Int { value, width } => terms.constant(*value, *width),
            Constant::Wide { value, width } => terms.constant_bv(&Bv::from_big(value.clone(), *width)),
            Constant::Global(id) => terms.constant(self.global_addresses[id.index()], pointer),
            Constant::Function(id) => terms.constant(self.function_address(*id), pointer),
            Constant::Block(function, block) => terms.constant(self.block_address(*function, *block), pointer),
            Constant::Undef { width } => {
                let symbol = terms.symbol(SymbolInfo {
                    name: site.to_string(),
                    occurrence: 0,
                    size: width.div_ceil(8),
                    shape: SymbolShape::Scalar,
                });
                unknowns.insert(symbol);
                let var = terms.var(symbol, 0);
                terms.extract(var, 0, *width)
            }
            Constant::Expr(expr) => match &**expr {
                ConstExpr::Bin { op, a, b, .. } => {
                    let (a, b) = self.two(terms, unknowns, a, b, site);
                    operator::bin_term(terms, *op, a, b)
                }
                ConstExpr::Cmp { op, a, b, .. } => {
                    let (a, b) = self.two(terms, unknowns, a, b, site);
                    operator::cmp_term(terms, *op, a, b)
                }
                ConstExpr::Cast { op, to, a, .. } => {
                    let a = self.constant_term(terms, unknowns, a, site);
                    match op {
                        CastOp::Trunc => terms.extract(a, 0, *to),
                        CastOp::ZExt => terms.zext(a, *to),
                        CastOp::SExt => terms.sext(a, *to),
                    }
                }
                ConstExpr::Select { cond, a, b, .. } => {
                    let cond = self.constant_term(terms, unknowns, cond, site);
                    let (a, b) = self.two(terms, unknowns, a, b, site);
                    terms.ite(cond, a, b)
                }
            },
        }
    }

    fn two(
        &self,
        terms: &mut Terms,
        unknowns: &mut FxHashSet<Symbol>,
        a: &Constant,
        b: &Constant,
        site: &str,
    ) -> (Term, Term) {
        let first = self.constant_term(terms, unknowns, a, site);
        (first, self.constant_term(terms, unknowns, b, site))
    }
}
