//! Responses over HTTP, and access control.

use super::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

impl Server {
    /// Sends a request with these headers, and returns status, head and body.
    async fn send(&self, request: &str, headers: &[&str], body: impl AsRef<[u8]>) -> (u16, String, Vec<u8>) {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        let has_host = headers.iter().any(|line| line.starts_with("Host:"));
        let host = if has_host { String::new() } else { format!("Host: {}\r\n", self.address) };
        let lines: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
        let body = body.as_ref();
        let length = body.len();
        let head =
            format!("{request} HTTP/1.1\r\n{host}{lines}Connection: close\r\nContent-Length: {length}\r\n");
        stream.write_all(&[format!("{head}\r\n").as_bytes(), body].concat()).await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap() + 4;
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head, answer[end..].to_vec())
    }

    pub(super) async fn get(&self, path: &str) -> (u16, Value) {
        let (status, _, body) = self.send(&format!("GET {path}"), &[], "").await;
        (status, serde_json::from_slice(&body).unwrap_or_default())
    }

    pub(super) async fn post(&self, path: &str, body: &str) -> (u16, Value) {
        let (status, _, body) = self.send(&format!("POST {path}"), &[], body).await;
        (status, serde_json::from_slice(&body).unwrap_or_default())
    }
}

const UPGRADE: [&str; 4] = [
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
];

#[test]
fn requests_from_other_sites_are_refused_with_a_message() {
    run(async {
        let server = Server::start(&[]).await;
        let elsewhere = "Origin: https://elsewhere.example";
        let here = format!("Origin: http://{}", server.address);
        let upgrade: Vec<&str> = UPGRADE.iter().copied().chain([elsewhere]).collect();
        for (request, headers, status, words) in [
            ("GET /", &["Host: rebound.example"][..], 421, "127.0.0.1"),
            ("GET /api/performers/main/export.bvh", &["Host: rebound.example:80"], 421, "127.0.0.1"),
            ("GET /live", &upgrade, 403, "a page of another server"),
            ("POST /api/performers", &[elsewhere], 403, "a page of another server"),
            ("DELETE /api/performers/main", &[elsewhere], 403, "a page of another server"),
            ("DELETE /api/performers/main", &[here.as_str()], 409, "`main` cannot be dismissed"),
            ("GET /secrets", &[], 404, "no such address"),
            ("GET /../secrets", &[], 404, "no such address"),
            ("GET /api/characters/%2e%2e/avatar", &[], 404, "no such address"),
            ("GET /api/characters/..%2f..%2fetc/rig", &[], 404, "no such address"),
            ("GET /api/characters/nobody/rig", &[], 404, "no character `nobody`"),
            ("GET /api/performers/nobody/plan", &[], 404, "there is no performer `nobody`"),
            ("GET /api/performers/main/export.exe", &[], 404, "vrma"),
            ("GET /api/performers/main/trace?from=-5", &[], 422, "is not stored; give times from"),
            ("GET /api/performers/main/trace?rate=1e9", &[], 422, "rate"),
            ("GET /api/performers/main/trace?from=soon", &[], 400, "from"),
            ("GET /live", &[], 400, "Connection"),
            ("PUT /api/stats", &[], 405, "method"),
        ] {
            let (found, head, body) = server.send(request, headers, "").await;
            let error: Value = serde_json::from_slice(&body).unwrap_or_default();
            let text = error["error"].as_str().unwrap_or_default();
            assert!(found == status && text.contains(words), "{request}: {head} {text}");
            assert!(!head.to_ascii_lowercase().contains("access-control"), "{head}");
        }
    });
}

#[test]
fn with_a_token_only_clients_that_send_it_may_connect() {
    run(async {
        let server = Server::start(&["--token", "sword-fish"]).await;
        let (status, head, body) = server.send("GET /api", &[], "").await;
        assert!(status == 401 && String::from_utf8_lossy(&body).contains("/?token="), "{head}");
        let (status, head, _) = server.send("GET /?token=sword-fish", &[], "").await;
        let cookie = "set-cookie: vivant-token=sword-fish; Path=/; HttpOnly; SameSite=Strict";
        assert!(status == 200 && head.contains(cookie), "{head}");
        for headers in [["Cookie: vivant-token=sword-fish"], ["Authorization: Bearer sword-fish"]] {
            assert_eq!(server.send("GET /api", &headers, "").await.0, 200, "{headers:?}");
        }
        assert!(connect_async(format!("ws://{}/live", server.address)).await.is_err());
        server.client("?token=sword-fish").await.until("performer").await;
    });
}

#[test]
fn the_page_loads_nothing_from_other_servers() {
    run(async {
        let server = Server::start(&[]).await;
        let (status, head, body) = server.send("GET /", &[], "").await;
        assert!(status == 200 && head.contains("default-src 'none'") && head.contains("nosniff"), "{head}");
        let page = String::from_utf8(body).unwrap();
        assert!(
            !page.contains("https://") && !page.contains("src=\"http"),
            "the page loads something from another server"
        );
        for file in ["/studio.js", "/studio.css"] {
            let (status, head, _) = server.send(&format!("GET {file}"), &[], "").await;
            assert!(status == 200 && head.contains("content-type: text/"), "{file}: {head}");
        }
        let (_, person, _) = server.send("GET /person.js", &[], "").await;
        assert!(person.contains("'unsafe-eval'") && person.contains("connect-src 'self'"), "{person}");
        assert!(!head.contains("unsafe-eval"), "only MediaPipe may create functions: {head}");
    });
}

#[test]
fn performers_are_cast_asked_and_dismissed_over_http() {
    run(async {
        let server = Server::start(&[]).await;
        let (status, cast) = server.post("/api/performers", r#"[{"performer": "eve", "seed": 3}]"#).await;
        assert_eq!((status, &cast[0]["performer"], &cast[0]["seed"]), (201, &"eve".into(), &3.into()));
        let (status, answer) =
            server.post("/api/performers/eve/intents", r#"[{"say": "Hi"}, {"blink": true}]"#).await;
        assert_eq!((status, &answer["intents"]), (200, &serde_json::json!([1, null])));
        let (status, answer) = server.post("/api/performers/eve/intents", r#"{"be": "listening"}"#).await;
        assert_eq!((status, &answer["intents"]), (200, &serde_json::json!([2])));
        for (path, body, words) in [
            ("/api/performers", "[{}]", "performer"),
            ("/api/performers", "nonsense", "invalid JSON"),
            ("/api/performers", r#"[{"performer": "a", "character": "x"}]"#, "no character `x`"),
            ("/api/performers/eve/intents", r#"{"dismiss": ["main"]}"#, "intents"),
            ("/api/performers/eve/intents", r#"{"stance": "flying"}"#, "flying"),
        ] {
            let (status, error) = server.post(path, body).await;
            let text = error["error"].as_str().unwrap_or_default();
            assert!((400..500).contains(&status) && text.contains(words), "{path} {body}: {status} {text}");
        }
        server.until(|server| server.state.hub.performer("eve").unwrap().newest().is_some()).await;
        let (_, all) = server.get("/api/performers").await;
        assert_eq!(all.as_array().unwrap().len(), 2);
        let (_, _, body) = server.send("DELETE /api/performers/eve", &[], "").await;
        assert_eq!(body, b"{}");
        assert_eq!(server.get("/api/performers/eve").await.0, 404);
    });
}

#[test]
fn the_server_reports_its_version_and_statistics() {
    run(async {
        let server = Server::start(&["--fps", "30"]).await;
        let (_, about) = server.get("/api").await;
        assert_eq!((&about["protocol"], &about["fps"]), (&1.into(), &30.0.into()));
        let mut client = server.client("").await;
        // A frame is counted after all viewers got it, so the first may arrive before it is counted.
        loop {
            client.next_frame().await;
            let (_, stats) = server.get("/api/stats?reset").await;
            assert_eq!(stats["performers"], 1);
            if stats["frames"].as_u64().unwrap() > 0 {
                break;
            }
        }
        assert!(server.get("/api/schema/protocol").await.1["title"].is_string());
        let (_, rig) = server.get("/api/characters/builtin/rig").await;
        assert_eq!(rig["bones"].as_array().unwrap().len(), 55);
        let (status, head, body) =
            server.send("GET /api/characters/builtin/avatar?revision=1", &[], "").await;
        assert!(status == 200 && body.starts_with(b"glTF"), "{head}");
    });
}

#[test]
fn a_performance_can_be_exported() {
    run(async {
        let server = Server::start(&[]).await;
        let mut client = server.client("").await;
        while client.next_frame().await.time < 0.5 {}
        for (what, beginning) in [
            ("export.vrma", "glTF"),
            ("export.glb", "glTF"),
            ("export.vrm", "glTF"),
            ("export.bvh", "HIERARCHY"),
            ("export.csv", "time"),
            ("export.jsonl", "{"),
            ("trace.csv", "t,eye_left_yaw,"),
        ] {
            let path = format!("GET /api/performers/main/{what}?from=0.1&to=0.4");
            let (status, head, body) = server.send(&path, &[], "").await;
            assert!(status == 200 && head.contains("attachment"), "{what}: {head}");
            assert!(body.starts_with(beginning.as_bytes()), "{what}");
        }
        let (_, trace) = server.get("/api/performers/main/trace?from=0.1&to=0.4&rate=60").await;
        let (columns, rows) = (trace["columns"].as_array().unwrap(), trace["rows"].as_array().unwrap());
        assert_eq!((columns.len(), rows.len(), &rows[0][0]), (16, 19, &0.1.into()));
    });
}

#[test]
fn performers_continue_with_an_edited_character() {
    run(async {
        let server = Server::start(&[]).await;
        let (_, eve) = server.post("/api/characters", r#"{"name": "Eve", "from": "builtin"}"#).await;
        let id = eve["id"].as_str().unwrap();
        let mut client = server.client("").await;
        client.ask(&format!(r#"{{"cast": {{"performer": "main", "character": "{id}"}}}}"#)).await.unwrap();
        let mut info = client.until("performer").await;
        while info["character"] != id {
            info = client.until("performer").await;
        }
        let before = client.next_frame().await.time;
        let calm = serde_json::json!({
            "revision": eve["revision"], "what": "calm down", "temperament": { "liveliness": 0.5 },
        });
        let (status, head, _) =
            server.send(&format!("PUT /api/characters/{id}"), &[], calm.to_string()).await;
        assert_eq!(status, 200, "{head}");
        let calm = client.until("performer").await;
        assert_eq!(calm["temperament"]["liveliness"], 0.5);
        assert!(calm["revision"].as_u64() > info["revision"].as_u64(), "{calm}");
        assert!(client.next_frame().await.time > before, "it continues");
        // Another avatar starts another performance.
        let (_, _, body) = server.send("GET /api/characters/builtin/avatar", &[], "").await;
        let path = format!("POST /api/characters/{id}/avatar?name=other.vrm");
        let (status, head, _) = server.send(&path, &[], body).await;
        assert_eq!(status, 200, "{head}");
        let other = client.until("performer").await;
        assert!(other["avatar"] != info["avatar"] && other["time"].as_f64() < Some(1.0), "{other}");
        assert_eq!(other["keptFrom"], 0.0);
    });
}
