//! LLVM's intrinsics, except floating-point ones ([`super::libm`]).

use super::constant::big;
use super::function::{Builder, Lanes};
use super::{Lowered, unsupported};
use crate::llvm::{Opcode, Value, ValueKind};
use espalier_base::fidelity;
use espalier_ir::{BinOp, CmpOp, FBinOp, FCmpOp, FUnOp, Inst, Operand, UnOp};
use num_bigint::BigUint;
use smallvec::smallvec;

impl<'m> Builder<'_, 'm> {
    pub(super) fn lower_intrinsic(&mut self, inst: Value<'m>, full_name: &'static str) -> Lowered<()> {
        let name = full_name.strip_prefix("llvm.").unwrap_or(full_name);
        if fidelity::of_intrinsic(name).is_none() {
            return unsupported(format!("the LLVM intrinsic `{full_name}`"));
        }
        if self.lower_effect(inst, name)? {
            return Ok(());
        }
        if let Some(masked) = name.strip_prefix("masked.")
            && self.lower_masked(inst, masked)?
        {
            return Ok(());
        }
        let lanes = if let Some(lanes) = self.lower_int_intrinsic(inst, name)? {
            lanes
        } else if let Some(lanes) = self.lower_pointer_intrinsic(inst, name)? {
            lanes
        } else if let Some(lanes) = self.lower_float_intrinsic(inst, name)? {
            lanes
        } else if let Some(operation) = name.strip_prefix("vector.reduce.") {
            self.lower_reduction(inst, operation)?
        } else if let Some(operation) = name.strip_prefix("experimental.constrained.") {
            self.lower_constrained(inst, operation)?
        } else {
            return unsupported(format!("the LLVM intrinsic `{full_name}`"));
        };
        self.values.insert(inst, lanes);
        Ok(())
    }

    /// Intrinsics without a result that matters; false if `name` is none of them.
    fn lower_effect(&mut self, inst: Value<'m>, name: &str) -> Lowered<bool> {
        match name {
            "dbg.declare"
            | "dbg.value"
            | "dbg.label"
            | "dbg.assign"
            | "invariant.start"
            | "invariant.end"
            | "experimental.noalias.scope.decl"
            | "prefetch"
            | "sideeffect"
            | "pseudoprobe"
            | "var.annotation"
            | "codeview.annotation"
            | "va_end"
            | "clear_cache"
            | "fake.use"
            | "x86.sse2.pause"
            | "x86.sse.sfence"
            | "x86.sse2.lfence"
            | "x86.sse2.mfence" => {}
            // Stands for an assignment that promotion takes away, see `llvm::promote`.
            "donothing" => {
                if self.loc.is_known() {
                    let next = u32::try_from(self.out.code.len()).unwrap_or(u32::MAX);
                    self.out.passed.push((next, self.loc));
                }
            }
            "lifetime.start" => self.lower_lifetime(inst, true)?,
            "lifetime.end" => self.lower_lifetime(inst, false)?,
            "memcpy" | "memcpy.inline" | "memcpy.element.unordered.atomic" => {
                let (dst, src, len) = self.copy_operands(inst)?;
                self.emit(Inst::MemCpy { dst, src, len });
            }
            "memmove" | "memmove.element.unordered.atomic" => {
                let (dst, src, len) = self.copy_operands(inst)?;
                self.emit(Inst::MemMove { dst, src, len });
            }
            "memset" | "memset.inline" | "memset.element.unordered.atomic" => {
                let (dst, byte, len) = self.copy_operands(inst)?;
                self.emit(Inst::MemSet { dst, byte, len });
            }
            "va_start" => {
                let list = self.scalar_operand(inst, 0)?;
                let Some(area) = self.out.area() else {
                    return unsupported("va_start in a function without variadic arguments");
                };
                self.emit(Inst::VaStart { list, area: area.into() });
            }
            "va_copy" => {
                let dst = self.scalar_operand(inst, 0)?;
                let src = self.scalar_operand(inst, 1)?;
                self.emit(Inst::VaCopy { dst, src });
            }
            "stackrestore" => {
                let a = self.scalar_operand(inst, 0)?;
                self.emit(Inst::StackRestore { a });
            }
            "trap" | "debugtrap" | "ubsantrap" => self.emit(Inst::Trap),
            "assume" => {
                // `assume(true)` only carries facts for the optimiser.
                let cond = self.scalar_operand(inst, 0)?;
                if self.known_int(cond) != Some(1) {
                    self.emit(Inst::Assume { cond });
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Destination, source or byte, and length with the width of a pointer.
    fn copy_operands(&mut self, inst: Value<'m>) -> Lowered<(Operand, Operand, Operand)> {
        let dst = self.scalar_operand(inst, 0)?;
        let src = self.scalar_operand(inst, 1)?;
        let width = self.lane_width(inst.operand(2).ty())?;
        let len = match inst.operand(2).small_int() {
            Some(len) => self.constant(super::constant::int_wrapped(len, self.cx.pointer_width)),
            None => {
                let len = self.scalar_operand(inst, 2)?;
                self.resize(len, width, self.cx.pointer_width, false)
            }
        };
        Ok((dst, src, len))
    }

    fn lower_int_intrinsic(&mut self, inst: Value<'m>, name: &str) -> Lowered<Option<Lanes>> {
        if let Some(op) = simple_op(name) {
            let lanes =
                self.zip_lanes(inst.operand(0), inst.operand(1), |b, scalar, x, y| Ok(b.bin(op, scalar.width(), x, y)));
            return lanes.map(Some);
        }
        if let Some((op, test)) = overflow_ops(name) {
            // The result is a struct: all values, then all flags.
            let (a, b) = (inst.operand(0), inst.operand(1));
            let mut lanes = self.zip_lanes(a, b, |b, scalar, x, y| Ok(b.bin(op, scalar.width(), x, y)))?;
            lanes.extend(self.zip_lanes(a, b, |b, scalar, x, y| Ok(b.bin(test, scalar.width(), x, y)))?);
            return Ok(Some(lanes));
        }
        let un = match name {
            "ctpop" => Some(UnOp::Popcount),
            "ctlz" => Some(UnOp::CountLeadingZeros),
            "cttz" => Some(UnOp::CountTrailingZeros),
            "bswap" => Some(UnOp::ByteSwap),
            "bitreverse" => Some(UnOp::BitReverse),
            "abs" => Some(UnOp::Abs),
            _ => None,
        };
        if let Some(op) = un {
            let lanes = self.map_lanes(inst.operand(0), |b, scalar, a| {
                let (width, dst) = (scalar.width(), b.reg(scalar.width()));
                b.emit(Inst::Un { op, width, dst, a });
                Ok(dst.into())
            });
            return lanes.map(Some);
        }
        match name {
            "fshl" => self.lower_funnel(inst, true).map(Some),
            "fshr" => self.lower_funnel(inst, false).map(Some),
            "scmp" => self.lower_three_way(inst, CmpOp::Slt).map(Some),
            "ucmp" => self.lower_three_way(inst, CmpOp::Ult).map(Some),
            _ => Ok(None),
        }
    }

    /// Shifts of two values put side by side. The amount is taken modulo the width, so that
    /// shifting the other half by `width - amount` needs care when the amount is zero: it is
    /// shifted by one and then by `width - 1 - amount`.
    fn lower_funnel(&mut self, inst: Value<'m>, left: bool) -> Lowered<Lanes> {
        let amounts = self.lanes(inst.operand(2))?;
        let mut next = 0;
        self.zip_lanes(inst.operand(0), inst.operand(1), |b, scalar, high, low| {
            let width = scalar.width();
            let Some(amount) = amounts.get(next).copied() else {
                return unsupported("a funnel shift on vectors of different lengths");
            };
            next += 1;
            let (kept, other) = if left { (high, low) } else { (low, high) };
            if width == 1 {
                return Ok(kept);
            }
            let (toward, away) = if left { (BinOp::Shl, BinOp::LShr) } else { (BinOp::LShr, BinOp::Shl) };
            if let Some(amount) = b.known_int(amount) {
                let amount = amount % u64::from(width);
                if amount == 0 {
                    return Ok(kept);
                }
                let by = b.int(amount, width);
                let rest = b.int(u64::from(width) - amount, width);
                let kept = b.bin(toward, width, kept, by);
                let other = b.bin(away, width, other, rest);
                return Ok(b.bin(BinOp::Or, width, kept, other));
            }
            let last = b.constant(big(BigUint::from(width - 1), width));
            let by = if width.is_power_of_two() {
                b.bin(BinOp::And, width, amount, last)
            } else {
                let modulus = b.constant(big(BigUint::from(width), width));
                b.bin(BinOp::URem, width, amount, modulus)
            };
            let one = b.int(1, width);
            let rest = b.bin(BinOp::Sub, width, last, by);
            let kept = b.bin(toward, width, kept, by);
            let other = b.bin(away, width, other, one);
            let other = b.bin(away, width, other, rest);
            Ok(b.bin(BinOp::Or, width, kept, other))
        })
    }

    /// -1, 0 or 1.
    fn lower_three_way(&mut self, inst: Value<'m>, less: CmpOp) -> Lowered<Lanes> {
        let to = self.lane_width(inst.ty())?;
        self.zip_lanes(inst.operand(0), inst.operand(1), |b, scalar, x, y| {
            let is_less = b.cmp(less, scalar.width(), x, y);
            let differs = b.cmp(CmpOp::Ne, scalar.width(), x, y);
            let minus_one = b.ones(to);
            let differs = b.resize(differs, 1, to, false);
            Ok(b.select(to, is_less, minus_one, differs))
        })
    }

    /// The size of the variable that a pointer leads to the start of, as far as its form tells.
    fn size_of_variable(&self, pointer: Value<'m>) -> Option<u64> {
        if pointer.kind() == ValueKind::LLVMInstructionValueKind && pointer.opcode() == Opcode::LLVMAlloca {
            let count = u64::try_from(pointer.operand(0).small_int()?).ok()?;
            return self.cx.layout.alloc_size(pointer.alloca_type()).checked_mul(count);
        }
        None
    }

    /// Pointers, hints and facts about the machine.
    fn lower_pointer_intrinsic(&mut self, inst: Value<'m>, name: &str) -> Lowered<Option<Lanes>> {
        let pointer = self.cx.pointer_width;
        Ok(Some(match name {
            "expect"
            | "expect.with.probability"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "ptr.annotation"
            | "annotation"
            | "ssa.copy"
            | "threadlocal.address" => self.lanes(inst.operand(0))?,
            "stacksave" => {
                let dst = self.reg(pointer);
                self.emit(Inst::StackSave { dst });
                smallvec![dst.into()]
            }
            "objectsize" => {
                // "Unknown": the least or the greatest size, as asked.
                let width = self.lane_width(inst.ty())?;
                if let Some(size) = self.size_of_variable(inst.operand(0)) {
                    return Ok(Some(smallvec![self.int(size, width)]));
                }
                let least = inst.operand(1).small_int().is_some_and(|flag| flag != 0);
                smallvec![if least { self.int(0, width) } else { self.ones(width) }]
            }
            "is.constant" => {
                let kind = inst.operand(0).kind();
                let literal = matches!(
                    kind,
                    ValueKind::LLVMConstantIntValueKind
                        | ValueKind::LLVMConstantFPValueKind
                        | ValueKind::LLVMConstantPointerNullValueKind
                );
                smallvec![self.int(u64::from(literal), 1)]
            }
            "load.relative" => self.load_relative(inst)?,
            "ptrmask" => {
                let mask_width = self.lane_width(inst.operand(1).ty())?;
                if mask_width != pointer {
                    return unsupported(format!("a pointer mask of {mask_width} bits"));
                }
                self.zip_lanes(inst.operand(0), inst.operand(1), |b, scalar, x, y| {
                    Ok(b.bin(BinOp::And, scalar.width(), x, y))
                })?
            }
            // To nearest, the only mode we compute in.
            "get.rounding" => smallvec![self.int(1, 32)],
            "allow.runtime.check" | "allow.ubsan.check" => smallvec![self.int(1, 1)],
            "frameaddress" | "returnaddress" | "addressofreturnaddress" | "sponentry" => {
                smallvec![self.unknown(pointer)]
            }
            _ => return Ok(None),
        }))
    }

    /// One value of all lanes. Floating-point sums and products start with a given value and go
    /// lane by lane.
    fn lower_reduction(&mut self, inst: Value<'m>, operation: &str) -> Lowered<Lanes> {
        if let Some(op) = match operation {
            "fadd" => Some(FBinOp::Add),
            "fmul" => Some(FBinOp::Mul),
            _ => None,
        } {
            let kind = self.float_lanes(inst.ty())?;
            let mut sum = self.scalar_operand(inst, 0)?;
            for lane in self.lanes(inst.operand(1))? {
                sum = self.fbin(op, kind, sum, lane);
            }
            return Ok(smallvec![sum]);
        }
        let lanes = self.lanes(inst.operand(0))?;
        let scalar = self.lane_scalar(inst.ty())?;
        let float = match operation {
            "fmax" => Some(FBinOp::MaxNum),
            "fmin" => Some(FBinOp::MinNum),
            "fmaximum" => Some(FBinOp::Maximum),
            "fminimum" => Some(FBinOp::Minimum),
            _ => None,
        };
        let op = simple_op(operation).or(match operation {
            "add" => Some(BinOp::Add),
            "mul" => Some(BinOp::Mul),
            "and" => Some(BinOp::And),
            "or" => Some(BinOp::Or),
            "xor" => Some(BinOp::Xor),
            _ => None,
        });
        let mut result: Option<Operand> = None;
        for lane in lanes {
            result = Some(match (result, float, op) {
                (None, ..) => lane,
                (Some(before), Some(float), _) => self.fbin(float, scalar.float()?, before, lane),
                (Some(before), None, Some(op)) => self.bin(op, scalar.width(), before, lane),
                (Some(_), None, None) => {
                    return unsupported(format!("the LLVM intrinsic `llvm.vector.reduce.{operation}`"));
                }
            });
        }
        match result {
            Some(result) => Ok(smallvec![result]),
            None => unsupported("a reduction of an empty vector"),
        }
    }

    /// Floating-point operations that name a rounding mode and say whether exceptions are looked
    /// at: the plain ones, if rounding is to nearest. The last operands are metadata: for
    /// comparisons the predicate, then the rounding mode if the operation rounds, then the
    /// exception mode.
    fn lower_constrained(&mut self, inst: Value<'m>, operation: &str) -> Lowered<Lanes> {
        let mut texts = Vec::new();
        let mut plain = 0;
        for index in 0..inst.arg_count() {
            let operand = inst.operand(index);
            if operand.kind() == ValueKind::LLVMMetadataAsValueValueKind {
                texts.push(operand.metadata_string());
            } else {
                plain += 1;
            }
        }
        if let Some(mode) = texts.iter().find(|text| text.starts_with("round."))
            && !matches!(mode.as_str(), "round.tonearest" | "round.dynamic")
        {
            return unsupported(format!("floating-point arithmetic with the rounding mode `{mode}`"));
        }
        let bin = match operation {
            "fadd" => Some(FBinOp::Add),
            "fsub" => Some(FBinOp::Sub),
            "fmul" => Some(FBinOp::Mul),
            "fdiv" => Some(FBinOp::Div),
            "frem" => Some(FBinOp::Rem),
            _ => None,
        };
        if let (Some(op), 2) = (bin, plain) {
            return self
                .zip_lanes(inst.operand(0), inst.operand(1), |b, scalar, x, y| Ok(b.fbin(op, scalar.float()?, x, y)));
        }
        let cast = match operation {
            "fptosi" => Some(Opcode::LLVMFPToSI),
            "fptoui" => Some(Opcode::LLVMFPToUI),
            "sitofp" => Some(Opcode::LLVMSIToFP),
            "uitofp" => Some(Opcode::LLVMUIToFP),
            "fptrunc" => Some(Opcode::LLVMFPTrunc),
            "fpext" => Some(Opcode::LLVMFPExt),
            _ => None,
        };
        if let Some(opcode) = cast {
            return self.convert(opcode, inst.operand(0), inst);
        }
        if matches!(operation, "fcmp" | "fcmps") {
            let Some(op) = texts.first().and_then(|text| predicate(text)) else {
                return unsupported("a floating-point comparison without a predicate");
            };
            return self
                .zip_lanes(inst.operand(0), inst.operand(1), |b, scalar, x, y| Ok(b.fcmp(op, scalar.float()?, x, y)));
        }
        if operation == "fneg" {
            return self.map_lanes(inst.operand(0), |b, scalar, a| Ok(b.fun(FUnOp::Neg, scalar.float()?, a)));
        }
        match self.lower_float_intrinsic(inst, operation)? {
            Some(lanes) => Ok(lanes),
            None => unsupported(format!("the LLVM intrinsic `llvm.experimental.constrained.{operation}`")),
        }
    }
}

fn simple_op(name: &str) -> Option<BinOp> {
    Some(match name {
        "smax" => BinOp::SMax,
        "smin" => BinOp::SMin,
        "umax" => BinOp::UMax,
        "umin" => BinOp::UMin,
        "sadd.sat" => BinOp::SAddSat,
        "uadd.sat" => BinOp::UAddSat,
        "ssub.sat" => BinOp::SSubSat,
        "usub.sat" => BinOp::USubSat,
        "sshl.sat" => BinOp::SShlSat,
        "ushl.sat" => BinOp::UShlSat,
        _ => return None,
    })
}

fn overflow_ops(name: &str) -> Option<(BinOp, BinOp)> {
    Some(match name {
        "sadd.with.overflow" => (BinOp::Add, BinOp::SAddOverflow),
        "uadd.with.overflow" => (BinOp::Add, BinOp::UAddOverflow),
        "ssub.with.overflow" => (BinOp::Sub, BinOp::SSubOverflow),
        "usub.with.overflow" => (BinOp::Sub, BinOp::USubOverflow),
        "smul.with.overflow" => (BinOp::Mul, BinOp::SMulOverflow),
        "umul.with.overflow" => (BinOp::Mul, BinOp::UMulOverflow),
        _ => return None,
    })
}

/// A comparison as constrained intrinsics spell it.
fn predicate(text: &str) -> Option<FCmpOp> {
    Some(match text {
        "oeq" => FCmpOp::Oeq,
        "ogt" => FCmpOp::Ogt,
        "oge" => FCmpOp::Oge,
        "olt" => FCmpOp::Olt,
        "ole" => FCmpOp::Ole,
        "one" => FCmpOp::One,
        "ord" => FCmpOp::Ord,
        "ueq" => FCmpOp::Ueq,
        "ugt" => FCmpOp::Ugt,
        "uge" => FCmpOp::Uge,
        "ult" => FCmpOp::Ult,
        "ule" => FCmpOp::Ule,
        "une" => FCmpOp::Une,
        "uno" => FCmpOp::Uno,
        _ => return None,
    })
}
