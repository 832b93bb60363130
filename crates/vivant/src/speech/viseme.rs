//! Visemes: the fifteen mouth shapes of Oculus, and conversions from other sets.
//!
//! Speech synthesizers, lip-sync tools and avatars use different sets of mouth shapes. The engine uses one set,
//! [`Viseme`]. Names, Azure and SAPI IDs and the letters of Rhubarb are converted to this set. A [`Class`] groups
//! visemes that can be distinguished by sight.
//!
//! ```
//! use vivant::speech::{Class, Viseme};
//! assert_eq!(Viseme::named("viseme_PP"), Some(Viseme::Pp));
//! assert_eq!(Viseme::azure(21), Some(&[Viseme::Pp][..]));
//! assert_eq!(Viseme::Pp.class(), Class::Closed);
//! ```

use crate::rig::Expression;

/// A mouth shape, with the names and order of Oculus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names are those of Oculus")]
#[repr(u8)]
pub enum Viseme {
    #[default]
    Sil,
    Pp,
    Ff,
    Th,
    Dd,
    Kk,
    Ch,
    Ss,
    Nn,
    Rr,
    Aa,
    E,
    Ih,
    Oh,
    Ou,
}

const NAMES: [&str; Viseme::COUNT] =
    ["sil", "PP", "FF", "TH", "DD", "kk", "CH", "SS", "nn", "RR", "aa", "E", "ih", "oh", "ou"];

/// Classes of mouth shapes that can be distinguished by sight or sound in any language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// No speech; lips at rest.
    #[default]
    Silence,
    /// Low jaw: *father*, *cat*.
    Open,
    /// Medium jaw: *bed*, *see*, *cup*.
    Mid,
    /// Rounded lips: *boot*, *saw*, *we*.
    Rounded,
    /// Closed lips: *p*, *b*, *m*.
    Closed,
    /// Lower lip at the upper teeth: *f*, *v*.
    Labiodental,
    /// Tongue at or behind the teeth: *t*, *d*, *n*, *l*, *th*, and further back *k*, *g*.
    Dental,
    /// Teeth close together: *s*, *z*, *sh*, *ch*.
    Sibilant,
}

impl Class {
    /// Number of classes.
    pub const COUNT: usize = 8;
    /// All classes, in order.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Silence,
        Self::Open,
        Self::Mid,
        Self::Rounded,
        Self::Closed,
        Self::Labiodental,
        Self::Dental,
        Self::Sibilant,
    ];

    /// Returns the name in lower case, such as `rounded`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["silence", "open", "mid", "rounded", "closed", "labiodental", "dental", "sibilant"][self as usize]
    }
}

impl Viseme {
    /// Number of visemes.
    pub const COUNT: usize = 15;
    /// All visemes, in the order of Oculus.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Sil,
        Self::Pp,
        Self::Ff,
        Self::Th,
        Self::Dd,
        Self::Kk,
        Self::Ch,
        Self::Ss,
        Self::Nn,
        Self::Rr,
        Self::Aa,
        Self::E,
        Self::Ih,
        Self::Oh,
        Self::Ou,
    ];

    /// Returns the name in the spelling of Oculus: `sil`, `PP`, `aa`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// Returns a slice that contains only this viseme.
    #[must_use]
    pub fn as_slice(self) -> &'static [Self] {
        const { &Self::ALL }.get(self as usize..=self as usize).unwrap_or_default()
    }

    /// Parses a name, ignoring case and an optional prefix `viseme_`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let bare = name.trim();
        let bare =
            bare.get(..7).filter(|head| head.eq_ignore_ascii_case("viseme_")).map_or(bare, |_| &bare[7..]);
        let other = [("i", Self::Ih), ("o", Self::Oh), ("u", Self::Ou)];
        Self::ALL.into_iter().find(|viseme| viseme.name().eq_ignore_ascii_case(bare)).or_else(|| {
            other.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(bare)).map(|(_, viseme)| viseme)
        })
    }

    /// Converts a viseme ID of Azure or SAPI, from 0 to 21. Diphthongs map to two visemes.
    #[must_use]
    pub fn azure(id: u32) -> Option<&'static [Self]> {
        use Viseme::*;
        const IDS: [&[Viseme]; 22] = [
            &[Sil],
            &[Aa],
            &[Aa],
            &[Oh],
            &[E],
            &[Rr],
            &[Ih],
            &[Ou],
            &[Oh],
            &[Aa, Ou],
            &[Oh, Ih],
            &[Aa, Ih],
            &[E],
            &[Rr],
            &[Nn],
            &[Ss],
            &[Ch],
            &[Th],
            &[Ff],
            &[Dd],
            &[Kk],
            &[Pp],
        ];
        IDS.get(id as usize).copied()
    }

    /// The viseme for Rhubarb Lip Sync's letter E, which is also the name of an Oculus viseme.
    pub const RHUBARB_E: Self = Self::Oh;

    /// Converts a shape of Rhubarb Lip Sync, `A` to `H` or `X`.
    #[must_use]
    pub const fn rhubarb(shape: char) -> Option<Self> {
        Some(match shape {
            'A' => Self::Pp,
            'B' => Self::Dd,
            'C' => Self::E,
            'D' => Self::Aa,
            'E' => Self::RHUBARB_E,
            'F' => Self::Ou,
            'G' => Self::Ff,
            'H' => Self::Nn,
            'X' => Self::Sil,
            _ => return None,
        })
    }

    /// Returns the avatar expression for this viseme.
    #[must_use]
    pub fn expression(self) -> Expression {
        Expression::visemes().nth(self as usize).expect("there are fifteen")
    }

    /// Returns the class. The English r counts as rounded, as in Jeffers and Barley (1971). Tongue positions behind
    /// parted lips form one class, because they look the same.
    #[must_use]
    pub const fn class(self) -> Class {
        match self {
            Self::Sil => Class::Silence,
            Self::Pp => Class::Closed,
            Self::Ff => Class::Labiodental,
            Self::Th | Self::Dd | Self::Nn | Self::Kk => Class::Dental,
            Self::Ch | Self::Ss => Class::Sibilant,
            Self::E | Self::Ih => Class::Mid,
            Self::Aa => Class::Open,
            Self::Rr | Self::Oh | Self::Ou => Class::Rounded,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visemes_are_found_by_all_their_names() {
        for viseme in Viseme::ALL {
            assert_eq!(Viseme::ALL[viseme as usize], viseme);
            assert_eq!(viseme.expression().name(), format!("viseme_{}", viseme.name()));
            assert_eq!(Viseme::named(viseme.name()), Some(viseme));
            assert_eq!(Viseme::named(&format!(" VISEME_{}", viseme.name())), Some(viseme));
        }
        assert_eq!(Viseme::named("U"), Some(Viseme::Ou));
        assert_eq!(Viseme::named("visem"), None);
        assert_eq!(Viseme::named("ähviseme"), None);
    }

    #[test]
    fn azure_and_rhubarb_visemes_have_the_right_ranges() {
        assert_eq!(Viseme::azure(21), Some(&[Viseme::Pp][..]));
        assert_eq!(Viseme::azure(22), None);
        assert_eq!("ABCDEFGHX".chars().filter_map(Viseme::rhubarb).count(), 9);
        assert_eq!(Viseme::rhubarb('I'), None);
    }
}
