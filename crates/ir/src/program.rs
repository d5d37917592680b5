//! Programs, functions, globals and constants.

use crate::{
    AllocaId, BinOp, BlockId, CallId, CastOp, CmpOp, ConstId, EdgeId, FileId, FuncId, GlobalId, Inst, Operand, Reg,
    SwitchId,
};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// What the program was compiled for. Always little-endian.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Target {
    pub triple: String,
    /// 64 (LP64) or 32 (ILP32).
    pub pointer_width: u32,
}

/// A whole, linked program.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Program {
    pub target: Target,
    pub functions: Vec<Function>,
    pub globals: Vec<Global>,
    /// Paths as the compiler recorded them.
    pub files: Vec<String>,
    /// Functions to run before the entry function and after it, in order.
    pub constructors: Vec<FuncId>,
    pub destructors: Vec<FuncId>,
    /// Descriptions for [`Inst::Unsupported`], such as "inline assembly `cpuid`".
    pub unsupported: Vec<String>,
    /// Defined and declared functions by name.
    pub function_names: FxHashMap<String, FuncId>,
    pub global_names: FxHashMap<String, GlobalId>,
    /// For calls at these places: the variable that their result is assigned to, to call an
    /// allocated object by.
    pub assigned_names: FxHashMap<Loc, String>,
    /// What the entry function's parameters lead to.
    pub pointees: Vec<Pointee>,
    /// Does it store addresses where they are not aligned, as in packed structures?
    pub packs_addresses: bool,
    /// What is natively a part of it and not here.
    pub left_out: Vec<LeftOut>,
}

/// A part of a program that has no instructions here.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum LeftOut {
    /// Assembly outside functions.
    Assembly,
    /// A section of functions to be run, such as `.init_array`, that is filled by hand.
    Section(String),
}

/// A source location. Line 0 means unknown.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Loc {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
}

impl Loc {
    pub const UNKNOWN: Loc = Loc { file: FileId(u32::MAX), line: 0, column: 0 };

    pub fn is_known(&self) -> bool {
        self.line != 0
    }
}

/// A function parameter in one register (aggregates take several parameters).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Param {
    pub width: u32,
    /// The source name, or empty.
    pub name: String,
    /// For a pointer passed `byval`: size and alignment of the object that the callee gets a copy
    /// of.
    pub by_value: Option<(u64, u64)>,
    /// For a pointer parameter of the entry function: what it points to, as a number in
    /// [`Program::pointees`].
    pub pointee: Option<u32>,
}

/// A type that a parameter of the entry function leads to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Pointee {
    /// In bytes; 0 if it is not known.
    pub size: u64,
    /// Is it `char`, so that several are a text?
    pub is_char: bool,
    pub pointers: Vec<PointerMember>,
}

/// A pointer inside a [`Pointee`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PointerMember {
    pub offset: u64,
    /// As in C, after the name of a pointer to the whole: `->next`.
    pub path: String,
    pub pointee: u32,
}

/// A function. A declaration has no code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Function {
    pub name: String,
    pub params: Vec<Param>,
    /// Widths of the result's registers; empty for `void`.
    pub result: Vec<u32>,
    pub floats: Floats,
    pub is_variadic: bool,
    /// Can its address be called through a pointer?
    pub address_taken: bool,
    /// Where it is defined.
    pub loc: Loc,
    /// Is it part of Espalier's own runtime (so that reports show its caller)?
    pub is_runtime: bool,
    /// Width of each register; the first `params.len()` are the parameters.
    pub regs: Vec<u32>,
    pub constants: Vec<Constant>,
    pub code: Vec<Inst>,
    /// One per instruction.
    pub locs: Vec<Loc>,
    /// Places in the source that have no instruction of their own, such as an assignment to a
    /// variable that is in a register: they are passed right before the instruction that each is
    /// with, which is in the same block. In the order of the code.
    pub passed: Vec<(u32, Loc)>,
    /// In the order of the code; the entry block is first.
    pub blocks: Vec<Block>,
    pub edges: Vec<Edge>,
    pub calls: Vec<CallSite>,
    pub switches: Vec<Switch>,
    pub allocas: Vec<AllocaSite>,
    /// Operands of each `Inst::Return`.
    pub returns: Vec<Vec<Operand>>,
    /// The loop statements of the source.
    pub loops: Vec<LoopSite>,
}

/// A loop statement, and which registers hold variables where it begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoopSite {
    pub head: BlockId,
    /// Its keyword.
    pub loc: Loc,
    /// Variables of integer types, of 8, 16, 32 or 64 bits, that registers hold at the beginning of
    /// `head`.
    pub variables: Vec<LoopVariable>,
    /// The names of all local variables that can be used there.
    pub names: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoopVariable {
    pub reg: Reg,
    pub name: String,
    pub is_signed: bool,
}

impl Function {
    /// A function that has no body yet.
    pub fn declaration(name: String, params: Vec<Param>, result: Vec<u32>) -> Function {
        Function {
            name,
            params,
            result,
            floats: Floats::default(),
            is_variadic: false,
            address_taken: false,
            loc: Loc::UNKNOWN,
            is_runtime: false,
            regs: Vec::new(),
            constants: Vec::new(),
            code: Vec::new(),
            locs: Vec::new(),
            passed: Vec::new(),
            blocks: Vec::new(),
            edges: Vec::new(),
            calls: Vec::new(),
            switches: Vec::new(),
            allocas: Vec::new(),
            returns: Vec::new(),
            loops: Vec::new(),
        }
    }

    pub fn is_declaration(&self) -> bool {
        self.blocks.is_empty()
    }

    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// The block of an instruction.
    pub fn block_at(&self, pc: u32) -> Option<BlockId> {
        let index = self.blocks.partition_point(|block| block.end <= pc);
        (index < self.blocks.len()).then(|| BlockId::new(index))
    }

    /// The places without an instruction that are passed in a block.
    pub fn passed_in(&self, block: &Block) -> &[(u32, Loc)] {
        let first_from = |pc: u32| self.passed.partition_point(|&(at, _)| at < pc);
        &self.passed[first_from(block.start)..first_from(block.end)]
    }

    /// The last instruction of a block.
    pub fn terminator(&self, id: BlockId) -> Inst {
        self.code[self.block(id).end as usize - 1]
    }

    /// The register with the address of the variadic arguments, which lie in memory as the ABI has
    /// them. It follows the parameters' registers.
    pub fn area(&self) -> Option<Reg> {
        self.is_variadic.then(|| Reg::new(self.params.len()))
    }

    /// Registers that a call fills: the first ones.
    pub fn entry_registers(&self) -> usize {
        self.params.len() + usize::from(self.is_variadic)
    }

    pub fn call(&self, id: CallId) -> &CallSite {
        &self.calls[id.index()]
    }

    pub fn switch(&self, id: SwitchId) -> &Switch {
        &self.switches[id.index()]
    }

    pub fn alloca(&self, id: AllocaId) -> &AllocaSite {
        &self.allocas[id.index()]
    }

    pub fn constant(&self, id: ConstId) -> &Constant {
        &self.constants[id.index()]
    }
}

/// A basic block: instructions `start .. end` of the function's code; the last one is its only
/// terminator.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Block {
    pub start: u32,
    pub end: u32,
}

/// A control-flow edge with its copies, to be executed one after another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Edge {
    pub target: BlockId,
    pub copies: Box<[(Reg, Operand)]>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Callee {
    Direct(FuncId),
    Indirect(Operand),
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CallSite {
    pub callee: Callee,
    /// Fixed arguments, flattened like the callee's parameters.
    pub args: Box<[Operand]>,
    /// Widths of `args`.
    pub arg_widths: Box<[u32]>,
    /// Arguments beyond the fixed ones of a variadic call.
    pub varargs: Box<[VarArg]>,
    /// Registers of the result, flattened; they may be left unread.
    pub dsts: Box<[Reg]>,
    /// Is any of `dsts` read?
    pub result_used: bool,
    pub floats: Floats,
}

/// Which of the registers of arguments and results hold floating-point numbers, a bit for each:
/// machines pass them apart from others, so a call and a function that do not agree about it do not
/// find each other's values.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Floats {
    pub args: u64,
    pub result: u64,
}

/// One variadic argument as the ABI lays it out in memory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VarArg {
    pub size: u64,
    pub align: u64,
    pub value: VarArgValue,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum VarArgValue {
    /// Offset in bytes, width in bits, value.
    Pieces(Box<[(u64, u32, Operand)]>),
    /// A pointer to `size` bytes to be copied.
    ByValue(Operand),
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Switch {
    pub width: u32,
    pub value: Operand,
    /// Sorted by value, each value once. Only widths up to 64; the front end expands wider ones
    /// into comparisons. For an indirect jump: the block numbers (`BlockId`) of the destinations.
    pub cases: Box<[(u64, EdgeId)]>,
    /// Unused (equal to the last case's edge) for an indirect jump.
    pub default: EdgeId,
}

/// Where a stack object comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AllocaSite {
    pub element_size: u64,
    pub align: u64,
    /// The variable's name, or empty.
    pub name: String,
    pub loc: Loc,
    /// Is the type one scalar (so that making it symbolic gives one variable)?
    pub is_scalar: bool,
    /// Does it live in a block only, from a `LifeStart` to a `LifeEnd`?
    pub is_scoped: bool,
}

/// A global variable.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Global {
    pub name: String,
    pub size: u64,
    pub align: u64,
    pub is_constant: bool,
    pub is_scalar: bool,
    pub is_integer: bool,
    /// Declared here but defined nowhere.
    pub is_external: bool,
    pub loc: Loc,
    /// Pieces that do not overlap; everything else is zero.
    pub init: Vec<InitPiece>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum InitPiece {
    Bytes {
        offset: u64,
        bytes: Vec<u8>,
    },
    /// A value that depends on addresses, of `width` bits.
    Value {
        offset: u64,
        width: u32,
        value: Constant,
    },
    /// `size` bytes of undefined content.
    Undef {
        offset: u64,
        size: u64,
    },
}

/// A constant. Addresses are numbers only once the program is loaded.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Constant {
    /// At most 64 bits.
    Int {
        value: u64,
        width: u32,
    },
    /// More than 64 bits.
    Wide {
        value: BigUint,
        width: u32,
    },
    Undef {
        width: u32,
    },
    Global(GlobalId),
    Function(FuncId),
    /// The address of a block, for indirect jumps.
    Block(FuncId, BlockId),
    Expr(Box<ConstExpr>),
}

/// A constant expression; operators as in the instructions of the same names.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ConstExpr {
    Bin { op: BinOp, width: u32, a: Constant, b: Constant },
    Cmp { op: CmpOp, width: u32, a: Constant, b: Constant },
    Cast { op: CastOp, from: u32, to: u32, a: Constant },
    Select { width: u32, cond: Constant, a: Constant, b: Constant },
}

impl Program {
    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.index()]
    }

    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.index()]
    }

    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        self.function_names.get(name).copied()
    }

    pub fn file_name(&self, file: FileId) -> &str {
        self.files.get(file.index()).map_or("<unknown>", String::as_str)
    }

    /// Width of a constant in bits.
    pub fn constant_width(&self, constant: &Constant) -> u32 {
        match constant {
            Constant::Int { width, .. } | Constant::Wide { width, .. } | Constant::Undef { width } => *width,
            Constant::Global(_) | Constant::Function(_) | Constant::Block(..) => self.target.pointer_width,
            Constant::Expr(expr) => match &**expr {
                ConstExpr::Bin { op, .. } if op.is_overflow_test() => 1,
                ConstExpr::Bin { width, .. } | ConstExpr::Select { width, .. } => *width,
                ConstExpr::Cmp { .. } => 1,
                ConstExpr::Cast { to, .. } => *to,
            },
        }
    }
}
