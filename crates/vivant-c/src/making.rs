//! Creates and releases avatars, motions, characters and performers.

use crate::handles::Table;
use crate::raw::{Page, list, put, text};
use crate::status::{Fault, Result, Status, guard};
use std::collections::BTreeMap;
use std::ffi::c_char;
use vivant_host::files::FileMap;
use vivant_host::{Avatar, Character, Hosted, Motions, Role};

static AVATARS: Table<Avatar> = Table::new(1, "avatar");
static MOTIONS: Table<Motions> = Table::new(2, "motions");
pub(crate) static PERFORMERS: Table<Performer> = Table::new(3, "performer");
static CHARACTERS: Table<Character> = Table::new(4, "character");

/// An avatar for performers.
pub type AvatarHandle = u64;

/// Motions for performers: stances, gestures, fidgets and transitions.
pub type MotionsHandle = u64;

/// A running character.
pub type PerformerHandle = u64;

/// A whole character: avatar, repertoire, behaviour model, temperament, blink model and eye texture.
pub type CharacterHandle = u64;

/// A file of a character's folder.
#[repr(C)]
pub struct File {
    /// Name of the file relative to the folder, with `/` between folders, such as "clips/wave.fbx".
    pub name: *const c_char,
    /// Content of the file.
    pub bytes: *const u8,
    /// Size of the content in bytes.
    pub size: usize,
}

/// A performer with its unread events.
pub(crate) struct Performer {
    pub(crate) hosted: Hosted,
    /// One line of JSON per event.
    pub(crate) events: String,
}

/// Creates an object and writes its handle to `place`; 0 on failure.
///
/// # Safety
/// `place` is null or valid for writes.
unsafe fn make<T>(table: &Table<T>, place: *mut u64, making: impl FnOnce() -> Result<T>) -> Status {
    guard(|| {
        // SAFETY: guaranteed by the caller. 0 is written first, so that no object is created if `place` is null.
        unsafe { put("handle", place, 0) }?;
        let handle = table.add(making()?);
        // SAFETY: same as above.
        unsafe { put("handle", place, handle) }
    })
}

/// Reads an avatar from the bytes of a VRM, GLB or FBX file. `name` is used in messages.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_avatar_read(
    name: *const c_char,
    bytes: *const u8,
    size: usize,
    avatar: *mut AvatarHandle,
) -> Status {
    let read = || {
        // SAFETY: the header requires valid pointers.
        let (name, bytes) = unsafe { (text("name", name)?, list("bytes", bytes, size)?) };
        Ok(Avatar::read(name, bytes)?)
    };
    // SAFETY: the header requires valid pointers.
    unsafe { make(&AVATARS, avatar, read) }
}

/// Creates an avatar for a model that your program has loaded. `json` has the positions of its bones in the T-pose,
/// such as
/// {"version": 1, "bones": {"hips": [0, 1, 0], "head": [0, 1.5, 0]}, "expressions": ["blink", "aa"]},
/// in metres, right-handed, Y up, facing +Z.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_avatar_of_bones(json: *const c_char, avatar: *mut AvatarHandle) -> Status {
    let read = || {
        // SAFETY: the header requires valid pointers.
        let json = unsafe { text("json", json) }?;
        Ok(Avatar::of_rig(json.as_bytes())?)
    };
    // SAFETY: the header requires valid pointers.
    unsafe { make(&AVATARS, avatar, read) }
}

/// Returns the avatar's bones and expressions as JSON, with the nodes and morph targets of its file that show them.
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
        // SAFETY: the header requires valid pointers.
        unsafe { Page { text, capacity, size }.write(&info) }.map(drop)
    })
}

pub(crate) fn json(value: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| Fault::new(Status::VivantPanic, error.to_string()))
}

/// Returns the motions of the built-in character: stances, gestures, fidgets. They are generated once, which takes a
/// second or two, and then stay in memory until the program ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_motions_built_in(motions: *mut MotionsHandle) -> Status {
    // SAFETY: the header requires valid pointers.
    unsafe { make(&MOTIONS, motions, || Ok(Motions::built_in())) }
}

/// Creates an empty set of motions: the body stands still, while eyes, lids, head, breath and mouth move. Clips of
/// added files are played one after another.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_motions_none(motions: *mut MotionsHandle) -> Status {
    // SAFETY: the header requires valid pointers.
    unsafe { make(&MOTIONS, motions, || Ok(Motions::none())) }
}

/// Creates the motions of a repertoire.json. Then add every file that the repertoire names with
/// vivant_motions_add_file(), except the files of the built-in character.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_motions_of_repertoire(
    json: *const c_char,
    motions: *mut MotionsHandle,
) -> Status {
    let read = || {
        // SAFETY: the header requires valid pointers.
        let json = unsafe { text("json", json) }?;
        Ok(Motions::of_repertoire(json.as_bytes(), BTreeMap::new())?)
    };
    // SAFETY: the header requires valid pointers.
    unsafe { make(&MOTIONS, motions, read) }
}

/// Adds the clips of a file (BVH, FBX, GLB, VRMA). `name` is the name of the file in the repertoire.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_motions_add_file(
    motions: MotionsHandle,
    name: *const c_char,
    bytes: *const u8,
    size: usize,
) -> Status {
    guard(|| {
        let motions = MOTIONS.get(motions)?;
        // SAFETY: the header requires valid pointers.
        let (name, bytes) = unsafe { (text("name", name)?, list("bytes", bytes, size)?) };
        Ok(motions.lock()?.add_file(name, bytes)?)
    })
}

/// Sets the behaviour model for improvisation from a behaviour.json. By default there is a standard model.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_motions_behave(motions: MotionsHandle, json: *const c_char) -> Status {
    guard(|| {
        let motions = MOTIONS.get(motions)?;
        // SAFETY: the header requires valid pointers.
        let json = unsafe { text("json", json) }?;
        let mut motions = motions.lock()?;
        *motions = motions.clone().with_behaviour_json(json.as_bytes())?;
        Ok(())
    })
}

/// Reads a character from the path of its folder or of its character.toml; "builtin" is the built-in character.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_character_load(
    path: *const c_char,
    character: *mut CharacterHandle,
) -> Status {
    let read = || {
        // SAFETY: the header requires valid pointers.
        let path = unsafe { text("path", path) }?;
        Ok(Character::load(path.as_ref(), &mut |_, _| {})?)
    };
    // SAFETY: the header requires valid pointers.
    unsafe { make(&CHARACTERS, character, read) }
}

/// Reads a character from the files of its folder, for programs that pack or download them. You may free the bytes
/// when this returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_character_read(
    files: *const File,
    count: usize,
    character: *mut CharacterHandle,
) -> Status {
    let read = || {
        // SAFETY: the header requires valid pointers.
        let files = unsafe { list("files", files, count) }?;
        let mut all = FileMap::default();
        for (index, file) in files.iter().enumerate() {
            // SAFETY: the header requires valid pointers.
            let name = unsafe { text(&format!("files[{index}].name"), file.name) }?;
            // SAFETY: the header requires valid pointers.
            let bytes = unsafe { list(&format!("files[{index}].bytes"), file.bytes, file.size) }?;
            all.insert(name.to_owned(), bytes.to_vec());
        }
        Ok(Character::read(&all, &mut |_, _| {})?)
    };
    // SAFETY: the header requires valid pointers.
    unsafe { make(&CHARACTERS, character, read) }
}

/// Returns the same as vivant_avatar_info(), for the avatar of a character.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_character_info(
    character: CharacterHandle,
    text: *mut c_char,
    capacity: usize,
    size: *mut usize,
) -> Status {
    guard(|| {
        let character = CHARACTERS.get(character)?;
        let info = json(character.lock()?.avatar.info())?;
        // SAFETY: the header requires valid pointers.
        unsafe { Page { text, capacity, size }.write(&info) }.map(drop)
    })
}

/// Creates a performer of a character, with everything in its folder. `role` is the same as for
/// vivant_performer_new(); fields that are missing in its `temperament` are taken from the character. You may release
/// the character when this returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_performer_of_character(
    character: CharacterHandle,
    role: *const c_char,
    performer: *mut PerformerHandle,
) -> Status {
    let begin = || {
        // A copy shares the clips, so that other calls do not wait while the clips are fitted to the avatar.
        let character = CHARACTERS.get(character)?.lock()?.clone();
        // SAFETY: the header requires valid pointers.
        let role = unsafe { role_of(role, |json| character.role(json)) }?;
        Ok(Performer { hosted: Hosted::of_character(&character, &role)?, events: String::new() })
    };
    // SAFETY: the header requires valid pointers.
    unsafe { make(&PERFORMERS, performer, begin) }
}

/// Creates a performer. `role` is JSON such as {"seed": 7, "unasked": false}, or NULL for the defaults; the same role
/// gives the same performance, bit for bit. You may release avatar and motions when this returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_performer_new(
    avatar: AvatarHandle,
    motions: MotionsHandle,
    role: *const c_char,
    performer: *mut PerformerHandle,
) -> Status {
    let begin = || {
        let (avatar, motions) = (AVATARS.get(avatar)?, MOTIONS.get(motions)?);
        // SAFETY: the header requires valid pointers.
        let role = unsafe { role_of(role, Role::read) }?;
        // A copy shares the clips, so that other calls do not wait while the clips are fitted to the avatar.
        let motions = motions.lock()?.clone();
        let hosted = Hosted::new(&*avatar.lock()?, &motions, &role)?;
        Ok(Performer { hosted, events: String::new() })
    };
    // SAFETY: the header requires valid pointers.
    unsafe { make(&PERFORMERS, performer, begin) }
}

/// Creates another performer that shares the avatar and the motions of `performer`. Use it for crowds: it is much
/// faster than vivant_performer_new().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vivant_performer_another(
    performer: PerformerHandle,
    role: *const c_char,
    another: *mut PerformerHandle,
) -> Status {
    let begin = || {
        let first = PERFORMERS.get(performer)?;
        let first = first.lock()?;
        // SAFETY: the header requires valid pointers.
        let role = unsafe { role_of(role, |json| first.hosted.role(json)) }?;
        let hosted = first.hosted.another(&role);
        Ok(Performer { hosted, events: String::new() })
    };
    // SAFETY: the header requires valid pointers.
    unsafe { make(&PERFORMERS, another, begin) }
}

/// Reads a role from JSON. NULL gives the default role.
///
/// # Safety
///
/// Same as for [`text`].
unsafe fn role_of(role: *const c_char, read: impl FnOnce(&str) -> vivant_host::Result<Role>) -> Result<Role> {
    let json = if role.is_null() {
        ""
    } else {
        // SAFETY: guaranteed by the caller.
        unsafe { text("role", role) }?
    };
    Ok(read(json).map_err(|error| error.in_file("role"))?)
}

/// Releases an avatar, motions, a character or a performer. 0 is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn vivant_release(handle: u64) -> Status {
    guard(|| {
        let was_here = handle == 0
            || PERFORMERS.remove(handle)
            || MOTIONS.remove(handle)
            || AVATARS.remove(handle)
            || CHARACTERS.remove(handle);
        let message =
            || format!("{handle:#x} was already released, or never created; release each handle once");
        if was_here { Ok(()) } else { Err(Fault::new(Status::VivantBadHandle, message())) }
    })
}
