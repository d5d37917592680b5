//! How long it takes to write and to scan records of a tree that is explored at random, and how
//! many bytes they have: `cargo run --release -p espalier-store --example speed`.

use espalier_store::{
    AnswersView, Batch, BatchWriter, Commit, End, OutcomeParts, OutcomeView, Reader, RecordId, RecordParts, Store,
    Verdict, WayRef, Writer,
};
use std::hint::black_box;
use std::time::Instant;

const RECORDS: u64 = 10_000_000;
/// The fastest of so many counts, as others use the machine too.
const ROUNDS: u64 = 4;

/// Forks are as many as ends; one in eight forks has labels of its own, one of which has ended.
/// Without `push`, what making the records takes.
fn write(only: Option<bool>, push: bool, mut sent: impl FnMut(&mut BatchWriter)) -> BatchWriter {
    let mut writer = BatchWriter::new(1, 0, 1);
    let answers = AnswersView { count: 5, bits: &[0x55, 1], numbers: &[] };
    let end = End { verdict: Verdict::Exit, test: Some(100_000) };
    let silent = End { verdict: Verdict::Infeasible, test: None };
    let branch = [WayRef { label: &[1], end: None }, WayRef { label: &[0], end: None }];
    let values = [
        WayRef { label: &[3, 7, 9], end: None },
        WayRef { label: &[3, 8, 9], end: None },
        WayRef { label: &[4], end: Some(silent) },
    ];
    let mut random = 1u64;
    let mut open = vec![RecordId(0)];
    for count in 0..RECORDS {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let id = open.pop().unwrap_or_else(|| writer.next_ids(1));
        let outcome = if only.unwrap_or(open.len() < 30 || random >> 63 == 0) {
            let first_child = writer.next_ids(2);
            open.extend([first_child, RecordId(first_child.0 + 1)]);
            let ways = if only.is_none() && random >> 40 & 7 == 0 { &values[..] } else { &branch };
            OutcomeParts::Fork { first_child, ways }
        } else {
            OutcomeParts::End(end)
        };
        let record = RecordParts {
            id,
            function: 200 + (random >> 33 & 0x3f) as u32,
            instruction: (random >> 20 & 0xff) as u32,
            instructions: 100 + (random >> 50 & 0xff),
            trace: random as u32,
            work: random >> 45,
            answers,
            outcome,
            again: false,
        };
        if push {
            writer.push(&record);
        } else {
            black_box(&record);
        }
        if count % 65536 == 65535 {
            sent(&mut writer);
        }
    }
    writer
}

/// Nanoseconds for each record.
fn scan(batches: &[Batch]) -> f64 {
    let begin = Instant::now();
    let (mut records, mut open, mut sum) = (0u64, 0u64, 0u64);
    for batch in batches {
        for view in batch.views() {
            let (place, view) = view.expect("it is whole");
            records += 1;
            sum ^= place.0 ^ view.id.0 ^ view.instructions ^ u64::from(view.function ^ view.instruction ^ view.trace);
            match view.outcome {
                OutcomeView::Fork { ways, .. } => open += ways.filter(|way| way.end.is_none()).count() as u64,
                OutcomeView::End(end) => sum ^= end.test.unwrap_or(0),
                OutcomeView::Mark { child } => sum ^= child.0,
            }
        }
    }
    black_box((open, sum));
    begin.elapsed().as_nanos() as f64 / records as f64
}

fn main() {
    for (what, only) in [("fork", Some(true)), ("end", Some(false)), ("mixed", None)] {
        let mut bytes = 0;
        let mut count = |writer: &mut BatchWriter| {
            bytes += writer.seal().iter().map(|batch| batch.data.len()).sum::<usize>();
        };
        let mut times = [false, true].map(|push| {
            let rounds = (0..ROUNDS).map(|_| {
                let begin = Instant::now();
                let mut writer = write(only, push, &mut count);
                count(&mut writer);
                begin.elapsed().as_nanos() as f64 / RECORDS as f64
            });
            rounds.fold(f64::INFINITY, f64::min)
        });
        times[1] -= times[0];
        println!("{what}: {:.2} bytes, {:.1} ns a push", bytes as f64 / (ROUNDS * RECORDS) as f64, times[1]);
    }
    let dir = std::env::temp_dir().join(format!("espalier-store-speed-{}", std::process::id()));
    let begin = Instant::now();
    let thread = Writer::start(Store::create(&dir, &[]).expect("the directory can be written"));
    let mut writer = write(None, true, |writer| thread.send(Commit { batches: writer.seal(), ..Commit::default() }));
    thread.send(Commit { batches: writer.seal(), ..Commit::default() });
    thread.finish("", "").expect("there is space");
    println!("on disk after {:.2} s", begin.elapsed().as_secs_f64());
    let begin = Instant::now();
    let mut batches = Vec::new();
    Reader::open(&dir).and_then(|reader| reader.scan(&mut |_, batch| batches.push(batch))).expect("it was written");
    println!("read from the database in {:.2} s", begin.elapsed().as_secs_f64());
    let nanos = (0..ROUNDS).map(|_| scan(&batches)).fold(f64::INFINITY, f64::min);
    println!("{nanos:.1} ns a record scanned");
    std::fs::remove_dir_all(&dir).expect("it is ours");
}
