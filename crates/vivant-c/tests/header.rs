//! `include/vivant.h` is up to date.

use std::path::Path;

#[test]
fn the_header_is_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).unwrap();
    let builder = cbindgen::Builder::new().with_config(config).with_src(folder.join("src/lib.rs"));
    let mut header = Vec::new();
    builder.generate().unwrap().write(&mut header);
    let (header, path) = (String::from_utf8(header).unwrap(), folder.join("include/vivant.h"));
    if std::env::var_os("VIVANT_UPDATE").is_some() {
        std::fs::write(&path, &header).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written.replace("\r\n", "\n") == header,
        "include/vivant.h is out of date; `VIVANT_UPDATE=1 cargo test -p vivant-c --test header` writes it"
    );
}
