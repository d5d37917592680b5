//! Globals to which pointers may lead that the program does not name: their addresses are stored,
//! passed, returned, or in what other globals hold at first.
//!
//! All others are only ever accessed by their names, and no pointer from anywhere else leads to
//! them. Registers are looked at without regard to the order of instructions: what is computed
//! from an address is an address of the same global.

use espalier_ir::{
    Callee, ConstExpr, Constant, Function, GlobalId, InitPiece, Inst, Operand, Program, Reg, VarArgValue,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The globals whose addresses get out of the registers of functions.
pub fn exposed_globals(program: &Program) -> FxHashSet<GlobalId> {
    let mut exposed = FxHashSet::default();
    for global in &program.globals {
        for piece in &global.init {
            if let InitPiece::Value { value, .. } = piece {
                for_each_global(value, &mut |global| {
                    exposed.insert(global);
                });
            }
        }
    }
    for function in &program.functions {
        exposed.extend(exposed_by(function));
    }
    exposed
}

/// What an instruction does with an operand that is an address.
enum Use {
    /// Nothing that leaves it anywhere.
    Harmless,
    /// It is in the result.
    In(Reg),
    /// It may be anywhere afterwards.
    Anywhere,
}

fn exposed_by(function: &Function) -> FxHashSet<GlobalId> {
    let mut exposed = FxHashSet::default();
    let mut held: FxHashMap<Reg, FxHashSet<GlobalId>> = FxHashMap::default();
    loop {
        let mut is_changed = false;
        let mut visit = |operand: Operand, what: Use| {
            let mut globals: Vec<GlobalId> = Vec::new();
            match (operand.as_reg(), operand.as_const()) {
                (Some(reg), _) => globals.extend(held.get(&reg).into_iter().flatten()),
                (None, Some(constant)) => for_each_global(function.constant(constant), &mut |id| globals.push(id)),
                (None, None) => {}
            }
            match what {
                _ if globals.is_empty() => {}
                Use::Harmless => {}
                Use::In(reg) => {
                    let held = held.entry(reg).or_default();
                    globals.into_iter().for_each(|global| is_changed |= held.insert(global));
                }
                Use::Anywhere => exposed.extend(globals),
            }
        };
        for &inst in &function.code {
            for_each_use(function, inst, &mut visit);
        }
        for edge in &function.edges {
            edge.copies.iter().for_each(|&(dst, source)| visit(source, Use::In(dst)));
        }
        if !is_changed {
            return exposed;
        }
    }
}

fn for_each_use(function: &Function, inst: Inst, visit: &mut impl FnMut(Operand, Use)) {
    match inst {
        Inst::Load { ptr, .. } => visit(ptr, Use::Harmless),
        Inst::Store { value, ptr, .. } => {
            visit(value, Use::Anywhere);
            visit(ptr, Use::Harmless);
        }
        Inst::MemCpy { dst, src, len } | Inst::MemMove { dst, src, len } => {
            visit(dst, Use::Harmless);
            visit(src, Use::Harmless);
            visit(len, Use::Anywhere);
        }
        Inst::MemSet { dst, byte, len } => {
            visit(dst, Use::Harmless);
            visit(byte, Use::Anywhere);
            visit(len, Use::Anywhere);
        }
        Inst::Cmp { .. } | Inst::PointerPair { .. } | Inst::NumberPair { .. } | Inst::AddressNumber { .. } => {}
        Inst::Assume { .. } | Inst::Branch { .. } | Inst::Switch { .. } => {}
        Inst::Call { call } => {
            let site = function.call(call);
            if let Callee::Indirect(pointer) = site.callee {
                visit(pointer, Use::Harmless);
            }
            site.args.iter().for_each(|&arg| visit(arg, Use::Anywhere));
            for vararg in &site.varargs {
                match &vararg.value {
                    VarArgValue::Pieces(pieces) => {
                        pieces.iter().for_each(|&(_, _, piece)| visit(piece, Use::Anywhere));
                    }
                    VarArgValue::ByValue(pointer) => visit(*pointer, Use::Anywhere),
                }
            }
        }
        Inst::Return { ret } => function.returns[ret as usize].iter().for_each(|&value| visit(value, Use::Anywhere)),
        mut inst => {
            let dst = inst.dst_mut().copied();
            inst.for_each_operand_mut(&mut |operand| visit(*operand, dst.map_or(Use::Anywhere, Use::In)));
        }
    }
}

fn for_each_global(constant: &Constant, visit: &mut impl FnMut(GlobalId)) {
    match constant {
        Constant::Global(global) => visit(*global),
        Constant::Expr(expr) => match &**expr {
            ConstExpr::Bin { a, b, .. } | ConstExpr::Cmp { a, b, .. } => {
                for_each_global(a, visit);
                for_each_global(b, visit);
            }
            ConstExpr::Cast { a, .. } => for_each_global(a, visit),
            ConstExpr::Select { cond, a, b, .. } => {
                for_each_global(cond, visit);
                for_each_global(a, visit);
                for_each_global(b, visit);
            }
        },
        Constant::Int { .. }
        | Constant::Wide { .. }
        | Constant::Undef { .. }
        | Constant::Function(_)
        | Constant::Block(..) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_only_named_is_not_exposed() {
        let program = espalier_ir::parse(
            "global @named size 4 align 4
global @table size 16 align 8
global @stored size 4 align 4
global @passed size 4 align 4
global @returned size 4 align 4
global @chosen size 4 align 4
global @held size 4 align 4
global @holder size 8 align 8 = 0: i64 (add i64 @held, 4)
declare @use(%0: i64) -> i32
fn @f(%0: i64 i, %1: i1 c) -> i64
bb0:
  store i32 1 to [@named]
  %2 = ptradd @table + %0 * 8
  store i64 3 to [%2]
  branch %1 ? bb1 [%3 = i64 @named] : bb1 [%3 = i64 @chosen]
bb1:
  %4 = load i32 [%3]
  %5 = select i64 %1 ? @chosen : @passed
  %6 = call i32 @use(i64 %5)
  store i64 @stored to [@table]
  return @returned
",
        );
        let program = program.unwrap();
        let exposed = exposed_globals(&program);
        let is_exposed = |(index, _): &(usize, &espalier_ir::Global)| exposed.contains(&GlobalId::new(*index));
        let names: Vec<&str> =
            program.globals.iter().enumerate().filter(is_exposed).map(|(_, global)| global.name.as_str()).collect();
        assert_eq!(names, ["stored", "passed", "returned", "chosen", "held"]);
    }
}
