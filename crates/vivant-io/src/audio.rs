//! Recordings of voices: WAV, FLAC, Ogg Vorbis and MP3 to samples of one channel.
//!
//! The kind of file is found by its content; a name only helps. Channels are averaged, since a mouth has one voice.
//! What is damaged in the middle is skipped with a [`Warning`]; a file whose end is missing gives what is there. A WAV
//! that a program wrote into a pipe, and which so does not know its own length, is read to its end. Samples without a
//! header, of a known rate, are read by [`read_pcm`].
//!
//! ```
//! // Half a second of silence at 8 kHz, 8 bits.
//! let mut wav = b"RIFF\xc4\x0f\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\xa0\x0f\x00\x00".to_vec();
//! wav.extend([128; 4000]);
//! let audio = vivant_io::audio::read("silence.wav", &wav, &mut Vec::new()).unwrap();
//! assert_eq!((audio.rate_hz, audio.samples.len()), (8000, 4000));
//! ```

#[cfg(test)]
mod tests;

use crate::error::{Error, Result, Warning, WarningCode};
use crate::limits;
use std::borrow::Cow;
use std::io::Cursor;
use symphonia::core::codecs::audio::{AudioDecoder, AudioDecoderOptions};
use symphonia::core::errors::Error as Fault;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, FormatReader, TrackType};
use symphonia::core::io::MediaSourceStream;
use symphonia::core::meta::MetadataOptions;

pub use vivant::speech::audio::Audio;

/// Reads a recording. The name's ending tells its kind where the content leaves a doubt.
///
/// # Errors
/// If it is no recording that is known, is empty, or is beyond a [limit](limits).
pub fn read(name: &str, bytes: &[u8], warnings: &mut Vec<Warning>) -> Result<Audio> {
    limits::within("file", "bytes", bytes.len(), limits::MAX_FILE_BYTES)?;
    let (mut format, mut decoder, track) = open(name, bytes)?;
    let mut reading = Reading::default();
    loop {
        match format.next_packet() {
            Ok(Some(packet)) if packet.track_id != track => {}
            Ok(Some(packet)) => match decoder.decode(&packet) {
                Ok(buffer) => {
                    reading.interleaved.resize(buffer.samples_interleaved(), 0.0);
                    buffer.copy_to_slice_interleaved(&mut reading.interleaved);
                    reading.take(buffer.spec().rate(), buffer.spec().channels().count())?;
                }
                Err(Fault::DecodeError(_) | Fault::IoError(_)) => reading.damaged += 1,
                Err(fault) => return Err(unreadable(&fault)),
            },
            Ok(None) | Err(Fault::ResetRequired | Fault::IoError(_)) => break,
            Err(Fault::DecodeError(_)) if reading.has_samples() => {
                reading.damaged += 1;
                break;
            }
            Err(fault) => return Err(unreadable(&fault)),
        }
    }
    reading.finish(warnings)
}

/// Reads samples without a header: 16 bits with a sign, the lower byte first, one channel.
///
/// ```
/// let audio = vivant_io::audio::read_pcm(8000, &[0, 0, 0, 0x40, 0, 0x80], &mut Vec::new()).unwrap();
/// assert_eq!(audio.samples, [0.0, 0.5, -1.0]);
/// ```
///
/// # Errors
/// If the rate is zero, there are no samples, or there are more than a [limit](limits) allows.
pub fn read_pcm(rate_hz: u32, bytes: &[u8], warnings: &mut Vec<Warning>) -> Result<Audio> {
    limits::within("file", "bytes", bytes.len(), limits::MAX_FILE_BYTES)?;
    limits::within("samples", "samples", bytes.len() / 2, limits::MAX_AUDIO_SAMPLES)?;
    if rate_hz == 0 {
        return Err(Error::new("a rate of 0 Hz has no samples; give the rate with which they were made"));
    }
    let (pairs, rest) = bytes.as_chunks::<2>();
    if pairs.is_empty() {
        return Err(Error::new("there are no samples; each has two bytes"));
    }
    if !rest.is_empty() {
        let what = "half a sample at the end was dropped; samples have two bytes";
        warnings.push(Warning::new(WarningCode::Dropped, "samples", what));
    }
    let samples = pairs.iter().map(|pair| f32::from(i16::from_le_bytes(*pair)) / 32_768.0).collect();
    Ok(Audio { rate_hz, samples })
}

/// A WAV whose sizes are those of the file, if its header does not know them: what is written into a pipe says 0, all ones,
/// or some other number that is too large, and its samples reach to the end.
fn mended(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Some((size_at, size)) = samples_of_wave(bytes) else { return Cow::Borrowed(bytes) };
    let mut bytes = bytes.to_vec();
    for (at, size) in [(4, bytes.len() - 8), (size_at, size)] {
        // Files beyond a limit, which is less than this, were refused.
        let size = u32::try_from(size).unwrap_or(u32::MAX);
        bytes[at..at + 4].copy_from_slice(&size.to_le_bytes());
    }
    Cow::Owned(bytes)
}

/// Where the size of a WAV's samples stands, and what it has to be, if this or the size of the whole is not the truth.
fn samples_of_wave(bytes: &[u8]) -> Option<(usize, usize)> {
    let number = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?) as usize);
    if !bytes.starts_with(b"RIFF") || bytes.get(8..12)? != b"WAVE" {
        return None;
    }
    let whole = number(4)?;
    let mut at = 12;
    loop {
        let (size, behind) = (number(at + 4)?, at + 8);
        if &bytes[at..at + 4] == b"data" {
            let rest = bytes.len() - behind;
            let is_unknown = size > rest || (size == 0 && !is_chunks(&bytes[behind..]));
            let is_wrong = is_unknown || whole == 0 || whole > bytes.len() - 8;
            return is_wrong.then_some((at + 4, if is_unknown { rest } else { size }));
        }
        at = behind.checked_add(size)?.checked_add(size % 2)?;
    }
}

/// Whether there is nothing but chunks, with names that can be read: then an empty recording is an empty recording.
fn is_chunks(mut rest: &[u8]) -> bool {
    while let Some((name, behind)) = rest.split_first_chunk::<4>() {
        let Some((size, behind)) = behind.split_first_chunk::<4>() else { return false };
        let size = u32::from_le_bytes(*size) as usize;
        let Some(next) = size.checked_add(size % 2).and_then(|size| behind.get(size..)) else { return false };
        if !name.iter().all(u8::is_ascii_graphic) && name != b"id3 " && name != b"cue " {
            return false;
        }
        rest = next;
    }
    rest.is_empty()
}

type Opened = (Box<dyn FormatReader>, Box<dyn AudioDecoder>, u32);

fn open(name: &str, bytes: &[u8]) -> Result<Opened> {
    let mut hint = Hint::new();
    if let Some((_, ending)) = name.rsplit_once('.') {
        hint.with_extension(&ending.to_lowercase());
    }
    let bytes = mended(bytes).into_owned();
    let stream = MediaSourceStream::new(Box::new(Cursor::new(bytes)), Default::default());
    let format = symphonia::default::get_probe()
        .probe(&hint, stream, FormatOptions::default(), MetadataOptions::default())
        .map_err(|fault| unreadable(&fault))?;
    let unknown = || Error::new(format!("there is no sound in it that can be read; {KINDS}"));
    let track = format.default_track(TrackType::Audio).ok_or_else(unknown)?;
    let parameters = track.codec_params.as_ref().and_then(|codec| codec.audio()).ok_or_else(unknown)?;
    let decoder = symphonia::default::get_codecs()
        .make_audio_decoder(parameters, &AudioDecoderOptions::default())
        .map_err(|fault| unreadable(&fault))?;
    let id = track.id;
    Ok((format, decoder, id))
}

const KINDS: &str = "use WAV, FLAC, Ogg Vorbis or MP3";

fn unreadable(fault: &Fault) -> Error {
    Error::new(format!("this is no recording that can be read ({fault}); {KINDS}"))
}

/// What was read so far.
#[derive(Default)]
struct Reading {
    audio: Audio,
    channels: usize,
    interleaved: Vec<f32>,
    damaged: usize,
}

impl Reading {
    fn has_samples(&self) -> bool {
        !self.audio.samples.is_empty()
    }

    fn take(&mut self, rate_hz: u32, channels: usize) -> Result<()> {
        limits::within("channels", "channels", channels, limits::MAX_CHANNELS)?;
        if self.channels == 0 {
            (self.audio.rate_hz, self.channels) = (rate_hz, channels);
        }
        if (self.audio.rate_hz, self.channels) != (rate_hz, channels) || channels == 0 || rate_hz == 0 {
            return Err(Error::new("its rate or its channels change on the way; save it anew with one rate"));
        }
        let total = self.audio.samples.len().saturating_mul(channels) + self.interleaved.len();
        limits::within("samples", "samples", total, limits::MAX_AUDIO_SAMPLES)?;
        let mean = |frame: &[f32]| frame.iter().map(|x| finite(*x)).sum::<f32>() / channels as f32;
        self.audio.samples.extend(self.interleaved.chunks_exact(channels).map(mean));
        Ok(())
    }

    fn finish(self, warnings: &mut Vec<Warning>) -> Result<Audio> {
        if !self.has_samples() {
            return Err(Error::new("the recording has no samples; record it again"));
        }
        if self.damaged > 0 {
            let what = format!("{} parts of the recording are damaged and were skipped", self.damaged);
            warnings.push(Warning::new(WarningCode::Dropped, "samples", what));
        }
        Ok(self.audio)
    }
}

/// Files of floats may hold what is no number, or no voice.
fn finite(sample: f32) -> f32 {
    if sample.is_finite() { sample.clamp(-1e6, 1e6) } else { 0.0 }
}
