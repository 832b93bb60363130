//! Long films in chunks, side by side, and joined in order.
//!
//! A film is cut at frame numbers that depend on the size of its frames alone, so the result is the same for any
//! number of jobs. Every chunk begins with a whole search some frames before its own first frame. Where it
//! remembers something else there than the chunk before it, the chunk is tracked again from where that one ended,
//! until both remember the same. So the result is, to the last bit, that of a film which was never cut.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use vivant_io::{Error, Result};
use vivant_learn::film::Image;

/// The most bytes of frames in a chunk, and the fewest and most frames.
const CHUNK_BYTES: usize = 32 << 20;
const FRAMES: std::ops::RangeInclusive<usize> = 48..=512;
/// Frames that are tracked before a chunk's own, for a fresh search to settle: a tracker remembers ten errors, and
/// two come to the same pose within a few frames more.
const WARM_UP: usize = 24;
/// The most bytes of frames in memory, and the fewest chunks all the same.
const MOST_BYTES: usize = 256 << 20;
const FEWEST_CHUNKS: usize = 3;

/// Where films are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Frames of a chunk.
    pub frames: usize,
    /// Frames that are tracked before those of a chunk, for a fresh search to settle.
    pub warm_up: usize,
    /// Chunks that are in memory at once.
    in_flight: usize,
}

impl Cut {
    /// For frames of so many bytes.
    pub fn of(frame_bytes: usize) -> Self {
        let frames = (CHUNK_BYTES / frame_bytes.max(1)).clamp(*FRAMES.start(), *FRAMES.end());
        let in_flight = (MOST_BYTES / (frames * frame_bytes.max(1))).max(FEWEST_CHUNKS);
        Self { frames, warm_up: WARM_UP, in_flight }
    }

    /// With chunks of another length, if one is asked for.
    pub fn with_frames(self, frames: Option<usize>) -> Self {
        Self { frames: frames.unwrap_or(self.frames).min(self.frames), ..self }
    }

    /// No more chunks are tracked at once than fit beside one that is read and one that waits.
    fn workers(&self, jobs: usize) -> usize {
        jobs.clamp(1, self.in_flight - 2)
    }
}

/// A frame of a film, its number counted from 0.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Its number, from 0.
    pub number: usize,
    /// When it is shown.
    pub secs: f64,
    /// What it shows.
    pub image: Arc<Image>,
}

/// How one sequence of frames is tracked: from a fresh state before the frame of some number, step by step; and
/// whether after two results all that follows is the same.
pub struct Steps<New, Step, Same> {
    /// A fresh state.
    pub new: New,
    /// One frame.
    pub step: Step,
    /// Whether who found the first goes on as who found the second.
    pub is_same: Same,
}

/// What is left of a film that was read up to here.
pub struct Rest<Next> {
    /// The number of the next frame, which begins a chunk.
    pub number: usize,
    /// Frames right before it.
    pub before: VecDeque<Arc<Image>>,
    /// Gives the frames, one after another.
    pub next: Next,
}

struct Task {
    index: usize,
    before: Vec<Arc<Image>>,
    frames: Vec<Frame>,
}

/// A chunk that was tracked, or why it could not be.
type Tracked<State, TrackedFrame> = Result<Done<State, TrackedFrame>>;

struct Done<State, TrackedFrame> {
    index: usize,
    frames: Vec<Frame>,
    found: Vec<TrackedFrame>,
    /// What was found on the frame before the first.
    before: Option<TrackedFrame>,
    end: State,
}

/// Tracks what is left of a film, and gives each chunk's frames and what was found on them, in order. Ends early
/// when `stop` is set, with what was read until then.
///
/// # Errors
/// If `join` fails, or the tracker does.
pub fn run<State, TrackedFrame, Next, New, Step, Same>(
    cut: Cut,
    jobs: usize,
    rest: Rest<Next>,
    steps: &Steps<New, Step, Same>,
    stop: &AtomicBool,
    mut join: impl FnMut(&[Frame], &[TrackedFrame]) -> Result<()>,
) -> Result<()>
where
    State: Send,
    TrackedFrame: Send,
    Next: FnMut() -> Option<(f64, Image)> + Send,
    New: Fn(usize) -> State + Sync,
    Step: Fn(&mut State, &Image) -> TrackedFrame + Sync,
    Same: Fn(&TrackedFrame, &TrackedFrame) -> bool + Sync,
{
    let workers = cut.workers(jobs);
    let (task_sender, tasks) = mpsc::sync_channel::<Task>(0);
    let (done_sender, done) = mpsc::channel();
    let (token_sender, tokens) = mpsc::channel::<()>();
    for _ in 0..workers + 2 {
        // The receiver is there.
        let _ = token_sender.send(());
    }
    let tasks = Arc::new(Mutex::new(tasks));
    std::thread::scope(|scope| {
        scope.spawn(move || read(cut, rest, stop, &tokens, &task_sender));
        for _ in 0..workers {
            let (tasks, done_sender) = (Arc::clone(&tasks), done_sender.clone());
            scope.spawn(move || work(steps, &tasks, &done_sender));
        }
        // Only those who work hold these now: when they have gone, for whatever reason, who reads does not wait for them.
        drop((tasks, done_sender));
        let joined = in_order(done, steps, &token_sender, &mut join);
        // Whoever reads and tracks on would do so for nothing.
        stop.fetch_or(joined.is_err(), Ordering::Relaxed);
        drop(token_sender);
        joined
    })
}

/// Reads the film, chunk by chunk, as long as there is room for them.
fn read(
    cut: Cut,
    rest: Rest<impl FnMut() -> Option<(f64, Image)>>,
    stop: &AtomicBool,
    tokens: &Receiver<()>,
    tasks: &SyncSender<Task>,
) {
    let Rest { mut number, mut before, mut next } = rest;
    for index in 0.. {
        if tokens.recv().is_err() {
            return;
        }
        let mut frames = Vec::with_capacity(cut.frames);
        while frames.len() < cut.frames && !stop.load(Ordering::Relaxed) {
            let Some((secs, image)) = next() else { break };
            frames.push(Frame { number, secs, image: Arc::new(image) });
            number += 1;
        }
        let is_last = frames.len() < cut.frames;
        let tail: Vec<Arc<Image>> =
            frames.iter().rev().take(cut.warm_up).rev().map(|frame| Arc::clone(&frame.image)).collect();
        let task = Task { index, before: before.drain(..).collect(), frames };
        before.extend(tail);
        if task.frames.is_empty() || tasks.send(task).is_err() || is_last {
            return;
        }
    }
}

/// Tracks chunks until there are none.
fn work<State, TrackedFrame, New, Step, Same>(
    steps: &Steps<New, Step, Same>,
    tasks: &Mutex<Receiver<Task>>,
    done: &Sender<Tracked<State, TrackedFrame>>,
) where
    New: Fn(usize) -> State,
    Step: Fn(&mut State, &Image) -> TrackedFrame,
{
    loop {
        let task = tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(task) = task else { return };
        let number = task.frames[0].number;
        // Whoever waits for this chunk has to hear of it whatever happens.
        let tracked = catch_unwind(AssertUnwindSafe(|| track(steps, task)));
        let tracked = tracked.map_err(|_| {
            let message =
                "this is a fault of Vivant: report it with the film. What was tracked before is kept";
            Error::new(format!("the tracker failed in the frames from {number} on; {message}"))
        });
        let is_over = tracked.is_err();
        if done.send(tracked).is_err() || is_over {
            return;
        }
    }
}

fn track<State, TrackedFrame, New, Step, Same>(
    steps: &Steps<New, Step, Same>,
    task: Task,
) -> Done<State, TrackedFrame>
where
    New: Fn(usize) -> State,
    Step: Fn(&mut State, &Image) -> TrackedFrame,
{
    let Task { index, before, frames } = task;
    let mut end = (steps.new)(frames[0].number - before.len());
    let before = before.iter().map(|image| (steps.step)(&mut end, image)).last();
    let found = frames.iter().map(|frame| (steps.step)(&mut end, &frame.image)).collect();
    Done { index, frames, found, before, end }
}

/// Brings chunks in order, mends where they do not meet, and passes them on.
fn in_order<State, TrackedFrame, New, Step, Same>(
    done: Receiver<Tracked<State, TrackedFrame>>,
    steps: &Steps<New, Step, Same>,
    tokens: &Sender<()>,
    join: &mut impl FnMut(&[Frame], &[TrackedFrame]) -> Result<()>,
) -> Result<()>
where
    Step: Fn(&mut State, &Image) -> TrackedFrame,
    Same: Fn(&TrackedFrame, &TrackedFrame) -> bool,
{
    let (mut waiting, mut wanted) = (BTreeMap::new(), 0);
    let mut last: Option<(State, TrackedFrame)> = None;
    for chunk in done {
        let chunk = chunk?;
        waiting.insert(chunk.index, chunk);
        while let Some(mut chunk) = waiting.remove(&wanted) {
            if let Some((state, found)) = last.take() {
                mend(&mut chunk, state, &found, steps);
            }
            join(&chunk.frames, &chunk.found)?;
            last = chunk.found.pop().map(|found| (chunk.end, found));
            wanted += 1;
            // It goes only when the reader has gone.
            let _ = tokens.send(());
        }
    }
    Ok(())
}

/// Tracks a chunk on from where the one before it ended, if it began elsewhere, until it comes to the same.
fn mend<State, TrackedFrame, New, Step, Same>(
    chunk: &mut Done<State, TrackedFrame>,
    mut state: State,
    last: &TrackedFrame,
    steps: &Steps<New, Step, Same>,
) where
    Step: Fn(&mut State, &Image) -> TrackedFrame,
    Same: Fn(&TrackedFrame, &TrackedFrame) -> bool,
{
    if chunk.before.as_ref().is_none_or(|before| (steps.is_same)(last, before)) {
        return;
    }
    for (frame, found) in chunk.frames.iter().zip(&mut chunk.found) {
        let again = (steps.step)(&mut state, &frame.image);
        let is_same = (steps.is_same)(&again, found);
        *found = again;
        if is_same {
            return;
        }
    }
    chunk.end = state;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A film whose frames say their number.
    fn film(count: usize) -> impl FnMut() -> Option<(f64, Image)> + Send {
        let mut numbers = 0..count;
        move || {
            let number = numbers.next()?;
            Some((number as f64 / 10.0, Image::gray(4, 1, (number as u32).to_le_bytes().to_vec()).unwrap()))
        }
    }

    fn number(image: &Image) -> f64 {
        f64::from(u32::from_le_bytes(image.data[..4].try_into().unwrap()))
    }

    type Step = fn(&mut f64, &Image) -> f64;
    type Same = fn(&f64, &f64) -> bool;

    /// A tracker that comes nearer to the truth with every frame, in steps of an eighth, and starts far away. At some
    /// frames it takes a leap which a difference in the last digit decides.
    fn steps() -> Steps<fn(usize) -> f64, Step, Same> {
        let step = |state: &mut f64, image: &Image| {
            let leap = if number(image) % 50.0 == 0.0 { 1e3 * (*state * 8.0 % 2.0) } else { 0.0 };
            let found = *state + 0.5 * (number(image) - *state) + leap;
            *state = (found * 8.0).round() / 8.0;
            found
        };
        Steps { new: |_| 1e6, step, is_same: |a, b| (a * 8.0).round() == (b * 8.0).round() }
    }

    fn tracked(frames: usize, jobs: usize, chunk: usize) -> Vec<(usize, f64)> {
        let cut = Cut { frames: chunk, warm_up: 3, in_flight: 8 };
        let rest = Rest { number: 0, before: VecDeque::new(), next: film(frames) };
        let mut all = Vec::new();
        let join = |frames: &[Frame], found: &[f64]| {
            all.extend(frames.iter().zip(found).map(|(frame, found)| (frame.number, *found)));
            Ok(())
        };
        run(cut, jobs, rest, &steps(), &AtomicBool::new(false), join).unwrap();
        all
    }

    #[test]
    fn the_result_does_not_depend_on_the_number_of_jobs_and_has_no_seam() {
        let whole = tracked(1000, 1, 1000);
        assert_eq!(whole.len(), 1000);
        let one = tracked(1000, 1, 64);
        for jobs in [2, 3, 16] {
            assert_eq!(tracked(1000, jobs, 64), one, "{jobs} jobs");
        }
        // Three frames of warm-up leave the fresh state far off: each chunk has to be mended.
        assert_eq!(one, whole);
        assert_eq!(tracked(1000, 2, 7), whole);
    }

    #[test]
    fn every_frame_comes_once_whatever_the_length() {
        for frames in [0, 1, 63, 64, 65, 128] {
            let numbers: Vec<usize> = tracked(frames, 2, 64).iter().map(|row| row.0).collect();
            assert_eq!(numbers, (0..frames).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_fault_while_joining_ends_it_and_a_stop_keeps_what_was_read() {
        let cut = Cut { frames: 10, warm_up: 2, in_flight: 4 };
        let rest = || Rest { number: 0, before: VecDeque::new(), next: film(usize::MAX) };
        let ended = run(cut, 2, rest(), &steps(), &AtomicBool::new(false), |frames, _| {
            if frames[0].number >= 50 { Err(Error::new("the disk is full")) } else { Ok(()) }
        });
        assert!(ended.unwrap_err().to_string().contains("full"));
        let (stop, mut joined) = (AtomicBool::new(false), 0);
        run(cut, 2, rest(), &steps(), &stop, |frames, found| {
            assert_eq!((frames[0].number, frames.len()), (joined, found.len()));
            joined += frames.len();
            stop.fetch_or(joined >= 100, Ordering::Relaxed);
            Ok(())
        })
        .unwrap();
        assert!((100..=100 + 5 * 10).contains(&joined), "{joined}");
    }

    #[test]
    fn a_tracker_that_fails_is_told_of_and_nobody_waits_for_it() {
        let cut = Cut { frames: 10, warm_up: 2, in_flight: 8 };
        for jobs in [1, 2, 4] {
            let step = |state: &mut f64, image: &Image| {
                assert!(number(image) < 100.0, "this is what is tried");
                *state
            };
            let steps = Steps { new: |_| 0.0, step, is_same: |_: &f64, _: &f64| true };
            let (mut joined, rest) = (0, Rest { number: 0, before: VecDeque::new(), next: film(100_000) });
            let ended = run(cut, jobs, rest, &steps, &AtomicBool::new(false), |frames, _| {
                joined += frames.len();
                Ok(())
            });
            let said = ended.unwrap_err().to_string();
            assert!(said.contains("failed in the frames from") && joined <= 100, "{jobs} jobs: {said}");
        }
    }

    #[test]
    fn memory_is_bounded_whatever_the_size_of_frames() {
        for (bytes, frames) in
            [(512 * 384, 170), (640 * 360, 145), (64 * 48, 512), (1920 * 1080, 48), (1, 512)]
        {
            let cut = Cut::of(bytes);
            assert_eq!(cut.frames, frames, "{bytes}");
            let held = (cut.workers(64) + 2) * cut.frames * bytes;
            assert!(held <= MOST_BYTES.max(FEWEST_CHUNKS * cut.frames * bytes), "{bytes}: {held}");
            assert!((1..=64).contains(&cut.workers(64)));
        }
    }
}
