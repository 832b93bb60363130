//! What was learned, as text.

use super::{Gathered, GatheredBlinks, LeftOut, Report, Spread};

/// Returns what was learned, and from what, as lines of text.
#[must_use]
pub fn lines(gathered: &Gathered, about: &Report) -> Vec<String> {
    let mut lines = Vec::new();
    for GatheredBlinks { name, rate_hz, labelled, cuts } in &gathered.found {
        lines.push(format!("  {name}: {cuts} blinks at {rate_hz:.0} Hz; {labelled} events were labelled"));
    }
    lines.extend(left_out(gathered.left_out));
    let count = about.shares.len();
    lines.push(format!(
        "  {count} components explain {} of {} blinks",
        percent(about.explained),
        about.blinks
    ));
    lines.extend(about.held_out.map(|held_out| {
        format!(
            "  of blinks that were held out they explain {}; of the lid's movement {}, to {:.3} of the aperture",
            percent(held_out.variance),
            percent(held_out.movement),
            held_out.rms_openness
        )
    }));
    let ms = |spread: Spread| format!("{:.0} ± {:.0} ms", spread.mean * 1e3, spread.sd * 1e3);
    lines.push(format!(
        "  they take {} (closing {}, opening {}) and close {} ± {} of the eye",
        ms(about.duration_secs),
        ms(about.closing_secs),
        ms(about.opening_secs),
        percent(about.amplitude.mean),
        percent(about.amplitude.sd),
    ));
    lines.push(format!(
        "  {} of what is drawn a lid can do; the rest is drawn again",
        percent(about.possible)
    ));
    lines
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// What was not learned from, if anything.
fn left_out(LeftOut { other_kinds, gaps, slow, flat }: LeftOut) -> Option<String> {
    let reasons = [
        (other_kinds, "no spontaneous blinks"),
        (gaps, "with gaps"),
        (slow, "with too few samples"),
        (flat, "that do not come back"),
    ];
    let told: Vec<String> =
        reasons.iter().filter(|(count, _)| *count > 0).map(|(count, why)| format!("{count} {why}")).collect();
    (!told.is_empty()).then(|| format!("  left out: {}", told.join(", ")))
}
