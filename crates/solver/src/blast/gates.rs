//! Boolean gates over SAT literals: the bottom layer of the bit-blaster.
//!
//! Every gate folds constants, normalises its inputs (order and sign) and is hashed structurally,
//! so that equal circuits share one variable. A gate that survives gets a fresh variable and its
//! Tseitin clauses in both polarities, because a constraint is assumed positively on one path and
//! negatively on its sibling.
//!
//! Multi-input gates are kept as they are where that saves variables: a conjunction of n literals
//! has one variable, and a full adder two (`xor3` and `maj`) rather than five. An and-inverter
//! graph with a mapping pass was not tried: clauses are produced while a query waits, and a trivial
//! query should cost microseconds.

use rustc_hash::FxHashMap;
use std::ops::Not;

/// A literal: a variable with a sign, or one of the constants [`Lit::TRUE`] and [`Lit::FALSE`].
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(u32);

impl Lit {
    pub const TRUE: Lit = Lit(0);
    pub const FALSE: Lit = Lit(1);

    pub fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    fn positive(variable: u32) -> Lit {
        Lit(variable << 1)
    }

    /// The variable's number, from 1; zero is the constants'.
    pub fn variable(self) -> u32 {
        self.0 >> 1
    }

    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }

    pub fn is_const(self) -> bool {
        self.0 < 2
    }

    pub fn as_const(self) -> Option<bool> {
        self.is_const().then_some(self == Lit::TRUE)
    }

    /// Negated if `negate`.
    pub fn xor_sign(self, negate: bool) -> Lit {
        Lit(self.0 ^ negate as u32)
    }

    fn abs(self) -> Lit {
        Lit(self.0 & !1)
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl std::fmt::Debug for Lit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.as_const() {
            Some(value) => write!(f, "{value}"),
            None => write!(f, "{}{}", if self.is_negative() { "-" } else { "" }, self.variable()),
        }
    }
}

/// The gates built so far, and the clauses not yet handed to the SAT solver.
pub struct Gates {
    variables: u32,
    max_variables: u32,
    overflowed: bool,
    ands: FxHashMap<[Lit; 2], Lit>,
    xors: FxHashMap<[Lit; 2], Lit>,
    muxes: FxHashMap<[Lit; 3], Lit>,
    majorities: FxHashMap<[Lit; 3], Lit>,
    xor3s: FxHashMap<[Lit; 3], Lit>,
    wide_ands: FxHashMap<Box<[Lit]>, Lit>,
    /// Pending clauses, one after another; `ends[i]` is where clause `i` ends.
    clauses: Vec<Lit>,
    ends: Vec<usize>,
}

impl Gates {
    pub fn new(max_variables: u32) -> Gates {
        Gates {
            variables: 0,
            max_variables,
            overflowed: false,
            ands: FxHashMap::default(),
            xors: FxHashMap::default(),
            muxes: FxHashMap::default(),
            majorities: FxHashMap::default(),
            xor3s: FxHashMap::default(),
            wide_ands: FxHashMap::default(),
            clauses: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Whether more variables were asked for than there may be. From then on the circuits are
    /// meaningless.
    pub fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// From now on there may be so many variables in all.
    pub fn limit_to(&mut self, variables: u32) {
        self.max_variables = variables;
    }

    /// Whether about so many more gates can be made.
    pub fn has_room(&self, gates: usize) -> bool {
        gates < self.max_variables.saturating_sub(self.variables) as usize
    }

    /// How many variables exist; they are numbered from 1.
    pub fn variables(&self) -> u32 {
        self.variables
    }

    pub fn fresh(&mut self) -> Lit {
        if self.variables >= self.max_variables {
            // A constant makes what is built on it fold away.
            self.overflowed = true;
            return Lit::FALSE;
        }
        self.variables += 1;
        Lit::positive(self.variables)
    }

    /// Hands all pending clauses to `sink`, in the order they were made, and forgets them.
    pub fn drain_clauses(&mut self, mut sink: impl FnMut(&[Lit])) {
        let mut start = 0;
        for &end in &self.ends {
            sink(&self.clauses[start..end]);
            start = end;
        }
        self.clauses.clear();
        self.ends.clear();
    }

    fn clause<const N: usize>(&mut self, literals: [Lit; N]) {
        if self.overflowed {
            return;
        }
        self.clauses.extend_from_slice(&literals);
        self.ends.push(self.clauses.len());
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        if a == b || b == Lit::TRUE {
            return a;
        }
        if a == Lit::TRUE {
            return b;
        }
        if a == Lit::FALSE || b == Lit::FALSE || a == !b {
            return Lit::FALSE;
        }
        let key = if a < b { [a, b] } else { [b, a] };
        if let Some(&found) = self.ands.get(&key) {
            return found;
        }
        let out = self.fresh();
        self.clause([!out, a]);
        self.clause([!out, b]);
        self.clause([out, !a, !b]);
        self.ands.insert(key, out);
        out
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        if a.is_const() {
            return b.xor_sign(a == Lit::TRUE);
        }
        if b.is_const() {
            return a.xor_sign(b == Lit::TRUE);
        }
        let negate = a.is_negative() ^ b.is_negative();
        let (a, b) = (a.abs(), b.abs());
        if a == b {
            return Lit::constant(negate);
        }
        let key = if a < b { [a, b] } else { [b, a] };
        if let Some(&found) = self.xors.get(&key) {
            return found.xor_sign(negate);
        }
        let out = self.fresh();
        self.clause([!out, a, b]);
        self.clause([!out, !a, !b]);
        self.clause([out, !a, b]);
        self.clause([out, a, !b]);
        self.xors.insert(key, out);
        out.xor_sign(negate)
    }

    pub fn xnor(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// `if c then a else b`.
    pub fn mux(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        if let Some(value) = c.as_const() {
            return if value { a } else { b };
        }
        if a == b {
            return a;
        }
        if c.is_negative() {
            return self.mux(!c, b, a);
        }
        if a == !b {
            return self.xor(c, b);
        }
        if a == c || a == Lit::TRUE {
            return self.or(c, b);
        }
        if a == !c || a == Lit::FALSE {
            return self.and(!c, b);
        }
        if b == c || b == Lit::FALSE {
            return self.and(c, a);
        }
        if b == !c || b == Lit::TRUE {
            return self.or(!c, a);
        }
        let negate = a.is_negative();
        let (a, b) = (a.xor_sign(negate), b.xor_sign(negate));
        let key = [c, a, b];
        if let Some(&found) = self.muxes.get(&key) {
            return found.xor_sign(negate);
        }
        let out = self.fresh();
        self.clause([!c, !a, out]);
        self.clause([!c, a, !out]);
        self.clause([c, !b, out]);
        self.clause([c, b, !out]);
        // Redundant, but they propagate an output on which both branches agree.
        self.clause([!a, !b, out]);
        self.clause([a, b, !out]);
        self.muxes.insert(key, out);
        out.xor_sign(negate)
    }

    /// True when at least two of the three are: a full adder's carry.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut key = [a, b, c];
        key.sort_unstable();
        let [a, b, c] = key;
        match a.as_const() {
            Some(true) => return self.or(b, c),
            Some(false) => return self.and(b, c),
            None => {}
        }
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        let negate = a.is_negative();
        let [a, b, c] = key.map(|l| l.xor_sign(negate));
        let key = [a, b, c];
        if let Some(&found) = self.majorities.get(&key) {
            return found.xor_sign(negate);
        }
        let out = self.fresh();
        self.clause([!a, !b, out]);
        self.clause([!a, !c, out]);
        self.clause([!b, !c, out]);
        self.clause([a, b, !out]);
        self.clause([a, c, !out]);
        self.clause([b, c, !out]);
        self.majorities.insert(key, out);
        out.xor_sign(negate)
    }

    /// The parity of three: a full adder's sum.
    pub fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        // With a constant or a repeated variable among them, two of the three fold first.
        let (a, b, c) = match () {
            () if a.is_const() || b.is_const() || a.abs() == b.abs() => (a, b, c),
            () if c.is_const() || a.abs() == c.abs() => (a, c, b),
            () if b.abs() == c.abs() => (b, c, a),
            () => return self.xor3_distinct([a, b, c]),
        };
        let folded = self.xor(a, b);
        self.xor(folded, c)
    }

    fn xor3_distinct(&mut self, [a, b, c]: [Lit; 3]) -> Lit {
        let negate = a.is_negative() ^ b.is_negative() ^ c.is_negative();
        let mut key = [a.abs(), b.abs(), c.abs()];
        key.sort_unstable();
        if let Some(&found) = self.xor3s.get(&key) {
            return found.xor_sign(negate);
        }
        let [a, b, c] = key;
        let out = self.fresh();
        for signs in 0..8u32 {
            let [x, y, z] = [a.xor_sign(signs & 1 != 0), b.xor_sign(signs & 2 != 0), c.xor_sign(signs & 4 != 0)];
            // The clause excludes the assignment that falsifies x, y and z: there, an odd number of
            // negative signs means that an odd number of inputs is true.
            let odd = signs.count_ones() % 2 == 1;
            self.clause([x, y, z, out.xor_sign(!odd)]);
        }
        self.xor3s.insert(key, out);
        out.xor_sign(negate)
    }

    /// Sum and carry of a full adder.
    pub fn full_adder(&mut self, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
        (self.xor3(a, b, c), self.majority(a, b, c))
    }

    /// The conjunction of all; one variable whatever their number.
    pub fn and_all(&mut self, literals: &[Lit]) -> Lit {
        match *literals {
            [] => return Lit::TRUE,
            [a] => return a,
            [a, b] => return self.and(a, b),
            _ => {}
        }
        let mut key: Vec<Lit> = literals.iter().copied().filter(|&l| l != Lit::TRUE).collect();
        key.sort_unstable();
        key.dedup();
        if key.first() == Some(&Lit::FALSE) || key.windows(2).any(|w| w[0] == !w[1]) {
            return Lit::FALSE;
        }
        if key.len() <= 2 {
            return self.and_all(&key);
        }
        if let Some(&found) = self.wide_ands.get(key.as_slice()) {
            return found;
        }
        let out = self.fresh();
        for &literal in &key {
            self.clause([!out, literal]);
        }
        if !self.overflowed {
            self.clauses.push(out);
            self.clauses.extend(key.iter().map(|&l| !l));
            self.ends.push(self.clauses.len());
        }
        self.wide_ands.insert(key.into_boxed_slice(), out);
        out
    }

    pub fn or_all(&mut self, literals: &[Lit]) -> Lit {
        let negated: Vec<Lit> = literals.iter().map(|&l| !l).collect();
        !self.and_all(&negated)
    }
}
