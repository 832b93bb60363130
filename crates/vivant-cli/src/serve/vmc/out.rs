//! Sends a performer by VMC.
//!
//! [`Out::open`] resolves the addresses, so that unknown hosts are errors at once; then [`Out::run`] sends frames until
//! the server ends. Each receiver has its own connected socket, so an error is reported once per receiver and does not
//! stop the others. A receiver that is not running yet is not an error. While the performer does not exist, receivers
//! get the message that no avatar is loaded.

use super::super::ServerState;
use super::super::hub::Newest;
use super::super::pace::Pace;
use super::{Body, body_of, cannot_open, names, ready, skeleton};
use crate::args::vmc::{Bones, Naming, Vmc};
use crate::fault::{Fault, Result};
use crate::report;
use glam::{Quat, Vec3};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::{UdpSocket, lookup_host};
use vivant::pose::Pose;
use vivant::rig::Bone;
use vivant_io::json::protocol::frame::Frame;
use vivant_io::vmc::{Sender, avatar_packet, unloaded_packet};

/// Number of frames between two messages about the avatar to load, or about a missing performer. This is about one
/// message per second, as in the reference implementation.
const RARELY: u64 = 60;

/// Sends the frames of a performer.
pub(super) struct Out {
    receivers: Vec<Receiver>,
    addresses: Vec<SocketAddr>,
    rate: f64,
    naming: Naming,
    bones: Bones,
    performer: String,
    avatar: Option<Vec<u8>>,
}

/// A receiver of the frames, with its own connected socket.
struct Receiver {
    socket: UdpSocket,
    address: SocketAddr,
    /// True after an error was reported.
    is_reported: bool,
}

impl Out {
    pub(super) async fn open(args: &Vmc) -> Result<Self> {
        let mut receivers = Vec::with_capacity(args.vmc.len());
        for to in &args.vmc {
            receivers.push(Receiver::open(to).await?);
        }
        Ok(Self {
            addresses: receivers.iter().map(|receiver| receiver.address).collect(),
            receivers,
            rate: args.vmc_rate,
            naming: args.vmc_names,
            bones: args.vmc_bones,
            performer: args.vmc_performer.clone(),
            avatar: args.vmc_vrm.as_ref().map(|path| avatar_packet(path, "")),
        })
    }

    pub(super) fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Sends frames until the server ends.
    pub(super) async fn run(mut self, state: Arc<ServerState>) {
        let Some(mut ticks) = state.hub.ticks() else { return };
        let mut pace = Pace::new(state.hub.fps, Some(self.rate));
        let mut speaker: Option<(Body, Sender)> = None;
        let mut sent = 0;
        while ticks.changed().await.is_ok() {
            let tick = *ticks.borrow_and_update();
            if !pace.is_wanted(tick) {
                continue;
            }
            let slot = state.hub.performer(&self.performer).ok();
            let Some(newest) = slot.and_then(|slot| slot.newest()) else {
                if tick.is_multiple_of(RARELY) {
                    self.send_to_all(&unloaded_packet()).await;
                }
                continue;
            };
            let body = body_of(&newest);
            if speaker.as_ref().is_none_or(|(of, _)| *of != body) {
                speaker = self.sender(&state, &body).await.map(|sender| (body, sender));
            }
            if let Some((_, sender)) = &mut speaker {
                self.send(sender, &newest, sent).await;
                sent += 1;
            }
        }
    }

    async fn sender(&self, state: &Arc<ServerState>, body: &Body) -> Option<Sender> {
        let ready = ready(state, body).await?;
        Some(Sender::new(skeleton(&ready, self.bones), ready.rig().channels(), names(&ready, self.naming)))
    }

    async fn send(&mut self, sender: &mut Sender, newest: &Newest, sent: u64) {
        // This cannot fail: the server encoded the frame itself.
        let Ok(frame) = Frame::from_bytes(&newest.binary) else { return };
        let avatar = self.avatar.as_deref().filter(|_| sent.is_multiple_of(RARELY));
        for packet in sender.frame(frame.time, &pose_of(&frame), &frame.weights).chain(avatar) {
            for receiver in &mut self.receivers {
                receiver.send(packet).await;
            }
        }
    }

    async fn send_to_all(&mut self, packet: &[u8]) {
        for receiver in &mut self.receivers {
            receiver.send(packet).await;
        }
    }
}

impl Receiver {
    async fn open(to: &str) -> Result<Self> {
        let unknown = |why: String| {
            Fault::new(format!("{to}: {why}; give the address of a receiver, as in --vmc 127.0.0.1:39539"))
        };
        let mut found = lookup_host(to).await.map_err(|error| unknown(format!("unknown host ({error})")))?;
        let address = found.next().ok_or_else(|| unknown("the host has no address".to_owned()))?;
        let socket =
            UdpSocket::bind(beside(address)).await.map_err(|error| cannot_open(address, &error, "--vmc"))?;
        socket.connect(address).await.map_err(|error| unknown(error.to_string()))?;
        Ok(Self { socket, address, is_reported: false })
    }

    /// Sends a packet once. If the receiver is not running yet, this is not an error.
    async fn send(&mut self, packet: &[u8]) {
        let refused = |error: &std::io::Error| error.kind() == std::io::ErrorKind::ConnectionRefused;
        match self.socket.send(packet).await {
            Err(error) if !refused(&error) && !self.is_reported => {
                self.is_reported = true;
                report::note(&format!(
                    "cannot send VMC to {}: {error}; check the address and the network",
                    self.address
                ));
            }
            _ => {}
        }
    }
}

/// Returns the local address to bind to, of the same kind as the address of the receiver.
fn beside(address: SocketAddr) -> SocketAddr {
    let ip = match (address.is_ipv4(), address.ip().is_loopback()) {
        (true, true) => IpAddr::V4(Ipv4Addr::LOCALHOST),
        (true, false) => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        (false, true) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        (false, false) => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
    };
    SocketAddr::new(ip, 0)
}

fn pose_of(frame: &Frame) -> Pose {
    let mut pose = Pose { root: Vec3::from_array(frame.root), ..Pose::default() };
    for (bone, rotation) in Bone::ALL.into_iter().zip(&frame.rotations) {
        pose.rotations.set(bone, Quat::from_array(*rotation));
    }
    pose
}
