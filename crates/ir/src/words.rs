//! The words that the text form has for operators and kinds, for printing and for reading.

use crate::{BinOp, CastOp, CmpOp, FBinOp, FCmpOp, FUnOp, FloatKind, PairQuestion, UnOp};

/// A list of variants with their words, from which both directions come.
macro_rules! words {
    ($name:ident { $($variant:ident = $word:literal),* $(,)? }) => {
        impl $name {
            pub(crate) fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word),*
                }
            }

            pub(crate) fn of_word(word: &str) -> Option<$name> {
                match word {
                    $($word => Some($name::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

words!(BinOp {
    Add = "add",
    Sub = "sub",
    Mul = "mul",
    UDiv = "udiv",
    SDiv = "sdiv",
    URem = "urem",
    SRem = "srem",
    Shl = "shl",
    LShr = "lshr",
    AShr = "ashr",
    And = "and",
    Or = "or",
    Xor = "xor",
    UMin = "umin",
    UMax = "umax",
    SMin = "smin",
    SMax = "smax",
    UAddSat = "uaddsat",
    SAddSat = "saddsat",
    USubSat = "usubsat",
    SSubSat = "ssubsat",
    UShlSat = "ushlsat",
    SShlSat = "sshlsat",
    UAddOverflow = "uaddo",
    SAddOverflow = "saddo",
    USubOverflow = "usubo",
    SSubOverflow = "ssubo",
    UMulOverflow = "umulo",
    SMulOverflow = "smulo",
});

words!(UnOp {
    Popcount = "popcount",
    CountLeadingZeros = "clz",
    CountTrailingZeros = "ctz",
    ByteSwap = "bswap",
    BitReverse = "bitreverse",
    Abs = "abs",
});

words!(CmpOp {
    Eq = "eq",
    Ne = "ne",
    Ult = "ult",
    Ule = "ule",
    Ugt = "ugt",
    Uge = "uge",
    Slt = "slt",
    Sle = "sle",
    Sgt = "sgt",
    Sge = "sge",
});

words!(CastOp { Trunc = "trunc", ZExt = "zext", SExt = "sext" });

words!(PairQuestion { Equality = "equality", Order = "order", Number = "number" });

words!(FloatKind {
    Half = "half",
    BFloat = "bfloat",
    F32 = "f32",
    F64 = "f64",
    X87 = "x87",
    F128 = "f128",
});

words!(FBinOp {
    Add = "fadd",
    Sub = "fsub",
    Mul = "fmul",
    Div = "fdiv",
    Rem = "frem",
    MinNum = "fminnum",
    MaxNum = "fmaxnum",
    Minimum = "fminimum",
    Maximum = "fmaximum",
    CopySign = "copysign",
});

words!(FUnOp {
    Neg = "fneg",
    Abs = "fabs",
    Sqrt = "sqrt",
    Floor = "floor",
    Ceil = "ceil",
    Trunc = "ftrunc",
    Round = "round",
    RoundEven = "roundeven",
    Sin = "sin",
    Cos = "cos",
    Tan = "tan",
    Exp = "exp",
    Exp2 = "exp2",
    Log = "log",
    Log2 = "log2",
    Log10 = "log10",
});

words!(FCmpOp {
    False = "false",
    Oeq = "oeq",
    Ogt = "ogt",
    Oge = "oge",
    Olt = "olt",
    Ole = "ole",
    One = "one",
    Ord = "ord",
    Ueq = "ueq",
    Ugt = "ugt",
    Uge = "uge",
    Ult = "ult",
    Ule = "ule",
    Une = "une",
    Uno = "uno",
    True = "true",
});
