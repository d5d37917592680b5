//! What a register holds.

pub(crate) use espalier_base::bits::{mask, signed};
use espalier_expr::{Term, Terms};

/// The value of one register: a number of at most 64 bits, or a term. Wider values are always
/// terms, constant ones too.
///
/// Numbers are kept zero-extended, so two concrete values of one width are equal iff their bits
/// are.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Value {
    bits: u64,
    /// `Term::raw`, or 0 for a number.
    term: u32,
}

impl Value {
    pub const ZERO: Value = Value { bits: 0, term: 0 };

    #[inline(always)]
    pub fn concrete(bits: u64) -> Value {
        Value { bits, term: 0 }
    }

    /// The value of `term`: a number if it is a constant of at most 64 bits.
    pub fn of(terms: &Terms, term: Term) -> Value {
        match terms.as_u64(term) {
            Some(bits) => Value::concrete(bits),
            None => Value { bits: 0, term: term.raw() },
        }
    }

    #[inline(always)]
    pub fn is_concrete(self) -> bool {
        self.term == 0
    }

    #[inline(always)]
    pub fn both_concrete(a: Value, b: Value) -> bool {
        a.term | b.term == 0
    }

    /// The number; meaningless unless [`Value::is_concrete`].
    #[inline(always)]
    pub fn bits(self) -> u64 {
        self.bits
    }

    pub fn as_concrete(self) -> Option<u64> {
        self.is_concrete().then_some(self.bits)
    }

    pub fn as_term(self) -> Option<Term> {
        Term::from_raw(self.term)
    }

    /// The value as a term of `width` bits.
    pub fn term(self, terms: &mut Terms, width: u32) -> Term {
        match self.as_term() {
            Some(term) => {
                debug_assert_eq!(terms.width(term), width);
                term
            }
            None if width <= 64 => terms.constant(self.bits, width),
            None => {
                let low = terms.constant(self.bits, 64);
                terms.zext(low, width)
            }
        }
    }
}
