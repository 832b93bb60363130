//! Parses and formats names of phonemes and visemes.

use vivant::intent::VisemeCode;
use vivant::speech::pronounce::stress_of;
use vivant::speech::{Phone, Stress, Viseme};

/// Parses phonemes: ARPAbet in capitals, or IPA. A name that is neither is tried as ARPAbet in lower case.
pub(super) fn phones(name: &str) -> Option<Vec<(Phone, Stress)>> {
    let name = name.trim();
    let arpabet = Phone::arpabet(name).map(|phone| vec![(phone, stressed(phone, stress_of(name)))]);
    let is_capital = name.bytes().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit());
    let is_silence = arpabet.as_ref().is_some_and(|phones| phones[0].0.is_silence());
    if is_silence || is_capital && arpabet.is_some() { arpabet } else { ipa(name).or(arpabet) }
}

fn ipa(name: &str) -> Option<Vec<(Phone, Stress)>> {
    let stress = match name {
        _ if name.contains('ˈ') => Stress::Primary,
        _ if name.contains('ˌ') => Stress::Secondary,
        _ => Stress::None,
    };
    let (mut phones, mut rest) = (Vec::new(), name);
    while !rest.is_empty() {
        let (phone, behind) = Phone::ipa(rest)?;
        phones.push((phone, stressed(phone, stress)));
        rest = behind;
    }
    Some(phones).filter(|phones| !phones.is_empty())
}

/// Returns the stress of a phoneme; consonants have none.
fn stressed(phone: Phone, stress: Stress) -> Stress {
    if phone.is_vowel() { stress } else { Stress::None }
}

/// Formats phonemes so that [`phones`] parses them. A single phoneme is written in ARPAbet, and several phonemes are
/// written in IPA.
pub(super) fn format_phones(phones: &[(Phone, Stress)]) -> String {
    match phones {
        [] => Phone::SILENCE.name().to_owned(),
        [(phone, stress)] => format!("{}{}", phone.name(), digit(*phone, *stress)),
        several => format_ipa(several),
    }
}

/// Returns the ARPAbet stress digit. `AH0` is a schwa, so an unstressed `AH` has no digit.
fn digit(phone: Phone, stress: Stress) -> &'static str {
    match stress {
        _ if !phone.is_vowel() => "",
        Stress::Primary => "1",
        Stress::Secondary => "2",
        Stress::None if phone.name() == "AH" => "",
        Stress::None => "0",
    }
}

fn format_ipa(phones: &[(Phone, Stress)]) -> String {
    let stress = phones.iter().map(|(_, stress)| *stress).max().unwrap_or_default();
    let mark = match stress {
        Stress::Primary => "ˈ",
        Stress::Secondary => "ˌ",
        Stress::None => "",
    };
    // A full stop separates syllables, so that two letters are not parsed as one phoneme.
    let letters: Vec<&str> = phones.iter().map(|(phone, _)| phone.ipa_symbol()).collect();
    format!("{mark}{}", letters.join("."))
}

/// Parses a viseme: an Oculus name, an Azure number or a Rhubarb letter.
pub(super) fn viseme(name: &str) -> Option<VisemeCode> {
    if let Ok(id) = name.parse() {
        return Viseme::azure(id).map(VisemeCode::Visemes);
    }
    let mut letters = name.chars();
    let letter = letters.next().filter(|_| letters.next().is_none()).and_then(Viseme::rhubarb);
    match (Viseme::named(name), letter) {
        (Some(_), Some(_)) => Some(VisemeCode::LetterE),
        (Some(named), None) => Some(VisemeCode::Visemes(named.as_slice())),
        (None, letter) => letter.map(VisemeCode::Rhubarb),
    }
}

/// Formats a viseme so that [`viseme`] parses it.
pub(super) fn format_viseme(code: VisemeCode) -> String {
    let azure = |visemes: &[Viseme]| (0..).map_while(Viseme::azure).position(|known| known == visemes);
    match code {
        VisemeCode::LetterE => "E".to_owned(),
        VisemeCode::Visemes([Viseme::E]) => "viseme_E".to_owned(),
        VisemeCode::Visemes([viseme]) => viseme.name().to_owned(),
        VisemeCode::Visemes(visemes) => azure(visemes).unwrap_or_default().to_string(),
        VisemeCode::Rhubarb(viseme) => {
            let letter = ('A'..='X').find(|letter| Viseme::rhubarb(*letter) == Some(viseme));
            letter.unwrap_or('X').to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phonemes_are_read_in_both_alphabets() {
        let check = |name: &str, expected: &[(&str, Stress)]| {
            let found: Option<Vec<_>> = phones(name)
                .map(|phones| phones.iter().map(|(phone, stress)| (phone.name(), *stress)).collect());
            assert_eq!(found.as_deref().unwrap_or_default(), expected, "{name}");
        };
        check("AH0", &[("AX", Stress::None)]);
        check("AA1", &[("AA", Stress::Primary)]);
        check("R", &[("R", Stress::None)]);
        check("r", &[("RR", Stress::None)]);
        check("ˈaɪə", &[("AY", Stress::Primary), ("AX", Stress::Primary)]);
        check("tʃ", &[("CH", Stress::None)]);
        check("hh", &[("HH", Stress::None), ("HH", Stress::None)]);
        check("sil", &[("SIL", Stress::None)]);
        check("", &[("SIL", Stress::None)]);
        check("%", &[]);
        check("AHH", &[]);
    }

    #[test]
    fn formatted_names_are_parsed_again() {
        for first in Phone::all() {
            for stress in [Stress::None, Stress::Secondary, Stress::Primary] {
                let one = [(first, stressed(first, stress))];
                assert_eq!(phones(&format_phones(&one)).as_deref(), Some(&one[..]));
                for second in Phone::all().filter(|second| !second.is_silence() && !first.is_silence()) {
                    let two = [one[0], (second, stressed(second, stress))];
                    assert_eq!(phones(&format_phones(&two)).as_deref(), Some(&two[..]));
                }
            }
        }
        for name in ["sil", "PP", "aa", "E", "viseme_E", "e", "A", "B", "H", "X", "0", "9", "10", "21"] {
            let code = viseme(name);
            assert!(code.is_some() && code == viseme(&format_viseme(code.unwrap())), "{name}");
        }
    }
}
