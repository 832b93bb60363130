//! Handles: numbers that stand for objects, so that a program in C cannot use a freed object.
//!
//! Numbers are never reused: the upper byte is the kind of object, the rest is a counter. So a released handle stays
//! invalid, and a handle of another kind is detected. Lookups do not allocate, and an empty table uses no memory.

use crate::status::{Fault, Result, Status};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// Position of the kind in a handle.
const KIND_SHIFT: u32 = 56;

/// All live objects of one kind.
pub(crate) struct Table<T> {
    kind: u64,
    name: &'static str,
    next: AtomicU64,
    things: RwLock<BTreeMap<u64, Arc<Mutex<T>>>>,
}

impl<T> Table<T> {
    pub(crate) const fn new(kind: u8, name: &'static str) -> Self {
        let next = AtomicU64::new(1);
        Self { kind: (kind as u64) << KIND_SHIFT, name, next, things: RwLock::new(BTreeMap::new()) }
    }

    /// Adds an object, and returns its handle.
    pub(crate) fn add(&self, thing: T) -> u64 {
        let handle = self.kind | self.next.fetch_add(1, Ordering::Relaxed);
        let mut things = self.things.write().unwrap_or_else(PoisonError::into_inner);
        things.insert(handle, Arc::new(Mutex::new(thing)));
        handle
    }

    /// Returns the object of a handle.
    pub(crate) fn get(&self, handle: u64) -> Result<Held<T>> {
        let things = self.things.read().unwrap_or_else(PoisonError::into_inner);
        things.get(&handle).map(|thing| Held(Arc::clone(thing))).ok_or_else(|| self.unknown(handle))
    }

    /// Removes an object; running calls may finish. Returns true if it existed.
    pub(crate) fn remove(&self, handle: u64) -> bool {
        let mut things = self.things.write().unwrap_or_else(PoisonError::into_inner);
        let thing = things.remove(&handle);
        if things.is_empty() {
            // An empty map that had entries keeps memory.
            *things = BTreeMap::new();
        }
        // Release the lock before the object is dropped.
        drop(things);
        thing.is_some()
    }

    fn unknown(&self, handle: u64) -> Fault {
        let why = match handle {
            0 => "0 is not a handle; was it created?".to_owned(),
            _ if handle >> KIND_SHIFT != self.kind >> KIND_SHIFT => {
                format!("{handle:#x} is of another kind; pass a handle of this kind")
            }
            _ if handle < self.kind | self.next.load(Ordering::Relaxed) => {
                format!("{handle:#x} was released; create a new one")
            }
            _ => format!("{handle:#x} was never created; pass a handle from Vivant"),
        };
        Fault::new(Status::VivantBadHandle, format!("{}: {why}", self.name))
    }
}

/// An object that stays alive while it is used.
#[derive(Debug)]
pub(crate) struct Held<T>(Arc<Mutex<T>>);

impl<T> Held<T> {
    /// Locks the object.
    pub(crate) fn lock(&self) -> Result<MutexGuard<'_, T>> {
        let broken = "an earlier call panicked because of a bug in Vivant; release the handle";
        self.0.lock().map_err(|_| Fault::new(Status::VivantBroken, broken))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn invalid_handles_are_explained() {
        let table = Table::new(3, "performer");
        let handle = table.add("eve");
        assert!(table.remove(handle) && !table.remove(handle));
        for (wrong, words) in [
            (0, "performer: 0 is not a handle; was it created?"),
            (handle, "performer: 0x300000000000001 was released"),
            (handle + 1, "performer: 0x300000000000002 was never created"),
            (2 << 56 | 1, "performer: 0x200000000000001 is of another kind"),
            (u64::MAX, "performer: 0xffffffffffffffff is of another kind"),
        ] {
            let fault = table.get(wrong).unwrap_err();
            assert_eq!(fault.status, Status::VivantBadHandle);
            assert!(format!("{fault:?}").contains(words), "{fault:?}");
        }
    }

    #[test]
    fn an_object_whose_call_panicked_stays_broken_until_released() {
        let table = Table::new(1, "performer");
        let handle = table.add(1);
        let held = table.get(handle).unwrap();
        let broke = std::thread::spawn(move || {
            let _mine = held.lock();
            panic!("in the middle of it");
        });
        assert!(broke.join().is_err());
        assert_eq!(table.get(handle).unwrap().lock().unwrap_err().status, Status::VivantBroken);
        assert!(table.remove(handle));
    }

    proptest! {
        /// After any sequence of additions and removals, exactly the live objects are found.
        #[test]
        fn only_live_objects_are_found(steps in prop::collection::vec(0..40_usize, 0..200)) {
            let table = Table::new(1, "thing");
            let (mut all, mut alive) = (Vec::new(), BTreeSet::new());
            for step in steps {
                match all.get(step).copied() {
                    Some(handle) => prop_assert_eq!(table.remove(handle), alive.remove(&handle)),
                    None => {
                        let handle = table.add(all.len());
                        prop_assert!(!all.contains(&handle) && alive.insert(handle));
                        all.push(handle);
                    }
                }
                for (number, handle) in all.iter().enumerate() {
                    match table.get(*handle) {
                        Ok(held) => prop_assert_eq!(*held.lock().unwrap(), number),
                        Err(_) => prop_assert!(!alive.contains(handle)),
                    }
                }
            }
        }
    }
}
