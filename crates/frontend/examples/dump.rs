//! Prints the text form of a program: `dump [--entry NAME] [--time] FILES… [-- COMPILER OPTIONS…]`.

use std::io::Write;
use std::time::Instant;

fn main() {
    let mut input = espalier_frontend::Input { files: Vec::new(), cc_args: Vec::new(), entry: "main".to_owned() };
    let mut args = std::env::args().skip(1);
    let mut time = false;
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--entry" => input.entry = args.next().unwrap_or_default(),
            "--time" => time = true,
            "--" => {
                input.cc_args = args.collect();
                break;
            }
            _ => input.files.push(arg.into()),
        }
    }
    let start = Instant::now();
    match espalier_frontend::load(&input) {
        Ok(loaded) => {
            if time {
                let code: usize = loaded.program.functions.iter().map(|f| f.code.len()).sum();
                let (functions, globals) = (loaded.program.functions.len(), loaded.program.globals.len());
                eprintln!("{:?} for {functions} functions, {globals} globals, {code} instructions", start.elapsed());
            } else {
                // A reader that stops early, such as `head`, is no error.
                let _ = write!(std::io::stdout().lock(), "{}", loaded.program);
            }
            for warning in loaded.warnings {
                eprintln!("warning: {warning}");
            }
        }
        Err(error) => {
            eprintln!("error: {error}");
            std::process::exit(1);
        }
    }
}
