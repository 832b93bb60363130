//! VMC over real UDP: other programs read the server's packets, and the server reads theirs.

#![allow(missing_docs, clippy::print_stderr, reason = "tests, which say what they skip")]

mod folder;

use folder::Folder;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream, UdpSocket};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use vivant::chance::Chance;
use vivant::rig::Bone;
use vivant_io::vmc::capture;
use vmc::Message;
use vmc::rosc::{OscMessage, OscPacket, OscType, decoder, encoder};

/// Time limit that ends tests which hang.
const PATIENCE: Duration = Duration::from_secs(240);

/// A server that ends with the test.
struct Server {
    process: Child,
    address: String,
    value: Value,
}

impl Server {
    fn start(options: &[&str]) -> Self {
        let home = std::env::temp_dir().join(format!("vivant-vmc-{}", std::process::id()));
        let mut command = Command::new(env!("CARGO_BIN_EXE_vivant"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--json", "--characters"]).arg(home).args(options);
        let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let value: Value = serde_json::from_str(&line).unwrap();
        let address = value["listening"].as_str().unwrap().trim_start_matches("http://").to_owned();
        Self { process, address, value }
    }

    /// Returns the address for incoming VMC.
    fn input(&self) -> SocketAddr {
        self.value["vmc"]["in"].as_str().unwrap().parse().unwrap()
    }

    fn intend(&self, intent: &Value) {
        self.post("/api/performers/main/intents", intent);
    }

    fn post(&self, path: &str, body: &Value) {
        let (host, body) = (&self.address, body.to_string());
        let mut stream = TcpStream::connect(host).unwrap();
        let length = body.len();
        write!(stream, "POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}")
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 20"), "{path} {body}: {answer}");
    }

    /// Returns the recent and planned actions of the performer.
    fn plan(&self) -> Value {
        let host = &self.address;
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "GET /api/performers/main/plan HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let body = answer.split_once("\r\n\r\n").unwrap().1;
        serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Opens a socket on a free port, and returns both.
fn tap() -> (UdpSocket, String) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let port = socket.local_addr().unwrap().port().to_string();
    (socket, port)
}

/// A frame as the `vmc` crate reads it.
#[derive(Clone, Debug, Default)]
struct Frame {
    /// Positions and rotations.
    bones: BTreeMap<String, [f32; 7]>,
    blends: BTreeMap<String, f32>,
    is_applied: bool,
    secs: f32,
}

fn next_frame(socket: &UdpSocket) -> Frame {
    let mut frame = Frame::default();
    let mut packet = [0; 65_536];
    loop {
        let size = socket.recv(&mut packet).unwrap();
        assert!(size <= 1200, "{size} bytes may be fragmented");
        for message in vmc::parse(decoder::decode_udp(&packet[..size]).unwrap().1).unwrap() {
            match message {
                Message::BoneTransform(value) => {
                    let (p, q) = (value.position, value.rotation);
                    frame.bones.insert(value.bone, [p.x, p.y, p.z, q.x, q.y, q.z, q.w]);
                }
                Message::BlendShape(value) => drop(frame.blends.insert(value.key, value.value)),
                Message::ApplyBlendShapes => frame.is_applied = true,
                Message::Time(value) => {
                    frame.secs = value.0;
                    return frame;
                }
                _ => {}
            }
        }
    }
}

/// Waits for the first frame that meets a condition; panics with `what` if there is none in time.
fn until(socket: &UdpSocket, what: &str, mut is_good: impl FnMut(&Frame) -> bool) -> Frame {
    let began = Instant::now();
    loop {
        let frame = next_frame(socket);
        if is_good(&frame) {
            return frame;
        }
        assert!(began.elapsed() < PATIENCE, "{what}: {frame:?}");
    }
}

#[test]
fn other_programs_can_read_a_sent_performer() {
    let (socket, port) = tap();
    let server = Server::start(&["--vmc", &port, "--vmc-rate", "30"]);
    assert_eq!(server.value["vmc"]["to"], json!([format!("127.0.0.1:{port}")]));
    let (mut frame, mut first) = (next_frame(&socket), None);
    for _ in 0..60 {
        frame = next_frame(&socket);
        first = first.or(Some(frame.secs));
        assert_eq!(frame.bones.len(), Bone::COUNT);
        for name in [
            "Hips",
            "LeftThumbProximal",
            "LeftThumbIntermediate",
            "RightLittleDistal",
            "LeftEye",
            "UpperChest",
        ] {
            assert!(frame.bones.contains_key(name), "{name}");
        }
        for name in ["Joy", "A", "Blink_L", "BrowInnerUp", "viseme_PP"] {
            assert!(frame.blends.contains_key(name), "{name}");
        }
        assert!(frame.is_applied && frame.blends.values().all(|weight| (0.0..=1.0).contains(weight)));
        for (name, bone) in &frame.bones {
            let length: f32 = bone[3..].iter().map(|x| x * x).sum();
            assert!((length - 1.0).abs() < 1e-4, "{name}: {bone:?}");
        }
        assert!(frame.bones["LeftShoulder"][0] < 0.0, "the character's left is at -X");
    }
    // At half of the server's rate.
    let took = frame.secs - first.unwrap_or_default();
    assert!(took > 59.0 / 30.0 - 0.04, "60 frames in {took} s");
}

#[test]
fn a_missing_performer_is_reported_and_sent_later() {
    let (socket, port) = tap();
    let server = Server::start(&[
        "--vmc",
        &port,
        "--vmc-performer",
        "eve",
        "--vmc-names",
        "vrm1",
        "--vmc-vrm",
        "C:\\eve.vrm",
    ]);
    let mut packet = [0; 65_536];
    let size = socket.recv(&mut packet).unwrap();
    let messages = vmc::parse(decoder::decode_udp(&packet[..size]).unwrap().1).unwrap();
    assert!(
        matches!(&messages[..], [Message::State(state)] if state.model_state == vmc::ModelState::NotLoaded)
    );
    server.post("/api/performers", &json!([{ "performer": "eve" }]));
    // Read until the message about the avatar arrives between frames.
    let began = Instant::now();
    let (mut has_avatar, mut has_bones, mut has_names) = (false, false, false);
    while !(has_avatar && has_bones && has_names) {
        let size = socket.recv(&mut packet).unwrap();
        let text = String::from_utf8_lossy(&packet[..size]).into_owned();
        has_avatar |= text.contains("/VMC/Ext/VRM") && text.contains("C:\\eve.vrm");
        has_bones |= text.contains("LeftThumbProximal");
        has_names |= text.contains("blinkLeft") && text.contains("happy");
        assert!(!text.contains("Blink_L") && began.elapsed() < PATIENCE);
    }
}

/// Compares the messages of three frames with the messages that python-osc decodes.
#[test]
fn python_osc_reads_the_same() {
    let Some(python) = python() else { return };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vmc/decode.py");
    let mut listener = Command::new(python).arg(script).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(listener.stdout.take().unwrap()).lines();
    let port = lines.next().unwrap().unwrap();
    let (socket, own) = tap();
    let _server = Server::start(&["--vmc", &port, "--vmc", &own]);
    let theirs: Vec<Value> = lines.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    assert!(listener.wait().unwrap().success());
    assert_eq!(theirs.len(), 3);
    for theirs in theirs {
        let number = |value: &Value| value.as_f64().unwrap() as f32;
        assert_eq!(theirs["ok"], json!([1, 3, 0, 1]));
        assert_eq!(theirs["root"], json!(["root", 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]));
        let secs = number(&theirs["time"]);
        let ours = until(&socket, "the same frame", |frame| frame.secs >= secs);
        assert_eq!(ours.secs, secs);
        let bones = theirs["bones"].as_object().unwrap();
        assert_eq!(bones.len(), ours.bones.len());
        for (name, numbers) in bones {
            let numbers: Vec<f32> = numbers.as_array().unwrap().iter().map(number).collect();
            assert_eq!(numbers, ours.bones[name], "{name}");
        }
        let blends = theirs["blends"].as_object().unwrap();
        assert_eq!(blends.len(), ours.blends.len());
        assert!(blends.iter().all(|(name, weight)| number(weight) == ours.blends[name]));
    }
}

/// Returns the interpreter with python-osc; prints a message if there is none.
fn python() -> Option<String> {
    Some(vivant_testing::variable("VIVANT_PYTHON_OSC")?.display().to_string())
}

/// Returns the block of code in the guide that starts with a comment.
fn of_guide(begin: &str) -> String {
    let guide = include_str!("../../../docs/guides/vmc.md");
    let blocks = guide.split("```").skip(1).step_by(2);
    let code = blocks.filter_map(|block| block.strip_prefix("python\n")).find(|code| code.starts_with(begin));
    code.unwrap_or_else(|| panic!("docs/guides/vmc.md has no {begin}")).to_owned()
}

struct Script(Child);

impl Drop for Script {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Script {
    fn start(python: &str, folder: &Folder, file: &str, port: &str) -> (Self, BufReader<ChildStdout>) {
        let mut command = Command::new(python);
        let mut child = command.arg(folder.path(file)).arg(port).stdout(Stdio::piped()).spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        (Self(child), out)
    }
}

#[test]
fn the_guides_listener_receives_the_character() {
    let Some(python) = python() else { return };
    let folder = Folder::with("vmc-listen", &[("listen.py", &of_guide("# listen.py"))]);
    let (socket, port) = tap();
    drop(socket);
    let (_script, out) = Script::start(&python, &folder, "listen.py", &port);
    let _server = Server::start(&["--vmc", &port]);
    for line in out.lines().take(20) {
        let line = line.unwrap();
        assert!(line.contains("55 bones") && line.contains("head ") && line.contains("blink "), "{line}");
    }
}

/// The script drives head and mouth; eyes and lids are generated.
#[test]
fn the_guides_tracker_drives_the_character_and_its_eyes_stay_alive() {
    let Some(python) = python() else { return };
    let folder = Folder::with("vmc-shake", &[("shake.py", &of_guide("# shake.py"))]);
    let (socket, port) = tap();
    let server = Server::start(&["--vmc-in", "0", "--vmc", &port]);
    let (_script, _out) = Script::start(&python, &folder, "shake.py", &server.input().port().to_string());
    let mut heads = [f32::INFINITY, f32::NEG_INFINITY];
    let (mut mouth, mut eyes) = (0.0_f32, 0.0_f32);
    until(&socket, "the head turns, the mouth opens and the eyes counter it", |frame| {
        let yaw = frame.bones["Head"][4];
        heads = [heads[0].min(yaw), heads[1].max(yaw)];
        mouth = mouth.max(frame.blends["A"]);
        // While the head is turned, the eyes are turned in the other direction.
        if yaw.abs() > 0.08 {
            eyes = eyes.max(-frame.bones["LeftEye"][4] * yaw.signum());
        }
        heads[0] < -0.1 && heads[1] > 0.1 && mouth > 0.8 && eyes > 0.04
    });
}

/// The bones of a frame as numbers, ordered by name, and the largest weight.
type Numbers = (Vec<[f32; 7]>, f32);

/// Returns the largest difference between the bones of two frames; rotations may have either sign.
fn off(a: &[[f32; 7]], b: &[[f32; 7]]) -> f32 {
    let mut most: f32 = 0.0;
    for (a, b) in a.iter().zip(b) {
        let dot: f32 = (3..7).map(|i| a[i] * b[i]).sum();
        for i in 0..7 {
            let b = if i > 2 && dot < 0.0 { -b[i] } else { b[i] };
            most = most.max((a[i] - b).abs());
        }
    }
    most
}

/// The recent frames of a socket, which is read continuously.
struct Lately(Arc<Mutex<VecDeque<Numbers>>>);

impl Lately {
    fn of(socket: UdpSocket) -> Self {
        let frames = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&frames);
        std::thread::spawn(move || {
            // Read until the test has ended.
            while Arc::strong_count(&kept) > 1 {
                let frame = next_frame(&socket);
                // A busy machine loses a packet now and then.
                if frame.bones.len() == Bone::COUNT {
                    let weight = frame.blends.values().copied().fold(0.0, f32::max);
                    let mut kept = kept.lock().unwrap();
                    kept.push_back((frame.bones.into_values().collect(), weight));
                    if kept.len() > 90 {
                        kept.pop_front();
                    }
                }
            }
        });
        Self(frames)
    }

    fn frames(&self) -> Vec<Numbers> {
        self.0.lock().unwrap().iter().cloned().collect()
    }

    fn last(&self) -> Option<Numbers> {
        self.0.lock().unwrap().back().cloned()
    }

    /// Returns a pose that is held, except for breathing, and differs from an earlier one.
    fn at_rest(&self, other_than: &[[f32; 7]]) -> Option<Vec<[f32; 7]>> {
        let frames = self.frames();
        let ((last, _), before) = frames.split_last()?;
        let rests =
            before.len() > 60 && before[before.len() - 60..].iter().all(|(bones, _)| off(bones, last) < 0.01);
        (rests && (other_than.is_empty() || off(other_than, last) > 0.05)).then(|| last.clone())
    }

    /// Returns the distance of a frame to the nearest of these frames or interpolations between them; some frames may
    /// have been lost.
    fn off(&self, frame: &[[f32; 7]]) -> f32 {
        const STEPS: u8 = 32;
        let frames = self.frames();
        let pairs = (1..=3).flat_map(|apart| frames.iter().zip(&frames[apart.min(frames.len())..]));
        let shares = pairs.flat_map(|pair| (0..=STEPS).map(move |n| (pair, f32::from(n) / f32::from(STEPS))));
        let offs = shares.map(|(((from, _), (to, _)), share)| {
            let between =
                |(a, b): (&[f32; 7], &[f32; 7])| std::array::from_fn(|i| a[i] + (b[i] - a[i]) * share);
            off(&from.iter().zip(to).map(between).collect::<Vec<_>>(), frame)
        });
        offs.fold(f32::INFINITY, f32::min)
    }
}

/// Waits until `look` returns a value.
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "timeout: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// One process sends a pose, and another receives and shows the same pose, in several stances and with invalid packets
/// on the port. Because of breathing, a pose is compared with the recently sent ones.
#[test]
fn a_pose_that_is_sent_and_received_is_the_same() {
    let ((there, there_port), (here, here_port)) = (tap(), tap());
    let receiver =
        Server::start(&["--vmc-in", "0", "--vmc-trust", "all", "--vmc", &here_port, "--seed", "9"]);
    let input = receiver.input().to_string();
    let sender = Server::start(&["--vmc", &input, "--vmc", &there_port, "--liveliness", "0"]);
    let (sent, shown) = (Lately::of(there), Lately::of(here));
    let vandal = UdpSocket::bind("127.0.0.1:0").unwrap();
    let mut before = Vec::new();
    for (round, stance) in ["hands-clasped", "hand-on-hip", "arms-folded"].into_iter().enumerate() {
        sender.intend(&json!({ "stance": stance }));
        let rests = wait_for(stance, || {
            rubbish(&vandal, &input, round);
            sent.at_rest(&before)
        });
        let is_there = || shown.last().filter(|(bones, _)| sent.off(bones) < 1e-4);
        wait_for(stance, is_there);
        // The pose is the same in ten checks in a row, once a busy machine runs both processes and there is no smile or
        // blink.
        let mut in_a_row = 0;
        wait_for(stance, || {
            rubbish(&vandal, &input, in_a_row);
            let is_same =
                shown.last().is_some_and(|(bones, weight)| weight < 1e-3 && sent.off(&bones) < 1e-4);
            in_a_row = if is_same { in_a_row + 1 } else { 0 };
            (in_a_row == 10).then_some(())
        });
        before = rests;
    }
}

/// Sends packets that are invalid, truncated or meaningless.
fn rubbish(socket: &UdpSocket, to: &str, n: usize) {
    let message = |address: &str, args: Vec<OscType>| {
        encoder::encode(&OscPacket::Message(OscMessage { addr: address.into(), args })).unwrap()
    };
    let nan = |name: &str| {
        [OscType::String(name.into())].into_iter().chain(vec![OscType::Float(f32::NAN); 7]).collect()
    };
    let mut cut = message("/VMC/Ext/Bone/Pos", nan("Hips"));
    cut.truncate(30 + n % 20);
    let packets = [
        cut,
        message("/VMC/Ext/Bone/Pos", nan("Head")),
        message("/VMC/Ext/Bone/Pos", vec![OscType::Int(1)]),
        message("/VMC/Ext/Blend/Val", vec![OscType::String("Joy".into()), OscType::Float(f32::INFINITY)]),
        message("/VMC/Ext/Blend/Apply", vec![]),
        b"#bundle\0\0\0\0\0\0\0\0\x01\xff\xff\xff\xff".to_vec(),
        vec![0; 7],
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        Vec::new(),
    ];
    packets.iter().for_each(|packet| drop(socket.send_to(packet, to)));
}

#[test]
fn received_frames_are_recorded_on_request() {
    let folder = Folder::with("vmc-record", &[("there.jsonl", "old\n")]);
    let take = folder.path("take.jsonl");
    let receiver = Server::start(&["--vmc-in", "0", "--vmc-record", take.to_str().unwrap()]);
    let (socket, port) = tap();
    let sender = Server::start(&["--vmc", &receiver.input().to_string(), "--vmc", &port]);
    let began = Instant::now();
    let frames = loop {
        next_frame(&socket);
        let text = std::fs::read(&take).unwrap();
        let frames = capture::read(&text).unwrap();
        if frames.len() > 60 {
            break frames;
        }
        assert!(began.elapsed() < PATIENCE, "{} frames were recorded", frames.len());
    };
    drop((sender, receiver));
    let whole =
        frames.iter().filter(|frame| frame.bones.len() == Bone::COUNT && frame.weights.len() > 80).count();
    assert!(whole * 10 > frames.len() * 8, "{whole} of {} frames are complete", frames.len());
    assert!(frames.windows(2).all(|pair| pair[0].secs <= pair[1].secs));
    folder.fault(
        "serve --listen 127.0.0.1:0 --no-open --characters home --vmc-in 0 --vmc-record there.jsonl",
        &["there.jsonl", "choose another one"],
    );
    assert_eq!(folder.text("there.jsonl"), "old\n");
}

#[test]
fn sockets_that_cannot_be_opened_are_reported() {
    let folder = Folder::with("vmc-faults", &[]);
    let serve = "serve --listen 127.0.0.1:0 --no-open --characters home";
    folder.fault(&format!("{serve} --vmc-in 0.0.0.0:0"), &["other computers", "--vmc-from", "--vmc-in"]);
    let (_socket, port) = tap();
    folder.fault(&format!("{serve} --vmc-in {port}"), &[&port, "another program", "--vmc-in"]);
    folder.fault(
        &format!("{serve} --vmc no-such-host.invalid:39539"),
        &["no-such-host.invalid:39539", "--vmc"],
    );
    let (socket, port) = tap();
    drop(socket);
    folder.fault(&format!("{serve} --vmc-in {port} --vmc {port}"), &[&port, "received again"]);
    for (words, expected) in [
        ("--vmc x", "39539"),
        ("--vmc-in x", "39540"),
        ("--vmc-from 1.2.3.4", "--vmc-in"),
        ("--vmc-rate 0", "1 to 240"),
        ("--vmc-names vrm2", "vrm0"),
    ] {
        folder.fault(&format!("{serve} {words}"), &[expected]);
    }
}

/// Packets of computers that are not listed are ignored.
#[test]
fn only_listed_computers_may_send() {
    let (socket, port) = tap();
    let server = Server::start(&["--vmc-in", "127.0.0.1:0", "--vmc-from", "127.0.0.9", "--vmc", &port]);
    let send = |from: &str| {
        let socket = UdpSocket::bind(from).unwrap();
        let (input, mut n) = (server.input(), 0);
        move || {
            n += 1;
            let half = 0.4 + 0.1 * vivant::math::sin32(n as f32 * 0.1);
            let (sin, cos) = (vivant::math::sin32(half), vivant::math::cos32(half));
            let numbers = [0.0, 0.0, 0.0, sin, 0.0, 0.0, cos].map(OscType::Float);
            let args = [OscType::String("LeftLowerArm".into())].into_iter().chain(numbers).collect();
            let message = OscMessage { addr: "/VMC/Ext/Bone/Pos".into(), args };
            drop(socket.send_to(&encoder::encode(&OscPacket::Message(message)).unwrap(), input));
        }
    };
    let is_led = |frame: &Frame| {
        (0.25..0.5).contains(&frame.bones["LeftLowerArm"][3]) && frame.bones["LeftLowerArm"][4].abs() < 0.01
    };
    let mut stranger = send("127.0.0.1:0");
    for _ in 0..90 {
        stranger();
        assert!(!is_led(&next_frame(&socket)), "a packet of an unlisted computer was used");
    }
    // Only some systems have several loopback addresses.
    if UdpSocket::bind("127.0.0.9:0").is_ok() {
        let mut friend = send("127.0.0.9:0");
        until(&socket, "a friend is heard", |frame| {
            friend();
            is_led(frame)
        });
    }
}

/// One character performs, another one mirrors it: its responses are in its plan, and its body is not driven.
#[test]
fn a_tracked_person_can_be_mirrored_instead_of_played() {
    // With this seed the character responds to everything for a while.
    let answers =
        |seed: &u64| (1..20).all(|action| Chance::new(*seed, "mimicry").event(action).uniform() < 0.6);
    let seed = (0..).find(answers).unwrap().to_string();
    let mirror = Server::start(&["--vmc-in", "0", "--vmc-mirror", "--seed", &seed]);
    let port = mirror.input().port().to_string();
    let person = Server::start(&["--vmc", &port]);
    person.intend(&json!({ "stance": "arms-folded" }));
    wait_for("the arms to be folded, too", || {
        // The person may also improvise.
        person.intend(&json!({ "stance": "arms-folded" }));
        let plan = mirror.plan();
        let is_asked = |bar: &&Value| bar["asked"] == true && bar.to_string().contains("folded");
        plan["bars"].as_array().unwrap().iter().find(is_asked).map(drop)
    });
}
