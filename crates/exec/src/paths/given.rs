//! Inputs that are given: those of a test that a run begins with or is made to follow.

use crate::Executor;
use crate::paths::end::End;
use crate::paths::fault::{Fault, Misuse};
use crate::paths::state::{InputName, State};
use espalier_base::Rng;
use espalier_expr::{Bv, Symbol, SymbolInfo, SymbolKind, SymbolShape, Term, Terms};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Inputs by name and, where a path asks for the same name several times, by how many there were
/// before.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GivenInputs {
    objects: FxHashMap<(String, u32), Vec<u8>>,
    /// The last of each name.
    last: FxHashMap<String, Vec<u8>>,
    others: Others,
}

/// What a path gets that asks for more than there is.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Others {
    /// It ends: it does not follow the inputs.
    #[default]
    Refused,
    /// The last one of that name again, or zeros.
    Repeated,
    /// Small numbers that look random.
    Random(u64),
}

impl GivenInputs {
    /// From the objects of a test, in its order.
    pub fn new(objects: impl IntoIterator<Item = (String, Vec<u8>)>) -> GivenInputs {
        let mut given = GivenInputs::default();
        let mut seen: FxHashMap<String, u32> = FxHashMap::default();
        for (name, bytes) in objects {
            let occurrence = seen.entry(name.clone()).or_default();
            given.last.insert(name.clone(), bytes.clone());
            given.objects.insert((name, *occurrence), bytes);
            *occurrence += 1;
        }
        given
    }

    /// The same, with what else a path gets that asks for it.
    pub fn with_others(self, others: Others) -> GivenInputs {
        GivenInputs { others, ..self }
    }

    /// The bytes of an input that is none of those that are given.
    fn other(&self, name: &str, occurrence: u32, size: u32) -> Option<Vec<u8>> {
        let mut bytes = match self.others {
            Others::Refused => return None,
            Others::Repeated => self.last.get(name).cloned().unwrap_or_default(),
            Others::Random(seed) => {
                let mut random = Rng::new(seed ^ u64::from(occurrence).wrapping_mul(0x9e37_79b9_7f4a_7c15));
                let most = [2, 2, 4, 256][random.below(4)];
                let number = random.below(most) as u64;
                let sign = if random.below(4) == 0 { number.wrapping_neg() } else { number };
                sign.to_le_bytes().to_vec()
            }
        };
        bytes.resize(size as usize, 0);
        Some(bytes)
    }

    pub fn get(&self, name: &str, occurrence: u32) -> Option<&[u8]> {
        self.objects.get(&(name.to_owned(), occurrence)).map(Vec::as_slice)
    }

    /// The value of a variable of an input; what is not given is 0.
    pub fn value(&self, terms: &Terms, var: Term) -> Bv {
        let node = terms.node(var);
        let info = terms.symbol_info(node.symbol());
        let given = (info.kind == SymbolKind::Input).then(|| self.get(&info.name, info.occurrence)).flatten();
        let bytes = given.unwrap_or_default();
        match info.shape {
            SymbolShape::Bytes => Bv::from_u64(bytes.get(node.number(1) as usize).copied().unwrap_or(0).into(), 8),
            SymbolShape::Scalar => scalar(&bytes[..bytes.len().min(info.size as usize)], info.size),
        }
    }
}

/// The number whose bytes these are, lowest first.
pub(crate) fn scalar(bytes: &[u8], size: u32) -> Bv {
    Bv::from_big(BigUint::from_bytes_le(bytes), 8 * size)
}

impl Executor {
    /// Lets a path that has not begun use these inputs instead of unknown ones.
    pub fn give(&self, state: &mut State, given: GivenInputs) {
        state.given = Some(Rc::new(given));
    }

    /// Inputs on which a path comes to where it is, if the solver finds any.
    pub fn inputs_of(&mut self, state: &State) -> Option<GivenInputs> {
        let model = self.model_of(state).ok()?;
        let inputs = state.inputs.to_vec();
        let objects: Vec<(String, Vec<u8>)> =
            inputs.iter().map(|input| self.input_object(input.symbol, &model)).collect();
        Some(GivenInputs::new(objects))
    }

    /// The bytes that are given for an input that the path asks for now; `Err` if it asks for
    /// something else than the test has.
    pub(crate) fn given_bytes(&self, state: &State, name: &str, size: u32) -> Result<Option<Vec<u8>>, End> {
        let Some(given) = &state.given else { return Ok(None) };
        let mismatch = |misuse| Err(self.violation(state, Fault::Misuse(misuse)));
        let earlier = self.input_names.get(name).map_or(0, |&number| state.inputs.count(InputName(number)));
        match given.get(name, earlier) {
            Some(bytes) if bytes.len() == size as usize => Ok(Some(bytes.to_vec())),
            Some(bytes) if given.others == Others::Refused => {
                mismatch(Misuse::InputSize { name: name.into(), given: bytes.len(), wanted: size })
            }
            _ => match given.other(name, earlier, size) {
                Some(bytes) => Ok(Some(bytes)),
                None => mismatch(Misuse::NoInput { name: name.into() }),
            },
        }
    }

    /// Notes what the variables of a given input are, so that the path's test has them.
    pub(crate) fn fix_given(&mut self, state: &mut State, symbol: Symbol, bytes: &[u8]) {
        let SymbolInfo { size, shape, .. } = *self.terms.symbol_info(symbol);
        let values: Vec<(Term, Bv)> = match shape {
            SymbolShape::Scalar => vec![(self.terms.var(symbol, 0), scalar(bytes, size))],
            SymbolShape::Bytes => {
                let byte =
                    |(index, &byte): (usize, &u8)| (self.terms.var(symbol, index as u32), Bv::from_u64(byte.into(), 8));
                bytes.iter().enumerate().map(byte).collect()
            }
        };
        let mut model = state.model.as_deref().cloned();
        for (var, value) in values {
            let constant = self.terms.constant_bv(&value);
            let is_given = self.terms.eq(var, constant);
            state.path.push(&self.terms, is_given);
            if let Some(model) = &mut model {
                model.set_bv(var, value);
            }
        }
        state.model = model.map(Rc::new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_found_by_name_and_occurrence() {
        let objects = [("x", vec![1]), ("y", vec![2]), ("x", vec![3, 4])];
        let given = GivenInputs::new(objects.map(|(name, bytes)| (name.to_owned(), bytes)));
        assert_eq!(given.get("x", 0), Some(&[1][..]));
        assert_eq!(given.get("x", 1), Some(&[3, 4][..]));
        assert_eq!(given.get("x", 2), None);
        let mut terms = Terms::new();
        let mut var = |occurrence, size, shape, byte| {
            let symbol =
                terms.symbol(SymbolInfo { kind: SymbolKind::Input, name: "x".into(), occurrence, size, shape });
            let var = terms.var(symbol, byte);
            given.value(&terms, var).to_u64()
        };
        assert_eq!(var(1, 2, SymbolShape::Scalar, 0), Some(0x0403));
        assert_eq!(var(1, 2, SymbolShape::Bytes, 1), Some(4));
        assert_eq!(var(1, 4, SymbolShape::Bytes, 3), Some(0), "too short");
        assert_eq!(var(0, 4, SymbolShape::Scalar, 0), Some(1), "too short");
    }
}
