//! Recipes carried out by the constructors.

use super::{Builder, Constants, SCALARS, VARS, seeded};
use espalier_expr::{ArrayByte, Bv, FloatFormat, Model, Op, Rounding, SymbolKind, Term, Terms};
use num_bigint::BigUint;

pub struct Pool {
    pub terms: Terms,
    pub vars: Vec<Term>,
    constants: Constants,
}

impl Pool {
    pub fn new(constants: Constants) -> Pool {
        let mut pool = Pool { terms: Terms::new(), vars: Vec::new(), constants };
        for size in SCALARS {
            let var = pool.scalar("x", size);
            pool.vars.push(var);
        }
        // A name that cannot be written in SMT-LIB.
        for i in 0..4 {
            let var = pool.byte("b|ytes\\", i);
            pool.vars.push(var);
        }
        pool
    }

    pub fn scalar(&mut self, name: &str, size: u32) -> Term {
        self.terms.scalar_var(SymbolKind::Input, name, size)
    }

    /// A byte of a symbol of four.
    pub fn byte(&mut self, name: &str, index: u32) -> Term {
        self.terms.byte_vars(SymbolKind::Input, name, 4)[index as usize]
    }

    pub fn model(&self, values: &[u64; VARS]) -> Model {
        let mut model = Model::new();
        for (&var, &value) in self.vars.iter().zip(values) {
            let width = self.terms.width(var);
            model.set_bv(var, Bv::from_big(seeded(value, width), width));
        }
        model
    }
}

fn format(width: u32) -> FloatFormat {
    FloatFormat::from_width(width).expect("a float's width")
}

impl Builder for Pool {
    type Value = Term;

    fn width(&self, a: &Term) -> u32 {
        self.terms.width(*a)
    }

    fn constant(&mut self, value: BigUint, width: u32) -> Term {
        self.terms.constant_bv(&Bv::from_big(value, width))
    }

    fn near(&mut self, value: &Term, _delta: i64) -> Term {
        let constant = self.constants.next(|| unreachable!("the reference comes first"));
        let width = self.width(value);
        self.constant(constant, width)
    }

    fn variable(&mut self, index: usize) -> Term {
        self.vars[index]
    }

    fn apply(&mut self, op: &str, args: &[Term], numbers: &[u32]) -> Term {
        let t = &mut self.terms;
        let (a, b, c) = (args[0], *args.get(1).unwrap_or(&args[0]), *args.get(2).unwrap_or(&args[0]));
        match op {
            "not" => t.not(a),
            "neg" => t.neg(a),
            "and" => t.and(a, b),
            "or" => t.or(a, b),
            "xor" => t.xor(a, b),
            "add" => t.add(a, b),
            "sub" => t.sub(a, b),
            "mul" => t.mul(a, b),
            "udiv" => t.udiv(a, b),
            "sdiv" => t.sdiv(a, b),
            "urem" => t.urem(a, b),
            "srem" => t.srem(a, b),
            "shl" => t.shl(a, b),
            "lshr" => t.lshr(a, b),
            "ashr" => t.ashr(a, b),
            "eq" => t.eq(a, b),
            "ne" => t.ne(a, b),
            "ult" => t.ult(a, b),
            "ule" => t.ule(a, b),
            "ugt" => t.ugt(a, b),
            "uge" => t.uge(a, b),
            "slt" => t.slt(a, b),
            "sle" => t.sle(a, b),
            "sgt" => t.sgt(a, b),
            "sge" => t.sge(a, b),
            "ite" => t.ite(a, b, c),
            "concat" => t.concat(a, b),
            "extract" => t.extract(a, numbers[0], numbers[1]),
            "zext" => t.zext(a, numbers[0]),
            "sext" => t.sext(a, numbers[0]),
            "zext_or_trunc" => t.zext_or_trunc(a, numbers[0]),
            "sext_or_trunc" => t.sext_or_trunc(a, numbers[0]),
            "fp_add" => t.fp_add(a, b),
            "fp_sub" => t.fp_sub(a, b),
            "fp_mul" => t.fp_mul(a, b),
            "fp_div" => t.fp_div(a, b),
            "fp_rem" => t.fp_rem(a, b),
            "fp_copysign" => t.fp_copysign(a, b),
            "fp_fma" => t.fp_fma(a, b, c),
            "fp_sqrt" => t.fp_sqrt(a),
            "fp_neg" => t.fp_neg(a),
            "fp_abs" => t.fp_abs(a),
            "fp_round" => t.fp_round(a, Rounding::from_number(numbers[0])),
            "fp_eq" => t.fp_eq(a, b),
            "fp_lt" => t.fp_lt(a, b),
            "fp_le" => t.fp_le(a, b),
            "fp_is_nan" => t.fp_is_nan(a),
            "fp_is_inf" => t.fp_is_inf(a),
            "fp_to_fp" => t.fp_to_fp(a, format(numbers[0])),
            "fp_to_si" => t.fp_to_si(a, numbers[0]),
            "si_to_fp" => t.si_to_fp(a, format(numbers[0])),
            "ui_to_fp" => t.ui_to_fp(a, format(numbers[0])),
            _ => panic!("no operator {op}"),
        }
    }

    fn read(&mut self, bytes: &[Result<u8, Term>], stores: &[(Term, Term)], index: &Term) -> Term {
        let bytes = bytes
            .iter()
            .map(|byte| match *byte {
                Ok(value) => ArrayByte::Concrete(value),
                Err(term) => ArrayByte::Term(term),
            })
            .collect();
        let mut array = self.terms.array_base(bytes);
        for &(index, value) in stores {
            array = self.terms.array_store(array, index, value);
        }
        self.terms.read(array, *index)
    }
}

/// Builds a node again from its arguments by the constructor of its operator.
pub fn rebuild(t: &mut Terms, term: Term) -> Term {
    let node = *t.node(term);
    let a = || node.arg(0);
    let b = || node.arg(1);
    let fmt = |width| format(width);
    match node.op {
        Op::Const | Op::WideConst | Op::Var => term,
        Op::Not => t.not(a()),
        Op::Neg => t.neg(a()),
        Op::And => t.and(a(), b()),
        Op::Or => t.or(a(), b()),
        Op::Xor => t.xor(a(), b()),
        Op::Add => t.add(a(), b()),
        Op::Mul => t.mul(a(), b()),
        Op::UDiv => t.udiv(a(), b()),
        Op::SDiv => t.sdiv(a(), b()),
        Op::URem => t.urem(a(), b()),
        Op::SRem => t.srem(a(), b()),
        Op::Shl => t.shl(a(), b()),
        Op::LShr => t.lshr(a(), b()),
        Op::AShr => t.ashr(a(), b()),
        Op::Eq => t.eq(a(), b()),
        Op::Ult => t.ult(a(), b()),
        Op::Ule => t.ule(a(), b()),
        Op::Slt => t.slt(a(), b()),
        Op::Sle => t.sle(a(), b()),
        Op::Ite => t.ite(a(), b(), node.arg(2)),
        Op::Extract => t.extract(a(), node.number(1), node.width),
        Op::Concat => t.concat(a(), b()),
        Op::ZExt => t.zext(a(), node.width),
        Op::SExt => t.sext(a(), node.width),
        Op::Read => t.read(node.array(), b()),
        Op::FpAdd => t.fp_add(a(), b()),
        Op::FpSub => t.fp_sub(a(), b()),
        Op::FpMul => t.fp_mul(a(), b()),
        Op::FpDiv => t.fp_div(a(), b()),
        Op::FpRem => t.fp_rem(a(), b()),
        Op::FpFma => t.fp_fma(a(), b(), node.arg(2)),
        Op::FpSqrt => t.fp_sqrt(a()),
        Op::FpRound => t.fp_round(a(), Rounding::from_number(node.number(1))),
        Op::FpEq => t.fp_eq(a(), b()),
        Op::FpLt => t.fp_lt(a(), b()),
        Op::FpLe => t.fp_le(a(), b()),
        Op::FpToFp => t.fp_to_fp(a(), fmt(node.width)),
        Op::FpToSi => t.fp_to_si(a(), node.width),
        Op::SiToFp => t.si_to_fp(a(), fmt(node.width)),
        Op::UiToFp => t.ui_to_fp(a(), fmt(node.width)),
    }
}
