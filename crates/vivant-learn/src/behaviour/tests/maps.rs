//! Maps that are wrong, and what is said about each.

use super::*;

fn check(name: &str, text: &str, expected: &str) {
    match TierMap::parse(text) {
        Ok(_) => panic!("{name} was read"),
        Err(error) => assert!(error.to_string().contains(expected), "{name}: {error}"),
    }
}

#[test]
fn malformed_maps_name_the_place_and_the_fix() {
    const GOOD: &str = "[[tier]]\npart = 'head'\nname = 'x'\n";
    assert!(TierMap::parse(GOOD).is_ok());
    let with = |extra: &str| format!("{GOOD}{extra}");
    let before = |extra: &str| format!("{extra}\n{GOOD}");
    for (name, text, expected) in [
        ("empty", String::new(), "no tier is given"),
        ("no TOML", before("a b"), "line 1: this is no TOML"),
        ("no TOML below", with("= 4"), "line 4: this is no TOML"),
        ("a key twice", with("name = 'y'"), "this is no TOML"),
        ("unknown key", before("ovelap = 0.5"), "ovelap: is not known; did you mean “overlap”?"),
        ("unknown far key", before("zzz = 1"), "zzz: is not known; Known are origin, overlap"),
        ("tiers", before("[[tiers]]"), "tiers: is not known; did you mean “tier”?"),
        ("overlap of words", before("overlap = 'half'"), "overlap: has to be a number from 0.001 to 1"),
        ("overlap of 0", before("overlap = 0"), "overlap: has to be"),
        ("overlap above 1", before("overlap = 50"), "overlap: has to be"),
        ("overlap nan", before("overlap = nan"), "overlap: has to be"),
        ("smoothing below 0", before("smoothing = -1"), "smoothing: has to be"),
        ("smoothing inf", before("smoothing = inf"), "smoothing: has to be"),
        ("one quantile", before("quantiles = 1"), "quantiles: has to be a number from 2"),
        ("pause below 0", before("pause = -0.1"), "pause: has to be"),
        (
            "semantics",
            before("semantics = 'state'"),
            "semantics: “state” is not known; did you mean “states”?",
        ),
        ("semantics as number", before("semantics = 1"), "semantics: has to be text"),
        ("origin as number", before("origin = 1"), "origin: has to be text"),
        ("tier as text", "tier = 'head'".into(), "tier: has to be a list"),
        ("tier of texts", "tier = ['head']".into(), "tier[0]: has to be a table"),
        ("no part", "[[tier]]\nname = 'x'".into(), "tier[0]: has no part; give one of left-arm"),
        (
            "part",
            "[[tier]]\npart = 'left'\nname = 'x'".into(),
            "tier[0].part: “left” is not known; did you mean “left-arm”?",
        ),
        ("part as number", "[[tier]]\npart = 1\nname = 'x'".into(), "tier[0].part: has to be text"),
        (
            "second tier",
            with("[[tier]]\npart = 'haed'\nname = 'x'"),
            "tier[1].part: “haed” is not known; did you mean “head”?",
        ),
        ("no tier meant", "[[tier]]\npart = 'head'".into(), "tier[0]: says of no tier"),
        ("name as number", "[[tier]]\npart = 'head'\nname = 1".into(), "tier[0].name: has to be text"),
        ("tier's unknown key", with("knid = 'gesture'"), "tier[0].knid: is not known; did you mean “kind”?"),
        ("kind", with("kind = 'gestures'"), "tier[0].kind: “gestures” is not known; did you mean “gesture”?"),
        ("kind ignore", with("kind = 'ignore'"), "tier[0].kind: “ignore” is not known"),
        ("values as text", with("values = 'x'"), "tier[0].values: has to be a table"),
        ("value as number", with("[values]\nx = 1"), "values.\"x\": has to be a kind"),
        ("value's kind", with("[values]\nx = 'fiddle'"), "values.\"x\": “fiddle” is not known"),
        (
            "value's key",
            with("[values]\nx = { tag = ['a'] }"),
            "values.\"x\".tag: is not known; did you mean “tags”?",
        ),
        ("tags as text", with("[values]\nx = { tags = 'a' }"), "values.\"x\".tags: has to be a list"),
        (
            "tags as numbers",
            with("[values]\nx = { tags = [1] }"),
            "values.\"x\".tags: has to be a list of words",
        ),
        ("empty tag", with("[values]\nx = { tags = [' '] }"), "values.\"x\".tags: has to be a list of words"),
        ("too long", "#".repeat(2 << 20), "at most"),
    ] {
        check(name, &text, expected);
    }
}

#[test]
fn the_narrowest_pattern_counts_wherever_it_stands() {
    let map = TierMap::parse(
        "tier = [{ part = 'head', type = '*', kind = 'T', values = { 'a*' = 'F' } }]\n\
         [values]\n'*' = 'ignore'\n'abc' = 'G'\n'b*' = 'G'\n'bc*' = { tags = ['y', 'x', 'y'] }",
    )
    .unwrap();
    use vivant::body::repertoire::Kind::{Fidget, Gesture, Transition};
    let tags = |tags: &[&str]| tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>();
    for (value, expected) in [
        // The tier's own values come before those of all.
        ("abc", Some((Fidget, tags(&[])))),
        ("B1", Some((Gesture, tags(&[])))),
        // Without a kind of its own it is what the tier is.
        ("bcd", Some((Transition, tags(&["x", "y"])))),
        ("z", None),
    ] {
        assert_eq!(map.meaning(&map.tiers[0], value), Some(expected), "{value}");
    }
}
