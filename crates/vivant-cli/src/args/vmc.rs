//! What can be typed about VMC, after `vivant` and `vivant serve`.

use super::live_rate;
use clap::{Args, ValueEnum};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use vivant::body::driven::Trust;

/// To and from other programs, by VMC.
#[derive(Debug, Args)]
#[command(next_help_heading = "VMC: live to and from VTuber programs, Unity and Unreal (docs/vmc.md)")]
pub(crate) struct Vmc {
    /// Send a performer to whoever receives VMC: at a port of this computer, usually 39539, or at HOST:PORT. May be
    /// given several times
    #[arg(long, value_name = "[HOST:]PORT", value_parser = receiver)]
    pub(crate) vmc: Vec<String>,
    /// How many times a second it is sent; no more than there are frames
    #[arg(long, value_name = "N", default_value = "60", value_parser = live_rate)]
    pub(crate) vmc_rate: f64,
    /// Whose names expressions are sent under. The protocol asks for those of VRM 0.x, whatever the avatar is
    #[arg(long, value_name = "WHOSE", default_value = "vrm0")]
    pub(crate) vmc_names: Naming,
    /// Which rotations bones have, sent and received: those that the protocol asks for, or normalised ones, which are
    /// identity in the T-pose. They differ for VRM 1.0 avatars whose bones are turned at rest
    #[arg(long, value_name = "WHICH", default_value = "protocol")]
    pub(crate) vmc_bones: Bones,
    /// Tell receivers to load this avatar, as they know its path
    #[arg(long, value_name = "PATH", requires = "vmc", value_parser = avatar)]
    pub(crate) vmc_vrm: Option<String>,
    /// Whom to send, and who is driven
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(crate) vmc_performer: String,
    /// Receive a tracked performer at a port of this computer, usually 39540: it drives the body, and what it does not
    /// tell of lives on. At IP:PORT other computers may send, if they are named with --vmc-from
    #[arg(long, value_name = "[IP:]PORT", value_parser = listening)]
    pub(crate) vmc_in: Option<SocketAddr>,
    /// Who may send: addresses of other computers
    #[arg(long, value_name = "IP", num_args = 1.., requires = "vmc_in")]
    pub(crate) vmc_from: Vec<IpAddr>,
    /// What is believed of what is received: parts that move now and then, or all of it
    #[arg(long, value_name = "WHAT", default_value = "moving", requires = "vmc_in")]
    pub(crate) vmc_trust: Believed,
    /// Do not play the performer who comes in: mirror them (docs/mimicry.md)
    #[arg(long, requires = "vmc_in")]
    pub(crate) vmc_mirror: bool,
    /// Keep what is received in a new file, a line of JSON a frame
    #[arg(long, value_name = "FILE.jsonl", requires = "vmc_in")]
    pub(crate) vmc_record: Option<PathBuf>,
}

/// Whose names expressions have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Naming {
    /// Joy, A, Blink_L
    Vrm0,
    /// happy, aa, blinkLeft
    Vrm1,
    /// Those of the avatar's own version
    Avatar,
}

/// Which rotations bones have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bones {
    /// A VRM's bones as they are in its file
    Protocol,
    /// Identity in the T-pose
    #[value(alias = "normalized")]
    Normalised,
}

/// What is believed of a tracker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Believed {
    /// Parts that move now and then
    Moving,
    /// All of it
    All,
}

impl From<Believed> for Trust {
    fn from(believed: Believed) -> Self {
        match believed {
            Believed::Moving => Self::Moving,
            Believed::All => Self::All,
        }
    }
}

/// A port of this computer, or a host and its port; whether there is such a host is asked later.
fn receiver(text: &str) -> Result<String, String> {
    let (host, port) = text.rsplit_once(':').unwrap_or(("127.0.0.1", text));
    match port.parse::<u16>() {
        Ok(port) if port > 0 && !host.is_empty() => Ok(format!("{host}:{port}")),
        _ => {
            Err("give a port of this computer, as in 39539, or a host with one, as in 192.168.1.20:39539"
                .into())
        }
    }
}

fn listening(text: &str) -> Result<SocketAddr, String> {
    let here = |port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
    let wrong =
        |_| "give a port of this computer, as in 39540, or an address with one, as in 0.0.0.0:39540".into();
    text.parse::<u16>().map(here).or_else(|_| text.parse()).map_err(wrong)
}

/// What fits into a packet, and into OSC.
fn avatar(text: &str) -> Result<String, String> {
    const MOST_BYTES: usize = 1024;
    match text.is_empty() || text.len() > MOST_BYTES || text.contains('\0') {
        true => Err(format!("give a path of at most {MOST_BYTES} bytes")),
        false => Ok(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_is_of_this_computer() {
        assert_eq!(receiver("39539"), Ok("127.0.0.1:39539".into()));
        assert_eq!(receiver("studio.local:1"), Ok("studio.local:1".into()));
        assert_eq!(receiver("[::1]:39539"), Ok("[::1]:39539".into()));
        for text in ["", "0", "x", "host:", ":39539", "1:99999", "-1"] {
            assert!(receiver(text).unwrap_err().contains("39539"), "{text}");
        }
        assert_eq!(listening("39540"), Ok("127.0.0.1:39540".parse().unwrap()));
        assert_eq!(listening("0.0.0.0:5"), Ok("0.0.0.0:5".parse().unwrap()));
        for text in ["", "x", "localhost:5", "1.2.3.4", "70000"] {
            assert!(listening(text).unwrap_err().contains("39540"), "{text}");
        }
    }
}
