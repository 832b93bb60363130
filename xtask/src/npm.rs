//! `cargo xtask npm`: builds the package `packages/vivant`, which contains the engine as WebAssembly.
//!
//! The package's own files are in the repository. The built files in the same folder are not.

use crate::steps::{command, execute, output, say};
use crate::{Done, root, target};
use lzma_rust2::{LzmaOptions, LzmaWriter};
use std::io::Write;
use std::path::{Path, PathBuf};
use wasm_bindgen_cli_support::Bindgen;

const TARGET: &str = "wasm32-unknown-unknown";
/// The maximum size of a function that LLVM inlines. Its default, 225, makes the packed engine 4 % larger.
const INLINED: u32 = 25;
/// The model of audio lip-sync. A page loads it when there is a voice.
const WEIGHTS: &str = "crates/vivant/src/speech/audio/standard.bin";

/// Builds the package in the form that is published.
pub(crate) fn run() -> Done {
    build(" --strip-debug")
}

/// Builds the package with the names of functions, for profilers.
pub(crate) fn with_names() -> Done {
    build(" -g")
}

fn build(strip: &str) -> Done {
    add_target()?;
    compile()?;
    let folder = package().join("engine");
    bind(&target().join("npm").join(TARGET).join("npm/vivant_wasm.wasm"), &folder)?;
    order(&folder, strip)?;
    let module = folder.join("engine_bg.wasm");
    pack("engine", &module, &folder)?;
    std::fs::remove_file(&module).map_err(|e| format!("{}: {e}", module.display()))?;
    pack("lip-sync", &root().join(WEIGHTS), &folder)
}

/// Returns the folder of the package.
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
    // Builds with different flags need separate folders. Otherwise each build would replace the other one.
    build.env("RUSTFLAGS", flags()?).env("CARGO_TARGET_DIR", target().join("npm"));
    execute(&mut build)
}

/// Returns the compiler flags: with SIMD, and without the folder names of this machine, which would be part of every
/// panic message.
fn flags() -> Result<String, String> {
    let home =
        std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")));
    let home = home.map_err(|_| "neither CARGO_HOME nor HOME is set; set one of them")?;
    let rust = output(&mut command("rustc --print sysroot"))?;
    let named = [(root().display().to_string(), "vivant"), (home, "cargo"), (rust.trim().to_owned(), "rust")];
    let unnamed = named.map(|(folder, name)| format!(" --remap-path-prefix={folder}={name}"));
    Ok(format!("-C target-feature=+simd128 -C llvm-args=-inline-threshold={INLINED}{}", unnamed.concat()))
}

fn bind(module: &Path, folder: &Path) -> Done {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name("engine").typescript(false).omit_default_module_path(true);
    bindgen.web(true).map_err(wrong)?;
    bindgen.generate(folder).map_err(wrong)?;
    let script = folder.join("engine.js");
    let failed = |error: std::io::Error| format!("{}: {error}", script.display());
    let text = std::fs::read_to_string(&script).map_err(failed)?;
    std::fs::write(&script, without_docs(&text)).map_err(failed)
}

/// Removes doc comments and indentation from the generated script. Pages load the script, and nobody reads it.
fn without_docs(script: &str) -> String {
    let mut is_doc = false;
    let is_kept = |line: &&str| {
        is_doc |= line.starts_with("/**");
        let is_kept = !is_doc && !line.is_empty();
        is_doc &= !line.ends_with("*/");
        is_kept
    };
    script.lines().map(str::trim).filter(is_kept).map(|line| format!("{line}\n")).collect()
}

/// Sorts functions by name, because functions with similar names are similar and compress well. Also removes names
/// and duplicate functions. Other options of `wasm-opt` make the module smaller, but its compressed form larger.
fn order(folder: &Path, strip: &str) -> Done {
    const FEATURES: [&str; 7] = [
        "simd",
        "bulk-memory",
        "reference-types",
        "multivalue",
        "nontrapping-float-to-int",
        "sign-ext",
        "mutable-globals",
    ];
    const PASSES: &str = "--duplicate-function-elimination --remove-unused-brs --optimize-instructions --rse \
         --reorder-locals --vacuum --merge-blocks --reorder-functions-by-name --strip-producers";
    let tests = root().join("tests/js");
    let program = tests.join("node_modules/binaryen/bin/wasm-opt");
    if !program.exists() {
        execute(command("npm ci --no-audit --no-fund --loglevel=error").current_dir(&tests))?;
    }
    let module = folder.join("engine_bg.wasm");
    let mut optimise = command("node");
    optimise.arg(program).args(FEATURES.map(|feature| format!("--enable-{feature}")));
    optimise
        .args(PASSES.split_whitespace())
        .args(strip.split_whitespace())
        .arg(&module)
        .arg("-o")
        .arg(&module);
    execute(&mut optimise)
}

/// Compresses a file with LZMA. The result is a fifth smaller than with gzip, and does not depend on compression by
/// the server.
fn pack(name: &str, from: &Path, folder: &Path) -> Done {
    let to = folder.join(format!("{name}.lzma"));
    let bytes = std::fs::read(from).map_err(|e| format!("{}: {e}", from.display()))?;
    let mut options = LzmaOptions::with_preset(9);
    (options.lc, options.pb, options.nice_len) = (4, 0, LzmaOptions::NICE_LEN_MAX);
    options.dict_size = u32::try_from(bytes.len()).unwrap_or(u32::MAX).next_power_of_two();
    let packed = packed(&bytes, &options).map_err(|e| format!("LZMA: {e}"))?;
    say(&format!("  {name}: {} bytes, packed {}", bytes.len(), packed.len()));
    std::fs::write(&to, packed).map_err(|e| format!("{}: {e}", to.display()))
}

fn packed(bytes: &[u8], options: &LzmaOptions) -> std::io::Result<Vec<u8>> {
    let mut writer = LzmaWriter::new_use_header(Vec::new(), options, Some(bytes.len() as u64))?;
    writer.write_all(bytes)?;
    writer.finish()
}

fn wrong(error: impl std::fmt::Display) -> String {
    format!("wasm-bindgen: {error:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doc_comments_and_indentation_are_removed() {
        let script = "/**\n * A class.\n */\nexport class A {\n    /** Returns `b`. */\n    b() {\n\n        // In code.\n        return '/** kept */';\n    }\n}\n";
        assert_eq!(
            without_docs(script),
            "export class A {\nb() {\n// In code.\nreturn '/** kept */';\n}\n}\n"
        );
    }
}
