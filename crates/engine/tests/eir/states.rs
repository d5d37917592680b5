//! The states in which paths meet: a letter for each fingerprint, in the order in which they come,
//! and by how much the counters that only end things are further on than where the letter came
//! first. States with the same letter are the same to the engine.

use super::Case;
use super::walk::{Stop, executor, place, walk};
use espalier_exec::{Fingerprint, Progress};

pub fn report(case: Case) -> Result<Vec<String>, String> {
    let mut executor = executor(&case)?;
    let mut known: Vec<(Fingerprint, Progress)> = Vec::new();
    let mut lines = Vec::new();
    walk(&case, &mut executor, |executor, _, stop| {
        let Stop::Join(state) = stop else { return };
        let place = place(executor, state);
        let Some((fingerprint, progress)) = executor.fingerprint(state) else {
            lines.push(format!("{place}: cannot be compared"));
            return;
        };
        let index = known.iter().position(|(other, _)| *other == fingerprint).unwrap_or_else(|| {
            known.push((fingerprint, progress.clone()));
            known.len() - 1
        });
        let letter = char::from(b'A' + u8::try_from(index).unwrap_or(u8::MAX).min(25));
        let further = progress.iter().zip(&known[index].1).map(|(now, first)| now.wrapping_sub(*first).cast_signed());
        let further: String = further.map(|by| format!(" {by:+}")).collect();
        lines.push(format!("{place}: {letter}{further}"));
    })?;
    Ok(lines)
}
