//! Arguments of `vivant mannequin`.

use clap::builder::PossibleValuesParser;
use clap::{ArgGroup, Args};
use std::path::PathBuf;
use vivant_io::json::words;
use vivant_mannequin::{HairStyle, Look, Rgb};

/// Write the built-in character as a file: a procedural avatar with face, hands and clothes
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("what").required(true).multiple(true).args(["output", "character"]))]
#[command(after_help = "\
Examples:
  vivant mannequin -o avatar.vrm
  vivant mannequin -o ida.vrm --seed 7                   another person
  vivant mannequin -o bo.vrm --skin brown --hair black --hair-style curls --top '#4a848c' --build 0.6
  vivant mannequin --character eve                       a complete character, as a start for your own
  vivant mannequin -o avatar.vrm --json | jq .triangles

The same options give the same bytes on every computer. The seed chooses the whole look; other options
override it. Colours are #rrggbb or a name; an unknown name lists the known ones.
--character writes character.toml, avatar.vrm, repertoire.json and clips/*.vrma into a new folder,
which you can open with `vivant --character FOLDER`.
With --json: {\"written\", \"bytes\", \"triangles\", \"vertices\", \"morphs\", \"milliseconds\"}.")]
pub(crate) struct Mannequin {
    /// The file to write: .vrm, or .glb with the same bytes
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The folder to create, with a complete character
    #[arg(long, value_name = "FOLDER")]
    pub(crate) character: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) looks: Looks,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The look of the avatar; the seed chooses everything that is not given.
#[derive(Debug, Args)]
pub(crate) struct Looks {
    /// Random seed: each number is another person; 0 is the standard look
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Colour of the skin: #rrggbb, porcelain, fair, light, tan, olive, brown, dark or deep
    #[arg(long, value_name = "COLOUR", value_parser = skin)]
    skin: Option<Rgb>,
    /// Colour of hair and brows: #rrggbb, black, espresso, brown, chestnut, copper, honey, blond or grey
    #[arg(long, value_name = "COLOUR", value_parser = hair)]
    hair: Option<Rgb>,
    /// Colour of the irises: #rrggbb, brown, amber, green, teal, blue or grey
    #[arg(long, value_name = "COLOUR", value_parser = eyes)]
    eyes: Option<Rgb>,
    /// Colour of the jumper: #rrggbb, or a name such as red, teal or cream
    #[arg(long, value_name = "COLOUR", value_parser = cloth)]
    top: Option<Rgb>,
    /// Colour of the trousers
    #[arg(long, value_name = "COLOUR", value_parser = cloth)]
    trousers: Option<Rgb>,
    /// Colour of the shoes
    #[arg(long, value_name = "COLOUR", value_parser = cloth)]
    shoes: Option<Rgb>,
    /// Hair style
    #[arg(long, value_name = "STYLE", value_parser = PossibleValuesParser::new(HairStyle::ALL.map(HairStyle::name)))]
    hair_style: Option<String>,
    /// Build of the body, from -1 (slight) to 1 (broad)
    #[arg(long, value_name = "X", value_parser = shape, allow_hyphen_values = true)]
    build: Option<f32>,
    /// Width of jaw and cheeks, from -1 to 1
    #[arg(long, value_name = "X", value_parser = shape, allow_hyphen_values = true)]
    face: Option<f32>,
    /// Size of the nose, from -1 to 1
    #[arg(long, value_name = "X", value_parser = shape, allow_hyphen_values = true)]
    nose: Option<f32>,
}

impl Looks {
    pub(crate) fn look(&self) -> Look {
        let seeded = Look::of_seed(self.seed);
        let style = |name: &String| HairStyle::ALL.into_iter().find(|style| style.name() == name);
        Look {
            skin: self.skin.unwrap_or(seeded.skin),
            hair: self.hair.unwrap_or(seeded.hair),
            eyes: self.eyes.unwrap_or(seeded.eyes),
            top: self.top.unwrap_or(seeded.top),
            trousers: self.trousers.unwrap_or(seeded.trousers),
            shoes: self.shoes.unwrap_or(seeded.shoes),
            hair_style: self.hair_style.as_ref().and_then(style).unwrap_or(seeded.hair_style),
            build: self.build.unwrap_or(seeded.build),
            face: self.face.unwrap_or(seeded.face),
            nose: self.nose.unwrap_or(seeded.nose),
        }
    }
}

type Names = &'static [(&'static str, Rgb)];

const SKINS: Names = &[
    ("porcelain", [247, 208, 184]),
    ("fair", [238, 186, 156]),
    ("light", [226, 170, 134]),
    ("tan", [204, 144, 106]),
    ("olive", [178, 118, 82]),
    ("brown", [148, 94, 64]),
    ("dark", [118, 74, 52]),
    ("deep", [92, 58, 44]),
];
const HAIRS: Names = &[
    ("black", [36, 30, 32]),
    ("espresso", [60, 40, 32]),
    ("brown", [92, 52, 38]),
    ("chestnut", [128, 76, 44]),
    ("copper", [168, 84, 44]),
    ("honey", [206, 158, 92]),
    ("blond", [226, 196, 140]),
    ("grey", [164, 160, 158]),
];
const EYES: Names = &[
    ("brown", [84, 54, 36]),
    ("amber", [122, 80, 44]),
    ("green", [92, 112, 66]),
    ("teal", [62, 122, 128]),
    ("blue", [74, 118, 164]),
    ("grey", [110, 122, 134]),
];
const CLOTHS: Names = &[
    ("orange", [232, 150, 72]),
    ("teal", [74, 132, 140]),
    ("red", [196, 84, 76]),
    ("green", [96, 122, 84]),
    ("purple", [118, 104, 164]),
    ("yellow", [226, 190, 98]),
    ("cream", [226, 222, 214]),
    ("white", [240, 238, 234]),
    ("blue", [78, 96, 132]),
    ("navy", [58, 74, 108]),
    ("pink", [206, 130, 148]),
    ("grey", [126, 124, 126]),
    ("charcoal", [72, 70, 74]),
    ("black", [44, 42, 46]),
    ("brown", [150, 82, 62]),
    ("khaki", [124, 104, 80]),
];

fn skin(text: &str) -> Result<Rgb, String> {
    colour(text, SKINS)
}

fn hair(text: &str) -> Result<Rgb, String> {
    colour(text, HAIRS)
}

fn eyes(text: &str) -> Result<Rgb, String> {
    colour(text, EYES)
}

fn cloth(text: &str) -> Result<Rgb, String> {
    colour(text, CLOTHS)
}

fn colour(text: &str, names: Names) -> Result<Rgb, String> {
    let named = names.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, rgb)| *rgb);
    let wrong = || {
        let hint = words::hint(text, names.iter().map(|(name, _)| *name));
        format!("unknown colour; give #rrggbb, as in #4a848c, or a name; {hint}")
    };
    named.or_else(|| hexadecimal(text)).ok_or_else(wrong)
}

/// Parses `#rrggbb` or `#rgb`. The `#` is optional, since some shells treat it as a comment.
fn hexadecimal(text: &str) -> Option<Rgb> {
    let digits: Vec<u8> = text
        .strip_prefix('#')
        .unwrap_or(text)
        .chars()
        .map(|c| c.to_digit(16).map(|d| d as u8))
        .collect::<Option<_>>()?;
    match digits[..] {
        [r, g, b] => Some([r * 17, g * 17, b * 17]),
        [a, b, c, d, e, f] => Some([a * 16 + b, c * 16 + d, e * 16 + f]),
        _ => None,
    }
}

fn shape(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if (-1.0..=1.0).contains(&number) => Ok(number),
        _ => Err("give a number from -1 to 1".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_have_names_and_numbers() {
        let check = |text: &str, expected: Option<Rgb>| assert_eq!(cloth(text).ok(), expected, "{text}");
        check("#4a848c", Some([0x4a, 0x84, 0x8c]));
        check("4A848C", Some([0x4a, 0x84, 0x8c]));
        check("#fa0", Some([255, 170, 0]));
        check("Teal", Some([74, 132, 140]));
        for wrong in ["", "#", "#12345", "#gggggg", "blu3", "#1234567", "é#"] {
            check(wrong, None);
        }
        assert!(skin("browm").unwrap_err().contains("did you mean `brown`?"));
        assert!(hair("?").unwrap_err().contains("#rrggbb"));
    }

    #[test]
    fn shapes_go_from_minus_one_to_one() {
        assert_eq!(shape("-0.5"), Ok(-0.5));
        for text in ["1.1", "nan", "x", ""] {
            assert!(shape(text).unwrap_err().contains("-1 to 1"), "{text}");
        }
    }
}
