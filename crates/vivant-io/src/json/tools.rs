//! Tool definitions for language models: one tool per verb, restricted to the verbs that the character can perform.
//!
//! The arguments of a call are an intent: pass them to [`intents::line`](super::intents::line).

use super::words;
use crate::limits;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use vivant::body::layers::Layer;
use vivant::body::repertoire::{Hand, Kind, Repertoire, short_name};

/// A tool: one verb.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Name of the tool: the verb.
    pub name: &'static str,
    /// Description for the model; it ends with an example.
    pub description: String,
    /// JSON Schema of the arguments.
    pub parameters: Value,
    /// Example arguments.
    pub example: Value,
}

/// Format of tool definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// OpenAI: `{"type": "function", "function": {"name", "description", "parameters"}}`
    OpenAi,
    /// Anthropic: `{"name", "description", "input_schema"}`
    Anthropic,
    /// Model Context Protocol: `{"name", "description", "inputSchema"}`
    Mcp,
}

impl Tool {
    /// Returns the tool definition in the format of `style`.
    #[must_use]
    pub fn in_style(&self, style: Style) -> Value {
        let (name, description, parameters) = (self.name, &self.description, &self.parameters);
        match style {
            Style::OpenAi => json!({ "type": "function", "function": {
                "name": name, "description": description, "parameters": parameters } }),
            Style::Anthropic => {
                json!({ "name": name, "description": description, "input_schema": parameters })
            }
            Style::Mcp => json!({ "name": name, "description": description, "inputSchema": parameters }),
        }
    }

    /// Returns the tool with all parameters required, as “strict” modes demand. Optional parameters accept `null`,
    /// which means omitted.
    #[must_use]
    pub fn strict(mut self) -> Self {
        let required: Vec<Value> = self.parameters["required"].as_array().cloned().unwrap_or_default();
        let properties = self.parameters["properties"].as_object_mut();
        let mut all = Vec::new();
        for (name, property) in properties.into_iter().flat_map(|all| all.iter_mut()) {
            all.push(json!(name));
            if !required.contains(&json!(name)) {
                or_null(property);
            }
        }
        self.parameters["required"] = Value::Array(all);
        self
    }
}

fn or_null(property: &mut Value) {
    property["type"] = json!([property["type"].take(), "null"]);
    if let Some(Value::Array(words)) = property.get_mut("enum") {
        words.push(Value::Null);
    }
}

/// Returns the tools for a character with this repertoire, without verbs that it cannot perform.
#[must_use]
pub fn of(repertoire: &Repertoire) -> Vec<Tool> {
    let options = Options::of(repertoire);
    let mut tools = vec![say()];
    tools.extend((!options.kinds.is_empty()).then(|| act(&options)));
    tools.extend((!options.stances.is_empty()).then(|| stance(&options)));
    tools.extend([be(), look(), blink(), do_tool(), stop()]);
    tools
}

/// The content of a repertoire, sorted and without duplicates.
#[derive(Default)]
struct Options {
    kinds: BTreeSet<Kind>,
    hands: BTreeSet<Hand>,
    layers: BTreeSet<Layer>,
    tags: BTreeSet<String>,
    clips: BTreeSet<String>,
    /// Names of the stances in file order. A performance starts in the first stance.
    stances: Vec<String>,
    /// Short descriptions of the clips.
    about: Vec<String>,
    /// The first action, for the example.
    first: Option<(Kind, String)>,
}

/// Maximum number of clips that are described. If there are more, clips are only listed by name.
const DESCRIBED: usize = 60;

impl Options {
    fn of(repertoire: &Repertoire) -> Self {
        let mut options = Self::default();
        for stance in &repertoire.stances {
            if !options.stances.contains(&stance.name) {
                options.stances.push(stance.name.clone());
            }
            for (kind, actions) in [(Kind::Gesture, &stance.gestures), (Kind::Fidget, &stance.fidgets)] {
                for action in actions {
                    let layers = if action.layers.is_empty() { &stance.layers } else { &action.layers };
                    options.layers.extend(layers);
                    let name = action.name.as_deref().unwrap_or_else(|| short_name(&action.clip));
                    options.add(kind, Some(name), action.hand, &action.tags, &stance.name);
                }
            }
            for transition in &stance.transitions {
                options.layers.extend(&stance.layers);
                let name = transition.name.as_deref().or(transition.clip.as_deref().map(short_name));
                let way = format!("{} to {}", stance.name, transition.to);
                options.add(Kind::Transition, name, transition.hand, &transition.tags, &way);
            }
        }
        options
    }

    fn add(&mut self, kind: Kind, name: Option<&str>, hand: Option<Hand>, tags: &[String], place: &str) {
        self.kinds.insert(kind);
        self.hands.extend(hand);
        self.tags.extend(tags.iter().cloned());
        let Some(name) = name.filter(|name| !name.trim().is_empty()) else { return };
        self.first.get_or_insert_with(|| (kind, name.to_owned()));
        if self.clips.insert(name.to_owned()) {
            let hand = hand.map(|hand| format!(", {}", hand.letters())).unwrap_or_default();
            let tags = if tags.is_empty() { String::new() } else { format!(", {}", tags.join("/")) };
            let about = format!("{name} ({}, {place}{hand}{tags})", kind.name());
            self.about.push(words::short(&about));
        }
    }

    /// Returns the descriptions of the clips, or nothing if there are too many.
    fn described(&self) -> String {
        let few = self.about.len() <= DESCRIBED;
        if few { format!(": {}", self.about.join("; ")) } else { String::new() }
    }
}

fn act(options: &Options) -> Tool {
    let mut properties = vec![
        ("act", word_enum("Kind of movement", options.kinds.iter().map(|kind| kind.name()))),
        ("at", when()),
        ("duration", seconds("Wanted duration; default: that of the movement")),
        ("priority", priority()),
        (
            "resume",
            json!({ "type": "boolean", "description": "Whether to continue after an interruption by a higher priority" }),
        ),
    ];
    let mut example = json!({ "act": options.kinds.first().map(|kind| kind.name()) });
    if let Some((kind, clip)) = &options.first {
        let about = format!("A specific movement; default: a matching one is chosen{}", options.described());
        properties.push(("clip", word_enum(&about, options.clips.iter().map(String::as_str))));
        example = json!({ "act": kind.name(), "clip": clip });
    }
    if !options.tags.is_empty() {
        let items = word_enum("A tag", options.tags.iter().map(String::as_str));
        properties.push((
            "tags",
            json!({ "type": "array", "items": items, "maxItems": limits::MAX_TAGS,
            "description": "Required tags; the movement has all of them. Default: any" }),
        ));
    }
    if !options.hands.is_empty() {
        let hands = options.hands.iter().map(|hand| hand.letters());
        properties.push(("hand", word_enum("The hand: L left, R right, LR both; default: any", hands)));
    }
    let layers = options.layers.iter().map(|layer| layer_name(*layer));
    properties.push(("layer", word_enum("The part of the body; default: any", layers)));
    let stances = options.stances.iter().map(String::as_str);
    properties.push((
        "stance",
        word_enum(
            "The stance to perform it in, or the final stance of a transition; default: the current one",
            stances,
        ),
    ));
    tool("act", "Make a movement: a specific clip, or any that matches.", &["act"], properties, example)
}

fn stance(options: &Options) -> Tool {
    let names = options.stances.iter().map(String::as_str);
    let properties =
        vec![("stance", word_enum("The stance", names)), ("at", when()), ("priority", priority())];
    let example = json!({ "stance": options.stances.last() });
    tool(
        "stance",
        "Change the stance of the character, such as standing or sitting.",
        &["stance"],
        properties,
        example,
    )
}

fn say() -> Tool {
    let about = "The text. Tags in square brackets are performed, not spoken: [nod], [smile], [look:left], [gesture:wave]";
    let text = json!({ "type": "string", "minLength": 1, "maxLength": limits::MAX_SAID_BYTES, "description": about });
    let line = json!({ "type": "string", "minLength": 1, "maxLength": limits::MAX_WORD_BYTES,
        "description": "Any name, the same for all pieces of one line; default: a separate line" });
    let more =
        json!({ "type": "boolean", "description": "Whether more of the line follows; default: false" });
    let properties = vec![
        ("say", text),
        ("line", line),
        ("more", more),
        ("at", when()),
        ("duration", seconds("Duration of the speech; default: estimated from the text")),
    ];
    let example = json!({ "say": "[smile] Nice to meet you!" });
    tool("say", "Say something. Body and face accompany the speech.", &["say"], properties, example)
}

fn be() -> Tool {
    let states = ["idle", "speaking", "listening", "reading", "thinking"];
    let properties = vec![("be", word_enum("The activity", states)), ("at", when())];
    let description = "Set the activity until it is changed: eyes, breath and body behave accordingly.";
    tool("be", description, &["be"], properties, json!({ "be": "listening" }))
}

fn look() -> Tool {
    let number = json!({ "type": "number", "minimum": -limits::MAX_METRES as i32, "maximum": limits::MAX_METRES as i32 });
    let target = json!({
        "anyOf": [
            { "type": "string", "enum": ["ahead", "away", "freely"] },
            { "type": "array", "items": number, "minItems": 3, "maxItems": 3 },
        ],
        "description": "`ahead`: straight ahead. `away`: away from the other person. `freely`: anywhere, with natural eye movements. \
                        Or a point [x, y, z] in metres: +x to the character's left, +y up, +z ahead",
    });
    let properties = vec![("look", target), ("at", when())];
    tool(
        "look",
        "Look at a point, ahead, away, or freely.",
        &["look"],
        properties,
        json!({ "look": [0.5, 1.5, 2.0] }),
    )
}

fn blink() -> Tool {
    let properties = vec![("blink", yes()), ("at", when())];
    tool("blink", "Blink once.", &["blink"], properties, json!({ "blink": true }))
}

fn do_tool() -> Tool {
    let about = "One of: nod, smile, brows, blink, weight:left, weight:right, tilt:left, tilt:right, look:up, look:down, \
                 look:left, look:right, look:you, a mood such as happy, or a name or tag of the character's clips";
    let what = json!({ "type": "string", "minLength": 1, "maxLength": limits::MAX_WORD_BYTES, "description": about });
    let properties = vec![("do", what), ("at", when()), ("priority", priority())];
    tool("do", "Perform an action by name, without a line.", &["do"], properties, json!({ "do": "nod" }))
}

fn stop() -> Tool {
    let layers = Layer::ALL.map(layer_name);
    let properties = vec![
        ("stop", yes()),
        ("layer", word_enum("The part of the body; default: all", layers)),
        ("within", seconds("Maximum duration of the return to the stance; default: 0.4")),
        ("at", when()),
    ];
    let description =
        "Stop all movements, discard pending requests, and return to the stance, as when interrupted.";
    tool("stop", description, &["stop"], properties, json!({ "stop": true }))
}

fn tool(
    name: &'static str,
    description: &str,
    required: &[&str],
    properties: Vec<(&str, Value)>,
    example: Value,
) -> Tool {
    let properties: Map<String, Value> =
        properties.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let parameters = json!({
        "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    Tool { name, description: format!("{description} Example: {example}"), parameters, example }
}

fn word_enum<'a>(description: &str, words: impl IntoIterator<Item = &'a str>) -> Value {
    let words: Vec<&str> = words.into_iter().collect();
    json!({ "type": "string", "enum": words, "description": description })
}

fn seconds(description: &str) -> Value {
    json!({ "type": "number", "minimum": 0, "maximum": limits::MAX_SECONDS as u32, "description": description })
}

fn when() -> Value {
    let description = "Time in seconds of the performance; default: now";
    json!({ "type": "number", "minimum": 0, "maximum": limits::MAX_AT_SECONDS as u32, "description": description })
}

fn priority() -> Value {
    json!({ "type": "integer", "minimum": -limits::MAX_PRIORITY, "maximum": limits::MAX_PRIORITY,
        "description": "Higher priorities interrupt lower ones; default: 0" })
}

fn yes() -> Value {
    json!({ "type": "boolean", "enum": [true], "description": "true" })
}

const fn layer_name(layer: Layer) -> &'static str {
    match layer {
        Layer::Body => "body",
        Layer::Arms => "arms",
        Layer::Head => "head",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{intents, repertoire};

    const REPERTOIRE: &str = r#"{"version": 1, "stances": [
        {"name": "standing", "gestures": [
            {"clip": "clips/wave.fbx", "hand": "R", "layers": ["arms"], "tags": ["positive", "greeting"]},
            {"clip": "all.glb#Point", "name": "point there", "layers": ["arms"], "tags": ["deictic"]}],
         "transitions": [{"to": "sitting", "clip": "clips/sit.fbx"}]},
        {"name": "sitting", "transitions": [{"to": "standing"}]}]}"#;

    fn tools() -> Vec<Tool> {
        of(&repertoire::read(REPERTOIRE.as_bytes()).unwrap())
    }

    #[test]
    fn arguments_of_every_tool_are_an_intent() {
        let tools = tools();
        assert_eq!(
            tools.iter().map(|tool| tool.name).collect::<Vec<_>>(),
            ["say", "act", "stance", "be", "look", "blink", "do", "stop"]
        );
        for tool in tools {
            assert!(intents::line(&tool.example.to_string()).is_ok(), "{}", tool.example);
            assert!(tool.description.ends_with(&format!("Example: {}", tool.example)));
            assert_eq!(tool.parameters["required"], json!([tool.name]));
            let fields: Vec<&String> = tool.parameters["properties"].as_object().unwrap().keys().collect();
            let (_, known) = intents::FIELDS.iter().find(|(verb, _)| *verb == tool.name).unwrap();
            assert!(
                fields.iter().all(|field| *field == tool.name || known.contains(&field.as_str())),
                "{fields:?}"
            );
            let mut nulls: Map<String, Value> =
                fields.into_iter().map(|field| (field.clone(), Value::Null)).collect();
            nulls.extend(tool.example.as_object().cloned().unwrap());
            assert!(intents::line(&Value::Object(nulls).to_string()).is_ok());
        }
    }

    #[test]
    fn act_offers_exactly_the_repertoire() {
        let act = tools().remove(1);
        let offered = |field: &str| act.parameters["properties"][field]["enum"].clone();
        assert_eq!(offered("act"), json!(["gesture", "transition"]));
        assert_eq!(offered("clip"), json!(["point there", "sit", "wave"]));
        assert_eq!(offered("hand"), json!(["R"]));
        assert_eq!(offered("stance"), json!(["standing", "sitting"]));
        assert_eq!(
            act.parameters["properties"]["tags"]["items"]["enum"],
            json!(["deictic", "greeting", "positive"])
        );
        let about = act.parameters["properties"]["clip"]["description"].as_str().unwrap();
        assert!(about.contains("wave (gesture, standing, R, positive/greeting)"), "{about}");
        assert!(of(&Repertoire::default()).iter().all(|tool| !["act", "stance"].contains(&tool.name)));
    }

    #[test]
    fn strict_tools_require_everything_and_allow_null() {
        for tool in tools() {
            let strict = tool.clone().strict();
            let properties = strict.parameters["properties"].as_object().unwrap();
            assert_eq!(strict.parameters["required"].as_array().unwrap().len(), properties.len());
            for (name, property) in properties {
                let takes_null =
                    property["type"].as_array().is_some_and(|kinds| kinds.contains(&json!("null")));
                assert_eq!(takes_null, name != tool.name, "{name}");
                let words = property["enum"].as_array();
                assert!(words.is_none_or(|words| words.contains(&Value::Null) == takes_null), "{name}");
            }
        }
    }
}
