//! Which viseme a phone is, by its place among all.

use vivant::speech::Phone;

/// The viseme of an ARPAbet phone, with or without stress; nothing is silence.
pub fn arpabet(phone: &str) -> Option<usize> {
    Phone::arpabet(phone).map(first)
}

/// The viseme of a phone in IPA.
pub fn ipa(phone: &str) -> Option<usize> {
    let phone = phone.trim_matches(['_', ':', '|', ' ']);
    if phone.is_empty() { Some(0) } else { Phone::ipa(phone).map(|(phone, _)| first(phone)) }
}

fn first(phone: Phone) -> usize {
    phone.visemes()[0] as usize
}
