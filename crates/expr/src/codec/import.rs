//! Bytes to terms.

use super::{
    BASE, CONCRETE_PAGE, Damaged, Item, MAGIC, MIXED_PAGE, OPERATORS, ROOT_ARRAY, ROOT_MODEL, ROOT_TERM, Reader, Root,
    STORE, VERSION, WIDEST,
};
use crate::array::{ARRAY_PAGE, ArrayByte, ArrayPage};
use crate::{ArrayId, Bv, FloatFormat, Model, Op, Rounding, Symbol, SymbolInfo, SymbolKind, SymbolShape, Term, Terms};
use num_bigint::BigUint;
use smallvec::SmallVec;
use std::rc::Rc;

/// What was exported, in this pool. If the bytes are damaged, the pool may have terms that nobody
/// refers to.
pub fn import(terms: &mut Terms, bytes: &[u8]) -> Result<Vec<Root>, Damaged> {
    let mut reader = Reader::open(bytes, MAGIC, VERSION)?;
    let strings = strings(&mut reader)?;
    let symbols = symbols(terms, &mut reader, &strings)?;
    let mut import = Import { terms, symbols, items: Vec::new(), reader };
    for _ in 0..import.reader.count()? {
        let item = import.item()?;
        import.items.push(item);
    }
    let mut roots = Vec::new();
    for _ in 0..import.reader.count()? {
        roots.push(import.root()?);
    }
    import.reader.end()?;
    Ok(roots)
}

fn strings(reader: &mut Reader<'_>) -> Result<Vec<Rc<str>>, Damaged> {
    let count = reader.count()?;
    let string = |_| Ok(std::str::from_utf8(reader.bytes()?).map_err(|_| Damaged::Text)?.into());
    (0..count).map(string).collect()
}

fn symbols(terms: &mut Terms, reader: &mut Reader<'_>, strings: &[Rc<str>]) -> Result<Vec<Symbol>, Damaged> {
    let mut symbols = Vec::new();
    for _ in 0..reader.count()? {
        let tag = reader.byte()?;
        let value = if SymbolKind::has_value(tag) { reader.number()? } else { 0 };
        let kind = SymbolKind::from_tag(tag, value).ok_or(Damaged::Tag)?;
        let name = usize::try_from(reader.number()?).ok().and_then(|number| strings.get(number));
        let name = name.ok_or(Damaged::Reference)?.clone();
        let (occurrence, size) = (reader.small()?, reader.small()?);
        let shape = if reader.flag()? { SymbolShape::Bytes } else { SymbolShape::Scalar };
        if shape == SymbolShape::Scalar && !(1..=WIDEST / 8).contains(&size) {
            return Err(Damaged::Width);
        }
        symbols.push(terms.symbol(SymbolInfo { kind, name, occurrence, size, shape }));
    }
    Ok(symbols)
}

struct Import<'a> {
    terms: &'a mut Terms,
    symbols: Vec<Symbol>,
    items: Vec<Item>,
    reader: Reader<'a>,
}

impl Import<'_> {
    /// An item by how far back it is.
    fn back(&mut self) -> Result<Item, Damaged> {
        let distance = self.reader.number()?;
        self.at_distance(distance)
    }

    fn at_distance(&self, distance: u64) -> Result<Item, Damaged> {
        let place = usize::try_from(distance).ok().and_then(|distance| self.items.len().checked_sub(distance));
        place.and_then(|place| self.items.get(place)).copied().ok_or(Damaged::Reference)
    }

    fn term(&mut self) -> Result<Term, Damaged> {
        as_term(self.back()?)
    }

    fn array(&mut self) -> Result<ArrayId, Damaged> {
        as_array(self.back()?)
    }

    fn page(&mut self) -> Result<ArrayPage, Damaged> {
        match self.back()? {
            Item::Page(page) => Ok(page),
            Item::Term(_) | Item::Array(_) => Err(Damaged::Reference),
        }
    }

    fn width(&mut self) -> Result<u32, Damaged> {
        let width = self.reader.small()?;
        if (1..=WIDEST).contains(&width) { Ok(width) } else { Err(Damaged::Width) }
    }

    /// A number of at most `width` bits.
    fn value(&mut self, width: u32) -> Result<BigUint, Damaged> {
        let value = BigUint::from_bytes_le(self.reader.bytes()?);
        if value.bits() <= width.into() { Ok(value) } else { Err(Damaged::Width) }
    }

    fn variable(&mut self) -> Result<Term, Damaged> {
        let symbol = usize::try_from(self.reader.number()?).ok().and_then(|number| self.symbols.get(number));
        let symbol = *symbol.ok_or(Damaged::Reference)?;
        let byte = self.reader.small()?;
        let info = self.terms.symbol_info(symbol);
        let variables = if info.shape == SymbolShape::Scalar { 1 } else { info.size };
        if byte < variables { Ok(self.terms.var(symbol, byte)) } else { Err(Damaged::Width) }
    }

    /// A byte of a page, or the rest of a base.
    fn array_byte(&mut self) -> Result<ArrayByte, Damaged> {
        match self.reader.number()? {
            0 => Ok(ArrayByte::Concrete(self.reader.byte()?)),
            distance => {
                let term = as_term(self.at_distance(distance)?)?;
                self.check(self.terms.width(term) == 8)?;
                Ok(ArrayByte::Term(term))
            }
        }
    }

    fn check(&self, has_right_widths: bool) -> Result<(), Damaged> {
        if has_right_widths { Ok(()) } else { Err(Damaged::Width) }
    }

    fn item(&mut self) -> Result<Item, Damaged> {
        match self.reader.byte()? {
            CONCRETE_PAGE => {
                let bytes = self.reader.bytes()?;
                self.check(bytes.len() <= ARRAY_PAGE)?;
                Ok(Item::Page(self.terms.concrete_array_page(bytes)))
            }
            MIXED_PAGE => {
                let count = self.reader.count()?;
                self.check(count <= ARRAY_PAGE)?;
                let bytes = (0..count).map(|_| self.array_byte()).collect::<Result<Vec<ArrayByte>, Damaged>>()?;
                Ok(Item::Page(self.terms.array_page(&bytes)))
            }
            BASE => self.base(),
            STORE => {
                let (array, index, value) = (self.array()?, self.term()?, self.term()?);
                self.check(self.terms.width(index) <= 64 && self.terms.width(value) == 8)?;
                Ok(Item::Array(self.terms.array_store(array, index, value)))
            }
            tag => {
                let op = *OPERATORS.get(usize::from(tag)).ok_or(Damaged::Tag)?;
                Ok(Item::Term(self.node(op)?))
            }
        }
    }

    fn base(&mut self) -> Result<Item, Damaged> {
        let len = self.reader.number()?;
        let rest = self.array_byte()?;
        let mut pages: Vec<(u64, ArrayPage)> = Vec::new();
        for _ in 0..self.reader.count()? {
            let number = self.reader.number()?;
            if number > u64::MAX / ARRAY_PAGE as u64 || pages.last().is_some_and(|&(last, _)| last >= number) {
                return Err(Damaged::Order);
            }
            pages.push((number, self.page()?));
        }
        Ok(Item::Array(self.terms.array_of_pages(len, rest, pages)))
    }

    fn node(&mut self, op: Op) -> Result<Term, Damaged> {
        match op {
            Op::Const => {
                let (width, value) = (self.width()?, self.reader.number()?);
                self.check(width <= 64 && (width == 64 || value >> width == 0))?;
                Ok(self.terms.constant(value, width))
            }
            Op::WideConst => {
                let width = self.width()?;
                let value = self.value(width)?;
                Ok(self.terms.constant_bv(&Bv::from_big(value, width)))
            }
            Op::Var => self.variable(),
            Op::Read => {
                let (array, index) = (self.array()?, self.term()?);
                self.check(self.terms.width(index) <= 64)?;
                Ok(self.terms.read(array, index))
            }
            _ => self.operator(op),
        }
    }

    /// An operator on terms.
    fn operator(&mut self, op: Op) -> Result<Term, Damaged> {
        let written = match op {
            Op::Extract | Op::ZExt | Op::SExt | Op::FpToFp | Op::FpToSi | Op::SiToFp | Op::UiToFp => self.width()?,
            _ => 0,
        };
        let number = match op {
            Op::Extract | Op::FpRound => self.reader.small()?,
            _ => 0,
        };
        let args = (0..op.arity()).map(|_| self.term()).collect::<Result<SmallVec<[Term; 3]>, Damaged>>()?;
        let widths: SmallVec<[u32; 3]> = args.iter().map(|&arg| self.terms.width(arg)).collect();
        let width = width_of(op, written, number, &widths).ok_or(Damaged::Width)?;
        Ok(self.terms.apply(op, width, number, &args))
    }

    fn root(&mut self) -> Result<Root, Damaged> {
        let tag = self.reader.byte()?;
        if tag == ROOT_MODEL {
            let mut model = Model::new();
            for _ in 0..self.reader.count()? {
                let var = self.variable()?;
                let width = self.terms.width(var);
                let value = self.value(width)?;
                model.set_bv(var, Bv::from_big(value, width));
            }
            return Ok(Root::Model(model));
        }
        let place = usize::try_from(self.reader.number()?).ok();
        let item = place.and_then(|place| self.items.get(place)).copied().ok_or(Damaged::Reference)?;
        match tag {
            ROOT_TERM => Ok(Root::Term(as_term(item)?)),
            ROOT_ARRAY => Ok(Root::Array(as_array(item)?)),
            _ => Err(Damaged::Tag),
        }
    }
}

fn as_term(item: Item) -> Result<Term, Damaged> {
    match item {
        Item::Term(term) => Ok(term),
        Item::Page(_) | Item::Array(_) => Err(Damaged::Reference),
    }
}

fn as_array(item: Item) -> Result<ArrayId, Damaged> {
    match item {
        Item::Array(array) => Ok(array),
        Item::Page(_) | Item::Term(_) => Err(Damaged::Reference),
    }
}

/// The width of an operator's result, if it can have such arguments. `written` is the width where
/// arguments do not say it.
fn width_of(op: Op, written: u32, number: u32, widths: &[u32]) -> Option<u32> {
    let is_float = |width: u32| FloatFormat::from_width(width).is_some();
    let (first, last) = (*widths.first()?, *widths.last()?);
    let are_equal = widths.iter().all(|&width| width == first);
    match op {
        Op::Const | Op::WideConst | Op::Var | Op::Read => None,
        Op::Not | Op::Neg | Op::And | Op::Or | Op::Xor | Op::Add | Op::Mul | Op::UDiv => are_equal.then_some(first),
        Op::SDiv | Op::URem | Op::SRem | Op::Shl | Op::LShr | Op::AShr => are_equal.then_some(first),
        Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle => are_equal.then_some(1),
        Op::Ite => (first == 1 && widths[1] == last).then_some(last),
        Op::Extract => number.checked_add(written).is_some_and(|end| end <= first).then_some(written),
        Op::Concat => first.checked_add(last).filter(|&width| width <= WIDEST),
        Op::ZExt | Op::SExt => (written >= first).then_some(written),
        Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv | Op::FpRem | Op::FpFma | Op::FpSqrt => {
            (are_equal && is_float(first)).then_some(first)
        }
        Op::FpRound => (is_float(first) && (number as usize) < Rounding::ALL.len()).then_some(first),
        Op::FpEq | Op::FpLt | Op::FpLe => (are_equal && is_float(first)).then_some(1),
        Op::FpToFp => (is_float(first) && is_float(written)).then_some(written),
        Op::FpToSi => is_float(first).then_some(written),
        Op::SiToFp | Op::UiToFp => is_float(written).then_some(written),
    }
}
