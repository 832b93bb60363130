use super::drawing::Shape;
use super::*;
use crate::trace::{self, BlinkShape, COLUMNS, LidShape, OneBlink, Table};
use vivant::chance::Chance;
use vivant::eyes::blink::BlinkProfile;
use vivant::eyes::direction::Direction;
use vivant::eyes::saccade::{MainSequence, Saccade};

/// Eases from 0 to 1 while time goes from `start` to `start + secs`.
fn ease(t: f64, start: f64, secs: f64) -> f64 {
    let x = ((t - start) / secs).clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// Lid closure of a blink, from 0 to 1.
fn blink(t: f64, start: f64) -> f64 {
    ease(t, start, 0.07) - ease(t, start + 0.08, 0.18)
}

fn row(t: f64, gaze: (f64, f64), head: (f64, f64), shut: f64) -> Vec<f64> {
    let eye = (gaze.0 - head.0, gaze.1 - head.1);
    let lid = eye.1 * 0.8 - shut * 30.0;
    let open = 1.0 - shut;
    let blinks = f64::from(u8::from(shut > 0.0));
    let (yaw, pitch) = eye;
    vec![t, yaw, pitch, yaw, pitch, head.0, head.1, 0.0, gaze.0, gaze.1, lid, lid, open, open, blinks]
}

fn table(title: &str, rows: Vec<Vec<f64>>) -> Table {
    Table::of(COLUMNS, rows.concat()).titled(title)
}

/// A gaze shift to the left, or to the left and down, with a blink.
fn gaze_shift(pitch: f64) -> Table {
    let at = |i: usize| {
        let t = i as f64 * 1e-3;
        let (eye, head) = (ease(t, 0.1, 0.12), ease(t, 0.15, 0.5));
        row(t, (40.0 * eye, pitch * eye), (25.0 * head, pitch * 0.4 * head), blink(t, 0.11))
    };
    let target = Some(Direction::new(40.0, pitch));
    Table { target, ..table("Gaze shift from 0° to 40°", (0..1001).map(at).collect()) }
}

/// A gaze shift every half second and a blink every four seconds.
fn eyes(secs: f64, rate: f64) -> Table {
    let chance = Chance::new(7, "plot");
    let goal = |i: i64, which: u64| {
        let mut draw = chance.event(i.max(0) as u64 * 2 + which);
        30.0 * (draw.uniform() - 0.5)
    };
    let at = |i: usize| {
        let t = i as f64 / rate;
        let n = (t * 2.0).floor();
        let path = |which, from: f64, secs| {
            let (old, new) = (goal(n as i64 - 1, which), goal(n as i64, which));
            old + (new - old) * ease(t, n * 0.5 + from, secs)
        };
        let gaze = (path(0, 0.0, 0.05), 0.4 * path(1, 0.0, 0.05));
        let head = (0.5 * path(0, 0.02, 0.4), 0.1 * path(1, 0.02, 0.4));
        row(t, gaze, head, blink(t, (t / 4.0).floor() * 4.0 + 1.0))
    };
    let title = "Eyes, seed 7\n15 blinks per minute · 120 saccades per minute, 12.3° each";
    table(title, (0..(secs * rate) as usize).map(at).collect())
}

fn measured_blink() -> Table {
    let shape = BlinkShape::Of(BlinkProfile::Evinger);
    let blink =
        OneBlink { amplitude_deg: 35.0, shape, duration_secs: None, model: None, seed: 1, closure: None };
    blink.table(trace::RATE_HZ).unwrap()
}

fn svg_of(table: &Table) -> String {
    String::from_utf8(super::trace(table, Format::Svg).unwrap()).unwrap()
}

/// Checks the contents of a plot: the panels, the numbers of curves, dashed lines and boxes (including the
/// background), and the texts.
fn check(table: &Table, panels: &[&str], [curves, dashed, boxes]: [usize; 3], words: &[&str]) {
    let svg = svg_of(table);
    let lines = || svg.lines().filter(|line| line.starts_with("<polyline"));
    let panel = |line: &&str| line.contains("font-size=\"13\"") && line.contains("font-weight");
    let headings = svg.lines().filter(panel).map(words_of).collect::<Vec<_>>();
    assert_eq!(headings, panels);
    let widths = [layout::THICK, layout::THIN].map(|width| format!("stroke-width=\"{width}\""));
    let is_curve = |line: &&str| widths.iter().any(|width| line.contains(width));
    assert_eq!(lines().filter(is_curve).count(), curves, "curves");
    assert_eq!(lines().filter(|line| line.contains("dasharray")).count(), dashed, "dashed lines");
    assert_eq!(svg.matches("<rect").count(), boxes, "boxes");
    let written = svg.lines().filter(|line| line.starts_with("<text")).map(words_of).collect::<Vec<_>>();
    for word in words.iter().chain(&[table.title.lines().next().unwrap()]) {
        assert!(written.contains(word), "{word} not found in {written:?}");
    }
}

fn words_of(line: &str) -> &str {
    line.split(['>', '<']).nth(2).unwrap_or_default()
}

#[test]
fn a_gaze_shift_plot_shows_eye_head_gaze_target_and_blink() {
    let words = ["gaze", "head", "eye in head", "target", "both", "seconds", "0.5", "−10"];
    check(&gaze_shift(-15.0), &["Horizontal", "Vertical", "Upper lids", "Aperture"], [8, 2, 3], &words);
}

#[test]
fn panels_without_movement_are_left_out() {
    check(
        &gaze_shift(0.0),
        &["Horizontal", "Upper lids", "Aperture"],
        [5, 1, 3],
        &["degrees, positive to the left"],
    );
}

#[test]
fn eyes_that_differ_have_separate_lines() {
    let mut wink = gaze_shift(0.0);
    wink.values.chunks_mut(COLUMNS.len()).for_each(|row| (row[11], row[13]) = (0.0, 1.0));
    check(&wink, &["Horizontal", "Upper lids", "Aperture"], [7, 1, 3], &["left", "right"]);
}

#[test]
fn long_traces_have_a_tick_per_blink_and_no_target() {
    let table = eyes(60.0, 60.0);
    let unit = "degrees, 0 when looking straight ahead; ticks mark blinks";
    let subtitle = "15 blinks per minute · 120 saccades per minute, 12.3° each";
    let words = [unit, subtitle, "50", "seconds"];
    check(&table, &["Horizontal", "Vertical", "Upper lids", "Aperture"], [8, 0, 1], &words);
    assert_eq!(
        svg_of(&table).matches("#6a4c93").count(),
        2 * 15,
        "expected a tick for every blink, in two panels"
    );
}

#[test]
fn single_movements_show_position_and_velocity() {
    let saccade = Saccade { amplitude_deg: 10.0, main_sequence: MainSequence::Collewijn };
    let saccade = trace::saccade(&saccade, trace::RATE_HZ).unwrap();
    check(&saccade, &["Horizontal", "Velocity"], [2, 0, 1], &["gaze", "milliseconds", "10"]);
    let lid = trace::lid_saccade(10.0, -15.0, LidShape::Evinger, trace::RATE_HZ).unwrap();
    check(&lid, &["Upper lids", "Velocity"], [2, 0, 1], &["both", "degrees per second"]);
    let phases = ["closing 66 ms", "closed 8 ms", "opening 181 ms"];
    check(&measured_blink(), &["Upper lids", "Velocity"], [2, 2, 2], &phases);
}

#[test]
fn traces_without_movement_can_be_plotted() {
    let still = |rows: usize| (0..rows).map(|i| row(i as f64, (0.0, 0.0), (0.0, 0.0), 0.0)).collect();
    check(&table("Still", still(9)), &["Horizontal"], [3, 0, 1], &["gaze", "0.0"]);
    // A single moment has no line, only its name.
    check(&table("Now", still(1)), &["Horizontal"], [0, 0, 1], &["gaze"]);
    decoded(&super::trace(&table("Now", still(1)), Format::Png).unwrap());
    let fault = super::trace(&table("Never", Vec::new()), Format::Png).unwrap_err();
    assert!(fault.to_string().contains("empty trace"), "{fault}");
}

#[test]
fn long_traces_give_small_files_and_keep_spikes() {
    let mut table = eyes(600.0, 60.0);
    table.values[20_011 * COLUMNS.len() + 8] = 77.0;
    let svg = svg_of(&table);
    assert!(svg.len() < 200_000, "{} bytes", svg.len());
    let highest = svg.lines().filter(|line| line.contains("#0072b2\" stroke-width")).flat_map(points);
    // The spike is the highest value, and 0.07 of the panel's 140 pixels stay free above it.
    let (x, y) = highest.fold((0.0, f64::INFINITY), |a, b| if b.1 < a.1 { b } else { a });
    let heading = svg.lines().find(|line| line.contains(">Horizontal<")).unwrap();
    let top = attribute(heading, "y") + 9.0;
    assert!((8.0..9.0).contains(&(y - top)), "{y} below {top}");
    let share =
        (x - 58.0) / (attribute(svg.lines().find(|l| l.contains(">gaze<")).unwrap(), "x") - 8.0 - 58.0);
    assert!((share - 20_011.0 / 35_999.0).abs() < 1e-4, "{share}");
}

fn points(line: &str) -> impl Iterator<Item = (f64, f64)> {
    let pairs = line.split('"').nth(1).unwrap_or_default().split(' ');
    pairs.filter_map(|pair| pair.split_once(',')).map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()))
}

fn attribute(line: &str, name: &str) -> f64 {
    line.split(&format!(" {name}=\""))
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .unwrap()
        .parse()
        .unwrap()
}

#[test]
fn texts_do_not_overlap_and_stay_on_the_page() {
    let font = Font::new().unwrap();
    for table in [gaze_shift(-15.0), gaze_shift(0.0), eyes(60.0, 60.0), measured_blink(), long_title()] {
        let drawing = layout::drawing(&Figure::new(&table).unwrap(), &font);
        let boxes = drawing.shapes.iter().filter_map(|shape| extent(shape, &font)).collect::<Vec<_>>();
        for (i, (words, [left, top, right, bottom])) in boxes.iter().enumerate() {
            assert!(*left >= 0.0 && *right <= drawing.width && *bottom <= drawing.height, "{words}");
            for (other, [l, t, r, b]) in &boxes[i + 1..] {
                assert!(r < left || l > right || b < top || t > bottom, "{words} touches {other}");
            }
        }
    }
}

fn long_title() -> Table {
    Table {
        title: "How the eyes move: ".repeat(9) + "\n" + &"one more number, ".repeat(12),
        ..gaze_shift(5.0)
    }
}

/// Returns a text with its left, top, right and bottom; small letters are half as high as the font size.
fn extent(shape: &Shape, font: &Font) -> Option<(String, [f64; 4])> {
    let Shape::Text(text) = shape else { return None };
    let width = font.width(&text.words, text.size);
    let left = text.x - width * text.anchor.share_before();
    Some((text.words.clone(), [left, text.y - 0.72 * text.size, left + width, text.y + 0.2 * text.size]))
}

/// Returns a PNG's width, height and pixels.
pub(super) fn decoded(file: &[u8]) -> (usize, usize, Vec<u8>) {
    let mut reader = ::png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.color_type, info.bit_depth), (::png::ColorType::Rgb, ::png::BitDepth::Eight));
    pixels.truncate(info.buffer_size());
    (info.width as usize, info.height as usize, pixels)
}

#[test]
fn a_png_has_twice_the_size_of_the_svg_and_content_in_every_panel() {
    for table in [gaze_shift(-15.0), eyes(60.0, 60.0), measured_blink()] {
        let svg = svg_of(&table);
        let root = svg.lines().next().unwrap();
        let (width, height, pixels) = decoded(&super::trace(&table, Format::Png).unwrap());
        assert_eq!(width as f64, 2.0 * attribute(root, "width"));
        assert_eq!(height as f64, 2.0 * attribute(root, "height"));
        assert_eq!(pixels.len(), width * height * 3);
        let is_ink = |x: usize, y: usize| pixels[(y * width + x) * 3..][..3] != [255; 3];
        let share = |rows: std::ops::Range<usize>, columns: std::ops::Range<usize>| {
            let all = rows.len() * columns.len();
            rows.flat_map(|y| columns.clone().map(move |x| (x, y))).filter(|(x, y)| is_ink(*x, *y)).count()
                as f64
                / all as f64
        };
        for heading in svg.lines().filter(|line| line.contains("font-size=\"13\"") && line.contains("weight"))
        {
            let base = 2 * attribute(heading, "y") as usize;
            let (words, panel) = (share(base - 20..base, 40..160), share(base + 18..base + 280, 116..1400));
            assert!((0.1..0.6).contains(&words), "{heading}: {words}");
            assert!((0.02..0.45).contains(&panel), "{heading}: {panel}");
        }
        assert_eq!(share(0..20, 0..width), 0.0, "the margin must be empty");
    }
}

#[test]
fn the_extension_selects_the_format() {
    assert_eq!(Format::of(Path::new("a.svg")).unwrap(), Format::Svg);
    assert_eq!(Format::of(Path::new("a.b.PNG")).unwrap(), Format::Png);
    for wrong in ["a.jpg", "a", "svg", "a.svgz"] {
        let fault = Format::of(Path::new(wrong)).unwrap_err().to_string();
        assert!(fault.starts_with(wrong) && fault.contains(".svg or .png"), "{fault}");
    }
}
