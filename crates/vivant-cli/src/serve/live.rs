//! The performance while it runs: its clock, its last minute, and those who watch.

use crate::material::Material;
use crate::stage::{Moment, Stage};
use axum::body::Bytes;
use axum::extract::ws::{Message, WebSocket};
use glam::Quat;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Instant, MissedTickBehavior};
use vivant::rig::{Bone, Channel, Rig};

/// Frames a second.
pub(super) const RATE: f64 = 60.0;
/// How much of the past is kept.
pub(super) const MAX_SECONDS: f64 = 60.0;
/// How many pages may watch at once.
const SEATS: usize = 32;
/// How late the clock may be and still show every frame; after a longer sleep it goes on from now.
const MAX_LATE_FRAMES: u64 = 30;

/// What a page gets of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Form {
    /// Where the bones are, for who draws lines between them.
    #[default]
    Places,
    /// How they are turned, and the weights of all expressions, for who has the avatar.
    Pose,
}

/// An instant in both forms. Whoever watches takes one; each is made once for all.
#[derive(Clone, Debug, Default)]
struct Newest {
    places: Bytes,
    pose: Bytes,
}

/// What all connections share.
pub(super) struct Live {
    pub(super) avatar: Material,
    pub(super) rig: Rig,
    clips: Vec<String>,
    past: Mutex<VecDeque<Moment>>,
    newest: Mutex<Option<watch::Sender<Newest>>>,
    seats: Arc<Semaphore>,
}

impl Live {
    pub(super) fn new(avatar: Material, rig: Rig, clips: Vec<String>) -> Self {
        let kept = (MAX_SECONDS * RATE) as usize + 1;
        Self {
            avatar,
            rig,
            clips,
            past: Mutex::new(VecDeque::with_capacity(kept)),
            newest: Mutex::new(Some(watch::Sender::new(Newest::default()))),
            seats: Arc::new(Semaphore::new(SEATS)),
        }
    }

    /// Advances the performance as time goes by, on a grid of [`RATE`], so that what was seen can be
    /// written without resampling.
    pub(super) async fn run(self: Arc<Self>, mut stage: Stage) {
        let start = Instant::now();
        let mut ticks = tokio::time::interval(Duration::from_secs_f64(1.0 / RATE));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let mut next = 0_u64;
        loop {
            ticks.tick().await;
            let now = (start.elapsed().as_secs_f64() * RATE) as u64;
            if now > next + MAX_LATE_FRAMES {
                next = now;
                lock(&self.past).clear();
            }
            while next <= now {
                let seconds = next as f64 / RATE;
                self.keep(seconds, stage.advance_to(seconds));
                next += 1;
            }
        }
    }

    fn keep(&self, seconds: f64, moment: Moment) {
        if let Some(newest) = &*lock(&self.newest) {
            newest.send_replace(Newest {
                places: self.places(seconds, &moment).into(),
                pose: pose(seconds, &moment).into(),
            });
        }
        let mut past = lock(&self.past);
        if past.len() == past.capacity() {
            past.pop_front();
        }
        past.push_back(moment);
    }

    /// The last seconds, as many as there are.
    pub(super) fn last(&self, seconds: f64) -> Vec<Moment> {
        let past = lock(&self.past);
        let wanted = (seconds * RATE).round() as usize + 1;
        past.range(past.len().saturating_sub(wanted)..).cloned().collect()
    }

    /// A place for one who watches, while there is one.
    pub(super) fn seat(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.seats).try_acquire_owned().ok()
    }

    /// Sends everyone home.
    pub(super) fn end(&self) {
        lock(&self.newest).take();
    }

    /// What a page needs to know before the first frame.
    fn hello(&self) -> String {
        let bone = |bone: Bone| {
            serde_json::json!({
                "name": bone.name(),
                "parent": self.rig.bones().parent_of(bone).map(Bone::index),
                "exists": self.rig.bones().contains(bone),
            })
        };
        serde_json::json!({
            "avatar": self.rig.name(),
            "bones": Bone::ALL.into_iter().map(bone).collect::<Vec<_>>(),
            "channels": self.rig.channels().iter().map(Channel::name).collect::<Vec<_>>(),
            "clips": self.clips,
            "model": self.avatar.vrm().map(|_| "vrm"),
            "rest": Bone::ALL.into_iter().map(|b| self.rig.rest_position(b).to_array()).collect::<Vec<_>>(),
        })
        .to_string()
    }

    /// A frame as places, in little-endian floats: time, clip, its start, blink, smile and mouth,
    /// the rotations of head, chest and hips, and where the 55 bones are.
    fn places(&self, seconds: f64, moment: &Moment) -> Vec<u8> {
        let model = moment.pose.model_transforms(&self.rig);
        let face = |name: &str| {
            let index = self.rig.channel_index(&Channel::from(name.to_owned()));
            index.and_then(|i| moment.weights.get(i).copied()).unwrap_or(0.0)
        };
        let turned = |bone: Bone| Quat::from_mat3a(&model[bone.index()].matrix3).to_array();
        let head = playing(seconds, moment).into_iter().chain(["blink", "happy", "aa"].map(face));
        let rotations = [Bone::Head, Bone::Chest, Bone::Hips].into_iter().flat_map(turned);
        let places = model.iter().flat_map(|transform| transform.translation.to_array());
        head.chain(rotations).chain(places).flat_map(f32::to_le_bytes).collect()
    }
}

/// Time, clip and its start; a clip below zero is none.
fn playing(seconds: f64, moment: &Moment) -> [f32; 3] {
    let (clip, since) = moment.playing.map_or((-1.0, 0.0), |p| (p.clip as f32, p.since as f32));
    [seconds as f32, clip, since]
}

/// A frame as a pose, in little-endian floats: time, clip, its start, where the hips are, the rotations of the
/// 55 bones, and the weights of the channels.
fn pose(seconds: f64, moment: &Moment) -> Vec<u8> {
    let rotations = Bone::ALL.into_iter().flat_map(|bone| moment.pose.rotations.get(bone).to_array());
    playing(seconds, moment)
        .into_iter()
        .chain(moment.pose.root.to_array())
        .chain(rotations)
        .chain(moment.weights.iter().copied())
        .flat_map(f32::to_le_bytes)
        .collect()
}

/// A poisoned lock is only one whose holder stopped half-way; both values here are whole at any time.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shows the performance to one page until either ends.
pub(super) async fn show(live: Arc<Live>, form: Form, _seat: OwnedSemaphorePermit, mut socket: WebSocket) {
    let Some(mut newest) = lock(&live.newest).as_ref().map(watch::Sender::subscribe) else { return };
    if socket.send(Message::Text(live.hello().into())).await.is_err() {
        return;
    }
    loop {
        tokio::select! {
            changed = newest.changed() => {
                let frame = {
                    let newest = newest.borrow_and_update();
                    if form == Form::Pose { newest.pose.clone() } else { newest.places.clone() }
                };
                if changed.is_err() || socket.send(Message::Binary(frame)).await.is_err() {
                    return;
                }
            }
            // The page has nothing to say; this notices that it is gone.
            said = socket.recv() => if !matches!(said, Some(Ok(_))) {
                return;
            },
        }
    }
}
