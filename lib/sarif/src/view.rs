//! Views onto what tools wrote. What is missing or of the wrong type is absent.
//!
//! Where tools differ: the rule of a result is named (`ruleId`), numbered (`ruleIndex`) or both in
//! an object (`rule`), which may lie in an extension of the tool (CodeQL's packs). Its weakness is
//! a tag of the rule (`external/cwe/cwe-476`, CodeQL), a taxon of the result (gcc) or a relation of
//! the rule to a taxonomy.

use crate::annotate::is_of;
use crate::{Level, uri};
use serde_json::Value;
use std::collections::BTreeSet;

/// What one call of one tool found.
#[derive(Copy, Clone, Debug)]
pub struct Run<'a> {
    value: &'a Value,
}

/// A result; not called so because of Rust's.
#[derive(Copy, Clone, Debug)]
pub struct Finding<'a> {
    run: Run<'a>,
    value: &'a Value,
}

/// A place, and what is said of it. To be read, or to be written.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Location {
    /// Absolute, or relative to what the document does not say.
    pub path: Option<String>,
    pub region: Option<Region>,
    pub function: Option<String>,
    pub message: Option<String>,
}

/// Lines and columns count from 1; the last column is the first behind the region.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Region {
    pub start_line: u32,
    pub start_column: Option<u32>,
    pub end_line: Option<u32>,
    pub end_column: Option<u32>,
}

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key)?.as_str()
}

/// `-1` stands for none.
fn index(value: &Value, key: &str) -> Option<usize> {
    usize::try_from(value.get(key)?.as_u64()?).ok()
}

fn items<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

impl<'a> Run<'a> {
    pub(crate) fn new(value: &'a Value) -> Run<'a> {
        Run { value }
    }

    fn driver(self) -> Option<&'a Value> {
        self.value.get("tool")?.get("driver")
    }

    pub fn tool(self) -> Option<&'a str> {
        text(self.driver()?, "name")
    }

    pub fn findings(self) -> impl Iterator<Item = Finding<'a>> {
        items(self.value, "results").iter().map(move |value| Finding { run: self, value })
    }

    pub fn finding(self, index: usize) -> Option<Finding<'a>> {
        Some(Finding { run: self, value: items(self.value, "results").get(index)? })
    }

    /// The driver, or what a `toolComponent` says: one of the extensions or taxonomies.
    fn component(self, reference: Option<&Value>, among: &'a [Value]) -> Option<&'a Value> {
        let Some(reference) = reference else { return self.driver() };
        let same = |key: &str, of: &Value| text(reference, key).is_some_and(|wanted| text(of, key) == Some(wanted));
        if let Some(index) = index(reference, "index") {
            return among.get(index);
        }
        among.iter().chain(self.driver()).find(|component| same("guid", component) || same("name", component))
    }

    fn extensions(self) -> &'a [Value] {
        self.value.get("tool").map_or(&[], |tool| items(tool, "extensions"))
    }

    /// The rule of this name. `CA1000/1` is a case of the rule `CA1000`.
    fn rule_named(self, id: &str) -> Option<&'a Value> {
        let rules =
            || self.driver().into_iter().chain(self.extensions()).flat_map(|component| items(component, "rules"));
        let named = |id: &str| rules().find(|rule| text(rule, "id") == Some(id));
        named(id).or_else(|| named(id.rsplit_once('/')?.0))
    }
}

impl<'a> Finding<'a> {
    pub fn value(self) -> &'a Value {
        self.value
    }

    fn rule(self) -> Option<&'a Value> {
        let numbered = || {
            let reference = self.value.get("rule");
            let number = index(self.value, "ruleIndex").or_else(|| index(reference?, "index"))?;
            let component = reference.and_then(|reference| reference.get("toolComponent"));
            items(self.run.component(component, self.run.extensions())?, "rules").get(number)
        };
        numbered().or_else(|| self.run.rule_named(self.own_rule_id()?))
    }

    fn own_rule_id(self) -> Option<&'a str> {
        text(self.value, "ruleId").or_else(|| text(self.value.get("rule")?, "id"))
    }

    pub fn rule_id(self) -> Option<&'a str> {
        self.own_rule_id().or_else(|| text(self.rule()?, "id"))
    }

    pub fn level(self) -> Level {
        let configured = || text(self.rule()?.get("defaultConfiguration")?, "level");
        text(self.value, "level").or_else(configured).and_then(Level::named).unwrap_or_default()
    }

    /// Without links, and with the arguments in their places.
    pub fn message(self) -> String {
        self.value.get("message").and_then(|message| self.text_of(message)).unwrap_or_default()
    }

    fn text_of(self, message: &Value) -> Option<String> {
        let by_id = || {
            let id = text(message, "id")?;
            let of_rule = || self.rule()?.get("messageStrings")?.get(id);
            let of_tool = || self.run.driver()?.get("globalMessageStrings")?.get(id);
            text(of_rule().or_else(of_tool)?, "text")
        };
        let form = text(message, "text").or_else(by_id).or_else(|| text(message, "markdown"))?;
        let arguments: Vec<&str> = items(message, "arguments").iter().filter_map(Value::as_str).collect();
        Some(without_links(&filled_in(form, &arguments)))
    }

    /// Numbers of the Common Weakness Enumeration, ascending.
    pub fn cwes(self) -> Vec<u32> {
        let rule = self.rule();
        let tags = |value: &'a Value| value.get("properties").map_or(&[][..], |properties| items(properties, "tags"));
        let tags = rule.into_iter().chain([self.value]).flat_map(tags).filter_map(Value::as_str).filter_map(cwe_in_tag);
        let relations = rule.map_or(&[][..], |rule| items(rule, "relationships"));
        let taxa = relations.iter().filter_map(|relation| relation.get("target")).chain(items(self.value, "taxa"));
        let found: BTreeSet<u32> = tags.chain(taxa.filter_map(|taxon| self.cwe_of_taxon(taxon))).collect();
        found.into_iter().collect()
    }

    fn cwe_of_taxon(self, reference: &Value) -> Option<u32> {
        let taxonomies = items(self.run.value, "taxonomies");
        let named = reference.get("toolComponent");
        let taxonomy = named.and_then(|named| self.run.component(Some(named), taxonomies));
        let name = taxonomy.and_then(|taxonomy| text(taxonomy, "name")).or_else(|| text(named?, "name"))?;
        if !name.eq_ignore_ascii_case("cwe") {
            return None;
        }
        let id =
            text(reference, "id").or_else(|| text(items(taxonomy?, "taxa").get(index(reference, "index")?)?, "id"))?;
        let is_prefixed = id.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("cwe-"));
        if is_prefixed { &id[4..] } else { id }.parse().ok()
    }

    /// Where it was found, the main place first.
    pub fn locations(self) -> Vec<Location> {
        self.locations_in(items(self.value, "locations"))
    }

    pub fn related_locations(self) -> Vec<Location> {
        self.locations_in(items(self.value, "relatedLocations"))
    }

    fn locations_in(self, values: &[Value]) -> Vec<Location> {
        values.iter().map(|value| self.location(value)).collect()
    }

    /// The steps of each thread of each code flow, without flows that this owner added
    /// (`Document::annotate`).
    pub fn flows(self, without: Option<&str>) -> Vec<Vec<Location>> {
        let flows = items(self.value, "codeFlows").iter();
        let threads = flows
            .filter(|flow| !without.is_some_and(|owner| is_of(flow, owner)))
            .flat_map(|flow| items(flow, "threadFlows"));
        threads.map(|thread| items(thread, "locations").iter().filter_map(|step| self.step(step)).collect()).collect()
    }

    /// What this owner said of it (`Document::annotate`).
    pub fn annotation(self, owner: &str) -> Option<&'a Value> {
        self.value.get("properties")?.get(owner)
    }

    fn step(self, step: &Value) -> Option<Location> {
        let shared = || items(self.run.value, "threadFlowLocations").get(index(step, "index")?)?.get("location");
        Some(self.location(step.get("location").or_else(shared)?))
    }

    fn location(self, value: &Value) -> Location {
        let physical = value.get("physicalLocation");
        Location {
            path: physical.and_then(|at| uri::path_of(self.run.value, at.get("artifactLocation")?)),
            region: physical.and_then(|at| region(at.get("region")?)),
            function: self.function(items(value, "logicalLocations")),
            message: value.get("message").and_then(|message| self.text_of(message)),
        }
    }

    fn function(self, logical: &[Value]) -> Option<String> {
        let shared = |at: &Value| items(self.run.value, "logicalLocations").get(index(at, "index")?);
        logical.iter().find_map(|at| {
            let shared = shared(at);
            let said = |key: &str| text(at, key).or_else(|| text(shared?, key));
            let is_function = said("kind").is_none_or(|kind| matches!(kind, "function" | "member"));
            let name = said("name").or_else(|| said("fullyQualifiedName"));
            name.filter(|_| is_function).map(str::to_owned)
        })
    }
}

fn region(value: &Value) -> Option<Region> {
    let number = |key: &str| u32::try_from(value.get(key)?.as_u64()?).ok().filter(|&number| number > 0);
    Some(Region {
        start_line: number("startLine")?,
        start_column: number("startColumn"),
        end_line: number("endLine"),
        end_column: number("endColumn"),
    })
}

/// `external/cwe/cwe-476`, `CWE-476` and `CWE-476: NULL Pointer Dereference`.
fn cwe_in_tag(tag: &str) -> Option<u32> {
    let lower = tag.rsplit('/').next()?.to_ascii_lowercase();
    let rest = lower.strip_prefix("cwe-")?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().ok()
}

/// Puts arguments in for `{0}`, `{1}`…
fn filled_in(form: &str, arguments: &[&str]) -> String {
    let mut filled = String::new();
    let mut rest = form;
    while let Some((before, behind)) = rest.split_once('{') {
        filled.push_str(before);
        let argument = behind
            .split_once('}')
            .and_then(|(number, after)| Some((*arguments.get(number.parse::<usize>().ok()?)?, after)));
        rest = match argument {
            Some((argument, after)) => {
                filled.push_str(argument);
                after
            }
            None => {
                filled.push('{');
                behind
            }
        };
    }
    filled + rest
}

/// `[text](3)`, a link to a related location, becomes `text`.
fn without_links(message: &str) -> String {
    let mut plain = String::new();
    let mut rest = message;
    while let Some((before, behind)) = rest.split_once('[') {
        plain.push_str(before);
        let link = behind.split_once("](").and_then(|(label, after)| {
            let (target, after) = after.split_once(')')?;
            let is_number = !target.is_empty() && target.bytes().all(|byte| byte.is_ascii_digit());
            (is_number && !label.contains(['[', ']'])).then_some((label, after))
        });
        match link {
            Some((label, after)) => {
                plain.push_str(label);
                rest = after;
            }
            None => {
                plain.push('[');
                rest = behind;
            }
        }
    }
    plain + rest
}
