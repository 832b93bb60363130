//! `cargo xtask npm`: the engine in WebAssembly, and with it the package `packages/vivant`.
//!
//! The package's own files are in the repository; what is built beside them is not.

use crate::steps::{command, execute, output};
use crate::{Done, root, target};
use std::path::{Path, PathBuf};
use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";

/// Builds the package.
pub(crate) fn run() -> Done {
    add_target()?;
    compile()?;
    bind(&target().join("npm").join(TARGET).join("npm/vivant_wasm.wasm"))?;
    Ok(())
}

/// Where the package is.
pub(crate) fn package() -> PathBuf {
    root().join("packages/vivant")
}

fn add_target() -> Done {
    match output(&mut command("rustup target list --installed")) {
        Ok(installed) if installed.lines().any(|line| line == TARGET) => Ok(()),
        _ => execute(&mut command(&format!("rustup target add {TARGET}"))),
    }
}

fn compile() -> Done {
    let mut build = command(&format!("cargo build --locked --profile npm --target {TARGET} -p vivant-wasm"));
    // Flags of their own need a folder of their own, or each build would undo the other.
    build.env("RUSTFLAGS", flags()?).env("CARGO_TARGET_DIR", target().join("npm"));
    execute(&mut build)
}

/// With SIMD, and without the names of this machine's folders, which would be in every message of a panic.
fn flags() -> Result<String, String> {
    let home = std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")));
    let home = home.map_err(|_| "neither CARGO_HOME nor HOME is set; set one of them")?;
    let root = root().display().to_string();
    Ok(format!("-C target-feature=+simd128 --remap-path-prefix={root}=vivant --remap-path-prefix={home}=cargo"))
}

fn bind(module: &Path) -> Done {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name("engine").typescript(false).omit_default_module_path(false);
    bindgen.web(true).map_err(wrong)?;
    bindgen.generate(package().join("engine")).map_err(wrong)
}

fn wrong(error: impl std::fmt::Display) -> String {
    format!("wasm-bindgen: {error:#}")
}
