//! Global variables and their initial content.

use super::memory::piece_width;
use super::{Lowered, Lowerer, unsupported};
use crate::llvm::{TypeKind, Value, ValueKind};
use espalier_ir::{Constant, Global, GlobalId, InitPiece, Loc};

/// Zeros between two pieces are written out up to this many bytes, so that padding does not split
/// an array of structs.
const MAX_GAP: u64 = 16;

impl<'m> Lowerer<'m> {
    /// The global without its content.
    pub(super) fn declare_global(&mut self, global: Value<'m>) -> Global {
        let ty = global.value_type();
        let sized = ty.is_sized();
        let loc = global.global_debug_info().map_or(Loc::UNKNOWN, |loc| self.debug.loc(loc, &mut self.program.files));
        let natural = if sized { self.layout.align(ty) } else { 1 };
        Global {
            name: global.symbol(),
            size: if sized { self.layout.alloc_size(ty) } else { 0 },
            align: if global.align() == 0 { natural } else { global.align() },
            is_constant: global.is_global_constant(),
            is_scalar: ty.is_scalar(),
            is_integer: matches!(ty.kind(), TypeKind::Int(_)),
            is_external: global.is_declaration(),
            loc,
            init: Vec::new(),
        }
    }

    pub(super) fn lower_global(&mut self, global: Value<'m>, id: GlobalId) {
        let Some(initializer) = global.initializer() else {
            return;
        };
        let mut init = Init::default();
        if let Err(what) = self.initialise(initializer, 0, &mut init) {
            let name = &self.program.globals[id.index()].name;
            let text = format!("the initial content of the global `{name}` is taken as arbitrary: it needs {}", what.0);
            self.warn(text);
            let size = self.program.globals[id.index()].size;
            init = Init::default();
            if size != 0 {
                init.pieces.push(InitPiece::Undef { offset: 0, size });
            }
        }
        self.program.globals[id.index()].init = init.pieces;
    }

    fn initialise(&mut self, value: Value<'m>, offset: u64, init: &mut Init) -> Lowered<()> {
        if value.is_zero() {
            return Ok(());
        }
        let ty = value.ty();
        match value.kind() {
            // Padding, mostly: the bytes of an object file are zero there.
            ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind => return Ok(()),
            ValueKind::LLVMConstantDataArrayValueKind => {
                if let Some(bytes) = value.byte_string() {
                    init.bytes(offset, bytes);
                    return Ok(());
                }
            }
            _ => {}
        }
        match ty.kind() {
            TypeKind::Struct => {
                for index in 0..u32::try_from(ty.fields().len()).unwrap_or(u32::MAX) {
                    let Some(field) = value.aggregate_element(index) else {
                        return unsupported("a constant whose fields cannot be read");
                    };
                    self.initialise(field, offset + self.layout.field_offset(ty, index), init)?;
                }
                Ok(())
            }
            TypeKind::Array(count) => {
                let size = self.layout.alloc_size(ty.element());
                for index in 0..count {
                    let Some(element) = u32::try_from(index).ok().and_then(|i| value.aggregate_element(i)) else {
                        return unsupported("a constant whose elements cannot be read");
                    };
                    self.initialise(element, offset + index * size, init)?;
                }
                Ok(())
            }
            _ => self.initialise_lanes(value, offset, init),
        }
    }

    /// Scalars and vectors.
    fn initialise_lanes(&mut self, value: Value<'m>, offset: u64, init: &mut Init) -> Lowered<()> {
        let shape = self.shape(value.ty())?;
        let lanes = self.constant(value)?;
        for piece in &shape.pieces {
            let offset = offset + piece.offset;
            let width = piece_width(&shape, piece);
            if piece.count == 1 {
                init.constant(offset, width, lanes[piece.lane].clone());
                continue;
            }
            let lane_width = shape.lanes[piece.lane].width();
            let mut bits = num_bigint::BigUint::ZERO;
            for (i, lane) in lanes[piece.lane..piece.lane + piece.count].iter().enumerate() {
                match lane {
                    Constant::Int { value, .. } => {
                        bits |= num_bigint::BigUint::from(*value) << (i * lane_width as usize)
                    }
                    Constant::Undef { .. } => {}
                    _ => return unsupported("a packed vector of addresses"),
                }
            }
            init.constant(offset, width, super::constant::big(bits, width));
        }
        Ok(())
    }
}

/// Content being collected, in order of offsets.
#[derive(Default)]
struct Init {
    pieces: Vec<InitPiece>,
}

impl Init {
    fn constant(&mut self, offset: u64, width: u32, value: Constant) {
        let size = width.div_ceil(8) as usize;
        match value {
            Constant::Int { value, .. } => {
                let mut bytes = value.to_le_bytes().to_vec();
                bytes.resize(size, 0);
                self.bytes(offset, &bytes);
            }
            Constant::Wide { value, .. } => {
                let mut bytes = value.to_bytes_le();
                bytes.resize(size, 0);
                self.bytes(offset, &bytes);
            }
            Constant::Undef { .. } => {}
            address => self.pieces.push(InitPiece::Value { offset, width, value: address }),
        }
    }

    /// Bytes are appended to the last piece if they follow it closely; what lies between is zero.
    fn bytes(&mut self, offset: u64, bytes: &[u8]) {
        if let Some(InitPiece::Bytes { offset: start, bytes: before }) = self.pieces.last_mut() {
            let end = *start + before.len() as u64;
            if let Some(gap) = offset.checked_sub(end).filter(|gap| *gap <= MAX_GAP) {
                before.resize(before.len() + gap as usize, 0);
                before.extend_from_slice(bytes);
                return;
            }
        }
        self.pieces.push(InitPiece::Bytes { offset, bytes: bytes.to_vec() });
    }
}
