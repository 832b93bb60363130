//! Two functions that gcc needs and libFuzzer lacks.
//!
//! ufbx is C. Built with `CFLAGS="-fsanitize=address -fsanitize-coverage=trace-cmp"` it reports its comparisons to
//! libFuzzer, which is all the feedback that gcc supports. It also reports floating-point comparisons, which
//! libFuzzer does not handle.

/// Called by gcc for a comparison of floats; does nothing.
#[unsafe(no_mangle)]
pub extern "C" fn __sanitizer_cov_trace_cmpf(_: f32, _: f32) {}

/// Called by gcc for a comparison of doubles; does nothing.
#[unsafe(no_mangle)]
pub extern "C" fn __sanitizer_cov_trace_cmpd(_: f64, _: f64) {}
