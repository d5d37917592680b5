//! Where the time went and what the solver did (`--stats`).

use crate::no_interpolant_text::no_interpolant_text;
use espalier_base::{format_count, format_duration, format_size};
use espalier_engine::{Outcome, SolverStats as Stats, StageStats};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// What one stage of the solver chain answered, and how long those queries took from end to end.
pub(crate) struct Stage {
    pub(crate) name: &'static str,
    what: &'static str,
    pub(crate) answers: u64,
    pub(crate) time: Duration,
}

/// The stages of the chain, in order.
pub(crate) fn stages(stats: &Stats) -> Vec<Stage> {
    let stage = |name, what, stats: StageStats| Stage {
        name,
        what,
        answers: stats.answers,
        time: Duration::from_nanos(stats.nanos),
    };
    vec![
        stage("simplified", "constants and known constraints", stats.simplified),
        stage("hint", "the path's own model", stats.hint),
        stage("bounds", "bounds of the terms", stats.bounds),
        stage("cache", "seen before", stats.cache),
        stage("models", "a model of an earlier query", stats.models),
        stage("repair", "the path's model, changed a little", stats.repair),
        stage("boxes", "intervals of floats", stats.boxes),
        stage("cases", "all values of a few bytes", stats.cases),
        stage("sat", "bit-blasting", stats.sat),
        stage("smt", "the SMT solver", stats.smt),
    ]
}

pub(crate) fn render(outcome: &Outcome) -> String {
    let mut text = String::from("Solver chain:\n");
    let stats = &outcome.solver;
    let _ = writeln!(text, "  {:<12} {:>12} {:>10} {:>10}  answered by", "stage", "answers", "time", "each");
    for Stage { name, what, answers, time } in stages(stats) {
        let each = if answers == 0 { Duration::ZERO } else { time.div_f64(answers as f64) };
        let _ = writeln!(
            text,
            "  {name:<12} {:>12} {:>10} {:>8}us  {what}",
            format_count(answers),
            format_duration(time),
            format!("{:.1}", each.as_secs_f64() * 1e6),
        );
    }
    let backends = Duration::from_nanos(stats.sat_nanos + stats.smt_nanos);
    let shares = [("solver chain", outcome.solver_time), ("of that, backends", backends)];
    let _ = writeln!(
        text,
        "  {} queries: {} sat, {} unsat, {} unknown ({} timeouts); {} went on to the SMT solver",
        format_count(stats.queries),
        format_count(stats.sat_answers),
        format_count(stats.unsat_answers),
        format_count(stats.unknowns),
        format_count(stats.timeouts),
        format_count(stats.fell_over),
    );
    let _ = writeln!(
        text,
        "  {} variables, {} clauses, {} conflicts, {} solver resets; slicing left {} of {} constraints",
        format_count(stats.variables),
        format_count(stats.clauses),
        format_count(stats.conflicts),
        format_count(stats.solver_resets),
        format_count(stats.constraints_after_slicing),
        format_count(stats.constraints_before_slicing),
    );
    text += "Time:\n";
    let _ = writeln!(text, "  {:<20} {:>10}", "all", format_duration(outcome.elapsed));
    for (what, time) in shares {
        let share = percent(time, outcome.elapsed);
        let _ = writeln!(text, "  {what:<20} {:>10} {share:>3}%", format_duration(time));
    }
    let exec = &outcome.exec;
    let fork_time = Duration::from_nanos(exec.fork_nanos);
    let share = percent(fork_time, outcome.elapsed);
    let _ = writeln!(text, "  {:<20} {:>10} {share:>3}%", "copying states", format_duration(fork_time));
    let _ = writeln!(
        text,
        "Execution:\n  {} instructions, {} calls, {} forks, {} symbolic branches, {} symbolic accesses",
        format_count(exec.instructions),
        format_count(exec.calls),
        format_count(exec.forks),
        format_count(exec.symbolic_branches),
        format_count(exec.symbolic_accesses),
    );
    if let Some(prune) = &outcome.prune {
        render_pruning(&mut text, prune, outcome.elapsed);
    }
    if let Some(peak) = outcome.peak_memory {
        let _ = writeln!(text, "  {} peak memory", format_size(peak));
    }
    text
}

fn render_pruning(text: &mut String, stats: &espalier_engine::PruneStats, elapsed: Duration) {
    let table = &stats.table;
    let count = format_count;
    let _ = writeln!(text, "Interpolation:");
    let _ = writeln!(
        text,
        "  {} nodes; {} interpolants with {} clauses, {} evicted",
        count(stats.nodes),
        count(table.entries),
        count(table.clauses),
        count(table.evicted),
    );
    let _ = writeln!(
        text,
        "  {} look-ups: {} subsumed; entries rejected: {} by what must be the same, {} by value, {} by model, {} by the solver",
        count(table.checks),
        count(table.subsumed),
        count(table.rejected_by_needs),
        count(table.rejected_by_value),
        count(table.rejected_by_model),
        count(table.rejected_by_solver),
    );
    let _ = writeln!(
        text,
        "  {} states met before, {} that can reach nothing looked for",
        count(stats.repeated),
        count(stats.irrelevant)
    );
    if stats.gave_up {
        let _ = writeln!(text, "  given up: memory was short");
    }
    let _ = writeln!(
        text,
        "  {} units of work spent, about {} saved; {} pauses",
        count(stats.spent_work),
        count(stats.saved_work),
        count(stats.pauses)
    );
    for (what, nanos) in [("looking up", stats.check_nanos), ("learning", stats.learn_nanos)] {
        let time = Duration::from_nanos(nanos);
        let _ = writeln!(text, "  {what:<20} {:>10} {:>3}%", format_duration(time), percent(time, elapsed));
    }
    let failures = stats.failures.iter().map(|(reason, nodes)| (no_interpolant_text(*reason), *nodes));
    for (reason, nodes) in failures.collect::<BTreeMap<_, _>>() {
        let _ = writeln!(text, "  {} without an interpolant: {reason}", count(nodes));
    }
}

/// `part` of `whole` in percent, 0 if there is no whole.
pub(crate) fn percent(part: Duration, whole: Duration) -> u64 {
    if whole.is_zero() { 0 } else { (100.0 * part.as_secs_f64() / whole.as_secs_f64()).round() as u64 }
}
