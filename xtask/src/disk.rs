//! Checks the free disk space, since a build that runs out of space fails with misleading errors.

use crate::steps::{command, output};
use crate::{Done, root, target};

/// Gigabytes that a complete run needs in an empty build folder.
const NEEDED_GB: f64 = 16.0;

/// Fails if there is too little space for a complete run. Does nothing if the free space is unknown.
pub(crate) fn check_free() -> Done {
    let mut df = command("df -Pk");
    let Ok(text) = output(df.arg(root())) else { return Ok(()) };
    let (Some(free_gb), used_gb) = (available_gb(&text), built_gb()) else { return Ok(()) };
    println!("{free_gb:.0} GB of disk space are free, and {used_gb:.0} GB are already built");
    if free_gb + used_gb < NEEDED_GB {
        return Err(format!(
            "{free_gb:.1} GB are free, but all tests need {:.0} GB; free some space (`cargo clean` removes old builds), or run \
             one part (`cargo xtask --help` lists them)",
            NEEDED_GB - used_gb
        ));
    }
    Ok(())
}

/// Returns the fourth column of the last line of `df -Pk`, converted to gigabytes.
fn available_gb(text: &str) -> Option<f64> {
    let kilobytes: f64 = text.lines().last()?.split_whitespace().nth(3)?.parse().ok()?;
    Some(kilobytes / 1e6)
}

/// Returns the size of earlier builds in gigabytes.
fn built_gb() -> f64 {
    let text = output(command("du -sk").arg(target())).unwrap_or_default();
    let kilobytes = text.split_whitespace().next().and_then(|word| word.parse::<f64>().ok());
    kilobytes.unwrap_or_default() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_space_is_read_from_df() {
        let text =
            "Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/vda 100 60 40000000 60% /\n";
        assert_eq!(available_gb(text), Some(40.0));
        assert_eq!(available_gb("no numbers"), None);
    }
}
