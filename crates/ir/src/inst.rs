//! Instructions. Each names the registers it writes (`dst`) and the operands it reads; widths are
//! in bits.

use crate::{AllocaId, CallId, EdgeId, Operand, Reg, SwitchId};
use serde::{Deserialize, Serialize};

/// Integer operators on two operands of one width. Results have that width, or width 1 for the
/// overflow tests.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
    /// Minimum and maximum, saturating addition, subtraction and left shift.
    UMin,
    UMax,
    SMin,
    SMax,
    UAddSat,
    SAddSat,
    USubSat,
    SSubSat,
    UShlSat,
    SShlSat,
    /// Does the operation overflow? One bit.
    UAddOverflow,
    SAddOverflow,
    USubOverflow,
    SSubOverflow,
    UMulOverflow,
    SMulOverflow,
}

impl BinOp {
    pub fn is_overflow_test(self) -> bool {
        use BinOp::*;
        matches!(self, UAddOverflow | SAddOverflow | USubOverflow | SSubOverflow | UMulOverflow | SMulOverflow)
    }
}

/// Integer operators on one operand.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum UnOp {
    Popcount,
    /// Leading and trailing zeros; of zero: the width.
    CountLeadingZeros,
    CountTrailingZeros,
    ByteSwap,
    BitReverse,
    /// Absolute value; the minimum maps to itself.
    Abs,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum CmpOp {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

impl CmpOp {
    /// The same comparison with its operands the other way round.
    pub fn swapped(self) -> CmpOp {
        match self {
            CmpOp::Eq | CmpOp::Ne => self,
            CmpOp::Ult => CmpOp::Ugt,
            CmpOp::Ule => CmpOp::Uge,
            CmpOp::Ugt => CmpOp::Ult,
            CmpOp::Uge => CmpOp::Ule,
            CmpOp::Slt => CmpOp::Sgt,
            CmpOp::Sle => CmpOp::Sge,
            CmpOp::Sgt => CmpOp::Slt,
            CmpOp::Sge => CmpOp::Sle,
        }
    }

    /// The comparison that holds where this one does not.
    pub fn negated(self) -> CmpOp {
        match self {
            CmpOp::Eq => CmpOp::Ne,
            CmpOp::Ne => CmpOp::Eq,
            CmpOp::Ult => CmpOp::Uge,
            CmpOp::Ule => CmpOp::Ugt,
            CmpOp::Ugt => CmpOp::Ule,
            CmpOp::Uge => CmpOp::Ult,
            CmpOp::Slt => CmpOp::Sge,
            CmpOp::Sle => CmpOp::Sgt,
            CmpOp::Sgt => CmpOp::Sle,
            CmpOp::Sge => CmpOp::Slt,
        }
    }
}

/// What is asked about two addresses.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum PairQuestion {
    /// Are they equal?
    Equality,
    /// Which comes first, or how far are they apart?
    Order,
    /// Anything about an address and an integer that may be one.
    Number,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum CastOp {
    Trunc,
    ZExt,
    SExt,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FloatKind {
    Half,
    BFloat,
    F32,
    F64,
    X87,
    F128,
}

impl FloatKind {
    pub fn width(self) -> u32 {
        match self {
            FloatKind::Half | FloatKind::BFloat => 16,
            FloatKind::F32 => 32,
            FloatKind::F64 => 64,
            FloatKind::X87 => 80,
            FloatKind::F128 => 128,
        }
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FBinOp {
    Add,
    Sub,
    Mul,
    Div,
    /// C's `fmod`.
    Rem,
    /// C's `fmin`/`fmax`: a NaN operand is ignored (llvm.minnum/maxnum).
    MinNum,
    MaxNum,
    /// llvm.minimum/maximum: NaN propagates.
    Minimum,
    Maximum,
    CopySign,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FUnOp {
    Neg,
    Abs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// Half away from zero, and half to even (`rint`, `nearbyint`, `roundeven`).
    Round,
    RoundEven,
    /// Computed by the host on concrete values only.
    Sin,
    Cos,
    Tan,
    Exp,
    Exp2,
    Log,
    Log2,
    Log10,
}

/// Comparison of floats, as LLVM's `fcmp`: ordered (false on NaN) and unordered (true on NaN).
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FCmpOp {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    Uno,
    True,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FCastOp {
    /// Between float kinds.
    FToF {
        from: FloatKind,
        to: FloatKind,
    },
    FToSi {
        from: FloatKind,
        to: u32,
    },
    FToUi {
        from: FloatKind,
        to: u32,
    },
    SiToF {
        from: u32,
        to: FloatKind,
    },
    UiToF {
        from: u32,
        to: FloatKind,
    },
}

/// One instruction.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Inst {
    Bin {
        op: BinOp,
        width: u32,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    Un {
        op: UnOp,
        width: u32,
        dst: Reg,
        a: Operand,
    },
    Cmp {
        op: CmpOp,
        width: u32,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    Cast {
        op: CastOp,
        from: u32,
        to: u32,
        dst: Reg,
        a: Operand,
    },
    /// `cond ? a : b`.
    Select {
        width: u32,
        dst: Reg,
        cond: Operand,
        a: Operand,
        b: Operand,
    },
    Copy {
        width: u32,
        dst: Reg,
        a: Operand,
    },
    /// Copies the value; an undefined operand becomes one arbitrary value.
    Freeze {
        width: u32,
        dst: Reg,
        a: Operand,
    },
    /// `base + index * scale + offset`, all of pointer width, wrapping.
    PtrAdd {
        dst: Reg,
        base: Operand,
        index: Operand,
        scale: u32,
        offset: i32,
    },
    /// Loads `ceil(width / 8)` bytes, little-endian; bits above `width` are dropped.
    Load {
        width: u32,
        dst: Reg,
        ptr: Operand,
        /// Is it looked at as a number, though it may be an address or a part of one?
        looks: bool,
    },
    /// Stores `ceil(width / 8)` bytes, bits above `width` zero.
    Store {
        width: u32,
        value: Operand,
        ptr: Operand,
    },
    /// A new stack object of the site's element size times `count` (a pointer-width operand),
    /// living until the function returns or a `StackRestore` goes back before it.
    Alloca {
        dst: Reg,
        site: AllocaId,
        count: Operand,
    },
    /// The variable of the site, whose alloca has the register `dst`, begins to live: as a new
    /// object, with another address than in any earlier life.
    LifeStart {
        dst: Reg,
        site: AllocaId,
    },
    /// Its block is left.
    LifeEnd {
        site: AllocaId,
    },
    /// Two addresses are about to be compared or subtracted.
    PointerPair {
        a: Operand,
        b: Operand,
        asks: PairQuestion,
    },
    /// The number that an address is is about to be looked at: its bits in `mask`, or all if that
    /// is 0.
    AddressNumber {
        a: Operand,
        mask: u32,
    },
    /// A number that was read from memory is about to be compared with another, or subtracted: they
    /// may be addresses.
    NumberPair {
        a: Operand,
        b: Operand,
        asks: PairQuestion,
    },
    /// A value that nobody knows, another one each time.
    Unknown {
        width: u32,
        dst: Reg,
    },
    StackSave {
        dst: Reg,
    },
    StackRestore {
        a: Operand,
    },
    /// `len` is of pointer width.
    MemCpy {
        dst: Operand,
        src: Operand,
        len: Operand,
    },
    MemMove {
        dst: Operand,
        src: Operand,
        len: Operand,
    },
    /// `byte` is of width 8.
    MemSet {
        dst: Operand,
        byte: Operand,
        len: Operand,
    },
    FBin {
        op: FBinOp,
        kind: FloatKind,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    FUn {
        op: FUnOp,
        kind: FloatKind,
        dst: Reg,
        a: Operand,
    },
    /// `a * b + c`; `fused` rounds once.
    FMulAdd {
        kind: FloatKind,
        fused: bool,
        dst: Reg,
        a: Operand,
        b: Operand,
        c: Operand,
    },
    FCmp {
        op: FCmpOp,
        kind: FloatKind,
        dst: Reg,
        a: Operand,
        b: Operand,
    },
    FCast {
        op: FCastOp,
        dst: Reg,
        a: Operand,
    },
    Call {
        call: CallId,
    },
    /// `va_start` and `va_copy` on the target's `va_list`; `va_end` does nothing and is dropped by
    /// the front end.
    VaStart {
        list: Operand,
        /// The function's variadic arguments in memory ([`Function::area`](crate::Function::area)).
        area: Operand,
    },
    VaCopy {
        dst: Operand,
        src: Operand,
    },
    /// `llvm.assume`: going on with a false condition is reported as reaching undefined behaviour.
    Assume {
        cond: Operand,
    },
    /// `llvm.trap`, `llvm.debugtrap`, `llvm.ubsantrap`.
    Trap,
    /// A place that is asked about (`analysis::targets::insert`); does nothing to the program.
    Target {
        index: u32,
    },

    // Terminators.
    Jump {
        edge: EdgeId,
    },
    Branch {
        cond: Operand,
        then: EdgeId,
        otherwise: EdgeId,
    },
    Switch {
        switch: SwitchId,
    },
    /// Jump to the block whose address (`Constant::Block`) is `target`; the possible edges are
    /// those of the switch table, in order of its blocks.
    IndirectJump {
        target: Operand,
        switch: SwitchId,
    },
    /// The values are in the function's table of returns; see [`crate::Function::returns`].
    Return {
        ret: u32,
    },
    Unreachable,
    /// What cannot be executed; `what` is an index into [`crate::Program::unsupported`].
    Unsupported {
        what: u32,
    },
}

impl Inst {
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Inst::Jump { .. }
                | Inst::Branch { .. }
                | Inst::Switch { .. }
                | Inst::IndirectJump { .. }
                | Inst::Return { .. }
                | Inst::Unreachable
                | Inst::Unsupported { .. }
        )
    }
}
