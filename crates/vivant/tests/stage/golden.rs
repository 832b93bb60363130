//! Golden minutes: performances whose frames may only change on purpose.
//!
//! A minute is stored as one hash per second in `tests/golden/<name>.txt`, so that a failure shows the first second
//! that differs. `VIVANT_UPDATE=1 cargo test -p vivant` rewrites the files.

use super::{driven, fold, with_clips, with_eyes, with_learned_eyes};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use vivant::performer::Performer;

pub(crate) const SECONDS: usize = 60;

/// A performance to be hashed.
pub(crate) struct Golden {
    pub(crate) name: &'static str,
    /// Frame rates at which it must be the same.
    pub(crate) rates: &'static [u32],
    /// Number of instants per second that all these rates share; only these instants are hashed.
    pub(crate) shared_hz: u32,
    pub(crate) performer: fn() -> Performer,
}

pub(crate) const CLIPS: Golden =
    Golden { name: "clips", rates: &[30, 60, 144], shared_hz: 6, performer: with_clips };
pub(crate) const REPERTOIRE: Golden =
    Golden { name: "repertoire", rates: &[30, 60, 144], shared_hz: 6, performer: || driven::living(5) };
pub(crate) const EYES: Golden =
    Golden { name: "eyes", rates: &[24, 60, 90, 1000], shared_hz: 2, performer: with_eyes };
pub(crate) const LEARNED_EYES: Golden =
    Golden { name: "learned-eyes", rates: &[30, 60, 144], shared_hz: 6, performer: with_learned_eyes };
pub(crate) const TRACKER: Golden =
    Golden { name: "tracker", rates: &[30, 60, 144], shared_hz: 6, performer: driven::performer };

pub(crate) const ALL: [Golden; 5] = [CLIPS, REPERTOIRE, EYES, LEARNED_EYES, TRACKER];

impl Golden {
    /// Returns the hash of every second. Second 0 has the frames from 0 to 1 s, second 1 those after it up to 2 s,
    /// and so on.
    pub(crate) fn hashes(&self, fps: u32) -> [u64; SECONDS] {
        let mut hashes = [0xcbf2_9ce4_8422_2325; SECONDS];
        let mut performer = (self.performer)();
        for n in 0..=SECONDS as u32 * fps {
            let frame = performer.advance_to(f64::from(n) / f64::from(fps));
            if n % (fps / self.shared_hz) == 0 {
                let second = n.saturating_sub(1) / fps;
                hashes[second as usize] = fold(hashes[second as usize], frame);
            }
        }
        hashes
    }

    /// Asserts that the performance is the same at all rates and matches the file.
    pub(crate) fn check(&self) {
        let found: Vec<_> = self.rates.iter().map(|fps| self.hashes(*fps)).collect();
        if std::env::var_os("VIVANT_UPDATE").is_some() {
            let lines = found[0].iter().fold(String::new(), |mut text, hash| {
                writeln!(text, "{hash:016x}").expect("a string can be written to");
                text
            });
            std::fs::write(self.file(), lines).expect("tests/golden can be written to");
        }
        let kept = std::fs::read_to_string(self.file()).unwrap_or_default();
        let kept: Vec<&str> = kept.lines().collect();
        for (fps, found) in self.rates.iter().zip(found) {
            let found = found.map(|hash| format!("{hash:016x}"));
            let differs = (0..SECONDS).find(|second| kept.get(*second) != Some(&found[*second].as_str()));
            let (name, file) = (self.name, self.file());
            assert!(
                differs.is_none(),
                "the golden minute {name} at {fps} Hz differs from second {} on; if that is intended, rewrite {} \
                 with VIVANT_UPDATE=1 and describe the change in CHANGELOG.md",
                differs.unwrap_or_default(),
                file.display()
            );
        }
    }

    fn file(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(self.name).with_extension("txt")
    }
}
