//! Handles Ctrl-C. The first Ctrl-C stops after the current chunk, and the second one stops at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit status of a program that was stopped by Ctrl-C.
pub(super) const STATUS: u8 = 130;

/// Returns a flag that becomes true at the first Ctrl-C.
pub(super) fn on_ctrl_c() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&stop);
    // The thread waits until the program ends.
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        // Without signal handling, Ctrl-C ends the program at once. Complete chunks are already stored.
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
