//! VMC over UDP: sends the frames of a performer, and receives a tracked performer.
//!
//! The output consists of the frames that all viewers see. The input is converted to requests to the clock, as on the
//! WebSocket, so it is stored with the past and can be played again.

mod input;
mod out;

use super::ServerState;
use super::answer::run_blocking;
use super::hub::Newest;
use crate::args::vmc::{Bones, Naming, Vmc};
use crate::fault::{Fault, Result};
use crate::workspace::Ready;
use input::Input;
use out::Out;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use vivant_io::scene::Kind;
use vivant_io::vmc::{Names, Skeleton};

/// Open sockets for output and input.
pub(super) struct Lines {
    out: Option<Out>,
    input: Option<Input>,
}

impl Lines {
    /// Opens the sockets that the command line requests.
    ///
    /// # Errors
    /// Returns an error if a host is unknown, a port is in use, computers that are not listed could send, or the
    /// server would receive its own output.
    pub(super) async fn open(args: &Vmc) -> Result<Self> {
        let out = if args.vmc.is_empty() { None } else { Some(Out::open(args).await?) };
        let input = match args.vmc_in {
            Some(address) => Some(Input::open(address, args).await?),
            None => None,
        };
        let back = input.as_ref().map(Input::address);
        if let Some(address) = out.iter().flat_map(Out::addresses).find(|to| Some(**to) == back) {
            return Err(Fault::new(format!(
                "{address}: the output would be received again; give --vmc and --vmc-in different ports"
            )));
        }
        Ok(Self { out, input })
    }

    /// Returns the addresses as JSON: {"vmc": {"to": […], "in": …}}.
    pub(super) fn json(&self) -> Option<Value> {
        let to = self
            .out
            .as_ref()
            .map(|out| out.addresses().iter().map(SocketAddr::to_string).collect::<Vec<_>>());
        let from = self.input.as_ref().map(|input| input.address().to_string());
        (to.is_some() || from.is_some()).then(|| json!({ "to": to.unwrap_or_default(), "in": from }))
    }

    /// Returns the addresses as sentences for the user.
    pub(super) fn sentences(&self) -> Vec<String> {
        let out =
            self.out.iter().flat_map(|out| out.addresses().iter().map(|to| format!("Sending VMC to {to}")));
        let input = self.input.iter().map(|input| format!("Receiving VMC at {}", input.address()));
        out.chain(input).collect()
    }

    /// Sends and receives until the server ends.
    pub(super) fn run(self, state: &Arc<ServerState>) {
        if let Some(out) = self.out {
            tokio::spawn(out.run(Arc::clone(state)));
        }
        if let Some(input) = self.input {
            tokio::spawn(input.run(Arc::clone(state)));
        }
    }
}

/// The avatar of a running performer: the character's id and the revision of the avatar.
type Body = (String, u64);

fn body_of(newest: &Newest) -> Body {
    let info = newest.performer();
    (info.character, info.avatar)
}

/// Returns the given character; `None` if it is being changed.
async fn ready(state: &Arc<ServerState>, (character, avatar): &Body) -> Option<Arc<Ready>> {
    let (workspace, id) = (Arc::clone(&state.workspace), character.clone());
    let ready = run_blocking(move || Ok(workspace.ready(&id)?)).await.ok()?;
    (ready.avatar_revision == *avatar).then_some(ready)
}

fn skeleton(ready: &Ready, bones: Bones) -> Skeleton {
    let import = &ready.avatar.file().import;
    match (bones, &import.humanoid) {
        (Bones::Protocol, Some(humanoid)) => Skeleton::of(humanoid, &import.source),
        _ => Skeleton::normalised(ready.rig()),
    }
}

fn names(ready: &Ready, naming: Naming) -> Names {
    match naming {
        Naming::Vrm0 => Names::Vrm0,
        Naming::Vrm1 => Names::Vrm1,
        Naming::Avatar if ready.avatar.file().import.source.kind == Kind::Vrm1 => Names::Vrm1,
        Naming::Avatar => Names::Vrm0,
    }
}

fn cannot_open(address: SocketAddr, error: &std::io::Error, option: &str) -> Fault {
    let why = match error.kind() {
        std::io::ErrorKind::AddrInUse => "the port is in use by another program".to_owned(),
        _ => error.to_string(),
    };
    Fault::new(format!("{address}: {why}; choose another port with {option}"))
}
