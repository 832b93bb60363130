//! Checks pointers, sizes and texts from C before use.
//!
//! A pointer that is not null is assumed to be valid as the header requires, since this cannot be checked.

use crate::status::{Fault, Result, Status};
use std::ffi::{CStr, c_char};

/// Maximum size of an object in bytes.
const MAX_BYTES: usize = isize::MAX as usize;

fn null(what: &str) -> Fault {
    Fault::new(Status::VivantNull, format!("{what}: is NULL; pass a valid pointer"))
}

/// Converts a text from C.
///
/// # Safety
/// `text` is null, or ends with a NUL and does not change during the call.
pub(crate) unsafe fn text<'a>(what: &str, text: *const c_char) -> Result<&'a str> {
    if text.is_null() {
        return Err(null(what));
    }
    // SAFETY: guaranteed by the caller.
    let bytes = unsafe { CStr::from_ptr(text) };
    bytes.to_str().map_err(|error| {
        let message = format!("{what}: byte {} is not UTF-8; encode the text as UTF-8", error.valid_up_to());
        Fault::new(Status::VivantBadText, message)
    })
}

/// Converts a list of numbers or bytes; an empty list may be NULL.
///
/// # Safety
/// `first` is null, or points to `count` elements that do not change during the call.
pub(crate) unsafe fn list<'a, T>(what: &str, first: *const T, count: usize) -> Result<&'a [T]> {
    check(what, first, count)?;
    match (first.is_null(), count) {
        (true, 0) => Ok(&[]),
        (true, _) => Err(null(what)),
        // SAFETY: guaranteed by the caller, and the size was checked.
        _ => Ok(unsafe { std::slice::from_raw_parts(first, count) }),
    }
}

fn check<T>(what: &str, first: *const T, count: usize) -> Result<()> {
    if count > MAX_BYTES / size_of::<T>() {
        let message = format!("{what}: a size of {count} is impossible; is it negative?");
        return Err(Fault::new(Status::VivantBadSize, message));
    }
    if !first.is_aligned() {
        return Err(Fault::value(format!(
            "{what}: pointer {first:p} is not aligned to {} bytes; align it",
            align_of::<T>()
        )));
    }
    Ok(())
}

/// Writes a value to a pointer from C.
///
/// # Safety
/// `place` is null or valid for writes.
pub(crate) unsafe fn put<T>(what: &str, place: *mut T, value: T) -> Result<()> {
    if place.is_null() {
        return Err(null(what));
    }
    // SAFETY: guaranteed by the caller. The old value is not read: it may be uninitialised.
    unsafe { place.write_unaligned(value) };
    Ok(())
}

/// Checks an output array with room for `count` numbers, and returns its first `needed` numbers.
///
/// # Safety
/// `first` is null, or points to `count` initialised numbers that are not used elsewhere during the call.
pub(crate) unsafe fn room<'a>(
    what: &str,
    first: *mut f32,
    count: usize,
    needed: usize,
) -> Result<&'a mut [f32]> {
    check(what, first, count)?;
    if count < needed {
        let message =
            format!("{what}: buffer too small: {needed} values needed, room for {count}; enlarge it");
        return Err(Fault::new(Status::VivantBadSize, message));
    }
    match (first.is_null(), needed) {
        (_, 0) => Ok(&mut []),
        (true, _) => Err(null(what)),
        // SAFETY: guaranteed by the caller, and the size was checked.
        _ => Ok(unsafe { std::slice::from_raw_parts_mut(first, needed) }),
    }
}

/// The caller's buffer for a text.
#[derive(Clone, Copy)]
pub(crate) struct Page {
    pub(crate) text: *mut c_char,
    pub(crate) capacity: usize,
    pub(crate) size: *mut usize,
}

impl Page {
    /// Writes a text, and returns true. Without a buffer, only writes the size and returns false.
    ///
    /// # Safety
    /// Each pointer is null or valid for writes, `text` for `capacity` bytes.
    pub(crate) unsafe fn write(self, text: &str) -> Result<bool> {
        let needed = text.len() + 1;
        if !self.size.is_null() {
            // SAFETY: guaranteed by the caller.
            unsafe { self.size.write_unaligned(needed) };
        }
        match (self.text.is_null(), self.capacity) {
            (true, 0) => return Ok(false),
            (true, _) => return Err(null("text")),
            (false, capacity) if capacity < needed => {
                let message =
                    format!("text: buffer too small: {needed} bytes needed, room for {capacity}; enlarge it");
                return Err(Fault::new(Status::VivantBadSize, message));
            }
            (false, _) => {}
        }
        let bytes = text.bytes().map(|byte| if byte == 0 { b' ' } else { byte }).chain([0]);
        for (place, byte) in bytes.enumerate() {
            // SAFETY: there is room for `needed` bytes.
            unsafe { self.text.add(place).write(byte.cast_signed() as c_char) };
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ptr::{null, null_mut};

    #[test]
    fn impossible_input_is_refused() {
        // SAFETY: every pointer is null, points to an array of that size, or is not read.
        unsafe {
            assert_eq!(text("role", null()).unwrap_err().status, Status::VivantNull);
            assert_eq!(text("role", c"\xff".as_ptr()).unwrap_err().status, Status::VivantBadText);
            assert_eq!(text("role", c"é".as_ptr()).unwrap(), "é");
            assert_eq!(list::<u8>("file", null(), 0).unwrap(), [0; 0]);
            assert_eq!(list::<u8>("file", null(), 1).unwrap_err().status, Status::VivantNull);
            assert_eq!(list("file", [1_u8].as_ptr(), usize::MAX).unwrap_err().status, Status::VivantBadSize);
            assert_eq!(
                list("voice", [1_i16].as_ptr(), usize::MAX / 2).unwrap_err().status,
                Status::VivantBadSize
            );
            let between = [1_i16, 2].as_ptr().wrapping_byte_add(1);
            assert_eq!(list("voice", between, 1).unwrap_err().status, Status::VivantBadValue);
            assert_eq!(put("intent", null_mut(), 1).unwrap_err().status, Status::VivantNull);
            let mut numbers = [0.0; 3];
            assert_eq!(room("root", numbers.as_mut_ptr(), 3, 3).unwrap().len(), 3);
            assert_eq!(room("root", numbers.as_mut_ptr(), 2, 3).unwrap_err().status, Status::VivantBadSize);
            assert_eq!(room("root", null_mut(), 3, 3).unwrap_err().status, Status::VivantNull);
            assert_eq!(room("root", null_mut(), 0, 0).unwrap().len(), 0);
            assert_eq!(
                room("root", numbers.as_mut_ptr(), usize::MAX, 3).unwrap_err().status,
                Status::VivantBadSize
            );
        }
    }

    #[test]
    fn a_text_is_written_whole_or_not_at_all() {
        for (capacity, expected) in [(0, None), (3, None), (4, Some(*b"a b\0####")), (8, Some(*b"a b\0####"))]
        {
            let (mut buffer, mut size) = (*b"########", 0);
            let page = Page { text: buffer.as_mut_ptr().cast(), capacity, size: &raw mut size };
            // SAFETY: the buffer is at least that large.
            let written = unsafe { page.write("a\0b") };
            assert_eq!((size, written.ok()), (4, expected.map(|_| true)), "{capacity}");
            assert_eq!(buffer, expected.unwrap_or(*b"########"));
        }
        let mut size = 0;
        let page = Page { text: null_mut(), capacity: 0, size: &raw mut size };
        // SAFETY: there is no buffer.
        assert_eq!((unsafe { page.write("four") }.ok(), size), (Some(false), 5));
        let page = Page { text: null_mut(), capacity: 9, size: null_mut() };
        // SAFETY: there is no buffer.
        assert_eq!(unsafe { page.write("four") }.unwrap_err().status, Status::VivantNull);
    }
}
