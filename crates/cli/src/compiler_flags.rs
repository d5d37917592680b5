//! Compiler flags that users write as they would for a compiler: `-Idir`, `-D NAME`, `-std=c99`,
//! `-m32`.
//!
//! They become `--cc-arg` options before the command line is parsed: the parser would read `-std`
//! as four short options.

use espalier_base::options;
use std::ffi::OsString;

/// Flags whose value may be attached or be the next argument.
const WITH_VALUE: [&str; 5] = ["-I", "-D", "-U", "-isystem", "-include"];
const WITHOUT_VALUE: [&str; 2] = ["-m32", "-m64"];

/// Rewrites compiler flags. Values of our own options and everything after `--` stay as they are.
pub(crate) fn as_options(args: Vec<OsString>) -> Vec<OsString> {
    let mut rewritten = Vec::with_capacity(args.len());
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        let Some(text) = arg.to_str() else {
            rewritten.push(arg);
            continue;
        };
        if text == "--" {
            rewritten.push(arg);
            rewritten.extend(args);
            break;
        }
        if is_followed_by_value(text) {
            rewritten.push(arg);
            rewritten.extend(args.next());
        } else if WITHOUT_VALUE.contains(&text) || text.starts_with("-std=") {
            rewritten.push(cc_arg(&arg));
        } else if WITH_VALUE.contains(&text) {
            rewritten.push(cc_arg(&arg));
            rewritten.extend(args.next().map(|value| cc_arg(&value)));
        } else if WITH_VALUE[..3].iter().any(|flag| text.starts_with(flag)) {
            rewritten.push(cc_arg(&arg));
        } else {
            rewritten.push(arg);
        }
    }
    rewritten
}

/// Is this one of our options, with its value in the next argument?
fn is_followed_by_value(arg: &str) -> bool {
    let option = arg.strip_prefix("--").and_then(options::find);
    option.is_some_and(|option| option.takes_value())
}

fn cc_arg(value: &OsString) -> OsString {
    let mut arg = OsString::from("--cc-arg=");
    arg.push(value);
    arg
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(args: &str, expected: &str) {
        let args = args.split(' ').map(OsString::from).collect();
        let rewritten: Vec<String> = as_options(args).into_iter().map(|arg| arg.into_string().unwrap()).collect();
        assert_eq!(rewritten.join(" "), expected);
    }

    #[test]
    fn flags_become_options() {
        check("a.c -Iinc -std=c99 -m32", "a.c --cc-arg=-Iinc --cc-arg=-std=c99 --cc-arg=-m32");
        check("-I inc -D X=1 a.c", "--cc-arg=-I --cc-arg=inc --cc-arg=-D --cc-arg=X=1 a.c");
        check("-include x.h a.c", "--cc-arg=-include --cc-arg=x.h a.c");
    }

    #[test]
    fn the_rest_stays() {
        check("run a.c --json -v", "run a.c --json -v");
        check("--cc-arg -Iinc --entry -Dx", "--cc-arg -Iinc --entry -Dx");
        check("--entry-point -Dx --json -Dy", "--entry-point -Dx --json --cc-arg=-Dy");
        check("a.c -- -Iinc -m32", "a.c -- -Iinc -m32");
    }
}
