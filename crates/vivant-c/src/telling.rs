//! What a performer is told, and what it tells.

use crate::making::{PERFORMERS, Performer, PerformerHandle, json};
use crate::raw::{Page, list, put, text};
use crate::status::{Result, Status, guard};
use serde_json::json;
use std::ffi::c_char;

/// What `wish` is where nothing will be told of it.
pub const VIVANT_NO_WISH: u64 = u64::MAX;

/// Tells a performer something, as JSON: an intent such as {"say": "Hello!"} or {"act": "gesture", "clip": "wave"},
/// `attend`, `follow` or `temperament`. `wish` gets the number by which events speak of it; it may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_tell(
    performer: PerformerHandle,
    json: *const c_char,
    wish: *mut u64,
) -> Status {
    guard(|| {
        let performer = PERFORMERS.get(performer)?;
        // SAFETY: the header asks for it.
        let json = unsafe { text("json", json) }?;
        let number = performer.lock()?.hosted.tell(json)?;
        // SAFETY: the header asks for it.
        unsafe { put_wish(wish, number) }
    })
}

/// Tells a performer a line, {"say": "Hello!"}, together with samples of its voice: one channel of 16 bits at `rate` a
/// second, from 8,000 to 192,000. The mouth follows the voice, which you play yourself from the instant `at`.
///
/// To give a voice as it comes, send piece after piece of one `line`: {"say": "", "line": "a", "more": true}.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_tell_with_voice(
    performer: PerformerHandle,
    json: *const c_char,
    rate: u32,
    samples: *const i16,
    count: usize,
    wish: *mut u64,
) -> Status {
    guard(|| {
        let performer = PERFORMERS.get(performer)?;
        // SAFETY: the header asks for it.
        let (json, samples) = unsafe { (text("json", json)?, list("samples", samples, count)?) };
        let number = performer.lock()?.hosted.tell_with_voice(json, rate, samples)?;
        // SAFETY: the header asks for it.
        unsafe { put_wish(wish, number) }
    })
}

/// # Safety
/// As for [`put`].
unsafe fn put_wish(wish: *mut u64, number: Option<u64>) -> Result<()> {
    if wish.is_null() {
        return Ok(());
    }
    // SAFETY: the caller says so.
    unsafe { put("wish", wish, number.unwrap_or(VIVANT_NO_WISH)) }
}

/// Someone is here, in metres: the eyes attend to them, and follow when they move. Say it at every frame if you like.
#[unsafe(no_mangle)]
pub extern "C" fn vivant_attend(performer: PerformerHandle, x: f64, y: f64, z: f64) -> Status {
    guard(|| Ok(PERFORMERS.get(performer)?.lock()?.hosted.attend([x, y, z])?))
}

/// Keep looking at this place, in metres, which may move.
#[unsafe(no_mangle)]
pub extern "C" fn vivant_follow(performer: PerformerHandle, x: f64, y: f64, z: f64) -> Status {
    guard(|| Ok(PERFORMERS.get(performer)?.lock()?.hosted.follow(Some([x, y, z]))?))
}

/// Look where it likes again.
#[unsafe(no_mangle)]
pub extern "C" fn vivant_look_freely(performer: PerformerHandle) -> Status {
    guard(|| Ok(PERFORMERS.get(performer)?.lock()?.hosted.follow(None)?))
}

/// Whether (1) or not (0) it watches itself, so that there are events: actions, blinks, gaze shifts, lines. That
/// costs a little at each frame, and may allocate. At first it does not, and only tells what could not be done.
#[unsafe(no_mangle)]
pub extern "C" fn vivant_watch(performer: PerformerHandle, watches: i32) -> Status {
    guard(|| {
        PERFORMERS.get(performer)?.lock()?.hosted.watch(watches != 0);
        Ok(())
    })
}

/// What has happened, a line of JSON each, such as {"at":2.5,"what":"blink"}. What was written is forgotten; who only
/// asks for the size, or has too little room, may ask again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_events(
    performer: PerformerHandle,
    text: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Status {
    guard(|| {
        let performer = PERFORMERS.get(performer)?;
        let mut performer = performer.lock()?;
        performer.note_events()?;
        // SAFETY: the header asks for it.
        if unsafe { Page { text, capacity, size }.write(&performer.events) }? {
            performer.events = String::new();
        }
        Ok(())
    })
}

impl Performer {
    /// Takes what has happened into its notes.
    fn note_events(&mut self) -> Result<()> {
        for (at, what) in self.hosted.take_events() {
            self.events += &json(&json!({ "at": at, "what": what }))?;
            self.events.push('\n');
        }
        Ok(())
    }
}

/// What was dropped or guessed when avatar and motions were read, a line each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_warnings(
    performer: PerformerHandle,
    text: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Status {
    guard(|| {
        let performer = PERFORMERS.get(performer)?;
        let performer = performer.lock()?;
        let lines: String =
            performer.hosted.warnings().iter().map(|warning| format!("{warning}\n")).collect();
        // SAFETY: the header asks for it.
        unsafe { Page { text, capacity, size }.write(&lines) }.map(drop)
    })
}
