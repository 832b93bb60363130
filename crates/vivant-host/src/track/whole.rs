//! Tracks a film as a whole, from where an earlier run ended.

use super::Eyes;
use super::chunks::{self, Cut, Frame, Rest};
use super::part::Key;
use super::sink::Sink;
use crate::film::{Film, Options, STDIN};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use vivant_io::Result;
use vivant_learn::film::Image;

/// Tracks a film and puts a row for each frame into the sink.
///
/// `jobs` chunks are tracked at once; their number does not change the result. It ends early once `stop` is set.
/// `on_frame` gets the number of finished frames.
///
/// # Errors
/// If the film, the tracker or the sink fails.
pub fn track(
    film: &mut Film,
    eyes: &Eyes,
    sink: &mut Sink,
    (cut, jobs): (Cut, usize),
    stop: &AtomicBool,
    on_frame: &mut dyn FnMut(usize),
) -> Result<()> {
    // The last chunk of an earlier run is tracked again, to go on from where it ended.
    let first = sink.earlier_rows().saturating_sub(cut.frames);
    let before = skipped(film, sink, first, cut.warm_up)?;
    let rest = Rest { number: first, before, next: || film.next() };
    let done = chunks::run(cut, jobs, rest, &eyes.steps(), stop, |frames, found| {
        sink.take(frames, found)?;
        on_frame(sink.summary().frames);
        Ok(())
    });
    // If the reader of a stream has seen enough (`| head`), that is not a failure.
    if sink.is_closed() { Ok(()) } else { done }
}

/// Passes over frames whose rows exist, and returns the last of them.
fn skipped(film: &mut Film, sink: &mut Sink, count: usize, kept: usize) -> Result<VecDeque<Arc<Image>>> {
    let mut last = VecDeque::new();
    for number in 0..count {
        let Some((secs, image)) = film.next() else { break };
        let frame = Frame { number, secs, image: Arc::new(image) };
        sink.again(&frame)?;
        last.push_back(frame.image);
        if last.len() > kept {
            last.pop_front();
        }
    }
    Ok(last)
}

/// Returns the key of everything that rows depend on. A film is known by the length and time of its file, and by its
/// first frame.
#[must_use]
pub fn key(path: &Path, options: &Options, eyes: &Eyes, film: &mut Film, cut: Cut) -> Key {
    let about = std::fs::metadata(path).ok().filter(|_| path != Path::new(STDIN));
    let changed =
        about.as_ref().and_then(|about| about.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok());
    let words = format!("{:?} {:?} {:?} {cut:?}", options.raw, options.fps, about.map(|about| about.len()));
    let mut key =
        Key::new().with(&eyes.digest()).with(words.as_bytes()).with(format!("{changed:?}").as_bytes());
    if let Some((secs, image)) = film.peek() {
        key = key.with(format!("{secs} {} {}", image.width, image.height).as_bytes()).with(&image.data);
    }
    key
}
