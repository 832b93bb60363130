//! `vivant inspect`: shows the contents of a file.

use crate::args::Inspect;
use crate::fault::Result;
use crate::flags;
use crate::recordings;
use crate::report::{self, ClipInfo};
use serde::{Serialize, Serializer};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use vivant::rig::{Abilities, Bone, LidControl, LidMap};
use vivant_host::imported::{ImportedFile, Origin};
use vivant_io::Warning;
use vivant_learn::recording::ReadOptions;

pub(crate) fn run(args: &Inspect) -> Result<ExitCode> {
    let options = recordings::options(&args.recording)?;
    if let [only] = args.files.as_slice() {
        let findings = Found::load(only, &options)?;
        if args.json {
            report::json(&findings);
        } else {
            report::line(&findings.text(&only.display().to_string()));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let failures = args.files.iter().filter(|path| !one_of_many(path, &options, args.json)).count();
    Ok(if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Inspects one of several files. An error is reported, and the remaining files are still inspected.
fn one_of_many(path: &Path, options: &ReadOptions, json: bool) -> bool {
    let file = path.display().to_string();
    match Found::load(path, options) {
        Ok(findings) if json => report::json_line(&Named { file, findings: &findings }),
        Ok(findings) => report::line(&format!("{}\n", findings.text(&file))),
        Err(fault) => {
            if json {
                report::json_line(&serde_json::json!({ "file": file, "error": flags::of_error(&fault) }));
            } else {
                report::fault(&fault, false);
            }
            return false;
        }
    }
    true
}

/// Findings with the name of their file.
#[derive(Serialize)]
struct Named<'a> {
    file: String,
    #[serde(flatten)]
    findings: &'a Found,
}

/// An avatar or motion, or an eye recording.
#[derive(Serialize)]
#[serde(untagged)]
enum Found {
    Body(Box<Findings>),
    Eyes(recordings::About),
}

impl Found {
    fn load(path: &Path, options: &ReadOptions) -> Result<Self> {
        if recordings::is_recording(path) {
            return recordings::About::load(path, options).map(Self::Eyes);
        }
        Ok(Self::Body(Box::new(Findings::of(crate::character::import(path)?))))
    }

    fn text(&self, file: &str) -> String {
        match self {
            Self::Body(findings) => findings.text(file),
            Self::Eyes(about) => about.text(file),
        }
    }
}

/// Contents of an avatar or motion file. The field names are the keys of `--json` and must not change.
#[derive(Serialize)]
struct Findings {
    kind: &'static str,
    #[serde(serialize_with = "as_map")]
    humanoid: Vec<(Bone, String)>,
    expressions: Vec<String>,
    /// Number of morph targets that the expressions use.
    morphs: usize,
    abilities: Abilities,
    lids: LidMap,
    clips: Vec<ClipInfo>,
    warnings: Vec<Warning>,
}

/// Serializes bones as a map, in the order of the bones and not in alphabetical order.
fn as_map<S: Serializer>(bones: &[(Bone, String)], serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_map(bones.iter().map(|(bone, node)| (bone.name(), node)))
}

impl Findings {
    fn of(material: ImportedFile) -> Self {
        let rig = material.rig();
        let channels = rig.map(vivant::rig::Rig::channels).unwrap_or_default();
        Self {
            kind: match &material.origin {
                Origin::BuiltIn(_) => "builtin",
                Origin::File(file) => file.import.source.kind.name(),
            },
            humanoid: humanoid(&material),
            expressions: channels.iter().map(|c| c.name().to_owned()).collect(),
            morphs: morphs(&material),
            abilities: rig.map(|r| r.abilities().clone()).unwrap_or_default(),
            lids: rig.map(|r| r.lid_map().clone()).unwrap_or_default(),
            clips: material.clips.iter().map(ClipInfo::from).collect(),
            warnings: material.warnings,
        }
    }

    fn text(&self, file: &str) -> String {
        let missing: Vec<&str> = Bone::ALL
            .into_iter()
            .filter(|b| b.is_required() && self.humanoid.iter().all(|(bone, _)| bone != b))
            .map(Bone::name)
            .collect();
        let mut lines = vec![file.to_owned(), row("kind", self.kind)];
        lines.push(row("bones", &format!("{} of {}", self.humanoid.len(), Bone::COUNT)));
        lines.extend(self.humanoid.iter().map(|(bone, node)| format!("    {:<24} {node}", bone.name())));
        if !missing.is_empty() {
            lines.push(row("missing", &missing.join(", ")));
        }
        lines.push(row(
            "expressions",
            &if self.expressions.is_empty() { "none".into() } else { self.expressions.join(", ") },
        ));
        if self.morphs > 0 {
            lines.push(row("face", &format!("{} morph targets", self.morphs)));
        }
        lines.push(row("abilities", &abilities(&self.abilities)));
        if self.abilities.lids != LidControl::None {
            lines.push(row("lids", &lids(&self.lids)));
        }
        lines.push(row("clips", &self.clips.len().to_string()));
        lines.extend(self.clips.iter().map(|clip| format!("    {clip}")));
        lines.extend(self.warnings.iter().map(|warning| row("warning", &warning.to_string())));
        lines.join("\n")
    }
}

fn row(label: &str, value: &str) -> String {
    format!("  {label:<12} {value}")
}

fn humanoid(material: &ImportedFile) -> Vec<(Bone, String)> {
    let source = &material.file().import.source;
    let nodes = source.scene.nodes();
    let name = |index: usize| match nodes.get(index).map(|n| n.name.as_str()) {
        None | Some("") => format!("node {index}"),
        Some(name) => name.to_owned(),
    };
    source.humanoid.iter().map(|(bone, node)| (bone, name(node))).collect()
}

/// Counts the morph targets that the expressions use. Each morph target counts once.
fn morphs(material: &ImportedFile) -> usize {
    let binds = material.file().import.source.expressions.iter().flat_map(|expression| &expression.binds);
    binds.map(|bind| (bind.node, bind.target)).collect::<BTreeSet<_>>().len()
}

/// Describes the blink weight at which the eyes are closed, and whether this weight was measured.
fn lids(map: &LidMap) -> String {
    let [left, right] = map.full_closure;
    let known = if map.measured { "measured on the face" } else { "not measured" };
    format!("closed at weight {left:.2} left · {right:.2} right ({known})")
}

/// Lists the abilities in one line, by their JSON names.
fn abilities(abilities: &Abilities) -> String {
    let Ok(serde_json::Value::Object(fields)) = serde_json::to_value(abilities) else { return String::new() };
    let one = |(name, value): (String, serde_json::Value)| match value {
        serde_json::Value::String(text) => format!("{name} {text}"),
        serde_json::Value::Array(list) if name.ends_with("Fingers") => format!("{name} {}", list.len()),
        serde_json::Value::Array(list) => {
            let words: Vec<&str> = list.iter().filter_map(|v| v.as_str()).collect();
            format!("{name} {}", if words.is_empty() { "none".into() } else { words.join(" ") })
        }
        other => format!("{name} {}", if other == true { "yes" } else { "no" }),
    };
    fields.into_iter().map(one).collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_json_has_the_promised_keys() {
        let value = serde_json::to_value(Findings::of(ImportedFile::built_in())).unwrap();
        let keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            keys,
            ["abilities", "clips", "expressions", "humanoid", "kind", "lids", "morphs", "warnings"]
        );
        assert_eq!(value["humanoid"]["leftUpperArm"], "leftUpperArm");
        let clip = value["clips"][0].as_object().unwrap();
        assert_eq!(clip.keys().collect::<Vec<_>>(), ["name", "rate", "seconds"]);
    }

    #[test]
    fn the_text_has_bones_clips_and_abilities() {
        let text = Findings::of(ImportedFile::built_in()).text("builtin");
        for expected in [
            "55 of 55",
            "happy",
            "eyes bones",
            "leftFingers 5",
            "69 morph targets",
            "idle_breathe  8.00 s at 30 fps",
        ] {
            assert!(text.contains(expected), "no {expected} in:\n{text}");
        }
    }
}
