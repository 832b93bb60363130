//! Streaming speech: tokens, timed words and audio arrive in pieces of any size, late and early, and timings are
//! revised on the way. Nothing jumps, the line ends with the audio, and the split does not matter.

mod stage;

use proptest::prelude::*;
use std::process::Command;
use std::sync::LazyLock;
use vivant::frame::Frame;
use vivant::intent::{Intent, SaidWord, Say};
use vivant::math::{self, rotation_vector};
use vivant::performer::Performer;
use vivant::rig::Bone;
use vivant::speech::Viseme;
use vivant::speech::audio::Audio;
use vivant::speech::event::SpeechEventKind;
use vivant::speech::pronounce::English;
use vivant::speech::utterance::Utterance;

const TEXT: &str =
    "[blink] Well, my mother baked *bread* on Monday, but nobody [look:left] ever remembers. Would you help?";

/// Time in which the mouth blends to revised phonemes.
const REVISE_SECS: f64 = 0.12;

/// Audio of the text with word timings.
struct Voice {
    rate: u32,
    samples: Vec<i16>,
    words: Vec<SaidWord>,
}

impl Voice {
    fn piece(&self, from: usize, to: usize) -> Audio {
        let samples = self.samples[from..to].iter().map(|sample| f32::from(*sample) / 32_768.0);
        Audio { rate_hz: self.rate, samples: samples.collect() }
    }

    fn secs(&self) -> f64 {
        self.samples.len() as f64 / f64::from(self.rate)
    }
}

static VOICES: LazyLock<Vec<Voice>> = LazyLock::new(|| espeak().into_iter().chain([synthetic()]).collect());

/// Returns the text spoken by espeak-ng, if it is installed. Word timings come from alignment with its audio.
fn espeak() -> Option<Voice> {
    let spoken = "Well, my mother baked bread on Monday, but nobody ever remembers. Would you help?";
    let wave = Command::new("espeak-ng").args(["-v", "en-us", "--stdout", spoken]).output().ok()?.stdout;
    let number = |at: usize| u32::from_le_bytes(wave[at..at + 4].try_into().expect("four bytes"));
    let samples = wave[44..].chunks_exact(2).map(|two| i16::from_le_bytes([two[0], two[1]])).collect();
    let mut voice = Voice { rate: number(24), samples, words: Vec::new() };
    voice.words = aligned_words(&voice);
    Some(voice)
}

fn aligned_words(voice: &Voice) -> Vec<SaidWord> {
    let (mut line, english) = (Utterance::default(), English::default());
    let audio = voice.piece(0, voice.samples.len());
    line.update(&Say { more: true, ..Say::new(TEXT) }, &english).expect("a valid line");
    line.add_audio(&audio, &english).expect("a supported rate");
    line.end(&english);
    said_words(&line)
}

fn said_words(line: &Utterance) -> Vec<SaidWord> {
    let word = |word: &vivant::speech::Word| SaidWord {
        word: word.text.clone(),
        start: word.from,
        end: Some(word.to),
    };
    line.score().words.iter().map(word).collect()
}

/// A synthetic voice: buzz for vowels and hiss for consonants, with estimated durations.
fn synthetic() -> Voice {
    let mut line = Utterance::default();
    line.update(&Say::new(TEXT), &English::default()).expect("a valid line");
    let (rate, mut noise) = (16_000, 1_u32);
    let sample = |n: usize| {
        let t = n as f64 / f64::from(rate);
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let hiss = f64::from(noise >> 16) / 65_536.0 - 0.5;
        let buzz = |k: u32| math::sin(t * 120.0 * std::f64::consts::TAU * f64::from(k)) / 12.0;
        let sound = line.score().segments.iter().find(|sound| sound.from <= t && t < sound.to);
        let loud = sound.map_or(0.0, |sound| match sound.phone.is_vowel() {
            true => (1..12).map(buzz).sum::<f64>(),
            false => 0.2 * hiss,
        });
        (16_000.0 * loud) as i16
    };
    let samples = (0..(line.secs() * f64::from(rate)) as usize).map(sample).collect();
    Voice { rate, samples, words: said_words(&line) }
}

/// Streaming of a line: its contents, their pieces, and the arrival times of the pieces.
#[derive(Clone, Debug)]
struct Stream {
    which: usize,
    has_samples: bool,
    /// Factor by which the first times of words are wrong, before they are corrected; `None` if no words are sent.
    words: Option<f64>,
    /// True if the line is announced before its first piece.
    is_announced: bool,
    /// Sizes of pieces and waits before them, relative to the maximum.
    cuts: [Vec<(f64, f64)>; 3],
}

fn streams() -> impl Strategy<Value = Stream> {
    let cuts = || prop::collection::vec((0.02..1.0f64, 0.0..1.0f64), 4..40);
    let words = prop::option::weighted(0.7, 0.7..1.4f64);
    (any::<[bool; 3]>(), words, [cuts(), cuts(), cuts()]).prop_map(
        |([first, has_samples, is_announced], words, cuts)| {
            let which = usize::from(!first).min(VOICES.len() - 1);
            Stream { which, has_samples: has_samples || words.is_none(), words, is_announced, cuts }
        },
    )
}

impl Stream {
    /// Returns the pieces with their arrival times, all within `within` seconds; the line starts at `at`.
    fn pieces(&self, at: f64, within: f64) -> Vec<(f64, Say)> {
        let voice = &VOICES[self.which];
        let piece = || Say { line: Some("a".into()), more: true, at: Some(at), ..Say::default() };
        let letters: Vec<char> = TEXT.chars().collect();
        let text = cut(letters.len(), 20, &self.cuts[0]).into_iter();
        let text =
            text.map(|(at, from, to)| (at, Say { say: letters[from..to].iter().collect(), ..piece() }));
        let count = voice.words.len();
        let words = self.words.map_or(Vec::new(), |_| cut(2 * count, count, &self.cuts[1])).into_iter();
        let words = words.map(|(at, from, to)| {
            // First all words with estimated times, then with the correct ones.
            let word = |n: usize| match n < count {
                true => stretched(&voice.words[n], self.words.unwrap_or(1.0)),
                false => voice.words[n - count].clone(),
            };
            let from = if from < count && to > count { count } else { from };
            (at, Say { words: (from..to).map(word).collect(), ..piece() })
        });
        let most = voice.rate as usize / 2;
        let samples =
            if self.has_samples { cut(voice.samples.len(), most, &self.cuts[2]) } else { Vec::new() };
        let samples = samples
            .into_iter()
            .map(|(at, from, to)| (at, Say { voice: Some(voice.piece(from, to)), ..piece() }));
        let mut all: Vec<(f64, Say)> = text.chain(words).chain(samples).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let last = all.last().map_or(1.0, |(at, _)| *at).max(1e-9);
        all.iter_mut().for_each(|(at, _)| *at *= within / last);
        all.push((within, Say { more: false, ..piece() }));
        if self.is_announced {
            all.insert(0, (0.0, piece()));
        }
        all
    }

    /// Returns everything in one piece.
    fn whole(&self, at: f64) -> Say {
        let voice = &VOICES[self.which];
        Say {
            line: Some("a".into()),
            at: Some(at),
            words: self.words.map_or(Vec::new(), |_| voice.words.clone()),
            voice: self.has_samples.then(|| voice.piece(0, voice.samples.len())),
            ..Say::new(TEXT)
        }
    }
}

fn stretched(word: &SaidWord, by: f64) -> SaidWord {
    SaidWord { start: by * word.start, end: word.end.map(|end| by * end), ..word.clone() }
}

/// Splits `all` items into pieces of at most `most`: arrival time, start and end of each.
fn cut(all: usize, most: usize, cuts: &[(f64, f64)]) -> Vec<(f64, usize, usize)> {
    let (mut from, mut at, mut pieces) = (0, 0.0, Vec::new());
    for (size, wait) in cuts.iter().cycle() {
        let to = (from + 1 + (size * most as f64) as usize).min(all);
        at += wait;
        pieces.push((at, from, to));
        from = to;
        if from == all {
            break;
        }
    }
    pieces
}

fn character(seed: u64) -> Performer {
    let mut performer = Performer::new(stage::character(), seed);
    performer.eyes().start_idle_behaviour(0.0);
    performer.breathe(0.0, 1.0);
    performer.set_behaviour(0.0, stage::restless());
    performer
}

/// Performs a line and calls `look` with each frame.
fn perform(
    mut performer: Performer,
    pieces: &[(f64, Say)],
    secs: f64,
    fps: f64,
    mut look: impl FnMut(&mut Performer, &Frame) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let mut pieces = pieces.iter().peekable();
    for n in 0..=(secs * fps) as usize {
        let t = n as f64 / fps;
        while let Some((at, say)) = pieces.next_if(|(at, _)| *at <= t) {
            performer.advance_to(*at);
            performer.intend(&Intent::Say(say.clone())).expect("a valid piece");
        }
        let frame = performer.advance_to(t).clone();
        look(&mut performer, &frame)?;
    }
    Ok(())
}

fn mouth(performer: &Performer) -> [f32; Viseme::COUNT] {
    performer.mouth_shape().map_or([0.0; Viseme::COUNT], |shape| *shape.weights())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// The clips limit the speed of bones and hips, as in `intents_and_edits_cause_no_jumps`. The mouth has the same
    /// limit as in `a_line_in_pieces_causes_no_mouth_jump`.
    #[test]
    fn streaming_causes_no_jumps_and_the_line_ends_with_the_audio(
        stream in streams(), at in 0.0..2.0f64, within in 0.3..9.0f64, seed: u64,
    ) {
        let voice = &VOICES[stream.which];
        let (rate, pieces) = (240.0, stream.pieces(at, within));
        let (fastest, bend) = stage::bounds();
        let (mut frames, mut ends, mut shapes) = (Vec::<Frame>::new(), Vec::new(), Vec::new());
        perform(character(seed), &pieces, at + voice.secs().max(within) + 2.0, rate, |performer, frame| {
            let t = frame.time();
            ends.extend(performer.take_speech().filter(|event| event.what == SpeechEventKind::End).map(|event| event.at));
            shapes.push(mouth(performer));
            frames.push(frame.clone());
            let keep = frames.len().saturating_sub(3);
            frames.drain(..keep);
            shapes.drain(..shapes.len().saturating_sub(2));
            if let [a, b] = &shapes[..] && a.iter().sum::<f32>() > 0.0 {
                let jump = a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                prop_assert!(jump < 0.2, "the mouth jumps by {jump} at {t}");
            }
            let [before, now, next] = &frames[..] else { return Ok(()) };
            for bone in Bone::ALL {
                let turn = |a: &Frame, b: &Frame| rotation_vector(b.rotation(bone) * a.rotation(bone).inverse());
                let [first, second] = [turn(before, now), turn(now, next)].map(|turn| turn * rate as f32);
                let is_eye = matches!(bone, Bone::LeftEye | Bone::RightEye);
                prop_assert!(is_eye || second.length() < fastest, "{bone:?} at {t}: {} rad/s", second.length());
                prop_assert!(is_eye || (second - first).length() < bend, "{bone:?} at {t}: {first} to {second}");
            }
            prop_assert!((next.root() - now.root()).length() < 0.02, "the hips jump at {t}");
            for (a, b) in now.weights().iter().zip(next.weights()) {
                prop_assert!((a - b).abs() < 0.2, "an expression jumps at {t}: from {a} to {b}");
            }
            Ok(())
        })?;
        // If the last piece arrives after the end of the audio, the line ends with that piece.
        let audible = if stream.has_samples { voice.secs() } else { stream_end(voice) };
        // A line that arrives more than a second late starts on arrival.
        let start = if pieces[0].0 > at + 1.0 { pieces[0].0 } else { at };
        let end = (start + audible).max(within);
        prop_assert_eq!(ends.len(), 1, "{:?}", ends);
        prop_assert!((ends[0] - end).abs() < 0.1, "the line ends at {}, the audio at {}", ends[0], end);
    }

    /// If everything is known before the line is visible, frames do not depend on how it was split.
    #[test]
    fn the_split_does_not_change_frames(stream in streams(), seed: u64) {
        let at = 9.0;
        let secs = at + VOICES[stream.which].secs() + 1.0;
        let known = 2.0;
        let frames = |pieces: &[(f64, Say)]| {
            let mut hashes = Vec::new();
            perform(character(seed), pieces, secs, 60.0, |_, frame| {
                if frame.time() >= known {
                    hashes.push(stage::fold(0, frame));
                }
                Ok(())
            })?;
            Ok::<_, TestCaseError>(hashes)
        };
        let (pieces, whole) = (stream.pieces(at, known), [(0.0, stream.whole(at))]);
        let (cut, at_once) = (frames(&pieces)?, frames(&whole)?);
        prop_assert!(cut == at_once, "different from frame {:?} on", cut.iter().zip(&at_once).position(|(a, b)| a != b));
    }

    /// Late information does not change the past, but once it is known, the mouth is bit-identical to that of a line
    /// whose timings were known from the start.
    #[test]
    fn the_mouth_is_the_same_once_timings_are_known(
        stream in streams(), at in 0.0..2.0f64, within in 0.3..5.0f64, seed: u64,
    ) {
        let stream = Stream { is_announced: true, ..stream };
        let voice = &VOICES[stream.which];
        let shapes = |pieces: &[(f64, Say)]| {
            let mut shapes = Vec::new();
            perform(character(seed), pieces, at + voice.secs() + 1.0, 60.0, |performer, frame| {
                if frame.time() >= within + REVISE_SECS {
                    shapes.push(mouth(performer).map(f32::to_bits));
                }
                Ok(())
            })?;
            Ok::<_, TestCaseError>(shapes)
        };
        let (pieces, whole) = (stream.pieces(at, within), [(0.0, stream.whole(at))]);
        prop_assert!(shapes(&pieces)? == shapes(&whole)?);
    }
}

/// Returns the end of the last word.
fn stream_end(voice: &Voice) -> f64 {
    voice.words.last().and_then(|word| word.end).expect("at least one word")
}
