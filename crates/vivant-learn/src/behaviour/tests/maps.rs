//! Invalid maps and their error messages.

use super::*;

fn check(name: &str, text: &str, expected: &str) {
    match TierMap::parse(text) {
        Ok(_) => panic!("{name}: no error"),
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
        ("empty", String::new(), "no tier rules"),
        ("no TOML", before("a b"), "line 1: invalid TOML"),
        ("no TOML below", with("= 4"), "line 4: invalid TOML"),
        ("a key twice", with("name = 'y'"), "invalid TOML"),
        ("unknown key", before("ovelap = 0.5"), "ovelap: unknown key; did you mean “overlap”?"),
        ("unknown far key", before("zzz = 1"), "zzz: unknown key; expected one of origin, overlap"),
        ("tiers", before("[[tiers]]"), "tiers: unknown key; did you mean “tier”?"),
        (
            "overlap of words",
            before("overlap = 'half'"),
            "overlap: the value must be a number from 0.001 to 1",
        ),
        ("overlap of 0", before("overlap = 0"), "overlap: the value must be"),
        ("overlap above 1", before("overlap = 50"), "overlap: the value must be"),
        ("overlap nan", before("overlap = nan"), "overlap: the value must be"),
        ("smoothing below 0", before("smoothing = -1"), "smoothing: the value must be"),
        ("smoothing inf", before("smoothing = inf"), "smoothing: the value must be"),
        ("one quantile", before("quantiles = 1"), "quantiles: the value must be a number from 2"),
        ("pause below 0", before("pause = -0.1"), "pause: the value must be"),
        (
            "semantics",
            before("semantics = 'state'"),
            "semantics: unknown value “state”; did you mean “states”?",
        ),
        ("semantics as number", before("semantics = 1"), "semantics: the value must be text"),
        ("origin as number", before("origin = 1"), "origin: the value must be text"),
        ("tier as text", "tier = 'head'".into(), "tier: the value must be a list"),
        ("tier of texts", "tier = ['head']".into(), "tier[0]: a rule must be a table"),
        ("no part", "[[tier]]\nname = 'x'".into(), "tier[0]: part is missing; use one of left-arm"),
        (
            "part",
            "[[tier]]\npart = 'left'\nname = 'x'".into(),
            "tier[0].part: unknown value “left”; did you mean “left-arm”?",
        ),
        ("part as number", "[[tier]]\npart = 1\nname = 'x'".into(), "tier[0].part: the value must be text"),
        (
            "second tier",
            with("[[tier]]\npart = 'haed'\nname = 'x'"),
            "tier[1].part: unknown value “haed”; did you mean “head”?",
        ),
        ("no tier meant", "[[tier]]\npart = 'head'".into(), "tier[0]: the rule matches no tier"),
        (
            "name as number",
            "[[tier]]\npart = 'head'\nname = 1".into(),
            "tier[0].name: the value must be text",
        ),
        ("tier's unknown key", with("knid = 'gesture'"), "tier[0].knid: unknown key; did you mean “kind”?"),
        (
            "kind",
            with("kind = 'gestures'"),
            "tier[0].kind: unknown value “gestures”; did you mean “gesture”?",
        ),
        ("kind ignore", with("kind = 'ignore'"), "tier[0].kind: unknown value “ignore”"),
        ("values as text", with("values = 'x'"), "tier[0].values: the values must be a table"),
        ("value as number", with("[values]\nx = 1"), "values.\"x\": the value must be a kind"),
        ("value's kind", with("[values]\nx = 'fiddle'"), "values.\"x\": unknown value “fiddle”"),
        (
            "value's key",
            with("[values]\nx = { tag = ['a'] }"),
            "values.\"x\".tag: unknown key; did you mean “tags”?",
        ),
        ("tags as text", with("[values]\nx = { tags = 'a' }"), "values.\"x\".tags: the value must be a list"),
        (
            "tags as numbers",
            with("[values]\nx = { tags = [1] }"),
            "values.\"x\".tags: the tags must be a list of words",
        ),
        (
            "empty tag",
            with("[values]\nx = { tags = [' '] }"),
            "values.\"x\".tags: the tags must be a list of words",
        ),
        ("too long", "#".repeat(2 << 20), "at most"),
    ] {
        check(name, &text, expected);
    }
}

#[test]
fn the_most_specific_pattern_wins() {
    let map = TierMap::parse(
        "tier = [{ part = 'head', type = '*', kind = 'T', values = { 'a*' = 'F' } }]\n\
         [values]\n'*' = 'ignore'\n'abc' = 'G'\n'b*' = 'G'\n'bc*' = { tags = ['y', 'x', 'y'] }",
    )
    .unwrap();
    use vivant::body::repertoire::Kind::{Fidget, Gesture, Transition};
    let tags = |tags: &[&str]| tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>();
    for (value, expected) in [
        // The tier's own values take precedence.
        ("abc", Some((Fidget, tags(&[])))),
        ("B1", Some((Gesture, tags(&[])))),
        // A value rule without its own kind has the kind of the tier's rule.
        ("bcd", Some((Transition, tags(&["x", "y"])))),
        ("z", None),
    ] {
        assert_eq!(map.meaning(&map.tiers[0], value), Some(expected), "{value}");
    }
}
