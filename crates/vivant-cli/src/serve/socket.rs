//! `/live`: the WebSocket of a client that watches performers and sends requests.
//!
//! [`live`] checks the query of the URL and the limit of connections, then starts a [`Connection`] that runs until
//! either side ends it. One loop serves frames, answers, requests and pings, and stops reading while too many requests
//! wait for the clock. A slow or silent client must not affect others: sending has a timeout, requests have a rate
//! limit, and character changes that the client missed are not sent again. This module only checks, forwards and
//! answers requests; it does not execute them.

mod bucket;
mod viewing;

use super::ServerState;
use super::answer::{Answer, Refused};
use super::casting;
use super::hub::{ENDING, Order, PerformerRequest, Results, to_text};
use axum::extract::ws::{CloseFrame, Message as Packet, WebSocket};
use axum::extract::{Query, State, WebSocketUpgrade};
use axum::http::StatusCode;
use bucket::Bucket;
use serde_json::{Map, Value, json};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};
use viewing::Viewing;
use vivant_host::Command;
use vivant_io::json::protocol::{Done, Message, Problem, Request, RequestKind, VERSION, Watch, Welcome};
use vivant_io::limits::MAX_LINE_BYTES;

/// Maximum size of a message in bytes.
const MAX_PACKET_BYTES: usize = 1 << 20;
/// Maximum number of unanswered requests. If there are more, the server stops reading until some are answered.
const MAX_PENDING: usize = 512;
/// Interval of pings.
const PING: Duration = Duration::from_secs(10);
/// Maximum time without any message from the peer, or without progress when sending.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Time in which a peer must close the connection.
const CLOSE_TIMEOUT: Duration = Duration::from_millis(500);
/// Number of requests over the rate limit after which the connection ends.
const MAX_REFUSED: u32 = 1000;

/// WebSocket status code (RFC 6455): the server ends.
const GOING_AWAY: u16 = 1001;
/// WebSocket status code: the client violates a rule of the server.
const POLICY: u16 = 1008;
/// WebSocket status code: the message is too long.
const TOO_BIG: u16 = 1009;

/// `GET /live`: opens the WebSocket. The query of the URL has the fields of a `watch` request.
pub(super) async fn live(
    State(state): State<Arc<ServerState>>,
    Query(query): Query<Vec<(String, String)>>,
    upgrade: WebSocketUpgrade,
) -> Answer {
    let watch = watch_of(&query)?;
    for name in &watch.performers {
        state.hub.performer(name).map_err(Refused::not_found)?;
    }
    let full = |_| {
        let message =
            format!("the limit of {} connections is reached; close some", super::hub::MAX_CONNECTIONS);
        Refused(StatusCode::SERVICE_UNAVAILABLE, message)
    };
    let permit = Arc::clone(&state.hub.connection_permits).try_acquire_owned().map_err(full)?;
    let upgrade = upgrade.max_message_size(MAX_PACKET_BYTES).max_frame_size(MAX_PACKET_BYTES);
    Ok(upgrade.on_upgrade(move |socket| Connection::run(state, watch, permit, socket)))
}

/// Parses the query of a URL as a `watch` request, by the same rules.
fn watch_of(query: &[(String, String)]) -> Answer<Watch> {
    let mut fields = Map::new();
    for (key, value) in query.iter().filter(|(key, _)| key != "token") {
        match key.as_str() {
            "performer" => {
                let names = fields.entry("performers").or_insert_with(|| Value::Array(Vec::new()));
                let more = value.split(',').map(|name| Value::from(name.trim()));
                names.as_array_mut().into_iter().for_each(|names| names.extend(more.clone()));
            }
            key => drop(fields.insert(key.to_owned(), scalar(value))),
        }
    }
    let bad = |error: vivant_io::Error| Refused::bad(format!("in the address: {error}"));
    match Request::read(&json!({ "watch": fields }).to_string()).map_err(bad)?.what {
        RequestKind::Watch(watch) => Ok(watch),
        _ => Err(Refused::bad("this is not a watch request; see docs/reference/protocol.md")),
    }
}

/// Parses a value as a boolean, a number or a string.
fn scalar(text: &str) -> Value {
    match text {
        "" | "1" | "true" => Value::Bool(true),
        "0" | "false" => Value::Bool(false),
        _ => text.parse::<f64>().map_or_else(|_| Value::from(text), Value::from),
    }
}

/// Reason for the end of a connection.
enum End {
    /// The peer no longer answers.
    Gone,
    /// The server closes the connection, with a status code and the reason.
    Closed(u16, String),
}

type Flow = Result<(), End>;
type Pending = (Option<u64>, oneshot::Receiver<Result<Results, String>>);

struct Connection {
    state: Arc<ServerState>,
    number: u64,
    socket: WebSocket,
    viewing: Viewing,
    /// Requests that wait for the clock, in the order in which they are answered.
    pending: VecDeque<Pending>,
    bucket: Bucket,
    refused: u32,
    heard: Instant,
    _permit: OwnedSemaphorePermit,
}

impl Connection {
    async fn run(state: Arc<ServerState>, watch: Watch, permit: OwnedSemaphorePermit, socket: WebSocket) {
        let number = state.hub.connection();
        let viewing = Viewing::new(&state.hub, watch);
        let mut connection = Self {
            number,
            viewing,
            state,
            socket,
            pending: VecDeque::new(),
            bucket: Bucket::new(),
            refused: 0,
            heard: Instant::now(),
            _permit: permit,
        };
        if let Err(End::Closed(code, reason)) = connection.serve().await {
            let _ = timeout(CLOSE_TIMEOUT, connection.close(code, reason)).await;
        }
        connection.state.hub.order(Order::Leave(number));
    }

    /// Sends the reason and then reads until the peer closes the connection. Closing it with unread data would
    /// discard the last messages.
    async fn close(&mut self, code: u16, reason: String) {
        let close = CloseFrame { code, reason: reason.into() };
        let _ = self.socket.send(Packet::Close(Some(close))).await;
        while let Some(Ok(_)) = self.socket.recv().await {}
        if code == TOO_BIG {
            // The rest of the message cannot be read, so only wait.
            tokio::time::sleep(CLOSE_TIMEOUT).await;
        }
    }

    async fn serve(&mut self) -> Flow {
        let Some(mut ticks) = self.state.hub.ticks() else { return Err(ending()) };
        let mut changes = self.state.changes.subscribe();
        self.welcome().await?;
        let mut pings = interval_at(Instant::now() + PING, PING);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                changed = ticks.changed() => {
                    changed.map_err(|_| ending())?;
                    let tick = *ticks.borrow_and_update();
                    self.show(tick).await?;
                }
                answer = next_answer(&mut self.pending), if !self.pending.is_empty() => {
                    self.answer(answer).await?;
                }
                heard = self.socket.recv(), if self.pending.len() < MAX_PENDING => match heard {
                    Some(Ok(packet)) => self.receive(packet).await?,
                    Some(Err(error)) => return self.receive_failed(&error).await,
                    None => return Err(End::Gone),
                },
                changed = changes.recv() => match changed {
                    Ok(changed) => self.send_message(&Message::Character(changed)).await?,
                    // Changes that were missed are not sent again.
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return Err(ending()),
                },
                _ = pings.tick() => self.ping().await?,
            }
        }
    }

    async fn welcome(&mut self) -> Flow {
        let performers = self.state.hub.performers().keys().cloned().collect();
        let (vivant, fps) = (env!("CARGO_PKG_VERSION").to_owned(), self.state.hub.fps);
        self.send_message(&Message::Welcome(Welcome { protocol: VERSION, vivant, fps, performers })).await
    }

    async fn ping(&mut self) -> Flow {
        if self.heard.elapsed() > TIMEOUT {
            let reason = format!("no message from the client for {} s; answer pings", TIMEOUT.as_secs());
            return Err(End::Closed(POLICY, reason));
        }
        self.send(Packet::Ping(axum::body::Bytes::new())).await
    }

    async fn send_message(&mut self, message: &Message) -> Flow {
        self.send(Packet::Text(to_text(message))).await
    }

    /// Sends a packet. A peer that does not read for a long time counts as disconnected.
    async fn send(&mut self, packet: Packet) -> Flow {
        match timeout(TIMEOUT, self.socket.send(packet)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(End::Gone),
        }
    }

    /// Sends the frames, plans and events of a tick.
    async fn show(&mut self, tick: u64) -> Flow {
        let state = Arc::clone(&self.state);
        for packet in self.viewing.at(&state.hub, tick) {
            self.send(packet).await?;
        }
        Ok(())
    }

    async fn send_error(&mut self, id: Option<u64>, message: impl Into<String>) -> Flow {
        self.send_message(&Message::Error(Problem { id, message: message.into() })).await
    }

    async fn receive_failed(&mut self, error: &axum::Error) -> Flow {
        let message = error.to_string();
        if message.contains("too long") || message.contains("too big") {
            let message = format!("a message is larger than {MAX_PACKET_BYTES} bytes; send smaller ones");
            self.send_error(None, message.as_str()).await?;
            return Err(End::Closed(TOO_BIG, message));
        }
        Err(End::Gone)
    }

    async fn receive(&mut self, packet: Packet) -> Flow {
        self.heard = Instant::now();
        match packet {
            Packet::Text(text) => {
                if !self.bucket.take() {
                    return self.refuse(&text).await;
                }
                match Request::read(&text) {
                    Ok(request) => self.carry_out(request).await,
                    Err(error) => self.send_error(id_of(&text), error.to_string()).await,
                }
            }
            Packet::Binary(_) => {
                self.send_error(None, "requests are text: send JSON such as {\"say\": \"Hello\"}").await
            }
            Packet::Ping(_) | Packet::Pong(_) => Ok(()),
            Packet::Close(_) => {
                // While waiting here, the closing handshake is sent.
                let _ = timeout(Duration::from_secs(1), self.socket.recv()).await;
                Err(End::Gone)
            }
        }
    }

    /// Refuses a request that exceeds the rate limit. After too many of these requests, the connection ends.
    async fn refuse(&mut self, text: &str) -> Flow {
        self.refused += 1;
        let message = format!("too many requests: at most {} per second; slow down", bucket::PER_SEC);
        if self.refused > MAX_REFUSED {
            return Err(End::Closed(POLICY, message));
        }
        self.send_error(id_of(text), message).await
    }

    async fn carry_out(&mut self, Request { id, performers, what }: Request) -> Flow {
        let wanted = match what {
            RequestKind::Mimic(manner) => Ok(PerformerRequest::Mimic(manner)),
            RequestKind::See(sighting) => Ok(PerformerRequest::See(Arc::new(*sighting))),
            what => Command::from_request(what).map(PerformerRequest::Ask),
        };
        match wanted {
            Ok(wanted) => match self.state.hub.ask(performers, wanted) {
                Ok(answer) => self.pending.push_back((id, answer)),
                Err(message) => return self.send_error(id, message).await,
            },
            Err(other) => {
                let answer = self.manage(other).await.map(|()| Vec::new());
                return self.answer((id, answer)).await;
            }
        }
        Ok(())
    }

    /// Executes requests to watch, cast and dismiss performers.
    async fn manage(&mut self, what: RequestKind) -> Result<(), String> {
        match what {
            RequestKind::Watch(watch) => self.viewing.watch(&self.state.hub, watch),
            RequestKind::Cast(all) => {
                let done = casting::cast(&self.state, all, Some(self.number)).await;
                done.map(drop).map_err(|refused| refused.1)
            }
            RequestKind::Dismiss(performers) => {
                let (reply, answer) = oneshot::channel();
                self.state.hub.order(Order::Dismiss { performers, reply });
                answer.await.unwrap_or_else(|_| Err(ENDING.to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// Sends an answer. For requests without an id, only errors are sent.
    async fn answer(&mut self, (id, answer): (Option<u64>, Result<Results, String>)) -> Flow {
        match (id, answer) {
            (_, Err(message)) => self.send_error(id, message).await,
            (Some(id), Ok(accepted)) => {
                let intents = accepted.iter().map(|accepted| accepted.intent).collect();
                let at = accepted.iter().filter_map(|accepted| accepted.at).collect();
                let noticed = accepted
                    .into_iter()
                    .filter_map(|accepted| accepted.noticed.map(|noticed| *noticed))
                    .collect();
                self.send_message(&Message::Done(Done { id, intents, at, noticed })).await
            }
            (None, Ok(_)) => Ok(()),
        }
    }
}

fn ending() -> End {
    End::Closed(GOING_AWAY, ENDING.to_owned())
}

/// Waits for the answer to the oldest request. Orders are executed in the order of their arrival.
async fn next_answer(pending: &mut VecDeque<Pending>) -> (Option<u64>, Result<Results, String>) {
    let Some((id, answer)) = pending.front_mut() else { return std::future::pending().await };
    let answered = (*id, answer.await.unwrap_or_else(|_| Err(ENDING.to_owned())));
    pending.pop_front();
    answered
}

/// Returns the id of an otherwise invalid request, if the text is not too long to parse.
fn id_of(text: &str) -> Option<u64> {
    let short = (text.len() <= MAX_LINE_BYTES).then_some(text)?;
    serde_json::from_str::<Value>(short).ok()?.get("id")?.as_u64()
}
