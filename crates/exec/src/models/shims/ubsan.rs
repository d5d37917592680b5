//! Reports of clang's checks for undefined behaviour. What failed is told by the function that is
//! called, by the data that the compiler made for the check, and by the values that it is about.

use super::Arguments;
use crate::interpreter::fork::{Alternatives, Flow};
use crate::interpreter::machine::{Interpreter, Machine};
use crate::paths::fault::Fault;
use crate::paths::state::State;
use espalier_base::ubsan::{Check, Handler, PREFIX};
use espalier_expr::Term;

/// What a type descriptor says of integers, and of the signed ones among them.
const INTEGER: u64 = 0;
const SIGNED: u64 = 1;

/// The kinds of an implicit conversion, as clang numbers them.
const ANY_TRUNCATION: u64 = 0;
const UNSIGNED_TRUNCATION: u64 = 1;
const SIGNED_TRUNCATION: u64 = 2;
const SIGN_CHANGE: u64 = 3;

impl<M: Machine> Interpreter<'_, M> {
    pub(crate) fn undefined_behaviour(&mut self, state: &mut State, handler: Handler, args: &Arguments) -> Flow {
        let data = CheckData { address: args.value(0).as_concrete(), word: u64::from(self.pointer_width() / 8) };
        let check = match handler {
            Handler::TypeMismatch => return self.type_mismatch(state, &data, args),
            Handler::PointerOverflow => return self.pointer_overflow(state, args),
            Handler::Overflow => match self.overflow(state, &data, args) {
                Some(check) => check,
                None => {
                    let operation = args.name.trim_start_matches(PREFIX).split('_').next().unwrap_or_default();
                    let fault = Fault::SignedOverflow { operation: operation.to_owned() };
                    return Flow::End(self.violation(state, fault));
                }
            },
            Handler::ImplicitConversion => self.implicit_conversion(state, &data),
            Handler::AlignmentAssumption => Check::AlignmentAssumption,
            Handler::OutOfBounds => Check::OutOfBoundsIndex,
            Handler::Unreachable => Check::UnreachableCall,
            Handler::MissingReturn => Check::MissingReturn,
            Handler::VlaBound => Check::VlaBound,
            Handler::FloatCast => Check::FloatCast,
            Handler::InvalidLoad => Check::InvalidLoad,
            Handler::InvalidBuiltin => Check::InvalidBuiltin,
            Handler::FunctionType => Check::FunctionType,
            Handler::NullReturn => Check::NullReturn,
            Handler::NullArgument => Check::NullArgument,
        };
        Flow::End(self.violation(state, Fault::Undefined(check)))
    }

    /// A number of so many bytes in the data of a check, which are constants of the program.
    fn read_constant(&mut self, state: &State, address: u64, bytes: usize) -> Option<u64> {
        let object = state.memory.object(address)?;
        let offset = usize::try_from(address.checked_sub(object.base)?).ok()?;
        if offset + bytes > object.contents.size() {
            return None;
        }
        M::touch(self, state, object.base);
        object.contents.read_number(offset, bytes)
    }

    /// The pointer with this number behind the location in the data of a check.
    fn data_pointer(&mut self, state: &State, data: &CheckData, number: u64) -> Option<u64> {
        self.read_constant(state, data.behind_location()? + number * data.word, data.word as usize)
    }

    /// What is known of the type with this number in the data of a check: its class, and what else
    /// there is to say of it.
    fn data_type(&mut self, state: &State, data: &CheckData, number: u64) -> Option<(u64, u64)> {
        let descriptor = self.data_pointer(state, data, number)?;
        Some((self.read_constant(state, descriptor, 2)?, self.read_constant(state, descriptor + 2, 2)?))
    }

    fn is_signed_type(&mut self, state: &State, data: &CheckData, number: u64) -> bool {
        self.data_type(state, data, number).is_none_or(|(class, info)| class == INTEGER && info & SIGNED != 0)
    }

    /// What overflows, if it is no operation on signed integers, and no shift.
    fn overflow(&mut self, state: &State, data: &CheckData, args: &Arguments) -> Option<Check> {
        if args.name.contains("shift_out_of_bounds") {
            return None;
        }
        match self.data_type(state, data, 0)? {
            (INTEGER, _) if args.name.contains("divrem") => None,
            (INTEGER, info) if info & SIGNED == 0 => Some(Check::UnsignedOverflow),
            (INTEGER, _) => None,
            _ => Some(Check::FloatDivisionByZero),
        }
    }

    fn implicit_conversion(&mut self, state: &State, data: &CheckData) -> Check {
        let kind = data.behind_location().and_then(|at| self.read_constant(state, at + 2 * data.word, 1));
        match kind {
            Some(ANY_TRUNCATION) => {
                let is_signed = self.is_signed_type(state, data, 0) || self.is_signed_type(state, data, 1);
                if is_signed { Check::SignedTruncation } else { Check::UnsignedTruncation }
            }
            Some(UNSIGNED_TRUNCATION) => Check::UnsignedTruncation,
            Some(SIGNED_TRUNCATION) => Check::SignedTruncation,
            Some(SIGN_CHANGE) => Check::SignChange,
            _ => Check::SignedTruncationOrSignChange,
        }
    }

    /// A pointer that does not lead to an object of its type: it is null, or not aligned, or the
    /// object is too small.
    fn type_mismatch(&mut self, state: &mut State, data: &CheckData, args: &Arguments) -> Flow {
        let width = self.pointer_width();
        let pointer = args.value(1).term(&mut self.terms, width);
        let zero = self.terms.constant(0, width);
        let is_null = self.terms.eq(pointer, zero);
        let log = data.behind_location().and_then(|at| self.read_constant(state, at + data.word, 1)).unwrap_or(0);
        let mask = self.terms.constant((1_u64 << log.min(31)) - 1, width);
        let low = self.terms.and(pointer, mask);
        let is_misaligned = self.terms.ne(low, zero);
        let cases = [(is_null, Check::NullPointer), (is_misaligned, Check::MisalignedPointer)];
        self.report_one_of(state, &cases, Check::ObjectSize)
    }

    /// An offset that leads from or to a null pointer, or around the address space.
    fn pointer_overflow(&mut self, state: &mut State, args: &Arguments) -> Flow {
        let width = self.pointer_width();
        let (base, result) = (args.value(1).term(&mut self.terms, width), args.value(2).term(&mut self.terms, width));
        let zero = self.terms.constant(0, width);
        let (from_null, to_null) = (self.terms.eq(base, zero), self.terms.eq(result, zero));
        let both = self.terms.and(from_null, to_null);
        let cases = [
            (both, Check::NullWithOffset),
            (from_null, Check::NullWithNonzeroOffset),
            (to_null, Check::NullAfterOffset),
        ];
        self.report_one_of(state, &cases, Check::PointerOverflow)
    }

    /// One alternative for each check that can be the one that failed, the first whose condition
    /// holds.
    fn report_one_of(&mut self, state: &mut State, cases: &[(Term, Check)], otherwise: Check) -> Flow {
        let mut out = Alternatives::default();
        let mut rest = Some(self.split(state));
        for &(condition, check) in cases {
            let Some(current) = rest.take() else { break };
            let (held, failed) = self.split_on(current, condition, &mut out);
            if let Some(held) = held {
                let end = self.violation(&held, Fault::Undefined(check));
                out.ended(held, end);
            }
            rest = failed;
        }
        if let Some(rest) = rest {
            let end = self.violation(&rest, Fault::Undefined(otherwise));
            out.ended(rest, end);
        }
        out.settle(self, state)
    }
}

/// The data that the compiler made for a check. It begins with a location: a pointer and two
/// numbers of 32 bits.
struct CheckData {
    address: Option<u64>,
    /// Bytes of a pointer.
    word: u64,
}

impl CheckData {
    fn behind_location(&self) -> Option<u64> {
        Some(self.address? + self.word + 8)
    }
}
