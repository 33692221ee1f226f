//! What words say about a value beside them: the lists behind [`super::clause`].
//!
//! Words are English; of other languages there are those that refuse, deny or approximate, so
//! that a refusal is not taken for prose around a value.

use super::chars::{is_invisible, plain};

/// What a word does to a value beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Plain,
    /// Stands before a value without changing it.
    Lead,
    Copula,
    /// Declines.
    Refusal,
    /// Negates what follows: a refusal before a value, a contrast behind it.
    Not,
    /// Declines only as the first word.
    No,
    /// Asks for something first.
    Pending,
    /// Says that something is still to come.
    Wanting,
    Wrong,
    Hedge,
    /// Speaks of another time.
    Earlier,
    Past,
    If,
    But,
    Or,
    And,
    To,
    /// Opens an explanation.
    Because,
    /// Opens a conclusion.
    So,
    /// Takes back what stands before it.
    Retract,
    /// Makes another number of the one before it.
    Change,
    Month,
}

/// Whether a word says something about the values beside it.
pub(super) fn speaks(word: &str) -> bool {
    !matches!(role(word), Role::Plain | Role::Month)
}

/// Whether a word only joins or states the values beside it.
pub(super) fn joins(word: &str) -> bool {
    matches!(role(word), Role::Copula | Role::And | Role::Or)
}

pub(super) fn role(word: &str) -> Role {
    if word.is_ascii() {
        return english(word);
    }
    if word.contains(is_invisible) {
        return role(&word.replace(is_invisible, ""));
    }
    match word.split_once('’') {
        Some(_) if word.len() > 20 => Role::Plain,
        Some((head, tail)) => role(&format!("{head}'{tail}")),
        None => foreign(word),
    }
}

fn english(word: &str) -> Role {
    let mut buffer = [0; 15];
    let Some(slot) = buffer.get_mut(..word.len()) else {
        return Role::Plain;
    };
    slot.copy_from_slice(word.as_bytes());
    slot.make_ascii_lowercase();
    match &*slot {
        b"about" | b"approximately" | b"approx" | b"approx." | b"around" | b"roughly"
        | b"circa" | b"ca" | b"ca." | b"c." | b"exactly" | b"precisely" | b"now" | b"therefore"
        | b"thus" | b"then" | b"only" | b"just" | b"still" | b"indeed" | b"environ" | b"etwa"
        | b"aprox" => Role::Lead,
        b"is" | b"are" | b"equals" | b"totals" | b"it's" | b"that's" | b"total's" => Role::Copula,
        b"unable" | b"cannot" | b"can't" | b"cant" | b"couldn't" | b"don't" | b"didn't"
        | b"won't" | b"unknown" | b"undetermined" | b"indeterminate" | b"inconclusive"
        | b"insufficient" | b"unavailable" | b"undefined" | b"unclear" | b"unsure"
        | b"uncertain" | b"unspecified" | b"impossible" | b"n/a" | b"na" | b"tbd" | b"tbc"
        | b"never" | b"neither" | b"nor" | b"none" | b"nothing" | b"null" | b"nan" | b"refuse"
        | b"decline" | b"withheld" | b"unanswerable" | b"unknowable" | b"idk" | b"desconocido"
        | b"desconocida" | b"desconhecido" | b"desconhecida" | b"inconnu" | b"inconnue"
        | b"unbekannt" | b"sconosciuto" | b"sconosciuta" | b"onbekend" | b"ukendt" | b"ukjent"
        | b"bilinmiyor" | b"nieznane" | b"nieznany" | b"nieznana" | b"impossibile" => Role::Refusal,
        b"not" | b"nicht" | b"non" | b"pas" | b"kein" | b"keine" | b"isn't" | b"aren't"
        | b"doesn't" | b"wasn't" | b"hasn't" | b"haven't" | b"weren't" | b"shouldn't"
        | b"wouldn't" | b"niet" | b"geen" | b"inte" | b"ikke" | b"nie" | b"nem" | b"tidak"
        | b"nao" => Role::Not,
        b"no" | b"nein" | b"nope" | b"nah" => Role::No,
        b"need" | b"needs" | b"please" | b"provide" | b"awaiting" | b"await" | b"waiting"
        | b"pending" | b"sorry" | b"lack" | b"lacks" => Role::Pending,
        b"needed" | b"required" | b"require" | b"requires" | b"missing" | b"incomplete" => {
            Role::Wanting
        }
        b"wrong" | b"falsch" | b"faux" | b"falso" | b"incorrect" | b"mistaken" | b"stale"
        | b"outdated" | b"invalid" | b"superseded" | b"unverified" | b"unconfirmed" | b"false"
        | b"disregard" | b"ignore" | b"obsolete" | b"deprecated" | b"typo" => Role::Wrong,
        b"maybe" | b"perhaps" | b"possibly" | b"probably" | b"likely" | b"might" | b"may"
        | b"could" | b"would" | b"whether" | b"either" | b"guess" | b"think" | b"believe"
        | b"assume" | b"suppose" | b"seems" | b"appears" | b"alternatively" | b"doubt"
        | b"doubtful" | b"hardly" | b"scarcely" | b"barely" | b"lost" | b"error"
        | b"presumably" | b"supposedly" | b"allegedly" | b"reportedly" | b"apparently"
        | b"seemingly" | b"tentative" | b"tentatively" | b"hypothetical" | b"hypothetically"
        | b"suspect" | b"depends" | b"varies" | b"guessing" | b"disputed" | b"iirc" | b"afaik"
        | b"afaict" => Role::Hedge,
        b"earlier" | b"previous" | b"previously" | b"prior" | b"old" | b"former" | b"formerly"
        | b"assumed" | b"used" | b"longer" | b"originally" | b"initially" => Role::Earlier,
        b"was" | b"were" | b"had" | b"been" => Role::Past,
        b"if" | b"unless" => Role::If,
        b"but" | b"however" => Role::But,
        b"or" => Role::Or,
        b"and" | b"&" => Role::And,
        b"to" | b"through" | b"vs" | b"versus" => Role::To,
        b"because" | b"since" | b"as" | b"given" | b"based" | b"assuming" | b"from" | b"after"
        | b"instead" | b"rather" | b"unlike" | b"compared" | b"up" | b"down" | b"which"
        | b"where" | b"using" | b"including" | b"excluding" => Role::Because,
        b"so" | b"hence" | b"making" | b"giving" | b"totaling" | b"totalling" | b"altogether" => {
            Role::So
        }
        b"half" | b"quarter" | b"quarters" | b"thirds" | b"squared" | b"cubed" | b"factorial"
        | b"below" | b"plus" | b"minus" | b"negative" | b"least" | b"most" | b"minimum"
        | b"maximum" | b"max" | b"tops" | b"latest" | b"earliest" | b"upward" | b"upwards"
        | b"onward" | b"onwards" | b"odd" | b"something" | b"pi" | b"th" | b"st" | b"nd"
        | b"rd" => Role::Change,
        b"january" | b"february" | b"march" | b"april" | b"june" | b"july" | b"august"
        | b"september" | b"october" | b"november" | b"december" | b"jan" | b"feb" | b"mar"
        | b"apr" | b"jun" | b"jul" | b"aug" | b"sep" | b"sept" | b"oct" | b"nov" | b"dec"
        | b"januar" | b"februar" | b"mai" | b"juni" | b"juli" | b"oktober" | b"dezember"
        | b"enero" | b"febrero" | b"marzo" | b"abril" | b"mayo" | b"junio" | b"julio"
        | b"agosto" | b"septiembre" | b"octubre" | b"noviembre" | b"diciembre" | b"janvier"
        | b"avril" | b"juin" | b"juillet" | b"septembre" | b"octobre" | b"novembre"
        | b"gennaio" | b"febbraio" | b"aprile" | b"maggio" | b"giugno" | b"luglio"
        | b"settembre" | b"ottobre" | b"dicembre" | b"janeiro" | b"fevereiro" | b"maio"
        | b"junho" | b"julho" | b"setembro" | b"outubro" | b"novembro" | b"dezembro" => Role::Month,
        b"wait" | b"actually" | b"correction" | b"oops" | b"scratch" | b"hmm" | b"hm" | b"erm"
        | b"uh" => Role::Retract,
        _ => Role::Plain,
    }
}

fn foreign(word: &str) -> Role {
    let ends = |endings: &[&str]| endings.iter().any(|ending| word.ends_with(ending));
    // "Sorry"
    if word.ends_with("すみません") {
        return Role::Pending;
    }
    if word.starts_with(['不', '没', '沒', '非', '无', '無', '错', '錯', '未'])
        || ends(&["ません", "ない", "なし", "없음", "없다", "없습니다", "모름", "모릅니다"])
    {
        return Role::Not;
    }
    if ["以上", "以下", "以内", "未満", "未满", "이상", "이하", "이내", "미만", "초과"]
        .iter()
        .any(|bound| word.starts_with(bound))
    {
        return Role::Change;
    }
    match word.to_lowercase().as_str() {
        "märz" | "février" | "août" | "décembre" | "março" => Role::Month,
        "неизвестно" | "неизвестен" | "неизвестна" | "невозможно" | "okänt" | "невідомо" => {
            Role::Refusal
        }
        "não" | "не" | "нет" | "không" | "غير" | "لا" | "لم" | "não-" | "ні" | "नहीं" => {
            Role::Not
        }
        "大约" | "大約" | "ungefähr" | "около" | "примерно" | "unos" | "約" | "约" => {
            Role::Lead
        }
        _ => Role::Plain,
    }
}

/// Words with a blank between two of them; quickest where those of one initial stand together.
pub(super) struct List {
    words: &'static str,
    /// A bit for each word by its first and last byte and its length, folded for case: most words
    /// of a text are told by these alone to be none of the list.
    prints: [u64; 8],
    /// Between which places all words of an initial are.
    places: [(usize, usize); 32],
}

impl List {
    pub(super) const fn new(words: &'static str) -> Self {
        let mut prints = [0; 8];
        let mut places = [(0, 0); 32];
        let mut rest = words.as_bytes();
        while !rest.is_empty() {
            let mut length = 0;
            while length < rest.len() && rest[length] != b' ' {
                length += 1;
            }
            let (word, behind) = rest.split_at(length);
            let (at, bit) = Self::print(word);
            prints[at] |= bit;
            let start = words.len() - rest.len();
            let (first, end) = &mut places[Self::initial(word)];
            if *end == 0 {
                *first = start;
            }
            *end = start + length;
            rest = if let [b' ', behind @ ..] = behind { behind } else { behind };
        }
        Self { words, prints, places }
    }

    const fn print(word: &[u8]) -> (usize, u64) {
        let (Some(first), Some(last)) = (word.first(), word.last()) else { return (0, 0) };
        let (first, last) = (*first as usize & 31, *last as usize & 31);
        ((first + word.len()) % 8, 1 << ((first * 2 + last) % 64))
    }

    const fn initial(word: &[u8]) -> usize {
        match word.first() {
            Some(first) => *first as usize & 31,
            None => 0,
        }
    }

    /// Whether a word is in the list as it is written there.
    pub(super) fn spells(&self, word: &str) -> bool {
        self.near(word).any(|listed| listed == word)
    }

    /// Whether a word is in the list, in any case.
    pub(super) fn holds(&self, word: &str) -> bool {
        self.near(word).any(|listed| listed.eq_ignore_ascii_case(word))
    }

    /// The words that a word may be.
    fn near(&self, word: &str) -> impl Iterator<Item = &'static str> {
        let (at, bit) = Self::print(word.as_bytes());
        let near = if self.prints.get(at).is_some_and(|prints| prints & bit != 0) {
            let (first, end) = self.places[Self::initial(word.as_bytes())];
            self.words.get(first..end)
        } else {
            None
        };
        near.into_iter().flat_map(|words| words.split(' '))
    }
}

/// How any of some phrases begins, told by two letters: a first look, which errs only by letting too
/// much through.
pub(super) struct Openings {
    /// For each first letter, as bits, the second ones.
    seconds: [u32; 32],
}

impl Openings {
    pub(super) const fn new(lists: &[&[&str]]) -> Self {
        let mut seconds = [0; 32];
        let mut list = 0;
        while list < lists.len() {
            let mut at = 0;
            while at < lists[list].len() {
                let phrase = lists[list][at].as_bytes();
                if phrase.len() > 1 {
                    seconds[(phrase[0] & 31) as usize] |= 1 << (phrase[1] & 31);
                }
                at += 1;
            }
            list += 1;
        }
        Self { seconds }
    }

    /// Whether a text may begin with one of them, in any case and with markup.
    pub(super) fn may_begin(&self, text: &str) -> bool {
        let mut letters = text.chars().map(plain);
        let (Some(first), second) = (letters.next(), letters.next().unwrap_or(' ')) else {
            return false;
        };
        let bits = |c: char| u32::from(c) & 31;
        !first.is_ascii()
            || first.is_ascii_alphabetic()
                && (!second.is_ascii()
                    || matches!(second, '*' | '_' | '`')
                    || self
                        .seconds
                        .get(bits(first) as usize)
                        .is_some_and(|s| s >> bits(second) & 1 == 1))
    }
}

/// Nouns that announce a value when a colon follows, or name it behind a comma.
pub(super) static LABELS: List = List::new(
    "\
    age amount animal answer area arrival artist assignee attendance author average balance bill \
    boss budget buyer capital captain category ceo chair change charge choice city class client \
    color colour conclusion contact coordinator cost costs count country credit customer date \
    day days debt decision departure deposit depth destination difference director discount \
    distance driver duration editor employee expenses fare fee fees fruit gain growth head \
    height host hotel hours income increase interest inventory label language lead leader length \
    letter location manager margin mass mean median meeting minutes month n name net number option orders \
    outcome owner p payment people percentage perimeter person pick place points population \
    pressure price prices probability product profit project quantity quotient rate ratio \
    recommendation refund remainder rent reply response restaurant result revenue room salary \
    sales savings school score selection seller share size solution speaker speed spending \
    station status stock subtotal sum supervisor supplier tax teacher team temperature time tip \
    total totals units value vendor venue verdict volume wage weight width winner x y year years \
    yield z",
);
/// Words that may stand beside those although they say something.
pub(super) static BESIDE_LABELS: List = List::new(
    "\
    so thus therefore hence and is",
);
/// Words beside a label that make it one of another value.
pub(super) static OTHER_LABELS: List = List::new(
    "\
    stored remembered recalled recorded claimed reported memory note notes session initial \
    original supposed assistant vice acting expected planned target goal limit example sample \
    backup losing next absent rejected excluded eliminated discarded cancelled canceled \
    expired deleted removed failed unlikely",
);
/// Words between an option and what introduces it.
pub(super) static BEFORE_OPTION: List = List::new(
    "\
    the a an option choice now still indeed just definitely clearly certainly obviously surely \
    therefore thus",
);
/// Words that name what a letter behind them is of: "Option B", "Assistant B".
pub(super) static NAMES_OPTION: List = List::new(
    "answer assistant candidate choice completion final letter model option output response with",
);
/// Verbs by which somebody commits to an option, alone and with a preposition.
pub(super) static PICK: List = List::new(
    "\
    choose pick select answer say choosing picking selecting",
);
pub(super) static PICK_WITH: List = List::new(
    "\
    go going opt opting settle settling",
);
/// Words that may stand beside an option.
pub(super) static AROUND_OPTION: List = List::new(
    "\
    turn now indeed definitely clearly certainly obviously surely of course confirmed final answer see above \
    please thanks thank you the my here",
);
/// Words that may stand in a name for an option behind a comma: "Ana, our new manager".
pub(super) static BESIDE_NAMES: List = List::new(
    "\
    a our your this new current correct",
);
/// Words that open an explanation.
pub(super) static WHY: List = List::new(
    "\
    because since as given based per according from",
);
/// Words of somebody who has left, or of a place that another holds.
pub(super) static GONE: List = List::new(
    "\
    gone left resigned retired replaced quit fired died predecessor successor outgoing last \
    opposite exception except without before ago until once out who whom that which ex other \
    anyone someone anybody deputy alternative second runner rival rumor rumour says said say \
    claims claimed liar worst decoy",
);
/// Verbs that state a number in a sentence, beside those of [`Role::Copula`].
pub(super) static STATES: List =
    List::new("gives give makes make yields yield costs remains leaves");
/// Verbs of a plain sentence that states how much somebody or something has: "She has 46 apples."
pub(super) static HOLDS: List = List::new(
    "\
    contain contains earn earns has have hold holds need needs own owns owe owes save saves weigh \
    weighs",
);
/// Words that such a sentence may not begin with: those who answer, those who are none, and those who
/// only think so.
pub(super) static NOBODY: List = List::new(
    "believes estimates expects few guesses hopes i i'd i'll i'm i've most nobody some thinks we who",
);
/// What may stand behind the unit of such a number.
pub(super) static IN_ALL: List =
    List::new("all altogether in left now over overall remaining total");
/// Words that are no unit of it: "46 more", "46 of 50".
pub(super) static NO_UNIT: List =
    List::new("each fewer for in less left more of over per than total");
/// What is counted of the task rather than in an answer to it.
pub(super) static OF_TASK: List = List::new(
    "\
    answers choices details interpretations notes options possibilities problems questions readings \
    reasons ways",
);
/// What may be said before an answer.
pub(super) static SURE: List = List::new("yes ok okay sure well right");
/// What has been done to a value for which another one stands now: "replaced by 46".
pub(super) static REPLACED: List = List::new(
    "\
    superseded replaced corrected updated changed revised amended",
);
/// Words behind *and* that leave a number open: "46 and up".
pub(super) static OPEN: List = List::new(
    "\
    up above over more counting change higher older rising beyond some under below less fewer \
    lower younger growing climbing then later earlier",
);
/// Words before a time that make it a bound, or leave an option out.
pub(super) static BOUNDS: List = List::new(
    "\
    before after until till by from since past to starting as than beyond latest earliest except \
    without besides like",
);
/// Words directly behind a number that say what is done to it: "$46 off".
pub(super) static DONE: List = List::new("doubled halved off quadrupled tripled");
/// Words that make a value hold only under a condition.
pub(super) static PROVIDED: List = List::new("assuming provided providing");
/// Words that make what looks like a time a duration, a score, a version or a verse.
pub(super) static SPANS: List = List::new(
    "\
    chapter duration elapsed exodus genesis isaiah john lasted lasts luke matthew odds proverbs \
    psalm psalms ratio romans runtime score scored take taken takes took verse version",
);
/// Those that stand behind it.
pub(super) static SPANS_BEHIND: List = List::new("elapsed left long remain remaining remains");
/// What happened to an appointment that is not kept.
pub(super) static CANCELLED: List = List::new("canceled cancelled postponed rescheduled");
/// What *no* may deny in an answer that declines.
pub(super) static NOTHING_OF: List = List::new(
    "\
    idea record records way information info data answer basis evidence access memory means note \
    notes clue knowledge",
);
/// A number in words, such as *forty-six* or *twelve hundred*, word by word.
#[derive(Clone, Copy, Default)]
pub(super) struct Spelled {
    total: u64,
    group: u64,
}

impl Spelled {
    /// Adds a word; false, and nothing is added, when it is no number.
    pub(super) fn add(&mut self, word: &str) -> bool {
        let mut spelled = *self;
        let all = word.split(['-', '‑', '‐']).all(|part| match spelled_part(part) {
            Some(100) => {
                spelled.group = spelled.group.max(1).saturating_mul(100);
                true
            }
            Some(scale) if scale >= 1000 => {
                spelled.total += spelled.group.max(1).saturating_mul(scale);
                spelled.group = 0;
                true
            }
            Some(value) => {
                spelled.group += value;
                true
            }
            None => false,
        });
        if all {
            *self = spelled;
        }
        all
    }

    pub(super) fn value(self) -> u64 {
        self.total.saturating_add(self.group)
    }
}

fn spelled_part(word: &str) -> Option<u64> {
    const SMALL: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const LARGE: [(&str, u64); 12] = [
        ("twenty", 20),
        ("thirty", 30),
        ("forty", 40),
        ("fifty", 50),
        ("sixty", 60),
        ("seventy", 70),
        ("eighty", 80),
        ("ninety", 90),
        ("hundred", 100),
        ("thousand", 1000),
        ("million", 1_000_000),
        ("billion", 1_000_000_000),
    ];
    let is = |name: &str| word.eq_ignore_ascii_case(name);
    if let Some(value) = SMALL.iter().position(|name| is(name)) {
        return u64::try_from(value).ok();
    }
    LARGE.iter().find(|(name, _)| is(name)).map(|&(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_roles_in_any_case_and_dress() {
        assert_eq!(role("Probably"), Role::Hedge);
        assert_eq!(role("can’t"), Role::Refusal);
        assert_eq!(role("n\u{200b}ot"), Role::Not);
        assert_eq!(role("Неизвестно"), Role::Refusal);
        assert_eq!(role("わかりません"), Role::Not);
        assert_eq!(role("pens"), Role::Plain);
    }

    #[test]
    fn lists_hold_their_words_and_no_others() {
        let lists = [&LABELS, &OTHER_LABELS, &GONE, &STATES, &WHY, &BOUNDS];
        let all: Vec<&str> = lists.iter().flat_map(|list| list.words.split(' ')).collect();
        for list in lists {
            for word in &all {
                let held = list.words.split(' ').any(|other| other == *word);
                assert_eq!(list.holds(word), held, "{word}");
                assert_eq!(list.holds(&word.to_uppercase()), held, "{word}");
                assert_eq!(list.spells(word), held, "{word}");
                assert!(!list.spells(&word.to_uppercase()), "{word}");
            }
            assert!(!list.holds("") && !list.holds("of no list") && !list.holds("é"));
        }
    }

    #[test]
    fn numbers_in_words_have_values() {
        let value = |text: &str| {
            let mut spelled = Spelled::default();
            text.split(' ').all(|word| spelled.add(word)).then(|| spelled.value())
        };
        assert_eq!(value("forty-six"), Some(46));
        assert_eq!(value("Forty six"), Some(46));
        assert_eq!(value("twelve hundred"), Some(1200));
        assert_eq!(value("two thousand three hundred five"), Some(2305));
        assert_eq!(value("one million"), Some(1_000_000));
        assert_eq!(value("forty pens"), None);
    }
}
