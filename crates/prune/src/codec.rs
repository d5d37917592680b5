//! Interpolants as bytes that mean the same in every process that runs the same program.
//!
//! `"EIN" version semantics | terms | places | entries | checksum`, on top of
//! `espalier_expr::codec`: all entries share one list of terms. Points are function and instruction
//! numbers, objects are named as in [`ObjectName`]: what these mean follows from the program, and
//! whoever keeps the bytes has to see to it that it is the same one.
//!
//! Variables that stand for places of a state are written with the places, and are registered with
//! the executor when they are read. A clause whose places are not all known would hold of other
//! states than it was learnt for, so it is an error.

use crate::clause::{Bound, Clause};
use crate::interpolant::{Interpolant, leaves_of};
use crate::table::Point;
use espalier_base::bits::mask;
use espalier_exec::{Executor, Leaf, Needs, ObjectName};
use espalier_expr::codec::{Damaged, Reader, Root, Writer};
use espalier_expr::{Op, SymbolKind, Term, Terms, codec};
use rustc_hash::{FxHashMap, FxHashSet};

const MAGIC: [u8; 3] = *b"EIN";
const VERSION: u64 = 1;

/// What was learnt at a point: all that the table has to know to look it up.
#[derive(Clone, PartialEq, Debug)]
pub struct Learnt {
    pub point: Point,
    pub interpolant: Interpolant,
    /// Places that it says something of where numbers were: no addresses may be there.
    pub numbers: Vec<Leaf>,
}

/// These interpolants, with the terms that they are made of.
pub fn export(executor: &Executor, learnt: &[Learnt]) -> Vec<u8> {
    let mut roots = Roots::default();
    let mut places: Vec<(u64, Leaf)> = Vec::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    for clause in learnt.iter().flat_map(|learnt| &learnt.interpolant.clauses) {
        roots.number(clause.term());
        for (var, leaf) in leaves_of(executor, clause.term()) {
            if seen.insert(var) {
                places.push((roots.number(var), leaf));
            }
        }
    }
    let mut out = Writer::new(MAGIC, VERSION);
    out.bytes(&codec::export(&executor.terms, &roots.terms));
    out.number(places.len() as u64);
    for (number, leaf) in places {
        out.number(number);
        write_leaf(&mut out, leaf);
    }
    out.number(learnt.len() as u64);
    for Learnt { point, interpolant, numbers } in learnt {
        out.number(point.0.len() as u64);
        for &(function, instruction) in &point.0 {
            out.number(function.into());
            out.number(instruction.into());
        }
        write_needs(&mut out, &interpolant.needs);
        out.number(interpolant.stack.len() as u64);
        interpolant.stack.iter().for_each(|&address| out.number(address));
        out.number(interpolant.clauses.len() as u64);
        for clause in &interpolant.clauses {
            write_clause(&mut out, clause, roots.number(clause.term()));
        }
        out.number(numbers.len() as u64);
        numbers.iter().for_each(|&leaf| write_leaf(&mut out, leaf));
    }
    out.finish()
}

/// What was exported, in the pool of this executor, which has the same program.
pub fn import(executor: &mut Executor, bytes: &[u8]) -> Result<Vec<Learnt>, Damaged> {
    let mut reader = Reader::open(bytes, MAGIC, VERSION)?;
    let terms = codec::import(&mut executor.terms, reader.bytes()?)?;
    for _ in 0..reader.count()? {
        let var = term_at(&terms, &mut reader)?;
        let leaf = read_leaf(&mut reader)?;
        let width = executor.terms.width(var);
        if !is_place(&executor.terms, var) || executor.leaf_var(leaf, width) != var {
            return Err(Damaged::Place);
        }
    }
    let mut learnt = Vec::new();
    for _ in 0..reader.count()? {
        let frame = |reader: &mut Reader<'_>| Ok((reader.small()?, reader.small()?));
        let point = Point(list(&mut reader, frame)?.into());
        let needs = read_needs(&mut reader)?;
        let stack = list(&mut reader, |reader| reader.number())?;
        let clauses = list(&mut reader, |reader| read_clause(executor, &terms, reader))?;
        let numbers = list(&mut reader, read_leaf)?;
        learnt.push(Learnt { point, interpolant: Interpolant { clauses, needs, stack }, numbers });
    }
    reader.end()?;
    Ok(learnt)
}

/// Terms by their numbers among the roots.
#[derive(Default)]
struct Roots {
    terms: Vec<Root>,
    numbers: FxHashMap<Term, u64>,
}

impl Roots {
    fn number(&mut self, term: Term) -> u64 {
        *self.numbers.entry(term).or_insert_with(|| {
            self.terms.push(Root::Term(term));
            self.terms.len() as u64 - 1
        })
    }
}

fn list<T>(
    reader: &mut Reader<'_>,
    mut read: impl FnMut(&mut Reader<'_>) -> Result<T, Damaged>,
) -> Result<Vec<T>, Damaged> {
    (0..reader.count()?).map(|_| read(reader)).collect()
}

fn term_at(terms: &[Root], reader: &mut Reader<'_>) -> Result<Term, Damaged> {
    match usize::try_from(reader.number()?).ok().and_then(|number| terms.get(number)) {
        Some(Root::Term(term)) => Ok(*term),
        _ => Err(Damaged::Reference),
    }
}

fn write_clause(out: &mut Writer, clause: &Clause, root: u64) {
    match clause {
        Clause::General(_) => {
            out.byte(0);
            out.number(root);
        }
        Clause::Bound(Bound { lo, hi, .. }) => {
            out.byte(1);
            [root, *lo, *hi].into_iter().for_each(|number| out.number(number));
        }
    }
}

fn read_clause(executor: &Executor, terms: &[Root], reader: &mut Reader<'_>) -> Result<Clause, Damaged> {
    let is_bound = reader.flag()?;
    let term = term_at(terms, reader)?;
    let width = executor.terms.width(term);
    if executor.terms.vars_of(term).iter().any(|&var| is_place(&executor.terms, var) && executor.leaf_of(var).is_none())
    {
        return Err(Damaged::Place);
    }
    if !is_bound {
        return if width == 1 { Ok(Clause::General(term)) } else { Err(Damaged::Width) };
    }
    let (lo, hi) = (reader.number()?, reader.number()?);
    if width > 64 || lo.max(hi) > mask(width) {
        return Err(Damaged::Width);
    }
    Ok(Clause::Bound(Bound { term, lo, hi }))
}

fn is_place(terms: &Terms, var: Term) -> bool {
    let node = terms.node(var);
    node.op == Op::Var && terms.symbol_info(node.symbol()).kind == SymbolKind::Place
}

fn write_object(out: &mut Writer, name: ObjectName) {
    match name {
        ObjectName::At(address) => {
            out.byte(0);
            out.number(address);
        }
        ObjectName::Stack { depth, index } => {
            out.byte(1);
            out.number(depth.into());
            out.number(index.into());
        }
    }
}

fn read_object(reader: &mut Reader<'_>) -> Result<ObjectName, Damaged> {
    Ok(if reader.flag()? {
        ObjectName::Stack { depth: reader.small()?, index: reader.small()? }
    } else {
        ObjectName::At(reader.number()?)
    })
}

fn write_leaf(out: &mut Writer, leaf: Leaf) {
    match leaf {
        Leaf::Reg { depth, reg } => {
            out.byte(0);
            out.number(depth.into());
            out.number(reg.into());
        }
        Leaf::Mem { object, offset, len } => {
            out.byte(1);
            write_object(out, object);
            out.number(offset);
            out.number(len.into());
        }
        Leaf::Address { depth, index } => {
            out.byte(2);
            out.number(depth.into());
            out.number(index.into());
        }
    }
}

fn read_leaf(reader: &mut Reader<'_>) -> Result<Leaf, Damaged> {
    Ok(match reader.byte()? {
        0 => Leaf::Reg { depth: reader.small()?, reg: reader.small()? },
        1 => Leaf::Mem { object: read_object(reader)?, offset: reader.number()?, len: reader.small()? },
        2 => Leaf::Address { depth: reader.small()?, index: reader.small()? },
        _ => return Err(Damaged::Tag),
    })
}

fn write_needs(out: &mut Writer, needs: &Needs) {
    let Needs { objects, as_loaded, no_object, heap_position, same_stack } = needs;
    out.number(objects.len() as u64);
    for (&name, &(size, is_read_only)) in objects {
        write_object(out, name);
        out.number(size);
        out.byte(is_read_only.into());
    }
    for addresses in [as_loaded, no_object] {
        out.number(addresses.len() as u64);
        addresses.iter().for_each(|&address| out.number(address));
    }
    out.byte(heap_position.is_some().into());
    heap_position.iter().for_each(|&position| out.number(position));
    out.byte((*same_stack).into());
}

fn read_needs(reader: &mut Reader<'_>) -> Result<Needs, Damaged> {
    let object = |reader: &mut Reader<'_>| Ok((read_object(reader)?, (reader.number()?, reader.flag()?)));
    let objects = list(reader, object)?;
    let as_loaded = list(reader, |reader| reader.number())?;
    let no_object = list(reader, |reader| reader.number())?;
    let are_sorted = [&as_loaded, &no_object].into_iter().all(|addresses| addresses.is_sorted_by(|a, b| a < b));
    if !objects.is_sorted_by(|a, b| a.0 < b.0) || !are_sorted {
        return Err(Damaged::Order);
    }
    Ok(Needs {
        objects: objects.into_iter().collect(),
        as_loaded: as_loaded.into_iter().collect(),
        no_object: no_object.into_iter().collect(),
        heap_position: if reader.flag()? { Some(reader.number()?) } else { None },
        same_stack: reader.flag()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use espalier_expr::StructuralHash;
    use proptest::prelude::*;
    use std::rc::Rc;

    fn executor() -> Executor {
        let program = espalier_ir::parse("fn @main() -> i32\nbb0:\n  return 0\n").expect("a program");
        Executor::new(Rc::new(program), Default::default(), Default::default()).expect("an executor")
    }

    fn object() -> impl Strategy<Value = ObjectName> {
        prop_oneof![
            any::<u64>().prop_map(ObjectName::At),
            (0u32..4, 0u32..9).prop_map(|(depth, index)| ObjectName::Stack { depth, index }),
        ]
    }

    fn leaf() -> impl Strategy<Value = Leaf> {
        prop_oneof![
            (0u32..4, any::<u32>()).prop_map(|(depth, reg)| Leaf::Reg { depth, reg }),
            (object(), any::<u64>(), 1u32..9).prop_map(|(object, offset, len)| Leaf::Mem { object, offset, len }),
            (0u32..4, any::<u32>()).prop_map(|(depth, index)| Leaf::Address { depth, index }),
        ]
    }

    fn needs() -> impl Strategy<Value = Needs> {
        let objects = prop::collection::btree_map(object(), (any::<u64>(), any::<bool>()), 0..4);
        let addresses = || prop::collection::btree_set(any::<u64>(), 0..4);
        (objects, addresses(), addresses(), any::<Option<u64>>(), any::<bool>()).prop_map(
            |(objects, as_loaded, no_object, heap_position, same_stack)| Needs {
                objects,
                as_loaded,
                no_object,
                heap_position,
                same_stack,
            },
        )
    }

    /// A condition over leaves and an input: which ones, and with which constants.
    #[derive(Clone, Debug)]
    struct Condition {
        kind: u8,
        leaves: [usize; 2],
        constants: [u64; 2],
    }

    #[derive(Clone, Debug)]
    struct Entry {
        point: Vec<(u32, u32)>,
        needs: Needs,
        stack: Vec<u64>,
        conditions: Vec<Condition>,
        numbers: Vec<Leaf>,
    }

    fn entry() -> impl Strategy<Value = Entry> {
        let condition = (0u8..6, [0usize..6, 0usize..6], any::<[u64; 2]>())
            .prop_map(|(kind, leaves, constants)| Condition { kind, leaves, constants });
        (
            prop::collection::vec(any::<(u32, u32)>(), 0..4),
            needs(),
            prop::collection::vec(any::<u64>(), 0..4),
            prop::collection::vec(condition, 0..6),
            prop::collection::vec(leaf(), 0..4),
        )
            .prop_map(|(point, needs, stack, conditions, numbers)| Entry {
                point,
                needs,
                stack,
                conditions,
                numbers,
            })
    }

    fn build(executor: &mut Executor, leaves: &[Leaf], entries: &[Entry]) -> Vec<Learnt> {
        let vars: Vec<Term> = leaves.iter().map(|&leaf| executor.leaf_var(leaf, 32)).collect();
        let flag = executor.leaf_var(Leaf::Reg { depth: 9, reg: 9 }, 8);
        let input = executor.terms.scalar_var(SymbolKind::Input, "later", 4);
        let t = &mut executor.terms;
        let mut clause = |condition: &Condition| {
            let [a, b] = condition.leaves.map(|index| vars[index % vars.len()]);
            let [lo, hi] = condition.constants.map(|constant| constant & mask(32));
            match condition.kind {
                0 => Clause::Bound(Bound { term: a, lo, hi }),
                1 => Clause::Bound(Bound { term: t.add(a, b), lo, hi }),
                2 => Clause::General(t.ult(a, b)),
                3 => Clause::General(t.ult(b, input)),
                4 => Clause::General(t.extract(flag, 0, 1)),
                _ => {
                    let product = t.mul(a, input);
                    Clause::Bound(Bound { term: t.zext(product, 64), lo, hi: condition.constants[1] })
                }
            }
        };
        let learnt = entries.iter().map(|Entry { point, needs, stack, conditions, numbers }| Learnt {
            point: Point(point.clone().into()),
            interpolant: Interpolant {
                clauses: conditions.iter().map(&mut clause).collect(),
                needs: needs.clone(),
                stack: stack.clone(),
            },
            numbers: numbers.clone(),
        });
        learnt.collect()
    }

    fn repair(bytes: &mut [u8]) {
        if let Some((inside, checksum)) = bytes.split_last_chunk_mut::<8>() {
            *checksum = (StructuralHash::of_bytes(inside).to_bits() as u64).to_le_bytes();
        }
    }

    proptest! {
        #[test]
        fn what_is_read_is_what_was_written(
            leaves in prop::collection::vec(leaf(), 1..6),
            entries in prop::collection::vec(entry(), 0..6),
        ) {
            let mut here = executor();
            let learnt = build(&mut here, &leaves, &entries);
            let bytes = export(&here, &learnt);
            prop_assert_eq!(&import(&mut here, &bytes), &Ok(learnt.clone()));
            // There, all leaves are new, and there are other terms.
            let mut there = executor();
            there.terms.constant(77, 32);
            let again = import(&mut there, &bytes).expect("it was written just now");
            prop_assert_eq!(learnt.len(), again.len());
            for (ours, theirs) in learnt.iter().zip(&again) {
                prop_assert_eq!((&ours.point, &ours.numbers), (&theirs.point, &theirs.numbers));
                prop_assert_eq!(&ours.interpolant.needs, &theirs.interpolant.needs);
                prop_assert_eq!(&ours.interpolant.stack, &theirs.interpolant.stack);
                for (a, b) in ours.interpolant.clauses.iter().zip(&theirs.interpolant.clauses) {
                    prop_assert_eq!(here.terms.structural_hash(a.term()), there.terms.structural_hash(b.term()));
                    prop_assert_eq!(a.display(&here), b.display(&there));
                    let places = |executor: &Executor, term: Term| {
                        let mut leaves: Vec<Leaf> = leaves_of(executor, term).into_iter().map(|(_, leaf)| leaf).collect();
                        leaves.sort_unstable();
                        leaves
                    };
                    prop_assert_eq!(places(&here, a.term()), places(&there, b.term()));
                }
            }
        }

        #[test]
        fn damage_is_an_error(
            leaves in prop::collection::vec(leaf(), 1..6),
            entries in prop::collection::vec(entry(), 1..4),
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 10),
        ) {
            let mut here = executor();
            let learnt = build(&mut here, &leaves, &entries);
            let bytes = export(&here, &learnt);
            for (at, to) in changes {
                let mut changed = bytes.clone();
                changed[at.index(bytes.len())] = to;
                if changed != bytes {
                    prop_assert!(import(&mut here, &changed).is_err());
                }
                repair(&mut changed);
                let _ = import(&mut here, &changed);
                let mut cut = bytes[..at.index(bytes.len())].to_vec();
                prop_assert!(import(&mut here, &cut).is_err());
                repair(&mut cut);
                prop_assert!(import(&mut here, &cut).is_err());
            }
        }
    }

    /// A place that is called like one and is none of those that were written is not taken for any
    /// value.
    #[test]
    fn unknown_places_are_refused() {
        let mut here = executor();
        let term = here.terms.scalar_var(SymbolKind::Place, "%0.1", 4);
        let clauses = vec![Clause::Bound(Bound { term, lo: 1, hi: 2 })];
        let interpolant = Interpolant { clauses, ..Default::default() };
        let learnt = Learnt { point: Point(Box::new([])), interpolant, numbers: Vec::new() };
        let bytes = export(&here, &[learnt]);
        assert_eq!(import(&mut here, &bytes), Err(Damaged::Place));
    }
}
