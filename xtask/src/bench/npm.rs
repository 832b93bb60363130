//! `cargo xtask bench npm`: measures the time per frame of the browser package in Node, compared with the native
//! engine and with TalkingHead.

use super::{BINARIES, binary};
use crate::steps::{command, execute, output};
use crate::{Done, npm, root};
use serde_json::Value;

/// Maximum time per frame, relative to the native engine.
const MAX_TIMES_NATIVE: f64 = 1.6;
/// Minimum time per frame of TalkingHead, relative to ours.
const MIN_TIMES_TALKING_HEAD: f64 = 10.0;

/// Measures the browser package, the native engine and TalkingHead alternately in one run.
pub(crate) fn run() -> Done {
    npm::run()?;
    execute(&mut command(BINARIES))?;
    let mut node = command("node --no-warnings bench-npm.mjs");
    node.current_dir(root().join("tests/js"))
        .env("VIVANT", binary("vivant"))
        .env("VIVANT_MINUTE", binary("minute"));
    let text = output(&mut node)?;
    let found: Value = serde_json::from_str(&text).map_err(|e| format!("bench-npm.mjs: {e}: {text}"))?;
    let number = |name: &str| found[name].as_f64().ok_or_else(|| format!("bench-npm.mjs gives no {name}"));
    let (native, wasm, talking_head) = (number("native")?, number("wasm")?, number("talkingHead")?);
    println!("| one frame at 60 Hz | µs | × native |\n| --- | ---: | ---: |");
    for (name, micros) in
        [("native", native), ("WebAssembly in Node", wasm), ("TalkingHead's `animate()`", talking_head)]
    {
        println!("| {name} | {micros:.2} | {:.2} |", micros / native);
    }
    println!("loading {:.0} ms, first performer {:.0} ms", number("loading")?, number("beginning")?);
    if wasm * MIN_TIMES_TALKING_HEAD > talking_head {
        return Err(format!(
            "TalkingHead takes {:.1} times as long, but at least {MIN_TIMES_TALKING_HEAD} is required",
            talking_head / wasm
        ));
    }
    if wasm > native * MAX_TIMES_NATIVE {
        return Err(format!(
            "{:.2} times as long as native, but at most {MAX_TIMES_NATIVE} is allowed",
            wasm / native
        ));
    }
    Ok(())
}
