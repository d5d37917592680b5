//! Clauses as C expressions, for people and for other tools.
//!
//! A term of 8, 16, 32 or 64 bits becomes an expression of the unsigned type of that width, one of
//! width 1 an `int` that is 0 or 1. What C leaves undefined is not used: shifts and divisions have
//! constants on the right, nothing signed overflows, and narrow operands are widened to `unsigned
//! int` before C would make them `int`. What cannot be said so is `None`.

use crate::clause::{Bound, Clause};
use espalier_base::bits::{mask, sign_bit, signed};
use espalier_expr::{Op, SymbolKind, SymbolShape, Term, Terms};

/// Longer expressions help nobody.
const LONGEST: usize = 600;

/// What a variable of a term is called.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub is_signed: Option<bool>,
}

/// The clause over variables that `name` knows, if it can be said in C.
pub fn clause(terms: &Terms, clause: &Clause, name: &dyn Fn(Term) -> Option<Variable>) -> Option<String> {
    let printer = Printer { terms, name };
    match clause {
        Clause::Bound(bound) => printer.bound(bound),
        Clause::General(term) => printer.condition(*term),
    }
}

/// A condition over variables that `name` knows, if it can be said in C.
pub fn condition(terms: &Terms, condition: Term, name: &dyn Fn(Term) -> Option<Variable>) -> Option<String> {
    clause(terms, &Clause::of(terms, condition), name)
}

/// Conditions that are shown of a path; a longer list helps nobody.
const MOST_CONDITIONS: usize = 40;

/// Addresses of made-up objects begin here or above; that a pointer is such a one says that it is
/// not null.
const FIRST_ADDRESS: u64 = 1 << 24;

/// What a path requires of its inputs, joined by `&&`; `...` stands for what cannot be said in C or
/// is too much. None, if it requires nothing.
pub fn path_condition(terms: &Terms, conditions: impl Iterator<Item = Term>) -> Option<String> {
    let name = |var: Term| input_name(terms, var);
    let printer = Printer { terms, name: &name };
    let mut texts: Vec<String> = Vec::new();
    let mut is_whole = true;
    for (number, condition) in conditions.enumerate() {
        let text = if number < MOST_CONDITIONS { printer.requirement(condition) } else { None };
        is_whole &= text.is_some();
        texts.extend(text.filter(|text| !texts.contains(text)));
    }
    texts.extend((!is_whole).then(|| "...".to_owned()));
    (!texts.is_empty()).then(|| texts.join(" && "))
}

/// An input of a scalar type, by the name that the program has for it.
fn input_name(terms: &Terms, var: Term) -> Option<Variable> {
    let info = terms.symbol_info(terms.node(var).symbol());
    let is_named = info.kind == SymbolKind::Input && info.occurrence == 0 && info.shape == SymbolShape::Scalar;
    is_named.then(|| Variable { name: info.name.to_string(), is_signed: None })
}

fn unsigned_type(width: u32) -> Option<&'static str> {
    match width {
        8 => Some("unsigned char"),
        16 => Some("unsigned short"),
        32 => Some("unsigned int"),
        64 => Some("unsigned long long"),
        _ => None,
    }
}

fn signed_type(width: u32) -> Option<&'static str> {
    match width {
        8 => Some("signed char"),
        16 => Some("short"),
        32 => Some("int"),
        64 => Some("long long"),
        _ => None,
    }
}

fn unsigned_literal(value: u64, width: u32) -> String {
    if width == 64 { format!("{value}ULL") } else { format!("{value}U") }
}

/// The least number of a type has no literal.
fn signed_literal(value: i64, width: u32) -> String {
    let suffix = if width == 64 { "LL" } else { "" };
    match value {
        i64::MIN => "(-9223372036854775807LL - 1)".to_owned(),
        value if width == 32 && value == i64::from(i32::MIN) => "(-2147483647 - 1)".to_owned(),
        value => format!("{value}{suffix}"),
    }
}

struct Printer<'a> {
    terms: &'a Terms,
    name: &'a dyn Fn(Term) -> Option<Variable>,
}

impl Printer<'_> {
    fn requirement(&self, condition: Term) -> Option<String> {
        let node = self.terms.node(condition);
        if node.op == Op::Eq {
            let sides = [(node.arg(0), node.arg(1)), (node.arg(1), node.arg(0))];
            let pointer = sides.into_iter().find_map(|(var, value)| {
                Some((self.variable(var)?, self.terms.as_u64(value)?)).filter(|_| self.terms.width(var) == 64)
            });
            match pointer {
                Some((Variable { name, .. }, 0)) => return Some(format!("{name} == 0")),
                Some((Variable { name, .. }, FIRST_ADDRESS..)) => return Some(format!("{name} != 0")),
                _ => {}
            }
        }
        match Clause::of(self.terms, condition) {
            Clause::Bound(bound) if self.terms.width(bound.term) == 64 && (bound.lo, bound.hi) == (1, u64::MAX) => {
                Some(format!("{} != 0", self.variable(bound.term)?.name))
            }
            Clause::Bound(bound) => self.bound(&bound),
            Clause::General(term) => self.condition(term),
        }
    }

    fn bound(&self, bound: &Bound) -> Option<String> {
        let width = self.terms.width(bound.term);
        let Some(Variable { name, is_signed }) = self.variable(bound.term) else {
            if width == 1 {
                let condition = self.condition(bound.term)?;
                return match (bound.lo, bound.hi) {
                    (1, 1) => Some(condition),
                    (0, 0) => Some(format!("!{condition}")),
                    _ => None,
                };
            }
            let text = self.unsigned(bound.term)?;
            let (low, span) = (bound.lo, bound.hi.wrapping_sub(bound.lo) & mask(width));
            return match (low, span) {
                (low, 0) => Some(format!("{text} == {}", unsigned_literal(low, width))),
                (0, span) => Some(format!("{text} <= {}", unsigned_literal(span, width))),
                (low, span) => {
                    let above = self
                        .in_unsigned(width, format!("{} - {}", widened(&text, width), unsigned_literal(low, width)))?;
                    Some(format!("{above} <= {}", unsigned_literal(span, width)))
                }
            };
        };
        let cast =
            |ty: Option<&str>, is_own: bool| if is_own { Some(name.clone()) } else { Some(format!("({}){name}", ty?)) };
        let (low, high) = (signed(bound.lo, width), signed(bound.hi, width));
        let signed_first = is_signed.unwrap_or(true);
        if low <= high && (signed_first || bound.lo > bound.hi) {
            let text = cast(signed_type(width), is_signed == Some(true))?;
            let (least, most) = (signed(sign_bit(width), width), signed(mask(width) >> 1, width));
            let literal = |value| signed_literal(value, width);
            return Some(interval(
                &text,
                (low > least).then(|| literal(low)),
                (high < most).then(|| literal(high)),
                low == high,
            ));
        }
        let text = cast(unsigned_type(width), is_signed == Some(false))?;
        let literal = |value| unsigned_literal(value, width);
        if bound.lo <= bound.hi {
            let low = (bound.lo > 0).then(|| literal(bound.lo));
            let high = (bound.hi < mask(width)).then(|| literal(bound.hi));
            return Some(interval(&text, low, high, bound.lo == bound.hi));
        }
        // It wraps around, whichever way it is read.
        if signed_first {
            let text = cast(signed_type(width), is_signed == Some(true))?;
            return Some(format!(
                "({text} >= {} || {text} <= {})",
                signed_literal(low, width),
                signed_literal(high, width)
            ));
        }
        Some(format!("({text} >= {} || {text} <= {})", literal(bound.lo), literal(bound.hi)))
    }

    /// A term of width 1.
    fn condition(&self, term: Term) -> Option<String> {
        self.long_condition(term).filter(|text| text.len() <= LONGEST)
    }

    fn long_condition(&self, term: Term) -> Option<String> {
        let node = self.terms.node(term);
        let pair = |operator: &str| {
            Some(format!("({} {operator} {})", self.condition(node.arg(0))?, self.condition(node.arg(1))?))
        };
        match node.op {
            Op::Const => self.terms.as_u64(term).map(|value| value.to_string()),
            Op::Not => Some(format!("!{}", self.condition(node.arg(0))?)),
            Op::And => pair("&&"),
            Op::Or => pair("||"),
            Op::Xor => pair("!="),
            Op::Eq if self.terms.width(node.arg(0)) == 1 => pair("=="),
            Op::Eq => self.comparison("==", node.arg(0), node.arg(1), false),
            Op::Ult => self.comparison("<", node.arg(0), node.arg(1), false),
            Op::Ule => self.comparison("<=", node.arg(0), node.arg(1), false),
            Op::Slt => self.comparison("<", node.arg(0), node.arg(1), true),
            Op::Sle => self.comparison("<=", node.arg(0), node.arg(1), true),
            Op::Ite => {
                let (condition, then, otherwise) =
                    (self.condition(node.arg(0))?, self.condition(node.arg(1))?, self.condition(node.arg(2))?);
                Some(format!("({condition} ? {then} : {otherwise})"))
            }
            Op::Extract => {
                let (of, low) = self.extracted(term);
                Some(format!("(({} >> {low}) & 1)", self.unsigned(of)?))
            }
            _ => None,
        }
    }

    fn comparison(&self, operator: &str, a: Term, b: Term, is_signed: bool) -> Option<String> {
        let side = |term| if is_signed { self.signed(term) } else { self.unsigned(term) };
        Some(format!("({} {operator} {})", side(a)?, side(b)?))
    }

    /// A term of a width that C has a type for, as an expression of the signed one.
    fn signed(&self, term: Term) -> Option<String> {
        let width = self.terms.width(term);
        let ty = signed_type(width)?;
        if let Some(value) = self.terms.as_u64(term) {
            return Some(signed_literal(signed(value, width), width));
        }
        match self.variable(term) {
            Some(Variable { name, is_signed: Some(true) }) => Some(name),
            _ => Some(format!("({ty}){}", self.unsigned(term)?)),
        }
    }

    fn variable(&self, term: Term) -> Option<Variable> {
        if self.terms.op(term) == Op::Var { (self.name)(term) } else { None }
    }

    /// The term and the lowest bit that an extraction takes.
    fn extracted(&self, term: Term) -> (Term, u32) {
        let node = self.terms.node(term);
        (node.arg(0), node.number(1))
    }

    fn in_unsigned(&self, width: u32, text: String) -> Option<String> {
        Some(format!("(({})({text}))", unsigned_type(width)?))
    }

    /// A term of a width that C has a type for, as an expression of the unsigned one.
    fn unsigned(&self, term: Term) -> Option<String> {
        let node = self.terms.node(term);
        let width = node.width;
        let ty = unsigned_type(width)?;
        let pair = |operator: &str| {
            let (a, b) = (self.unsigned(node.arg(0))?, self.unsigned(node.arg(1))?);
            self.in_unsigned(width, format!("{} {operator} {}", widened(&a, width), widened(&b, width)))
        };
        let by_constant = |is_fine: &dyn Fn(u64) -> bool| self.terms.as_u64(node.arg(1)).is_some_and(is_fine);
        let is_shift = || by_constant(&|count| count < u64::from(width));
        let text = match node.op {
            Op::Const => unsigned_literal(self.terms.as_u64(term)?, width),
            Op::Var => match self.variable(term)? {
                Variable { name, is_signed: Some(false) } => name,
                Variable { name, .. } => format!("(({ty}){name})"),
            },
            Op::Not => self.in_unsigned(width, format!("~{}", widened(&self.unsigned(node.arg(0))?, width)))?,
            Op::Neg => self.in_unsigned(width, format!("0U - {}", widened(&self.unsigned(node.arg(0))?, width)))?,
            Op::And => pair("&")?,
            Op::Or => pair("|")?,
            Op::Xor => pair("^")?,
            Op::Add => pair("+")?,
            Op::Mul => pair("*")?,
            Op::Shl if is_shift() => pair("<<")?,
            Op::LShr if is_shift() => pair(">>")?,
            Op::UDiv if by_constant(&|divisor| divisor != 0) => pair("/")?,
            Op::URem if by_constant(&|divisor| divisor != 0) => pair("%")?,
            Op::Ite => {
                let (then, otherwise) = (self.unsigned(node.arg(1))?, self.unsigned(node.arg(2))?);
                self.in_unsigned(width, format!("{} ? {then} : {otherwise}", self.condition(node.arg(0))?))?
            }
            Op::Extract => {
                let (of, low) = self.extracted(term);
                self.in_unsigned(width, format!("{} >> {low}", self.unsigned(of)?))?
            }
            Op::ZExt if self.terms.width(node.arg(0)) == 1 => self.in_unsigned(width, self.condition(node.arg(0))?)?,
            Op::ZExt => self.in_unsigned(width, self.unsigned(node.arg(0))?)?,
            Op::SExt => {
                let narrow = signed_type(self.terms.width(node.arg(0)))?;
                self.in_unsigned(width, format!("({}){}", narrow, self.unsigned(node.arg(0))?))?
            }
            Op::Concat => {
                let low_width = self.terms.width(node.arg(1));
                let (high, low) = (self.unsigned(node.arg(0))?, self.unsigned(node.arg(1))?);
                self.in_unsigned(width, format!("(({ty}){high} << {low_width}) | {low}"))?
            }
            _ => return None,
        };
        (text.len() <= LONGEST).then_some(text)
    }
}

/// An operand that C computes with as an unsigned number.
fn widened(text: &str, width: u32) -> String {
    if width < 32 { format!("(unsigned int){text}") } else { text.to_owned() }
}

fn interval(text: &str, low: Option<String>, high: Option<String>, is_one: bool) -> String {
    match (low, high) {
        (Some(low), Some(_)) if is_one => format!("{text} == {low}"),
        (Some(low), Some(high)) => format!("({text} >= {low} && {text} <= {high})"),
        (Some(low), None) => format!("{text} >= {low}"),
        (None, Some(high)) => format!("{text} <= {high}"),
        (None, None) => "1".to_owned(),
    }
}
