//! Plans and events.

use super::*;
use serde_json::json;

/// Waits for a plan with a bar that meets a condition.
async fn plan_with(client: &mut Client, is_it: impl Fn(&Value) -> bool) -> (Value, Value) {
    loop {
        let plan = client.until("plan").await;
        if let Some(bar) = plan["bars"].as_array().unwrap().iter().find(|bar| is_it(bar)) {
            return (bar.clone(), plan.clone());
        }
    }
}

#[test]
fn a_plan_has_all_lanes_the_past_and_what_is_to_come() {
    run(async {
        let server = Server::start(&[]).await;
        let mut client = server.client("?frames=off&plan=true").await;
        let first = client.until("plan").await;
        assert_eq!(first["since"], 0.0);
        let (at, until) = (first["at"].as_f64().unwrap(), first["until"].as_f64().unwrap());
        assert!((until - at - 12.0).abs() < 1e-9);
        for lane in ["body", "arms", "head", "gaze", "blinks"] {
            let bars = first["bars"].as_array().unwrap().iter().filter(|bar| bar["lane"] == lane);
            let mut last = 0.0;
            for bar in bars.clone() {
                let (start, end) = (bar["start"].as_f64().unwrap(), bar["end"].as_f64().unwrap());
                assert!(start >= last - 1e-9 && end >= start, "{lane}: {bar} starts before {last}");
                assert_eq!(bar["planned"].as_bool().unwrap(), start > at, "{bar}");
                last = end;
            }
            assert!(bars.count() > 0 && last > at, "{lane}");
        }
        client.send(r#"{"say": "Hello, nice to see you!"}"#).await;
        let (line, plan) = plan_with(&mut client, |bar| bar["lane"] == "speech").await;
        assert_eq!((&line["kind"], &line["asked"]), (&"line".into(), &true.into()));
        assert!(plan["since"].as_f64().unwrap() >= at, "bars are not sent again");
        client.send(r#"{"act": "gesture", "clip": "wave"}"#).await;
        let (wave, _) = plan_with(&mut client, |bar| bar["name"] == "wave").await;
        assert_eq!((&wave["lane"], &wave["asked"]), (&"arms".into(), &true.into()));
        client.send(r#"{"stop": true}"#).await;
        let (cut, _) = plan_with(&mut client, |bar| bar["name"] == "wave" && bar["end"] != wave["end"]).await;
        assert!(cut["end"].as_f64() < wave["end"].as_f64(), "{cut}");
    });
}

#[test]
fn events_are_sent_to_clients_that_request_them() {
    run(async {
        let server = Server::start(&[]).await;
        let mut client = server.client("?frames=off&events=true").await;
        client.until("performer").await;
        client.send(r#"{"say": "Hello!", "duration": 30}"#).await;
        client.send(r#"{"act": "gesture", "clip": "wave"}"#).await;
        client.send(r#"{"act": "gesture", "clip": "wave", "at": 1e6, "id": 1}"#).await;
        client.send(r#"{"look": [1, 1.2, 0.5]}"#).await;
        client.send(r#"{"blink": true}"#).await;
        let mut wanted = vec!["line", "state", "began", "blink", "gazeShift"];
        while !wanted.is_empty() {
            let event = client.until("event").await;
            assert_eq!(event["performer"], "main");
            wanted.retain(|kind| event["what"] != *kind && event["what"].get(kind).is_none());
        }
        client.send(r#"{"stop": true}"#).await;
        let mut wanted = vec!["cut", "dropped", "state"];
        while !wanted.is_empty() {
            let event = client.until("event").await;
            wanted.retain(|kind| event["what"].get(kind).is_none());
        }
    });
}

#[test]
fn an_unknown_tag_is_reported_and_a_line_in_pieces_is_one_bar() {
    run(async {
        let server = Server::start(&[]).await;
        let mut client = server.client("?frames=off&events=true&plan=true").await;
        client.send(r#"{"say": "Well, [somersault] let me ", "line": "a", "more": true}"#).await;
        loop {
            let event = client.until("event").await;
            if let Some(why) =
                event["what"]["dropped"]["why"].as_str().filter(|why| why.contains("somersault"))
            {
                assert!(why.contains("[somersault]: unknown tag"), "{why}");
                break;
            }
        }
        client.send(r#"{"say": "think about that.", "line": "a"}"#).await;
        let is_whole =
            |bar: &Value| bar["lane"] == "speech" && bar["name"].as_str().unwrap().contains("think");
        plan_with(&mut client, is_whole).await;
        let plan = server.state.hub.plan("main").await.unwrap();
        let lines =
            plan.bars.iter().filter(|bar| bar.kind == vivant_io::json::protocol::BarKind::Line).count();
        assert_eq!(lines, 1, "{plan:?}");
    });
}

/// Parts of a line that cannot be spoken are reported: as an error if nothing is left, else as an event.
#[test]
fn every_line_over_the_socket_is_spoken_or_reported() {
    run(async {
        let server = Server::start(&[]).await;
        let mut client = server.client("?frames=off&events=true").await;
        let long = json!({ "say": "word ".repeat(200_000) }).to_string();
        let line = json!({ "say": "word ".repeat(3_000) }).to_string();
        let samples = |byte: &str| json!({ "say": "", "pcm": { "rate": 16_000, "data": byte.repeat(8000) } });
        for (request, refused) in [
            (r#"{"say": ""}"#, Some("say: is empty")),
            (r#"{"say": "<speak>Hello <b"}"#, Some("say: ")),
            (r#"{"say": "Hi", "words": [{"word": "Hi", "start": -1}]}"#, Some("words[0].start: -1")),
            (&line, Some("say: 15000 bytes long")),
            (&samples("AAAA").to_string(), None),
            (&samples("/3//").to_string(), None),
        ] {
            let answer = client.ask(request).await;
            match (refused, answer) {
                (None, Ok(_)) => {}
                (Some(words), Err(error)) if error.contains(words) => {}
                (_, answer) => panic!("{request:.60}: {answer:?}"),
            }
        }
        for (request, expected) in [
            (r#"{"say": "Привет"}"#, "“Привет” was skipped; letters of other scripts"),
            (r#"{"say": "Hello 😀"}"#, "“😀” was skipped; emoji are not spoken"),
            (r#"{"say": "<speak>Hi <blink>you</blink></speak>"}"#, "blink"),
            (
                r#"{"say": "Hi you", "words": [{"word": "Hi", "start": 1, "end": 2}, {"word": "you", "start": 0.5}]}"#,
                "words[1]: it overlaps the previous entry",
            ),
        ] {
            client.send(request).await;
            loop {
                let event = client.until("event").await;
                if event["what"]["dropped"]["why"].as_str().is_some_and(|why| why.contains(expected)) {
                    break;
                }
            }
        }
        // In a message that is too long the id is not read either.
        client.send(&long).await;
        let error = client.until("error").await;
        assert!(error["message"].as_str().unwrap().contains("at most 65536 are allowed"), "{error}");
    });
}

#[test]
fn a_plan_is_available_over_http_and_for_later_clients() {
    run(async {
        let server = Server::start(&[]).await;
        let plan = server.state.hub.plan("main").await.unwrap();
        assert!(plan.bars.len() > 5 && plan.since == 0.0, "{plan:?}");
        let mut first = server.client("?frames=off&plan=true").await;
        let plan = first.until("plan").await;
        first.send(r#"{"say": "Hello!"}"#).await;
        plan_with(&mut first, |bar| bar["lane"] == "speech").await;
        let mut second = server.client("?frames=off&plan=true").await;
        let all = second.until("plan").await;
        assert_eq!(all["since"], plan["since"]);
        assert!(all["bars"].as_array().unwrap().iter().any(|bar| bar["lane"] == "speech"), "{all}");
    });
}
