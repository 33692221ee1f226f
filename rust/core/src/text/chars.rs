//! What single characters stand for, whatever alphabet or width they come in.

/// The zero of each run of ten decimal digits (Unicode 14, category Nd).
const ZEROS: [u32; 66] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66,
    0xde6, 0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90,
    0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
    0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650,
    0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50,
    0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

/// The ASCII digit that a decimal digit of any script stands for.
pub(super) fn digit(c: char) -> Option<char> {
    if c.is_ascii() {
        return c.is_ascii_digit().then_some(c);
    }
    let code = u32::from(c);
    let run = ZEROS.partition_point(|&zero| zero <= code).checked_sub(1)?;
    char::from_digit(code - ZEROS.get(run)?, 10)
}

/// Letters that a combining mark changes, each followed by what the two make together
/// (Unicode's canonical compositions of lower-case Latin, Greek, Cyrillic, and of kana).
const COMPOSED: [(char, &str); 27] = [
    ('\u{300}', "aàeèiìoòuùüǜnǹеѐиѝēḕōṑwẁâầăằêềôồơờưừyỳ"),
    (
        '\u{301}',
        "aáeéiíoóuúyýcćlĺnńrŕsśzźüǘgǵåǻæǽøǿϊΐαάεέηήιίϋΰοόυύωώϒϓгѓкќçḉēḗïḯkḱmḿõṍ\
        ōṓpṕũṹwẃâấăắêếôốơớưứ",
    ),
    ('\u{302}', "aâeêiîoôuûcĉgĝhĥjĵsŝwŵyŷzẑạậẹệọộ"),
    ('\u{303}', "aãnñoõiĩuũvṽâẫăẵeẽêễôỗơỡưữyỹ"),
    ('\u{304}', "aāeēiīoōuūüǖäǟȧǡæǣǫǭöȫõȭȯȱyȳиӣуӯgḡḷḹṛṝ"),
    ('\u{306}', "aăeĕgğiĭoŏuŭийуўжӂаӑеӗȩḝạặ"),
    ('\u{307}', "cċeėgġzżaȧoȯbḃdḋfḟhḣmṁnṅpṗrṙsṡśṥšṧṣṩtṫwẇxẋyẏſẛ"),
    ('\u{308}', "aäeëiïoöuüyÿιϊυϋϒϔеёіїаӓәӛжӝзӟиӥоӧөӫэӭуӱчӵыӹhḧõṏūṻwẅxẍtẗ"),
    ('\u{309}', "aảâẩăẳeẻêểiỉoỏôổơởuủưửyỷ"),
    ('\u{30a}', "aåuůwẘyẙ"),
    ('\u{30b}', "oőuűуӳ"),
    ('\u{30c}', "cčdďeělľnňrřsštťzžaǎiǐoǒuǔüǚgǧkǩʒǯjǰhȟ"),
    ('\u{30f}', "aȁeȅiȉoȍrȑuȕѵѷ"),
    ('\u{311}', "aȃeȇiȋoȏrȓuȗ"),
    ('\u{31b}', "oơuư"),
    ('\u{323}', "bḅdḍhḥkḳlḷmṃnṇrṛsṣtṭvṿwẉzẓaạeẹiịoọơợuụưựyỵ"),
    ('\u{324}', "uṳ"),
    ('\u{325}', "aḁ"),
    ('\u{326}', "sștț"),
    ('\u{327}', "cçgģkķlļnņrŗsştţeȩdḑhḩ"),
    ('\u{328}', "aąeęiįuųoǫ"),
    ('\u{32d}', "dḓeḙlḽnṋtṱuṷ"),
    ('\u{32e}', "hḫ"),
    ('\u{330}', "eḛiḭuṵ"),
    ('\u{331}', "bḇdḏkḵlḻnṉrṟtṯzẕhẖ"),
    (
        '\u{3099}',
        "かがきぎくぐけげこごさざしじすずせぜそぞただちぢつづてでとどはばひびふぶへべほぼうゔゝゞカガキギクグケゲコゴサザシジスズセゼソゾタダチヂツヅ\
        テデトドハバヒビフブヘベホボウヴワヷヰヸヱヹヲヺヽヾ",
    ),
    ('\u{309a}', "はぱひぴふぷへぺほぽハパヒピフプヘペホポ"),
];

/// The one character that a letter and a combining mark, or two parts of a Hangul syllable, make.
fn compose(letter: char, mark: char) -> Option<char> {
    let (first, second) = (u32::from(letter), u32::from(mark));
    if (0x1100..0x1113).contains(&first) && (0x1161..0x1176).contains(&second) {
        return char::from_u32(0xac00 + ((first - 0x1100) * 21 + second - 0x1161) * 28);
    }
    if (0xac00..0xd7a4).contains(&first) && (0x11a8..0x11c3).contains(&second) {
        return ((first - 0xac00) % 28 == 0)
            .then(|| char::from_u32(first + second - 0x11a7))
            .flatten();
    }
    let at = COMPOSED.binary_search_by_key(&mark, |&(mark, _)| mark).ok()?;
    let mut pairs = COMPOSED.get(at)?.1.chars();
    while let Some(base) = pairs.next() {
        let both = pairs.next();
        if base == letter {
            return both;
        }
    }
    None
}

/// A combining mark, which belongs to the character before it.
pub(super) fn is_mark(c: char) -> bool {
    c >= '\u{300}'
        && matches!(
            c,
            '\u{300}'..='\u{36f}'
                | '\u{483}'..='\u{489}'
                | '\u{591}'..='\u{5bd}'
                | '\u{64b}'..='\u{65f}'
                | '\u{93c}'
                | '\u{94d}'
                | '\u{9bc}'
                | '\u{9cd}'
                | '\u{a3c}'
                | '\u{a4d}'
                | '\u{abc}'
                | '\u{acd}'
                | '\u{b3c}'
                | '\u{b4d}'
                | '\u{bcd}'
                | '\u{c4d}'
                | '\u{cbc}'
                | '\u{ccd}'
                | '\u{d4d}'
                | '\u{dca}'
                | '\u{e38}'..='\u{e3a}'
                | '\u{e47}'..='\u{e4e}'
                | '\u{1039}'..='\u{103a}'
                | '\u{17d2}'
                | '\u{1ab0}'..='\u{1aff}'
                | '\u{1dc0}'..='\u{1dff}'
                | '\u{20d0}'..='\u{20ff}'
                | '\u{3099}'..='\u{309a}'
                | '\u{fe20}'..='\u{fe2f}'
        )
}

/// White space as `str.isspace` of Python has it: the harness dialects need it.
pub(super) fn is_python_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// Characters that print nothing: joiners, direction marks, soft hyphen, variation selectors.
pub(super) fn is_invisible(c: char) -> bool {
    !c.is_ascii()
        && matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{2069}'
                | '\u{fe0e}'
                | '\u{fe0f}'
                | '\u{feff}'
        )
}

/// A character in its plainest form: ASCII for full-width forms, for digits of any
/// script, and for the many spaces, dashes and quotes that mean the same in an answer.
pub(super) fn plain(c: char) -> char {
    if c.is_ascii() {
        return if c == '\t' { ' ' } else { c };
    }
    match c {
        '\u{2010}'..='\u{2013}' | '\u{2212}' | '\u{fe63}' => '-',
        '\u{2014}' | '\u{2015}' => '—',
        '‘' | '’' | 'ʼ' | '′' => '\'',
        '“' | '”' | '«' | '»' | '„' | '″' => '"',
        '×' | '·' | '⋅' | '∙' | '✕' | '•' => '×',
        '≈' | '≃' | '∼' | '≅' => '~',
        '⁄' | '∕' => '/',
        '、' | '،' | '٬' => ',',
        '٫' => '.',
        '｡' => '。',
        '∶' | '﹕' => ':',
        '؟' | '⁇' | '⁈' | '⁉' | '‽' => '?',
        'Ⓐ'..='Ⓩ' => letter(u32::from(c) - u32::from('Ⓐ')),
        'ⓐ'..='ⓩ' => letter(u32::from(c) - u32::from('ⓐ')),
        // Bold, italic and other letters of mathematics, capitals before small ones.
        '\u{1d400}'..='\u{1d6a3}' => letter((u32::from(c) - 0x1d400) % 52 % 26),
        '「' | '【' | '⟨' | '『' => '(',
        '」' | '】' | '⟩' | '』' => ')',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0)
            .and_then(|ascii| if ascii.is_ascii_digit() { digit(c) } else { Some(ascii) })
            .unwrap_or(c),
        _ if c.is_whitespace() => ' ',
        _ => digit(c).unwrap_or(c),
    }
}

/// A capital letter by its place in the alphabet.
fn letter(place: u32) -> char {
    char::from_u32(u32::from('A') + place).unwrap_or('A')
}

/// Case folding of one character: its upper case, lowered, so that ß equals ss and
/// ς equals σ; digits of any script become ASCII.
pub(super) fn fold(c: char) -> impl DoubleEndedIterator<Item = char> + Clone {
    let c = digit(c).unwrap_or(c);
    let shout: [Option<char>; 3] = {
        let mut upper = c.to_uppercase();
        [upper.next(), upper.next(), upper.next()]
    };
    shout.into_iter().flatten().flat_map(char::to_lowercase)
}

/// A text as it is compared: folded, in the plainest characters, without invisible ones, letters
/// and combining marks composed.
pub(super) fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars().filter(|&c| !is_invisible(c)).map(plain).flat_map(fold) {
        if c == '\u{307}' && folded.ends_with('i') {
            // The dot that İ keeps.
            continue;
        }
        let both = if c.is_ascii() {
            None
        } else {
            folded.chars().next_back().and_then(|before| compose(before, c))
        };
        if both.is_some() {
            folded.pop();
        }
        folded.push(both.unwrap_or(c));
    }
    folded
}

/// A folded text with letters and combining marks apart.
pub(super) fn decomposed(text: &str) -> String {
    let mut parts = Vec::with_capacity(text.len());
    for c in text.chars() {
        let from = parts.len();
        let mut whole = c;
        while let Some((base, mark)) = split(whole) {
            parts.insert(from, mark);
            whole = base;
        }
        parts.insert(from, whole);
    }
    parts.into_iter().collect()
}

/// The letter and the combining mark that a character is made of.
fn split(whole: char) -> Option<(char, char)> {
    COMPOSED.iter().filter(|_| !whole.is_ascii()).find_map(|&(mark, pairs)| {
        let mut pairs = pairs.chars();
        while let (Some(base), Some(both)) = (pairs.next(), pairs.next()) {
            if both == whole {
                return Some((base, mark));
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_every_script_have_a_value() {
        assert_eq!(digit('7'), Some('7'));
        assert_eq!(digit('７'), Some('7'));
        assert_eq!(digit('٣'), Some('3'));
        assert_eq!(digit('९'), Some('9'));
        assert_eq!(digit('²'), None);
        assert_eq!(digit('a'), None);
        assert_eq!(digit(char::MAX), None);
    }

    #[test]
    fn folding_joins_spellings() {
        assert_eq!(folded("Straße"), folded("STRASSE"));
        assert_eq!(folded("Σίσυφος"), folded("ΣΊΣΥΦΟΣ"));
        assert_eq!(folded("４６"), "46");
    }

    #[test]
    fn composition_joins_spellings() {
        assert_eq!(folded("Vie\u{323}\u{302}t"), "việt");
        assert_eq!(folded("\u{1109}\u{1165}\u{110b}\u{116e}\u{11af}"), "서울");
        assert_eq!(folded("İ"), folded("I\u{307}"));
        assert_eq!(folded("Ⓑ𝐁𝒃"), "bbb");
        assert_eq!(folded("か\u{3099}x\u{300}"), "がx\u{300}");
        assert_eq!(decomposed("việt"), "vie\u{323}\u{302}t");
        let sorted = COMPOSED.windows(2).all(|pair| matches!(pair, [(a, _), (b, _)] if a < b));
        assert!(sorted);
    }
}
