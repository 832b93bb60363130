//! Plots a tracked video: true and tracked lid apertures, and frames without a reliable result.

use super::run::{Frame, Run};
use std::fmt::Write;

const SIZE: [f64; 2] = [860.0, 300.0];
/// Left, top, right and bottom of the diagram.
const FRAME: [f64; 4] = [62.0, 44.0, 844.0, 252.0];

/// Writes `NAME.svg` to the folder of `VIVANT_SHOTS`, if that is set; marks the time of a change.
pub(crate) fn draw(name: &str, title: &str, run: &Run, change: Option<[f64; 2]>) {
    let Some(folder) = std::env::var_os("VIVANT_SHOTS") else { return };
    let path = std::path::Path::new(&folder).join(format!("{name}.svg"));
    std::fs::write(&path, svg(title, run, change))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

struct Scale {
    from_secs: f64,
    secs: f64,
    most: f64,
}

impl Scale {
    fn x(&self, secs: f64) -> f64 {
        FRAME[0] + (FRAME[2] - FRAME[0]) * (secs - self.from_secs) / self.secs
    }

    fn y(&self, aperture: f64) -> f64 {
        FRAME[3] - (FRAME[3] - FRAME[1]) * aperture / self.most
    }
}

fn svg(title: &str, run: &Run, change: Option<[f64; 2]>) -> String {
    let first = run.frames.first().map_or(0.0, |frame| frame.secs);
    let scale = Scale { from_secs: first, secs: run.frames.len() as f64 / run.fps, most: 0.45 };
    let [width, height] = SIZE;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"{}\" y=\"26\" font-size=\"16\" fill=\"#222\">{title}</text>\n",
        FRAME[0]
    );
    if let Some([from, to]) = change {
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{}\" width=\"{:.1}\" height=\"{}\" fill=\"#fde68a\"/>",
            scale.x(from),
            FRAME[1],
            scale.x(to) - scale.x(from),
            FRAME[3] - FRAME[1]
        );
    }
    bands(&mut out, run, &scale);
    axes(&mut out, &scale);
    let truth = line(run, &scale, |frame| Some(frame.truth));
    let found = line(run, &scale, |frame| frame.found);
    // Writing into a String cannot fail.
    let _ = writeln!(
        out,
        "<path d=\"{truth}\" fill=\"none\" stroke=\"#9aa3ad\" stroke-width=\"5\" stroke-linejoin=\"round\"/>"
    );
    let _ = writeln!(
        out,
        "<path d=\"{found}\" fill=\"none\" stroke=\"#c2410c\" stroke-width=\"1.6\" stroke-linejoin=\"round\"/>"
    );
    legend(&mut out, run, change.is_some());
    out + "</svg>\n"
}

/// Marks frames with hidden points, and unreliable frames.
fn bands(out: &mut String, run: &Run, scale: &Scale) {
    let wide = scale.x(1.0 / run.fps) - scale.x(0.0) + 0.3;
    for frame in &run.frames {
        let x = scale.x(frame.secs) - 0.5 * wide;
        if frame.hidden > 0.0 {
            let strength = 0.15 + 0.35 * frame.hidden;
            let _ = writeln!(
                out,
                "<rect x=\"{x:.2}\" y=\"{}\" width=\"{wide:.2}\" height=\"{}\" fill=\"#64748b\" opacity=\"{strength:.2}\"/>",
                FRAME[1],
                FRAME[3] - FRAME[1]
            );
        }
        if frame.found.is_none() {
            let _ = writeln!(
                out,
                "<rect x=\"{x:.2}\" y=\"{}\" width=\"{wide:.2}\" height=\"7\" fill=\"#c2410c\"/>",
                FRAME[3] - 7.0
            );
        }
    }
}

fn axes(out: &mut String, scale: &Scale) {
    let [left, top, right, bottom] = FRAME;
    let _ = writeln!(out, "<path d=\"M{left} {top}V{bottom}H{right}\" fill=\"none\" stroke=\"#222\"/>");
    for aperture in [0.0, 0.1, 0.2, 0.3, 0.4] {
        let y = scale.y(aperture) + 4.0;
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{y:.1}\" text-anchor=\"end\" fill=\"#444\">{aperture}</text>",
            left - 8.0
        );
    }
    for second in scale.from_secs.ceil() as i32..=(scale.from_secs + scale.secs) as i32 {
        let x = scale.x(second.into());
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#444\">{second} s</text>",
            bottom + 18.0
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"16\" y=\"{}\" fill=\"#444\" transform=\"rotate(-90 16 {0})\" text-anchor=\"middle\">aperture / eye width</text>",
        0.5 * (top + bottom)
    );
}

/// Returns a line that is interrupted where nothing is known.
fn line(run: &Run, scale: &Scale, value: impl Fn(&Frame) -> Option<f64>) -> String {
    let mut path = String::new();
    let mut pen = 'M';
    for frame in &run.frames {
        let Some(aperture) = value(frame) else {
            pen = 'M';
            continue;
        };
        let _ = write!(path, "{pen}{:.1} {:.1}", scale.x(frame.secs), scale.y(aperture));
        pen = 'L';
    }
    path
}

fn legend(out: &mut String, run: &Run, has_change: bool) {
    let y = SIZE[1] - 10.0;
    let mut x = FRAME[0];
    let has_hidden = run.frames.iter().any(|frame| frame.hidden > 0.0);
    let is_known = run.frames.iter().all(|frame| frame.found.is_some());
    for (is_there, colour, high, text, wide) in [
        (true, "#9aa3ad", 5.0, "truth", 70.0),
        (true, "#c2410c", 2.0, "tracked", 85.0),
        (!is_known, "#c2410c", 8.0, "not reliable", 110.0),
        (has_hidden, "#cbd5e1", 12.0, "points hidden", 125.0),
        (has_change, "#fde68a", 12.0, "light changes", 110.0),
    ] {
        if !is_there {
            continue;
        }
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"{:.1}\" width=\"18\" height=\"{high}\" fill=\"{colour}\"/>\
             <text x=\"{}\" y=\"{y}\" fill=\"#222\">{text}</text>",
            y - 4.5 - 0.5 * high,
            x + 24.0
        );
        x += wide;
    }
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{y}\" fill=\"#444\" text-anchor=\"end\">{:.2} px mean error, correlation {:.4}</text>",
        FRAME[2],
        run.mean_error(),
        run.correlation()
    );
}
