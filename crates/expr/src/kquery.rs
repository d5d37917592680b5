//! Terms in KQuery, the language that KLEE writes its path conditions in and that Kleaver reads.
//!
//! A query is printed as one expression in which a term, or an array with stores, that is used
//! several times is labelled where it stands first (`N0:`, `U0:`) and named by its label
//! afterwards: so it is as long as the graph, not as the tree. Inputs are arrays of bytes, as in
//! KLEE; contents of objects are constant arrays, with the bytes that are not constant as updates.
//! Nothing recurses.
//!
//! KQuery has no floats: a query with one has no text.

use crate::array::{ArrayByte, ArrayNode};
use crate::{ArrayId, Op, Symbol, SymbolShape, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// KLEE's arrays are indexed by numbers of this many bits.
const INDEX: u32 = 32;

/// Contents are written out byte by byte: those of larger arrays are not.
const MOST_BYTES: u64 = 1 << 20;

/// The query whether `constraints` (terms of width 1) can hold together, as KLEE asks it: is
/// `false` implied? The operator that KQuery does not have, if there is one.
pub fn kquery(terms: &Terms, constraints: &[Term]) -> Result<String, Op> {
    let mut printer = Printer::new(terms);
    printer.survey(constraints)?;
    printer.declare();
    printer.output.push_str("(query [");
    for (index, &constraint) in constraints.iter().enumerate() {
        if index > 0 {
            printer.output.push_str("\n        ");
        }
        printer.print(constraint);
    }
    printer.output.push_str("]\n       false)\n");
    Ok(printer.output)
}

/// Something that is printed.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
enum Item {
    Term(Term),
    Array(ArrayId),
}

/// What is still to be printed.
enum Piece {
    Text(String),
    Item(Item),
    /// A term as an index of an array.
    Index(Term),
}

struct Printer<'a> {
    terms: &'a Terms,
    output: String,
    /// Printed more than once, with the label if it was printed.
    shared: FxHashMap<Item, Option<String>>,
    labels: usize,
    versions: usize,
    /// In the order of their first use.
    symbols: Vec<Symbol>,
    bases: Vec<ArrayId>,
    names: FxHashMap<Symbol, String>,
    base_names: FxHashMap<ArrayId, String>,
}

impl<'a> Printer<'a> {
    fn new(terms: &'a Terms) -> Printer<'a> {
        Printer {
            terms,
            output: String::new(),
            shared: FxHashMap::default(),
            labels: 0,
            versions: 0,
            symbols: Vec::new(),
            bases: Vec::new(),
            names: FxHashMap::default(),
            base_names: FxHashMap::default(),
        }
    }

    /// Finds what is used more than once, and all inputs and contents.
    fn survey(&mut self, constraints: &[Term]) -> Result<(), Op> {
        let mut seen: FxHashSet<Item> = FxHashSet::default();
        let mut symbols: FxHashSet<Symbol> = FxHashSet::default();
        let mut stack: Vec<Item> = constraints.iter().rev().map(|&constraint| Item::Term(constraint)).collect();
        while let Some(item) = stack.pop() {
            if self.is_plain(item) {
                if let Item::Term(term) = item
                    && self.terms.op(term) == Op::Var
                    && symbols.insert(self.terms.node(term).symbol())
                {
                    self.symbols.push(self.terms.node(term).symbol());
                }
                continue;
            }
            if !seen.insert(item) {
                self.shared.insert(item, None);
                continue;
            }
            match item {
                Item::Term(term) => {
                    let node = self.terms.node(term);
                    if operator(node.op).is_none() {
                        return Err(node.op);
                    }
                    stack.extend(node.args().rev().map(Item::Term));
                    if node.op == Op::Read {
                        stack.push(Item::Array(node.array()));
                    }
                }
                Item::Array(array) => match self.terms.array_node(array) {
                    ArrayNode::Base(base) => {
                        if base.len() > MOST_BYTES || matches!(base.rest(), ArrayByte::Term(_)) {
                            return Err(Op::Read);
                        }
                        self.bases.push(array);
                        stack.extend(self.terms.array_terms(base).map(Item::Term));
                    }
                    &ArrayNode::Store { array, index, value } => {
                        stack.extend([Item::Array(array), Item::Term(value), Item::Term(index)]);
                    }
                },
            }
        }
        Ok(())
    }

    /// Is it as short as a label, or shorter than one is worth?
    fn is_plain(&self, item: Item) -> bool {
        match item {
            Item::Term(term) => matches!(self.terms.op(term), Op::Const | Op::WideConst | Op::Var),
            Item::Array(_) => false,
        }
    }

    fn declare(&mut self) {
        let mut used: FxHashSet<String> = FxHashSet::default();
        for symbol in std::mem::take(&mut self.symbols) {
            let info = self.terms.symbol_info(symbol);
            let name = unused(&mut used, identifier(&info.name), info.occurrence);
            let _ = writeln!(self.output, "array {name}[{}] : w{INDEX} -> w8 = symbolic", info.size);
            self.names.insert(symbol, name);
        }
        for (number, array) in std::mem::take(&mut self.bases).into_iter().enumerate() {
            let ArrayNode::Base(base) = self.terms.array_node(array) else { continue };
            let name = unused(&mut used, format!("const_arr{number}"), 0);
            let constant = |at: u64| match self.terms.array_byte(base, at) {
                ArrayByte::Concrete(value) => value.to_string(),
                ArrayByte::Term(_) => "0".to_owned(),
            };
            let values: Vec<String> = (0..base.len()).map(constant).collect();
            let _ = writeln!(self.output, "array {name}[{}] : w{INDEX} -> w8 = [{}]", base.len(), values.join(" "));
            self.base_names.insert(array, name);
        }
    }

    fn print(&mut self, constraint: Term) {
        let mut stack = vec![Piece::Item(Item::Term(constraint))];
        let mut pieces = Vec::new();
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => self.output.push_str(&text),
                Piece::Index(term) => {
                    self.index(term, &mut pieces);
                    stack.extend(pieces.drain(..).rev());
                }
                Piece::Item(item) => {
                    if let Some(label) = self.shared.get(&item).and_then(Option::as_ref) {
                        self.output.push_str(label);
                        continue;
                    }
                    if self.shared.contains_key(&item) {
                        let label = self.next_label(item);
                        let _ = write!(self.output, "{label}:");
                        self.shared.insert(item, Some(label));
                    }
                    match item {
                        Item::Term(term) => self.term(term, &mut pieces),
                        Item::Array(array) => self.array(array, &mut pieces),
                    }
                    stack.extend(pieces.drain(..).rev());
                }
            }
        }
    }

    fn next_label(&mut self, item: Item) -> String {
        let (letter, counter) = match item {
            Item::Term(_) => ('N', &mut self.labels),
            Item::Array(_) => ('U', &mut self.versions),
        };
        *counter += 1;
        format!("{letter}{}", *counter - 1)
    }

    /// The pieces of a term, in order.
    fn term(&self, term: Term, pieces: &mut Vec<Piece>) {
        let node = self.terms.node(term);
        let mut text = |text: String| pieces.push(Piece::Text(text));
        match node.op {
            Op::Const | Op::WideConst => {
                let value = self.terms.as_bv(term).map(|value| value.to_big()).unwrap_or_default();
                return text(match node.width {
                    1 => (value != Default::default()).to_string(),
                    width => format!("(w{width} {value})"),
                });
            }
            Op::Var => {
                let name = &self.names[&node.symbol()];
                let shape = self.terms.symbol_info(node.symbol()).shape;
                return text(match (shape, node.width) {
                    (SymbolShape::Bytes, _) | (_, 8) => format!("(Read w8 {} {name})", node.number(1)),
                    (SymbolShape::Scalar, width) => format!("(ReadLSB w{width} 0 {name})"),
                });
            }
            Op::Not if node.width == 1 => text("(Eq false".into()),
            Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle => {
                text(format!("({}", operator(node.op).unwrap_or_default()))
            }
            Op::Extract => text(format!("(Extract w{} {}", node.width, node.number(1))),
            op => text(format!("({} w{}", operator(op).unwrap_or_default(), node.width)),
        }
        if node.op == Op::Read {
            text(" ".into());
            pieces.extend([Piece::Index(node.arg(1)), Piece::Text(" ".into()), Piece::Item(Item::Array(node.array()))]);
        } else {
            for arg in node.args() {
                pieces.extend([Piece::Text(" ".into()), Piece::Item(Item::Term(arg))]);
            }
        }
        pieces.push(Piece::Text(")".into()));
    }

    fn index(&self, index: Term, pieces: &mut Vec<Piece>) {
        if let Some(number) = self.terms.as_u64(index) {
            return pieces.push(Piece::Text(number.to_string()));
        }
        let cast = match self.terms.width(index) {
            INDEX => return pieces.push(Piece::Item(Item::Term(index))),
            width if width > INDEX => format!("(Extract w{INDEX} 0 "),
            _ => format!("(ZExt w{INDEX} "),
        };
        pieces.extend([Piece::Text(cast), Piece::Item(Item::Term(index)), Piece::Text(")".into())]);
    }

    /// An array as its updates, latest first, on what is below.
    fn array(&self, array: ArrayId, pieces: &mut Vec<Piece>) {
        let update = |pieces: &mut Vec<Piece>, index: Piece, value: Term| {
            let before = if pieces.is_empty() { "[" } else { ", " };
            pieces.extend([Piece::Text(before.into()), index, Piece::Text("=".into()), Piece::Item(Item::Term(value))]);
        };
        let mut below = array;
        while let &ArrayNode::Store { array: next, index, value } = self.terms.array_node(below) {
            if below != array && self.shared.contains_key(&Item::Array(below)) {
                break;
            }
            update(pieces, Piece::Index(index), value);
            below = next;
        }
        if let (ArrayNode::Base(base), true) = (self.terms.array_node(below), below == array) {
            for (position, byte) in self.terms.array_bytes(base) {
                if let ArrayByte::Term(value) = byte {
                    update(pieces, Piece::Text(position.to_string()), value);
                }
            }
        }
        let is_updated = !pieces.is_empty();
        if is_updated {
            pieces.push(Piece::Text("] @ ".into()));
        }
        pieces.push(match below == array {
            true => Piece::Text(self.base_names[&array].clone()),
            false => Piece::Item(Item::Array(below)),
        });
    }
}

/// The name of an operator in KQuery; `None` if it has none.
fn operator(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::Const | Op::WideConst | Op::Var => "",
        Op::Not => "Not",
        Op::Neg => "Neg",
        Op::And => "And",
        Op::Or => "Or",
        Op::Xor => "Xor",
        Op::Add => "Add",
        Op::Mul => "Mul",
        Op::UDiv => "UDiv",
        Op::SDiv => "SDiv",
        Op::URem => "URem",
        Op::SRem => "SRem",
        Op::Shl => "Shl",
        Op::LShr => "LShr",
        Op::AShr => "AShr",
        Op::Eq => "Eq",
        Op::Ult => "Ult",
        Op::Ule => "Ule",
        Op::Slt => "Slt",
        Op::Sle => "Sle",
        Op::Ite => "Select",
        Op::Extract => "Extract",
        Op::Concat => "Concat",
        Op::ZExt => "ZExt",
        Op::SExt => "SExt",
        Op::Read => "Read",
        Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv | Op::FpRem | Op::FpFma | Op::FpSqrt | Op::FpRound => {
            return None;
        }
        Op::FpEq | Op::FpLt | Op::FpLe | Op::FpToFp | Op::FpToSi | Op::SiToFp | Op::UiToFp => return None,
    })
}

/// A name that KQuery takes.
fn identifier(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let name: String = name.chars().map(|c| if fits(c) { c } else { '_' }).collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') { name } else { format!("_{name}") }
}

/// The name, with a number behind it from its second use on, as KLEE does it.
fn unused(used: &mut FxHashSet<String>, name: String, occurrence: u32) -> String {
    let mut number = occurrence;
    loop {
        let candidate = if number == 0 { name.clone() } else { format!("{name}_{number}") };
        if used.insert(candidate.clone()) {
            return candidate;
        }
        number += 1;
    }
}
