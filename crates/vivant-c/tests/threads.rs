//! Many threads use the same performers, and release them while others use them.

#![allow(unsafe_code, reason = "the C functions are unsafe")]

use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};
use vivant_c::*;

const BONES: &std::ffi::CStr = cr#"{"version": 1, "bones": {"hips": [0, 1, 0], "spine": [0, 1.1, 0],
    "chest": [0, 1.2, 0], "head": [0, 1.5, 0], "leftEye": [0.03, 1.56, 0.08], "rightEye": [-0.03, 1.56, 0.08]}}"#;

fn performers(count: usize) -> Vec<u64> {
    let (mut avatar, mut motions) = (0, 0);
    // SAFETY: all pointers are of local variables.
    unsafe {
        assert_eq!(vivant_avatar_of_bones(BONES.as_ptr(), &raw mut avatar), Status::VivantOk);
        assert_eq!(vivant_motions_none(&raw mut motions), Status::VivantOk);
        let begin = |_| {
            let mut performer = 0;
            let role = c"{\"seed\": 7}".as_ptr();
            assert_eq!(vivant_performer_new(avatar, motions, role, &raw mut performer), Status::VivantOk);
            performer
        };
        let all = (0..count).map(begin).collect();
        assert_eq!((vivant_release(avatar), vivant_release(motions)), (Status::VivantOk, Status::VivantOk));
        all
    }
}

fn rotations(performer: u64) -> [f32; 220] {
    let mut rotations = [0.0; 220];
    // SAFETY: the array has 220 numbers.
    let status = unsafe { vivant_rotations(performer, rotations.as_mut_ptr(), 220) };
    assert_eq!(status, Status::VivantOk);
    rotations
}

#[test]
fn threads_do_not_disturb_each_other() {
    let all = performers(8);
    std::thread::scope(|scope| {
        for performer in &all {
            scope.spawn(|| {
                for frame in 0..600 {
                    assert_eq!(vivant_advance(*performer, f64::from(frame) / 60.0), Status::VivantOk);
                }
            });
        }
    });
    assert!(
        all.iter().all(|performer| rotations(*performer) == rotations(all[0])),
        "the same seed gives the same performance"
    );
    assert_ne!(rotations(all[0]), rotations(performers(1)[0]), "it moves");
    all.iter().for_each(|performer| assert_eq!(vivant_release(*performer), Status::VivantOk));
}

#[test]
fn performers_released_while_in_use_do_not_crash() {
    let all = performers(40);
    let done = AtomicUsize::new(0);
    let use_them = |worker: usize| {
        let gone = |status| match status {
            Status::VivantOk => false,
            Status::VivantBadHandle => true,
            other => panic!("{other:?}"),
        };
        for (number, performer) in all.iter().enumerate() {
            for frame in 0..50 {
                // SAFETY: the text ends with a NUL, and `intent` is NULL.
                let told = unsafe { vivant_tell(*performer, c"{\"blink\": true}".as_ptr(), null_mut()) };
                let is_gone = gone(told) | gone(vivant_advance(*performer, f64::from(frame) / 10.0));
                if is_gone
                    || (number % 4 == worker && frame == 25 && vivant_release(*performer) == Status::VivantOk)
                {
                    break;
                }
            }
            done.fetch_add(1, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| (0..4).for_each(|worker| drop(scope.spawn(move || use_them(worker)))));
    assert_eq!(done.load(Ordering::Relaxed), 160);
    assert!(
        all.iter().all(|performer| vivant_release(*performer) == Status::VivantBadHandle),
        "all were released once"
    );
}
