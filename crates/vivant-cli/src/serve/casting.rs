//! Creates performers for the cast requests of clients.
//!
//! Both the WebSocket and HTTP call [`cast`], which returns the descriptions of the new performers. Loading a character
//! can be slow, so all performers are created on a blocking thread first. Then the clock starts them together, at the
//! same instant. The role combines the request with the defaults of the command line ([`Manner`]): a request may
//! replace the temperament, but a liveliness of 0 always turns off unasked actions.

use super::ServerState;
use super::answer::{Answer, Refused, run_blocking};
use super::hub::{ENDING, NewPerformer, Order};
use super::show::Role;
use crate::fault::{Fault, Kind};
use crate::workspace::Workspace;
use axum::http::StatusCode;
use std::sync::Arc;
use tokio::sync::oneshot;
use vivant::eyes::Temperament;
use vivant_io::json::protocol::{Cast, MAIN, PerformerInfo};

/// Defaults for performers, from the command line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    pub(super) liveliness: f64,
    pub(super) attend: Option<[f64; 3]>,
}

impl Manner {
    fn temper(self, temperament: Temperament) -> Temperament {
        Temperament { liveliness: self.liveliness * temperament.liveliness, ..temperament }
    }
}

/// Starts all performers at the same instant. Performers with `mine` end when the connection ends.
pub(super) async fn cast(
    state: &Arc<ServerState>,
    all: Vec<Cast>,
    owner: Option<u64>,
) -> Answer<Vec<PerformerInfo>> {
    let played = state.hub.performer(MAIN).ok().and_then(|slot| slot.newest());
    let played = played.map_or_else(|| state.workspace.first(), |newest| newest.performer().character);
    let (workspace, manner) = (Arc::clone(&state.workspace), state.manner);
    let entrance = move |cast| entrance(&workspace, manner, &played, cast, owner);
    let all = run_blocking(move || all.into_iter().map(entrance).collect::<Answer<Vec<_>>>()).await?;
    let (reply, answer) = oneshot::channel();
    state.hub.order(Order::Cast { all, reply });
    let answer = answer.await.unwrap_or_else(|_| Err(ENDING.to_owned()));
    answer.map_err(|message| Refused(StatusCode::CONFLICT, message))
}

fn entrance(
    workspace: &Workspace,
    manner: Manner,
    played: &str,
    cast: Cast,
    owner: Option<u64>,
) -> Answer<NewPerformer> {
    let id = cast.character.as_deref().unwrap_or(played);
    let fault = |fault: Fault| {
        let Refused(status, message) = fault.into();
        Refused(status, format!("{}: {message}", cast.performer))
    };
    let invalid = |error: Fault| fault(error.of_kind(Kind::Invalid));
    let ready = workspace.ready(id).map_err(fault)?;
    let role = Role {
        begins: vivant_host::Role {
            seed: cast.seed,
            temperament: cast.temperament.unwrap_or_else(|| manner.temper(ready.bound.temperament)),
            unasked: cast.unasked && manner.liveliness > 0.0,
            lives: manner.liveliness > 0.0 || cast.temperament.is_some(),
            attend: manner.attend,
        },
        ready,
    };
    let hosted = match &cast.clip {
        None => role.performer_with(&cast.script).map_err(invalid)?,
        Some(part) => {
            let clip = workspace.clip(id, &part.clip).map_err(fault)?;
            role.preview(&clip, (part.start, part.end))
        }
    };
    let is_preview = cast.clip.is_some();
    let owner = owner.filter(|_| cast.mine);
    Ok(NewPerformer { name: cast.performer, role, hosted, is_preview, owner })
}
