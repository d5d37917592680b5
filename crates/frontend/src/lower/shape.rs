//! How a value of an LLVM type is spread over registers, and how it lies in memory.
//!
//! `{ i32, <2 x float> }` has three lanes: 32 bits at offset 0, two floats at 8 and 12. Vectors
//! whose elements are not whole bytes (`<8 x i1>`) are packed bit by bit in memory, so several
//! lanes share one piece of memory.

use super::{Lowered, unsupported};
use crate::llvm::{DataLayout, Type, TypeKind};
use espalier_ir::FloatKind;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// More lanes than any sensible value has; clang copies big objects with memcpy.
const MAX_LANES: usize = 1 << 14;

/// What one register holds.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Scalar {
    Int(u32),
    Pointer(u32),
    Float(FloatKind),
}

impl Scalar {
    pub fn width(self) -> u32 {
        match self {
            Scalar::Int(width) | Scalar::Pointer(width) => width,
            Scalar::Float(kind) => kind.width(),
        }
    }

    pub fn float(self) -> Lowered<FloatKind> {
        match self {
            Scalar::Float(kind) => Ok(kind),
            other => unsupported(format!("a floating-point operation on {} bits that are no float", other.width())),
        }
    }
}

/// The lanes that are floats, a bit for each.
pub fn floats(lanes: &[Scalar]) -> u64 {
    let floats = lanes.iter().take(64).enumerate().filter(|(_, lane)| matches!(lane, Scalar::Float(_)));
    floats.fold(0, |mask, (index, _)| mask | 1 << index)
}

/// A part of a value in memory: `count` lanes from `lane` on, packed into the bits from `offset`
/// (in bytes) on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    pub offset: u64,
    pub lane: usize,
    pub count: usize,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Shape {
    pub lanes: Vec<Scalar>,
    pub pieces: Vec<Piece>,
}

impl Shape {
    pub fn widths(&self) -> Vec<u32> {
        self.lanes.iter().map(|lane| lane.width()).collect()
    }

    /// The only lane of a scalar.
    pub fn scalar(&self) -> Lowered<Scalar> {
        match self.lanes[..] {
            [scalar] => Ok(scalar),
            _ => unsupported("an aggregate where a scalar is needed"),
        }
    }
}

/// Shapes of types, computed once each.
pub struct Shapes<'m> {
    layout: DataLayout<'m>,
    known: FxHashMap<Type<'m>, Rc<Shape>>,
}

impl<'m> Shapes<'m> {
    pub fn new(layout: DataLayout<'m>) -> Shapes<'m> {
        Shapes { layout, known: FxHashMap::default() }
    }

    pub fn of(&mut self, ty: Type<'m>) -> Lowered<Rc<Shape>> {
        if let Some(shape) = self.known.get(&ty) {
            return Ok(Rc::clone(shape));
        }
        let mut shape = Shape::default();
        self.add(ty, 0, &mut shape)?;
        let shape = Rc::new(shape);
        self.known.insert(ty, Rc::clone(&shape));
        Ok(shape)
    }

    /// The scalar that a type is, if it is one.
    pub fn scalar(&self, ty: Type<'m>) -> Option<Scalar> {
        Some(match ty.kind() {
            TypeKind::Int(width) => Scalar::Int(width),
            TypeKind::Pointer if ty.address_space() == 0 => Scalar::Pointer(self.layout.pointer_width()),
            TypeKind::Half => Scalar::Float(FloatKind::Half),
            TypeKind::BFloat => Scalar::Float(FloatKind::BFloat),
            TypeKind::Float => Scalar::Float(FloatKind::F32),
            TypeKind::Double => Scalar::Float(FloatKind::F64),
            TypeKind::X87 => Scalar::Float(FloatKind::X87),
            TypeKind::Fp128 => Scalar::Float(FloatKind::F128),
            _ => return None,
        })
    }

    fn add(&self, ty: Type<'m>, offset: u64, shape: &mut Shape) -> Lowered<()> {
        if shape.lanes.len() > MAX_LANES {
            return unsupported(format!("a single value of type {}, with more than {MAX_LANES} elements", ty.text()));
        }
        if let Some(scalar) = self.scalar(ty) {
            shape.pieces.push(Piece { offset, lane: shape.lanes.len(), count: 1 });
            shape.lanes.push(scalar);
            return Ok(());
        }
        match ty.kind() {
            TypeKind::Void => Ok(()),
            TypeKind::Struct => {
                for (index, field) in ty.fields().into_iter().enumerate() {
                    let index = u32::try_from(index).unwrap_or(u32::MAX);
                    self.add(field, offset + self.layout.field_offset(ty, index), shape)?;
                }
                Ok(())
            }
            TypeKind::Array(count) => {
                let element = ty.element();
                let size = self.layout.alloc_size(element);
                (0..count).try_for_each(|i| self.add(element, offset.wrapping_add(i.wrapping_mul(size)), shape))
            }
            TypeKind::Vector(count) => {
                let Some(scalar) = self.scalar(ty.element()) else {
                    return unsupported(format!("the type {}", ty.text()));
                };
                let (count, bits) = (count as usize, scalar.width());
                if shape.lanes.len() + count > MAX_LANES {
                    return unsupported(format!("a single value of type {}", ty.text()));
                }
                let first = shape.lanes.len();
                shape.lanes.extend(std::iter::repeat_n(scalar, count));
                if bits % 8 == 0 {
                    let bytes = u64::from(bits / 8);
                    shape.pieces.extend((0..count).map(|i| Piece {
                        offset: offset + i as u64 * bytes,
                        lane: first + i,
                        count: 1,
                    }));
                } else {
                    shape.pieces.push(Piece { offset, lane: first, count });
                }
                Ok(())
            }
            _ => unsupported(format!("the type {}", ty.text())),
        }
    }
}
