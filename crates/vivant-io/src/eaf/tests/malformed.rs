//! Malformed files and their error messages.

use super::*;

const TOP: &str = "t top\n1 a-b x";
const TWO: &str = "a=0 b=40";

/// A valid file with one part replaced.
fn with(from: &str, to: &str) -> String {
    let good = file(TWO, &[TOP, "w sub t\n2 >1 x\n3 >1 <2 y"]);
    assert!(good.contains(from), "{from}");
    good.replacen(from, to, 1)
}

fn check(name: &str, bytes: &[u8], expected: &str) {
    match read(bytes, &mut Vec::new()) {
        Ok(_) => panic!("{name} was read"),
        Err(error) => assert!(error.to_string().contains(expected), "{name}: {error}"),
    }
}

#[test]
fn malformed_files_give_errors_with_place_and_cause() {
    let good = with("t", "t");
    assert!(read(good.as_bytes(), &mut Vec::new()).is_ok());
    let deep = format!("<ANNOTATION_DOCUMENT>{}", "<x>".repeat(600));
    let long = "n".repeat(2000);
    let files: Vec<(&str, String, &str)> = vec![
        ("empty", String::new(), "empty"),
        ("blank", " \n ".into(), "no <ANNOTATION_DOCUMENT>"),
        ("text", "hello".into(), "line 1: invalid XML: “hello” before"),
        ("letter before", format!("d{good}"), "line 1: invalid XML: “d” before"),
        ("words after", format!("{good}\nbye"), "“bye” after"),
        ("second root", format!("{good}<a/>"), "<a> after"),
        ("html", "<html></html>".into(), "not an ELAN file: the root element is <html>"),
        ("only a declaration", "<?xml version=\"1.0\"?>".into(), "no <ANNOTATION_DOCUMENT>"),
        ("cut in a tag", good[..good.len() - 10].into(), "invalid XML"),
        (
            "cut in a tier",
            good[..good.find("</TIER>").unwrap()].into(),
            "the file is truncated: it ends within <TIER>",
        ),
        ("cut after the start", "<ANNOTATION_DOCUMENT>".into(), "ends within <ANNOTATION_DOCUMENT>"),
        ("wrong end tag", with("</TIER>", "</TEAR>"), "line 4: invalid XML"),
        ("end without start", format!("{good}</a>"), "invalid XML"),
        ("unclosed comment", with("<TIER", "<!-- <TIER"), "invalid XML"),
        ("unclosed cdata", with(">x<", "><![CDATA[x<"), "invalid XML"),
        ("unclosed quote", with("TIER_ID=\"t\"", "TIER_ID=\"t"), "invalid XML"),
        ("attribute without quotes", with("TIER_ID=\"t\"", "TIER_ID=t"), "invalid XML"),
        ("attribute twice", with("TIER_ID=\"t\"", "TIER_ID=\"t\" TIER_ID=\"t\""), "invalid XML"),
        ("attribute without value", with("TIER_ID=\"t\"", "TIER_ID"), "invalid XML"),
        (
            "doctype",
            with("<ANNOTATION_DOCUMENT", "<!DOCTYPE x [<!ENTITY a \"b\">]><ANNOTATION_DOCUMENT"),
            "line 2: DTDs are not supported",
        ),
        ("billion laughs", with(">x<", ">&lol9;<"), "unknown entity “&lol9;”"),
        ("entity in a name", with("TIER_ID=\"t\"", "TIER_ID=\"&t;\""), "TIER_ID: invalid XML"),
        ("no character", with(">x<", ">&#xD800;<"), "entity “&#xD800;”"),
        ("ampersand", with(">x<", ">a & b<"), "invalid XML"),
        ("too deep", deep, "nested elements"),
        (
            "slot outside",
            with("<TIER ", "<TIME_SLOT TIME_SLOT_ID=\"z\"/><TIER "),
            "<TIME_SLOT> belongs in <TIME_ORDER>",
        ),
        (
            "annotation outside",
            "<ANNOTATION_DOCUMENT><ANNOTATION/></ANNOTATION_DOCUMENT>".into(),
            "<ANNOTATION> belongs in <TIER>",
        ),
        (
            "value outside",
            with("<ANNOTATION>", "<ANNOTATION><ANNOTATION_VALUE/>"),
            "<ANNOTATION_VALUE> belongs in",
        ),
        (
            "tier within a tier",
            with("<ANNOTATION>", "<TIER TIER_ID=\"q\"/><ANNOTATION>"),
            "<TIER> belongs in <ANNOTATION_DOCUMENT>",
        ),
        (
            "annotation within one",
            with("<ANNOTATION_VALUE>", "<REF_ANNOTATION/><ANNOTATION_VALUE>"),
            "<REF_ANNOTATION> belongs in <ANNOTATION>",
        ),
        ("slot without id", with("TIME_SLOT_ID=\"a\"", ""), "<TIME_SLOT> has no TIME_SLOT_ID"),
        ("empty slot id", with("TIME_SLOT_ID=\"a\"", "TIME_SLOT_ID=\"\""), "<TIME_SLOT> has no TIME_SLOT_ID"),
        ("two slots of one id", with("TIME_SLOT_ID=\"b\"", "TIME_SLOT_ID=\"a\""), "duplicate time slot “a”"),
        ("time of words", with("TIME_VALUE=\"40\"", "TIME_VALUE=\"soon\""), "TIME_VALUE is “soon”"),
        ("time below 0", with("TIME_VALUE=\"40\"", "TIME_VALUE=\"-40\""), "TIME_VALUE is “-40”"),
        ("time with a fraction", with("TIME_VALUE=\"40\"", "TIME_VALUE=\"4.5\""), "whole number"),
        (
            "time beyond numbers",
            with("TIME_VALUE=\"40\"", "TIME_VALUE=\"99999999999999999999\""),
            "whole number",
        ),
        ("tier without name", with("TIER_ID=\"t\"", ""), "line 3: <TIER> has no TIER_ID"),
        ("name too long", with("TIER_ID=\"t\"", &format!("TIER_ID=\"{long}\"")), "TIER_ID has 2000 bytes"),
        ("two tiers of one name", with("TIER_ID=\"w\"", "TIER_ID=\"t\""), "duplicate tier “t”"),
        ("parent missing", with("PARENT_REF=\"t\"", "PARENT_REF=\"u\""), "unknown parent tier “u”"),
        ("own parent", with("PARENT_REF=\"t\"", "PARENT_REF=\"w\""), "tier “w” is its own ancestor"),
        (
            "annotation without id",
            with("ANNOTATION_ID=\"1\"", ""),
            "<ALIGNABLE_ANNOTATION> has no ANNOTATION_ID",
        ),
        (
            "two annotations of one id",
            with("ANNOTATION_ID=\"2\"", "ANNOTATION_ID=\"1\""),
            "duplicate annotation “1”",
        ),
        ("no first slot", with("TIME_SLOT_REF1=\"a\"", ""), "has no TIME_SLOT_REF1"),
        ("no second slot", with("TIME_SLOT_REF2=\"b\"", ""), "has no TIME_SLOT_REF2"),
        (
            "unknown slot",
            with("TIME_SLOT_REF2=\"b\"", "TIME_SLOT_REF2=\"z\""),
            "line 3: annotation “1”: unknown time slot “z”",
        ),
        ("reference to nothing", with("ANNOTATION_REF=\"1\"", ""), "<REF_ANNOTATION> has no ANNOTATION_REF"),
        (
            "unknown reference",
            with("ANNOTATION_REF=\"1\"", "ANNOTATION_REF=\"z\""),
            "annotation “2” refers to unknown annotation “z”",
        ),
        (
            "unknown previous",
            with("PREVIOUS_ANNOTATION=\"2\"", "PREVIOUS_ANNOTATION=\"z\""),
            "annotation “3” refers to unknown annotation “z”",
        ),
        (
            "reference to itself",
            with("ANNOTATION_REF=\"1\"", "ANNOTATION_REF=\"2\""),
            "annotation “2” refers to itself",
        ),
        (
            "before itself",
            with("PREVIOUS_ANNOTATION=\"2\"", "PREVIOUS_ANNOTATION=\"3\""),
            "annotation “3” comes before itself",
        ),
        ("no times at all", file("a b", &[TOP]), "no time slot of this file has a TIME_VALUE"),
        ("unknown constraint", with("Time_Subdivision", "Sometimes"), "CONSTRAINTS is “Sometimes”"),
        (
            "type without name",
            with("LINGUISTIC_TYPE_ID=\"top\"", ""),
            "<LINGUISTIC_TYPE> has no LINGUISTIC_TYPE_ID",
        ),
        (
            "two types of one name",
            with("LINGUISTIC_TYPE_ID=\"in\"", "LINGUISTIC_TYPE_ID=\"sub\""),
            "conflicting definitions of linguistic type “sub”",
        ),
        (
            "unknown units",
            with("<TIME_ORDER>", "<HEADER TIME_UNITS=\"hours\"/><TIME_ORDER>"),
            "TIME_UNITS is “hours”",
        ),
        (
            "latin-1 declared",
            with("version=\"1.0\"?>", "version=\"1.0\" encoding=\"ISO-8859-1\"?><!--ä-->"),
            "unsupported encoding “ISO-8859-1”",
        ),
    ];
    assert!(files.len() >= 50);
    for (name, text, expected) in files {
        check(name, text.as_bytes(), expected);
    }
}

/// Found by fuzzing: a missing slot between two others was given a time.
#[test]
fn a_missing_slot_in_a_chain_is_an_error() {
    let tiers = ["t top\n1 a-c x", "w time t\n2 a-b x\n3 b-c y"];
    check("gap in a chain", file("a=0 c=9", &tiers).as_bytes(), "annotation “2”: unknown time slot “b”");
}

#[test]
fn undecodable_bytes_are_rejected() {
    let latin = file(TWO, &["t top\n1 a-b \u{1}"]).replace('\u{1}', "?").into_bytes();
    let latin: Vec<u8> = latin.into_iter().map(|byte| if byte == b'?' { 0xE4 } else { byte }).collect();
    check("latin-1", &latin, "line 1: not valid UTF-8");
    check("half a unit", &[0xFF, 0xFE, b'<'], "starts as UTF-16 but is not valid");
    check("half a pair", &[0xFF, 0xFE, 0x00, 0xD8, b'<', 0], "starts as UTF-16 but is not valid");
    check("a picture", b"\x89PNG\r\n\x1a\n\0\0\0", "not valid UTF-8");
}

#[test]
fn reference_cycles_are_found_from_any_start() {
    let circle = ["t top\n1 a-b x", "u sub t\n2 >4 x", "v sub u\n3 >2 x", "w sub v\n4 >3 x\n5 >4 x"];
    check("circle", file(TWO, &circle).as_bytes(), "refers to itself through a cycle");
    let chain = ["t top\n1 a-b x", "w sub t\n2 >1 x\n3 >1 <5 x\n4 >1 <3 x\n5 >1 <4 x"];
    check("chain", file(TWO, &chain).as_bytes(), "comes before itself");
}
