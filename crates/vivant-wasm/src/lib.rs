//! Vivant in WebAssembly: bindings alone, of which `packages/vivant` makes what people import.
//!
//! Nothing here decides anything: bytes and JSON come in, and [`vivant_host`] does the rest. A frame is laid out as
//! JavaScript wants it and stays where it is in memory, so that a page looks at it without copying it.

#![forbid(unsafe_code)]

mod body;
mod player;

use std::hint::black_box;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use vivant::rig::Expression;
use vivant::speech::audio::LipSyncModel;
use vivant_host::signals::SIGNALS;
use wasm_bindgen::prelude::*;

pub use body::{Body, CharacterFiles, Eyes, Making, Moves, Whole};
pub use player::Player;

/// The version of the package.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Has the memory grow once by so many bytes, instead of a little at a time, which browsers are slow at.
#[wasm_bindgen]
pub fn reserve(bytes: usize) {
    drop(black_box(Vec::<u8>::with_capacity(bytes)));
}

/// What the numbers among a frame's signals are called.
#[wasm_bindgen(js_name = signalNames)]
#[must_use]
pub fn signal_names() -> Vec<String> {
    SIGNALS.iter().map(ToString::to_string).collect()
}

/// The model of audio lip-sync, which performers share.
#[wasm_bindgen]
pub struct LipSync(Arc<LipSyncModel>);

#[wasm_bindgen]
impl LipSync {
    /// Decodes the bytes of the package's `lip-sync.lzma`, unpacked.
    ///
    /// # Errors
    /// If they are something else.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8]) -> Result<Self, JsError> {
        LipSyncModel::from_bytes(bytes).map(|model| Self(Arc::new(model))).map_err(error)
    }
}

/// What Vivant calls an expression that an avatar has under any name of VRM, ARKit, Oculus or Ready Player Me.
#[wasm_bindgen(js_name = expressionOf)]
#[must_use]
pub fn expression_of(name: &str) -> String {
    Expression::recognise(name).map_or_else(|| name.to_owned(), |expression| expression.name().to_owned())
}

/// What should never happen and did, last: all that a page sees of it by itself is “unreachable”. The hook only writes
/// it down and returns, because one that throws would be the last one to run.
static LAST_FAULT: Mutex<String> = Mutex::new(String::new());

/// Lets what should never happen be written down.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|fault| *last_fault() = fault.to_string()));
}

/// What should never happen and did since this was last asked; empty if nothing did.
#[wasm_bindgen(js_name = takeFault)]
#[must_use]
pub fn take_fault() -> String {
    std::mem::take(&mut *last_fault())
}

fn last_fault() -> MutexGuard<'static, String> {
    LAST_FAULT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Fails as what should never happen does, so that a test can see what a page sees then.
#[wasm_bindgen]
pub fn fail() {
    panic!("this was asked for");
}

/// What went wrong, as an `Error` with the same words.
fn error(error: impl std::fmt::Display) -> JsError {
    JsError::new(&error.to_string())
}
