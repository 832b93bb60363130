//! One performer in somebody else's program.

use crate::{Ask, Avatar, BoundCharacter, Character, Lanes, Motions, Role, TargetMemory, obey, signals};
use std::sync::Arc;
use vivant::frame::Frame;
use vivant::intent::Intent;
use vivant::performer::Performer;
use vivant::speech::audio::{Audio, LipSyncModel};
use vivant::speech::utterance::Utterance;
use vivant_io::json::protocol::api::RigInfo;
use vivant_io::json::protocol::{Happening, Request, RequestKind, check_place};
use vivant_io::{Error, Result, Warning};

/// A performer, all that its host has to know of it, and what has happened.
#[derive(Clone)]
pub struct Hosted {
    performer: Performer,
    bound: BoundCharacter,
    info: Arc<RigInfo>,
    listener: TargetMemory,
    lanes: Lanes,
    watches: bool,
    warnings: Vec<Warning>,
}

impl Hosted {
    /// Returns a performer with this avatar and these motions. Its time starts when it is first advanced.
    ///
    /// # Errors
    /// If the repertoire is not consistent, with everything that is wrong with it.
    pub fn new(avatar: &Avatar, motions: &Motions, role: &Role) -> Result<Self> {
        let name = avatar.name().to_owned();
        Self::of_character(&Character::of(name, avatar.clone(), motions.clone()), role)
    }

    /// Returns a performer of a character, with everything that lies in its folder.
    ///
    /// # Errors
    /// As for [`Hosted::new`].
    pub fn of_character(character: &Character, role: &Role) -> Result<Self> {
        let mut warnings = character.warnings.clone();
        let bound = character.bound(&mut warnings)?;
        let hosted = Self::of_bound(bound, Arc::new(character.avatar.info().clone()), role);
        Ok(Self { warnings, ..hosted })
    }

    /// Returns a performer of a character that is bound already, whose viewers need to know `info`.
    #[must_use]
    pub fn of_bound(bound: BoundCharacter, info: Arc<RigInfo>, role: &Role) -> Self {
        let performer = bound.performer(role);
        let lanes = Lanes::new(bound.library.rig(), role.attend);
        let (listener, warnings) = (TargetMemory::default(), Vec::new());
        Self { performer, bound, info, listener, lanes, watches: false, warnings }
    }

    /// Reads a role for this character: see [`BoundCharacter::role`].
    ///
    /// # Errors
    /// If it is not a role.
    pub fn role(&self, json: &str) -> Result<Role> {
        self.bound.role(json)
    }

    /// Another performer with the same body, motions and learned eyes as this one began with. They share them, so it
    /// costs little time and memory: for crowds.
    #[must_use]
    pub fn another(&self, role: &Role) -> Self {
        let mut other = Self::of_bound(self.bound.clone(), Arc::clone(&self.info), role);
        other.warnings.clone_from(&self.warnings);
        if let Some(model) = self.performer.lip_sync() {
            other.performer.set_lip_sync(Arc::clone(model));
        }
        other
    }

    /// Shows voices by this model from now on, where none is built in.
    pub fn set_lip_sync(&mut self, model: Arc<LipSyncModel>) {
        self.performer.set_lip_sync(model);
    }

    /// Tells it something, as the live server is told: an intent, or `attend`, `follow` or `temperament`. Gives
    /// the number by which events speak of the wish that it became.
    ///
    /// # Errors
    /// If it cannot be understood or done.
    pub fn tell(&mut self, json: &str) -> Result<Option<u64>> {
        let wrong =
            || Error::new("there is one performer here: give an intent, `attend`, `follow` or `temperament`");
        let ask = Ask::of(Request::read(json)?.what).map_err(|_| wrong())?;
        self.ask(ask)
    }

    /// Tells it a line, a `say` without `pcm`, together with the next samples of its voice: one channel of 16 bits.
    ///
    /// # Errors
    /// If it is no line, or cannot be understood or done.
    pub fn tell_with_voice(&mut self, json: &str, rate: u32, samples: &[i16]) -> Result<Option<u64>> {
        let RequestKind::Intent(Intent::Say(mut say)) = Request::read(json)?.what else {
            return Err(Error::new("samples of a voice go with a line: give a `say`"));
        };
        let samples = samples.iter().map(|sample| f32::from(*sample) / 32_768.0).collect();
        say.voice = Some(Audio { rate_hz: rate, samples });
        self.ask(Ask::Intend(Arc::new(Intent::Say(say))))
    }

    /// Someone is here, in metres: what `attend` tells, for who says it at every frame.
    ///
    /// # Errors
    /// If nobody can be there.
    pub fn attend(&mut self, place: [f64; 3]) -> Result<()> {
        check_place("attend", &place)?;
        self.ask(Ask::Attend { place, is_new: false })?;
        Ok(())
    }

    /// Keeps looking at this place, in metres, which may move: what `follow` tells. `None` looks where it likes.
    ///
    /// # Errors
    /// If nothing can be there.
    pub fn follow(&mut self, place: Option<[f64; 3]>) -> Result<()> {
        place.map_or(Ok(()), |place| check_place("follow", &place))?;
        self.ask(place.map_or(Ask::LookFreely, |place| Ask::Follow { place, is_new: false }))?;
        Ok(())
    }

    /// Asks it for an intent.
    ///
    /// # Errors
    /// If it cannot be done.
    pub fn intend(&mut self, intent: &Intent) -> Result<Option<u64>> {
        self.ask(Ask::Intend(Arc::new(intent.clone())))
    }

    /// Says a line that was read, heard and aligned already, from a time in seconds on.
    ///
    /// # Errors
    /// If too many lines are waiting.
    pub fn speak(&mut self, line: Utterance, at: f64) -> Result<Option<u64>> {
        let wish = self.performer.speak(line, Some(at))?;
        self.note_remarks(wish);
        Ok(wish)
    }

    /// Carries out a request that was read already.
    ///
    /// # Errors
    /// If it cannot be carried out.
    pub fn ask(&mut self, ask: Ask) -> Result<Option<u64>> {
        self.ask_logged(ask).map(|(wish, _)| wish)
    }

    /// Carries out a request, and also returns it in the form in which [`obey`] repeats it exactly.
    ///
    /// # Errors
    /// If it cannot be carried out.
    pub fn ask_logged(&mut self, ask: Ask) -> Result<(Option<u64>, Ask)> {
        let ask = self.listener.with_news(ask);
        let wish = obey(&mut self.performer, &ask)?;
        self.note_remarks(wish);
        self.lanes.asked(&self.performer, &ask);
        Ok((wish, ask))
    }

    /// Turns what cannot be done of a line into events.
    fn note_remarks(&mut self, wish: Option<u64>) {
        let now = self.performer.frame().time();
        for remark in self.performer.take_remarks() {
            self.lanes.remark(now, wish.unwrap_or_default(), remark);
        }
    }

    /// Lets it watch itself, so that there are [events](Self::take_events). That costs a little at each frame and
    /// may allocate.
    pub fn watch(&mut self, watches: bool) {
        self.watches = watches;
    }

    /// Lets all happen that is due until `t`, in seconds, and gives the frame at `t`.
    pub fn advance_to(&mut self, t: f64) -> &Frame {
        self.performer.advance_to(t);
        if self.watches {
            self.observe();
            self.lanes.over.clear();
        }
        self.performer.frame()
    }

    /// Adds what the last frame shows to the [lanes](Self::lanes), for hosts that show a timeline.
    pub fn observe(&mut self) {
        self.lanes.look_on(&mut self.performer);
    }

    /// Returns what it does as bars and events.
    #[must_use]
    pub fn lanes(&self) -> &Lanes {
        &self.lanes
    }

    /// Returns the same, for hosts that take bars and events away.
    pub fn lanes_mut(&mut self) -> &mut Lanes {
        &mut self.lanes
    }

    /// What has happened since it was last asked, oldest first: each with its time, in seconds. What cannot be done
    /// of a line is always told; all else only while it [watches](Self::watch) itself.
    pub fn take_events(&mut self) -> Vec<(f64, Happening)> {
        std::mem::take(&mut self.lanes.events)
    }

    /// What eyes, lids and head do in the last frame.
    #[must_use]
    pub fn signals(&self) -> [f64; signals::SIGNALS.len()] {
        signals::of(&self.performer)
    }

    /// The frame that was made last.
    #[must_use]
    pub fn frame(&self) -> &Frame {
        self.performer.frame()
    }

    /// Bones, expressions, and the avatar's own nodes that show them.
    #[must_use]
    pub fn info(&self) -> &RigInfo {
        &self.info
    }

    /// Returns the performer.
    #[must_use]
    pub fn performer(&self) -> &Performer {
        &self.performer
    }

    /// Returns the performer, for everything that JSON does not cover.
    pub fn performer_mut(&mut self) -> &mut Performer {
        &mut self.performer
    }

    /// What was dropped or guessed while it was made.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}
