//! Puts the values of local variables in the place of their loads and stores: SSA construction.
//!
//! It does what LLVM's `mem2reg` does. That one takes seconds for generated functions of a hundred
//! thousand blocks: most of it for dominance frontiers, for places of the source that nobody asks
//! for, and for simplifying phis that need not be there.
//!
//! Variables are taken one at a time. Where one is needed is found backwards from its loads. There,
//! in reverse post-order, a block begins with the value that the blocks before it end with; where
//! two of these differ is a phi. What comes over edges that close loops is compared afterwards; if
//! that makes more phis, blocks are gone through again, about once for each level of loops. No phi
//! is made too many: until they meet, the ways of different values have no block in common, and
//! that is just where a phi belongs (Cytron, Ferrante, Rosen, Wegman, Zadeck: "Efficiently
//! computing static single assignment form and the control dependence graph", TOPLAS 1991). The
//! same value assigned on two ways is no difference.
//!
//! A variable may be promoted only after a pointer to it is, so it is tried until nothing changes.

use super::promote::{is_lifetime, is_single};
use super::{Block, Opcode, Value, ValueKind};
use espalier_analysis::Cfg;
use espalier_ir::BlockId;
use llvm_sys::core::*;
use llvm_sys::debuginfo::{
    LLVMDIBuilderCreateDebugLocation, LLVMDILocationGetInlinedAt, LLVMDILocationGetScope, LLVMInstructionGetDebugLoc,
    LLVMInstructionSetDebugLoc,
};
use llvm_sys::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Promotes the variables of functions of one module.
pub(super) struct Promoter {
    builder: LLVMBuilderRef,
    context: LLVMContextRef,
    /// `llvm.dbg.value`, and `llvm.dbg.declare` if the module has it.
    value_mark: LLVMValueRef,
    object_mark: LLVMValueRef,
    /// Is it to be known what each variable holds everywhere? Else just where it gets a parameter
    /// or the result of a call, which have the names of variables in reports.
    describes: bool,
}

/// The blocks that the entry leads to, in reverse post-order: their numbers are their places.
struct Graph {
    blocks: Vec<LLVMBasicBlockRef>,
    places: FxHashMap<LLVMBasicBlockRef, u32>,
    /// The blocks before each, once for each way.
    before: Vec<SmallVec<[u32; 2]>>,
    /// The same for those that the entry does not lead to.
    unreachable_before: FxHashMap<u32, Vec<LLVMBasicBlockRef>>,
}

/// A load or a store of a variable as a whole.
#[derive(Copy, Clone)]
struct Access {
    place: u32,
    inst: LLVMValueRef,
    is_store: bool,
}

/// A variable to be promoted.
struct Variable {
    object: LLVMValueRef,
    /// In the order of the code.
    accesses: Vec<Access>,
    /// The calls that say which variable of the source it is.
    descriptions: Vec<LLVMValueRef>,
}

/// What is known of a variable in one block, as far as it is known for the one that is promoted.
#[derive(Copy, Clone)]
struct InBlock {
    needed_for: u32,
    phi_for: u32,
    set_for: u32,
    /// What it holds where the block begins, and where it ends, if it is set.
    begins_with: LLVMValueRef,
    ends_with: LLVMValueRef,
}

impl InBlock {
    const UNKNOWN: InBlock = InBlock {
        needed_for: 0,
        phi_for: 0,
        set_for: 0,
        begins_with: std::ptr::null_mut(),
        ends_with: std::ptr::null_mut(),
    };
}

impl Promoter {
    /// # Safety
    /// `module` outlives the result, and variables are described by calls in it.
    pub unsafe fn new(module: LLVMModuleRef, describes: bool) -> Promoter {
        // SAFETY: as the function's own; the intrinsic exists and has no overloads.
        unsafe {
            let context = LLVMGetModuleContext(module);
            let name = "llvm.dbg.value";
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            Promoter {
                builder: LLVMCreateBuilderInContext(context),
                context,
                value_mark: LLVMGetIntrinsicDeclaration(module, id, std::ptr::null_mut(), 0),
                object_mark: LLVMGetNamedFunction(module, c"llvm.dbg.declare".as_ptr()),
                describes,
            }
        }
    }

    /// Promotes what can be promoted.
    ///
    /// # Safety
    /// `function` is a function of the module with code, and nobody holds loads or stores of it.
    pub unsafe fn promote(&self, function: LLVMValueRef) {
        let mut known = None;
        loop {
            // SAFETY: as the function's own.
            let objects = unsafe { promotable(function) };
            if objects.is_empty() {
                return;
            }
            let (graph, blocks) = known.get_or_insert_with(|| {
                let graph = Graph::of(Value::known(function));
                let blocks = vec![InBlock::UNKNOWN; graph.blocks.len()];
                (graph, blocks)
            });
            blocks.fill(InBlock::UNKNOWN);
            // SAFETY: the graph stays the same: only instructions are taken out and put in.
            unsafe {
                let mut phis = Vec::new();
                for (variable, number) in self.variables(graph, &objects).iter().zip(1..) {
                    phis.extend(Promotion { promoter: self, graph, blocks, variable, number }.run());
                }
                remove_trivial(graph, &phis);
            }
        }
    }

    /// Finds all accesses of these objects.
    ///
    /// # Safety
    /// The objects can be promoted, and the graph is that of their function.
    unsafe fn variables(&self, graph: &Graph, objects: &[LLVMValueRef]) -> Vec<Variable> {
        let numbers: FxHashMap<LLVMValueRef, usize> = objects.iter().copied().zip(0..).collect();
        let empty = |&object| Variable { object, accesses: Vec::new(), descriptions: Vec::new() };
        let mut variables: Vec<Variable> = objects.iter().map(empty).collect();
        for (&block, place) in graph.blocks.iter().zip(0..) {
            // SAFETY: walks the block's instructions; only loads, stores and calls are asked.
            unsafe {
                let mut next = LLVMGetFirstInstruction(block);
                while !next.is_null() {
                    let inst = next;
                    next = LLVMGetNextInstruction(inst);
                    let (object, is_store) = match LLVMGetInstructionOpcode(inst) {
                        Opcode::LLVMLoad => (LLVMGetOperand(inst, 0), false),
                        Opcode::LLVMStore => (LLVMGetOperand(inst, 1), true),
                        Opcode::LLVMCall if LLVMGetCalledValue(inst) == self.object_mark => {
                            let described = Value::known(inst).debug_variable().and_then(|(object, _)| object);
                            if let Some(&number) = described.and_then(|object| numbers.get(&object.raw)) {
                                variables[number].descriptions.push(inst);
                            }
                            continue;
                        }
                        _ => continue,
                    };
                    if let Some(&number) = numbers.get(&object) {
                        variables[number].accesses.push(Access { place, inst, is_store });
                    }
                }
            }
        }
        variables
    }

    /// Says before an instruction that a variable holds a value from there on.
    ///
    /// # Safety
    /// The value is there before the instruction, and `description` says which variable it is.
    unsafe fn describe(&self, value: LLVMValueRef, description: LLVMValueRef, before: LLVMValueRef) {
        // SAFETY: as the function's own; both intrinsics have variable and expression behind the
        // value.
        unsafe {
            LLVMPositionBuilderBefore(self.builder, before);
            let mut operands = [
                LLVMMetadataAsValue(self.context, LLVMValueAsMetadata(value)),
                LLVMGetOperand(description, 1),
                LLVMGetOperand(description, 2),
            ];
            let ty = LLVMGlobalGetValueType(self.value_mark);
            let described = LLVMBuildCall2(self.builder, ty, self.value_mark, operands.as_mut_ptr(), 3, c"".as_ptr());
            // The place says which function it belongs to, and is no line of it.
            let declared = LLVMInstructionGetDebugLoc(description);
            if !declared.is_null() {
                let (scope, caller) = (LLVMDILocationGetScope(declared), LLVMDILocationGetInlinedAt(declared));
                let nowhere = LLVMDIBuilderCreateDebugLocation(self.context, 0, 0, scope, caller);
                LLVMInstructionSetDebugLoc(described, nowhere);
            }
        }
    }
}

impl Drop for Promoter {
    fn drop(&mut self) {
        // SAFETY: it is ours.
        unsafe { LLVMDisposeBuilder(self.builder) };
    }
}

impl Graph {
    fn of(function: Value<'_>) -> Graph {
        let all = function.blocks();
        let numbers: FxHashMap<Block<'_>, BlockId> =
            all.iter().enumerate().map(|(index, block)| (*block, BlockId::new(index))).collect();
        let successors = |block: &Block<'_>| block.successors().iter().map(|successor| numbers[successor]).collect();
        let cfg = Cfg::new(&all.iter().map(successors).collect::<Vec<_>>());
        let blocks: Vec<LLVMBasicBlockRef> =
            cfg.reverse_postorder().iter().map(|number| all[number.index()].raw).collect();
        let places: FxHashMap<LLVMBasicBlockRef, u32> = blocks.iter().copied().zip(0..).collect();
        let mut before = vec![SmallVec::new(); blocks.len()];
        let mut unreachable_before: FxHashMap<u32, Vec<LLVMBasicBlockRef>> = FxHashMap::default();
        for (&number, place) in cfg.reverse_postorder().iter().zip(0_u32..) {
            for from in cfg.predecessors(number) {
                let from = all[from.index()].raw;
                match places.get(&from) {
                    Some(&from) => before[place as usize].push(from),
                    None => unreachable_before.entry(place).or_default().push(from),
                }
            }
        }
        Graph { blocks, places, before, unreachable_before }
    }
}

/// One variable being promoted.
struct Promotion<'a> {
    promoter: &'a Promoter,
    graph: &'a Graph,
    blocks: &'a mut [InBlock],
    variable: &'a Variable,
    /// Which it is of those that are promoted together, from 1 on.
    number: u32,
}

impl Promotion<'_> {
    /// Gives the phis that it made.
    ///
    /// # Safety
    /// The accesses are all of the variable's that can be reached, in their order.
    unsafe fn run(mut self) -> Vec<LLVMValueRef> {
        // SAFETY: as the function's own. Loads are erased after all their uses are replaced.
        unsafe {
            let early_loads = self.replace_within_blocks();
            let needed = self.blocks_that_need_it(&early_loads);
            let phis = self.place_phis(&needed);
            for &place in &phis {
                self.fill_phi(place);
            }
            for load in &early_loads {
                LLVMReplaceAllUsesWith(load.inst, self.resolved(self.blocks[load.place as usize].begins_with));
            }
            for load in &early_loads {
                LLVMInstructionEraseFromParent(load.inst);
            }
            self.describe_values(&phis);
            self.erase();
            phis.iter().map(|&place| self.blocks[place as usize].begins_with).collect()
        }
    }

    /// Replaces loads behind a store in their block, and gives the others. Notes what blocks end
    /// with.
    ///
    /// # Safety
    /// As for `run`.
    unsafe fn replace_within_blocks(&mut self) -> Vec<Access> {
        let mut early_loads: Vec<Access> = Vec::new();
        for of_block in self.variable.accesses.chunk_by(|a, b| a.place == b.place) {
            let mut held = None;
            let block = self.graph.blocks[of_block[0].place as usize];
            for &access in of_block {
                // SAFETY: operands are asked of stores only.
                unsafe {
                    match held {
                        _ if access.is_store => {
                            let value = LLVMGetOperand(access.inst, 0);
                            // Loads that are left in this block are what it begins with.
                            held = Some(value)
                                .filter(|_| !(self.is_load(value) && LLVMGetInstructionParent(value) == block));
                        }
                        Some(value) => {
                            LLVMReplaceAllUsesWith(access.inst, value);
                            LLVMInstructionEraseFromParent(access.inst);
                        }
                        None => early_loads.push(access),
                    }
                }
            }
            if let Some(value) = held {
                let block = &mut self.blocks[of_block[0].place as usize];
                block.set_for = self.number;
                block.ends_with = value;
            }
        }
        early_loads
    }

    /// The blocks where it matters what the variable holds at their beginning, in order.
    fn blocks_that_need_it(&mut self, early_loads: &[Access]) -> Vec<u32> {
        let mut needed: Vec<u32> = early_loads.iter().map(|load| load.place).collect();
        needed.dedup();
        needed.iter().for_each(|&place| self.blocks[place as usize].needed_for = self.number);
        let mut next = 0;
        while let Some(&place) = needed.get(next) {
            next += 1;
            for &from in &self.graph.before[place as usize] {
                let block = &mut self.blocks[from as usize];
                if block.set_for != self.number && block.needed_for != self.number {
                    block.needed_for = self.number;
                    needed.push(from);
                }
            }
        }
        needed.sort_unstable();
        needed
    }

    /// Finds out what these blocks begin with, and gives those that have a phi for it.
    ///
    /// # Safety
    /// As for `run`.
    unsafe fn place_phis(&mut self, needed: &[u32]) -> Vec<u32> {
        let mut phis = Vec::new();
        loop {
            for &place in needed {
                if self.blocks[place as usize].phi_for == self.number {
                    continue;
                }
                let before = self.graph.before[place as usize].iter().filter(|&&from| from < place);
                let mut values = before.map(|&from| self.end_of(from));
                let first = values.next();
                if values.any(|value| Some(value) != first) {
                    phis.push(place);
                    // SAFETY: a block of the function.
                    unsafe { self.make_phi(place) };
                } else {
                    // Only the entry has none before it: the variable was never set.
                    // SAFETY: a type of a value.
                    self.blocks[place as usize].begins_with = first.unwrap_or_else(|| unsafe { self.undefined() });
                }
            }
            let made = phis.len();
            for &place in needed {
                let block = self.blocks[place as usize];
                let mut closing = self.graph.before[place as usize].iter().filter(|&&from| from >= place);
                if block.phi_for != self.number && closing.any(|&from| self.end_of(from) != block.begins_with) {
                    phis.push(place);
                    // SAFETY: a block of the function.
                    unsafe { self.make_phi(place) };
                }
            }
            if phis.len() == made {
                return phis;
            }
        }
    }

    /// What the variable holds where a block ends.
    fn end_of(&self, place: u32) -> LLVMValueRef {
        let block = self.blocks[place as usize];
        if block.set_for == self.number { block.ends_with } else { block.begins_with }
    }

    /// Is it a load of the variable?
    ///
    /// # Safety
    /// It is a value.
    unsafe fn is_load(&self, value: LLVMValueRef) -> bool {
        // SAFETY: the operand is asked of a load.
        unsafe { !LLVMIsALoadInst(value).is_null() && LLVMGetOperand(value, 0) == self.variable.object }
    }

    /// The value behind one that may be a load of the variable, which is to be replaced itself.
    ///
    /// # Safety
    /// No load that is in front of its block's stores is erased.
    unsafe fn resolved(&self, mut value: LLVMValueRef) -> LLVMValueRef {
        // SAFETY: operands and blocks are asked of loads only.
        unsafe {
            while self.is_load(value) {
                let place = self.graph.places[&LLVMGetInstructionParent(value)];
                value = self.blocks[place as usize].begins_with;
            }
        }
        value
    }

    /// # Safety
    /// The variable is there.
    unsafe fn undefined(&self) -> LLVMValueRef {
        // SAFETY: as the function's own.
        unsafe { LLVMGetUndef(LLVMGetAllocatedType(self.variable.object)) }
    }

    /// # Safety
    /// The variable is there.
    unsafe fn make_phi(&mut self, place: u32) {
        // SAFETY: as the function's own; every block has an instruction.
        unsafe {
            let builder = self.promoter.builder;
            LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(self.graph.blocks[place as usize]));
            LLVMSetCurrentDebugLocation2(builder, std::ptr::null_mut());
            let ty = LLVMGetAllocatedType(self.variable.object);
            let block = &mut self.blocks[place as usize];
            block.begins_with = LLVMBuildPhi(builder, ty, c"".as_ptr());
            block.phi_for = self.number;
        }
    }

    /// # Safety
    /// The block has a phi, and all values are known.
    unsafe fn fill_phi(&self, place: u32) {
        // SAFETY: as the function's own.
        unsafe {
            let before = &self.graph.before[place as usize];
            let mut values: SmallVec<[LLVMValueRef; 4]> =
                before.iter().map(|&from| self.resolved(self.end_of(from))).collect();
            let mut blocks: SmallVec<[LLVMBasicBlockRef; 4]> =
                before.iter().map(|&from| self.graph.blocks[from as usize]).collect();
            for &from in self.graph.unreachable_before.get(&place).into_iter().flatten() {
                values.push(self.undefined());
                blocks.push(from);
            }
            let phi = self.blocks[place as usize].begins_with;
            LLVMAddIncoming(phi, values.as_mut_ptr(), blocks.as_mut_ptr(), u32::try_from(values.len()).unwrap_or(0));
        }
    }

    /// Says what the variable holds where it gets another value.
    ///
    /// # Safety
    /// All loads are replaced, and no store is erased.
    unsafe fn describe_values(&self, phis: &[u32]) {
        let Promoter { describes, .. } = *self.promoter;
        for &description in &self.variable.descriptions {
            // SAFETY: a value is there before it is stored, and phis before the first instruction
            // that is none.
            unsafe {
                for store in self.variable.accesses.iter().filter(|access| access.is_store) {
                    let value = LLVMGetOperand(store.inst, 0);
                    if describes || !LLVMIsAArgument(value).is_null() || !LLVMIsACallInst(value).is_null() {
                        self.promoter.describe(value, description, store.inst);
                    }
                }
                for &place in phis.iter().filter(|_| describes) {
                    let block: Block<'_> = Block::from_raw(self.graph.blocks[place as usize]);
                    if let Some(first) = block.instructions().find(|inst| inst.opcode() != Opcode::LLVMPHI) {
                        self.promoter.describe(self.blocks[place as usize].begins_with, description, first.raw);
                    }
                }
                LLVMInstructionEraseFromParent(description);
            }
        }
    }

    /// Erases what is left of the variable.
    ///
    /// # Safety
    /// All loads that can be reached are replaced.
    unsafe fn erase(&self) {
        // SAFETY: users are stores, loads that cannot be reached, and marks.
        unsafe {
            for user in Value::known(self.variable.object).users() {
                if user.opcode() == Opcode::LLVMLoad {
                    LLVMReplaceAllUsesWith(user.raw, self.undefined());
                }
                LLVMInstructionEraseFromParent(user.raw);
            }
            LLVMInstructionEraseFromParent(self.variable.object);
        }
    }
}

/// Removes those of these phis that are the same on all ways: loads of another variable that was
/// promoted later looked different.
///
/// # Safety
/// They are filled phis of the graph's function.
unsafe fn remove_trivial(graph: &Graph, phis: &[LLVMValueRef]) {
    let is_way = |from: Block<'_>| graph.unreachable_before.is_empty() || graph.places.contains_key(&from.raw);
    let mut left: FxHashSet<LLVMValueRef> = phis.iter().copied().collect();
    let mut waiting: Vec<LLVMValueRef> = phis.iter().rev().copied().collect();
    while let Some(raw) = waiting.pop() {
        if !left.contains(&raw) {
            continue;
        }
        let phi: Value<'_> = Value::known(raw);
        let mut others = phi.incoming().filter(|&(value, from)| value != phi && is_way(from)).map(|(value, _)| value);
        let Some(only) = others.next().filter(|first| others.all(|other| other == *first)) else { continue };
        left.remove(&raw);
        waiting.extend(phi.users().iter().map(|user| user.raw).filter(|user| left.contains(user)));
        // SAFETY: what it is on all ways is there where it is.
        unsafe {
            LLVMReplaceAllUsesWith(raw, only.raw);
            LLVMInstructionEraseFromParent(raw);
        }
    }
}

/// The objects of a function that are only loaded and stored as a whole.
///
/// # Safety
/// `function` is a function with code.
unsafe fn promotable(function: LLVMValueRef) -> Vec<LLVMValueRef> {
    // SAFETY: walks the entry's instructions.
    unsafe {
        let entry: Block<'_> = Block::from_raw(LLVMGetEntryBasicBlock(function));
        let objects = entry.instructions().filter(|inst| inst.opcode() == Opcode::LLVMAlloca);
        objects.map(|inst| inst.raw).filter(|&object| is_single(object) && is_promotable(object)).collect()
    }
}

/// Is an object only loaded and stored as a whole?
///
/// # Safety
/// `object` is an `alloca`.
pub(super) unsafe fn is_promotable(object: LLVMValueRef) -> bool {
    // SAFETY: walking the list of uses; operands are asked of loads and stores only.
    unsafe {
        let ty = LLVMGetAllocatedType(object);
        let mut usage = LLVMGetFirstUse(object);
        while !usage.is_null() {
            let user = LLVMGetUser(usage);
            if Value::known(user).kind() != ValueKind::LLVMInstructionValueKind {
                return false;
            }
            let fits = match LLVMGetInstructionOpcode(user) {
                Opcode::LLVMLoad => LLVMGetVolatile(user) == 0 && LLVMTypeOf(user) == ty,
                Opcode::LLVMStore => {
                    let value = LLVMGetOperand(user, 0);
                    value != object && LLVMGetVolatile(user) == 0 && LLVMTypeOf(value) == ty
                }
                Opcode::LLVMCall => is_lifetime(user, false),
                _ => false,
            };
            if !fits {
                return false;
            }
            usage = LLVMGetNextUse(usage);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Context, Module};
    use super::*;
    use std::fmt::Write;

    const VARIABLES: usize = 4;
    const UNDEFINED: i64 = 777;

    /// Numbers that are the same in every run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) as usize % limit
        }
    }

    /// A function whose blocks jump anywhere: loops with several entries, blocks that nothing leads
    /// to, switches with one target twice. `set` says how many variables have a value first.
    fn program(seed: u64, set: usize) -> String {
        let mut random = Random(seed);
        let blocks = 2 + random.below(12);
        let mut text = String::from("declare void @out(i32)\ndeclare i32 @choose()\ndefine void @f() {\n");
        (0..VARIABLES).for_each(|v| writeln!(text, "  %v{v} = alloca i32").unwrap());
        (0..set).for_each(|v| writeln!(text, "  store i32 {v}, ptr %v{v}").unwrap());
        text.push_str("  br label %b0\n");
        for block in 0..blocks {
            writeln!(text, "b{block}:").unwrap();
            let mut last = "5".to_owned();
            for place in 0..random.below(6) {
                let (variable, name) = (random.below(VARIABLES), format!("%x{block}.{place}"));
                match random.below(5) {
                    0 | 1 => {
                        writeln!(text, "  {name} = load i32, ptr %v{variable}").unwrap();
                        last = name;
                    }
                    2 => writeln!(text, "  store i32 {last}, ptr %v{variable}").unwrap(),
                    3 => writeln!(text, "  call void @out(i32 {last})").unwrap(),
                    _ => {
                        writeln!(text, "  {name} = add i32 {last}, {place}").unwrap();
                        last = name;
                    }
                }
            }
            let [a, b] = [0; 2].map(|_| random.below(blocks));
            match random.below(8) {
                0 => text.push_str("  ret void\n"),
                1 => writeln!(text, "  br label %b{a}").unwrap(),
                _ => {
                    writeln!(text, "  %c{block} = call i32 @choose()").unwrap();
                    writeln!(text, "  switch i32 %c{block}, label %b{a} [i32 1, label %b{b} i32 2, label %b{a}]")
                        .unwrap();
                }
            }
        }
        text + "}\n"
    }

    /// What the function gives out within a number of steps, on a way that the seed chooses.
    fn outputs(module: &Module<'_>, seed: u64) -> Vec<i64> {
        let mut random = Random(seed);
        let (mut values, mut memory) = (FxHashMap::default(), FxHashMap::default());
        let mut given = Vec::new();
        let mut block = module.function_named("f").unwrap().entry_block().unwrap();
        let mut from = block;
        for _ in 0..200 {
            let value_of = |value: Value<'_>, values: &FxHashMap<Value<'_>, i64>| match value.small_int() {
                Some(number) => number,
                None => values.get(&value).copied().unwrap_or(UNDEFINED),
            };
            let phis = block.instructions().take_while(|inst| inst.opcode() == Opcode::LLVMPHI);
            let arrived: Vec<(Value<'_>, i64)> = phis
                .map(|phi| {
                    let (value, _) = phi.incoming().find(|(_, source)| *source == from).unwrap();
                    (phi, value_of(value, &values))
                })
                .collect();
            values.extend(arrived);
            for inst in block.instructions() {
                let operand = |index: u32| value_of(inst.operand(index), &values);
                let result = match inst.opcode() {
                    Opcode::LLVMPHI | Opcode::LLVMAlloca => continue,
                    Opcode::LLVMLoad => memory.get(&inst.operand(0)).copied().unwrap_or(UNDEFINED),
                    Opcode::LLVMAdd => operand(0) + operand(1),
                    Opcode::LLVMStore => {
                        memory.insert(inst.operand(1), operand(0));
                        continue;
                    }
                    Opcode::LLVMCall => match &*inst.called_value().name() {
                        "out" => {
                            given.push(operand(0));
                            continue;
                        }
                        _ => random.below(4) as i64,
                    },
                    Opcode::LLVMRet => return given,
                    Opcode::LLVMBr => {
                        (from, block) = (block, inst.block_operand(0));
                        break;
                    }
                    _ => {
                        let value = operand(0);
                        let cases = (2..inst.operand_count()).step_by(2);
                        let case = cases.into_iter().find(|&case| operand(case) == value);
                        (from, block) = (block, inst.block_operand(case.map_or(1, |case| case + 1)));
                        break;
                    }
                };
                values.insert(inst, result);
            }
        }
        given
    }

    fn count(module: &Module<'_>, opcode: Opcode) -> usize {
        let blocks = module.function_named("f").unwrap().blocks();
        blocks.into_iter().flat_map(Block::instructions).filter(|inst| inst.opcode() == opcode).count()
    }

    #[test]
    fn promoted_functions_do_the_same() {
        let mut given = 0;
        for seed in 0..500 {
            let text = program(seed, seed as usize % (VARIABLES + 1));
            let context = Context::new();
            let as_written = Module::parse(&context, text.as_bytes(), "f").unwrap();
            let mut promoted = Module::parse(&context, text.as_bytes(), "f").unwrap();
            promoted.promote_locals("", seed % 2 == 0);
            promoted.verify().unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(count(&promoted, Opcode::LLVMAlloca), 0, "{text}");
            for way in 0..4 {
                let expected = outputs(&as_written, way);
                given += expected.len();
                assert_eq!(outputs(&promoted, way), expected, "{text}");
            }
        }
        assert!(given > 10_000, "too little is given out: {given}");
    }

    #[test]
    fn no_more_phis_than_mem2reg() {
        for seed in 0..500 {
            let text = program(seed, VARIABLES);
            let context = Context::new();
            let mut promoted = Module::parse(&context, text.as_bytes(), "f").unwrap();
            promoted.promote_locals("", false);
            let mut by_llvm = Module::parse(&context, text.as_bytes(), "f").unwrap();
            by_llvm.run_passes(c"function(mem2reg)").unwrap();
            let phis = [&promoted, &by_llvm].map(|module| count(module, Opcode::LLVMPHI));
            assert!(phis[0] <= phis[1], "{phis:?}\n{text}");
        }
    }
}
