// Vivant makes a virtual character look alive. docs/c.md says how to use it from C, C++, C# and engines.
//
// Made by cbindgen from crates/vivant-c/src: change it there.
//
// Rules that hold for every function:
// - It gives VIVANT_OK or says what is wrong; vivant_last_error() then has a sentence about it.
// - Texts that go in end with a NUL and are UTF-8. What is no text comes as a pointer and a size in bytes. Nothing
//   that goes in is kept: it may be freed when the call returns.
// - Texts that come out are written into a buffer of yours with a NUL at their end. `size` gets how many bytes that
//   takes, NUL and all, also where the buffer is too small; it may be NULL. With NULL for the buffer and 0 for its
//   capacity, only the size is told.
// - Numbers that come out are written into an array of yours, whose `count` of numbers may be larger than needed.
// - Handles are numbers, not pointers, and are never used twice: one that was released, never made, or is of another
//   kind is VIVANT_BAD_HANDLE. A pointer that must not be NULL and is, is VIVANT_NULL.
// - Any function may be called from any thread. Calls for the same handle wait for each other, calls for different
//   handles do not. To release what another thread uses is safe: it is freed when that call is over.
// - Nothing unwinds into C: a fault of ours is VIVANT_PANIC, and the performer that had it is VIVANT_BROKEN from then
//   on and can only be released.


#ifndef VIVANT_H
#define VIVANT_H

#include <stddef.h>
#include <stdint.h>

// The version of what this header says. A library that says another in vivant_abi() does not fit this header.
#define VIVANT_ABI 1

// How many bones a performer has, whatever its avatar: those of VRM 1.0, parents first. Those that the avatar lacks
// never turn.
#define VIVANT_BONES 55

// How many numbers vivant_signals() gives.
#define VIVANT_SIGNALS 14

// What `wish` is where nothing will be told of it.
#define VIVANT_NO_WISH UINT64_MAX

// How a call went.
enum vivant_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    // All is well.
    VIVANT_OK = 0,
    // A pointer is NULL that must not be.
    VIVANT_NULL = 1,
    // There is no such thing: it was released, never made, or is of another kind.
    VIVANT_BAD_HANDLE = 2,
    // A text is not UTF-8.
    VIVANT_BAD_TEXT = 3,
    // A buffer is too small, or a size is larger than anything can be.
    VIVANT_BAD_SIZE = 4,
    // What was given cannot be understood or done: vivant_last_error() says what, where, and what to do.
    VIVANT_BAD_VALUE = 5,
    // An earlier call for it was VIVANT_PANIC: release it.
    VIVANT_BROKEN = 6,
    // A fault of ours. Please tell us vivant_last_error().
    VIVANT_PANIC = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum vivant_status vivant_status;
#else
typedef int32_t vivant_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

// A body that performers can have.
typedef uint64_t vivant_avatar;

// What performers can do with their bodies.
typedef uint64_t vivant_motions;

// A whole character: avatar, repertoire, behaviour model, temperament, blink model and eye texture.
typedef uint64_t vivant_character;

// A file of a character's folder.
typedef struct {
    // Its name relative to the folder, with `/` between folders, such as "clips/wave.fbx".
    const char *name;
    // Its content.
    const uint8_t *bytes;
    // The size of its content in bytes.
    size_t size;
} vivant_file;

// One running character.
typedef uint64_t vivant_performer;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The VIVANT_ABI of the library: compare it with the header's before anything else.
uint32_t vivant_abi(void);

// The version of Vivant, such as "0.1.0". It is the library's: do not free it.
const char *vivant_version(void);

// What was wrong with the last call in this thread that failed: a sentence, empty if none did. It is the library's
// and lasts until another call fails in this thread: copy it, and do not free it.
const char *vivant_last_error(void);

// Reads an avatar from the bytes of a VRM, GLB or FBX file. `name` is for messages.
vivant_status vivant_avatar_read(const char *name, const uint8_t *bytes, size_t size, vivant_avatar *avatar);

// An avatar that you have loaded yourself, by where its bones are in the T-pose: a JSON document such as
// {"version": 1, "bones": {"hips": [0, 1, 0], "head": [0, 1.5, 0]}, "expressions": ["blink", "aa"]},
// in metres, right-handed, Y up, facing +Z.
vivant_status vivant_avatar_of_bones(const char *json, vivant_avatar *avatar);

// The avatar's bones and expressions as JSON, and the nodes and morph targets of its own file that show them.
vivant_status vivant_avatar_info(vivant_avatar avatar, char *text, size_t capacity, size_t *size);

// The motions of the built-in character: stances, gestures, fidgets. They are made once, which takes a second or
// two, and then stay in memory until the program ends.
vivant_status vivant_motions_built_in(vivant_motions *motions);

// No motions: the body stands, and eyes, lids, head, breath and mouth live. Files that are added are played one
// after another.
vivant_status vivant_motions_none(vivant_motions *motions);

// The motions of a repertoire.json. Add every file that it names, but those of the built-in character.
vivant_status vivant_motions_of_repertoire(const char *json, vivant_motions *motions);

// Adds the clips of a file (BVH, FBX, GLB, VRMA), by its name as the repertoire spells it.
vivant_status vivant_motions_add_file(vivant_motions motions,
                                      const char *name,
                                      const uint8_t *bytes,
                                      size_t size);

// What it does where nobody asks: a behaviour.json. Without one there is a standard.
vivant_status vivant_motions_behave(vivant_motions motions, const char *json);

// Reads a character from its folder, by the folder's path or that of its character.toml; "builtin" is the built-in
// character.
vivant_status vivant_character_load(const char *path,
                                    vivant_character *character);

// Reads a character from the files of its folder, for programs that have packed or fetched them. The bytes may be
// freed when this returns.
vivant_status vivant_character_read(const vivant_file *files,
                                    size_t count,
                                    vivant_character *character);

// The same as `vivant_avatar_info`, for the avatar of a character.
vivant_status vivant_character_info(vivant_character character, char *text, size_t capacity, size_t *size);

// Creates a performer of a character, with everything that lies in its folder. `role` is as for
// `vivant_performer_new`; what it leaves out of `temperament` is the character's. The character may be released when
// this returns.
vivant_status vivant_performer_of_character(vivant_character character,
                                            const char *role,
                                            vivant_performer *performer);

// Lets a performer begin. `role` is JSON such as {"seed": 7, "unasked": false}, or NULL for the usual; the same role
// is the same performance, to the bit. Avatar and motions may be released when this returns.
vivant_status vivant_performer_new(vivant_avatar avatar,
                                   vivant_motions motions,
                                   const char *role,
                                   vivant_performer *performer);

// Another performer with the same body and motions, which they share: for crowds. Much faster than a new one.
vivant_status vivant_performer_another(vivant_performer performer, const char *role, vivant_performer *another);

// Frees an avatar, motions, a character or a performer. 0 is none, and fine.
vivant_status vivant_release(uint64_t handle);

// Tells a performer something, as JSON: an intent such as {"say": "Hello!"} or {"act": "gesture", "clip": "wave"},
// `attend`, `follow` or `temperament`. `wish` gets the number by which events speak of it; it may be NULL.
vivant_status vivant_tell(vivant_performer performer,
                          const char *json,
                          uint64_t *wish);

// Tells a performer a line, {"say": "Hello!"}, together with samples of its voice: one channel of 16 bits at `rate` a
// second, from 8,000 to 192,000. The mouth follows the voice, which you play yourself from the instant `at`.
//
// To give a voice as it comes, send piece after piece of one `line`: {"say": "", "line": "a", "more": true}.
vivant_status vivant_tell_with_voice(vivant_performer performer,
                                     const char *json,
                                     uint32_t rate,
                                     const int16_t *samples,
                                     size_t count,
                                     uint64_t *wish);

// Someone is here, in metres: the eyes attend to them, and follow when they move. Say it at every frame if you like.
vivant_status vivant_attend(vivant_performer performer,
                            double x,
                            double y,
                            double z);

// Keep looking at this place, in metres, which may move.
vivant_status vivant_follow(vivant_performer performer, double x, double y, double z);

// Look where it likes again.
vivant_status vivant_look_freely(vivant_performer performer);

// Whether (1) or not (0) it watches itself, so that there are events: actions, blinks, gaze shifts, lines. That
// costs a little at each frame, and may allocate. At first it does not, and only tells what could not be done.
vivant_status vivant_watch(vivant_performer performer, int32_t watches);

// What has happened, a line of JSON each, such as {"at":2.5,"what":"blink"}. What was written is forgotten; who only
// asks for the size, or has too little room, may ask again.
vivant_status vivant_events(vivant_performer performer,
                            char *text,
                            size_t capacity,
                            size_t *size);

// What was dropped or guessed when avatar and motions were read, a line each.
vivant_status vivant_warnings(vivant_performer performer, char *text, size_t capacity, size_t *size);

// Advances a performer to `t`, in seconds since it began, at most ten hours at once. It allocates nothing, and gives
// the same frame however it got there; an earlier `t` changes nothing.
vivant_status vivant_advance(vivant_performer performer,
                             double t);

// Advances many performers to `t`, one after another. One that cannot be does not keep the others: the status is
// that of the first that could not.
vivant_status vivant_advance_all(const vivant_performer *performers,
                                 size_t count,
                                 double t);

// The time of the last frame, in seconds.
vivant_status vivant_time(vivant_performer performer, double *t);

// Where the hips are: x, y and z in metres.
vivant_status vivant_root(vivant_performer performer, float *root, size_t count);

// How each of the VIVANT_BONES bones is turned against its parent, as x, y, z, w: 220 numbers.
vivant_status vivant_rotations(vivant_performer performer, float *rotations, size_t count);

// The weights of the avatar's expressions, from 0 to 1.
vivant_status vivant_weights(vivant_performer performer, float *weights, size_t count);

// What eyes, lids and head do: VIVANT_SIGNALS numbers, angles in degrees, apertures from 0 to 1.
vivant_status vivant_signals(vivant_performer performer, float *signals, size_t count);

// The name of a bone in VRM 1.0, such as "leftUpperArm", by its number.
vivant_status vivant_bone_name(size_t bone, char *text, size_t capacity, size_t *size);

// The number of a bone, by its name in VRM 1.0.
vivant_status vivant_bone_index(const char *name, size_t *bone);

// How many expressions the performer's avatar has.
vivant_status vivant_expression_count(vivant_performer performer, size_t *count);

// The name of an expression, such as "blinkLeft", by its number.
vivant_status vivant_expression_name(vivant_performer performer,
                                     size_t expression,
                                     char *text,
                                     size_t capacity,
                                     size_t *size);

// The number of an expression, by any name that VRM, ARKit, Oculus or Ready Player Me has for it.
vivant_status vivant_expression_index(vivant_performer performer, const char *name, size_t *expression);

// The name of a signal, such as "eye_left_yaw", by its number.
vivant_status vivant_signal_name(size_t signal, char *text, size_t capacity, size_t *size);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* VIVANT_H */
