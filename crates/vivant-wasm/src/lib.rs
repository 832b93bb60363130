//! Vivant in WebAssembly: bindings, which `packages/vivant` wraps for users.
//!
//! There is no logic here: input is bytes and JSON, and [`vivant_host`] does the rest. A frame has the layout that
//! JavaScript needs and a fixed address in memory, so that a page reads it without a copy.

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

/// Returns the version of the package.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Grows the memory by `bytes` in one step, because many small steps are slow in browsers.
#[wasm_bindgen]
pub fn reserve(bytes: usize) {
    drop(black_box(Vec::<u8>::with_capacity(bytes)));
}

/// Returns the names of a frame's signals.
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
    /// If the bytes are not a lip-sync model.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8]) -> Result<Self, JsError> {
        LipSyncModel::from_bytes(bytes).map(|model| Self(Arc::new(model))).map_err(error)
    }
}

/// Converts the name of an expression in VRM, ARKit, Oculus or Ready Player Me to Vivant's name. Unknown names are
/// returned unchanged.
#[wasm_bindgen(js_name = expressionOf)]
#[must_use]
pub fn expression_of(name: &str) -> String {
    Expression::recognise(name).map_or_else(|| name.to_owned(), |expression| expression.name().to_owned())
}

/// Message of the last panic, since the error that a page gets is only “unreachable”. The panic hook only stores the
/// message. It must not throw: after a hook has thrown, hooks no longer run.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// Installs a hook that stores the messages of panics.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|fault| *last_fault() = fault.to_string()));
}

/// Takes the message of the last panic; empty if there was none since the last call.
#[wasm_bindgen(js_name = takePanicMessage)]
#[must_use]
pub fn take_panic_message() -> String {
    std::mem::take(&mut *last_fault())
}

fn last_fault() -> MutexGuard<'static, String> {
    LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Panics, so that tests can check the error that a page gets.
#[wasm_bindgen]
pub fn fail() {
    panic!("test panic");
}

/// Converts an error to a JavaScript `Error` with the same message.
fn error(error: impl std::fmt::Display) -> JsError {
    JsError::new(&error.to_string())
}
