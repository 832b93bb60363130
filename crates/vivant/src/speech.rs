//! Speech: what is said becomes sounds with times, and sounds become a mouth.

pub mod audio;
pub mod event;
pub mod lines;
pub mod moments;
pub mod mouth;
pub mod phone;
pub mod pronounce;
pub mod score;
pub mod text;
pub mod timing;
pub mod utterance;
pub mod viseme;

pub use phone::Phone;
pub use score::{Ending, Pause, Score, Segment, Stress, Word};
pub use viseme::{Class, Viseme};
