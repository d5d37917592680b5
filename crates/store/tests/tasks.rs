//! Workers that share a tree, in each kind of database: everything is done once, nothing is lost,
//! and who was taken for dead writes nothing.

mod homes;

use espalier_store::{Batch, Commit, Event, Held, Reader, RecordId, Store, StoreError, Task, Tasks};
use homes::{Home, with_both};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

with_both!(
    tasks_are_claimed_given_released_and_finished,
    who_was_taken_for_dead_writes_nothing,
    nobody_writes_when_a_run_is_closed,
    workers_of_an_earlier_run_are_refused,
    numbers_of_batches_grow_from_parents_to_children,
    each_task_is_claimed_once,
    events_arrive_once_and_in_order,
    nothing_that_others_learn_is_missed,
    notices_reach_those_who_come_later,
    coverage_reaches_the_others,
    a_tree_has_one_owner,
    batches_are_read_in_order,
    damaged_rows_are_skipped,
);

/// The owner, in its first run.
fn own(home: &Home) -> (Store, Tasks) {
    let mut store = Store::create(&home.location, &[]).unwrap();
    store.begin_run("now", "", "").unwrap();
    let tasks = Tasks::begin(&home.location, store.run(), 1).unwrap();
    (store, tasks)
}

fn join(home: &Home) -> Tasks {
    Tasks::join(&home.location).unwrap()
}

fn claim(tasks: &mut Tasks) -> Task {
    tasks.claim().unwrap().expect("there is a task")
}

fn batch(seq: u64, worker: u16) -> Batch {
    let base = RecordId::new(worker, seq);
    Batch { seq, worker, base, next_id: seq + 1, records: 1, revised: vec![base], data: vec![seq as u8; 3000] }
}

fn commit_for(held: Held, batches: Vec<Batch>) -> Commit {
    Commit { batches, task: Some(held), ..Commit::default() }
}

fn scan(reader: &Reader) -> Vec<u64> {
    let mut seen = Vec::new();
    reader.scan(&mut |_, batch| seen.push(batch.seq)).unwrap();
    seen
}

fn is_lost<T>(result: Result<T, StoreError>) -> bool {
    matches!(result, Err(StoreError::Lost(_)))
}

fn is_over<T>(result: Result<T, StoreError>) -> bool {
    matches!(result, Err(StoreError::Over(_)))
}

const EXPIRE: &str = "UPDATE task SET expires = 1 WHERE worker <> 0";

fn tasks_are_claimed_given_released_and_finished(home: &Home) {
    let (_store, mut owner) = own(home);
    let (mut first, mut second) = (join(home), join(home));
    assert_eq!((owner.worker(), first.worker(), second.worker()), (0, 1, 2));
    assert_eq!(first.run(), owner.run());
    assert_eq!(first.claim().unwrap(), None);
    assert_eq!(owner.counts().unwrap().idle, 1);

    owner.add(&[b"all".to_vec()]).unwrap();
    let all = claim(&mut first);
    assert_eq!((&*all.data, all.deaths, all.held.epoch, all.given.len()), (&b"all"[..], 0, 1, 0));
    assert_eq!(second.claim().unwrap(), None, "the other has it");
    let counts = owner.counts().unwrap();
    assert_eq!((counts.left, counts.free, counts.idle), (1, 0, 1));

    first.give(all.held, all.deaths, &[b"left".to_vec(), b"right".to_vec()]).unwrap();
    let left = claim(&mut second);
    assert_eq!(left.data, b"left");
    first.release(1, false).unwrap();
    assert!(is_lost(first.finish(all.held)), "it was released");
    let right = claim(&mut first);
    assert_eq!(right.data, b"all", "what was free first goes first");
    assert_eq!((right.deaths, right.held.epoch), (0, 2));
    assert_eq!(right.given, [b"left".to_vec(), b"right".to_vec()]);

    second.finish(left.held).unwrap();
    assert!(is_lost(second.finish(left.held)), "it is finished");
    first.finish(right.held).unwrap();
    let last = claim(&mut second);
    second.finish(last.held).unwrap();
    assert_eq!(second.claim().unwrap(), None);
    assert_eq!(owner.counts().unwrap().left, 0);
    let colleagues = owner.colleagues().unwrap();
    assert_eq!(colleagues.iter().map(|colleague| colleague.number).collect::<Vec<_>>(), [1, 2]);
}

fn who_was_taken_for_dead_writes_nothing(home: &Home) {
    let (_store, mut owner) = own(home);
    let (mut zombie, mut heir) = (join(home), join(home));
    owner.add(&[b"all".to_vec()]).unwrap();
    let held = claim(&mut zombie).held;
    let mut writes = zombie.store().unwrap();
    writes.commit(&commit_for(held, vec![batch(1, 1)])).unwrap();
    home.change(EXPIRE);
    writes.commit(&commit_for(held, vec![batch(2, 1)])).unwrap();
    assert_eq!(heir.claim().unwrap(), None, "who writes is alive");

    home.change(EXPIRE);
    let inherited = claim(&mut heir);
    assert_eq!((inherited.deaths, inherited.held.epoch), (1, held.epoch + 1));
    let all = Commit {
        learnt: vec![vec![1]],
        snapshot: Some(vec![2]),
        events: Some(vec![3]),
        progress: Some(vec![4]),
        ..commit_for(held, vec![batch(3, 1)])
    };
    let error = writes.commit(&all).unwrap_err();
    assert!(matches!(error, StoreError::Lost(_)), "{error}");
    assert!(error.to_string().contains("another worker has taken over the task"), "{error}");
    assert!(is_lost(zombie.give(held, 0, &[vec![5]])) && is_lost(zombie.finish(held)));

    let reader = owner.reader();
    assert_eq!(scan(reader), [1, 2]);
    reader.learnt(&mut |_| panic!("it was learnt by a zombie")).unwrap();
    assert_eq!(reader.snapshots().unwrap(), []);
    assert_eq!(owner.colleagues().unwrap()[0].progress, None);
    assert_eq!(owner.events().unwrap(), []);
    assert_eq!(owner.counts().unwrap().left, 1);
    heir.store().unwrap().commit(&commit_for(inherited.held, vec![batch(3, 2)])).unwrap();
    heir.finish(inherited.held).unwrap();
    owner.release(2, true).unwrap();
    assert_eq!(owner.counts().unwrap().left, 0, "it was finished before");
}

fn nobody_writes_when_a_run_is_closed(home: &Home) {
    let (store, mut owner) = own(home);
    let mut old = join(home);
    owner.add(&[b"all".to_vec()]).unwrap();
    let held = claim(&mut old).held;
    let mut writes = old.store().unwrap();
    owner.close().unwrap();
    assert!(is_over(writes.commit(&commit_for(held, vec![batch(1, 1)]))));
    assert!(is_over(writes.commit(&Commit { snapshot: Some(vec![1]), ..Commit::default() })));
    assert!(is_over(old.claim()) && is_over(old.finish(held)));
    assert!(matches!(Tasks::join(&home.location), Err(StoreError::NotShared(_))));
    assert_eq!(scan(owner.reader()), [] as [u64; 0]);
    assert!(owner.reader().snapshots().unwrap().is_empty());
    // Nor when another owner comes, whatever has become of the one before.
    drop(store);
    let mut owner = Tasks::begin(&home.location, 1, 1).unwrap();
    owner.add(&[b"all".to_vec()]).unwrap();
    let mut zombie = join(home);
    let held = claim(&mut zombie).held;
    let store = Store::open(&home.location).unwrap();
    assert!(is_over(zombie.finish(held)) && is_over(zombie.claim()));
    assert_eq!(owner.counts().unwrap().left, 0);
    drop(store);
}

fn workers_of_an_earlier_run_are_refused(home: &Home) {
    let (mut store, mut owner) = own(home);
    let mut old = join(home);
    owner.add(&[b"old".to_vec()]).unwrap();
    let held = claim(&mut old).held;
    let mut writes = old.store().unwrap();

    store.begin_run("later", "", "").unwrap();
    let mut owner_now = Tasks::begin(&home.location, store.run(), 100).unwrap();
    owner_now.add(&[b"new".to_vec()]).unwrap();
    assert!(is_over(old.claim()) && is_over(old.finish(held)) && is_over(old.publish(&[1])));
    assert!(is_over(owner.add(&[b"more".to_vec()])) && is_over(owner.tell(b"stop")));
    let mut new = join(home);
    let task = claim(&mut new);
    assert_eq!((new.worker(), &*task.data), (old.worker(), &b"new"[..]), "numbers of workers begin anew");
    assert_ne!(task.held, held, "those of tasks do not");
    assert!(is_over(writes.commit(&commit_for(held, vec![batch(1, 1)]))));
    assert!(is_over(writes.commit(&Commit { events: Some(vec![1]), ..Commit::default() })));
    new.store().unwrap().commit(&commit_for(task.held, vec![batch(100, 1)])).unwrap();
    assert_eq!(scan(new.reader()), [100]);
    assert_eq!(owner_now.events().unwrap(), []);
}

fn numbers_of_batches_grow_from_parents_to_children(home: &Home) {
    let (_store, mut owner) = own(home);
    owner.add(&[vec![0]]).unwrap();
    let mut workers: Vec<Tasks> = (0..3).map(|_| join(home)).collect();
    let mut highest = BTreeMap::from([(0, 0)]);
    for step in 0..12u8 {
        let worker = &mut workers[usize::from(step) % 3];
        let task = claim(worker);
        let first = worker.reserve(4).unwrap();
        let parent = highest[&task.data[0]];
        assert!(first > parent, "{first} comes after {parent}");
        let number = worker.worker();
        let batches = (first..first + 4).map(|seq| batch(seq, number)).collect();
        worker.store().unwrap().commit(&commit_for(task.held, batches)).unwrap();
        for child in [2 * step + 1, 2 * step + 2] {
            worker.give(task.held, 0, &[vec![child]]).unwrap();
            highest.insert(child, first + 3);
        }
        let mut seen = Vec::new();
        worker.reader().scan_task(task.held.task, &mut |batch| seen.push(batch.seq)).unwrap();
        assert!(seen.into_iter().eq(first..first + 4));
        assert_eq!(worker.next_id().unwrap(), first + 4);
        worker.finish(task.held).unwrap();
    }
}

fn each_task_is_claimed_once(home: &Home) {
    let (_store, mut owner) = own(home);
    owner.add(&(0..200u8).map(|number| vec![number]).collect::<Vec<_>>()).unwrap();
    let explore = || {
        let mut tasks = join(home);
        let mut done = Vec::new();
        while let Some(task) = tasks.claim().unwrap() {
            assert_eq!((task.held.epoch, task.deaths), (1, 0));
            tasks.finish(task.held).unwrap();
            done.push(task.data[0]);
        }
        (tasks.worker(), done)
    };
    let done: Vec<(u16, Vec<u8>)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(explore)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut numbers: Vec<u16> = done.iter().map(|(worker, _)| *worker).collect();
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(1..=8));
    let mut all: Vec<u8> = done.into_iter().flat_map(|(_, done)| done).collect();
    all.sort_unstable();
    assert!(all.into_iter().eq(0..200), "each once");
    assert_eq!(owner.counts().unwrap().left, 0);
}

/// Has four workers commit something 25 times each, at the same time, while this is done until it
/// was done once after they all have ended. The commits of a worker are numbered.
fn while_four_write(home: &Home, commit: impl Fn(u8) -> Commit + Sync, mut meanwhile: impl FnMut()) {
    let write = || {
        let mut store = join(home).store().unwrap();
        (0..25).for_each(|number| store.commit(&commit(number)).unwrap());
    };
    let are_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(write)).collect();
        scope.spawn(|| {
            threads.into_iter().for_each(|thread| thread.join().unwrap());
            are_over.store(true, Ordering::Release);
        });
        loop {
            let is_last = are_over.load(Ordering::Acquire);
            meanwhile();
            if is_last {
                break;
            }
        }
    });
}

fn events_arrive_once_and_in_order(home: &Home) {
    let (_store, mut owner) = own(home);
    let commit = |number| Commit { events: Some(vec![number]), ..Commit::default() };
    let mut events: BTreeMap<u16, Vec<u8>> = BTreeMap::new();
    while_four_write(home, commit, || {
        let new = owner.events().unwrap();
        owner.drop_events(&new.iter().map(|event| event.seq).collect::<Vec<_>>()).unwrap();
        for Event { worker, data, .. } in new {
            events.entry(worker).or_default().extend(data);
        }
    });
    let all: Vec<u8> = (0..25).collect();
    assert_eq!(events, (1..=4).map(|worker| (worker, all.clone())).collect());
}

fn nothing_that_others_learn_is_missed(home: &Home) {
    let (_store, _owner) = own(home);
    let mut reader = join(home);
    // The longer the transactions, the more of them are under way at a time.
    let commit = |number: u8| Commit {
        batches: Vec::new(),
        learnt: vec![vec![number]; 3],
        snapshot: Some(vec![number; 10_000]),
        ..Commit::default()
    };
    let mut counts = [0; 25];
    while_four_write(home, commit, || {
        reader.news().unwrap().learnt.iter().for_each(|learnt| counts[usize::from(learnt[0])] += 1);
    });
    assert_eq!(counts, [12; 25]);
    let mut own = reader.store().unwrap();
    own.commit(&Commit { learnt: vec![vec![99]], ..Commit::default() }).unwrap();
    assert_eq!(reader.news().unwrap().learnt, [] as [Vec<u8>; 0]);
}

fn notices_reach_those_who_come_later(home: &Home) {
    let (mut store, mut owner) = own(home);
    let mut early = join(home);
    owner.tell(b"one").unwrap();
    assert_eq!(early.notices().unwrap(), [b"one"]);
    owner.tell(b"two").unwrap();
    let mut late = join(home);
    assert_eq!(late.notices().unwrap(), [b"one", b"two"]);
    assert_eq!(early.news().unwrap().notices, [b"two"]);
    assert_eq!(late.news().unwrap().notices, [] as [Vec<u8>; 0]);
    store.begin_run("later", "", "").unwrap();
    let mut owner = Tasks::begin(&home.location, store.run(), 1).unwrap();
    owner.tell(b"three").unwrap();
    assert_eq!(join(home).notices().unwrap(), [b"three"]);
}

fn coverage_reaches_the_others(home: &Home) {
    let (_store, _owner) = own(home);
    let (mut first, mut second) = (join(home), join(home));
    first.publish(b"some").unwrap();
    first.publish(b"more").unwrap();
    assert_eq!(second.news().unwrap().coverage, [b"more"]);
    assert_eq!(first.news().unwrap().coverage, [] as [Vec<u8>; 0]);
    second.publish(b"other").unwrap();
    assert_eq!(first.news().unwrap().coverage, [b"other"]);
    assert_eq!(second.news().unwrap().coverage, [] as [Vec<u8>; 0]);
}

fn a_tree_has_one_owner(home: &Home) {
    let (store, _owner) = own(home);
    for _ in 0..2 {
        let error = Store::open(&home.location).unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, StoreError::Owned { pid: Some(_), .. }), "{text}");
        assert!(text.contains(&format!("process {}", std::process::id())), "{text}");
        assert!(text.ends_with("wait for it, or stop it"), "{text}");
    }
    assert!(matches!(Store::create(&home.location, &[]), Err(StoreError::Owned { .. })));
    assert!(matches!(Store::set_aside(&home.location), Err(StoreError::Owned { .. })));
    join(home);
    drop(store);
    drop(Store::open(&home.location).unwrap());
    Store::set_aside(&home.location).unwrap();
    assert!(matches!(Reader::open(&home.location), Err(StoreError::Missing(_))));
    Store::create(&home.location, &[]).unwrap();
}

fn batches_are_read_in_order(home: &Home) {
    let (mut store, _owner) = own(home);
    let numbers = [70, 7, 1 << 30, 9, 8, 500];
    for seq in numbers {
        store.commit(&Commit { batches: vec![batch(seq, 0)], ..Commit::default() }).unwrap();
    }
    let more = (1000..1100).map(|seq| batch(seq, 3)).collect();
    store.commit(&Commit { batches: more, ..Commit::default() }).unwrap();
    let mut all: Vec<u64> = numbers.into_iter().chain(1000..1100).collect();
    all.sort_unstable();
    let reader = store.reader().unwrap();
    assert_eq!(scan(&reader), all);
    assert_eq!(reader.batch(1050).unwrap(), Some(batch(1050, 3)));
    assert_eq!(reader.batch(2).unwrap(), None);
    assert_eq!(reader.revised().unwrap().len(), all.len());
    assert!(reader.bytes().unwrap() > 100 * 1024);
}

fn damaged_rows_are_skipped(home: &Home) {
    let (mut store, _owner) = own(home);
    let batches = (1..=40).chain([1 << 20, (1 << 20) + 1]).map(|seq| batch(seq, 0)).collect();
    let learnt = vec![vec![1; 100], vec![2; 100], vec![3; 100]];
    store.commit(&Commit { batches, learnt, snapshot: Some(vec![4; 100]), ..Commit::default() }).unwrap();
    home.change("UPDATE batch SET data = (SELECT data FROM batch WHERE seq = 8) WHERE seq = 7");
    home.change("UPDATE batch SET next_id = 1 WHERE seq IN (20, 21, 1048576)");
    home.change("UPDATE learnt SET data = (SELECT data FROM learnt WHERE seq = 1) WHERE seq = 2");
    home.change("UPDATE snapshot SET hash = 1");
    let reader = store.reader().unwrap();
    let mut seen = Vec::new();
    let scanned = reader.scan(&mut |_, batch| seen.push(batch.seq)).unwrap();
    let whole: Vec<u64> = (1..=40).filter(|seq| ![7, 20, 21].contains(seq)).chain([(1 << 20) + 1]).collect();
    assert_eq!(seen, whole);
    assert_eq!((scanned.batches, scanned.damaged, scanned.last_seq), (38, 4, (1 << 20) + 1));
    assert!(matches!(reader.batch(7), Err(StoreError::Batch { batch: 7, .. })));
    let mut learnt = Vec::new();
    reader.learnt(&mut |data| learnt.push(data[0])).unwrap();
    assert_eq!(learnt, [1, 3]);
    assert_eq!(reader.snapshots().unwrap(), []);
    assert_eq!(reader.skipped(), 6);
}
