//! The live server as a process: resources and shutdown.

#![allow(missing_docs, reason = "tests")]

#[path = "../examples/stream.rs"]
mod example;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A server on its own port, which ends with the test.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(options: &[&str]) -> Self {
        let home = std::env::temp_dir().join(format!("vivant-live-{}", std::process::id()));
        let mut command = Command::new(env!("CARGO_BIN_EXE_vivant"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--json", "--characters"]).arg(home).args(options);
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let value: Value = serde_json::from_str(&line).unwrap();
        let address = value["listening"].as_str().unwrap().trim_start_matches("http://").to_owned();
        Self { process, address }
    }

    fn stats(&self) -> Value {
        let mut stream = std::net::TcpStream::connect(&self.address).unwrap();
        let host = &self.address;
        write!(stream, "GET /api/stats HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    async fn socket(&self, query: &str) -> Socket {
        connect_async(format!("ws://{}/live{query}", self.address)).await.unwrap().0
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

async fn next_frame(socket: &mut Socket) {
    while !matches!(socket.next().await.unwrap().unwrap(), Message::Binary(_)) {}
}

async fn until(socket: &mut Socket, kind: &str) -> Value {
    loop {
        if let Message::Text(text) = socket.next().await.unwrap().unwrap()
            && let Some(found) = serde_json::from_str::<Value>(&text).unwrap().get(kind)
        {
            return found.clone();
        }
    }
}

/// Checks that frames are not stored for viewers that never read. 48 performers as JSON at 60 Hz are about 40 MB per
/// second, so stored frames would be visible in the memory.
#[tokio::test]
async fn viewers_that_never_read_change_nothing_for_others_and_take_no_memory() {
    let server = Server::start(&[]);
    let mut other = server.socket("").await;
    let names: Vec<String> = (0..48).map(|number| format!("p{number}")).collect();
    let cast: Vec<Value> = names.iter().map(|name| json!({ "performer": name })).collect();
    other.send(Message::text(json!({ "cast": cast, "id": 1 }).to_string())).await.unwrap();
    assert_eq!(until(&mut other, "done").await["id"], 1);
    let query = format!("?frames=json&plan=true&events=true&performer={}", names.join(","));
    let stuck = [server.socket(&query).await, server.socket(&query).await, server.socket(&query).await];
    // In the first seconds buffers fill and performers allocate.
    for _ in 0..60 {
        next_frame(&mut other).await;
    }
    let before = server.stats()["residentBytes"].as_u64();
    for _ in 0..120 {
        next_frame(&mut other).await;
    }
    if let (Some(before), Some(after)) = (before, server.stats()["residentBytes"].as_u64()) {
        let megabytes = after.saturating_sub(before) >> 20;
        assert!(megabytes < 40, "{megabytes} MB more than before");
    }
    other.send(Message::text(r#"{"stop": true, "id": 2}"#)).await.unwrap();
    assert_eq!(until(&mut other, "done").await["intents"], json!([1]));
    assert_eq!(server.stats()["viewers"], 4);
    drop(stuck);
}

#[cfg(unix)]
#[tokio::test]
async fn an_interrupt_ends_the_server_cleanly_with_open_sockets() {
    for signal in ["-INT", "-TERM"] {
        let mut server = Server::start(&[]);
        let mut sockets = [server.socket("?plan=true").await, server.socket("?frames=json").await];
        next_frame(&mut sockets[0]).await;
        let id = server.process.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        let asked = Instant::now();
        let status = loop {
            if let Some(status) = server.process.try_wait().unwrap() {
                break status;
            }
            assert!(asked.elapsed() < Duration::from_secs(120), "it does not end");
            tokio::time::sleep(Duration::from_millis(10)).await;
        };
        assert!(status.success(), "{signal}: {status}");
    }
}

/// The example client streams a line in pieces of random size that come at random times.
#[tokio::test]
async fn a_line_in_tokens_and_samples_starts_on_time_and_ends_with_its_voice() {
    let server = Server::start(&[]);
    let address = format!("ws://{}", server.address);
    for (seed, words) in [
        (1, "Hello there! [nod] It is nice to see you."),
        (2, "My mother baked bread on Monday, [smile] but nobody remembers that."),
    ] {
        let times = example::stream(&address, words, seed).await.unwrap();
        // Events are sent with their frame, at sixty frames per second.
        assert!((times.begun - times.asked).abs() < 0.02, "{times:?}");
        let off = times.ended - (times.asked + times.voice_secs);
        assert!(off.abs() < 0.1, "{off} s off: {times:?}");
    }
}
