//! Terms, arrays and models as bytes: what is read is what was written, in any pool, and damage is
//! noticed.

mod common;

use common::{Constants, Pool, Recipe, float_recipe, recipe, reference, run};
use espalier_expr::codec::{Damaged, Root, export, import};
use espalier_expr::{ArrayByte, ArrayNode, Model, StructuralHash, SymbolInfo, SymbolKind, SymbolShape, Term, Terms};
use proptest::prelude::*;

/// All results of a recipe, the arrays that they read, and its models.
fn roots_of(pool: &mut Pool, recipe: &Recipe) -> Vec<Root> {
    let built = run(pool, recipe);
    let arrays: Vec<Root> = pool
        .terms
        .postorder(&built)
        .into_iter()
        .filter(|&term| pool.terms.op(term) == espalier_expr::Op::Read)
        .map(|term| Root::Array(pool.terms.node(term).array()))
        .collect();
    let models = recipe.models.iter().map(|values| Root::Model(pool.model(values)));
    let models: Vec<Root> = models.collect();
    built.into_iter().map(Root::Term).chain(arrays).chain(models).collect()
}

/// A pool that has other things in it, and some of the same in another order.
fn other_pool() -> Terms {
    let mut pool = Pool::new(Constants::default());
    let y = pool.scalar("y", 4);
    let (x, t) = (pool.vars[2], &mut pool.terms);
    let product = t.mul(y, x);
    t.xor(product, x);
    pool.terms
}

fn check(recipe: &Recipe) -> Result<(), TestCaseError> {
    let mut pool = Pool::new(reference(recipe).1);
    let roots = roots_of(&mut pool, recipe);
    let bytes = export(&pool.terms, &roots);
    prop_assert_eq!(&import(&mut pool.terms, &bytes), &Ok(roots.clone()));
    for mut other in [Terms::new(), other_pool()] {
        let again = import(&mut other, &bytes).expect("it was written just now");
        prop_assert_eq!(roots.len(), again.len());
        for (ours, theirs) in roots.iter().zip(&again) {
            match (ours, theirs) {
                (Root::Term(ours), Root::Term(theirs)) => {
                    let shown = (pool.terms.display(*ours).to_string(), other.display(*theirs).to_string());
                    let hashes = (pool.terms.structural_hash(*ours), other.structural_hash(*theirs));
                    prop_assert_eq!(hashes.0, hashes.1, "{:?}", shown);
                    let models = roots.iter().zip(&again).filter_map(|both| match both {
                        (Root::Model(ours), Root::Model(theirs)) => Some((ours, theirs)),
                        _ => None,
                    });
                    for (here, there) in models {
                        prop_assert_eq!(pool.terms.eval(*ours, here), other.eval(*theirs, there), "{:?}", shown);
                    }
                }
                (Root::Array(ours), Root::Array(theirs)) => {
                    prop_assert_eq!(pool.terms.array_len(*ours), other.array_len(*theirs));
                }
                (Root::Model(ours), Root::Model(theirs)) => prop_assert_eq!(ours.len(), theirs.len()),
                _ => prop_assert!(false, "roots of different kinds"),
            }
        }
        prop_assert_eq!(&export(&other, &again), &bytes);
    }
    Ok(())
}

/// The checksum of changed bytes, put in its place: what is inside has to hold out.
fn repair(bytes: &mut [u8]) {
    if let Some((inside, checksum)) = bytes.split_last_chunk_mut::<8>() {
        *checksum = (StructuralHash::of_bytes(inside).to_bits() as u64).to_le_bytes();
    }
}

fn check_damage(recipe: &Recipe, changes: &[(prop::sample::Index, u8)]) -> Result<(), TestCaseError> {
    let mut pool = Pool::new(reference(recipe).1);
    let roots = roots_of(&mut pool, recipe);
    let bytes = export(&pool.terms, &roots);
    for &(at, to) in changes {
        let mut changed = bytes.clone();
        changed[at.index(bytes.len())] = to;
        if changed != bytes {
            prop_assert!(import(&mut Terms::new(), &changed).is_err());
        }
        repair(&mut changed);
        if let Ok(roots) = import(&mut Terms::new(), &changed) {
            // Whatever it says, it is a set of terms like any other.
            let mut terms = Terms::new();
            prop_assert_eq!(import(&mut terms, &changed).map(|roots| roots.len()), Ok(roots.len()));
        }
        let cut = at.index(bytes.len());
        prop_assert!(import(&mut Terms::new(), &bytes[..cut]).is_err());
        let mut cut = bytes[..cut].to_vec();
        repair(&mut cut);
        prop_assert!(import(&mut Terms::new(), &cut).is_err());
    }
    Ok(())
}

proptest! {
    #![proptest_config(common::config(1500))]

    #[test]
    fn what_is_read_is_what_was_written(recipe in recipe(24)) {
        check(&recipe)?;
    }

    #[test]
    fn so_with_floats(recipe in float_recipe(16)) {
        check(&recipe)?;
    }

    #[test]
    fn damage_is_an_error(
        recipe in recipe(16),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 40),
    ) {
        check_damage(&recipe, &changes)?;
    }

    #[test]
    fn random_bytes_are_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(import(&mut Terms::new(), &bytes).is_err());
        // Behind a beginning that is right, and under a checksum that is right.
        let mut framed = [&b"ETM\x01\x01"[..], &bytes, &[0; 8]].concat();
        repair(&mut framed);
        let _ = import(&mut Terms::new(), &framed);
        // Without symbols, items follow at once.
        framed.splice(5..5, [0, 0, 20]);
        repair(&mut framed);
        let _ = import(&mut Terms::new(), &framed);
    }
}

/// Every kind of symbol is another one, here and there.
#[test]
fn kinds_of_symbols_are_kept() {
    let kinds = [
        SymbolKind::Input,
        SymbolKind::Unknown,
        SymbolKind::SharedUnknown,
        SymbolKind::Fixed { value: 7, tells_apart: false },
        SymbolKind::Fixed { value: 7, tells_apart: true },
        SymbolKind::Fixed { value: u64::MAX, tells_apart: true },
        SymbolKind::Place,
        SymbolKind::Any,
    ];
    let mut terms = Terms::new();
    let mut vars = Vec::new();
    for kind in kinds {
        for (occurrence, size, shape) in [
            (0, 8, SymbolShape::Scalar),
            (1, 8, SymbolShape::Scalar),
            (0, 8, SymbolShape::Bytes),
            (0, 9, SymbolShape::Bytes),
        ] {
            let symbol = terms.symbol(SymbolInfo { kind, name: "unknown".into(), occurrence, size, shape });
            vars.push(terms.var(symbol, 0));
        }
    }
    let mut hashes: Vec<StructuralHash> = vars.iter().map(|&var| terms.structural_hash(var)).collect();
    let roots: Vec<Root> = vars.iter().copied().map(Root::Term).collect();
    let bytes = export(&terms, &roots);
    assert_eq!(import(&mut terms, &bytes), Ok(roots));
    let mut other = Terms::new();
    let again = import(&mut other, &bytes).expect("it was written just now");
    for (&var, root) in vars.iter().zip(&again) {
        let Root::Term(there) = *root else { panic!("no term") };
        let info = |terms: &Terms, var: Term| terms.symbol_info(terms.node(var).symbol()).clone();
        assert_eq!(info(&terms, var), info(&other, there));
    }
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), vars.len());
}

/// Bases with gaps, pages of terms, and long chains of stores.
#[test]
fn arrays_keep_their_pages_and_stores() {
    let mut pool = Pool::new(Constants::default());
    let (x, byte, other) = (pool.vars[2], pool.vars[0], pool.vars[5]);
    let t = &mut pool.terms;
    let numbers: Vec<u8> = (0..=255).collect();
    let plain = t.concrete_array_page(&numbers);
    let mixed = t.array_page(&[ArrayByte::Concrete(3), ArrayByte::Term(byte), ArrayByte::Concrete(9)]);
    let mut array = t.array_of_pages(1 << 40, ArrayByte::Term(other), vec![(2, plain), (7, mixed), (1 << 30, plain)]);
    for i in 0..200 {
        let offset = t.constant(3 * i, 32);
        let at = t.add(x, offset);
        array = t.array_store(array, at, byte);
    }
    let far = t.constant(100_000, 32);
    let far = t.add(x, far);
    let read = t.read(array, far);
    let roots = vec![Root::Term(read), Root::Array(array)];
    let bytes = export(t, &roots);
    assert_eq!(import(t, &bytes), Ok(roots));
    let mut there = Terms::new();
    let again = import(&mut there, &bytes).expect("it was written just now");
    let [Root::Term(read_there), Root::Array(array_there)] = again[..] else { panic!("other roots") };
    assert_eq!(there.structural_hash(read_there), t.structural_hash(read));
    let (base, base_there) = (t.array_base_of(array), there.array_base_of(array_there));
    assert_eq!((base.len(), base.written()), (base_there.len(), base_there.written()));
    let mut model = Model::new();
    model.set(byte, 77);
    let here: Vec<_> = t.array_bytes(base).map(|(at, _)| at).collect();
    let positions: Vec<_> = there.array_bytes(base_there).map(|(at, _)| at).collect();
    assert_eq!(here, positions);
    assert!(matches!(there.array_node(array_there), ArrayNode::Store { .. }));
    assert_eq!(export(&there, &again), bytes);
}

/// What a term takes: an operator and how far back its arguments are.
#[test]
fn terms_take_few_bytes() {
    let mut pool = Pool::new(Constants::default());
    let (x, y) = (pool.vars[2], pool.scalar("y", 4));
    let t = &mut pool.terms;
    let mut sum = x;
    for i in 0..1000 {
        let product = t.mul(sum, y);
        let constant = t.constant(i % 50 + 3, 32);
        sum = t.xor(product, constant);
    }
    let terms = t.postorder(&[sum]).len();
    let bytes = export(t, &[Root::Term(sum)]).len();
    assert!(terms > 2000 && bytes < 5 * terms, "{bytes} bytes for {terms} terms");
}

#[test]
fn what_is_not_possible_is_refused() {
    // Nothing before it, then one item and no root.
    let refused = |item: &[u8]| {
        let mut bytes = [&b"ETM\x01\x01\x00\x00\x01"[..], item, &[0; 9]].concat();
        repair(&mut bytes);
        import(&mut Terms::new(), &bytes).err()
    };
    assert_eq!(refused(&[0, 8, 255, 1]), None, "a constant of 8 bits");
    for (item, expected) in [
        (&[0, 8, 128, 2][..], Damaged::Width),
        (&[0, 0, 0], Damaged::Width),
        (&[0, 65, 0], Damaged::Width),
        (&[1, 70, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], Damaged::Width),
        (&[2, 0, 0], Damaged::Reference),
        (&[3, 0], Damaged::Reference),
        (&[3, 1], Damaged::Reference),
        (&[5, 1, 2], Damaged::Reference),
        (&[43], Damaged::Tag),
        (&[0x42, 8, 0, 0, 1, 0, 1], Damaged::Reference),
        (&[0x43, 1, 1, 1], Damaged::Reference),
        (&[0x44], Damaged::Tag),
    ] {
        assert_eq!(refused(item), Some(expected), "{item:?}");
    }
}
