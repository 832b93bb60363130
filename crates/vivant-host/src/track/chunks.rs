//! Processes long films in parallel chunks and joins the results in order.
//!
//! The cut positions depend only on the frame size, so the result is the same for any number of jobs. Tracking of a
//! chunk starts with a full search, [`Cut::warm_up`] frames before the chunk. If the state of the tracker at the
//! start of the chunk differs from its state at the end of the previous chunk, the chunk is tracked again, starting
//! with the state of the previous chunk, until both states agree. The result is therefore bit-identical to the result
//! for an uncut film.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use vivant_io::{Error, Result};
use vivant_learn::film::Image;

/// Maximum size of a chunk in bytes, and its minimum and maximum number of frames.
const CHUNK_BYTES: usize = 32 << 20;
const FRAMES: std::ops::RangeInclusive<usize> = 48..=512;
/// Number of frames that are tracked before the frames of a chunk, so that a fresh search settles. A tracker
/// remembers ten errors, and two trackers reach the same pose within a few more frames.
const WARM_UP: usize = 24;
/// Maximum memory for frames in bytes, and the minimum number of chunks, which has priority over this limit.
const MAX_BYTES: usize = 256 << 20;
const MIN_CHUNKS: usize = 3;

/// The sizes of the chunks into which a film is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Frames per chunk.
    pub frames: usize,
    /// Number of frames that are tracked before the frames of a chunk, so that a fresh search settles.
    pub warm_up: usize,
    /// Maximum number of chunks in memory.
    in_flight: usize,
}

impl Cut {
    /// Computes the sizes for frames of `frame_bytes` bytes.
    pub fn of(frame_bytes: usize) -> Self {
        let frames = (CHUNK_BYTES / frame_bytes.max(1)).clamp(*FRAMES.start(), *FRAMES.end());
        let in_flight = (MAX_BYTES / (frames * frame_bytes.max(1))).max(MIN_CHUNKS);
        Self { frames, warm_up: WARM_UP, in_flight }
    }

    /// Sets a shorter chunk length in frames, if one is given. Longer lengths are ignored.
    pub fn with_frames(self, frames: Option<usize>) -> Self {
        Self { frames: frames.unwrap_or(self.frames).min(self.frames), ..self }
    }

    /// Returns the number of workers. It is at most the number of chunks in memory minus two, because one chunk is
    /// being read and another is waiting.
    fn workers(&self, jobs: usize) -> usize {
        jobs.clamp(1, self.in_flight - 2)
    }
}

/// A frame of a film.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The number of the frame, from 0.
    pub number: usize,
    /// The time of the frame in seconds.
    pub secs: f64,
    /// The image of the frame.
    pub image: Arc<Image>,
}

/// The functions that track a sequence of frames. `new` creates the state, `step` tracks one frame, and `is_same`
/// tests whether tracking continues identically after two results.
pub struct Steps<New, Step, Same> {
    /// Creates a fresh state before the frame with this number.
    pub new: New,
    /// Tracks one frame.
    pub step: Step,
    /// Returns true if tracking continues identically after both results.
    pub is_same: Same,
}

/// The part of a film that has not been read yet.
pub struct Rest<Next> {
    /// The number of the next frame, which starts a chunk.
    pub number: usize,
    /// The frames directly before the next frame.
    pub before: VecDeque<Arc<Image>>,
    /// The function that returns the next frame.
    pub next: Next,
}

struct Task {
    index: usize,
    before: Vec<Arc<Image>>,
    frames: Vec<Frame>,
}

/// A tracked chunk, or an error.
type Tracked<State, TrackedFrame> = Result<Done<State, TrackedFrame>>;

struct Done<State, TrackedFrame> {
    index: usize,
    frames: Vec<Frame>,
    found: Vec<TrackedFrame>,
    /// The result for the frame before the first frame of the chunk.
    before: Option<TrackedFrame>,
    end: State,
}

/// Tracks the rest of a film and passes the frames and results of each chunk to `join`, in order. Ends early when
/// `stop` is set; all frames that were read until then are still processed.
///
/// # Errors
/// If `join` or the tracker fails.
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
        // The receiver exists, so this cannot fail.
        let _ = token_sender.send(());
    }
    let tasks = Arc::new(Mutex::new(tasks));
    std::thread::scope(|scope| {
        scope.spawn(move || read(cut, rest, stop, &tokens, &task_sender));
        for _ in 0..workers {
            let (tasks, done_sender) = (Arc::clone(&tasks), done_sender.clone());
            scope.spawn(move || work(steps, &tasks, &done_sender));
        }
        // From here on, only workers hold these channel ends. When all workers have ended, for any reason, the reader
        // does not wait for them.
        drop((tasks, done_sender));
        let joined = in_order(done, steps, &token_sender, &mut join);
        // After an error, further reading and tracking would be useless.
        stop.fetch_or(joined.is_err(), Ordering::Relaxed);
        drop(token_sender);
        joined
    })
}

/// Reads the film chunk by chunk, while there is memory for chunks.
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

/// Tracks chunks until there are no more.
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
        // The receiver must get a result for this chunk in any case.
        let tracked = catch_unwind(AssertUnwindSafe(|| track(steps, task)));
        let tracked = tracked.map_err(|_| {
            let message =
                "this is a bug in Vivant; please report it with the video. Earlier results are kept";
            Error::new(format!("the tracker failed in the frames from {number} on; {message}"))
        });
        let has_failed = tracked.is_err();
        if done.send(tracked).is_err() || has_failed {
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

/// Sorts chunks, tracks the start of a chunk again if it does not continue the previous chunk, and passes the chunks
/// to `join`.
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
    let (mut waiting, mut next_index) = (BTreeMap::new(), 0);
    let mut last: Option<(State, TrackedFrame)> = None;
    for chunk in done {
        let chunk = chunk?;
        waiting.insert(chunk.index, chunk);
        while let Some(mut chunk) = waiting.remove(&next_index) {
            if let Some((state, found)) = last.take() {
                repair(&mut chunk, state, &found, steps);
            }
            join(&chunk.frames, &chunk.found)?;
            last = chunk.found.pop().map(|found| (chunk.end, found));
            next_index += 1;
            // Sending fails only when the reader has ended.
            let _ = tokens.send(());
        }
    }
    Ok(())
}

/// Tracks a chunk again if its start state differs from the end state of the previous chunk, until both states agree.
fn repair<State, TrackedFrame, New, Step, Same>(
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

    /// A film whose frames contain their number.
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

    /// A tracker that starts far away and halves its distance to the truth with every frame, rounded to eighths. In
    /// every fiftieth frame it jumps by a distance that depends on its state.
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
    fn the_result_does_not_depend_on_jobs_or_chunks() {
        let whole = tracked(1000, 1, 1000);
        assert_eq!(whole.len(), 1000);
        let one = tracked(1000, 1, 64);
        for jobs in [2, 3, 16] {
            assert_eq!(tracked(1000, jobs, 64), one, "{jobs} jobs");
        }
        // After only three frames of warm-up, the state is still far from the truth, so each chunk has to be
        // repaired.
        assert_eq!(one, whole);
        assert_eq!(tracked(1000, 2, 7), whole);
    }

    #[test]
    fn every_frame_is_tracked_once() {
        for frames in [0, 1, 63, 64, 65, 128] {
            let numbers: Vec<usize> = tracked(frames, 2, 64).iter().map(|row| row.0).collect();
            assert_eq!(numbers, (0..frames).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_ends_it_and_a_stop_keeps_results() {
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
    fn a_failing_tracker_is_reported_without_deadlock() {
        let cut = Cut { frames: 10, warm_up: 2, in_flight: 8 };
        for jobs in [1, 2, 4] {
            let step = |state: &mut f64, image: &Image| {
                assert!(number(image) < 100.0, "intended failure");
                *state
            };
            let steps = Steps { new: |_| 0.0, step, is_same: |_: &f64, _: &f64| true };
            let (mut joined, rest) = (0, Rest { number: 0, before: VecDeque::new(), next: film(100_000) });
            let ended = run(cut, jobs, rest, &steps, &AtomicBool::new(false), |frames, _| {
                joined += frames.len();
                Ok(())
            });
            let message = ended.unwrap_err().to_string();
            assert!(message.contains("failed in the frames from") && joined <= 100, "{jobs} jobs: {message}");
        }
    }

    #[test]
    fn memory_is_bounded_for_any_frame_size() {
        for (bytes, frames) in
            [(512 * 384, 170), (640 * 360, 145), (64 * 48, 512), (1920 * 1080, 48), (1, 512)]
        {
            let cut = Cut::of(bytes);
            assert_eq!(cut.frames, frames, "{bytes}");
            let held = (cut.workers(64) + 2) * cut.frames * bytes;
            assert!(held <= MAX_BYTES.max(MIN_CHUNKS * cut.frames * bytes), "{bytes}: {held}");
            assert!((1..=64).contains(&cut.workers(64)));
        }
    }
}
