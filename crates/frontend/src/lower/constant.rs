//! Constants: numbers, addresses, and expressions on addresses.

use super::pointer::{Step, gep_steps};
use super::{Lowered, Lowerer, unsupported};
use crate::llvm::{Linkage, Opcode, Value, ValueKind};
use espalier_ir::{BinOp, CastOp, ConstExpr, Constant};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use smallvec::{SmallVec, smallvec};

/// The lanes of a constant.
pub type Constants = SmallVec<[Constant; 1]>;

/// The constant of that many bits; higher bits of `value` must be zero.
pub fn int(value: u64, width: u32) -> Constant {
    if width <= 64 { Constant::Int { value, width } } else { Constant::Wide { value: BigUint::from(value), width } }
}

/// The low `width` bits of `value`, sign-extended if there are more than 64.
pub fn int_wrapped(value: i64, width: u32) -> Constant {
    let modulus = BigUint::from(1_u32) << width;
    let magnitude = BigUint::from(value.unsigned_abs()) % &modulus;
    let bits = if value < 0 && magnitude != BigUint::ZERO { modulus - magnitude } else { magnitude };
    big(bits, width)
}

/// The constant of that many bits.
pub fn big(value: BigUint, width: u32) -> Constant {
    match value.to_u64() {
        Some(small) if width <= 64 => Constant::Int { value: small, width },
        _ => Constant::Wide { value, width },
    }
}

pub fn expr_bin(op: BinOp, width: u32, a: Constant, b: Constant) -> Constant {
    Constant::Expr(Box::new(ConstExpr::Bin { op, width, a, b }))
}

impl<'m> Lowerer<'m> {
    /// The lanes of any constant.
    pub(super) fn constant(&mut self, value: Value<'m>) -> Lowered<Constants> {
        let pointer = self.pointer_width;
        Ok(match value.kind() {
            ValueKind::LLVMConstantIntValueKind => {
                let shape = self.shape(value.ty())?;
                let bits = value.int_bits();
                shape.lanes.iter().map(|lane| big(bits.clone(), lane.width())).collect()
            }
            ValueKind::LLVMConstantFPValueKind => {
                let width = self.shape(value.ty())?.scalar()?.width();
                smallvec![big(value.float_as_int(width).int_bits(), width)]
            }
            ValueKind::LLVMConstantPointerNullValueKind => smallvec![int(0, pointer)],
            ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind => {
                self.shape(value.ty())?.lanes.iter().map(|lane| Constant::Undef { width: lane.width() }).collect()
            }
            ValueKind::LLVMConstantAggregateZeroValueKind => {
                self.shape(value.ty())?.lanes.iter().map(|lane| int(0, lane.width())).collect()
            }
            ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMConstantVectorValueKind
            | ValueKind::LLVMConstantDataArrayValueKind
            | ValueKind::LLVMConstantDataVectorValueKind => {
                let lanes = self.shape(value.ty())?.lanes.len();
                let mut all = Constants::new();
                for index in 0.. {
                    let Some(element) = value.aggregate_element(index) else {
                        break;
                    };
                    all.extend(self.constant(element)?);
                }
                if all.len() != lanes {
                    return unsupported("a constant whose elements do not match its type");
                }
                all
            }
            ValueKind::LLVMFunctionValueKind => smallvec![self.function_address(value)],
            ValueKind::LLVMGlobalVariableValueKind => {
                // The address of a weak symbol that is defined nowhere is null, as linkers have it.
                if value.is_declaration() && value.linkage() == Linkage::LLVMExternalWeakLinkage {
                    smallvec![int(0, pointer)]
                } else {
                    smallvec![Constant::Global(self.global_id(value))]
                }
            }
            ValueKind::LLVMGlobalAliasValueKind => match value.aliasee() {
                Some(target) => self.constant(target)?,
                None => {
                    return unsupported(format!("the alias `{}`, which stands for nothing", value.name()));
                }
            },
            ValueKind::LLVMGlobalIFuncValueKind => {
                return unsupported(format!(
                    "the function `{}`, which a resolver chooses at run time (ifunc)",
                    value.name()
                ));
            }
            ValueKind::LLVMBlockAddressValueKind => match value.block_address() {
                Some((function, block)) => {
                    let id = self.function_id(function);
                    // A block that cannot be reached has no number; its address is only compared.
                    smallvec![
                        self.block_id(function, block).map_or(int(1, pointer), |block| Constant::Block(id, block))
                    ]
                }
                None => return unsupported("the address of a block that does not exist"),
            },
            ValueKind::LLVMConstantExprValueKind => self.constant_expr(value)?,
            ValueKind::LLVMConstantTokenNoneValueKind => Constants::new(),
            kind => return unsupported(format!("a constant of kind {kind:?}")),
        })
    }

    /// A constant that is one register wide.
    fn scalar_constant(&mut self, value: Value<'m>) -> Lowered<Constant> {
        let mut lanes = self.constant(value)?;
        match (lanes.pop(), lanes.is_empty()) {
            (Some(constant), true) => Ok(constant),
            _ => unsupported("a constant expression on vectors or aggregates"),
        }
    }

    /// The address of a function; null if it is weak and defined nowhere.
    fn function_address(&mut self, function: Value<'m>) -> Constant {
        if function.is_declaration() && function.linkage() == Linkage::LLVMExternalWeakLinkage {
            return int(0, self.pointer_width);
        }
        let id = self.function_id(function);
        self.program.functions[id.index()].address_taken = true;
        Constant::Function(id)
    }

    fn constant_expr(&mut self, value: Value<'m>) -> Lowered<Constants> {
        let opcode = value.const_opcode();
        let bin = match opcode {
            Opcode::LLVMAdd => Some(BinOp::Add),
            Opcode::LLVMSub => Some(BinOp::Sub),
            Opcode::LLVMMul => Some(BinOp::Mul),
            Opcode::LLVMShl => Some(BinOp::Shl),
            Opcode::LLVMXor => Some(BinOp::Xor),
            _ => None,
        };
        if let Some(op) = bin {
            let width = self.shape(value.ty())?.scalar()?.width();
            let a = self.scalar_constant(value.operand(0))?;
            let b = self.scalar_constant(value.operand(1))?;
            return Ok(smallvec![expr_bin(op, width, a, b)]);
        }
        match opcode {
            Opcode::LLVMGetElementPtr => Ok(smallvec![self.constant_gep(value)?]),
            Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr | Opcode::LLVMTrunc | Opcode::LLVMAddrSpaceCast => {
                let width = self.shape(value.ty())?.scalar()?.width();
                let from = self.scalar_constant(value.operand(0))?;
                Ok(smallvec![self.resize_constant(from, width, false)])
            }
            Opcode::LLVMBitCast => {
                let from = self.constant(value.operand(0))?;
                let widths = self.shape(value.ty())?.widths();
                let same = from.iter().map(|c| self.program.constant_width(c)).eq(widths.iter().copied());
                if same { Ok(from) } else { self.recast_constant(&from, &widths) }
            }
            _ => unsupported(format!("the constant expression `{}`", value.text())),
        }
    }

    /// The same bits in lanes of other widths.
    fn recast_constant(&self, from: &[Constant], widths: &[u32]) -> Lowered<Constants> {
        let mut bits = BigUint::ZERO;
        let mut at = 0_u32;
        for lane in from {
            match lane {
                Constant::Int { value, .. } => bits |= BigUint::from(*value) << at,
                Constant::Wide { value, .. } => bits |= value << at,
                Constant::Undef { .. } => {}
                _ => return unsupported("a constant bit cast of addresses to other widths"),
            }
            at += self.program.constant_width(lane);
        }
        let mut lanes = Constants::new();
        for width in widths {
            lanes.push(big(&bits & ((BigUint::from(1_u32) << *width) - 1_u32), *width));
            bits >>= *width;
        }
        Ok(lanes)
    }

    /// The constant with `width` bits: truncated or extended.
    pub(super) fn resize_constant(&self, constant: Constant, width: u32, signed: bool) -> Constant {
        let from = self.program.constant_width(&constant);
        let op = match from.cmp(&width) {
            std::cmp::Ordering::Equal => return constant,
            std::cmp::Ordering::Greater => CastOp::Trunc,
            std::cmp::Ordering::Less if signed => CastOp::SExt,
            std::cmp::Ordering::Less => CastOp::ZExt,
        };
        Constant::Expr(Box::new(ConstExpr::Cast { op, from, to: width, a: constant }))
    }

    fn constant_gep(&mut self, value: Value<'m>) -> Lowered<Constant> {
        let width = self.pointer_width;
        let mut sum = self.scalar_constant(value.operand(0))?;
        let indices: Vec<_> = (1..value.operand_count()).map(|i| value.operand(i)).collect();
        let (offset, steps) = gep_steps(self.layout, value.gep_source_type(), &indices)?;
        for Step { index, scale } in steps {
            let index = self.scalar_constant(index)?;
            let index = self.resize_constant(index, width, true);
            let scale = int_wrapped(scale as i64, width);
            sum = expr_bin(BinOp::Add, width, sum, expr_bin(BinOp::Mul, width, index, scale));
        }
        if offset != 0 {
            sum = expr_bin(BinOp::Add, width, sum, int_wrapped(offset, width));
        }
        Ok(sum)
    }
}
