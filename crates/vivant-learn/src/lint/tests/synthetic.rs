//! A synthetic person built from published values only, independent of the engine. Each changed parameter is a
//! defect.

use crate::lint::check::length;
use crate::lint::{Activity, Trace};
use crate::recording::Gaze;
use std::f64::consts::TAU;
use vivant::chance::{Chance, Draw};
use vivant::math::{cos, exp, ln, pow, sin, sin_cos};

/// Movement parameters of a synthetic person. The default is human.
#[derive(Clone)]
pub(super) struct Person {
    pub(super) seed: u64,
    pub(super) rate_hz: f64,
    pub(super) secs: f64,
    pub(super) blinks_per_min: f64,
    /// Log-normal sigma of inter-blink intervals.
    pub(super) spread: f64,
    /// Log-normal sigma of fixation durations.
    pub(super) glance_spread: f64,
    /// Probability that a large shift evokes a blink.
    pub(super) evoked: f64,
    /// Seconds from each blink to an additional second blink; `None` for no second blink.
    pub(super) double_after: Option<f64>,
    /// Lid closure, 0 to 1, at a time in seconds after blink onset.
    pub(super) closure: fn(f64) -> f64,
    /// Blink amplitude of the left and the right eye.
    pub(super) depth: [f64; 2],
    /// Relative blink amplitude for a uniform random number.
    pub(super) blink_size: fn(f64) -> f64,
    /// Relative blink duration for a relative amplitude.
    pub(super) blink_secs: fn(f64) -> f64,
    /// Lid following: change of the aperture per degree of pitch.
    pub(super) follow: f64,
    /// Delay of lid following in seconds.
    pub(super) lag: f64,
    /// Time constant of lid smoothing in seconds; 0 for no smoothing.
    pub(super) creep: f64,
    /// Median fixation duration in seconds.
    pub(super) rest: f64,
    /// Saccade amplitude in degrees for a uniform random number.
    pub(super) size: fn(f64) -> f64,
    /// Share of small saccades that are nearly horizontal, or nearly vertical if `is_upright` is true.
    pub(super) level: f64,
    /// True to exchange horizontal and vertical saccades.
    pub(super) is_upright: bool,
    /// Saccade duration as a multiple of the human duration.
    pub(super) slowness: f64,
    /// Progress of a saccade, 0 to 1, after a share of its duration.
    pub(super) profile: fn(f64) -> f64,
    /// Share of the remaining distance covered per frame by exponential smoothing, instead of saccades.
    pub(super) chase: Option<f64>,
    /// Drift velocity in degrees per second.
    pub(super) drift: f64,
    /// Microsaccades per second.
    pub(super) micro: f64,
    /// VOR gain.
    pub(super) vor: f64,
    /// Share of large gaze shifts that the head contributes.
    pub(super) head_share: f64,
    /// Head onset after eye onset in seconds.
    pub(super) head_late: f64,
    /// Vergence in degrees, positive inwards.
    pub(super) vergence: f64,
    /// Share of time looking at the partner.
    pub(super) looking: f64,
    /// Standard deviation of the noise: of the gaze in degrees, and of the aperture.
    pub(super) noise: [f64; 2],
}

impl Default for Person {
    fn default() -> Self {
        Self {
            seed: 1,
            rate_hz: 120.0,
            secs: 600.0,
            blinks_per_min: 17.0,
            spread: 0.7,
            glance_spread: 0.6,
            evoked: 0.9,
            double_after: None,
            closure: blink,
            depth: [0.95, 0.93],
            blink_size: |chance| if chance < 0.8 { 1.0 } else { chance },
            blink_secs: |_| 1.0,
            follow: 0.015,
            lag: 0.005,
            creep: 0.0,
            rest: 0.4,
            size: usual_size,
            level: 0.4,
            is_upright: false,
            slowness: 1.0,
            profile: |t| kumaraswamy(t, 2.1, 2.6),
            chase: None,
            drift: 0.4,
            micro: 0.7,
            vor: 1.0,
            head_share: 0.6,
            head_late: 0.03,
            vergence: 3.0,
            looking: 0.55,
            noise: [0.0, 0.0],
        }
    }
}

/// Returns a human saccade amplitude in degrees for a uniform random number (Lee et al. 2002), sometimes a large one.
fn usual_size(chance: f64) -> f64 {
    if chance < 0.06 { 26.0 + 250.0 * chance } else { (-6.0 * ln(chance)).clamp(1.0, 26.0) }
}

/// Returns the progress, 0 to 1, after the share `t` of the time (Kumaraswamy distribution).
pub(super) fn kumaraswamy(t: f64, a: f64, b: f64) -> f64 {
    1.0 - pow(1.0 - pow(t.clamp(0.0, 1.0), a), b)
}

/// Returns the closure of a human blink after `t` seconds: 70 ms closing, 190 ms opening, slowest at the end.
pub(super) fn blink(t: f64) -> f64 {
    shaped(t, 0.07, 0.01, 0.19)
}

/// Returns the closure, after `t` seconds, of a blink that closes in `down` seconds, stays closed for `shut` seconds,
/// and opens in `up` seconds.
pub(super) fn shaped(t: f64, down: f64, shut: f64, up: f64) -> f64 {
    match t {
        t if t < 0.0 => 0.0,
        t if t < down => kumaraswamy(t / down, 2.4, 3.2),
        t if t < down + shut => 1.0,
        t => 1.0 - kumaraswamy((t - down - shut) / up, 1.9, 3.6),
    }
}

fn normal(dice: &mut Draw) -> f64 {
    (-2.0 * ln(1.0 - dice.uniform())).sqrt() * cos(TAU * dice.uniform())
}

/// A gaze shift.
#[derive(Clone, Copy)]
struct Shift {
    at: f64,
    secs: f64,
    by: [f64; 2],
    /// The head's part of the displacement.
    head: [f64; 2],
}

impl Person {
    pub(super) fn trace(&self) -> Trace {
        let mut dice = Chance::new(self.seed, "made up").event(0);
        let shifts = self.shifts(&mut dice);
        let blinks = self.blinks(&shifts, &mut dice);
        let count = (self.secs * self.rate_hz) as usize;
        let (gaze, head) = self.gaze(&shifts, count, &mut dice);
        let openness = [0, 1].map(|side| self.lids(side, &gaze.pitch_deg, &blinks, &mut dice)).to_vec();
        let eye = |inwards: f64| Gaze {
            yaw_deg: gaze.yaw_deg.iter().map(|yaw| yaw + inwards).collect(),
            pitch_deg: gaze.pitch_deg.clone(),
        };
        Trace {
            name: "made up".into(),
            rate_hz: self.rate_hz,
            eyes: Some([eye(-0.5 * self.vergence), eye(0.5 * self.vergence)]),
            gaze: Some(gaze),
            head: Some(head),
            openness,
            looks: Some(self.looks(count, &mut dice)),
            activity: Some(Activity::Speaking),
            ..Trace::default()
        }
    }

    /// Generates successive gaze shifts. A shift that would move the gaze too far from straight ahead is reversed.
    fn shifts(&self, dice: &mut Draw) -> Vec<Shift> {
        let (mut at, mut place, mut shifts) = (0.5, [0.0_f64; 2], Vec::new());
        while at < self.secs - 1.0 {
            let is_micro = dice.uniform() < self.micro / (self.micro + 1.0 / self.rest.max(0.05));
            let size = if is_micro { 0.3 + 0.5 * dice.uniform() } else { (self.size)(1.0 - dice.uniform()) };
            let mut by = self.direction(size, place, dice);
            let before = place.map(|axis| self.head_goal(axis));
            for (axis, most) in [(0, 22.0), (1, 14.0)] {
                if (place[axis] + by[axis]).abs() > most {
                    by[axis] = -by[axis].abs() * place[axis].signum();
                }
                place[axis] += by[axis];
            }
            let secs = self.slowness * (0.023 + 0.0027 * size);
            let after = place.map(|axis| self.head_goal(axis));
            shifts.push(Shift { at, secs, by, head: [after[0] - before[0], after[1] - before[1]] });
            at += secs + 0.12 + self.rest * exp(self.glance_spread * normal(dice));
        }
        shifts
    }

    /// Returns the displacement of a shift of the given size. Large shifts and many small ones are horizontal; the
    /// others have a random direction.
    fn direction(&self, size: f64, place: [f64; 2], dice: &mut Draw) -> [f64; 2] {
        let (anywhere, back) = (TAU * dice.uniform(), if place[0] > 0.0 { 0.5 * TAU } else { 0.0 });
        let aside = if dice.uniform() < 0.5 { 0.5 * TAU } else { 0.0 };
        let angle = match () {
            () if size >= 26.0 => back + 0.1 * normal(dice),
            () if dice.uniform() < self.level => aside + 0.2 * normal(dice),
            () => anywhere,
        };
        let (sin, cos) = sin_cos(angle);
        if self.is_upright { [size * sin, size * cos] } else { [size * cos, size * sin] }
    }

    /// Generates spontaneous blinks, and a blink with nearly every large shift.
    fn blinks(&self, shifts: &[Shift], dice: &mut Draw) -> Vec<f64> {
        let (mut at, mut blinks) = (1.0, Vec::new());
        if self.blinks_per_min <= 0.0 {
            return blinks;
        }
        let mean = 60.0 / self.blinks_per_min;
        while at < self.secs - 2.0 {
            blinks.push(at);
            blinks.extend(self.double_after.map(|after| at + after));
            at += (mean * exp(self.spread * normal(dice) - 0.5 * self.spread * self.spread)).max(0.45);
        }
        let large = shifts.iter().filter(|shift| length(shift.by[0], shift.by[1]) >= 33.0);
        let evoked: Vec<f64> = large.filter(|_| dice.uniform() < self.evoked).map(|shift| shift.at).collect();
        blinks.retain(|blink| evoked.iter().all(|at| (blink - at).abs() > 0.6));
        blinks.extend(evoked);
        blinks.sort_by(f64::total_cmp);
        blinks
    }

    /// Returns the gaze in the head, and the head direction.
    fn gaze(&self, shifts: &[Shift], count: usize, dice: &mut Draw) -> (Gaze, Gaze) {
        let (mut gaze, mut head) = (Gaze::default(), Gaze::default());
        let (mut drift, mut done, mut turned, mut next) = ([0.0; 2], [0.0; 2], [0.0; 2], 0);
        let mut chased = [0.0; 2];
        let step = self.drift / self.rate_hz.sqrt() * 0.35;
        for i in 0..count {
            let t = i as f64 / self.rate_hz;
            // A shift counts as finished after two seconds, because the head takes longer than the eyes. Finished
            // shifts are summed up.
            while shifts.get(next).is_some_and(|shift| t > shift.at + 2.0) {
                for axis in 0..2 {
                    done[axis] += shifts[next].by[axis];
                    turned[axis] += shifts[next].head[axis];
                }
                next += 1;
            }
            let (mut at, mut by_head) = (done, turned);
            for shift in shifts[next..].iter().take_while(|shift| shift.at <= t) {
                let share = (self.profile)(((t - shift.at) / shift.secs).clamp(0.0, 1.0));
                let head = self.head_progress(shift, t);
                for axis in 0..2 {
                    at[axis] += share * shift.by[axis];
                    by_head[axis] += head * shift.head[axis];
                }
            }
            if let Some(part) = self.chase {
                for axis in 0..2 {
                    chased[axis] += part * (at[axis] - chased[axis]);
                }
                at = chased;
            }
            for drift in &mut drift {
                *drift = pow(0.98, 120.0 / self.rate_hz) * *drift + step * normal(dice);
            }
            let sway = [2.5 * sin(TAU * 0.7 * t) + 2.0 * sin(TAU * 0.31 * t), 1.5 * sin(TAU * 0.53 * t)];
            let noise = [self.noise[0] * normal(dice), self.noise[0] * normal(dice)];
            let eye =
                |axis: usize| at[axis] - self.vor * (by_head[axis] + sway[axis]) + drift[axis] + noise[axis];
            gaze.yaw_deg.push(eye(0));
            gaze.pitch_deg.push(eye(1));
            head.yaw_deg.push(by_head[0] + sway[0]);
            head.pitch_deg.push(by_head[1] + sway[1]);
        }
        (gaze, head)
    }

    /// Returns the head angle for a gaze angle. For small gaze angles, the head hardly moves.
    fn head_goal(&self, place: f64) -> f64 {
        self.head_share * place * (place.abs() / 15.0).min(1.0)
    }

    /// Returns the progress of the head, 0 to 1, in a shift at time `t`.
    fn head_progress(&self, shift: &Shift, t: f64) -> f64 {
        let secs = 0.22 + 0.006 * length(shift.by[0], shift.by[1]);
        kumaraswamy((t - shift.at - self.head_late) / secs, 2.2, 2.8)
    }

    fn lids(&self, side: usize, pitch: &[f64], blinks: &[f64], dice: &mut Draw) -> Vec<f64> {
        let late = (self.lag * self.rate_hz).round() as usize;
        let mut openness: Vec<f64> = (0..pitch.len())
            .map(|i| (1.0 + self.follow * pitch[i.saturating_sub(late)]) + self.noise[1] * normal(dice))
            .collect();
        if self.creep > 0.0 {
            let share = 1.0 - exp(-1.0 / (self.creep * self.rate_hz));
            (1..openness.len())
                .for_each(|i| openness[i] = openness[i - 1] + share * (openness[i] - openness[i - 1]));
        }
        let sizes = Chance::new(self.seed, "blinks");
        for (index, blink) in (0..).zip(blinks) {
            let from = (blink * self.rate_hz).ceil() as usize;
            let size = (self.blink_size)(sizes.event(index).uniform());
            for (i, open) in openness.iter_mut().enumerate().skip(from).take((3.0 * self.rate_hz) as usize) {
                let closed = (self.closure)((i as f64 / self.rate_hz - blink) / (self.blink_secs)(size));
                *open *= 1.0 - self.depth[side] * size * closed;
            }
        }
        openness
    }

    /// Returns for each sample whether the partner is looked at. Gaze aversions last two seconds on average; gaze at
    /// the partner lasts long enough to reach the share `looking`.
    fn looks(&self, count: usize, dice: &mut Draw) -> Vec<bool> {
        let (mut looks, mut left, mut is_looking) = (Vec::with_capacity(count), 0.0, true);
        for _ in 0..count {
            if left <= 0.0 {
                is_looking = !is_looking || self.looking >= 1.0;
                let mean = if is_looking { 2.0 * self.looking / (1.0 - self.looking).max(1e-3) } else { 2.0 };
                left = mean * (0.5 + dice.uniform());
            }
            looks.push(is_looking);
            left -= 1.0 / self.rate_hz;
        }
        looks
    }
}
