//! The result of every call: a status and a message.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Result of a call.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::enum_variant_names, reason = "C has no namespaces")]
pub enum Status {
    /// Success.
    VivantOk = 0,
    /// A pointer that must not be NULL is NULL.
    VivantNull = 1,
    /// The handle was released, never created, or is of another kind.
    VivantBadHandle = 2,
    /// A text is not UTF-8.
    VivantBadText = 3,
    /// A buffer is too small, or a size is impossibly large.
    VivantBadSize = 4,
    /// A value is invalid: vivant_last_error() says what is wrong, where, and what to do.
    VivantBadValue = 5,
    /// An earlier call with this handle returned VIVANT_PANIC: release the handle.
    VivantBroken = 6,
    /// A bug in Vivant. Please report vivant_last_error().
    VivantPanic = 7,
}

/// An error: status and message.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) status: Status,
    message: String,
}

pub(crate) type Result<T> = std::result::Result<T, Fault>;

impl Fault {
    pub(crate) fn new(status: Status, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    pub(crate) fn value(message: impl Into<String>) -> Self {
        Self::new(Status::VivantBadValue, message)
    }
}

impl From<vivant_io::Error> for Fault {
    fn from(error: vivant_io::Error) -> Self {
        Self::value(error.to_string())
    }
}

thread_local! {
    static LAST: RefCell<Option<CString>> = const { RefCell::new(None) };
}

/// Runs a call. Errors and panics become a status, and a message for this thread.
pub(crate) fn guard(work: impl FnOnce() -> Result<()>) -> Status {
    let fault = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return Status::VivantOk,
        Ok(Err(fault)) => fault,
        Err(panic) => Fault::new(Status::VivantPanic, panic_message(panic.as_ref())),
    };
    remember(&fault.message);
    fault.status
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<String>().map(String::as_str);
    let words = words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
    format!("bug in Vivant: {words}")
}

fn remember(message: &str) {
    let text = CString::new(message.replace('\0', " ")).ok();
    // A thread that is ending cannot store messages.
    let _ = LAST.try_with(|last| *last.borrow_mut() = text);
}

/// Returns the error message of the last failed call in this thread; empty if none failed. The text belongs to the
/// library and is valid until another call fails in this thread: copy it, and do not free it.
#[unsafe(no_mangle)]
pub extern "C" fn vivant_last_error() -> *const c_char {
    let pointer = |last: &RefCell<Option<CString>>| last.borrow().as_ref().map(|text| text.as_ptr());
    LAST.try_with(pointer).ok().flatten().unwrap_or(c"".as_ptr())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CStr;

    fn last() -> String {
        // SAFETY: the text ends with a NUL, and nothing fails meanwhile.
        unsafe { CStr::from_ptr(vivant_last_error()) }.to_string_lossy().into_owned()
    }

    #[test]
    fn errors_and_panics_have_a_status_and_a_message_per_thread() {
        assert_eq!(guard(|| Ok(())), Status::VivantOk);
        assert_eq!(last(), "");
        assert_eq!(guard(|| Err(Fault::value("role: no\0such"))), Status::VivantBadValue);
        assert_eq!(last(), "role: no such");
        assert_eq!(guard(|| panic!("index {} is out of range", 7)), Status::VivantPanic);
        assert_eq!(last(), "bug in Vivant: index 7 is out of range");
        assert_eq!(guard(|| panic!("plain")), Status::VivantPanic);
        assert_eq!(last(), "bug in Vivant: plain");
        std::thread::spawn(|| assert_eq!(last(), "")).join().unwrap();
        assert_eq!(guard(|| Ok(())), Status::VivantOk);
        assert_eq!(last(), "bug in Vivant: plain", "a successful call keeps the message");
    }
}
