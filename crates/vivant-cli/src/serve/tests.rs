//! The server as clients meet it: a real one, on a port of its own.

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

/// All tests share an event loop: they wait more than they work. The limit is there to end a test that hangs,
/// not to time one: unoptimised and beside many others it may be slow.
fn run<T>(test: impl Future<Output = T>) -> T {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    let runtime = RUNTIME.get_or_init(|| tokio::runtime::Runtime::new().unwrap());
    runtime.block_on(async { tokio::time::timeout(Duration::from_secs(300), test).await.unwrap() })
}

/// A server, which ends with the test.
struct Server {
    house: Arc<House>,
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
        let door = Arc::new(Door::new(args.listen, args.token.clone(), &args.allow_host).unwrap());
        let house = Arc::new(House::open(&args).unwrap());
        begin(&house, args.cast.seed).await.unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(keep_up(Arc::clone(&house)));
        tokio::spawn(axum::serve(listener, router(Arc::clone(&house), door)).into_future());
        Self { house, address, home }
    }

    async fn client(&self, query: &str) -> Client {
        let (socket, _) = connect_async(format!("ws://{}/live{query}", self.address)).await.unwrap();
        Client(socket)
    }

    /// A connection that was welcomed, and only asks.
    async fn asker(&self) -> Client {
        let mut client = self.client("?frames=off").await;
        client.until("welcome").await;
        client
    }

    fn names(&self) -> Vec<String> {
        self.house.hub.performers().keys().cloned().collect()
    }

    /// Waits until something is so; what never is fails by the time limit of all tests.
    async fn until(&self, is_so: impl Fn(&Self) -> bool) {
        while !is_so(self) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.house.hub.end();
        let _ = std::fs::remove_dir_all(&self.home);
    }
}

struct Client(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Client {
    async fn send(&mut self, text: &str) {
        self.0.send(Packet::text(text)).await.unwrap();
    }

    /// The next message but for pings.
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

    /// What the next message of a kind says; others are passed over.
    async fn until(&mut self, kind: &str) -> Value {
        loop {
            if let Some(found) = self.next_json().await.get_mut(kind) {
                return found.take();
            }
        }
    }

    /// Asks, and waits for the answer: its wishes, or the error's words.
    async fn ask(&mut self, request: &str) -> std::result::Result<Value, String> {
        let mut object: Value = serde_json::from_str(request).unwrap();
        object["id"] = 77.into();
        self.send(&object.to_string()).await;
        loop {
            let message = self.next_json().await;
            if message["done"]["id"] == 77 {
                return Ok(message["done"]["wish"].clone());
            }
            if message["error"]["id"] == 77 {
                return Err(message["error"]["message"].as_str().unwrap().to_owned());
            }
        }
    }

    /// The code and the reason with which it is closed.
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
fn the_server_ends_with_a_word_to_everyone() {
    run(async {
        let server = Server::start(&[]).await;
        let mut clients = [server.client("").await, server.client("?frames=json").await];
        for client in &mut clients {
            client.until("performer").await;
        }
        server.house.hub.end();
        for client in &mut clients {
            assert_eq!(client.until_closed().await, (1001, "the server is about to end".to_owned()));
        }
    });
}
