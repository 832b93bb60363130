//! Text report of a learned blink model.

use super::{Gathered, GatheredBlinks, LeftOut, Report, Spread};

/// Returns the report as lines of text.
#[must_use]
pub fn lines(gathered: &Gathered, about: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    for GatheredBlinks { name, rate_hz, labelled, cuts } in &gathered.found {
        lines.push(format!("  {name}: {cuts} blinks at {rate_hz:.0} Hz, {labelled} labelled events"));
    }
    lines.extend(left_out(gathered.left_out));
    let count = about.shares.len();
    lines.push(format!(
        "  {count} components explain {} of the variance of {} blinks",
        percent(about.explained),
        about.blinks
    ));
    lines.extend(about.held_out.map(|held_out| {
        format!(
            "  held-out blinks: {} of the variance and {} of the lid movement explained, RMS error {:.3} of the aperture",
            percent(held_out.variance),
            percent(held_out.movement),
            held_out.rms_openness
        )
    }));
    let ms = |spread: Spread| format!("{:.0} ± {:.0} ms", spread.mean * 1e3, spread.sd * 1e3);
    lines.push(format!(
        "  duration {} (closing {}, opening {}), amplitude {} ± {} of the aperture",
        ms(about.duration_secs),
        ms(about.closing_secs),
        ms(about.opening_secs),
        percent(about.amplitude.mean),
        percent(about.amplitude.sd),
    ));
    lines.push(format!(
        "  {} of sampled blinks are physically valid; the others are sampled again",
        percent(about.possible)
    ));
    lines
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Returns the number of blinks that were left out, by reason.
fn left_out(LeftOut { other_kinds, gaps, slow, flat }: LeftOut) -> Option<String> {
    let reasons = [
        (other_kinds, "not spontaneous blinks"),
        (gaps, "with gaps"),
        (slow, "with too few samples"),
        (flat, "that do not reopen"),
    ];
    let parts: Vec<String> =
        reasons.iter().filter(|(count, _)| *count > 0).map(|(count, why)| format!("{count} {why}")).collect();
    (!parts.is_empty()).then(|| format!("  left out: {}", parts.join(", ")))
}
