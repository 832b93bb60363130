//! Letter-to-sound rules for consonants, by context. See [`super::rules`] for the notation.

use super::rules::Rule;

#[rustfmt::skip]
pub(super) const B: &[Rule] = &[("", "bb", "", "B"), ("m", "b", "_/s_/ed_/ing_/er_", ""), ("", "b", "t_/ts_/tle_", ""), ("", "b", "", "B")];

#[rustfmt::skip]
pub(super) const C: &[Rule] = &[
    ("_", "ch", "r/l", "K"), ("", "ch", "r/lor/ni/aract/aos/oir/emi/estr/olog", "K"), ("a/e/o/y", "ch", "o_/ae/it/n", "K"), ("", "ch", "ef_/ine_/efs/and/aper/auf", "SH"), ("", "ch", "", "CH"),
    ("", "ck", "", "K"), ("", "cc", "F", "K S"), ("", "cc", "", "K"), ("", "ci", "an/al/ous/ent/enc/at", "SH IY"), ("", "ce", "an_/ans_", "SH"), ("s", "c", "F", ""),
    ("", "cqu", "", "K W"), ("_", "cz", "", "CH"), ("", "cz", "", "CH"), ("", "cs", "_", "K S"), ("", "c", "F", "S"), ("", "c", "'", "K"), ("", "c", "k", ""), ("", "c", "", "K"),
];

#[rustfmt::skip]
pub(super) const D: &[Rule] = &[
    ("", "dge", "_/s_/d_/ment", "JH"), ("", "dg", "F", "JH"), ("", "dj", "", "JH"), ("", "dd", "", "D"), ("", "dt", "_", "T"), ("+*", "du", "V", "JH UW"), ("_e/_gra/ce/ne/sche/mo", "du", "C", "JH UW"), ("", "d", "", "D"),
];

#[rustfmt::skip]
pub(super) const F: &[Rule] = &[("", "ff", "", "F"), ("", "f", "", "F")];

#[rustfmt::skip]
pub(super) const G: &[Rule] = &[
    ("_", "gn", "", "N"), ("", "gn", "_/s_/ed_/er_/ing_/ment", "N"), ("u", "gg", "e", "G JH"), ("", "gg", "", "G"), ("_", "gh", "", "G"), ("", "gh", "", ""),
    ("_", "g", "et/ive/irl/ift/ear/ees/ig/ill/iv/ild/ert/eld/ib", "G"), ("be/ti/ea/or/tar/for", "g", "i/er/et/ot", "G"), ("", "g", "e_/es_/ed_/F", "JH"), ("", "g", "'", "G"), ("", "g", "", "G"),
];

#[rustfmt::skip]
pub(super) const H: &[Rule] = &[("_", "h", "onest/onor/our/eir", ""), ("ex", "h", "V", ""), ("_*", "h", "V", "HH"), ("V", "h", "C/_", ""), ("r/g/k", "h", "", ""), ("", "h", "V", "HH"), ("", "h", "", "")];

#[rustfmt::skip]
pub(super) const J: &[Rule] = &[("", "jj", "", "JH"), ("", "j", "", "JH")];

#[rustfmt::skip]
pub(super) const K: &[Rule] = &[("_", "kn", "", "N"), ("", "kk", "", "K"), ("", "kh", "", "K"), ("", "k", "", "K")];

#[rustfmt::skip]
pub(super) const L: &[Rule] = &[
    ("b/c/d/f/g/k/p/t/z/s", "le", "_", "AX L"), ("b/c/d/f/g/k/p/t/z/s", "le", "s_", "AX L"), ("b/c/d/f/g/k/p/t/z/s", "led", "_", "AX L D"), ("b/d/f/g/k/p/t/z", "ling", "_", "AX L IH NG"),
    ("", "ll", "", "L"), ("", "l", "", "L"),
];

#[rustfmt::skip]
pub(super) const M: &[Rule] = &[("_", "mc", "k/c/g", "M AX"), ("_", "mc", "", "M AX K"), ("", "mm", "", "M"), ("", "mn", "_/s_/ed_", "M"), ("_", "mn", "", "N"), ("", "m", "", "M")];

#[rustfmt::skip]
pub(super) const N: &[Rule] = &[
    ("", "nn", "", "N"), ("", "nk", "", "NG K"), ("", "nx", "", "NG K S"), ("", "nct", "", "NG K T"), ("_", "n", "g", "N"), ("", "nqu", "", "NG K W"), ("_i/_u/_e/_co", "n", "g", "N"),
    ("a/e/i/o/u", "ng", "e_/es_/ed_/el/er_/ers_/in/em/en", "N JH"), ("", "ng", "_/s_/th/ed_/ing_/ly_/er_/ness/C_", "NG"), ("", "ng", "l/r/u/a/o", "NG G"), ("", "ng", "F", "N JH"), ("", "ng", "", "NG"), ("", "n", "", "N"),
];

#[rustfmt::skip]
pub(super) const P: &[Rule] = &[("_", "ps", "", "S"), ("_", "pn", "", "N"), ("", "ph", "", "F"), ("", "pp", "", "P"), ("", "p", "", "P")];

#[rustfmt::skip]
pub(super) const Q: &[Rule] = &[("", "que", "_/s_", "K"), ("", "qu", "", "K W"), ("", "q", "", "K")];

#[rustfmt::skip]
pub(super) const R: &[Rule] = &[("", "rh", "", "R"), ("", "rr", "", "R"), ("", "r", "", "R")];

#[rustfmt::skip]
pub(super) const S: &[Rule] = &[
    ("", "schm", "", "SH M"), ("_", "sch", "w/n/l/m/u/a/r", "SH"), ("", "sch", "", "S K"), ("", "sh", "", "SH"), ("+/+r", "sion", "", "ZH AX N"), ("", "ssion", "", "SH AX N"), ("", "sion", "", "SH AX N"),
    ("", "ssure", "", "SH ER"), ("V", "sure", "", "ZH ER"), ("", "sual", "", "ZH UW AX L"), ("+", "sten", "_/s_/ed_/ing", "S AX N"), ("+", "stl", "e", "S"), ("_", "sugar", "", "SH UH G ER"),
    ("", "ss", "", "S"), ("_", "s", "", "S"), ("V", "s", "is_/ive/ity/on_/ing_/or_/ol/us_", "S"), ("'", "s", "_", "Z"), ("u/i/s", "s", "_", "S"), ("ou/oo", "se", "_", "S"), ("a", "se", "_", "S"), ("V", "s", "V", "Z"),
    ("", "sm", "_/s_", "Z AX M"), ("V/D", "s", "_", "Z"), ("", "s", "m_", "Z"), ("", "s", "", "S"),
];

#[rustfmt::skip]
pub(super) const T: &[Rule] = &[
    ("", "tch", "", "CH"), ("V", "th", "er/e_/es_/ing_/y_", "DH"), ("r", "th", "er_/y_", "DH"), ("", "thm", "_/s_", "DH AX M"), ("", "th", "", "TH"), ("s", "tion", "", "CH AX N"), ("", "tion", "", "SH AX N"), ("", "tious", "", "SH AX S"),
    ("", "tia", "l/n/t", "SH AX"), ("", "tie", "nt/nc", "SH AX"), ("", "ture", "_/s_/d_/ly", "CH ER"), ("", "tur", "e/i/y", "CH ER"), ("", "tural", "", "CH ER AX L"), ("+*", "tu", "V", "CH UW"), ("", "tt", "", "T"), ("", "tz", "", "T S"), ("", "t", "", "T"),
];

#[rustfmt::skip]
pub(super) const V: &[Rule] = &[("", "vv", "", "V"), ("", "v", "", "V")];

#[rustfmt::skip]
pub(super) const W: &[Rule] = &[("_", "wr", "", "R"), ("_", "who", "", "HH UW"), ("", "wh", "", "W"), ("", "w", "V", "W"), ("", "w", "", "")];

#[rustfmt::skip]
pub(super) const X: &[Rule] = &[("_", "x", "", "Z"), ("_e", "x", "V/hV", "G Z"), ("", "xc", "F", "K S"), ("", "xious", "", "K SH AX S"), ("", "xion", "", "K SH AX N"), ("", "x", "", "K S")];

#[rustfmt::skip]
pub(super) const Z: &[Rule] = &[("", "zz", "", "Z"), ("", "zh", "", "ZH"), ("", "z", "", "Z")];
