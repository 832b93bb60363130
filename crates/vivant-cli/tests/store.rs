//! Characters over HTTP as the studio uses them, and a server that is killed while it saves.

#![allow(missing_docs, reason = "tests")]
#![allow(clippy::print_stdout, reason = "tests print what they measure")]

use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A folder of characters that is removed after the test.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("vivant-store-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// Creates Eve, whose avatar is only a skeleton and fast to read.
    fn with_eve(name: &str) -> Self {
        let home = Self::new(name);
        let eve = home.0.join("eve");
        ["clips", "avatars"].iter().for_each(|folder| fs::create_dir_all(eve.join(folder)).unwrap());
        let clips = vivant_mannequin::starter_clips();
        let nod = clips.iter().find(|clip| clip.name() == "nod").unwrap();
        let text = vivant_io::bvh::write(&vivant_mannequin::rig(), nod, &mut Vec::new());
        fs::write(eve.join("avatars/body.bvh"), &text).unwrap();
        fs::write(eve.join("clips/nod.bvh"), &text).unwrap();
        fs::write(
            eve.join("character.toml"),
            "# hers\nversion = 1\nname = \"0\"\navatar = \"avatars/body.bvh\"\n",
        )
        .unwrap();
        fs::write(eve.join("repertoire.json"), repertoire(0).to_string()).unwrap();
        home
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn repertoire(number: u64) -> Value {
    json!({"version": 1, "stances": [{
        "name": format!("standing-{number}"),
        "gestures": [{"clip": "clips/nod.bvh", "likelihood": number}],
    }]})
}

/// A server on a port of its own; it ends with the test.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(home: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vivant"));
        command.args(["--listen", "127.0.0.1:0", "--no-open", "--json", "--characters"]).arg(home);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let printed: Value = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e} in {line:?}"));
        let address = printed["listening"].as_str().unwrap().trim_start_matches("http://").to_owned();
        Self { child, address }
    }

    /// Sends a request without waiting for the answer.
    fn ask(&self, method: &str, path: &str, body: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all(&[head.as_bytes(), body].concat()).unwrap();
        stream
    }

    fn send(&self, method: &str, path: &str, body: &[u8]) -> (u16, Vec<u8>) {
        answer(&mut self.ask(method, path, body)).expect("an answer")
    }

    fn json(&self, method: &str, path: &str, body: &[u8]) -> (u16, Value) {
        let (status, body) = self.send(method, path, body);
        (status, serde_json::from_slice(&body).unwrap_or_default())
    }

    fn eve(&self) -> Value {
        let (status, eve) = self.json("GET", "/api/characters/eve", b"");
        assert_eq!(status, 200, "{eve}");
        eve
    }

    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Returns the status and the body, if the answer is complete.
fn answer(stream: &mut TcpStream) -> Option<(u16, Vec<u8>)> {
    let mut all = Vec::new();
    // A killed server does not answer.
    let _ = stream.read_to_end(&mut all);
    let end = all.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&all[..end]).to_lowercase();
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let body = all.split_off(end + 4);
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    (length.unwrap_or(body.len()) == body.len()).then_some((status, body))
}

fn edit(revision: &Value, number: u64) -> Vec<u8> {
    let edit = json!({
        "revision": revision,
        "what": format!("step {number}"),
        "name": number.to_string(),
        "repertoire": repertoire(number),
    });
    edit.to_string().into_bytes()
}

/// Returns the number of the state; both texts must agree.
fn number(eve: &Value) -> u64 {
    let name: u64 = eve["name"].as_str().unwrap().parse().unwrap();
    let stance = eve["repertoire"]["stances"][0]["name"].as_str().unwrap();
    assert_eq!(stance, format!("standing-{name}"), "half a change");
    assert_eq!(
        eve["repertoire"]["stances"][0]["gestures"][0]["likelihood"].as_f64().unwrap_or(1.0),
        name as f64
    );
    name
}

/// Seeded random numbers from 0 to 1.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / (1_u64 << 24) as f64
    }
}

/// Measures the duration of a save, to kill the server during one.
fn one_save(server: &Server, stack: &mut Vec<u64>) -> Duration {
    let mut times = Vec::new();
    for number in 1..=5 {
        let revision = server.eve()["revision"].clone();
        let begun = Instant::now();
        assert_eq!(server.json("PUT", "/api/characters/eve", &edit(&revision, number)).0, 200);
        times.push(begun.elapsed());
        stack.push(number);
    }
    times.sort();
    times[2]
}

#[test]
fn a_server_that_is_killed_while_it_saves_leaves_the_old_state_or_the_new_one() {
    const KILLS: u64 = 200;
    let home = Home::with_eve("kill");
    let mut chance = Chance(6);
    let mut server = Server::start(&home.0);
    let mut stack = vec![0];
    let mut save = one_save(&server, &mut stack);
    let (mut old, mut new) = (0, 0);
    for kill in 0..KILLS {
        let eve = server.eve();
        let (before, revision) = (number(&eve), &eve["revision"]);
        assert_eq!(before, stack[stack.len() - 1]);
        let is_undo = kill % 5 == 4;
        let target = if is_undo { stack[stack.len() - 2] } else { 1000 + kill };
        let mut asked = match is_undo {
            true => server.ask("POST", "/api/characters/eve/undo", b""),
            false => server.ask("PUT", "/api/characters/eve", &edit(revision, target)),
        };
        std::thread::sleep(save.mul_f64(1.2 * chance.next()));
        server.kill();
        let was_confirmed = answer(&mut asked).is_some_and(|(status, _)| status == 200);
        if kill % 25 == 0 {
            check_alone(&home.0.join("eve"));
        }
        server = Server::start(&home.0);
        let after = number(&server.eve());
        assert!(after == target || (after == before && !was_confirmed), "{before} → {target}: {after}");
        (old, new) = if after == target { (old, new + 1) } else { (old + 1, new) };
        // The speed of the machine may change: adapt the delay so that about half of the kills come too early.
        save = save.mul_f64(if after == target { 0.93 } else { 1.07 });
        match (after == target, is_undo) {
            (false, _) => {}
            (true, true) => drop(stack.pop()),
            (true, false) => stack.push(target),
        }
    }
    println!("{old} kills left the old state, {new} the new one; a save takes {save:?}");
    assert!(old > 10 && new > 10, "kills fell before and after: {old} old, {new} new");
    while stack.len() > 1 {
        stack.pop();
        assert_eq!(number(&server.json("POST", "/api/characters/eve/undo", b"").1), stack[stack.len() - 1]);
    }
    let manifest = fs::read_to_string(home.0.join("eve/character.toml")).unwrap();
    assert!(manifest.starts_with("# hers\n"), "{manifest}");
}

/// Checks that the files load without a server that repairs them first.
fn check_alone(eve: &Path) {
    let checked =
        Command::new(env!("CARGO_BIN_EXE_vivant")).args(["repertoire", "check"]).arg(eve).output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
}

#[test]
fn every_refusal_has_its_status_and_message() {
    let home = Home::with_eve("refusals");
    let server = Server::start(&home.0);
    let stale = edit(&json!(7), 1);
    let eve = "/api/characters/eve";
    for (method, path, body, status, words) in [
        ("POST", "/api/characters", &b"{}"[..], 422, "the field `name` is missing"),
        ("POST", "/api/characters", b"{\"name\": \"x\", \"from\": \"adam\"}", 404, "no character `adam`"),
        ("POST", "/api/characters", b"nonsense", 422, "line 1"),
        ("GET", "/api/characters/adam", b"", 404, "no character `adam`"),
        ("GET", "/api/characters/..%2f..%2fetc", b"", 404, "there is no such address"),
        ("PUT", eve, b"[]", 422, "curly brackets"),
        ("PUT", eve, b"{\"revision\": 1, \"what\": \"x\", \"repertoire\": {\"version\": 1, \"stances\": [{\"name\": \"\"}]}}", 422, "repertoire.stances[0].name: is empty"),
        ("PUT", eve, b"{\"revision\": 1, \"what\": \"x\", \"temperament\": {\"lidTempo\": 9}}", 422, "temperament.lidTempo: 9 is out of range"),
        ("PUT", eve, &stale, 409, "load it again"),
        ("PUT", "/api/characters/builtin", &stale, 403, "is read-only"),
        ("POST", "/api/characters/eve/undo", b"", 422, "nothing left to undo"),
        ("POST", "/api/characters/eve/redo", b"", 422, "nothing to redo"),
        ("POST", "/api/characters/eve/place", b"{\"revision\": 1, \"clips\": [\"clips/nodd.bvh\"]}", 404, "did you mean `clips/nod.bvh`?"),
        ("POST", "/api/characters/eve/clips?name=a.bvh", b"garbage", 422, "a.bvh: unknown file format"),
        ("POST", "/api/characters/eve/avatar?name=a.vrm", b"garbage", 422, "a.vrm: unknown file format"),
        ("GET", "/api/characters/eve/pose?clip=none&at=0", b"", 404, "unknown or unreadable clip `none`"),
        ("GET", "/api/characters/eve/avatar", b"", 404, "only bones"),
    ] {
        let (found, printed) = server.json(method, path, body);
        let error = printed["error"].as_str().unwrap_or_default();
        assert_eq!(found, status, "{method} {path}: {printed}");
        assert!(error.contains(words), "{method} {path}: {printed}");
    }
    assert_eq!(number(&server.eve()), 0);
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let head = format!(
        "POST {eve}/clips?name=a.bvh HTTP/1.1\r\nHost: {}\r\nContent-Length: 300000000\r\n\r\n",
        server.address
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut printed = [0; 512];
    let read = stream.read(&mut printed).unwrap();
    let printed = String::from_utf8_lossy(&printed[..read]);
    assert!(printed.starts_with("HTTP/1.1 413") && printed.contains("256 MiB"), "{printed}");
}

#[test]
fn a_clip_and_its_first_frame_come_over_http() {
    let home = Home::with_eve("clips");
    let server = Server::start(&home.0);
    let clip = fs::read(home.0.join("eve/clips/nod.bvh")).unwrap();
    let (status, sent) = server.json("POST", "/api/characters/eve/clips?name=..%2fagain.bvh", &clip);
    assert_eq!((status, sent["clips"][0]["clip"].as_str()), (200, Some("clips/again.bvh")));
    let (status, frame) = server.send("GET", "/api/characters/eve/pose?clip=clips%2Fagain.bvh&at=0.25", b"");
    let frame = vivant_io::json::protocol::frame::Frame::from_bytes(&frame).unwrap();
    assert_eq!((status, frame.number, frame.time, frame.rotations.len()), (200, 0, 0.25, 55));
    let (_, proposals) = server.json("GET", "/api/characters/eve/proposals", b"");
    assert_eq!(proposals[0]["clip"].as_str(), Some("clips/again.bvh"));
    let place = br#"{"revision": 1, "clips": ["clips/again.bvh"], "as": "fidget", "stance": "standing-0"}"#;
    let (status, placed) = server.json("POST", "/api/characters/eve/place", place);
    assert_eq!(status, 200, "{placed}");
    assert_eq!(
        placed["character"]["repertoire"]["stances"][0]["fidgets"][0]["clip"].as_str(),
        Some("clips/again.bvh")
    );
}

fn data() -> Option<PathBuf> {
    vivant_testing::data("")
}

fn files(folder: &Path, most: usize) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    files.retain(|path| path.is_file());
    files.sort();
    files.truncate(most);
    files
}

#[test]
fn real_clips_and_avatars_are_accepted() {
    let Some(data) = data() else { return };
    let home = Home::with_eve("real");
    let server = Server::start(&home.0);
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().replace(' ', "%20");
    for folder in ["mocap/bvh_cmu", "mocap/bvh_other", "mocap/fbx_rocketbox", "avatars/vrma"] {
        for path in files(&data.join(folder), 3) {
            let address = format!("/api/characters/eve/clips?name={}", name(&path));
            let (status, sent) = server.json("POST", &address, &fs::read(&path).unwrap());
            assert_eq!(status, 200, "{}: {sent}", path.display());
            assert!(sent["clips"][0]["seconds"].as_f64().unwrap() > 0.0);
        }
    }
    let mut bodies = Vec::new();
    for folder in ["avatars/vrm0", "avatars/vrm1", "avatars/glb", "avatars/fbx"] {
        bodies.extend(files(&data.join(folder), 1));
    }
    for path in &bodies {
        let address = format!("/api/characters/eve/avatar?name={}", name(path));
        let (status, eve) = server.json("POST", &address, &fs::read(path).unwrap());
        assert_eq!(status, 200, "{}: {eve}", path.display());
        let is_vrm = path.extension().unwrap() == "vrm";
        assert_eq!(eve["avatar"]["model"].as_str(), Some(if is_vrm { "vrm" } else { "glb" }));
        let (status, shown) = server.send("GET", "/api/characters/eve/avatar", b"");
        assert!(status == 200 && shown.starts_with(b"glTF"), "{}", path.display());
        let (_, rig) = server.json("GET", "/api/characters/eve/rig", b"");
        assert_eq!(rig["avatar"], eve["avatar"]["revision"]);
    }
    for _ in &bodies {
        assert_eq!(server.json("POST", "/api/characters/eve/undo", b"").0, 200);
    }
    let eve = server.eve();
    assert_eq!(eve["avatar"]["name"].as_str(), Some("body.bvh"), "{}", eve["avatar"]);
}
