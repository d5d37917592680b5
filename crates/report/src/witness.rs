//! Verification witnesses, format 2.0: what was found, so that other tools can check it.
//!
//! A violation witness gives the value that each nondeterministic call returned, in order, and the
//! place of the error. A correctness witness gives invariants. Both are YAML. The identifier is
//! made from the content and `SOURCE_DATE_EPOCH` is respected, so that the same run can give the
//! same file.

use crate::place::Place;
use espalier_base::utc;
use espalier_engine::{LoopInvariant, TestCase, Violation};
use espalier_ir::Program;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// What a witness is about.
#[derive(Clone, Debug)]
pub struct WitnessTask {
    pub files: Vec<PathBuf>,
    /// The text of the property.
    pub specification: String,
    /// "ILP32" or "LP64".
    pub data_model: String,
    /// The version of this tool.
    pub version: String,
}

/// A condition that holds whenever a place is reached.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Invariant {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    /// A C expression.
    pub value: String,
}

#[derive(Serialize)]
struct Entry<C> {
    entry_type: &'static str,
    metadata: Metadata,
    content: Vec<C>,
}

#[derive(Serialize)]
struct Metadata {
    format_version: &'static str,
    uuid: String,
    creation_time: String,
    producer: Producer,
    task: Task,
}

#[derive(Serialize)]
struct Producer {
    name: &'static str,
    version: String,
}

#[derive(Serialize)]
struct Task {
    input_files: Vec<String>,
    input_file_hashes: std::collections::BTreeMap<String, String>,
    specification: String,
    data_model: String,
    language: &'static str,
}

#[derive(Serialize)]
struct Segment {
    segment: Vec<WaypointItem>,
}

#[derive(Serialize)]
struct WaypointItem {
    waypoint: Waypoint,
}

#[derive(Serialize)]
struct Waypoint {
    #[serde(rename = "type")]
    kind: &'static str,
    action: &'static str,
    location: Location,
    #[serde(skip_serializing_if = "Option::is_none")]
    constraint: Option<Constraint>,
}

#[derive(Serialize)]
struct Location {
    file_name: String,
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<String>,
}

#[derive(Serialize)]
struct Constraint {
    value: String,
    format: &'static str,
}

#[derive(Serialize)]
struct InvariantItem {
    invariant: InvariantContent,
}

#[derive(Serialize)]
struct InvariantContent {
    #[serde(rename = "type")]
    kind: &'static str,
    location: Location,
    value: String,
    format: &'static str,
}

/// The witness for an error, with the inputs that lead there.
pub fn violation(
    task: &WitnessTask,
    program: &Program,
    violation: &Violation,
    test: &TestCase,
) -> Result<String, String> {
    let mut content: Vec<Segment> = Vec::new();
    for ((name, bytes), loc) in test.objects.iter().zip(&test.places) {
        if let (Some(place), Some(value)) = (Place::new(program, *loc), crate::nondet::value(name, bytes)) {
            let location = Location { file_name: place.file, line: place.line, column: None, function: None };
            let constraint = Constraint { value: format!("\\result == {value}"), format: "ext_c_expression" };
            content.push(follow("function_return", location, Some(constraint)));
        }
    }
    let place = Place::new(program, violation.loc).ok_or("the error has no place in the source")?;
    let function = violation.stack.first().map(|frame| frame.function.clone());
    let location = Location { file_name: place.file, line: place.line, column: Some(place.column), function };
    content.push(follow("target", location, None));
    render("violation_sequence", task, content)
}

fn follow(kind: &'static str, location: Location, constraint: Option<Constraint>) -> Segment {
    let waypoint = Waypoint { kind, action: "follow", location, constraint };
    Segment { segment: vec![WaypointItem { waypoint }] }
}

/// Loop invariants, with the names of files and functions.
pub fn invariants(program: &Program, invariants: &[LoopInvariant]) -> Vec<Invariant> {
    let told = invariants.iter().filter_map(|LoopInvariant { func, loc, condition }| {
        let Place { file, line, column, .. } = Place::new(program, *loc)?;
        let function = program.function(*func).name.clone();
        Some(Invariant { file, line, column, function, value: condition.clone() })
    });
    told.collect()
}

/// The witness for a proof.
pub fn correctness(task: &WitnessTask, invariants: &[Invariant]) -> Result<String, String> {
    let content = invariants.iter().map(|invariant| InvariantItem {
        invariant: InvariantContent {
            kind: "loop_invariant",
            location: Location {
                file_name: invariant.file.clone(),
                line: invariant.line,
                column: Some(invariant.column),
                function: Some(invariant.function.clone()),
            },
            value: invariant.value.clone(),
            format: "c_expression",
        },
    });
    render("invariant_set", task, content.collect())
}

fn render<C: Serialize>(entry_type: &'static str, task: &WitnessTask, content: Vec<C>) -> Result<String, String> {
    let mut input_file_hashes = std::collections::BTreeMap::new();
    for file in &task.files {
        input_file_hashes.insert(file.display().to_string(), file_hash(file)?);
    }
    let metadata = Metadata {
        format_version: "2.0",
        uuid: String::new(),
        creation_time: utc::iso(creation_time()),
        producer: Producer { name: "Espalier", version: task.version.clone() },
        task: Task {
            input_files: task.files.iter().map(|file| file.display().to_string()).collect(),
            input_file_hashes,
            specification: task.specification.clone(),
            data_model: task.data_model.clone(),
            language: "C",
        },
    };
    let mut entries = [Entry { entry_type, metadata, content }];
    let yaml = |entries: &[Entry<C>; 1]| serde_yaml_ng::to_string(entries).map_err(|error| error.to_string());
    entries[0].metadata.uuid = uuid(yaml(&entries)?.as_bytes());
    yaml(&entries)
}

/// The SHA-256 of a file's content.
pub(crate) fn file_hash(file: &std::path::Path) -> Result<String, String> {
    let bytes = std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Ok(Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

pub(crate) fn creation_time() -> SystemTime {
    let given = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    given.map_or_else(SystemTime::now, |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
}

/// A UUID (of version 8, "custom") from a hash of the content.
fn uuid(content: &[u8]) -> String {
    let mut bytes: Vec<u8> = Sha256::digest(content)[..16].to_vec();
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}
