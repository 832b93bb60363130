//! Parses node names. Every tool has its own bone names, but all tools use the same few words of anatomy with a side.
//! So a name is split into words instead of being looked up as a whole.

use std::collections::HashMap;
use vivant::rig::Finger;

/// A side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// A word of anatomy. Several words may name one bone, and one word may name several bones (`shoulder`, `leg`). Which
/// bone it names depends on the other nodes of the limb: see [`chain`](super::chain).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Hips,
    Spine,
    Chest,
    Neck,
    Head,
    Eye,
    Jaw,
    Clavicle,
    Shoulder,
    UpperArm,
    Arm,
    LowerArm,
    Elbow,
    Hand,
    Wrist,
    Palm,
    Thigh,
    Leg,
    Shin,
    Ankle,
    Foot,
    Toe,
    /// A finger, and which one, if the name says it.
    Finger(Option<Finger>),
}

/// A bone of a finger, in anatomical terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Segment {
    Metacarpal,
    Proximal,
    Intermediate,
    Distal,
}

/// A parsed name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reading {
    pub(super) word: Word,
    pub(super) side: Option<Side>,
    /// The groups of digits, as written: `Finger01` has `01`, `finger2-1` has `2` and `1`.
    pub(super) numbers: Vec<String>,
    pub(super) segment: Option<Segment>,
    /// Unknown words: `robo` in `robo_hand.L`. A node whose name has fewer unknown words is more likely to be the
    /// bone.
    pub(super) unknown_words: Vec<String>,
    /// True if the name has Rigify's prefix `DEF-`. In a rig with such bones, only these bones deform the skin.
    pub(super) deforms: bool,
}

/// Parses all names; `None` for each name that cannot be the name of a bone.
pub(super) fn read_all<'a>(names: impl Iterator<Item = &'a str>) -> Vec<Option<Reading>> {
    let mut readings: Vec<_> = names.map(read).collect();
    keep_deforming(&mut readings);
    remove_common_words(&mut readings);
    readings
}

/// Keeps only deforming bones if there are enough of them, because such a rig also has controls with the same names.
fn keep_deforming(readings: &mut [Option<Reading>]) {
    const ENOUGH: usize = 10;
    if readings.iter().flatten().filter(|r| r.deforms).count() >= ENOUGH {
        readings.iter_mut().for_each(|r| *r = r.take().filter(|r| r.deforms));
    }
}

/// Removes unknown words that occur in most names, such as the character's name.
fn remove_common_words(readings: &mut [Option<Reading>]) {
    let total = readings.iter().flatten().count();
    let mut counts = HashMap::<String, usize>::new();
    for unknown_word in readings.iter().flatten().flat_map(|r| &r.unknown_words) {
        *counts.entry(unknown_word.clone()).or_default() += 1;
    }
    let is_common = |s: &String| counts.get(s).is_some_and(|count| count * 5 > total * 2);
    readings.iter_mut().flatten().for_each(|r| r.unknown_words.retain(|s| !is_common(s)));
}

/// Maximum length of a bone's name in bytes, and maximum number of its words. Longer names are not parsed, to save
/// time.
const LONGEST: usize = 128;
const MAX_TOKENS: usize = 16;

/// Parses one name.
pub(super) fn read(name: &str) -> Option<Reading> {
    let name = without_namespace(name);
    if name.len() > LONGEST {
        return None;
    }
    if is_vertebra(name) {
        return Some(Reading::of(Word::Spine));
    }
    let tokens = Some(tokens(name)).filter(|t| t.len() <= MAX_TOKENS)?;
    let twists = tokens.iter().any(|t| is_twist(t));
    if tokens.iter().any(|t| is_not_a_bone(t)) {
        return None;
    }
    let mut reading = Reading::of(Word::Neck);
    let words = reading.split_tokens(&tokens)?;
    let found = choose_word(&reading.find_words(&words));
    let (word, unknown_words) =
        found.or_else(|| is_short_finger(&tokens).then_some((Word::Finger(None), 0)))?;
    reading.word = word;
    reading.unknown_words.extend((0..unknown_words).map(|_| "another bone".to_owned()));
    // Character Creator's neck bones are twist bones; no other twist bone is a VRM bone.
    (!twists || word == Word::Neck).then_some(reading)
}

/// A parsed eyelid name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lid {
    pub(super) side: Option<Side>,
    pub(super) is_lower: bool,
}

/// Parses the name of an eyelid; `None` if it is not one. A lid without “upper” or “lower” in its name counts as the
/// upper lid, which does most of the closing.
pub(super) fn read_lid(name: &str) -> Option<Lid> {
    let name = without_namespace(name);
    let tokens = if name.len() > LONGEST { Vec::new() } else { tokens(name) };
    let has = |words: &[&str]| tokens.iter().any(|t| words.contains(&t.as_str()));
    let lid = has(&["eyelid", "eyelids", "lid", "lids"]) || has(&["eye"]) && has(&["blink"]);
    let is_lower = has(&["lower", "low", "bottom", "bot", "down", "dn", "b", "下"]);
    let side = tokens.iter().find_map(|token| side(token));
    (lid && !has(&["end", "nub"])).then_some(Lid { side, is_lower })
}

impl Reading {
    fn of(word: Word) -> Self {
        Self {
            word,
            side: None,
            numbers: Vec::new(),
            segment: None,
            unknown_words: Vec::new(),
            deforms: false,
        }
    }

    /// Takes side, numbers and prefixes out of the tokens and returns the remaining words. `None` if the name
    /// contains both sides.
    fn split_tokens<'a>(&mut self, tokens: &'a [String]) -> Option<Vec<&'a str>> {
        let mut words = Vec::new();
        let mut previous = "";
        for token in tokens {
            let token = token.as_str();
            if let Some(side) = side(token) {
                if self.side.is_some_and(|s| s != side) {
                    return None;
                }
                self.side = Some(side);
            } else if token.starts_with(|c: char| c.is_ascii_digit()) {
                if !matches!(previous, "bip" | "mixamorig" | "character") {
                    self.numbers.push(token.to_owned());
                }
            } else if token == "def" && previous.is_empty() {
                self.deforms = true;
            } else {
                words.push(token);
            }
            previous = token;
        }
        Some(words)
    }

    /// Finds words of anatomy, longest first; the rest are unknown words.
    fn find_words(&mut self, words: &[&str]) -> Vec<Word> {
        let mut found = Vec::new();
        let mut rest = words;
        while let Some((first, others)) = rest.split_first() {
            let longest = (1..=3.min(rest.len())).rev().find_map(|n| Some((word(&rest[..n].concat())?, n)));
            if let Some((word, n)) = longest {
                found.push(word);
                rest = &rest[n..];
                continue;
            }
            let base = Some(Segment::Metacarpal).filter(|_| *first == "base" && !found.is_empty());
            if let Some(segment) = segment(first).or(base) {
                self.segment = Some(segment);
            } else if !is_neutral(first) && !is_twist(first) {
                self.unknown_words.push((*first).to_owned());
            }
            rest = others;
        }
        found
    }
}

/// Returns the word that determines the bone, and the number of other words that contradict it.
fn choose_word(found: &[Word]) -> Option<(Word, usize)> {
    let is_finger = |w: &&Word| matches!(w, Word::Finger(_));
    let is_part_of_hand = |w: &&Word| matches!(w, Word::Hand | Word::Palm | Word::Finger(_));
    if found.iter().any(|w| is_finger(&w)) && found.iter().all(|w| is_part_of_hand(&w)) {
        let named = found.iter().find(|w| matches!(w, Word::Finger(Some(_))));
        return Some((*named.unwrap_or(&Word::Finger(None)), 0));
    }
    // `middle`, `ring` or `index` together with the word for another bone is not a finger: `SpineMiddle`.
    let others: Vec<_> = found.iter().filter(|w| !is_finger(w)).collect();
    let (last, before) = others.split_last()?;
    let contradicts = |w: &&&Word| !matches!(w, Word::Head | Word::Foot) && *w != last;
    Some((**last, before.iter().filter(contradicts).count()))
}

/// Returns true for names such as `f2a`: the first bone of the second finger.
fn is_short_finger(tokens: &[String]) -> bool {
    matches!(tokens, [f, number, ..] if f == "f" && number.len() == 1 && "12345".contains(number.as_str()))
}

/// Returns the part after the last `:` or `|`: `mixamorig:Hips`, `Armature|Hips`.
fn without_namespace(name: &str) -> &str {
    name.rsplit([':', '|']).find(|part| !part.trim().is_empty()).unwrap_or(name).trim()
}

/// Returns true for vertebrae, as Xsens names the spine.
fn is_vertebra(name: &str) -> bool {
    matches!(name, "L5" | "L4" | "L3" | "L2" | "L1" | "T12" | "T10" | "T8" | "T7" | "T4" | "T1")
}

fn side(token: &str) -> Option<Side> {
    match token {
        "l" | "left" | "lt" | "lft" | "gauche" | "links" | "izquierda" => Some(Side::Left),
        "r" | "right" | "rt" | "rgt" | "droite" | "droit" | "rechts" | "derecha" => Some(Side::Right),
        _ => None,
    }
}

/// Splits a name into lower-case tokens: at anything that is not a letter or digit, between letters and digits, at
/// capitals, and around a side that is joined to a bone (`lThigh`, `leftarm`).
fn tokens(name: &str) -> Vec<String> {
    let name = to_latin(name);
    let mut tokens: Vec<String> = Vec::new();
    let mut current = String::new();
    let chars: Vec<char> = name.chars().collect();
    for (i, &c) in chars.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| chars.get(i)).copied().unwrap_or(' ');
        let after = chars.get(i + 1).copied().unwrap_or(' ');
        if starts_token(before, c, after) {
            split_side(std::mem::take(&mut current), &mut tokens);
        }
        if c.is_alphanumeric() {
            current.extend(c.to_lowercase().map(without_accent));
        }
    }
    split_side(current, &mut tokens);
    tokens
}

fn starts_token(before: char, c: char, after: char) -> bool {
    let kind_changes = before.is_alphabetic() && !c.is_alphabetic() || before.is_numeric() != c.is_numeric();
    let hump = before.is_lowercase() && c.is_uppercase();
    // `LEye` is `L` and `Eye`.
    let after_capitals = before.is_uppercase() && c.is_uppercase() && after.is_lowercase();
    kind_changes || hump || after_capitals
}

fn split_side(token: String, tokens: &mut Vec<String>) {
    if token.is_empty() {
        return;
    }
    let token = token.strip_prefix("mixamorig").filter(|rest| !rest.is_empty()).unwrap_or(&token);
    let is_known = |t: &str| word(t).is_some() || side(t).is_some();
    if !is_known(token) {
        for glued in ["left", "right", "l", "r"] {
            let rest = token.strip_prefix(glued).or_else(|| token.strip_suffix(glued));
            if let Some(rest) = rest.filter(|rest| is_bone_suffix(rest)) {
                tokens.extend([
                    glued.to_owned(),
                    rest.strip_prefix("hand").filter(|r| word(r).is_some()).unwrap_or(rest).to_owned(),
                ]);
                return;
            }
        }
    }
    tokens.push(token.to_owned());
}

fn is_bone_suffix(rest: &str) -> bool {
    word(rest).is_some() || rest.strip_prefix("hand").is_some_and(|finger| word(finger).is_some())
}

fn without_accent(c: char) -> char {
    match c {
        'à' | 'â' | 'ä' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'î' | 'ï' => 'i',
        'ô' | 'ö' => 'o',
        'û' | 'ü' | 'ù' => 'u',
        'ç' => 'c',
        c => c,
    }
}

/// Japanese words in MikuMikuDance models and many VRM files; longer ones first.
#[rustfmt::skip]
const JAPANESE: [(&str, &str); 36] = [
    ("上半身", "spine"), ("下半身", "hips"), ("手首", "wrist"), ("足首", "ankle"), ("つま先", "toe"),
    ("親指", "thumb"), ("人差指", "index"), ("人差し指", "index"), ("人指", "index"), ("中指", "middle"), ("薬指", "ring"),
    ("小指", "little"), ("まぶた", "eyelid"), ("ひじ", "elbow"), ("ひざ", "knee"), ("両目", "eyes"),
    ("あご", "jaw"), ("左", "left"), ("右", "right"), ("肩", "shoulder"), ("腕", "arm"), ("肘", "elbow"),
    ("膝", "knee"), ("手", "hand"), ("足", "leg"), ("頭", "head"), ("首", "neck"), ("腰", "hips"),
    ("胸", "chest"), ("目", "eye"), ("瞼", "eyelid"), ("顎", "jaw"), ("捩", "twist"), ("髪", "hair"),
    ("先", "end"), ("親", "parent"),
];

/// Replaces Japanese words and full-width letters by Latin ones.
fn to_latin(name: &str) -> String {
    if name.is_ascii() {
        return name.to_owned();
    }
    let narrow = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        c => c,
    };
    let mut latin: String = name.chars().map(narrow).collect();
    for (word, meaning) in JAPANESE {
        latin = latin.replace(word, &format!(" {meaning} "));
    }
    latin
}

fn segment(token: &str) -> Option<Segment> {
    match token {
        "metacarpal" | "meta" | "metacarpus" | "in" => Some(Segment::Metacarpal),
        "proximal" | "prox" => Some(Segment::Proximal),
        "intermediate" | "inter" | "medial" => Some(Segment::Intermediate),
        "distal" | "dist" => Some(Segment::Distal),
        _ => None,
    }
}

fn word(token: &str) -> Option<Word> {
    Some(match token {
        "hips" | "hip" | "pelvis" | "bassin" => Word::Hips,
        "spine" | "abdomen" | "torso" | "waist" | "back" | "lowerback" | "upperback" | "belly" | "tummy"
        | "stomach" | "torse" | "trunk" | "upperbody" | "lumbar" | "vertebra" => Word::Spine,
        "chest" | "upperchest" | "ribcage" | "thorax" => Word::Chest,
        "neck" | "cou" => Word::Neck,
        "head" | "skull" | "tete" | "kopf" => Word::Head,
        "eye" | "eyeball" | "oeil" => Word::Eye,
        "jaw" | "lowerjaw" | "mandible" => Word::Jaw,
        "clavicle" | "clav" | "collar" | "collarbone" | "scapula" => Word::Clavicle,
        "shoulder" | "shldr" | "epaule" => Word::Shoulder,
        "upperarm" | "uparm" | "armupper" | "armup" | "humerus" => Word::UpperArm,
        "arm" | "bras" => Word::Arm,
        "forearm" | "lowerarm" | "lowarm" | "armlower" | "armlow" | "avantbras" => Word::LowerArm,
        "elbow" | "coude" => Word::Elbow,
        "hand" | "main" => Word::Hand,
        "wrist" | "poignet" => Word::Wrist,
        "palm" => Word::Palm,
        "thigh" | "upleg" | "upperleg" | "legupper" | "legup" | "femur" | "cuisse" => Word::Thigh,
        "leg" | "jambe" => Word::Leg,
        "shin" | "calf" | "knee" | "lowerleg" | "lowleg" | "leglower" | "leglow" | "tibia" | "genou"
        | "mollet" => Word::Shin,
        "ankle" | "cheville" => Word::Ankle,
        "foot" | "pied" => Word::Foot,
        "toe" | "toes" | "toebase" | "ball" | "orteil" | "orteils" => Word::Toe,
        "thumb" | "pouce" => Word::Finger(Some(Finger::Thumb)),
        "index" | "forefinger" | "pointer" => Word::Finger(Some(Finger::Index)),
        "middle" | "mid" => Word::Finger(Some(Finger::Middle)),
        "ring" => Word::Finger(Some(Finger::Ring)),
        "little" | "pinky" | "pinkie" | "small" => Word::Finger(Some(Finger::Little)),
        "finger" | "fingers" | "digit" => Word::Finger(None),
        _ => return None,
    })
}

/// Returns true for words that occur in the names of any bones and have no meaning.
#[rustfmt::skip]
fn is_neutral(token: &str) -> bool {
    const WORDS: [&str; 47] = [
        "joint", "jnt", "jt", "bone", "bn", "bip", "biped", "base", "def", "cc", "sk", "skel", "skeleton", "rig",
        "armature", "char", "character", "mixamorig", "adj", "face", "root", "bend", "center", "centre", "ctr",
        "upper", "lower", "up", "low", "phalanx", "phalange", "fore", "the", "a", "b", "c", "f", "j", "m", "o", "s",
        "skin", "bind", "deform", "body", "human", "humanoid",
    ];
    WORDS.contains(&token)
}

/// Returns true for words that name something other than a bone of the body, such as hair or a control.
#[rustfmt::skip]
fn is_not_a_bone(token: &str) -> bool {
    const WORDS: [&str; 82] = [
        "end", "nub", "leaf", "tip", "site", "ik", "pole", "target", "ctrl", "control", "controller", "helper",
        "goal", "effector", "eff", "mch", "wgt", "widget", "tweak", "mesh", "geo", "geometry", "hair", "bang",
        "skirt", "cloth", "coat", "cape", "ear", "ears", "tail", "brow", "eyebrow", "lid", "lids", "eyelid",
        "eyelids", "eyes", "lash", "eyelash", "blink", "tongue", "teeth", "tooth", "lip", "lips", "cheek", "nose",
        "nostril", "mouth", "breast", "bust", "boob", "pec", "buttock", "butt", "weapon", "prop", "socket",
        "attach", "gun", "collider", "collision", "spring", "jiggle", "muscle", "corrective", "sleeve", "heel",
        "wing", "footsteps", "camera", "light", "strap", "belt", "dummy", "sec", "upperjaw", "gaze", "lookat",
        "parent", "hat",
    ];
    WORDS.contains(&token)
}

fn is_twist(token: &str) -> bool {
    matches!(token, "twist" | "roll" | "twists")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lid_names_are_parsed() {
        let (left, right) = (Some(Side::Left), Some(Side::Right));
        for (name, side, is_lower) in [
            ("Bip01 LEyeBlinkTop", left, false),
            ("Bip01 REyeBlinkBottom", right, true),
            ("eyelid.L", left, false),
            ("lid.B.R.002", right, true),
            ("Eyelid_Lower_Left", left, true),
            ("RightUpperLid", right, false),
            ("eyelids", None, false),
        ] {
            assert_eq!(read_lid(name), Some(Lid { side, is_lower }), "{name}");
        }
        assert_eq!(read_lid("LeftEye"), None);
    }

    #[test]
    fn names_are_split_into_word_side_and_numbers() {
        #[rustfmt::skip]
        let cases = [
            ("mixamorig:LeftUpLeg", Word::Thigh, "left", ""),
            ("vis_char_001_fbx:mixamorig:RightForeArm", Word::LowerArm, "right", ""),
            ("mixamorig1:LeftHandThumb4", Word::Finger(Some(Finger::Thumb)), "left", "4"),
            ("mixamorigHips", Word::Hips, "", ""),
            ("mixamorig_LeftToeBase", Word::Toe, "left", ""),
            ("Armature|Hips", Word::Hips, "", ""),
            ("Bip01 L UpperArm", Word::UpperArm, "left", ""),
            ("Bip001_R_Finger01", Word::Finger(None), "right", "01"),
            ("Bip01 LEye", Word::Eye, "left", ""),
            ("Bip01 MJaw", Word::Jaw, "", ""),
            ("J_Bip_L_LowerLeg", Word::Shin, "left", ""),
            ("J_Adj_R_FaceEye", Word::Eye, "right", ""),
            ("CC_Base_NeckTwist01", Word::Neck, "", "01"),
            ("DEF-upper_arm.L.001", Word::UpperArm, "left", "001"),
            ("f_index.01.R", Word::Finger(Some(Finger::Index)), "right", "01"),
            ("finger2-1.L", Word::Finger(None), "left", "2,1"),
            ("upper_arm.l_Armature", Word::UpperArm, "left", ""),
            ("rShldr", Word::Shoulder, "right", ""),
            ("rMid1", Word::Finger(Some(Finger::Middle)), "right", "1"),
            ("lthigh", Word::Thigh, "left", ""),
            ("leftupleg", Word::Thigh, "left", ""),
            ("lefthandthumb1", Word::Finger(Some(Finger::Thumb)), "left", "1"),
            ("LHipJoint", Word::Hips, "left", ""),
            ("mAnkleRight", Word::Ankle, "right", ""),
            ("arm_joint_L_2", Word::Arm, "left", "2"),
            ("IndexFinger1_L", Word::Finger(Some(Finger::Index)), "left", "1"),
            ("Upper_Left_Arm", Word::UpperArm, "left", ""),
            ("SpineMiddle", Word::Spine, "", ""),
            ("L5", Word::Spine, "", ""),
            ("tête", Word::Head, "", ""),
            ("bras gauche", Word::Arm, "left", ""),
            ("左足首", Word::Ankle, "left", ""),
            ("右人指２", Word::Finger(Some(Finger::Index)), "right", "2"),
            ("上半身2", Word::Spine, "", "2"),
        ];
        for (name, word, side, numbers) in cases {
            let reading = read(name).unwrap_or_else(|| panic!("{name} is a bone"));
            let read_side = reading.side.map_or("", |s| if s == Side::Left { "left" } else { "right" });
            let found = (reading.word, read_side, reading.numbers.join(","), reading.unknown_words.len());
            assert_eq!(found, (word, side, numbers.to_owned(), 0), "{name}");
        }
    }

    #[test]
    fn things_near_the_body_are_not_bones() {
        #[rustfmt::skip]
        let names = [
            "", "::", "Armature", "Bip01 Footsteps", "Bip01 HeadNub", "HeadTop_End", "upperarm_twist_01_l",
            "LeftForeArmRoll", "ik_foot_l", "左足ＩＫ", "左腕捩", "J_Sec_L_Bust1", "eyelid.L", "Bip01 LEyeBlinkTop",
            "camera", "secondary", "LeftRight hand", "Hair_head",
        ];
        for name in names {
            assert_eq!(read(name), None, "{name}");
        }
    }

    #[test]
    fn words_in_most_names_are_ignored() {
        let names = ["zed_hips", "zed_head", "zed_robo_hand_l"];
        let readings = read_all(names.into_iter());
        let unknown_words: Vec<_> = readings.into_iter().flatten().map(|r| r.unknown_words).collect();
        assert_eq!(unknown_words, [vec![], vec![], vec!["robo".to_owned()]]);
    }
}
