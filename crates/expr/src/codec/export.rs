//! Terms to bytes.

use super::{
    BASE, CONCRETE_PAGE, Item, MAGIC, MIXED_PAGE, ROOT_ARRAY, ROOT_MODEL, ROOT_TERM, Root, STORE, VERSION, Writer,
};
use crate::array::{ArrayByte, ArrayNode, PageBytes};
use crate::{Model, Op, Symbol, SymbolKind, SymbolShape, Term, Terms};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// These terms, arrays and models, with all that they are made of.
pub fn export(terms: &Terms, roots: &[Root]) -> Vec<u8> {
    let mut list = List { terms, items: Vec::new(), places: FxHashMap::default() };
    let mut names = Names::default();
    for root in roots {
        match root {
            Root::Term(term) => list.add(Item::Term(*term)),
            Root::Array(array) => list.add(Item::Array(*array)),
            Root::Model(_) => {}
        }
    }
    for &item in &list.items {
        if let Item::Term(term) = item
            && terms.op(term) == Op::Var
        {
            names.add(terms, terms.node(term).symbol());
        }
    }
    let models: Vec<Option<Vec<(Term, BigUint)>>> = roots.iter().map(|root| by_hash(terms, root)).collect();
    for (var, _) in models.iter().flatten().flatten() {
        names.add(terms, terms.node(*var).symbol());
    }
    let mut out = Writer::new(MAGIC, VERSION);
    names.write(terms, &mut out);
    out.number(list.items.len() as u64);
    for (place, &item) in list.items.iter().enumerate() {
        list.write(item, place, &names, &mut out);
    }
    out.number(roots.len() as u64);
    for (root, model) in roots.iter().zip(&models) {
        match root {
            Root::Term(term) => {
                out.byte(ROOT_TERM);
                out.number(list.places[&Item::Term(*term)] as u64);
            }
            Root::Array(array) => {
                out.byte(ROOT_ARRAY);
                out.number(list.places[&Item::Array(*array)] as u64);
            }
            Root::Model(_) => {
                let values = model.as_deref().unwrap_or(&[]);
                out.byte(ROOT_MODEL);
                out.number(values.len() as u64);
                for (var, value) in values {
                    let node = terms.node(*var);
                    out.number(names.number(node.symbol()));
                    out.number(node.number(1).into());
                    out.bytes(&bytes_of(value));
                }
            }
        }
    }
    out.finish()
}

/// Without zeros in front: 0 has no bytes.
fn bytes_of(value: &BigUint) -> Vec<u8> {
    if value.bits() == 0 { Vec::new() } else { value.to_bytes_le() }
}

/// What a model says, in an order that is the same in every pool.
fn by_hash(terms: &Terms, root: &Root) -> Option<Vec<(Term, BigUint)>> {
    let Root::Model(model) = root else { return None };
    let value = |(var, _): (Term, BigUint)| (var, Model::get_bv(model, var, terms.width(var)).to_big());
    let mut values: Vec<(Term, BigUint)> = model.iter().map(value).collect();
    values.sort_unstable_by_key(|&(var, _)| terms.structural_hash(var));
    Some(values)
}

/// Symbols in the order of their first use, and their names.
#[derive(Default)]
struct Names {
    symbols: Vec<Symbol>,
    numbers: FxHashMap<Symbol, u64>,
    strings: Vec<Rc<str>>,
    string_numbers: FxHashMap<Rc<str>, u64>,
}

impl Names {
    fn add(&mut self, terms: &Terms, symbol: Symbol) {
        if self.numbers.contains_key(&symbol) {
            return;
        }
        self.numbers.insert(symbol, self.symbols.len() as u64);
        self.symbols.push(symbol);
        let name = &terms.symbol_info(symbol).name;
        if !self.string_numbers.contains_key(name) {
            self.string_numbers.insert(name.clone(), self.strings.len() as u64);
            self.strings.push(name.clone());
        }
    }

    fn number(&self, symbol: Symbol) -> u64 {
        self.numbers[&symbol]
    }

    fn write(&self, terms: &Terms, out: &mut Writer) {
        out.number(self.strings.len() as u64);
        self.strings.iter().for_each(|name| out.bytes(name.as_bytes()));
        out.number(self.symbols.len() as u64);
        for &symbol in &self.symbols {
            let info = terms.symbol_info(symbol);
            out.byte(info.kind.tag());
            if let SymbolKind::Fixed { value, .. } = info.kind {
                out.number(value);
            }
            out.number(self.string_numbers[&info.name]);
            out.number(info.occurrence.into());
            out.number(info.size.into());
            out.byte(match info.shape {
                SymbolShape::Scalar => 0,
                SymbolShape::Bytes => 1,
            });
        }
    }
}

/// Items, each behind what it is made of.
struct List<'a> {
    terms: &'a Terms,
    items: Vec<Item>,
    places: FxHashMap<Item, usize>,
}

impl List<'_> {
    /// The item and all below it that is not there.
    fn add(&mut self, root: Item) {
        let mut stack = vec![(root, false)];
        let mut parts = Vec::new();
        while let Some((item, is_ready)) = stack.pop() {
            if self.places.contains_key(&item) {
                continue;
            }
            if is_ready {
                self.places.insert(item, self.items.len());
                self.items.push(item);
                continue;
            }
            stack.push((item, true));
            parts.clear();
            self.for_each_part(item, |part| parts.push(part));
            stack.extend(parts.iter().rev().map(|&part| (part, false)));
        }
    }

    fn for_each_part(&self, item: Item, mut visit: impl FnMut(Item)) {
        let byte = |byte: ArrayByte| match byte {
            ArrayByte::Concrete(_) => None,
            ArrayByte::Term(term) => Some(Item::Term(term)),
        };
        match item {
            Item::Term(term) => {
                let node = self.terms.node(term);
                if node.op == Op::Read {
                    visit(Item::Array(node.array()));
                }
                node.args().for_each(|arg| visit(Item::Term(arg)));
            }
            Item::Page(page) => {
                if let PageBytes::Mixed(bytes) = self.terms.page_bytes(page) {
                    bytes.iter().filter_map(|&part| byte(part)).for_each(visit);
                }
            }
            Item::Array(array) => match self.terms.array_node(array) {
                ArrayNode::Base(base) => {
                    byte(base.rest()).into_iter().for_each(&mut visit);
                    base.pages().for_each(|(_, page)| visit(Item::Page(page)));
                }
                &ArrayNode::Store { array, index, value } => {
                    [Item::Array(array), Item::Term(index), Item::Term(value)].into_iter().for_each(visit);
                }
            },
        }
    }

    fn write(&self, item: Item, place: usize, names: &Names, out: &mut Writer) {
        let back = |part: Item| (place - self.places[&part]) as u64;
        // A term by how far back it is, a number as itself behind a 0.
        let byte = |out: &mut Writer, byte: ArrayByte| match byte {
            ArrayByte::Concrete(value) => {
                out.number(0);
                out.byte(value);
            }
            ArrayByte::Term(term) => out.number(back(Item::Term(term))),
        };
        match item {
            Item::Term(term) => self.write_term(term, names, back, out),
            Item::Page(page) => match self.terms.page_bytes(page) {
                PageBytes::Concrete(bytes) => {
                    out.byte(CONCRETE_PAGE);
                    out.bytes(bytes);
                }
                PageBytes::Mixed(bytes) => {
                    out.byte(MIXED_PAGE);
                    out.number(bytes.len() as u64);
                    bytes.iter().for_each(|&part| byte(out, part));
                }
            },
            Item::Array(array) => match self.terms.array_node(array) {
                ArrayNode::Base(base) => {
                    out.byte(BASE);
                    out.number(base.len());
                    byte(out, base.rest());
                    out.number(base.pages().count() as u64);
                    for (number, page) in base.pages() {
                        out.number(number);
                        out.number(back(Item::Page(page)));
                    }
                }
                &ArrayNode::Store { array, index, value } => {
                    out.byte(STORE);
                    [Item::Array(array), Item::Term(index), Item::Term(value)]
                        .into_iter()
                        .for_each(|part| out.number(back(part)));
                }
            },
        }
    }

    fn write_term(&self, term: Term, names: &Names, back: impl Fn(Item) -> u64, out: &mut Writer) {
        let node = self.terms.node(term);
        out.byte(node.op as u8);
        match node.op {
            Op::Const => {
                out.number(node.width.into());
                out.number(self.terms.as_u64(term).unwrap_or(0));
            }
            Op::WideConst => {
                out.number(node.width.into());
                out.bytes(&bytes_of(&self.terms.wide[node.number(0) as usize]));
            }
            Op::Var => {
                out.number(names.number(node.symbol()));
                out.number(node.number(1).into());
            }
            Op::Extract | Op::ZExt | Op::SExt | Op::FpToFp | Op::FpToSi | Op::SiToFp | Op::UiToFp => {
                out.number(node.width.into());
            }
            Op::Read => out.number(back(Item::Array(node.array()))),
            _ => {}
        }
        if matches!(node.op, Op::Extract | Op::FpRound) {
            out.number(node.number(1).into());
        }
        node.args().for_each(|arg| out.number(back(Item::Term(arg))));
    }
}
