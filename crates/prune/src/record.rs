//! The tree, for people: what became of each node, and why.

use crate::Requirement;
use espalier_exec::NoInterpolant;
use espalier_ir::Loc;
use espalier_tree::NodeId;

/// What became of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It forked, or is not finished.
    Inner,
    /// Its path ended.
    Ended,
    /// Something below, or the path itself, was cut short.
    Cut,
    /// What was learnt at this node speaks for it.
    PrunedBy(NodeId),
    /// The same state was met before.
    Repeated,
    /// Nothing that is looked for can be reached from it.
    Irrelevant,
}

/// A node of the execution tree, as it is reported.
#[derive(Clone, Debug)]
pub struct Record {
    pub id: NodeId,
    pub parent: Option<NodeId>,
    pub loc: Loc,
    pub fate: Fate,
    /// What was learnt, a clause each; `None` if the node has no interpolant.
    pub interpolant: Option<Vec<Requirement>>,
    /// Why it has none.
    pub no_interpolant: Option<NoInterpolant>,
}
