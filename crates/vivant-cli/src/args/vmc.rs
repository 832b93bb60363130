//! Options for VMC of `vivant` and `vivant serve`.

use super::live_rate;
use clap::{Args, ValueEnum};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use vivant::body::driven::Trust;

/// Options to send and receive VMC.
#[derive(Debug, Args)]
#[command(next_help_heading = "VMC: live to and from VTuber programs, Unity and Unreal (docs/guides/vmc.md)")]
pub(crate) struct Vmc {
    /// Send a performer by VMC to a port of this computer, usually 39539, or to HOST:PORT. May be given several times
    #[arg(long, value_name = "[HOST:]PORT", value_parser = receiver)]
    pub(crate) vmc: Vec<String>,
    /// Number of frames that are sent per second, at most the frame rate of the server
    #[arg(long, value_name = "N", default_value = "60", value_parser = live_rate)]
    pub(crate) vmc_rate: f64,
    /// Names of the sent expressions. The protocol uses those of VRM 0.x for every avatar
    #[arg(long, value_name = "WHOSE", default_value = "vrm0")]
    pub(crate) vmc_names: Naming,
    /// Rotations of sent and received bones: as the protocol specifies, or normalised to identity in the T-pose. They
    /// differ for VRM 1.0 avatars whose bones are rotated at rest
    #[arg(long, value_name = "WHICH", default_value = "protocol")]
    pub(crate) vmc_bones: Bones,
    /// The avatar that receivers should load, as a path on the receiver's computer
    #[arg(long, value_name = "PATH", requires = "vmc", value_parser = avatar)]
    pub(crate) vmc_vrm: Option<String>,
    /// The performer to send and to drive
    #[arg(long, value_name = "NAME", default_value = "main")]
    pub(crate) vmc_performer: String,
    /// Receive a tracked performer at a port of this computer, usually 39540. It drives the body; Vivant animates the
    /// parts that are not tracked. At IP:PORT, only computers given with --vmc-from may send
    #[arg(long, value_name = "[IP:]PORT", value_parser = listening)]
    pub(crate) vmc_in: Option<SocketAddr>,
    /// Addresses of the computers that may send VMC to this one
    #[arg(long, value_name = "IP", num_args = 1.., requires = "vmc_in")]
    pub(crate) vmc_from: Vec<IpAddr>,
    /// Tracked parts to use: only parts that move, or all
    #[arg(long, value_name = "WHAT", default_value = "moving", requires = "vmc_in")]
    pub(crate) vmc_trust: Believed,
    /// Mirror the tracked person instead of playing their motion (docs/guides/mirror.md)
    #[arg(long, requires = "vmc_in")]
    pub(crate) vmc_mirror: bool,
    /// A new file to record the received frames in, one line of JSON per frame
    #[arg(long, value_name = "FILE.jsonl", requires = "vmc_in")]
    pub(crate) vmc_record: Option<PathBuf>,
}

/// Naming scheme of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Naming {
    /// VRM 0.x: Joy, A, Blink_L
    Vrm0,
    /// VRM 1.0: happy, aa, blinkLeft
    Vrm1,
    /// The names of the avatar's own VRM version
    Avatar,
}

/// Reference of bone rotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Bones {
    /// As in the avatar's VRM file
    Protocol,
    /// Identity in the T-pose
    #[value(alias = "normalized")]
    Normalised,
}

/// Parts of a tracked performer that are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Believed {
    /// Only parts that move
    Moving,
    /// All parts
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

/// Parses a port of this computer, or a host with a port. The host name is resolved later.
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

/// Parses a path that fits into a packet and an OSC string.
fn avatar(text: &str) -> Result<String, String> {
    const MAX_BYTES: usize = 1024;
    match text.is_empty() || text.len() > MAX_BYTES || text.contains('\0') {
        true => Err(format!("give a path of at most {MAX_BYTES} bytes")),
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
