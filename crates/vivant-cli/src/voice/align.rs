//! When each sound of a recording is heard, if it is known what they are.
//!
//! A [`Listener`](vivant::speech::audio::Listener) hears each 10 ms how likely each shape of the mouth is; each
//! sound is about as long as [Klatt's rules](klatt) say. Of all ways to share the time among the sounds, the one is
//! taken that fits both best, by dynamic programming. There may be silence between words.
//! Time and memory grow with the product of sounds and frames, so this is for phrases.

use super::phrases::Sound;
use vivant::math;
use vivant::speech::audio::{FIRST_FRAME_SECS, FRAMES_PER_SEC, Heard};
use vivant::speech::phone::Manner;
use vivant::speech::timing::klatt::{self, Sounding};
use vivant::speech::{Phone, Viseme};

/// The longest sound, in frames.
const LONGEST: usize = 45;
/// How much a sound's length counts: the square of the logarithm of how much longer it is than expected, times this.
const LENGTH_WEIGHT: f32 = 4.0;
/// How much a frame counts. Frames that follow each other tell much the same.
const FRAME_WEIGHT: f32 = 0.5;
/// No shape is less likely than this, whatever is heard.
const LEAST_LIKELY: f32 = 0.02;
/// What a silence between words costs.
const SILENCE: f32 = 3.0;
/// How much of a heard silence may be the closure of a stop.
const CLOSURE: f32 = 0.6;

/// When the sounds begin that the first frame tells of: half a frame before its middle, and 10 ms behind, since
/// listeners were fitted to labels that are as much too early (see `docs/audio.md`).
const FIRST_BEGINS_SECS: f64 = FIRST_FRAME_SECS - 0.5 / FRAMES_PER_SEC + 0.01;

/// A sound's time, in seconds.
pub(super) type Span = (f64, f64);

/// The times of the sounds of some words, within a part of a recording.
///
/// `heard` are the frames of the whole recording. With no room for all of them, sounds share the time evenly.
pub(super) fn align(words: &[&[Sound]], heard: &[Heard], part: Span) -> Vec<Span> {
    let sounds: Vec<Sound> = words.iter().flat_map(|word| word.iter().copied()).collect();
    let first = frame_at(part.0).min(heard.len());
    let frames = &heard[first..frame_at(part.1).clamp(first, heard.len())];
    let secs = |frame: usize| match frame {
        0 => part.0,
        _ if frame == frames.len() => part.1,
        _ => (FIRST_BEGINS_SECS + (first + frame) as f64 / FRAMES_PER_SEC).clamp(part.0, part.1),
    };
    match Grid::new(words, frames).ends() {
        Some(ends) => ends.into_iter().map(|(from, to)| (secs(from), secs(to))).collect(),
        None => {
            let each = (part.1 - part.0) / sounds.len().max(1) as f64;
            (0..sounds.len()).map(|n| (part.0 + n as f64 * each, part.0 + (n + 1) as f64 * each)).collect()
        }
    }
}

/// The frame that begins here.
fn frame_at(secs: f64) -> usize {
    ((secs - FIRST_BEGINS_SECS) * FRAMES_PER_SEC).max(0.0).round() as usize
}

/// All ways to share the time.
struct Grid<'a> {
    frames: &'a [Heard],
    sounds: Vec<Sound>,
    /// Whether a word begins with the sound.
    begins: Vec<bool>,
    /// The expected lengths, in frames.
    lengths: Vec<f32>,
}

impl<'a> Grid<'a> {
    fn new(words: &[&[Sound]], frames: &'a [Heard]) -> Self {
        let mut grid = Self { frames, sounds: Vec::new(), begins: Vec::new(), lengths: Vec::new() };
        for (place, phones) in words.iter().enumerate() {
            let is_final = place + 1 == words.len();
            let lengths = klatt::lengths(Sounding { phones, is_final, is_emphatic: false });
            grid.lengths.extend(lengths.iter().map(|length| length.secs as f32));
            grid.begins.extend((0..phones.len()).map(|sound| sound == 0));
            grid.sounds.extend(phones.iter());
        }
        let whole: f32 = grid.lengths.iter().sum();
        let voiced = frames.iter().filter(|frame| frame.visemes[Viseme::Sil as usize] < 0.5).count().max(1);
        grid.lengths.iter_mut().for_each(|length| *length *= voiced as f32 / whole.max(1e-6));
        grid
    }

    /// The first and the last frame of each sound; `None` if there is no way.
    fn ends(&self) -> Option<Vec<(usize, usize)>> {
        let count = self.frames.len();
        let silent = self.costs(|frame| frame.visemes[Viseme::Sil as usize]);
        let mut row = vec![f32::INFINITY; count + 1];
        *row.first_mut()? = 0.0;
        let mut steps = Vec::with_capacity(self.sounds.len());
        for sound in 0..self.sounds.len() {
            let (rested, silences) = if self.begins[sound] { rest(&row, &silent) } else { (row, Vec::new()) };
            let (next, lengths) = self.step(sound, &rested);
            row = next;
            steps.push((lengths, silences));
        }
        let (rested, silences) = rest(&row, &silent);
        rested[count].is_finite().then(|| trace(&steps, count - usize::from(silences[count])))
    }

    /// Sums of what frames cost, up to each.
    fn costs(&self, likely: impl Fn(&Heard) -> f32) -> Vec<f32> {
        let cost =
            |frame: &Heard| -FRAME_WEIGHT * math::ln(f64::from(likely(frame).max(LEAST_LIKELY))) as f32;
        let mut sum = 0.0;
        let sums = self.frames.iter().map(|frame| {
            sum += cost(frame);
            sum
        });
        std::iter::once(0.0).chain(sums).collect()
    }

    /// The cheapest ways to end a sound at each frame, and how long it is then.
    fn step(&self, sound: usize, before: &[f32]) -> (Vec<f32>, Vec<u16>) {
        let phone = self.sounds[sound].0;
        let costs = self.costs(|frame| likeness(phone, frame));
        let lengths: Vec<f32> =
            (0..=LONGEST).map(|frames| unusual(frames as f32, self.lengths[sound])).collect();
        let mut row = vec![f32::INFINITY; before.len()];
        let mut best = vec![0; before.len()];
        for end in 1..before.len() {
            for length in 1..=LONGEST.min(end) {
                let cost = before[end - length] + costs[end] - costs[end - length] + lengths[length];
                if cost < row[end] {
                    (row[end], best[end]) = (cost, length as u16);
                }
            }
        }
        (row, best)
    }
}

/// How likely it is that a frame is of this sound.
fn likeness(phone: Phone, frame: &Heard) -> f32 {
    let shapes: f32 = phone.visemes().iter().map(|viseme| frame.visemes[*viseme as usize]).sum();
    let is_stop = matches!(phone.manner(), Manner::Stop | Manner::Affricate);
    let class = frame.class[phone.class() as usize];
    let closure = if is_stop { CLOSURE * frame.visemes[Viseme::Sil as usize] } else { 0.0 };
    shapes.max(0.6 * class) + closure
}

fn unusual(frames: f32, expected: f32) -> f32 {
    let ratio = math::ln(f64::from(frames.max(0.5) / expected.max(0.5))) as f32;
    LENGTH_WEIGHT * ratio * ratio
}

/// The same ways with a silence behind them where that is better, and how long it is.
fn rest(row: &[f32], silent: &[f32]) -> (Vec<f32>, Vec<u16>) {
    let (mut best, mut from) = (f32::INFINITY, 0);
    let mut rested = row.to_vec();
    let mut silences = vec![0; row.len()];
    for end in 0..row.len() {
        if row[end] - silent[end] < best {
            (best, from) = (row[end] - silent[end], end);
        }
        let cost = best + silent[end] + SILENCE;
        if cost < rested[end] && end - from <= usize::from(u16::MAX) {
            (rested[end], silences[end]) = (cost, (end - from) as u16);
        }
    }
    (rested, silences)
}

/// For each frame how long the sound is that ends there, and how long the silence before it that ends there.
type Steps = (Vec<u16>, Vec<u16>);

fn trace(steps: &[Steps], mut end: usize) -> Vec<(usize, usize)> {
    let mut spans = Vec::with_capacity(steps.len());
    for (lengths, silences) in steps.iter().rev() {
        let start = end - usize::from(lengths[end]);
        spans.push((start, end));
        end = start - usize::from(silences.get(start).copied().unwrap_or_default());
    }
    spans.reverse();
    spans
}
