//! `vivant schema`: prints schemas for editors, validators and language models.

use crate::args::schema::{Schema, SchemaOf};
use crate::character;
use crate::fault::Result;
use crate::report;
use serde_json::{Value, json};
use std::process::ExitCode;
use vivant::body::repertoire::Repertoire;
use vivant_io::json::{schema, tools};

pub(crate) fn run(args: &Schema) -> Result<ExitCode> {
    match (&args.tools, args.of) {
        (Some(character), _) => {
            let repertoire = character::repertoire_of(character)?;
            report::line(schema::text(&tools_of(&repertoire, args)).trim_end());
        }
        (None, of) => report::line(schema::text(&schema_of(of.unwrap_or(SchemaOf::Intent))).trim_end()),
    }
    Ok(ExitCode::SUCCESS)
}

fn schema_of(of: SchemaOf) -> Value {
    match of {
        SchemaOf::Intent => schema::intent(),
        SchemaOf::Repertoire => schema::repertoire(),
        SchemaOf::Behaviour => schema::behaviour(),
        SchemaOf::BlinkModel => schema::blink_model(),
        SchemaOf::EyeTexture => schema::eye_texture(),
        SchemaOf::Character => schema::character(),
        SchemaOf::Protocol => schema::protocol(),
    }
}

fn tools_of(repertoire: &Repertoire, args: &Schema) -> Value {
    let tools = tools::of(repertoire).into_iter();
    let tools = tools.map(|tool| if args.strict { tool.strict() } else { tool });
    Value::Array(tools.map(|tool| marked(tool.in_style(args.style.into()), args.strict)).collect())
}

/// Marks a tool as strict, in formats that support this mark.
fn marked(mut tool: Value, strict: bool) -> Value {
    if strict && tool.get("function").is_some() {
        tool["function"]["strict"] = json!(true);
    } else if strict && tool.get("input_schema").is_some() {
        tool["strict"] = json!(true);
    }
    tool
}
