//! Arguments of `vivant trace eyes --texture`.

use crate::args::within;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Options for motion synthesized from a recording.
#[derive(Debug, Default, Args)]
pub(crate) struct Textured {
    /// The eye texture to synthesize from, made by `vivant learn eyes`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["hmf", "preset", "evoked", "strategy", "state", "liveliness", "attentiveness", "blink_rate"])]
    pub(crate) texture: Option<PathBuf>,
    /// The interval in seconds in which the eyes look ahead
    #[arg(long, value_name = "FROM..TO", requires = "texture", value_parser = span)]
    pub(crate) look_ahead: Option<[f64; 2]>,
    /// A side not to look at; may be given several times
    #[arg(long, value_name = "SIDE", requires = "texture")]
    pub(crate) avoid: Vec<Side>,
    /// Time of a blink in seconds; may be given several times
    #[arg(long, value_name = "S", requires = "texture", value_parser = instant)]
    pub(crate) blink_at: Vec<f64>,
    /// A corpus to use, with its share of the time relative to the others; may be given several times
    #[arg(long, value_name = "NAME[:WEIGHT]", requires = "texture", value_parser = weighted)]
    pub(crate) corpus: Vec<(String, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Side {
    Left,
    Right,
    Up,
    Down,
}

fn span(text: &str) -> Result<[f64; 2], String> {
    let advice = || "give two times in seconds, as in 5..20".to_owned();
    let (from, to) = text.split_once("..").ok_or_else(advice)?;
    let span = [instant(from), instant(to)];
    match span {
        [Ok(from), Ok(to)] if from < to => Ok([from, to]),
        _ => Err(advice()),
    }
}

fn instant(text: &str) -> Result<f64, String> {
    within(text, 0.0, 36_000.0, "seconds")
}

fn weighted(text: &str) -> Result<(String, f64), String> {
    let (name, weight) = text.rsplit_once(':').unwrap_or((text, "1"));
    let weight = within(weight, 0.0, 1e6, "as its weight, as in calm:2")?;
    Ok((name.to_owned(), weight))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_and_weights_are_read_or_explained() {
        assert_eq!(span("5..20"), Ok([5.0, 20.0]));
        assert_eq!(span("0.5..1"), Ok([0.5, 1.0]));
        for wrong in ["5", "20..5", "5..", "..", "a..b", "-1..3", "5..5", "1..1e9"] {
            assert!(span(wrong).unwrap_err().contains("5..20"), "{wrong}");
        }
        assert_eq!(weighted("calm"), Ok(("calm".into(), 1.0)));
        assert_eq!(weighted("calm:2.5"), Ok(("calm".into(), 2.5)));
        assert!(weighted("calm:x").unwrap_err().contains("calm:2"));
    }
}
