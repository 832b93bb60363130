//! Random variations of speech: other vocal tracts, rooms, microphones and telephone lines.

use crate::speech::Speech;
use vivant::chance::{Chance, Draw};
use vivant::math;

/// Changes the length of the vocal tract, the room, the spectrum, the noise and the level.
pub fn vary(speech: &Speech, chance: Chance, index: u64) -> Speech {
    let mut draw = chance.event(index);
    let mut varied = speech.clone();
    tract(&mut varied, &mut draw);
    if draw.uniform() < 0.25 {
        room(&mut varied, &mut draw);
    }
    tilt(&mut varied.samples, &mut draw);
    if draw.uniform() < 0.08 {
        telephone(&mut varied.samples, f64::from(varied.rate_hz));
    }
    scale(&mut varied.samples, 1.0);
    silence_around(&mut varied, &mut draw);
    breaths(&mut varied, &mut draw);
    noise(&mut varied.samples, &mut draw, chance, index);
    let gain = decibels(draw.between(-45.0, -12.0));
    varied.samples.iter_mut().for_each(|sample| *sample *= gain);
    varied
}

/// Joins utterances of one voice, with pauses between them.
pub fn joined<'a>(utterances: impl Iterator<Item = &'a Speech>, mut draw: Draw) -> Speech {
    let mut whole = Speech { rate_hz: 0, samples: Vec::new(), phones: Vec::new() };
    for speech in utterances {
        let rate_hz = f64::from(speech.rate_hz);
        whole.rate_hz = speech.rate_hz;
        let begin = whole.samples.len() as f64 / rate_hz;
        whole
            .phones
            .extend(speech.phones.iter().map(|&(start, end, viseme)| (begin + start, begin + end, viseme)));
        whole.samples.extend(&speech.samples);
        let (end, pause) = (whole.samples.len() as f64 / rate_hz, draw.between(-0.3, 0.6).max(0.0));
        whole.samples.extend(std::iter::repeat_n(0.0, (pause * rate_hz) as usize));
        whole.phones.push((end, end + pause, Some(0)));
    }
    whole
}

/// Changes the sampling rate, which shifts all formants and the pitch.
fn tract(speech: &mut Speech, draw: &mut Draw) {
    let factor = draw.between(0.88, 1.14);
    let rate_hz = (f64::from(speech.rate_hz) * factor).round().max(8000.0);
    let stretch = f64::from(speech.rate_hz) / rate_hz;
    speech.rate_hz = rate_hz as u32;
    for (start, end, _) in &mut speech.phones {
        (*start, *end) = (*start * stretch, *end * stretch);
    }
}

/// Adds a few decaying echoes.
fn room(speech: &mut Speech, draw: &mut Draw) {
    for _ in 0..4 {
        let delay = (draw.between(0.006, 0.06) * f64::from(speech.rate_hz)) as usize;
        let share = draw.between(0.05, 0.35) as f32;
        for n in delay..speech.samples.len() {
            speech.samples[n] += share * speech.samples[n - delay];
        }
        speech.samples.iter_mut().for_each(|sample| *sample /= 1.0 + share);
    }
}

/// Filters with a pole or a zero, which makes the sound darker or brighter.
fn tilt(samples: &mut [f32], draw: &mut Draw) {
    let (share, is_pole) = (draw.between(-0.5, 0.8) as f32, draw.uniform() < 0.5);
    let mut before = 0.0;
    for sample in samples {
        let now = if is_pole { *sample + share * before } else { *sample - share * before };
        before = if is_pole { now } else { *sample };
        *sample = now;
    }
}

/// Filters to 300 to 3400 Hz, with slopes of 24 dB per octave.
pub fn telephone(samples: &mut [f32], rate_hz: f64) {
    for _ in 0..4 {
        let (low, high) = (pole(3400.0, rate_hz), pole(200.0, rate_hz));
        let (mut kept, mut slow) = (0.0, 0.0);
        for sample in &mut *samples {
            kept += low * (*sample - kept);
            slow += high * (kept - slow);
            *sample = kept - slow;
        }
    }
}

fn pole(hz: f64, rate_hz: f64) -> f32 {
    (1.0 - math::exp(-std::f64::consts::TAU * hz / rate_hz)) as f32
}

/// Scales samples to a given root mean square.
fn scale(samples: &mut [f32], to: f32) {
    let power: f32 = samples.iter().map(|x| x * x).sum::<f32>() / samples.len().max(1) as f32;
    let gain = to / power.sqrt().max(1e-6);
    samples.iter_mut().for_each(|sample| *sample *= gain);
}

fn silence_around(speech: &mut Speech, draw: &mut Draw) {
    let [before, after] = [0; 2].map(|_: u32| draw.between(0.0, 1.2));
    let samples = |secs: f64| (secs * f64::from(speech.rate_hz)) as usize;
    let (front, back) = (samples(before), samples(after));
    let before = front as f64 / f64::from(speech.rate_hz);
    speech.samples.splice(0..0, std::iter::repeat_n(0.0, front));
    speech.samples.extend(std::iter::repeat_n(0.0, back));
    speech.phones.iter_mut().for_each(|(start, end, _)| (*start, *end) = (*start + before, *end + before));
    let end = speech.phones.last().map_or(before, |phone| phone.1);
    speech.phones.insert(0, (0.0, before, Some(0)));
    speech.phones.push((end, f64::INFINITY, Some(0)));
}

/// Adds breathing: noise that swells and fades, in every third silence that is long enough.
fn breaths(speech: &mut Speech, draw: &mut Draw) {
    let rate_hz = f64::from(speech.rate_hz);
    let total = speech.samples.len();
    let place = |secs: f64| ((secs.min(1e6) * rate_hz) as usize).min(total);
    let silences = speech.phones.iter().filter(|(_, _, viseme)| *viseme == Some(0));
    let silences: Vec<_> = silences.map(|(start, end, _)| place(*start)..place(*end)).collect();
    for silence in silences {
        let length = (draw.between(0.15, 0.5) * rate_hz) as usize;
        let (happens, after) = (draw.uniform() < 0.35, draw.uniform());
        let (gain, dark) = (decibels(draw.between(-42.0, -20.0)), draw.between(0.0, 0.9) as f32);
        if !happens || silence.len() <= length {
            continue;
        }
        let begin = silence.start + ((silence.len() - length) as f64 * after) as usize;
        let gain = gain * (1.0 - dark * dark).sqrt() * 12.0_f32.sqrt();
        let mut kept = 0.0;
        for n in 0..length {
            let swell = math::sin(std::f64::consts::PI * n as f64 / length as f64) as f32;
            kept = dark * kept + draw.uniform() as f32 - 0.5;
            speech.samples[begin + n] += gain * swell * kept;
        }
    }
}

/// Adds noise that is 6 to 50 dB below the voice. Its spectrum is white to dark, and its level rises and falls by up
/// to 9 dB. Sometimes distant voices are added.
fn noise(samples: &mut [f32], draw: &mut Draw, chance: Chance, index: u64) {
    let (gain, dark) = (decibels(-draw.between(6.0, 50.0)), draw.between(0.0, 0.97) as f32);
    let swells: [(f64, f64, f64); 3] = [(); 3].map(|()| {
        (draw.between(0.0, 0.35), draw.between(1e-5, 4e-4), draw.between(0.0, std::f64::consts::TAU))
    });
    if draw.uniform() < 0.3 {
        let gain = decibels(-draw.between(14.0, 34.0));
        let backwards: Vec<f32> = samples.iter().rev().copied().collect();
        samples.iter_mut().zip(backwards).for_each(|(sample, other)| *sample += gain * other);
    }
    let mut noise = chance.event(index ^ (1 << 40));
    // Corrects for the gain of the pole, and for the standard deviation of a uniform random number.
    let gain = gain * (1.0 - dark * dark).sqrt() * 12.0_f32.sqrt();
    let (mut kept, mut swell) = (0.0, 1.0);
    for (n, sample) in samples.iter_mut().enumerate() {
        if n % 64 == 0 {
            let wave = |&(size, turn, phase): &(f64, f64, f64)| {
                size * math::sin(phase + turn * std::f64::consts::TAU * n as f64)
            };
            swell = math::exp(swells.iter().map(wave).sum::<f64>()) as f32;
        }
        kept = dark * kept + noise.uniform() as f32 - 0.5;
        *sample += gain * swell * kept;
    }
}

fn decibels(db: f64) -> f32 {
    math::pow(10.0, db / 20.0) as f32
}
