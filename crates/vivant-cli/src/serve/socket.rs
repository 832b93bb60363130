//! `/live`: one connection that watches and asks.

mod bucket;
mod viewing;

use super::House;
use super::answer::{Answer, Refused};
use super::casting;
use super::hub::{ENDING, Order, Wanted, Wishes, to_text};
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
use vivant_host::Ask;
use vivant_io::json::protocol::{Done, Message, Problem, Request, RequestKind, VERSION, Watch, Welcome};
use vivant_io::limits::MAX_LINE_BYTES;

/// What is larger is not even read to its end.
const MAX_PACKET_BYTES: usize = 1 << 20;
/// How many answers may be outstanding before no more requests are read.
const MAX_PENDING: usize = 512;
/// How often a peer is asked whether it is still there.
const PING: Duration = Duration::from_secs(10);
/// How long nothing may be heard of it, or nothing be taken by it.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long a peer may take to end the connection after it was told why.
const FAREWELL: Duration = Duration::from_millis(500);
/// How many requests may be refused for their number before the connection ends.
const MAX_REFUSED: u32 = 1000;

/// Status codes of RFC 6455.
const GOING_AWAY: u16 = 1001;
const POLICY: u16 = 1008;
const TOO_BIG: u16 = 1009;

/// `GET /live`: as a `watch` request, in the address.
pub(super) async fn live(
    State(house): State<Arc<House>>,
    Query(query): Query<Vec<(String, String)>>,
    upgrade: WebSocketUpgrade,
) -> Answer {
    let watch = watch_of(&query)?;
    for name in &watch.performers {
        house.hub.performer(name).map_err(Refused::not_found)?;
    }
    let full = |_| {
        let message = format!("{} are connected, which is the most; close some", super::hub::MAX_CONNECTIONS);
        Refused(StatusCode::SERVICE_UNAVAILABLE, message)
    };
    let seat = Arc::clone(&house.hub.seats).try_acquire_owned().map_err(full)?;
    let upgrade = upgrade.max_message_size(MAX_PACKET_BYTES).max_frame_size(MAX_PACKET_BYTES);
    Ok(upgrade.on_upgrade(move |socket| Connection::run(house, watch, seat, socket)))
}

/// An address as a `watch` request, by the same rules.
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
        _ => Err(Refused::bad("this is no request to watch")),
    }
}

/// Numbers and truths as such; all else is a word.
fn scalar(text: &str) -> Value {
    match text {
        "" | "1" | "true" => Value::Bool(true),
        "0" | "false" => Value::Bool(false),
        _ => text.parse::<f64>().map_or_else(|_| Value::from(text), Value::from),
    }
}

/// Why a connection ends.
enum End {
    /// The peer is gone.
    Gone,
    /// It is sent away, with a code and the reason.
    Closed(u16, String),
}

type Flow = Result<(), End>;
type Pending = (Option<u64>, oneshot::Receiver<Result<Wishes, String>>);

struct Connection {
    house: Arc<House>,
    number: u64,
    socket: WebSocket,
    viewing: Viewing,
    /// Requests that were passed on, in the order in which they will be answered.
    pending: VecDeque<Pending>,
    bucket: Bucket,
    refused: u32,
    heard: Instant,
    _seat: OwnedSemaphorePermit,
}

impl Connection {
    async fn run(house: Arc<House>, watch: Watch, seat: OwnedSemaphorePermit, socket: WebSocket) {
        let number = house.hub.connection();
        let viewing = Viewing::new(&house.hub, watch);
        let mut connection = Self {
            number,
            viewing,
            house,
            socket,
            pending: VecDeque::new(),
            bucket: Bucket::new(),
            refused: 0,
            heard: Instant::now(),
            _seat: seat,
        };
        if let Err(End::Closed(code, reason)) = connection.serve().await {
            let _ = timeout(FAREWELL, connection.close(code, reason)).await;
        }
        connection.house.hub.order(Order::Leave(number));
    }

    /// Says why, and listens until the peer has understood: who hangs up on what was not read yet takes back
    /// what was said last.
    async fn close(&mut self, code: u16, reason: String) {
        let close = CloseFrame { code, reason: reason.into() };
        let _ = self.socket.send(Packet::Close(Some(close))).await;
        while let Some(Ok(_)) = self.socket.recv().await {}
        if code == TOO_BIG {
            // The rest of it cannot be read.
            tokio::time::sleep(FAREWELL).await;
        }
    }

    async fn serve(&mut self) -> Flow {
        let Some(mut ticks) = self.house.hub.ticks() else { return Err(ending()) };
        let mut changes = self.house.changes.subscribe();
        self.welcome().await?;
        let mut pings = interval_at(Instant::now() + PING, PING);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                told = ticks.changed() => {
                    told.map_err(|_| ending())?;
                    let tick = *ticks.borrow_and_update();
                    self.show(tick).await?;
                }
                answer = next_answer(&mut self.pending), if !self.pending.is_empty() => {
                    self.answer(answer).await?;
                }
                heard = self.socket.recv(), if self.pending.len() < MAX_PENDING => match heard {
                    Some(Ok(packet)) => self.hear(packet).await?,
                    Some(Err(error)) => return self.misheard(&error).await,
                    None => return Err(End::Gone),
                },
                changed = changes.recv() => match changed {
                    Ok(changed) => self.tell(&Message::Character(changed)).await?,
                    // Who missed some changes hears of the next.
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return Err(ending()),
                },
                _ = pings.tick() => self.ping().await?,
            }
        }
    }

    async fn welcome(&mut self) -> Flow {
        let performers = self.house.hub.performers().keys().cloned().collect();
        let (vivant, fps) = (env!("CARGO_PKG_VERSION").to_owned(), self.house.hub.fps);
        self.tell(&Message::Welcome(Welcome { protocol: VERSION, vivant, fps, performers })).await
    }

    async fn ping(&mut self) -> Flow {
        if self.heard.elapsed() > PATIENCE {
            let reason = format!("nothing was heard of you for {} s", PATIENCE.as_secs());
            return Err(End::Closed(POLICY, reason));
        }
        self.send(Packet::Ping(axum::body::Bytes::new())).await
    }

    async fn tell(&mut self, message: &Message) -> Flow {
        self.send(Packet::Text(to_text(message))).await
    }

    /// A peer that takes nothing for long is gone, or as good as.
    async fn send(&mut self, packet: Packet) -> Flow {
        match timeout(PATIENCE, self.socket.send(packet)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(End::Gone),
        }
    }

    /// Shows what there is to see at a tick.
    async fn show(&mut self, tick: u64) -> Flow {
        let house = Arc::clone(&self.house);
        for packet in self.viewing.at(&house.hub, tick) {
            self.send(packet).await?;
        }
        Ok(())
    }

    async fn complain(&mut self, id: Option<u64>, message: impl Into<String>) -> Flow {
        self.tell(&Message::Error(Problem { id, message: message.into() })).await
    }

    async fn misheard(&mut self, error: &axum::Error) -> Flow {
        let message = error.to_string();
        if message.contains("too long") || message.contains("too big") {
            let message = format!("a message is larger than {MAX_PACKET_BYTES} bytes");
            self.complain(None, message.as_str()).await?;
            return Err(End::Closed(TOO_BIG, message));
        }
        Err(End::Gone)
    }

    async fn hear(&mut self, packet: Packet) -> Flow {
        self.heard = Instant::now();
        match packet {
            Packet::Text(text) => {
                if !self.bucket.take() {
                    return self.refuse(&text).await;
                }
                match Request::read(&text) {
                    Ok(request) => self.carry_out(request).await,
                    Err(error) => self.complain(id_of(&text), error.to_string()).await,
                }
            }
            Packet::Binary(_) => {
                self.complain(None, "requests are text: send JSON such as {\"say\": \"Hello\"}").await
            }
            Packet::Ping(_) | Packet::Pong(_) => Ok(()),
            Packet::Close(_) => {
                // The answer goes out while one waits for the end.
                let _ = timeout(Duration::from_secs(1), self.socket.recv()).await;
                Err(End::Gone)
            }
        }
    }

    /// Too many: each is told, and who goes on and on is sent away.
    async fn refuse(&mut self, text: &str) -> Flow {
        self.refused += 1;
        let message = format!("too many requests: at most {} a second; slow down", bucket::PER_SEC);
        if self.refused > MAX_REFUSED {
            return Err(End::Closed(POLICY, message));
        }
        self.complain(id_of(text), message).await
    }

    async fn carry_out(&mut self, Request { id, performers, what }: Request) -> Flow {
        let wanted = match what {
            RequestKind::Mimic(manner) => Ok(Wanted::Mimic(manner)),
            RequestKind::See(sighting) => Ok(Wanted::See(Arc::new(*sighting))),
            what => Ask::of(what).map(Wanted::Ask),
        };
        match wanted {
            Ok(wanted) => match self.house.hub.ask(performers, wanted) {
                Ok(answer) => self.pending.push_back((id, answer)),
                Err(message) => return self.complain(id, message).await,
            },
            Err(other) => {
                let answer = self.manage(other).await.map(|()| Vec::new());
                return self.answer((id, answer)).await;
            }
        }
        Ok(())
    }

    /// Who is on stage, and who is seen.
    async fn manage(&mut self, what: RequestKind) -> Result<(), String> {
        match what {
            RequestKind::Watch(watch) => self.viewing.watch(&self.house.hub, watch),
            RequestKind::Cast(all) => {
                let done = casting::cast(&self.house, all, Some(self.number)).await;
                done.map(drop).map_err(|refused| refused.1)
            }
            RequestKind::Dismiss(performers) => {
                let (reply, answer) = oneshot::channel();
                self.house.hub.order(Order::Dismiss { performers, reply });
                answer.await.unwrap_or_else(|_| Err(ENDING.to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// Without an id only errors are answered.
    async fn answer(&mut self, (id, answer): (Option<u64>, Result<Wishes, String>)) -> Flow {
        match (id, answer) {
            (_, Err(message)) => self.complain(id, message).await,
            (Some(id), Ok(taken)) => {
                let wish = taken.iter().map(|taken| taken.wish).collect();
                let at = taken.iter().filter_map(|taken| taken.at).collect();
                let noticed =
                    taken.into_iter().filter_map(|taken| taken.noticed.map(|noticed| *noticed)).collect();
                self.tell(&Message::Done(Done { id, wish, at, noticed })).await
            }
            (None, Ok(_)) => Ok(()),
        }
    }
}

fn ending() -> End {
    End::Closed(GOING_AWAY, ENDING.to_owned())
}

/// Orders are carried out in the order in which they came, so the first is answered first.
async fn next_answer(pending: &mut VecDeque<Pending>) -> (Option<u64>, Result<Wishes, String>) {
    let Some((id, answer)) = pending.front_mut() else { return std::future::pending().await };
    let answered = (*id, answer.await.unwrap_or_else(|_| Err(ENDING.to_owned())));
    pending.pop_front();
    answered
}

/// The id of a request that cannot be read otherwise, if it is short enough to look.
fn id_of(text: &str) -> Option<u64> {
    let short = (text.len() <= MAX_LINE_BYTES).then_some(text)?;
    serde_json::from_str::<Value>(short).ok()?.get("id")?.as_u64()
}
