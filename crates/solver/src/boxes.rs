//! Deciding slices with floats by intervals: branch and prune.
//!
//! Every term of the slice gets an interval, by evaluating forwards, and then each constraint,
//! which has to hold, narrows its arguments, and these theirs (HC4: Benhamou, Goualard,
//! Granvilliers, Puget, ICLP 1999). When that comes to a stop, a point in the middle is tried, and
//! if it is no solution, one of the inputs is split in two. A slice with a polynomial of one or two
//! inputs takes a SAT solver minutes and this milliseconds; on others it comes to nothing, and its
//! work is limited.
//!
//! A term can be a float and an integer, and both intervals are kept. What is not known here is a
//! term of any value, which can only make intervals wider. Constraints that were implied whenever
//! they were looked at are not part of the core.

use crate::Answer;
use crate::float_range::{self as range, Range};
use espalier_base::bits::{mask, sign_bit};
use espalier_expr::{Evaluator, FloatFormat, Model, Op, Rounding, Term, Terms};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Slices with more terms than this are not looked at.
const NODES: usize = 4000;

/// Terms that may be looked at for one slice, and how often for one box.
const WORK: u64 = 600_000;
const ROUNDS: u32 = 4;

/// Work that led to nothing may be so many times that which did, and this much more.
const PATIENCE: u64 = 4;
const LEAST_PATIENCE: u64 = 12_000_000;

/// Inputs that are split.
const INPUTS: usize = 8;

/// Between numbers that are not larger than this, the middle is the mean; otherwise the number in
/// the middle of all that there are.
const MODERATE: f64 = 1e9;

/// Whether it pays, in counted work.
#[derive(Default)]
pub struct Boxes {
    useful: u64,
    wasted: u64,
    /// By term: 1 if it has no float operator in it, 2 if it has.
    has_floats: Vec<u8>,
}

impl Boxes {
    /// What was done so far, counted.
    pub fn work(&self) -> u64 {
        self.useful + self.wasted
    }

    /// Decides the conjunction of `slice`, if floats are in it and it is little work. `base` has
    /// values for variables that are not split. A model has the variables of the slice and no
    /// others.
    pub fn decide(&mut self, terms: &Terms, slice: &[Term], base: Option<&Model>) -> Option<Answer> {
        if self.wasted > PATIENCE * self.useful + LEAST_PATIENCE {
            return None;
        }
        if !slice.iter().any(|&c| self.has_floats(terms, c)) {
            return None;
        }
        let none = Model::new();
        let mut search = Search::new(terms, slice, base.unwrap_or(&none))?;
        let found = search.run();
        *(if found.is_some() { &mut self.useful } else { &mut self.wasted }) += search.work;
        found
    }

    fn has_floats(&mut self, terms: &Terms, root: Term) -> bool {
        self.has_floats.resize(terms.len().max(self.has_floats.len()), 0);
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.has_floats[term.index()] != 0 {
                stack.pop();
                continue;
            }
            let node = terms.node(term);
            let mut known = if is_float_operator(node.op) { 2 } else { 1 };
            let below = stack.len();
            for arg in node.args() {
                match self.has_floats[arg.index()] {
                    0 => stack.push(arg),
                    of_arg => known = known.max(of_arg),
                }
            }
            if stack.len() == below {
                self.has_floats[term.index()] = known;
                stack.pop();
            }
        }
        self.has_floats[root.index()] == 2
    }
}

fn is_float_operator(op: Op) -> bool {
    use Op::*;
    let arithmetic = matches!(op, FpAdd | FpSub | FpMul | FpDiv | FpRem | FpFma | FpSqrt | FpRound);
    arithmetic || matches!(op, FpEq | FpLt | FpLe | FpToFp | FpToSi | SiToFp | UiToFp)
}

/// Unsigned and signed bounds of an integer.
#[derive(Copy, Clone, PartialEq)]
struct Int {
    ulo: i128,
    uhi: i128,
    slo: i128,
    shi: i128,
}

impl Int {
    fn all(width: u32) -> Int {
        let half = 1i128 << (width - 1);
        Int { ulo: 0, uhi: 2 * half - 1, slo: -half, shi: half - 1 }
    }

    fn unsigned(width: u32, lo: i128, hi: i128) -> Int {
        Int { ulo: lo, uhi: hi, ..Int::all(width) }.tightened(width)
    }

    fn signed(width: u32, lo: i128, hi: i128) -> Int {
        Int { slo: lo, shi: hi, ..Int::all(width) }.tightened(width)
    }

    fn meet(self, other: Int) -> Int {
        Int {
            ulo: self.ulo.max(other.ulo),
            uhi: self.uhi.min(other.uhi),
            slo: self.slo.max(other.slo),
            shi: self.shi.min(other.shi),
        }
    }

    fn join(self, other: Int) -> Int {
        Int {
            ulo: self.ulo.min(other.ulo),
            uhi: self.uhi.max(other.uhi),
            slo: self.slo.min(other.slo),
            shi: self.shi.max(other.shi),
        }
    }

    fn is_empty(self) -> bool {
        self.ulo > self.uhi || self.slo > self.shi
    }

    /// Lets the two orders learn from each other where they are the same.
    fn tightened(self, width: u32) -> Int {
        let (half, full) = (1i128 << (width - 1), 1i128 << width);
        let mut int = self;
        let offset = match () {
            () if int.uhi < half || int.slo >= 0 => 0,
            () if int.ulo >= half || int.shi < 0 => full,
            () => return int,
        };
        int.slo = int.slo.max(int.ulo - offset);
        int.shi = int.shi.min(int.uhi - offset);
        int.ulo = int.ulo.max(int.slo + offset);
        int.uhi = int.uhi.min(int.shi + offset);
        int
    }
}

#[derive(Copy, Clone, PartialEq)]
struct Domain {
    int: Int,
    float: Range,
}

impl Domain {
    fn all(width: u32) -> Domain {
        Domain { int: Int::all(width), float: Range::ALL }
    }

    fn is_empty(self) -> bool {
        self.int.is_empty() || self.float.is_empty()
    }

    fn meet(self, other: Domain) -> Domain {
        Domain { int: self.int.meet(other.int), float: self.float.meet(other.float) }
    }

    /// For a term of width 1.
    fn truth(self) -> Option<bool> {
        (self.int.ulo == self.int.uhi).then_some(self.int.ulo == 1)
    }
}

fn of_truth(truth: Option<bool>) -> Domain {
    match truth {
        None => Domain::all(1),
        Some(truth) => Domain { int: Int::unsigned(1, truth as i128, truth as i128), float: Range::ALL },
    }
}

/// What a term is, as far as intervals know it.
#[derive(Copy, Clone, PartialEq)]
enum Kind {
    /// Anything, within the facts that the term pool has.
    Opaque,
    Operator(Op),
    /// A float with its sign flipped, or without its sign.
    Negated,
    Magnitude,
    /// All bits of a float but the sign.
    MagnitudeBits,
}

struct Node {
    term: Term,
    kind: Kind,
    width: u32,
    /// The first argument's width.
    argument: u32,
    args: [usize; 3],
}

struct Contradiction;

struct Search<'a> {
    terms: &'a Terms,
    slice: &'a [Term],
    base: &'a Model,
    nodes: Vec<Node>,
    at: FxHashMap<Term, usize>,
    /// What is known of each node before anything is asked of it.
    start: Vec<Domain>,
    domains: Vec<Domain>,
    /// Opaque terms that values can be given to.
    inputs: Vec<usize>,
    /// Which nodes are operands of float operators.
    is_float: Vec<bool>,
    used: Vec<bool>,
    work: u64,
    scratch: Evaluator,
}

impl<'a> Search<'a> {
    fn new(terms: &'a Terms, slice: &'a [Term], base: &'a Model) -> Option<Search<'a>> {
        let mut search = Search {
            terms,
            slice,
            base,
            nodes: Vec::new(),
            at: FxHashMap::default(),
            start: Vec::new(),
            domains: Vec::new(),
            inputs: Vec::new(),
            is_float: Vec::new(),
            used: vec![false; slice.len()],
            work: 0,
            scratch: Evaluator::new(Model::new()),
        };
        for &constraint in slice.iter().rev() {
            search.collect(constraint)?;
        }
        search.find_floats();
        Some(search)
    }

    fn collect(&mut self, root: Term) -> Option<()> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.at.contains_key(&term) {
                stack.pop();
                continue;
            }
            let (kind, args) = self.understand(term);
            let below = stack.len();
            stack.extend(args.iter().flatten().filter(|arg| !self.at.contains_key(arg)));
            if stack.len() > below {
                continue;
            }
            stack.pop();
            if self.nodes.len() == NODES {
                return None;
            }
            let width = self.terms.width(term);
            let places = args.map(|arg| arg.map_or(0, |arg| self.at[&arg]));
            let argument = args[0].map_or(0, |arg| self.terms.width(arg));
            let place = self.nodes.len();
            if kind == Kind::Opaque && !self.terms.is_const(term) && is_settable(self.terms, term) {
                self.inputs.push(place);
            }
            self.at.insert(term, place);
            self.start.push(self.facts(term, width));
            self.nodes.push(Node { term, kind, width, argument, args: places });
        }
        Some(())
    }

    /// What is known of a term by itself.
    fn facts(&self, term: Term, width: u32) -> Domain {
        if width > 64 {
            return Domain::all(64);
        }
        let mut domain = Domain::all(width);
        let (lo, hi) = self.terms.unsigned_range(term);
        domain.int = Int::unsigned(width, lo as i128, hi as i128);
        if let (Some(bits), Some(format)) = (self.terms.as_u64(term), FloatFormat::from_width(width)) {
            domain.float = Range::of_bits(format, bits);
        }
        domain
    }

    fn understand(&self, term: Term) -> (Kind, [Option<Term>; 3]) {
        let terms = self.terms;
        let node = terms.node(term);
        let opaque = (Kind::Opaque, [None; 3]);
        let width = node.width;
        if width > 64 || node.args().any(|arg| terms.width(arg) > 64) {
            return opaque;
        }
        let is_float = FloatFormat::from_width(width).is_some();
        let mut args = [None; 3];
        args.iter_mut().zip(node.args()).for_each(|(place, arg)| *place = Some(arg));
        let is = |term: Term, value: u64| terms.as_u64(term) == Some(value);
        match node.op {
            Op::Xor if is_float && is(node.arg(1), sign_bit(width)) => (Kind::Negated, [args[0], None, None]),
            Op::Xor if is_float && is(node.arg(0), sign_bit(width)) => (Kind::Negated, [args[1], None, None]),
            Op::And if is_float && is(node.arg(1), sign_bit(width) - 1) => (Kind::Magnitude, [args[0], None, None]),
            Op::And if is_float && is(node.arg(0), sign_bit(width) - 1) => (Kind::Magnitude, [args[1], None, None]),
            Op::ZExt if is_float && self.without_sign(node.arg(0)).is_some_and(|of| terms.width(of) == width) => {
                (Kind::Magnitude, [self.without_sign(node.arg(0)), None, None])
            }
            Op::Extract => match self.without_sign(term) {
                Some(of) => (Kind::MagnitudeBits, [Some(of), None, None]),
                None if node.number(1) == 0 => (Kind::Operator(node.op), args),
                None => opaque,
            },
            Op::Not | Op::And | Op::Or | Op::Xor if width == 1 => (Kind::Operator(node.op), args),
            Op::Add | Op::Mul | Op::Neg | Op::SExt | Op::ZExt | Op::Ite => (Kind::Operator(node.op), args),
            Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle => (Kind::Operator(node.op), args),
            op if is_float_operator(op) => (Kind::Operator(op), args),
            _ => opaque,
        }
    }

    /// The float that these are all bits but the sign of.
    fn without_sign(&self, term: Term) -> Option<Term> {
        let node = self.terms.node(term);
        let is_extract = node.op == Op::Extract && node.number(1) == 0;
        let of = is_extract.then(|| node.arg(0))?;
        let width = self.terms.width(of);
        (FloatFormat::from_width(width).is_some() && node.width + 1 == width).then_some(of)
    }

    fn run(&mut self) -> Option<Answer> {
        let mut stack: Vec<Vec<Domain>> = vec![self.inputs.iter().map(|&input| self.start[input]).collect()];
        let mut turn = 0;
        while let Some(inputs) = stack.pop() {
            if self.work > WORK {
                return None;
            }
            self.domains.clone_from(&self.start);
            for (&place, &domain) in self.inputs.iter().zip(&inputs) {
                self.domains[place] = domain;
            }
            if self.contract().is_err() {
                continue;
            }
            if let Some(model) = self.try_points() {
                return Some(Answer::Sat(model));
            }
            let inputs: Vec<Domain> = self.inputs.iter().map(|&place| self.domains[place]).collect();
            let (one, other) = self.split(&inputs, &mut turn)?;
            stack.push(other);
            stack.push(one);
        }
        let used = self.used.iter().zip(self.slice);
        Some(Answer::Unsat(used.filter(|&(&used, _)| used).map(|(_, &c)| c).collect()))
    }

    /// Halves of the box; none if there is nothing to split.
    fn split(&self, inputs: &[Domain], turn: &mut usize) -> Option<(Vec<Domain>, Vec<Domain>)> {
        if inputs.len() > INPUTS {
            return None;
        }
        for _ in 0..inputs.len() {
            *turn = (*turn + 1) % inputs.len();
            let node = &self.nodes[self.inputs[*turn]];
            let format = FloatFormat::from_width(node.width);
            let domain = inputs[*turn];
            let halves = match format {
                Some(format) if self.is_float[self.inputs[*turn]] => halve_float(format, domain),
                _ => halve_int(node.width, domain),
            };
            if let Some((one, other)) = halves {
                let (mut first, mut second) = (inputs.to_vec(), inputs.to_vec());
                (first[*turn], second[*turn]) = (one, other);
                return Some((first, second));
            }
        }
        None
    }

    fn find_floats(&mut self) {
        self.is_float = vec![false; self.nodes.len()];
        for (place, node) in self.nodes.iter().enumerate().rev() {
            let [a, b, c] = node.args;
            match node.kind {
                Kind::Opaque => {}
                Kind::Negated | Kind::Magnitude | Kind::MagnitudeBits => self.is_float[a] = true,
                Kind::Operator(Op::Ite) if self.is_float[place] => (self.is_float[b], self.is_float[c]) = (true, true),
                Kind::Operator(Op::SiToFp | Op::UiToFp) => {}
                Kind::Operator(op) if is_float_operator(op) => {
                    let arity = self.terms.node(node.term).args().count();
                    node.args[..arity].iter().for_each(|&arg| self.is_float[arg] = true);
                }
                Kind::Operator(_) => {}
            }
        }
    }

    /// Narrows all intervals.
    fn contract(&mut self) -> Result<(), Contradiction> {
        for _ in 0..ROUNDS {
            self.work += 2 * self.nodes.len() as u64;
            for place in 0..self.nodes.len() {
                let domain = self.forwards(place);
                self.narrow(place, domain)?;
            }
            let mut has_changed = false;
            for (index, constraint) in self.slice.iter().enumerate() {
                let place = self.at[constraint];
                if self.domains[place].truth() != Some(true) {
                    self.used[index] = true;
                    has_changed = true;
                    self.narrow(place, of_truth(Some(true)))?;
                }
            }
            for place in (0..self.nodes.len()).rev() {
                has_changed |= self.backwards(place)?;
            }
            if !has_changed {
                break;
            }
        }
        Ok(())
    }

    /// Whether anything was new.
    fn narrow(&mut self, place: usize, domain: Domain) -> Result<bool, Contradiction> {
        let before = self.domains[place];
        let mut after = before.meet(domain);
        after.int = after.int.tightened(self.nodes[place].width.min(64));
        if after.is_empty() {
            return Err(Contradiction);
        }
        self.domains[place] = after;
        Ok(after != before)
    }

    fn narrow_int(&mut self, place: usize, int: Int) -> Result<bool, Contradiction> {
        self.narrow(place, Domain { int, float: Range::ALL })
    }

    fn narrow_float(&mut self, place: usize, float: Range) -> Result<bool, Contradiction> {
        let int = Int::all(self.nodes[place].width);
        self.narrow(place, Domain { int, float })
    }

    fn narrow_truth(&mut self, place: usize, truth: bool) -> Result<bool, Contradiction> {
        self.narrow(place, of_truth(Some(truth)))
    }

    /// What the arguments say of a node.
    fn forwards(&self, place: usize) -> Domain {
        let Node { kind, width, argument, args, term } = self.nodes[place];
        let [a, b, c] = args.map(|arg| self.domains[arg]);
        let of_int = |int: Int| Domain { int, float: Range::ALL };
        let of_float = |float: Range| Domain { int: Int::all(width), float };
        let format = |width: u32| FloatFormat::from_width(width).unwrap_or(FloatFormat::F64);
        let op = match kind {
            Kind::Opaque => return Domain::all(width.min(64)),
            Kind::Negated => return of_float(a.float.negated()),
            Kind::Magnitude => return of_float(a.float.magnitude()),
            Kind::MagnitudeBits => {
                let (lo, hi) = magnitude_bits(format(argument), a.float);
                return of_int(Int::unsigned(width, lo, hi));
            }
            Kind::Operator(op) => op,
        };
        match op {
            Op::Not => of_truth(a.truth().map(|a| !a)),
            Op::And => of_truth(conjunction(a.truth(), b.truth())),
            Op::Or => of_truth(conjunction(a.truth().map(|a| !a), b.truth().map(|b| !b)).map(|neither| !neither)),
            Op::Xor => of_truth(a.truth().zip(b.truth()).map(|(a, b)| a != b)),
            Op::Eq => {
                let same = a.int.ulo == a.int.uhi && b.int.ulo == b.int.uhi && a.int.ulo == b.int.ulo;
                of_truth(if a.meet(b).is_empty() { Some(false) } else { same.then_some(true) })
            }
            Op::Ult => of_truth(is_less(a.int.ulo, a.int.uhi, b.int.ulo, b.int.uhi, false)),
            Op::Ule => of_truth(is_less(a.int.ulo, a.int.uhi, b.int.ulo, b.int.uhi, true)),
            Op::Slt => of_truth(is_less(a.int.slo, a.int.shi, b.int.slo, b.int.shi, false)),
            Op::Sle => of_truth(is_less(a.int.slo, a.int.shi, b.int.slo, b.int.shi, true)),
            Op::FpEq if args[0] == args[1] => of_truth(match () {
                () if !a.float.nan => Some(true),
                () => (!a.float.has_numbers()).then_some(false),
            }),
            Op::FpEq | Op::FpLt | Op::FpLe => of_truth(compare(op, a.float, b.float)),
            Op::Add => {
                let unsigned = within(Int::unsigned, width, false, a.int.ulo + b.int.ulo, a.int.uhi + b.int.uhi);
                let signed = within(Int::signed, width, true, a.int.slo + b.int.slo, a.int.shi + b.int.shi);
                of_int(unsigned.meet(signed))
            }
            Op::Mul => {
                let (x, y) = (a.int, b.int);
                let corners = [x.slo * y.slo, x.slo * y.shi, x.shi * y.slo, x.shi * y.shi];
                let (lo, hi) = corners.iter().fold((i128::MAX, i128::MIN), |(lo, hi), &c| (lo.min(c), hi.max(c)));
                of_int(within(Int::signed, width, true, lo, hi))
            }
            Op::Neg => of_int(within(Int::signed, width, true, -a.int.shi, -a.int.slo)),
            Op::SExt => of_int(Int::signed(width, a.int.slo, a.int.shi)),
            Op::ZExt => of_int(Int::unsigned(width, a.int.ulo, a.int.uhi)),
            Op::Extract => {
                let unsigned = within(Int::unsigned, width, false, a.int.ulo, a.int.uhi);
                of_int(unsigned.meet(within(Int::signed, width, true, a.int.slo, a.int.shi)))
            }
            Op::Ite => match a.truth() {
                Some(true) => b,
                Some(false) => c,
                None => Domain { int: b.int.join(c.int), float: b.float.join(c.float) },
            },
            Op::FpMul if args[0] == args[1] => of_float(range::square(format(width), a.float)),
            Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv | Op::FpRem => {
                of_float(range::binary(op, format(width), a.float, b.float))
            }
            Op::FpFma => of_float(range::fma(format(width), a.float, b.float, c.float)),
            Op::FpSqrt => of_float(range::sqrt(format(width), a.float)),
            Op::FpRound => {
                let rounding = Rounding::from_number(self.terms.node(term).number(1));
                of_float(range::round(rounding, a.float))
            }
            Op::FpToFp => of_float(range::convert(format(width), a.float)),
            Op::SiToFp => of_float(range::of_integers(format(width), a.int.slo, a.int.shi)),
            Op::UiToFp => of_float(range::of_integers(format(width), a.int.ulo, a.int.uhi)),
            Op::FpToSi => of_int(truncated(width, a.float)),
            _ => Domain::all(width),
        }
    }

    /// Narrows the arguments by what is known of a node. Whether anything was new.
    fn backwards(&mut self, place: usize) -> Result<bool, Contradiction> {
        let Node { kind, width, argument, args: [a, b, c], .. } = self.nodes[place];
        let z = self.domains[place];
        let [x, y] = [a, b].map(|arg| self.domains[arg]);
        let format = |width: u32| FloatFormat::from_width(width).unwrap_or(FloatFormat::F64);
        let op = match kind {
            Kind::Opaque => return Ok(false),
            Kind::Negated => return self.narrow_float(a, z.float.negated()),
            Kind::Magnitude => return self.narrow_float(a, of_magnitude(z.float, x.float)),
            Kind::MagnitudeBits => {
                let magnitude = magnitude_of(format(argument), z.int.ulo, z.int.uhi);
                return self.narrow_float(a, of_magnitude(magnitude, x.float));
            }
            Kind::Operator(op) => op,
        };
        // A result that may be no number says nothing of what it is the result of.
        let (number, float) = (!z.float.nan, format(width));
        match op {
            Op::Not => z.truth().map_or(Ok(false), |truth| self.narrow_truth(a, !truth)),
            Op::And | Op::Or => {
                let Some(truth) = z.truth() else { return Ok(false) };
                // If a conjunction holds, both do; if it does not and one does, the other does not.
                let decisive = op == Op::Or;
                if truth != decisive {
                    return Ok(self.narrow_truth(a, truth)? | self.narrow_truth(b, truth)?);
                }
                match (x.truth(), y.truth()) {
                    (Some(one), _) if one != decisive => self.narrow_truth(b, decisive),
                    (_, Some(one)) if one != decisive => self.narrow_truth(a, decisive),
                    _ => Ok(false),
                }
            }
            Op::Xor => match (z.truth(), x.truth(), y.truth()) {
                (Some(z), Some(x), _) => self.narrow_truth(b, z != x),
                (Some(z), _, Some(y)) => self.narrow_truth(a, z != y),
                _ => Ok(false),
            },
            Op::Eq => match (z.truth(), x.truth(), y.truth()) {
                (Some(true), ..) => Ok(self.narrow(a, y)? | self.narrow(b, x)?),
                (Some(false), Some(x), _) if argument == 1 => self.narrow_truth(b, !x),
                (Some(false), _, Some(y)) if argument == 1 => self.narrow_truth(a, !y),
                _ => Ok(false),
            },
            Op::Ult | Op::Ule | Op::Slt | Op::Sle => {
                let Some(truth) = z.truth() else { return Ok(false) };
                let strict = matches!(op, Op::Ult | Op::Slt) == truth;
                // Not a < b is b <= a.
                let (less, greater) = if truth { (a, b) } else { (b, a) };
                let (l, g) = (self.domains[less].int, self.domains[greater].int);
                let (by, all) = (strict as i128, Int::all(argument));
                let (below, above) = match op {
                    Op::Ult | Op::Ule => (Int { uhi: g.uhi - by, ..all }, Int { ulo: l.ulo + by, ..all }),
                    _ => (Int { shi: g.shi - by, ..all }, Int { slo: l.slo + by, ..all }),
                };
                Ok(self.narrow_int(less, below)? | self.narrow_int(greater, above)?)
            }
            Op::FpEq | Op::FpLt | Op::FpLe => {
                let Some(truth) = z.truth() else { return Ok(false) };
                self.narrow_compared(op, truth, a, b, format(argument))
            }
            Op::Add => {
                let least = Int::all(width);
                if x.int.slo + y.int.slo < least.slo || x.int.shi + y.int.shi > least.shi {
                    return Ok(false);
                }
                let first = Int { slo: z.int.slo - y.int.shi, shi: z.int.shi - y.int.slo, ..least };
                let second = Int { slo: z.int.slo - x.int.shi, shi: z.int.shi - x.int.slo, ..least };
                Ok(self.narrow_int(a, first)? | self.narrow_int(b, second)?)
            }
            Op::Neg if x.int.slo > Int::all(width).slo => {
                self.narrow_int(a, Int { slo: -z.int.shi, shi: -z.int.slo, ..Int::all(width) })
            }
            Op::SExt => self.narrow_int(a, Int { slo: z.int.slo, shi: z.int.shi, ..Int::all(argument) }),
            Op::ZExt => self.narrow_int(a, Int { ulo: z.int.ulo, uhi: z.int.uhi, ..Int::all(argument) }),
            Op::Ite => self.narrow_choice(place),
            Op::FpMul if a == b && number => self.narrow_float(a, range::root_of(float, z.float, x.float)),
            Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv | Op::FpRem if number => {
                let first = range::first_of(op, float, z.float, x.float, y.float);
                let second = range::second_of(op, float, z.float, x.float, y.float);
                Ok(self.narrow_float(a, first)? | self.narrow_float(b, second)?)
            }
            Op::FpFma if number => {
                let numbers = Range { nan: false, ..Range::ALL };
                let [a, b, c] = [a, b, c].map(|arg| self.narrow_float(arg, numbers));
                Ok(a? | b? | c?)
            }
            Op::FpSqrt if number => self.narrow_float(a, range::square_of(float, z.float, x.float)),
            Op::FpRound if number => self.narrow_float(a, range::unrounded_of(float, z.float, x.float)),
            Op::FpToFp if number => {
                self.narrow_float(a, range::converted_of(format(argument), float, z.float, x.float))
            }
            Op::SiToFp | Op::UiToFp => {
                let (lo, hi) = range::integers_of(float, z.float);
                let all = Int::all(argument);
                let int = match op {
                    Op::SiToFp => Int { slo: lo, shi: hi, ..all },
                    _ => Int { ulo: lo, uhi: hi, ..all },
                };
                self.narrow_int(a, int)
            }
            Op::FpToSi if z.int.slo > Int::all(width).slo => {
                // It is in range, and less than one away.
                let numbers = range::of_integers(FloatFormat::F64, z.int.slo - 1, z.int.shi + 1);
                self.narrow_float(a, range::unrounded_of(format(argument), numbers, x.float))
            }
            _ => Ok(false),
        }
    }

    fn narrow_compared(
        &mut self,
        op: Op,
        truth: bool,
        a: usize,
        b: usize,
        format: FloatFormat,
    ) -> Result<bool, Contradiction> {
        let numbers = Range { nan: false, ..Range::ALL };
        if truth {
            let mut has_changed = self.narrow_float(a, numbers)? | self.narrow_float(b, numbers)?;
            let (x, y) = (self.domains[a].float, self.domains[b].float);
            let (below, above) = match op {
                Op::FpEq => {
                    has_changed |= self.narrow_float(a, y)?;
                    return Ok(self.narrow_float(b, x)? | has_changed);
                }
                Op::FpLe => (y.hi, x.lo),
                _ => (range::next_down(format, y.hi), range::next_up(format, x.lo)),
            };
            has_changed |= self.narrow_float(a, Range { hi: below, ..numbers })?;
            return Ok(self.narrow_float(b, Range { lo: above, ..numbers })? | has_changed);
        }
        let (x, y) = (self.domains[a].float, self.domains[b].float);
        match op {
            // Only what is not a number is not equal to itself.
            Op::FpEq if a == b => self.narrow_float(a, Range { nan: true, ..Range::NONE }),
            Op::FpLt | Op::FpLe if !x.nan && !y.nan => {
                let (below, above) = match op {
                    Op::FpLt => (x.hi, y.lo),
                    _ => (range::next_down(format, x.hi), range::next_up(format, y.lo)),
                };
                let has_changed = self.narrow_float(b, Range { hi: below, ..numbers })?;
                Ok(self.narrow_float(a, Range { lo: above, ..numbers })? | has_changed)
            }
            _ => Ok(false),
        }
    }

    fn narrow_choice(&mut self, place: usize) -> Result<bool, Contradiction> {
        let [c, a, b] = self.nodes[place].args;
        let z = self.domains[place];
        match self.domains[c].truth() {
            Some(true) => self.narrow(a, z),
            Some(false) => self.narrow(b, z),
            None if self.domains[a].meet(z).is_empty() => self.narrow_truth(c, false),
            None if self.domains[b].meet(z).is_empty() => self.narrow_truth(c, true),
            None => Ok(false),
        }
    }

    /// A model, if one of a few points of the box is one.
    fn try_points(&mut self) -> Option<Rc<Model>> {
        for corner in [Corner::Middle, Corner::Low, Corner::High] {
            self.work += self.nodes.len() as u64;
            let mut model = self.base.clone();
            for &place in &self.inputs {
                let bits = self.pick(place, corner);
                assign(self.terms, &mut model, self.nodes[place].term, bits);
            }
            let mut part = Model::new();
            for &constraint in self.slice {
                for &var in self.terms.vars_of(constraint).iter() {
                    part.set_bv(var, model.get_bv(var, self.terms.width(var)));
                }
            }
            let part = Rc::new(part);
            self.scratch.set_model(part.clone());
            if self.slice.iter().rev().all(|&c| self.scratch.eval_bool(self.terms, c)) {
                return Some(part);
            }
        }
        None
    }

    fn pick(&self, place: usize, corner: Corner) -> u64 {
        let Domain { int, float } = self.domains[place];
        let width = self.nodes[place].width;
        match FloatFormat::from_width(width).filter(|_| self.is_float[place]) {
            Some(format) if !float.has_numbers() => format.nan(),
            Some(format) => range::to_bits(
                format,
                match corner {
                    Corner::Low => float.lo,
                    Corner::Middle => middle(format, float),
                    Corner::High => float.hi,
                },
            ),
            None => {
                let value = match corner {
                    Corner::Low => int.slo,
                    Corner::Middle => int.slo + (int.shi - int.slo) / 2,
                    Corner::High => int.shi,
                };
                value as u64 & mask(width)
            }
        }
    }
}

#[derive(Copy, Clone)]
enum Corner {
    Low,
    Middle,
    High,
}

/// Whether the bits of a term can be chosen.
fn is_settable(terms: &Terms, term: Term) -> bool {
    let node = terms.node(term);
    node.width <= 64 && (node.op == Op::Var || node.op == Op::Concat && node.args().all(|arg| is_settable(terms, arg)))
}

fn assign(terms: &Terms, model: &mut Model, term: Term, bits: u64) {
    let node = terms.node(term);
    match node.op {
        Op::Var => model.set(term, bits & mask(node.width)),
        Op::Concat => {
            let low = terms.width(node.arg(1));
            assign(terms, model, node.arg(1), bits & mask(low));
            assign(terms, model, node.arg(0), bits >> low);
        }
        _ => {}
    }
}

fn conjunction(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn is_less(alo: i128, ahi: i128, blo: i128, bhi: i128, or_equal: bool) -> Option<bool> {
    let by = or_equal as i128;
    match () {
        () if ahi < blo + by => Some(true),
        () if alo >= bhi + by => Some(false),
        () => None,
    }
}

fn compare(op: Op, a: Range, b: Range) -> Option<bool> {
    let numbers = !a.nan && !b.nan;
    let never = !a.has_numbers() || !b.has_numbers();
    let (holds, fails) = match op {
        Op::FpEq => (a.lo == a.hi && b.lo == b.hi && a.lo == b.lo, a.hi < b.lo || b.hi < a.lo),
        Op::FpLt => (a.hi < b.lo, a.lo >= b.hi),
        _ => (a.hi <= b.lo, a.lo > b.hi),
    };
    if never || fails { Some(false) } else { (numbers && holds).then_some(true) }
}

/// An interval of integers if it is in the range of the width, all of them otherwise.
fn within(of: impl Fn(u32, i128, i128) -> Int, width: u32, is_signed: bool, lo: i128, hi: i128) -> Int {
    let all = Int::all(width);
    let (least, most) = if is_signed { (all.slo, all.shi) } else { (all.ulo, all.uhi) };
    if least <= lo && hi <= most { of(width, lo, hi) } else { all }
}

/// The integers that floats are cut off to.
fn truncated(width: u32, float: Range) -> Int {
    let all = Int::all(width);
    // The casts saturate, far outside.
    let (lo, hi) = (float.lo as i128, float.hi as i128);
    let is_in_range = !float.nan && all.slo <= lo && hi <= all.shi;
    match () {
        () if !float.has_numbers() => Int::signed(width, all.slo, all.slo),
        () if is_in_range => Int::signed(width, lo, hi),
        // Whatever is out of range is the least integer.
        () => Int::signed(width, all.slo, hi.clamp(all.slo, all.shi)),
    }
}

fn magnitude_bits(format: FloatFormat, float: Range) -> (i128, i128) {
    let magnitude = float.magnitude();
    let bits = |value: f64| range::to_bits(format, value.abs()) as i128;
    let all = sign_bit(format.width()) as i128 - 1;
    match (magnitude.has_numbers(), float.nan) {
        (true, false) => (bits(magnitude.lo), bits(magnitude.hi)),
        (true, true) => (bits(magnitude.lo), all),
        (false, _) => (format.infinity() as i128 + 1, all),
    }
}

/// The magnitudes with bits in this interval.
fn magnitude_of(format: FloatFormat, lo: i128, hi: i128) -> Range {
    let infinity = format.infinity() as i128;
    let nan = hi > infinity;
    if lo > infinity {
        return Range { nan, ..Range::NONE };
    }
    let value = |bits: i128| range::from_bits(format, bits.clamp(0, infinity) as u64);
    Range { lo: value(lo), hi: value(hi), nan }
}

/// Where a float is that has such a magnitude.
fn of_magnitude(magnitude: Range, float: Range) -> Range {
    let magnitude = magnitude.meet(Range { lo: 0.0, ..Range::ALL });
    if !magnitude.has_numbers() {
        return float.meet(Range { nan: magnitude.nan, ..Range::NONE });
    }
    let float = float.meet(Range { lo: -magnitude.hi, hi: magnitude.hi, nan: magnitude.nan });
    match () {
        () if float.lo > -magnitude.lo => float.meet(Range { lo: magnitude.lo, ..Range::ALL }),
        () if float.hi < magnitude.lo => float.meet(Range { hi: -magnitude.lo, ..Range::ALL }),
        () => float,
    }
}

/// A number between the bounds, and less than the greater one if they differ.
fn middle(format: FloatFormat, range: Range) -> f64 {
    if range.lo >= -MODERATE && range.hi <= MODERATE {
        let mean = range::floor(format, range.lo + (range.hi - range.lo) / 2.0);
        return if mean < range.hi { mean.max(range.lo) } else { range.lo };
    }
    // The numbers of a format are ordered as their bits are.
    let order = |value: f64| {
        let bits = range::to_bits(format, value.abs()) as i64;
        if value < 0.0 { -bits } else { bits }
    };
    let order = (order(range.lo) as i128 + order(range.hi) as i128).div_euclid(2) as i64;
    let value = range::from_bits(format, order.unsigned_abs());
    if order < 0 { -value } else { value }
}

fn halve_float(format: FloatFormat, domain: Domain) -> Option<(Domain, Domain)> {
    let float = domain.float;
    let with = |float: Range| Domain { float, ..domain };
    if float.nan && float.has_numbers() {
        return Some((with(Range { nan: false, ..float }), with(Range { nan: true, ..Range::NONE })));
    }
    if !float.has_numbers() || float.lo == float.hi {
        return None;
    }
    let middle = middle(format, float);
    let above = range::next_up(format, middle);
    Some((with(Range { hi: middle, ..float }), with(Range { lo: above, ..float })))
}

fn halve_int(width: u32, domain: Domain) -> Option<(Domain, Domain)> {
    let int = domain.int;
    if int.slo >= int.shi {
        return None;
    }
    let middle = int.slo + (int.shi - int.slo) / 2;
    let with = |int: Int| Domain { int: int.tightened(width), ..domain };
    Some((with(Int { shi: middle, ..int }), with(Int { slo: middle + 1, ..int })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Backend, Limits, SatBackend};
    use espalier_expr::SymbolKind;

    struct Generator {
        seed: u64,
        floats: Vec<Term>,
        integer: Term,
    }

    impl Generator {
        fn below(&mut self, limit: usize) -> usize {
            self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.seed >> 33) as usize % limit
        }

        fn constant(&mut self, terms: &mut Terms) -> Term {
            let values = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.25, -7.0, 100.0, 1e20, f32::INFINITY, f32::MIN_POSITIVE];
            let index = self.below(values.len());
            terms.constant(values[index].to_bits() as u64, 32)
        }

        fn float(&mut self, terms: &mut Terms, depth: u32) -> Term {
            let choice = if depth == 0 { self.below(2) } else { self.below(13) };
            match choice {
                0 => return self.constant(terms),
                1 => {
                    let index = self.below(self.floats.len());
                    return self.floats[index];
                }
                2 => return terms.si_to_fp(self.integer, FloatFormat::F32),
                _ => {}
            }
            let (a, b) = (self.float(terms, depth - 1), self.float(terms, depth - 1));
            match choice {
                3 => terms.fp_sub(a, b),
                4 | 5 => terms.fp_mul(a, b),
                6 => terms.fp_mul(a, a),
                7 => terms.fp_neg(a),
                8 => terms.fp_abs(a),
                9 => {
                    let condition = terms.fp_lt(a, b);
                    terms.ite(condition, b, a)
                }
                10 => {
                    let integer = terms.fp_to_si(a, 16);
                    terms.si_to_fp(integer, FloatFormat::F32)
                }
                11 => terms.fp_round(a, Rounding::Down),
                _ => terms.fp_add(a, b),
            }
        }

        fn condition(&mut self, terms: &mut Terms) -> Term {
            let a = self.float(terms, 2);
            let b = if self.below(3) == 0 { self.float(terms, 1) } else { self.constant(terms) };
            let condition = match self.below(7) {
                0 => terms.fp_eq(a, b),
                1 | 2 => terms.fp_lt(a, b),
                3 => terms.fp_le(b, a),
                4 => terms.fp_is_nan(a),
                5 => {
                    let limit = terms.constant(self.below(50) as u64, 16);
                    terms.slt(self.integer, limit)
                }
                _ => {
                    let (a, b) = (terms.fp_lt(a, b), terms.fp_is_inf(a));
                    terms.or(a, b)
                }
            };
            if self.below(3) == 0 { terms.not(condition) } else { condition }
        }
    }

    #[test]
    fn what_intervals_decide_is_so() {
        let mut found = [0, 0];
        let limits = Limits { conflicts: Some(2000), ..Limits::default() };
        for seed in 0..60 {
            let mut terms = Terms::new();
            let bytes = terms.byte_vars(SymbolKind::Input, "b", 4);
            let whole = bytes.into_iter().reduce(|low, high| terms.concat(high, low));
            let mut floats = vec![terms.scalar_var(SymbolKind::Input, "x", 4)];
            floats.extend(whole);
            let integer = terms.scalar_var(SymbolKind::Input, "i", 2);
            let mut generator = Generator { seed, floats, integer };
            for _ in 0..6 {
                let count = 1 + generator.below(4);
                let slice: Vec<Term> = (0..count).map(|_| generator.condition(&mut terms)).collect();
                if slice.iter().any(|&c| terms.is_const(c)) {
                    continue;
                }
                match Boxes::default().decide(&terms, &slice, None) {
                    Some(Answer::Sat(model)) => {
                        found[0] += 1;
                        let mut evaluator = Evaluator::new(model);
                        assert!(slice.iter().all(|&c| evaluator.eval_bool(&terms, c)), "seed {seed}");
                    }
                    Some(Answer::Unsat(core)) => {
                        found[1] += 1;
                        let answer = SatBackend::new(0).check(&mut terms, &core, &limits);
                        let text: Vec<String> = core.iter().map(|&c| terms.display(c).to_string()).collect();
                        assert!(!answer.is_sat(), "seed {seed}: {text:#?}");
                    }
                    _ => {}
                }
            }
        }
        assert!(found.iter().all(|&count| count > 20), "{found:?}");
    }

    /// A polynomial of one input has a greatest value, and one of two a least.
    #[test]
    fn polynomials_are_bounded() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.scalar_var(SymbolKind::Input, name, 8));
        let number = |terms: &mut Terms, value: f64| terms.constant(value.to_bits(), 64);
        let mut slice = Vec::new();
        for var in [x, y] {
            let (low, high) = (number(&mut terms, -2.0), number(&mut terms, 2.0));
            slice.extend([terms.fp_le(low, var), terms.fp_le(var, high)]);
        }
        // x - x^3 / 6 is at most 0.9428 there.
        let square = terms.fp_mul(x, x);
        let cube = terms.fp_mul(square, x);
        let six = number(&mut terms, 6.0);
        let sixth = terms.fp_div(cube, six);
        let sine = terms.fp_sub(x, sixth);
        for (limit, is_sat) in [(0.94, true), (0.945, false)] {
            let limit = number(&mut terms, limit);
            let mut slice = slice.clone();
            slice.push(terms.fp_lt(limit, sine));
            let answer = Boxes::default().decide(&terms, &slice, None);
            assert_eq!(answer.map(|answer| answer.is_sat()), Some(is_sat));
        }
    }
}
