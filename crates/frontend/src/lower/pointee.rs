//! What the entry function's parameters lead to: sizes and pointers inside, from the debug
//! information, so that callers' objects can be made up for a function that is run by itself.

use super::Lowerer;
use crate::llvm::{SourceType, TypeNode};
use espalier_ir::{Pointee, PointerMember};

/// An array with more pointers than this is not looked into.
const MOST_POINTERS: usize = 256;

impl<'m> Lowerer<'m> {
    /// What a pointer type leads to. `None` for other types, and for pointers to functions.
    pub(super) fn pointee(&mut self, ty: TypeNode<'m>) -> Option<u32> {
        let SourceType::Pointer(to) = ty.unqualified().source_type() else { return None };
        let to = to.map(TypeNode::unqualified);
        if to.is_some_and(|to| matches!(to.source_type(), SourceType::Function)) {
            return None;
        }
        if let Some(&known) = self.pointees.get(&to) {
            return Some(known);
        }
        let number = self.program.pointees.len() as u32;
        // A structure may lead to itself.
        self.pointees.insert(to, number);
        self.program.pointees.push(Pointee { size: 0, is_char: false, pointers: Vec::new() });
        if let Some(to) = to {
            let mut pointers = Vec::new();
            let path = if matches!(to.source_type(), SourceType::Struct(_)) { "->" } else { "[0]" };
            self.find_pointers(to, 0, path.to_owned(), &mut pointers);
            let is_char = matches!(to.source_type(), SourceType::Number(name) if name == "char");
            self.program.pointees[number as usize] = Pointee { size: to.size(), is_char, pointers };
        }
        Some(number)
    }

    /// The pointers in a type that lies at an offset and is called by `path`.
    fn find_pointers(&mut self, ty: TypeNode<'m>, offset: u64, path: String, found: &mut Vec<PointerMember>) {
        if found.len() >= MOST_POINTERS {
            return;
        }
        match ty.source_type() {
            SourceType::Pointer(_) => {
                if let Some(pointee) = self.pointee(ty) {
                    found.push(PointerMember { offset, path, pointee });
                }
            }
            SourceType::Struct(members) => {
                let separator = if path.ends_with("->") { "" } else { "." };
                for member in members {
                    let path = format!("{path}{separator}{}", member.name);
                    self.find_pointers(member.ty.unqualified(), offset + member.offset, path, found);
                }
            }
            SourceType::Array(element) => {
                let element = element.unqualified();
                let count = ty.size().checked_div(element.size()).unwrap_or(0);
                for index in 0..count.min(MOST_POINTERS as u64) {
                    let path = format!("{path}[{index}]");
                    self.find_pointers(element, offset + index * element.size(), path, found);
                }
            }
            SourceType::Number(_) | SourceType::Function | SourceType::Other => {}
        }
    }
}
