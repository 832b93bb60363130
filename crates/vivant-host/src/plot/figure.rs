//! Assigns the columns of a trace to panels with names and units.
//!
//! A trace has many columns, and often most of them are constant. `Figure::new` takes a [`Table`], groups its columns
//! by quantity, and keeps only the panels in which something moves. Left and right are drawn as one curve if they are
//! equal. The columns are found by name, so traces of eyes, lids and blinks use the same code. The positions on the
//! page are computed in [`super::layout`].

use super::drawing::Colour;
use super::style::{BLUE, GREEN, PURPLE, VERMILION};
use crate::trace::Table;

/// Differences that are smaller than this, in the unit of the panel, are ignored.
const STILL: f64 = 5e-3;

pub(super) struct Figure {
    pub(super) title: String,
    pub(super) times: Vec<f64>,
    pub(super) panels: Vec<Panel>,
    /// Start and end of each blink, in seconds.
    pub(super) blinks: Vec<(f64, f64)>,
    /// The phases of a blink, if the trace is a single blink.
    pub(super) phases: Vec<Phase>,
}

pub(super) struct Panel {
    pub(super) name: &'static str,
    pub(super) unit: &'static str,
    pub(super) curves: Vec<Curve>,
    /// The target of a gaze shift in degrees.
    pub(super) target: Option<f64>,
    /// True if the panel marks blinks.
    pub(super) of_lids: bool,
    /// Values that the range of the panel must include.
    pub(super) shows: Vec<f64>,
}

pub(super) struct Curve {
    pub(super) label: &'static str,
    pub(super) colour: Colour,
    pub(super) values: Vec<f64>,
}

pub(super) struct Phase {
    pub(super) name: &'static str,
    pub(super) from: f64,
    pub(super) to: f64,
}

impl Figure {
    /// Makes the figure of a table. Returns `None` if the table has no rows, or no columns besides the time.
    pub(super) fn new(table: &Table) -> Option<Self> {
        let mut columns = Columns::new(table);
        let times = columns.take("t").filter(|times| !times.is_empty())?;
        let (yaw, pitch) = table.target.map(|target| (target.yaw_deg, target.pitch_deg)).unzip();
        let is_one_organ = table.columns.contains(&"velocity");
        let all = [
            direction(&mut columns, "Horizontal", "degrees, positive to the left", "yaw", yaw),
            direction(&mut columns, "Vertical", "degrees, positive upwards", "pitch", pitch),
            lids(&mut columns),
            // For a single lid, the aperture shows nothing new.
            if is_one_organ { None } else { aperture(&mut columns) },
            velocity(&mut columns),
        ];
        let mut panels = all.into_iter().flatten().collect::<Vec<_>>();
        match panels.iter().any(Panel::moves) {
            true => panels.retain(Panel::moves),
            false => panels.truncate(1),
        }
        panels.iter_mut().for_each(Panel::sort_curves);
        let blinks = columns.take("blink").map_or_else(Vec::new, |blink| runs(&times, &blink));
        let phases = phases(&times, &blinks, &panels);
        let title = table.title.clone();
        (!panels.is_empty()).then_some(Self { title, times, panels, blinks, phases })
    }
}

impl Panel {
    fn new(name: &'static str, unit: &'static str, curves: Vec<Curve>) -> Self {
        Self { name, unit, curves, target: None, of_lids: false, shows: vec![0.0] }
    }

    /// Sorts curves so that the curves that change most are drawn first. Otherwise they would hide the other curves.
    fn sort_curves(&mut self) {
        self.curves.sort_by(|a, b| b.travel().total_cmp(&a.travel()));
    }

    /// Returns true if a value differs from its value at rest, which is 1 for the aperture and 0 for all other
    /// quantities.
    fn moves(&self) -> bool {
        let rest = if self.name == APERTURE { 1.0 } else { 0.0 };
        self.curves.iter().flat_map(|curve| &curve.values).any(|value| (value - rest).abs() > STILL)
    }
}

impl Curve {
    /// The sum of all changes between consecutive values.
    fn travel(&self) -> f64 {
        self.values.windows(2).map(|pair| (pair[1] - pair[0]).abs()).sum()
    }
}

const APERTURE: &str = "Aperture";

/// Makes a panel with gaze, head and eyes. Columns that the table does not have are left out.
fn direction(
    columns: &mut Columns<'_>,
    name: &'static str,
    unit: &'static str,
    axis: &str,
    target: Option<f64>,
) -> Option<Panel> {
    let gaze = columns.take(&format!("gaze_{axis}"))?;
    let mut panel = Panel::new(name, unit, Vec::new());
    if let Some(head) = columns.take(&format!("head_{axis}")) {
        panel.target = target;
        panel.shows.extend(target);
        let eyes = columns.mean(&format!("eye_left_{axis}"), &format!("eye_right_{axis}"));
        panel.curves.extend(eyes.map(|values| Curve { label: "eye in head", colour: GREEN, values }));
        panel.curves.push(Curve { label: "head", colour: VERMILION, values: head });
    }
    panel.curves.push(Curve { label: "gaze", colour: BLUE, values: gaze });
    Some(panel)
}

fn lids(columns: &mut Columns<'_>) -> Option<Panel> {
    let curves = sides(columns, "lid_left", "lid_right")?;
    Some(Panel {
        of_lids: true,
        ..Panel::new("Upper lids", "degrees, 0 when looking straight ahead", curves)
    })
}

fn aperture(columns: &mut Columns<'_>) -> Option<Panel> {
    let curves = sides(columns, "aperture_left", "aperture_right")?;
    let panel = Panel::new(APERTURE, "1 as open as when looking straight ahead, 0 closed", curves);
    Some(Panel { of_lids: true, shows: vec![0.0, 1.0], ..panel })
}

fn velocity(columns: &mut Columns<'_>) -> Option<Panel> {
    let values = columns.take("velocity")?;
    let curve = Curve { label: "", colour: PURPLE, values };
    Some(Panel::new("Velocity", "degrees per second", vec![curve]))
}

/// Returns curves for left and right, or a single curve if both sides are equal.
fn sides(columns: &mut Columns<'_>, left: &str, right: &str) -> Option<Vec<Curve>> {
    let (left, right) = (columns.take(left)?, columns.take(right)?);
    let curve = |label, colour, values| Curve { label, colour, values };
    Some(if left.iter().zip(&right).all(|(left, right)| (left - right).abs() < STILL) {
        vec![curve("both", BLUE, left)]
    } else {
        vec![curve("right", VERMILION, right), curve("left", BLUE, left)]
    })
}

/// A table stored by columns.
struct Columns<'a> {
    names: &'a [&'static str],
    values: Vec<Vec<f64>>,
}

impl<'a> Columns<'a> {
    fn new(table: &'a Table) -> Self {
        let mut values = vec![Vec::with_capacity(table.rows().count()); table.columns.len()];
        for row in table.rows() {
            values.iter_mut().zip(row).for_each(|(column, value)| column.push(*value));
        }
        Self { names: table.columns, values }
    }

    /// Removes and returns a column, since only one panel shows it.
    fn take(&mut self, name: &str) -> Option<Vec<f64>> {
        let index = self.names.iter().position(|column| *column == name)?;
        Some(std::mem::take(&mut self.values[index]))
    }

    fn mean(&mut self, left: &str, right: &str) -> Option<Vec<f64>> {
        let (left, right) = (self.take(left)?, self.take(right)?);
        Some(left.iter().zip(right).map(|(left, right)| 0.5 * (left + right)).collect())
    }
}

/// Returns the time ranges in which a column is not 0.
fn runs(times: &[f64], flags: &[f64]) -> Vec<(f64, f64)> {
    let mut runs = Vec::new();
    let mut from = None;
    for (time, flag) in times.iter().zip(flags) {
        match (from, *flag > 0.5) {
            (None, true) => from = Some(*time),
            (Some(start), false) => {
                runs.push((start, *time));
                from = None;
            }
            _ => {}
        }
    }
    runs.extend(from.zip(times.last().copied()));
    runs
}

/// Returns the phases of a blink that spans the whole trace: closing, closed, opening.
fn phases(times: &[f64], blinks: &[(f64, f64)], panels: &[Panel]) -> Vec<Phase> {
    let lid = panels.iter().find(|panel| panel.of_lids).and_then(|panel| panel.curves.first());
    let (Some(lid), [(from, to)]) = (lid, blinks) else { return Vec::new() };
    let step = times.get(1).map_or(0.0, |second| second - times[0]);
    let (first, last) = (times[0], times[times.len() - 1]);
    let lowest = lid.values.iter().copied().fold(f64::INFINITY, f64::min);
    if *from > first || *to < last - 1.5 * step || lowest > -STILL {
        return Vec::new();
    }
    let down = |value: &f64| *value <= lowest + 1e-6 * lowest.abs();
    let at = |index: Option<usize>| index.map_or(first, |index| times[index]);
    let (closed, opens) = (at(lid.values.iter().position(down)), at(lid.values.iter().rposition(down)));
    let phase = |name, from, to| Phase { name, from, to };
    let all = [phase("closing", *from, closed), phase("closed", closed, opens), phase("opening", opens, *to)];
    all.into_iter().filter(|phase| phase.to > phase.from).collect()
}
