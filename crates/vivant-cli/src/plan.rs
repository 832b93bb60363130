//! `vivant plan`: what becomes of a script, layer by layer, and why.

mod timeline;

use crate::args::Plan;
use crate::character::Character;
use crate::fault::Result;
use crate::script::Script;
use crate::{files, plot, report};
use std::process::ExitCode;
use timeline::Timeline;
use vivant::body::behaviour::Behaviour;
use vivant::body::plan::{Planner, Rules};

pub(crate) fn run(args: &Plan) -> Result<ExitCode> {
    let plot = plot::wanted(args.plot.as_deref())?;
    let script = Script::load(args.script.as_deref())?;
    let character = Character::load(&args.character)?;
    let mut warnings = character.warnings.clone();
    let graph = character.graph(&mut warnings)?;
    let rules = if args.literal { Rules::PAPER } else { Rules::default() };
    let mut planner = Planner::new(&graph, args.seed, rules);
    let behaviour = if args.only_script { Behaviour::default() } else { character.behaviour };
    planner.behave(0.0, behaviour.into());
    let secs = args.seconds.unwrap_or(script.last_at() + 10.0);
    let mut timeline = Timeline::new(&graph, secs);
    script.ask(|line, intent| {
        let wish = planner.intend(&graph, intent, 0.0)?;
        timeline.asked(wish, line);
        Ok(())
    })?;
    timeline.run(&mut planner);
    if let Some((path, format)) = plot {
        files::write(path, &plot::lanes(&timeline.lanes(&character.name), format)?)?;
    }
    if args.json {
        report::json(&timeline.json(&character.name, args.seed));
    } else {
        report::warnings(&warnings);
        if timeline.is_empty() {
            report::note("nothing was planned");
        }
        report::line(timeline.text().trim_end());
    }
    Ok(ExitCode::SUCCESS)
}
