//! The tier map: the part of the behaviour that each tier annotates, and the kind of action that each value stands
//! for.

use super::pattern::Pattern;
use serde::Serialize;
use vivant::body::repertoire::Kind;
use vivant_io::Result;
use vivant_io::eaf::Tier;

/// Rules that say how a project annotates its videos.
#[derive(Clone, Debug, PartialEq)]
pub struct TierMap {
    /// Text for [`Behaviour::origin`](vivant::body::behaviour::Behaviour::origin); by default the number of
    /// annotations and the names of the videos.
    pub origin: Option<String>,
    /// Minimum overlap for merging actions of the left and right arm, as a share of the shorter action: above 0, at
    /// most 1.
    pub overlap: f64,
    /// Treatment of actions with tags: drawn at random or as separate states.
    pub semantics: Semantics,
    /// Value added to every count (additive smoothing); 0 for no smoothing.
    pub smoothing: f64,
    /// Number of quantiles of duration and gap distributions.
    pub quantiles: usize,
    /// Maximum duration in seconds of a pause that does not end speech.
    pub pause: f64,
    /// Rules for tiers; the first matching rule is used.
    pub tiers: Vec<TierRule>,
    /// Rules for values on all tiers, used if no value rule of the tier's rule matches.
    pub values: Vec<ValueRule>,
}

/// Treatment of actions with tags: one of the two ways described in paper 4, section 7.3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Semantics {
    /// Tags are drawn at random when a state is reached, with their frequency in that state.
    #[default]
    Drawn,
    /// Actions with tags are separate states with their own transitions.
    States,
}

/// Part of the behaviour that a tier annotates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TierPart {
    /// The left arm.
    LeftArm,
    /// The right arm.
    RightArm,
    /// Both arms at once.
    BothArms,
    /// Head movements.
    Head,
    /// Head stance.
    HeadStance,
    /// Body, legs and spine.
    Body,
    /// Speech of the person.
    Speech,
    /// Nothing; the tier is ignored.
    Ignore,
}

impl TierPart {
    /// All parts with their names in a map.
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

    /// Returns the name in a map.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, part)| *part == self).map_or("", |(name, _)| name)
    }
}

/// A rule for tiers whose name, linguistic type and participant all match.
#[derive(Clone, Debug, PartialEq)]
pub struct TierRule {
    /// Part of the behaviour that the tiers annotate.
    pub part: TierPart,
    /// Pattern of the name; by default any.
    pub name: Option<Pattern>,
    /// Pattern of the linguistic type; by default any.
    pub linguistic_type: Option<Pattern>,
    /// Pattern of the participant; by default any.
    pub participant: Option<Pattern>,
    /// The annotated person; by default the participant.
    pub person: Option<String>,
    /// Kind of the values that match no rule. By default, such values are ignored.
    pub kind: Option<Kind>,
    /// Rules for values on these tiers.
    pub values: Vec<ValueRule>,
}

impl TierRule {
    /// Returns true if a tier matches.
    #[must_use]
    pub fn matches(&self, tier: &Tier) -> bool {
        let matches =
            |pattern: &Option<Pattern>, text: &str| pattern.as_ref().is_none_or(|p| p.matches(text));
        matches(&self.name, &tier.name)
            && matches(&self.linguistic_type, &tier.linguistic_type)
            && matches(&self.participant, &tier.participant)
    }
}

/// A rule for annotation values.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueRule {
    /// Pattern of the value.
    pub pattern: Pattern,
    /// Meaning of matching values.
    pub meaning: Meaning,
}

/// The meaning of an annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Ignored.
    Ignored,
    /// An action.
    Action {
        /// Kind of the action; by default the kind of the tier's rule.
        kind: Option<Kind>,
        /// Tags, sorted.
        tags: Vec<String>,
    },
}

impl TierMap {
    /// Parses a map in TOML.
    ///
    /// # Errors
    /// Returns an error for invalid TOML and for unknown keys or values; suggests the nearest known one.
    pub fn parse(text: &str) -> Result<Self> {
        super::parse::map(text)
    }

    /// Returns the default map: tiers with descriptive English names.
    ///
    /// # Panics
    /// Never panics: a test parses the map.
    #[must_use]
    pub fn standard() -> Self {
        Self::parse(include_str!("standard.toml")).expect("the standard map is read in a test")
    }

    /// Returns the first rule that matches a tier, with its index; `None` if no rule matches.
    #[must_use]
    pub fn rule(&self, tier: &Tier) -> Option<(usize, &TierRule)> {
        self.tiers.iter().enumerate().find(|(_, rule)| rule.matches(tier))
    }

    /// Returns the meaning of a value on a tier: an action with its tags, or `Some(None)` if it is ignored. Returns
    /// `None` if no rule matches.
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
    let fitting = rules.iter().filter(|rule| rule.pattern.matches(value));
    fitting.min_by_key(|rule| rule.pattern.rank()).map(|rule| &rule.meaning)
}
