//! Who is tracked elsewhere, and drives a performer here.
//!
//! UDP has no connections and knows no tokens: whoever reaches the port could move the character. So only this
//! computer reaches it; beyond that, those that are named may send, and nobody else is heard.

use super::super::House;
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
use vivant_io::vmc::{Fit, QUIET, Received, Receiver, Skeleton, capture, person};

/// The largest datagram that there is.
const MAX_PACKET_BYTES: usize = 65_536;
/// How many may send at the same time: a face, a body, hands.
const MAX_SENDERS: usize = 8;
/// Who did not send for this long makes room.
const GONE: Duration = Duration::from_secs(5);

/// Where a tracked performer comes in.
pub(super) struct Input {
    socket: UdpSocket,
    address: SocketAddr,
    /// Who may send; this computer alone if nobody is named.
    from: Vec<IpAddr>,
    trust: Trust,
    /// Whether who comes in is a person to mirror.
    mirrors: bool,
    bones: Bones,
    performer: String,
    recording: Option<Recording>,
    sources: Vec<Source>,
    /// Who is on stage.
    stage: Option<Stage>,
    began: Instant,
}

/// An avatar, and how what comes fits it.
struct Stage {
    body: Body,
    skeleton: Skeleton,
    fit: Fit,
    rig: Rig,
}

/// Somebody who sends.
struct Source {
    address: SocketAddr,
    receiver: Receiver,
    heard: Instant,
    /// Whether it was told that they send.
    is_told: bool,
}

impl Input {
    pub(super) async fn open(address: SocketAddr, args: &Vmc) -> Result<Self> {
        if !address.ip().is_loopback() && args.vmc_from.is_empty() {
            return Err(Fault::new(format!(
                "{address}: other computers could move the character; name those that may, as in --vmc-from \
                 192.168.1.20, or receive from this computer alone with --vmc-in {}",
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
            recording: args.vmc_record.as_deref().map(Recording::begin).transpose()?,
            sources: Vec::new(),
            stage: None,
            began: Instant::now(),
        })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Takes what comes until the server ends.
    pub(super) async fn run(mut self, house: Arc<House>) {
        let Some(mut ticks) = house.hub.ticks() else { return };
        let mut buffer = vec![0; MAX_PACKET_BYTES];
        loop {
            let is_open = self.sources.iter().any(|source| source.receiver.is_open());
            tokio::select! {
                heard = self.socket.recv_from(&mut buffer) => match heard {
                    Ok((size, from)) => self.hear(&house, from, &buffer[..size]).await,
                    // Some systems tell here that somebody else did not listen.
                    Err(_) => tokio::time::sleep(QUIET).await,
                },
                () = tokio::time::sleep(QUIET), if is_open => self.close(&house),
                told = ticks.changed() => if told.is_err() { return },
            }
        }
    }

    async fn hear(&mut self, house: &Arc<House>, from: SocketAddr, packet: &[u8]) {
        let may_send = self.from.is_empty() || self.from.contains(&from.ip().to_canonical());
        if !may_send || !self.look_at_stage(house).await {
            return;
        }
        let (now, mut frames) = (Instant::now(), Vec::new());
        let secs = (now - self.began).as_secs_f64();
        if let Some(source) = self.source(from, now) {
            source.receiver.take(secs, packet, &mut |frame| frames.push(frame));
            source.greet(&frames);
        }
        frames.into_iter().for_each(|frame| self.drive(house, &frame));
    }

    /// Nothing came for a moment: what came is all that there is.
    fn close(&mut self, house: &House) {
        let mut frames = Vec::new();
        for source in &mut self.sources {
            source.receiver.close(&mut |frame| frames.push(frame));
            source.greet(&frames);
        }
        frames.into_iter().for_each(|frame| self.drive(house, &frame));
    }

    /// Knows the avatar that is on stage; `false` if nobody is.
    async fn look_at_stage(&mut self, house: &Arc<House>) -> bool {
        let seat = house.hub.performer(&self.performer).ok();
        let Some(newest) = seat.and_then(|seat| seat.newest()) else { return false };
        let body = body_of(&newest);
        if self.stage.as_ref().is_some_and(|stage| stage.body == body) {
            return true;
        }
        let Some(ready) = ready(house, &body).await else { return false };
        let skeleton = skeleton(&ready, self.bones);
        for source in &mut self.sources {
            source.receiver.set_skeleton(skeleton.clone());
        }
        self.stage = Some(Stage { body, skeleton, fit: Fit::new(ready.rig()), rig: ready.rig().clone() });
        true
    }

    /// Whoever sends from an address; `None` if too many send already.
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
                self.sources.push(Source { address, receiver, heard: now, is_told: false });
                self.sources.len() - 1
            }
        };
        self.sources[index].heard = now;
        self.sources.get_mut(index)
    }

    fn drive(&mut self, house: &House, frame: &Received) {
        let lost = self.recording.as_mut().and_then(|recording| recording.keep(frame).err());
        if let Some((error, recording)) = lost.zip(self.recording.as_ref()) {
            report::note(&format!("{}: what comes is no longer kept: {error}", recording.path.display()));
            self.recording = None;
        }
        let Some(stage) = &mut self.stage else { return };
        let came = self.began + Duration::from_secs_f64(frame.secs);
        if self.mirrors {
            house.hub.meet(&self.performer, person(&stage.rig, frame, 0.0), came);
        } else {
            house.hub.drive(&self.performer, stage.fit.sample(frame, 0.0), self.trust, came);
        }
    }
}

impl Source {
    /// Tells of it when it first sends something.
    fn greet(&mut self, frames: &[Received]) {
        let Some(frame) = frames.first().filter(|_| !self.is_told) else { return };
        self.is_told = true;
        let (bones, expressions) = (frame.bones.len(), frame.weights.len());
        report::note(&format!("VMC comes from {}: {bones} bones, {expressions} expressions", self.address));
    }
}

/// A file that what comes is kept in.
struct Recording {
    path: PathBuf,
    file: BufWriter<File>,
    flushed: Instant,
}

impl Recording {
    /// How much may be lost when the machine stops.
    const FLUSH: Duration = Duration::from_secs(1);

    fn begin(path: &Path) -> Result<Self> {
        let file = File::create_new(path).map_err(|error| {
            let why = match error.kind() {
                std::io::ErrorKind::AlreadyExists => "it is there already; name another file".to_owned(),
                _ => format!("it cannot be made: {error}"),
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
