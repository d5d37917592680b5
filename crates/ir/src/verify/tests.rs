//! The verifier finds each way of being malformed that it promises to find.

use super::*;
use crate::{Block, BlockId, CastOp, CmpOp, ConstId, EdgeId, Floats, Loc, LoopSite, Param, SwitchId, Target};

/// `fn f(i32) { r1 = p0 + 7; r2 = r1 < 7; branch r2 ? bb1 [r3 = r1] : bb1 [r3 = 7] } bb1: return
/// r3`, with two edges.
fn program() -> Program {
    let (p0, r1, r2, r3) = (Reg(0), Reg(1), Reg(2), Reg(3));
    let seven = Operand::constant(ConstId(0));
    let code = vec![
        Inst::Bin { op: BinOp::Add, width: 32, dst: r1, a: p0.into(), b: seven },
        Inst::Cmp { op: CmpOp::Slt, width: 32, dst: r2, a: r1.into(), b: seven },
        Inst::Branch { cond: r2.into(), then: EdgeId(0), otherwise: EdgeId(1) },
        Inst::Return { ret: 0 },
    ];
    let function = Function {
        name: "f".to_owned(),
        params: vec![Param { width: 32, name: "x".to_owned(), by_value: None, pointee: None }],
        result: vec![32],
        floats: Floats::default(),
        is_variadic: false,
        address_taken: false,
        loc: Loc::UNKNOWN,
        is_runtime: false,
        regs: vec![32, 32, 1, 32],
        constants: vec![Constant::Int { value: 7, width: 32 }],
        locs: vec![Loc::UNKNOWN; code.len()],
        passed: vec![],
        code,
        blocks: vec![Block { start: 0, end: 3 }, Block { start: 3, end: 4 }],
        edges: vec![
            Edge { target: BlockId(1), copies: Box::new([(r3, r1.into())]) },
            Edge { target: BlockId(1), copies: Box::new([(r3, seven)]) },
        ],
        calls: vec![],
        switches: vec![],
        allocas: vec![],
        returns: vec![vec![r3.into()]],
        loops: Vec::new(),
    };
    Program {
        target: Target { triple: "x86_64-pc-linux-gnu".to_owned(), pointer_width: 64 },
        functions: vec![function],
        globals: vec![],
        files: vec![],
        constructors: vec![],
        destructors: vec![],
        unsupported: vec![],
        function_names: [("f".to_owned(), FuncId(0))].into_iter().collect(),
        global_names: Default::default(),
        assigned_names: Default::default(),
        pointees: Vec::new(),
        packs_addresses: false,
        left_out: Vec::new(),
    }
}

/// The complaint about the program after a change.
fn complaint(change: impl FnOnce(&mut Function)) -> String {
    let mut program = program();
    change(&mut program.functions[0]);
    verify(&program).expect_err("the change makes it malformed").to_string()
}

#[test]
fn a_good_program() {
    assert_eq!(verify(&program()), Ok(()));
    let text = "fn @f(%0: i32 x) -> i32\nbb0:\n  %1 = add i32 %0, 7\n  %2 = slt i32 %1, 7\n  branch %2 ? bb1 [%3 = i32 %1] : bb1 [%3 = i32 7]\nbb1:\n  return %3\n";
    assert_eq!(program().functions[0].display(&program()).to_string(), text);
}

#[test]
fn malformed_programs() {
    for (expected, message) in [
        ("operand %2 has 1 bits where 32 are needed", complaint(|f| f.code[0] = bin(Reg(1), Reg(2)))),
        ("operand %9 does not exist", complaint(|f| f.code[0] = bin(Reg(1), Reg(9)))),
        ("register %0 is written twice", complaint(|f| f.code[0] = bin(Reg(0), Reg(0)))),
        ("register %3 is written elsewhere too", complaint(|f| f.code[0] = bin(Reg(3), Reg(0)))),
        ("is read but never written", complaint(|f| f.edges.iter_mut().for_each(|edge| edge.copies = Box::default()))),
        ("does not end in its only terminator", complaint(|f| f.code[2] = f.code[1])),
        ("leaves a gap, is empty, overlaps", complaint(|f| f.blocks[1].start = 2)),
        ("is not in order", complaint(|f| f.blocks.swap(0, 1))),
        (
            "a loop begins with bb2, which does not exist",
            complaint(|f| {
                let (head, loc) = (BlockId(2), Loc::UNKNOWN);
                f.loops.push(LoopSite { head, loc, variables: Vec::new(), names: Vec::new() });
            }),
        ),
        ("a pointer leads to pointee 0, which does not exist", complaint(|f| f.params[0].pointee = Some(0))),
        ("an edge leads to bb7", complaint(|f| f.edges[0].target = BlockId(7))),
        ("e5 does not exist", complaint(|f| f.code[2] = Inst::Jump { edge: EdgeId(5) })),
        ("returns 0 registers, not 1", complaint(|f| f.returns[0].clear())),
        (
            "ZExt from 32 to 8 bits",
            complaint(|f| f.code[0] = Inst::Cast { op: CastOp::ZExt, from: 32, to: 8, dst: Reg(1), a: Reg(0).into() }),
        ),
        ("does not fit 32 bits", complaint(|f| f.constants[0] = Constant::Int { value: 1 << 40, width: 32 })),
        (
            "cases are not sorted or not unique",
            complaint(|f| {
                let cases = Box::new([(2, EdgeId(0)), (1, EdgeId(1))]);
                f.switches.push(Switch { width: 32, value: Reg(1).into(), cases, default: EdgeId(0) });
                f.code[2] = Inst::Switch { switch: SwitchId(0) };
            }),
        ),
        ("4 instructions but 0 locations", complaint(|f| f.locs.clear())),
        ("passed before instruction 4, which does not exist", complaint(|f| f.passed.push((4, Loc::UNKNOWN)))),
    ] {
        assert!(message.contains(expected), "expected `{expected}` in `{message}`");
    }
}

fn bin(dst: Reg, a: Reg) -> Inst {
    Inst::Bin { op: BinOp::Add, width: 32, dst, a: a.into(), b: Operand::constant(ConstId(0)) }
}

#[test]
fn compacted_programs_may_share_registers_and_nothing_else() {
    let mut shared = program();
    // r3 gets the place of r1, which is dead by then.
    shared.functions[0].edges[1].copies[0].0 = Reg(1);
    shared.functions[0].edges[0].copies = Box::new([]);
    shared.functions[0].returns[0][0] = Reg(1).into();
    assert!(verify(&shared).is_err());
    verify_compacted(&shared).expect("registers may be written in several places");
    let beyond = Reg(shared.functions[0].regs.len() as u32);
    let breakages: [fn(&mut Function, Reg); 4] = [
        |function, beyond| function.edges[1].copies[0].0 = beyond,
        |function, beyond| function.returns[0][0] = beyond.into(),
        |function, beyond| {
            function.code[2] = Inst::Branch { cond: beyond.into(), then: EdgeId(0), otherwise: EdgeId(1) }
        },
        |function, _| function.regs[1] = 8,
    ];
    for breakage in breakages {
        let mut broken = shared.clone();
        breakage(&mut broken.functions[0], beyond);
        assert!(verify_compacted(&broken).is_err());
    }
}
