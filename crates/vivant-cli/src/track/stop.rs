//! Ctrl-C: the first asks to stop in good order, the second stops at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a shell says of a program that was stopped by the keyboard.
pub(super) const STATUS: u8 = 130;

/// Becomes true at the first Ctrl-C.
pub(super) fn on_ctrl_c() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    // It waits for as long as the program runs.
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        // Where signals cannot be heard, Ctrl-C ends the program as ever; whole chunks are on the disk.
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async {
            if tokio::signal::ctrl_c().await.is_ok() {
                asked.store(true, Ordering::Relaxed);
                let _ = tokio::signal::ctrl_c().await;
                std::process::exit(i32::from(STATUS));
            }
        });
    });
    stop
}
