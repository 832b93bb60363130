//! Text reports of learned models.

use super::{ChainName, Counts, Learned, Matched};
use std::fmt::Write;

impl ChainName {
    /// Returns the name of the chain in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Arms => "arms",
            Self::Head => "head",
            Self::HeadStance => "head stance",
            Self::Body => "body",
        }
    }
}

impl Counts {
    /// Returns the matrix as CSV; the header and the first column are the states.
    #[must_use]
    pub fn csv(&self) -> String {
        let quoted = |name: &String| {
            let is_plain = !name.contains([',', '"', '\n', '\r']);
            if is_plain { name.clone() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
        };
        let names: Vec<String> = self.states.iter().map(quoted).collect();
        let mut text = format!("state,{}\n", names.join(","));
        for (name, row) in names.iter().zip(&self.matrix) {
            let row: Vec<String> = row.iter().map(f64::to_string).collect();
            // Writing into a String cannot fail.
            let _ = writeln!(text, "{name},{}", row.join(","));
        }
        text
    }
}

impl Learned {
    /// Returns lines of text: the tiers that were used, and the number of actions and transitions of each chain.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for tier in &self.matched {
            let Matched { file, tier: name, person, part, annotations, ignored } = tier;
            let of = if person.is_empty() { String::new() } else { format!(" of {person}") };
            let but = if *ignored > 0 { format!(", {ignored} ignored") } else { String::new() };
            lines.push(format!("  {file}: “{name}” is {}{of}: {annotations} annotations{but}", part.name()));
        }
        for counts in &self.counts {
            let during = counts
                .activity
                .map_or(String::new(), |activity| format!(" while {activity:?}").to_lowercase());
            let actions: u64 = counts.occurrences.iter().sum();
            let follows: u64 = counts.transitions.iter().flatten().sum();
            lines
                .push(format!("  {}{during}: {actions} actions, {follows} transitions", counts.chain.name()));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_has_the_states_in_header_and_first_column() {
        let counts = Counts {
            activity: None,
            chain: ChainName::Arms,
            states: vec!["LG".into(), "LG:a,\"b\"".into()],
            occurrences: vec![3, 1],
            transitions: vec![vec![1, 1], vec![1, 0]],
            matrix: vec![vec![0.5, 0.5], vec![1.0, 0.0]],
        };
        assert_eq!(counts.csv(), "state,LG,\"LG:a,\"\"b\"\"\"\nLG,0.5,0.5\n\"LG:a,\"\"b\"\"\",1,0\n");
    }
}
