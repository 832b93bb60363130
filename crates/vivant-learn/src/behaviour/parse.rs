//! Parses a tier map strictly: unknown keys and values are errors with a suggestion.
//!
//! Tier maps are written by hand, and a misspelt key would silently drop annotations. So the TOML table is not
//! deserialized by derived code, but read through [`Fields`], which knows the permitted keys of each table. [`map`]
//! returns the [`TierMap`] or the first error, with the path of the key, such as `tier[2].kind`, and the nearest known
//! word. It does not check whether the rules match any tier; this needs the videos.

use super::map::{Meaning, Semantics, TierMap, TierPart, TierRule, ValueRule};
use super::pattern::Pattern;
use toml::{Table, Value};
use vivant::body::repertoire::Kind;
use vivant_io::{Error, Result, limits};

/// Maximum number of rules; maps are written by hand.
const MAX_RULES: usize = 4096;

pub(super) fn map(text: &str) -> Result<TierMap> {
    limits::within("map", "bytes", text.len(), 1 << 20)?;
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let line =
            error.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
        Error::at(format!("line {line}"), format!("invalid TOML: {}", error.message()))
    })?;
    let known = ["origin", "overlap", "semantics", "smoothing", "quantiles", "pause", "tier", "values"];
    let fields = Fields::new("", &table, &known)?;
    let tiers =
        fields.list("tier")?.iter().enumerate().map(|(index, value)| tier(&format!("tier[{index}]"), value));
    let map = TierMap {
        origin: fields.text("origin")?.map(str::to_owned),
        overlap: fields.number("overlap", 0.5, 0.001, 1.0)?,
        semantics: fields.choice("semantics", &SEMANTICS)?.unwrap_or_default(),
        smoothing: fields.number("smoothing", 0.0, 0.0, 1e6)?,
        quantiles: fields.number("quantiles", 21.0, 2.0, 1001.0)? as usize,
        pause: fields.number("pause", 0.5, 0.0, 3600.0)?,
        tiers: tiers.collect::<Result<_>>()?,
        values: values(&fields)?,
    };
    if map.tiers.is_empty() {
        return Err(Error::at("tier", "no tier rules; add [[tier]] with part and name"));
    }
    limits::within("tier", "rules", map.tiers.len(), MAX_RULES)?;
    Ok(map)
}

const SEMANTICS: [(&str, Semantics); 2] = [("drawn", Semantics::Drawn), ("states", Semantics::States)];

const KINDS: [(&str, Kind); 6] = [
    ("gesture", Kind::Gesture),
    ("fidget", Kind::Fidget),
    ("transition", Kind::Transition),
    ("G", Kind::Gesture),
    ("F", Kind::Fidget),
    ("T", Kind::Transition),
];

const IGNORE: &str = "ignore";

fn tier(path: &str, value: &Value) -> Result<TierRule> {
    let table = value.as_table().ok_or_else(|| Error::at(path, "a rule must be a table; write [[tier]]"))?;
    let known = ["part", "name", "type", "participant", "person", "kind", "values"];
    let fields = Fields::new(path, table, &known)?;
    let pattern = |key| fields.text(key).map(|text| text.map(Pattern::new));
    let part = fields.choice("part", &TierPart::ALL)?;
    let names: Vec<&str> = TierPart::ALL.iter().map(|(name, _)| *name).collect();
    let rule = TierRule {
        part: part
            .ok_or_else(|| Error::at(path, format!("part is missing; use one of {}", names.join(", "))))?,
        name: pattern("name")?,
        linguistic_type: pattern("type")?,
        participant: pattern("participant")?,
        person: fields.text("person")?.map(str::to_owned),
        kind: fields.choice("kind", &KINDS)?,
        values: values(&fields)?,
    };
    if rule.name.is_none() && rule.linguistic_type.is_none() && rule.participant.is_none() {
        return Err(Error::at(
            path,
            "the rule matches no tier; set name, type or participant, with * as a wildcard",
        ));
    }
    Ok(rule)
}

fn values(fields: &Fields<'_>) -> Result<Vec<ValueRule>> {
    let Some(value) = fields.table.get("values") else { return Ok(Vec::new()) };
    let path = fields.path("values");
    let type_error = || Error::at(&path, "the values must be a table, for example \"nod*\" = \"gesture\"");
    let table = value.as_table().ok_or_else(type_error)?;
    limits::within(&path, "values", table.len(), MAX_RULES)?;
    let rule = |(written, value): (&String, &Value)| {
        let meaning = meaning(&format!("{path}.\"{written}\""), value)?;
        Ok(ValueRule { pattern: Pattern::new(written), meaning })
    };
    table.iter().map(rule).collect()
}

/// Parses `"gesture"`, `"ignore"`, or `{ kind = "gesture", tags = ["positive"] }`.
fn meaning(path: &str, value: &Value) -> Result<Meaning> {
    match value {
        Value::String(word) if word == IGNORE => Ok(Meaning::Ignored),
        Value::String(word) => {
            let kind = parse_choice(path, word, &KINDS, &[IGNORE])?;
            Ok(Meaning::Action { kind: Some(kind), tags: Vec::new() })
        }
        Value::Table(table) => {
            let fields = Fields::new(path, table, &["kind", "tags"])?;
            Ok(Meaning::Action { kind: fields.choice("kind", &KINDS)?, tags: tags(&fields)? })
        }
        _ => Err(Error::at(path, "the value must be a kind, \"ignore\", or { kind = …, tags = […] }")),
    }
}

fn tags(fields: &Fields<'_>) -> Result<Vec<String>> {
    let type_error =
        || Error::at(fields.path("tags"), "the tags must be a list of words, for example [\"positive\"]");
    let word = |value: &Value| value.as_str().map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty());
    let tags = fields.list("tags")?.iter().map(|value| word(value).ok_or_else(type_error));
    let mut tags = tags.collect::<Result<Vec<_>>>()?;
    tags.sort();
    tags.dedup();
    Ok(tags)
}

/// A table whose keys have been checked: all of them are known.
struct Fields<'a> {
    at: &'a str,
    table: &'a Table,
}

impl<'a> Fields<'a> {
    fn new(at: &'a str, table: &'a Table, known: &[&str]) -> Result<Self> {
        let fields = Self { at, table };
        match table.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(Error::at(fields.path(key), format!("unknown key; {}", suggestion(key, known)))),
            None => Ok(fields),
        }
    }

    fn path(&self, key: &str) -> String {
        if self.at.is_empty() { key.to_owned() } else { format!("{}.{key}", self.at) }
    }

    fn type_error(&self, key: &str, what: impl std::fmt::Display) -> Error {
        Error::at(self.path(key), format!("the value must be {what}"))
    }

    fn text(&self, key: &str) -> Result<Option<&'a str>> {
        let text = |value: &'a Value| value.as_str().ok_or_else(|| self.type_error(key, "text in quotes"));
        self.table.get(key).map(text).transpose()
    }

    fn list(&self, key: &str) -> Result<&'a [Value]> {
        let list = |value: &'a Value| value.as_array().ok_or_else(|| self.type_error(key, "a list"));
        Ok(self.table.get(key).map(list).transpose()?.map_or(&[], Vec::as_slice))
    }

    fn number(&self, key: &str, default: f64, least: f64, most: f64) -> Result<f64> {
        let Some(value) = self.table.get(key) else { return Ok(default) };
        let number = value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
        let number = number.filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| self.type_error(key, format!("a number from {least} to {most}")))
    }

    fn choice<T: Copy>(&self, key: &str, choices: &[(&str, T)]) -> Result<Option<T>> {
        let word = self.text(key)?;
        word.map(|word| parse_choice(&self.path(key), word, choices, &[])).transpose()
    }
}

fn parse_choice<T: Copy>(path: &str, word: &str, choices: &[(&str, T)], others: &[&str]) -> Result<T> {
    let found = choices.iter().find(|(name, _)| *name == word).map(|(_, choice)| *choice);
    let names: Vec<&str> = choices.iter().map(|(name, _)| *name).chain(others.iter().copied()).collect();
    found.ok_or_else(|| Error::at(path, format!("unknown value “{word}”; {}", suggestion(word, &names))))
}

/// Suggests the nearest known word, if one is near, and lists all of them.
fn suggestion(word: &str, known: &[&str]) -> String {
    let similarity =
        |name: &&&str| (strsim::jaro_winkler(&word.to_lowercase(), &name.to_lowercase()) * 1e6) as u32;
    let nearest = known.iter().max_by_key(similarity).filter(|name| similarity(name) > 700_000);
    let all = known.join(", ");
    nearest.map_or_else(
        || format!("expected one of {all}"),
        |name| format!("did you mean “{name}”? (expected one of {all})"),
    )
}
