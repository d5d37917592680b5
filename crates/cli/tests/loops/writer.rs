//! Writes random programs with a few loops, and assertions about them: tight ones that hold
//! whenever a path comes there, and ones that fail in few of the states that do.

use super::language::{Cell, Condition, Expr, Kind, Op, Place, Program, State, Stmt, Type, states_at_marks};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// States of a program that are listed.
const MOST_STATES: usize = 8_000;

/// A linear congruential generator: the same seed gives the same program for ever.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }
}

/// A program, and whether a call of `reach_error` is reachable.
pub struct Known {
    pub text: String,
    pub is_reachable: bool,
}

/// The program of a seed: the first one whose states are few.
pub fn program(seed: u64) -> Known {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1009_c105_e5ee_d001);
    random.below(2);
    loop {
        let mut program = Generator::new(&mut random).whole();
        let Some(met) = states_at_marks(&program, MOST_STATES) else { continue };
        if let Some(is_reachable) = assert_something(&mut random, &mut program, &met) {
            return Known { text: program.text(), is_reachable };
        }
    }
}

struct Generator<'a> {
    random: &'a mut Random,
    program: Program,
    /// The cells that are variables, and those that no loop counts with.
    variables: Vec<usize>,
    /// The first cell of an array, its name and the number of a pointer that walks over it.
    array: Option<(usize, String, Option<usize>)>,
    /// A pointer that leads to one of two cells.
    switched: Option<(usize, [usize; 2])>,
    function: Option<(Option<usize>, Vec<Stmt>)>,
    loops: usize,
    marks: usize,
    /// Loops around.
    depth: usize,
}

fn number(number: i32) -> Expr {
    Expr::Number(number)
}

fn load(cell: usize) -> Expr {
    Expr::Load(Place::Cell(cell))
}

fn binary(op: Op, one: Expr, other: Expr) -> Expr {
    Expr::Binary(op, Box::new(one), Box::new(other))
}

impl<'a> Generator<'a> {
    fn new(random: &'a mut Random) -> Generator<'a> {
        Generator {
            random,
            program: Program::default(),
            variables: Vec::new(),
            array: None,
            switched: None,
            function: None,
            loops: 0,
            marks: 0,
            depth: 0,
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    fn is(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn small(&mut self, bound: usize) -> i32 {
        self.below(bound) as i32
    }

    fn whole(mut self) -> Program {
        self.declare();
        self.loops = 1 + self.below(3);
        let mut body = Vec::new();
        for variable in self.variables.clone() {
            if self.is(35) {
                let (values, low) = ([2, 4, 4, 16][self.below(4)], [0, 0, 0, 1, -1][self.below(5)]);
                body.push(Stmt::Input(Place::Cell(variable), values, low));
            }
        }
        if let Some((pointer, [one, _])) = self.switched {
            body.push(Stmt::Aim(pointer, one));
        }
        if let Some((first, _, Some(pointer))) = self.array {
            body.push(Stmt::Aim(pointer, first));
        }
        if self.is(25) {
            self.function();
        }
        while self.loops > 0 {
            self.a_loop(&mut body);
            if self.is(40) {
                self.some(&mut body, 1);
            }
            if self.is(60) {
                self.mark(&mut body);
            }
        }
        self.mark(&mut body);
        self.program.body = body;
        self.program
    }

    fn ty(&mut self) -> Type {
        [Type::Byte, Type::Byte, Type::Byte, Type::SignedByte, Type::Int, Type::Int, Type::Int, Type::Unsigned]
            [self.below(8)]
    }

    fn declare(&mut self) {
        let (ty, is_mixed, is_plain) = (self.ty(), self.is(25), self.is(35));
        let count = 2 + self.below(3);
        let with_array = !is_plain && self.is(45);
        let mut structure = String::new();
        for index in 0..count {
            let ty = if is_mixed { self.ty() } else { ty };
            let first = [0, 0, 0, 1, 2, 5][self.below(6)];
            let name = ty.name();
            let text = match if is_plain { 0 } else { self.below(6) } {
                0 | 1 => {
                    let _ = writeln!(self.program.locals, "  {name} v{index} = {first};");
                    format!("v{index}")
                }
                2 => {
                    let _ = writeln!(self.program.top, "{name} v{index} = {first};");
                    format!("v{index}")
                }
                3 => {
                    let _ = writeln!(self.program.locals, "  static {name} v{index} = {first};");
                    format!("v{index}")
                }
                4 => {
                    let _ = write!(structure, "{name} m{index}; ");
                    let _ = writeln!(self.program.locals, "  s.m{index} = {first};");
                    format!("s.m{index}")
                }
                _ => {
                    let _ = writeln!(
                        self.program.locals,
                        "  {name} *h{index} = malloc(sizeof *h{index});\n  if (!h{index}) return 0;\n  \
                         *h{index} = {first};"
                    );
                    format!("(*h{index})")
                }
            };
            self.program.cells.push(Cell { name: text, ty, first });
            self.variables.push(index);
        }
        if !structure.is_empty() {
            let _ = writeln!(self.program.top, "struct {{ {structure}}} s;");
        }
        if with_array {
            let first = self.program.cells.len();
            let fill = self.small(3);
            for k in 0..4 {
                self.program.cells.push(Cell { name: format!("a[{k}]"), ty, first: fill });
            }
            let line = format!("{} a[4] = {{{fill}, {fill}, {fill}, {fill}}};\n", ty.name());
            if self.is(50) {
                self.program.top.push_str(&line);
            } else {
                let _ = write!(self.program.locals, "  {line}");
            }
            self.array = Some((first, "a".to_owned(), None));
            // A cell of the array is a variable too.
            if self.is(50) {
                let cell = first + self.below(4);
                self.variables.push(cell);
            }
        }
        let cells = self.program.cells.len();
        if with_array && self.is(40) {
            let pointer = cells + self.program.pointers.len();
            self.program.pointers.push("w".to_owned());
            let _ = writeln!(self.program.locals, "  {} *w;", ty.name());
            self.array = self.array.take().map(|(first, name, _)| (first, name, Some(pointer)));
        }
        let [one, other] = [self.variable(), self.variable()];
        let types = [one, other].map(|cell| self.program.cells[cell].ty);
        if !is_plain && one != other && types[0] == types[1] && self.is(50) {
            let pointer = cells + self.program.pointers.len();
            self.program.pointers.push("p".to_owned());
            let _ = writeln!(self.program.locals, "  {} *p;", types[0].name());
            self.switched = Some((pointer, [one, other]));
        }
    }

    fn variable(&mut self) -> usize {
        self.variables[self.random.below(self.variables.len())]
    }

    /// A function of global variables, or of what a pointer leads to.
    fn function(&mut self) {
        let is_global =
            |cell: &Cell| !cell.name.starts_with('(') && self.program.top.contains(&format!(" {} =", cell.name));
        let variables: Vec<usize> =
            self.variables.iter().copied().filter(|&v| is_global(&self.program.cells[v])).collect();
        let all = std::mem::replace(&mut self.variables, variables);
        let (array, switched) = (self.array.take(), self.switched.take());
        let parameter = if self.variables.is_empty() || self.is(50) {
            let pointer = self.program.cells.len() + self.program.pointers.len();
            self.program.pointers.push("q".to_owned());
            Some((pointer, self.program.cells[all[0]].ty))
        } else {
            None
        };
        let mut body = Vec::new();
        if let Some((pointer, ty)) = parameter {
            let place = Place::Pointee(pointer, ty);
            let step = Stmt::Update(place.clone(), Op::Add, number(1 + self.small(3)));
            if self.is(60) {
                let most = 3 + self.small(9);
                let test = Condition::Holds(binary(Op::Lt, Expr::Load(place), number(most)));
                let kind = if self.is(40) { None } else { Some(Kind::While) };
                body.push(match kind {
                    Some(kind) => Stmt::Loop(kind, test, None, vec![step]),
                    None => Stmt::If(test, vec![step], Vec::new()),
                });
            } else {
                body.push(step);
            }
        }
        if !self.variables.is_empty() {
            self.some(&mut body, 2);
        }
        self.variables = all;
        (self.array, self.switched) = (array, switched);
        self.function = Some((parameter.map(|(pointer, _)| pointer), body));
    }

    fn call(&mut self) -> Option<Stmt> {
        let (parameter, body) = self.function.clone()?;
        let aimed = match parameter {
            Some(pointer) => {
                let ty = self.program.cells[self.variables[0]].ty;
                let cell = self.variable();
                if self.program.cells[cell].ty != ty {
                    return None;
                }
                Some((pointer, cell))
            }
            None => None,
        };
        Some(Stmt::Call("f".to_owned(), aimed, body))
    }

    fn mark(&mut self, body: &mut Vec<Stmt>) {
        body.push(Stmt::Mark(self.marks));
        self.marks += 1;
    }

    fn place(&mut self) -> Place {
        if let Some((first, name, walker)) = self.array.clone() {
            if self.is(25) {
                let index = load(self.variable());
                return Place::Element(first, name, Box::new(index));
            }
            if let Some(pointer) = walker.filter(|_| self.is(15)) {
                return Place::Pointee(pointer, self.program.cells[first].ty);
            }
        }
        if let Some((pointer, [cell, _])) = self.switched
            && self.is(35)
        {
            return Place::Pointee(pointer, self.program.cells[cell].ty);
        }
        Place::Cell(self.variable())
    }

    fn is_narrow(&self, place: &Place) -> bool {
        let ty = match place {
            Place::Cell(cell) | Place::Element(cell, ..) => self.program.cells[*cell].ty,
            Place::Pointee(_, ty) => *ty,
        };
        matches!(ty, Type::Byte | Type::SignedByte)
    }

    fn update(&mut self) -> Stmt {
        let place = self.place();
        let constant = number(1 + self.small(4));
        let other = Expr::Load(self.place());
        let (op, by) = match self.below(16) {
            0..=4 => (Op::Add, constant),
            5 | 6 => (Op::Sub, constant),
            7 | 8 => (Op::Add, other),
            9 => (Op::Sub, other),
            10 => (Op::Xor, constant),
            11 => (Op::Mul, if self.is(50) { other } else { constant }),
            12 if self.is(50) => (Op::Shl, number(1)),
            12 => (Op::Shr, number(1)),
            13 => return Stmt::Assign(place, binary(Op::Add, other, constant)),
            14 => return Stmt::Assign(place, other),
            _ => return Stmt::Assign(place, constant),
        };
        // Numbers stay small, mostly.
        if self.is(if self.is_narrow(&place) { 25 } else { 60 }) {
            let most = [1, 3, 7, 15, 15, 15][self.below(6)];
            let sum = binary(op, Expr::Load(place.clone()), by);
            return Stmt::Assign(place, binary(Op::And, sum, number(most)));
        }
        Stmt::Update(place, op, by)
    }

    fn test(&mut self) -> Expr {
        let one = Expr::Load(self.place());
        let op = [Op::Lt, Op::Lt, Op::Le, Op::Ne, Op::Eq, Op::Gt, Op::Ge][self.below(7)];
        let other = if self.is(35) { load(self.variable()) } else { number(self.small(14)) };
        binary(op, one, other)
    }

    fn condition(&mut self) -> Condition {
        match self.below(10) {
            0..=4 => Condition::Holds(self.test()),
            5 | 6 => Condition::Both(self.test(), 2),
            _ => Condition::Input([2, 2, 4, 8][self.below(4)]),
        }
    }

    fn some(&mut self, body: &mut Vec<Stmt>, most: usize) {
        for _ in 0..1 + self.below(most) {
            let stmt = self.plain();
            body.push(stmt);
        }
    }

    fn plain(&mut self) -> Stmt {
        match self.below(20) {
            0..=8 => self.update(),
            9..=13 => {
                let condition = self.condition();
                let (mut then, mut other) = (Vec::new(), Vec::new());
                if self.depth > 0 && self.is(25) {
                    then.push([Stmt::Break, Stmt::Continue][self.below(2)].clone());
                } else {
                    self.some(&mut then, 2);
                }
                if self.is(40) {
                    self.some(&mut other, 1);
                }
                Stmt::If(condition, then, other)
            }
            14 | 15 => {
                let (values, low) = ([2, 4][self.below(2)], [0, 0, 1, -1][self.below(4)]);
                Stmt::Input(self.place(), values, low)
            }
            16 | 17 => self.call().unwrap_or_else(|| self.update()),
            _ => match self.switched {
                Some((pointer, cells)) => Stmt::Aim(pointer, cells[self.below(2)]),
                None => self.update(),
            },
        }
    }

    fn a_loop(&mut self, body: &mut Vec<Stmt>) {
        self.loops -= 1;
        let counter = self.variable();
        let by = number([1, 1, 1, 2, 3][self.below(5)]);
        let step = match self.below(4) {
            0 => Stmt::Update(Place::Cell(counter), Op::Sub, by),
            _ => Stmt::Update(Place::Cell(counter), Op::Add, by),
        };
        let kind = [Kind::While, Kind::For, Kind::Do][self.below(3)];
        let walker = self.array.clone().and_then(|(first, name, walker)| Some((first, name, walker?)));
        let walk = walker.filter(|_| kind != Kind::Do && self.is(50));
        let bound = if self.is(40) { load(self.variable()) } else { number(3 + self.small(17)) };
        let op = [Op::Lt, Op::Lt, Op::Le, Op::Ne][self.below(4)];
        let in_bounds = binary(op, load(counter), bound);
        let condition = match (&walk, self.below(6)) {
            (Some((first, name, pointer)), _) => Condition::Within(*pointer, name.clone(), *first),
            (None, 0 | 1) => Condition::Holds(in_bounds),
            (None, 2) => Condition::Both(in_bounds, 2),
            (None, 3 | 4) => Condition::Input(2),
            (None, _) => Condition::Always,
        };
        if let Some((first, _, pointer)) = &walk {
            body.push(Stmt::Aim(*pointer, *first));
        }
        self.depth += 1;
        let mut inside = Vec::new();
        if matches!(condition, Condition::Always) {
            let condition = self.condition();
            inside.push(Stmt::If(condition, vec![Stmt::Break], Vec::new()));
        }
        self.some(&mut inside, 3);
        if self.loops > 0 && self.is(40) {
            self.a_loop(&mut inside);
        }
        if self.is(45) {
            self.mark(&mut inside);
        }
        let step = match walk {
            Some((_, _, pointer)) => Some(Stmt::Step(pointer)),
            None => Some(step).filter(|_| self.is(85)),
        };
        let in_head = step.filter(|step| {
            let is_last = kind != Kind::For || self.is(30);
            if is_last {
                inside.push(step.clone());
            }
            !is_last
        });
        self.depth -= 1;
        body.push(Stmt::Loop(kind, condition, in_head.map(Box::new), inside));
    }
}

/// Chooses assertions; whether one fails. `None` if there is nothing to assert.
fn assert_something(random: &mut Random, program: &mut Program, met: &HashMap<usize, Vec<State>>) -> Option<bool> {
    let mut marks: Vec<usize> = met.keys().copied().collect();
    marks.sort_unstable();
    let mut is_reachable = false;
    for _ in 0..1 + random.below(2) {
        if marks.is_empty() {
            break;
        }
        // The last ones are behind the loops.
        let skewed = random.below(marks.len()).max(random.below(marks.len()));
        let mark = marks.remove(skewed);
        let states: Vec<&State> = met[&mark].iter().collect();
        let holds = random.below(100) < 62;
        let Some(condition) = (0..30).find_map(|_| condition(random, program, &states, holds)) else { continue };
        let fails = |state: &&State| program.value(&condition, state).map_or(true, |(value, _)| value == 0);
        is_reachable |= states.iter().any(fails);
        program.assertions.insert(mark, condition);
    }
    (!program.assertions.is_empty()).then_some(is_reachable)
}

/// A condition that holds in all of these states, tightly, or fails in few of them.
fn condition(random: &mut Random, program: &Program, states: &[&State], holds: bool) -> Option<Expr> {
    let cells = program.cells.len();
    let one = load(random.below(cells));
    let other = load(random.below(cells));
    let term = match random.below(9) {
        0..=2 => one,
        3 => binary(Op::Add, one, other),
        4 => binary(Op::Sub, one, other),
        5 => binary(Op::Sub, one, binary(Op::Mul, number(2 + random.below(2) as i32), other)),
        6 => binary(Op::And, one, number([1, 3][random.below(2)])),
        7 => binary(Op::Xor, one, other),
        _ => binary(Op::And, binary(Op::Add, one, other), number([1, 3, 7][random.below(3)])),
    };
    // Sometimes about those states only in which a cell has one value.
    let guard = load(random.below(cells));
    let of = |expr: &Expr, state: &State| match program.value(expr, state) {
        Ok((value, true)) => i64::from(value as u32),
        Ok((value, false)) => i64::from(value),
        Err(_) => 0,
    };
    let mut own: Vec<&&State> = states.iter().collect();
    let mut hypothesis = None;
    if random.below(4) == 0 {
        let value = of(&guard, states[random.below(states.len())]);
        own.retain(|state| of(&guard, state) == value);
        hypothesis = Some(binary(Op::Ne, guard, spelled(value)));
    }
    let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
    let mut latest = None;
    for state in own {
        let count = counts.entry(of(&term, state)).or_default();
        if *count == 0 {
            latest = Some(of(&term, state));
        }
        *count += 1;
    }
    let (min, max) = (*counts.keys().next()?, *counts.keys().next_back()?);
    let claim = match (holds, random.below(5)) {
        (true, _) if min == max => binary(Op::Eq, term, spelled(min)),
        (true, 0 | 1) if max < 127 => binary(Op::Le, term, spelled(max)),
        (true, 2) if min != 0 => binary(Op::Ge, term, spelled(min)),
        (true, _) => {
            let missing = (min..max.min(min + 64)).find(|value| !counts.contains_key(value))?;
            binary(Op::Ne, term, spelled(missing))
        }
        (false, _) if min == max => return None,
        (false, 0) => binary(Op::Lt, term, spelled(max)),
        (false, 1) => binary(Op::Gt, term, spelled(min)),
        (false, 2 | 3) => binary(Op::Ne, term, spelled(latest?)),
        (false, _) => {
            let rare = counts.iter().min_by_key(|&(value, &count)| (count, *value))?;
            binary(Op::Ne, term, spelled(*rare.0))
        }
    };
    Some(match hypothesis {
        Some(unless) => binary(Op::Or, unless, claim),
        None => claim,
    })
}

/// As a number that C does not take for one of a wider type.
fn spelled(value: i64) -> Expr {
    match value as i32 {
        i32::MIN => binary(Op::Sub, number(-i32::MAX), number(1)),
        value => number(value),
    }
}
