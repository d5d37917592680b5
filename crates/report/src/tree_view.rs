//! A recorded tree in words, as JSON and for Graphviz (`espalier tree`).
//!
//! Results come first: how many paths there are and what became of them; then where the work went,
//! and what is left. Records name functions and instructions by number. With the program these are
//! places in its source, and without it they are shown as they are.

use crate::json::document;
use crate::place::Place;
use crate::plural::grouped_plural;
use espalier_base::{format_count, format_duration, format_size};
use espalier_engine::{Choice, Loc, Program, read_label};
use espalier_store::{
    Different, Differs, Divergence, Leaves, Outcome, Records, Run, Shape, Site, Slot, Status, StoreError, Verdict, Why,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// How many sites, subtrees and divergences are shown.
const SHOWN: usize = 8;
/// How many differences of two trees are.
const SHOWN_DIFFERENCES: usize = 20;
/// Rows of the depth profile, and the width of its bars.
const ROWS: usize = 16;
const BAR: u64 = 40;

/// Source places of what is recorded by number.
pub struct Places {
    /// None if it is not to be had as it was recorded.
    pub program: Option<Program>,
}

impl Places {
    fn loc(&self, function: u32, instruction: u32) -> Option<Loc> {
        let function = self.program.as_ref()?.functions.get(function as usize)?;
        let before = (instruction as usize).saturating_sub(1);
        Some(function.locs.get(before).copied().filter(Loc::is_known).unwrap_or(function.loc))
    }

    /// The source line, or 0.
    pub fn line(&self, function: u32, instruction: u32) -> u32 {
        self.loc(function, instruction).map_or(0, |loc| loc.line)
    }

    fn text(&self, function: u32, instruction: u32) -> String {
        let known = self.program.as_ref().zip(self.loc(function, instruction));
        let name = self.program.as_ref().and_then(|program| program.functions.get(function as usize));
        match (known.and_then(|(program, loc)| Place::new(program, loc)), name) {
            (Some(place), Some(function)) => format!("{place} ({})", function.name),
            (None, Some(function)) => format!("{}, instruction {instruction}", function.name),
            _ => format!("function {function}, instruction {instruction}"),
        }
    }

    fn site(&self, site: Option<&Site>) -> String {
        site.map_or_else(|| "not recorded".to_owned(), |site| self.text(site.function, site.instruction))
    }

    /// What was chosen at a fork in this function.
    fn label(&self, function: u32, label: &[u8]) -> String {
        let Some(choices) = read_label(label) else { return "an unknown choice".to_owned() };
        let words: Vec<String> = choices.into_iter().map(|choice| self.choice(function, choice)).collect();
        if words.is_empty() { "the rest".to_owned() } else { words.join(", ") }
    }

    fn choice(&self, function: u32, choice: Choice) -> String {
        match choice {
            Choice::No => "no".to_owned(),
            Choice::Yes => "yes".to_owned(),
            Choice::Case(edge) => {
                let function_of = self.program.as_ref().and_then(|program| program.functions.get(function as usize));
                let block = function_of.and_then(|function| {
                    let edge = function.edges.get(edge.0 as usize)?;
                    function.locs.get(function.blocks.get(edge.target.0 as usize)?.start as usize)
                });
                match block.filter(|loc| loc.is_known()) {
                    Some(loc) => format!("case at line {}", loc.line),
                    None => format!("case {}", edge.0),
                }
            }
            Choice::Value(value) => format!("value {value}"),
            Choice::Object(base) => format!("object at {base:#x}"),
            Choice::Nowhere => "no object".to_owned(),
            Choice::Rest => "the rest".to_owned(),
            Choice::Target(target) => format!("target {target} is reached"),
            Choice::Passed(target) => format!("past target {target}"),
            Choice::Handler => "handled by the program".to_owned(),
            Choice::Root(root) => format!("beginning {root}"),
        }
    }
}

/// A recorded tree, and all that is shown of it.
pub struct TreeView<'a> {
    pub shape: &'a Shape,
    pub leaves: &'a Leaves,
    pub runs: &'a [Run],
    pub divergences: &'a [Divergence],
    /// That the database takes on the disk.
    pub bytes: u64,
    pub places: &'a Places,
    /// Why there are no source places.
    pub no_program: Option<&'a str>,
}

/// What became of paths, in words.
fn verdict_text(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Exit => "exit",
        Verdict::Error => "error",
        Verdict::Target(_) => "reached a target",
        Verdict::Infeasible => "ruled out by an assumption",
        Verdict::Silent => "silent exit",
        Verdict::Unsupported => "not supported",
        Verdict::Unknown => "the solver did not know",
        Verdict::Covered => "covered by what was learnt",
        Verdict::Irrelevant => "leads to nothing that is looked for",
        Verdict::Cut(Why::Depth) => "cut by --max-depth",
        Verdict::Cut(Why::Forks) => "cut by --max-forks",
        Verdict::Cut(Why::Unwind) => "cut by --unwind",
        Verdict::Cut(Why::Values) => "cut: too many values or objects",
        Verdict::Cut(Why::StackDepth) => "cut by --max-stack-depth",
        Verdict::Cut(Why::ForkingOff) => "cut: forking was switched off",
        Verdict::Cut(Why::Crash) => "cut: it crashed the run",
        Verdict::Cut(Why::Other) => "cut for another reason",
    }
}

/// The same for other tools.
fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Exit => "exit",
        Verdict::Error => "error",
        Verdict::Target(_) => "target",
        Verdict::Infeasible => "infeasible",
        Verdict::Silent => "silent",
        Verdict::Unsupported => "unsupported",
        Verdict::Unknown => "solver-unknown",
        Verdict::Covered => "covered",
        Verdict::Irrelevant => "irrelevant",
        Verdict::Cut(Why::Depth) => "cut-depth",
        Verdict::Cut(Why::Forks) => "cut-forks",
        Verdict::Cut(Why::Unwind) => "cut-unwind",
        Verdict::Cut(Why::Values) => "cut-values",
        Verdict::Cut(Why::StackDepth) => "cut-stack-depth",
        Verdict::Cut(Why::ForkingOff) => "cut-forking-off",
        Verdict::Cut(Why::Crash) => "cut-crash",
        Verdict::Cut(Why::Other) => "cut-other",
    }
}

impl TreeView<'_> {
    fn bytes_per_node(&self) -> f64 {
        self.bytes as f64 / self.shape.nodes().max(1) as f64
    }

    /// Sites with forks, those with most of something first.
    fn hottest(&self, most: impl Fn(&Site) -> u64) -> Vec<Site> {
        let mut sites: Vec<Site> = self.shape.sites().iter().filter(|site| site.forks > 0).copied().collect();
        sites.sort_by_key(|site| (std::cmp::Reverse(most(site)), site.function, site.instruction));
        sites.truncate(SHOWN);
        sites
    }

    fn largest(&self) -> Vec<Slot> {
        if self.shape.unfinished() == 0 { Vec::new() } else { self.shape.largest_unfinished(self.leaves, SHOWN) }
    }

    /// Where a node came from: the fork above it, and what was chosen there.
    fn origin(&self, records: &mut Records<'_>, slot: Slot) -> Result<Option<(String, String)>, StoreError> {
        let Some(site) = self.shape.node(slot).parent.and_then(|parent| self.shape.site(parent)) else {
            return Ok(None);
        };
        let label = records.label(self.shape, slot)?.unwrap_or_default();
        Ok(Some((self.places.site(Some(site)), self.places.label(site.function, &label))))
    }

    fn counts(&self, slot: Slot) -> (u64, u64) {
        let at = slot.index();
        (u64::from(self.leaves.finished[at]), u64::from(self.leaves.unfinished[at]))
    }

    /// What `espalier tree` prints.
    pub fn summary(&self, records: &mut Records<'_>) -> Result<String, StoreError> {
        let (shape, mut text) = (self.shape, String::new());
        let _ = writeln!(
            text,
            "{} finished, {} unfinished; {}, {}",
            grouped_plural(shape.finished(), "path"),
            format_count(shape.unfinished()),
            grouped_plural(shape.nodes(), "node"),
            grouped_plural(shape.forks(), "fork"),
        );
        for (verdict, count) in shape.ended() {
            let _ = writeln!(text, "  {:>13}  {}", format_count(count), verdict_text(verdict));
        }
        if shape.unfinished() > 0 {
            let _ = writeln!(text, "  {:>13}  unfinished", format_count(shape.unfinished()));
        }
        let damaged = shape.scanned().damaged;
        if damaged > 0 {
            let _ = writeln!(
                text,
                "{} of records cannot be read: what they told of counts as unfinished",
                if damaged == 1 { "1 batch".to_owned() } else { format!("{} batches", format_count(damaged)) }
            );
        }
        if let Some(why) = self.no_program {
            let _ = writeln!(text, "Without source lines: {why}");
        }
        let _ = writeln!(text, "{} on disk, {:.1} bytes a node", format_size(self.bytes), self.bytes_per_node());
        let _ = writeln!(text, "Runs:");
        for run in self.runs {
            let end = match (&run.ended, &run.stop) {
                (Some(ended), Some(stop)) if !stop.is_empty() => format!("ended {ended}: {}", stop_text(stop)),
                (Some(ended), _) => format!("ended {ended}"),
                (None, _) => "going on, or killed".to_owned(),
            };
            let _ = writeln!(text, "  {:>3}  began {}, {end}", run.id, run.started);
        }
        self.profile(&mut text);
        let by_forks = self.hottest(|site| site.forks);
        let mut by_instructions = self.hottest(|site| site.instructions);
        if by_instructions == by_forks {
            by_instructions.clear();
        }
        let mut by_work = self.hottest(|site| site.work);
        by_work.retain(|site| site.work > 0);
        let hottest = [
            ("Most forks", by_forks),
            ("Most instructions up to forks", by_instructions),
            ("Most work for the solver up to forks", by_work),
        ];
        for (title, sites) in hottest.into_iter().filter(|(_, sites)| !sites.is_empty()) {
            let _ =
                writeln!(text, "{title}:\n  {:>13} {:>15} {:>13} {:>10}", "forks", "instructions", "answers", "solver");
            for site in sites {
                let (forks, instructions) = (format_count(site.forks), format_count(site.instructions));
                let (answers, place) = (format_count(site.answers), self.places.site(Some(&site)));
                let solver = format_duration(Duration::from_nanos(site.work));
                let _ = writeln!(text, "  {forks:>13} {instructions:>15} {answers:>13} {solver:>10}  {place}");
            }
        }
        let largest = self.largest();
        if !largest.is_empty() {
            let _ = writeln!(text, "Where the unfinished paths are:\n  {:>13} {:>13}", "unfinished", "finished");
        }
        for slot in largest {
            let node = shape.node(slot);
            let (finished, unfinished) = self.counts(slot);
            let after = match self.origin(records, slot)? {
                Some((place, choice)) => format!("{place}: {choice}"),
                None => "the beginning".to_owned(),
            };
            let (unfinished, finished) = (format_count(unfinished), format_count(finished));
            let _ = writeln!(
                text,
                "  {unfinished:>13} {finished:>13}  node {}, depth {}, after {after}",
                node.id.0, node.depth
            );
        }
        if !self.divergences.is_empty() {
            let count = grouped_plural(self.divergences.len() as u64, "node");
            let _ = writeln!(text, "{count} did not go on as recorded:");
        }
        for Divergence { run, node, what, expected, got } in self.divergences.iter().take(SHOWN) {
            let _ = writeln!(text, "  run {run}, node {}: {what}: recorded {expected}, found {got}", node.0);
        }
        if self.divergences.len() > SHOWN {
            let _ = writeln!(text, "  and {} more", self.divergences.len() - SHOWN);
        }
        Ok(text)
    }

    /// A bar for each range of depths: `#` are finished paths, `.` unfinished ones.
    fn profile(&self, text: &mut String) {
        let depths = self.shape.depths();
        let first = depths.iter().position(|at| at.finished + at.unfinished > 0).unwrap_or(0);
        let depths = &depths[first..];
        let step = depths.len().div_ceil(ROWS).max(1);
        let rows: Vec<(u64, u64)> = depths
            .chunks(step)
            .map(|row| (row.iter().map(|at| at.finished).sum(), row.iter().map(|at| at.unfinished).sum()))
            .collect();
        let most = rows.iter().map(|(finished, unfinished)| finished + unfinished).max().unwrap_or(0).max(1);
        let _ = writeln!(text, "Depth of paths:\n  {:>13} {:>13} {:>13}", "forks", "finished", "unfinished");
        for (number, (finished, unfinished)) in rows.into_iter().enumerate() {
            let from = first + number * step;
            let to = first + (number * step + step).min(depths.len()) - 1;
            let range = if from == to { from.to_string() } else { format!("{from}-{to}") };
            let length = |count: u64| (count as f64 / most as f64 * BAR as f64).ceil() as usize;
            let bar = format!("{}{}", "#".repeat(length(finished)), ".".repeat(length(unfinished)));
            let (finished, unfinished) = (format_count(finished), format_count(unfinished));
            let line = format!("  {range:>13} {finished:>13} {unfinished:>13}  {bar}");
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }

    fn site_json(&self, site: &Site) -> Value {
        json!({
            "function": site.function,
            "instruction": site.instruction,
            "place": self.places.site(Some(site)),
            "forks": site.forks,
            "ways": site.ways,
            "instructions": site.instructions,
            "answers": site.answers,
            "solver_nanos": site.work,
        })
    }

    /// All of the summary, for other tools.
    pub fn json(&self, records: &mut Records<'_>) -> Result<Value, StoreError> {
        let shape = self.shape;
        let ended: BTreeMap<&str, u64> = shape.ended().map(|(verdict, count)| (verdict_name(verdict), count)).collect();
        let depths = shape.depths().iter().map(|at| json!({"finished": at.finished, "unfinished": at.unfinished}));
        let runs = self.runs.iter().map(|run| {
            let Run { id, started, ended, stop, version, .. } = run;
            json!({"run": id, "started": started, "ended": ended, "stop": stop, "version": version})
        });
        let divergences = self.divergences.iter().map(|Divergence { run, node, what, expected, got }| {
            json!({"run": run, "node": node.0, "what": what, "expected": expected, "got": got})
        });
        let mut largest = Vec::new();
        for slot in self.largest() {
            let (finished, unfinished) = self.counts(slot);
            let (place, choice) = self.origin(records, slot)?.unzip();
            let node = shape.node(slot);
            largest.push(json!({
                "node": node.id.0,
                "depth": node.depth,
                "after": place,
                "choice": choice,
                "finished": finished,
                "unfinished": unfinished,
            }));
        }
        let sites = |sites: Vec<Site>| sites.iter().map(|site| self.site_json(site)).collect::<Vec<_>>();
        Ok(document(&json!({
            "nodes": shape.nodes(),
            "forks": shape.forks(),
            "finished": shape.finished(),
            "unfinished": shape.unfinished(),
            "ended": ended,
            "records": shape.records(),
            "damaged_batches": shape.scanned().damaged,
            "no_source_lines": self.no_program,
            "bytes": self.bytes,
            "bytes_per_node": self.bytes_per_node(),
            "runs": runs.collect::<Vec<_>>(),
            "depths": depths.collect::<Vec<_>>(),
            "most_forks": sites(self.hottest(|site| site.forks)),
            "most_instructions": sites(self.hottest(|site| site.instructions)),
            "largest_unfinished": largest,
            "divergences": divergences.collect::<Vec<_>>(),
        })))
    }

    /// The upper part of the tree for Graphviz: what is deeper is a box with counts.
    pub fn dot(&self, records: &mut Records<'_>, most: u32) -> Result<String, StoreError> {
        let shape = self.shape;
        let mut text = String::from("digraph tree {\n  node [shape=box, fontname=\"monospace\", fontsize=9];\n");
        let mut left = vec![Slot::ROOT];
        while let Some(slot) = left.pop() {
            let node = shape.node(slot);
            let name = format!("n{}", node.id.0);
            let head = format!("{} {}", node.id.0, self.places.site(shape.site(slot)));
            match node.status {
                Status::Unfinished => box_of(&mut text, &name, &format!("{} unfinished", node.id.0), "lightyellow"),
                Status::Ended(verdict) => {
                    box_of(&mut text, &name, &format!("{head}\n{}", verdict_text(verdict)), colour(verdict));
                }
                Status::Forked | Status::Goes if node.depth >= most => {
                    let (finished, unfinished) = self.counts(slot);
                    let below = format!(
                        "{head}\n{} finished, {} unfinished below",
                        format_count(finished),
                        format_count(unfinished)
                    );
                    box_of(&mut text, &name, &below, "lightgrey");
                }
                Status::Forked | Status::Goes => {
                    box_of(&mut text, &name, &head, "white");
                    self.dot_ways(&mut text, records, slot, &name)?;
                    left.extend(shape.children(slot));
                }
            }
        }
        text.push_str("}\n");
        Ok(text)
    }

    fn dot_ways(&self, text: &mut String, records: &mut Records<'_>, slot: Slot, name: &str) -> Result<(), StoreError> {
        let mut children = self.shape.children(slot);
        let record = records.of(self.shape, slot)?;
        let function = record.as_ref().map_or(0, |record| record.function);
        let Some(Outcome::Fork { ways, .. }) = record.map(|record| record.outcome) else {
            for child in children {
                let _ = writeln!(text, "  {name} -> n{};", self.shape.node(child).id.0);
            }
            return Ok(());
        };
        for (number, way) in ways.iter().enumerate() {
            let child = match way.end {
                Some(end) => {
                    let child = format!("{name}_{number}");
                    box_of(text, &child, verdict_text(end.verdict), colour(end.verdict));
                    child
                }
                None => match children.next() {
                    Some(child) => format!("n{}", self.shape.node(child).id.0),
                    None => continue,
                },
            };
            let choice = escaped(&self.places.label(function, &way.label));
            let _ = writeln!(text, "  {name} -> {child} [label=\"{choice}\"];");
        }
        Ok(())
    }

    /// The path to a node, a line for each node of it.
    pub fn path(&self, records: &mut Records<'_>, slot: Slot) -> Result<String, StoreError> {
        let shape = self.shape;
        let mut slots: Vec<Slot> = std::iter::successors(Some(slot), |slot| shape.node(*slot).parent).collect();
        slots.reverse();
        let mut text = String::new();
        let mut before = 0;
        for (number, &slot) in slots.iter().enumerate() {
            let node = shape.node(slot);
            let record = records.of(shape, slot)?;
            let Some(record) = record else {
                let _ = writeln!(text, "node {}: unfinished", node.id.0);
                continue;
            };
            let instructions = grouped_plural(record.instructions.saturating_sub(before), "instruction");
            before = record.instructions;
            let answers = grouped_plural(record.answers.count.into(), "answer");
            let place = self.places.site(shape.site(slot));
            let _ = write!(text, "node {}: {place}: {instructions}, {answers}: ", node.id.0);
            let became = match record.outcome {
                Outcome::End(end) => verdict_text(end.verdict).to_owned(),
                Outcome::Mark { .. } => "goes on".to_owned(),
                Outcome::Fork { ways, .. } => {
                    let count = ways.len();
                    match slots.get(number + 1) {
                        Some(next) => {
                            let label = records.label(shape, *next)?.unwrap_or_default();
                            format!("{}, one of {count}", self.places.label(record.function, &label))
                        }
                        None => {
                            let labels = ways.iter().map(|way| self.places.label(record.function, &way.label));
                            let (finished, unfinished) = self.counts(slot);
                            let (finished, unfinished) = (format_count(finished), format_count(unfinished));
                            let labels = labels.take(SHOWN).collect::<Vec<_>>().join(" | ");
                            format!("forks {count} ways ({labels}); {finished} finished, {unfinished} unfinished below")
                        }
                    }
                }
            };
            let _ = writeln!(text, "{became}");
        }
        Ok(text)
    }
}

/// "max time" for "MaxTime".
fn stop_text(stop: &str) -> String {
    let mut text = String::new();
    for letter in stop.chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push(' ');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

fn box_of(text: &mut String, name: &str, label: &str, colour: &str) {
    let _ = writeln!(text, "  {name} [label=\"{}\", style=filled, fillcolor={colour}];", escaped(label));
}

fn colour(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Exit | Verdict::Silent => "lightgreen",
        Verdict::Error | Verdict::Target(_) => "salmon",
        Verdict::Infeasible | Verdict::Covered | Verdict::Irrelevant => "lightgrey",
        Verdict::Cut(_) | Verdict::Unsupported | Verdict::Unknown => "orange",
    }
}

/// What two trees differ in, by place.
#[derive(Default)]
pub struct TreeDiff {
    found: Vec<Different>,
    numbers: rustc_hash::FxHashMap<(Differs, u32, u32), usize>,
}

impl TreeDiff {
    pub fn add(&mut self, different: Different) {
        let Different { what, function, instruction, paths } = different;
        let next = self.found.len();
        let number = *self.numbers.entry((what, function, instruction)).or_insert(next);
        match self.found.get_mut(number) {
            Some(found) => found.paths += paths,
            None => self.found.push(different),
        }
    }

    fn sorted(&self) -> Vec<Different> {
        let mut sorted = self.found.clone();
        sorted.sort_by_key(|found| (std::cmp::Reverse(found.paths), found.function, found.instruction));
        sorted
    }

    fn sum(&self, of: impl Fn(Differs) -> bool) -> u64 {
        self.found.iter().filter(|found| of(found.what)).map(|found| found.paths).sum()
    }

    fn sums(&self) -> [u64; 3] {
        [
            self.sum(|what| what == Differs::OnlyFirst),
            self.sum(|what| what == Differs::OnlySecond),
            self.sum(|what| matches!(what, Differs::Ends(..))),
        ]
    }

    /// In words; `names` are those of the two trees.
    pub fn text(&self, places: &Places, names: [&str; 2]) -> String {
        let [first, second] = names;
        if self.found.is_empty() {
            return format!("No finished path of {first} and {second} differs.\n");
        }
        let [only_first, only_second, others] = self.sums();
        let mut text = format!(
            "{} only in {first}, {} only in {second}, {} with another end\n",
            grouped_plural(only_first, "finished path"),
            format_count(only_second),
            format_count(others),
        );
        for found in self.sorted().iter().take(SHOWN_DIFFERENCES) {
            let what = match found.what {
                Differs::OnlyFirst => format!("only in {first}"),
                Differs::OnlySecond => format!("only in {second}"),
                Differs::Ends(one, other) => {
                    format!("{first}: {}, {second}: {}", verdict_text(one), verdict_text(other))
                }
            };
            let place = places.text(found.function, found.instruction);
            let _ = writeln!(text, "  {:>13}  {place}: {what}", format_count(found.paths));
        }
        let more = self.found.len().saturating_sub(SHOWN_DIFFERENCES);
        if more > 0 {
            let _ = writeln!(text, "  and in {} more", grouped_plural(more as u64, "place"));
        }
        text
    }

    pub fn json(&self, places: &Places) -> Value {
        let [only_first, only_second, others] = self.sums();
        let sorted = self.sorted();
        let all = sorted.iter().take(SHOWN_DIFFERENCES).map(|found| {
            let (what, ends) = match found.what {
                Differs::OnlyFirst => ("only-first", None),
                Differs::OnlySecond => ("only-second", None),
                Differs::Ends(one, other) => ("other-end", Some([verdict_name(one), verdict_name(other)])),
            };
            let place = places.text(found.function, found.instruction);
            json!({"what": what, "ends": ends, "place": place, "paths": found.paths})
        });
        document(&json!({
            "only_first": only_first,
            "only_second": only_second,
            "other_ends": others,
            "places": sorted.len(),
            "differences": all.collect::<Vec<_>>(),
        }))
    }
}
