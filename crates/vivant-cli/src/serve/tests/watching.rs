//! Order, format and rate of frames.

use super::*;

#[test]
fn messages_are_welcome_then_performer_then_frames() {
    run(async {
        let server = Server::start(&["--seed", "5"]).await;
        let mut client = server.client("").await;
        let welcome = client.next_json().await;
        assert_eq!(welcome["welcome"]["protocol"], 1);
        assert_eq!(welcome["welcome"]["performers"], serde_json::json!(["main"]));
        let Packet::Text(text) = client.next().await else { panic!("a performer comes before its frames") };
        let performer: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(performer["performer"]["seed"], 5);
        let Packet::Binary(bytes) = client.next().await else { panic!("then come frames") };
        let mut last = Frame::from_bytes(&bytes).unwrap();
        for _ in 0..10 {
            let frame = client.next_frame().await;
            assert!(frame.time > last.time && frame.rotations.len() == 55);
            assert!((frame.root[1] - 0.925).abs() < 0.05, "the hips are {} m high", frame.root[1]);
            last = frame;
        }
    });
}

#[test]
fn binary_and_json_frames_agree_bit_for_bit() {
    run(async {
        let server = Server::start(&[]).await;
        let mut binary = server.client("").await;
        let mut json = server.client("?frames=json").await;
        let mut frame = binary.next_frame().await;
        let mut text = next_text_frame(&mut json).await;
        // Each connection may miss frames that the other gets, so the connection that is behind continues to read.
        for _ in 0..20 {
            while (frame.time - text.time).abs() > 1e-9 {
                if frame.time < text.time {
                    frame = binary.next_frame().await;
                } else {
                    text = next_text_frame(&mut json).await;
                }
            }
            assert_eq!((frame.root, frame.signals), (text.root, text.signals));
            assert_eq!((&frame.rotations, &frame.weights), (&text.rotations, &text.weights));
            frame = binary.next_frame().await;
        }
    });
}

#[test]
fn a_viewer_gets_no_more_frames_than_it_wants() {
    run(async {
        let server = Server::start(&[]).await;
        let (mut slow, mut fast) = (server.client("?fps=10").await, server.client("").await);
        let mut last = slow.next_frame().await.time;
        for _ in 0..5 {
            let time = slow.next_frame().await.time;
            assert!(time - last > 0.083, "{last} to {time} s");
            last = time;
        }
        let mut last = fast.next_frame().await.time;
        // A busy machine may skip frames: the rate is reached when two consecutive frames arrive.
        loop {
            let time = fast.next_frame().await.time;
            assert!(time > last, "{last} to {time} s");
            if time - last < 0.02 {
                break;
            }
            last = time;
        }
        slow.send(r#"{"watch": {"frames": "off"}}"#).await;
        assert_eq!(slow.ask(r#"{"blink": true}"#).await, Ok(serde_json::json!([null])));
        let Err(problem) = slow.ask(r#"{"watch": {"performers": ["mian"]}}"#).await else { panic!() };
        assert!(problem.contains("there is no performer `mian`; did you mean `main`?"), "{problem}");
    });
}

#[test]
fn many_performers_are_in_sync_and_their_number_is_limited() {
    run(async {
        let server = Server::start(&["--fps", "20"]).await;
        let mut client = server.asker().await;
        let cast = |count: usize| {
            let one =
                |number: usize| serde_json::json!({ "performer": format!("p{number}"), "seed": number });
            serde_json::json!({ "cast": (0..count).map(one).collect::<Vec<_>>() }).to_string()
        };
        client.ask(&cast(100)).await.unwrap();
        assert_eq!(server.names().len(), 101);
        client.send(r#"{"watch": {"performers": ["p0", "p50", "p99"]}}"#).await;
        for _ in 0..4 {
            let frames = [client.next_frame().await, client.next_frame().await, client.next_frame().await];
            assert!(frames.iter().all(|frame| frame.time == frames[0].time), "they started together");
            assert!(frames[0].number != frames[1].number && frames[1].number != frames[2].number);
        }
        client.ask(&cast(255)).await.unwrap();
        let problem = client.ask(&cast(256)).await.unwrap_err();
        assert!(problem.contains("256") && problem.contains("dismiss some"), "{problem}");
        client.ask(r#"{"dismiss": ["p1", "p99"]}"#).await.unwrap();
        assert_eq!(client.until("gone").await["performer"], "p99");
        assert_eq!(server.names().len(), 254);
    });
}

#[test]
fn performers_that_are_mine_end_with_my_connection() {
    run(async {
        let server = Server::start(&[]).await;
        let (mut mine, mut other) = (server.asker().await, server.asker().await);
        mine.ask(r#"{"cast": [{"performer": "a", "mine": true}, {"performer": "b"}]}"#).await.unwrap();
        other.ask(r#"{"watch": {"performers": ["a", "b"], "frames": "off"}}"#).await.unwrap();
        assert_eq!(server.names(), ["a", "b", "main"]);
        drop(mine);
        assert_eq!(other.until("gone").await["performer"], "a");
        assert_eq!(server.names(), ["b", "main"]);
    });
}

#[test]
fn a_preview_shows_its_clip_again_and_again_and_nothing_else() {
    run(async {
        let server = Server::start(&[]).await;
        let mut client = server.asker().await;
        let cast = |clip: &str| {
            let part = serde_json::json!({ "clip": clip, "start": 0.5, "end": 0.6 });
            serde_json::json!({ "cast": { "performer": "preview", "clip": part } }).to_string()
        };
        client.ask(&cast("builtin#wave")).await.unwrap();
        client.ask(r#"{"watch": {"performers": ["preview"]}}"#).await.unwrap();
        assert_eq!(client.until("performer").await["isPreview"], true);
        let mut seen = Vec::new();
        while seen.len() < 60 {
            seen.push(client.next_frame().await);
        }
        // A tenth of a second is over after six frames.
        let close = |a: &Frame, b: &Frame| {
            let turns = a.rotations.as_flattened().iter().zip(b.rotations.as_flattened());
            turns.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max) < 1e-3
        };
        let first = &seen[20];
        assert!(seen[21..].iter().any(|frame| close(frame, first)), "it repeats");
        assert!(seen[21..].iter().any(|frame| !close(frame, first)), "it moves");
        assert!(seen.iter().all(|frame| frame.signals[13] == 0.0), "it does not blink");
        let problem = client.ask(r#"{"say": "Hello", "performer": "preview"}"#).await.unwrap_err();
        assert!(problem.contains("only shows a clip"), "{problem}");
        let problem = client.ask(&cast("builtin#fly")).await.unwrap_err();
        assert!(problem.contains("preview: unknown or unreadable clip `builtin#fly`"), "{problem}");
    });
}

#[test]
fn main_cannot_be_dismissed_but_cast_again() {
    run(async {
        let server = Server::start(&[]).await;
        let mut client = server.client("").await;
        let first = client.until("performer").await;
        let problem = client.ask(r#"{"dismiss": ["main"]}"#).await.unwrap_err();
        assert!(problem.contains("`main` cannot be dismissed"), "{problem}");
        while client.next_frame().await.time < 0.3 {}
        client.send(r#"{"cast": {"performer": "main", "seed": 9, "mine": true}}"#).await;
        let second = client.until("performer").await;
        assert_eq!((&second["seed"], &second["number"]), (&9.into(), &first["number"]));
        assert!(client.next_frame().await.time < 0.3, "it starts again");
        drop(client);
        let mut client = server.client("").await;
        assert_eq!(client.until("performer").await["seed"], 9, "main has no owner");
    });
}

#[test]
fn a_changed_performer_is_described_again() {
    run(async {
        let server = Server::start(&[]).await;
        let (mut client, mut other) =
            (server.client("?frames=off").await, server.client("?frames=off").await);
        assert_eq!(other.until("performer").await["temperament"]["liveliness"], 1.0);
        client.ask(r#"{"temperament": {"liveliness": 0.25}}"#).await.unwrap();
        assert_eq!(other.until("performer").await["temperament"]["liveliness"], 0.25);
        let problem = client.ask(r#"{"temperament": {"liveliness": 7}}"#).await.unwrap_err();
        assert!(problem.contains("temperament.liveliness"), "{problem}");
    });
}

async fn next_text_frame(client: &mut Client) -> Frame {
    serde_json::from_value(client.until("frame").await).unwrap()
}
