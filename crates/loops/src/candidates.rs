//! What may hold whenever a loop comes round: conditions on what it changes, most of which do not.
//!
//! Whatever is proposed here is only believed once it was shown to hold where the loop begins and
//! to be kept by every way round it (`houdini`), so this is about finding enough, not about being
//! right. Sources, after TRACER and the guess-and-check methods:
//!
//! - values where the loop was entered: signs, and on which side of them a variable stays;
//! - conditions that were decided on the way round, weakened, and those of the last round, in terms
//!   of what the round made;
//! - pairs of variables; linear relations that hold on all samples ([`crate::affine`]); what samples
//!   leave when divided; the few values that a variable has on all of them;
//! - what a path to an error would need, negated (`wanted`).

use crate::affine::{gcd, kernel};
use espalier_base::bits::{mask, signed};
use espalier_exec::GeneralPlace;
use espalier_expr::{Evaluator, Model, Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Something that a loop changes.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub place: GeneralPlace,
    /// What stands for it at the head.
    pub var: Term,
    /// What it was when the loop was entered.
    pub entry: Term,
    /// How many of the variable's bits the place has.
    pub bits: u32,
    /// For pointers: the size of the object.
    pub size: Option<u64>,
}

/// A variable with so few values on so many samples may have no others.
const FEW_VALUES: usize = 5;
const ENOUGH_SAMPLES: usize = 6;

/// Linear relations are looked for among so many columns.
const MOST_COLUMNS: usize = 16;

/// Pairs are made of so many variables of a width.
const MOST_PAIRED: usize = 10;

/// Coefficients and constants of relations that are worth a question.
const LARGEST_COEFFICIENT: i128 = 1 << 33;

/// Candidates of one loop at a time.
pub(crate) const MOST_CANDIDATES: usize = 300;

/// Collects candidates.
pub(crate) struct Proposals<'a> {
    pub terms: &'a mut Terms,
    pub variables: &'a [Variable],
    /// Values that the program's own states have at the head.
    pub samples: &'a [Rc<Model>],
    /// The same of states that rounds made of general ones which satisfy linear relations.
    pub images: &'a [Rc<Model>],
    /// What was proposed before, or is now.
    pub seen: &'a mut FxHashSet<Term>,
    pub found: Vec<Term>,
    /// What linear relations among those found say of one variable each.
    pub definitions: FxHashMap<Term, (Term, Term)>,
}

impl Proposals<'_> {
    /// What follows from the variables and their samples alone.
    pub fn propose(&mut self) {
        for variable in self.variables {
            self.about(variable);
        }
        self.about_pairs();
    }

    /// The same, as far as it is less often of use, or harder to decide.
    pub fn propose_more(&mut self) {
        for variable in self.variables.iter().filter(|variable| variable.place.width <= 64) {
            self.few_values(variable);
            self.remainders(variable, true);
        }
    }

    pub fn add(&mut self, condition: Term) {
        if !self.terms.is_const(condition) && self.seen.insert(condition) {
            self.found.push(condition);
        }
    }

    fn about(&mut self, variable: &Variable) {
        let Variable { place, var, entry, .. } = *variable;
        let width = place.width;
        if width > 64 {
            return;
        }
        let zero = self.terms.constant(0, width);
        let one = self.terms.constant(1, width);
        for bound in [zero, one, entry] {
            let conditions = [
                self.terms.sle(bound, var),
                self.terms.sle(var, bound),
                self.terms.ule(bound, var),
                self.terms.ule(var, bound),
            ];
            conditions.into_iter().for_each(|condition| self.add(condition));
        }
        let not_zero = self.terms.ne(var, zero);
        self.add(not_zero);
        self.remainders(variable, false);
    }

    fn values(&self, term: Term) -> Vec<u64> {
        let value = |model: &Rc<Model>| Evaluator::new(model.clone()).eval_u64(self.terms, term);
        self.samples.iter().map(value).collect()
    }

    fn few_values(&mut self, &Variable { place, var, .. }: &Variable) {
        let mut values = self.values(var);
        if values.len() < ENOUGH_SAMPLES {
            return;
        }
        values.sort_unstable();
        values.dedup();
        if values.len() > FEW_VALUES {
            return;
        }
        let among: Vec<Term> = values
            .into_iter()
            .map(|value| {
                let value = self.terms.constant(value, place.width);
                self.terms.eq(var, value)
            })
            .collect();
        let among = self.terms.bool_or(&among);
        self.add(among);
    }

    /// What the distance from the value at entry is a multiple of.
    fn remainders(&mut self, &Variable { place, var, entry, .. }: &Variable, any: bool) {
        let width = place.width;
        let (now, first) = (self.values(var), self.values(entry));
        let steps = now.iter().zip(&first).map(|(now, first)| signed(now.wrapping_sub(*first) & mask(width), width));
        let step = steps.fold(0, |step, distance| gcd(step, i128::from(distance)));
        if !(2..=1 << 20).contains(&step) {
            return;
        }
        let distance = self.terms.sub(var, entry);
        let zero = self.terms.constant(0, width);
        // Powers of two survive that numbers wrap around.
        let power = 1u64 << step.trailing_zeros();
        if power > 1 && !any {
            let low = self.terms.constant(power - 1, width);
            let rest = self.terms.and(distance, low);
            let divides = self.terms.eq(rest, zero);
            self.add(divides);
        }
        if step as u64 != power && any {
            let step = self.terms.constant(step as u64, width);
            let rest = self.terms.urem(distance, step);
            let divides = self.terms.eq(rest, zero);
            self.add(divides);
            let rest = self.terms.urem(var, step);
            let rest_at_entry = self.terms.urem(entry, step);
            let same = self.terms.eq(rest, rest_at_entry);
            self.add(same);
        }
    }

    fn about_pairs(&mut self) {
        let variables = self.variables;
        for (index, one) in variables.iter().enumerate().take(MOST_PAIRED) {
            for other in variables[index + 1..].iter().take(MOST_PAIRED) {
                if one.place.width == other.place.width && one.place.width <= 64 && one.bits > 1 {
                    self.order(one.var, other.var);
                }
            }
        }
    }

    /// How two terms compare on all samples.
    fn order(&mut self, a: Term, b: Term) {
        let conditions = [
            self.terms.sle(a, b),
            self.terms.sle(b, a),
            self.terms.ule(a, b),
            self.terms.ule(b, a),
            self.terms.ne(a, b),
        ];
        conditions.into_iter().for_each(|condition| self.add(condition));
    }

    /// Linear relations between variables, values at entry and other terms of the same width.
    pub fn linear(&mut self, others: &[Term]) {
        let mut by_width: FxHashMap<u32, Vec<Term>> = FxHashMap::default();
        let mut widths = Vec::new();
        for variable in self.variables {
            let width = variable.place.width;
            if width <= 64 && variable.bits > 1 {
                let columns = by_width.entry(width).or_insert_with(|| {
                    widths.push(width);
                    Vec::new()
                });
                columns.push(variable.var);
            }
        }
        for width in widths {
            let mut columns = by_width.remove(&width).unwrap_or_default();
            columns.truncate(MOST_COLUMNS);
            let entries = self.variables.iter().map(|variable| variable.entry);
            for term in entries.chain(others.iter().copied()) {
                let is_fit = self.terms.width(term) == width && !self.terms.is_const(term);
                if is_fit && columns.len() < MOST_COLUMNS && !columns.contains(&term) {
                    columns.push(term);
                }
            }
            self.linear_in(&columns, width);
            let narrower = self.narrower(width, others);
            let room = MOST_COLUMNS.saturating_sub(columns.len());
            // A sum of numbers that were made wider: with their signs, and without.
            for extend in [Terms::sext, Terms::zext] {
                let wide: Vec<Term> = narrower.iter().take(room).map(|&term| extend(self.terms, term, width)).collect();
                if !wide.is_empty() {
                    let columns: Vec<Term> = columns.iter().copied().chain(wide).collect();
                    self.linear_in(&columns, width);
                }
            }
        }
    }

    /// Variables, what they were where the loop was entered, and other terms, of a smaller width.
    fn narrower(&self, width: u32, others: &[Term]) -> Vec<Term> {
        let variables = self.variables.iter().filter(|variable| variable.bits > 1);
        let entries = variables.clone().map(|variable| variable.entry);
        let mut found: Vec<Term> = Vec::new();
        for term in variables.map(|variable| variable.var).chain(entries).chain(others.iter().copied()) {
            if self.terms.width(term) < width && !self.terms.is_const(term) && !found.contains(&term) {
                found.push(term);
            }
        }
        found
    }

    fn linear_in(&mut self, columns: &[Term], width: u32) {
        let models = self.samples.iter().chain(self.images);
        let rows: Vec<Vec<i128>> = models
            .map(|model| {
                let mut evaluator = Evaluator::new(model.clone());
                let value = |term: &Term| i128::from(signed(evaluator.eval_u64(self.terms, *term), width));
                std::iter::once(1).chain(columns.iter().map(value)).collect()
            })
            .collect();
        if rows.len() < 2 {
            return;
        }
        let Some(basis) = kernel(&rows, columns.len() + 1) else { return };
        for relation in basis {
            if relation.iter().any(|entry| entry.abs() > LARGEST_COEFFICIENT) {
                continue;
            }
            let mut sum = self.terms.constant(relation[0] as u64 & mask(width), width);
            for (&column, &coefficient) in columns.iter().zip(&relation[1..]) {
                let coefficient = self.terms.constant(coefficient as u64 & mask(width), width);
                let product = self.terms.mul(coefficient, column);
                sum = self.terms.add(sum, product);
            }
            let zero = self.terms.constant(0, width);
            let holds = self.terms.eq(sum, zero);
            if let Some(definition) = self.definition(columns, &relation, width) {
                self.definitions.insert(holds, definition);
            }
            self.add(holds);
        }
    }

    /// A linear relation as the value of a variable that has an odd coefficient, the smallest one.
    fn definition(&mut self, columns: &[Term], relation: &[i128], width: u32) -> Option<(Term, Term)> {
        let is_variable = |term: Term| self.variables.iter().any(|variable| variable.var == term);
        let odd = (0..columns.len()).filter(|&k| relation[k + 1] & 1 == 1 && is_variable(columns[k]));
        let solved = odd.min_by_key(|&k| relation[k + 1].abs())?;
        let inverse = inverse(relation[solved + 1] as u64).wrapping_neg();
        let factor = |coefficient: i128| (coefficient as u64).wrapping_mul(inverse) & mask(width);
        let mut sum = self.terms.constant(factor(relation[0]), width);
        for (k, &column) in columns.iter().enumerate().filter(|&(k, _)| k != solved) {
            let coefficient = self.terms.constant(factor(relation[k + 1]), width);
            let product = self.terms.mul(coefficient, column);
            sum = self.terms.add(sum, product);
        }
        Some((columns[solved], sum))
    }

    /// What a condition that was decided says, and what is weaker, stronger or the opposite.
    pub fn around(&mut self, condition: Term) {
        for conjunct in self.terms.conjuncts(condition) {
            let node = *self.terms.node(conjunct);
            // A negation of one bit; other bits are no conditions.
            let (node, plain) = match node.op {
                Op::Not => (*self.terms.node(node.arg(0)), node.arg(0)),
                _ => (node, conjunct),
            };
            let negated = self.terms.not(plain);
            self.add(plain);
            self.add(negated);
            let is_order = matches!(node.op, Op::Ult | Op::Ule | Op::Slt | Op::Sle);
            if !is_order && node.op != Op::Eq {
                continue;
            }
            let (a, b) = (node.arg(0), node.arg(1));
            if self.terms.width(a) > 64 || self.terms.width(a) == 1 {
                continue;
            }
            if node.op != Op::Ult && node.op != Op::Ule {
                let both = [self.terms.sle(a, b), self.terms.sle(b, a)];
                both.into_iter().for_each(|condition| self.add(condition));
            }
            if node.op != Op::Slt && node.op != Op::Sle {
                let both = [self.terms.ule(a, b), self.terms.ule(b, a)];
                both.into_iter().for_each(|condition| self.add(condition));
            }
            let (same, other) = (self.terms.eq(a, b), self.terms.ne(a, b));
            self.add(same);
            self.add(other);
        }
    }
}

/// What an odd number has to be multiplied with to be 1, modulo 2^64: Newton's iteration.
fn inverse(odd: u64) -> u64 {
    (0..6).fold(odd, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse))))
}

/// Terms of at most 64 bits that conditions compare variables with.
pub(crate) fn compared(terms: &Terms, conditions: &[Term], is_variable: impl Fn(Term) -> bool) -> Vec<Term> {
    let mut found = Vec::new();
    for part in terms.postorder(conditions) {
        let node = terms.node(part);
        if !matches!(node.op, Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::Eq) {
            continue;
        }
        for arg in node.args() {
            let is_plain = (8..=64).contains(&terms.width(arg)) && !terms.is_const(arg);
            if is_plain && !terms.vars_of(arg).iter().any(|&var| is_variable(var)) && !found.contains(&arg) {
                found.push(arg);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::inverse;

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in (1..4096u64).step_by(2).chain([u64::MAX, 0x1234_5678_9abc_def1]) {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }
}
