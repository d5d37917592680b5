//! Paths from a function's entry to a target, and whether a state that calls the function can take
//! one.
//!
//! The condition of such a path is over symbols for what the function found when it was called.
//! Their places are looked up in the state that calls it now, what is there is put into the
//! condition, and the solver is asked once: whether the caller can take the path, and on which
//! inputs. The answer is a filter and a guide, and never a result: on these inputs the state is
//! executed as any other, so whatever is reported was executed from where it began. Parts of a
//! condition for which the state has no counterpart are left out, which only weakens the filter.

use crate::Executor;
use crate::entry::EntryPlace;
use crate::interpreter::access::Place;
use crate::interpreter::machine::{Havoc, Interpreter};
use crate::interpreter::value::Value;
use crate::paths::journal::Side;
use crate::paths::state::State;
use espalier_expr::{Model, SymbolInfo, SymbolKind, Term};
use espalier_ir::FuncId;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A path from a function's entry to a target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartialPath {
    pub origin: FuncId,
    pub target: u32,
    /// The functions on the call stack at the target, outermost first.
    pub chain: Vec<FuncId>,
    /// What has to hold when the function is called.
    pub condition: Vec<Term>,
    pub instructions: u64,
}

/// Can a state take a partial path?
pub enum Joined {
    No,
    /// On these inputs, as far as the filter sees.
    Yes(Rc<Model>),
    CannotTell,
}

impl Executor {
    /// The path of a state that began at a function's entry and came to a target.
    pub fn partial_path(&mut self, state: &State, target: u32) -> PartialPath {
        // Where an object was made up is not what callers have to see to.
        let made_up: FxHashSet<Term> =
            state.decided.iter().filter(|(_, address)| *address != 0).map(|(var, _)| *var).collect();
        let mut condition = state.path.to_vec();
        condition.retain(|&part| {
            let vars = self.terms.vars_of(part);
            let kind = |var: &Term| self.terms.symbol_info(self.terms.node(*var).symbol()).kind;
            let is_known = |var: &Term| matches!(kind(var), SymbolKind::Entry | SymbolKind::Input);
            vars.iter().all(|var| is_known(var) && !made_up.contains(var))
        });
        let mut chain: Vec<FuncId> = state.frames().map(|frame| frame.func).collect();
        chain.reverse();
        let origin = chain.first().copied().unwrap_or(FuncId(0));
        PartialPath { origin, target, chain, condition, instructions: state.instructions }
    }

    /// Can a state that has just called the path's origin take it?
    pub fn join(&mut self, state: &State, path: &PartialPath) -> Joined {
        let mut callee = Callee { state: Box::new(state.clone()), pointers: FxHashMap::default() };
        let mut all = self.terms.tru();
        for &part in &path.condition {
            let mut values = FxHashMap::default();
            let vars = self.terms.vars_of(part);
            let is_complete = vars.iter().all(|&var| match self.counterpart(&mut callee, var) {
                Some(value) => {
                    values.insert(var, value);
                    true
                }
                None => false,
            });
            if !is_complete {
                continue;
            }
            let part = self.terms.substitute(part, &values);
            all = self.terms.and(all, part);
            if all == self.terms.fals() {
                return Joined::No;
            }
        }
        match self.can_hold(state, all) {
            Side::No => Joined::No,
            Side::Yes(Some(model)) => Joined::Yes(model),
            Side::Yes(None) | Side::Unknown(_) => Joined::CannotTell,
        }
    }

    /// What a state has in the place of a partial path's variable.
    fn counterpart(&mut self, callee: &mut Callee, var: Term) -> Option<Term> {
        let node = *self.terms.node(var);
        let (symbol, index) = (node.symbol(), node.number(1));
        let info = self.terms.symbol_info(symbol).clone();
        let width = self.terms.width(var);
        match info.kind {
            // What is read after the call, which the caller may have read from before.
            SymbolKind::Input => {
                let (name, _) = self.input_name(&info.name);
                let occurrence = info.occurrence + callee.state.inputs.count(name);
                let later = self.terms.symbol(SymbolInfo { occurrence, ..info });
                Some(self.terms.var(later, index))
            }
            SymbolKind::Entry => {
                let place = *self.entry_places.get(&symbol)?;
                match place {
                    EntryPlace::Param(param) => {
                        let func = callee.state.top.func;
                        let given = self.program().function(func).params.get(param)?.width;
                        let value = *callee.state.top.regs.get(param)?;
                        let value = self.resize(value, given, width);
                        Some(value.term(&mut self.terms, width))
                    }
                    EntryPlace::Copy { param } => {
                        let address = callee.state.top.regs.get(param)?.as_concrete()?;
                        self.held_at(callee, address.wrapping_add(index.into()), width)
                    }
                    EntryPlace::Global(address) => self.held_at(callee, address.wrapping_add(index.into()), width),
                    EntryPlace::Behind { pointer, offset } => {
                        let address = self.address_of(callee, pointer)?;
                        self.held_at(callee, address.wrapping_add(offset + u64::from(index)), width)
                    }
                }
            }
            _ => None,
        }
    }

    /// Where a pointer of the partial path leads in the state; if that depends on inputs, then on
    /// those that are known to follow the path.
    fn address_of(&mut self, callee: &mut Callee, pointer: Term) -> Option<u64> {
        if let Some(&known) = callee.pointers.get(&pointer) {
            return known;
        }
        let held = self.counterpart(callee, pointer);
        let address = held.and_then(|held| match self.terms.as_u64(held) {
            Some(address) => Some(address),
            None => self.terms.eval(held, callee.state.model.as_ref()?).to_u64(),
        });
        callee.pointers.insert(pointer, address);
        address
    }

    fn held_at(&mut self, callee: &mut Callee, address: u64, width: u32) -> Option<Term> {
        let object = callee.state.memory.object(address)?;
        let offset = address.wrapping_sub(object.base);
        let end = offset.checked_add(u64::from(width / 8))?;
        if end > object.size || object.size_term.is_some() {
            return None;
        }
        let place = Place::new(object.base, Value::concrete(offset));
        let value = Interpreter::new(self, Havoc::default()).read_place(&mut callee.state, place, width);
        Some(value.term(&mut self.terms, width))
    }
}

/// The state that is asked about, and where pointers lead in it.
struct Callee {
    state: Box<State>,
    pointers: FxHashMap<Term, Option<u64>>,
}
