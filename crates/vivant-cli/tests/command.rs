//! Tests of the command: output, exit status and the page.

#![allow(missing_docs, reason = "tests")]

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

fn vivant(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_vivant")).args(words).output().unwrap()
}

fn json(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e} in {text}"))
}

/// Returns a path in a new folder.
fn fresh(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("vivant-command-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

#[test]
fn errors_have_a_message_and_an_exit_status() {
    let check = |words: &[&str], status: i32, sentence: &str| {
        let output = vivant(words);
        let text =
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(status), "{words:?}: {text}");
        assert!(text.contains(sentence), "{words:?}: {text}");
    };
    check(&["inspect", "none.vrm"], 1, "none.vrm: no such file");
    check(&["convert", "builtin", "out.fbx"], 1, "use .vrma, .glb");
    check(&["convert", "builtin", "out.bvh", "--clip", "fly"], 1, "it has “idle_breathe”");
    check(&["convert", "builtin", "out.csv", "--positions"], 1, "for .jsonl only");
    check(&["mannequin"], 2, "--output <FILE>");
    check(&["mannequin", "-o", "out.fbx"], 1, "written as .vrm or .glb");
    check(&["mannequin", "-o", "x.vrm", "--skin", "browm"], 2, "did you mean `brown`?");
    check(&["mannequin", "-o", "x.vrm", "--build", "2"], 2, "from -1 to 1");
    check(&["mannequin", "-o", "x.vrm", "--hair-style", "mohawk"], 2, "curls");
    check(&["convert", "builtin"], 2, "OUT");
    check(&["perform", "--seconds", "0", "-o", "x.bvh"], 2, "0.01 to 36000 seconds");
    check(&["--listen", "0.0.0.0:0"], 1, "--token swordfish, or listen on 127.0.0.1");
    check(&["serve", "--listen", "0.0.0.0:0"], 1, "--token");
    check(&["serve", "--token", "a b"], 2, "letters, digits");
    check(&["serve", "--fps", "0"], 2, "1 to 240 frames per second");
    check(&["schema"], 2, "WHAT");
    check(&["schema", "pose"], 2, "behaviour");
    check(&["schema", "intent", "--strict"], 2, "cannot be used with");
    check(&["schema", "--tools", "nobody"], 1, "nobody: no such folder; a character is a folder");
    check(&["dance"], 2, "dance");
    check(&["--help"], 0, "Examples:");
}

/// Returns the joint positions of all frames of a performance.
fn places(path: &Path, options: &[&str]) -> Vec<[f64; 3]> {
    let file = path.to_str().unwrap();
    let words = [&["perform", "--seconds", "12", "-o", file, "--positions"], options].concat();
    let output = vivant(&words);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(path).unwrap();
    let frames = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let joint = |place: &Value| std::array::from_fn(|i| place[i].as_f64().unwrap());
    let joints =
        |frame: Value| frame["positions"].as_object().unwrap().values().map(joint).collect::<Vec<_>>();
    frames.flat_map(joints).collect()
}

#[test]
fn a_written_character_performs_like_the_one_in_memory() {
    let folder = fresh("eve");
    let eve = folder.to_str().unwrap();
    let written = json(&vivant(&["mannequin", "--character", eve, "--json"]));
    assert_eq!(written["written"][0], eve, "{written}");
    let memory = places(&fresh("memory.jsonl"), &[]);
    let disk = places(&fresh("disk.jsonl"), &["--character", eve]);
    assert_eq!(memory.len(), disk.len());
    let off = memory.iter().zip(&disk).flat_map(|(a, b)| [0, 1, 2].map(|i| (a[i] - b[i]).abs()));
    let worst = off.fold(0.0, f64::max);
    assert!(worst < 1e-5, "joints are up to {worst} m apart");
}

#[test]
fn files_of_the_built_in_character_contain_it() {
    for ending in ["glb", "vrm"] {
        let path = fresh(&format!("seen.{ending}"));
        let file = path.to_str().unwrap();
        let output = vivant(&["perform", "--seconds", "1", "-o", file, "--json"]);
        assert_eq!(json(&output)["warnings"], serde_json::json!([]));
        let found = json(&vivant(&["inspect", "--json", file]));
        let built_in = json(&vivant(&["inspect", "--json", "builtin"]));
        assert_eq!(found["kind"], "vrm1");
        for key in ["expressions", "morphs", "lids", "abilities"] {
            assert_eq!(found[key], built_in[key], "{key}");
        }
    }
}

#[test]
fn the_script_in_the_readme_is_planned_without_drops() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (guide, script) = (root.join("docs/guides/script.md"), root.join("docs/script.jsonl"));
    let shown = std::fs::read_to_string(&script).unwrap();
    assert!(
        std::fs::read_to_string(guide).unwrap().contains(&shown),
        "docs/guides/script.md shows another script"
    );
    let plan = json(&vivant(&["plan", script.to_str().unwrap(), "--seconds", "40", "--seed", "4", "--json"]));
    let asked = |dropped: &&Value| dropped["line"].is_u64();
    assert_eq!(plan["dropped"].as_array().unwrap().iter().filter(asked).count(), 0, "{plan}");
    let all = ["body", "arms", "head"].map(|layer| plan["layers"][layer].as_array().unwrap());
    for line in [2, 4, 5, 6, 8] {
        assert!(all.iter().any(|layer| layer.iter().any(|done| done["line"] == line)), "line {line}: {plan}");
    }
}

#[test]
fn with_json_an_error_is_json_too() {
    let output = vivant(&["convert", "none.bvh", "x.vrma", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(json(&output)["error"].as_str().unwrap().starts_with("none.bvh: "));
    assert!(output.stderr.is_empty());
}

#[test]
fn several_files_give_one_line_each_and_a_bad_file_only_changes_the_status() {
    let output = vivant(&["inspect", "--json", "builtin", "none.vrm", "builtin"]);
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<Value> =
        output.stdout.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0]["kind"] == "builtin" && lines[2]["file"] == "builtin");
    assert!(lines[1]["file"] == "none.vrm" && lines[1]["error"].is_string());
}

#[test]
fn a_performance_is_written_whole_and_the_same_seed_writes_the_same_file() {
    let perform = |name: &str, seed: &str| {
        let path = fresh(name);
        let words = ["perform", "--seconds", "6", "--fps", "24", "--seed", seed, "--json", "-o"];
        let output = vivant(&[&words[..], &[path.to_str().unwrap()]].concat());
        assert!(output.status.success(), "{output:?}");
        let written = json(&output);
        assert_eq!(written["clips"][0]["seconds"], 6.0);
        assert_eq!(written["bytes"], std::fs::metadata(&path).unwrap().len());
        std::fs::read(path).unwrap()
    };
    let first = perform("a.vrma", "5");
    assert_eq!(first, perform("b.vrma", "5"));
    assert_ne!(first, perform("c.vrma", "6"));
}

#[test]
fn positions_come_with_every_frame() {
    let path = fresh("wave.jsonl");
    let words =
        ["convert", "builtin", path.to_str().unwrap(), "--clip", "wave", "--positions", "--fps", "10"];
    assert!(vivant(&words).status.success());
    let text = std::fs::read_to_string(path).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 37);
    for line in &lines {
        assert_eq!(line["positions"].as_object().unwrap().len(), 55);
        assert!(line["positions"]["leftToes"][1].as_f64().unwrap().abs() < 0.03);
    }
}

const UPGRADE: &str = "Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                       Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/// A server on its own port, which ends with the test.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vivant"));
        command
            .args(["--listen", "127.0.0.1:0", "--json", "--characters"])
            .arg(fresh("home"))
            .stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let value: Value = serde_json::from_str(&line).unwrap();
        let address = value["listening"].as_str().unwrap().trim_start_matches("http://").to_owned();
        Self { process, address }
    }

    /// Sends a request with these headers, and returns head and body of the response.
    fn get(&self, path: &str, headers: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\n{headers}\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|w| w == b"\r\n\r\n").unwrap() + 4;
        (String::from_utf8_lossy(&answer[..end]).into_owned(), answer[end..].to_vec())
    }

    fn host(&self) -> String {
        format!("Host: {}\r\nConnection: close\r\n", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn the_page_loads_nothing_from_other_servers() {
    let server = Server::start();
    let (head, body) = server.get("/", &server.host());
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("default-src 'none'"), "{head}");
    let page = String::from_utf8(body).unwrap();
    assert!(
        !page.contains("https://") && !page.contains("src=\"http"),
        "the page loads something from another server"
    );
    for file in ["/studio.js", "/studio.css"] {
        let (head, _) = server.get(file, &server.host());
        assert!(head.starts_with("HTTP/1.1 200") && head.contains("content-type: text/"), "{file}: {head}");
    }
}

#[test]
fn requests_from_other_sites_are_refused() {
    let server = Server::start();
    let check = |path: &str, headers: &str, status: &str| {
        let (head, _) = server.get(path, headers);
        assert!(head.starts_with(&format!("HTTP/1.1 {status}")), "{path} {headers}: {head}");
    };
    check("/", "Host: rebound.example\r\nConnection: close\r\n", "421");
    check("/api/performers/main/export.bvh", "Host: rebound.example:7878\r\nConnection: close\r\n", "421");
    let host = server.host();
    let elsewhere = format!("Host: {}\r\n{UPGRADE}Origin: https://elsewhere.example\r\n", server.address);
    check("/live", &elsewhere, "403");
    check("/secrets", &host, "404");
    check("/api/performers/main/export.exe", &host, "404");
    check("/api/performers/nobody/export.bvh", &host, "404");
    check("/../secrets", &host, "404");
    check("/api/characters/%2e%2e/avatar", &host, "404");
}

#[test]
fn a_performance_can_be_exported() {
    let server = Server::start();
    for (ending, beginning) in
        [("vrma", "glTF"), ("glb", "glTF"), ("bvh", "HIERARCHY"), ("csv", "time"), ("jsonl", "{")]
    {
        let (head, body) =
            server.get(&format!("/api/performers/main/export.{ending}?seconds=20"), &server.host());
        assert!(head.starts_with("HTTP/1.1 200"), "{ending}: {head}");
        assert!(head.contains("attachment"), "{ending}: {head}");
        assert!(body.starts_with(beginning.as_bytes()), "{ending}");
    }
}

#[test]
fn a_port_in_use_is_reported_with_an_alternative() {
    let server = Server::start();
    let output = vivant(&["--listen", &server.address]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && text.contains("--listen 127.0.0.1:"), "{text}");
}
