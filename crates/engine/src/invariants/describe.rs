//! What holds at loops whenever their conditions are about to be evaluated, in the words of the
//! source.
//!
//! Paths are explored up to the first loop head that they come to; from there on
//! [`espalier_loops::describe`] visits all heads behind. A loop may be entered in several ways, each
//! with an invariant of its own: what all of them say holds, or else one of them. What others imply is
//! left out.

use super::plain::Plain;
use crate::closing::work_with_questions;
use crate::groups::CutKind;
use crate::outcome::Stop;
use crate::{Config, Engine, Error, Loops};
use espalier_base::StopFlag;
use espalier_exec::{Approximation, Cut, Direction, End, Executor, State, Step, Stops};
use espalier_expr::{SymbolKind, Term};
use espalier_ir::{FuncId, Loc, Program};
use espalier_loops::{HeadInvariant, NotClosed, Question};
use espalier_prune::{VariableInC, condition_in_c};
use espalier_solver::Answer;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Counted work for the loops behind one loop head, in nanoseconds; as a rule time is up before.
const EFFORT: u64 = 1 << 38;

/// So many ways into a loop are told apart.
const MOST_WAYS: usize = 4;

/// What a question about what others imply may cost.
const IMPLIED: u64 = 1 << 27;

/// A condition in words, and as a C expression if it can be said in C of the program's variables.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    pub text: String,
    pub in_c: Option<String>,
}

/// What holds of a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopDescription {
    pub func: FuncId,
    /// The keyword of the loop statement.
    pub loc: Loc,
    pub conditions: Vec<Told>,
}

/// What was found out about the loops of a program.
#[derive(Debug, Default)]
pub struct Described {
    pub loops: Vec<LoopDescription>,
    /// Loops of which nothing was shown, nor of what is behind them.
    pub open: Vec<(Loc, NotClosed)>,
    /// Where paths were cut short before they came to a loop, and what was approximated.
    pub cuts: Vec<Cut>,
    pub approximations: Vec<Approximation>,
    /// Why not all paths were followed, if they were not.
    pub stop: Option<Stop>,
}

impl Described {
    /// Was every visit of a loop head seen? If not, what is told may fail where paths were left out.
    pub fn is_whole(&self) -> bool {
        self.open.is_empty() && self.cuts.is_empty() && self.approximations.is_empty() && self.stop.is_none()
    }
}

/// A condition at a head, with what it says in words.
#[derive(Clone)]
struct Shown {
    term: Term,
    told: Told,
}

/// Finds out what holds at the loops of a program.
pub fn describe_loops(
    program: Rc<Program>,
    entry: FuncId,
    mut config: Config,
    stop: StopFlag,
) -> Result<Described, Error> {
    (config.loops, config.interpolation) = (Loops::Unroll, None);
    let mut engine = Engine::new(program, entry, config)?;
    engine.stop_with(stop);
    engine.start_watch();
    engine.describe()
}

impl Engine {
    fn describe(&mut self) -> Result<Described, Error> {
        let question = Question { is_asked: &|_, _| false, work: work_with_questions };
        let mut described = Described::default();
        let mut ways: BTreeMap<(FuncId, Loc), Vec<Vec<Shown>>> = BTreeMap::new();
        let mut open: Vec<Box<State>> = vec![Box::new(self.executor.initial_state(self.entry)?)];
        self.executor.stop_at(Stops::EveryLoopHead);
        while let Some(mut state) = open.pop() {
            if let Err(stop) = self.require_time() {
                described.stop = Some(stop);
                break;
            }
            let step = self.executor.run(&mut state, self.clock.budget());
            // What the program prints is nobody's business here.
            self.executor.take_output();
            self.executor.take_messages();
            if self.executor.was_cut_short() {
                open.push(state);
                continue;
            }
            let left_out = state.approximations().iter().filter(|one| one.direction != Direction::Over);
            for approximation in left_out {
                if !described.approximations.contains(approximation) {
                    described.approximations.push(approximation.clone());
                }
            }
            match step {
                Step::Budget | Step::Entered => open.push(state),
                Step::Join => {
                    self.executor.note_look_up(&mut state);
                    if !self.executor.is_at_loop_head(&state) {
                        open.push(state);
                        continue;
                    }
                    match espalier_loops::describe(&mut self.executor, &question, &state, EFFORT) {
                        Ok(found) => {
                            for invariant in found {
                                self.take_in(&invariant, &mut ways);
                            }
                        }
                        Err(why) => described.open.push((self.executor.state_location(&state), why)),
                    }
                }
                Step::Fork(children) => {
                    for child in children.into_iter().rev() {
                        match child.end {
                            Some(end) => described.cuts.extend(cut(&end)),
                            None => open.push(child.state),
                        }
                    }
                    open.push(state);
                }
                Step::End(end) => described.cuts.extend(cut(&end)),
            }
        }
        described.open.dedup();
        described.cuts.dedup_by_key(|cut| (cut.loc, cut.reason.clone()));
        described.loops = ways
            .into_iter()
            .map(|((func, loc), ways)| LoopDescription { func, loc, conditions: self.combined(ways) })
            .collect();
        Ok(described)
    }

    /// Adds what holds where a loop of the program was entered in one way.
    fn take_in(&mut self, invariant: &HeadInvariant, ways: &mut BTreeMap<(FuncId, Loc), Vec<Vec<Shown>>>) {
        let executor = &self.executor;
        let Some(site) = executor.loop_at(&invariant.entry) else { return };
        let place = (invariant.entry.running().func, site.loc);
        let shown: Vec<Shown> = shown(executor, invariant);
        let known = ways.entry(place).or_default();
        let texts = |way: &[Shown]| way.iter().map(|shown| shown.told.text.clone()).collect::<Vec<String>>();
        if known.iter().all(|way| texts(way) != texts(&shown)) {
            known.push(shown);
        }
    }

    /// What holds however the loop was entered.
    fn combined(&mut self, ways: Vec<Vec<Shown>>) -> Vec<Told> {
        let is_in = |way: &[Shown], one: &Shown| way.iter().any(|other| other.told.text == one.told.text);
        let Some((first, others)) = ways.split_first() else { return Vec::new() };
        let common: Vec<Shown> = first.iter().filter(|one| others.iter().all(|way| is_in(way, one))).cloned().collect();
        let more: Vec<Vec<Shown>> = ways
            .iter()
            .map(|way| way.iter().filter(|one| !is_in(&common, one)).cloned().collect::<Vec<Shown>>())
            .collect();
        let mut told: Vec<Told> = self.without_implied(common).into_iter().map(|shown| shown.told).collect();
        if others.is_empty() || more.len() > MOST_WAYS || more.iter().any(Vec::is_empty) {
            return told;
        }
        let more: Vec<Vec<Shown>> = more.into_iter().map(|way| self.without_implied(way)).collect();
        let joined = |what: &dyn Fn(&Told) -> Option<String>| -> Option<String> {
            let ways = more.iter().map(|way| {
                let parts: Option<Vec<String>> = way.iter().map(|shown| what(&shown.told)).collect();
                Some(format!("({})", parts?.join(" && ")))
            });
            Some(ways.collect::<Option<Vec<String>>>()?.join(" || "))
        };
        if let Some(text) = joined(&|told| Some(told.text.clone())) {
            told.push(Told { text, in_c: joined(&|told| told.in_c.clone()) });
        }
        told
    }

    /// Leaves out what the others imply, the longest first.
    fn without_implied(&mut self, mut shown: Vec<Shown>) -> Vec<Shown> {
        let mut order: Vec<String> = shown.iter().map(|one| one.told.text.clone()).collect();
        order.sort_by_key(|text| std::cmp::Reverse((text.len(), text.clone())));
        let limit = self.executor.solver.limit_work(Some(IMPLIED));
        for text in order {
            let Some(index) = shown.iter().position(|one| one.told.text == text) else { continue };
            let terms = &mut self.executor.terms;
            let others = shown.iter().enumerate().filter(|&(other, _)| other != index);
            let mut conditions: Vec<Term> = others.map(|(_, one)| one.term).collect();
            conditions.push(terms.not(shown[index].term));
            if matches!(self.executor.solver.check_all(terms, &conditions), Answer::Unsat(_)) {
                shown.remove(index);
            }
        }
        self.executor.solver.limit_work(limit);
        shown
    }
}

fn cut(end: &End) -> Option<Cut> {
    CutKind::of(end).map(|(_, cut)| cut.clone())
}

/// What can be said in words, of variables, inputs and the cells of arrays that have names.
fn shown(executor: &Executor, invariant: &HeadInvariant) -> Vec<Shown> {
    let Some(site) = executor.loop_at(&invariant.entry) else { return Vec::new() };
    let entry = &invariant.entry;
    let mut variables: Vec<(Term, VariableInC)> = Vec::new();
    let mut old: Vec<(Term, VariableInC)> = Vec::new();
    for (term, leaf, name) in executor.named_values(entry, site) {
        let is_changed = invariant.places.iter().any(|place| place.1 == leaf);
        let text = if is_changed { format!("old({})", name.name) } else { name.name.to_owned() };
        let named = VariableInC { name: text, is_signed: name.is_signed };
        if is_changed { old.push((term, named)) } else { variables.push((term, named)) }
    }
    for &(var, leaf) in &invariant.places {
        if let Some(name) = executor.variable_name(entry, site, leaf) {
            variables.push((var, VariableInC { name: name.name.to_owned(), is_signed: name.is_signed }));
        }
    }
    let index = ["k", "index", "any_index"].into_iter().find(|name| site.names.iter().all(|known| known != name));
    let index = index.unwrap_or("k");
    let cells: Vec<(Term, VariableInC)> = invariant
        .cells
        .iter()
        .filter_map(|cell| {
            let name = format!("{}[{index}]", executor.global_at(entry, cell.base)?);
            Some((cell.cell, VariableInC { name, is_signed: None }))
        })
        .collect();
    let cell_terms: Vec<Term> = cells.iter().map(|cell| cell.0).collect();
    let in_c = |var: Term| variables.iter().find(|known| known.0 == var).map(|known| known.1.clone());
    let name = |var: Term| {
        let unsigned = |name: String| VariableInC { name, is_signed: Some(false) };
        let cell = || cells.iter().find(|cell| cell.0 == var).map(|cell| cell.1.clone());
        let is_index = || (invariant.index == Some(var)).then(|| unsigned(index.to_owned()));
        let was = || old.iter().find(|known| known.0 == var).map(|known| known.1.clone());
        in_c(var).or_else(cell).or_else(is_index).or_else(was).or_else(|| input_name(executor, var))
    };
    let is_changed = |var: Term| invariant.places.iter().any(|place| place.0 == var);
    let plain = Plain { terms: &executor.terms, name: &name, index: invariant.index, cells: &cell_terms };
    // What was known where the loop was entered stays true of what it does not change.
    let is_unchanged =
        |term: &Term| executor.terms.vars_of(*term).iter().all(|&var| in_c(var).is_some_and(|_| !is_changed(var)));
    let known_before = entry.path_condition().to_vec().into_iter().filter(is_unchanged);
    let mut shown: Vec<Shown> = Vec::new();
    for term in invariant.conditions.iter().copied().chain(known_before) {
        let Some(text) = plain.condition(term) else { continue };
        if shown.iter().all(|known| known.told.text != text) {
            let in_c = condition_in_c(&executor.terms, term, &in_c);
            shown.push(Shown { term, told: Told { text, in_c } });
        }
    }
    shown
}

/// An input that no variable holds any more.
fn input_name(executor: &Executor, var: Term) -> Option<VariableInC> {
    let info = executor.terms.symbol_info(executor.terms.node(var).symbol());
    let is_named = info.kind == SymbolKind::Input && executor.terms.node(var).width == 8 * info.size;
    is_named.then(|| {
        let name = match info.occurrence {
            0 => format!("input {}", info.name),
            number => format!("input {}[{number}]", info.name),
        };
        VariableInC { name, is_signed: None }
    })
}
