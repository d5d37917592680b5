//! Writes programs of several functions that call each other in chains, for the search backwards:
//! what a caller prepares (numbers, globals, what pointers lead to, aliases) is what decides whether
//! the claims in its callees can be met. All inputs together can be enumerated.
//!
//! A program also has *probes*: functions that call one of its functions in a random state.

use super::support::batch::{Claim, Program};
use super::support::generator::Random;
use std::fmt::Write;

/// What a function takes.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Kind {
    Number,
    Two,
    Narrow,
    Nothing,
    /// Its parameter is called like a global.
    Shadow,
    Copy,
    Pointer,
    Aliases,
    Nullable,
    Structure,
    Callback,
}

const SCALARS: [Kind; 6] = [Kind::Number, Kind::Two, Kind::Narrow, Kind::Nothing, Kind::Shadow, Kind::Copy];
const OTHERS: [Kind; 5] = [Kind::Pointer, Kind::Aliases, Kind::Nullable, Kind::Structure, Kind::Callback];

impl Kind {
    fn parameters(self) -> &'static str {
        match self {
            Kind::Number => "int a",
            Kind::Two => "int a, int b",
            Kind::Narrow => "unsigned char a, short b",
            Kind::Nothing => "void",
            Kind::Shadow => "int @g0",
            Kind::Copy => "struct @s s",
            Kind::Pointer | Kind::Nullable => "int *p",
            Kind::Aliases => "int *p, int *q",
            Kind::Structure => "struct @s *s",
            Kind::Callback => "int (*cb)(int), int a",
        }
    }

    /// The integers that it is given.
    fn given(self) -> &'static [&'static str] {
        match self {
            Kind::Number | Kind::Callback => &["a"],
            Kind::Two | Kind::Narrow => &["a", "b"],
            Kind::Nothing => &[],
            Kind::Shadow => &["@g0"],
            Kind::Copy => &["s.x", "s.y"],
            Kind::Pointer | Kind::Nullable => &["*p"],
            Kind::Aliases => &["*p", "*q"],
            Kind::Structure => &["s->x", "s->y", "*s->p"],
        }
    }
}

const GLOBALS: [&str; 9] = ["@g0", "@g1", "@g2", "@u", "@volatile", "@st.x", "@st.y", "@array[1]", "@array[2]"];
const HELPERS: [&str; 3] = ["@h0", "(int (*)(int))@h1", "(int (*)(int))@h2"];
const MOST_CLAIMS: usize = 4;
/// Statements, and those of them that call nothing of the program.
const ALL: usize = 34;
const PLAIN: usize = 31;

/// A program, and how to try its functions.
pub struct Chain {
    pub program: Program,
    /// Functions in C, and what they try: `{"f", p_f}, …`.
    pub probes: String,
    pub probed: String,
}

struct Writer {
    random: Random,
    text: String,
    claims: Vec<Claim>,
    functions: Vec<Kind>,
    /// Integers that can be read where the text goes on, those that are given first.
    readable: Vec<String>,
    given: usize,
    has_handler: bool,
}

/// The program of a seed, and the names of its functions begin with this one.
pub fn chain(seed: u64, name: &str) -> Chain {
    let mut writer = Writer {
        random: Random::new(seed),
        text: String::new(),
        claims: Vec::new(),
        functions: Vec::new(),
        readable: Vec::new(),
        given: 0,
        has_handler: false,
    };
    writer.whole();
    let (probes, probed) = writer.probes();
    let named = |text: String| text.replace('@', &format!("{name}_"));
    let text = named(writer.text).replace(&format!("{name}_main"), name);
    let program = Program { name: name.to_owned(), text, claims: writer.claims };
    Chain { program, probes: named(probes), probed: named(probed) }
}

impl Writer {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    fn is(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{text}");
    }

    fn number(&mut self) -> String {
        (self.below(7) as i32 - 1).to_string()
    }

    /// Something that can be read, more often what is given.
    fn read(&mut self) -> String {
        let index =
            if self.given > 0 && self.is(50) { self.below(self.given) } else { self.below(self.readable.len()) };
        self.readable[index].clone()
    }

    fn expression(&mut self) -> String {
        let (x, y) = (self.read(), self.read());
        match self.below(9) {
            0 => format!("{x} + {y}"),
            1 => format!("{x} - {y}"),
            2 => format!("{x} + 1"),
            3 => format!("({x} & {})", 1 + self.below(7)),
            4 => format!("{x} * 2"),
            5 => self.number(),
            _ => x,
        }
    }

    fn comparison(&mut self) -> String {
        let operator = self.random.pick(&["==", "==", "!=", "<", ">", "<=", ">="]);
        format!("{} {operator} {}", self.read(), self.number())
    }

    /// A claim that something is possible, and with it what was ruled out before.
    fn claim(&mut self, before: &str) {
        if self.claims.len() == MOST_CLAIMS {
            return;
        }
        let mut condition = format!("{} {} {}", self.read(), self.random.pick(&["!=", ">", "<", "=="]), self.number());
        match self.below(10) {
            0 | 1 => condition = format!("{condition} && {}", self.comparison()),
            2 | 3 => condition = format!("{} != {}", self.read(), self.read()),
            _ => {}
        }
        if !before.is_empty() && self.is(80) {
            condition = format!("{condition} && {before}");
        }
        let number = self.claims.len();
        let (claim, call) = if self.is(75) { (Claim::Place, "HIT") } else { (Claim::Reach, "ERR") };
        self.claims.push(claim);
        self.line(&format!("if ({condition})"));
        self.line(&format!("{call}({number});"));
    }

    fn whole(&mut self) {
        for line in [
            "struct @s { int x, y; int *p; };",
            "struct @large { int first, rest[1100]; };",
            "static int @g0, @g1 = 2, @g2, @left = 3, @array[4] = {1, 2, 3, 4};",
            "static unsigned char @u;",
            "static volatile int @volatile;",
            "static struct @s @st = {1, 2, &@g1};",
            "static struct @large @one, @other;",
            "static int *@ptr = &@g2;",
            "static int @h0(int), @h1(int, int), @h2(void);",
            "static int (*@fp)(int) = @h0;",
            "static int @each(int (*cb)(int), int n) { int v = 0; for (int i = 0; i < (n & 3); i++) v += cb(i); return v; }",
        ] {
            self.line(line);
        }
        self.compare();
        for (index, parameters) in ["int a", "int a, int b", "void"].into_iter().enumerate() {
            self.begin(if index == 2 { &[] } else { &["a"] });
            self.line(&format!("static int @h{index}({parameters}) {{"));
            self.line("int v = 0;");
            if self.is(30) {
                self.statement(PLAIN);
            }
            if self.is(10) {
                self.claim("");
            }
            let more = self.below(4);
            self.line(&format!("return v + {more};\n}}"));
        }
        let functions = 2 + self.below(4);
        for _ in 0..functions {
            self.function();
        }
        self.handler();
        self.begins();
    }

    /// The scope of a function that is given these.
    fn begin(&mut self, given: &[&str]) {
        self.readable = given.iter().map(|name| name.to_string()).collect();
        self.given = given.len();
        self.readable.push("v".into());
        for _ in 0..3 {
            let global = self.random.pick(&GLOBALS).to_owned();
            self.readable.push(global);
        }
        let others = ["*@ptr", "@st.x", "@one.first", "errno", "*@st.p"];
        if self.is(12) {
            let other = self.random.pick(&others).to_owned();
            self.readable.push(other);
        }
    }

    fn compare(&mut self) {
        self.begin(&[]);
        self.line("static int @compare(const void *x, const void *y) {\nint v = 0;");
        self.line("@u = 3;");
        if self.is(10) {
            self.claim("");
        }
        self.line("return (*(const int *)x > *(const int *)y) - (*(const int *)x < *(const int *)y);\n}");
    }

    fn function(&mut self) {
        let number = self.functions.len();
        let scalar = if number == 0 { 90 } else { 70 };
        let kind = if self.is(scalar) { SCALARS[self.below(6)] } else { OTHERS[self.below(5)] };
        self.begin(kind.given());
        self.line(&format!("static int @f{number}({}) {{", kind.parameters()));
        self.line("int v = 1;");
        match kind {
            Kind::Nullable if self.is(40) => {
                let given = std::mem::take(&mut self.given);
                self.readable.remove(0);
                self.line("if (!p) {");
                self.claim("");
                self.line("return 3;\n}");
                self.readable.insert(0, "*p".into());
                self.given = given;
            }
            Kind::Nullable => self.line("if (!p)\nreturn 3;"),
            Kind::Callback => self.line("v = cb(a & 3);"),
            _ => {
                let value = self.expression();
                self.line(&format!("v = {value};"));
            }
        }
        if self.is(20) {
            self.line("static int calls;\ncalls = (calls + 1) & 7;");
            self.readable.push("calls".into());
        }
        let mut before = String::new();
        let guarded = if number == 0 { 75 } else { 40 };
        if self.is(guarded) {
            before = self.comparison();
            self.line(&format!("if ({before})\nreturn v;"));
        }
        if number == 0 && self.is(25) && kind == Kind::Number {
            self.line("if (a > 0 && a < 4)\nv += @f0(a - 1);");
        }
        for _ in 0..self.below(2) {
            self.statement(ALL);
        }
        if number > 0 {
            let last = number - 1;
            self.call(last);
            if self.is(25) {
                let other = self.below(number);
                self.call(other);
            }
        }
        if number == 0 || self.is(if before.is_empty() { 15 } else { 50 }) {
            self.claim(&before);
        }
        for _ in 0..self.below(2) {
            self.statement(ALL);
        }
        self.line("return v;\n}");
        self.functions.push(kind);
    }

    /// Calls a function, often only in some states.
    fn call(&mut self, number: usize) {
        let kind = self.functions[number];
        if self.is(25) {
            let condition = self.comparison();
            self.line(&format!("if ({condition})"));
        }
        let arguments = self.arguments(kind);
        self.line(&format!("v += @f{number}({arguments});"));
    }

    fn arguments(&mut self, kind: Kind) -> String {
        match kind {
            Kind::Number | Kind::Shadow => self.argument(),
            Kind::Two | Kind::Narrow => format!("{}, {}", self.argument(), self.argument()),
            Kind::Nothing => String::new(),
            Kind::Copy => self.random.pick(&["@st", "(struct @s){v, 3, &@g0}"]).to_owned(),
            Kind::Pointer => self.pointer(),
            Kind::Nullable if self.is(30) => "0".into(),
            Kind::Nullable => self.pointer(),
            Kind::Aliases => {
                let first = self.pointer();
                let second = if self.is(40) { first.clone() } else { self.pointer() };
                format!("{first}, {second}")
            }
            Kind::Structure => {
                self.random.pick(&["&@st", "&(struct @s){v, 2, &v}", "&(struct @s){4, v, &@g2}"]).to_owned()
            }
            Kind::Callback => {
                let callback = self.random.pick(&HELPERS).to_owned();
                format!("{callback}, {}", self.expression())
            }
        }
    }

    /// A number, often one of few that it can be in any state.
    fn argument(&mut self) -> String {
        let value = self.expression();
        if self.is(50) { format!("({value} & {})", 1 + 2 * self.below(2)) } else { value }
    }

    fn pointer(&mut self) -> String {
        self.random.pick(&["&@g1", "&@g2", "&@array[2]", "@array + 1", "&@st.x", "&v", "@ptr", "@st.p"]).to_owned()
    }

    /// Something that can be written: what a pointer that is given leads to, or anything else.
    fn place(&mut self) -> String {
        let given = &self.readable[..self.given];
        let behind: Vec<String> = given.iter().filter(|name| name.contains(['*', '>'])).cloned().collect();
        match self.below(10) {
            0..=3 if !behind.is_empty() => behind[self.below(behind.len())].clone(),
            0..=4 => "v".into(),
            _ => self.random.pick(&GLOBALS).to_owned(),
        }
    }

    /// One of the first so many kinds of statements.
    fn statement(&mut self, kinds: usize) {
        let (value, place) = (self.expression(), self.place());
        let code = match self.random.below(kinds) {
            0..=9 => format!("{place} = {value};"),
            10..=13 => format!("if ({})\n{place} = {value};", self.comparison()),
            14 | 15 => format!("for (int i = 0; i < ({value} & 3); i++)\n{place} += i;"),
            16 | 17 => {
                format!("switch ({value} & 3) {{\ncase 0:\n{place} = 4;\nbreak;\ncase 2:\nv = 5;\ndefault:\nv--;\n}}")
            }
            18..=21 => "if (@left-- > 0)\nv = IN(0, 4);".to_owned(),
            22 => format!("if ({})\nQUIT();", self.comparison()),
            23 => format!("ASSUME({});", self.comparison()),
            24 => "*@ptr = 3;".to_owned(),
            25 => format!("@ptr = {};", self.random.pick(&["&@g0", "&@g1", "&@array[1]", "&@st.y"])),
            26 => format!("@fp = {};", self.random.pick(&HELPERS)),
            27 => format!(
                "{{\nint *cell = malloc(sizeof *cell);\n*cell = {value};\n{place} = *cell + 1;\nfree(cell);\n}}"
            ),
            28 => format!("@other = @one;\n{place} = @other.first;"),
            29 => format!("@one.first = {value};"),
            30 => format!("errno = {value} & 3;"),
            31 => format!("{place} = @fp({value});"),
            32 => "qsort(@array, 3, sizeof *@array, @compare);".to_owned(),
            _ => format!("{place} = @each({}, {value});", self.random.pick(&HELPERS)),
        };
        self.line(&code);
    }

    fn handler(&mut self) {
        self.has_handler = self.is(40);
        if !self.has_handler {
            return;
        }
        self.begin(&[]);
        self.line("static void @handler(void) {\nint v = 2;");
        if self.is(70) {
            self.call(0);
        }
        if self.is(25) {
            self.claim("");
        }
        self.line("}");
    }

    /// Where the program begins.
    fn begins(&mut self) {
        self.begin(&["w"]);
        let values = 3 + self.below(4);
        self.line(&format!("void @main(void) {{\nint v = IN(0, {values}), w = IN(-1, 2);"));
        if self.has_handler {
            self.line("ATEXIT(@handler);");
        }
        let last = self.functions.len() - 1;
        for _ in 0..1 + self.below(2) {
            for _ in 0..1 + self.below(3) {
                self.statement(ALL);
            }
            self.call(last);
        }
        if self.is(30) {
            let other = self.below(last + 1);
            self.call(other);
        }
        self.line("}");
    }

    /// Is the address of a global taken, so that pointers of callers may lead there?
    fn is_exposed(&self, global: &str) -> bool {
        let decays = global == "@array" && ["@array + 1", "(@array,"].iter().any(|it| self.text.contains(it));
        decays || self.text.contains(&format!("&{global}"))
    }

    /// A function for each of the program's that calls it on anything that callers can have.
    fn probes(&self) -> (String, String) {
        let places = ["&@g0", "&@g1", "&@g2", "&@array[0]", "&@array[2]", "&@st.x"];
        let global = |place: &str| place[1..].split(['[', '.']).next().unwrap_or_default().to_owned();
        let places: Vec<&str> = places.into_iter().filter(|place| self.is_exposed(&global(place))).collect();
        let mut text = format!(
            "static void @anything(void) {{\n\
             int *const places[] = {{{}, 0}};\n\
             enum {{ PLACES = sizeof places / sizeof *places }};\n\
             @g0 = any(); @g1 = any(); @g2 = any(); @u = any(); @volatile = any(); @left = any() & 3;\n\
             for (int i = 0; i < 4; i++) @array[i] = any();\n\
             @st.x = any(); @st.y = any(); @one.first = any(); errno = any();\n\
             @ptr = places[(unsigned)any() % PLACES]; @st.p = places[(unsigned)any() % PLACES];\n\
             int (*const helpers[])(int) = {{@h0, (int (*)(int))@h1, (int (*)(int))@h2}};\n\
             @fp = helpers[(unsigned)any() % 3];\n}}\n",
            places.join(", ")
        );
        let structure = if self.is_exposed("@st") { "&@st" } else { "&(struct @s){any(), any(), @ptr}" };
        let mut table = String::new();
        for (number, kind) in self.functions.iter().enumerate() {
            let arguments = match kind {
                Kind::Number | Kind::Shadow => "any()",
                Kind::Two | Kind::Narrow => "any(), any()",
                Kind::Nothing => "",
                Kind::Copy => "@st",
                Kind::Pointer | Kind::Nullable => "@ptr",
                Kind::Aliases => "@ptr, @st.p",
                Kind::Structure => structure,
                Kind::Callback => "@fp, any()",
            };
            let _ = writeln!(text, "static void @probe{number}(void) {{ @anything(); @f{number}({arguments}); }}");
            let _ = write!(table, "{{\"@f{number}\", @probe{number}}}, ");
        }
        (text, table)
    }
}
