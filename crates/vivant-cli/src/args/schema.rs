//! What can be typed after `vivant schema`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use vivant_io::json::tools::Style;

/// Print the JSON Schema of a file, or what a language model can call
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant schema intent                                what a line of a script may be
  vivant schema repertoire > repertoire.schema.json   for your editor
  vivant schema --tools eve/                          tools for a language model, from eve's repertoire
  vivant schema --tools builtin --style anthropic
  vivant schema --tools eve/ --strict                 for models that are held to the schema

The arguments of a tool's call are an intent: append them to a script as a line, as they are.
`character` describes character.toml, which editors for TOML check against the same schema.")]
pub(crate) struct Schema {
    /// Of what
    #[arg(value_enum, value_name = "WHAT", required_unless_present = "tools", conflicts_with = "tools")]
    pub(crate) of: Option<SchemaOf>,
    /// Print an array of tools, one a verb, with the clips, tags, stances, hands and layers that this
    /// character has: a folder, or `builtin`
    #[arg(long, value_name = "CHARACTER")]
    pub(crate) tools: Option<PathBuf>,
    /// Whose form the tools have
    #[arg(long, value_enum, default_value_t = ToolStyle::Openai, conflicts_with = "of")]
    pub(crate) style: ToolStyle,
    /// Require every parameter, with null for what is left out
    #[arg(long, conflicts_with = "of")]
    pub(crate) strict: bool,
    /// Print a failure as JSON, too
    #[arg(long)]
    pub(crate) json: bool,
}

/// What there are schemas of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaOf {
    /// A line of a script
    Intent,
    /// repertoire.json
    Repertoire,
    /// behaviour.json
    Behaviour,
    /// blinks.model.json
    BlinkModel,
    /// eyes.texture
    EyeTexture,
    /// character.toml
    Character,
    /// What the live server and its clients say to each other
    Protocol,
}

/// Whose form tools have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ToolStyle {
    /// {"type": "function", "function": {"name", "description", "parameters"}}
    Openai,
    /// {"name", "description", "input_schema"}
    Anthropic,
    /// {"name", "description", "inputSchema"}
    Mcp,
}

impl From<ToolStyle> for Style {
    fn from(style: ToolStyle) -> Self {
        match style {
            ToolStyle::Openai => Self::OpenAi,
            ToolStyle::Anthropic => Self::Anthropic,
            ToolStyle::Mcp => Self::Mcp,
        }
    }
}
