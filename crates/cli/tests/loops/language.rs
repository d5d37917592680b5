//! A small language that generated programs are made in: as C, and as steps of a machine whose
//! reachable states can all be listed, which knows nothing of the engine.

use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::Write;

/// The types of cells.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Type {
    Byte,
    SignedByte,
    Int,
    Unsigned,
}

impl Type {
    pub fn name(self) -> &'static str {
        match self {
            Type::Byte => "unsigned char",
            Type::SignedByte => "signed char",
            Type::Int => "int",
            Type::Unsigned => "unsigned",
        }
    }

    /// A number as a cell of this type keeps it.
    fn kept(self, number: i32) -> i32 {
        match self {
            Type::Byte => i32::from(number as u8),
            Type::SignedByte => i32::from(number as i8),
            Type::Int | Type::Unsigned => number,
        }
    }
}

/// A cell of memory, and how C names it. A pointer is the number of the cell that it leads to.
#[derive(Clone, Debug)]
pub struct Cell {
    pub name: String,
    pub ty: Type,
    pub first: i32,
}

#[derive(Clone, Debug)]
pub enum Place {
    Cell(usize),
    /// One of four cells from this one on, which C names by the array's name.
    Element(usize, String, Box<Expr>),
    /// What a pointer of this cell leads to; of this type.
    Pointee(usize, Type),
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Op {
    Add,
    Sub,
    Mul,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Op {
    fn text(self) -> &'static str {
        match self {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::And => "&",
            Op::Or => "|",
            Op::Xor => "^",
            Op::Shl => "<<",
            Op::Shr => ">>",
            Op::Eq => "==",
            Op::Ne => "!=",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Gt => ">",
            Op::Ge => ">=",
        }
    }
}

#[derive(Clone, Debug)]
pub enum Expr {
    Number(i32),
    Load(Place),
    Binary(Op, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
pub enum Condition {
    Always,
    Holds(Expr),
    /// An input of this many values, a power of two, is not zero.
    Input(i32),
    /// Both, the input asked for only if the other holds.
    Both(Expr, i32),
    /// A pointer is not yet behind the array of this name and place.
    Within(usize, String, usize),
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    While,
    For,
    Do,
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Assign(Place, Expr),
    Update(Place, Op, Expr),
    Input(Place, i32, i32),
    If(Condition, Vec<Stmt>, Vec<Stmt>),
    Loop(Kind, Condition, Option<Box<Stmt>>, Vec<Stmt>),
    Break,
    Continue,
    /// A pointer is put to a cell.
    Aim(usize, usize),
    /// A pointer goes on to the next cell.
    Step(usize),
    /// A function by name and body; a pointer of its own is put to a cell first.
    Call(String, Option<(usize, usize)>, Vec<Stmt>),
    /// An assertion may come here.
    Mark(usize),
}

#[derive(Clone, Debug, Default)]
pub struct Program {
    pub cells: Vec<Cell>,
    /// Pointers are cells behind the others.
    pub pointers: Vec<String>,
    pub top: String,
    pub locals: String,
    pub body: Vec<Stmt>,
    /// The conditions of the marks, once chosen.
    pub assertions: HashMap<usize, Expr>,
}

impl Program {
    pub fn text(&self) -> String {
        let mut writer = Writer { program: self, functions: String::new(), known: HashSet::new() };
        let body = writer.block(&self.body, 1);
        let functions = writer.functions;
        format!(
            "extern int __VERIFIER_nondet_int(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\
             extern void reach_error(void);\nextern void *malloc(unsigned long);\n{}{functions}\
             int main(void) {{\n{}{body}  return 0;\n}}\n",
            self.top, self.locals,
        )
    }

    fn pointer(&self, number: usize) -> &str {
        &self.pointers[number - self.cells.len()]
    }

    fn place(&self, place: &Place) -> String {
        match place {
            Place::Cell(cell) => self.cells[*cell].name.clone(),
            Place::Element(_, name, index) => format!("{name}[({}) & 3]", self.expr(index)),
            Place::Pointee(pointer, _) => format!("*{}", self.pointer(*pointer)),
        }
    }

    pub fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Number(number) => number.to_string(),
            Expr::Load(place) => self.place(place),
            Expr::Binary(op, one, other) => {
                format!("({} {} {})", self.expr(one), op.text(), self.expr(other))
            }
        }
    }

    fn input(values: i32) -> String {
        let kind = if values % 8 == 0 { "uchar" } else { "int" };
        format!("(__VERIFIER_nondet_{kind}() & {})", values - 1)
    }

    fn condition(&self, condition: &Condition) -> String {
        match condition {
            Condition::Always => "1".to_owned(),
            Condition::Holds(expr) => self.expr(expr),
            Condition::Input(values) => Program::input(*values),
            Condition::Both(expr, values) => format!("{} && {}", self.expr(expr), Program::input(*values)),
            Condition::Within(pointer, array, _) => format!("{} < {array} + 4", self.pointer(*pointer)),
        }
    }
}

struct Writer<'a> {
    program: &'a Program,
    functions: String,
    known: HashSet<String>,
}

impl Writer<'_> {
    fn block(&mut self, stmts: &[Stmt], depth: usize) -> String {
        stmts.iter().map(|stmt| self.stmt(stmt, depth)).collect()
    }

    fn simple(&self, stmt: &Stmt) -> String {
        let program = self.program;
        match stmt {
            Stmt::Assign(place, expr) => format!("{} = {}", program.place(place), program.expr(expr)),
            Stmt::Update(place, op, expr) => {
                format!("{} {}= {}", program.place(place), op.text(), program.expr(expr))
            }
            Stmt::Input(place, values, low) => {
                format!("{} = {} + {low}", program.place(place), Program::input(*values))
            }
            Stmt::Aim(pointer, cell) => {
                format!("{} = &{}", program.pointer(*pointer), program.cells[*cell].name)
            }
            Stmt::Step(pointer) => format!("{}++", program.pointer(*pointer)),
            Stmt::Break => "break".to_owned(),
            Stmt::Continue => "continue".to_owned(),
            other => panic!("{other:?} is not simple"),
        }
    }

    fn stmt(&mut self, stmt: &Stmt, depth: usize) -> String {
        let (program, pad) = (self.program, "  ".repeat(depth));
        let mut text = String::new();
        match stmt {
            Stmt::If(condition, then, other) => {
                let _ = writeln!(text, "{pad}if ({}) {{", program.condition(condition));
                text.push_str(&self.block(then, depth + 1));
                if !other.is_empty() {
                    let _ = writeln!(text, "{pad}}} else {{");
                    text.push_str(&self.block(other, depth + 1));
                }
                let _ = writeln!(text, "{pad}}}");
            }
            Stmt::Loop(kind, condition, step, body) => {
                let condition = program.condition(condition);
                let step = step.as_ref().map(|step| self.simple(step)).unwrap_or_default();
                let body = self.block(body, depth + 1);
                let _ = match kind {
                    Kind::While => writeln!(text, "{pad}while ({condition}) {{\n{body}{pad}}}"),
                    Kind::For => writeln!(text, "{pad}for (; {condition}; {step}) {{\n{body}{pad}}}"),
                    Kind::Do => writeln!(text, "{pad}do {{\n{body}{pad}}} while ({condition});"),
                };
            }
            Stmt::Call(name, aimed, body) => {
                let given = aimed.map(|(_, cell)| format!("&{}", program.cells[cell].name)).unwrap_or_default();
                let _ = writeln!(text, "{pad}{name}({given});");
                if self.known.insert(name.clone()) {
                    let body = self.block(body, 1);
                    let parameter = aimed.map_or("void".to_owned(), |(pointer, cell)| {
                        format!("{} *{}", program.cells[cell].ty.name(), program.pointer(pointer))
                    });
                    let _ = writeln!(self.functions, "static void {name}({parameter}) {{\n{body}}}");
                }
            }
            Stmt::Mark(mark) => {
                if let Some(expr) = program.assertions.get(mark) {
                    let _ = writeln!(text, "{pad}if (!({})) reach_error();", program.expr(expr));
                }
            }
            simple => {
                let _ = writeln!(text, "{pad}{};", self.simple(simple));
            }
        }
        text
    }
}

/// A state: all cells, then all pointers.
pub type State = Box<[i32]>;

/// What the program does that has no meaning: an access outside of the cells that a pointer may
/// lead to.
#[derive(Debug)]
pub struct Undefined;

impl Program {
    fn typed(&self, place: &Place, state: &[i32]) -> Result<(usize, Type), Undefined> {
        match place {
            Place::Cell(cell) => Ok((*cell, self.cells[*cell].ty)),
            Place::Element(first, _, index) => {
                let cell = first + (self.value(index, state)?.0 & 3) as usize;
                Ok((cell, self.cells[cell].ty))
            }
            Place::Pointee(pointer, ty) => {
                let cell = usize::try_from(state[*pointer]).map_err(|_| Undefined)?;
                let is_one = self.cells.get(cell).is_some_and(|cell| cell.ty == *ty);
                if is_one { Ok((cell, *ty)) } else { Err(Undefined) }
            }
        }
    }

    /// The value of an expression, and whether its type is `unsigned`; it is `int` otherwise.
    pub fn value(&self, expr: &Expr, state: &[i32]) -> Result<(i32, bool), Undefined> {
        Ok(match expr {
            Expr::Number(number) => (*number, false),
            Expr::Load(place) => {
                let (cell, ty) = self.typed(place, state)?;
                (state[cell], ty == Type::Unsigned)
            }
            Expr::Binary(op, one, other) => {
                let ((a, first), (b, second)) = (self.value(one, state)?, self.value(other, state)?);
                let is_unsigned = first || second;
                let less = |a: i32, b: i32| if is_unsigned { (a as u32) < (b as u32) } else { a < b };
                let truth = |holds: bool| (i32::from(holds), false);
                match op {
                    Op::Add => (a.wrapping_add(b), is_unsigned),
                    Op::Sub => (a.wrapping_sub(b), is_unsigned),
                    Op::Mul => (a.wrapping_mul(b), is_unsigned),
                    Op::And => (a & b, is_unsigned),
                    Op::Or => (a | b, is_unsigned),
                    Op::Xor => (a ^ b, is_unsigned),
                    // By small numbers only; the left side alone decides the type.
                    Op::Shl => (a.wrapping_shl(b as u32), first),
                    Op::Shr if first => ((a as u32).wrapping_shr(b as u32) as i32, first),
                    Op::Shr => (a.wrapping_shr(b as u32), first),
                    Op::Eq => truth(a == b),
                    Op::Ne => truth(a != b),
                    Op::Lt => truth(less(a, b)),
                    Op::Le => truth(!less(b, a)),
                    Op::Gt => truth(less(b, a)),
                    Op::Ge => truth(!less(a, b)),
                }
            }
        })
    }
}

enum Code {
    Assign(Place, Expr),
    Input(Place, i32, i32),
    Aim(usize, usize),
    Step(usize),
    /// Goes on if it holds, and elsewhere if not.
    Test(Expr, usize),
    TestInput(usize),
    TestWithin(usize, usize, usize),
    Jump(usize),
    Mark(usize),
}

#[derive(Default)]
struct Compiler {
    code: Vec<Code>,
    /// Where `break` and `continue` of the loops around go, to be filled in.
    breaks: Vec<Vec<usize>>,
    continues: Vec<Vec<usize>>,
}

impl Compiler {
    fn block(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn hole(&mut self) -> usize {
        self.code.push(Code::Jump(usize::MAX));
        self.code.len() - 1
    }

    /// Goes on if the condition holds; gives what has to be filled in with where it goes if not.
    fn test(&mut self, condition: &Condition) -> Vec<usize> {
        match condition {
            Condition::Always => return Vec::new(),
            Condition::Holds(expr) => self.code.push(Code::Test(expr.clone(), usize::MAX)),
            Condition::Input(_) => self.code.push(Code::TestInput(usize::MAX)),
            Condition::Within(pointer, _, first) => {
                self.code.push(Code::TestWithin(*pointer, first + 4, usize::MAX));
            }
            Condition::Both(expr, _) => {
                self.code.push(Code::Test(expr.clone(), usize::MAX));
                self.code.push(Code::TestInput(usize::MAX));
                return vec![self.code.len() - 2, self.code.len() - 1];
            }
        }
        vec![self.code.len() - 1]
    }

    fn fill(&mut self, holes: Vec<usize>, target: usize) {
        for hole in holes {
            match &mut self.code[hole] {
                Code::Test(_, to) | Code::TestInput(to) | Code::TestWithin(_, _, to) | Code::Jump(to) => *to = target,
                _ => unreachable!("only jumps are filled in"),
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Assign(place, expr) => self.code.push(Code::Assign(place.clone(), expr.clone())),
            Stmt::Update(place, op, expr) => {
                let old = Box::new(Expr::Load(place.clone()));
                let new = Expr::Binary(*op, old, Box::new(expr.clone()));
                self.code.push(Code::Assign(place.clone(), new));
            }
            Stmt::Input(place, values, low) => self.code.push(Code::Input(place.clone(), *values, *low)),
            Stmt::Aim(pointer, cell) => self.code.push(Code::Aim(*pointer, *cell)),
            Stmt::Step(pointer) => self.code.push(Code::Step(*pointer)),
            Stmt::Mark(mark) => self.code.push(Code::Mark(*mark)),
            Stmt::Break => {
                let hole = self.hole();
                self.breaks.last_mut().expect("in a loop").push(hole);
            }
            Stmt::Continue => {
                let hole = self.hole();
                self.continues.last_mut().expect("in a loop").push(hole);
            }
            Stmt::Call(_, aimed, body) => {
                if let Some((pointer, cell)) = aimed {
                    self.code.push(Code::Aim(*pointer, *cell));
                }
                self.block(body);
            }
            Stmt::If(condition, then, other) => {
                let holes = self.test(condition);
                self.block(then);
                let end = self.hole();
                self.fill(holes, self.code.len());
                self.block(other);
                self.fill(vec![end], self.code.len());
            }
            Stmt::Loop(kind, condition, step, body) => {
                let head = self.code.len();
                let mut leave = if *kind == Kind::Do { Vec::new() } else { self.test(condition) };
                self.breaks.push(Vec::new());
                self.continues.push(Vec::new());
                self.block(body);
                let continues = self.continues.pop().expect("was pushed");
                self.fill(continues, self.code.len());
                step.iter().for_each(|step| self.stmt(step));
                if *kind == Kind::Do {
                    leave = self.test(condition);
                }
                self.code.push(Code::Jump(head));
                leave.extend(self.breaks.pop().expect("was pushed"));
                self.fill(leave, self.code.len());
            }
        }
    }
}

/// The states in which a program comes to its marks, those after few rounds of loops first; `None`
/// if there are too many states, or what the program does has no meaning.
pub fn states_at_marks(program: &Program, most: usize) -> Option<HashMap<usize, Vec<State>>> {
    let mut compiler = Compiler::default();
    compiler.block(&program.body);
    let code = compiler.code;
    let cells = program.cells.iter().map(|cell| cell.ty.kept(cell.first));
    let first: State = cells.chain(program.pointers.iter().map(|_| 0)).collect();
    let mut met: HashMap<usize, Vec<State>> = HashMap::new();
    let mut seen: HashSet<(usize, State)> = HashSet::new();
    let mut known: HashSet<(usize, State)> = HashSet::new();
    // A round of all paths at a time.
    let mut later = VecDeque::from([(0, first)]);
    let mut open: Vec<(usize, State)> = Vec::new();
    while let Some((mut pc, mut state)) = open.pop().or_else(|| later.pop_front()) {
        while let Some(step) = code.get(pc) {
            pc += 1;
            match step {
                Code::Assign(place, expr) => {
                    let (cell, ty) = program.typed(place, &state).ok()?;
                    state[cell] = ty.kept(program.value(expr, &state).ok()?.0);
                }
                Code::Aim(pointer, cell) => state[*pointer] = *cell as i32,
                Code::Step(pointer) => state[*pointer] += 1,
                Code::Mark(mark) => {
                    if seen.insert((*mark, state.clone())) {
                        met.entry(*mark).or_default().push(state.clone());
                    }
                }
                Code::Input(place, values, low) => {
                    let (cell, ty) = program.typed(place, &state).ok()?;
                    for value in 1..*values {
                        let mut other = state.clone();
                        other[cell] = ty.kept(value + low);
                        open.push((pc, other));
                    }
                    state[cell] = ty.kept(*low);
                }
                Code::Test(expr, other) => {
                    if program.value(expr, &state).ok()?.0 == 0 {
                        pc = *other;
                    }
                }
                Code::TestWithin(pointer, end, other) => {
                    if state[*pointer] >= *end as i32 {
                        pc = *other;
                    }
                }
                Code::TestInput(other) => open.push((*other, state.clone())),
                Code::Jump(target) => {
                    let is_back = *target < pc;
                    pc = *target;
                    if known.len() + open.len() > most {
                        return None;
                    }
                    if is_back {
                        if known.insert((pc, state.clone())) {
                            later.push_back((pc, state));
                        }
                        break;
                    }
                }
            }
        }
    }
    Some(met)
}
