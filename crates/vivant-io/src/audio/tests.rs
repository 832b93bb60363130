use super::*;

/// Builds a WAV file from format (1 integers, 3 floats), channels, rate, bits and sample bytes.
fn wav(format: u16, channels: u16, rate_hz: u32, bits: u16, data: &[u8]) -> Vec<u8> {
    let block = channels * bits / 8;
    let mut file = b"RIFF".to_vec();
    file.extend((36 + data.len() as u32).to_le_bytes());
    file.extend(b"WAVEfmt \x10\0\0\0");
    file.extend([format, channels].map(u16::to_le_bytes).concat());
    file.extend([rate_hz, rate_hz * u32::from(block)].map(u32::to_le_bytes).concat());
    file.extend([block, bits].map(u16::to_le_bytes).concat());
    file.extend(b"data");
    file.extend((data.len() as u32).to_le_bytes());
    file.extend(data);
    file
}

fn shorts(values: &[i16]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn wav_files_of_all_widths_are_mixed_to_one_channel() {
    let floats: Vec<u8> = [0.5_f32, f32::NAN, -2.0].iter().flat_map(|value| value.to_le_bytes()).collect();
    let cases: [(Vec<u8>, &[f32]); 4] = [
        (wav(1, 1, 16_000, 16, &shorts(&[0, 16_384, -32_768])), &[0.0, 0.5, -1.0]),
        (wav(1, 2, 48_000, 16, &shorts(&[16_384, 0, -16_384, -16_384])), &[0.25, -0.5]),
        (wav(1, 1, 8000, 24, &[0, 0, 0x40, 0, 0, 0xC0]), &[0.5, -0.5]),
        (wav(3, 1, 44_100, 32, &floats), &[0.5, 0.0, -2.0]),
    ];
    for (file, samples) in cases {
        let audio = read("a.wav", &file, &mut Vec::new()).unwrap();
        assert_eq!(audio.samples, samples);
    }
}

/// Programs that write into a pipe do not know the length: Python writes 0, ffmpeg all ones, espeak-ng 2 GB.
#[test]
fn wav_with_unknown_length_is_read_to_its_end() {
    let samples = shorts(&[100; 4001]);
    let good = wav(1, 1, 16_000, 16, &samples);
    let expected = read("a.wav", &good, &mut Vec::new()).unwrap();
    assert_eq!(expected.samples.len(), 4001);
    let with_list = {
        let mut file = good[..36].to_vec();
        file.extend(b"LIST\x1a\0\0\0INFOISFT\x0d\0\0\0Lavf59.27.100\0");
        file.extend(&good[36..]);
        file
    };
    for (riff, data) in [(0, 0), (u32::MAX, u32::MAX), (0x7FFF_F024, 0x7FFF_F000), (36, 0), (0, 8002)] {
        for file in [&good, &with_list] {
            let mut file = file.clone();
            let at = file.len() - samples.len() - 4;
            file[4..8].copy_from_slice(&u32::to_le_bytes(riff));
            file[at..at + 4].copy_from_slice(&u32::to_le_bytes(data));
            let mut warnings = Vec::new();
            let audio =
                read("pipe.wav", &file, &mut warnings).unwrap_or_else(|e| panic!("{riff:x} {data:x}: {e}"));
            assert_eq!((&audio, warnings.len()), (&expected, 0), "{riff:x} {data:x}");
        }
    }
}

#[test]
fn empty_wav_gives_an_error() {
    let mut file = wav(1, 1, 16_000, 16, &[]);
    file.extend(b"LIST\x04\0\0\0INFO");
    assert!(read("a.wav", &file, &mut Vec::new()).unwrap_err().to_string().contains("no samples"));
}

#[test]
fn raw_samples_are_read() {
    let mut warnings = Vec::new();
    let audio = read_pcm(22_050, &[0, 0x40, 0, 0xC0, 7], &mut warnings).unwrap();
    assert_eq!((audio.rate_hz, audio.samples, warnings.len()), (22_050, vec![0.5, -0.5], 1));
    for (rate_hz, bytes, words) in
        [(0, &[0; 4][..], "0 Hz"), (8000, &[], "no samples"), (8000, &[1], "no samples")]
    {
        let error = read_pcm(rate_hz, bytes, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn invalid_recordings_give_errors() {
    let good = wav(1, 1, 16_000, 16, &shorts(&[1; 64]));
    let cases: [(&str, Vec<u8>, &str); 6] = [
        ("empty", Vec::new(), "cannot read this recording"),
        ("text", b"This is not a sound, only a text about sounds.".repeat(40), "cannot read this recording"),
        ("cut in the header", good[..30].to_vec(), "recording"),
        ("no samples", wav(1, 1, 16_000, 16, &[]), "no samples"),
        ("no channels", wav(1, 0, 16_000, 16, &shorts(&[1; 64])), "recording"),
        ("unknown format", wav(0x7777, 1, 16_000, 16, &shorts(&[1; 64])), "recording"),
    ];
    for (case, bytes, words) in cases {
        let error = read("a.wav", &bytes, &mut Vec::new()).unwrap_err().to_string();
        assert!(error.contains(words), "{case}: {error}");
    }
}

#[test]
fn truncated_recordings_are_read_as_far_as_possible() {
    let file = wav(1, 1, 16_000, 16, &shorts(&[100; 64_000]));
    let audio = read("a.wav", &file[..44 + 64_000], &mut Vec::new()).unwrap();
    assert!((30_000..=32_000).contains(&audio.samples.len()), "{}", audio.samples.len());
}

#[test]
fn truncated_and_changed_recordings_do_not_panic() {
    let Some(folder) = vivant_testing::data("speech") else { return };
    for (name, rate_hz, secs) in [
        ("mfa/mfa_whisper.flac", 16_000, 3.666),
        ("fables_01_03_aesop.ogg", 44_100, 101.407),
        ("praatio/bobby.wav", 48_000, 1.195),
    ] {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let audio = read(name, &bytes, &mut Vec::new()).unwrap();
        assert_eq!(audio.rate_hz, rate_hz, "{name}");
        assert!((audio.secs() - secs).abs() < 0.01, "{name}: {} s", audio.secs());
        assert!(audio.samples.iter().any(|sample| sample.abs() > 0.05), "{name} is silent");
        let short = &bytes[..bytes.len().min(20_000)];
        for step in 0..60 {
            let _ = read(name, &short[..short.len() * step / 60], &mut Vec::new());
            let mut changed = short.to_vec();
            changed[step * step * 5] ^= 0x55;
            let _ = read(name, &changed, &mut Vec::new());
        }
    }
}
