//! Constants in the text form.

use super::lexer::Kind;
use super::{Meaning, Parsed, Parser};
use crate::{BinOp, BlockId, CastOp, CmpOp, ConstExpr, Constant};
use num_bigint::BigUint;

/// How deep constant expressions may nest.
const DEEPEST: u32 = 200;

impl<'t> Parser<'t> {
    /// A constant of `width` bits, as far as its spelling does not say how many it has.
    pub(super) fn constant(&mut self, width: u32) -> Parsed<Constant> {
        self.nested_constant(width, 0)
    }

    fn nested_constant(&mut self, width: u32, depth: u32) -> Parsed<Constant> {
        if depth > DEEPEST {
            return Err(self.expected("a constant that is less deep"));
        }
        match self.peek().kind {
            Kind::Number(_) => self.integer(width, false),
            Kind::Mark("-") => {
                self.at += 1;
                self.integer(width, true)
            }
            Kind::Word("undef") => {
                self.at += 1;
                Ok(Constant::Undef { width })
            }
            Kind::Symbol(..) => self.address(),
            Kind::Mark("(") => {
                self.at += 1;
                let expr = self.expression(depth + 1)?;
                self.mark(")")?;
                Ok(Constant::Expr(Box::new(expr)))
            }
            _ => Err(self.expected("a register or a constant")),
        }
    }

    fn integer(&mut self, width: u32, is_negative: bool) -> Parsed<Constant> {
        let Kind::Number(digits) = self.peek().kind else { return Err(self.expected("a number")) };
        let magnitude = match digits.strip_prefix("0x") {
            Some(digits) => BigUint::parse_bytes(digits.as_bytes(), 16),
            None => digits.parse::<u128>().ok().map(BigUint::from),
        };
        let Some(magnitude) = magnitude else { return Err(self.expected("a number")) };
        let bits = u64::from(width);
        let value = match is_negative && magnitude != BigUint::ZERO {
            false => Some(magnitude).filter(|magnitude| magnitude.bits() <= bits),
            // As far as the least number of this width; not for widths whose numbers are longer
            // than their texts.
            true if width <= 128 => {
                let least = BigUint::from(1_u32) << (bits - 1);
                (magnitude <= least).then(|| (BigUint::from(1_u32) << bits) - magnitude)
            }
            true => None,
        };
        let Some(value) = value else { return Err(self.expected(&format!("a number of {width} bits"))) };
        self.at += 1;
        Ok(match u64::try_from(&value) {
            Ok(value) if width <= 64 => Constant::Int { value, width },
            _ => Constant::Wide { value, width },
        })
    }

    fn address(&mut self) -> Parsed<Constant> {
        match self.symbol()? {
            Meaning::Global(id) => Ok(Constant::Global(id)),
            Meaning::Function(id) if self.eat_mark("/") => {
                Ok(Constant::Block(id, BlockId(self.numbered("bb", "a block such as `bb0`")?)))
            }
            Meaning::Function(id) => Ok(Constant::Function(id)),
        }
    }

    fn expression(&mut self, depth: u32) -> Parsed<ConstExpr> {
        let word = self.word("an operator")?;
        if let Some(op) = BinOp::of_word(word) {
            let width = self.width()?;
            let (a, b) = self.pair(width, depth)?;
            return Ok(ConstExpr::Bin { op, width, a, b });
        }
        if let Some(op) = CmpOp::of_word(word) {
            let width = self.width()?;
            let (a, b) = self.pair(width, depth)?;
            return Ok(ConstExpr::Cmp { op, width, a, b });
        }
        if let Some(op) = CastOp::of_word(word) {
            let from = self.width()?;
            let a = self.nested_constant(from, depth)?;
            self.keyword("to")?;
            return Ok(ConstExpr::Cast { op, from, to: self.width()?, a });
        }
        if word != "select" {
            self.at -= 1;
            return Err(self.expected("an operator for constants"));
        }
        let width = self.width()?;
        let cond = self.nested_constant(1, depth)?;
        self.mark("?")?;
        let a = self.nested_constant(width, depth)?;
        self.mark(":")?;
        let b = self.nested_constant(width, depth)?;
        Ok(ConstExpr::Select { width, cond, a, b })
    }

    fn pair(&mut self, width: u32, depth: u32) -> Parsed<(Constant, Constant)> {
        let a = self.nested_constant(width, depth)?;
        self.mark(",")?;
        Ok((a, self.nested_constant(width, depth)?))
    }
}
