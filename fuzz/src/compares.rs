//! Two names that gcc wants and libFuzzer lacks.
//!
//! ufbx is C. Built with `CFLAGS="-fsanitize=address -fsanitize-coverage=trace-cmp"` it tells
//! libFuzzer about its comparisons, which is all the feedback that gcc can give. It also reports
//! those of floating-point numbers, and libFuzzer has no ear for them.

/// A comparison of floats.
#[unsafe(no_mangle)]
pub extern "C" fn __sanitizer_cov_trace_cmpf(_: f32, _: f32) {}

/// A comparison of doubles.
#[unsafe(no_mangle)]
pub extern "C" fn __sanitizer_cov_trace_cmpd(_: f64, _: f64) {}
