//! What interpolants require, in plain English.

use espalier_engine::Requirement;

pub(crate) fn requirement_text(requirement: &Requirement) -> String {
    match requirement {
        Requirement::Clause(clause) => clause.clone(),
        Requirement::Object { name, size } => format!("{name} has {size} bytes"),
        Requirement::AsLoaded { address } => format!("{address:#x} is as the program began"),
        Requirement::NoObject { address } => format!("nothing is at {address:#x}"),
        Requirement::HeapObjects(count) => format!("{count} heap objects were made"),
        Requirement::SameStack => "the stack lies where it lay".into(),
    }
}

/// All of them, with `between` between them.
pub fn requirements_text(requirements: &[Requirement], between: &str) -> String {
    requirements.iter().map(requirement_text).collect::<Vec<_>>().join(between)
}
