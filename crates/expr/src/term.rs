//! The pool: nodes, interning, and what is known of a term without looking inside it.

use crate::array::{ArrayFacts, ArrayPage, PageBytes, PageNode};
use crate::build::lately::BuiltLately;
use crate::eval::Machine;
use crate::facts::{Facts, facts_of};
use crate::span::Spans;
use crate::structural_hash::{Mixer, StructuralHash, fold};
use crate::vars::VarSets;
use crate::{ArrayId, ArrayNode, Bv, Symbol, SymbolInfo, SymbolKind, SymbolShape};
use espalier_base::bits::mask;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use num_bigint::BigUint;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::hash::BuildHasher;
use std::num::NonZeroU32;

/// A term of a [`Terms`] pool. Ids grow in creation order, so a term's arguments always have
/// smaller ids.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(NonZeroU32);

impl Term {
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    pub fn from_index(index: usize) -> Term {
        let raw = u32::try_from(index + 1).expect("more than 2^32 terms");
        Term(NonZeroU32::new(raw).expect("index + 1 is not zero"))
    }

    /// The id as a non-zero number, for compact storage beside a "no term" zero.
    pub fn raw(self) -> u32 {
        self.0.get()
    }

    pub fn from_raw(raw: u32) -> Option<Term> {
        NonZeroU32::new(raw).map(Term)
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.index())
    }
}

/// Operators. `a`, `b`, `c` are the node's arguments; widths are in bits.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
#[repr(u8)]
pub enum Op {
    /// A constant of at most 64 bits, stored in the node.
    Const,
    /// A constant of more than 64 bits, stored beside the pool.
    WideConst,
    /// Variable number `b` of symbol `a`.
    Var,
    Not,
    Neg,
    And,
    Or,
    Xor,
    Add,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    Eq,
    Ult,
    Ule,
    Slt,
    Sle,
    /// `if a then b else c`; `a` has width 1.
    Ite,
    /// Bits `b .. b + width` of `a` (`b` is a number, not a term).
    Extract,
    /// `a` above `b`.
    Concat,
    ZExt,
    SExt,
    /// Byte `b` (a term of any width) of array `a` (an [`ArrayId`]).
    Read,
    FpAdd,
    FpSub,
    FpMul,
    FpDiv,
    /// C's `fmod`.
    FpRem,
    /// `a * b + c`, rounded once.
    FpFma,
    FpSqrt,
    /// Round to integral; `b` is a number: a [`crate::Rounding`].
    FpRound,
    FpEq,
    FpLt,
    FpLe,
    /// Between formats; the formats are those of the widths.
    FpToFp,
    /// Truncation to a signed integer of `width` bits; out of range or NaN gives the minimum, as
    /// x86 does.
    FpToSi,
    SiToFp,
    UiToFp,
}

impl Op {
    /// How many of its arguments are terms.
    #[inline]
    pub(crate) fn arity(self) -> usize {
        match self {
            Op::Const | Op::WideConst | Op::Var => 0,
            Op::Read | Op::Not | Op::Neg | Op::Extract | Op::ZExt | Op::SExt | Op::FpSqrt | Op::FpRound => 1,
            Op::FpToFp | Op::FpToSi | Op::SiToFp | Op::UiToFp => 1,
            Op::Ite | Op::FpFma => 3,
            _ => 2,
        }
    }
}

/// One node. Meaning of the three words depends on the operator: arguments are `Term::raw` values.
#[derive(Copy, Clone)]
pub struct Node {
    pub op: Op,
    /// See [`Node::height`], in little-endian bytes.
    height: [u8; 3],
    pub width: u32,
    pub(crate) words: [u32; 3],
}

/// Terms that are higher than this count as being so high.
const HIGHEST: u32 = (1 << 24) - 1;

impl Node {
    /// How many operators are on the longest way down to a constant or a variable.
    pub(crate) fn height(&self) -> u32 {
        let [low, middle, high] = self.height;
        u32::from_le_bytes([low, middle, high, 0])
    }

    /// The term arguments, in order (array and number arguments are not terms).
    pub fn args(&self) -> impl DoubleEndedIterator<Item = Term> + '_ {
        let range = if self.op == Op::Read { 1..2 } else { 0..self.op.arity() };
        self.words[range].iter().filter_map(|&raw| Term::from_raw(raw))
    }

    pub fn arg(&self, index: usize) -> Term {
        Term::from_raw(self.words[index]).expect("a term argument is never zero")
    }

    /// The number in word `index`: an extract's low bit, a rounding mode, a variable's index.
    pub fn number(&self, index: usize) -> u32 {
        self.words[index]
    }

    pub fn array(&self) -> ArrayId {
        debug_assert_eq!(self.op, Op::Read);
        ArrayId(self.words[0])
    }

    pub fn symbol(&self) -> Symbol {
        debug_assert_eq!(self.op, Op::Var);
        Symbol(self.words[0])
    }
}

/// The pool of all terms of one worker.
pub struct Terms {
    pub(crate) nodes: Vec<Node>,
    /// By term, like `nodes`.
    facts: Vec<Facts>,
    /// By term, like `nodes`.
    hashes: Vec<StructuralHash>,
    interned: HashTable<Term>,
    pub(crate) wide: Vec<BigUint>,
    wide_index: FxHashMap<BigUint, u32>,
    pub(crate) arrays: Vec<ArrayNode>,
    /// By array, like `arrays`.
    pub(crate) array_facts: Vec<ArrayFacts>,
    /// What the arrays hold.
    pub(crate) array_bytes: usize,
    pub(crate) array_index: FxHashMap<ArrayNode, ArrayId>,
    pub(crate) array_pages: Vec<PageNode>,
    pub(crate) array_page_index: FxHashMap<PageBytes, ArrayPage>,
    pub(crate) symbols: Vec<SymbolInfo>,
    /// By symbol, like `symbols`.
    symbol_hashes: Vec<StructuralHash>,
    symbol_index: HashTable<Symbol>,
    has_fixed: bool,
    /// Which variables occur in which terms, as far as it was asked.
    pub(crate) var_sets: RefCell<VarSets>,
    pub(crate) spans: RefCell<Spans>,
    pub(crate) built_lately: BuiltLately,
    /// See [`Terms::parts_visited`].
    pub(crate) visited: Cell<u64>,
    /// For evaluations of single terms.
    pub(crate) scratch: RefCell<Machine>,
    true_term: Term,
    false_term: Term,
}

/// Two multiplications, each folded: the table takes its bucket from the low bits and its tag from
/// the high ones.
fn table_hash(op: Op, width: u32, [a, b, c]: [u32; 3]) -> u64 {
    let head = (op as u64) << 32 | width as u64;
    let arguments = (a as u64) << 32 | b as u64;
    let first = fold(head ^ 0x243f_6a88_85a3_08d3, (c as u64) << 32 ^ 0x1319_8a2e_0370_7345);
    fold(first ^ arguments, 0x9e37_79b9_7f4a_7c15)
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl Terms {
    pub fn new() -> Terms {
        let mut terms = Terms {
            nodes: Vec::new(),
            facts: Vec::new(),
            hashes: Vec::new(),
            interned: HashTable::new(),
            wide: Vec::new(),
            wide_index: FxHashMap::default(),
            arrays: Vec::new(),
            array_facts: Vec::new(),
            array_bytes: 0,
            array_index: FxHashMap::default(),
            array_pages: Vec::new(),
            array_page_index: FxHashMap::default(),
            symbols: Vec::new(),
            symbol_hashes: Vec::new(),
            symbol_index: HashTable::new(),
            has_fixed: false,
            var_sets: RefCell::default(),
            spans: RefCell::default(),
            built_lately: BuiltLately::default(),
            visited: Cell::new(0),
            scratch: RefCell::default(),
            true_term: Term::from_index(0),
            false_term: Term::from_index(0),
        };
        terms.false_term = terms.constant(0, 1);
        terms.true_term = terms.constant(1, 1);
        terms
    }

    /// How many terms exist.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many parts of terms were looked at so far, to put terms in the place of variables or
    /// to evaluate: a measure of work.
    pub fn parts_visited(&self) -> u64 {
        self.visited.get()
    }

    /// Goes on counting where another pool was.
    pub fn count_on(&mut self, other: &Terms) {
        self.visited.set(other.visited.get());
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Bytes held by the pool, for memory limits.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * (size_of::<Node>() + size_of::<Facts>() + size_of::<StructuralHash>())
            + self.interned.capacity() * (size_of::<Term>() + 1)
            + self.array_bytes
            + self.var_sets.borrow().bytes()
            + self.spans.borrow().bytes()
    }

    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.index()]
    }

    pub fn op(&self, term: Term) -> Op {
        self.node(term).op
    }

    pub fn width(&self, term: Term) -> u32 {
        self.node(term).width
    }

    pub fn tru(&self) -> Term {
        self.true_term
    }

    pub fn fals(&self) -> Term {
        self.false_term
    }

    pub fn bool(&self, value: bool) -> Term {
        if value { self.true_term } else { self.false_term }
    }

    pub fn is_const(&self, term: Term) -> bool {
        matches!(self.op(term), Op::Const | Op::WideConst)
    }

    /// The value of a constant of at most 64 bits.
    pub fn as_u64(&self, term: Term) -> Option<u64> {
        let node = self.node(term);
        (node.op == Op::Const).then(|| node.words[0] as u64 | (node.words[1] as u64) << 32)
    }

    /// The value of any constant.
    pub fn as_bv(&self, term: Term) -> Option<Bv> {
        let node = self.node(term);
        match node.op {
            Op::Const => Some(Bv::from_u64(self.as_u64(term)?, node.width)),
            Op::WideConst => Some(Bv::from_big(self.wide[node.words[0] as usize].clone(), node.width)),
            _ => None,
        }
    }

    /// A constant of at most 64 bits; higher bits of `value` are cut off.
    pub fn constant(&mut self, value: u64, width: u32) -> Term {
        assert!((1..=64).contains(&width), "constant of width {width}");
        let value = value & mask(width);
        self.intern(Op::Const, width, [value as u32, (value >> 32) as u32, 0])
    }

    pub fn constant_bv(&mut self, value: &Bv) -> Term {
        if let Some(small) = value.to_u64() {
            return self.constant(small, value.width());
        }
        let big = value.to_big();
        let index = match self.wide_index.get(&big) {
            Some(&index) => index,
            None => {
                let index = u32::try_from(self.wide.len()).expect("more than 2^32 wide constants");
                self.wide.push(big.clone());
                self.wide_index.insert(big, index);
                index
            }
        };
        self.intern(Op::WideConst, value.width(), [index, 0, 0])
    }

    /// Interns a symbol (see [`SymbolInfo`] for what makes two symbols the same).
    pub fn symbol(&mut self, info: SymbolInfo) -> Symbol {
        let symbols = &self.symbols;
        let hash = |info: &SymbolInfo| FxBuildHasher.hash_one(info);
        let is_same = |symbol: &Symbol| symbols[symbol.index()] == info;
        let hash_of = |symbol: &Symbol| hash(&symbols[symbol.index()]);
        match self.symbol_index.entry(hash(&info), is_same, hash_of) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                let symbol = Symbol(u32::try_from(symbols.len()).expect("more than 2^32 symbols"));
                free.insert(symbol);
                self.symbol_hashes.push(info.structural_hash());
                self.has_fixed |= matches!(info.kind, SymbolKind::Fixed { .. });
                self.symbols.push(info);
                symbol
            }
        }
    }

    pub fn symbol_info(&self, symbol: Symbol) -> &SymbolInfo {
        &self.symbols[symbol.index()]
    }

    /// Is there any symbol that has a value of its own?
    pub fn has_fixed(&self) -> bool {
        self.has_fixed
    }

    /// The value of a variable that has one of its own.
    pub fn fixed_value(&self, var: Term) -> Option<u64> {
        match self.has_fixed.then(|| self.symbol_info(self.node(var).symbol()).kind)? {
            SymbolKind::Fixed { value, .. } => Some(value),
            _ => None,
        }
    }

    /// Are these the names of different things?
    pub(crate) fn are_told_apart(&self, a: Term, b: Term) -> bool {
        if !self.has_fixed || self.op(a) != Op::Var || self.op(b) != Op::Var {
            return false;
        }
        let (a, b) = (self.symbol_info(self.node(a).symbol()), self.symbol_info(self.node(b).symbol()));
        let tell_apart = |info: &SymbolInfo| matches!(info.kind, SymbolKind::Fixed { tells_apart: true, .. });
        tell_apart(a) && tell_apart(b) && a.name == b.name && a.kind != b.kind
    }

    /// The variable that holds byte `byte` of `symbol`: the whole of a scalar symbol, or that byte.
    pub fn var(&mut self, symbol: Symbol, byte: u32) -> Term {
        let info = self.symbol_info(symbol);
        assert!(byte < info.size, "byte {byte} of {info:?}");
        let (index, width) = match info.shape {
            SymbolShape::Scalar => (0, 8 * info.size),
            SymbolShape::Bytes => (byte, 8),
        };
        self.intern(Op::Var, width, [symbol.0, index, 0])
    }

    /// The variable of a scalar symbol of `size` bytes that occurs once.
    pub fn scalar_var(&mut self, kind: SymbolKind, name: &str, size: u32) -> Term {
        let symbol = self.symbol(SymbolInfo::single(kind, name, size, SymbolShape::Scalar));
        self.var(symbol, 0)
    }

    /// The variables of a symbol of `size` bytes that occurs once.
    pub fn byte_vars(&mut self, kind: SymbolKind, name: &str, size: u32) -> Vec<Term> {
        let symbol = self.symbol(SymbolInfo::single(kind, name, size, SymbolShape::Bytes));
        (0..size).map(|byte| self.var(symbol, byte)).collect()
    }

    pub(crate) fn intern(&mut self, op: Op, width: u32, words: [u32; 3]) -> Term {
        let hash = table_hash(op, width, words);
        let nodes = &self.nodes;
        let is_same = |&term: &Term| {
            let node = &nodes[term.index()];
            node.op == op && node.width == width && node.words == words
        };
        if let Some(&found) = self.interned.find(hash, is_same) {
            return found;
        }
        let mut node = Node { op, height: [0; 3], width, words };
        let facts = self.derive_facts(&node);
        if facts.lo == facts.hi && width <= 64 && op != Op::Const {
            return self.constant(facts.lo, width);
        }
        let [low, middle, high, _] = self.derive_height(&node).min(HIGHEST).to_le_bytes();
        node.height = [low, middle, high];
        let term = Term::from_index(self.nodes.len());
        self.hashes.push(self.derive_hash(&node));
        self.nodes.push(node);
        self.facts.push(facts);
        let nodes = &self.nodes;
        let hash_of = |&term: &Term| {
            let &Node { op, width, words, .. } = &nodes[term.index()];
            table_hash(op, width, words)
        };
        self.interned.insert_unique(hash, term, hash_of);
        term
    }

    /// A hash of what the term is made of. Equal terms have the same one in every pool.
    pub fn structural_hash(&self, term: Term) -> StructuralHash {
        self.hashes[term.index()]
    }

    fn derive_hash(&self, node: &Node) -> StructuralHash {
        // What is no argument: an extract's low bit, a rounding mode, a variable's index.
        let number = match node.op {
            Op::Var | Op::Extract | Op::FpRound => node.words[1],
            _ => 0,
        };
        let mixer = Mixer::of_operator(node.op, node.width, number);
        let mixer = match node.op {
            Op::Const => mixer.number(node.words[0] as u64 | (node.words[1] as u64) << 32),
            Op::WideConst => mixer.bytes(&self.wide[node.words[0] as usize].to_bytes_le()),
            Op::Var => mixer.hash(self.symbol_hashes[node.symbol().index()]),
            Op::Read => mixer.hash(self.array_facts[node.array().index()].hash),
            _ => mixer,
        };
        node.args().fold(mixer, |mixer, arg| mixer.hash(self.structural_hash(arg))).finish()
    }

    fn derive_height(&self, node: &Node) -> u32 {
        let array = if node.op == Op::Read { self.array_facts[node.array().index()].height } else { 0 };
        node.args().map(|arg| self.node(arg).height() + 1).fold(array, u32::max)
    }

    pub(crate) fn facts(&self, term: Term) -> &Facts {
        &self.facts[term.index()]
    }

    fn derive_facts(&self, node: &Node) -> Facts {
        match node.op {
            Op::Const => Facts::constant(node.words[0] as u64 | (node.words[1] as u64) << 32).tighten(node.width),
            Op::WideConst => Facts::wide_constant(&self.wide[node.words[0] as usize]),
            Op::Var => Facts::unknown(node.width),
            Op::Read => self.array_facts[node.array().index()].byte.tighten(8),
            _ => {
                let mut widths = [0; 3];
                let mut facts = [Facts::unknown(1); 3];
                for (i, arg) in node.args().enumerate() {
                    widths[i] = self.width(arg);
                    facts[i] = *self.facts(arg);
                }
                facts_of(node, widths, facts)
            }
        }
    }
}
