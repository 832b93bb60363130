//! `vivant label` as a process: responses to the view, saved labels and refused requests.

#![allow(missing_docs, reason = "tests")]

mod folder;

use folder::Folder;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

const WIDTH: usize = 32;
const HEIGHT: usize = 24;
const FRAMES: usize = 5;

/// Returns a gray film whose frames get brighter, at 10 frames per second.
fn y4m() -> Vec<u8> {
    let mut film = format!("YUV4MPEG2 W{WIDTH} H{HEIGHT} F10:1 Cmono\n").into_bytes();
    for frame in 0..FRAMES {
        film.extend(b"FRAME\n");
        film.extend((0..WIDTH * HEIGHT).map(|pixel| (pixel % 97 + 30 * frame) as u8));
    }
    film
}

fn folder(name: &str) -> Folder {
    let folder = Folder::with(&format!("label-{name}"), &[]);
    fs::write(folder.path("film.y4m"), y4m()).unwrap();
    folder
}

/// A label view on its own port, which ends with the test.
struct View {
    process: Child,
    address: String,
}

/// A response.
struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{}: {error}", self.head))
    }
}

impl View {
    fn open(folder: &Folder, words: &str) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vivant"));
        command.current_dir(folder.path("")).arg("label").args(words.split(' '));
        command.args(["--listen", "127.0.0.1:0", "--json"]).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let value: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let address = value["listening"].as_str().unwrap_or_else(|| panic!("{value}"));
        Self { process, address: address.trim_start_matches("http://").to_owned() }
    }

    fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (host, length) = (&self.address, body.len());
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}");
        write!(stream, "{head}Content-Length: {length}\r\n\r\n{body}").unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head, body: bytes[end + 4..].to_vec() }
    }

    fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "", "")
    }

    fn put(&self, revision: u64, labels: &Value) -> Answer {
        self.ask("PUT", &format!("/api/labels?revision={revision}"), "", &labels.to_string())
    }
}

impl Drop for View {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn points() -> Value {
    let eye = [(2, 8), (4, 6), (6, 5), (8, 6), (10, 8), (8, 9), (6, 10), (4, 9), (6, 8)];
    let left = eye.map(|(x, y)| [31 - x, y]);
    json!(eye.map(|(x, y)| [x, y]).into_iter().chain(left).collect::<Vec<_>>())
}

fn labels(frames: &[usize]) -> Value {
    let frames: Vec<Value> = frames
        .iter()
        .map(|frame| json!({ "frame": frame, "secs": *frame as f64 / 10.0, "points": points() }))
        .collect();
    json!({ "version": 1, "film": "film.y4m", "width": WIDTH, "height": HEIGHT, "frames": frames, "gaze": [] })
}

#[test]
fn the_view_gets_the_film_and_each_of_its_frames() {
    let folder = folder("film");
    let view = View::open(&folder, "film.y4m");
    let film = view.get("/api/film").json();
    assert_eq!(
        (&film["name"], &film["width"], &film["height"]),
        (&json!("film.y4m"), &json!(32), &json!(24))
    );
    assert_eq!(film["secs"], json!([0.0, 0.1, 0.2, 0.3, 0.4]));
    let sizes = [("/api/frames/4.png", WIDTH), ("/api/frames/0.png?width=16", WIDTH / 2)];
    for (path, width) in sizes {
        let answer = view.get(path);
        assert!(answer.head.contains("image/png") && answer.body.starts_with(b"\x89PNG"), "{}", answer.head);
        assert_eq!(answer.body[16..20], (width as u32).to_be_bytes(), "{path}");
    }
    for path in ["/api/frames/5.png", "/api/frames/x.png", "/api/frames/1", "/api/nothing"] {
        let answer = view.get(path);
        assert!(answer.status == 404 && answer.json()["error"].is_string(), "{path}: {}", answer.status);
    }
}

#[test]
fn suggestions_are_frames_of_the_film_each_once() {
    let folder = folder("suggest");
    let view = View::open(&folder, "film.y4m");
    let found: Vec<usize> = serde_json::from_value(view.get("/api/suggestions").json()).unwrap();
    let mut unique = found.clone();
    unique.sort_unstable();
    unique.dedup();
    assert!(
        !found.is_empty() && unique.len() == found.len() && unique.iter().all(|n| *n < FRAMES),
        "{found:?}"
    );
}

#[test]
fn labels_are_saved_as_a_whole_and_are_there_the_next_time() {
    let folder = folder("save");
    let view = View::open(&folder, "film.y4m");
    let first = view.get("/api/labels").json();
    assert_eq!(first["labels"]["frames"], json!([]));
    let saved = view.put(first["revision"].as_u64().unwrap(), &labels(&[1, 3]));
    assert_eq!(saved.status, 200, "{}", saved.json());
    drop(view);
    let names: Vec<_> =
        fs::read_dir(folder.path("")).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "the video and its labels: {names:?}");
    let view = View::open(&folder, "film.y4m");
    let again = view.get("/api/labels").json();
    let frames = again["labels"]["frames"].as_array().unwrap();
    assert_eq!(frames.iter().map(|frame| frame["frame"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 3]);
}

#[test]
fn edits_of_an_older_revision_are_refused_without_loss() {
    let folder = folder("stale");
    let view = View::open(&folder, "film.y4m -o mine.json");
    let revision = view.get("/api/labels").json()["revision"].as_u64().unwrap();
    assert_eq!(view.put(revision, &labels(&[0])).status, 200);
    let late = view.put(revision, &labels(&[4]));
    assert!(
        late.status == 409 && late.json()["error"].as_str().unwrap().contains("reload"),
        "{}",
        late.status
    );
    // A change of the file by an editor counts like a change in another window.
    fs::write(folder.path("mine.json"), labels(&[2]).to_string()).unwrap();
    assert_eq!(view.put(revision + 1, &labels(&[4])).status, 409);
    assert_eq!(view.get("/api/labels").json()["labels"]["frames"][0]["frame"], 2);
}

#[test]
fn labels_that_cannot_be_of_this_film_are_refused_with_the_reason() {
    let folder = folder("wrong");
    let view = View::open(&folder, "film.y4m");
    let revision = view.get("/api/labels").json()["revision"].as_u64().unwrap();
    let mut wide = labels(&[0]);
    wide["width"] = json!(640);
    let mut few = labels(&[0]);
    few["frames"][0]["points"] = json!([[1, 2]]);
    for (what, wrong) in [("late", labels(&[99])), ("wide", wide), ("few", few), ("none", json!({}))] {
        let answer = view.put(revision, &wrong);
        assert_eq!(answer.status, 422, "{what}: {}", answer.json());
    }
    assert!(!folder.path("film.labels.json").exists(), "nothing was written");
}

#[test]
fn the_view_loads_nothing_from_other_servers_and_only_the_face_mesh_creates_code() {
    let folder = folder("policy");
    let view = View::open(&folder, "film.y4m");
    let [page, mesh] = ["/label", "/mesh.html"].map(|path| view.get(path));
    assert!(page.head.contains("content-security-policy: default-src 'none'"), "{}", page.head);
    assert!(!page.head.contains("unsafe-eval") && mesh.head.contains("'unsafe-eval'"));
    assert!(mesh.head.contains("frame-ancestors 'self'"));
    assert!(view.get("/").head.contains("location: /label"));
}

#[test]
fn pages_from_elsewhere_can_neither_read_nor_write() {
    let folder = folder("guard");
    let view = View::open(&folder, "film.y4m");
    let evil = view.ask("PUT", "/api/labels?revision=1", "Origin: http://evil.example\r\n", "{}");
    assert_eq!(evil.status, 403);
    let mut stream = TcpStream::connect(&view.address).unwrap();
    write!(stream, "GET /api/film HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 421"), "{answer}");
}

#[test]
fn a_guess_needs_labelled_frames_first() {
    let folder = folder("guess");
    let view = View::open(&folder, "film.y4m");
    let answer = view.ask("POST", "/api/guess/1", "", "");
    assert!(answer.status == 422 && answer.json()["error"].as_str().unwrap().contains("label more frames"));
}

#[test]
fn imported_points_are_proposals_at_the_frame_in_their_name() {
    let folder = folder("import");
    let mut pts = "version: 1\nn_points: 68\n{\n".to_owned();
    for point in 0..68 {
        pts += &format!("{} {}\n", 2 + point % 28, 3 + point % 17);
    }
    fs::write(folder.path("face-0003.pts"), pts.clone() + "}\n").unwrap();
    fs::write(folder.path("face.pts"), pts + "}\n").unwrap();
    let view = View::open(&folder, "film.y4m --import face-0003.pts");
    let frames = view.get("/api/labels").json()["labels"]["frames"].clone();
    assert_eq!((&frames[0]["frame"], &frames[0]["guessed"]), (&json!(3), &json!(true)));
    folder.fault("label film.y4m --import face.pts", &["unknown frame number", "rename"]);
}

#[test]
fn errors_are_reported_before_the_view_opens() {
    let folder = folder("faults");
    fs::write(folder.path("other.json"), labels(&[0]).to_string().replace("\"width\":32", "\"width\":99"))
        .unwrap();
    fs::write(folder.path("broken.json"), "{").unwrap();
    folder.fault("label none.mp4", &["none.mp4"]);
    folder.fault("label film.y4m -o other.json", &["other.json"]);
    folder.fault("label film.y4m -o broken.json", &["broken.json"]);
    folder.fault("label film.y4m --import film.y4m", &[".pts", ".xml"]);
    folder.fault("label film.y4m --listen 0.0.0.0:0", &["--token"]);
    folder.fault("label", &["VIDEO"]);
}

#[test]
fn a_drawn_film_needs_no_file_at_all() {
    let folder = Folder::with("label-drawn", &[]);
    let view = View::open(&folder, "--synthetic --seed 3");
    let film = view.get("/api/film").json();
    assert!(film["secs"].as_array().unwrap().len() >= 300 && film["name"] == "synthetic");
    assert!(view.get("/api/frames/0.png").body.starts_with(b"\x89PNG"));
    let truth = view.get("/api/truth/7").json();
    assert!(truth["points"].as_array().unwrap().len() == 18 && truth["yawDeg"].is_f64(), "{truth}");
    assert_eq!(view.get("/api/underway").json()["looking"], json!(null));
    assert_eq!(view.get("/api/truth/99999").status, 404);
}
