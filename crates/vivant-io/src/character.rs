//! `character.toml`: what belongs to a character, and what kind of person it is.
//!
//! A character is a folder. Whatever has its usual name in it need not be named here, so the shortest
//! file is `version = 1`.

use crate::error::{Error, Faults, Result};
use crate::json::check::Check;
use crate::json::{self, words};
use crate::limits;
use serde::Deserialize;
use serde_json::{Map, Value};
use vivant::eyes::{Temperament, presets};

/// The version of `character.toml` that is read.
pub const VERSION: u32 = 1;

/// A character's files, relative to its folder, and its temperament.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of the format: 1.
    pub version: u32,
    /// What it is called; by default as its folder.
    #[serde(default)]
    pub name: Option<String>,
    /// The avatar: a VRM, GLB, glTF or FBX, or `builtin`. By default `avatar.vrm`, `avatar.glb` or
    /// `avatar.fbx`, whichever is there.
    #[serde(default)]
    pub avatar: Option<String>,
    /// What it can do; by default `repertoire.json`.
    #[serde(default)]
    pub repertoire: Option<String>,
    /// What it does while nobody tells it; by default `behaviour.json` if it is there.
    #[serde(default)]
    pub behaviour: Option<String>,
    /// Its blink model, as `vivant learn blinks` writes it; by default `blinks.model.json` if it is there. It is
    /// used unless the temperament's `blinkProfile` names a profile that is not learned.
    #[serde(default, rename = "blinkModel")]
    pub blink_model: Option<String>,
    /// How its eyes move when they are left alone, as `vivant learn eyes` writes it; by default
    /// `eyes.texture` if it is there.
    #[serde(default, rename = "eyeTexture")]
    pub eye_texture: Option<String>,
    /// The name of a preset of the studio, such as `Friendly`, that the temperament starts from.
    #[serde(default)]
    pub preset: Option<String>,
    /// How eyes, lids and head behave. What is left out is the preset's, or the default.
    #[serde(default)]
    pub temperament: Temperament,
}

impl Default for Manifest {
    fn default() -> Self {
        Self {
            version: VERSION,
            name: None,
            avatar: None,
            repertoire: None,
            behaviour: None,
            blink_model: None,
            eye_texture: None,
            preset: None,
            temperament: Temperament::default(),
        }
    }
}

/// Reads a `character.toml`.
///
/// # Errors
/// If it is no TOML, has a field that is not known, or with all numbers that are out of range.
pub fn read(bytes: &[u8]) -> Result<Manifest> {
    limits::within("file", "bytes", bytes.len(), limits::MAX_LINE_BYTES)?;
    let text =
        std::str::from_utf8(bytes).map_err(|_| Error::new("this is no UTF-8; save the file as UTF-8"))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let table = toml::de::DeTable::parse(text).map_err(|error| syntax(text, &error))?;
    let mut document = json::of_toml(table.get_ref())?;
    version(&document)?;
    start_from_preset(&mut document)?;
    let read: Manifest = json::part(document)?;
    checked(&read).or(read)
}

/// Fills in what the temperament leaves out with that of the preset, if one is named.
fn start_from_preset(document: &mut Value) -> Result<()> {
    let Some(name) = document.get("preset").and_then(Value::as_str) else { return Ok(()) };
    let preset = presets::find(name).map_err(|error| error.within("preset"))?.temperament;
    if let Value::Object(fields) = document {
        let own = fields.entry("temperament").or_insert_with(|| Value::Object(Map::new()));
        json::fill(own, serde_json::to_value(preset).unwrap_or_default());
    }
    Ok(())
}

/// Newer files may have fields that are unknown here, so the version comes first.
fn version(document: &Value) -> Result<()> {
    let wrong = |message: String| Err(Error::at("version", message));
    match document.get("version").map(Value::as_i64) {
        None => wrong(format!("the field `version` is missing; add version = {VERSION}")),
        Some(Some(version)) if version > i64::from(VERSION) => wrong(format!(
            "this is version {version}, and this Vivant reads up to {VERSION}; get a newer Vivant"
        )),
        Some(Some(1..)) => Ok(()),
        Some(_) => wrong(format!("must be a whole number from 1 to {VERSION}")),
    }
}

fn syntax(text: &str, error: &toml::de::Error) -> Error {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = 1 + before.matches('\n').count();
    let what: Vec<&str> = error.message().lines().collect();
    Error::at(format!("line {line}"), format!("this is no TOML: {}", words::short(&what.join(", "))))
}

fn checked(manifest: &Manifest) -> Faults {
    let mut check = Check::default();
    for (field, word) in [
        ("name", &manifest.name),
        ("avatar", &manifest.avatar),
        ("repertoire", &manifest.repertoire),
        ("behaviour", &manifest.behaviour),
        ("blinkModel", &manifest.blink_model),
        ("eyeTexture", &manifest.eye_texture),
        ("preset", &manifest.preset),
    ] {
        check.word(field, word.as_deref());
    }
    check_temperament(check.within("temperament"), &manifest.temperament);
    check.faults
}

/// The ranges that the engine would otherwise force numbers into without a word.
pub(crate) const RANGES: [(&str, f64, f64); 10] = [
    ("headMovementFactor", 0.0, 1.0),
    ("eyeOnlyDeg", 0.0, 90.0),
    ("liveliness", 0.0, 1.0),
    ("attentiveness", 0.0, 1.0),
    ("partialBlinks", 0.0, 1.0),
    ("doubleBlinks", 0.0, 1.0),
    ("lidTempo", 0.1, 2.0),
    ("vergence", 0.0, 1.0),
    ("blinksPerMinute", 0.0, 200.0),
    ("viewerDistanceM", 0.0, limits::MAX_METRES),
];

pub(crate) fn check_temperament(check: &mut Check, temperament: &Temperament) {
    let numbers = [
        Some(temperament.head_movement_factor),
        Some(temperament.eye_only_deg),
        Some(temperament.liveliness),
        Some(temperament.attentiveness),
        Some(temperament.partial_blinks),
        Some(temperament.double_blinks),
        Some(temperament.lid_tempo),
        Some(temperament.vergence),
        temperament.blinks_per_minute,
        temperament.viewer_distance_m,
    ];
    for ((field, least, most), number) in RANGES.into_iter().zip(numbers) {
        if let Some(number) = number {
            check.number(field, number, least, most, "");
        }
    }
    for (index, aperture) in temperament.resting_aperture.into_iter().enumerate() {
        check.number(&format!("restingAperture[{index}]"), aperture, 0.0, 1.3, "");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivant::eyes::blinking::BlinkStrategy;

    #[test]
    fn every_malformed_character_is_told_what_is_wrong_and_where() {
        for (text, words) in [
            ("", "version: the field `version` is missing; add version = 1"),
            ("version = 2\nsoul = 1", "this is version 2"),
            ("version = 0", "version: must be"),
            ("version = \"1\"", "version: must be"),
            ("version", "line 1: this is no TOML"),
            ("version = 1\navatar = me.vrm", "line 2: this is no TOML"),
            ("version = 1\nversion = 1", "line 2: this is no TOML: duplicate key"),
            ("version = 1\navatr = \"me.vrm\"", "unknown field `avatr`; did you mean `avatar`?"),
            ("version = 1\navatar = 3", "avatar: 3 is given, where a text in double quotes is expected"),
            ("version = 1\navatar = \"\"", "avatar: is empty"),
            ("version = 1\ntemperament = 3", "temperament: 3 is given"),
            ("version = 1\n[temper]", "unknown field `temper`; did you mean `temperament`?"),
            (
                "version = 1\n[temperament]\nlivelines = 1",
                "temperament: unknown field `livelines`; did you mean `liveliness`?",
            ),
            (
                "version = 1\n[temperament]\nliveliness = 2",
                "temperament.liveliness: 2 is out of range; give 0 to 1",
            ),
            ("version = 1\n[temperament]\nliveliness = nan", "temperament.liveliness: NaN is out of range"),
            (
                "version = 1\n[temperament]\nliveliness = \"1\"",
                "temperament.liveliness: the text \"1\" is given",
            ),
            (
                "version = 1\n[temperament]\nblinks = \"naturl\"",
                "temperament.blinks: `naturl` is no known word; did you mean `natural`?",
            ),
            ("version = 1\n[temperament]\nrestingAperture = [1]", "temperament.restingAperture"),
            (
                "version = 1\n[temperament]\nrestingAperture = [1, 2]",
                "temperament.restingAperture[1]: 2 is out",
            ),
            (
                "version = 1\n[temperament.evoked]\npreset = \"peters\"\ndriver = \"head\"\nx = 1",
                "temperament.evoked: unknown field `x`",
            ),
        ] {
            let message = read(text.as_bytes()).expect_err(text).to_string();
            assert!(message.contains(words), "{text}\n  {message}\n  lacks {words}");
        }
        assert!(read(b"version = 1 # \xe4").unwrap_err().to_string().contains("UTF-8"));
    }

    #[test]
    fn a_temperament_starts_from_a_preset() {
        let friendly = presets::find("friendly").unwrap().temperament;
        assert_ne!(friendly, Temperament::default());
        let named = read(b"version = 1\npreset = \"Friendly\"\n").unwrap();
        assert_eq!(named.temperament, friendly);
        let changed = read(b"version = 1\npreset = \"Friendly\"\n[temperament]\nlidTempo = 0.7\n").unwrap();
        assert_eq!(changed.temperament, Temperament { lid_tempo: 0.7, ..friendly });
        let wrong = read(b"version = 1\npreset = \"Frendly\"\n").unwrap_err().to_string();
        assert_eq!(wrong, "preset: unknown preset “Frendly”; did you mean `Friendly`?");
    }

    #[test]
    fn everything_may_be_left_out() {
        assert_eq!(read(b"\xef\xbb\xbfversion = 1\r\n"), Ok(Manifest::default()));
        let text = "version = 1\nname = \"Eve\"\n[temperament]\nblinks = \"none\"\nlidTempo = 1";
        let read = read(text.as_bytes()).unwrap();
        assert_eq!(read.name.as_deref(), Some("Eve"));
        assert_eq!((read.temperament.blinks, read.temperament.lid_tempo), (BlinkStrategy::None, 1.0));
    }
}
