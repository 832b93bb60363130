//! Advancing a performer and reading its frame through C does not allocate.

#![allow(unsafe_code, reason = "a global allocator is unsafe to write; this one only counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use vivant_c::*;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: all work is the system allocator's; counting touches nothing but a thread's own cell.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `GlobalAlloc::dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const BONES: &std::ffi::CStr = cr#"{"version": 1, "bones": {"hips": [0, 1, 0], "spine": [0, 1.1, 0],
    "head": [0, 1.5, 0], "leftUpperArm": [0.2, 1.4, 0], "leftLowerArm": [0.4, 1.4, 0]},
    "expressions": ["blinkLeft", "blinkRight", "aa", "oh"]}"#;

#[test]
fn a_minute_of_frames_allocates_nothing() {
    let (mut avatar, mut motions, mut eve, mut adam) = (0, 0, 0, 0);
    let (mut t, mut root, mut rotations, mut weights, mut signals) =
        (0.0, [0.0; 3], [0.0; 220], [0.0; 8], [0.0; VIVANT_SIGNALS]);
    // SAFETY: all pointers are of local variables, with their sizes.
    unsafe {
        assert_eq!(vivant_avatar_of_bones(BONES.as_ptr(), &raw mut avatar), Status::VivantOk);
        assert_eq!(vivant_motions_built_in(&raw mut motions), Status::VivantOk);
        assert_eq!(vivant_performer_new(avatar, motions, c"".as_ptr(), &raw mut eve), Status::VivantOk);
        assert_eq!(vivant_performer_another(eve, c"".as_ptr(), &raw mut adam), Status::VivantOk);
        let line = c"{\"say\": \"Hello! How nice that you came.\", \"at\": 2}";
        assert_eq!(vivant_tell(eve, line.as_ptr(), std::ptr::null_mut()), Status::VivantOk);
        let both = [eve, adam];
        let before = ALLOCATIONS.with(Cell::get);
        for frame in 0..3600 {
            let now = f64::from(frame) / 60.0;
            assert_eq!(vivant_advance_all(both.as_ptr(), 2, now), Status::VivantOk);
            assert_eq!(vivant_time(eve, &raw mut t), Status::VivantOk);
            assert_eq!(vivant_root(eve, root.as_mut_ptr(), 3), Status::VivantOk);
            assert_eq!(vivant_rotations(eve, rotations.as_mut_ptr(), 220), Status::VivantOk);
            assert_eq!(vivant_weights(eve, weights.as_mut_ptr(), 8), Status::VivantOk);
            assert_eq!(vivant_signals(eve, signals.as_mut_ptr(), VIVANT_SIGNALS), Status::VivantOk);
            assert_eq!(t, now);
        }
        assert_eq!(ALLOCATIONS.with(Cell::get) - before, 0);
        assert!(before > 0, "the counter counts");
    }
    for handle in [avatar, motions, eve, adam] {
        assert_eq!(vivant_release(handle), Status::VivantOk);
    }
}
