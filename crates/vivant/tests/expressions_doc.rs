//! Checks that `docs/reference/expressions.md` matches the code. `VIVANT_WRITE_DOCS=1 cargo test -p vivant` updates it.

use std::fmt::Write;
use vivant::rig::Expression;

#[test]
fn the_documented_mappings_match_the_code() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/expressions.md");
    let expected = document();
    if std::env::var_os("VIVANT_WRITE_DOCS").is_some() {
        std::fs::write(path, &expected).unwrap();
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert!(found == expected, "docs/reference/expressions.md is out of date: run with VIVANT_WRITE_DOCS=1");
}

fn document() -> String {
    let mut text = String::from(
        "# Expressions\n\n\
         Name the facial expressions of an avatar, a clip or a tracker with one of these sets, and Vivant \
         recognises them: the 18 presets of VRM 1.0, the 52 blend shapes of ARKit, or the 15 visemes of Oculus. \
         Frames use the same names for their weights. This command lists the expressions of an avatar:\n\n\
         ```sh\n\
         vivant inspect builtin\n\
         ```\n\n\
         Names of other tools are recognised regardless of case, separators and prefixes, for example \
         `blendShape1.AK_09_EyeBlinkLeft`, `eyeBlink_L`, `vrc.v_aa`, and `Joy` of VRM 0.x. Visemes have the \
         prefix `viseme_`, because `aa` alone is a preset of VRM.\n\n\
         ## Alternatives for missing expressions\n\n\
         If an avatar lacks an expression, Vivant shows an alternative: the first one in the tables for which the \
         avatar has all parts. The number after a part is a factor for the weight. For example, an avatar without \
         `sad` shows `sad` with weight 0.5 as `browInnerUp` 0.4, `mouthFrownLeft` 0.35 and `mouthFrownRight` \
         0.35. If several expressions use the same part, their weights are added, up to 1. An expression without \
         an alternative is ignored, with a warning.\n",
    );
    section(&mut text, "VRM 1.0", Expression::vrm());
    section(&mut text, "ARKit", Expression::arkit());
    section(&mut text, "Oculus visemes", Expression::visemes());
    text
}

fn section(text: &mut String, title: &str, expressions: impl Iterator<Item = Expression>) {
    writeln!(text, "\n## {title}\n\n| Expression | Alternatives, best first |\n| --- | --- |").unwrap();
    for expression in expressions {
        let one = |(e, gain): &(Expression, f32)| format!("{} {gain}", e.name());
        let list = |way: Vec<(Expression, f32)>| way.iter().map(one).collect::<Vec<_>>().join(" + ");
        let ways: Vec<String> = expression.alternatives().map(list).collect();
        let ways = if ways.is_empty() { "none".to_owned() } else { ways.join("; or ") };
        writeln!(text, "| `{}` | {ways} |", expression.name()).unwrap();
    }
}
