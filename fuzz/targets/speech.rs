#![no_main]

use vivant::speech::Score;
use vivant_fuzz as _;
use vivant_io::speech::{dictionary, read, ssml};

/// Checks that everything is in order and has finite times.
fn check_order(score: &Score) {
    let segments: Vec<_> = score.segments.iter().map(|segment| (segment.from, segment.to)).collect();
    let words: Vec<_> = score.words.iter().map(|word| (word.from, word.to)).collect();
    let pauses: Vec<_> = score.pauses.iter().map(|pause| (pause.from, pause.to)).collect();
    for spans in [segments, words, pauses] {
        assert!(spans.iter().all(|span| 0.0 <= span.0 && span.0 <= span.1 && span.1.is_finite()));
        assert!(spans.windows(2).all(|pair| pair[0].1 <= pair[1].0));
    }
    assert!(score.words.iter().all(|word| (0.0..=1.0).contains(&word.emphasis)));
}

/// Checks the data. After `d` it is a dictionary, after `t` it is text to speak, otherwise it is any format of `read`.
fn check(data: &[u8]) {
    match data {
        [b'd', rest @ ..] => {
            let _ = dictionary::read(rest);
        }
        [b't', rest @ ..] => {
            if let Ok((score, _)) = read("fuzz.txt", rest) {
                check_order(&score);
            }
        }
        _ => {
            if let Ok((score, _)) = read("fuzz.bin", data) {
                check_order(&score);
            }
            let _ = ssml::read(data);
        }
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| check(data));
