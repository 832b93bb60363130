//! Builds the studio and leaves it in `$OUT_DIR/studio`, from where the server embeds it.
//!
//! Without Node.js, or if its packages cannot be installed, a plain page is embedded instead: a missing studio is a
//! warning, never a failed build.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// Files that the server embeds.
const FILES: [&str; 26] = [
    "index.html",
    "studio.js",
    "studio.css",
    "mesh.html",
    "mesh.js",
    "person.js",
    "face_mesh/face_mesh.js.gz",
    "face_mesh/face_mesh.binarypb.gz",
    "face_mesh/face_mesh_solution_packed_assets.data.gz",
    "face_mesh/face_mesh_solution_packed_assets_loader.js.gz",
    "face_mesh/face_mesh_solution_simd_wasm_bin.js.gz",
    "face_mesh/face_mesh_solution_simd_wasm_bin.wasm.gz",
    "hands/hands.js.gz",
    "hands/hands.binarypb.gz",
    "hands/hand_landmark_lite.tflite.gz",
    "hands/hands_solution_packed_assets.data.gz",
    "hands/hands_solution_packed_assets_loader.js.gz",
    "hands/hands_solution_simd_wasm_bin.js.gz",
    "hands/hands_solution_simd_wasm_bin.wasm.gz",
    "pose/pose.js.gz",
    "pose/pose_web.binarypb.gz",
    "pose/pose_landmark_full.tflite.gz",
    "pose/pose_solution_packed_assets.data.gz",
    "pose/pose_solution_packed_assets_loader.js.gz",
    "pose/pose_solution_simd_wasm_bin.js.gz",
    "pose/pose_solution_simd_wasm_bin.wasm.gz",
];

/// Sources of the studio; a change of them triggers a build.
const SOURCES: [&str; 8] = [
    "src",
    "../packages/vivant/carried.js",
    "index.html",
    "mesh.html",
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "tsconfig.json",
];

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("studio");
    let studio = here.join("../../studio");
    for source in SOURCES {
        println!("cargo:rerun-if-changed={}", studio.join(source).display());
    }
    println!("cargo:rerun-if-changed=src/page.html");
    if let Err(why) = build(&studio, &out) {
        // If Node.js is installed later, the next build uses it.
        println!("cargo:rerun-if-env-changed=PATH");
        println!("cargo:warning=the studio was not built ({why}); vivant will show a plain page instead");
        plain(&here, &out).expect("files can be written to OUT_DIR");
    }
}

fn build(studio: &Path, out: &Path) -> Result<(), String> {
    if !studio.join("package-lock.json").exists() {
        return Err("its sources are missing".into());
    }
    run(Command::new("node").arg("--version"))
        .map_err(|_| "Node.js is missing; install Node.js 20 or newer")?;
    if packages_are_old(studio) {
        let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
        let quiet = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
        run(Command::new(npm).args(quiet).current_dir(studio)).map_err(|e| format!("npm ci: {e}"))?;
    }
    let vite = Path::new("node_modules").join("vite").join("bin").join("vite.js");
    let mut command = Command::new("node");
    command.arg(vite).args(["build", "--emptyOutDir", "--logLevel", "error", "--outDir"]).arg(out);
    run(command.current_dir(studio)).map_err(|e| format!("vite: {e}"))?;
    match FILES.iter().find(|file| !out.join(file).exists()) {
        Some(file) => Err(format!("vite did not create {file}")),
        None => Ok(()),
    }
}

/// Returns true if the installed packages are older than the lock file. npm writes its own list when it is done.
fn packages_are_old(studio: &Path) -> bool {
    let time = |file: &Path| fs::metadata(file).and_then(|meta| meta.modified()).ok();
    let [wanted, there] =
        ["package-lock.json", "node_modules/.package-lock.json"].map(|f| time(&studio.join(f)));
    there.is_none() || there < wanted
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| e.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let text =
        String::from_utf8_lossy(if output.stderr.is_empty() { &output.stdout } else { &output.stderr });
    Err(text.lines().find(|line| !line.trim().is_empty()).unwrap_or("it failed without a message").to_owned())
}

fn plain(here: &Path, out: &Path) -> io::Result<()> {
    ["face_mesh", "hands", "pose"].iter().try_for_each(|folder| fs::create_dir_all(out.join(folder)))?;
    fs::copy(here.join("src/page.html"), out.join(FILES[0]))?;
    FILES[1..].iter().try_for_each(|file| fs::write(out.join(file), ""))
}
