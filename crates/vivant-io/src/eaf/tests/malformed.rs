//! Files that are wrong in every way that we could think of, and what is said about each.

use super::*;

const TOP: &str = "t top\n1 a-b x";
const TWO: &str = "a=0 b=40";

/// A good file with one thing replaced.
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
fn fifty_malformed_files_name_the_place_and_the_fault() {
    let good = with("t", "t");
    assert!(read(good.as_bytes(), &mut Vec::new()).is_ok());
    let deep = format!("<ANNOTATION_DOCUMENT>{}", "<x>".repeat(600));
    let long = "n".repeat(2000);
    let files: Vec<(&str, String, &str)> = vec![
        ("empty", String::new(), "empty"),
        ("blank", " \n ".into(), "no <ANNOTATION_DOCUMENT>"),
        ("text", "hello".into(), "line 1: this is no XML: “hello” stands before"),
        ("letter before", format!("d{good}"), "line 1: this is no XML: “d” stands before"),
        ("words after", format!("{good}\nbye"), "“bye” stands after"),
        ("second root", format!("{good}<a/>"), "<a> stands after"),
        ("html", "<html></html>".into(), "this is <html> and no ELAN file"),
        ("only a declaration", "<?xml version=\"1.0\"?>".into(), "no <ANNOTATION_DOCUMENT>"),
        ("cut in a tag", good[..good.len() - 10].into(), "no XML"),
        ("cut in a tier", good[..good.find("</TIER>").unwrap()].into(), "the file ends within <TIER>"),
        ("cut after the start", "<ANNOTATION_DOCUMENT>".into(), "ends within <ANNOTATION_DOCUMENT>"),
        ("wrong end tag", with("</TIER>", "</TEAR>"), "line 4: this is no XML"),
        ("end without start", format!("{good}</a>"), "no XML"),
        ("unclosed comment", with("<TIER", "<!-- <TIER"), "no XML"),
        ("unclosed cdata", with(">x<", "><![CDATA[x<"), "no XML"),
        ("unclosed quote", with("TIER_ID=\"t\"", "TIER_ID=\"t"), "no XML"),
        ("attribute without quotes", with("TIER_ID=\"t\"", "TIER_ID=t"), "no XML"),
        ("attribute twice", with("TIER_ID=\"t\"", "TIER_ID=\"t\" TIER_ID=\"t\""), "no XML"),
        ("attribute without value", with("TIER_ID=\"t\"", "TIER_ID"), "no XML"),
        (
            "doctype",
            with("<ANNOTATION_DOCUMENT", "<!DOCTYPE x [<!ENTITY a \"b\">]><ANNOTATION_DOCUMENT"),
            "line 2: has a DTD",
        ),
        ("billion laughs", with(">x<", ">&lol9;<"), "entity “&lol9;” is not known"),
        ("entity in a name", with("TIER_ID=\"t\"", "TIER_ID=\"&t;\""), "TIER_ID: this is no XML"),
        ("no character", with(">x<", ">&#xD800;<"), "entity “&#xD800;”"),
        ("ampersand", with(">x<", ">a & b<"), "no XML"),
        ("too deep", deep, "elements within each other"),
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
        ("two slots of one id", with("TIME_SLOT_ID=\"b\"", "TIME_SLOT_ID=\"a\""), "two time slots “a”"),
        ("time of words", with("TIME_VALUE=\"40\"", "TIME_VALUE=\"soon\""), "TIME_VALUE is “soon”"),
        ("time below 0", with("TIME_VALUE=\"40\"", "TIME_VALUE=\"-40\""), "TIME_VALUE is “-40”"),
        ("time with a fraction", with("TIME_VALUE=\"40\"", "TIME_VALUE=\"4.5\""), "whole number"),
        (
            "time beyond numbers",
            with("TIME_VALUE=\"40\"", "TIME_VALUE=\"99999999999999999999\""),
            "whole number",
        ),
        ("tier without name", with("TIER_ID=\"t\"", ""), "line 3: <TIER> has no TIER_ID"),
        ("name too long", with("TIER_ID=\"t\"", &format!("TIER_ID=\"{long}\"")), "bytes in TIER_ID"),
        ("two tiers of one name", with("TIER_ID=\"w\"", "TIER_ID=\"t\""), "two tiers “t”"),
        ("parent missing", with("PARENT_REF=\"t\"", "PARENT_REF=\"u\""), "its parent tier “u” is not there"),
        ("own parent", with("PARENT_REF=\"t\"", "PARENT_REF=\"w\""), "tier “w” is its own ancestor"),
        (
            "annotation without id",
            with("ANNOTATION_ID=\"1\"", ""),
            "<ALIGNABLE_ANNOTATION> has no ANNOTATION_ID",
        ),
        (
            "two annotations of one id",
            with("ANNOTATION_ID=\"2\"", "ANNOTATION_ID=\"1\""),
            "two annotations “1”",
        ),
        ("no first slot", with("TIME_SLOT_REF1=\"a\"", ""), "has no TIME_SLOT_REF1"),
        ("no second slot", with("TIME_SLOT_REF2=\"b\"", ""), "has no TIME_SLOT_REF2"),
        (
            "unknown slot",
            with("TIME_SLOT_REF2=\"b\"", "TIME_SLOT_REF2=\"z\""),
            "line 3: annotation “1”: there is no time slot “z”",
        ),
        ("reference to nothing", with("ANNOTATION_REF=\"1\"", ""), "<REF_ANNOTATION> has no ANNOTATION_REF"),
        (
            "unknown reference",
            with("ANNOTATION_REF=\"1\"", "ANNOTATION_REF=\"z\""),
            "annotation “2” refers to “z”",
        ),
        (
            "unknown previous",
            with("PREVIOUS_ANNOTATION=\"2\"", "PREVIOUS_ANNOTATION=\"z\""),
            "annotation “3” refers to “z”",
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
            "two linguistic types “sub”",
        ),
        (
            "unknown units",
            with("<TIME_ORDER>", "<HEADER TIME_UNITS=\"hours\"/><TIME_ORDER>"),
            "TIME_UNITS is “hours”",
        ),
        (
            "latin-1 declared",
            with("version=\"1.0\"?>", "version=\"1.0\" encoding=\"ISO-8859-1\"?><!--ä-->"),
            "encoding “ISO-8859-1” is not read",
        ),
    ];
    assert!(files.len() >= 50);
    for (name, text, expected) in files {
        check(name, text.as_bytes(), expected);
    }
}

/// Found by fuzzing: the slot between two others was given a time although there is none.
#[test]
fn a_slot_that_is_missing_within_a_chain_is_missing() {
    let tiers = ["t top\n1 a-c x", "w time t\n2 a-b x\n3 b-c y"];
    check("gap in a chain", file("a=0 c=9", &tiers).as_bytes(), "annotation “2”: there is no time slot “b”");
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let latin = file(TWO, &["t top\n1 a-b \u{1}"]).replace('\u{1}', "?").into_bytes();
    let latin: Vec<u8> = latin.into_iter().map(|byte| if byte == b'?' { 0xE4 } else { byte }).collect();
    check("latin-1", &latin, "line 1: this is no UTF-8");
    check("half a unit", &[0xFF, 0xFE, b'<'], "begins as UTF-16 and is none");
    check("half a pair", &[0xFF, 0xFE, 0x00, 0xD8, b'<', 0], "begins as UTF-16 and is none");
    check("a picture", b"\x89PNG\r\n\x1a\n\0\0\0", "no UTF-8");
}

#[test]
fn a_circle_of_references_is_found_wherever_it_begins() {
    let circle = ["t top\n1 a-b x", "u sub t\n2 >4 x", "v sub u\n3 >2 x", "w sub v\n4 >3 x\n5 >4 x"];
    check("circle", file(TWO, &circle).as_bytes(), "refers to itself, by a circle");
    let chain = ["t top\n1 a-b x", "w sub t\n2 >1 x\n3 >1 <5 x\n4 >1 <3 x\n5 >1 <4 x"];
    check("chain", file(TWO, &chain).as_bytes(), "comes before itself");
}
