//! The maps in `docs/guides/learn-behaviour.md` are valid, and the first one gives the documented counts.

#![allow(missing_docs, reason = "tests")]

use vivant_learn::behaviour::{AnnotatedVideo, TierMap, learn};

const DOC: &str = include_str!("../../../docs/guides/learn-behaviour.md");

fn maps() -> Vec<&'static str> {
    DOC.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn documented_maps_are_valid() {
    let maps = maps();
    assert_eq!(maps.len(), 2);
    maps.iter().for_each(|map| assert!(TierMap::parse(map).is_ok(), "{:?}\n{map}", TierMap::parse(map)));
    // The documented defaults are the actual ones.
    let (all, short) = (TierMap::parse(maps[1]).unwrap(), TierMap::parse(maps[0]).unwrap());
    assert_eq!(
        (all.overlap, all.semantics, all.smoothing, all.quantiles, all.pause),
        (short.overlap, short.semantics, short.smoothing, short.quantiles, short.pause)
    );
}

#[test]
fn the_documented_example_gives_the_documented_counts() {
    let Some(bytes) = vivant_testing::data_bytes("elan/ELAN_official_example_v2.3.eaf") else { return };
    let mut warnings = Vec::new();
    let annotations = vivant_io::eaf::read(&bytes, &mut warnings).unwrap();
    let recording = AnnotatedVideo { name: "example".into(), annotations };
    let learned = learn(&[recording], &TierMap::parse(maps()[0]).unwrap(), &mut warnings).unwrap();
    assert_eq!(warnings, []);
    let arms = &learned.counts[0];
    // 19 strokes and two retractions of W, one of each of K.
    assert_eq!((arms.occurrences[3], arms.occurrences[5]), (20, 3));
    assert_eq!(
        [("RG", "RG"), ("RG", "RT"), ("RT", "RG")].map(|(a, b)| arms.count(a, b).unwrap()),
        [17, 3, 1]
    );
}
