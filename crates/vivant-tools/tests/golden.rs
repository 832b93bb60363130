//! The program `golden` prints one hash for every second, and always the same ones.

use std::process::Command;

fn golden() -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_golden")).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

#[test]
fn every_second_has_a_reproducible_hash() {
    let first = golden();
    for line in first.lines() {
        let (name, hash) = line.split_once(": ").unwrap();
        assert!(name.contains(" Hz, second "), "{line}");
        assert!(u64::from_str_radix(hash, 16).is_ok(), "{line}");
    }
    assert!(first.lines().count() >= 900, "{} lines", first.lines().count());
    assert_eq!(first, golden());
}
