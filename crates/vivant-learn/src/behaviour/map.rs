//! Which tier is which part of the body, and which word is which kind of action.

use super::pattern::Pattern;
use serde::Serialize;
use vivant::body::repertoire::Kind;
use vivant_io::Result;
use vivant_io::eaf::Tier;

/// How a project annotates.
#[derive(Clone, Debug, PartialEq)]
pub struct TierMap {
    /// What [`Behaviour::origin`](vivant::body::behaviour::Behaviour::origin) is to say; by default the files.
    pub origin: Option<String>,
    /// How much of the shorter of two actions, one of each arm and both of one kind, has to be at the same
    /// time for them to be one of both arms: more than 0, up to 1.
    pub overlap: f64,
    /// Whether what an action means makes it another state.
    pub semantics: Semantics,
    /// What is added to every count; 0 takes counts literally.
    pub smoothing: f64,
    /// How many quantiles a distribution of seconds has.
    pub quantiles: usize,
    /// Silence of up to so many seconds does not end speech.
    pub pause: f64,
    /// What the tiers are; the first rule that fits counts.
    pub tiers: Vec<TierRule>,
    /// What values mean where a tier's rule does not say.
    pub values: Vec<ValueRule>,
}

/// The two ways of paper 4, section 7.3, to include what actions mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Semantics {
    /// A meaning is drawn when a state is reached, as often as it was annotated with that state.
    #[default]
    Drawn,
    /// Actions with a meaning are states of their own, with what follows them.
    States,
}

/// What a tier is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TierPart {
    /// The left arm.
    LeftArm,
    /// The right arm.
    RightArm,
    /// Both arms at once.
    BothArms,
    /// What the head does.
    Head,
    /// How the head is held.
    HeadStance,
    /// Body, legs and spine.
    Body,
    /// When the person speaks.
    Speech,
    /// Nothing that is learned.
    Ignore,
}

impl TierPart {
    /// All parts, by their names in a map.
    pub const ALL: [(&'static str, Self); 8] = [
        ("left-arm", Self::LeftArm),
        ("right-arm", Self::RightArm),
        ("both-arms", Self::BothArms),
        ("head", Self::Head),
        ("head-stance", Self::HeadStance),
        ("body", Self::Body),
        ("speech", Self::Speech),
        ("ignore", Self::Ignore),
    ];

    /// Its name in a map.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, part)| *part == self).map_or("", |(name, _)| name)
    }
}

/// What tiers are, whose name, linguistic type and participant all fit.
#[derive(Clone, Debug, PartialEq)]
pub struct TierRule {
    /// What they are of.
    pub part: TierPart,
    /// Their name; by default any.
    pub name: Option<Pattern>,
    /// Their linguistic type; by default any.
    pub linguistic_type: Option<Pattern>,
    /// Their participant; by default any.
    pub participant: Option<Pattern>,
    /// Whose they are; by default their participant's.
    pub person: Option<String>,
    /// What values are that no pattern fits; by default they are left out.
    pub kind: Option<Kind>,
    /// What values mean on these tiers.
    pub values: Vec<ValueRule>,
}

impl TierRule {
    /// Whether a tier is meant.
    #[must_use]
    pub fn fits(&self, tier: &Tier) -> bool {
        let fits = |pattern: &Option<Pattern>, text: &str| pattern.as_ref().is_none_or(|p| p.fits(text));
        fits(&self.name, &tier.name)
            && fits(&self.linguistic_type, &tier.linguistic_type)
            && fits(&self.participant, &tier.participant)
    }
}

/// What annotations mean whose value fits.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueRule {
    /// Which values.
    pub pattern: Pattern,
    /// What they mean.
    pub meaning: Meaning,
}

/// What an annotation means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// It is left out.
    Ignored,
    /// It is an action.
    Action {
        /// Of which kind; by default as the tier's rule says.
        kind: Option<Kind>,
        /// What it means, in alphabetical order.
        tags: Vec<String>,
    },
}

impl TierMap {
    /// Reads a map.
    ///
    /// # Errors
    /// When it is no TOML, or has a key or a value that is not known; the nearest one is named.
    pub fn parse(text: &str) -> Result<Self> {
        super::parse::map(text)
    }

    /// The map that is tried where there is none: tiers that say in English what they are.
    ///
    /// # Panics
    /// Never: it is read in a test.
    #[must_use]
    pub fn standard() -> Self {
        Self::parse(include_str!("standard.toml")).expect("the standard map is read in a test")
    }

    /// The rule for a tier, and its number.
    #[must_use]
    pub fn rule(&self, tier: &Tier) -> Option<(usize, &TierRule)> {
        self.tiers.iter().enumerate().find(|(_, rule)| rule.fits(tier))
    }

    /// What a value on a tier means: an action with its tags, or nothing that is learned. `None` if the map
    /// does not say.
    #[must_use]
    pub fn meaning(&self, rule: &TierRule, value: &str) -> Option<Option<(Kind, Vec<String>)>> {
        let found = narrowest(&rule.values, value).or_else(|| narrowest(&self.values, value));
        match found {
            Some(Meaning::Ignored) => Some(None),
            Some(Meaning::Action { kind, tags }) => kind.or(rule.kind).map(|kind| Some((kind, tags.clone()))),
            None => rule.kind.map(|kind| Some((kind, Vec::new()))),
        }
    }
}

fn narrowest<'a>(rules: &'a [ValueRule], value: &str) -> Option<&'a Meaning> {
    let fitting = rules.iter().filter(|rule| rule.pattern.fits(value));
    fitting.min_by_key(|rule| rule.pattern.rank()).map(|rule| &rule.meaning)
}
