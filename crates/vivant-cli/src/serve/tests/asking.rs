//! Valid, invalid, too large and too many requests.

use super::*;

#[test]
fn invalid_requests_get_errors_and_do_not_affect_others() {
    run(async {
        let server = Server::start(&[]).await;
        let (mut client, mut other) = (server.asker().await, server.client("").await);
        for (request, expected) in [
            ("", "invalid JSON"),
            ("hello", "invalid JSON"),
            ("[1, 2]", "one object in curly brackets"),
            ("{}", "no verb"),
            (r#"{"say": "Hi", "say": "Ho"}"#, "say"),
            (r#"{"say": 7}"#, "say"),
            (r#"{"sya": "Hi"}"#, "say"),
            (r#"{"say": "Hi", "watch": {}}"#, "`say` and `watch` in one message"),
            (r#"{"cast": [], "dismiss": ["a"]}"#, "one verb per message"),
            (r#"{"cast": [{"performer": "../x"}]}"#, "invalid name"),
            (r#"{"cast": [{"performer": "a", "character": "nobody"}]}"#, "no character `nobody`"),
            (
                r#"{"cast": [{"performer": "a", "clip": {"clip": "none"}}]}"#,
                "unknown or unreadable clip `none`",
            ),
            (r#"{"dismiss": ["nobody"]}"#, "there is no performer `nobody`"),
            (r#"{"say": "Hi", "performer": "mian"}"#, "did you mean `main`?"),
            (r#"{"say": "Hi", "performer": ["main", "eve"]}"#, "there is no performer `eve`"),
            (r#"{"act": "gesture", "clip": "fly"}"#, "fly"),
            (r#"{"stance": "flying"}"#, "flying"),
            (r#"{"attend": [0, 1]}"#, "a point in metres"),
            (r#"{"follow": [0, 1, 1e9]}"#, "follow[2]"),
            (r#"{"watch": {"fps": 0}}"#, "watch.fps"),
            (r#"{"watch": {"performers": []}}"#, "watch.performers"),
            (r#"{"say": "Hi", "id": -1}"#, "id"),
        ] {
            client.send(request).await;
            let problem = client.until("error").await;
            let message = problem["message"].as_str().unwrap();
            assert!(message.contains(expected), "{request}: {message}");
        }
        client.0.send(Packet::binary(vec![1, 2, 3])).await.unwrap();
        assert!(client.until("error").await["message"].as_str().unwrap().contains("requests are text"));
        client.send(&format!("{{\"say\": \"{}\", \"id\": 1}}", "x".repeat(70_000))).await;
        assert!(client.until("error").await["message"].as_str().unwrap().contains("bytes"));
        assert_eq!(client.ask(r#"{"say": "Still here."}"#).await, Ok(serde_json::json!([1])));
        other.next_frame().await;
    });
}

#[test]
fn answers_have_the_id_of_their_request_and_come_in_order() {
    run(async {
        let server = Server::start(&[]).await;
        let mut client = server.asker().await;
        client.ask(r#"{"cast": [{"performer": "eve"}]}"#).await.unwrap();
        client.send(r#"{"say": "Hi", "performer": ["main", "eve"], "id": 1}"#).await;
        client.send(r#"{"act": "gesture", "clip": "none", "id": 2}"#).await;
        client.send(r#"{"blink": true}"#).await;
        client.send(r#"{"follow": [0.4, 1.5, 1], "id": 3}"#).await;
        client.send(r#"{"follow": null, "id": 4}"#).await;
        client.send(r#"{"attend": [0.4, 1.5, 1], "id": 5}"#).await;
        let answer = client.until("done").await;
        assert_eq!((&answer["id"], &answer["intents"]), (&1.into(), &serde_json::json!([1, 1])));
        assert_eq!(client.until("error").await["id"], 2);
        for id in 3..6 {
            assert_eq!(client.until("done").await["id"], id);
        }
    });
}

#[test]
fn a_message_beyond_all_limits_ends_the_connection_with_a_reason() {
    run(async {
        let server = Server::start(&[]).await;
        let mut client = server.asker().await;
        // The server may close the connection before everything was sent.
        let _ = client.0.send(Packet::text("x".repeat(2 << 20))).await;
        assert_eq!(client.until_closed().await.0, 1009);
        server.asker().await.ask(r#"{"blink": true}"#).await.unwrap();
    });
}

#[test]
fn too_many_requests_get_errors_and_end_the_connection() {
    run(async {
        let server = Server::start(&[]).await;
        let (mut client, mut other) = (server.asker().await, server.client("").await);
        client.until("performer").await;
        let (mut sender, mut receiver) = client.0.split();
        let flood = tokio::spawn(async move {
            for _ in 0..50_000 {
                if sender.send(Packet::text(r#"{"attend": [0, 1.6, 2]}"#)).await.is_err() {
                    break;
                }
            }
        });
        let (mut refused, mut closed) = (0, None);
        while let Some(Ok(packet)) = receiver.next().await {
            match packet {
                Packet::Text(text) => {
                    assert!(text.contains("too many requests") || text.contains("wait for `main`"), "{text}");
                    refused += 1;
                }
                Packet::Close(frame) => closed = frame,
                _ => {}
            }
        }
        flood.await.unwrap();
        let close = closed.expect("the close message has a reason");
        assert_eq!(u16::from(close.code), 1008);
        assert!(close.reason.contains("slow down") && refused >= 1000, "{refused}: {}", close.reason);
        other.next_frame().await;
    });
}

#[test]
fn the_address_selects_the_watched_performers() {
    run(async {
        let server = Server::start(&[]).await;
        for (query, expected) in [
            ("?frames=xml", "frames"),
            ("?fps=0", "watch.fps"),
            ("?sound=true", "sound"),
            ("?performer=eve", "there is no performer `eve`"),
        ] {
            let refused = connect_async(format!("ws://{}/live{query}", server.address)).await.unwrap_err();
            let tokio_tungstenite::tungstenite::Error::Http(answer) = refused else { panic!("{refused}") };
            let body = String::from_utf8_lossy(answer.body().as_deref().unwrap_or_default()).into_owned();
            assert!(answer.status().is_client_error() && body.contains(expected), "{query}: {body}");
        }
        let mut client = server.client("?performer=main&frames=off&fps=12.5&events=1&plan=true").await;
        client.send(r#"{"blink": true}"#).await;
        assert_eq!(client.until("event").await["what"], "blink");
    });
}
