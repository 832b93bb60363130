//! `docs/expressions.md` says what the code does. `VIVANT_WRITE_DOCS=1 cargo test -p vivant` writes it.

use std::fmt::Write;
use vivant::rig::Expression;

#[test]
fn the_documented_mappings_are_those_in_the_code() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/expressions.md");
    let expected = document();
    if std::env::var_os("VIVANT_WRITE_DOCS").is_some() {
        std::fs::write(path, &expected).unwrap();
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    assert!(found == expected, "docs/expressions.md is out of date: run with VIVANT_WRITE_DOCS=1");
}

fn document() -> String {
    let mut text = String::from(
        "# Expressions\n\n\
         Vivant speaks one vocabulary of faces: VRM 1.0's 18 presets, ARKit's 52 blend shapes and Oculus's 15 \
         visemes. Names are those that users of the three know; visemes carry the prefix `viseme_`, because `aa` \
         alone is VRM's. Names of other tools are recognised whatever their case, separators and prefixes \
         (`blendShape1.AK_09_EyeBlinkLeft`, `eyeBlink_L`, `vrc.v_aa`, VRM 0.x's `Joy`).\n\n\
         An avatar that lacks an expression shows the first of its stand-ins that it has in full. Numbers are \
         gains; sums are held at 1. What has no stand-in is left out, with a warning.\n",
    );
    section(&mut text, "VRM 1.0", Expression::vrm());
    section(&mut text, "ARKit", Expression::arkit());
    section(&mut text, "Oculus visemes", Expression::visemes());
    text
}

fn section(text: &mut String, title: &str, expressions: impl Iterator<Item = Expression>) {
    writeln!(text, "\n## {title}\n\n| expression | stand-ins, best first |\n| --- | --- |").unwrap();
    for expression in expressions {
        let one = |(e, gain): &(Expression, f32)| format!("{} {gain}", e.name());
        let list = |way: Vec<(Expression, f32)>| way.iter().map(one).collect::<Vec<_>>().join(" + ");
        let ways: Vec<String> = expression.alternatives().map(list).collect();
        writeln!(text, "| `{}` | {} |", expression.name(), ways.join("; or ")).unwrap();
    }
}
