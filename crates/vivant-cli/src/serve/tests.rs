//! Tests of a real server on its own port.

mod asking;
mod http;
mod mirroring;
mod timeline;
mod voice;
mod watching;

use super::*;
use crate::args::Cli;
use clap::Parser;
use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio_tungstenite::tungstenite::Message as Packet;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use vivant_io::json::protocol::frame::Frame;

/// Runs a test on an event loop shared by all tests, since they mostly wait. The time limit only ends tests that hang.
fn run<T>(test: impl Future<Output = T>) -> T {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    let runtime = RUNTIME.get_or_init(|| tokio::runtime::Runtime::new().unwrap());
    runtime.block_on(async { tokio::time::timeout(Duration::from_secs(300), test).await.unwrap() })
}

/// A server, which ends with the test.
struct Server {
    state: Arc<ServerState>,
    address: SocketAddr,
    home: PathBuf,
}

impl Server {
    async fn start(options: &[&str]) -> Self {
        static SERVERS: AtomicUsize = AtomicUsize::new(0);
        let number = SERVERS.fetch_add(1, Ordering::Relaxed);
        let home = std::env::temp_dir().join(format!("vivant-serve-{}-{number}", std::process::id()));
        let words = ["vivant", "--characters", home.to_str().unwrap()].into_iter();
        let args = Cli::try_parse_from(words.chain(options.iter().copied())).unwrap().watch;
        let access = Arc::new(AccessGuard::new(args.listen, args.token.clone(), &args.allow_host).unwrap());
        let state = Arc::new(ServerState::open(&args).unwrap());
        start_clock(&state, args.cast.seed).await.unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(keep_up(Arc::clone(&state)));
        tokio::spawn(axum::serve(listener, router(Arc::clone(&state), access)).into_future());
        Self { state, address, home }
    }

    async fn client(&self, query: &str) -> Client {
        let (socket, _) = connect_async(format!("ws://{}/live{query}", self.address)).await.unwrap();
        Client(socket)
    }

    /// Connects without watching frames, and reads the welcome message.
    async fn asker(&self) -> Client {
        let mut client = self.client("?frames=off").await;
        client.until("welcome").await;
        client
    }

    fn names(&self) -> Vec<String> {
        self.state.hub.performers().keys().cloned().collect()
    }

    /// Waits until a condition is true. If it stays false, the time limit of all tests ends the wait.
    async fn until(&self, is_so: impl Fn(&Self) -> bool) {
        while !is_so(self) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.state.hub.end();
        let _ = std::fs::remove_dir_all(&self.home);
    }
}

struct Client(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Client {
    async fn send(&mut self, text: &str) {
        self.0.send(Packet::text(text)).await.unwrap();
    }

    /// Returns the next message, except pings.
    async fn next(&mut self) -> Packet {
        loop {
            match self.0.next().await.expect("the connection is open").unwrap() {
                Packet::Ping(_) | Packet::Pong(_) => {}
                packet => return packet,
            }
        }
    }

    async fn next_json(&mut self) -> Value {
        loop {
            if let Packet::Text(text) = self.next().await {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    async fn next_frame(&mut self) -> Frame {
        loop {
            if let Packet::Binary(bytes) = self.next().await {
                return Frame::from_bytes(&bytes).unwrap();
            }
        }
    }

    /// Returns the content of the next message of the given kind. Other messages are skipped.
    async fn until(&mut self, kind: &str) -> Value {
        loop {
            if let Some(found) = self.next_json().await.get_mut(kind) {
                return found.take();
            }
        }
    }

    /// Sends a request, and waits for the answer: the request ids, or the error message.
    async fn ask(&mut self, request: &str) -> std::result::Result<Value, String> {
        let mut object: Value = serde_json::from_str(request).unwrap();
        object["id"] = 77.into();
        self.send(&object.to_string()).await;
        loop {
            let message = self.next_json().await;
            if message["done"]["id"] == 77 {
                return Ok(message["done"]["intents"].clone());
            }
            if message["error"]["id"] == 77 {
                return Err(message["error"]["message"].as_str().unwrap().to_owned());
            }
        }
    }

    /// Returns the code and the reason of the close message.
    async fn until_closed(&mut self) -> (u16, String) {
        loop {
            match self.0.next().await {
                Some(Ok(Packet::Close(Some(close)))) => return (close.code.into(), close.reason.to_string()),
                Some(Ok(_)) => {}
                other => panic!("the connection ended without a word: {other:?}"),
            }
        }
    }
}

#[test]
fn the_server_closes_all_connections_with_a_reason() {
    run(async {
        let server = Server::start(&[]).await;
        let mut clients = [server.client("").await, server.client("?frames=json").await];
        for client in &mut clients {
            client.until("performer").await;
        }
        server.state.hub.end();
        for client in &mut clients {
            assert_eq!(client.until_closed().await, (1001, "the server is shutting down".to_owned()));
        }
    });
}
