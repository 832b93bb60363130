//! Receives a tracked performer by VMC, which drives a performer of this server.
//!
//! UDP has no connections and no tokens, so any computer that reaches the port could move the character. Therefore
//! only this computer and the listed computers may send.

use super::super::ServerState;
use super::{Body, body_of, cannot_open, ready, skeleton};
use crate::args::vmc::{Bones, Vmc};
use crate::fault::{Fault, Result};
use crate::report;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::UdpSocket;
use vivant::body::driven::Trust;
use vivant::rig::Rig;
use vivant_io::vmc::{FRAME_TIMEOUT, Fit, Received, Receiver, Skeleton, capture, person};

/// Maximum size of a datagram in bytes.
const MAX_PACKET_BYTES: usize = 65_536;
/// Maximum number of simultaneous senders, such as trackers of face, body and hands.
const MAX_SENDERS: usize = 8;
/// Time without packets after which a sender may be replaced.
const GONE: Duration = Duration::from_secs(5);

/// Receives frames of a tracked performer and sends them to the clock.
pub(super) struct Input {
    socket: UdpSocket,
    address: SocketAddr,
    /// Addresses that may send. If the list is empty, only this computer may send.
    from: Vec<IpAddr>,
    trust: Trust,
    /// True if the performer mirrors the tracked person instead of copying the motion.
    mirrors: bool,
    bones: Bones,
    performer: String,
    recording: Option<Recording>,
    sources: Vec<Source>,
    /// The avatar of the driven performer.
    stage: Option<Stage>,
    began: Instant,
}

/// An avatar, with the mapping from received frames to the avatar's rig.
struct Stage {
    body: Body,
    skeleton: Skeleton,
    fit: Fit,
    rig: Rig,
}

/// A sender of VMC packets.
struct Source {
    address: SocketAddr,
    receiver: Receiver,
    heard: Instant,
    /// True after a message about the sender was printed.
    is_announced: bool,
}

impl Input {
    pub(super) async fn open(address: SocketAddr, args: &Vmc) -> Result<Self> {
        if !address.ip().is_loopback() && args.vmc_from.is_empty() {
            return Err(Fault::new(format!(
                "{address}: other computers could move the character; list the computers that may send, as in --vmc-from \
                 192.168.1.20, or receive only from this computer with --vmc-in {}",
                address.port()
            )));
        }
        let socket =
            UdpSocket::bind(address).await.map_err(|error| cannot_open(address, &error, "--vmc-in"))?;
        let address = socket.local_addr().unwrap_or(address);
        Ok(Self {
            socket,
            address,
            from: args.vmc_from.clone(),
            trust: args.vmc_trust.into(),
            mirrors: args.vmc_mirror,
            bones: args.vmc_bones,
            performer: args.vmc_performer.clone(),
            recording: args.vmc_record.as_deref().map(Recording::create).transpose()?,
            sources: Vec::new(),
            stage: None,
            began: Instant::now(),
        })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Receives packets until the server ends.
    pub(super) async fn run(mut self, state: Arc<ServerState>) {
        let Some(mut ticks) = state.hub.ticks() else { return };
        let mut buffer = vec![0; MAX_PACKET_BYTES];
        loop {
            let is_open = self.sources.iter().any(|source| source.receiver.is_open());
            tokio::select! {
                heard = self.socket.recv_from(&mut buffer) => match heard {
                    Ok((size, from)) => self.hear(&state, from, &buffer[..size]).await,
                    // On some systems, this error means that an earlier packet could not be delivered.
                    Err(_) => tokio::time::sleep(FRAME_TIMEOUT).await,
                },
                () = tokio::time::sleep(FRAME_TIMEOUT), if is_open => self.close(&state),
                changed = ticks.changed() => if changed.is_err() { return },
            }
        }
    }

    async fn hear(&mut self, state: &Arc<ServerState>, from: SocketAddr, packet: &[u8]) {
        let may_send = self.from.is_empty() || self.from.contains(&from.ip().to_canonical());
        if !may_send || !self.look_at_stage(state).await {
            return;
        }
        let (now, mut frames) = (Instant::now(), Vec::new());
        let secs = (now - self.began).as_secs_f64();
        if let Some(source) = self.source(from, now) {
            source.receiver.take(secs, packet, &mut |frame| frames.push(frame));
            source.greet(&frames);
        }
        frames.into_iter().for_each(|frame| self.drive(state, &frame));
    }

    /// Completes unfinished frames after a short time without packets.
    fn close(&mut self, state: &ServerState) {
        let mut frames = Vec::new();
        for source in &mut self.sources {
            source.receiver.close(&mut |frame| frames.push(frame));
            source.greet(&frames);
        }
        frames.into_iter().for_each(|frame| self.drive(state, &frame));
    }

    /// Updates the avatar of the driven performer. Returns false if there is none.
    async fn look_at_stage(&mut self, state: &Arc<ServerState>) -> bool {
        let slot = state.hub.performer(&self.performer).ok();
        let Some(newest) = slot.and_then(|slot| slot.newest()) else { return false };
        let body = body_of(&newest);
        if self.stage.as_ref().is_some_and(|stage| stage.body == body) {
            return true;
        }
        let Some(ready) = ready(state, &body).await else { return false };
        let skeleton = skeleton(&ready, self.bones);
        for source in &mut self.sources {
            source.receiver.set_skeleton(skeleton.clone());
        }
        self.stage = Some(Stage { body, skeleton, fit: Fit::new(ready.rig()), rig: ready.rig().clone() });
        true
    }

    /// Returns the sender with the given address; `None` if there are too many senders.
    fn source(&mut self, address: SocketAddr, now: Instant) -> Option<&mut Source> {
        let known = self.sources.iter().position(|source| source.address == address);
        let index = match known {
            Some(index) => index,
            None => {
                if self.sources.len() >= MAX_SENDERS {
                    self.sources.retain(|source| now - source.heard < GONE);
                }
                let skeleton = &self.stage.as_ref().filter(|_| self.sources.len() < MAX_SENDERS)?.skeleton;
                let receiver = Receiver::new(skeleton.clone());
                self.sources.push(Source { address, receiver, heard: now, is_announced: false });
                self.sources.len() - 1
            }
        };
        self.sources[index].heard = now;
        self.sources.get_mut(index)
    }

    fn drive(&mut self, state: &ServerState, frame: &Received) {
        let lost = self.recording.as_mut().and_then(|recording| recording.keep(frame).err());
        if let Some((error, recording)) = lost.zip(self.recording.as_ref()) {
            report::note(&format!(
                "{}: recording stopped: {error}; check the free space",
                recording.path.display()
            ));
            self.recording = None;
        }
        let Some(stage) = &mut self.stage else { return };
        let came = self.began + Duration::from_secs_f64(frame.secs);
        if self.mirrors {
            state.hub.meet(&self.performer, person(&stage.rig, frame, 0.0), came);
        } else {
            state.hub.drive(&self.performer, stage.fit.sample(frame, 0.0), self.trust, came);
        }
    }
}

impl Source {
    /// Prints a message about the sender when its first frame arrives.
    fn greet(&mut self, frames: &[Received]) {
        let Some(frame) = frames.first().filter(|_| !self.is_announced) else { return };
        self.is_announced = true;
        let (bones, expressions) = (frame.bones.len(), frame.weights.len());
        report::note(&format!(
            "Receiving VMC from {}: {bones} bones, {expressions} expressions",
            self.address
        ));
    }
}

/// The file to which the received frames are recorded.
struct Recording {
    path: PathBuf,
    file: BufWriter<File>,
    flushed: Instant,
}

impl Recording {
    /// Maximum duration of the frames that are lost if the machine stops.
    const FLUSH: Duration = Duration::from_secs(1);

    fn create(path: &Path) -> Result<Self> {
        let file = File::create_new(path).map_err(|error| {
            let why = match error.kind() {
                std::io::ErrorKind::AlreadyExists => "the file already exists; choose another one".to_owned(),
                _ => format!("cannot create the file: {error}; check the path and its permissions"),
            };
            Fault::new(format!("{}: {why}", path.display()))
        })?;
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file), flushed: Instant::now() })
    }

    fn keep(&mut self, frame: &Received) -> std::io::Result<()> {
        self.file.write_all(capture::line(frame).as_bytes())?;
        if self.flushed.elapsed() > Self::FLUSH {
            self.flushed = Instant::now();
            self.file.flush()?;
        }
        Ok(())
    }
}
