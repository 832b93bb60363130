use super::*;
use crate::json;
use std::path::PathBuf;

/// Environment variable that, if set, makes the tests update the schemas.
const UPDATE: &str = "VIVANT_UPDATE";

fn root_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn published_schemas_are_up_to_date() {
    for name in NAMES {
        let path = root_folder().join(format!("docs/schema/{name}.schema.json"));
        let schema = of(name).unwrap();
        if std::env::var_os(UPDATE).is_some() {
            std::fs::write(&path, text(&schema)).unwrap();
        }
        let published = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            published == text(&schema),
            "{} is out of date: {UPDATE}=1 cargo test -p vivant-io --features schema",
            path.display()
        );
    }
}

/// Samples in `tests/js/samples`, where another validator checks them against the schemas.
fn samples(name: &str, kind: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(root_folder().join(format!("tests/js/samples/{name}.json"))).unwrap();
    let samples: Value = serde_json::from_str(&text).unwrap();
    samples[kind].as_array().unwrap().clone()
}

fn read(name: &str, sample: &Value) -> Result<(), String> {
    let text = sample.to_string();
    let read = match name {
        "intent" => json::intents::line(&text).map(drop),
        "repertoire" => json::repertoire::read(text.as_bytes()).map(drop),
        "behaviour" => json::behaviour::read(text.as_bytes()).map(drop),
        "blink-model" => json::blink_model::read(text.as_bytes()).map(drop),
        "eye-texture" => json::texture::read(text.as_bytes()).map(drop),
        "protocol" => return read_message(sample),
        _ => crate::character::read(toml::to_string(sample).unwrap().as_bytes()).map(drop),
    };
    read.map_err(|error| error.to_string())
}

/// Reads messages as the server and its clients do.
fn read_message(sample: &Value) -> Result<(), String> {
    use json::protocol::{Message, Request, api};
    fn parsed<T: serde::de::DeserializeOwned>(value: &Value) -> Result<(), String> {
        serde_json::from_value::<T>(value.clone()).map(drop).map_err(|error| error.to_string())
    }
    let only = sample.as_object().filter(|map| map.len() == 1).and_then(|map| map.iter().next());
    let Some((kind, value)) = only else { return Err("one object with one key".into()) };
    match kind.as_str() {
        "request" => Request::read(&value.to_string()).map(drop).map_err(|error| error.to_string()),
        "message" => parsed::<Message>(value),
        "newCharacter" => parsed::<api::NewCharacter>(value),
        "edit" => parsed::<api::Edit>(value),
        "place" => parsed::<api::Place>(value),
        "stats" => parsed::<api::Stats>(value),
        other => Err(format!("unknown message `{other}`")),
    }
}

#[test]
fn readers_accept_exactly_the_valid_samples() {
    for name in NAMES {
        let examples = of(name).unwrap()["examples"].as_array().unwrap().clone();
        for sample in samples(name, "valid").iter().chain(&examples) {
            assert_eq!(read(name, sample), Ok(()), "{name}: {sample}");
        }
        for sample in samples(name, "invalid") {
            assert!(read(name, &sample).is_err(), "{name}: {sample}");
        }
    }
}

/// Without this test, a range for a missing place would be ignored silently.
#[test]
fn every_number_has_a_range() {
    fn numbers<'a>(value: &'a Value, found: &mut Vec<&'a Value>) {
        match value {
            Value::Array(all) => all.iter().for_each(|one| numbers(one, found)),
            Value::Object(map) => {
                let is = |kind: &str| {
                    map.get("type").is_some_and(|t| {
                        t == kind || t.as_array().is_some_and(|all| all.contains(&json!(kind)))
                    })
                };
                if is("number") || is("integer") {
                    found.push(value);
                }
                map.iter().filter(|(key, _)| *key != "examples").for_each(|(_, one)| numbers(one, found));
            }
            _ => {}
        }
    }
    for name in NAMES {
        let schema = of(name).unwrap();
        let mut found = Vec::new();
        // Messages of the server have no limits.
        if name == "protocol" {
            let written = protocol::written(&schema);
            written.iter().for_each(|name| numbers(&schema["$defs"][name], &mut found));
        } else {
            numbers(&schema, &mut found);
        }
        assert!(!found.is_empty());
        for number in found {
            assert!(number.get("maximum").or(number.get("const")).is_some(), "{name}: {number}");
        }
    }
}

#[test]
fn examples_in_the_guide_are_valid() {
    let page = |name: &str| std::fs::read_to_string(root_folder().join("docs/reference").join(name)).unwrap();
    let guide = page("configuration.md") + &page("intents.md");
    let shown = |language: &str| -> Vec<String> {
        let fence = format!("```{language}\n");
        guide
            .split(&fence)
            .skip(1)
            .map(|block| block.split("```").next().unwrap_or_default().to_owned())
            .collect()
    };
    let [repertoire, script] = &shown("json")[..] else {
        panic!("the guide shows a repertoire and a script")
    };
    let read = json::repertoire::read(repertoire.as_bytes()).unwrap();
    assert_eq!(json::repertoire::write(&read), *repertoire, "the guide shows the written form");
    assert_eq!(json::intents::script(script.as_bytes()).unwrap().len(), 4);
    let manifest = crate::character::read(shown("toml")[0].as_bytes()).unwrap();
    assert_eq!(manifest.name.as_deref(), Some("Eve"));
}

#[test]
fn examples_in_the_protocol_page_are_valid() {
    let page = std::fs::read_to_string(root_folder().join("docs/reference/protocol.md")).unwrap();
    let block = page.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    // The table of verbs abbreviates with `…`.
    let verbs = page.split("| `{").skip(1).filter_map(|rest| rest.split('`').next());
    let verbs = verbs.map(|verb| format!("{{{}", verb.replace('…', "")));
    let asked: Vec<String> = block.lines().map(str::to_owned).chain(verbs).collect();
    assert!(asked.len() >= 13, "{asked:?}");
    for text in asked {
        if let Err(error) = json::protocol::Request::read(&text) {
            panic!("{text}: {error}");
        }
    }
}
