//! Conditions as people write them: `s == 2 * i`, `0 <= k && k < i ==> a[k] == 0`. They are meant
//! modulo 2^w, where w is the width of what they compare; [`espalier_prune::condition_in_c`] says the
//! same exactly.

use espalier_base::bits::{mask, signed};
use espalier_expr::{Op, Term, Terms};
use espalier_loops::Sum;
use espalier_prune::VariableInC;

pub(crate) struct Plain<'a> {
    pub terms: &'a Terms,
    pub name: &'a dyn Fn(Term) -> Option<VariableInC>,
    /// What stands for any index.
    pub index: Option<Term>,
    /// What stands for the cells there.
    pub cells: &'a [Term],
}

/// A sum with this many parts is still read.
const MOST_ADDENDS: usize = 6;

impl Plain<'_> {
    pub fn condition(&self, term: Term) -> Option<String> {
        self.of(term, true)
    }

    /// The condition, or its opposite.
    fn of(&self, term: Term, holds: bool) -> Option<String> {
        let node = self.terms.node(term);
        match (node.op, holds) {
            (Op::Not, _) => self.of(node.arg(0), !holds),
            (Op::Or, true) | (Op::And, false) => self.alternatives(term, holds),
            (Op::And, true) | (Op::Or, false) => {
                let mut parts = Vec::new();
                self.flatten(term, node.op, &mut parts);
                Some(self.all_of(&parts, holds)?.join(" && "))
            }
            (Op::Eq, _) => self.equation(term, if holds { "==" } else { "!=" }),
            (Op::Slt | Op::Ult, _) => self.order(node.arg(0), node.arg(1), holds, node.op == Op::Slt),
            (Op::Sle | Op::Ule, _) => self.order(node.arg(1), node.arg(0), !holds, node.op == Op::Sle),
            (Op::Extract, _) if node.width == 1 && node.number(1) == 0 => {
                let value = self.value(node.arg(0), false)?;
                Some(format!("{value} is {}", if holds { "odd" } else { "even" }))
            }
            (Op::Var, _) => Some(format!("{}{}", if holds { "" } else { "!" }, (self.name)(term)?.name)),
            _ => None,
        }
    }

    fn all_of(&self, parts: &[Term], holds: bool) -> Option<Vec<String>> {
        parts.iter().map(|&part| self.of(part, holds)).collect()
    }

    fn flatten(&self, term: Term, op: Op, parts: &mut Vec<Term>) {
        let node = self.terms.node(term);
        if node.op == op && node.width == 1 {
            node.args().for_each(|arg| self.flatten(arg, op, parts));
        } else {
            parts.push(term);
        }
    }

    /// One of several; of those about cells, what holds of these if the others do not.
    fn alternatives(&self, term: Term, holds: bool) -> Option<String> {
        let mut parts = Vec::new();
        self.flatten(term, if holds { Op::Or } else { Op::And }, &mut parts);
        let is_about_cells = |part: &Term| self.terms.vars_of(*part).iter().any(|var| self.cells.contains(var));
        let (conclusions, premises): (Vec<Term>, Vec<Term>) = parts.into_iter().partition(is_about_cells);
        if conclusions.is_empty() {
            return Some(format!("({})", self.all_of(&premises, holds)?.join(" || ")));
        }
        let conclusion = self.all_of(&conclusions, holds)?.join(" || ");
        if premises.is_empty() {
            return Some(conclusion);
        }
        Some(format!("{} ==> {conclusion}", self.all_of(&premises, !holds)?.join(" && ")))
    }

    /// What a sum subtracts on one side is added on the other.
    fn equation(&self, term: Term, operator: &str) -> Option<String> {
        let node = self.terms.node(term);
        if self.terms.width(node.arg(0)) > 64 {
            return None;
        }
        let (left, right) = self.balanced(node.arg(0), node.arg(1))?;
        Some(format!("{left} {operator} {right}"))
    }

    /// Is one term less than another, or not? What is no number stands on the left.
    fn order(&self, less: Term, more: Term, is_less: bool, is_signed: bool) -> Option<String> {
        let width = self.terms.width(less);
        let (least, most) = match is_signed {
            true => (1u64.checked_shl(width - 1)?, mask(width) >> 1),
            false => (0, mask(width)),
        };
        let reads_signed = |term| self.is_signed(term).unwrap_or(is_signed) == is_signed;
        let is_usual =
            reads_signed(less) && reads_signed(more) || self.index.is_some_and(|index| [less, more].contains(&index));
        let note = match (is_usual, is_signed) {
            (true, _) => "",
            (false, true) => " (signed)",
            (false, false) => " (unsigned)",
        };
        let [left, right] = [less, more].map(|term| self.value(term, is_signed));
        let number = |number: u64| if is_signed { signed(number, width).to_string() } else { number.to_string() };
        let text = match (self.terms.as_u64(less), self.terms.as_u64(more), is_less) {
            // 3 < x is x >= 4, not (3 < x) is x <= 3.
            (Some(bound), None, true) if bound != most => {
                format!("{} >= {}", right?, number(bound.wrapping_add(1) & mask(width)))
            }
            (Some(bound), None, false) => format!("{} <= {}", right?, number(bound)),
            (None, Some(bound), true) if bound != least => {
                format!("{} <= {}", left?, number(bound.wrapping_sub(1) & mask(width)))
            }
            (None, Some(bound), false) => format!("{} >= {}", left?, number(bound)),
            (_, _, true) => format!("{} < {}", left?, right?),
            (_, _, false) => format!("{} <= {}", right?, left?),
        };
        Some(text + note)
    }

    /// How the program reads a variable, if that is known.
    fn is_signed(&self, term: Term) -> Option<bool> {
        (self.terms.op(term) == Op::Var).then(|| (self.name)(term)?.is_signed).flatten()
    }

    /// Both sides of an equation, with positive factors.
    fn balanced(&self, a: Term, b: Term) -> Option<(String, String)> {
        let width = self.terms.width(a);
        let mut sum = Sum::default();
        sum.add(self.terms, a, 1);
        sum.add(self.terms, b, 1u64.wrapping_neg());
        let factors: Vec<(Term, i64)> =
            sum.addends.iter().map(|&(term, factor)| (term, signed(factor & mask(width), width))).collect();
        let is_unsigned = factors.len() == 1 && self.is_signed(factors[0].0) == Some(false);
        if let ([(term, 1)], true) = (&factors[..], is_unsigned) {
            return Some((self.atom(*term)?, (sum.constant.wrapping_neg() & mask(width)).to_string()));
        }
        let constant = signed(sum.constant & mask(width), width);
        let side = |is_left: bool| {
            let own = factors.iter().filter(|factor| (factor.1 > 0) == is_left);
            let own: Vec<(Term, i64)> =
                own.map(|&(term, factor)| (term, factor.checked_abs().unwrap_or(factor))).collect();
            own
        };
        let (mut left, mut right) = (side(true), side(false));
        // What stands alone stands on the left.
        let stands_alone = |side: &[(Term, i64)]| side.len() == 1 && side[0].1 == 1;
        let is_turned = left.is_empty() || !stands_alone(&left) && stands_alone(&right);
        if is_turned {
            std::mem::swap(&mut left, &mut right);
        }
        let behind = if is_turned { constant } else { constant.checked_neg()? };
        Some((self.sum(&left, 0, width)?, self.sum(&right, behind, width)?))
    }

    fn sum(&self, addends: &[(Term, i64)], constant: i64, width: u32) -> Option<String> {
        if addends.len() > MOST_ADDENDS {
            return None;
        }
        let mut text = String::new();
        for &(term, factor) in addends {
            let name = self.atom(term)?;
            let part = if factor == 1 { name } else { format!("{factor} * {name}") };
            text = if text.is_empty() { part } else { format!("{text} + {part}") };
        }
        let constant = signed(constant as u64 & mask(width), width);
        Some(match (text.is_empty(), constant) {
            (true, _) => constant.to_string(),
            (false, 0) => text,
            (false, 1..) => format!("{text} + {constant}"),
            (false, _) => format!("{text} - {}", constant.unsigned_abs()),
        })
    }

    fn value(&self, term: Term, is_signed: bool) -> Option<String> {
        let width = self.terms.width(term);
        if width > 64 {
            return None;
        }
        if let Some(number) = self.terms.as_u64(term) {
            return Some(if is_signed { signed(number, width).to_string() } else { number.to_string() });
        }
        let mut sum = Sum::default();
        sum.add(self.terms, term, 1);
        let parts: Vec<(Term, i64)> =
            sum.addends.iter().map(|&(term, factor)| (term, signed(factor & mask(width), width))).collect();
        if parts.iter().any(|part| part.1 < 0) {
            let (less, more): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| part.1 < 0);
            let less: Vec<(Term, i64)> =
                less.into_iter().map(|(term, factor)| (term, factor.saturating_neg())).collect();
            let less = self.sum(&less, 0, width)?;
            return Some(format!("{} - ({less})", self.sum(&more, sum.constant as i64, width)?));
        }
        self.sum(&parts, sum.constant as i64, width)
    }

    /// A variable, or what is not a sum.
    fn atom(&self, term: Term) -> Option<String> {
        let node = self.terms.node(term);
        match node.op {
            Op::Var => (self.name)(term).map(|variable| variable.name),
            Op::SExt | Op::ZExt => self.value(node.arg(0), node.op == Op::SExt).map(|text| match text.contains(' ') {
                true => format!("({text})"),
                false => text,
            }),
            Op::URem => Some(format!("{} % {}", self.atom(node.arg(0))?, self.value(node.arg(1), false)?)),
            // Of an index, all counts.
            Op::Extract if node.number(1) == 0 && Some(node.arg(0)) == self.index => self.atom(node.arg(0)),
            Op::Extract if node.number(1) == 0 => {
                Some(format!("{} % {}", self.atom(node.arg(0))?, 1u64.checked_shl(node.width)?))
            }
            _ => None,
        }
    }
}
