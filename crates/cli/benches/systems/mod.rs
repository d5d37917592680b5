//! Generated C programs to measure interpolation with: families whose paths grow exponentially with
//! their size, but whose distinct states do not. They follow the programs that the literature on
//! symbolic execution with interpolation is evaluated on: two small examples,
//! event-condition-action systems as in the RERS challenge of 2012, and interface automata as in
//! the PSYCO tasks of SV-COMP.
//!
//! Each program is determined by its size and a seed, and whether its call of `reach_error` is
//! reachable is known without executing it: by construction, by dynamic programming, or by a search
//! over concrete states. So a run is judged by its answer as well as by its time.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

const DECLARATIONS: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void klee_make_symbolic(void *, unsigned long, const char *);

";

/// How Fig. 4 of the TracerX paper is written down.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Fig4 {
    /// One variable that goes up and down: what the sum in the paper comes to.
    Scalar,
    /// As in the paper: an array, whose elements are added up in the end.
    Array,
    /// The same, with an array of unknown bits, both arrays global.
    Globals,
    /// The same, with pointers that walk through the arrays.
    Pointers,
}

impl Fig4 {
    pub const ALL: [Fig4; 4] = [Fig4::Scalar, Fig4::Array, Fig4::Globals, Fig4::Pointers];
}

/// `n` variables are 1 or -1; their sum cannot leave `-n..=n`: the error is unreachable.
pub fn fig4(n: usize, spelling: Fig4) -> String {
    let (globals, body) = match spelling {
        Fig4::Scalar => (
            "",
            "    int sum = 0;
    for (int i = 0; i < N; i++) {
        if (__VERIFIER_nondet_int())
            sum += 1;
        else
            sum -= 1;
    }",
        ),
        Fig4::Array => (
            "",
            "    int x[N], sum = 0;
    for (int i = 0; i < N; i++) {
        if (__VERIFIER_nondet_int())
            x[i] = 1;
        else
            x[i] = -1;
    }
    for (int i = 0; i < N; i++)
        sum += x[i];",
        ),
        Fig4::Globals => (
            "_Bool b[N];\nint x[N], sum, i;\n",
            "    for (i = 0; i < N; i++)
        b[i] = __VERIFIER_nondet_int() & 1;
    for (i = 0; i < N; i++)
        x[i] = -1;
    for (i = 0; i < N; i++)
        if (b[i])
            x[i] = 1;
    for (i = 0; i < N; i++)
        sum += x[i];",
        ),
        Fig4::Pointers => (
            "",
            "    unsigned char b[N];
    int x[N], sum = 0;
    klee_make_symbolic(b, sizeof b, \"b\");
    for (int *to = x; to != x + N; to++) {
        *to = 1;
        if (b[to - x] % 2)
            *to = -1;
    }
    for (const int *from = x; from != x + N; from++)
        sum += *from;",
        ),
    };
    format!(
        "{DECLARATIONS}#define N {n}
{globals}
int main(void) {{
{body}
    if (!(-N <= sum && sum <= N))
        reach_error();
    return 0;
}}
"
    )
}

/// `n` independent locks, each taken and checked if an unknown flag says so, once or in an endless
/// loop: the error is unreachable, and there are `2^n` ways.
pub fn locks(n: usize, is_endless: bool) -> String {
    let lines = |line: &dyn Fn(usize) -> String| -> String { (0..n).map(line).collect() };
    let flags = lines(&|i| format!("    int flag{i} = __VERIFIER_nondet_int(), lock{i};\n"));
    let free = lines(&|i| format!("        lock{i} = 0;\n"));
    let take = lines(&|i| format!("        if (flag{i}) lock{i} = 1;\n"));
    let check = lines(&|i| format!("        if (flag{i}) {{ if (lock{i} != 1) goto error; lock{i} = 0; }}\n"));
    let last = if is_endless { "" } else { "        break;\n" };
    format!(
        "{DECLARATIONS}int main(void) {{
{flags}    while (__VERIFIER_nondet_int()) {{
{free}{take}{check}{last}    }}
    return 0;
error:
    reach_error();
    return 0;
}}
"
    )
}

/// How the program of [`shortest_path`] is written down.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ShortestPath {
    /// The next node is looked for by a counter, and the counter is used.
    Counter,
    /// The next node is looked for by a counter, and it is itself the index.
    Index,
    /// A chain of comparisons.
    Chain,
    Switch,
    /// The bytes of the next node come from `klee_make_symbolic`.
    Bytes,
    /// Everything is global, and the graph can be written.
    Globals,
}

impl ShortestPath {
    pub const ALL: [ShortestPath; 6] = [
        ShortestPath::Counter,
        ShortestPath::Index,
        ShortestPath::Chain,
        ShortestPath::Switch,
        ShortestPath::Bytes,
        ShortestPath::Globals,
    ];
}

/// Walks a dense acyclic graph of `nodes` nodes (at least two) from the first to the last one, and
/// reaches the error if that takes less than the shortest distance, which is the second result: the
/// error is unreachable.
pub fn shortest_path(nodes: usize, seed: u64, spelling: ShortestPath) -> (String, u64) {
    let nodes = nodes.max(2);
    let mut random = Random::new(seed);
    let mut graph = vec![vec![0u16; nodes]; nodes];
    for (from, row) in graph.iter_mut().enumerate() {
        for (to, distance) in row.iter_mut().enumerate().skip(from + 1) {
            // Long edges cost about as much as the short ones they replace, so that neither always
            // win.
            let hops = 10 * (to - from);
            *distance = u16::try_from(hops + random.between(1, 90)).unwrap_or(u16::MAX);
        }
    }
    let bound = shortest_distance(&graph);

    let rows: Vec<String> = graph
        .iter()
        .map(|row| format!("    {{{}}}", row.iter().map(u16::to_string).collect::<Vec<_>>().join(", ")))
        .collect();
    let is_global = spelling == ShortestPath::Globals;
    let is_const = if is_global { "" } else { "static const " };
    let (globals, locals) = if is_global {
        ("unsigned d;\nint node, next, i;\n", "")
    } else {
        ("", "    unsigned d = 0;\n    int node = 0, next, i;\n")
    };
    let input = match spelling {
        ShortestPath::Bytes => "klee_make_symbolic(&next, sizeof next, \"next\")",
        _ => "next = __VERIFIER_nondet_int()",
    };
    let search = "        for (i = node + 1; i < N - 1; i++)
            if (next == i)
                break;
";
    let cases = |line: &dyn Fn(usize) -> String| -> String { (1..nodes - 1).map(line).collect() };
    let step = match spelling {
        ShortestPath::Counter | ShortestPath::Bytes | ShortestPath::Globals => search.to_string(),
        ShortestPath::Index => format!("{search}        if (i == N - 1)\n            next = i;\n        i = next;\n"),
        ShortestPath::Chain => {
            let chain =
                cases(&|to| format!("        if (node < {to} && next == {to})\n            i = {to};\n        else\n"));
            format!("{chain}            i = N - 1;\n")
        }
        ShortestPath::Switch => {
            let cases = cases(&|to| format!("        case {to}: i = {to}; break;\n"));
            format!(
                "        switch (next) {{\n{cases}        default: i = N - 1;\n        }}\n        if (i <= node)\n            i = N - 1;\n"
            )
        }
    };
    let text = format!(
        "{DECLARATIONS}#define N {nodes}
#define BOUND {bound}u

{is_const}unsigned short graph[N][N] = {{
{}
}};
{globals}
int main(void) {{
{locals}    while (node < N - 1) {{
        {input};
{step}        d += graph[node][i];
        node = i;
    }}
    if (d < BOUND)
        reach_error();
    return 0;
}}
",
        rows.join(",\n")
    );
    (text, bound)
}

/// The distance from the first to the last node of a graph that has an edge from each node to each
/// later one.
fn shortest_distance(graph: &[Vec<u16>]) -> u64 {
    let mut best: Vec<u64> = vec![0; graph.len()];
    for to in 1..graph.len() {
        best[to] = (0..to).map(|from| best[from] + u64::from(graph[from][to])).min().unwrap_or(0);
    }
    best.last().copied().unwrap_or(0)
}

/// The size of an event-condition-action system.
#[derive(Clone, Debug)]
pub struct Eca {
    /// State variables, at least two, each of 2 to 8 values.
    pub variables: usize,
    /// The inputs are 1 to this number.
    pub inputs: usize,
    pub rules: usize,
    /// How many states may be reachable, if that is limited. Problem 4 of RERS 2012 has about 150.
    pub most_states: Option<usize>,
    /// Error labels: each round begins with their checks.
    pub labels: usize,
    /// How many inputs are read; without a number they are read for ever.
    pub rounds: Option<usize>,
    /// The label, counted from 0, that calls `reach_error`. The others end the path.
    pub target: usize,
}

/// An event-condition-action system in the style of RERS 2012. The programs for different targets
/// differ in nothing else; [`eca_reachable`] tells which targets are reachable.
pub fn eca(options: &Eca, seed: u64) -> String {
    EcaSystem::new(options, seed).program(options)
}

/// Whether each label of the program that [`eca`] makes is reachable within its rounds, by a
/// breadth-first search over all its concrete states. The target makes no difference.
pub fn eca_reachable(options: &Eca, seed: u64) -> Vec<bool> {
    let system = EcaSystem::new(options, seed);
    let mut reachable = vec![false; system.labels.len()];
    let mut seen = HashSet::from([system.initial.clone()]);
    let mut frontier = vec![system.initial.clone()];
    let mut round = 0;
    while !frontier.is_empty() && options.rounds.is_none_or(|rounds| round < rounds) && options.inputs > 0 {
        let mut next_frontier = Vec::new();
        for state in frontier {
            if let Some(label) = system.labels.iter().position(|condition| holds(condition, &state)) {
                reachable[label] = true;
                continue;
            }
            for input in 1..=options.inputs {
                let next = system.step(&state, input);
                if seen.insert(next.clone()) {
                    next_frontier.push(next);
                }
            }
        }
        frontier = next_frontier;
        round += 1;
    }
    reachable
}

/// Variables with the values that they are compared with, or that they are set to.
type Values = Vec<(usize, usize)>;

struct EcaRule {
    input: usize,
    tests: Values,
    assigns: Values,
    output: usize,
}

struct EcaSystem {
    initial: Vec<usize>,
    rules: Vec<EcaRule>,
    labels: Vec<Values>,
}

impl EcaSystem {
    fn new(options: &Eca, seed: u64) -> EcaSystem {
        let mut random = Random::new(seed);
        let ranges: Vec<usize> = (0..options.variables.max(2)).map(|_| random.between(2, 8)).collect();
        let initial = random_state(&ranges, &mut random);
        let mut system = EcaSystem { initial, rules: Vec::new(), labels: Vec::new() };
        system.add_rules(options, &ranges, &mut random);
        system.add_labels(options, &ranges, &mut random);
        system
    }

    /// Three of four rules are made to match a state that the earlier ones lead to: independent
    /// rules would hardly ever be enabled.
    fn add_rules(&mut self, options: &Eca, ranges: &[usize], random: &mut Random) {
        let mut known = vec![self.initial.clone()];
        for _ in 0..options.rules {
            let state = if random.below(4) > 0 {
                known[random.below(known.len())].clone()
            } else {
                random_state(ranges, random)
            };
            let input = random.between(1, options.inputs.max(1));
            let tested = random.between(2, ranges.len());
            let tests = random.subset(ranges.len(), tested).into_iter().map(|v| (v, state[v])).collect();
            let assigned = random.between(1, ranges.len().min(3));
            let assigns = random
                .subset(ranges.len(), assigned)
                .into_iter()
                .map(|v| (v, (state[v] + random.between(1, ranges[v] - 1)) % ranges[v]))
                .collect();
            self.rules.push(EcaRule { input, tests, assigns, output: random.between(20, 26) });
            if options.most_states.is_some_and(|most| self.has_more_states_than(most, options.inputs)) {
                // Instead a rule between two states that are known.
                let (from, to) = (known[random.below(known.len())].clone(), &known[random.below(known.len())]);
                let changes = to.iter().enumerate().filter(|(v, value)| from[*v] != **value);
                let assigns = changes.map(|(v, value)| (v, *value)).collect();
                let tests = from.into_iter().enumerate().collect();
                self.rules.pop();
                self.rules.push(EcaRule { input, tests, assigns, output: random.between(20, 26) });
            }
            known.push(self.step(&state, input));
        }
    }

    fn has_more_states_than(&self, most: usize, inputs: usize) -> bool {
        let mut seen = HashSet::from([self.initial.clone()]);
        let mut open = vec![self.initial.clone()];
        while let Some(state) = open.pop() {
            for input in 1..=inputs {
                let next = self.step(&state, input);
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
            if seen.len() > most {
                return true;
            }
        }
        false
    }

    /// Every other label is for a state that random walks visit, preferably late, and the others
    /// for states that they do not visit.
    fn add_labels(&mut self, options: &Eca, ranges: &[usize], random: &mut Random) {
        const WALKS: usize = 5000;
        const ATTEMPTS: usize = 100;
        let steps = options.rounds.unwrap_or(32).saturating_sub(1);
        let mut visited = HashMap::from([(self.initial.clone(), 0)]);
        for _ in 0..WALKS {
            let mut state = self.initial.clone();
            for step in 1..=steps {
                state = self.step(&state, random.between(1, options.inputs.max(1)));
                let first = visited.entry(state.clone()).or_insert(step);
                *first = step.min(*first);
            }
        }
        let mut candidates: Vec<(usize, Vec<usize>)> =
            visited.iter().filter(|(_, first)| **first > 0).map(|(state, first)| (*first, state.clone())).collect();
        candidates.sort();
        random.shuffle(&mut candidates);
        let latest = candidates.iter().map(|(first, _)| *first).max().unwrap_or(0);
        // Taken from the back: first the late ones.
        candidates.sort_by_key(|(first, _)| 2 * first >= latest);

        for label in 0..options.labels {
            let unvisited = (0..ATTEMPTS).map(|_| random_state(ranges, random)).find(|s| !visited.contains_key(s));
            let late = if label % 2 == 0 || unvisited.is_none() { candidates.pop() } else { None };
            let mut condition: Values = match (late, unvisited) {
                (Some((_, state)), _) => state,
                (None, Some(state)) => state,
                (None, None) => random_state(ranges, random),
            }
            .into_iter()
            .enumerate()
            .collect();
            if label % 4 == 0 && condition.len() > 2 {
                let mut weaker = condition.clone();
                weaker.remove(random.below(condition.len()));
                // A label that holds at once would hide all others.
                if !holds(&weaker, &self.initial) {
                    condition = weaker;
                }
            }
            self.labels.push(condition);
        }
    }

    /// The state after `input`: the first rule that matches changes it.
    fn step(&self, state: &[usize], input: usize) -> Vec<usize> {
        let mut next = state.to_vec();
        if let Some(rule) = self.rules.iter().find(|rule| rule.input == input && holds(&rule.tests, state)) {
            for &(variable, value) in &rule.assigns {
                next[variable] = value;
            }
        }
        next
    }

    fn program(&self, options: &Eca) -> String {
        let mut text = String::from(DECLARATIONS);
        for (variable, value) in self.initial.iter().enumerate() {
            line(&mut text, &format!("static int a{variable} = {value};"));
        }
        line(&mut text, "\nstatic int calculate_output(int input) {");
        for (label, condition) in self.labels.iter().enumerate() {
            line(&mut text, &format!("    if ({}) {{", comparisons(condition)));
            line(&mut text, &format!("    error_{label}: __attribute__((unused));"));
            if label == options.target {
                line(&mut text, "        reach_error();");
            }
            line(&mut text, "        return -1;\n    }");
        }
        for rule in &self.rules {
            line(&mut text, &format!("    if ((input == {}) && {}) {{", rule.input, comparisons(&rule.tests)));
            for (variable, value) in &rule.assigns {
                line(&mut text, &format!("        a{variable} = {value};"));
            }
            line(&mut text, &format!("        return {};\n    }}", rule.output));
        }
        line(&mut text, "    return -2;\n}\n\nint main(void) {");
        match options.rounds {
            Some(rounds) => line(&mut text, &format!("    for (int round = 0; round < {rounds}; round++) {{")),
            None => line(&mut text, "    while (1) {"),
        }
        line(&mut text, "        int input = __VERIFIER_nondet_int();");
        line(&mut text, &format!("        if (input < 1 || input > {})\n            return 0;", options.inputs));
        line(&mut text, "        if (calculate_output(input) == -1)\n            return 0;\n    }");
        if options.rounds.is_some() {
            line(&mut text, "    return 0;");
        }
        line(&mut text, "}");
        text
    }
}

fn random_state(ranges: &[usize], random: &mut Random) -> Vec<usize> {
    ranges.iter().map(|range| random.below(*range)).collect()
}

fn holds(condition: &Values, state: &[usize]) -> bool {
    condition.iter().all(|&(variable, value)| state[variable] == value)
}

fn comparisons(condition: &Values) -> String {
    condition.iter().map(|(variable, value)| format!("(a{variable} == {value})")).collect::<Vec<_>>().join(" && ")
}

/// The size of an interface automaton.
#[derive(Clone, Debug)]
pub struct Psyco {
    /// Flags of the state, at least two.
    pub flags: usize,
    /// Methods, at least one.
    pub methods: usize,
    /// How many methods are called, at least one.
    pub bound: usize,
    /// Do methods also count, and depend on what they have counted? Then states hardly ever repeat.
    pub has_counters: bool,
    pub target_reachable: bool,
}

/// An interface automaton in the style of the PSYCO tasks: each round calls one of several methods,
/// which depends on flags and changes them. No method makes the first and the second flag true
/// together, and the unreachable error asks for that. The reachable error asks for the flags after
/// a random walk of a few calls.
pub fn psyco(options: &Psyco, seed: u64) -> String {
    let mut random = Random::new(seed);
    let initial = PsycoState { flags: vec![false; options.flags.max(2)], counters: [0; COUNTERS] };
    let methods = psyco_methods(options, &initial, &mut random);
    let bound = options.bound.max(1);
    let target = if options.target_reachable {
        let flags = psyco_walk(&methods, initial.clone(), bound.min(6), &mut random).flags;
        flags.into_iter().enumerate().collect()
    } else {
        vec![(0, true), (1, true)]
    };

    let mut text = format!("{DECLARATIONS}int main(void) {{\n    int rounds = 0;\n");
    let names = (0..initial.flags.len()).map(|f| format!("flag{f}")).chain((0..COUNTERS).map(|c| format!("count{c}")));
    for name in names {
        // The cast is a use: not every program reads every one.
        line(&mut text, &format!("    int {name} = 0;\n    (void){name};"));
    }
    line(&mut text, &format!("    while (rounds < {bound}) {{"));
    line(&mut text, "        int method = __VERIFIER_nondet_int();\n        int value = __VERIFIER_nondet_int();");
    for (number, method) in methods.iter().enumerate() {
        let start = if number == 0 { "        if" } else { " else if" };
        let guard: String = method.guard.iter().map(|literal| format!(" && {}", flag_literal(*literal))).collect();
        let _ = writeln!(text, "{start} (method == {number}{guard}) {{");
        line(&mut text, &format!("            if ({}) {{", method.condition.text()));
        method.then.write_to(&mut text);
        line(&mut text, "            } else {");
        method.otherwise.write_to(&mut text);
        text.push_str("            }\n        }");
    }
    let condition = target.iter().map(|literal| flag_literal(*literal)).collect::<Vec<_>>().join(" && ");
    line(&mut text, &format!("\n        if ({condition})\n            reach_error();"));
    line(&mut text, "        rounds++;\n    }\n    return 0;\n}");
    text
}

const COUNTERS: usize = 2;

#[derive(Clone)]
struct PsycoState {
    flags: Vec<bool>,
    counters: [usize; COUNTERS],
}

struct PsycoMethod {
    /// Flags with the values that they need for the call to do anything.
    guard: Vec<(usize, bool)>,
    condition: PsycoCondition,
    then: PsycoEffect,
    otherwise: PsycoEffect,
}

/// What a method's effect depends on: its argument, which is free, and a counter.
enum PsycoCondition {
    Equal { constant: usize },
    Above { counter: usize, constant: usize },
    BelowWhile { counter: usize, limit: usize, constant: usize },
    BelowOnce { counter: usize, limit: usize, constant: usize },
}

struct PsycoEffect {
    assigns: Vec<(usize, bool)>,
    counter: usize,
    increment: usize,
}

impl PsycoCondition {
    fn random(has_counters: bool, random: &mut Random) -> PsycoCondition {
        let (kind, counter) = (random.below(if has_counters { 4 } else { 2 }), random.below(COUNTERS));
        let (limit, constant) = (random.between(2, 12), random.below(100));
        match kind {
            0 => PsycoCondition::Equal { constant },
            1 => PsycoCondition::Above { counter, constant },
            2 => PsycoCondition::BelowWhile { counter, limit, constant },
            _ => PsycoCondition::BelowOnce { counter, limit, constant },
        }
    }

    fn text(&self) -> String {
        match self {
            PsycoCondition::Equal { constant } => format!("value == {constant}"),
            PsycoCondition::Above { counter, constant } => format!("value > count{counter} + {constant}"),
            PsycoCondition::BelowWhile { counter, limit, constant } => {
                format!("value < {constant} && count{counter} < {limit}")
            }
            PsycoCondition::BelowOnce { counter, limit, constant } => {
                format!("value < {constant} || count{counter} >= {limit}")
            }
        }
    }

    /// Whether some argument makes the condition `outcome`.
    fn allows(&self, outcome: bool, counters: &[usize; COUNTERS]) -> bool {
        match *self {
            PsycoCondition::Equal { .. } | PsycoCondition::Above { .. } => true,
            PsycoCondition::BelowWhile { counter, limit, .. } => !outcome || counters[counter] < limit,
            PsycoCondition::BelowOnce { counter, limit, .. } => outcome || counters[counter] < limit,
        }
    }
}

impl PsycoEffect {
    /// Sets `forced` (the first or the second flag), if any, and other flags, so that not both of
    /// the first two can be true afterwards if they were not before and `guard` held.
    fn random(
        guard: &[(usize, bool)],
        forced: Option<usize>,
        flags: usize,
        counter: usize,
        random: &mut Random,
    ) -> PsycoEffect {
        let assigned = random.between(1, flags.min(3));
        let mut assigns: Vec<(usize, bool)> =
            random.subset(flags, assigned).into_iter().map(|flag| (flag, random.below(2) == 1)).collect();
        if let Some(flag) = forced {
            assigns.retain(|(assigned, _)| *assigned != flag);
            assigns.push((flag, true));
        }
        // Of the two, a forced one has precedence.
        let first = forced.unwrap_or(0);
        for (flag, other) in [(first, 1 - first), (1 - first, first)] {
            if assigns.contains(&(flag, true)) {
                let stays_false = guard.contains(&(other, false)) && !assigns.contains(&(other, true));
                if !stays_false {
                    assigns.retain(|(assigned, _)| *assigned != other);
                    assigns.push((other, false));
                }
            }
        }
        PsycoEffect { assigns, counter, increment: random.below(4) }
    }

    fn apply(&self, state: &mut PsycoState) {
        for &(flag, value) in &self.assigns {
            state.flags[flag] = value;
        }
        state.counters[self.counter] += self.increment;
    }

    fn write_to(&self, text: &mut String) {
        for &(flag, value) in &self.assigns {
            line(text, &format!("                flag{flag} = {};", u8::from(value)));
        }
        if self.increment > 0 {
            line(text, &format!("                count{} += {};", self.counter, self.increment));
        }
    }
}

/// Methods that each can be called in a state that the earlier ones lead to. The first two set the
/// first two flags.
fn psyco_methods(options: &Psyco, initial: &PsycoState, random: &mut Random) -> Vec<PsycoMethod> {
    let flags = initial.flags.len();
    let mut known = vec![initial.clone()];
    let mut methods = Vec::new();
    for number in 0..options.methods.max(1) {
        let mut state = known[random.below(known.len())].clone();
        let guarded = random.between(1, flags.min(3));
        let guard: Vec<(usize, bool)> =
            random.subset(flags, guarded).into_iter().map(|flag| (flag, state.flags[flag])).collect();
        let forced = if number < 2 { Some(number) } else { None };
        let condition = PsycoCondition::random(options.has_counters, random);
        let counter = random.below(COUNTERS);
        let mut then = PsycoEffect::random(&guard, forced, flags, counter, random);
        let mut otherwise = PsycoEffect::random(&guard, None, flags, COUNTERS - 1 - counter, random);
        if !options.has_counters {
            (then.increment, otherwise.increment) = (0, 0);
        }
        let taken = condition.allows(true, &state.counters);
        if taken {
            then.apply(&mut state)
        } else {
            otherwise.apply(&mut state)
        }
        known.push(state);
        methods.push(PsycoMethod { guard, condition, then, otherwise });
    }
    methods
}

/// The state after `calls` random calls of methods that can be called.
fn psyco_walk(methods: &[PsycoMethod], mut state: PsycoState, calls: usize, random: &mut Random) -> PsycoState {
    for _ in 0..calls {
        let effects: Vec<&PsycoEffect> = methods
            .iter()
            .filter(|method| method.guard.iter().all(|&(flag, value)| state.flags[flag] == value))
            .flat_map(|method| [(method, true, &method.then), (method, false, &method.otherwise)])
            .filter(|(method, outcome, _)| method.condition.allows(*outcome, &state.counters))
            .map(|(_, _, effect)| effect)
            .collect();
        if !effects.is_empty() {
            effects[random.below(effects.len())].apply(&mut state);
        }
    }
    state
}

fn flag_literal((flag, value): (usize, bool)) -> String {
    format!("{}flag{flag}", if value { "" } else { "!" })
}

fn line(text: &mut String, content: &str) {
    text.push_str(content);
    text.push('\n');
}

/// A linear congruential generator (Knuth's MMIX), of which the upper bits are used.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        let mut random = Random(seed);
        // Neighbouring seeds begin alike.
        for _ in 0..4 {
            random.below(2);
        }
        random
    }

    /// A number below `limit`, which is not 0.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }

    fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last - first + 1)
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// `size` of the numbers below `limit`, in order.
    fn subset(&mut self, limit: usize, size: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..limit).collect();
        self.shuffle(&mut numbers);
        numbers.truncate(size);
        numbers.sort_unstable();
        numbers
    }
}
