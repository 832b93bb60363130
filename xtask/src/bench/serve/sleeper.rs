//! Measures how late this machine wakes a thread that only sleeps. The server cannot be more punctual than this
//! thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A thread that wakes at the times of the frames.
pub(super) struct Sleeper {
    is_over: Arc<AtomicBool>,
    thread: JoinHandle<Vec<f64>>,
}

impl Sleeper {
    pub(super) fn start(fps: f64) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        Self { is_over, thread: std::thread::spawn(move || sleep(fps, &over)) }
    }

    /// Returns the lateness in milliseconds: median, 99th percentile, maximum.
    pub(super) fn end(self) -> [f64; 3] {
        self.is_over.store(true, Ordering::Relaxed);
        let mut late = self.thread.join().unwrap_or_default();
        late.sort_by(f64::total_cmp);
        let at = |share: f64| late.get((late.len() as f64 * share) as usize).or(late.last()).copied();
        [0.5, 0.99, 1.0].map(|share| at(share).unwrap_or(0.0))
    }
}

fn sleep(fps: f64, is_over: &AtomicBool) -> Vec<f64> {
    let (begin, mut late) = (Instant::now(), Vec::new());
    while !is_over.load(Ordering::Relaxed) {
        let due = begin + Duration::from_secs_f64((late.len() + 1) as f64 / fps);
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        late.push(due.elapsed().as_secs_f64() * 1e3);
    }
    late
}
