//! What ffmpeg says while it decodes: when each frame is shown, how long the film is, and what is wrong with it.

use std::collections::BTreeMap;

/// The most complaints that are kept.
const MOST_COMPLAINTS: usize = 8;
/// The longest line that is looked at, in characters.
const MOST_CHARS: usize = 400;

/// What was said so far.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// How long a tick of the film's clock is.
    tick_secs: Option<f64>,
    pub(super) duration_secs: Option<f64>,
    pub(super) rate_hz: Option<f64>,
    /// The first complaints, in their order, and how many there were in all.
    pub(super) complaints: Vec<String>,
    pub(super) complaint_count: usize,
    /// The sizes of the video's pictures, as the film has them.
    seen: BTreeMap<String, usize>,
}

impl Log {
    /// Takes a line in; gives when a frame is shown, if it tells of one: `Some(None)` is one without a time.
    pub(super) fn take(&mut self, line: &str) -> Option<Option<f64>> {
        if line.contains("[error]") || line.contains("[fatal]") || line.contains("[panic]") {
            self.complain(line);
            return None;
        }
        let (_, said) = line.split_once("[info] ")?;
        if line.starts_with("[Parsed_showinfo") {
            return self.shown(said);
        }
        let said = said.trim_start();
        if let Some(rest) = said.strip_prefix("Duration: ") {
            self.duration_secs = clock_secs(rest.split(',').next().unwrap_or_default());
        } else if said.starts_with("Stream #") && said.contains(" Video: ") && self.rate_hz.is_none() {
            self.rate_hz = rate_hz(said);
        }
        None
    }

    /// `config in time_base: 1/12800, …` or `n:   3 pts:   1536 pts_time:0.12 …`.
    fn shown(&mut self, said: &str) -> Option<Option<f64>> {
        if let Some(rest) = said.strip_prefix("config in time_base: ") {
            let (above, below) = rest.split(',').next()?.split_once('/')?;
            let (above, below) = above.trim().parse::<f64>().ok().zip(below.trim().parse::<f64>().ok())?;
            self.tick_secs = (above > 0.0 && below > 0.0).then_some(above / below);
            return None;
        }
        let (_, rest) = said.strip_prefix("n:")?.split_once(" pts:")?;
        // `pts_time` has six digits in all, which are tenths of seconds after a day.
        let ticks = rest.split_whitespace().next().and_then(|ticks| ticks.parse::<f64>().ok());
        Some(ticks.zip(self.tick_secs).map(|(ticks, tick_secs)| ticks * tick_secs))
    }

    fn complain(&mut self, line: &str) {
        self.complaint_count += 1;
        let complaint: String = without_addresses(line).chars().take(MOST_CHARS).collect();
        let times = self.seen.entry(complaint.clone()).or_default();
        *times += 1;
        if *times == 1 && self.complaints.len() < MOST_COMPLAINTS {
            self.complaints.push(complaint);
        }
        if self.seen.len() > MOST_COMPLAINTS {
            self.seen.retain(|complaint, _| self.complaints.contains(complaint));
        }
    }

    /// How many frames the film has by its own account.
    pub(super) fn frame_count(&self) -> Option<usize> {
        let count = self.duration_secs? * self.rate_hz?;
        (count >= 1.0).then_some(count.round() as usize)
    }
}

/// `[h264 @ 0x55d5] [error] top block unavailable` without where things are in memory.
fn without_addresses(line: &str) -> String {
    let words = line
        .split_whitespace()
        .filter(|word| !word.starts_with("0x") && !matches!(*word, "@" | "[error]" | "[fatal]" | "[panic]"));
    words.map(|word| word.trim_start_matches('[')).collect::<Vec<_>>().join(" ")
}

/// `00:00:53.48`.
fn clock_secs(text: &str) -> Option<f64> {
    let mut parts = text.trim().split(':').map(|part| part.parse::<f64>().ok());
    let (hours, minutes, secs) = (parts.next()??, parts.next()??, parts.next()??);
    Some(3600.0 * hours + 60.0 * minutes + secs)
}

/// `…, 400x300, 25 fps, 25 tbr, …`; thousands are `1k`.
fn rate_hz(line: &str) -> Option<f64> {
    let word = line.split(',').find_map(|part| part.trim().strip_suffix(" fps"))?;
    let (number, times) = word.strip_suffix('k').map_or((word, 1.0), |number| (number, 1e3));
    number.parse::<f64>().ok().map(|rate| rate * times).filter(|rate| *rate > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_come_from_the_ticks_of_the_film() {
        let mut log = Log::default();
        let said = [
            ("[info]   Duration: 01:00:02.50, start: 0.000000, bitrate: 53 kb/s", None),
            ("[info]   Stream #0:1(und): Audio: aac, 48000 Hz", None),
            (
                "[info]   Stream #0:0[0x1](und): Video: h264 (High), yuv444p(progressive), 320x240 [SAR 1:1], 47 kb/s, 29.97 fps, 25 tbr",
                None,
            ),
            ("[info]   Stream #0:0: Video: wrapped_avframe, gray, 320x240, 99 fps", None),
            ("[Parsed_showinfo_0 @ 0x55d5] [info] n:   0 pts:      0 pts_time:0 ", Some(None)),
            ("[Parsed_showinfo_0 @ 0x55d5] [info] config in time_base: 1/90000, frame_rate: 25/1", None),
            ("[Parsed_showinfo_0 @ 0x55d5] [info] config out time_base: 0/0, frame_rate: 0/0", None),
            (
                "[Parsed_showinfo_0 @ 0x55d5] [info] n:   1 pts:4500003 pts_time:50 pos: 48",
                Some(Some(4_500_003.0 / 90_000.0)),
            ),
            ("[Parsed_showinfo_0 @ 0x55d5] [info] n:   2 pts: NOPTS pts_time:NOPTS", Some(None)),
            ("[Parsed_showinfo_0 @ 0x55d5] [info] color_range:unknown", None),
            ("[Parsed_showinfo_0 @ 0x55d5] [info] User Data=6e3a pts:4", None),
            ("", None),
        ];
        for (line, expected) in said {
            assert_eq!(log.take(line), expected, "{line}");
        }
        assert_eq!((log.duration_secs, log.rate_hz), (Some(3602.5), Some(29.97)));
        assert_eq!(log.frame_count(), Some(107_967));
    }

    #[test]
    fn complaints_are_counted_and_the_first_of_a_kind_kept() {
        let mut log = Log::default();
        for index in 0..100 {
            log.take(&format!("[h264 @ 0x55{index}] [error] top block unavailable"));
            log.take(&format!("[error] number {index}"));
        }
        assert_eq!((log.complaint_count, log.complaints.len()), (200, MOST_COMPLAINTS));
        assert_eq!(log.complaints[..2], ["h264 top block unavailable", "number 0"]);
        assert!(log.seen.len() <= 2 * MOST_COMPLAINTS);
    }
}
