//! Word lists: function words, abbreviations, and words in capitals.

/// Emphasis of a content word.
pub(super) const CONTENT: f32 = 0.5;
/// Emphasis of the last content word of a sentence.
pub(super) const LAST_CONTENT: f32 = 0.65;

/// Function words that are never emphasized.
const WEAKEST: &str = " a an the of to and or but nor in on at by for from with as into onto than per via 'em is are was were be am been it its ";
/// Words with little meaning of their own.
const WEAK: &str = " i you he she we they me him her us them my your his our their mine yours hers ours theirs myself yourself himself herself itself ourselves themselves this that these those \
there here who whom whose which what when where if then so because while since until although though do does did done have has had having will would shall should can could may might must being \
i'm i'll i've i'd you're you'll you've you'd he's he'll he'd she's she'll she'd it's it'll we're we'll we've we'd they're they'll they've they'd that's there's what's who's let's isn't aren't \
over under between through about against during before after above below up down out off again some any each all both such too very just also how yes well oh um uh please one ";

/// Returns the default emphasis of a word.
pub(super) fn emphasis(say: &str) -> f32 {
    let is_in = |list: &str| list.split(' ').any(|word| word == say && !word.is_empty());
    if is_in(WEAKEST) {
        0.0
    } else if is_in(WEAK) {
        0.2
    } else {
        CONTENT
    }
}

/// Returns the pronunciation key for the name of a letter or digit.
pub(super) fn name_of(letter: char) -> Option<String> {
    let small = letter.to_ascii_lowercase();
    match small {
        'a'..='z' => Some(format!("{small}.")),
        '0'..='9' => Some(super::number::DIGITS[usize::from(small as u8 - b'0')].to_owned()),
        _ => None,
    }
}

/// Returns the names of a currency: singular, plural, and the plural of its hundredth part (*cents*).
pub(super) fn currency(sign: char) -> Option<[&'static str; 3]> {
    Some(match sign {
        '$' => ["dollar", "dollars", "cents"],
        '€' => ["euro", "euros", "cents"],
        '£' => ["pound", "pounds", "pence"],
        '¥' => ["yen", "yen", ""],
        '₹' => ["rupee", "rupees", "paise"],
        _ => return None,
    })
}

/// Abbreviations without their period, and their expansions. The first flag is true if the period is required, the
/// second if the period may end a sentence.
#[rustfmt::skip]
const ABBREVIATIONS: &[(&str, &str, bool, bool)] = &[
    ("mr", "mister", false, false), ("mrs", "missus", false, false), ("ms", "miz", false, false), ("prof", "professor", true, false), ("jr", "junior", true, true), ("sr", "senior", true, true),
    ("vs", "versus", false, false), ("etc", "et cetera", false, true), ("e.g", "for example", false, false), ("eg", "for example", true, false), ("i.e", "that is", false, false), ("ie", "that is", true, false), ("approx", "approximately", true, false), ("dept", "department", true, false),
    ("est", "established", true, false), ("fig", "figure", true, false), ("figs", "figures", true, false), ("eq", "equation", true, false), ("sec", "section", true, false), ("ave", "avenue", true, true), ("blvd", "boulevard", true, true), ("rd", "road", true, true), ("mt", "mount", true, false), ("ft", "fort", true, false),
    ("inc", "incorporated", true, true), ("ltd", "limited", true, true), ("co", "company", true, true), ("corp", "corporation", true, true), ("gov", "governor", true, false), ("sen", "senator", true, false), ("rep", "representative", true, false), ("gen", "general", true, false), ("col", "colonel", true, false),
    ("capt", "captain", true, false), ("lt", "lieutenant", true, false), ("sgt", "sergeant", true, false), ("rev", "reverend", true, false), ("vol", "volume", true, false), ("pp", "pages", true, false), ("ch", "chapter", true, false), ("ed", "editor", true, false), ("min", "minutes", true, true), ("hr", "hour", true, true), ("hrs", "hours", true, true),
    ("max", "maximum", true, false), ("oz", "ounces", true, true), ("lbs", "pounds", false, true), ("lb", "pounds", true, true), ("jan", "january", true, false), ("feb", "february", true, false), ("mar", "march", true, false), ("apr", "april", true, false), ("jun", "june", true, false), ("jul", "july", true, false), ("aug", "august", true, false), ("sep", "september", true, false),
    ("sept", "september", true, false), ("oct", "october", true, false), ("nov", "november", true, false), ("dec", "december", true, false), ("mon", "monday", true, true), ("tue", "tuesday", true, true), ("tues", "tuesday", true, true), ("wed", "wednesday", true, true), ("thu", "thursday", true, true), ("thurs", "thursday", true, true), ("fri", "friday", true, true),
    ("al", "al", true, false), ("ca", "circa", true, false), ("km", "kilometers", false, true), ("kg", "kilograms", false, true), ("cm", "centimeters", false, true), ("mm", "millimeters", false, true), ("mph", "miles per hour", false, true), ("kph", "kilometers per hour", false, true), ("w/o", "without", false, false), ("aka", "a. k. a.", false, false), ("asap", "a. s. a. p.", false, false),
];

/// Returns true if the next word determines the meaning of an abbreviation or whether its period ends a sentence.
pub(super) fn needs_next(bare: &str) -> bool {
    let small = bare.to_ascii_lowercase();
    matches!(small.as_str(), "dr" | "st" | "no" | "nos" | "a.m" | "p.m")
        || ABBREVIATIONS.iter().any(|(short, _, _, may_end)| *may_end && *short == small)
}

/// Returns the expansion of an abbreviation, and true if a period after it may end a sentence.
pub(super) fn abbreviation(core: &str, has_point: bool, next: Option<&str>) -> Option<(&'static str, bool)> {
    let small = core.to_ascii_lowercase();
    let is_name = next.is_some_and(|next| next.starts_with(char::is_uppercase));
    let is_number = next.is_some_and(|next| next.starts_with(|digit: char| digit.is_ascii_digit()));
    match small.as_str() {
        "dr" if is_name || !has_point => Some(("doctor", false)),
        "dr" => Some(("drive", true)),
        "st" if is_name => Some(("saint", false)),
        "st" if has_point => Some(("street", true)),
        "no" if has_point && is_number => Some(("number", false)),
        "nos" if has_point && is_number => Some(("numbers", false)),
        _ => {
            let fits = |(short, _, needs_point, _): &&(&str, &str, bool, bool)| {
                *short == small && (has_point || !needs_point)
            };
            let found = ABBREVIATIONS.iter().find(fits).filter(|(short, _, needs_point, _)| {
                *needs_point || core.contains(char::is_lowercase) || short.len() > 3
            });
            found.map(|(_, say, _, may_end)| (*say, *may_end))
        }
    }
}

/// Units after a number: abbreviation, singular, plural.
#[rustfmt::skip]
pub(super) const UNITS: &[(&str, &str, &str)] = &[
    ("km/h", "kilometer per hour", "kilometers per hour"), ("m/s", "meter per second", "meters per second"), ("km", "kilometer", "kilometers"), ("cm", "centimeter", "centimeters"), ("mm", "millimeter", "millimeters"), ("m", "meter", "meters"), ("kg", "kilogram", "kilograms"), ("g", "gram", "grams"), ("mg", "milligram", "milligrams"),
    ("lb", "pound", "pounds"), ("lbs", "pound", "pounds"), ("oz", "ounce", "ounces"), ("ft", "foot", "feet"), ("mph", "mile per hour", "miles per hour"), ("ms", "millisecond", "milliseconds"), ("s", "second", "seconds"), ("min", "minute", "minutes"), ("h", "hour", "hours"), ("hz", "hertz", "hertz"), ("khz", "kilohertz", "kilohertz"), ("mhz", "megahertz", "megahertz"), ("ghz", "gigahertz", "gigahertz"),
    ("kb", "kilobyte", "kilobytes"), ("mb", "megabyte", "megabytes"), ("gb", "gigabyte", "gigabytes"), ("tb", "terabyte", "terabytes"), ("°c", "degree celsius", "degrees celsius"), ("°f", "degree fahrenheit", "degrees fahrenheit"), ("°", "degree", "degrees"), ("%", "percent", "percent"), ("am", "a. m.", "a. m."), ("pm", "p. m.", "p. m."), ("l", "liter", "liters"), ("ml", "milliliter", "milliliters"), ("w", "watt", "watts"), ("kw", "kilowatt", "kilowatts"), ("v", "volt", "volts"), ("fps", "f. p. s.", "f. p. s."), ("px", "pixel", "pixels"), ("x", "times", "times"), ("d", "d.", "d."),
];

const SPELLED: &str = " usa uk eu un fbi cia ceo cto cfo api gpu cpu ai ml ui ux url html css http https json xml pdf usb tv pc id ok dna rna hiv atm dvd cd diy faq gps iq ip it's lcd led mri ngo nyc os phd pr suv ufo vip vr ar xr rsvp sql ssl tls tsa aka ibm bbc cnn nbc abc cbs mtv nba nfl nhl mlb aws sdk ide llm tts asr ok ";
const ACRONYMS: &str = " nasa nato unesco unicef opec aids scuba laser radar gif jpeg png ram rom sim pin covid ikea lego nasdaq cobol fortran basic ascii swat zip arkit sapi timit praat espeak elan ";

/// Returns true for acronyms that are always spelled letter by letter.
pub(super) fn is_spelled(small: &str) -> bool {
    SPELLED.split(' ').any(|word| word == small)
}

/// Returns true for acronyms that are pronounced as a word.
pub(super) fn is_said(small: &str) -> bool {
    ACRONYMS.split(' ').any(|word| word == small)
}

/// Returns true for interjections without a vowel.
pub(super) fn is_noise(small: &str) -> bool {
    " hm hmm hmmm mm mmm mhm shh sh psst pst brr grr tsk pfft zzz nth ".split(' ').any(|word| word == small)
}

const SHORT_WORDS: &str = " a i o ad ah am an as at be by do go he hi if in is it me my no of oh on or ox so to up us we act add age ago aid aim air all and ant any ape arm art ash ask ate awe axe bad bag ban bar bat bay bed bee beg bet bid big bin bit bow box boy bug bun bus but buy bye cab cam can cap car cat cop cow cry cup cut dad day den dew did die dig dim dog dot dry due dug ear eat egg ego elf end era eve eye fan far fat fed fee few fig fin fir fit fix flu fly fog for fox fun fur gap gas get god got gum gun gut guy had ham has hat hen her hey hid him hip his hit hot how hug ice ill ink inn its jam jar jaw jet job jog joy key kid kin kit lab lap law lay led leg let lid lie lip log lot low mad man map mat may men met mix mob mom mud mug nap net new nod nor not now nut oak odd off oil old one our out owe owl own pan pay pen pet pie pig pin pit pop pot put ran rat raw red rib rid rip rob rod row rub rug run sad sat saw say sea see set sew she shy sin sip sir sit six sky son sum sun tag tan tap tax tea ten the tie tin tip toe ton too top toy try two use van vet war was wax way web wet who why wig win wow yes yet you zoo ";

/// Returns true for common words of at most three letters.
pub(super) fn is_short_word(small: &str) -> bool {
    SHORT_WORDS.split(' ').any(|word| word == small)
}
