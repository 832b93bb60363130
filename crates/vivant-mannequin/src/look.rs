//! The appearance of a character.
//!
//! A [`Look`] changes colours, hair, build and face of the built-in character, but not its skeleton, so that every clip
//! fits every look. [`Look::of_seed`] draws a look from tables of colours, for example for a crowd. The same seed
//! always gives the same look, and seed 0 gives the default. Pass the look to [`Avatar`](crate::Avatar) to build the
//! avatar.

use vivant::chance::Chance;

/// An sRGB colour: red, green and blue.
pub type Rgb = [u8; 3];

/// A hair style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HairStyle {
    /// Short, with a parting.
    #[default]
    Short,
    /// Chin-length.
    Bob,
    /// Tied up at the back.
    Bun,
    /// Short curls.
    Curls,
}

impl HairStyle {
    /// Every style.
    pub const ALL: [Self; 4] = [Self::Short, Self::Bob, Self::Bun, Self::Curls];

    /// Returns the name of the hair style.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Bob => "bob",
            Self::Bun => "bun",
            Self::Curls => "curls",
        }
    }
}

/// Colours and proportions of a character. The skeleton is always the same, so that every motion fits every look.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Colour of the skin.
    pub skin: Rgb,
    /// Colour of hair and brows.
    pub hair: Rgb,
    /// Colour of the irises.
    pub eyes: Rgb,
    /// Colour of the jumper.
    pub top: Rgb,
    /// Colour of the trousers.
    pub trousers: Rgb,
    /// Colour of the shoes.
    pub shoes: Rgb,
    /// Hair style.
    pub hair_style: HairStyle,
    /// Build: −1 slight, 0 average, 1 broad.
    pub build: f32,
    /// Width of jaw and cheeks: −1 narrow, 0 average, 1 wide.
    pub face: f32,
    /// Size of the nose: −1 small, 0 average, 1 large.
    pub nose: f32,
}

impl Default for Look {
    /// The default character.
    fn default() -> Self {
        Self {
            skin: [238, 186, 156],
            hair: [92, 52, 38],
            eyes: [62, 122, 128],
            top: [232, 150, 72],
            trousers: [58, 74, 108],
            shoes: [226, 222, 214],
            hair_style: HairStyle::Bob,
            build: -0.4,
            face: 0.0,
            nose: 0.0,
        }
    }
}

const SKINS: [Rgb; 8] = [
    [247, 208, 184],
    [238, 186, 156],
    [226, 170, 134],
    [204, 144, 106],
    [178, 118, 82],
    [148, 94, 64],
    [118, 74, 52],
    [92, 58, 44],
];
const HAIRS: [Rgb; 8] = [
    [36, 30, 32],
    [60, 40, 32],
    [92, 52, 38],
    [128, 76, 44],
    [168, 84, 44],
    [206, 158, 92],
    [226, 196, 140],
    [164, 160, 158],
];
const EYES: [Rgb; 6] =
    [[84, 54, 36], [122, 80, 44], [92, 112, 66], [62, 122, 128], [74, 118, 164], [110, 122, 134]];
const TOPS: [Rgb; 9] = [
    [232, 150, 72],
    [74, 132, 140],
    [196, 84, 76],
    [96, 122, 84],
    [118, 104, 164],
    [226, 190, 98],
    [214, 214, 206],
    [78, 96, 132],
    [206, 130, 148],
];
const TROUSERS: [Rgb; 6] =
    [[58, 74, 108], [72, 70, 74], [124, 104, 80], [88, 98, 82], [96, 72, 76], [168, 156, 136]];
const SHOES: [Rgb; 5] = [[226, 222, 214], [70, 66, 68], [150, 82, 62], [84, 110, 130], [206, 166, 86]];

impl Look {
    /// Returns a random look for a seed, for example for a crowd. Seed 0 gives the default look.
    #[must_use]
    pub fn of_seed(seed: u64) -> Self {
        if seed == 0 {
            return Self::default();
        }
        let mut draw = Chance::new(seed, "mannequin look").event(0);
        let mut shade = |colours: &[Rgb]| {
            let colour = colours[draw.bits() as usize % colours.len()];
            let by = draw.between(0.94, 1.06);
            colour.map(|c| (f64::from(c) * by).clamp(0.0, 255.0) as u8)
        };
        let (skin, hair, eyes) = (shade(&SKINS), shade(&HAIRS), shade(&EYES));
        let (top, trousers, shoes) = (shade(&TOPS), shade(&TROUSERS), shade(&SHOES));
        let hair_style = HairStyle::ALL[draw.bits() as usize % HairStyle::ALL.len()];
        let mut shape = || draw.between(-1.0, 1.0) as f32;
        Self {
            skin,
            hair,
            eyes,
            top,
            trousers,
            shoes,
            hair_style,
            build: shape(),
            face: shape(),
            nose: shape(),
        }
    }
}
