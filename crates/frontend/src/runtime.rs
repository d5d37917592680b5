//! What is embedded in the library: headers for programs under test, and the runtime's bitcode for
//! each data layout.

include!(concat!(env!("OUT_DIR"), "/headers.rs"));

static RUNTIME_64: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime64.bc"));
static RUNTIME_32: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime32.bc"));

static POSIX: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/posix64.bc"));

static ALLOC_64: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/alloc64.bc"));
static ALLOC_32: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/alloc32.bc"));

/// Allocations that may fail, for pointers of that width, if there are any.
pub fn failing_allocations(pointer_width: u32) -> Option<&'static [u8]> {
    of_width(pointer_width, ALLOC_64, ALLOC_32)
}

/// The model of the environment, if there is one for pointers of that width.
pub fn posix(pointer_width: u32) -> Option<&'static [u8]> {
    (pointer_width == 64).then_some(POSIX)
}

/// The runtime for pointers of that width, if there is one.
pub fn bitcode(pointer_width: u32) -> Option<&'static [u8]> {
    of_width(pointer_width, RUNTIME_64, RUNTIME_32)
}

fn of_width(pointer_width: u32, wide: &'static [u8], narrow: &'static [u8]) -> Option<&'static [u8]> {
    let bytes = match pointer_width {
        64 => wide,
        32 => narrow,
        _ => return None,
    };
    (!bytes.is_empty()).then_some(bytes)
}
