//! Sends intents to performers, and returns events and warnings.

use crate::making::{PERFORMERS, Performer, PerformerHandle, json};
use crate::raw::{Page, list, put, text};
use crate::status::{Result, Status, guard};
use serde_json::json;
use std::ffi::c_char;

/// Value of `intent` if no events will refer to the request.
pub const VIVANT_NO_INTENT: u64 = u64::MAX;

/// Sends a request to a performer, as JSON: an intent such as {"say": "Hello!"} or {"act": "gesture", "clip":
/// "wave"}, or `attend`, `follow` or `temperament`. `intent` receives the id that events use for this request; `intent`
/// may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_tell(
    performer: PerformerHandle,
    json: *const c_char,
    intent: *mut u64,
) -> Status {
    guard(|| {
        let performer = PERFORMERS.get(performer)?;
        // SAFETY: the header requires valid pointers.
        let json = unsafe { text("json", json) }?;
        let number = performer.lock()?.hosted.tell(json)?;
        // SAFETY: the header requires valid pointers.
        unsafe { put_intent(intent, number) }
    })
}

/// Sends a speech line, {"say": "Hello!"}, with the samples of its voice: one channel, 16 bits, `rate` samples per
/// second from 8,000 to 192,000. The mouth follows the voice. Your program plays the samples, starting at the time of
/// the JSON field `at`.
///
/// To stream a voice, send pieces of one `line`: {"say": "", "line": "a", "more": true}.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_tell_with_voice(
    performer: PerformerHandle,
    json: *const c_char,
    rate: u32,
    samples: *const i16,
    count: usize,
    intent: *mut u64,
) -> Status {
    guard(|| {
        let performer = PERFORMERS.get(performer)?;
        // SAFETY: the header requires valid pointers.
        let (json, samples) = unsafe { (text("json", json)?, list("samples", samples, count)?) };
        let number = performer.lock()?.hosted.tell_with_voice(json, rate, samples)?;
        // SAFETY: the header requires valid pointers.
        unsafe { put_intent(intent, number) }
    })
}

/// Writes the id of a request, or [`VIVANT_NO_INTENT`] without an id. Does nothing if `intent` is NULL.
///
/// # Safety
///
/// Same as for [`put`].
unsafe fn put_intent(intent: *mut u64, number: Option<u64>) -> Result<()> {
    if intent.is_null() {
        return Ok(());
    }
    // SAFETY: guaranteed by the caller.
    unsafe { put("intent", intent, number.unwrap_or(VIVANT_NO_INTENT)) }
}

/// Sets the point that the eyes attend to, in metres. Call it again when the point moves; it may be called in every
/// frame.
#[unsafe(no_mangle)]
pub extern "C" fn vivant_attend(performer: PerformerHandle, x: f64, y: f64, z: f64) -> Status {
    guard(|| Ok(PERFORMERS.get(performer)?.lock()?.hosted.attend([x, y, z])?))
}

/// Keeps the gaze on a point in metres. Call it again when the point moves.
#[unsafe(no_mangle)]
pub extern "C" fn vivant_follow(performer: PerformerHandle, x: f64, y: f64, z: f64) -> Status {
    guard(|| Ok(PERFORMERS.get(performer)?.lock()?.hosted.follow(Some([x, y, z]))?))
}

/// Ends vivant_follow(): the gaze is free again.
#[unsafe(no_mangle)]
pub extern "C" fn vivant_look_freely(performer: PerformerHandle) -> Status {
    guard(|| Ok(PERFORMERS.get(performer)?.lock()?.hosted.follow(None)?))
}

/// Turns events about actions, blinks, gaze shifts and lines on (1) or off (0). These events cost some time in each
/// frame and may allocate. By default they are off; events about requests that could not be met are always on.
#[unsafe(no_mangle)]
pub extern "C" fn vivant_watch(performer: PerformerHandle, watches: i32) -> Status {
    guard(|| {
        PERFORMERS.get(performer)?.lock()?.hosted.watch(watches != 0);
        Ok(())
    })
}

/// Returns the events since the last call, one line of JSON each, such as {"at":2.5,"what":"blink"}. The events are
/// kept if only the size was requested or the buffer was too small.
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
        // SAFETY: the header requires valid pointers.
        if unsafe { Page { text, capacity, size }.write(&performer.events) }? {
            performer.events = String::new();
        }
        Ok(())
    })
}

impl Performer {
    /// Adds new events to the unread ones.
    fn note_events(&mut self) -> Result<()> {
        for (at, what) in self.hosted.take_events() {
            self.events += &json(&json!({ "at": at, "what": what }))?;
            self.events.push('\n');
        }
        Ok(())
    }
}

/// Returns warnings about data that was dropped or guessed when avatar and motions were read, one per line.
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
        // SAFETY: the header requires valid pointers.
        unsafe { Page { text, capacity, size }.write(&lines) }.map(drop)
    })
}
