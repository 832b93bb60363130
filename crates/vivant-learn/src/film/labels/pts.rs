//! Imports `.pts` files: a version, a number of points, and the points in curly brackets. One file is one image.

use super::{Imported, MAX_SIDE, sixty_eight};
use glam::DVec2;
use vivant_io::json::words::short;
use vivant_io::limits::within;
use vivant_io::{Error, Result};

/// Maximum file size; 68 points need far less.
const MAX_BYTES: usize = 64 << 10;

/// Reads a `.pts` file with 68 face points or our 18 points.
///
/// In the file, the first pixel has the coordinate 1, as in Matlab; in the result, it has the coordinate 0.
///
/// # Errors
/// Returns an error with the line if the file is not in this format, or if it has another number of points.
pub fn import_pts(name: &str, bytes: &[u8]) -> Result<Imported> {
    let read = || {
        within("file", "bytes", bytes.len(), MAX_BYTES)?;
        let text = String::from_utf8_lossy(bytes);
        let points = points(text.strip_prefix('\u{feff}').unwrap_or(&text))?;
        let (points, warnings) = sixty_eight::points_of(&points, "points")?;
        Ok(Imported::new(name, points, warnings))
    };
    read().map_err(|error: Error| error.in_file(short(name)))
}

fn points(text: &str) -> Result<Vec<DVec2>> {
    let mut points = Vec::new();
    let (mut count, mut inside, mut closed) = (None, false, false);
    for (index, line) in text.lines().enumerate() {
        let place = format!("line {}", index + 1);
        let line = line.split("//").next().unwrap_or_default().trim();
        match line {
            "" => {}
            "{" if !inside && !closed => inside = true,
            "}" if inside => (inside, closed) = (false, true),
            _ if inside => points.push(point(&place, line)?),
            _ if closed => {
                return Err(Error::at(place, "unexpected text after `}`; one file must have one image"));
            }
            _ => count = field(&place, line)?.or(count),
        }
    }
    if !closed {
        return Err(Error::new(
            "the file has no points between `{` and `}`, or is truncated; use a .pts file",
        ));
    }
    match count {
        Some(count) if count != points.len() => Err(Error::at(
            "n_points",
            format!("the count is {count}, but there are {} points; correct it", points.len()),
        )),
        _ => Ok(points),
    }
}

/// Parses a line before the points: `version: 1` or `n_points: 68`.
fn field(place: &str, line: &str) -> Result<Option<usize>> {
    let error = |what: &str| Error::at(place, format!("`{}` {what}", short(line)));
    let (key, value) = line.split_once(':').ok_or_else(|| {
        error("is not a field; a .pts file has `version: 1`, `n_points: 68` and the points in `{` and `}`")
    })?;
    match key.trim() {
        "n_points" => value.trim().parse().map(Some).map_err(|_| error("needs a whole number of points")),
        "version" => Ok(None),
        _ => Err(error("is an unknown field; expected `version` or `n_points`")),
    }
}

fn point(place: &str, line: &str) -> Result<DVec2> {
    let error = || Error::at(place, format!("`{}` is not a point; expected x and y in pixels", short(line)));
    let mut numbers = line.split_whitespace().map(str::parse::<f64>);
    let (Some(Ok(x)), Some(Ok(y)), None) = (numbers.next(), numbers.next(), numbers.next()) else {
        return Err(error());
    };
    let point = DVec2::new(x, y) - 1.0;
    (point.abs().max_element() <= MAX_SIDE as f64).then_some(point).ok_or_else(error)
}
