//! Tests of `vivant trace`: the tables of gaze shifts and of idle eyes.

#![allow(missing_docs, reason = "tests")]

use serde_json::Value;
use std::process::{Command, Output};

const HEADER: &str = "t,eye_left_yaw,eye_left_pitch,eye_right_yaw,eye_right_pitch,head_yaw,head_pitch,head_roll,\
                      gaze_yaw,gaze_pitch,lid_left,lid_right,aperture_left,aperture_right,blink";

fn vivant(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_vivant")).arg("trace").args(words).output().unwrap()
}

/// Runs `vivant trace` with arguments separated by spaces, and returns standard output.
fn traced(words: &str) -> String {
    let output = vivant(&words.split(' ').collect::<Vec<_>>());
    assert!(output.status.success(), "{words}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

struct Trace {
    rows: Vec<Vec<f64>>,
}

impl Trace {
    fn of(words: &str) -> Self {
        let text = traced(words);
        let mut lines = text.lines();
        let header = lines.next().unwrap();
        assert_eq!(header.strip_suffix(",looks").unwrap_or(header), HEADER, "{words}");
        assert_eq!(header.ends_with(",looks"), words.starts_with("eyes"), "{words}");
        let row = |line: &str| line.split(',').map(|number| number.parse().unwrap()).collect::<Vec<f64>>();
        let rows = lines.map(row).collect::<Vec<_>>();
        let columns = header.split(',').count();
        assert!(rows.iter().all(|row| row.len() == columns && row.iter().all(|number| number.is_finite())));
        Self { rows }
    }

    fn column(&self, name: &str) -> impl DoubleEndedIterator<Item = f64> {
        let index = HEADER.split(',').position(|column| column == name).unwrap();
        self.rows.iter().map(move |row| row[index])
    }

    fn last(&self, name: &str) -> f64 {
        self.column(name).next_back().unwrap()
    }

    /// Returns the start of each blink.
    fn blinks(&self) -> Vec<f64> {
        let flags = self.column("blink").collect::<Vec<_>>();
        let starts = (0..flags.len()).filter(|i| flags[*i] == 1.0 && (*i == 0 || flags[i - 1] == 0.0));
        starts.map(|i| self.rows[i][0]).collect()
    }
}

/// Cases computed by hand from paper 2: OMR 40°, HMR 75°, and the head is reset by half of the way. Each case has
/// start, target and HMF, then the final angles of head and eyes.
#[test]
fn gaze_shifts_end_where_paper_2_says() {
    for (from, to, factor, head, eye) in [
        (0, 50, "0", 10.0, 40.0),
        (0, 50, "0.5", 30.0, 20.0),
        (0, 50, "1", 50.0, 0.0),
        (0, 18, "0.5", 9.0, 9.0),
        (0, -40, "0.5", -20.0, -20.0),
        (0, 90, "0.4", 60.0, 30.0),
        (0, 115, "0.3", 75.0, 40.0),
        // Both directions are within the range of the eyes: the head has stayed ahead and need not move.
        (-30, 30, "0", 0.0, 30.0),
        // From 60° the head is at 20°. The target is beyond it, and then between it and the midline.
        (60, 70, "0", 30.0, 40.0),
        (60, 15, "0", 0.0, 15.0),
        // With the head at −20°, the eyes could reach 10°, but the head is reset: half of the way to 10° is −5°.
        (-60, 10, "0", -5.0, 15.0),
        // The head is at −15°, and the eyes reach 30° with the head at −10°. Half of the way from −10° to 30° is 10°,
        // the head angle of a non-mover (NM). With an HMF of 0.5, H_f is half of the way from 10° to 30°.
        (-30, 30, "0.5", 20.0, 10.0),
    ] {
        let words = format!("gaze-shift --from {from},0 --to {to},0 --hmf {factor} --preset peters");
        let trace = Trace::of(&words);
        let check = |name: &str, expected: f64| {
            let found = trace.last(name);
            assert!((found - expected).abs() < 1e-6, "{words}: {name} is {found}, not {expected}");
        };
        check("head_yaw", head);
        check("eye_left_yaw", eye);
        check("eye_right_yaw", eye);
        check("gaze_yaw", f64::from(to));
        assert!((trace.rows[0][8] - f64::from(from)).abs() < 1e-6, "{words}: it starts there");
    }
}

/// Checks that the gaze stays on its target while the head still turns, that the eyes stay in their range, and that
/// everything rests at the end.
#[test]
fn the_gaze_stays_on_its_target_while_the_head_turns() {
    const ON_TARGET_RAD: f64 = 1e-6;
    for words in [
        "gaze-shift --to 50,0 --hmf 0 --preset peters",
        "gaze-shift --to 60,0 --hmf 1",
        "gaze-shift --to 30,15 --hmf 0.8",
        "gaze-shift --from -30,-10 --to 45,10 --hmf 0.5 --preset peters",
        "gaze-shift --from 70,0 --to -100,-30",
        "gaze-shift --to -20,-20 --hmf 1 --strategy ge --latency 0.2",
        "gaze-shift --to 40,10 --liveliness 1 --seed 3 --strategy ge",
    ] {
        let trace = Trace::of(words);
        let (yaw, pitch) =
            words.split("--to ").nth(1).unwrap().split(' ').next().unwrap().split_once(',').unwrap();
        let target = [yaw, pitch].map(|number| number.parse::<f64>().unwrap());
        let off = |row: &Vec<f64>| (row[8] - target[0]).abs().max((row[9] - target[1]).abs()).to_radians();
        let landed = trace.rows.iter().position(|row| off(row) < ON_TARGET_RAD).unwrap();
        // With liveliness the eyes may dip in a blink; at the end everything is still.
        if !words.contains("liveliness") {
            assert!(trace.rows[landed..].iter().all(|row| off(row) < ON_TARGET_RAD), "{words}");
        }
        for name in ["eye_left_yaw", "eye_right_yaw"] {
            assert!(trace.column(name).all(|yaw| yaw.abs() <= 40.0 + 1e-9), "{words}: {name}");
        }
        let rest = &trace.rows[trace.rows.len() - 200..];
        assert!(rest.iter().all(|row| row[1..] == rest[0][1..]), "{words}: 0.2 s of rest");
        assert!(trace.rows[trace.rows.len() - 205][1..] != rest[0][1..], "{words}: not longer");
    }
}

#[test]
fn the_pure_model_has_no_chance_in_it_and_a_lively_one_has() {
    let shift = |more: &str| traced(&format!("gaze-shift --to 30,10 {more}"));
    assert_eq!(shift("--seed 1"), shift("--seed 2"));
    assert_ne!(shift("--seed 1 --liveliness 1"), shift("--seed 2 --liveliness 1"));
    assert_eq!(shift("--strategy ru"), shift("--strategy nb"), "no spontaneous blinks");
}

#[test]
fn gaze_evoked_blinks_come_with_the_shift() {
    let blinks =
        |strategy: &str| Trace::of(&format!("gaze-shift --to 60,0 --strategy {strategy}")).blinks().len();
    assert_eq!([blinks("nb"), blinks("ge"), blinks("gaze-evoked"), blinks("GE")], [0, 1, 1, 1]);
}

#[test]
fn a_target_out_of_reach_is_reported() {
    let output = vivant(&["gaze-shift", "--to", "-130,0", "--preset", "peters", "--json"]);
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && printed.contains("stops 15° short of 130° right"), "{printed}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!((found["shortfall_deg"].as_f64().unwrap() - 15.0).abs() < 1e-6);
    let reached = vivant(&["gaze-shift", "--to", "-115,0", "--preset", "peters", "--json"]);
    let found: Value = serde_json::from_slice(&reached.stdout).unwrap();
    assert_eq!((found["shortfall_deg"].as_f64(), reached.stderr.is_empty()), (Some(0.0), true));
}

#[test]
fn the_same_seed_gives_the_same_eyes_and_another_one_others() {
    let eyes = |seed: u32| traced(&format!("eyes --seconds 20 --rate 60 --seed {seed}"));
    assert_eq!(eyes(7), eyes(7));
    assert_ne!(eyes(7), eyes(8));
}

#[test]
fn the_rate_changes_nothing_but_the_number_of_rows() {
    for words in ["eyes --seconds 30 --seed 5", "eyes --seconds 30 --state speaking --strategy r+pge"] {
        let rows = |rate: u32| traced(&format!("{words} --rate {rate}"));
        let (slow, fast) = (rows(60), rows(120));
        assert_eq!((slow.lines().count(), fast.lines().count()), (1 + 1801, 1 + 3601));
        assert!(slow.lines().skip(1).eq(fast.lines().skip(1).step_by(2)), "{words}");
    }
}

#[test]
fn strategies_blink_when_they_say() {
    let blinks =
        |strategy: &str| Trace::of(&format!("eyes --seconds 31 --rate 100 --strategy {strategy}")).blinks();
    for (strategy, expected) in [("nb", 0), ("ru", 10), ("regular", 10)] {
        let found = blinks(strategy);
        assert_eq!(found.len(), expected, "{strategy}: {found:?}");
        for (i, at) in found.iter().enumerate() {
            assert!((at - 3.0 * (i + 1) as f64).abs() < 0.011, "{strategy}: {found:?}");
        }
    }
    assert!(blinks("ge").len() > 10 && blinks("natural").len() > 3);
}

#[test]
fn still_eyes_stay_where_they_are() {
    let trace = Trace::of("eyes --seconds 20 --rate 60 --liveliness 0 --strategy nb");
    assert!(trace.rows.iter().all(|row| row[1..] == trace.rows[0][1..]));
    let watchful = Trace::of("eyes --seconds 20 --rate 60 --attentiveness 1 --strategy nb");
    assert!(watchful.column("gaze_yaw").all(|yaw| yaw.abs() < 3.0), "fixational movement only");
}

#[test]
fn measured_values_are_in_the_title_and_in_json() {
    let found: Value =
        serde_json::from_str(&traced("eyes --seconds 60 --rate 2 --strategy ru --seed 9 --json")).unwrap();
    assert_eq!(found["blinks_per_minute"], 20.0, "also between rows that are far apart");
    let title = found["title"].as_str().unwrap();
    assert!(
        title.contains("seed 9 · 20 blinks per minute (regular)") && title.contains("60 s, idle"),
        "{title}"
    );
    assert_eq!(
        (found["rows"].as_array().unwrap().len(), found["columns"].as_array().unwrap().len()),
        (121, 16)
    );
    let shifts = |rate: u32| {
        let found: Value =
            serde_json::from_str(&traced(&format!("eyes --seconds 60 --rate {rate} --json"))).unwrap();
        (found["gaze_shifts_per_minute"].clone(), found["mean_gaze_shift_deg"].clone())
    };
    assert_eq!(shifts(60), shifts(480));
}

#[test]
fn lids_and_blinks_have_apertures_and_velocities() {
    for (words, header, least) in [
        ("blink --amplitude 35", "t,lid_left,lid_right,aperture_left,aperture_right,blink,velocity", 0.0),
        ("blink --amplitude 14", "t,lid_left,lid_right,aperture_left,aperture_right,blink,velocity", 0.6),
        // The upper lid moves down by 20° with the gaze, and the lower lid by 5°. So 15° of the 43.75° between them are
        // lost.
        (
            "lid-saccade --from 0 --to -20",
            "t,lid_left,lid_right,aperture_left,aperture_right,velocity",
            1.0 - 15.0 / 43.75,
        ),
    ] {
        let text = traced(words);
        assert_eq!(text.lines().next(), Some(header));
        let aperture = |line: &str| line.split(',').nth(3).unwrap().parse::<f64>().unwrap();
        let found = text.lines().skip(1).map(aperture).fold(f64::INFINITY, f64::min);
        assert!((found - least).abs() < 1e-6, "{words}: {found}");
    }
}

#[test]
fn invalid_values_are_reported_with_the_option_and_the_range() {
    let check = |words: &str, option: &str, advice: &str| {
        let output = vivant(&words.split(' ').collect::<Vec<_>>());
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words}: {text}");
        assert!(text.contains(option) && text.contains(advice), "{words}: {text}");
    };
    check("gaze-shift --to abc", "--to", "yaw and pitch in degrees, separated by a comma");
    check("gaze-shift --to 1", "--to", "as in 30,-10");
    check("gaze-shift --from 200,0 --to 1,1", "--from", "-180 to 180");
    check("gaze-shift", "--to", "required");
    check("gaze-shift --to 1,1 --hmf 2", "--hmf", "from 0 to 1");
    check("gaze-shift --to 1,1 --strategy xyz", "--strategy", "nb, ru, ge, pge, r+pge, natural");
    check("gaze-shift --to 1,1 --preset xyz", "--preset", "human, peters");
    check("gaze-shift --to 1,1 --rate 0", "--rate", "1 to 1000000 samples per second");
    check("eyes", "--seconds", "required");
    check("eyes --seconds 0", "--seconds", "0.01 to 36000 seconds");
    check("eyes --seconds 9 --state asleep", "--state", "idle, speaking, listening, reading, thinking");
    check("eyes --seconds 9 --evoked xyz", "--evoked", "peters, evinger");
    check("eyes --seconds 9 --blink-rate -1", "--blink-rate", "0 to 120 blinks");
    check("eyes --seconds 9 --rate -5", "--rate", "samples per second");
}
