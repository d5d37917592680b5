//! Lowers a linked LLVM module to [`espalier_ir::Program`].
//!
//! Starting from the entry function, constructors and destructors, functions and globals are
//! lowered as they are met, so that what a program does not use costs nothing. Whatever cannot be
//! lowered becomes an `Unsupported` instruction: it only matters if a path reaches it.

mod address;
mod asm;
mod atomic;
mod call;
mod constant;
mod control;
mod debug;
mod edges;
mod float;
mod fpclass;
mod function;
mod global;
mod inst;
mod intrinsic;
mod libm;
mod lifetime;
mod loops;
mod masked;
mod memory;
mod pointee;
mod pointer;
mod relative;
mod shape;
mod vararg;
mod vector;

pub use libm::library_functions;

use crate::llvm::{Attributes, DataLayout, Module, TypeNode, Value, ValueKind};
use debug::Debug;
pub use debug::FileNames;
use espalier_ir::{BlockId, Floats, FuncId, Function, GlobalId, LeftOut, Loc, Param, Program, Target};
use function::BlockOrder;
use rustc_hash::FxHashMap;
use shape::{Shape, Shapes};
use std::collections::VecDeque;
use std::rc::Rc;

/// Functions that the engine itself calls, kept although the program does not mention them.
const ENGINE_ENTRY_POINTS: [&str; 1] = ["__espalier_run_atexit"];

/// Functions that install handlers of signals, and the one by which the engine calls these.
const INSTALLERS: [&str; 6] = ["signal", "__sysv_signal", "bsd_signal", "sigset", "sigaction", "__sigaction"];
pub const HANDLING: &str = "__espalier_run_handler";

/// Attribute that marks functions of Espalier's own runtime.
pub const RUNTIME_ATTRIBUTE: &str = "espalier-runtime";

/// Why something cannot be lowered, for the user.
#[derive(Clone, Debug)]
pub struct Unsupported(pub String);

pub type Lowered<T> = Result<T, Unsupported>;

pub fn unsupported<T>(what: impl Into<String>) -> Lowered<T> {
    Err(Unsupported(what.into()))
}

/// What lowering gives.
pub struct Output {
    pub program: Program,
    pub entry: FuncId,
    pub warnings: Vec<String>,
}

/// Lowers everything reachable from `entry`. `loop_variables` says whether to find out which
/// variables are in which registers at loops, `every_entry` whether any function may be run by
/// itself.
pub fn lower<'m>(module: &'m Module<'m>, entry: Value<'m>, loop_variables: bool, every_entry: bool) -> Output {
    let mut lowerer = Lowerer::new(module, entry, loop_variables, every_entry);
    let id = lowerer.function_id(entry);
    lowerer.run_lists();
    for name in ENGINE_ENTRY_POINTS {
        if let Some(function) = module.function_named(name).filter(|f| !f.is_declaration()) {
            lowerer.function_id(function);
        }
    }
    lowerer.drain();
    if INSTALLERS.iter().any(|name| lowerer.program.function_names.contains_key(*name))
        && let Some(function) = module.function_named(HANDLING).filter(|f| !f.is_declaration())
    {
        lowerer.function_id(function);
        lowerer.drain();
    }
    lowerer.finish_names();
    Output { program: lowerer.program, entry: id, warnings: lowerer.warnings }
}

/// The function behind aliases, if there is one.
pub fn resolve_function(mut value: Value<'_>) -> Option<Value<'_>> {
    loop {
        match value.kind() {
            ValueKind::LLVMFunctionValueKind => return Some(value),
            ValueKind::LLVMGlobalAliasValueKind => value = value.aliasee()?,
            _ => return None,
        }
    }
}

/// Are the functions in this section run before or after `main`?
fn is_run(section: &str) -> bool {
    [".preinit_array", ".init_array", ".fini_array", ".ctors", ".dtors", ".init", ".fini"]
        .iter()
        .any(|name| section.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')))
}

/// The state of lowering a module.
struct Lowerer<'m> {
    module: &'m Module<'m>,
    layout: DataLayout<'m>,
    pointer_width: u32,
    attributes: Attributes,
    shapes: Shapes<'m>,
    debug: Debug<'m>,
    program: Program,
    functions: FxHashMap<Value<'m>, FuncId>,
    globals: FxHashMap<Value<'m>, GlobalId>,
    /// Tables of pointers for tables of distances.
    relative_tables: FxHashMap<Value<'m>, GlobalId>,
    orders: FxHashMap<Value<'m>, Rc<BlockOrder<'m>>>,
    function_work: VecDeque<(Value<'m>, FuncId)>,
    global_work: VecDeque<(Value<'m>, GlobalId)>,
    unsupported: FxHashMap<String, u32>,
    /// The function that execution begins with, and the types that its parameters lead to.
    entry: Value<'m>,
    every_entry: bool,
    pointees: FxHashMap<Option<TypeNode<'m>>, u32>,
    loop_variables: bool,
    warnings: Vec<String>,
}

impl<'m> Lowerer<'m> {
    fn new(module: &'m Module<'m>, entry: Value<'m>, loop_variables: bool, every_entry: bool) -> Lowerer<'m> {
        let layout = module.layout();
        let pointer_width = layout.pointer_width();
        Lowerer {
            module,
            layout,
            pointer_width,
            attributes: Attributes::new(),
            shapes: Shapes::new(layout),
            debug: Debug::new(),
            program: Program {
                target: Target { triple: module.triple(), pointer_width },
                functions: Vec::new(),
                globals: Vec::new(),
                files: Vec::new(),
                constructors: Vec::new(),
                destructors: Vec::new(),
                unsupported: Vec::new(),
                function_names: FxHashMap::default(),
                global_names: FxHashMap::default(),
                assigned_names: FxHashMap::default(),
                pointees: Vec::new(),
                packs_addresses: false,
                left_out: Vec::new(),
            },
            functions: FxHashMap::default(),
            globals: FxHashMap::default(),
            relative_tables: FxHashMap::default(),
            loop_variables,
            orders: FxHashMap::default(),
            function_work: VecDeque::new(),
            global_work: VecDeque::new(),
            unsupported: FxHashMap::default(),
            entry,
            every_entry,
            pointees: FxHashMap::default(),
            warnings: Vec::new(),
        }
    }

    /// Lowers what has been met until nothing new is.
    fn drain(&mut self) {
        loop {
            if let Some((value, id)) = self.function_work.pop_front() {
                self.lower_function(value, id);
            } else if let Some((value, id)) = self.global_work.pop_front() {
                self.lower_global(value, id);
            } else {
                break;
            }
        }
    }

    /// The constructors and destructors, in the order they run. Those that the program puts into
    /// their sections by hand are left out: how they are ordered is up to the linker.
    fn run_lists(&mut self) {
        self.program.constructors = self.run_list("llvm.global_ctors", false);
        self.program.destructors = self.run_list("llvm.global_dtors", true);
        let sections = self.module.globals().filter(|global| !global.is_declaration()).filter_map(Value::section);
        let mut sections: Vec<String> = sections.filter(|name| is_run(name)).collect();
        sections.sort();
        sections.dedup();
        self.program.left_out.extend(sections.into_iter().map(LeftOut::Section));
    }

    /// An array of `{ priority, function, data }`: low priorities construct first and destruct
    /// last.
    fn run_list(&mut self, name: &str, reversed: bool) -> Vec<FuncId> {
        let Some(list) = self.module.global_named(name).and_then(Value::initializer) else {
            return Vec::new();
        };
        let mut entries = Vec::new();
        for index in 0.. {
            let Some(entry) = list.aggregate_element(index) else {
                break;
            };
            let priority = entry.aggregate_element(0).and_then(Value::small_int).unwrap_or(0);
            if let Some(function) = entry.aggregate_element(1).and_then(resolve_function) {
                entries.push((priority, function));
            }
        }
        entries.sort_by_key(|(priority, _)| *priority);
        if reversed {
            entries.reverse();
        }
        entries.into_iter().map(|(_, function)| self.function_id(function)).collect()
    }

    /// The id of a function, which is lowered later if it is new.
    fn function_id(&mut self, function: Value<'m>) -> FuncId {
        if let Some(id) = self.functions.get(&function) {
            return *id;
        }
        let id = FuncId::new(self.program.functions.len());
        self.functions.insert(function, id);
        let declared = self.declare(function);
        self.program.function_names.insert(declared.name.clone(), id);
        self.program.functions.push(declared);
        if !function.is_declaration() {
            self.function_work.push_back((function, id));
        }
        id
    }

    /// The function without its code.
    fn declare(&mut self, function: Value<'m>) -> Function {
        let ty = function.value_type();
        let values = function.params();
        let (mut params, mut lanes) = (Vec::new(), Vec::new());
        for (index, param_type) in ty.params().into_iter().enumerate() {
            // A type that cannot be lowered is reported where the function is called or lowered.
            let Ok(shape) = self.shapes.of(param_type) else {
                continue;
            };
            let by_value =
                self.attributes.by_value_param(function, u32::try_from(index).unwrap_or(u32::MAX)).map(|attribute| {
                    let align = attribute.align.unwrap_or_else(|| self.layout.align(attribute.object));
                    (self.layout.alloc_size(attribute.object), align)
                });
            let name = values.get(index).map(|value| value.name()).unwrap_or_default();
            lanes.extend_from_slice(&shape.lanes);
            for (lane, scalar) in shape.lanes.iter().enumerate() {
                let name = match shape.lanes.len() {
                    1 => name.clone(),
                    _ if name.is_empty() => String::new(),
                    _ => format!("{name}.{lane}"),
                };
                params.push(Param { width: scalar.width(), name, by_value, pointee: None });
            }
        }
        let loc = function.function_loc().map_or(Loc::UNKNOWN, |loc| self.debug.loc(loc, &mut self.program.files));
        let result = self.shapes.of(ty.result());
        let floats = Floats {
            args: shape::floats(&lanes),
            result: result.as_ref().map_or(0, |result| shape::floats(&result.lanes)),
        };
        let result = result.map(|shape| shape.widths()).unwrap_or_default();
        Function {
            floats,
            is_variadic: ty.is_variadic(),
            loc,
            is_runtime: function.has_string_attribute(RUNTIME_ATTRIBUTE),
            ..Function::declaration(function.symbol(), params, result)
        }
    }

    /// The id of a global variable, which is lowered later if it is new.
    fn global_id(&mut self, global: Value<'m>) -> GlobalId {
        if let Some(id) = self.globals.get(&global) {
            return *id;
        }
        let id = GlobalId::new(self.program.globals.len());
        self.globals.insert(global, id);
        let declared = self.declare_global(global);
        self.program.global_names.insert(declared.name.clone(), id);
        self.program.globals.push(declared);
        self.global_work.push_back((global, id));
        id
    }

    /// How a function's blocks are numbered.
    fn block_order(&mut self, function: Value<'m>) -> Rc<BlockOrder<'m>> {
        Rc::clone(self.orders.entry(function).or_insert_with(|| Rc::new(BlockOrder::new(function))))
    }

    /// The id of a block whose address is taken; `None` if it can never be reached.
    fn block_id(&mut self, function: Value<'m>, block: crate::llvm::Block<'m>) -> Option<BlockId> {
        self.block_order(function).id(block)
    }

    /// The index of a description in the program's table.
    fn describe(&mut self, what: Unsupported) -> u32 {
        let next = u32::try_from(self.program.unsupported.len()).unwrap_or(u32::MAX);
        match self.unsupported.entry(what.0) {
            std::collections::hash_map::Entry::Occupied(known) => *known.get(),
            std::collections::hash_map::Entry::Vacant(new) => {
                self.program.unsupported.push(new.key().clone());
                *new.insert(next)
            }
        }
    }

    fn warn(&mut self, text: String) {
        if !self.warnings.contains(&text) {
            self.warnings.push(text);
        }
    }

    /// Aliases of functions and globals that were lowered get their names, too.
    fn finish_names(&mut self) {
        for alias in self.module.aliases() {
            let Some(target) = alias.aliasee() else {
                continue;
            };
            if let Some(id) = resolve_function(target).and_then(|f| self.functions.get(&f)) {
                self.program.function_names.entry(alias.name()).or_insert(*id);
            } else if let Some(id) = self.globals.get(&target) {
                self.program.global_names.entry(alias.name()).or_insert(*id);
            }
        }
    }

    fn shape(&mut self, ty: crate::llvm::Type<'m>) -> Lowered<Rc<Shape>> {
        self.shapes.of(ty)
    }
}
