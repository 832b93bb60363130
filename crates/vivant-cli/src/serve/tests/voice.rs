//! Lines that the server speaks.

use super::*;
use crate::voice::Espeak;
use serde_json::json;

#[test]
fn text_that_cannot_be_spoken_is_refused_with_a_message() {
    run(async {
        let server = Server::start(&[]).await;
        let long = json!({ "text": "word ".repeat(300) }).to_string();
        for (body, status, words) in [
            ("{}", 400, "the field `text` is missing"),
            (r#"{"text": " "}"#, 400, "text: is empty"),
            (r#"{"text": "Hi", "rate": 9}"#, 400, "rate: 9 is out of range"),
            (r#"{"text": "Hi", "voise": "de"}"#, 400, "did you mean `voice`?"),
            (&long, 413, "one or two sentences"),
            (r#"{"text": "😀"}"#, 422, "nothing to speak"),
        ] {
            let (found, answer) = server.post("/api/voice", body).await;
            let error = answer["error"].as_str().unwrap_or_default();
            assert!(found == status && error.contains(words), "{body}: {found} {error}");
        }
    });
}

#[test]
fn a_line_is_spoken_and_a_performer_accepts_its_intent() {
    run(async {
        let server = Server::start(&[]).await;
        let (status, all) = server.get("/api/voice").await;
        assert_eq!(status, 200);
        if Espeak::find("en-us", 1.0).is_err() {
            assert!(all["missing"].as_str().unwrap().contains("apt install espeak-ng"), "{all}");
            return vivant_testing::skip("espeak-ng is not installed");
        }
        assert!(all["voices"].as_array().unwrap().iter().any(|voice| voice["voice"] == "en-us"), "{all}");

        let (status, spoken) = server.post("/api/voice", r#"{"text": "[nod] Hello there, Bob."}"#).await;
        assert_eq!(status, 200, "{spoken}");
        assert_eq!(spoken["say"]["words"].as_array().unwrap().len(), 3, "{spoken}");
        assert!(
            spoken["wav"].as_str().unwrap().starts_with("UklGR") && spoken["seconds"].as_f64().unwrap() > 1.0
        );
        let mut say = spoken["say"].clone();
        say["at"] = json!(5.0);
        let (status, taken) = server.post("/api/performers/main/intents", &say.to_string()).await;
        assert_eq!(status, 200, "{taken}");
        let (status, refused) = server.post("/api/voice", r#"{"text": "Hi", "voice": "klingon"}"#).await;
        assert!(status == 422 && refused["error"].as_str().unwrap().contains("klingon"), "{refused}");
    });
}

/// The `say` intent of the longest line fits into one message.
#[test]
fn the_longest_line_can_be_sent() {
    run(async {
        if Espeak::find("en-us", 1.0).is_err() {
            return vivant_testing::skip("espeak-ng is not installed");
        }
        let server = Server::start(&[]).await;
        let text = "an apple a day is a good idea. ".repeat(38);
        let (status, spoken) = server.post("/api/voice", &json!({ "text": text }).to_string()).await;
        assert_eq!(status, 200, "{spoken}");
        server.asker().await.ask(&spoken["say"].to_string()).await.unwrap();
    });
}
