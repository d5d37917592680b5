//! Is a program the same after it was printed and read again?

use espalier_ir::{
    AllocaId, CallId, Callee, ConstId, Constant, EdgeId, Function, Inst, Operand, Program, SwitchId, VarArgValue, parse,
};
use std::collections::HashMap;

/// What differs, if anything does.
pub fn difference(program: &Program) -> Option<String> {
    let text = program.to_string();
    let again = match parse(&text) {
        Ok(again) => again,
        Err(error) => {
            return Some(format!("the text form cannot be read: {error}\n{}", around(&text, &error.to_string())));
        }
    };
    let mut expected = program.clone();
    expected.functions = program.functions.iter().map(canonical).collect();
    number_unsupported(&mut expected);
    if again != expected {
        return Some(first_difference(&expected, &again));
    }
    (again.to_string() != text).then(|| "the text form of what was read is another".to_owned())
}

/// The line that an error is about.
fn around(text: &str, error: &str) -> String {
    let digits: String = error.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    let line = digits.parse::<usize>().unwrap_or(0);
    text.lines().nth(line.saturating_sub(1)).unwrap_or_default().to_owned()
}

fn first_difference(expected: &Program, again: &Program) -> String {
    for (expected, again) in expected.functions.iter().zip(&again.functions) {
        if expected != again {
            let (expected, again) = (format!("{expected:#?}"), format!("{again:#?}"));
            let line = expected.lines().zip(again.lines()).find(|(a, b)| a != b);
            return format!("a function differs: {:?}, {line:?}", expected.lines().nth(1));
        }
    }
    for (expected, again) in expected.globals.iter().zip(&again.globals) {
        if expected != again {
            return format!("a global differs: {expected:?} {again:?}");
        }
    }
    let rest = |program: &Program| Program { functions: Vec::new(), globals: Vec::new(), ..program.clone() };
    format!("programs differ: {:?}\n{:?}", rest(expected), rest(again))
}

/// Descriptions in the order in which they are used.
fn number_unsupported(program: &mut Program) {
    let old = std::mem::take(&mut program.unsupported);
    for inst in program.functions.iter_mut().flat_map(|function| &mut function.code) {
        if let Inst::Unsupported { what } = inst {
            let text = &old[*what as usize];
            let known = program.unsupported.iter().position(|other| other == text);
            *what = known.unwrap_or(program.unsupported.len()) as u32;
            if known.is_none() {
                program.unsupported.push(text.clone());
            }
        }
    }
}

/// The function with its tables in the order in which its code uses them, without what is not used.
fn canonical(function: &Function) -> Function {
    let mut tables = Tables {
        old: function,
        new: Function { regs: function.regs.clone(), ..function.clone() },
        constants: HashMap::new(),
        edges: HashMap::new(),
    };
    let new = &mut tables.new;
    new.constants.clear();
    new.edges.clear();
    new.calls.clear();
    new.switches.clear();
    new.allocas.clear();
    new.returns.clear();
    let mut sites = HashMap::new();
    for inst in &function.code {
        if let Inst::Alloca { site, .. } = inst {
            sites.insert(*site, AllocaId::new(sites.len()));
            tables.new.allocas.push(function.alloca(*site).clone());
        }
    }
    for (pc, &inst) in function.code.iter().enumerate() {
        let mut inst = tables.inst(inst);
        match &mut inst {
            Inst::Alloca { site, .. } | Inst::LifeStart { site, .. } | Inst::LifeEnd { site } => *site = sites[site],
            _ => {}
        }
        tables.new.code[pc] = inst;
    }
    tables.new
}

struct Tables<'a> {
    old: &'a Function,
    new: Function,
    constants: HashMap<Constant, ConstId>,
    edges: HashMap<EdgeId, EdgeId>,
}

impl Tables<'_> {
    fn operand(&mut self, operand: &mut Operand) {
        let Some(id) = operand.as_const() else { return };
        let constant = self.old.constant(id);
        let next = ConstId::new(self.new.constants.len());
        let id = *self.constants.entry(constant.clone()).or_insert_with(|| {
            self.new.constants.push(constant.clone());
            next
        });
        *operand = Operand::constant(id);
    }

    fn edge(&mut self, id: &mut EdgeId) {
        if let Some(known) = self.edges.get(id) {
            *id = *known;
            return;
        }
        let mut edge = self.old.edge(*id).clone();
        edge.copies.iter_mut().for_each(|(_, source)| self.operand(source));
        let new = EdgeId::new(self.new.edges.len());
        self.new.edges.push(edge);
        self.edges.insert(*id, new);
        *id = new;
    }

    fn inst(&mut self, mut inst: Inst) -> Inst {
        inst.for_each_operand_mut(&mut |operand| self.operand(operand));
        match &mut inst {
            Inst::Call { call } => {
                let mut site = self.old.call(*call).clone();
                if let Callee::Indirect(pointer) = &mut site.callee {
                    self.operand(pointer);
                }
                site.args.iter_mut().for_each(|arg| self.operand(arg));
                for vararg in &mut site.varargs {
                    match &mut vararg.value {
                        VarArgValue::Pieces(pieces) => pieces.iter_mut().for_each(|(_, _, piece)| self.operand(piece)),
                        VarArgValue::ByValue(pointer) => self.operand(pointer),
                    }
                }
                *call = CallId::new(self.new.calls.len());
                self.new.calls.push(site);
            }
            Inst::Jump { edge } => self.edge(edge),
            Inst::Branch { then, otherwise, .. } => {
                self.edge(then);
                self.edge(otherwise);
            }
            Inst::Switch { switch } | Inst::IndirectJump { switch, .. } => {
                let mut table = self.old.switch(*switch).clone();
                self.operand(&mut table.value);
                table.cases.iter_mut().for_each(|(_, edge)| self.edge(edge));
                self.edge(&mut table.default);
                *switch = SwitchId::new(self.new.switches.len());
                self.new.switches.push(table);
            }
            Inst::Return { ret } => {
                let mut values = self.old.returns[*ret as usize].clone();
                values.iter_mut().for_each(|value| self.operand(value));
                *ret = self.new.returns.len() as u32;
                self.new.returns.push(values);
            }
            _ => {}
        }
        inst
    }
}
