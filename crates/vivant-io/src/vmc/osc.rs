//! Reads and writes Open Sound Control 1.0, as far as VMC needs it.
//!
//! Anyone who knows the port can send packets, so the crate `rosc` is not used to read them. It follows nested bundles
//! without a limit, although a datagram can hold thousands, and it drops everything after the first error in a bundle.
//! Here nesting is limited, an error only drops its own message, and nothing is allocated.

/// Maximum nesting depth of bundles.
const MAX_DEPTH: usize = 8;
/// The time tag for “immediately”.
const IMMEDIATELY: u64 = 1;
const BUNDLE: &[u8; 8] = b"#bundle\0";

/// A message, borrowed from its packet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message<'a> {
    pub(super) address: &'a str,
    tags: &'a [u8],
    data: &'a [u8],
}

/// An argument of a message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Argument<'a> {
    Int(i32),
    Float(f32),
    Text(&'a str),
    /// A type that VMC does not use.
    Other,
}

impl<'a> Message<'a> {
    /// Parses a message; `None` if it is malformed.
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let (address, rest) = text(bytes)?;
        // Some old senders omit the type tags of messages without arguments.
        let (tags, data) = if rest.is_empty() { (",", rest) } else { text(rest)? };
        let tags = tags.strip_prefix(',')?.as_bytes();
        address.starts_with('/').then_some(Self { address, tags, data })
    }

    /// Iterates over the arguments, up to the first that is truncated or unknown.
    pub(super) fn arguments(&self) -> impl Iterator<Item = Argument<'a>> {
        let mut data = self.data;
        self.tags.iter().map_while(move |tag| {
            let (argument, rest) = argument(*tag, data)?;
            data = rest;
            Some(argument)
        })
    }

    /// Returns `N` floats, starting at the argument with the index `from`; `None` if any is missing or not a float.
    pub(super) fn floats<const N: usize>(&self, from: usize) -> Option<[f32; N]> {
        let mut arguments = self.arguments().skip(from);
        let mut out = [0.0; N];
        for number in &mut out {
            let Some(Argument::Float(found)) = arguments.next() else { return None };
            *number = found;
        }
        Some(out)
    }

    /// Returns the first argument, if it is a text.
    pub(super) fn name(&self) -> Option<&'a str> {
        match self.arguments().next() {
            Some(Argument::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Returns the argument at `index`, if it is an integer.
    pub(super) fn int(&self, index: usize) -> Option<i32> {
        match self.arguments().nth(index) {
            Some(Argument::Int(number)) => Some(number),
            _ => None,
        }
    }
}

fn argument(tag: u8, data: &[u8]) -> Option<(Argument<'_>, &[u8])> {
    let word = || data.split_first_chunk::<4>().map(|(word, rest)| (*word, rest));
    let skip = |bytes: usize| data.get(bytes..).map(|rest| (Argument::Other, rest));
    match tag {
        b'i' => word().map(|(word, rest)| (Argument::Int(i32::from_be_bytes(word)), rest)),
        b'f' => word().map(|(word, rest)| (Argument::Float(f32::from_be_bytes(word)), rest)),
        b's' | b'S' => text(data).map(|(text, rest)| (Argument::Text(text), rest)),
        b'c' | b'r' | b'm' => skip(4),
        b'h' | b'd' | b't' => skip(8),
        b'T' | b'F' | b'N' | b'I' | b'[' | b']' => skip(0),
        b'b' => {
            let (word, rest) = word()?;
            let bytes = usize::try_from(i32::from_be_bytes(word)).ok()?;
            rest.get(padded(bytes)..).map(|rest| (Argument::Other, rest))
        }
        _ => None,
    }
}

/// Reads a zero-terminated text, and returns it together with the bytes after its padding.
fn text(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == 0)?;
    let text = std::str::from_utf8(&bytes[..end]).ok()?;
    // The padding of the last element may be missing.
    Some((text, bytes.get(padded(end + 1)..).unwrap_or_default()))
}

const fn padded(bytes: usize) -> usize {
    bytes.next_multiple_of(4)
}

/// Visits all messages of a packet in order and returns the number of malformed ones.
pub(super) fn visit_messages<'a>(packet: &'a [u8], visit: &mut dyn FnMut(Message<'a>)) -> usize {
    visit_nested(packet, MAX_DEPTH, visit)
}

fn visit_nested<'a>(packet: &'a [u8], depth: usize, visit: &mut dyn FnMut(Message<'a>)) -> usize {
    let Some(mut elements) = packet.strip_prefix(BUNDLE) else {
        return Message::read(packet).map(visit).map_or(1, |()| 0);
    };
    // The time tag is ignored: VMC messages apply immediately.
    let (Some(rest), Some(depth)) = (elements.get(8..), depth.checked_sub(1)) else { return 1 };
    elements = rest;
    let mut faults = 0;
    while let Some((size, rest)) = elements.split_first_chunk::<4>() {
        let Some(element) = rest.get(..u32::from_be_bytes(*size) as usize) else { return faults + 1 };
        faults += visit_nested(element, depth, visit);
        elements = &rest[element.len()..];
    }
    faults + usize::from(!elements.is_empty())
}

/// Messages in bundles, each small enough for one datagram.
#[derive(Clone, Debug, Default)]
pub(super) struct Bundles {
    bytes: Vec<u8>,
    /// Start of each bundle.
    starts: Vec<usize>,
}

/// Maximum size of a bundle in bytes: the same as in the reference implementation, and small enough for every network.
pub(super) const MAX_BUNDLE_BYTES: usize = 1200;

impl Bundles {
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.starts.clear();
    }

    /// Adds a message, to the last bundle if it fits.
    pub(super) fn push(&mut self, address: &str, arguments: &[Argument<'_>]) {
        let at = self.bytes.len();
        self.bytes.extend([0; 4]);
        self.push_message(address, arguments);
        let size = self.bytes.len() - at;
        self.bytes[at..at + 4].copy_from_slice(&(size as u32 - 4).to_be_bytes());
        let is_full = self.starts.last().is_none_or(|start| self.bytes.len() - start > MAX_BUNDLE_BYTES);
        if is_full {
            let head = BUNDLE.iter().copied().chain(IMMEDIATELY.to_be_bytes());
            self.bytes.splice(at..at, head);
            self.starts.push(at);
        }
    }

    fn push_message(&mut self, address: &str, arguments: &[Argument<'_>]) {
        self.push_text(address.bytes());
        let tag = |argument: &Argument<'_>| match argument {
            Argument::Int(_) => b'i',
            Argument::Float(_) => b'f',
            Argument::Text(_) => b's',
            Argument::Other => b'N',
        };
        self.push_text(std::iter::once(b',').chain(arguments.iter().map(tag)));
        for argument in arguments {
            match argument {
                Argument::Int(number) => self.bytes.extend(number.to_be_bytes()),
                Argument::Float(number) => self.bytes.extend(number.to_be_bytes()),
                // A zero would end the text.
                Argument::Text(text) => self.push_text(text.bytes().filter(|byte| *byte != 0)),
                Argument::Other => {}
            }
        }
    }

    fn push_text(&mut self, text: impl Iterator<Item = u8>) {
        let start = self.bytes.len();
        self.bytes.extend(text);
        let end = start + padded(self.bytes.len() - start + 1);
        self.bytes.resize(end, 0);
    }

    /// Iterates over the bundles in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let ends = self.starts.iter().skip(1).copied().chain([self.bytes.len()]);
        self.starts.iter().zip(ends).map(|(start, end)| &self.bytes[*start..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use vmc::rosc::{OscBundle, OscMessage, OscPacket, OscTime, OscType, decoder, encoder};

    /// Reads a packet: addresses with arguments, and the number of malformed messages.
    fn read(packet: &[u8]) -> (Vec<String>, usize) {
        let mut found = Vec::new();
        let faults = visit_messages(packet, &mut |message| {
            let arguments: Vec<_> = message.arguments().map(|argument| format!("{argument:?}")).collect();
            found.push(format!("{} {}", message.address, arguments.join(" ")));
        });
        (found, faults)
    }

    fn message(address: &str, args: Vec<OscType>) -> OscPacket {
        OscPacket::Message(OscMessage { addr: address.into(), args })
    }

    fn bundle(content: Vec<OscPacket>) -> OscPacket {
        OscPacket::Bundle(OscBundle { timetag: OscTime { seconds: 7, fractional: 9 }, content })
    }

    #[test]
    fn packets_of_rosc_are_read() {
        let all = vec![
            OscType::Int(-3),
            OscType::Float(0.5),
            OscType::String("héllo".into()),
            OscType::Blob(vec![1, 2, 3, 4, 5]),
            OscType::Double(1.0),
            OscType::Long(1),
            OscType::Bool(true),
            OscType::Nil,
            OscType::Time(OscTime { seconds: 1, fractional: 2 }),
            OscType::Char('x'),
            OscType::Int(4),
        ];
        let packet = bundle(vec![message("/a", vec![]), bundle(vec![message("/b", all)])]);
        let (found, faults) = read(&encoder::encode(&packet).unwrap());
        let others = ["Other"; 7].join(" ");
        assert_eq!(found, ["/a ", &format!("/b Int(-3) Float(0.5) Text(\"héllo\") {others} Int(4)")]);
        assert_eq!(faults, 0);
    }

    #[test]
    fn a_malformed_message_drops_only_itself() {
        let good = encoder::encode(&message("/good", vec![OscType::Int(1)])).unwrap();
        let with = |element: &[u8], size: u32| {
            let mut bytes = BUNDLE.to_vec();
            bytes.extend(IMMEDIATELY.to_be_bytes());
            for (element, size) in
                [(&good[..], good.len() as u32), (element, size), (&good, good.len() as u32)]
            {
                bytes.extend(size.to_be_bytes());
                bytes.extend(element);
            }
            bytes
        };
        // Bytes in the middle of a bundle, the number of messages read from them, and the number of malformed
        // messages.
        for (element, read_of_it, faults) in [
            (&b""[..], 0, 1),
            (b"no address", 0, 1),
            (b"/no/zero", 0, 1),
            (b"no/slash\0\0\0\0,\0\0\0", 0, 1),
            (b"/no/comma\0\0\0i\0\0\0", 0, 1),
            (b"/bad/\xff\0\0,\0\0\0", 0, 1),
            (b"/no/tags\0\0\0\0", 1, 0),
            (b"/cut/off\0\0\0\0,if\0\0\0\0\x01\0\0", 1, 0),
            (b"#bundle\0", 0, 1),
            (b"#bundle\0\0\0\0\0\0\0\0\x01", 0, 0),
            (b"#bundle\0\0\0\0\0\0\0\0\x01\0\0", 0, 1),
            (b"#bundle\0\0\0\0\0\0\0\0\x01\xff\xff\xff\xff", 0, 1),
        ] {
            let (found, found_faults) = read(&with(element, element.len() as u32));
            assert_eq!((found.len(), found_faults), (2 + read_of_it, faults), "{element:?}: {found:?}");
        }
        // A wrong size.
        assert_eq!(read(&with(b"/x\0\0,\0\0\0", u32::MAX)).1, 1);
        assert_eq!(read(&[]), (vec![], 1));
    }

    #[test]
    fn bundle_nesting_is_limited() {
        let nested = |depth: usize| {
            let mut bytes = encoder::encode(&message("/deep", vec![])).unwrap();
            for _ in 0..depth {
                let mut outer = BUNDLE.to_vec();
                outer.extend(IMMEDIATELY.to_be_bytes());
                outer.extend((bytes.len() as u32).to_be_bytes());
                outer.extend(&bytes);
                bytes = outer;
            }
            read(&bytes)
        };
        assert_eq!(nested(MAX_DEPTH), (vec!["/deep ".to_owned()], 0));
        // As deep as a datagram allows.
        for depth in [MAX_DEPTH + 1, 3270] {
            assert_eq!(nested(depth), (vec![], 1), "{depth} deep");
        }
    }

    fn texts() -> impl Strategy<Value = String> {
        prop::collection::vec(prop::char::range('\u{1}', '\u{2ff}'), 0..40).prop_map(String::from_iter)
    }

    proptest! {
        /// Both `rosc` and this module read what is written.
        #[test]
        fn written_bundles_are_read_here_and_by_rosc(
            all in prop::collection::vec(("/[a-z/A-Z]{0,20}", any::<i32>(), any::<f32>(), texts()), 1..80)
        ) {
            let mut bundles = Bundles::default();
            for (address, int, float, text) in &all {
                bundles.push(address, &[Argument::Int(*int), Argument::Float(*float), Argument::Text(text)]);
            }
            let mut ours = Vec::new();
            let mut theirs = Vec::new();
            for bundle in bundles.iter() {
                prop_assert!(bundle.len() <= MAX_BUNDLE_BYTES && bundle.len().is_multiple_of(4));
                prop_assert_eq!(visit_messages(bundle, &mut |m| ours.push((m.address.to_owned(), m.arguments().count()))), 0);
                let (rest, packet) = decoder::decode_udp(bundle).unwrap();
                prop_assert!(rest.is_empty());
                let OscPacket::Bundle(packet) = packet else { panic!("a bundle") };
                theirs.extend(packet.content);
            }
            prop_assert_eq!(ours.len(), all.len());
            for ((address, int, float, text), theirs) in all.iter().zip(theirs) {
                let OscPacket::Message(theirs) = theirs else { panic!("a message") };
                prop_assert_eq!(&theirs.addr, address);
                let same = matches!(&theirs.args[..], [OscType::Int(i), OscType::Float(f), OscType::String(s)]
                    if i == int && f.to_bits() == float.to_bits() && s == text);
                prop_assert!(same, "{:?}", theirs.args);
            }
        }

        #[test]
        fn random_bytes_do_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), cut in 0..30usize) {
            let mut packet = BUNDLE.to_vec();
            packet.extend(&bytes);
            for packet in [&bytes[..], &packet, &packet[..packet.len().saturating_sub(cut)]] {
                visit_messages(packet, &mut |message| {
                    let _ = (message.arguments().count(), message.name(), message.floats::<7>(1), message.int(0));
                });
            }
        }
    }
}
