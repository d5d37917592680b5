//! Writing to standard output or error.

use crate::rundir::OutputError;
use crate::style::Style;
use std::io::{self, Write};
use std::path::PathBuf;

/// One of the process's two output streams. Once its reader is gone (`espalier run … | head`), it
/// swallows what is written: the run directory has everything, and the run goes on.
pub(crate) struct Console {
    stream: Stream,
    pub(crate) style: Style,
    is_gone: bool,
}

enum Stream {
    Out(io::Stdout),
    Error(io::Stderr),
}

impl Console {
    pub(crate) fn stdout() -> Console {
        let stream = io::stdout();
        Console { style: Style::for_stream(&stream), stream: Stream::Out(stream), is_gone: false }
    }

    pub(crate) fn stderr() -> Console {
        let stream = io::stderr();
        Console { style: Style::for_stream(&stream), stream: Stream::Error(stream), is_gone: false }
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        if self.is_gone {
            return Ok(());
        }
        let (written, name) = match &mut self.stream {
            Stream::Out(out) => (out.write_all(bytes).and_then(|()| out.flush()), "standard output"),
            Stream::Error(error) => (error.write_all(bytes), "standard error"),
        };
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_gone = true;
                Ok(())
            }
            written => written.map_err(|source| OutputError::Write { path: PathBuf::from(name), source }),
        }
    }
}
