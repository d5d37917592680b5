//! The essential lines of a sanitizer's report: what is wrong, how large the access is, where, and
//! next to what. Process numbers, addresses, and frames outside the program are left out, so that
//! the same error reads the same each time.

/// Which sanitizer speaks, as far as that says what kind of error it is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Tool {
    /// AddressSanitizer.
    Address,
    /// LeakSanitizer.
    Leak,
    /// UndefinedBehaviorSanitizer, about overflow, shifts and divisions.
    Arithmetic,
    /// UndefinedBehaviorSanitizer, about anything else.
    Undefined,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    pub tool: Tool,
    /// "AddressSanitizer: heap-buffer-overflow".
    pub headline: String,
    pub lines: Vec<String>,
    /// Does `free`, or `realloc`, stumble over its argument?
    pub is_in_free: bool,
}

const MAX_FRAMES: usize = 12;
const RUNTIME_ERROR: &str = ": runtime error: ";

/// The report in what a program printed.
pub(crate) fn report(stderr: &str) -> Option<Report> {
    let lines: Vec<&str> = stderr.lines().collect();
    let address = lines.iter().position(|line| line.contains("ERROR: AddressSanitizer: "));
    let leak = lines.iter().position(|line| line.contains("ERROR: LeakSanitizer: "));
    let undefined = lines.iter().position(|line| line.contains(RUNTIME_ERROR));
    if let Some(at) = address {
        let (headline, rest) = (headline(lines[at]), &lines[at + 1..]);
        Some(Report { tool: Tool::Address, headline, lines: about_memory(rest), is_in_free: is_in_free(rest) })
    } else if let Some(at) = leak {
        let (headline, rest) = (headline(lines[at]), &lines[at + 1..]);
        Some(Report { tool: Tool::Leak, headline, lines: about_memory(rest), is_in_free: false })
    } else {
        let line = lines[undefined?];
        let (place, what) = line.split_once(RUNTIME_ERROR)?;
        let tool = if is_arithmetic(what) { Tool::Arithmetic } else { Tool::Undefined };
        let headline = format!("UndefinedBehaviorSanitizer: {}", without_addresses(what));
        Some(Report { tool, headline, lines: vec![format!("at {}", relative(place))], is_in_free: false })
    }
}

/// Is one of the functions that were running when it happened a `free` of the sanitizer's? They are
/// told first, before those of the program.
fn is_in_free(lines: &[&str]) -> bool {
    let frames = lines.iter().map(|line| line.trim_start()).skip_while(|line| !line.starts_with("#0 "));
    let own = frames.take_while(|line| line.starts_with('#')).take_while(|line| {
        ["__asan", "__sanitizer", "__interceptor_", "libsanitizer", "compiler-rt"]
            .iter()
            .any(|name| line.contains(name))
    });
    own.into_iter().any(|line| ["asan_free(", "asan_realloc("].iter().any(|name| line.contains(name)))
}

fn is_arithmetic(what: &str) -> bool {
    const WORDS: [&str; 6] = [
        "integer overflow",
        "division by zero",
        "shift exponent",
        "left shift of",
        "negation of",
        "cannot be represented in type",
    ];
    WORDS.iter().any(|word| what.contains(word))
}

/// "AddressSanitizer: heap-buffer-overflow", from a line that goes on with addresses.
fn headline(line: &str) -> String {
    let text = line.split_once("ERROR: ").map_or(line, |(_, text)| text);
    let end = [" on address ", " (pc ", " in thread ", ": 0x"].iter().filter_map(|stop| text.find(stop)).min();
    without_addresses(&text[..end.unwrap_or(text.len())])
}

fn about_memory(lines: &[&str]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut frames = 0;
    let mut is_below_main = false;
    for line in lines.iter().map(|line| line.trim()) {
        if line.starts_with("SUMMARY: ") || line.starts_with("Shadow bytes") {
            break;
        }
        if let Some(frame) = frame(line) {
            // Frames that are not of the program have no use; below main, there are no others.
            frames += 1;
            if !is_below_main && frames <= MAX_FRAMES && !frame.contains("libsanitizer") {
                is_below_main = frame.starts_with("in main ");
                kept.push(format!("  {frame}"));
            }
            continue;
        }
        (frames, is_below_main) = (0, false);
        let is_essential = ["READ of", "WRITE of", "0x", "freed by", "previously allocated by", "allocated by"]
            .iter()
            .any(|start| line.starts_with(start))
            || line.contains(" leak of ")
            || line.contains("memory access");
        if is_essential {
            kept.push(essential(line));
        }
    }
    kept
}

/// "in main prog.c:5", from "#0 0x4011 in main /dir/prog.c:5".
fn frame(line: &str) -> Option<String> {
    let rest = line.strip_prefix('#')?;
    let (_, place) = rest.split_once(" in ")?;
    let (function, file) = place.split_once(' ').unwrap_or((place, ""));
    Some(format!("in {function} {}", relative(file)).trim_end().to_owned())
}

fn essential(line: &str) -> String {
    if let Some((_, place)) = line.split_once(" is located ") {
        return without_addresses(&format!("located {place}")).replace(&here(), "");
    }
    let line = line.split_once("The signal is caused by ").map_or(line, |(_, access)| access);
    if let Some((what, _)) = line.split_once(" by thread") {
        return format!("{what}:");
    }
    let end = [" at 0x", " thread T"].iter().filter_map(|stop| line.find(stop)).min();
    without_addresses(&line[..end.unwrap_or(line.len())])
}

/// Addresses differ from run to run; small ones, near null, do not.
fn without_addresses(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("0x") {
        let digits = rest[at + 2..].bytes().take_while(u8::is_ascii_hexdigit).count();
        let (before, number) = rest.split_at(at);
        let (number, after) = number.split_at(2 + digits);
        out += before;
        match u64::from_str_radix(&number[2..], 16) {
            Ok(value) if value < 1 << 16 => out += &format!("{value:#x}"),
            _ => out += "0x...",
        }
        rest = after;
    }
    out += rest;
    out.replace(" (0x...)", "").replace(" [0x...,0x...)", "").replace(" on 0x...", "")
}

/// Names of files below the current directory are short.
fn relative(place: &str) -> &str {
    place.strip_prefix(&here()).unwrap_or(place)
}

fn here() -> String {
    std::env::current_dir().map_or_else(|_| "/".into(), |dir| format!("{}/", dir.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_access_out_of_bounds() {
        let text = format!(
            "hello
=================================================================
==6716==ERROR: AddressSanitizer: global-buffer-overflow on address 0x558d7a796b28 at pc 0x558d bp 0x7fff sp 0x7ffe
READ of size 4 at 0x558d7a796b28 thread T0
    #0 0x558d7a78a2e7 in lookup {0}lookup.c:10
    #1 0x558d7a78a3c6 in main lookup.c:16
    #2 0x7f in __libc_start_call_main ../sysdeps/nptl/libc_start_call_main.h:58

0x558d7a796b28 is located 0 bytes to the right of global variable 'table' defined in '{0}lookup.c:3:12' (0x558d7a796b00) of size 40
SUMMARY: AddressSanitizer: global-buffer-overflow lookup.c:10 in lookup
Shadow bytes around the buggy address:
  0x0ab22f4ed510: 00 00
",
            here()
        );
        let report = report(&text).unwrap();
        assert_eq!(
            (report.tool, report.headline.as_str()),
            (Tool::Address, "AddressSanitizer: global-buffer-overflow")
        );
        let expected = [
            "READ of size 4",
            "  in lookup lookup.c:10",
            "  in main lookup.c:16",
            "located 0 bytes to the right of global variable 'table' defined in 'lookup.c:3:12' of size 40",
        ];
        assert_eq!(report.lines, expected);
    }

    #[test]
    fn a_null_pointer_keeps_its_address() {
        let text = "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000008 (pc 0x55 bp 0x7f sp 0x7f T0)
==1==The signal is caused by a READ memory access.
==1==Hint: address points to the zero page.
    #0 0x55 in main a.c:3
SUMMARY: AddressSanitizer: SEGV a.c:3 in main";
        let report = report(text).unwrap();
        assert_eq!(report.headline, "AddressSanitizer: SEGV on unknown address 0x8");
        assert_eq!(report.lines, ["a READ memory access.", "  in main a.c:3"]);
    }

    #[test]
    fn a_wild_pointer_that_is_freed() {
        let text = "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x41414132 (pc 0x55 bp 0x41 sp 0x7f T0)
==1==The signal is caused by a WRITE memory access.
    #0 0x55 in __asan::Allocator::Deallocate(void*, unsigned long) ../src/libsanitizer/asan/asan_allocator.cpp:696
    #1 0x55 in __asan::asan_free(void*, __asan::AllocType) ../src/libsanitizer/asan/asan_allocator.cpp:955
    #2 0x56 in __interceptor_free ../src/libsanitizer/asan/asan_malloc_linux.cpp:53
    #3 0x57 in main a.c:2";
        assert!(report(text).unwrap().is_in_free);
        let later = text.replace("    #0 0x55", "    #0 0x54 in use a.c:7\n    #1 0x55");
        assert!(!report(&later).unwrap().is_in_free);
    }

    #[test]
    fn undefined_behaviour() {
        let overflow =
            "a.c:5:10: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'";
        let found = report(overflow).unwrap();
        assert_eq!(found.tool, Tool::Arithmetic);
        assert_eq!(found.lines, ["at a.c:5:10"]);
        let misaligned =
            report("a.c:5:10: runtime error: load of misaligned address 0x7ffc12345679 for type 'int'").unwrap();
        assert_eq!(misaligned.tool, Tool::Undefined);
        assert_eq!(misaligned.headline, "UndefinedBehaviorSanitizer: load of misaligned address 0x... for type 'int'");
    }

    #[test]
    fn other_text_is_no_report() {
        assert_eq!(report("Segmentation fault\n"), None);
    }
}
