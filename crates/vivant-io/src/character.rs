//! `character.toml`: the files and the temperament of a character.
//!
//! A character is a folder. Files with their default names need not be listed, so the shortest `character.toml` is
//! `version = 1`.

use crate::error::{Error, ErrorList, Result};
use crate::json::check::Check;
use crate::json::{self, words};
use crate::limits;
use serde::Deserialize;
use serde_json::{Map, Value};
use vivant::eyes::{Temperament, presets};

/// The newest supported version of `character.toml`.
pub const VERSION: u32 = 1;

/// The files of a character, relative to its folder, and its temperament.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Format version: 1.
    pub version: u32,
    /// Display name; defaults to the name of the folder.
    #[serde(default)]
    pub name: Option<String>,
    /// The avatar: a VRM, GLB, glTF or FBX file, or `builtin`. Defaults to the first of `avatar.vrm`, `avatar.glb`
    /// and `avatar.fbx` that exists.
    #[serde(default)]
    pub avatar: Option<String>,
    /// The repertoire; defaults to `repertoire.json`.
    #[serde(default)]
    pub repertoire: Option<String>,
    /// The behaviour model: what the character does without intents. Defaults to `behaviour.json` if it exists.
    #[serde(default)]
    pub behaviour: Option<String>,
    /// The blink model, as written by `vivant learn blinks`; defaults to `blinks.model.json` if it exists. It is used
    /// if the temperament's `blinkProfile` is `auto` (the default), `pca` or `real`.
    #[serde(default, rename = "blinkModel")]
    pub blink_model: Option<String>,
    /// The eye texture for idle eye movements, as written by `vivant learn eyes`; defaults to `eyes.texture` if it
    /// exists.
    #[serde(default, rename = "eyeTexture")]
    pub eye_texture: Option<String>,
    /// Name of a temperament preset, such as `Friendly`, whose values are the defaults for `temperament`.
    #[serde(default)]
    pub preset: Option<String>,
    /// Parameters of eyes, lids and head. Omitted values come from the preset, or are the defaults.
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
/// If it is not valid TOML, has an unknown field, or has numbers out of range (all of them are listed).
pub fn read(bytes: &[u8]) -> Result<Manifest> {
    limits::within("file", "bytes", bytes.len(), limits::MAX_LINE_BYTES)?;
    let text =
        std::str::from_utf8(bytes).map_err(|_| Error::new("not valid UTF-8; save the file as UTF-8"))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let table = toml::de::DeTable::parse(text).map_err(|error| syntax_error(text, &error))?;
    let mut document = json::from_toml(table.get_ref())?;
    version(&document)?;
    start_from_preset(&mut document)?;
    let read: Manifest = json::part(document)?;
    check_manifest(&read).or(read)
}

/// Fills omitted temperament fields with those of the preset, if one is named.
fn start_from_preset(document: &mut Value) -> Result<()> {
    let Some(name) = document.get("preset").and_then(Value::as_str) else { return Ok(()) };
    let preset = presets::find(name).map_err(|error| error.within("preset"))?.temperament;
    if let Value::Object(fields) = document {
        let own = fields.entry("temperament").or_insert_with(|| Value::Object(Map::new()));
        json::fill(own, serde_json::to_value(preset).unwrap_or_default());
    }
    Ok(())
}

/// Checks the version first, because newer files may have fields that are unknown here.
fn version(document: &Value) -> Result<()> {
    let error = |message: String| Err(Error::at("version", message));
    match document.get("version").map(Value::as_i64) {
        None => error(format!("the field `version` is missing; add version = {VERSION}")),
        Some(Some(version)) if version > i64::from(VERSION) => error(format!(
            "version {version} is newer than {VERSION}, the newest that this Vivant reads; update Vivant"
        )),
        Some(Some(1..)) => Ok(()),
        Some(_) => error(format!("must be a whole number from 1 to {VERSION}")),
    }
}

fn syntax_error(text: &str, error: &toml::de::Error) -> Error {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = 1 + before.matches('\n').count();
    let what: Vec<&str> = error.message().lines().collect();
    Error::at(format!("line {line}"), format!("invalid TOML: {}", words::short(&what.join(", "))))
}

fn check_manifest(manifest: &Manifest) -> ErrorList {
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

/// Allowed ranges of temperament fields. Without this check, the engine would clamp the values silently.
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
    fn malformed_characters_give_errors_with_place_and_cause() {
        for (text, words) in [
            ("", "version: the field `version` is missing; add version = 1"),
            ("version = 2\nsoul = 1", "version 2 is newer than 1"),
            ("version = 0", "version: must be"),
            ("version = \"1\"", "version: must be"),
            ("version", "line 1: invalid TOML"),
            ("version = 1\navatar = me.vrm", "line 2: invalid TOML"),
            ("version = 1\nversion = 1", "line 2: invalid TOML: duplicate key"),
            ("version = 1\navatr = \"me.vrm\"", "unknown field `avatr`; did you mean `avatar`?"),
            ("version = 1\navatar = 3", "avatar: found 3, expected a text in double quotes"),
            ("version = 1\navatar = \"\"", "avatar: is empty"),
            ("version = 1\ntemperament = 3", "temperament: found 3"),
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
                "temperament.liveliness: found the text \"1\"",
            ),
            (
                "version = 1\n[temperament]\nblinks = \"naturl\"",
                "temperament.blinks: unknown value `naturl`; did you mean `natural`?",
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
        let error = read(b"version = 1\npreset = \"Frendly\"\n").unwrap_err().to_string();
        assert_eq!(error, "preset: unknown preset “Frendly”; did you mean `Friendly`?");
    }

    #[test]
    fn all_fields_but_the_version_are_optional() {
        assert_eq!(read(b"\xef\xbb\xbfversion = 1\r\n"), Ok(Manifest::default()));
        let text = "version = 1\nname = \"Eve\"\n[temperament]\nblinks = \"none\"\nlidTempo = 1";
        let read = read(text.as_bytes()).unwrap();
        assert_eq!(read.name.as_deref(), Some("Eve"));
        assert_eq!((read.temperament.blinks, read.temperament.lid_tempo), (BlinkStrategy::None, 1.0));
    }
}
