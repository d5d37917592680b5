//! The worked examples of the two papers that the interpolation follows: the interpolants that they
//! derive by hand, what these prune, and the sizes of the trees. "TracerX" is Jaffar, Maghareh,
//! Godboley and Ha's paper on interpolation in KLEE, "TRACER" that of Jaffar, Murali, Navas and
//! Santosa.
//!
//! A tree has nodes at the alternatives of forks, and where these meet again.

mod support;

use serde_json::Value;
use support::process::{End, Finished};
use support::project::Project;

const DECLARATIONS: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";

/// The edges' lengths are those of TracerX's Fig. 2; the first input makes a node of the first
/// visit of a vertex.
const SHORTEST_PATH: &str = "
enum { N = 4 };
static const int graph[N + 1][N + 1] = {
    [1] = {[2] = 20, [3] = 35, [4] = 110}, [2] = {[3] = 40, [4] = 90}, [3] = {[4] = 60},
};
int main(void) {
    int node = 1, d = 0;
    if (__VERIFIER_nondet_int()) return 0;
    while (node < N) {
        int next = __VERIFIER_nondet_int(), i;
        for (i = node + 1; i < N; i++)
            if (next == i) break;
        d += graph[node][i];
        node = i;
    }
    if (d < BOUND) reach_error();
    return 0;
}";

/// TracerX's Example 5.5, whose interpolants give the updates: `x + 1` and `z + 33` on the left, `x + 3` and an exchange of `y` and `z` on the right.
const ABDUCTION: &str = "
int main(void) {
    int t = __VERIFIER_nondet_int(), x = __VERIFIER_nondet_int(), y, z;
    if ((unsigned)x > 1) return 0;
    if (t > 0) { y = 0; z = 1; } else { y = 5; z = 6; }
    if (x > 0) { x += 1; z += 33; } else { int old = y; x += 3; y = z - 2; z = old; }
    if ((unsigned)x + 2 >= 8) reach_error();
    if (y >= z) reach_error();
    return 0;
}";

/// TRACER's Fig. 2(a): branches on anything that add one of two steps to `s`, which must not exceed
/// a limit.
fn branches(steps: &[(u32, u32)], limit: u32) -> String {
    let mut program = String::from("static int zero(void) { return 0; }\nint main(void) {\n    int s = zero();\n");
    for (left, right) in steps {
        program.push_str(&format!("    if (__VERIFIER_nondet_int()) s += {left}; else s += {right};\n"));
    }
    program.push_str(&format!("    if (s > {limit}) reach_error();\n    return 0;\n}}\n"));
    program
}

/// The program of Fig. 2(a) with as many branches: for two, the limit is the paper's.
fn equal_steps(count: u32) -> String {
    branches(&vec![(1, 2); count as usize], 5 * count)
}

/// A program whose `s` differs on all paths.
fn doubling_steps(count: u32) -> String {
    let steps: Vec<(u32, u32)> = (0..count).map(|index| (0, 1 << index)).collect();
    branches(&steps, 1 << count)
}

struct Tree {
    nodes: Vec<Value>,
}

fn check(options: &str, program: &str) -> (Project, Finished) {
    let project = Project::new(&format!("{DECLARATIONS}{program}"));
    let finished = project.run(&format!("check --only=reach --loops=unroll {options} prog.c"));
    (project, finished)
}

impl Tree {
    /// The tree of a proof.
    #[track_caller]
    fn of(options: &str, program: &str) -> Tree {
        let (project, finished) = check(&format!("--tree=tree.json {options}"), program);
        assert_eq!(finished.end, End::Exit(0), "{finished:?}");
        let mut tree: Value = serde_json::from_str(&project.read("tree.json")).expect("JSON");
        let Value::Array(nodes) = tree["nodes"].take() else { panic!("no nodes: {tree}") };
        Tree { nodes }
    }

    fn size(&self) -> u32 {
        self.nodes.len() as u32
    }

    fn children<'a>(&'a self, node: &'a Value) -> Vec<&'a Value> {
        self.nodes.iter().filter(|child| child["parent"] == node["id"]).collect()
    }

    /// The node that the alternatives lead to from the root, through the joins between: 0 is a
    /// condition's true side.
    #[track_caller]
    fn at(&self, alternatives: &[usize]) -> &Value {
        alternatives.iter().fold(&self.nodes[0], |node, &alternative| {
            let children = self.children(self.before_fork(node));
            children.get(alternative).unwrap_or_else(|| panic!("no alternative {alternative} at {node}"))
        })
    }

    /// The last join before the next fork.
    fn before_fork<'a>(&'a self, node: &'a Value) -> &'a Value {
        match self.children(node)[..] {
            [join] => self.before_fork(join),
            _ => node,
        }
    }

    /// Where the path goes on that took the alternatives, before it forks again.
    #[track_caller]
    fn join(&self, alternatives: &[usize]) -> &Value {
        self.before_fork(self.at(alternatives))
    }

    fn pruned(&self) -> usize {
        self.nodes.iter().filter(|node| node["fate"] == "pruned").count()
    }
}

/// A node's interpolant, with `r` for each register.
fn clauses(node: &Value) -> Vec<String> {
    let texts = node["interpolant"].as_array().unwrap_or_else(|| panic!("no interpolant: {node}"));
    let without_registers = |text: &Value| {
        let mut parts = text.as_str().unwrap_or_default().split('%');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| {
            text + "r" + part.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.')
        })
    };
    texts.iter().map(without_registers).collect()
}

/// The ends of the one interval in a node's interpolant.
#[track_caller]
fn interval(node: &Value) -> (i64, i64) {
    let clauses = clauses(node);
    let mut intervals = clauses.iter().filter_map(|clause| {
        let (low, high) = clause.strip_prefix("r in [")?.strip_suffix(']')?.split_once(", ")?;
        Some((low.parse().ok()?, high.parse().ok()?))
    });
    match (intervals.next(), intervals.next()) {
        (Some(interval), None) => interval,
        _ => panic!("not one interval: {clauses:?}"),
    }
}

/// TracerX, Example 2.1: `d` is at least this at the nodes of the tree in Fig. 2(b).
#[test]
fn shortest_path() {
    let tree = Tree::of("-DBOUND=90", SHORTEST_PATH);
    let at_least = |node: &Value| interval(node).0;
    let (root, a2, a3) = (tree.join(&[1]), tree.join(&[1, 0]), tree.join(&[1, 0, 0]));
    assert_eq!(at_least(a3), 30);
    assert_eq!(at_least(tree.at(&[1, 0, 0])), -10, "at 2, from 3a");
    assert_eq!(at_least(tree.at(&[1, 0, 1])), 0, "at 2, from 4b");
    assert_eq!(at_least(a2), 0);
    assert_eq!(at_least(tree.at(&[1, 0])), -20, "at 1, from 2");
    assert_eq!(at_least(tree.at(&[1, 1, 0])), -5, "at 1, from 3b");
    assert_eq!(at_least(tree.at(&[1, 1, 1])), -20, "at 1, from 4d");
    assert_eq!(at_least(root), -5);
    let b3 = tree.join(&[1, 1, 0]);
    assert_eq!(b3["pruned_by"], a3["id"]);
    assert_eq!(clauses(b3), clauses(a3));
    assert_eq!((tree.size(), tree.pruned()), (16, 1));
}

/// The root's interpolant says that the shortest path has the length 95.
#[test]
fn shortest_length() {
    assert_eq!(check("-DBOUND=95", SHORTEST_PATH).1.end, End::Exit(0));
    assert_eq!(check("-DBOUND=96", SHORTEST_PATH).1.end, End::Exit(10));
}

const NODE_2A: [usize; 2] = [1, 0];
const NODE_2B: [usize; 2] = [1, 1];

/// TracerX, Example 5.5: the clauses on `x`, `y` and `z` at 3a and 3b are the paper's; those on `x`
/// at 2a are weaker, for they need nothing from the path.
#[test]
fn abduction() {
    let tree = Tree::of("", ABDUCTION);
    let under_2a = |alternative| tree.at(&[&NODE_2A[..], &[alternative]].concat());
    assert_eq!(clauses(under_2a(0)), ["r in [-3, 4]", "r <s (r + 0x21)"]);
    assert_eq!(clauses(under_2a(1)), ["r in [-5, 2]", "(r + 0xfffffffe) <s r"]);
    let at_2a = clauses(tree.join(&NODE_2A));
    for clause in ["r <s (r + 0x21)", "(r + 0xfffffffe) <s r"] {
        assert!(at_2a.iter().any(|other| other == clause), "no {clause}: {at_2a:?}");
    }
    assert_eq!(tree.join(&NODE_2B)["pruned_by"], tree.join(&NODE_2A)["id"]);
    assert_eq!((tree.size(), tree.pruned()), (11, 2));
}

/// TRACER, Example 2: the greatest `s` before each of the four updates.
#[test]
fn two_branches() {
    let tree = Tree::of("", &equal_steps(2));
    let at_most = |alternatives: &[usize]| interval(tree.at(alternatives)).1;
    assert_eq!((at_most(&[0, 0]), at_most(&[0, 1])), (9, 8));
    assert_eq!((at_most(&[0]), at_most(&[1])), (7, 6));
    assert_eq!(tree.join(&[1])["pruned_by"], tree.join(&[0])["id"]);
    assert_eq!(tree.join(&[0, 1])["pruned_by"], tree.join(&[0, 0])["id"]);
}

/// TRACER, Example 2: both alternatives of each branch are explored, and where they meet again the
/// second is pruned.
#[test]
fn weakest_preconditions_give_linear_trees() {
    for count in 2..=12 {
        for program in [equal_steps(count), doubling_steps(count)] {
            let tree = Tree::of("", &program);
            assert_eq!((tree.size(), tree.pruned() as u32), (4 * count + 1, count), "{program}");
        }
    }
}

/// TRACER, Example 1 and TracerX, Example 5.5: what is learnt from the path alone holds for no
/// other path.
#[test]
fn unsat_cores_give_exponential_trees() {
    let options = "--interpolation=unsat-core";
    assert_eq!(Tree::of(options, &equal_steps(2)).pruned(), 0);
    for count in 2..=7 {
        assert_eq!(Tree::of(options, &doubling_steps(count)).size(), (4 << count) - 3, "{count} branches");
    }
    let tree = Tree::of(options, ABDUCTION);
    assert_eq!(tree.join(&NODE_2B)["fate"], "inner");
}
