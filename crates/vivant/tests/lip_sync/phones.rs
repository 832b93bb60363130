//! Viseme index of a phoneme.

use vivant::speech::Phone;

/// Returns the viseme of an ARPAbet phoneme, with or without stress; an empty name is silence.
pub fn arpabet(phone: &str) -> Option<usize> {
    Phone::arpabet(phone).map(first)
}

/// Returns the viseme of an IPA phoneme.
pub fn ipa(phone: &str) -> Option<usize> {
    let phone = phone.trim_matches(['_', ':', '|', ' ']);
    if phone.is_empty() { Some(0) } else { Phone::ipa(phone).map(|(phone, _)| first(phone)) }
}

fn first(phone: Phone) -> usize {
    phone.visemes()[0] as usize
}
