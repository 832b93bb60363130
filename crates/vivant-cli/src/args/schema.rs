//! Arguments of `vivant schema`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use vivant_io::json::tools::Style;

/// Print the JSON Schema of a file format, or tools for a language model
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  vivant schema intent                                a line of a script
  vivant schema repertoire > repertoire.schema.json   for validation in your editor
  vivant schema --tools eve/                          tools for a language model, from Eve's repertoire
  vivant schema --tools builtin --style anthropic
  vivant schema --tools eve/ --strict                 for models with strict schemas

The arguments of a tool call are an intent: append them unchanged to a script as a line.
`character` describes character.toml; TOML editors can validate it with this schema.")]
pub(crate) struct Schema {
    /// The format to describe
    #[arg(value_enum, value_name = "WHAT", required_unless_present = "tools", conflicts_with = "tools")]
    pub(crate) of: Option<SchemaOf>,
    /// Print an array of tools, one per verb, with the clips, tags, stances, hands and layers of this character: a
    /// folder, or `builtin`
    #[arg(long, value_name = "CHARACTER")]
    pub(crate) tools: Option<PathBuf>,
    /// The format of the tools
    #[arg(long, value_enum, default_value_t = ToolStyle::Openai, conflicts_with = "of")]
    pub(crate) style: ToolStyle,
    /// Require every parameter; optional ones may be null
    #[arg(long, conflicts_with = "of")]
    pub(crate) strict: bool,
    /// Also print errors as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Formats that have a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaOf {
    /// A line of a script
    Intent,
    /// Repertoire: repertoire.json
    Repertoire,
    /// Behaviour model: behaviour.json
    Behaviour,
    /// Blink model: blinks.model.json
    BlinkModel,
    /// Eye texture: eyes.texture
    EyeTexture,
    /// Character: character.toml
    Character,
    /// Messages between the live server and its clients
    Protocol,
}

/// Format of tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ToolStyle {
    /// OpenAI: {"type": "function", "function": {"name", "description", "parameters"}}
    Openai,
    /// Anthropic: {"name", "description", "input_schema"}
    Anthropic,
    /// Model Context Protocol: {"name", "description", "inputSchema"}
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
