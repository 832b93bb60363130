//! What can be wrong with a texture that someone learned or edited.

use super::ranges::{
    ANGLE_DEG, EPSILON, FLOOR, OPEN_LEVEL, OPENNESS, PATCH_SECS, PER_DEG, RATE_HZ, RUN_SECS,
};
use super::{Corpus, MAX_CORPORA, MAX_FRAMES, Run, TextureDef, VERSION};
use crate::error::{Error, Result};
use std::ops::RangeInclusive;

/// A file that is wrong throughout is told so a few times.
const MOST_FAULTS: usize = 20;

pub(super) fn check(def: &TextureDef) -> Result<()> {
    let mut faults = Faults::default();
    if def.version != VERSION {
        faults.add("version", format!("{} is not known; {VERSION} is", def.version));
    }
    faults.number("rateHz", def.rate_hz, &RATE_HZ);
    faults.number("patchSecs", def.patch_secs, &PATCH_SECS);
    faults.number("boundarySecs", def.boundary_secs, &(0.0..=*PATCH_SECS.end()));
    faults.number("tolerance.epsilon", def.tolerance.epsilon, &EPSILON);
    faults.number("tolerance.floor", def.tolerance.floor, &FLOOR);
    faults.number("longestRunSecs", def.longest_run_secs, &RUN_SECS);
    if faults.0.is_empty() {
        faults.sizes(def);
        faults.corpora(def);
    }
    faults.into_result()
}

/// What is wrong, each with its path.
#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn add(&mut self, path: &str, message: impl std::fmt::Display) {
        if self.0.len() < MOST_FAULTS {
            self.0.push(format!("{path}: {message}"));
        }
    }

    fn into_result(self) -> Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        Err(Error::new(format!("this eye texture cannot be used:\n  {}", self.0.join("\n  "))))
    }

    fn number<T: PartialOrd + std::fmt::Display>(&mut self, path: &str, is: T, may_be: &RangeInclusive<T>) {
        if !may_be.contains(&is) {
            self.add(path, format!("{is} is out of range; give {} to {}", may_be.start(), may_be.end()));
        }
    }

    fn sizes(&mut self, def: &TextureDef) {
        let [patch, boundary] = def.frames();
        if boundary == 0 || 2 * boundary > patch {
            let message = format!(
                "a boundary of {boundary} frames does not suit a patch of {patch}; a fifth of the patch does"
            );
            self.add("boundarySecs", message);
        }
        if def.longest_run_secs < def.patch_secs {
            self.add("longestRunSecs", "is shorter than a patch; give at least patchSecs");
        }
    }

    fn corpora(&mut self, def: &TextureDef) {
        let count = def.corpora.len();
        if !(1..=MAX_CORPORA).contains(&count) {
            self.add("corpora", format!("there are {count}; give 1 to {MAX_CORPORA}"));
        }
        let frames = |corpus: &Corpus| corpus.runs.iter().map(|run| run.openness.len()).sum::<usize>();
        let all: usize = def.corpora.iter().map(frames).sum();
        if all > MAX_FRAMES {
            return self.add("corpora", format!("{all} frames, and at most {MAX_FRAMES} are allowed"));
        }
        for (index, corpus) in def.corpora.iter().enumerate() {
            let path = format!("corpora[{index}]");
            if def.corpora[..index].iter().any(|before| before.name == corpus.name) {
                self.add(&format!("{path}.name"), format!("“{}” is there already", corpus.name));
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
            self.add(&format!("{path}.runs"), "there is nothing to make patches of");
        }
        for (index, run) in corpus.runs.iter().enumerate() {
            self.run(&format!("{path}.runs[{index}]"), run, patch);
        }
    }

    fn run(&mut self, path: &str, run: &Run, patch: usize) {
        let count = run.openness.len();
        for (name, list) in [("yawDeg", &run.yaw_deg), ("pitchDeg", &run.pitch_deg)] {
            if list.len() != count {
                self.add(&format!("{path}.{name}"), format!("{} numbers for {count} frames", list.len()));
            }
        }
        if count < patch {
            self.add(&format!("{path}.openness"), format!("{count} frames are no patch, which has {patch}"));
        }
        self.all_within(&format!("{path}.openness"), &run.openness, &OPENNESS);
        self.all_within(&format!("{path}.yawDeg"), &run.yaw_deg, &ANGLE_DEG);
        self.all_within(&format!("{path}.pitchDeg"), &run.pitch_deg, &ANGLE_DEG);
        let is_in_order = run.blinks.is_sorted_by(|a, b| a < b);
        if !is_in_order || run.blinks.last().is_some_and(|last| *last as usize >= count) {
            self.add(&format!("{path}.blinks"), format!("are frames in order, each below {count}"));
        }
    }

    fn all_within(&mut self, path: &str, list: &[f32], may_be: &RangeInclusive<f32>) {
        if let Some(index) = list.iter().position(|number| !may_be.contains(number)) {
            self.number(&format!("{path}[{index}]"), list[index], may_be);
        }
    }
}
