//! What is embedded in the library: headers for programs under test, and the runtime's bitcode for
//! each data layout.

include!(concat!(env!("OUT_DIR"), "/headers.rs"));

static RUNTIME_64: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime64.bc"));
static RUNTIME_32: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/runtime32.bc"));

static POSIX: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/posix64.bc"));

/// The model of the environment, if there is one for pointers of that width.
pub fn posix(pointer_width: u32) -> Option<&'static [u8]> {
    (pointer_width == 64).then_some(POSIX)
}

/// The runtime for pointers of that width, if there is one.
pub fn bitcode(pointer_width: u32) -> Option<&'static [u8]> {
    let bytes = match pointer_width {
        64 => RUNTIME_64,
        32 => RUNTIME_32,
        _ => return None,
    };
    (!bytes.is_empty()).then_some(bytes)
}
