//! The pruned tree as Graphviz or JSON (`--tree`).

use crate::interpolant_text::{requirement_text, requirements_text};
use crate::json::document;
use crate::no_interpolant_text::no_interpolant_text;
use crate::place::{self, Place};
use espalier_engine::{Fate, Record};
use espalier_ir::Program;
use serde_json::json;
use std::fmt::Write;
use std::io;
use std::path::Path;

/// Writes the tree; the file's extension says how: `.json`, or anything else for Graphviz.
pub fn write_tree(path: &Path, program: &Program, tree: &[Record]) -> io::Result<()> {
    let is_json = path.extension().is_some_and(|extension| extension == "json");
    std::fs::write(path, if is_json { json(program, tree) } else { dot(program, tree) })
}

fn fate(record: &Record) -> &'static str {
    match record.fate {
        Fate::Inner => "inner",
        Fate::Ended => "ended",
        Fate::Cut => "cut",
        Fate::PrunedBy(_) => "pruned",
        Fate::Repeated => "repeated",
        Fate::Irrelevant => "irrelevant",
    }
}

fn json(program: &Program, tree: &[Record]) -> String {
    let nodes: Vec<_> = tree
        .iter()
        .map(|record| {
            json!({
                "id": record.id.0,
                "parent": record.parent.map(|parent| parent.0),
                "place": place::show(Place::new(program, record.loc).as_ref()),
                "fate": fate(record),
                "pruned_by": match record.fate { Fate::PrunedBy(node) => Some(node.0), _ => None },
                "interpolant": record.interpolant.as_ref().map(|learnt| learnt.iter().map(requirement_text).collect::<Vec<_>>()),
                "no_interpolant": record.no_interpolant.map(no_interpolant_text),
            })
        })
        .collect();
    let mut text = serde_json::to_string_pretty(&document(&json!({"nodes": nodes}))).unwrap_or_default();
    text.push('\n');
    text
}

fn dot(program: &Program, tree: &[Record]) -> String {
    let mut text = String::from("digraph tree {\n  node [shape=box, fontname=\"monospace\", fontsize=9];\n");
    for record in tree {
        let place = place::show(Place::new(program, record.loc).as_ref());
        let learnt = match (&record.interpolant, record.no_interpolant) {
            (Some(clauses), _) if clauses.is_empty() => "true".to_owned(),
            (Some(clauses), _) => requirements_text(clauses, "\\n"),
            (None, Some(reason)) => format!("no interpolant: {}", no_interpolant_text(reason)),
            (None, None) => String::new(),
        };
        let label = format!("{} {}\\n{place}\\n{learnt}", record.id, fate(record)).replace('"', "'");
        let style = match record.fate {
            Fate::PrunedBy(_) | Fate::Repeated | Fate::Irrelevant => ", style=filled, fillcolor=lightgrey",
            Fate::Cut => ", style=filled, fillcolor=orange",
            Fate::Inner | Fate::Ended => "",
        };
        let _ = writeln!(text, "  n{} [label=\"{label}\"{style}];", record.id);
        if let Some(parent) = record.parent {
            let _ = writeln!(text, "  n{parent} -> n{};", record.id);
        }
        if let Fate::PrunedBy(node) = record.fate {
            let _ = writeln!(text, "  n{} -> n{node} [style=dashed, constraint=false];", record.id);
        }
    }
    text.push_str("}\n");
    text
}
