//! Cues of stance in a text: words and phrases of a lexicon, and dates.
//!
//! * A cue is found as whole words, in any case, with any white space between its words. Either
//!   apostrophe will do. Nothing is inflected: a lexicon lists the forms it means.
//! * Of the cues of one kind that begin at a place the longest is taken, and the next is looked
//!   for behind it. Kinds do not exclude each other.
//! * *May* in a date is no hedge: a cue that is the name of a month is not found where the month is
//!   part of a date.
//! * Letters of scripts that put no blanks between words have no word boundary.
//! * Dates are those of [`super::date`]; two with nothing but blanks and commas between them are one.

use super::chars::fold;
use super::date::{self, Trigger, date_at};
use super::sieve::{BUCKETS, Sieve};
use std::ops::Range;

/// A cue in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// Which kind it is of, by the position that was given for it.
    pub kind: usize,
    /// Which cue of the lexicon it is, in the order in which they were given; none for a date.
    pub cue: Option<usize>,
    /// Where it stands, in bytes.
    pub span: Range<usize>,
}

/// Why a lexicon cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LexiconError {
    /// A cue holds nothing to look for.
    Empty(String),
    /// There are more kinds than can be told apart.
    Kinds(usize),
}

/// Kinds that a lexicon may have.
pub const KINDS: usize = 32;

/// A compiled lexicon.
///
/// A sieve lets few places through at which no cue may begin. Of those that pass, the first three
/// bytes have to be among those that are wanted, before cues are compared.
#[derive(Clone, Debug)]
pub struct Lexicon {
    /// The first three bytes, with those of [`LOOSE`] and [`DIGITS`] in buckets of their own.
    sieve: Sieve<3>,
    /// All cues begin with an ASCII letter or digit, so that none begins inside a word.
    words: bool,
    /// The heads of cues, as a set of bits; see [`slot`].
    heads: Box<[u64; 64]>,
    /// For each bit of the set, in order, the cues that it stands for.
    headed: Vec<Vec<Cue>>,
    /// How many bits are set in the words before each.
    ranks: Box<[usize; 64]>,
    /// Cues whose first three bytes are not certain.
    loose: Vec<Cue>,
    /// The cue that stands for all dates that begin with a digit.
    digits: Option<Cue>,
    kinds: u32,
}

const LOOSE: usize = BUCKETS - 2;
const DIGITS: usize = BUCKETS - 1;

#[derive(Clone, Debug)]
struct Cue {
    kind: usize,
    index: Option<usize>,
    /// Folded in ASCII, with plain apostrophes and single blanks.
    pattern: String,
    trigger: Option<Trigger>,
    /// The cue is the name of a month and may be part of a date.
    month: bool,
    /// Its first bytes as far as they are certain, for a quick look.
    head: u32,
    /// Bits that the case of these bytes may set.
    case: u32,
    mask: u32,
}

/// Whether a cue ends where such a character begins.
fn is_word(c: char) -> bool {
    c.is_alphanumeric()
        && !matches!(c,
            '\u{e00}'..='\u{edf}'
            | '\u{1000}'..='\u{109f}'
            | '\u{1780}'..='\u{17ff}'
            | '\u{3005}'..='\u{30ff}'
            | '\u{3400}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{3ffff}')
}

impl Lexicon {
    /// Compiles cues, each with the kind it is of; `dates` is the kind of dates, if they are
    /// looked for.
    ///
    /// # Errors
    /// A cue is blank, or there are more than [`KINDS`] kinds.
    pub fn new<'a>(
        cues: impl IntoIterator<Item = (usize, &'a str)>,
        dates: Option<usize>,
    ) -> Result<Self, LexiconError> {
        let mut all = Vec::new();
        for (index, (kind, text)) in cues.into_iter().enumerate() {
            let words: Vec<&str> = text.split_whitespace().collect();
            let pattern = words.join(" ").to_ascii_lowercase().replace('’', "'");
            if !pattern.contains(|c: char| !c.is_whitespace() && !c.is_control()) {
                return Err(LexiconError::Empty(text.to_owned()));
            }
            all.push(Cue::new(kind, Some(index), pattern, None));
        }
        if let Some(kind) = dates {
            let lists: [(&[&str], Trigger); 5] = [
                (&date::MONTHS, Trigger::Month),
                (&date::WEEKDAYS, Trigger::Weekday),
                (&date::QUARTERS, Trigger::Quarter),
                (&date::PHRASES, Trigger::Phrase),
                (&["ago"], Trigger::Ago),
            ];
            for (words, trigger) in lists {
                let cue = |word: &&str| Cue::new(kind, None, (*word).to_owned(), Some(trigger));
                all.extend(words.iter().map(cue));
            }
            all.push(Cue::new(kind, None, String::new(), Some(Trigger::Digit)));
        }
        let mut kinds = 0;
        for cue in &all {
            if cue.kind >= KINDS {
                return Err(LexiconError::Kinds(cue.kind + 1));
            }
            kinds |= 1 << cue.kind;
        }
        let words = all.iter().all(|cue| {
            let first = cue.pattern.bytes().next();
            cue.trigger == Some(Trigger::Digit)
                || first.is_some_and(|first| first.is_ascii_alphanumeric())
        });
        let (digits, all): (Vec<Cue>, Vec<Cue>) =
            all.into_iter().partition(|cue| cue.trigger == Some(Trigger::Digit));
        let (mut certain, loose): (Vec<Cue>, Vec<Cue>) =
            all.into_iter().partition(|cue| cue.mask & HEAD == HEAD);
        let mut sieve = Sieve::new();
        for cue in &loose {
            cue.admit(&mut sieve, LOOSE);
        }
        for cue in &digits {
            cue.admit(&mut sieve, DIGITS);
        }
        // Those that begin alike share a bucket, so that few other places pass with them.
        certain.sort_by(|a, b| a.pattern.cmp(&b.pattern));
        let start = |cue: &Cue| cue.pattern.bytes().take(2).collect::<Vec<u8>>();
        let starts = certain.chunk_by(|a, b| start(a) == start(b)).count();
        for (rank, alike) in certain.chunk_by(|a, b| start(a) == start(b)).enumerate() {
            for cue in alike {
                cue.admit(&mut sieve, rank * LOOSE / starts);
            }
        }
        certain.sort_by_key(|cue| slot(cue.head));
        let mut heads = Box::new([0_u64; 64]);
        for cue in &certain {
            let (word, bit) = slot(cue.head);
            heads[word] |= 1 << bit;
        }
        let mut rank = 0;
        let ranks = Box::new(heads.map(|word| {
            rank += word.count_ones() as usize;
            rank - word.count_ones() as usize
        }));
        let headed = certain.chunk_by(|a, b| slot(a.head) == slot(b.head));
        let headed = headed.map(<[Cue]>::to_vec).collect();
        let digits = digits.into_iter().next();
        Ok(Self { sieve, words, heads, headed, ranks, loose, digits, kinds })
    }

    /// The kinds of which a text holds a cue, as bits.
    #[must_use]
    pub fn kinds(&self, text: &str) -> u32 {
        let mut found = 0;
        self.scan(text, |at, cue| {
            if found & 1 << cue.kind == 0 && cue.matched(text, at).is_some() {
                found |= 1 << cue.kind;
            }
            found != self.kinds
        });
        found
    }

    /// All cues of a text, in the order of their places.
    #[must_use]
    pub fn cues(&self, text: &str) -> Vec<Found> {
        let mut cues: Vec<Found> = Vec::new();
        // The last cue of each kind, by its position in the list.
        let mut last: [Option<usize>; KINDS] = [None; KINDS];
        self.scan(text, |at, cue| {
            let Some(span) = cue.matched(text, at) else { return true };
            let found = Found { kind: cue.kind, cue: cue.index, span };
            let Some(last) = last.get_mut(cue.kind) else { return true };
            let before = last.and_then(|last| cues.get_mut(last));
            match before {
                Some(before) if joins(text, before, &found) => {
                    before.span.start = before.span.start.min(found.span.start);
                    before.span.end = before.span.end.max(found.span.end);
                    if found.span.len() >= before.span.len() {
                        before.cue = found.cue;
                    }
                }
                Some(before) if found.span.start < before.span.end => {}
                _ => {
                    *last = Some(cues.len());
                    cues.push(found);
                }
            }
            true
        });
        cues.sort_by_key(|found| (found.span.start, found.kind));
        cues
    }

    /// Calls `visit` with each place and each cue that may begin there, until it says no.
    fn scan(&self, text: &str, mut visit: impl FnMut(usize, &Cue) -> bool) {
        let bytes = text.as_bytes();
        self.sieve.find(bytes, self.words, |place| {
            let rest = bytes.get(place..).unwrap_or_default();
            let head = head(rest);
            let (word, bit) = slot(head);
            let mut ends = |cue: &Cue| cue.may_have(head) && !visit(place, cue);
            if self.heads[word] >> bit & 1 != 0 {
                let before = (self.heads[word] & ((1 << bit) - 1)).count_ones() as usize;
                if self.headed[self.ranks[word] + before].iter().any(&mut ends) {
                    return true;
                }
            }
            let buckets = self.sieve.buckets(rest);
            buckets >> LOOSE & 1 != 0 && self.loose.iter().any(&mut ends)
                || buckets >> DIGITS & 1 != 0 && self.digits.iter().any(&mut ends)
        });
    }
}

/// The first three bytes of a cue or a place.
const HEAD: u32 = 0x00ff_ffff;

/// Where the set of heads keeps one: in which word and at which bit. Case does not count.
fn slot(head: u32) -> (usize, u32) {
    let hash = (head & HEAD & 0xdfdf_dfdf).wrapping_mul(0x9e37_79b1) >> 20;
    ((hash >> 6) as usize, hash & 63)
}

/// The first four bytes, with zeros behind the text.
fn head(rest: &[u8]) -> u32 {
    if let Some(head) = rest.first_chunk() {
        return u32::from_le_bytes(*head);
    }
    rest.iter().rev().fold(0, |head, byte| head << 8 | u32::from(*byte))
}

/// Whether the second cue is to be part of the first: it begins at the same place, or continues
/// a date.
fn joins(text: &str, before: &Found, found: &Found) -> bool {
    if found.cue.is_none() && before.cue.is_none() {
        let between = text.get(before.span.end..found.span.start);
        return found.span.start <= before.span.end
            || between.is_some_and(|b| b.chars().all(|c| c == ',' || c.is_whitespace()));
    }
    found.span.start == before.span.start && found.span.end >= before.span.end
}

impl Cue {
    fn new(kind: usize, index: Option<usize>, pattern: String, trigger: Option<Trigger>) -> Self {
        let (mut head, mut case, mut mask) = (0, 0, 0);
        let certain = |byte: &u8| byte.is_ascii() && !matches!(byte, b' ' | b'\'');
        for (i, byte) in pattern.bytes().take(4).take_while(certain).enumerate() {
            head |= u32::from(byte) << (8 * i);
            case |= if byte.is_ascii_alphabetic() { 0x20 << (8 * i) } else { 0 };
            mask |= 0xff << (8 * i);
        }
        let month = trigger.is_none() && date::MONTHS.contains(&pattern.as_str());
        Self { kind, index, pattern, trigger, month, head, case, mask }
    }

    /// Whether a place may hold the cue that begins with these bytes.
    fn may_have(&self, head: u32) -> bool {
        ((head | self.case) ^ self.head) & self.mask == 0
    }

    /// Lets the places through at which the cue may begin.
    fn admit(&self, sieve: &mut Sieve<3>, bucket: usize) {
        let mut allow =
            |position: usize, is: &dyn Fn(u8) -> bool| sieve.admit_all(bucket, position, is);
        let open = |byte: u8| !byte.is_ascii_alphanumeric();
        if self.trigger == Some(Trigger::Digit) {
            let second = |b: u8| b.is_ascii_digit() || b"/-.snrt".contains(&b.to_ascii_lowercase());
            allow(0, &|b| b.is_ascii_digit());
            allow(1, &second);
            allow(2, &|b| second(b) || matches!(b, b'd' | b'h' | b'D' | b'H'));
            return;
        }
        let mut chars = self.pattern.chars();
        let mut certain = true;
        let mut last = None;
        for position in 0..3 {
            if !certain {
                allow(position, &|_| true);
                continue;
            }
            match chars.next() {
                None => {
                    allow(position, &|b| !last.is_some_and(is_word) || open(b));
                    certain = false;
                }
                Some(' ') => {
                    allow(position, &|b| b.is_ascii_whitespace() || b == 0x0b || b >= 128);
                    certain = false;
                }
                Some('\'') => {
                    allow(position, &|b| b == b'\'' || b >= 128);
                    certain = false;
                }
                Some(c) if c.is_ascii() => {
                    allow(position, &|b| char::from(b).eq_ignore_ascii_case(&c));
                    last = Some(c);
                }
                Some(_) => {
                    allow(position, &|b| b >= 128);
                    certain = false;
                }
            }
        }
    }

    /// Where the cue stands, if one begins at this place.
    fn matched(&self, text: &str, at: usize) -> Option<Range<usize>> {
        if self.trigger == Some(Trigger::Digit) {
            let before = at.checked_sub(1).and_then(|at| text.as_bytes().get(at));
            let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'$';
            return if before.is_some_and(goes_on) {
                None
            } else {
                date_at(text, at..at, Trigger::Digit)
            };
        }
        let mut rest = text.get(at..)?;
        let mut last = None;
        for wanted in self.pattern.chars() {
            let c = rest.chars().next()?;
            if wanted == ' ' {
                if !c.is_whitespace() {
                    return None;
                }
                rest = rest.trim_start();
                continue;
            }
            let same = if wanted.is_ascii() {
                c.eq_ignore_ascii_case(&wanted) || (wanted == '\'' && c == '’')
            } else {
                !c.is_ascii() && fold(c).eq(fold(wanted))
            };
            if !same {
                return None;
            }
            last = Some(c);
            rest = rest.get(c.len_utf8()..)?;
        }
        let open = |beside: Option<char>, edge: Option<char>| {
            !(edge.is_some_and(is_word) && beside.is_some_and(is_word))
        };
        if !open(rest.chars().next(), last)
            || !open(text.get(..at)?.chars().next_back(), self.pattern.chars().next())
        {
            return None;
        }
        let word = at..text.len() - rest.len();
        match self.trigger {
            Some(trigger) => date_at(text, word, trigger),
            None if self.month && date_at(text, word.clone(), Trigger::Month).is_some() => None,
            None => Some(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::sieve::tests::plainly;

    fn lexicon() -> Lexicon {
        let cues = [(0, "may"), (0, "may be"), (0, "might"), (1, "said"), (1, "according to")];
        Lexicon::new(cues, Some(2)).expect("cues")
    }

    fn found(text: &str) -> Vec<(usize, &str)> {
        let cues = lexicon().cues(text);
        cues.into_iter().map(|f| (f.kind, text.get(f.span).expect("a span"))).collect()
    }

    fn dates(text: &str) -> Vec<&str> {
        let cues = Lexicon::new([], Some(0)).expect("dates").cues(text);
        cues.into_iter().map(|f| text.get(f.span).expect("a span")).collect()
    }

    #[test]
    fn cues_are_whole_words_and_the_longest() {
        assert_eq!(
            found("It MAY\n be so, according  to Ana; she said."),
            [(0, "MAY\n be"), (1, "according  to"), (1, "said")]
        );
        assert_eq!(found("maybe dismay mays unsaid saidé"), []);
        assert_eq!(found("may"), [(0, "may")]);
        assert_eq!(found("ma"), []);
        assert_eq!(found(""), []);
        assert_eq!(found("‘might’ — said…may"), [(0, "might"), (1, "said"), (0, "may")]);
        assert_eq!(found("In May 2024 he may"), [(2, "May 2024"), (0, "may")]);
    }

    #[test]
    fn every_place_of_every_length_is_looked_at() {
        for before in 0..40 {
            for behind in 0..20 {
                let text = format!("{}might{}", " ".repeat(before), " ".repeat(behind));
                assert_eq!(found(&text), [(0, "might")], "{before} {behind}");
                assert_eq!(lexicon().kinds(&text), 1);
                assert_eq!(plainly(|| lexicon().kinds(&text)), 1);
            }
        }
    }

    #[test]
    fn dates_begin_no_later_beside_cues_that_are_no_words() {
        let lexicon = Lexicon::new([(0, "~")], Some(1)).expect("cues");
        assert_eq!(lexicon.kinds("v2024-05 $2024-05"), 0);
        assert_eq!(lexicon.kinds("~2024-05"), 3);
    }

    #[test]
    fn other_scripts_and_signs() {
        let cues =
            [(0, "möglicherweise"), (0, "据说"), (0, "I’m told"), (0, "(per"), (0, "~"), (0, "x")];
        let lexicon = Lexicon::new(cues, None).expect("cues");
        let count = |text| lexicon.cues(text).len();
        assert_eq!(count("MÖGLICHERWEISE; 他据说走了; i'm told, I’M TOLD (per Ana) ~80 x"), 7);
        assert_eq!(count("möglicherweisen 据 im told per ~ xx"), 1);
        assert!(matches!(Lexicon::new([(0, " ")], None), Err(LexiconError::Empty(_))));
        assert!(matches!(Lexicon::new([(32, "a")], None), Err(LexiconError::Kinds(33))));
    }

    #[test]
    fn dates_in_their_dresses() {
        for date in [
            "2024-05-03",
            "2024/5/3",
            "2024-05",
            "3/5/2024",
            "13.05.2024",
            "3/5/24",
            "3 May 2024",
            "3rd of May",
            "3 May",
            "May 3",
            "May 3, 2024",
            "May 2024",
            "sept. 2023",
            "March 3rd",
            "since March",
            "in 2019",
            "end of 2023",
            "in the 1990s",
            "the 1980s",
            "end of May",
            "MAY 5",
            "Q3 2024",
            "2024 Q3",
            "last Tuesday",
            "on the 3rd",
            "two weeks ago",
            "3 days ago",
            "yesterday",
            "last week",
            "as of 2023",
            "as of last week",
            "may 2024",
            "by May",
            "mid-2021",
            "between 2019",
            "on Friday, 3 May 2024",
            "as of",
        ] {
            assert_eq!(dates(&format!("x {date} y.")), [date]);
            assert_eq!(dates(date), [date]);
        }
        assert_eq!(dates("Ana (2019) and 2019"), ["2019"]);
        assert_eq!(
            dates("June 2024–July 2024, 12 May–15 May"),
            ["June 2024", "July 2024, 12 May", "15 May"]
        );
        for text in [
            "as of yet unknown",
            "may 3 people attend",
            "it may",
            "March on",
            "the 2024 units",
            "Tuesdays at 9:45am",
            "Q3 design review",
            "the 3rd place",
            "1/2",
            "1.2.3",
            "3.5 May",
            "$2019",
            "in 2019.5",
            "in $2019",
            "in 20190",
            "13/14/2024",
            "2024-13-01",
            "version 3.5.2",
            "10-15",
            "in 1500",
            "5 of 2000 items",
            "long ago",
            "This may be",
            "12:45",
            "32 people",
            "v2024-05",
        ] {
            assert_eq!(dates(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn long_texts_take_linear_time() {
        let lexicon = lexicon();
        for piece in
            ["may ", "may", " ", "2024-", "3 ", "May ", "as of ", "é", "1", "last ", "according"]
        {
            let text = piece.repeat(20_000);
            let _ = (lexicon.kinds(&text), lexicon.cues(&text).len());
        }
    }
}
