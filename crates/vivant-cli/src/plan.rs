//! `vivant plan`: shows the plan for a script: the actions of each layer, with the reasons.

mod timeline;

use crate::args::Plan;
use crate::fault::{Fault, Result};
use crate::script::Script;
use crate::{files, plot, report};
use std::process::ExitCode;
use std::sync::Arc;
use timeline::Timeline;
use vivant::body::plan::Rules;
use vivant_host::{Hosted, Role};

pub(crate) fn run(args: &Plan) -> Result<ExitCode> {
    let plot = plot::with_format(args.plot.as_deref())?;
    let script = Script::load(args.script.as_deref())?;
    let character = crate::character::load(&args.character)?;
    let role = Role {
        seed: args.seed,
        temperament: character.temperament,
        unasked: !args.only_script,
        ..Role::default()
    };
    let mut performance = Hosted::of_character(&character, &role)?;
    let library = Arc::clone(performance.performer().library());
    let Some(graph) = library.graph() else {
        return Err(Fault::new(
            "this character has no repertoire; choose a character with a repertoire, such as builtin",
        ));
    };
    performance.performer_mut().set_rules(if args.literal { Rules::PAPER } else { Rules::default() });
    let secs = args.seconds.unwrap_or(script.last_at() + 10.0);
    let mut timeline = Timeline::new(graph, secs);
    script.ask(|line, intent| {
        let id = performance.intend(intent)?;
        timeline.add_request(id, line);
        Ok(())
    })?;
    timeline.run(performance.performer_mut());
    if let Some((path, format)) = plot {
        files::write(path, &plot::lanes(&timeline.lanes(&character.name), format)?)?;
    }
    if args.json {
        report::json(&timeline.json(&character.name, args.seed));
    } else {
        report::warnings(performance.warnings());
        if timeline.is_empty() {
            report::note("nothing was planned; add intents to the script, or set a longer --seconds");
        }
        report::line(timeline.text().trim_end());
    }
    Ok(ExitCode::SUCCESS)
}
