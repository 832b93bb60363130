//! Avatars, motions and performers: how they begin and end.

use crate::handles::Table;
use crate::raw::{Page, list, put, text};
use crate::status::{Fault, Result, Status, guard};
use std::collections::BTreeMap;
use std::ffi::c_char;
use vivant_host::{Avatar, Hosted, Motions, Role};

static AVATARS: Table<Avatar> = Table::new(1, "avatar");
static MOTIONS: Table<Motions> = Table::new(2, "motions");
pub(crate) static PERFORMERS: Table<Performer> = Table::new(3, "performer");

/// A body that performers can have.
pub type AvatarHandle = u64;

/// What performers can do with their bodies.
pub type MotionsHandle = u64;

/// One character that lives.
pub type PerformerHandle = u64;

/// A performer, and what has happened that nobody has read yet.
pub(crate) struct Performer {
    pub(crate) hosted: Hosted,
    /// A line of JSON an event.
    pub(crate) events: String,
}

/// Makes something, and puts its handle where the caller wants it: 0 if it could not be made.
///
/// # Safety
/// `place` is null, or the caller's own.
unsafe fn make<T>(table: &Table<T>, place: *mut u64, making: impl FnOnce() -> Result<T>) -> Status {
    guard(|| {
        // SAFETY: the caller says so. It is looked at first, so that nothing is made that nobody could release.
        unsafe { put("handle", place, 0) }?;
        let handle = table.add(making()?);
        // SAFETY: as above.
        unsafe { put("handle", place, handle) }
    })
}

/// Reads an avatar from the bytes of a VRM, GLB or FBX file. `name` is for messages.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_avatar_read(
    name: *const c_char,
    bytes: *const u8,
    size: usize,
    avatar: *mut AvatarHandle,
) -> Status {
    let read = || {
        // SAFETY: the header asks for it.
        let (name, bytes) = unsafe { (text("name", name)?, list("bytes", bytes, size)?) };
        Ok(Avatar::read(name, bytes)?)
    };
    // SAFETY: the header asks for it.
    unsafe { make(&AVATARS, avatar, read) }
}

/// An avatar that you have loaded yourself, by where its bones are in the T-pose: a JSON document such as
/// {"version": 1, "bones": {"hips": [0, 1, 0], "head": [0, 1.5, 0]}, "expressions": ["blink", "aa"]},
/// in metres, right-handed, Y up, facing +Z.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_avatar_of_bones(json: *const c_char, avatar: *mut AvatarHandle) -> Status {
    let read = || {
        // SAFETY: the header asks for it.
        let json = unsafe { text("json", json) }?;
        Ok(Avatar::of_rig(json.as_bytes())?)
    };
    // SAFETY: the header asks for it.
    unsafe { make(&AVATARS, avatar, read) }
}

/// The avatar's bones and expressions as JSON, and the nodes and morph targets of its own file that show them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_avatar_info(
    avatar: AvatarHandle,
    text: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Status {
    guard(|| {
        let avatar = AVATARS.get(avatar)?;
        let info = json(avatar.lock()?.info())?;
        // SAFETY: the header asks for it.
        unsafe { Page { text, capacity, size }.write(&info) }.map(drop)
    })
}

pub(crate) fn json(value: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Fault::new(Status::VivantPanic, error.to_string()))
}

/// The motions of the built-in character: stances, gestures, fidgets. They are made once, which takes a second or
/// two, and then stay in memory until the program ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_motions_built_in(motions: *mut MotionsHandle) -> Status {
    // SAFETY: the header asks for it.
    unsafe { make(&MOTIONS, motions, || Ok(Motions::built_in())) }
}

/// No motions: the body stands, and eyes, lids, head, breath and mouth live. Files that are added are played one
/// after another.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_motions_none(motions: *mut MotionsHandle) -> Status {
    // SAFETY: the header asks for it.
    unsafe { make(&MOTIONS, motions, || Ok(Motions::none())) }
}

/// The motions of a repertoire.json. Add every file that it names, but those of the built-in character.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_motions_of_repertoire(
    json: *const c_char,
    motions: *mut MotionsHandle,
) -> Status {
    let read = || {
        // SAFETY: the header asks for it.
        let json = unsafe { text("json", json) }?;
        Ok(Motions::of_repertoire(json.as_bytes(), BTreeMap::new())?)
    };
    // SAFETY: the header asks for it.
    unsafe { make(&MOTIONS, motions, read) }
}

/// Adds the clips of a file (BVH, FBX, GLB, VRMA), by its name as the repertoire spells it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_motions_add_file(
    motions: MotionsHandle,
    name: *const c_char,
    bytes: *const u8,
    size: usize,
) -> Status {
    guard(|| {
        let motions = MOTIONS.get(motions)?;
        // SAFETY: the header asks for it.
        let (name, bytes) = unsafe { (text("name", name)?, list("bytes", bytes, size)?) };
        Ok(motions.lock()?.add_file(name, bytes)?)
    })
}

/// What it does where nobody asks: a behaviour.json. Without one there is a standard.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_motions_behave(motions: MotionsHandle, json: *const c_char) -> Status {
    guard(|| {
        let motions = MOTIONS.get(motions)?;
        // SAFETY: the header asks for it.
        let json = unsafe { text("json", json) }?;
        let mut motions = motions.lock()?;
        *motions = motions.clone().behaving(json.as_bytes())?;
        Ok(())
    })
}

/// Lets a performer begin. `role` is JSON such as {"seed": 7, "unasked": false}, or NULL for the usual; the same role
/// is the same performance, to the bit. Avatar and motions may be released when this returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_performer_new(
    avatar: AvatarHandle,
    motions: MotionsHandle,
    role: *const c_char,
    performer: *mut PerformerHandle,
) -> Status {
    let begin = || {
        let (avatar, motions) = (AVATARS.get(avatar)?, MOTIONS.get(motions)?);
        // SAFETY: the header asks for it.
        let role = unsafe { role_of(role) }?;
        // A copy shares the clips: so nobody waits while they are fitted to the avatar.
        let motions = motions.lock()?.clone();
        let hosted = Hosted::new(&*avatar.lock()?, &motions, &role)?;
        Ok(Performer { hosted, events: String::new() })
    };
    // SAFETY: the header asks for it.
    unsafe { make(&PERFORMERS, performer, begin) }
}

/// Another performer with the same body and motions, which they share: for crowds. Much faster than a new one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_performer_another(
    performer: PerformerHandle,
    role: *const c_char,
    another: *mut PerformerHandle,
) -> Status {
    let begin = || {
        let first = PERFORMERS.get(performer)?;
        // SAFETY: the header asks for it.
        let role = unsafe { role_of(role) }?;
        let hosted = first.lock()?.hosted.another(&role);
        Ok(Performer { hosted, events: String::new() })
    };
    // SAFETY: the header asks for it.
    unsafe { make(&PERFORMERS, another, begin) }
}

/// # Safety
/// As for [`text`].
unsafe fn role_of(role: *const c_char) -> Result<Role> {
    if role.is_null() {
        return Ok(Role::default());
    }
    // SAFETY: the caller says so.
    let role = unsafe { text("role", role) }?;
    Ok(Role::read(role).map_err(|error| error.in_file("role"))?)
}

/// Frees an avatar, motions or a performer. 0 is none, and fine.
#[unsafe(no_mangle)]
pub extern "C" fn vivant_release(handle: u64) -> Status {
    guard(|| {
        let was_here =
            handle == 0 || PERFORMERS.remove(handle) || MOTIONS.remove(handle) || AVATARS.remove(handle);
        let message = || format!("{handle:#x} was released already, or never made");
        if was_here { Ok(()) } else { Err(Fault::new(Status::VivantBadHandle, message())) }
    })
}
