//! State shared by connections and the clock.
//!
//! Connections put orders into one queue, which the clock processes at its next tick. So a request to several
//! performers takes effect for all of them at the same instant. Viewers fetch the newest frame at each tick. Frames
//! are not queued for slow viewers.

use super::board::Board;
use super::past::Recording;
use super::show::{LivePerformer, Role};
use super::stats::Stats;
use crate::workspace::Ready;
use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;
use tokio::sync::{Semaphore, oneshot, watch};
use vivant::body::driven::{BodySample, Trust};
use vivant::eyes::blinking::Activity;
use vivant::mimicry::{Manner, Person};
use vivant_host::{Command, Hosted};
use vivant_io::json::protocol::frame::Frame;
use vivant_io::json::protocol::{Message, Noticed, PerformerInfo, Plan};
use vivant_io::json::sighting::Sighting;
use vivant_io::json::words;

/// Maximum number of performers.
pub(super) const MAX_PERFORMERS: usize = 256;
/// Maximum number of connections.
pub(super) const MAX_CONNECTIONS: usize = 1024;
/// Maximum number of waiting requests per performer.
const MAX_WAITING: usize = 256;
/// Maximum number of tracker samples per tick. It is enough for several trackers that send samples in parts at 240
/// Hz.
const MAX_SAMPLES: usize = 64;

/// Locks a mutex. A poisoned lock is accepted, since all values are consistent at any time.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Description of a performer for viewers. It does not contain values that change in every frame.
#[derive(Clone, Debug)]
pub(super) struct Info {
    about: PerformerInfo,
    pub(super) is_preview: bool,
    /// Number of performances under this name so far.
    pub(super) performance: u64,
}

impl Info {
    pub(super) fn new(slot: &PerformerSlot, role: &Role, is_preview: bool, performance: u64) -> Self {
        let ready = &role.ready;
        let about = PerformerInfo {
            performer: slot.name.clone(),
            number: slot.number,
            character: ready.id.clone(),
            name: ready.name.clone(),
            avatar: ready.avatar_revision,
            revision: ready.revision,
            seed: role.begins.seed,
            temperament: role.begins.temperament,
            activity: Activity::default(),
            time: 0.0,
            kept_from: 0.0,
            is_preview,
        };
        Self { about, is_preview, performance }
    }
}

/// The newest frame of a performer, encoded once for all viewers.
#[derive(Debug)]
pub(super) struct Newest {
    pub(super) info: Arc<Info>,
    time: f64,
    activity: Activity,
    kept_from: f64,
    pub(super) binary: Bytes,
    json: OnceLock<Utf8Bytes>,
}

impl Newest {
    pub(super) fn new(info: &Arc<Info>, frame: &Frame, activity: Activity, kept_from: f64) -> Self {
        let (info, binary) = (Arc::clone(info), frame.to_bytes().into());
        Self { info, time: frame.time, activity, kept_from, binary, json: OnceLock::new() }
    }

    /// Returns the frame as JSON, encoded at the first call.
    pub(super) fn json(&self) -> Utf8Bytes {
        let text = || {
            let frame = Frame::from_bytes(&self.binary).unwrap_or_default();
            to_text(&Message::Frame(Box::new(frame)))
        };
        self.json.get_or_init(text).clone()
    }

    pub(super) fn performer(&self) -> PerformerInfo {
        let (time, activity, kept_from) = (self.time, self.activity, self.kept_from);
        PerformerInfo { time, activity, kept_from, ..self.info.about.clone() }
    }
}

/// Encodes a message as text.
pub(super) fn to_text(message: &Message) -> Utf8Bytes {
    // This cannot fail: the types have no maps with keys other than strings.
    serde_json::to_string(message).unwrap_or_default().into()
}

/// A performer's name and number, and its published state.
#[derive(Debug)]
pub(super) struct PerformerSlot {
    pub(super) name: String,
    pub(super) number: u16,
    /// The connection that owns the performer. The performer ends when this connection ends.
    owner: Mutex<Option<u64>>,
    newest: Mutex<Option<Arc<Newest>>>,
    pub(super) board: Mutex<Board>,
    /// Number of connections that watch the plans of this performer.
    pub(super) planners: AtomicUsize,
    /// Number of plans so far. Reading this counter is cheaper than reading the board.
    plans: AtomicU64,
    /// Number of events so far. Reading this counter is cheaper than reading the board.
    events: AtomicU64,
}

impl PerformerSlot {
    pub(super) fn new(name: String, number: u16) -> Self {
        Self {
            name,
            number,
            owner: Mutex::default(),
            newest: Mutex::default(),
            board: Mutex::default(),
            planners: AtomicUsize::new(0),
            plans: AtomicU64::new(0),
            events: AtomicU64::new(0),
        }
    }

    pub(super) fn newest(&self) -> Option<Arc<Newest>> {
        lock(&self.newest).clone()
    }

    pub(super) fn show(&self, newest: Arc<Newest>) {
        // Drop the old frame after the lock is released.
        let _old = lock(&self.newest).replace(newest);
    }

    pub(super) fn count_plan(&self) {
        self.plans.fetch_add(1, Ordering::Release);
    }

    /// Returns the number of plans so far.
    pub(super) fn plans(&self) -> u64 {
        self.plans.load(Ordering::Acquire)
    }

    pub(super) fn set_events(&self, events: u64) {
        self.events.store(events, Ordering::Release);
    }

    /// Returns the number of events so far.
    pub(super) fn events(&self) -> u64 {
        self.events.load(Ordering::Acquire)
    }

    pub(super) fn set_owner(&self, owner: Option<u64>) {
        *lock(&self.owner) = owner;
    }

    pub(super) fn is_owned_by(&self, connection: u64) -> bool {
        *lock(&self.owner) == Some(connection)
    }
}

/// A performer that will start.
pub(super) struct NewPerformer {
    pub(super) name: String,
    pub(super) role: Role,
    pub(super) hosted: Hosted,
    pub(super) is_preview: bool,
    pub(super) owner: Option<u64>,
}

pub(super) type Reply<T> = oneshot::Sender<Result<T, String>>;
/// Result of a request that a performer has accepted.
#[derive(Clone, Debug, Default)]
pub(super) struct Accepted {
    /// The id of the request.
    pub(super) intent: Option<u64>,
    /// Start time of the speech line in seconds, if the request was a speech line.
    pub(super) at: Option<f64>,
    /// Detected actions of the mirrored person, if requested.
    pub(super) noticed: Option<Box<Noticed>>,
}

/// A client's request to a performer.
#[derive(Clone)]
pub(super) enum PerformerRequest {
    /// A command that changes the performance.
    Ask(Command),
    /// Starts or stops mirroring a person.
    Mimic(Option<Manner>),
    /// An observation of the mirrored person.
    See(Arc<Sighting>),
}

/// Results of a request, one for each performer that it was sent to.
pub(super) type Results = Vec<Accepted>;

/// An order to the clock for its next tick.
pub(super) enum Order {
    Ask {
        performers: Vec<String>,
        wanted: PerformerRequest,
        reply: Reply<Results>,
    },
    Cast {
        all: Vec<NewPerformer>,
        reply: Reply<Vec<PerformerInfo>>,
    },
    Dismiss {
        performers: Vec<String>,
        reply: Reply<()>,
    },
    /// A connection ended.
    Leave(u64),
    Recall {
        performer: String,
        reply: Reply<Recording>,
    },
    Plan {
        performer: String,
        reply: oneshot::Sender<Plan>,
    },
    /// A character was edited.
    Adopt(Arc<Ready>),
    /// A tracker's observation of a mirrored person. `came` is the time of its arrival.
    Meet {
        performer: String,
        person: Box<Person>,
        came: Instant,
    },
    /// A tracker's sample. `came` is the time of its arrival.
    Drive {
        performer: String,
        sample: Box<BodySample>,
        trust: Trust,
        came: Instant,
    },
}

#[derive(Default)]
struct Queue {
    orders: Vec<Order>,
    waiting: HashMap<String, usize>,
    /// Number of waiting tracker samples.
    samples: usize,
}

/// State shared by all connections and the clock.
pub(super) struct Hub {
    pub(super) fps: f64,
    pub(super) started: Instant,
    pub(super) stats: Stats,
    pub(super) connection_permits: Arc<Semaphore>,
    queue: Mutex<Queue>,
    performers: Mutex<Arc<BTreeMap<String, Arc<PerformerSlot>>>>,
    ticks: Mutex<Option<watch::Sender<u64>>>,
    connections: AtomicU64,
}

impl Hub {
    pub(super) fn new(fps: f64) -> Self {
        Self {
            fps,
            started: Instant::now(),
            stats: Stats::default(),
            connection_permits: Arc::new(Semaphore::new(MAX_CONNECTIONS)),
            queue: Mutex::default(),
            performers: Mutex::default(),
            ticks: Mutex::new(Some(watch::Sender::new(0))),
            connections: AtomicU64::new(0),
        }
    }

    /// Returns all performers by name.
    pub(super) fn performers(&self) -> Arc<BTreeMap<String, Arc<PerformerSlot>>> {
        Arc::clone(&lock(&self.performers))
    }

    pub(super) fn set_performers<'a>(&self, shows: impl Iterator<Item = &'a LivePerformer>) {
        let all = shows.map(|show| (show.slot.name.clone(), Arc::clone(&show.slot))).collect();
        *lock(&self.performers) = Arc::new(all);
    }

    /// Returns a performer, or an error with the names of all performers.
    pub(super) fn performer(&self, name: &str) -> Result<Arc<PerformerSlot>, String> {
        let all = self.performers();
        all.get(name).cloned().ok_or_else(|| unknown_performer(name, all.keys().map(String::as_str)))
    }

    /// Returns the ids of the characters of all performers.
    pub(super) fn characters(&self) -> Vec<String> {
        let all = self.performers();
        let played = all.values().filter_map(|slot| slot.newest());
        let ids: BTreeSet<String> = played.map(|newest| newest.info.about.character.clone()).collect();
        ids.into_iter().collect()
    }

    /// Assigns a number to a new connection.
    pub(super) fn connection(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::Relaxed)
    }

    pub(super) fn viewers(&self) -> usize {
        MAX_CONNECTIONS - self.connection_permits.available_permits()
    }

    /// Returns a receiver that changes at every tick, when the frames of the tick are ready. Returns `None` when the
    /// server ends.
    pub(super) fn ticks(&self) -> Option<watch::Receiver<u64>> {
        lock(&self.ticks).as_ref().map(watch::Sender::subscribe)
    }

    /// Publishes a tick. Returns false if the server is ending.
    pub(super) fn publish_tick(&self, tick: u64) -> bool {
        lock(&self.ticks).as_ref().map(|ticks| ticks.send_replace(tick)).is_some()
    }

    /// Ends the clock and every connection.
    pub(super) fn end(&self) {
        lock(&self.ticks).take();
    }

    /// Sends a request to performers. The request takes effect for all of them at the same instant.
    pub(super) fn ask(
        &self,
        performers: Vec<String>,
        wanted: PerformerRequest,
    ) -> Result<oneshot::Receiver<Result<Results, String>>, String> {
        let mut queue = lock(&self.queue);
        let is_full = |name: &&String| queue.waiting.get(*name).is_some_and(|count| *count >= MAX_WAITING);
        if let Some(name) = performers.iter().find(is_full) {
            return Err(format!("{MAX_WAITING} requests already wait for `{name}`; try again in a moment"));
        }
        for name in &performers {
            *queue.waiting.entry(name.clone()).or_default() += 1;
        }
        let (reply, answer) = oneshot::channel();
        queue.orders.push(Order::Ask { performers, wanted, reply });
        Ok(answer)
    }

    /// Drives a performer with a tracker's sample. Samples beyond the limit per tick are dropped.
    pub(super) fn drive(&self, performer: &str, sample: BodySample, trust: Trust, came: Instant) {
        let mut queue = lock(&self.queue);
        if queue.samples < MAX_SAMPLES {
            queue.samples += 1;
            let (performer, sample) = (performer.to_owned(), Box::new(sample));
            queue.orders.push(Order::Drive { performer, sample, trust, came });
        }
    }

    /// Adds a tracker's observation of a mirrored person, with the same limit as [`drive`](Self::drive).
    pub(super) fn meet(&self, performer: &str, person: Person, came: Instant) {
        let mut queue = lock(&self.queue);
        if queue.samples < MAX_SAMPLES {
            queue.samples += 1;
            let (performer, person) = (performer.to_owned(), Box::new(person));
            queue.orders.push(Order::Meet { performer, person, came });
        }
    }

    /// Puts any other order into the queue.
    pub(super) fn order(&self, order: Order) {
        lock(&self.queue).orders.push(order);
    }

    /// Takes all orders, in the order of their arrival.
    pub(super) fn take_orders(&self, into: &mut Vec<Order>) {
        let mut queue = lock(&self.queue);
        queue.waiting.clear();
        queue.samples = 0;
        std::mem::swap(&mut queue.orders, into);
    }

    /// Returns the stored past of a performer.
    pub(super) async fn recall(&self, performer: &str) -> Result<Recording, String> {
        let (reply, answer) = oneshot::channel();
        self.order(Order::Recall { performer: performer.to_owned(), reply });
        answer.await.unwrap_or_else(|_| Err(ENDING.to_owned()))
    }

    /// Returns the recent and planned actions of a performer.
    pub(super) async fn plan(&self, performer: &str) -> Result<Plan, String> {
        let (reply, answer) = oneshot::channel();
        self.order(Order::Plan { performer: performer.to_owned(), reply });
        answer.await.map_err(|_| format!("`{performer}` has just ended; cast it again"))
    }
}

/// Error of requests that arrive while the server ends.
pub(super) const ENDING: &str = "the server is shutting down";

pub(super) fn unknown_performer<'a>(name: &str, all: impl Iterator<Item = &'a str> + Clone) -> String {
    format!("there is no performer `{name}`; {}", words::hint(name, all))
}
