//! Lowers one function: its blocks in reverse post-order, so that definitions are met before their
//! uses, then the copies that phis become.

use super::constant::{self, int};
use super::lifetime::Scoped;
use super::{Lowered, Lowerer, Unsupported};
use crate::llvm::{Block, Opcode, UNDEF_PREFIX, Value, ValueKind, VariableInfo};
use espalier_analysis::Cfg;
use espalier_ir::{
    BinOp, Block as IrBlock, BlockId, CastOp, CmpOp, ConstId, Constant, Edge, EdgeId, FuncId, Function, Inst, Loc,
    Operand, Reg,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::rc::Rc;

/// The operands a value is spread over.
pub type Lanes = SmallVec<[Operand; 2]>;

/// The reachable blocks of a function in reverse post-order, and their numbers.
pub struct BlockOrder<'m> {
    pub blocks: Vec<Block<'m>>,
    pub cfg: Cfg,
    ids: FxHashMap<Block<'m>, BlockId>,
}

impl<'m> BlockOrder<'m> {
    pub fn new(function: Value<'m>) -> BlockOrder<'m> {
        let all = function.blocks();
        let numbers = numbered(&all);
        let blocks: Vec<Block<'m>> =
            graph(&all, &numbers).reverse_postorder().iter().map(|number| all[number.index()]).collect();
        let ids = numbered(&blocks);
        BlockOrder { cfg: graph(&blocks, &ids), blocks, ids }
    }

    pub fn id(&self, block: Block<'m>) -> Option<BlockId> {
        self.ids.get(&block).copied()
    }
}

fn numbered<'m>(blocks: &[Block<'m>]) -> FxHashMap<Block<'m>, BlockId> {
    blocks.iter().enumerate().map(|(index, block)| (*block, BlockId::new(index))).collect()
}

fn graph<'m>(blocks: &[Block<'m>], numbers: &FxHashMap<Block<'m>, BlockId>) -> Cfg {
    let successors = |block: &Block<'m>| {
        block.successors().into_iter().filter_map(|successor| numbers.get(&successor).copied()).collect()
    };
    Cfg::new(&blocks.iter().map(successors).collect::<Vec<_>>())
}

/// A function being lowered.
pub struct Builder<'a, 'm> {
    pub(super) cx: &'a mut Lowerer<'m>,
    pub(super) out: Function,
    pub(super) order: Rc<BlockOrder<'m>>,
    constants: FxHashMap<Constant, ConstId>,
    pub(super) values: FxHashMap<Value<'m>, Lanes>,
    /// The phis of each block, by its number, with their registers.
    pub(super) phis: Vec<Vec<(Value<'m>, SmallVec<[Reg; 2]>)>>,
    /// The LLVM block that each edge leaves, for its copies.
    pub(super) edge_sources: Vec<Block<'m>>,
    /// The edge from the current block to each target.
    block_edges: FxHashMap<BlockId, EdgeId>,
    /// Parameters whose source name is known.
    named_params: FxHashSet<usize>,
    /// Does execution begin here?
    is_entry: bool,
    /// Variables in memory.
    pub(super) variables: FxHashMap<Value<'m>, VariableInfo<'m>>,
    pub(super) scoped: Scoped<'m>,
    pub(super) block: Block<'m>,
    pub(super) loc: Loc,
    pub(super) current_block: BlockId,
    /// Has the current block got its terminator?
    pub(super) ended: bool,
}

impl<'m> Lowerer<'m> {
    pub(super) fn lower_function(&mut self, function: Value<'m>, id: FuncId) {
        let order = self.block_order(function);
        let Some(entry) = order.blocks.first().copied() else {
            return;
        };
        let declared = self.program.functions[id.index()].clone();
        let is_entry = self.every_entry || self.entry == function;
        let mut builder = Builder {
            is_entry,
            phis: vec![Vec::new(); order.blocks.len()],
            cx: self,
            out: declared,
            order,
            constants: FxHashMap::default(),
            values: FxHashMap::default(),
            edge_sources: Vec::new(),
            block_edges: FxHashMap::default(),
            named_params: FxHashSet::default(),
            variables: FxHashMap::default(),
            scoped: Scoped::default(),
            block: entry,
            loc: Loc::UNKNOWN,
            current_block: BlockId(0),
            ended: false,
        };
        builder.run(function);
        let mut lowered = builder.out;
        // Lowering the function may itself have taken its address.
        lowered.address_taken |= self.program.functions[id.index()].address_taken;
        self.program.functions[id.index()] = lowered;
    }
}

impl<'m> Builder<'_, 'm> {
    fn run(&mut self, function: Value<'m>) {
        self.out.blocks = vec![IrBlock { start: 0, end: 0 }; self.order.blocks.len()];
        self.out.regs = self.out.params.iter().map(|param| param.width).collect();
        self.out.regs.extend(self.out.area().map(|_| self.cx.pointer_width));
        let signature = self.bind_params(function);
        self.collect_variables();
        self.collect_lifetimes();
        let order = Rc::clone(&self.order);
        for (index, block) in order.blocks.iter().enumerate() {
            self.block = *block;
            self.loc = if index == 0 { self.out.loc } else { Loc::UNKNOWN };
            self.start_block(BlockId::new(index));
            if index == 0
                && let Err(what) = &signature
            {
                self.end_unsupported(what.clone());
            }
            self.lower_block(*block, index);
        }
        self.lower_phis();
        self.collect_loops();
        order_code(&mut self.out);
    }

    /// Parameters are the first registers.
    fn bind_params(&mut self, function: Value<'m>) -> Lowered<()> {
        let mut next = 0;
        for param in function.params() {
            let count = self.cx.shape(param.ty())?.lanes.len();
            self.values.insert(param, (next..next + count).map(|i| Operand::reg(Reg::new(i))).collect());
            next += count;
        }
        self.cx.shape(function.value_type().result()).map(|_| ())
    }

    /// Names of variables that live in memory, and of parameters.
    fn collect_variables(&mut self) {
        let order = Rc::clone(&self.order);
        let mut stored_params = Vec::new();
        for inst in order.blocks.iter().flat_map(|block| block.instructions()) {
            match inst.opcode() {
                Opcode::LLVMCall => match self.intrinsic(inst) {
                    Some("llvm.dbg.declare") => {
                        if let Some((Some(value), info)) = inst.debug_variable() {
                            // A structure passed by value lives in memory and is a parameter.
                            self.name_param(value, &info);
                            self.variables.entry(value).or_insert(info);
                        }
                    }
                    // A promoted parameter is described when it would have been stored, before any
                    // other variable gets its value.
                    Some("llvm.dbg.value") => {
                        if let Some((Some(value), info)) = inst.debug_variable() {
                            self.name_param(value, &info);
                            self.name_result(value, &info.name);
                        }
                    }
                    _ => {}
                },
                Opcode::LLVMStore if inst.operand(0).kind() == ValueKind::LLVMArgumentValueKind => {
                    stored_params.push((inst.operand(0), inst.operand(1)));
                }
                Opcode::LLVMStore if inst.operand(1).kind() == ValueKind::LLVMGlobalVariableValueKind => {
                    self.name_result(inst.operand(0), &inst.operand(1).symbol());
                }
                _ => {}
            }
        }
        for (param, variable) in stored_params {
            if let Some(info) = self.variables.get(&variable).cloned() {
                self.name_param(param, &info);
            }
        }
    }

    /// Notes that the result of a call is assigned to a variable.
    fn name_result(&mut self, call: Value<'m>, variable: &str) {
        let is_call = call.kind() == ValueKind::LLVMInstructionValueKind && call.opcode() == Opcode::LLVMCall;
        if let Some(loc) = is_call.then(|| call.debug_loc()).flatten() {
            let loc = self.cx.debug.loc(loc, &mut self.cx.program.files);
            self.cx.program.assigned_names.entry(loc).or_insert_with(|| variable.to_owned());
        }
    }

    /// Gives a parameter its source name and type, if it has none yet.
    fn name_param(&mut self, param: Value<'m>, info: &VariableInfo<'m>) {
        let name = &info.name;
        if param.kind() != ValueKind::LLVMArgumentValueKind {
            return;
        }
        let Some(lanes) = self.values.get(&param) else {
            return;
        };
        let pointee = if self.is_entry { info.ty.and_then(|ty| self.cx.pointee(ty)) } else { None };
        for (number, lane) in lanes.iter().enumerate() {
            if let Some(param) =
                self.out.params.get_mut(lane.index()).filter(|_| self.named_params.insert(lane.index()))
            {
                param.name = if lanes.len() == 1 { name.to_owned() } else { format!("{name}.{number}") };
                param.pointee = pointee;
            }
        }
    }

    fn lower_block(&mut self, block: Block<'m>, index: usize) {
        for inst in block.instructions() {
            if self.ended {
                return;
            }
            if let Some(loc) = inst.debug_loc() {
                self.loc = self.cx.debug.loc(loc, &mut self.cx.program.files);
            }
            let lowered = match inst.opcode() {
                Opcode::LLVMPHI => self.note_constants(inst).and_then(|()| self.declare_phi(inst, index)),
                _ => self.lower_inst(inst),
            };
            if let Err(what) = lowered {
                self.end_unsupported(what);
            }
        }
        if !self.ended {
            self.end_unsupported(Unsupported("a block without an end".to_owned()));
        }
    }

    fn declare_phi(&mut self, phi: Value<'m>, block: usize) -> Lowered<()> {
        let shape = self.cx.shape(phi.ty())?;
        let regs: SmallVec<[Reg; 2]> = shape.lanes.iter().map(|lane| self.reg(lane.width())).collect();
        self.values.insert(phi, regs.iter().map(|reg| Operand::reg(*reg)).collect());
        self.phis[block].push((phi, regs));
        Ok(())
    }

    // --- Blocks and edges ---

    pub(super) fn start_block(&mut self, id: BlockId) {
        let start = u32::try_from(self.out.code.len()).unwrap_or(u32::MAX);
        self.out.blocks[id.index()] = IrBlock { start, end: start };
        self.block_edges.clear();
        self.ended = false;
        self.current_block = id;
    }

    /// A block that LLVM does not know.
    pub(super) fn extra_block(&mut self) -> BlockId {
        self.out.blocks.push(IrBlock { start: 0, end: 0 });
        BlockId::new(self.out.blocks.len() - 1)
    }

    /// The edge to an LLVM block.
    pub(super) fn edge_to(&mut self, target: Block<'m>) -> Lowered<EdgeId> {
        match self.order.id(target) {
            Some(id) => Ok(self.edge(id)),
            None => Err(Unsupported("a jump to a block that does not exist".to_owned())),
        }
    }

    /// The edge from the current block to `target`: one, however many branches or cases take it.
    pub(super) fn edge(&mut self, target: BlockId) -> EdgeId {
        if let Some(edge) = self.block_edges.get(&target) {
            return *edge;
        }
        let id = EdgeId::new(self.out.edges.len());
        self.out.edges.push(Edge { target, copies: Box::default() });
        self.edge_sources.push(self.block);
        self.block_edges.insert(target, id);
        id
    }

    pub(super) fn end(&mut self, terminator: Inst) {
        self.emit(terminator);
        let end = u32::try_from(self.out.code.len()).unwrap_or(u32::MAX);
        self.out.blocks[self.current_block.index()].end = end;
        self.ended = true;
    }

    pub(super) fn end_unsupported(&mut self, what: Unsupported) {
        let what = self.cx.describe(what);
        self.end(Inst::Unsupported { what });
    }

    // --- Operands ---

    /// The operands of a value.
    pub(super) fn lanes(&mut self, value: Value<'m>) -> Lowered<Lanes> {
        if let Some(lanes) = self.values.get(&value) {
            return Ok(lanes.clone());
        }
        if value.is_constant() {
            let constants = self.cx.constant(value)?;
            return Ok(constants.into_iter().map(|constant| self.constant(constant)).collect());
        }
        // Only code that can no longer be reached reads what was never lowered.
        let shape = self.cx.shape(value.ty())?;
        Ok(shape.lanes.iter().map(|lane| self.constant(Constant::Undef { width: lane.width() })).collect())
    }

    /// The only operand of a scalar.
    pub(super) fn scalar(&mut self, value: Value<'m>) -> Lowered<Operand> {
        match self.lanes(value)?[..] {
            [operand] => Ok(operand),
            _ => Err(Unsupported("an aggregate where a scalar is needed".to_owned())),
        }
    }

    /// Operand `index` of an instruction, which is a scalar.
    pub(super) fn scalar_operand(&mut self, inst: Value<'m>, index: u32) -> Lowered<Operand> {
        self.scalar(inst.operand(index))
    }

    pub(super) fn constant(&mut self, constant: Constant) -> Operand {
        let next = ConstId::new(self.out.constants.len());
        let id = *self.constants.entry(constant).or_insert_with_key(|constant| {
            self.out.constants.push(constant.clone());
            next
        });
        Operand::constant(id)
    }

    pub(super) fn int(&mut self, value: u64, width: u32) -> Operand {
        self.constant(int(value, width))
    }

    /// The number with all `width` bits set.
    pub(super) fn ones(&mut self, width: u32) -> Operand {
        self.constant(constant::int_wrapped(-1, width))
    }

    pub(super) fn undef(&mut self, width: u32) -> Operand {
        self.constant(Constant::Undef { width })
    }

    /// A value that nobody knows.
    pub(super) fn unknown(&mut self, width: u32) -> Operand {
        let dst = self.reg(width);
        self.emit(Inst::Unknown { width, dst });
        dst.into()
    }

    /// The number that an operand is, if it is one of at most 64 bits.
    pub(super) fn known_int(&self, operand: Operand) -> Option<u64> {
        match self.out.constants.get(operand.as_const()?.index())? {
            Constant::Int { value, .. } => Some(*value),
            _ => None,
        }
    }

    // --- Instructions ---

    pub(super) fn reg(&mut self, width: u32) -> Reg {
        self.out.regs.push(width);
        Reg::new(self.out.regs.len() - 1)
    }

    pub(super) fn emit(&mut self, inst: Inst) {
        debug_assert!(!self.ended, "an instruction after the terminator");
        self.out.code.push(inst);
        self.out.locs.push(self.loc);
    }

    pub(super) fn bin(&mut self, op: BinOp, width: u32, a: Operand, b: Operand) -> Operand {
        let dst = self.reg(if op.is_overflow_test() { 1 } else { width });
        self.emit(Inst::Bin { op, width, dst, a, b });
        dst.into()
    }

    pub(super) fn cmp(&mut self, op: CmpOp, width: u32, a: Operand, b: Operand) -> Operand {
        let dst = self.reg(1);
        self.emit(Inst::Cmp { op, width, dst, a, b });
        dst.into()
    }

    pub(super) fn select(&mut self, width: u32, cond: Operand, a: Operand, b: Operand) -> Operand {
        if a == b {
            return a;
        }
        let dst = self.reg(width);
        self.emit(Inst::Select { width, dst, cond, a, b });
        dst.into()
    }

    /// `a` with `to` bits instead of `from`: truncated or extended.
    pub(super) fn resize(&mut self, a: Operand, from: u32, to: u32, signed: bool) -> Operand {
        let op = match from.cmp(&to) {
            std::cmp::Ordering::Equal => return a,
            std::cmp::Ordering::Greater => CastOp::Trunc,
            std::cmp::Ordering::Less if signed => CastOp::SExt,
            std::cmp::Ordering::Less => CastOp::ZExt,
        };
        let dst = self.reg(to);
        self.emit(Inst::Cast { op, from, to, dst, a });
        dst.into()
    }

    /// Is this pointer the marker of undefined values that promotion leaves?
    pub(super) fn is_undef_marker(&self, pointer: Value<'m>) -> bool {
        pointer.kind() == ValueKind::LLVMGlobalVariableValueKind
            && pointer.is_declaration()
            && pointer.name().starts_with(UNDEF_PREFIX)
    }
}

/// Puts the code into the order of the blocks: those that LLVM does not know come last, but were
/// lowered inside of others.
fn order_code(function: &mut Function) {
    if function.blocks.is_sorted_by_key(|block| block.start) {
        return;
    }
    let (code, locs) = (std::mem::take(&mut function.code), std::mem::take(&mut function.locs));
    let passed: Vec<_> = function.blocks.iter().map(|block| function.passed_in(block).to_vec()).collect();
    function.passed.clear();
    for (block, passed) in function.blocks.iter_mut().zip(passed) {
        let (from, to) = (block.start, u32::try_from(function.code.len()).unwrap_or(u32::MAX));
        let range = block.start as usize..block.end as usize;
        function.code.extend_from_slice(&code[range.clone()]);
        function.locs.extend_from_slice(&locs[range]);
        function.passed.extend(passed.into_iter().map(|(pc, loc)| (pc - from + to, loc)));
        *block = IrBlock { start: to, end: block.end - from + to };
    }
}
