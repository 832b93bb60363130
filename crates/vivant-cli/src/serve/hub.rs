//! Where connections and the clock meet.
//!
//! Whoever asks puts an order into one queue, which the clock takes at its next tick; so what is asked of
//! several performers happens to all at the same instant. Whoever watches takes the newest frame when a tick
//! is told. Nothing is stored for anyone who is slow.

use super::board::Board;
use super::past::Recording;
use super::show::{Role, Show};
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
use vivant_host::{Ask, Hosted};
use vivant_io::json::protocol::frame::Frame;
use vivant_io::json::protocol::{Message, Noticed, PerformerInfo, Plan};
use vivant_io::json::sighting::Sighting;
use vivant_io::json::words;

/// How many performers there may be.
pub(super) const MAX_PERFORMERS: usize = 256;
/// How many may be connected.
pub(super) const MAX_CONNECTIONS: usize = 1024;
/// How many requests may wait for one performer.
const MAX_WAITING: usize = 256;
/// How many samples of trackers are taken from one tick to the next: some of 240 Hz, in parts.
const MAX_SAMPLES: usize = 64;

/// A poisoned lock is only one whose holder stopped half-way; all values here are whole at any time.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a viewer is told of a performer, but for what changes with every frame.
#[derive(Clone, Debug)]
pub(super) struct Info {
    about: PerformerInfo,
    pub(super) is_preview: bool,
    /// Which performance under this name it is.
    pub(super) era: u64,
}

impl Info {
    pub(super) fn new(seat: &Seat, role: &Role, is_preview: bool, era: u64) -> Self {
        let ready = &role.ready;
        let about = PerformerInfo {
            performer: seat.name.clone(),
            number: seat.number,
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
        Self { about, is_preview, era }
    }
}

/// The newest frame of a performer, encoded once for all who watch.
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

    /// The frame as JSON, which is made when the first one wants it.
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

/// A message as the text that goes over the wire.
pub(super) fn to_text(message: &Message) -> Utf8Bytes {
    // These types have no maps with odd keys and no writers that fail.
    serde_json::to_string(message).unwrap_or_default().into()
}

/// A performer's name and number, and what can be seen of it.
#[derive(Debug)]
pub(super) struct Seat {
    pub(super) name: String,
    pub(super) number: u16,
    /// Whose connection it ends with.
    owner: Mutex<Option<u64>>,
    newest: Mutex<Option<Arc<Newest>>>,
    pub(super) board: Mutex<Board>,
    /// How many look at its plans.
    pub(super) planners: AtomicUsize,
    /// How many plans were told, and how many events there were: cheaper to look at than the board.
    plans: AtomicU64,
    events: AtomicU64,
}

impl Seat {
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
        // The old one is dropped after the lock, which others wait for.
        let _old = lock(&self.newest).replace(newest);
    }

    pub(super) fn told_plan(&self) {
        self.plans.fetch_add(1, Ordering::Release);
    }

    /// Grows with every plan.
    pub(super) fn plans(&self) -> u64 {
        self.plans.load(Ordering::Acquire)
    }

    pub(super) fn told_events(&self, events: u64) {
        self.events.store(events, Ordering::Release);
    }

    /// How many events there were.
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

/// A performer that is to begin.
pub(super) struct Entrance {
    pub(super) name: String,
    pub(super) role: Role,
    pub(super) hosted: Hosted,
    pub(super) is_preview: bool,
    pub(super) owner: Option<u64>,
}

pub(super) type Reply<T> = oneshot::Sender<Result<T, String>>;
/// What a request became with a performer.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken {
    /// The number of the wish.
    pub(super) wish: Option<u64>,
    /// When the line begins that it told of.
    pub(super) at: Option<f64>,
    /// What is understood of whom it mirrors, if that was asked.
    pub(super) noticed: Option<Box<Noticed>>,
}

/// What a client wants of a performer.
#[derive(Clone)]
pub(super) enum Wanted {
    /// Something that changes its performance.
    Ask(Ask),
    /// To mirror a person in this manner, or no longer.
    Mimic(Option<Manner>),
    /// To see the person.
    See(Arc<Sighting>),
}

/// The same of all performers that were asked.
pub(super) type Wishes = Vec<Taken>;

/// What the clock is to do at its next tick.
pub(super) enum Order {
    Ask {
        performers: Vec<String>,
        wanted: Wanted,
        reply: Reply<Wishes>,
    },
    Cast {
        all: Vec<Entrance>,
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
    /// A tracker saw a person whom a performer mirrors, at a time of this computer.
    Meet {
        performer: String,
        person: Box<Person>,
        came: Instant,
    },
    /// A tracker saw something, at a time of this computer.
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
    /// How many samples of trackers wait.
    samples: usize,
}

/// What all connections share with the clock.
pub(super) struct Hub {
    pub(super) fps: f64,
    pub(super) started: Instant,
    pub(super) stats: Stats,
    pub(super) seats: Arc<Semaphore>,
    queue: Mutex<Queue>,
    performers: Mutex<Arc<BTreeMap<String, Arc<Seat>>>>,
    ticks: Mutex<Option<watch::Sender<u64>>>,
    connections: AtomicU64,
}

impl Hub {
    pub(super) fn new(fps: f64) -> Self {
        Self {
            fps,
            started: Instant::now(),
            stats: Stats::default(),
            seats: Arc::new(Semaphore::new(MAX_CONNECTIONS)),
            queue: Mutex::default(),
            performers: Mutex::default(),
            ticks: Mutex::new(Some(watch::Sender::new(0))),
            connections: AtomicU64::new(0),
        }
    }

    /// All performers, by name.
    pub(super) fn performers(&self) -> Arc<BTreeMap<String, Arc<Seat>>> {
        Arc::clone(&lock(&self.performers))
    }

    pub(super) fn set_performers<'a>(&self, shows: impl Iterator<Item = &'a Show>) {
        let all = shows.map(|show| (show.seat.name.clone(), Arc::clone(&show.seat))).collect();
        *lock(&self.performers) = Arc::new(all);
    }

    /// A performer, or a sentence with those that there are.
    pub(super) fn performer(&self, name: &str) -> Result<Arc<Seat>, String> {
        let all = self.performers();
        all.get(name).cloned().ok_or_else(|| nobody(name, all.keys().map(String::as_str)))
    }

    /// The ids of all characters that are played.
    pub(super) fn characters(&self) -> Vec<String> {
        let all = self.performers();
        let played = all.values().filter_map(|seat| seat.newest());
        let ids: BTreeSet<String> = played.map(|newest| newest.info.about.character.clone()).collect();
        ids.into_iter().collect()
    }

    /// The number of a new connection.
    pub(super) fn connection(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::Relaxed)
    }

    pub(super) fn viewers(&self) -> usize {
        MAX_CONNECTIONS - self.seats.available_permits()
    }

    /// Told at every tick, when its frames are there; ends when the server does.
    pub(super) fn ticks(&self) -> Option<watch::Receiver<u64>> {
        lock(&self.ticks).as_ref().map(watch::Sender::subscribe)
    }

    /// Tells a tick. `false` if the server ends.
    pub(super) fn tell_tick(&self, tick: u64) -> bool {
        lock(&self.ticks).as_ref().map(|ticks| ticks.send_replace(tick)).is_some()
    }

    /// Ends the clock and every connection.
    pub(super) fn end(&self) {
        lock(&self.ticks).take();
    }

    /// Asks performers for something, all at the same instant.
    pub(super) fn ask(
        &self,
        performers: Vec<String>,
        wanted: Wanted,
    ) -> Result<oneshot::Receiver<Result<Wishes, String>>, String> {
        let mut queue = lock(&self.queue);
        let is_full = |name: &&String| queue.waiting.get(*name).is_some_and(|count| *count >= MAX_WAITING);
        if let Some(name) = performers.iter().find(is_full) {
            return Err(format!("{MAX_WAITING} requests wait for `{name}` already; ask again in a moment"));
        }
        for name in &performers {
            *queue.waiting.entry(name.clone()).or_default() += 1;
        }
        let (reply, answer) = oneshot::channel();
        queue.orders.push(Order::Ask { performers, wanted, reply });
        Ok(answer)
    }

    /// Lets a tracker drive a performer. Of more samples than anyone can see, the rest is left out.
    pub(super) fn drive(&self, performer: &str, sample: BodySample, trust: Trust, came: Instant) {
        let mut queue = lock(&self.queue);
        if queue.samples < MAX_SAMPLES {
            queue.samples += 1;
            let (performer, sample) = (performer.to_owned(), Box::new(sample));
            queue.orders.push(Order::Drive { performer, sample, trust, came });
        }
    }

    /// Lets a tracker tell of a person whom a performer mirrors, as [`drive`](Self::drive) does of a body.
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

    /// All orders, in the order in which they came.
    pub(super) fn take_orders(&self, into: &mut Vec<Order>) {
        let mut queue = lock(&self.queue);
        queue.waiting.clear();
        queue.samples = 0;
        std::mem::swap(&mut queue.orders, into);
    }

    /// What is kept of a performer's past.
    pub(super) async fn recall(&self, performer: &str) -> Result<Recording, String> {
        let (reply, answer) = oneshot::channel();
        self.order(Order::Recall { performer: performer.to_owned(), reply });
        answer.await.unwrap_or_else(|_| Err(ENDING.to_owned()))
    }

    /// What a performer did lately and is going to do.
    pub(super) async fn plan(&self, performer: &str) -> Result<Plan, String> {
        let (reply, answer) = oneshot::channel();
        self.order(Order::Plan { performer: performer.to_owned(), reply });
        answer.await.map_err(|_| format!("`{performer}` has just ended; ask for another"))
    }
}

/// What is said to who asks while the server ends.
pub(super) const ENDING: &str = "the server is about to end";

pub(super) fn nobody<'a>(name: &str, all: impl Iterator<Item = &'a str> + Clone) -> String {
    format!("there is no performer `{name}`; {}", words::hint(name, all))
}
