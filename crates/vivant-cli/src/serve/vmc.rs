//! VMC over UDP: a performer goes out, and a tracked one comes in.
//!
//! Both are doors like the socket: what goes out are the frames that everyone sees, and what comes in is asked of
//! the clock like everything else, so that it is kept with the past and can be played again.

mod input;
mod out;

use super::House;
use super::answer::apart;
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

/// Open sockets, and what goes through them.
pub(super) struct Lines {
    out: Option<Out>,
    input: Option<Input>,
}

impl Lines {
    /// Opens what the command line asks for.
    ///
    /// # Errors
    /// If a host is not known, a port is taken, other computers could send and none is named, or all would go round in
    /// circles.
    pub(super) async fn open(args: &Vmc) -> Result<Self> {
        let out = if args.vmc.is_empty() { None } else { Some(Out::open(args).await?) };
        let input = match args.vmc_in {
            Some(address) => Some(Input::open(address, args).await?),
            None => None,
        };
        let back = input.as_ref().map(Input::address);
        if let Some(address) = out.iter().flat_map(Out::addresses).find(|to| Some(**to) == back) {
            return Err(Fault::new(format!(
                "{address}: what is sent would come in again; give --vmc and --vmc-in different ports"
            )));
        }
        Ok(Self { out, input })
    }

    /// Where what goes, for programs: {"vmc": {"to": […], "in": …}}.
    pub(super) fn told(&self) -> Option<Value> {
        let to = self
            .out
            .as_ref()
            .map(|out| out.addresses().iter().map(SocketAddr::to_string).collect::<Vec<_>>());
        let from = self.input.as_ref().map(|input| input.address().to_string());
        (to.is_some() || from.is_some()).then(|| json!({ "to": to.unwrap_or_default(), "in": from }))
    }

    /// … and for people.
    pub(super) fn sentences(&self) -> Vec<String> {
        let out =
            self.out.iter().flat_map(|out| out.addresses().iter().map(|to| format!("VMC goes to {to}")));
        let input = self.input.iter().map(|input| format!("VMC comes in at {}", input.address()));
        out.chain(input).collect()
    }

    /// Lets them run until the server ends.
    pub(super) fn run(self, house: &Arc<House>) {
        if let Some(out) = self.out {
            tokio::spawn(out.run(Arc::clone(house)));
        }
        if let Some(input) = self.input {
            tokio::spawn(input.run(Arc::clone(house)));
        }
    }
}

/// Which avatar is on stage: that of which character, and the how-manieth.
type Body = (String, u64);

fn body_of(newest: &Newest) -> Body {
    let info = newest.performer();
    (info.character, info.avatar)
}

/// The character that is on stage; `None` if it is about to change.
async fn ready(house: &Arc<House>, (character, avatar): &Body) -> Option<Arc<Ready>> {
    let (workspace, id) = (Arc::clone(&house.workspace), character.clone());
    let ready = apart(move || Ok(workspace.ready(&id)?)).await.ok()?;
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
        std::io::ErrorKind::AddrInUse => "another program receives there".to_owned(),
        _ => error.to_string(),
    };
    Fault::new(format!("{address}: {why}; choose another port with {option}"))
}
