//! The server as a process. It is started on a free port with its own folder, queried for statistics, and stopped.

use crate::steps::{command, execute};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Returns the path of the program in the variable `VIVANT`, or builds the program.
pub(super) fn binary(target: &Path) -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("VIVANT") {
        return Ok(path.into());
    }
    execute(&mut command("cargo build --release --locked -p vivant-cli"))?;
    Ok(target.join("release/vivant").with_extension(std::env::consts::EXE_EXTENSION))
}

/// A server that ends when it is dropped.
pub(super) struct Server {
    child: Child,
    home: PathBuf,
    /// Host and port of the server.
    pub(super) address: String,
}

/// Statistics of the server.
pub(super) struct Stats {
    pub(super) late_ms: [f64; 3],
    pub(super) skipped: u64,
    pub(super) resident_bytes: Option<u64>,
}

impl Server {
    pub(super) fn start(binary: &Path) -> Result<Self, String> {
        let home = std::env::temp_dir().join(format!("vivant-bench-{}", std::process::id()));
        std::fs::create_dir_all(&home).map_err(|error| error.to_string())?;
        let mut command = Command::new(binary);
        command.args([
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--no-open",
            "--json",
            "--fps",
            "60",
            "--characters",
        ]);
        let child = command.arg(&home).stdout(Stdio::piped()).spawn();
        let child = child.map_err(|error| format!("{}: {error}", binary.display()))?;
        let mut server = Self { child, home, address: String::new() };
        server.address = server.listening()?;
        Ok(server)
    }

    /// Reads the address from the first line of output.
    fn listening(&mut self) -> Result<String, String> {
        let output = self.child.stdout.take().ok_or("the server has no output")?;
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).map_err(|error| error.to_string())?;
        let value: Value = serde_json::from_str(&line).map_err(|error| format!("{error}: {line}"))?;
        let url = value["listening"].as_str().and_then(|url| url.strip_prefix("http://"));
        let address = url.and_then(|url| url.split('/').next());
        address.map(str::to_owned).ok_or_else(|| format!("the server did not print its address: {line}"))
    }

    /// Returns the statistics. If `reset` is true, they are then set to zero.
    pub(super) async fn stats(&self, reset: bool) -> Result<Stats, String> {
        let path = if reset { "/api/stats?reset" } else { "/api/stats" };
        let value = get(&self.address, path).await.map_err(|error| format!("{path}: {error}"))?;
        let late = |index: usize| value["lateMs"][index].as_f64();
        let late_ms = late(0).zip(late(1)).zip(late(2)).map(|((half, most), all)| [half, most, all]);
        Ok(Stats {
            late_ms: late_ms.ok_or_else(|| format!("{path}: no lateness in {value}"))?,
            skipped: value["skipped"].as_u64().unwrap_or_default(),
            resident_bytes: value["residentBytes"].as_u64(),
        })
    }

    pub(super) fn cpu_seconds(&self) -> Option<f64> {
        cpu_seconds(&self.child.id().to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
        drop(std::fs::remove_dir_all(&self.home));
    }
}

async fn get(address: &str, path: &str) -> std::io::Result<Value> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    serde_json::from_str(body).map_err(|_| std::io::Error::other(answer))
}

pub(super) fn own_cpu_seconds() -> Option<f64> {
    cpu_seconds("self")
}

/// Returns the processor time on Linux in seconds: the sum of the 14th and 15th number of `/proc/PID/stat`, which are
/// in hundredths of a second.
fn cpu_seconds(process: &str) -> Option<f64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let mut numbers = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut ticks = || numbers.next()?.parse::<f64>().ok();
    Some((ticks()? + ticks()?) / 100.0)
}
