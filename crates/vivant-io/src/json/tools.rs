//! What a language model can call: a tool a verb, made of what this character can really do.
//!
//! The arguments of a call are an intent as they are: give them to [`intents::line`](super::intents::line).

use super::words;
use crate::limits;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use vivant::body::layers::Layer;
use vivant::body::repertoire::{Hand, Kind, Repertoire, short_name};

/// One verb, as something to call.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// The verb.
    pub name: &'static str,
    /// What it does, for the model; it ends with an example.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
    /// Arguments that it takes.
    pub example: Value,
}

/// Whose form tools are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `{"type": "function", "function": {"name", "description", "parameters"}}`
    OpenAi,
    /// `{"name", "description", "input_schema"}`
    Anthropic,
    /// `{"name", "description", "inputSchema"}`, as the Model Context Protocol has it
    Mcp,
}

impl Tool {
    /// The tool as its users want it.
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

    /// The same tool with every parameter required, and `null` for what is left out: models that are held
    /// to a schema (“strict” mode) need it so.
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

/// The tools for a character with this repertoire. A verb that it cannot follow has none.
#[must_use]
pub fn of(repertoire: &Repertoire) -> Vec<Tool> {
    let can = Abilities::of(repertoire);
    let mut tools = vec![say()];
    tools.extend((!can.kinds.is_empty()).then(|| act(&can)));
    tools.extend((!can.stances.is_empty()).then(|| stance(&can)));
    tools.extend([be(), look(), blink(), deed(), stop()]);
    tools
}

/// What a repertoire has, each thing once and in order.
#[derive(Default)]
struct Abilities {
    kinds: BTreeSet<Kind>,
    hands: BTreeSet<Hand>,
    layers: BTreeSet<Layer>,
    tags: BTreeSet<String>,
    clips: BTreeSet<String>,
    /// As they are written, for the first is where a performance begins.
    stances: Vec<String>,
    /// What each clip is, in a few words.
    about: Vec<String>,
    /// Something that it can do.
    first: Option<(Kind, String)>,
}

/// More clips than this are listed by name alone.
const DESCRIBED: usize = 60;

impl Abilities {
    fn of(repertoire: &Repertoire) -> Self {
        let mut can = Self::default();
        for stance in &repertoire.stances {
            if !can.stances.contains(&stance.name) {
                can.stances.push(stance.name.clone());
            }
            for (kind, actions) in [(Kind::Gesture, &stance.gestures), (Kind::Fidget, &stance.fidgets)] {
                for action in actions {
                    let layers = if action.layers.is_empty() { &stance.layers } else { &action.layers };
                    can.layers.extend(layers);
                    let name = action.name.as_deref().unwrap_or_else(|| short_name(&action.clip));
                    can.add(kind, Some(name), action.hand, &action.tags, &stance.name);
                }
            }
            for transition in &stance.transitions {
                can.layers.extend(&stance.layers);
                let name = transition.name.as_deref().or(transition.clip.as_deref().map(short_name));
                let way = format!("{} to {}", stance.name, transition.to);
                can.add(Kind::Transition, name, transition.hand, &transition.tags, &way);
            }
        }
        can
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

    /// The clips with what they are, or nothing if they are too many.
    fn described(&self) -> String {
        let few = self.about.len() <= DESCRIBED;
        if few { format!(": {}", self.about.join("; ")) } else { String::new() }
    }
}

fn act(can: &Abilities) -> Tool {
    let mut properties = vec![
        ("act", words_of("What kind of movement", can.kinds.iter().map(|kind| kind.name()))),
        ("at", when()),
        ("duration", seconds("How long it is wanted; left out, as long as it takes")),
        ("priority", priority()),
        (
            "resume",
            json!({ "type": "boolean", "description": "Whether to go on after something more important cut it" }),
        ),
    ];
    let mut example = json!({ "act": can.kinds.first().map(|kind| kind.name()) });
    if let Some((kind, clip)) = &can.first {
        let about = format!("A certain movement; left out, one that fits is chosen{}", can.described());
        properties.push(("clip", words_of(&about, can.clips.iter().map(String::as_str))));
        example = json!({ "act": kind.name(), "clip": clip });
    }
    if !can.tags.is_empty() {
        let items = words_of("A meaning", can.tags.iter().map(String::as_str));
        properties.push((
            "tags",
            json!({ "type": "array", "items": items, "maxItems": limits::MAX_TAGS,
            "description": "What it has to mean: all of these. Left out, anything" }),
        ));
    }
    if !can.hands.is_empty() {
        let hands = can.hands.iter().map(|hand| hand.letters());
        properties.push(("hand", words_of("The hand: L left, R right, LR both; left out, any", hands)));
    }
    let layers = can.layers.iter().map(|layer| layer_name(*layer));
    properties.push(("layer", words_of("The part of the body; left out, any", layers)));
    let stances = can.stances.iter().map(String::as_str);
    properties.push((
        "stance",
        words_of("The stance to do it in, or to end in; left out, the present one", stances),
    ));
    tool(
        "act",
        "Make a movement: a certain clip, or anything that fits what is asked for.",
        &["act"],
        properties,
        example,
    )
}

fn stance(can: &Abilities) -> Tool {
    let names = can.stances.iter().map(String::as_str);
    let properties =
        vec![("stance", words_of("The stance", names)), ("at", when()), ("priority", priority())];
    let example = json!({ "stance": can.stances.last() });
    tool("stance", "Change how the character stands or sits, and stay so.", &["stance"], properties, example)
}

fn say() -> Tool {
    let about = "The words. Tags in square brackets are done and not said: [nod], [smile], [look:left], [gesture:wave]";
    let said = json!({ "type": "string", "minLength": 1, "maxLength": limits::MAX_SAID_BYTES, "description": about });
    let line = json!({ "type": "string", "minLength": 1, "maxLength": limits::MAX_WORD_BYTES,
        "description": "Any name, the same for all pieces of one line; left out, a line of its own" });
    let more = json!({ "type": "boolean", "description": "Whether more of the line follows; left out, no" });
    let properties = vec![
        ("say", said),
        ("line", line),
        ("more", more),
        ("at", when()),
        ("duration", seconds("How long the speech lasts; left out, estimated from the words")),
    ];
    let example = json!({ "say": "[smile] Nice to meet you!" });
    tool("say", "Say something. The body speaks along by itself.", &["say"], properties, example)
}

fn be() -> Tool {
    let states = ["idle", "speaking", "listening", "reading", "thinking"];
    let properties = vec![("be", words_of("The state", states)), ("at", when())];
    let description = "Be in a state until told otherwise: eyes, breath and body behave accordingly.";
    tool("be", description, &["be"], properties, json!({ "be": "listening" }))
}

fn look() -> Tool {
    let number = json!({ "type": "number", "minimum": -limits::MAX_METRES as i32, "maximum": limits::MAX_METRES as i32 });
    let target = json!({
        "anyOf": [
            { "type": "string", "enum": ["ahead", "away", "freely"] },
            { "type": "array", "items": number, "minItems": 3, "maxItems": 3 },
        ],
        "description": "`ahead`: straight ahead. `away`: away from the person opposite. `freely`: about, as people do. \
                        Or a point [x, y, z] in metres: +x to the character's left, +y up, +z ahead",
    });
    let properties = vec![("look", target), ("at", when())];
    tool(
        "look",
        "Look at someone, at a point, or about.",
        &["look"],
        properties,
        json!({ "look": [0.5, 1.5, 2.0] }),
    )
}

fn blink() -> Tool {
    let properties = vec![("blink", yes()), ("at", when())];
    tool("blink", "Blink once.", &["blink"], properties, json!({ "blink": true }))
}

fn deed() -> Tool {
    let about = "One of: nod, smile, brows, blink, weight:left, weight:right, tilt:left, tilt:right, look:up, look:down, \
                 look:left, look:right, look:you, a mood such as happy, or what the character's clips are called and mean";
    let what = json!({ "type": "string", "minLength": 1, "maxLength": limits::MAX_WORD_BYTES, "description": about });
    let properties = vec![("do", what), ("at", when()), ("priority", priority())];
    tool("do", "Do what a word says, without a line.", &["do"], properties, json!({ "do": "nod" }))
}

fn stop() -> Tool {
    let layers = Layer::ALL.map(layer_name);
    let properties = vec![
        ("stop", yes()),
        ("layer", words_of("Only this part of the body; left out, all", layers)),
        ("within", seconds("How long the return to rest may take; left out, 0.4")),
        ("at", when()),
    ];
    let description =
        "Stop moving, forget what was asked for, and return to the stance, as when interrupted.";
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

fn words_of<'a>(description: &str, words: impl IntoIterator<Item = &'a str>) -> Value {
    let words: Vec<&str> = words.into_iter().collect();
    json!({ "type": "string", "enum": words, "description": description })
}

fn seconds(description: &str) -> Value {
    json!({ "type": "number", "minimum": 0, "maximum": limits::MAX_SECONDS as u32, "description": description })
}

fn when() -> Value {
    let description = "When, in seconds of the performance; left out, now";
    json!({ "type": "number", "minimum": 0, "maximum": limits::MAX_AT_SECONDS as u32, "description": description })
}

fn priority() -> Value {
    json!({ "type": "integer", "minimum": -limits::MAX_PRIORITY, "maximum": limits::MAX_PRIORITY,
        "description": "Higher ones cut lower ones; left out, 0" })
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
    fn the_arguments_of_every_tool_are_an_intent() {
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
    fn an_act_offers_what_the_repertoire_has_and_nothing_else() {
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
