//! [`Hosted`], one performer in a host program.
//!
//! Every host needs a performer together with its rig, its timeline and its events, so this is written once. Create it
//! with [`Hosted::new`] or [`Hosted::of_character`], send JSON requests with [`Hosted::tell`], and call
//! [`Hosted::advance_to`] for every image, which returns the [`Frame`]. It has no clock and no thread: the host decides
//! about time. Events of frames are recorded only after [`Hosted::watch`], since this takes time.

use crate::{Avatar, BoundCharacter, Character, Command, Lanes, Motions, Role, TargetMemory, apply, signals};
use std::sync::Arc;
use vivant::frame::Frame;
use vivant::intent::Intent;
use vivant::performer::Performer;
use vivant::speech::audio::{Audio, LipSyncModel};
use vivant::speech::utterance::Utterance;
use vivant_io::json::protocol::api::RigInfo;
use vivant_io::json::protocol::{EventKind, Request, RequestKind, check_position};
use vivant_io::{Error, Result, Warning};

/// A performer with its rig, its timeline and its events, for use in a host program.
#[derive(Clone)]
pub struct Hosted {
    performer: Performer,
    bound: BoundCharacter,
    info: Arc<RigInfo>,
    targets: TargetMemory,
    lanes: Lanes,
    watches: bool,
    warnings: Vec<Warning>,
}

impl Hosted {
    /// Returns a performer with this avatar and these motions. Its time starts when it is first advanced.
    ///
    /// # Errors
    /// If the repertoire is inconsistent; the error lists all problems.
    pub fn new(avatar: &Avatar, motions: &Motions, role: &Role) -> Result<Self> {
        let name = avatar.name().to_owned();
        Self::of_character(&Character::of(name, avatar.clone(), motions.clone()), role)
    }

    /// Returns a performer of a character, with everything in its folder.
    ///
    /// # Errors
    /// As for [`Hosted::new`].
    pub fn of_character(character: &Character, role: &Role) -> Result<Self> {
        let mut warnings = character.warnings.clone();
        let bound = character.bound(&mut warnings)?;
        let hosted = Self::of_bound(bound, Arc::new(character.avatar.info().clone()), role);
        Ok(Self { warnings, ..hosted })
    }

    /// Returns a performer of a bound character; `info` describes the avatar to viewers.
    #[must_use]
    pub fn of_bound(bound: BoundCharacter, info: Arc<RigInfo>, role: &Role) -> Self {
        let performer = bound.performer(role);
        let lanes = Lanes::new(bound.library.rig(), role.attend);
        let (targets, warnings) = (TargetMemory::default(), Vec::new());
        Self { performer, bound, info, targets, lanes, watches: false, warnings }
    }

    /// Reads a role for this character: see [`BoundCharacter::role`].
    ///
    /// # Errors
    /// If the text is not a valid role.
    pub fn role(&self, json: &str) -> Result<Role> {
        self.bound.role(json)
    }

    /// Returns another performer of the same character, for example for a crowd. Both performers share avatar,
    /// motions and eye models, so this takes little time and memory.
    #[must_use]
    pub fn another(&self, role: &Role) -> Self {
        let mut other = Self::of_bound(self.bound.clone(), Arc::clone(&self.info), role);
        other.warnings.clone_from(&self.warnings);
        if let Some(model) = self.performer.lip_sync() {
            other.performer.set_lip_sync(Arc::clone(model));
        }
        other
    }

    /// Sets the audio lip-sync model, for builds without a built-in one.
    pub fn set_lip_sync(&mut self, model: Arc<LipSyncModel>) {
        self.performer.set_lip_sync(model);
    }

    /// Carries out a JSON request, as sent to the live server: an intent, or `attend`, `follow` or `temperament`.
    /// Returns the number by which events refer to the intent.
    ///
    /// # Errors
    /// If the request is not valid or cannot be carried out.
    pub fn tell(&mut self, json: &str) -> Result<Option<u64>> {
        let wrong_kind = || {
            Error::new(
                "not a request for a single performer; send an intent, `attend`, `follow` or `temperament`",
            )
        };
        let command = Command::from_request(Request::read(json)?.what).map_err(|_| wrong_kind())?;
        self.apply(command)
    }

    /// Carries out a `say` request without `pcm`. `samples` are the next samples of the voice: one channel of 16
    /// bits, with a sampling rate of `rate` hertz.
    ///
    /// # Errors
    /// If the request is not a `say`, is invalid, or cannot be carried out.
    pub fn tell_with_voice(&mut self, json: &str, rate: u32, samples: &[i16]) -> Result<Option<u64>> {
        let RequestKind::Intent(Intent::Say(mut say)) = Request::read(json)?.what else {
            return Err(Error::new("voice samples need a speech line; send a `say` with them"));
        };
        let samples = samples.iter().map(|sample| f32::from(*sample) / 32_768.0).collect();
        say.voice = Some(Audio { rate_hz: rate, samples });
        self.apply(Command::Intent(Arc::new(Intent::Say(say))))
    }

    /// Sets the viewer's position in metres, like the request `attend`; may be called every frame.
    ///
    /// # Errors
    /// If the position is not valid.
    pub fn attend(&mut self, place: [f64; 3]) -> Result<()> {
        check_position("attend", &place)?;
        self.apply(Command::Attend { place, is_new: false })?;
        Ok(())
    }

    /// Makes the eyes follow a position in metres, like the request `follow`; may be called every frame. With `None`,
    /// the eyes choose their own targets again.
    ///
    /// # Errors
    /// If the position is not valid.
    pub fn follow(&mut self, place: Option<[f64; 3]>) -> Result<()> {
        place.map_or(Ok(()), |place| check_position("follow", &place))?;
        self.apply(place.map_or(Command::LookFreely, |place| Command::Follow { place, is_new: false }))?;
        Ok(())
    }

    /// Carries out an intent. Returns the number of the intent.
    ///
    /// # Errors
    /// If the intent is not possible.
    pub fn intend(&mut self, intent: &Intent) -> Result<Option<u64>> {
        self.apply(Command::Intent(Arc::new(intent.clone())))
    }

    /// Speaks a prepared line, with phonemes and timing, from `at` on, in seconds.
    ///
    /// # Errors
    /// If too many lines are queued.
    pub fn speak(&mut self, line: Utterance, at: f64) -> Result<Option<u64>> {
        let intent = self.performer.speak(line, Some(at))?;
        self.record_remarks(intent);
        Ok(intent)
    }

    /// Carries out a parsed command.
    ///
    /// # Errors
    /// If the command cannot be carried out.
    pub fn apply(&mut self, command: Command) -> Result<Option<u64>> {
        self.apply_logged(command).map(|(intent, _)| intent)
    }

    /// Carries out a command. Also returns the command as it was carried out. In a replay, [`apply`] then gives the
    /// same result.
    ///
    /// # Errors
    /// If the command cannot be carried out.
    pub fn apply_logged(&mut self, command: Command) -> Result<(Option<u64>, Command)> {
        let command = self.targets.mark_new(command);
        let intent = apply(&mut self.performer, &command)?;
        self.record_remarks(intent);
        self.lanes.record_command(&self.performer, &command);
        Ok((intent, command))
    }

    /// Records an event for each part of a line that cannot be performed.
    fn record_remarks(&mut self, intent: Option<u64>) {
        let now = self.performer.frame().time();
        for remark in self.performer.take_warnings() {
            self.lanes.remark(now, intent.unwrap_or_default(), remark);
        }
    }

    /// Turns the recording of [events](Self::take_events) on or off. Recording takes a little time per frame and may
    /// allocate.
    pub fn watch(&mut self, watches: bool) {
        self.watches = watches;
    }

    /// Processes everything that is due until `t`, in seconds, and returns the frame at `t`.
    pub fn advance_to(&mut self, t: f64) -> &Frame {
        self.performer.advance_to(t);
        if self.watches {
            self.observe();
            self.lanes.finished.clear();
        }
        self.performer.frame()
    }

    /// Adds the last frame to the timeline ([lanes](Self::lanes)), for hosts that show one.
    pub fn observe(&mut self) {
        self.lanes.observe(&mut self.performer);
    }

    /// Returns the timeline: bars and events.
    #[must_use]
    pub fn lanes(&self) -> &Lanes {
        &self.lanes
    }

    /// Returns the timeline mutably, for hosts that remove bars and events after reading them.
    pub fn lanes_mut(&mut self) -> &mut Lanes {
        &mut self.lanes
    }

    /// Returns and clears the events since the last call, oldest first, with their times in seconds. Problems with
    /// speech lines are always recorded. Other events are recorded only while [`watch`](Self::watch) is on.
    pub fn take_events(&mut self) -> Vec<(f64, EventKind)> {
        std::mem::take(&mut self.lanes.events)
    }

    /// Returns the values of eyes, lids and head in the last frame, in the order of [`signals::SIGNALS`].
    #[must_use]
    pub fn signals(&self) -> [f64; signals::SIGNALS.len()] {
        signals::of(&self.performer)
    }

    /// Returns the last frame.
    #[must_use]
    pub fn frame(&self) -> &Frame {
        self.performer.frame()
    }

    /// Returns bones, expressions, and the nodes of the avatar that show them.
    #[must_use]
    pub fn info(&self) -> &RigInfo {
        &self.info
    }

    /// Returns the performer.
    #[must_use]
    pub fn performer(&self) -> &Performer {
        &self.performer
    }

    /// Returns the performer mutably, for features that the JSON requests do not cover.
    pub fn performer_mut(&mut self) -> &mut Performer {
        &mut self.performer
    }

    /// Returns warnings about data that was dropped or guessed while the performer was created.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}
