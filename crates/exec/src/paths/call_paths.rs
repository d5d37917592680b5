//! Instructions executed under each call stack, over all paths: for a searcher that prefers what
//! was executed little.
//!
//! Call stacks are the nodes of a tree: a call from a place in the code, under the stack that it is
//! made in. A frame knows its node, so counting costs a look-up a call.

use crate::Executor;
use crate::paths::state::State;
use espalier_ir::FuncId;
use rustc_hash::FxHashMap;

/// The call stacks that occurred. Node 0 is the one without callers.
pub(crate) struct CallPaths {
    /// By caller's node, and by who is called from which instruction.
    nodes: FxHashMap<(u32, FuncId, u32), u32>,
    instructions: Vec<u64>,
}

impl Executor {
    /// From now on, counts instructions by call stack.
    pub fn count_call_paths(&mut self) {
        self.call_paths.get_or_insert_with(|| CallPaths { nodes: FxHashMap::default(), instructions: vec![0] });
    }

    /// Instructions that all paths executed under the state's call stack; 0 if they are not
    /// counted.
    pub fn executed_on_call_path(&self, state: &State) -> u64 {
        let paths = self.call_paths.as_ref();
        paths.and_then(|paths| paths.instructions.get(state.top.call_path as usize)).copied().unwrap_or(0)
    }

    /// The node of a call that the running function of `state` makes.
    pub(crate) fn call_path_to(&mut self, state: &State, callee: FuncId) -> u32 {
        let Some(paths) = &mut self.call_paths else { return 0 };
        let next = paths.instructions.len() as u32;
        let node = *paths.nodes.entry((state.top.call_path, callee, state.top.pc)).or_insert(next);
        if node == next {
            paths.instructions.push(0);
        }
        node
    }

    pub(crate) fn add_to_call_path(&mut self, node: u32, instructions: u64) {
        if let Some(count) = self.call_paths.as_mut().and_then(|paths| paths.instructions.get_mut(node as usize)) {
            *count += instructions;
        }
    }
}
