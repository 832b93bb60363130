//! Programs in C and C++ that use the library compile, run, give the same bits as Rust, and leak no memory.
#![cfg(unix)]

mod programs;

use programs::{Program, avatar, csharp, valgrind};
use vivant_host::{Avatar, Hosted, Motions, Role};

/// Does the same as `examples/alive.c`, in Rust.
fn alive(motions: &Motions, seconds: f64) -> u64 {
    let avatar = Avatar::read("avatar.vrm", &std::fs::read(avatar()).unwrap()).unwrap();
    let mut eve = Hosted::new(&avatar, motions, &Role::read(r#"{"seed": 7}"#).unwrap()).unwrap();
    eve.tell(r#"{"say": "Hello! How nice that you came.", "at": 1}"#).unwrap();
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for t in (0..).map(|frame| f64::from(frame) / 60.0).take_while(|t| *t <= seconds) {
        eve.attend([1.0 - 0.2 * t, 1.5, 2.0]).unwrap();
        let frame = eve.advance_to(t).clone();
        let rotations = vivant::rig::Bone::ALL.into_iter().flat_map(|bone| frame.rotation(bone).to_array());
        let numbers = frame.root().to_array().into_iter().chain(rotations).chain(frame.weights().to_vec());
        for byte in numbers.chain(eve.signals().map(|signal| signal as f32)).flat_map(f32::to_le_bytes) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

fn check(alive: &Program, motions: &Motions, name: &str, seconds: &str) {
    let said = alive.run(&[avatar().to_str().unwrap(), name, seconds]);
    let hash = self::alive(motions, seconds.parse().unwrap());
    assert!(said.ends_with(&format!("hash {hash:016x}\n")), "{said}\nRust has {hash:016x}");
    for part in ["55 bones, 87 expressions", r#""blink""#, r#"{"line":{"say":"Hello!"#] {
        assert!(said.contains(part), "{part} is missing:\n{said}");
    }
}

#[test]
fn the_example_performs_the_same_bits_as_rust() {
    let Some(alive) = Program::c("examples/alive.c").linked_statically() else { return };
    check(&alive, &Motions::built_in(), "builtin", "10");
}

#[test]
fn the_example_is_cpp_too_and_links_dynamically() {
    let Some(alive) = Program::cpp("examples/alive.c").linked_dynamically() else { return };
    check(&alive, &Motions::none(), "none", "6");
}

#[test]
fn every_misuse_is_an_error() {
    let Some(misuse) = Program::c("tests/misuse.c").linked_dynamically() else { return };
    assert_eq!(misuse.run(&[]), "every misuse is an error\n");
}

/// Runs `examples/unity` in Mono, which Unity uses too, with a minimal replacement of UnityEngine.
#[test]
#[cfg(target_os = "linux")]
fn csharp_performs_the_same_bits_and_stands_in_unity_where_it_should() {
    let Some(said) = csharp(&["examples/unity", "tests/csharp"], &[avatar().to_str().unwrap()]) else {
        return;
    };
    println!("{said}");
    assert!(said.starts_with(&format!("hash {:016x}\n", alive(&Motions::built_in(), 5.0))), "{said}");
    assert!(said.contains("joints are off by at most 0.00"), "{said}");
}

/// Runs `examples/unreal` with a minimal replacement of Unreal's core.
#[test]
fn a_character_in_unreal_turns_as_in_our_space() {
    let check = Program::cpp("tests/unreal/check.cpp").including("examples/unreal").including("tests/unreal");
    let Some(check) = check.linked_dynamically() else { return };
    println!("{}", check.run(&[avatar().to_str().unwrap()]));
}

/// Runs the programs under Valgrind, which fails if uninitialised memory is read, or if any memory is left at the end,
/// even if it is still reachable.
#[test]
fn valgrind_finds_no_error_and_no_leak() {
    let (Some(valgrind), Some(alive), Some(misuse)) = (
        valgrind(),
        Program::c("examples/alive.c").linked_statically(),
        Program::c("tests/misuse.c").linked_statically(),
    ) else {
        return;
    };
    assert_eq!(misuse.run_under(&valgrind, &[]), "every misuse is an error\n");
    let said = alive.run_under(&valgrind, &[avatar().to_str().unwrap(), "none", "2"]);
    assert!(said.ends_with(&format!("hash {:016x}\n", self::alive(&Motions::none(), 2.0))), "{said}");
}
