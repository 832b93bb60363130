//! Validation of textures.

use super::ranges::{
    ANGLE_DEG, EPSILON, FLOOR, OPEN_LEVEL, OPENNESS, PATCH_SECS, PER_DEG, RATE_HZ, RUN_SECS,
};
use super::{Corpus, MAX_CORPORA, MAX_FRAMES, Run, TextureDef, VERSION};
use crate::error::{Error, Result};
use std::ops::RangeInclusive;

/// Maximum number of reported problems.
const MAX_PROBLEMS: usize = 20;

pub(super) fn check(def: &TextureDef) -> Result<()> {
    let mut problems = Problems::default();
    if def.version != VERSION {
        problems.add("version", format!("unsupported version {}; use {VERSION}", def.version));
    }
    problems.number("rateHz", def.rate_hz, &RATE_HZ);
    problems.number("patchSecs", def.patch_secs, &PATCH_SECS);
    problems.number("boundarySecs", def.boundary_secs, &(0.0..=*PATCH_SECS.end()));
    problems.number("tolerance.epsilon", def.tolerance.epsilon, &EPSILON);
    problems.number("tolerance.floor", def.tolerance.floor, &FLOOR);
    problems.number("longestRunSecs", def.longest_run_secs, &RUN_SECS);
    if problems.0.is_empty() {
        problems.sizes(def);
        problems.corpora(def);
    }
    problems.into_result()
}

/// Problems found, each with its path.
#[derive(Default)]
struct Problems(Vec<String>);

impl Problems {
    fn add(&mut self, path: &str, message: impl std::fmt::Display) {
        if self.0.len() < MAX_PROBLEMS {
            self.0.push(format!("{path}: {message}"));
        }
    }

    fn into_result(self) -> Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        Err(Error::new(format!("this eye texture cannot be used:\n  {}", self.0.join("\n  "))))
    }

    fn number<T: PartialOrd + std::fmt::Display>(&mut self, path: &str, value: T, range: &RangeInclusive<T>) {
        if !range.contains(&value) {
            self.add(path, format!("{value} is out of range; give {} to {}", range.start(), range.end()));
        }
    }

    fn sizes(&mut self, def: &TextureDef) {
        let [patch, boundary] = def.frames();
        if boundary == 0 || 2 * boundary > patch {
            let message = format!(
                "a boundary of {boundary} frames does not fit a patch of {patch}; use about a fifth of the patch"
            );
            self.add("boundarySecs", message);
        }
        if def.longest_run_secs < def.patch_secs {
            self.add("longestRunSecs", "the longest run is shorter than a patch; give at least patchSecs");
        }
    }

    fn corpora(&mut self, def: &TextureDef) {
        let count = def.corpora.len();
        if !(1..=MAX_CORPORA).contains(&count) {
            self.add("corpora", format!("{count} corpora; give 1 to {MAX_CORPORA}"));
        }
        let frames = |corpus: &Corpus| corpus.runs.iter().map(|run| run.openness.len()).sum::<usize>();
        let all: usize = def.corpora.iter().map(frames).sum();
        if all > MAX_FRAMES {
            return self.add("corpora", format!("{all} frames; at most {MAX_FRAMES} are allowed"));
        }
        for (index, corpus) in def.corpora.iter().enumerate() {
            let path = format!("corpora[{index}]");
            if def.corpora[..index].iter().any(|before| before.name == corpus.name) {
                self.add(
                    &format!("{path}.name"),
                    format!("the name “{}” is already used; choose another", corpus.name),
                );
            }
            self.corpus(&path, corpus, def.frames()[0]);
        }
    }

    fn corpus(&mut self, path: &str, corpus: &Corpus, patch: usize) {
        if corpus.name.trim().is_empty() {
            self.add(&format!("{path}.name"), "is empty; give it a name");
        }
        self.number(&format!("{path}.openLevel"), corpus.open_level, &OPEN_LEVEL);
        self.number(&format!("{path}.openPerDeg"), corpus.open_per_deg, &PER_DEG);
        if corpus.runs.is_empty() {
            self.add(&format!("{path}.runs"), "is empty; add at least one run");
        }
        for (index, run) in corpus.runs.iter().enumerate() {
            self.run(&format!("{path}.runs[{index}]"), run, patch);
        }
    }

    fn run(&mut self, path: &str, run: &Run, patch: usize) {
        let count = run.openness.len();
        for (name, list) in [("yawDeg", &run.yaw_deg), ("pitchDeg", &run.pitch_deg)] {
            if list.len() != count {
                self.add(
                    &format!("{path}.{name}"),
                    format!("{} values for {count} frames; give one per frame", list.len()),
                );
            }
        }
        if count < patch {
            self.add(
                &format!("{path}.openness"),
                format!("{count} frames are too few; give at least {patch}, the length of a patch"),
            );
        }
        self.check_values(&format!("{path}.openness"), &run.openness, &OPENNESS);
        self.check_values(&format!("{path}.yawDeg"), &run.yaw_deg, &ANGLE_DEG);
        self.check_values(&format!("{path}.pitchDeg"), &run.pitch_deg, &ANGLE_DEG);
        let is_in_order = run.blinks.is_sorted_by(|a, b| a < b);
        if !is_in_order || run.blinks.last().is_some_and(|last| *last as usize >= count) {
            self.add(
                &format!("{path}.blinks"),
                format!("blinks must be frame numbers in ascending order, each below {count}"),
            );
        }
    }

    fn check_values(&mut self, path: &str, list: &[f32], range: &RangeInclusive<f32>) {
        if let Some(index) = list.iter().position(|number| !range.contains(number)) {
            self.number(&format!("{path}[{index}]"), list[index], range);
        }
    }
}
