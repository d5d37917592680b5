//! Tests in Test-Comp's format: `metadata.xml`, and a file for each test with its inputs in the
//! order in which the program asks for them.

use crate::rundir::OutputError;
use crate::witness::{creation_time, file_hash};
use espalier_base::utc;
use espalier_engine::TestCase;
use quick_xml::escape::escape;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What the tests are for.
#[derive(Clone, Debug)]
pub struct TestCompTask {
    pub directory: PathBuf,
    pub file: PathBuf,
    pub entry: String,
    /// The text of the property.
    pub specification: String,
    pub is_32_bit: bool,
    pub version: String,
    /// What the metadata say of the program, if not what is so: its file, and its hash.
    pub metadata: Option<(Option<String>, Option<String>)>,
}

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";

pub(crate) struct TestSuite {
    directory: PathBuf,
}

impl TestSuite {
    /// Makes the directory, with the metadata.
    pub(crate) fn new(task: &TestCompTask) -> Result<TestSuite, OutputError> {
        let failed = |source| OutputError::Write { path: task.directory.clone(), source };
        std::fs::create_dir_all(&task.directory).map_err(failed)?;
        let (file, hash) = task.metadata.clone().unwrap_or_default();
        let hash = match hash {
            Some(hash) => hash,
            None => file_hash(&task.file).map_err(std::io::Error::other).map_err(failed)?,
        };
        let file = file.unwrap_or_else(|| task.file.display().to_string());
        let time = utc::iso(creation_time());
        let fields = [
            ("sourcecodelang", "C"),
            ("producer", &format!("Espalier {}", task.version)),
            ("specification", &task.specification),
            ("programfile", &file),
            ("programhash", &hash),
            ("entryfunction", &task.entry),
            ("architecture", if task.is_32_bit { "32bit" } else { "64bit" }),
            ("creationtime", &time),
        ];
        let mut text = format!("{HEAD}{}<test-metadata>\n", doctype("test-metadata"));
        for (name, value) in fields {
            let _ = writeln!(text, "  <{name}>{}</{name}>", escape(value));
        }
        text.push_str("</test-metadata>\n");
        write(&task.directory.join("metadata.xml"), &text)?;
        Ok(TestSuite { directory: task.directory.clone() })
    }

    pub(crate) fn add(&mut self, name: &str, test: &TestCase, covers_error: bool) -> Result<(), OutputError> {
        let attribute = if covers_error { " coversError=\"true\"" } else { "" };
        let mut text = format!("{HEAD}{}<testcase{attribute}>\n", doctype("testcase"));
        for (name, bytes) in &test.objects {
            match crate::nondet::typed_value(name, bytes) {
                Some((ty, value)) => {
                    let _ = writeln!(text, "  <input type=\"{ty}\">{}</input>", escape(value));
                }
                // Objects that were made symbolic as a whole, byte by byte.
                None => {
                    for byte in bytes {
                        let _ = writeln!(
                            text,
                            "  <input variable=\"{}\" type=\"unsigned char\">{byte}</input>",
                            escape(name)
                        );
                    }
                }
            }
        }
        text.push_str("</testcase>\n");
        write(&self.directory.join(format!("{name}.xml")), &text)
    }
}

fn doctype(root: &str) -> String {
    format!(
        "<!DOCTYPE {root} PUBLIC \"+//IDN sosy-lab.org//DTD test-format {root} 1.0//EN\" \"https://sosy-lab.org/test-format/{root}-1.0.dtd\">\n"
    )
}

fn write(path: &Path, text: &str) -> Result<(), OutputError> {
    std::fs::write(path, text).map_err(|source| OutputError::Write { path: path.to_owned(), source })
}
