//! Loops that invariants closed or did not, in plain English.

use crate::approximation_text::approximation_text;
use crate::cut_text;
use crate::place::{self, Place};
use espalier_engine::{Described, LoopDescription, LoopReport, NotClosed, NotGeneral, Stop};
use espalier_ir::{Loc, Program};

/// What holds at the loops of a program, and what is not known of them.
pub fn described(program: &Program, described: &Described) -> String {
    let mut text = String::new();
    for LoopDescription { func, loc, conditions } in &described.loops {
        let place = place::show(Place::new(program, *loc).as_ref());
        let function = &program.function(*func).name;
        text += &format!("{place}: loop in {function}\n");
        conditions.iter().for_each(|told| text += &format!("    {}\n", told.text));
        if conditions.is_empty() {
            text += "    (nothing that can be said of its variables)\n";
        }
    }
    let count = described.loops.len();
    let whose = if count == 1 { "the loop's condition" } else { "a loop's condition" };
    match (count, described.is_whole()) {
        (0, true) => text += "No path comes to a loop.\n",
        (0, false) => text += "Nothing is known of the loops.\n",
        (_, true) => {
            text += &format!(
                "\nEach line holds whenever {whose} is about to be evaluated (a proof; numbers wrap as in C;\n\
                 old(x) is x where the loop was entered).\n"
            )
        }
        (_, false) => text += "\nNot everything was followed: a line may fail on paths that were left out.\n",
    }
    reasons(program, described).iter().for_each(|reason| text += &format!("  {reason}\n"));
    text
}

/// Why not everything was followed.
pub(crate) fn reasons(program: &Program, described: &Described) -> Vec<String> {
    let open = described.open.iter().filter_map(|&(loc, why)| open_because(program, loc, why));
    let cuts = described.cuts.iter().map(|cut| {
        let place = place::show(Place::new(program, cut.loc).as_ref());
        format!("A path was cut at {place}: {}.", cut_text::text(&cut.reason))
    });
    let approximations =
        described.approximations.iter().map(|one| format!("Paths are inexact: {}.", approximation_text(one)));
    let time = (described.stop == Some(Stop::MaxTime)).then(|| "Time was up; raise --max-time to go on.".to_owned());
    open.chain(cuts).chain(approximations).chain(time).collect()
}

/// Loops that are listed.
const SHOWN: usize = 8;

/// The loops that invariants speak for.
pub(crate) fn closed(program: &Program, loops: &[LoopReport]) -> Option<String> {
    let mut places: Vec<String> = Vec::new();
    for report in loops.iter().filter(|report| report.closed > 0) {
        let Some(place) = Place::new(program, report.loc).map(|place| place.without_column()) else { continue };
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let more = places.len().saturating_sub(SHOWN);
    places.truncate(SHOWN);
    if more > 0 {
        places.push(format!("and {more} more"));
    }
    (!places.is_empty())
        .then(|| format!("Loops: closed by invariants, however often they are gone round: {}.", places.join(", ")))
}

/// Why a loop is open, if no invariant ever closed it.
pub(crate) fn open(program: &Program, report: &LoopReport) -> Option<String> {
    open_because(program, report.loc, report.open.filter(|_| report.closed == 0)?)
}

fn open_because(program: &Program, loc: Loc, why: NotClosed) -> Option<String> {
    let place = place::show(Place::new(program, loc).as_ref());
    let why = match why {
        NotClosed::General(NotGeneral::Context) => "it jumps, or uses what no invariant describes".to_owned(),
        NotClosed::General(NotGeneral::Addresses) => "it depends on where objects lie".to_owned(),
        NotClosed::General(NotGeneral::Allocates) => {
            "each round leaves heap objects behind, or frees some; invariants do not describe that yet".to_owned()
        }
        NotClosed::General(NotGeneral::MovedObject) => "a local object is another one in each round".to_owned(),
        NotClosed::General(NotGeneral::Array) => {
            "it accesses an array in a way that invariants do not describe yet (with several widths, without \
             a length that is known, across its elements)"
                .to_owned()
        }
        NotClosed::General(NotGeneral::Pointer) => {
            "a pointer leads into different objects, or out of its object for all that is known (a list?); invariants \
             do not describe that yet"
                .to_owned()
        }
        NotClosed::General(NotGeneral::NoValue) => "it changes a place that no variable can stand for".to_owned(),
        NotClosed::Variables => "it changes too many places".to_owned(),
        NotClosed::Ways => "there are too many ways through it".to_owned(),
        NotClosed::Nested => "too many loops are inside or behind it".to_owned(),
        NotClosed::Attempts | NotClosed::Effort => {
            "looking for an invariant took too long (--loop-effort=PERCENT allows more)".to_owned()
        }
        NotClosed::Cut => "paths behind it are cut or unsupported".to_owned(),
        NotClosed::Approximation => "paths behind it are inexact".to_owned(),
        NotClosed::Solver => "the solver did not decide a question behind it".to_owned(),
        NotClosed::Error(loc) => {
            let error = place::show(Place::new(program, loc).as_ref());
            format!("no invariant was found that keeps paths from {error}")
        }
        NotClosed::Stopped => return None,
    };
    Some(format!("The loop at {place} is not closed: {why}."))
}
