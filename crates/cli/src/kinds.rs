//! Kinds of errors by name, for `--exit-on-error-type`: as error files are called, or as KLEE calls
//! the types.

use espalier_engine::ViolationKind;

const KINDS: [ViolationKind; 22] = [
    ViolationKind::Assert,
    ViolationKind::Abort,
    ViolationKind::Ptr,
    ViolationKind::Free,
    ViolationKind::ReadOnly,
    ViolationKind::DivByZero,
    ViolationKind::Overflow,
    ViolationKind::Overshift,
    ViolationKind::Unreachable,
    ViolationKind::ReachError,
    ViolationKind::ReportError,
    ViolationKind::User,
    ViolationKind::Leak,
    ViolationKind::Uninit,
    ViolationKind::Exec,
    ViolationKind::InvalidBuiltin,
    ViolationKind::ImplicitTruncation,
    ViolationKind::ImplicitConversion,
    ViolationKind::MissingReturn,
    ViolationKind::InvalidLoad,
    ViolationKind::NullableAttribute,
    ViolationKind::FunctionTypeMismatch,
];

/// KLEE's types that no error here has.
const NEVER: [&str; 3] = ["badvectoraccess", "external", "model"];

/// The kinds of that name.
pub(crate) fn named(name: &str) -> Result<Vec<ViolationKind>, String> {
    let plain = |name: &str| name.to_ascii_lowercase().replace(['_', '-'], "");
    let wanted = plain(name);
    match wanted.as_str() {
        // For KLEE these two are reports of its own runtime.
        "reporterror" => {
            return Ok(vec![ViolationKind::ReportError, ViolationKind::DivByZero, ViolationKind::Overshift]);
        }
        "execution" => return Ok(vec![ViolationKind::Exec]),
        "invalidbuiltin" => return Ok(vec![ViolationKind::InvalidBuiltin]),
        _ if NEVER.contains(&wanted.as_str()) => return Ok(Vec::new()),
        _ => {}
    }
    match KINDS.iter().find(|kind| plain(kind.name()) == wanted) {
        Some(&kind) => Ok(vec![kind]),
        None => {
            let known: Vec<&str> = KINDS.iter().map(|kind| kind.name()).collect();
            Err(format!("--exit-on-error-type: there are no errors of kind \"{name}\" (known: {})", known.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_our_names_and_klees() {
        assert_eq!(named("ptr"), Ok(vec![ViolationKind::Ptr]));
        assert_eq!(named("ReadOnly"), Ok(vec![ViolationKind::ReadOnly]));
        assert_eq!(named("read_only"), Ok(vec![ViolationKind::ReadOnly]));
        assert_eq!(named("Model"), Ok(vec![]));
        assert!(named("ReportError").is_ok_and(|kinds| kinds.contains(&ViolationKind::DivByZero)));
        assert!(named("pointer").is_err_and(|error| error.contains("known: assert, abort, ptr")));
    }
}
