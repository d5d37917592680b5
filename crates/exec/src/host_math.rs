//! Functions of the C library that depend on nothing but numbers, as the machine's own library computes them: a native run gets the same results to the last bit.

use std::ffi::{CString, c_void};

type Unary<F> = unsafe extern "C" fn(F) -> F;
type Binary<F> = unsafe extern "C" fn(F, F) -> F;

#[derive(Copy, Clone)]
pub enum Function {
    Unary(Unary<f64>),
    Binary(Binary<f64>),
    UnaryFloat(Unary<f32>),
    BinaryFloat(Binary<f32>),
}

const UNARY: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "erf", "erfc", "exp", "exp2", "expm1",
    "lgamma", "log", "log10", "log1p", "log2", "logb", "sin", "sinh", "tan", "tanh", "tgamma",
];
const BINARY: &[&str] = &["atan2", "fdim", "hypot", "nextafter", "pow", "remainder"];

impl Function {
    /// Calls it with as many numbers as it takes.
    pub fn call(self, numbers: &[u64]) -> u64 {
        let double = |index: usize| f64::from_bits(numbers[index]);
        let float = |index: usize| f32::from_bits(numbers[index] as u32);
        // SAFETY: functions of the C library with these signatures, which are defined for all numbers.
        unsafe {
            match self {
                Function::Unary(function) => function(double(0)).to_bits(),
                Function::Binary(function) => function(double(0), double(1)).to_bits(),
                Function::UnaryFloat(function) => u64::from(function(float(0)).to_bits()),
                Function::BinaryFloat(function) => u64::from(function(float(0), float(1)).to_bits()),
            }
        }
    }
}

/// The function of this name, if it takes and gives numbers of these widths. It is looked up in the library that a native program would use: Rust brings functions of the same
/// names, which may round otherwise.
pub fn function(name: &str, arguments: &[u32], results: &[u32]) -> Option<Function> {
    let stem = name.strip_suffix('f').filter(|stem| UNARY.contains(stem) || BINARY.contains(stem));
    let (width, stem) = stem.map_or((64, name), |stem| (32, stem));
    let count = match (UNARY.contains(&stem), BINARY.contains(&stem)) {
        (true, _) => 1,
        (_, true) => 2,
        _ => return None,
    };
    if arguments.len() != count || arguments.iter().chain(results).any(|&other| other != width) || results.len() > 1 {
        return None;
    }
    let address = symbol(name)?;
    // SAFETY: these functions of the C library have these signatures.
    unsafe {
        Some(match (count, width) {
            (1, 64) => Function::Unary(std::mem::transmute::<*mut c_void, Unary<f64>>(address)),
            (1, _) => Function::UnaryFloat(std::mem::transmute::<*mut c_void, Unary<f32>>(address)),
            (_, 64) => Function::Binary(std::mem::transmute::<*mut c_void, Binary<f64>>(address)),
            _ => Function::BinaryFloat(std::mem::transmute::<*mut c_void, Binary<f32>>(address)),
        })
    }
}

fn symbol(name: &str) -> Option<*mut c_void> {
    let name = CString::new(name).ok()?;
    // SAFETY: both texts end in a zero; the library stays open.
    let found = unsafe {
        let library = libc::dlopen(c"libm.so.6".as_ptr(), libc::RTLD_NOW);
        if library.is_null() {
            return None;
        }
        libc::dlsym(library, name.as_ptr())
    };
    (!found.is_null()).then_some(found)
}
