//! Terms as SMT-LIB 2, for solvers that run as a process.
//!
//! Every shared term is printed once, as a definition of its own (`define-fun`), in an order in
//! which solvers can read it; a printer lives as long as the solver's process and prints only what
//! is new. Nothing here recurses, in us or in the solver's parser: a definition's text mentions its
//! arguments by name.
//!
//! A term may be needed as a bit-vector (`t12`), and besides as a `Bool` (`b12`, comparisons and
//! conditions) or as a floating-point number (`f12`). Only the standard is used, so Z3, cvc5 and
//! Bitwuzla all read it. The standard has no way from a number back to its bits; there a fresh
//! bit-vector is declared and *asserted* to be the encoding, with the one NaN that evaluation
//! gives. Such lines define values and never restrict the inputs. C's `fmod` is not `fp.rem` (which
//! rounds the quotient to nearest), but can be put right exactly; solvers are slow on it. Logic:
//! QF_ABVFP, or ALL.

use crate::array::{ArrayByte, ArrayNode};
use crate::float::{FloatFormat, Rounding};
use crate::{ArrayId, Bv, Node, Op, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::fmt::Write;

/// The sort of a bit-vector of `width` bits.
pub fn smtlib_sort(width: u32) -> String {
    format!("(_ BitVec {width})")
}

/// A bit-vector constant.
pub fn smtlib_literal(value: &Bv) -> String {
    let width = value.width() as usize;
    let big = value.to_big();
    match width % 4 {
        0 => format!("#x{big:0>digits$x}", digits = width / 4),
        _ => format!("#b{big:0>width$b}"),
    }
}

/// As what a term is needed.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum Sort {
    Bits,
    Bool,
    Float,
}

/// Something that gets a definition.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum Item {
    Term(Term, Sort),
    /// An array, with the width of its indices.
    Array(ArrayId, u32),
}

/// Arrays up to this size, with up to this many stores, are printed as a choice among their bytes:
/// solvers without much of an array theory like that better.
const SMALL_ARRAY: usize = 16;
/// What a store takes at least.
const BYTES_PER_STORE: usize = 32;
/// How many stores one definition nests.
const STORES_PER_LINE: usize = 32;

/// Prints definitions. It does not hold on to the pool, so that this may grow between two calls.
#[derive(Default)]
pub struct SmtPrinter {
    output: String,
    defined: FxHashSet<Item>,
    /// What was defined, in order, for `pop`.
    trail: Vec<Item>,
    marks: Vec<usize>,
    var_names: FxHashMap<Term, String>,
    used_names: FxHashSet<String>,
    /// How long the output may get, and whether it would have got longer.
    most_bytes: Option<usize>,
    is_full: bool,
}

impl SmtPrinter {
    pub fn new() -> SmtPrinter {
        SmtPrinter::default()
    }

    /// The name or literal of `term`, a bit-vector. Its definition, and those of all it mentions,
    /// are added to the output unless they were printed before.
    pub fn define(&mut self, terms: &Terms, term: Term) -> String {
        self.require(terms, Item::Term(term, Sort::Bits));
        self.reference(terms, term, Sort::Bits)
    }

    /// The same for a term of width 1, as a `Bool`.
    pub fn define_bool(&mut self, terms: &Terms, term: Term) -> String {
        assert_eq!(terms.width(term), 1, "a truth value of another width");
        self.require(terms, Item::Term(term, Sort::Bool));
        self.reference(terms, term, Sort::Bool)
    }

    /// The lines since the last call.
    pub fn take_output(&mut self) -> String {
        std::mem::take(&mut self.output)
    }

    /// For `(push 1)`: what is defined from here on is forgotten by the matching
    /// [`SmtPrinter::pop`].
    pub fn push(&mut self) {
        self.marks.push(self.trail.len());
    }

    /// For `(pop 1)`.
    pub fn pop(&mut self) {
        let mark = self.marks.pop().expect("pop without push");
        for item in self.trail.drain(mark..) {
            self.defined.remove(&item);
        }
    }

    /// Has it give up when its output gets longer than this; what is defined after that is not
    /// complete.
    pub fn limit_to(&mut self, bytes: usize) {
        self.most_bytes = Some(bytes);
    }

    /// Did it give up?
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    fn require(&mut self, terms: &Terms, root: Item) {
        let mut stack = vec![root];
        let mut missing: Vec<Item> = Vec::new();
        while let Some(&item) = stack.last().filter(|_| !self.is_full) {
            if self.is_ready(terms, item) {
                stack.pop();
                continue;
            }
            missing.clear();
            for_each_part(terms, item, |part| {
                if !self.is_ready(terms, part) {
                    missing.push(part);
                }
            });
            if missing.is_empty() {
                self.emit(terms, item);
                self.defined.insert(item);
                self.trail.push(item);
                stack.pop();
            }
            stack.append(&mut missing);
        }
    }

    /// Whether an item can be mentioned: it is defined, or a literal.
    fn is_ready(&self, terms: &Terms, item: Item) -> bool {
        matches!(item, Item::Term(term, _) if terms.is_const(term)) || self.defined.contains(&item)
    }

    /// How an item that is ready is mentioned.
    fn reference(&self, terms: &Terms, term: Term, sort: Sort) -> String {
        let node = terms.node(term);
        if let Some(value) = terms.as_bv(term) {
            return match sort {
                Sort::Bits => smtlib_literal(&value),
                Sort::Bool => if value.is_zero() { "false" } else { "true" }.to_string(),
                Sort::Float => format!("({} {})", to_fp(FloatFormat::of(node.width)), smtlib_literal(&value)),
            };
        }
        match sort {
            Sort::Bits if node.op == Op::Var => self.var_names[&term].clone(),
            Sort::Bits => format!("t{}", term.index()),
            Sort::Bool => format!("b{}", term.index()),
            Sort::Float => format!("f{}", term.index()),
        }
    }

    fn emit(&mut self, terms: &Terms, item: Item) {
        let line = match item {
            Item::Array(array, _) if self.is_too_long(terms, array) => {
                self.is_full = true;
                return;
            }
            Item::Array(array, index_width) => self.array(terms, array, index_width),
            Item::Term(term, sort) => {
                let node = terms.node(term);
                match (sort, native_sort(node)) {
                    _ if node.op == Op::Var && sort == Sort::Bits => {
                        let name = self.name_var(terms, term);
                        format!("(declare-const {name} {})", smtlib_sort(node.width))
                    }
                    (wanted, native) if wanted == native || node.op == Op::Ite => {
                        let body = self.body(terms, node, wanted);
                        self.definition(terms, term, wanted, &body)
                    }
                    (wanted, native) => self.conversion(terms, term, native, wanted),
                }
            }
        };
        self.output.push_str(&line);
        self.output.push('\n');
        self.is_full |= self.most_bytes.is_some_and(|most| self.output.len() > most);
    }

    /// Is the definition of an array too long by itself?
    fn is_too_long(&self, terms: &Terms, array: ArrayId) -> bool {
        match (self.most_bytes, terms.array_node(array)) {
            (Some(most), ArrayNode::Base(base)) => base.written() > (most / BYTES_PER_STORE) as u64,
            _ => false,
        }
    }

    fn definition(&self, terms: &Terms, term: Term, sort: Sort, body: &str) -> String {
        let name = self.reference(terms, term, sort);
        format!("(define-fun {name} () {} {body})", sort_name(sort, terms.width(term)))
    }

    /// A term in another sort than the one its operator gives.
    fn conversion(&self, terms: &Terms, term: Term, from: Sort, to: Sort) -> String {
        let source = self.reference(terms, term, from);
        let width = terms.width(term);
        match (from, to) {
            (Sort::Bits, Sort::Bool) => self.definition(terms, term, to, &format!("(= {source} #b1)")),
            (Sort::Bool, Sort::Bits) => self.definition(terms, term, to, &format!("(ite {source} #b1 #b0)")),
            (Sort::Bits, Sort::Float) => {
                let format = FloatFormat::of(width);
                self.definition(terms, term, to, &format!("({} {source})", to_fp(format)))
            }
            (Sort::Float, Sort::Bits) => {
                let format = FloatFormat::of(width);
                let name = self.reference(terms, term, to);
                let nan = smtlib_literal(&Bv::from_u64(format.nan(), width));
                format!(
                    "(declare-const {name} {})\n(assert (= ({} {name}) {source}))\n(assert (=> (fp.isNaN {source}) (= {name} {nan})))",
                    smtlib_sort(width),
                    to_fp(format)
                )
            }
            _ => unreachable!("{term:?} from {from:?} to {to:?}"),
        }
    }

    fn name_var(&mut self, terms: &Terms, term: Term) -> String {
        if let Some(name) = self.var_names.get(&term) {
            return name.clone();
        }
        let node = terms.node(term);
        let info = terms.symbol_info(node.symbol());
        let safe: String = info
            .name
            .chars()
            .map(|c| if c == '|' || c == '\\' || !(' '..='~').contains(&c) { '_' } else { c })
            .collect();
        let name = format!("{safe}#{}.{}", info.occurrence, node.number(1));
        // Symbols may differ in their size only, or in characters that cannot be written.
        let mut unique = format!("|{name}|");
        let mut copy = 1;
        while !self.used_names.insert(unique.clone()) {
            copy += 1;
            unique = format!("|{name}~{copy}|");
        }
        self.var_names.insert(term, unique.clone());
        unique
    }

    /// The expression of a node in terms of its arguments' names, in the sort its operator gives
    /// (for `ite`, in any).
    fn body(&self, terms: &Terms, node: &Node, sort: Sort) -> String {
        let args: SmallVec<[String; 3]> = node
            .args()
            .enumerate()
            .map(|(i, arg)| self.reference(terms, arg, argument_sort(terms, node, sort, i)))
            .collect();
        let apply = |name: &str| format!("({name} {})", args.join(" "));
        let rounded = |name: &str| format!("({name} RNE {})", args.join(" "));
        let boolean = sort == Sort::Bool;
        match node.op {
            Op::Const | Op::WideConst | Op::Var => unreachable!("{:?} has no body", node.op),
            Op::Not => apply(if boolean { "not" } else { "bvnot" }),
            Op::And => apply(if boolean { "and" } else { "bvand" }),
            Op::Or => apply(if boolean { "or" } else { "bvor" }),
            Op::Xor => apply(if boolean { "xor" } else { "bvxor" }),
            Op::Neg => apply("bvneg"),
            Op::Add => apply("bvadd"),
            Op::Mul => apply("bvmul"),
            Op::UDiv => apply("bvudiv"),
            Op::SDiv => apply("bvsdiv"),
            Op::URem => apply("bvurem"),
            Op::SRem => apply("bvsrem"),
            Op::Shl => apply("bvshl"),
            Op::LShr => apply("bvlshr"),
            Op::AShr => apply("bvashr"),
            Op::Eq => apply("="),
            Op::Ult => apply("bvult"),
            Op::Ule => apply("bvule"),
            Op::Slt => apply("bvslt"),
            Op::Sle => apply("bvsle"),
            Op::Ite => apply("ite"),
            Op::Extract => format!("((_ extract {} {}) {})", node.number(1) + node.width - 1, node.number(1), args[0]),
            Op::Concat => apply("concat"),
            Op::ZExt => format!("((_ zero_extend {}) {})", node.width - terms.width(node.arg(0)), args[0]),
            Op::SExt => format!("((_ sign_extend {}) {})", node.width - terms.width(node.arg(0)), args[0]),
            Op::Read => self.read(terms, node, &args[0]),
            Op::FpAdd => rounded("fp.add"),
            Op::FpSub => rounded("fp.sub"),
            Op::FpMul => rounded("fp.mul"),
            Op::FpDiv => rounded("fp.div"),
            Op::FpFma => rounded("fp.fma"),
            Op::FpSqrt => rounded("fp.sqrt"),
            Op::FpRem => fmod(FloatFormat::of(node.width), &args[0], &args[1]),
            Op::FpRound => {
                let mode = match Rounding::from_number(node.number(1)) {
                    Rounding::NearestEven => "RNE",
                    Rounding::NearestAway => "RNA",
                    Rounding::Down => "RTN",
                    Rounding::Up => "RTP",
                    Rounding::Zero => "RTZ",
                };
                format!("(fp.roundToIntegral {mode} {})", args[0])
            }
            Op::FpEq => apply("fp.eq"),
            Op::FpLt => apply("fp.lt"),
            Op::FpLe => apply("fp.leq"),
            Op::FpToFp | Op::SiToFp => rounded(&to_fp(FloatFormat::of(node.width))),
            Op::UiToFp => {
                let format = FloatFormat::of(node.width);
                rounded(&format!("(_ to_fp_unsigned {} {})", format.exponent_bits(), format.precision()))
            }
            Op::FpToSi => to_signed(FloatFormat::of(terms.width(node.arg(0))), node.width, &args[0]),
        }
    }

    fn read(&self, terms: &Terms, node: &Node, index: &str) -> String {
        let index_width = terms.width(node.arg(1));
        if !is_small(terms, node.array()) {
            return format!("(select {} {index})", array_name(node.array(), index_width));
        }
        let mut text = String::new();
        let mut open = 0;
        let mut choice = |position: &str, value: &str| {
            let _ = write!(text, "(ite (= {index} {position}) {value} ");
            open += 1;
        };
        let mut array = node.array();
        while let &ArrayNode::Store { array: below, index, value } = terms.array_node(array) {
            choice(&self.reference(terms, index, Sort::Bits), &self.reference(terms, value, Sort::Bits));
            array = below;
        }
        for (position, byte) in addressable(terms, array, index_width) {
            choice(&literal(position, index_width), &self.byte(terms, byte));
        }
        text.push_str(&self.byte(terms, terms.array_base_of(array).rest()));
        text.extend(std::iter::repeat_n(')', open));
        text
    }

    fn array(&self, terms: &Terms, array: ArrayId, index_width: u32) -> String {
        let name = array_name(array, index_width);
        let sort = format!("(Array {} (_ BitVec 8))", smtlib_sort(index_width));
        if let &ArrayNode::Store { array: below, index, value } = terms.array_node(array) {
            let (index, value) = (self.reference(terms, index, Sort::Bits), self.reference(terms, value, Sort::Bits));
            return format!("(define-fun {name} () {sort} (store {} {index} {value}))", array_name(below, index_width));
        }
        // What is like the rest needs no store; in parts, so that no definition nests deeply.
        let rest = terms.array_base_of(array).rest();
        let bytes: Vec<(u64, ArrayByte)> =
            addressable(terms, array, index_width).filter(|&(_, byte)| byte != rest).collect();
        let mut lines = String::new();
        let mut current = format!("((as const {sort}) {})", self.byte(terms, rest));
        let parts = bytes.chunks(STORES_PER_LINE).count();
        for (part, chunk) in bytes.chunks(STORES_PER_LINE).enumerate() {
            let mut body = "(store ".repeat(chunk.len());
            body.push_str(&current);
            for &(position, byte) in chunk {
                let _ = write!(body, " {} {})", literal(position, index_width), self.byte(terms, byte));
            }
            current = body;
            if part + 1 < parts {
                let _ = writeln!(lines, "(define-fun {name}.{part} () {sort} {current})");
                current = format!("{name}.{part}");
            }
        }
        let _ = write!(lines, "(define-fun {name} () {sort} {current})");
        lines
    }

    fn byte(&self, terms: &Terms, byte: ArrayByte) -> String {
        match byte {
            ArrayByte::Concrete(value) => format!("#x{value:02x}"),
            ArrayByte::Term(term) => self.reference(terms, term, Sort::Bits),
        }
    }
}

fn literal(value: u64, width: u32) -> String {
    smtlib_literal(&Bv::from_u64(value, width))
}

fn array_name(array: ArrayId, index_width: u32) -> String {
    format!("a{}.{index_width}", array.index())
}

fn sort_name(sort: Sort, width: u32) -> String {
    match sort {
        Sort::Bits => smtlib_sort(width),
        Sort::Bool => "Bool".to_string(),
        Sort::Float => {
            let format = FloatFormat::of(width);
            format!("(_ FloatingPoint {} {})", format.exponent_bits(), format.precision())
        }
    }
}

fn to_fp(format: FloatFormat) -> String {
    format!("(_ to_fp {} {})", format.exponent_bits(), format.precision())
}

/// `fmod` has the sign of `x` and a magnitude below that of `y`. `fp.rem` of the magnitudes differs
/// from it by 0 or `|y|`; that sum is the result, which is a number of the format, so it is not
/// rounded.
fn fmod(format: FloatFormat, x: &str, y: &str) -> String {
    let zero = format!("(_ +zero {} {})", format.exponent_bits(), format.precision());
    format!(
        "(let ((m (fp.abs {y}))) (let ((r (fp.rem (fp.abs {x}) m))) \
         (let ((s (fp.abs (ite (fp.lt r {zero}) (fp.add RNE r m) r)))) (ite (fp.isNegative {x}) (fp.neg s) s))))"
    )
}

/// `fp.to_sbv` is unspecified out of range; there the minimum is meant.
fn to_signed(format: FloatFormat, width: u32, x: &str) -> String {
    let minimum = smtlib_literal(&Bv::signed_min(width));
    let exponent = width - 1;
    let greatest = (1 << (format.exponent_bits() - 1)) - 1;
    let in_range = if exponent > greatest {
        format!("(not (or (fp.isNaN {x}) (fp.isInfinite {x})))")
    } else {
        let bias = greatest;
        let power = ((exponent + bias) as u64) << (format.precision() - 1);
        let bits = |value: u64| format!("({} {})", to_fp(format), literal(value, format.width()));
        let lower = bits(power | 1 << (format.width() - 1));
        format!("(let ((r (fp.roundToIntegral RTZ {x}))) (and (fp.leq {lower} r) (fp.lt r {})))", bits(power))
    };
    format!("(ite {in_range} ((_ fp.to_sbv {width}) RTZ {x}) {minimum})")
}

fn is_small(terms: &Terms, array: ArrayId) -> bool {
    if terms.array_len(array) > SMALL_ARRAY as u64 {
        return false;
    }
    let mut array = array;
    for _ in 0..=SMALL_ARRAY {
        match terms.array_node(array) {
            ArrayNode::Base(_) => return true,
            ArrayNode::Store { array: below, .. } => array = *below,
        }
    }
    false
}

/// The bytes in the pages of a base array that an index of this width reaches.
fn addressable(terms: &Terms, array: ArrayId, index_width: u32) -> impl Iterator<Item = (u64, ArrayByte)> + '_ {
    let reach = 1u64.checked_shl(index_width).unwrap_or(u64::MAX);
    terms.array_bytes(terms.array_base_of(array)).take_while(move |&(position, _)| position < reach)
}

/// The sort that an operator gives. A choice (`ite`) gives whichever is wanted.
fn native_sort(node: &Node) -> Sort {
    match node.op {
        Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle | Op::FpEq | Op::FpLt | Op::FpLe => Sort::Bool,
        Op::Not | Op::And | Op::Or | Op::Xor if node.width == 1 => Sort::Bool,
        Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv | Op::FpRem | Op::FpFma | Op::FpSqrt | Op::FpRound => Sort::Float,
        Op::FpToFp | Op::SiToFp | Op::UiToFp => Sort::Float,
        _ => Sort::Bits,
    }
}

/// The sort in which a node that is printed as `sort` needs its argument `index`.
fn argument_sort(terms: &Terms, node: &Node, sort: Sort, index: usize) -> Sort {
    match node.op {
        Op::Ite if index == 0 => Sort::Bool,
        Op::Ite => sort,
        Op::Not | Op::And | Op::Or | Op::Xor => sort,
        Op::Eq if terms.width(node.arg(0)) == 1 => Sort::Bool,
        Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv | Op::FpRem | Op::FpFma | Op::FpSqrt | Op::FpRound => Sort::Float,
        Op::FpEq | Op::FpLt | Op::FpLe | Op::FpToFp | Op::FpToSi => Sort::Float,
        _ => Sort::Bits,
    }
}

/// What has to be printed before an item.
fn for_each_part(terms: &Terms, item: Item, mut visit: impl FnMut(Item)) {
    let visit_array = |array: ArrayId, index_width: u32, visit: &mut dyn FnMut(Item)| match terms.array_node(array) {
        ArrayNode::Base(_) => {
            let reached = addressable(terms, array, index_width).map(|(_, byte)| byte);
            for byte in std::iter::once(terms.array_base_of(array).rest()).chain(reached) {
                if let ArrayByte::Term(term) = byte {
                    visit(Item::Term(term, Sort::Bits));
                }
            }
            None
        }
        &ArrayNode::Store { array, index, value } => {
            visit(Item::Term(index, Sort::Bits));
            visit(Item::Term(value, Sort::Bits));
            Some(array)
        }
    };
    match item {
        Item::Array(array, index_width) => {
            if let Some(below) = visit_array(array, index_width, &mut visit) {
                visit(Item::Array(below, index_width));
            }
        }
        Item::Term(term, sort) => {
            let node = terms.node(term);
            let native = native_sort(node);
            if native != sort && node.op != Op::Ite {
                return visit(Item::Term(term, native));
            }
            for (i, arg) in node.args().enumerate() {
                visit(Item::Term(arg, argument_sort(terms, node, sort, i)));
            }
            if node.op == Op::Read {
                let index_width = terms.width(node.arg(1));
                if is_small(terms, node.array()) {
                    let mut array = Some(node.array());
                    while let Some(next) = array {
                        array = visit_array(next, index_width, &mut visit);
                    }
                } else {
                    visit(Item::Array(node.array(), index_width));
                }
            }
        }
    }
}

/// A printer for one query: [`SmtPrinter`] with the pool it prints from.
pub struct SmtLib<'a> {
    terms: &'a Terms,
    printer: SmtPrinter,
}

impl<'a> SmtLib<'a> {
    pub fn new(terms: &'a Terms) -> SmtLib<'a> {
        SmtLib { terms, printer: SmtPrinter::new() }
    }

    /// The name or literal of `term`, a bit-vector.
    pub fn define(&mut self, term: Term) -> String {
        self.printer.define(self.terms, term)
    }

    /// The name or literal of a term of width 1, as a `Bool`.
    pub fn define_bool(&mut self, term: Term) -> String {
        self.printer.define_bool(self.terms, term)
    }

    /// The lines since the last call.
    pub fn take_output(&mut self) -> String {
        self.printer.take_output()
    }
}
