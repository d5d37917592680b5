//! Plots as SVG, drawn here so that a report is one file without scripts.
//!
//! The cactus plot shows how many targets each tool solves when each may take so long. The scatter
//! plot has a point for each target: above the diagonal the first tool is faster. What was not
//! solved is on the border. Runs of one program are compared by what they cover over time.

use crate::comparison::Comparison;
use crate::table::escape;
use std::fmt::Write;

/// Colours that people who see few of them tell apart (Okabe and Ito), on light and on dark.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c8c8c"];
const WIDTH: f64 = 780.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 60.0;
/// Room for the names of the tools.
const RIGHT: f64 = 180.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 50.0;
const FASTEST: f64 = 0.01;

fn colour(tool: usize) -> &'static str {
    COLOURS[tool % COLOURS.len()]
}

/// From values to places along an axis.
#[derive(Copy, Clone)]
struct Axis {
    from: f64,
    to: f64,
    /// The places of `from` and `to`.
    begin: f64,
    end: f64,
    is_logarithmic: bool,
}

impl Axis {
    /// Seconds up to the limit.
    fn time(limit: f64, begin: f64, end: f64) -> Axis {
        Axis { from: FASTEST, to: limit.max(10.0 * FASTEST), begin, end, is_logarithmic: true }
    }

    fn place(self, value: f64) -> f64 {
        let value = value.clamp(self.from, self.to);
        let part = match self.is_logarithmic {
            true => (value / self.from).ln() / (self.to / self.from).ln(),
            false => (value - self.from) / (self.to - self.from),
        };
        self.begin + part * (self.end - self.begin)
    }

    fn ticks(self) -> Vec<f64> {
        if self.is_logarithmic {
            let powers = (-2..9).map(|power| 10f64.powi(power)).filter(|tick| *tick <= self.to * 1.001);
            return powers.collect();
        }
        let rough = (self.to - self.from) / 6.0;
        let unit = 10f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * unit);
        let step = steps.into_iter().find(|step| *step >= rough).unwrap_or(rough).max(1.0);
        let count = ((self.to - self.from) / step) as usize;
        (0..=count).map(|index| self.from + index as f64 * step).collect()
    }
}

struct Drawing {
    svg: String,
    x: Axis,
    y: Axis,
}

impl Drawing {
    fn new(title: &str, x: (Axis, &str), y: (Axis, &str)) -> Drawing {
        let mut drawing = Drawing { svg: String::new(), x: x.0, y: y.0 };
        let title = escape(title);
        let _ = writeln!(
            drawing.svg,
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\"><title>{title}</title>"
        );
        for tick in drawing.x.ticks() {
            let place = drawing.x.place(tick);
            drawing.line("grid", (place, TOP), (place, HEIGHT - BOTTOM));
            drawing.text("middle", (place, HEIGHT - BOTTOM + 18.0), &tick.to_string());
        }
        for tick in drawing.y.ticks() {
            let place = drawing.y.place(tick);
            drawing.line("grid", (LEFT, place), (WIDTH - RIGHT, place));
            drawing.text("end", (LEFT - 8.0, place + 4.0), &tick.to_string());
        }
        let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
        let _ = writeln!(
            drawing.svg,
            "<rect class=\"frame\" x=\"{LEFT}\" y=\"{TOP}\" width=\"{width}\" height=\"{height}\"/>"
        );
        drawing.text("middle", (LEFT + width / 2.0, HEIGHT - 10.0), x.1);
        let middle = TOP + height / 2.0;
        let _ = writeln!(
            drawing.svg,
            "<text text-anchor=\"middle\" transform=\"translate(16 {middle}) rotate(-90)\">{}</text>",
            escape(y.1)
        );
        drawing
    }

    fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        let _ =
            writeln!(self.svg, "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>");
    }

    fn text(&mut self, anchor: &str, (x, y): (f64, f64), text: &str) {
        let _ = writeln!(self.svg, "<text text-anchor=\"{anchor}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escape(text));
    }

    /// The names of tools with their marks, one below the other.
    fn legend(&mut self, tools: &[(usize, &str)], mark: impl Fn(usize, f64, f64) -> String) {
        for (number, (tool, name)) in tools.iter().enumerate() {
            let (x, y) = (WIDTH - RIGHT + 24.0, TOP + 10.0 + 18.0 * number as f64);
            let _ = writeln!(self.svg, "{}", mark(*tool, x, y));
            self.text("start", (x + 16.0, y + 4.0), name);
        }
    }

    /// A curve that keeps each value until the next point, and the last until `end`.
    fn steps(&mut self, number: usize, points: impl Iterator<Item = (f64, f64)>, end: f64, about: &str) {
        let (x, y) = (self.x, self.y);
        let mut path = format!("M{:.1} {:.1}", x.place(0.0), y.place(0.0));
        for (at, value) in points {
            let _ = write!(path, "H{:.1}V{:.1}", x.place(at), y.place(value));
        }
        let _ = write!(path, "H{:.1}", x.place(end));
        let (colour, about) = (colour(number), escape(about));
        let _ =
            writeln!(self.svg, "<path class=\"steps\" stroke=\"{colour}\" d=\"{path}\"><title>{about}</title></path>");
    }

    fn finish(self) -> String {
        self.svg + "</svg>\n"
    }
}

/// How many targets each tool solves within a time.
pub(crate) fn cactus(comparison: &Comparison) -> String {
    let most = comparison.rows.len().max(1) as f64;
    let x = Axis::time(comparison.limit, LEFT, WIDTH - RIGHT);
    let y = Axis { from: 0.0, to: most, begin: HEIGHT - BOTTOM, end: TOP, is_logarithmic: false };
    let title = "Cactus plot: solved targets over time";
    let mut drawing = Drawing::new(title, (x, "seconds for each target"), (y, "solved targets"));
    let mut shown = Vec::new();
    for (tool, column) in comparison.tools.iter().enumerate().filter(|(_, column)| column.is_installed) {
        let mut times: Vec<f64> = comparison.rows.iter().filter_map(|row| row.solved(tool)).collect();
        times.sort_by(f64::total_cmp);
        let about = format!("{}: {} of {}", column.name, times.len(), comparison.rows.len());
        let points = times.iter().zip(1..).map(|(time, count)| (*time, f64::from(count)));
        drawing.steps(tool, points, comparison.limit, &about);
        shown.push((tool, column.name.as_str()));
    }
    drawing.legend(&shown, step_mark);
    drawing.finish()
}

/// A run: its name, and seconds with the share of blocks that was covered by then, in percent.
pub type Curve = (String, Vec<(f64, f64)>);

/// What runs covered over time, as a picture of its own.
pub fn coverage_over_time(curves: &[Curve]) -> String {
    let last = |points: &Vec<(f64, f64)>| points.last().map_or((0.0, 0.0), |point| *point);
    let longest = curves.iter().map(|(_, points)| last(points).0).fold(0.1, f64::max);
    let x = Axis { from: 0.0, to: longest, begin: LEFT, end: WIDTH - RIGHT, is_logarithmic: false };
    let y = Axis { from: 0.0, to: 100.0, begin: HEIGHT - BOTTOM, end: TOP, is_logarithmic: false };
    let mut drawing = Drawing::new("Covered blocks over time", (x, "seconds"), (y, "% of blocks covered"));
    for (number, (name, points)) in curves.iter().enumerate() {
        let (end, share) = last(points);
        drawing.steps(number, points.iter().copied(), end, &format!("{name}: {share:.1}% after {end:.1} s"));
    }
    let names: Vec<(usize, &str)> =
        curves.iter().enumerate().map(|(number, (name, _))| (number, name.as_str())).collect();
    drawing.legend(&names, step_mark);
    let standing_alone = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\" {STYLE}");
    drawing.finish().replacen("<svg ", &standing_alone, 1).replacen(
        "</title>",
        "</title><style>.grid{stroke:#8884}.frame{fill:none;stroke:#888}.steps{fill:none;stroke-width:2}</style>",
        1,
    )
}

const STYLE: &str = "font-size=\"12\" fill=\"currentColor\" ";

fn step_mark(tool: usize, x: f64, y: f64) -> String {
    format!("<path class=\"steps\" stroke=\"{}\" d=\"M{:.1} {y:.1}h16\"/>", colour(tool), x - 8.0)
}

/// The first tool against each other, target by target.
pub(crate) fn scatter(comparison: &Comparison) -> String {
    let first = comparison.tools.first().map_or("", |tool| tool.name.as_str());
    let x = Axis::time(comparison.limit, LEFT, WIDTH - RIGHT);
    let y = Axis::time(comparison.limit, HEIGHT - BOTTOM, TOP);
    let title = format!("Scatter plot: {first} against the others");
    let label = format!("seconds of {first}; border: not solved");
    let mut drawing = Drawing::new(&title, (x, &label), (y, "seconds of the other; border: not solved"));
    drawing.line("diagonal", (x.begin, y.begin), (x.end, y.end));
    let mut shown = Vec::new();
    for (tool, column) in comparison.tools.iter().enumerate().skip(1).filter(|(_, column)| column.is_installed) {
        for row in comparison.rows.iter().filter(|row| row.results[0].is_some() && row.results[tool].is_some()) {
            let (mine, theirs) = (row.solved(0), row.solved(tool));
            let place = (x.place(mine.unwrap_or(f64::INFINITY)), y.place(theirs.unwrap_or(f64::INFINITY)));
            let words = |time: Option<f64>| time.map_or("not solved".to_owned(), |time| format!("{time:.2}s"));
            let about = format!("{}: {first} {}, {} {}", row.name, words(mine), column.name, words(theirs));
            let _ = writeln!(drawing.svg, "{}", mark(tool, place, &about));
        }
        shown.push((tool, column.name.as_str()));
    }
    drawing.legend(&shown, |tool, x, y| mark(tool, (x, y), ""));
    drawing.finish()
}

/// Each tool has a shape of its own, for those who do not see its colour.
fn mark(tool: usize, (x, y): (f64, f64), about: &str) -> String {
    let shape = match tool % 4 {
        1 => "m-4 -4l8 8m0 -8l-8 8",
        2 => "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0",
        3 => "m-4 -4h8v8h-8z",
        _ => "m-5 4h10l-5 -9z",
    };
    format!(
        "<path class=\"mark\" stroke=\"{}\" d=\"M{x:.1} {y:.1}{shape}\"><title>{}</title></path>",
        colour(tool),
        escape(about)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Kind;
    use crate::comparison::tests::{comparison, result, row};

    #[test]
    fn axes() {
        let axis = Axis::time(100.0, 0.0, 400.0);
        assert_eq!((axis.place(0.0), axis.place(1e9)), (0.0, 400.0));
        assert!((axis.place(1.0) - 200.0).abs() < 1e-9);
        assert_eq!(axis.ticks(), [0.01, 0.1, 1.0, 10.0, 100.0]);
        let linear = Axis { from: 0.0, to: 3.0, begin: 0.0, end: 1.0, is_logarithmic: false };
        assert_eq!(linear.ticks(), [0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn what_is_not_solved_is_on_the_border() {
        let rows = vec![row("a.c:1", None, vec![result(Kind::Reachable, 0.01), result(Kind::Timeout, 60.0)])];
        let svg = scatter(&comparison(rows));
        assert!(svg.contains(&format!("d=\"M{LEFT:.1} {TOP:.1}m")), "{svg}");
        assert!(svg.contains("a.c:1: one 0.01s, two not solved"), "{svg}");
    }

    #[test]
    fn coverage_is_a_picture_of_its_own() {
        let svg = coverage_over_time(&[("dfs".into(), vec![(1.0, 10.0), (4.0, 55.5)]), ("empty".into(), vec![])]);
        assert!(
            svg.starts_with("<svg xmlns=") && svg.contains("dfs: 55.5% after 4.0 s") && !svg.contains("NaN"),
            "{svg}"
        );
    }

    #[test]
    fn nothing_to_draw_is_fine() {
        for plot in [cactus(&comparison(Vec::new())), scatter(&comparison(Vec::new()))] {
            assert!(plot.starts_with("<svg") && plot.ends_with("</svg>\n") && !plot.contains("NaN"), "{plot}");
        }
    }
}
