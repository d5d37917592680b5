//! Records made at random, and the way to write them.

use espalier_store::{
    Answers, BatchWriter, End, Outcome, OutcomeParts, Place, Record, RecordId, RecordParts, Verdict, Way, WayRef, Why,
};
use proptest::collection::vec;
use proptest::prelude::*;

fn id() -> impl Strategy<Value = RecordId> {
    prop_oneof![4 => 0u64..20_000, 1 => any::<u64>(), 1 => (0u64..4).prop_map(|worker| worker << 48 | 7)]
        .prop_map(RecordId)
}

fn end() -> impl Strategy<Value = End> {
    use Why::*;
    let why = proptest::sample::select(vec![Depth, Forks, Unwind, Values, StackDepth, ForkingOff, Crash, Other]);
    let verdict = prop_oneof![
        Just(Verdict::Exit),
        Just(Verdict::Error),
        any::<u32>().prop_map(Verdict::Target),
        Just(Verdict::Infeasible),
        Just(Verdict::Silent),
        why.prop_map(Verdict::Cut),
        Just(Verdict::Unsupported),
        Just(Verdict::Unknown),
        Just(Verdict::Covered),
        Just(Verdict::Irrelevant),
    ];
    (verdict, any::<Option<u64>>()).prop_map(|(verdict, test)| End { verdict, test })
}

/// Branches with their labels in each order, labels that look like those of branches, and others.
fn ways() -> impl Strategy<Value = Vec<Way>> {
    let label = prop_oneof![Just(vec![0]), Just(vec![1]), Just(vec![]), vec(any::<u8>(), 0..40)];
    let listed = vec((label, proptest::option::of(end())), 0..6);
    let branch = (any::<bool>(), proptest::option::of(end()), proptest::option::of(end()))
        .prop_map(|(yes_first, one, two)| vec![(vec![yes_first.into()], one), (vec![(!yes_first).into()], two)]);
    prop_oneof![listed, branch]
        .prop_map(|ways| ways.into_iter().map(|(label, end)| Way { label: label.into(), end }).collect())
}

fn answers() -> impl Strategy<Value = Answers> {
    let bits = prop_oneof![Just(0usize), 1usize..9, 1usize..400]
        .prop_flat_map(|count| (Just(count as u32), vec(any::<u8>(), count.div_ceil(4))));
    let numbers = prop_oneof![Just(vec![]), vec(any::<u8>(), 0..30)];
    (bits, numbers).prop_map(|((count, bits), numbers)| Answers { count, bits: bits.into(), numbers: numbers.into() })
}

pub fn record() -> impl Strategy<Value = Record> {
    let outcome = prop_oneof![
        (id(), ways()).prop_map(|(first_child, ways)| Outcome::Fork { first_child, ways }),
        end().prop_map(Outcome::End),
        id().prop_map(|child| Outcome::Mark { child }),
    ];
    let number = || prop_oneof![0u64..1000, any::<u64>()];
    (id(), number(), number(), number(), any::<u32>(), number(), answers(), outcome).prop_map(
        |(id, function, instruction, instructions, trace, work, answers, outcome)| Record {
            id,
            function: function as u32,
            instruction: instruction as u32,
            instructions,
            trace,
            work,
            answers,
            outcome,
        },
    )
}

pub fn push(writer: &mut BatchWriter, record: &Record, again: bool) -> Place {
    let refs: Vec<WayRef<'_>> = match &record.outcome {
        Outcome::Fork { ways, .. } => ways.iter().map(|way| WayRef { label: &way.label, end: way.end }).collect(),
        _ => Vec::new(),
    };
    let outcome = match record.outcome {
        Outcome::Fork { first_child, .. } => OutcomeParts::Fork { first_child, ways: &refs },
        Outcome::End(end) => OutcomeParts::End(end),
        Outcome::Mark { child } => OutcomeParts::Mark { child },
    };
    let Record { id, function, instruction, instructions, trace, work, ref answers, .. } = *record;
    let answers = answers.view();
    writer.push(&RecordParts { id, function, instruction, instructions, trace, work, answers, outcome, again })
}
