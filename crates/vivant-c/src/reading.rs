//! Advances performers and reads their frames.

use crate::making::{PERFORMERS, PerformerHandle};
use crate::raw::{Page, list, put, room, text};
use crate::status::{Fault, Result, Status, guard};
use crate::{VIVANT_BONES, VIVANT_SIGNALS};
use std::ffi::c_char;
use vivant::rig::{Bone, Channel};
use vivant_host::Hosted;
use vivant_host::signals::SIGNALS;
use vivant_io::json::words;

/// Maximum seconds that a performer advances at once. A larger step is a mistake, such as a time in milliseconds or
/// the time of day, and would take very long.
const MAX_AHEAD_SECS: f64 = 36_000.0;

/// Advances a performer to `t`, in seconds since its start, at most ten hours at once. The frame at `t` does not
/// depend on the number of calls before. A `t` before the last frame changes nothing. The call does not allocate.
#[unsafe(no_mangle)]
pub extern "C" fn vivant_advance(performer: PerformerHandle, t: f64) -> Status {
    guard(|| advance(performer, t))
}

fn advance(performer: PerformerHandle, t: f64) -> Result<()> {
    let performer = PERFORMERS.get(performer)?;
    let mut performer = performer.lock()?;
    let now = performer.hosted.frame().time();
    // The comparison is false for NaN.
    if t - now <= MAX_AHEAD_SECS {
        performer.hosted.advance_to(t);
        return Ok(());
    }
    Err(Fault::value(format!(
        "t: {t} is not within {MAX_AHEAD_SECS} s of {now}; give seconds since the start of the performer"
    )))
}

/// Advances many performers to `t`, one after another. If one fails, the others still advance; the status is that of
/// the first failure.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_advance_all(
    performers: *const PerformerHandle,
    count: usize,
    t: f64,
) -> Status {
    guard(|| {
        // SAFETY: the header requires valid pointers.
        let performers = unsafe { list("performers", performers, count) }?;
        let mut all = Ok(());
        for performer in performers {
            // Continue after failures.
            let one = advance(*performer, t);
            all = all.and(one);
        }
        all
    })
}

/// Calls `look` with a performer.
fn see(performer: PerformerHandle, look: impl FnOnce(&Hosted) -> Result<()>) -> Status {
    guard(|| look(&PERFORMERS.get(performer)?.lock()?.hosted))
}

/// Returns the time of the last frame in seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_time(performer: PerformerHandle, t: *mut f64) -> Status {
    // SAFETY: the header requires valid pointers.
    see(performer, |hosted| unsafe { put("t", t, hosted.frame().time()) })
}

/// Returns the position of the hips: x, y and z in metres.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_root(performer: PerformerHandle, root: *mut f32, count: usize) -> Status {
    see(performer, |hosted| {
        // SAFETY: the header requires valid pointers.
        unsafe { room("root", root, count, 3) }?.copy_from_slice(&hosted.frame().root().to_array());
        Ok(())
    })
}

/// Returns the rotation of each of the VIVANT_BONES bones relative to its parent, as x, y, z, w: 220 numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_rotations(
    performer: PerformerHandle,
    rotations: *mut f32,
    count: usize,
) -> Status {
    see(performer, |hosted| {
        // SAFETY: the header requires valid pointers.
        let room = unsafe { room("rotations", rotations, count, 4 * VIVANT_BONES) }?;
        for (four, bone) in room.as_chunks_mut().0.iter_mut().zip(Bone::ALL) {
            *four = hosted.frame().rotation(bone).to_array();
        }
        Ok(())
    })
}

/// Returns the weights of the avatar's expressions from 0 to 1, in the order of vivant_expression_name().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_weights(
    performer: PerformerHandle,
    weights: *mut f32,
    count: usize,
) -> Status {
    see(performer, |hosted| {
        let shown = hosted.frame().weights();
        // SAFETY: the header requires valid pointers.
        unsafe { room("weights", weights, count, shown.len()) }?.copy_from_slice(shown);
        Ok(())
    })
}

/// Returns the signals of eyes, lids and head: VIVANT_SIGNALS numbers in the order of vivant_signal_name(); angles
/// are in degrees, apertures from 0 to 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_signals(
    performer: PerformerHandle,
    signals: *mut f32,
    count: usize,
) -> Status {
    see(performer, |hosted| {
        // SAFETY: the header requires valid pointers.
        let room = unsafe { room("signals", signals, count, VIVANT_SIGNALS) }?;
        room.iter_mut().zip(hosted.signals()).for_each(|(place, signal)| *place = signal as f32);
        Ok(())
    })
}

/// Returns the name of a bone in VRM 1.0, such as "leftUpperArm", by its index.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_bone_name(
    bone: usize,
    text: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Status {
    guard(|| {
        let bone = Bone::ALL.get(bone).ok_or_else(|| out_of_range("bones", bone, VIVANT_BONES))?;
        // SAFETY: the header requires valid pointers.
        unsafe { Page { text, capacity, size }.write(bone.name()) }.map(drop)
    })
}

/// Returns the index of a bone by its name in VRM 1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_bone_index(name: *const c_char, bone: *mut usize) -> Status {
    guard(|| {
        // SAFETY: the header requires valid pointers.
        let name = unsafe { text("name", name) }?;
        let names = Bone::ALL.iter().map(|bone| bone.name());
        let found = Bone::from_name(name).ok_or_else(|| unknown("bone", name, names))?;
        // SAFETY: the header requires valid pointers.
        unsafe { put("bone", bone, found.index()) }
    })
}

/// Returns the number of expressions of the performer's avatar.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_expression_count(performer: PerformerHandle, count: *mut usize) -> Status {
    // SAFETY: the header requires valid pointers.
    see(performer, |hosted| unsafe { put("count", count, hosted.frame().weights().len()) })
}

/// Returns the name of an expression, such as "blinkLeft", by its index.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_expression_name(
    performer: PerformerHandle,
    expression: usize,
    text: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Status {
    see(performer, |hosted| {
        let channels = &hosted.info().channels;
        let found = channels
            .get(expression)
            .ok_or_else(|| out_of_range("expressions", expression, channels.len()))?;
        // SAFETY: the header requires valid pointers.
        unsafe { Page { text, capacity, size }.write(&found.name) }.map(drop)
    })
}

/// Returns the index of an expression by any of its names in VRM, ARKit, Oculus or Ready Player Me.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_expression_index(
    performer: PerformerHandle,
    name: *const c_char,
    expression: *mut usize,
) -> Status {
    see(performer, |hosted| {
        // SAFETY: the header requires valid pointers.
        let name = unsafe { text("name", name) }?;
        let (wanted, channels) = (Channel::from(name.to_owned()), &hosted.info().channels);
        let found = channels.iter().position(|channel| channel.name == wanted.name());
        let names = channels.iter().map(|channel| channel.name.as_str());
        let found = found.ok_or_else(|| unknown("expression", name, names))?;
        // SAFETY: the header requires valid pointers.
        unsafe { put("expression", expression, found) }
    })
}

/// Returns the name of a signal, such as "eye_left_yaw", by its index.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_signal_name(
    signal: usize,
    text: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Status {
    guard(|| {
        let name = SIGNALS.get(signal).ok_or_else(|| out_of_range("signals", signal, VIVANT_SIGNALS))?;
        // SAFETY: the header requires valid pointers.
        unsafe { Page { text, capacity, size }.write(name) }.map(drop)
    })
}

fn out_of_range(what: &str, number: usize, count: usize) -> Fault {
    Fault::value(format!("index {number} is out of range: there are {count} {what}, numbered from 0"))
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Fault {
    Fault::value(format!("there is no {what} “{}”; {}", words::short(name), words::hint(name, known)))
}
