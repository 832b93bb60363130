use super::*;
use vivant::eyes::blinking::{BlinkStrategy, Evoked};

/// Everything that is not changed stays exactly the same.
#[test]
fn a_change_keeps_everything_else() {
    let lively = Temperament { liveliness: 0.5, ..Temperament::default() };
    let often = Temperament { blinks_per_minute: Some(30.0), ..Temperament::default() };
    let peters = Temperament { evoked: Evoked::peters(), ..Temperament::default() };
    let name = Change { name: Some("Ada \"x\"\u{7f}"), ..Change::default() };
    let avatar = Change { avatar: Some("avatars/a.vrm"), ..Change::default() };
    let temper = |temperament| Change { temperament: Some(temperament), ..Change::default() };
    let (calm, usual) = (temper(&lively), Temperament::default());
    for (text, change, expected) in [
        ("version = 1", name, "version = 1\nname = \"Ada \\\"x\\\"\\u007F\"\n"),
        (
            "# me\nversion = 1 # one\n\n[temperament] # t\n",
            avatar,
            "# me\nversion = 1 # one\navatar = \"avatars/a.vrm\"\n\n[temperament] # t\n",
        ),
        ("version = 1\n", calm, "version = 1\n\n[temperament]\nliveliness = 0.5\n"),
        (
            "version = 1\n[temperament]\n# calm\nliveliness = 1 # or 2?\n",
            calm,
            "version = 1\n[temperament]\n# calm\nliveliness = 0.5 # or 2?\n",
        ),
        (
            "version = 1\n[temperament] # t\n# end",
            calm,
            "version = 1\n[temperament] # t\nliveliness = 0.5\n# end",
        ),
        (
            "version = 1\r\n[temperament]\r\n  lidTempo = 1\r\n# end",
            calm,
            "version = 1\r\n[temperament]\r\n  lidTempo = 1\r\nliveliness = 0.5\r\n# end",
        ),
        (
            "version = 1\ntemperament.lidTempo = 1\nname = \"x\"",
            calm,
            "version = 1\ntemperament.lidTempo = 1\ntemperament.liveliness = 0.5\nname = \"x\"\n",
        ),
        (
            "version = 1\ntemperament = { lidTempo = 1 } # t",
            calm,
            "version = 1\ntemperament = { lidTempo = 1, liveliness = 0.5 } # t\n",
        ),
        ("version = 1\ntemperament = {}", calm, "version = 1\ntemperament = { liveliness = 0.5 }\n"),
        (
            "version = 1\n[temperament.evoked] # e\npreset = \"evinger\"\ndriver = \"gaze\"\n",
            calm,
            "version = 1\n\n[temperament]\nliveliness = 0.5\n[temperament.evoked] # e\npreset = \"evinger\"\ndriver = \"gaze\"\n",
        ),
        (
            "version = 1\n[temperament]\nblinksPerMinute = 30 \n# end\n",
            temper(&usual),
            "version = 1\n[temperament]\n# end\n",
        ),
        (
            "version = 1\n[temperament]\nblinksPerMinute = 30 # many\n",
            temper(&usual),
            "version = 1\n[temperament]\n# many\n",
        ),
        (
            "version = 1\n[temperament] # t\n# how often\nblinksPerMinute = 30 # many\nlidTempo = 1 # l\n",
            temper(&usual),
            "version = 1\n[temperament] # t\n# how often\n# many\nlidTempo = 1 # l\n",
        ),
        (
            "version = 1\ntemperament = { blinksPerMinute = 30, lidTempo = 1 }",
            temper(&usual),
            "version = 1\ntemperament = { lidTempo = 1 }\n",
        ),
        (
            "version = 1\ntemperament = { lidTempo = 1, blinksPerMinute = 30 }",
            temper(&usual),
            "version = 1\ntemperament = { lidTempo = 1 }\n",
        ),
        ("version = 1\n", temper(&often), "version = 1\n\n[temperament]\nblinksPerMinute = 30.0\n"),
        ("version = 1\n", temper(&usual), "version = 1\n"),
        (
            "version = 1\n[temperament.evoked]\npreset = \"evinger\" # whose\ndriver = \"gaze\"\n# end",
            temper(&peters),
            "version = 1\n[temperament.evoked]\npreset = \"peters\" # whose\ndriver = \"head\"\ncertainAt75 = false\n# end",
        ),
    ] {
        let found = edited(text, change).unwrap_or_else(|error| panic!("{text}\n{error}"));
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn invalid_texts_are_not_changed() {
    let name = Change { name: Some(""), ..Change::default() };
    for (text, part) in [("", "version"), ("version = 1\nx", "line 2"), ("version = 1", "name: is empty")] {
        let message = edited(text, name).unwrap_err().to_string();
        assert!(message.contains(part), "{message}");
    }
}

/// Applies many changes of all fields in sequence to a small text.
#[test]
fn many_changes_in_sequence_are_applied() {
    let mut text = "version = 1 # keep me\n".to_owned();
    let mut wanted = Temperament::default();
    for step in 0..40 {
        let share = f64::from(step) / 40.0;
        match step % 5 {
            0 => wanted.liveliness = share,
            1 => wanted.viewer_distance_m = (step % 2 == 0).then_some(share),
            2 => wanted = Temperament::peters(share),
            3 => wanted.blinks = if step % 2 == 0 { BlinkStrategy::None } else { BlinkStrategy::Natural },
            _ => wanted.resting_aperture = [share, 1.0],
        }
        text = edited(&text, Change { temperament: Some(&wanted), ..Change::default() }).unwrap();
        assert_eq!(read(text.as_bytes()).unwrap().temperament, wanted);
        assert!(text.starts_with("version = 1 # keep me\n"), "{text}");
    }
}
