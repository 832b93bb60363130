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
         Vivant uses one set of expression names: the 18 presets of VRM 1.0, the 52 blend shapes of ARKit and the 15 \
         visemes of Oculus. Visemes have the prefix `viseme_`, since `aa` alone is a VRM preset. Names of other tools \
         are recognized regardless of case, separators and prefixes (`blendShape1.AK_09_EyeBlinkLeft`, `eyeBlink_L`, \
         `vrc.v_aa`, `Joy` of VRM 0.x).\n\n\
         If an avatar lacks an expression, it shows the first alternative below whose parts it all has. Numbers are \
         gains; sums are limited to 1. Expressions without an alternative are dropped with a warning.\n",
    );
    section(&mut text, "VRM 1.0", Expression::vrm());
    section(&mut text, "ARKit", Expression::arkit());
    section(&mut text, "Oculus visemes", Expression::visemes());
    text
}

fn section(text: &mut String, title: &str, expressions: impl Iterator<Item = Expression>) {
    writeln!(text, "\n## {title}\n\n| expression | alternatives, best first |\n| --- | --- |").unwrap();
    for expression in expressions {
        let one = |(e, gain): &(Expression, f32)| format!("{} {gain}", e.name());
        let list = |way: Vec<(Expression, f32)>| way.iter().map(one).collect::<Vec<_>>().join(" + ");
        let ways: Vec<String> = expression.alternatives().map(list).collect();
        writeln!(text, "| `{}` | {} |", expression.name(), ways.join("; or ")).unwrap();
    }
}
