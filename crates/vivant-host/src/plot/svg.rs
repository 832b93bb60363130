//! Writes a drawing as SVG.

use super::drawing::{Anchor, Colour, DASH, Drawing, Shape, Text};
use std::fmt::Write;

/// The font of PNG plots, followed by similar fonts for computers without it.
const FONTS: &str = "Noto Sans, Helvetica Neue, Helvetica, Arial, sans-serif";

pub(super) fn svg(drawing: &Drawing) -> String {
    let (width, height) = (drawing.width, drawing.height);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"{FONTS}\" fill=\"none\" stroke-linejoin=\"round\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    for shape in &drawing.shapes {
        // Writing into a String cannot fail.
        let _ = element(&mut text, shape);
    }
    text.push_str("</svg>\n");
    text
}

fn element(out: &mut String, shape: &Shape) -> std::fmt::Result {
    match shape {
        Shape::Box { x, y, width, height, colour } => {
            let (x, y, width, height) = (short(*x), short(*y), short(*width), short(*height));
            let fill = hex(*colour);
            writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>")
        }
        Shape::Line { points, width, colour, dashed } => {
            write!(
                out,
                "<polyline points=\"{}\" stroke=\"{}\" stroke-width=\"{width}\"",
                pairs(points),
                hex(*colour)
            )?;
            if *dashed {
                write!(out, " stroke-dasharray=\"{} {}\"", DASH[0], DASH[1])?;
            }
            out.push_str("/>\n");
            Ok(())
        }
        Shape::Polygon { points, colour } => {
            writeln!(out, "<polygon points=\"{}\" fill=\"{}\"/>", pairs(points), hex(*colour))
        }
        Shape::Text(text) => words(out, text),
    }
}

fn pairs(points: &[(f64, f64)]) -> String {
    let pairs = points.iter().map(|(x, y)| format!("{},{}", short(*x), short(*y)));
    pairs.collect::<Vec<_>>().join(" ")
}

fn words(out: &mut String, text: &Text) -> std::fmt::Result {
    let (x, y, size, fill) = (short(text.x), short(text.y), text.size, hex(text.colour));
    write!(out, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\"")?;
    match text.anchor {
        Anchor::Start => {}
        Anchor::Middle => out.push_str(" text-anchor=\"middle\""),
        Anchor::End => out.push_str(" text-anchor=\"end\""),
    }
    if text.bold {
        out.push_str(" font-weight=\"600\"");
    }
    writeln!(out, ">{}</text>", escaped(&text.words))
}

/// Rounds to hundredths of a pixel, for smaller files.
fn short(pixels: f64) -> f64 {
    (pixels * 100.0).round() / 100.0 + 0.0
}

fn hex(Colour(red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let text = Text {
            x: 1.0,
            y: -0.001,
            size: 12.0,
            anchor: Anchor::End,
            colour: Colour(1, 2, 255),
            bold: true,
            words: "a<b & c>d".into(),
        };
        let drawing = Drawing { width: 10.0, height: 5.0, shapes: vec![Shape::Text(text)] };
        let line = "<text x=\"1\" y=\"0\" font-size=\"12\" fill=\"#0102ff\" text-anchor=\"end\" \
                    font-weight=\"600\">a&lt;b &amp; c&gt;d</text>";
        assert_eq!(svg(&drawing).lines().nth(2), Some(line));
    }
}
