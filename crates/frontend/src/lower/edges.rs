//! Phis become copies on edges.
//!
//! All phis of a block take their values at once, so the copies of an edge are one parallel
//! assignment. It is put in an order in which each register is overwritten only after its old value
//! was read; a cycle (`a, b = b, a`) is broken with a temporary register.

use super::function::Builder;
use crate::llvm::{Block, Value};
use espalier_ir::{Operand, Reg};
use rustc_hash::FxHashMap;

impl<'m> Builder<'_, 'm> {
    /// Fills in the copies of all edges.
    pub(super) fn lower_phis(&mut self) {
        let phis = std::mem::take(&mut self.phis);
        // Where the first phi of a block has its values, nearly always all others of the block have
        // theirs.
        let places = |of_block: &Vec<(Value<'m>, _)>| -> FxHashMap<Block<'m>, u32> {
            let first = of_block.first().map(|(phi, _)| *phi);
            first.into_iter().flat_map(Value::incoming).map(|(_, from)| from).zip(0..).collect()
        };
        let places: Vec<FxHashMap<Block<'m>, u32>> = phis.iter().map(places).collect();
        for index in 0..self.out.edges.len() {
            let target = self.out.edges[index].target.index();
            let Some(of_block) = phis.get(target).filter(|phis| !phis.is_empty()) else {
                continue;
            };
            let source = self.edge_sources[index];
            let place = places[target].get(&source).copied();
            let mut moves = Vec::with_capacity(of_block.len());
            for (phi, regs) in of_block {
                let at_place = place.and_then(|place| phi.incoming_at(place)).filter(|(_, from)| *from == source);
                let incoming = at_place.or_else(|| phi.incoming().find(|(_, from)| *from == source));
                let lanes = incoming.map(|(value, _)| self.lanes(value));
                for (lane, reg) in regs.iter().enumerate() {
                    let width = self.out.regs[reg.index()];
                    // A value that cannot be lowered (an exotic constant) is as good as undefined;
                    // LLVM's verifier rules out missing ones.
                    let operand = match &lanes {
                        Some(Ok(lanes)) if lane < lanes.len() => lanes[lane],
                        _ => self.undef(width),
                    };
                    moves.push((*reg, operand));
                }
            }
            let copies = sequentialise(moves, |reg| {
                let width = self.out.regs[reg.index()];
                self.reg(width)
            });
            self.out.edges[index].copies = copies.into_boxed_slice();
        }
        self.phis = phis;
    }
}

/// Orders a parallel assignment; `temporary` makes a new register like the given one.
fn sequentialise(mut moves: Vec<(Reg, Operand)>, mut temporary: impl FnMut(Reg) -> Reg) -> Vec<(Reg, Operand)> {
    moves.retain(|(dst, src)| src.as_reg() != Some(*dst));
    // How many pending moves still read each destination?
    let mut readers: FxHashMap<Reg, usize> = moves.iter().map(|(dst, _)| (*dst, 0)).collect();
    for (_, src) in &moves {
        if let Some(count) = src.as_reg().and_then(|reg| readers.get_mut(&reg)) {
            *count += 1;
        }
    }
    let mut pending: FxHashMap<Reg, Operand> = moves.iter().copied().collect();
    let mut ready: Vec<Reg> = moves.iter().rev().map(|(dst, _)| *dst).filter(|dst| readers[dst] == 0).collect();
    let mut ordered = Vec::with_capacity(moves.len());
    let mut rest = moves.iter();
    loop {
        while let Some(dst) = ready.pop() {
            let Some(src) = pending.remove(&dst) else {
                continue;
            };
            ordered.push((dst, src));
            if let Some(reg) = src.as_reg()
                && let Some(count) = readers.get_mut(&reg)
            {
                *count -= 1;
                if *count == 0 {
                    ready.push(reg);
                }
            }
        }
        // What is left are cycles: save one register, so that its reader need not wait.
        let Some((dst, _)) = rest.find(|(dst, _)| pending.contains_key(dst)) else {
            break;
        };
        let saved = temporary(*dst);
        ordered.push((saved, (*dst).into()));
        for src in pending.values_mut() {
            if src.as_reg() == Some(*dst) {
                *src = saved.into();
            }
        }
        readers.insert(*dst, 0);
        ready.push(*dst);
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Runs the copies one after another and compares with assigning all at once.
    fn check(moves: &[(u32, u32)], temporaries: u32) {
        let moves: Vec<_> = moves.iter().map(|(dst, src)| (Reg(*dst), Operand::reg(Reg(*src)))).collect();
        let mut next = 100;
        let ordered = sequentialise(moves.clone(), |_| {
            next += 1;
            Reg(next)
        });
        let mut state: HashMap<u32, u32> = (0..50).map(|i| (i, i)).collect();
        for (dst, src) in &ordered {
            let value = state[&(src.index() as u32)];
            state.insert(dst.0, value);
        }
        for (dst, src) in &moves {
            assert_eq!(state[&dst.0], src.index() as u32, "{moves:?} became {ordered:?}");
        }
        assert_eq!(next - 100, temporaries, "{moves:?} became {ordered:?}");
    }

    #[test]
    fn copies_keep_parallel_meaning() {
        check(&[(1, 2), (3, 4)], 0);
        check(&[(1, 2), (2, 3), (3, 4)], 0);
        check(&[(3, 4), (2, 3), (1, 2)], 0);
        check(&[(1, 2), (2, 1)], 1);
        check(&[(1, 2), (2, 3), (3, 1)], 1);
        check(&[(1, 2), (2, 1), (3, 4), (4, 3)], 2);
        check(&[(1, 2), (2, 1), (3, 1), (4, 2)], 1);
        check(&[(1, 1), (2, 1)], 0);
    }

    #[test]
    fn all_small_assignments() {
        // Every assignment to four registers from four registers.
        for code in 0..256_u32 {
            let moves: Vec<_> = (0..4).map(|dst| (dst, code >> (2 * dst) & 3)).collect();
            let parallel: Vec<_> = moves.iter().map(|(dst, src)| (Reg(*dst), Operand::reg(Reg(*src)))).collect();
            let mut next = 10;
            let ordered = sequentialise(parallel, |_| {
                next += 1;
                Reg(next)
            });
            let mut state: HashMap<u32, u32> = (0..4).map(|i| (i, i)).collect();
            for (dst, src) in &ordered {
                let value = state[&(src.index() as u32)];
                state.insert(dst.0, value);
            }
            assert!(moves.iter().all(|(dst, src)| state[dst] == *src), "{moves:?} became {ordered:?}");
        }
    }
}
