//! Tracks a whole film, and can resume an earlier run.

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

/// Tracks a film and adds a row for each frame to the sink.
///
/// `jobs` is the number of chunks that are tracked in parallel; it does not change the result. Tracking ends early
/// once `stop` is set. `on_frame` gets the number of finished frames.
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
    // The last chunk of an earlier run is tracked again, so that tracking continues from its state.
    let first = sink.earlier_rows().saturating_sub(cut.frames);
    let before = skip(film, sink, first, cut.warm_up)?;
    let rest = Rest { number: first, before, next: || film.next() };
    let done = chunks::run(cut, jobs, rest, &eyes.steps(), stop, |frames, found| {
        sink.add_chunk(frames, found)?;
        on_frame(sink.summary().frames);
        Ok(())
    });
    // A closed stream (as with `| head`) is not an error.
    if sink.is_closed() { Ok(()) } else { done }
}

/// Skips `count` frames whose rows exist, and returns the images of the last `kept` of them.
fn skip(film: &mut Film, sink: &mut Sink, count: usize, kept: usize) -> Result<VecDeque<Arc<Image>>> {
    let mut last = VecDeque::new();
    for number in 0..count {
        let Some((secs, image)) = film.next() else { break };
        let frame = Frame { number, secs, image: Arc::new(image) };
        sink.reuse_row(&frame)?;
        last.push_back(frame.image);
        if last.len() > kept {
            last.pop_front();
        }
    }
    Ok(last)
}

/// Returns the key of all data that the rows depend on. A film is identified by its first frame and by the length and
/// modification time of its file.
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
