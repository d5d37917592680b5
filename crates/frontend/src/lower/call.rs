//! Calls.
//!
//! Arguments are given the way the callee takes them, if it is known: a call through an old-style
//! declaration (`int f();`) passes everything as variadic arguments in LLVM, but may reach a
//! function with fixed parameters, and the other way round. A direct call that still does not fit
//! its callee is lowered as a call through a pointer, for which the executor adapts the arguments.

use super::function::{Builder, Lanes};
use super::{Lowered, shape, unsupported};
use crate::llvm::{Linkage, Opcode, POISON, Value, ValueKind};
use espalier_ir::{CallId, CallSite, Callee, Constant, Floats, FuncId, Inst, Operand, Reg, VarArg};

/// What is called.
enum Target<'m> {
    Function(Value<'m>),
    Pointer(Value<'m>),
}

impl<'m> Builder<'_, 'm> {
    /// The name of the intrinsic that is called, if one is.
    pub(super) fn intrinsic(&self, call: Value<'m>) -> Option<&'static str> {
        let callee = call.called_value();
        if callee.kind() == ValueKind::LLVMFunctionValueKind { callee.intrinsic_name() } else { None }
    }

    pub(super) fn lower_call(&mut self, inst: Value<'m>) -> Lowered<()> {
        let callee = inst.called_value();
        if callee.kind() == ValueKind::LLVMInlineAsmValueKind {
            return self.lower_asm(inst, callee);
        }
        if let Some(name) = self.intrinsic(inst) {
            return self.lower_intrinsic(inst, name);
        }
        match self.call_target(callee)? {
            Target::Function(function) if function.name() == POISON => {
                unsupported("an operation on constants that C leaves undefined, such as a division by zero")
            }
            Target::Function(function) => {
                if self.lower_libm_call(inst, function)? {
                    return Ok(());
                }
                self.call_function(inst, function)
            }
            Target::Pointer(pointer) => {
                let target = self.scalar(pointer)?;
                self.call_pointer(inst, target)
            }
        }
    }

    /// Looks through aliases and casts.
    fn call_target(&self, mut callee: Value<'m>) -> Lowered<Target<'m>> {
        loop {
            match callee.kind() {
                ValueKind::LLVMFunctionValueKind => {
                    // A weak function that is defined nowhere is a null pointer.
                    let missing = callee.is_declaration() && callee.linkage() == Linkage::LLVMExternalWeakLinkage;
                    return Ok(if missing { Target::Pointer(callee) } else { Target::Function(callee) });
                }
                ValueKind::LLVMGlobalAliasValueKind => match callee.aliasee() {
                    Some(target) => callee = target,
                    None => {
                        return unsupported(format!(
                            "a call of the alias `{}`, which stands for nothing",
                            callee.name()
                        ));
                    }
                },
                ValueKind::LLVMGlobalIFuncValueKind => {
                    return unsupported(format!(
                        "a call of `{}`, which a resolver chooses at run time (ifunc)",
                        callee.name()
                    ));
                }
                ValueKind::LLVMConstantExprValueKind
                    if matches!(callee.const_opcode(), Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast) =>
                {
                    callee = callee.operand(0);
                }
                _ => return Ok(Target::Pointer(callee)),
            }
        }
    }

    fn call_function(&mut self, inst: Value<'m>, function: Value<'m>) -> Lowered<()> {
        let id = self.cx.function_id(function);
        let ty = function.value_type();
        let unprototyped = function.is_declaration() && ty.is_variadic() && ty.params().is_empty();
        let count = inst.arg_count();
        let fixed = match u32::try_from(ty.params().len()) {
            Ok(params) if ty.is_variadic() && !unprototyped => params.min(count),
            _ => count,
        };
        let (args, arg_widths, varargs) = self.arguments(inst, fixed)?;
        let callee = &self.cx.program.functions[id.index()];
        let args_fit = unprototyped || callee.params.iter().map(|param| param.width).eq(arg_widths.iter().copied());
        let result = callee.result.clone();
        let wanted = self.cx.shape(inst.ty())?.widths();
        let callee = if args_fit && result == wanted { Callee::Direct(id) } else { self.function_pointer(id) };
        self.push_call(inst, callee, args, arg_widths, varargs)
    }

    fn call_pointer(&mut self, inst: Value<'m>, target: Operand) -> Lowered<()> {
        let ty = inst.called_type();
        let params = u32::try_from(ty.params().len()).unwrap_or(u32::MAX);
        // `int (*f)()` says nothing about parameters; a variadic function has at least one.
        let fixed = if ty.is_variadic() && params > 0 { params } else { inst.arg_count() };
        let (args, arg_widths, varargs) = self.arguments(inst, fixed)?;
        self.push_call(inst, Callee::Indirect(target), args, arg_widths, varargs)
    }

    /// The first `fixed` arguments and the others.
    fn arguments(&mut self, inst: Value<'m>, fixed: u32) -> Lowered<(Vec<Operand>, Vec<u32>, Vec<VarArg>)> {
        let (mut args, mut widths, mut varargs) = (Vec::new(), Vec::new(), Vec::new());
        for index in 0..inst.arg_count() {
            let value = inst.operand(index);
            if index < fixed {
                widths.extend(self.cx.shape(value.ty())?.widths());
                args.extend(self.lanes(value)?);
            } else {
                self.variadic_argument(inst, index, &mut varargs)?;
            }
        }
        Ok((args, widths, varargs))
    }

    fn function_pointer(&mut self, id: FuncId) -> Callee {
        self.cx.program.functions[id.index()].address_taken = true;
        Callee::Indirect(self.constant(Constant::Function(id)))
    }

    fn push_call(
        &mut self,
        inst: Value<'m>,
        callee: Callee,
        args: Vec<Operand>,
        arg_widths: Vec<u32>,
        varargs: Vec<VarArg>,
    ) -> Lowered<()> {
        let result = self.cx.shape(inst.ty())?;
        let floats = Floats { args: self.float_args(inst, args.len())?, result: shape::floats(&result.lanes) };
        let dsts: Vec<Reg> = result.lanes.iter().map(|lane| self.reg(lane.width())).collect();
        self.values.insert(inst, dsts.iter().map(|dst| Operand::reg(*dst)).collect());
        let call = CallId::new(self.out.calls.len());
        self.out.calls.push(CallSite {
            callee,
            args: args.into_boxed_slice(),
            arg_widths: arg_widths.into_boxed_slice(),
            varargs: varargs.into_boxed_slice(),
            dsts: dsts.into_boxed_slice(),
            result_used: inst.has_uses(),
            floats,
        });
        self.emit(Inst::Call { call });
        Ok(())
    }

    /// Which of the first `count` registers of a call's arguments hold floats.
    fn float_args(&mut self, inst: Value<'m>, count: usize) -> Lowered<u64> {
        let mut lanes = Vec::new();
        for index in (0..inst.arg_count()).take(count) {
            lanes.extend_from_slice(&self.cx.shape(inst.operand(index).ty())?.lanes);
        }
        lanes.truncate(count);
        Ok(shape::floats(&lanes))
    }

    /// Calls a function of our choice with the given scalar arguments, for intrinsics that are
    /// library functions.
    pub(super) fn call_library(&mut self, function: Value<'m>, args: &[Operand]) -> Lowered<Lanes> {
        let id = self.cx.function_id(function);
        let callee = &self.cx.program.functions[id.index()];
        if callee.params.len() != args.len() {
            return unsupported(format!("a call of `{}` with {} arguments", callee.name, args.len()));
        }
        let arg_widths: Vec<u32> = callee.params.iter().map(|param| param.width).collect();
        let floats = callee.floats;
        let dsts: Vec<Reg> = callee.result.clone().into_iter().map(|width| self.reg(width)).collect();
        let call = CallId::new(self.out.calls.len());
        self.out.calls.push(CallSite {
            callee: Callee::Direct(id),
            args: args.into(),
            arg_widths: arg_widths.into_boxed_slice(),
            varargs: Box::default(),
            dsts: dsts.clone().into_boxed_slice(),
            result_used: true,
            floats,
        });
        self.emit(Inst::Call { call });
        Ok(dsts.into_iter().map(Operand::reg).collect())
    }
}
