//! Which linear relations hold on all samples: the kernel of a matrix of numbers.
//!
//! Samples are what a few variables are at visits of a loop head. Every relation `c0 + c1 x1 + … =
//! 0` that holds on all of them is a combination of a basis of the kernel, which Gaussian
//! elimination over the rationals gives, scaled to small integers. A relation over the integers is
//! one modulo every power of two, so what is proposed here may well hold of machine words too;
//! whether it does, the solver says. After Müller-Olm and Seidl, who compute such relations by
//! abstract interpretation; samples need no transfer functions.

use espalier_base::bits::mask;
use espalier_expr::{Op, Term, Terms};

/// Coefficients of relations are no larger than this.
const LARGEST: i128 = 1 << 40;

/// A basis of the relations that hold in all rows, as coefficients of the columns. `None` if
/// numbers get too large.
pub fn kernel(rows: &[Vec<i128>], columns: usize) -> Option<Vec<Vec<i128>>> {
    let reduced = reduce(rows, columns)?;
    let pivots: Vec<usize> = reduced.iter().map(|(pivot, _)| *pivot).collect();
    let mut basis = Vec::new();
    for free in (0..columns).filter(|column| !pivots.contains(column)) {
        // The free column is 1, scaled such that all others are integers.
        let mut scale: i128 = 1;
        for (pivot, row) in &reduced {
            let step = row[*pivot] / gcd(row[*pivot], row[free]);
            scale = scale.checked_mul(step / gcd(step, scale))?;
        }
        let mut relation = vec![0; columns];
        relation[free] = scale;
        for (pivot, row) in &reduced {
            relation[*pivot] = -(scale.checked_mul(row[free])? / row[*pivot]);
        }
        let divisor = relation.iter().fold(0, |divisor, &entry| gcd(divisor, entry)).max(1);
        relation.iter_mut().for_each(|entry| *entry /= divisor);
        if relation.iter().all(|entry| entry.abs() <= LARGEST) {
            basis.push(relation);
        }
    }
    Some(basis)
}

/// The reduced echelon form, with the column of each row's pivot; rows are scaled by their greatest
/// common divisors.
fn reduce(rows: &[Vec<i128>], columns: usize) -> Option<Vec<(usize, Vec<i128>)>> {
    let mut reduced: Vec<(usize, Vec<i128>)> = Vec::new();
    for row in rows {
        let mut row = row.clone();
        for (pivot, known) in &reduced {
            eliminate(&mut row, known, *pivot)?;
        }
        let Some(pivot) = (0..columns).find(|&column| row[column] != 0) else { continue };
        if row[pivot] < 0 {
            row.iter_mut().for_each(|entry| *entry = -*entry);
        }
        for (_, known) in &mut reduced {
            eliminate(known, &row, pivot)?;
        }
        reduced.push((pivot, row));
        if reduced.len() == columns {
            break;
        }
    }
    Some(reduced)
}

/// Makes `row` zero in the column where `known` has its pivot.
fn eliminate(row: &mut [i128], known: &[i128], pivot: usize) -> Option<()> {
    if row[pivot] == 0 {
        return Some(());
    }
    let common = gcd(row[pivot], known[pivot]);
    let (own, other) = (known[pivot] / common, row[pivot] / common);
    for (entry, known) in row.iter_mut().zip(known) {
        *entry = entry.checked_mul(own)?.checked_sub(known.checked_mul(other)?)?;
    }
    let divisor = row.iter().fold(0, |divisor, &entry| gcd(divisor, entry)).max(1);
    row.iter_mut().for_each(|entry| *entry /= divisor);
    Some(())
}

/// The greatest common divisor, which is not negative; 0 of two zeros.
pub fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(1).max(0)
}

/// A linear equation with each addend once: what is there twice with other signs is gone.
pub fn collected(terms: &mut Terms, equation: Term) -> Term {
    let node = *terms.node(equation);
    let (a, b) = match node.op {
        Op::Eq => (node.arg(0), node.arg(1)),
        _ => return equation,
    };
    let width = terms.width(a);
    if !(2..=64).contains(&width) {
        return equation;
    }
    let mut sum = Sum::default();
    sum.add(terms, a, 1);
    sum.add(terms, b, 1u64.wrapping_neg());
    let Sum { addends, constant } = sum;
    let mut total = terms.constant(constant & mask(width), width);
    for (addend, factor) in addends {
        let factor = terms.constant(factor & mask(width), width);
        let product = terms.mul(factor, addend);
        total = terms.add(total, product);
    }
    let zero = terms.constant(0, width);
    terms.eq(total, zero)
}

/// Terms with their factors, and a number, modulo a power of two.
#[derive(Clone, Default, Debug)]
pub struct Sum {
    pub addends: Vec<(Term, u64)>,
    pub constant: u64,
}

impl Sum {
    /// Adds a term, with each of its addends once.
    pub fn add(&mut self, terms: &Terms, term: Term, factor: u64) {
        let node = *terms.node(term);
        if let Some(number) = terms.as_u64(term) {
            self.constant = self.constant.wrapping_add(number.wrapping_mul(factor));
            return;
        }
        let second = || terms.as_u64(node.arg(1));
        match node.op {
            Op::Add => {
                self.add(terms, node.arg(0), factor);
                self.add(terms, node.arg(1), factor);
            }
            Op::Neg => self.add(terms, node.arg(0), factor.wrapping_neg()),
            Op::Mul if second().is_some() => {
                self.add(terms, node.arg(0), factor.wrapping_mul(second().unwrap_or(0)));
            }
            Op::Shl if second().is_some_and(|by| by < 64) => {
                self.add(terms, node.arg(0), factor << second().unwrap_or(0));
            }
            _ => match self.addends.iter_mut().find(|addend| addend.0 == term) {
                Some(addend) => addend.1 = addend.1.wrapping_add(factor),
                None => self.addends.push((term, factor)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{collected, kernel};
    use espalier_base::Rng;
    use espalier_expr::{Evaluator, Model, SymbolInfo, SymbolKind, SymbolShape, Term, Terms};
    use std::rc::Rc;

    fn holds(relation: &[i128], row: &[i128]) -> bool {
        relation.iter().zip(row).map(|(a, b)| a * b).sum::<i128>() == 0
    }

    #[test]
    fn collecting_changes_no_meaning() {
        let mut terms = Terms::new();
        let mut random = Rng::new(3);
        let vars: Vec<Term> = (0..3).map(|number| variable(&mut terms, number)).collect();
        for _ in 0..500 {
            let [a, b] = [0, 1].map(|_| sum(&mut terms, &vars, &mut random, 4));
            let plain = terms.eq(a, b);
            let result = collected(&mut terms, plain);
            for _ in 0..8 {
                let mut model = Model::new();
                vars.iter().for_each(|&var| model.set(var, random.below(1 << 16) as u64));
                let mut evaluator = Evaluator::new(Rc::new(model));
                assert_eq!(evaluator.eval_bool(&terms, plain), evaluator.eval_bool(&terms, result));
            }
        }
        let wide = vars.iter().map(|&var| terms.sext(var, 64)).collect::<Vec<Term>>();
        let sum = terms.add(wide[0], wide[1]);
        let [less, more] = [terms.sub(wide[1], sum), terms.sub(wide[2], wide[0])];
        let both = terms.add(less, more);
        let equation = terms.eq(both, wide[2]);
        let result = collected(&mut terms, equation);
        assert_eq!(terms.vars_of(result).len(), 1, "-2 x == 0 is left");
    }

    fn variable(terms: &mut Terms, occurrence: u32) -> Term {
        let info =
            SymbolInfo { kind: SymbolKind::Input, name: "x".into(), occurrence, size: 2, shape: SymbolShape::Scalar };
        let symbol = terms.symbol(info);
        terms.var(symbol, 0)
    }

    fn sum(terms: &mut Terms, vars: &[Term], random: &mut Rng, depth: usize) -> Term {
        let mut part = |terms: &mut Terms| sum(terms, vars, random, depth - 1);
        let (one, other) = match depth {
            0 => return vars[random.below(vars.len())],
            _ => (part(terms), part(terms)),
        };
        let number = terms.constant(random.below(9) as u64, 16);
        match random.below(6) {
            0 => terms.add(one, other),
            1 => terms.sub(one, other),
            2 => terms.mul(one, number),
            3 => terms.shl(one, number),
            4 => terms.not(one),
            _ => terms.add(one, number),
        }
    }

    /// The kernel of all small matrices: each relation holds on all rows, and its dimension is the
    /// number of columns less the rank, which is counted modulo a large prime.
    #[test]
    fn the_kernel_is_all_that_holds() {
        let mut random = Rng::new(7);
        for _ in 0..2_000 {
            let (columns, count) = (2 + random.below(4), 1 + random.below(6));
            let rows: Vec<Vec<i128>> =
                (0..count).map(|_| (0..columns).map(|_| random.below(9) as i128 - 4).collect()).collect();
            let basis = kernel(&rows, columns).expect("small numbers");
            assert!(basis.iter().all(|relation| rows.iter().all(|row| holds(relation, row))));
            assert!(basis.iter().all(|relation| relation.iter().any(|&entry| entry != 0)));
            assert_eq!(basis.len(), columns - rank(&rows, columns), "{rows:?}");
            assert_eq!(rank(&basis, columns), basis.len());
        }
    }

    /// Over a prime field, with numbers so small that it is that over the rationals.
    fn rank(rows: &[Vec<i128>], columns: usize) -> usize {
        const PRIME: i128 = 1_000_000_007;
        let mut rows: Vec<Vec<i128>> =
            rows.iter().map(|row| row.iter().map(|entry| entry.rem_euclid(PRIME)).collect()).collect();
        let mut rank = 0;
        for column in 0..columns {
            let Some(found) = (rank..rows.len()).find(|&row| rows[row][column] != 0) else { continue };
            rows.swap(rank, found);
            let inverse = power(rows[rank][column], PRIME - 2, PRIME);
            for row in 0..rows.len() {
                if row == rank || rows[row][column] == 0 {
                    continue;
                }
                let factor = rows[row][column] * inverse % PRIME;
                let pivot = rows[rank].clone();
                for (entry, pivot) in rows[row].iter_mut().zip(pivot) {
                    *entry = (*entry - factor * pivot).rem_euclid(PRIME);
                }
            }
            rank += 1;
        }
        rank
    }

    fn power(mut base: i128, mut exponent: i128, prime: i128) -> i128 {
        let mut result = 1;
        while exponent > 0 {
            if exponent & 1 == 1 {
                result = result * base % prime;
            }
            base = base * base % prime;
            exponent >>= 1;
        }
        result
    }
}
