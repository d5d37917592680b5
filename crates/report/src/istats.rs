//! `run.istats`: where instructions were executed and the solver's time went, in the format of
//! callgrind, so that KCachegrind shows it.
//!
//! Positions are numbers of our own instructions, and lines. What a call costs with all that it
//! leads to is not measured: it is the callee's share of its own and its callees' costs, by how
//! often it is called from there, as profilers do it. Recursive calls are counted once.

use espalier_engine::{FuncId, FunctionProfile, Outcome, Program};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Costs of an instruction: executed, covered, and solver time in microseconds.
type Costs = [u64; 3];

struct Profile<'a> {
    functions: FxHashMap<FuncId, &'a FunctionProfile>,
    /// With all that they lead to, once they are known; `None` while they are found out.
    inclusive: FxHashMap<FuncId, Option<Costs>>,
}

pub(crate) fn text(program: &Program, outcome: &Outcome, command: &[String]) -> String {
    let mut text = format!(
        "version: 1\ncreator: klee\npid: {}\ncmd: {}\n\n\npositions: instr line\nevents: I Icov Stime\n",
        std::process::id(),
        command.join(" ")
    );
    let functions = outcome.profile.iter().map(|profile| (profile.function, profile)).collect();
    let mut profile = Profile { functions, inclusive: FxHashMap::default() };
    let total = outcome.profile.iter().map(own_costs).fold([0; 3], sum);
    let _ = writeln!(text, "summary: {}\nob=assembly.ll", shown(total));
    let mut last_file = None;
    let place = |profile: &FunctionProfile| profile.instructions.iter().map(|one| one.loc).find(|loc| loc.is_known());
    let mut in_order: Vec<&FunctionProfile> = outcome.profile.iter().collect();
    in_order.sort_by_key(|profile| place(profile).map(|loc| (loc.file, loc.line)));
    for profiled in in_order {
        let FunctionProfile { function, instructions } = profiled;
        let file = place(profiled).map(|loc| program.file_name(loc.file));
        if file != last_file {
            let _ = writeln!(text, "fl={}", file.unwrap_or_default());
            last_file = file;
        }
        let _ = writeln!(text, "fn={}", program.function(*function).name);
        for one in instructions.iter().filter(|one| one.count > 0) {
            let position = format!("{} {}", one.number, one.loc.line);
            let _ = writeln!(text, "{position} {}", shown([one.count, 1, one.solver_nanos / 1000]));
            let callee = one.callee.and_then(|callee| profile.functions.get(&callee).copied());
            if let Some(callee) = callee {
                let costs = profile.share(callee, one.count);
                let target = callee.instructions.first().map_or((1, 0), |first| (first.number, first.loc.line));
                let _ = writeln!(
                    text,
                    "cfn={}\ncalls={} {} {}\n{position} {}",
                    program.function(callee.function).name,
                    one.count,
                    target.0,
                    target.1,
                    shown(costs)
                );
            }
        }
    }
    text
}

fn shown(costs: Costs) -> String {
    costs.map(|cost| cost.to_string()).join(" ")
}

fn sum(one: Costs, other: Costs) -> Costs {
    std::array::from_fn(|index| one[index] + other[index])
}

fn own_costs(profile: &FunctionProfile) -> Costs {
    let executed = profile.instructions.iter().filter(|one| one.count > 0);
    executed.map(|one| [one.count, 1, one.solver_nanos / 1000]).fold([0; 3], sum)
}

impl Profile<'_> {
    /// What so many calls of a function cost.
    fn share(&mut self, callee: &FunctionProfile, calls: u64) -> Costs {
        let entered = callee.instructions.first().map_or(1, |first| first.count.max(1));
        let all = self.inclusive(callee);
        all.map(|cost| (u128::from(cost) * u128::from(calls.min(entered)) / u128::from(entered)) as u64)
    }

    fn inclusive(&mut self, profile: &FunctionProfile) -> Costs {
        match self.inclusive.get(&profile.function) {
            Some(Some(known)) => return *known,
            Some(None) => return [0; 3],
            None => {}
        }
        self.inclusive.insert(profile.function, None);
        let mut costs = own_costs(profile);
        for one in profile.instructions.iter().filter(|one| one.count > 0) {
            let callee = one.callee.and_then(|callee| self.functions.get(&callee).copied());
            if let Some(callee) = callee {
                costs = sum(costs, self.share(callee, one.count));
            }
        }
        self.inclusive.insert(profile.function, Some(costs));
        costs
    }
}
