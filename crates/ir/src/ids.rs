//! Entity ids. Their `Display` is the text form.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! entity {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("entity index over 2^32"))
            }

            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    };
}

entity!(
    /// A function of the program.
    FuncId, "fn"
);
entity!(
    /// A global variable of the program.
    GlobalId, "g"
);
entity!(
    /// A basic block of a function.
    BlockId, "bb"
);
entity!(
    /// A control-flow edge of a function.
    EdgeId, "e"
);
entity!(
    /// An SSA register of a function; parameters come first.
    Reg, "%"
);
entity!(
    /// An entry in a function's table of constants.
    ConstId, "c"
);
entity!(
    /// An entry in a function's table of call sites.
    CallId, "call"
);
entity!(
    /// An entry in a function's table of switches.
    SwitchId, "switch"
);
entity!(
    /// An entry in a function's table of stack allocations.
    AllocaId, "alloca"
);
entity!(
    /// A source file of the program.
    FileId, "file"
);

/// A register or a constant, in 32 bits: the top bit tells which.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Operand(u32);

const CONST_BIT: u32 = 1 << 31;

impl Operand {
    pub const fn reg(reg: Reg) -> Operand {
        assert!(reg.0 < CONST_BIT, "more than 2^31 registers");
        Operand(reg.0)
    }

    pub fn constant(id: ConstId) -> Operand {
        assert!(id.0 < CONST_BIT, "more than 2^31 constants");
        Operand(id.0 | CONST_BIT)
    }

    #[inline(always)]
    pub fn is_const(self) -> bool {
        self.0 & CONST_BIT != 0
    }

    /// The index into the register file or the table of constants.
    #[inline(always)]
    pub fn index(self) -> usize {
        (self.0 & !CONST_BIT) as usize
    }

    pub fn as_reg(self) -> Option<Reg> {
        (!self.is_const()).then_some(Reg(self.0))
    }

    pub fn as_const(self) -> Option<ConstId> {
        self.is_const().then_some(ConstId(self.0 & !CONST_BIT))
    }
}

impl From<Reg> for Operand {
    fn from(reg: Reg) -> Operand {
        Operand::reg(reg)
    }
}

impl fmt::Debug for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.as_reg() {
            Some(reg) => write!(f, "{reg}"),
            None => write!(f, "c{}", self.index()),
        }
    }
}
