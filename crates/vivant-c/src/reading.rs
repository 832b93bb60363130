//! Time, and the frame at it.

use crate::making::{PERFORMERS, PerformerHandle};
use crate::raw::{Page, list, put, room, text};
use crate::status::{Fault, Result, Status, guard};
use crate::{VIVANT_BONES, VIVANT_SIGNALS};
use std::ffi::c_char;
use vivant::rig::{Bone, Channel};
use vivant_host::Hosted;
use vivant_host::signals::SIGNALS;
use vivant_io::json::words;

/// The most that a performer is advanced at once, in seconds. Whoever asks for more has given milliseconds, or the
/// time of day, and would wait for years that are lived through.
const MOST_AHEAD_SECS: f64 = 36_000.0;

/// Advances a performer to `t`, in seconds since it began, at most ten hours at once. It allocates nothing, and gives
/// the same frame however it got there; an earlier `t` changes nothing.
#[unsafe(no_mangle)]
pub extern "C" fn vivant_advance(performer: PerformerHandle, t: f64) -> Status {
    guard(|| advance(performer, t))
}

fn advance(performer: PerformerHandle, t: f64) -> Result<()> {
    let performer = PERFORMERS.get(performer)?;
    let mut performer = performer.lock()?;
    let now = performer.hosted.frame().time();
    // What is no number is not ahead of anything.
    if t - now <= MOST_AHEAD_SECS {
        performer.hosted.advance_to(t);
        return Ok(());
    }
    Err(Fault::value(format!(
        "t: {t} is not within {MOST_AHEAD_SECS} s of {now}; give seconds since the performer began"
    )))
}

/// Advances many performers to `t`, one after another. One that cannot be does not keep the others: the status is
/// that of the first that could not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_advance_all(
    performers: *const PerformerHandle,
    count: usize,
    t: f64,
) -> Status {
    guard(|| {
        // SAFETY: the header asks for it.
        let performers = unsafe { list("performers", performers, count) }?;
        let mut all = Ok(());
        for performer in performers {
            // All go on, whatever became of those before.
            let one = advance(*performer, t);
            all = all.and(one);
        }
        all
    })
}

/// Shows the last frame of a performer to someone.
fn see(performer: PerformerHandle, look: impl FnOnce(&Hosted) -> Result<()>) -> Status {
    guard(|| look(&PERFORMERS.get(performer)?.lock()?.hosted))
}

/// The time of the last frame, in seconds.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_time(performer: PerformerHandle, t: *mut f64) -> Status {
    // SAFETY: the header asks for it.
    see(performer, |hosted| unsafe { put("t", t, hosted.frame().time()) })
}

/// Where the hips are: x, y and z in metres.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_root(performer: PerformerHandle, root: *mut f32, count: usize) -> Status {
    see(performer, |hosted| {
        // SAFETY: the header asks for it.
        unsafe { room("root", root, count, 3) }?.copy_from_slice(&hosted.frame().root().to_array());
        Ok(())
    })
}

/// How each of the VIVANT_BONES bones is turned against its parent, as x, y, z, w: 220 numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_rotations(
    performer: PerformerHandle,
    rotations: *mut f32,
    count: usize,
) -> Status {
    see(performer, |hosted| {
        // SAFETY: the header asks for it.
        let room = unsafe { room("rotations", rotations, count, 4 * VIVANT_BONES) }?;
        for (four, bone) in room.as_chunks_mut().0.iter_mut().zip(Bone::ALL) {
            *four = hosted.frame().rotation(bone).to_array();
        }
        Ok(())
    })
}

/// The weights of the avatar's expressions, from 0 to 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_weights(
    performer: PerformerHandle,
    weights: *mut f32,
    count: usize,
) -> Status {
    see(performer, |hosted| {
        let shown = hosted.frame().weights();
        // SAFETY: the header asks for it.
        unsafe { room("weights", weights, count, shown.len()) }?.copy_from_slice(shown);
        Ok(())
    })
}

/// What eyes, lids and head do: VIVANT_SIGNALS numbers, angles in degrees, apertures from 0 to 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_signals(
    performer: PerformerHandle,
    signals: *mut f32,
    count: usize,
) -> Status {
    see(performer, |hosted| {
        // SAFETY: the header asks for it.
        let room = unsafe { room("signals", signals, count, VIVANT_SIGNALS) }?;
        room.iter_mut().zip(hosted.signals()).for_each(|(place, signal)| *place = signal as f32);
        Ok(())
    })
}

/// The name of a bone in VRM 1.0, such as "leftUpperArm", by its number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_bone_name(
    bone: usize,
    text: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Status {
    guard(|| {
        let bone = Bone::ALL.get(bone).ok_or_else(|| beyond("bones", bone, VIVANT_BONES))?;
        // SAFETY: the header asks for it.
        unsafe { Page { text, capacity, size }.write(bone.name()) }.map(drop)
    })
}

/// The number of a bone, by its name in VRM 1.0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_bone_index(name: *const c_char, bone: *mut usize) -> Status {
    guard(|| {
        // SAFETY: the header asks for it.
        let name = unsafe { text("name", name) }?;
        let names = Bone::ALL.iter().map(|bone| bone.name());
        let found = Bone::from_name(name).ok_or_else(|| unknown("bone", name, names))?;
        // SAFETY: the header asks for it.
        unsafe { put("bone", bone, found.index()) }
    })
}

/// How many expressions the performer's avatar has.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_expression_count(performer: PerformerHandle, count: *mut usize) -> Status {
    // SAFETY: the header asks for it.
    see(performer, |hosted| unsafe { put("count", count, hosted.frame().weights().len()) })
}

/// The name of an expression, such as "blinkLeft", by its number.
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
        let found =
            channels.get(expression).ok_or_else(|| beyond("expressions", expression, channels.len()))?;
        // SAFETY: the header asks for it.
        unsafe { Page { text, capacity, size }.write(&found.name) }.map(drop)
    })
}

/// The number of an expression, by any name that VRM, ARKit, Oculus or Ready Player Me has for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_expression_index(
    performer: PerformerHandle,
    name: *const c_char,
    expression: *mut usize,
) -> Status {
    see(performer, |hosted| {
        // SAFETY: the header asks for it.
        let name = unsafe { text("name", name) }?;
        let (wanted, channels) = (Channel::from(name.to_owned()), &hosted.info().channels);
        let found = channels.iter().position(|channel| channel.name == wanted.name());
        let names = channels.iter().map(|channel| channel.name.as_str());
        let found = found.ok_or_else(|| unknown("expression", name, names))?;
        // SAFETY: the header asks for it.
        unsafe { put("expression", expression, found) }
    })
}

/// The name of a signal, such as "eye_left_yaw", by its number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_signal_name(
    signal: usize,
    text: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Status {
    guard(|| {
        let name = SIGNALS.get(signal).ok_or_else(|| beyond("signals", signal, VIVANT_SIGNALS))?;
        // SAFETY: the header asks for it.
        unsafe { Page { text, capacity, size }.write(name) }.map(drop)
    })
}

fn beyond(what: &str, number: usize, count: usize) -> Fault {
    Fault::value(format!("there are {count} {what}, numbered from 0: there is no {number}"))
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Fault {
    Fault::value(format!("there is no {what} “{}”; {}", words::short(name), words::hint(name, known)))
}
