//! Functions of the C library that depend on nothing but numbers, as the machine's own library
//! computes them: a native run gets the same results to the last bit.

use std::ffi::{CString, c_void};

type Unary<F> = unsafe extern "C" fn(F) -> F;
type Binary<F> = unsafe extern "C" fn(F, F) -> F;
type Scaling<F> = unsafe extern "C" fn(F, libc::c_int) -> F;

#[derive(Copy, Clone)]
pub enum Function {
    Unary(Unary<f64>),
    Binary(Binary<f64>),
    UnaryFloat(Unary<f32>),
    BinaryFloat(Binary<f32>),
    Scaling(Scaling<f64>),
    ScalingFloat(Scaling<f32>),
}

/// What a call came to.
pub struct Outcome {
    pub bits: u64,
    /// What the call set `errno` to, or 0.
    pub errno: u64,
}

const UNARY: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "cos", "cosh", "erf", "erfc", "exp", "exp2", "exp10",
    "expm1", "lgamma", "log", "log10", "log1p", "log2", "logb", "sin", "sinh", "tan", "tanh", "tgamma",
];
const BINARY: &[&str] = &["atan2", "fdim", "hypot", "nextafter", "pow", "remainder"];

const SCALING: &[&str] = &["ldexp", "scalbn"];

impl Function {
    /// Calls it with as many numbers as it takes.
    pub fn call(self, numbers: &[u64]) -> Outcome {
        // SAFETY: the address of this thread's `errno`, which is there as long as the thread.
        let errno = unsafe { &mut *libc::__errno_location() };
        let before = std::mem::take(errno);
        let bits = self.result(numbers);
        let errno = u64::try_from(std::mem::replace(errno, before)).unwrap_or(0);
        Outcome { bits, errno }
    }

    fn result(self, numbers: &[u64]) -> u64 {
        let double = |index: usize| f64::from_bits(numbers[index]);
        let float = |index: usize| f32::from_bits(numbers[index] as u32);
        let exponent = numbers.get(1).map_or(0, |&number| number as u32 as i32);
        // SAFETY: functions of the C library with these signatures, which are defined for all
        // numbers.
        unsafe {
            match self {
                Function::Unary(function) => function(double(0)).to_bits(),
                Function::Binary(function) => function(double(0), double(1)).to_bits(),
                Function::UnaryFloat(function) => u64::from(function(float(0)).to_bits()),
                Function::BinaryFloat(function) => u64::from(function(float(0), float(1)).to_bits()),
                Function::Scaling(function) => function(double(0), exponent).to_bits(),
                Function::ScalingFloat(function) => u64::from(function(float(0), exponent).to_bits()),
            }
        }
    }
}

/// The function of this name, if it takes and gives numbers of these widths. It is looked up in the
/// library that a native program would use: Rust brings functions of the same names, which may
/// round otherwise.
pub fn function(name: &str, arguments: &[u32], results: &[u32]) -> Option<Function> {
    let is_known = |stem: &str| [UNARY, BINARY, SCALING].iter().any(|names| names.contains(&stem));
    let stem = name.strip_suffix('f').filter(|stem| is_known(stem));
    let (width, stem) = stem.map_or((64, name), |stem| (32, stem));
    let is_scaling = SCALING.contains(&stem);
    let parameters: &[u32] = match (UNARY.contains(&stem), BINARY.contains(&stem), is_scaling) {
        (true, ..) => &[width],
        (_, true, _) => &[width, width],
        (_, _, true) => &[width, libc::c_int::BITS],
        _ => return None,
    };
    if arguments != parameters || results.iter().any(|&other| other != width) || results.len() > 1 {
        return None;
    }
    let address = symbol(name)?;
    // SAFETY: these functions of the C library have these signatures.
    unsafe {
        Some(match (parameters.len(), width) {
            (_, 64) if is_scaling => Function::Scaling(std::mem::transmute::<*mut c_void, Scaling<f64>>(address)),
            (_, _) if is_scaling => Function::ScalingFloat(std::mem::transmute::<*mut c_void, Scaling<f32>>(address)),
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
