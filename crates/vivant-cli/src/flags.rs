//! Command-line options for the settings of the libraries.
//!
//! Errors and warnings of the libraries describe a setting and contain its field name. The command adds the option
//! that changes this setting, if the current command has such an option.

use crate::args::Cli;
use clap::CommandFactory;
use std::fmt;
use vivant::Error;
use vivant_io::Warning;

/// The option or command for each setting.
const FLAGS: [(&str, &str); 13] = [
    ("ReadOptions::device", "--device"),
    ("ReadOptions::map", "--map"),
    ("ReadOptions::rate_hz", "--rate"),
    ("annotations::learn::map", "--map"),
    ("blinks::Settings::eye", "--eye"),
    ("film::Options::fps", "--fps"),
    ("film::Options::raw", "--raw"),
    ("label::Labels", "vivant label"),
    ("texture::Options::patch_secs", "--patch"),
    ("trace::OneBlink::shape", "--profile"),
    ("trace::TextureEyes::corpora", "--corpus"),
    ("trace::Table::rate", "--rate"),
    ("track::Eyes::labelled", "--labels"),
];

/// Returns an error message with the options that solve the problem.
pub(crate) fn of_error(error: &Error) -> String {
    with_flags(error, error.settings())
}

/// Returns a warning with the option that solves the problem.
pub(crate) fn of_warning(warning: &Warning) -> String {
    with_flags(warning, warning.setting)
}

fn with_flags(message: impl fmt::Display, settings: impl IntoIterator<Item = &'static str>) -> String {
    let command = running(std::env::args().skip(1));
    let mut flags: Vec<&str> = settings.into_iter().filter_map(flag).collect();
    flags.retain(|flag| has(&command, flag));
    flags.dedup();
    if flags.is_empty() { message.to_string() } else { format!("{message} ({})", flags.join(", ")) }
}

fn flag(setting: &str) -> Option<&'static str> {
    FLAGS.iter().find(|(name, _)| *name == setting).map(|(_, flag)| *flag)
}

/// Returns the command that these arguments run.
fn running(args: impl Iterator<Item = String>) -> clap::Command {
    let mut all = Cli::command();
    // Subcommands have global options only after `build`.
    all.build();
    args.fold(all, |command, arg| command.find_subcommand(&arg).cloned().unwrap_or(command))
}

/// Returns true if a command has an option. For the name of a command, the result is always true.
fn has(command: &clap::Command, flag: &str) -> bool {
    let is = |long: &str| command.get_arguments().any(|arg| arg.get_long() == Some(long));
    flag.strip_prefix("--").is_none_or(is)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(args: &str, flag: &str, expected: bool) {
        let command = running(args.split(' ').map(str::to_owned));
        assert_eq!(has(&command, flag), expected, "{args}: {flag}");
    }

    #[test]
    fn only_options_of_the_running_command_are_named() {
        check("inspect a.csv", "--map", true);
        check("blinks a.csv", "--eye", true);
        check("learn eyes a.csv", "--patch", true);
        check("learn behaviour a.eaf", "--map", true);
        check("track film.mp4", "--fps", true);
        check("trace blink --rate 1e6", "--rate", true);
        check("label film.mp4", "--fps", false);
        check("label film.mp4", "vivant label", true);
    }

    #[test]
    fn every_option_in_the_table_exists() {
        fn all(command: &clap::Command, flag: &str) -> bool {
            has(command, flag) || command.get_subcommands().any(|inner| all(inner, flag))
        }
        for (setting, flag) in FLAGS {
            assert!(all(&Cli::command(), flag), "{setting}: {flag}");
        }
    }
}
