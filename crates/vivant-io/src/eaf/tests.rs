mod malformed;

use super::*;
use crate::error::WarningCode;

/// Builds a file from slots (`a=100`, or `a` without a value), tiers and types in a short notation: `tier name type
/// parent`, followed by annotations, `id a-b value` or `id >to [<previous] value`.
fn file(slots: &str, tiers: &[&str]) -> String {
    let slot = |slot: &str| match slot.split_once('=') {
        Some((id, value)) => format!("<TIME_SLOT TIME_SLOT_ID=\"{id}\" TIME_VALUE=\"{value}\"/>"),
        None => format!("<TIME_SLOT TIME_SLOT_ID=\"{slot}\"/>"),
    };
    let slots: String = slots.split_whitespace().map(slot).collect();
    let tiers: String = tiers.iter().map(|lines| tier(lines)).collect();
    format!(
        "<?xml version=\"1.0\"?>\n<ANNOTATION_DOCUMENT FORMAT=\"3.0\"><TIME_ORDER>{slots}</TIME_ORDER>\n{tiers}{TYPES}</ANNOTATION_DOCUMENT>"
    )
}

const TYPES: &str = "<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID=\"top\"/>\
    <LINGUISTIC_TYPE LINGUISTIC_TYPE_ID=\"time\" CONSTRAINTS=\"Time_Subdivision\"/>\
    <LINGUISTIC_TYPE LINGUISTIC_TYPE_ID=\"in\" CONSTRAINTS=\"Included_In\"/>\
    <LINGUISTIC_TYPE LINGUISTIC_TYPE_ID=\"sub\" CONSTRAINTS=\"Symbolic_Subdivision\"/>\
    <LINGUISTIC_TYPE LINGUISTIC_TYPE_ID=\"sym\" CONSTRAINTS=\"Symbolic_Association\"/>\n";

fn tier(lines: &str) -> String {
    let mut lines = lines.lines();
    let mut words = lines.next().unwrap().split_whitespace();
    let (name, kind) = (words.next().unwrap(), words.next().unwrap());
    let parent = words.next().map_or(String::new(), |parent| format!(" PARENT_REF=\"{parent}\""));
    let annotations: String = lines.map(annotation).collect();
    format!("<TIER TIER_ID=\"{name}\" LINGUISTIC_TYPE_REF=\"{kind}\"{parent}>{annotations}</TIER>\n")
}

fn annotation(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (id, value) = (words[0], words.last().unwrap());
    let previous = words.iter().find_map(|word| word.strip_prefix('<'));
    let previous = previous.map_or(String::new(), |id| format!(" PREVIOUS_ANNOTATION=\"{id}\""));
    let (element, times) = match (words[1].strip_prefix('>'), words[1].split_once('-')) {
        (Some(to), _) => ("REF_ANNOTATION", format!("ANNOTATION_REF=\"{to}\"{previous}")),
        (None, Some((a, b))) => {
            ("ALIGNABLE_ANNOTATION", format!("TIME_SLOT_REF1=\"{a}\" TIME_SLOT_REF2=\"{b}\""))
        }
        _ => panic!("{line}"),
    };
    format!(
        "<ANNOTATION><{element} ANNOTATION_ID=\"{id}\" {times}>\
         <ANNOTATION_VALUE>{value}</ANNOTATION_VALUE></{element}></ANNOTATION>\n"
    )
}

/// Times of a tier in milliseconds as text: `id start end`, with `~` if derived.
fn times(annotations: &Annotations, tier: &str) -> String {
    let tier = annotations.tiers.iter().find(|found| found.name == tier).unwrap();
    let each = tier.annotations.iter().map(|a| {
        let mark = if a.timing == Timing::Own { "" } else { "~" };
        let ms = |secs: f64| (secs * 1e6).round() / 1e3;
        format!("{} {mark}{} {}", a.id, ms(a.start), ms(a.end))
    });
    each.collect::<Vec<_>>().join(", ")
}

/// Checks the times of tiers and the codes of the warnings.
fn check(slots: &str, tiers: &[&str], expected: &[(&str, &str)], codes: &[WarningCode]) {
    let mut warnings = Vec::new();
    let annotations = read(file(slots, tiers).as_bytes(), &mut warnings).unwrap();
    for (tier, expected) in expected {
        assert_eq!(times(&annotations, tier), *expected, "{tier}");
    }
    assert_eq!(warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), codes, "{warnings:?}");
}

#[test]
fn aligned_annotations_have_their_own_times() {
    check("a=0 b=40 c=90", &["t top\n1 a-b x\n2 b-c y"], &[("t", "1 0 40, 2 40 90")], &[]);
    check("a=50 b=40", &["t top\n1 a-b x"], &[("t", "1 40 50")], &[WarningCode::Repaired]);
}

#[test]
fn slots_without_a_value_are_interpolated_evenly() {
    let tiers = ["t top\n1 a-d x", "w time t\n2 a-b x\n3 b-c y\n4 c-d z"];
    check("a=0 b c d=90", &tiers, &[("w", "2 ~0 30, 3 ~30 60, 4 ~60 90")], &[]);
    // One slot in the middle has a value: both sides are divided separately.
    check("a=0 b=10 c d=90", &tiers, &[("w", "2 0 10, 3 ~10 50, 4 ~50 90")], &[]);
    // The parent's own slot has no value: parents are resolved first, in any file order.
    let nested = ["p time w\n5 a-e x\n6 e-b y", "w time t\n2 a-b x\n3 b-d y", "t top\n1 a-d x"];
    check("a=0 e b d=80", &nested, &[("w", "2 ~0 40, 3 ~40 80"), ("p", "5 ~0 20, 6 ~20 40")], &[]);
}

#[test]
fn slots_of_other_tiers_do_not_affect_a_chain() {
    // In the list of all slots `b` is one of three without a value; on its tier it is the only one.
    let tiers = ["t top\n1 a-d x", "w time t\n2 a-b x\n3 b-d y", "v time t\n4 a-e x\n5 e-f x\n6 f-d x"];
    let expected = [("w", "2 ~0 30, 3 ~30 60"), ("v", "4 ~0 20, 5 ~20 40, 6 ~40 60")];
    check("a=0 b e f d=60", &tiers, &expected, &[]);
}

#[test]
fn slots_outside_chains_are_interpolated_among_all_slots() {
    check("a=0 b c d=30", &["t top\n1 b-c x"], &[("t", "1 ~10 20")], &[]);
    check("b a=20 c", &["t top\n1 b-c x"], &[("t", "1 ~10 20")], &[]);
    check("a=0 b c d=30", &["t top\n1 a-d x", "i in t\n2 b-c x"], &[("i", "2 ~10 20")], &[]);
}

#[test]
fn symbolic_annotations_derive_times_from_references() {
    let tiers = [
        "t top\n1 a-b x\n9 b-c y",
        "w sub t\n2 >1 x\n4 >1 <3 z\n3 >1 <2 y\n8 >9 x",
        "m sub w\n5 >3 x\n6 >3 <5 y",
        "g sym m\n7 >6 x",
    ];
    let expected =
        [("w", "2 ~0 40, 4 ~80 120, 3 ~40 80, 8 ~120 240"), ("m", "5 ~40 60, 6 ~60 80"), ("g", "7 ~60 80")];
    check("a=0 b=120 c=240", &tiers, &expected, &[]);
    let annotations = read(file("a=0 b=120 c=240", &tiers).as_bytes(), &mut Vec::new()).unwrap();
    assert_eq!(annotations.tiers[3].annotations[0].refers_to, Some((2, 1)));
    assert_eq!(annotations.tiers[3].parent, Some(2));
}

#[test]
fn inconsistent_tiers_are_read_with_a_warning() {
    use WarningCode::{Guessed, Malformed};
    let top = "t top\n1 a-b x";
    check("a=0 b=40", &[top, "w what t\n2 >1 x\n3 >1 <2 y"], &[("w", "2 ~0 20, 3 ~20 40")], &[Guessed]);
    check("a=0 b=40", &[top, "w time t\n2 >1 x\n3 >1 y"], &[("w", "2 ~0 40, 3 ~0 40")], &[Guessed]);
    check("a=0 b=40", &[top, "w sub t\n2 >1 x\n3 >1 y"], &[("w", "2 ~0 20, 3 ~20 40")], &[Malformed]);
    let forked = "w sub t\n2 >1 x\n3 >1 <2 y\n4 >1 <2 z\n5 >1 <4 z";
    check("a=0 b=40", &[top, forked], &[("w", "2 ~0 10, 3 ~10 20, 4 ~20 30, 5 ~30 40")], &[Malformed]);
    check("a=0 b=40", &[top, "u top", "w sym u\n2 >1 x"], &[("w", "2 ~0 40")], &[Malformed]);
}

#[test]
fn values_are_text_with_entities_and_cdata() {
    for (written, expected) in [
        ("a &lt;b&gt; &amp; &#228;&#xF6;", "a <b> & äö"),
        ("<![CDATA[<x> & y]]> z", "<x> & y z"),
        ("  two\r\nlines ", "  two\nlines "),
        ("<!-- no -->x<?pi?>", "x"),
        ("", ""),
    ] {
        let text = file("a=0 b=1", &["t top\n1 a-b words"]).replace("words", written);
        let annotations = read(text.as_bytes(), &mut Vec::new()).unwrap();
        assert_eq!(annotations.tiers[0].annotations[0].value, expected, "{written}");
    }
}

#[test]
fn a_file_may_be_utf_8_or_utf_16() {
    let text = file("a=0 b=1", &["Äußerung top\n1 a-b ünï"]);
    let expected = read(text.as_bytes(), &mut Vec::new()).unwrap();
    assert_eq!(expected.tiers[0].name, "Äußerung");
    let units = |to: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(to).collect::<Vec<u8>>();
    let (little, big) = (units(u16::to_le_bytes), units(u16::to_be_bytes));
    let marked = |mark: &[u8], bytes: &[u8]| [mark, bytes].concat();
    for bytes in [
        marked(&[0xEF, 0xBB, 0xBF], text.as_bytes()),
        marked(&[0xFF, 0xFE], &little),
        marked(&[0xFE, 0xFF], &big),
        little,
        big,
    ] {
        assert_eq!(read(&bytes, &mut Vec::new()).unwrap(), expected);
    }
}

#[test]
fn time_units_of_old_files_are_frames() {
    let text = file("a=0 b=50", &["t top\n1 a-b x"]);
    for (units, end) in [("milliseconds", 0.05), ("PAL-frames", 2.0), ("PAL-50-frames", 1.0)] {
        let text = text.replace("<TIME_ORDER>", &format!("<HEADER TIME_UNITS=\"{units}\"/><TIME_ORDER>"));
        assert_eq!(read(text.as_bytes(), &mut Vec::new()).unwrap().tiers[0].annotations[0].end, end);
    }
}

#[test]
fn long_chains_and_deep_tiers_are_fast() {
    let count = 20_000;
    let slots: String = (0..count)
        .map(|i| if i == 0 || i == count - 1 { format!("s{i}={i} ") } else { format!("s{i} ") })
        .collect();
    let words: String = (1..count).map(|i| format!("\nw{i} s{}-s{i} x", i - 1)).collect();
    let top = format!("t top\n1 s0-s{} x", count - 1);
    let mut tiers = vec![top, format!("w time t{words}")];
    let mut parent = "t".to_owned();
    for depth in 0..400 {
        tiers.push(format!(
            "d{depth} sub {parent}\nd{depth} >{} x",
            if depth == 0 { "1".into() } else { format!("d{}", depth - 1) }
        ));
        parent = format!("d{depth}");
    }
    let tiers: Vec<&str> = tiers.iter().map(String::as_str).collect();
    let annotations = read(file(&slots, &tiers).as_bytes(), &mut Vec::new()).unwrap();
    assert_eq!(annotations.tiers[1].annotations[7].end, 0.008);
    assert_eq!(annotations.tiers[401].annotations[0].end, (count - 1) as f64 / 1e3);
}
