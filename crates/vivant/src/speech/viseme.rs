//! Shapes that a mouth takes: Oculus's fifteen, by the names that everyone gives them, and what others call theirs.

use crate::rig::Expression;

/// A mouth shape. The names and their order are Oculus's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "they are what they are called")]
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

/// What can be told apart by looking or listening, without knowing the language: eight kinds of shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// No speech; the lips as they rest.
    #[default]
    Silence,
    /// A low jaw: *father*, *cat*.
    Open,
    /// A jaw in between: *bed*, *see*, *cup*.
    Mid,
    /// Round lips: *boot*, *saw*, *we*.
    Rounded,
    /// Lips that meet: *p*, *b*, *m*.
    Closed,
    /// The lower lip at the upper teeth: *f*, *v*.
    Labiodental,
    /// The tongue at the teeth or behind them: *t*, *d*, *n*, *l*, *th*, and further back *k*, *g*.
    Dental,
    /// Teeth close together: *s*, *z*, *sh*, *ch*.
    Sibilant,
}

impl Class {
    /// How many there are.
    pub const COUNT: usize = 8;
    /// All of them, in order.
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

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["silence", "open", "mid", "rounded", "closed", "labiodental", "dental", "sibilant"][self as usize]
    }
}

impl Viseme {
    /// How many there are.
    pub const COUNT: usize = 15;
    /// All of them, in Oculus's order.
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

    /// Its name, as Oculus writes it: `sil`, `PP`, `aa`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// Returns a list of this viseme alone.
    #[must_use]
    pub fn as_slice(self) -> &'static [Self] {
        const { &Self::ALL }.get(self as usize..=self as usize).unwrap_or_default()
    }

    /// By its name, in capitals or not, with or without `viseme_` before it.
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

    /// Azure's (and SAPI's) viseme ids from 0 to 21; a diphthong is two shapes.
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

    /// What Rhubarb Lip Sync shows for its letter E, which is also a name of Oculus.
    pub const RHUBARB_E: Self = Self::Oh;

    /// Rhubarb Lip Sync's shapes, `A` to `H` and `X`.
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

    /// As an expression of an avatar.
    #[must_use]
    pub fn expression(self) -> Expression {
        Expression::visemes().nth(self as usize).expect("there are fifteen")
    }

    /// What kind of shape it is. The English r is rounded, as in Jeffers and Barley (1971), and what the tongue does
    /// behind parted lips is one class, since lips show no more of it.
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
    fn shapes_are_known_by_all_their_names() {
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
    fn azures_numbers_and_rhubarbs_letters_end_where_they_end() {
        assert_eq!(Viseme::azure(21), Some(&[Viseme::Pp][..]));
        assert_eq!(Viseme::azure(22), None);
        assert_eq!("ABCDEFGHX".chars().filter_map(Viseme::rhubarb).count(), 9);
        assert_eq!(Viseme::rhubarb('I'), None);
    }
}
