//! Comparisons and negations that were built lately.
//!
//! Sibling paths build the same ones again, from the same terms: what they came to is looked up
//! here before the rules are tried. A constructor depends on its arguments alone, so a result stays
//! true. Each place has the last one that fell on it.

use crate::{Op, Term, Terms};

const PLACES: usize = 1 << 11;

#[derive(Copy, Clone)]
struct Entry {
    op: Op,
    arguments: Option<(Term, Term)>,
    result: Term,
}

pub(crate) struct BuiltLately(Box<[Entry]>);

impl Default for BuiltLately {
    fn default() -> BuiltLately {
        let none = Entry { op: Op::Const, arguments: None, result: Term::from_index(0) };
        BuiltLately(vec![none; PLACES].into_boxed_slice())
    }
}

fn place(op: Op, a: Term, b: Term) -> usize {
    let arguments = (a.index() as u64) << 32 | b.index() as u64;
    let mixed = (arguments ^ (op as u64) << 27).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 53) as usize % PLACES
}

impl Terms {
    /// What `build` made of these when it was last asked, or makes of them now.
    #[inline]
    pub(super) fn lately(&mut self, op: Op, a: Term, b: Term, build: fn(&mut Terms, Term, Term) -> Term) -> Term {
        let place = place(op, a, b);
        let entry = &self.built_lately.0[place];
        if entry.arguments == Some((a, b)) && entry.op == op {
            return entry.result;
        }
        let result = build(self, a, b);
        self.built_lately.0[place] = Entry { op, arguments: Some((a, b)), result };
        result
    }
}
