//! A folder for a test, and the command that runs in it.

#![allow(dead_code, reason = "each test uses a part of it")]

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Creates a folder with files, given by name and text.
    pub(crate) fn with(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = std::env::temp_dir().join(format!("vivant-test-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let folder = Self(folder);
        for (file, text) in files {
            fs::write(folder.path(file), text).unwrap();
        }
        folder
    }

    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.0.join(file)
    }

    pub(crate) fn bytes(&self, file: &str) -> Vec<u8> {
        fs::read(self.path(file)).unwrap()
    }

    pub(crate) fn text(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap()
    }

    /// Runs `vivant` with arguments separated by spaces.
    pub(crate) fn run(&self, words: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_vivant"));
        command.current_dir(&self.0).args(words.split(' ')).output().unwrap()
    }

    pub(crate) fn stdout(&self, words: &str) -> String {
        let output = self.run(words);
        assert!(output.status.success(), "{words}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn json(&self, words: &str) -> Value {
        serde_json::from_str(&self.stdout(words)).unwrap_or_else(|error| panic!("{words}: {error}"))
    }

    /// Runs a command that must fail, with a message that contains all of these texts.
    pub(crate) fn fault(&self, words: &str, expected: &[&str]) {
        let output = self.run(words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !output.status.success() && expected.iter().all(|word| said.contains(word)),
            "{words}: {said}"
        );
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
