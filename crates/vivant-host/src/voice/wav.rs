//! Writes samples as a WAV file.

/// Encodes one channel as a WAV file with 16-bit samples. Samples beyond −1 and 1 are clipped.
#[must_use]
pub fn bytes(rate_hz: u32, samples: &[f32]) -> Vec<u8> {
    let data = (samples.len() * 2) as u32;
    let mut bytes = Vec::with_capacity(44 + samples.len() * 2);
    bytes.extend(b"RIFF");
    bytes.extend((36 + data).to_le_bytes());
    bytes.extend(b"WAVEfmt ");
    bytes.extend(16_u32.to_le_bytes());
    // PCM, one channel.
    bytes.extend([1, 0, 1, 0]);
    bytes.extend(rate_hz.to_le_bytes());
    bytes.extend((rate_hz * 2).to_le_bytes());
    bytes.extend([2, 0, 16, 0]);
    bytes.extend(b"data");
    bytes.extend(data.to_le_bytes());
    bytes.extend(pcm(samples));
    bytes
}

/// Converts samples from −1 to 1 to 16-bit integers, least significant byte first.
pub fn pcm(samples: &[f32]) -> impl Iterator<Item = u8> + '_ {
    let number = |sample: &f32| ((sample * 32_768.0).round().clamp(-32_768.0, 32_767.0) as i16).to_le_bytes();
    samples.iter().flat_map(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wav_files_can_be_read_back() {
        let samples: Vec<f32> = (0..1000).map(|n| (n as f32 / 500.0 - 1.0) * 0.9).collect();
        let audio = vivant_io::audio::read("a.wav", &bytes(22_050, &samples), &mut Vec::new()).unwrap();
        assert_eq!((audio.rate_hz, audio.samples.len()), (22_050, 1000));
        let off = audio.samples.iter().zip(&samples).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(off < 1e-4, "{off}");
    }
}
