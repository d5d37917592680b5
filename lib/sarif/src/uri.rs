//! Files of a result: from an `artifactLocation` to a path, and back.
//!
//! A location gives a URI, or the number of an artifact that has one, and perhaps the name of a
//! base, which is looked up in the run's `originalUriBaseIds` and may itself have a base. A base
//! without a URI stands for a directory that the tool does not want to name (CodeQL's `%SRCROOT%`):
//! the path stays relative.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde_json::Value;

/// Bases of bases: more would be a circle.
const DEEPEST: usize = 16;

const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The path that an `artifactLocation` of this run stands for.
pub(crate) fn path_of(run: &Value, location: &Value) -> Option<String> {
    let location = match location.get("uri") {
        Some(_) => location,
        None => artifact(run, location)?,
    };
    path_below(run, location, DEEPEST)
}

fn artifact<'a>(run: &'a Value, location: &Value) -> Option<&'a Value> {
    let index = usize::try_from(location.get("index")?.as_u64()?).ok()?;
    run.get("artifacts")?.get(index)?.get("location")
}

fn path_below(run: &Value, location: &Value, deepest: usize) -> Option<String> {
    let path = decoded(location.get("uri")?.as_str()?);
    if path.starts_with('/') {
        return Some(path);
    }
    let base = || {
        let name = location.get("uriBaseId")?.as_str()?;
        path_below(run, run.get("originalUriBaseIds")?.get(name)?, deepest.checked_sub(1)?)
    };
    match base() {
        Some(base) if base.is_empty() || base.ends_with('/') => Some(base + &path),
        Some(base) => Some(format!("{base}/{path}")),
        None => Some(path),
    }
}

fn decoded(uri: &str) -> String {
    let path = match uri.strip_prefix("file:") {
        // Behind two slashes stands a host, which is empty or this machine.
        Some(rest) => match rest.strip_prefix("//") {
            Some(with_host) => with_host.find('/').map_or("", |start| &with_host[start..]),
            None => rest,
        },
        None => uri,
    };
    percent_decode_str(path).decode_utf8_lossy().into_owned()
}

pub(crate) fn of_path(path: &str) -> String {
    let encoded = utf8_percent_encode(path, PATH);
    if path.starts_with('/') { format!("file://{encoded}") } else { encoded.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn a_location_is_resolved_by_its_artifact_and_its_bases() {
        let run = json!({
            "artifacts": [{"location": {"uri": "src/a.c", "uriBaseId": "ROOT"}}],
            "originalUriBaseIds": {
                "ROOT": {"uri": "project/", "uriBaseId": "HOME"},
                "HOME": {"uri": "file:///home/me"},
                "%SRCROOT%": {},
                "CIRCLE": {"uri": "x/", "uriBaseId": "CIRCLE"},
            },
        });
        let path = |location: Value| path_of(&run, &location);
        assert_eq!(path(json!({"index": 0})).as_deref(), Some("/home/me/project/src/a.c"));
        assert_eq!(path(json!({"index": 7})), None);
        assert_eq!(path(json!({"index": -1, "uri": "b%20c.c"})).as_deref(), Some("b c.c"));
        assert_eq!(path(json!({"uri": "b.c", "uriBaseId": "%SRCROOT%"})).as_deref(), Some("b.c"));
        assert_eq!(path(json!({"uri": "file://localhost/b.c", "uriBaseId": "ROOT"})).as_deref(), Some("/b.c"));
        assert!(path(json!({"uri": "b.c", "uriBaseId": "CIRCLE"})).is_some_and(|path| path.ends_with("x/b.c")));
        assert_eq!(path(json!("b.c")), None);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(path in "[^\\x00]{1,20}") {
            prop_assert_eq!(path_of(&json!({}), &json!({"uri": of_path(&path)})), Some(path));
        }
    }
}
