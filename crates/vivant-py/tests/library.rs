//! Checks the extension module that `cargo xtask test` packs into a wheel.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};

#[test]
fn the_extension_module_exports_its_entry_point() {
    const ENTRY: &[u8] = b"PyInit__vivant";
    let folder = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let path = folder.join(format!("{DLL_PREFIX}vivant_py{DLL_SUFFIX}"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(
        bytes.windows(ENTRY.len()).any(|window| window == ENTRY),
        "{} lacks PyInit__vivant",
        path.display()
    );
}
