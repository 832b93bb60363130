//! Parses the log of ffmpeg: the time of each frame, the duration of the film, and errors.
//!
//! Raw frames on standard output have no times, so ffmpeg logs each frame with the filter `showinfo`, and the times are
//! read from the log. They are computed from ticks, because the printed seconds have only six significant digits. Pass
//! each line to `Log::take`, which returns the time if the line reports a frame. A damaged film can cause thousands of
//! error messages; only the first distinct ones are kept, and the rest are counted.

use std::collections::BTreeMap;

/// Maximum number of error messages kept.
const MAX_ERRORS: usize = 8;
/// Maximum length of an error message in characters.
const MAX_CHARS: usize = 400;

/// The information collected so far.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// Seconds per tick of the film's time base.
    tick_secs: Option<f64>,
    pub(super) duration_secs: Option<f64>,
    pub(super) rate_hz: Option<f64>,
    /// The first distinct error messages; `error_count` is the number of all error messages.
    pub(super) errors: Vec<String>,
    pub(super) error_count: usize,
    /// Number of occurrences of each error message.
    seen: BTreeMap<String, usize>,
}

impl Log {
    /// Processes a line. Returns the time of a frame if the line reports a frame, and `Some(None)` for a frame
    /// without a time.
    pub(super) fn take(&mut self, line: &str) -> Option<Option<f64>> {
        if line.contains("[error]") || line.contains("[fatal]") || line.contains("[panic]") {
            self.add_error(line);
            return None;
        }
        let (_, text) = line.split_once("[info] ")?;
        if line.starts_with("[Parsed_showinfo") {
            return self.frame_time(text);
        }
        let text = text.trim_start();
        if let Some(rest) = text.strip_prefix("Duration: ") {
            self.duration_secs = clock_secs(rest.split(',').next().unwrap_or_default());
        } else if text.starts_with("Stream #") && text.contains(" Video: ") && self.rate_hz.is_none() {
            self.rate_hz = rate_hz(text);
        }
        None
    }

    /// Parses `config in time_base: 1/12800, …` or `n:   3 pts:   1536 pts_time:0.12 …`.
    fn frame_time(&mut self, text: &str) -> Option<Option<f64>> {
        if let Some(rest) = text.strip_prefix("config in time_base: ") {
            let (above, below) = rest.split(',').next()?.split_once('/')?;
            let (above, below) = above.trim().parse::<f64>().ok().zip(below.trim().parse::<f64>().ok())?;
            self.tick_secs = (above > 0.0 && below > 0.0).then_some(above / below);
            return None;
        }
        let (_, rest) = text.strip_prefix("n:")?.split_once(" pts:")?;
        // `pts_time` has six significant digits, so after a day it is only precise to tenths of seconds.
        let ticks = rest.split_whitespace().next().and_then(|ticks| ticks.parse::<f64>().ok());
        Some(ticks.zip(self.tick_secs).map(|(ticks, tick_secs)| ticks * tick_secs))
    }

    fn add_error(&mut self, line: &str) {
        self.error_count += 1;
        let message: String = without_addresses(line).chars().take(MAX_CHARS).collect();
        let times = self.seen.entry(message.clone()).or_default();
        *times += 1;
        if *times == 1 && self.errors.len() < MAX_ERRORS {
            self.errors.push(message);
        }
        if self.seen.len() > MAX_ERRORS {
            self.seen.retain(|message, _| self.errors.contains(message));
        }
    }

    /// The number of frames, computed from duration and frame rate.
    pub(super) fn frame_count(&self) -> Option<usize> {
        let count = self.duration_secs? * self.rate_hz?;
        (count >= 1.0).then_some(count.round() as usize)
    }
}

/// Removes memory addresses and log levels from a line such as `[h264 @ 0x55d5] [error] top block unavailable`.
fn without_addresses(line: &str) -> String {
    let words = line
        .split_whitespace()
        .filter(|word| !word.starts_with("0x") && !matches!(*word, "@" | "[error]" | "[fatal]" | "[panic]"));
    words.map(|word| word.trim_start_matches('[')).collect::<Vec<_>>().join(" ")
}

/// Parses `00:00:53.48`.
fn clock_secs(text: &str) -> Option<f64> {
    let mut parts = text.trim().split(':').map(|part| part.parse::<f64>().ok());
    let (hours, minutes, secs) = (parts.next()??, parts.next()??, parts.next()??);
    Some(3600.0 * hours + 60.0 * minutes + secs)
}

/// Parses `…, 400x300, 25 fps, 25 tbr, …`; thousands are written as `1k`.
fn rate_hz(line: &str) -> Option<f64> {
    let word = line.split(',').find_map(|part| part.trim().strip_suffix(" fps"))?;
    let (number, times) = word.strip_suffix('k').map_or((word, 1.0), |number| (number, 1e3));
    number.parse::<f64>().ok().map(|rate| rate * times).filter(|rate| *rate > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_computed_from_ticks() {
        let mut log = Log::default();
        let text = [
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
        for (line, expected) in text {
            assert_eq!(log.take(line), expected, "{line}");
        }
        assert_eq!((log.duration_secs, log.rate_hz), (Some(3602.5), Some(29.97)));
        assert_eq!(log.frame_count(), Some(107_967));
    }

    #[test]
    fn errors_are_counted_and_distinct_ones_kept() {
        let mut log = Log::default();
        for index in 0..100 {
            log.take(&format!("[h264 @ 0x55{index}] [error] top block unavailable"));
            log.take(&format!("[error] number {index}"));
        }
        assert_eq!((log.error_count, log.errors.len()), (200, MAX_ERRORS));
        assert_eq!(log.errors[..2], ["h264 top block unavailable", "number 0"]);
        assert!(log.seen.len() <= 2 * MAX_ERRORS);
    }
}
