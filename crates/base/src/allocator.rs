//! The allocator of the commands: mimalloc, asked for an alignment only where it matters. (The
//! crate `mimalloc` asks always, which takes almost twice as many instructions.)

use std::alloc::{GlobalAlloc, Layout};

pub struct Allocator;

/// mimalloc's blocks are aligned to this at least.
const WORD: usize = size_of::<usize>();

// SAFETY: mimalloc does what the trait asks for, and blocks of at least a word are aligned to
// words.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        unsafe {
            match layout.align() <= WORD {
                true => libmimalloc_sys::mi_malloc(layout.size()).cast(),
                false => libmimalloc_sys::mi_malloc_aligned(layout.size(), layout.align()).cast(),
            }
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        unsafe {
            match layout.align() <= WORD {
                true => libmimalloc_sys::mi_zalloc(layout.size()).cast(),
                false => libmimalloc_sys::mi_zalloc_aligned(layout.size(), layout.align()).cast(),
            }
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, _: Layout) {
        // SAFETY: as the caller promises, the block is one of ours.
        unsafe { libmimalloc_sys::mi_free(block.cast()) }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises, the block is one of ours.
        unsafe {
            match layout.align() <= WORD {
                true => libmimalloc_sys::mi_realloc(block.cast(), size).cast(),
                false => libmimalloc_sys::mi_realloc_aligned(block.cast(), size, layout.align()).cast(),
            }
        }
    }
}
