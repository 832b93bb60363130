//! Reads voice recordings: WAV, FLAC, Ogg Vorbis and MP3, mixed down to one channel.
//!
//! The format is detected from the content; the file name is only a hint. Channels are averaged. Damaged parts are
//! skipped with a [`Warning`]; a truncated file gives the samples that it has. A WAV whose header has a wrong length,
//! which happens when a program writes into a pipe, is read to its end. [`read_pcm`] reads samples without a header.
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
use symphonia::core::errors::Error as SymphoniaError;
use symphonia::core::formats::probe::Hint;
use symphonia::core::formats::{FormatOptions, FormatReader, TrackType};
use symphonia::core::io::MediaSourceStream;
use symphonia::core::meta::MetadataOptions;

pub use vivant::speech::audio::Audio;

/// Reads a recording. The extension of `name` is used only if the content does not identify the format.
///
/// # Errors
/// If the format is unknown, there are no samples, or a [limit](limits) is exceeded.
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
                Err(SymphoniaError::DecodeError(_) | SymphoniaError::IoError(_)) => reading.damaged += 1,
                Err(error) => return Err(unreadable(&error)),
            },
            Ok(None) | Err(SymphoniaError::ResetRequired | SymphoniaError::IoError(_)) => break,
            Err(SymphoniaError::DecodeError(_)) if reading.has_samples() => {
                reading.damaged += 1;
                break;
            }
            Err(error) => return Err(unreadable(&error)),
        }
    }
    reading.finish(warnings)
}

/// Reads raw samples without a header: signed 16-bit little-endian, one channel.
///
/// ```
/// let audio = vivant_io::audio::read_pcm(8000, &[0, 0, 0, 0x40, 0, 0x80], &mut Vec::new()).unwrap();
/// assert_eq!(audio.samples, [0.0, 0.5, -1.0]);
/// ```
///
/// # Errors
/// If the rate is zero, there are no samples, or there are more samples than a [limit](limits) allows.
pub fn read_pcm(rate_hz: u32, bytes: &[u8], warnings: &mut Vec<Warning>) -> Result<Audio> {
    limits::within("file", "bytes", bytes.len(), limits::MAX_FILE_BYTES)?;
    limits::within("samples", "samples", bytes.len() / 2, limits::MAX_AUDIO_SAMPLES)?;
    if rate_hz == 0 {
        return Err(Error::new("the sampling rate is 0 Hz; give the rate of the recording"));
    }
    let (pairs, rest) = bytes.as_chunks::<2>();
    if pairs.is_empty() {
        return Err(Error::new("the recording has no samples; give 16-bit samples"));
    }
    if !rest.is_empty() {
        let what = "an odd byte at the end was dropped; each sample is two bytes";
        warnings.push(Warning::new(WarningCode::Dropped, "samples", what));
    }
    let samples = pairs.iter().map(|pair| f32::from(i16::from_le_bytes(*pair)) / 32_768.0).collect();
    Ok(Audio { rate_hz, samples })
}

/// Corrects the sizes in a WAV header. Programs that write into a pipe do not know the length and write 0, all ones,
/// or another number that is too large; the samples then extend to the end of the file.
fn with_correct_sizes(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Some((size_at, size)) = wrong_data_size(bytes) else { return Cow::Borrowed(bytes) };
    let mut bytes = bytes.to_vec();
    for (at, size) in [(4, bytes.len() - 8), (size_at, size)] {
        // The limit on file sizes is below `u32::MAX`.
        let size = u32::try_from(size).unwrap_or(u32::MAX);
        bytes[at..at + 4].copy_from_slice(&size.to_le_bytes());
    }
    Cow::Owned(bytes)
}

/// Returns the offset of the size field of a WAV's `data` chunk and its correct value, if this size or the RIFF size
/// is wrong.
fn wrong_data_size(bytes: &[u8]) -> Option<(usize, usize)> {
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

/// Returns true if the bytes are a sequence of valid chunks with printable names. If they are, a `data` size of 0 is
/// correct and the recording is empty.
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
    let bytes = with_correct_sizes(bytes).into_owned();
    let stream = MediaSourceStream::new(Box::new(Cursor::new(bytes)), Default::default());
    let format = symphonia::default::get_probe()
        .probe(&hint, stream, FormatOptions::default(), MetadataOptions::default())
        .map_err(|error| unreadable(&error))?;
    let unknown = || Error::new(format!("the file has no readable audio track; {FORMATS}"));
    let track = format.default_track(TrackType::Audio).ok_or_else(unknown)?;
    let parameters = track.codec_params.as_ref().and_then(|codec| codec.audio()).ok_or_else(unknown)?;
    let decoder = symphonia::default::get_codecs()
        .make_audio_decoder(parameters, &AudioDecoderOptions::default())
        .map_err(|error| unreadable(&error))?;
    let id = track.id;
    Ok((format, decoder, id))
}

const FORMATS: &str = "use WAV, FLAC, Ogg Vorbis or MP3";

fn unreadable(error: &SymphoniaError) -> Error {
    Error::new(format!("cannot read this recording ({error}); {FORMATS}"))
}

/// The samples read so far.
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
            return Err(Error::new(
                "the sampling rate or channel count changes within the file; save it again with a constant rate",
            ));
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

/// Replaces non-finite samples, which files with float samples may contain, with 0, and clamps all others to
/// ±1,000,000.
fn finite(sample: f32) -> f32 {
    if sample.is_finite() { sample.clamp(-1e6, 1e6) } else { 0.0 }
}
