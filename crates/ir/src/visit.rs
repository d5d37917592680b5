//! Which registers an instruction reads and writes: one table for every analysis and rewriting.

use crate::{Callee, EdgeId, Function, Inst, Operand, Reg, VarArgValue};

impl Inst {
    /// Visits the operands in the instruction itself. Those of calls, switches and returns are in
    /// the function's tables: see [`Function::for_each_read`].
    pub fn for_each_operand_mut(&mut self, visit: &mut impl FnMut(&mut Operand)) {
        match self {
            Inst::Bin { a, b, .. } | Inst::Cmp { a, b, .. } | Inst::FBin { a, b, .. } | Inst::FCmp { a, b, .. } => {
                visit(a);
                visit(b);
            }
            Inst::Un { a, .. }
            | Inst::Cast { a, .. }
            | Inst::Copy { a, .. }
            | Inst::Freeze { a, .. }
            | Inst::StackRestore { a }
            | Inst::FUn { a, .. }
            | Inst::FCast { a, .. } => visit(a),
            Inst::Select { cond, a, b, .. } => {
                visit(cond);
                visit(a);
                visit(b);
            }
            Inst::PtrAdd { base, index, .. } => {
                visit(base);
                visit(index);
            }
            Inst::Load { ptr, .. } => visit(ptr),
            Inst::Store { value, ptr, .. } => {
                visit(value);
                visit(ptr);
            }
            Inst::Alloca { count, .. } => visit(count),
            Inst::PointerPair { a, b, .. } | Inst::NumberPair { a, b, .. } => {
                visit(a);
                visit(b);
            }
            Inst::AddressNumber { a, .. } => visit(a),
            Inst::MemCpy { dst, src, len } | Inst::MemMove { dst, src, len } => {
                visit(dst);
                visit(src);
                visit(len);
            }
            Inst::MemSet { dst, byte, len } => {
                visit(dst);
                visit(byte);
                visit(len);
            }
            Inst::FMulAdd { a, b, c, .. } => {
                visit(a);
                visit(b);
                visit(c);
            }
            Inst::VaStart { list, area } => {
                visit(list);
                visit(area);
            }
            Inst::VaCopy { dst, src } => {
                visit(dst);
                visit(src);
            }
            Inst::Assume { cond } | Inst::Branch { cond, .. } => visit(cond),
            Inst::IndirectJump { target, .. } => visit(target),
            Inst::StackSave { .. }
            | Inst::LifeStart { .. }
            | Inst::LifeEnd { .. }
            | Inst::Unknown { .. }
            | Inst::Call { .. }
            | Inst::Trap
            | Inst::Target { .. }
            | Inst::Jump { .. }
            | Inst::Switch { .. }
            | Inst::Return { .. }
            | Inst::Unreachable
            | Inst::Unsupported { .. } => {}
        }
    }

    /// The register that the instruction itself names as its result; those of a call are in the
    /// function's table.
    pub fn dst_mut(&mut self) -> Option<&mut Reg> {
        match self {
            Inst::Bin { dst, .. }
            | Inst::Un { dst, .. }
            | Inst::Cmp { dst, .. }
            | Inst::Cast { dst, .. }
            | Inst::Select { dst, .. }
            | Inst::Copy { dst, .. }
            | Inst::Freeze { dst, .. }
            | Inst::PtrAdd { dst, .. }
            | Inst::Load { dst, .. }
            | Inst::Alloca { dst, .. }
            | Inst::LifeStart { dst, .. }
            | Inst::Unknown { dst, .. }
            | Inst::StackSave { dst }
            | Inst::FBin { dst, .. }
            | Inst::FUn { dst, .. }
            | Inst::FMulAdd { dst, .. }
            | Inst::FCmp { dst, .. }
            | Inst::FCast { dst, .. } => Some(dst),
            Inst::Store { .. }
            | Inst::LifeEnd { .. }
            | Inst::PointerPair { .. }
            | Inst::AddressNumber { .. }
            | Inst::NumberPair { .. }
            | Inst::StackRestore { .. }
            | Inst::MemCpy { .. }
            | Inst::MemMove { .. }
            | Inst::MemSet { .. }
            | Inst::Call { .. }
            | Inst::VaStart { .. }
            | Inst::VaCopy { .. }
            | Inst::Assume { .. }
            | Inst::Trap
            | Inst::Target { .. }
            | Inst::Jump { .. }
            | Inst::Branch { .. }
            | Inst::Switch { .. }
            | Inst::IndirectJump { .. }
            | Inst::Return { .. }
            | Inst::Unreachable
            | Inst::Unsupported { .. } => None,
        }
    }
}

impl Function {
    /// Visits the registers that an instruction reads, wherever its operands are kept. Copies on
    /// edges are not part of it.
    pub fn for_each_read(&self, inst: Inst, mut visit: impl FnMut(Reg)) {
        let mut operand = |operand: Operand| operand.as_reg().into_iter().for_each(&mut visit);
        match inst {
            Inst::Call { call } => {
                let site = self.call(call);
                if let Callee::Indirect(pointer) = site.callee {
                    operand(pointer);
                }
                site.args.iter().copied().for_each(&mut operand);
                for vararg in &site.varargs {
                    match &vararg.value {
                        VarArgValue::Pieces(pieces) => pieces.iter().for_each(|&(_, _, piece)| operand(piece)),
                        VarArgValue::ByValue(pointer) => operand(*pointer),
                    }
                }
            }
            Inst::Switch { switch } => operand(self.switch(switch).value),
            Inst::Return { ret } => self.returns[ret as usize].iter().copied().for_each(operand),
            mut inst => inst.for_each_operand_mut(&mut |a| operand(*a)),
        }
    }

    /// Visits the registers that an instruction writes.
    pub fn for_each_write(&self, mut inst: Inst, mut visit: impl FnMut(Reg)) {
        match inst {
            Inst::Call { call } => self.call(call).dsts.iter().copied().for_each(visit),
            _ => inst.dst_mut().into_iter().for_each(|dst| visit(*dst)),
        }
    }

    /// Visits the edges that a terminator may take.
    pub fn for_each_edge(&self, terminator: Inst, mut visit: impl FnMut(EdgeId)) {
        match terminator {
            Inst::Jump { edge } => visit(edge),
            Inst::Branch { then, otherwise, .. } => {
                visit(then);
                visit(otherwise);
            }
            Inst::Switch { switch } | Inst::IndirectJump { switch, .. } => {
                let table = self.switch(switch);
                table.cases.iter().for_each(|&(_, edge)| visit(edge));
                visit(table.default);
            }
            _ => {}
        }
    }

    /// Gives every register another number. The parameters must keep theirs.
    pub fn rename_registers(&mut self, mut name: impl FnMut(Reg) -> Reg) {
        let operand = |operand: &mut Operand, name: &mut dyn FnMut(Reg) -> Reg| {
            if let Some(reg) = operand.as_reg() {
                *operand = Operand::reg(name(reg));
            }
        };
        for inst in &mut self.code {
            inst.for_each_operand_mut(&mut |a| operand(a, &mut name));
            if let Some(dst) = inst.dst_mut() {
                *dst = name(*dst);
            }
        }
        for edge in &mut self.edges {
            for (dst, source) in &mut edge.copies {
                *dst = name(*dst);
                operand(source, &mut name);
            }
        }
        for variable in self.loops.iter_mut().flat_map(|site| &mut site.variables) {
            variable.reg = name(variable.reg);
        }
        for site in &mut self.calls {
            if let Callee::Indirect(pointer) = &mut site.callee {
                operand(pointer, &mut name);
            }
            site.args.iter_mut().for_each(|arg| operand(arg, &mut name));
            site.dsts.iter_mut().for_each(|dst| *dst = name(*dst));
            for vararg in &mut site.varargs {
                match &mut vararg.value {
                    VarArgValue::Pieces(pieces) => {
                        pieces.iter_mut().for_each(|(_, _, piece)| operand(piece, &mut name))
                    }
                    VarArgValue::ByValue(pointer) => operand(pointer, &mut name),
                }
            }
        }
        for switch in &mut self.switches {
            operand(&mut switch.value, &mut name);
        }
        for values in &mut self.returns {
            values.iter_mut().for_each(|value| operand(value, &mut name));
        }
    }
}
