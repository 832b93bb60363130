//! Letter-to-sound rules for vowels, by context. See [`super::rules`] for the notation.

use super::rules::Rule;

#[rustfmt::skip]
pub(super) const A: &[Rule] = &[
    ("_", "a", "_", "AX"),
    ("", "augh", "t", "AO"), ("", "augh", "", "AE F"), ("", "au", "", "AO"), ("", "aw", "", "AO"),
    ("", "aigh", "", "EY"), ("nt/rt/pt", "ain", "_", "AX N"), ("", "air", "", "EH R"), ("", "ais", "e_", "EY Z"),
    ("", "ai", "", "EY"), ("d", "ay", "_", "EY"), ("", "ay", "", "EY"),
    ("", "ae", "", "EH"), ("_", "aero", "", "EH R OW"),
    ("_", "arr", "i/o/a", "AX R"), ("", "arr", "", "EH R"), ("_", "ar", "ou/is/o", "AX R"),
    ("w/wh/qu", "ar", "C/_", "AO R"), ("", "are", "_", "EH R"), ("", "are", "s_/d_", "EH R"), ("", "ar", "ing", "EH R"),
    ("+*", "ary", "_", "EH R IY"), ("+*", "ari", "ly_/es_", "EH R IY"), ("+*", "ard", "_/s_", "ER D"),
    ("+*", "ar", "_", "ER"), ("", "ar", "ch_", "AA R"), ("", "ar", "i/ea/e/a", "EH R"), ("", "ar", "", "AA R"),
    ("w", "al", "k", "AO"), ("w", "al", "l", "AO L"), ("w", "a", "CE", "EY"), ("w", "a", "ck/x/g/ft/C_", "AE"),
    ("w/wh", "a", "C", "AA"), ("qu", "a", "l/n/d", "AA"),
    ("", "al", "k", "AO"), ("", "all", "_/s_", "AO L"), ("sm/t/c/f/w", "all", "er_/est_/en_/ing_/ed_", "AO L"),
    ("", "al", "t/d", "AO L"), ("", "alm", "_/s_", "AA M"), ("", "alf", "", "AE F"), ("", "alv", "e", "AE V"),
    ("_", "al", "so/most/ways/though/ready/mighty", "AO L"), ("_", "all", "V", "AX L"),
    ("+*", "age", "_/s_/d_", "IH JH"), ("+*C", "ace", "_", "AX S"), ("", "aste", "_/s_/d_", "EY S T"),
    ("", "ange", "", "EY N JH"), ("+*", "able", "_", "AX B AX L"), ("+*", "ably", "_", "AX B L IY"),
    ("+*", "abil", "i", "AX B IH L"), ("+*", "ative", "_/s_/ly_", "AX T IH V"), ("", "a", "tion/tive/tor/ting_/tions/cious/tious/tial/cial", "EY"),
    ("", "a", "CiV", "EY"), ("+*", "ate", "ly_", "AX T"), ("", "a", "CE", "EY"), ("", "a", "Cle_/Cles_/Cred_", "EY"),
    ("+*", "al", "_/s_/ly_", "AX L"), ("+*", "an", "_/s_", "AX N"), ("+*", "ant", "_/s_/ly_", "AX N T"),
    ("+*", "ance", "_/s_/d_", "AX N S"), ("+*", "ancy", "_", "AX N S IY"), ("+*", "a", "_", "AX"), ("", "a", "_/h_", "AA"),
    ("", "a", "ther_", "AA"), ("", "a", "Cy_", "EY"), ("", "a", "sis/ble/sic/sin", "EY"), ("", "a", "e", "EY"), ("", "a", "o/u", "EY"),
    ("", "a", "", "AE"),
];

#[rustfmt::skip]
pub(super) const E: &[Rule] = &[
    ("_*", "e", "_", "IY"), ("i/e/a/o/u/y", "e", "_", ""), ("", "e", "_", ""), ("C", "e", "'s_", ""),
    ("t/d", "ed", "_", "IH D"), ("+*p/+*k/+*f/+*s/+*sh/+*ch/+*x/+*c", "ed", "_", "T"), ("+*", "ed", "_", "D"),
    ("+*s/+*z/+*x/+*ch/+*sh/+*g/+*c", "es", "_", "IH Z"), ("+*t/+*p/+*k/+*f", "es", "_", "S"), ("+*", "es", "_", "Z"),
    ("+C", "e", "ly_/ful/less/ment/ness/some/where/body/thing", ""), ("+CC", "e", "ly_/ful/less/ment/ness/some", ""),
    ("", "ere", "_", "IH R"), ("+*", "er", "_/s_/ed_/ing_/ly_", "ER"), ("", "err", "_", "ER"), ("", "err", "", "EH R"),
    ("", "er", "io/ia/ie/iu", "IH R"), ("+*", "ery", "_", "ER IY"), ("+*", "er", "V", "ER"), ("", "er", "o_/os_", "IH R OW"),
    ("", "er", "V", "EH R"), ("", "er", "", "ER"),
    ("", "ear", "n/l/th/ch", "ER"), ("", "ear", "", "IH R"), ("", "ea", "d/lth/nt/sur/ther/vy/ven/pon", "EH"), ("br/d/thr/h", "ea", "th_/t_", "EH"),
    ("cr/r", "ea", "te/tion/tiv/ct/l_/li", "IY EY"), ("", "eau", "", "OW"), ("", "ea", "", "IY"),
    ("h", "eigh", "", "AY"), ("", "eigh", "", "EY"), ("", "eir", "_/s_", "EH R"), ("", "eig", "n", "EY"), ("", "ein", "_", "AY N"), ("", "ei", "n", "AY"),
    ("c", "ei", "", "IY"), ("", "ei", "l", "AY"), ("", "ei", "", "IY"), ("", "eer", "", "IH R"), ("", "ee", "", "IY"),
    ("L", "ew", "", "UW"), ("", "ew", "", "Y UW"), ("r/l", "eu", "", "UW"), ("", "eur", "_/s_", "ER"), ("", "eu", "", "Y UW"),
    ("_*", "ey", "_", "EY"), ("+*", "ey", "_/s_", "IY"), ("", "ey", "_", "IY"), ("", "ey", "", "EY"),
    ("g", "eo", "us", "AX"), ("g", "eo", "n_", "AX"), ("", "eous", "_", "IY AX S"), ("", "eo", "_", "IY OW"), ("", "eo", "", "IY AA"), ("", "eu", "m_", "IY AX"),
    ("", "e", "ciV/ssi", "EH"), ("", "e", "CiV", "IY"), ("+*", "e", "tte_", "EH"), ("", "e", "Ce_/Ces_", "IY"),
    ("+*C", "en", "_/s_/ed_", "AX N"), ("+*", "ent", "_/s_/ly_", "AX N T"), ("+*", "ence", "_/s_", "AX N S"), ("+*", "ency", "_", "AX N S IY"),
    ("+*", "el", "_/s_", "AX L"), ("+*", "et", "_/s_", "AX T"), ("+*", "ess", "_", "AX S"), ("+*", "est", "_", "AX S T"), ("+*", "em", "_/s_", "AX M"),
    ("_*", "e", "o/a/u", "IY"),
    ("", "e", "", "EH"),
];

#[rustfmt::skip]
pub(super) const I: &[Rule] = &[
    ("_", "i", "_/'", "AY"), ("_", "in", "", "IH N"), ("", "igh", "", "AY"), ("", "ign", "_/s_/ed_/ing_/er_/ment", "AY N"), ("", "ild", "_/s_", "AY L D"),
    ("", "ind", "_/s_/er_/ing_/ed_", "AY N D"), ("+*", "ique", "_/s_", "IY K"), ("", "ire", "_/s_/d_/ment", "AY ER"), ("", "ir", "ing_", "AY R"),
    ("", "irr", "", "IH R"), ("", "ir", "V", "IH R"), ("", "ir", "", "ER"),
    ("_*", "ie", "_/s_/d_", "AY"), ("", "ie", "_/s_/d_", "IY"), ("", "ier", "_/s_", "IY ER"), ("", "iest", "_", "IY AX S T"), ("", "iew", "", "Y UW"),
    ("_fr/_", "ie", "nd", "EH"), ("", "iet", "", "AY AX T"), ("sc/_cl", "ie", "n", "AY AX"), ("", "ie", "n", "IY AX"), ("", "ieu", "", "UW"), ("", "ie", "", "IY"),
    ("", "ious", "", "IY AX S"), ("_*", "io", "", "AY AX"), ("", "io", "_/s_", "IY OW"), ("", "ion", "", "Y AX N"), ("", "io", "", "IY OW"), ("_d/_g/_tr/_b/_v/_l/_bl", "ia", "", "AY AX"), ("", "ia", "", "IY AX"),
    ("", "iu", "", "IY AX"), ("+*", "ive", "_/s_/ly_/ness", "IH V"), ("+*C", "ice", "_/s_/d_", "AX S"), ("+*", "ise", "_/s_/d_/r_", "AY Z"), ("+*", "ine", "_/s_/d_", "IY N"),
    ("+*", "ible", "_", "AX B AX L"), ("+*", "ibly", "_", "AX B L IY"), ("+*", "ity", "_", "AX T IY"), ("+*", "ities", "_", "AX T IY Z"), ("+*", "ily", "_", "AX L IY"),
    ("+*", "ically", "_", "IH K L IY"), ("+*", "ical", "", "IH K AX L"), ("+*", "ify", "_", "AX F AY"), ("+*", "ified", "_", "AX F AY D"), ("+*", "ifi", "c", "AX F IH"), ("v", "i", "Cion", "IH"),
    ("", "i", "tion/cian/tial/cial/cious/tious/sion/ssion", "IH"), ("+*", "ing", "_/s_/ly_", "IH NG"),
    ("", "i", "CE", "AY"), ("", "i", "Cle_/Cles_", "AY"), ("_h/_wi", "i", "_", "AY"), ("+*", "i", "s_", "IH"), ("", "i", "_/s_", "IY"), ("", "i", "que", "IY"),
    ("_*", "i", "a/o/u", "AY"), ("", "i", "gn", "IH"), ("", "i", "a/o", "IY"), ("_w/_p/_t/_s/_f/_v/_r", "i", "Cen_/Car/Crus/Cus_", "AY"), ("", "i", "", "IH"),
];

#[rustfmt::skip]
pub(super) const O: &[Rule] = &[
    ("", "ough", "t", "AO"), ("", "ough", "", "OW"), ("", "oul", "d", "UH"), ("_*", "our", "_/s_", "AW ER"), ("+*", "our", "_/s_/ed_/ing_/able", "ER"), ("", "our", "a/i/n/ish", "ER"),
    ("", "our", "", "AO R"), ("", "ous", "_/ly_/ness", "AX S"), ("", "ou", "ble/ntry/sin/ng_/nger/pl", "AH"), ("", "oup", "_/s_", "UW P"), ("_y/_c/_thr/_s/_r/_l", "ou", "th_/gar/ve/te_/p", "UW"), ("", "ou", "", "AW"),
    ("", "oor", "", "AO R"), ("", "ook", "", "UH K"), ("g/w/h/st", "ood", "", "UH D"), ("f", "oot", "", "UH T"), ("w", "ool", "", "UH L"), ("", "oo", "", "UW"),
    ("", "oar", "", "AO R"), ("", "oa", "", "OW"), ("", "oy", "", "OY"), ("", "oi", "", "OY"), ("", "oe", "_/s_/d_", "OW"), ("", "oe", "", "OW"),
    ("_", "ow", "n/e/_", "OW"), ("+*", "ow", "_/s_/ed_/ing_/er_", "OW"), ("l/r/kn/sn/sh/m/thr/_t", "ow", "_/s_/ed_/ing_/n_/er_", "OW"), ("b", "ow", "l/_", "OW"), ("", "ow", "er", "AW"), ("", "ow", "", "AW"),
    ("w", "or", "n/e_", "AO R"), ("w", "or", "C", "ER"), ("+*C", "or", "_/s_/ed_/ing_", "ER"), ("", "ore", "_/s_/d_", "AO R"), ("_c", "orr", "", "AX R"), ("", "orr", "", "AA R"), ("", "or", "e/o", "AO R"), ("+*", "or", "V", "ER"), ("", "or", "", "AO R"),
    ("", "old", "", "OW L D"), ("", "oll", "_/s_/ed_/er_/ing_", "OW L"), ("", "olk", "", "OW K"), ("", "olt", "", "OW L T"), ("m/p/h", "ost", "_/s_/ed_/er_/ing_/ly_", "OW S T"), ("", "ost", "", "AO S T"), ("", "oth", "_/s_/ing_", "AO TH"),
    ("", "other", "", "AH DH ER"), ("l/gl/sh", "ove", "", "AH V"), ("c", "over", "", "AH V ER"), ("g", "over", "n", "AH V ER"), ("c/s", "ome", "", "AH M"), ("d/n", "one", "_", "AH N"),
    ("", "ong", "", "AO NG"), ("", "off", "", "AO F"), ("", "oss", "", "AO S"), ("", "oft", "", "AO F T"), ("", "og", "_/s_", "AA G"), ("_s/_w/_m/_fr/_h/_t", "on", "_/s_/th/ey/k/d/t_", "AH N"),
    ("_c", "om", "m/p", "AX M"), ("_c", "on", "C", "AX N"), ("+*", "on", "_/s_/ed_", "AX N"), ("+*", "om", "_/s_", "AX M"), ("+*", "ol", "_/s_", "AO L"), ("+*", "ock", "", "AA K"),
    ("", "o", "_/s_", "OW"), ("", "o", "CiV/Cea", "OW"), ("", "o", "Cal_/Cus_/Cent_/Cen_/Cly_/Cle_", "OW"), ("", "o", "CE", "OW"), ("_*", "o", "V", "OW"), ("", "o", "a/u/e/i", "OW"), ("", "oh", "_/n", "OW"), ("_", "o", "ver", "OW"),
    ("", "o", "Ca_/Co_/Cos_/Cas_", "OW"), ("_ph/_m/_t/_h/_r/_n", "o", "to/bi/tel/bot/tic/ta", "OW"), ("", "o", "", "AA"),
];

#[rustfmt::skip]
pub(super) const U: &[Rule] = &[
    ("_", "uni", "C", "Y UW N AX"), ("_", "un", "", "AH N"), ("_", "up", "C/o/_", "AH P"), ("_", "ur", "", "ER"), ("_", "u", "CV", "Y UW"),
    ("_g/ag/eg/ig/og", "u", "e/i/a", ""), ("ng", "u", "a/i/e", "W"), ("g", "ue", "_/s_/d_", ""), ("s", "u", "a/e", "W"), ("_b", "ui", "l", "IH"), ("_b/_g", "uy", "", "AY"), ("L", "ui", "", "UW"),
    ("L", "ue", "_/s_/d_/C", "UW"), ("", "ue", "_/s_/d_", "Y UW"), ("", "ure", "_/s_/d_", "Y UH R"), ("L", "ur", "V", "UH R"), ("", "ur", "V", "Y UH R"), ("", "urr", "", "ER"), ("", "ur", "", "ER"),
    ("_b/_f/_p", "u", "ll/sh/tch/dd", "UH"), ("+*f", "ul", "", "AX L"), ("+*", "um", "_/s_", "AX M"), ("+*", "us", "_/es_", "AX S"), ("j/r/l/n/d/t", "u", "st", "AH"),
    ("L", "u", "CE", "UW"), ("", "u", "CE", "Y UW"), ("L", "u", "CV/Cle_", "UW"), ("l/r", "u", "CrV", "UW"), ("", "u", "CV/Cle_", "Y UW"), ("L", "u", "V", "UW"), ("", "u", "V", "Y UW"), ("L/s", "u", "_", "UW"), ("", "u", "_/s_", "UW"),
    ("", "u", "", "AH"),
];

#[rustfmt::skip]
pub(super) const Y: &[Rule] = &[
    ("_*", "y", "_/s_/ing_", "AY"), ("_", "y", "", "Y"), ("+*if/+*tisf", "y", "_", "AY"), ("pl/ppl/n", "y", "ing_", "AY"), ("V", "y", "", ""), ("", "y", "_/'/s_/ing_/ed_", "IY"),
    ("", "yr", "_/e/i", "AY R"), ("", "yr", "C", "ER"), ("_*", "y", "CE/CV/Cle_/CrV/ClV", "AY"), ("", "y", "pe_/pes_/ne_/te_/ze_/se_", "AY"), ("", "y", "C", "IH"), ("", "y", "V", "Y"), ("", "y", "", "IY"),
];
