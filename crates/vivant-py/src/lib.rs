//! Vivant for Python: performers, traces, blinks, models and tracking as NumPy arrays, so that researchers can use the
//! engine in notebooks.
//!
//! These are only bindings: all computations are in the other crates, and give the same numbers as the `vivant` command
//! to the last digit. Long calls release the GIL, so that other Python threads can run.

#![forbid(unsafe_code)]

mod arguments;
mod arrays;
mod behaviour;
mod blink_model;
mod blinks;
mod errors;
mod eye_model;
mod films;
mod performer;
mod recordings;
mod texture;
mod trace;

/// Checks the alignment of a class. Python aligns all objects to two words, even if a class needs more, and PyO3 does
/// not check this.
const fn fits<Class>() {
    assert!(align_of::<Class>() <= 2 * size_of::<usize>());
}

const _: () = {
    fits::<behaviour::Behaviour>();
    fits::<blink_model::BlinkModel>();
    fits::<blinks::Blinks>();
    fits::<eye_model::EyeModel>();
    fits::<eye_model::Tracked>();
    fits::<eye_model::Tracker>();
    fits::<films::Frames>();
    fits::<films::Track>();
    fits::<performer::Performer>();
    fits::<recordings::Recording>();
    fits::<texture::EyeTexture>();
    fits::<trace::Trace>();
};

#[pyo3::pymodule]
mod _vivant {
    #[pymodule_export]
    use crate::behaviour::{Behaviour, learn_behaviour};
    #[pymodule_export]
    use crate::blink_model::{BlinkModel, learn_blinks};
    #[pymodule_export]
    use crate::blinks::{Blinks, blinks};
    #[pymodule_export]
    use crate::errors::Error;
    #[pymodule_export]
    use crate::eye_model::{EyeModel, Tracked, Tracker};
    #[pymodule_export]
    use crate::films::{Frames, Track, frames, track};
    #[pymodule_export]
    use crate::performer::Performer;
    #[pymodule_export]
    use crate::recordings::{Recording, read_recording, recording_files};
    #[pymodule_export]
    use crate::texture::{EyeTexture, learn_eyes};
    #[pymodule_export]
    use crate::trace::{Trace, blink, eyes, gaze_shift, lid_saccade, saccade};

    use pyo3::prelude::*;
    use pyo3::types::PyTuple;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("BONES", PyTuple::new(py, vivant::rig::Bone::ALL.map(vivant::rig::Bone::name))?)?;
        module.add("SIGNALS", PyTuple::new(py, vivant_host::signals::SIGNALS)?)?;
        module.add("POINTS", PyTuple::new(py, crate::eye_model::point_names())?)?;
        module.add("DEVICES", PyTuple::new(py, vivant_learn::recording::devices())?)
    }
}
