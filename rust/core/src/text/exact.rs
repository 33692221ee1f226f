//! Whether a text is the expected one, apart from what is declared not to count.
//!
//! Steps are taken in this order, on both texts alike:
//! * **latex**: `\boxed`, `\text` and their like give way to what they hold; delimiters of
//!   formulas, spacing commands, `\left` and `\right` go; `\$` and `\%` lose their backslash;
//!   `\dfrac` is `\frac`.
//! * **unicode**: canonical equivalents are one (NFC), before all else; full-width forms, digits of any script, typographic quotes, dashes and blanks
//!   are their plain ones; characters that print nothing go.
//! * **case**: letters are folded.
//! * **punctuation**: marks go, but for a sign before or behind a number, a decimal point, and any
//!   marks between two digits.
//!   A mark between two letters, other than a full stop or a quote, leaves a blank. A text of
//!   nothing but marks stays as it is.
//! * **articles**: *a*, *an* and *the* go where another word follows.
//! * **space**: white space at the ends goes; inside, any run of it is one blank.
//! * **numbers**: two texts that are each wholly one number are compared by value and by nothing
//!   else. Brackets, quotes and markup around it, punctuation behind it and a currency or percent
//!   sign belong to the number. A unit that only one of them names is not compared.
//!
//! Numbers are those of [`super::numeral`], up to 15 digits, so that no two of them become one by
//! rounding; longer ones are compared as text.

use super::chars::{digit, is_invisible, plain};
use super::everyday;
use super::lexer::{Kind, is_currency, is_currency_sign};
use super::numeral::{Scan, begins, numeral};
use std::borrow::Cow;
use std::collections::HashMap;
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// What does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Dress of formulas.
    Latex,
    /// Width, script and typography of characters.
    Unicode,
    /// Case of letters.
    Case,
    /// Punctuation marks.
    Punctuation,
    /// English articles.
    Articles,
    /// White space.
    Space,
    /// Spelling of numbers.
    Numbers,
}

impl Step {
    /// Names of the steps, in the order in which they are taken.
    pub const NAMES: [&'static str; 7] =
        ["latex", "unicode", "case", "punctuation", "articles", "space", "numbers"];

    const ALL: [Self; 7] = [
        Self::Latex,
        Self::Unicode,
        Self::Case,
        Self::Punctuation,
        Self::Articles,
        Self::Space,
        Self::Numbers,
    ];

    /// The step of that name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::NAMES.iter().zip(Self::ALL).find(|(known, _)| **known == name).map(|(_, step)| step)
    }
}

/// What two texts are compared by.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rules {
    steps: u8,
    tolerance: f64,
    relative: f64,
}

impl Rules {
    /// Rules with these steps; numbers are equal when they are nearer than `tolerance`, or than
    /// the share `relative` of the larger magnitude.
    #[must_use]
    pub fn new(steps: impl IntoIterator<Item = Step>, tolerance: f64, relative: f64) -> Self {
        let steps = steps.into_iter().fold(0, |set, step| set | 1 << step as u8);
        Self { steps, tolerance, relative }
    }

    fn has(&self, step: Step) -> bool {
        self.steps & 1 << step as u8 != 0
    }

    /// Whether the two texts are the same.
    #[must_use]
    pub fn same(&self, one: &str, other: &str) -> bool {
        if one == other {
            return true;
        }
        let (one, other) = (self.undressed(one), self.undressed(other));
        self.same_number(&one, &other)
            .unwrap_or_else(|| self.same_text(&self.plain_form(&one), &self.plain_form(&other)))
    }

    /// F1 of the words that two texts share, each as often as both hold it: 1 where the texts are
    /// the same, 0 where nothing is shared.
    #[must_use]
    pub fn token_f1(&self, one: &str, other: &str) -> f64 {
        if one == other {
            return 1.0;
        }
        let (one, other) = (self.undressed(one), self.undressed(other));
        let number = self.same_number(&one, &other);
        let (one, other) = (self.plain_form(&one), self.plain_form(&other));
        if number.unwrap_or_else(|| self.same_text(&one, &other)) {
            return 1.0;
        }
        let mut counts: HashMap<Key<'_>, usize> = HashMap::new();
        let mut words = 0_usize;
        for word in self.words(&one) {
            words += 1;
            *counts.entry(self.key(word)).or_default() += 1;
        }
        let mut shared = 0_usize;
        for word in self.words(&other) {
            words += 1;
            if let Some(left) = counts.get_mut(&self.key(word)).filter(|left| **left > 0) {
                *left -= 1;
                shared += 1;
            }
        }
        if shared == 0 { 0.0 } else { 2.0 * shared as f64 / words as f64 }
    }

    /// Whether two texts that are each wholly one number are equal ones.
    fn same_number(&self, one: &str, other: &str) -> Option<bool> {
        if !self.has(Step::Numbers) {
            return None;
        }
        Some(Number::whole(one)?.agrees(&Number::whole(other)?, self))
    }

    /// Whether two texts in their plain form are the same apart from articles and space.
    fn same_text(&self, one: &str, other: &str) -> bool {
        if self.has(Step::Space) {
            self.words(one).eq(self.words(other))
        } else if self.has(Step::Articles) {
            without_articles(one) == without_articles(other)
        } else {
            one == other
        }
    }

    /// Words of a text in its plain form.
    fn words<'a>(&self, text: &'a str) -> impl Iterator<Item = &'a str> {
        let articles = self.has(Step::Articles);
        let mut words = text.split_whitespace().peekable();
        std::iter::from_fn(move || {
            loop {
                let word = words.next()?;
                if !(articles && is_article(word) && words.peek().is_some()) {
                    return Some(word);
                }
            }
        })
    }

    fn key<'a>(&self, word: &'a str) -> Key<'a> {
        if self.has(Step::Numbers)
            && let Some(number) = Number::whole(word)
        {
            // Minus zero is zero.
            return Key::Number((number.value + 0.0).to_bits(), number.unit);
        }
        Key::Word(word)
    }

    fn undressed<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.has(Step::Unicode) && !text.is_ascii() && !is_nfc(text) {
            let composed: String = text.nfc().collect();
            return Cow::Owned(self.without_dress(&composed).into_owned());
        }
        self.without_dress(text)
    }

    fn without_dress<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.has(Step::Latex) { latex(text) } else { Cow::Borrowed(text) }
    }

    /// The text after the steps that look at characters: unicode, case and punctuation.
    fn plain_form<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut text = Cow::Borrowed(text);
        if text.is_ascii() {
            if self.has(Step::Unicode) && text.contains('\t') {
                text = Cow::Owned(text.replace('\t', " "));
            }
            if self.has(Step::Case) && text.bytes().any(|byte| byte.is_ascii_uppercase()) {
                text.to_mut().make_ascii_lowercase();
            }
            if self.has(Step::Punctuation)
                && let Some(kept) = without_marks(text.as_bytes())
            {
                text = Cow::Owned(kept);
            }
            return text;
        }
        if self.has(Step::Unicode) {
            text = text.chars().filter(|&c| !is_invisible(c)).map(plainer).collect();
        }
        if self.has(Step::Case) {
            // Upper case first, so that ß is ss and ς is σ.
            text = text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect();
        }
        if self.has(Step::Punctuation) {
            let chars: Vec<char> = text.chars().collect();
            if let Some(kept) = without_marks(&chars) {
                text = Cow::Owned(kept);
            }
        }
        text
    }
}

/// A word as it is compared: equal numbers have equal keys.
#[derive(PartialEq, Eq, Hash)]
enum Key<'a> {
    Word(&'a str),
    /// The bits of its value, and its unit.
    Number(u64, String),
}

/// The first line of a text that holds more than white space; the text where there is none.
#[must_use]
pub fn first_line(text: &str) -> &str {
    let is_break = |c| matches!(c, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    text.split(is_break).find(|line| !line.trim().is_empty()).unwrap_or(text)
}

/// As [`plain`], but a bullet is no multiplication.
fn plainer(c: char) -> char {
    if c == '•' { c } else { plain(c) }
}

fn is_quote(c: char) -> bool {
    matches!(c, '\'' | '"' | '`' | '´' | '\u{2018}'..='\u{201f}' | '\u{2032}'..='\u{2037}')
        || matches!(c, '«' | '»' | '‹' | '›')
}

/// Marks that order a sentence; signs of arithmetic, currencies, `%`, `#`, `&` and `@` are none.
fn is_mark(c: char) -> bool {
    if c.is_ascii() {
        return matches!(
            c,
            '.' | ','
                | ';'
                | ':'
                | '!'
                | '?'
                | '\''
                | '"'
                | '('
                | ')'
                | '['
                | ']'
                | '{'
                | '}'
                | '-'
                | '/'
                | '\\'
                | '*'
                | '_'
                | '`'
                | '|'
        );
    }
    is_quote(c)
        || matches!(c, '¡' | '¿' | '·' | '•' | '،' | '؛' | '؟' | '।' | '॥' | '…')
        || matches!(c, '\u{2010}'..='\u{2015}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}')
        || matches!(c, '\u{ff01}' | '\u{ff08}' | '\u{ff09}' | '\u{ff0c}' | '\u{ff0e}')
        || matches!(c, '\u{ff1a}' | '\u{ff1b}' | '\u{ff1f}')
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2013}')
}

/// The text of these characters without its marks; nothing where nothing else would be left.
fn without_marks<C: Copy>(text: &[C]) -> Option<String>
where
    char: From<C>,
{
    let at = |i: Option<usize>| i.and_then(|i| text.get(i)).map(|&c| char::from(c));
    let is_digit = |c: Option<char>| c.is_some_and(|c| digit(c).is_some());
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut kept = String::with_capacity(text.len());
    let mut start = 0;
    // Characters, and runs of marks by what stands on both sides.
    while let Some(&c) = text.get(start) {
        let run = text.get(start..).unwrap_or_default();
        let len = run.iter().take_while(|&&c| is_mark(char::from(c))).count();
        if len == 0 {
            kept.push(char::from(c));
            start += 1;
            continue;
        }
        let end = start + len;
        let between_digits = is_digit(at(start.checked_sub(1))) && is_digit(at(Some(end)));
        for (i, &c) in run.iter().take(len).enumerate() {
            let (i, c) = (start + i, char::from(c));
            let (before, behind) = (at(i.checked_sub(1)), at(Some(i + 1)));
            let point = c == '.' && is_digit(behind) && !is_word(before);
            let minus = is_dash(c)
                && if is_word(before) {
                    is_digit(before) && !is_word(behind)
                } else {
                    is_sign(text.get(i + 1..).unwrap_or_default())
                };
            if between_digits || point {
                kept.push(c);
            } else if minus {
                kept.push('-');
            } else if is_word(before) && is_word(behind) && c != '.' && !is_quote(c) && c != '*' {
                kept.push(' ');
            }
        }
        start = end;
    }
    (!kept.trim().is_empty()).then_some(kept)
}

/// Whether a dash before these characters is a sign: glued to a word, or before digits.
fn is_sign<C: Copy>(behind: &[C]) -> bool
where
    char: From<C>,
{
    let mut behind = behind.iter().map(|&c| char::from(c)).take(8);
    if behind.clone().next().is_some_and(char::is_alphanumeric) {
        return true;
    }
    let between = |c: char| c.is_whitespace() || is_currency_sign(c) || "(*_`\\".contains(c);
    let is_digit = |c: Option<char>| c.is_some_and(|c| digit(c).is_some());
    match behind.find(|&c| !between(c)) {
        Some('.') => is_digit(behind.next()),
        other => is_digit(other),
    }
}

fn is_article(word: &str) -> bool {
    ["a", "an", "the"].iter().any(|article| word.eq_ignore_ascii_case(article))
}

fn without_articles(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let start = rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
        let (blank, word) = rest.split_at(start);
        kept.push_str(blank);
        let end = word.find(char::is_whitespace).unwrap_or(word.len());
        let (word, behind) = word.split_at(end);
        let next = behind.trim_start();
        if is_article(word) && !next.is_empty() {
            rest = next;
        } else {
            kept.push_str(word);
            rest = behind;
        }
    }
    kept
}

/// A text without the dress of formulas.
fn latex(text: &str) -> Cow<'_, str> {
    let mut text = text.trim();
    for pair in ["$$", "$"] {
        let inner = text.strip_prefix(pair).and_then(|rest| rest.strip_suffix(pair));
        if let Some(inner) = inner.filter(|inner| !inner.contains('$')) {
            text = inner;
        }
    }
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    // For each open brace, whether it was taken off.
    let mut braces = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        match c {
            '{' => {
                braces.push(false);
                kept.push(c);
            }
            '}' => {
                if !braces.pop().unwrap_or(false) {
                    kept.push(c);
                }
            }
            '\\' => {
                let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
                let (name, behind) = rest.split_at(end);
                match name {
                    "" => {
                        let sign = rest.chars().next();
                        rest = rest.get(sign.map_or(0, char::len_utf8)..).unwrap_or_default();
                        match sign {
                            Some('(' | ')' | '[' | ']' | ',' | ';' | '!' | ':') | None => {}
                            Some(sign) => kept.push(sign),
                        }
                        continue;
                    }
                    "boxed" | "fbox" | "text" | "textbf" | "textit" | "textrm" | "mathrm"
                    | "mathbf" | "mathit" | "mathsf" | "mbox" | "operatorname"
                        if behind.starts_with('{') =>
                    {
                        braces.push(true);
                        rest = behind.get(1..).unwrap_or_default();
                        continue;
                    }
                    "left" | "right" | "displaystyle" => {}
                    "quad" | "qquad" => kept.push(' '),
                    "dfrac" | "tfrac" | "cfrac" => kept.push_str("\\frac"),
                    _ => {
                        kept.push('\\');
                        kept.push_str(name);
                    }
                }
                rest = behind;
            }
            _ => kept.push(c),
        }
    }
    Cow::Owned(kept.trim().to_owned())
}

/// A number with the unit that its text names; no unit is an empty one.
struct Number {
    value: f64,
    unit: String,
}

/// Longer texts are no single number.
const LONGEST: usize = 96;

/// Two whole numbers of so many digits never become one by rounding.
const DIGITS: usize = 15;

impl Number {
    /// The number that a text consists of.
    fn whole(text: &str) -> Option<Self> {
        let blank = |c: char| c.is_whitespace() || is_invisible(c);
        let markup = |c: char| is_quote(c) || matches!(c, '*' | '_');
        let text = text.trim_start_matches(|c| blank(c) || markup(c) || matches!(c, '(' | '['));
        let text = text.trim_end_matches(|c| {
            blank(c)
                || markup(c)
                || matches!(c, ')' | ']' | '.' | ',' | ';' | ':' | '!' | '?' | '。')
        });
        if text.is_empty() || text.len() > LONGEST {
            return None;
        }
        if text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        Self::everyday(text).or_else(|| Self::lexed(text))
    }

    /// The number that the text is by the short way, which declines most dress.
    fn everyday(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let currency = usize::from(bytes.first() == Some(&b'$'));
        let (value, end) = everyday::number(bytes, currency)?;
        (end == bytes.len()).then(|| Self { value, unit: "$".repeat(currency) })
    }

    /// The same by the lexer.
    fn lexed(text: &str) -> Option<Self> {
        if text.chars().filter(|&c| digit(c).is_some()).count() > DIGITS {
            return None;
        }
        let mut scan = Scan { text, at: 0 };
        let mut minus = None;
        let mut unit = String::new();
        loop {
            scan.skip(|c| c == ' ');
            if begins(scan) {
                break;
            }
            let start = scan;
            match scan.next()? {
                '-' if minus.is_none() => minus = Some(true),
                '+' if minus.is_none() => minus = Some(false),
                '\\' => {}
                c if is_currency_sign(c) && unit.is_empty() => unit = c.to_string(),
                c if c.is_alphabetic() && unit.is_empty() => {
                    scan.skip(char::is_alphabetic);
                    let letters = text.get(start.at..scan.at)?;
                    let sign = scan.peek().filter(|&c| is_currency_sign(c));
                    if sign.is_some() && letters.len() <= 3 {
                        scan.next();
                        unit = letters.to_ascii_lowercase() + &sign.map(String::from)?;
                    } else if is_currency(letters) {
                        unit = letters.to_ascii_lowercase();
                    } else {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        let Kind::Number(value) = numeral(&mut scan, !unit.is_empty()) else {
            return None;
        };
        scan.skip(|c| matches!(c, ' ' | '\\'));
        let behind: String = std::iter::from_fn(|| scan.next()).collect();
        let behind = behind.trim();
        let sign = behind.chars().next().filter(|&c| behind.len() == c.len_utf8());
        if sign.is_some_and(|c| c == '%' || is_currency_sign(c)) || is_currency(behind) {
            let behind = canonical(&behind.to_lowercase());
            if !unit.is_empty() && canonical(&unit) != behind {
                return None;
            }
            unit = behind;
        } else if matches!(behind.to_lowercase().as_str(), "percent" | "per cent" | "pct") {
            "%".clone_into(&mut unit);
        } else if !behind.is_empty() {
            return None;
        }
        let value = if minus == Some(true) { -value } else { value };
        Some(Self { value, unit: canonical(&unit) })
    }

    fn agrees(&self, other: &Self, rules: &Rules) -> bool {
        if self.unit != other.unit && !self.unit.is_empty() && !other.unit.is_empty() {
            return false;
        }
        let largest = self.value.abs().max(other.value.abs());
        let distance = (self.value - other.value).abs();
        // A fraction and a decimal may differ in their last bit; two different numbers of 15
        // digits differ by more.
        distance <= 2.0 * f64::EPSILON * largest
            || distance < rules.tolerance
            || distance < rules.relative * largest
    }
}

/// One spelling for the units that have several; `unit` is in lower case.
fn canonical(unit: &str) -> String {
    match unit {
        "usd" | "us$" | "dollar" | "dollars" => "$",
        "eur" | "euro" | "euros" => "€",
        "gbp" | "pound" | "pounds" => "£",
        "jpy" | "yen" => "¥",
        "inr" | "rupee" | "rupees" | "rs" => "₹",
        other => other,
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: [Step; 5] =
        [Step::Unicode, Step::Case, Step::Punctuation, Step::Space, Step::Numbers];

    fn same(one: &str, other: &str) -> bool {
        Rules::new(USUAL, 0.0, 0.0).same(one, other)
    }

    fn normal(text: &str, steps: &[Step]) -> String {
        let rules = Rules::new(steps.iter().copied(), 0.0, 0.0);
        let text = rules.plain_form(text);
        if rules.has(Step::Articles) { without_articles(&text) } else { text.into_owned() }
    }

    #[test]
    fn numbers_compare_by_value() {
        for (one, other) in [
            ("1,234", "1234.0"),
            ("$46", "46"),
            ("(46).", "46"),
            ("[46]", "46"),
            ("46?", "46!"),
            ("**46**", "46"),
            ("−5", "-5"),
            ("-$5", "$-5"),
            ("8/3", "2 2/3"),
            ("½", "0.5"),
            ("1.5e3", "1 500"),
            ("46 %", "46%"),
            ("5 percent", "5"),
            ("USD 5", "$5"),
            ("５", "5"),
            (".5", "0.5"),
            ("+5", "5"),
            ("-0", "0"),
            ("5.", "5"),
            ("US$5", "5 dollars"),
        ] {
            assert!(same(one, other), "{one} {other}");
            assert!(same(other, one), "{other} {one}");
        }
        for (one, other) in [
            ("-5", "5"),
            ("1.5", "15"),
            ("149", "49"),
            ("2", "2 2/3"),
            ("$5", "€5"),
            ("5%", "$5"),
            ("46", "It is 46!"),
            ("1,5", "15"),
            ("4,8", "48"),
            ("16:15", "1615"),
            ("3/8", "38"),
            ("10^3", "103"),
            ("- 5", "5"),
            ("46-55", "4655"),
            ("9007199254740993", "9007199254740992"),
            ("0.05", "5%"),
            ("1e3", "13"),
            ("< 5", "5"),
            ("~5", "5"),
            ("5 pens", "5"),
            ("5-", "5"),
            ("1..5", "1.5"),
            ("1..5", "15"),
            ("5k", "5"),
        ] {
            assert!(!same(one, other), "{one} {other}");
            assert!(!same(other, one), "{other} {one}");
        }
    }

    #[test]
    fn tolerances_are_not_reached() {
        let rules = Rules::new(USUAL, 0.5, 0.0);
        assert!(rules.same("46.4", "46") && !rules.same("46.5", "46"));
        let rules = Rules::new(USUAL, 0.0, 0.01);
        assert!(rules.same("100.9", "100") && !rules.same("102", "100"));
        assert!(!rules.same("0", "0.001"));
    }

    #[test]
    fn marks_go_and_signs_stay() {
        let marks = |text| normal(text, &[Step::Punctuation]);
        assert_eq!(
            marks("Hello, \"world\"! (It's e.g. well-known)"),
            "Hello world Its eg well known"
        );
        assert_eq!(
            marks("-5 1.5 .5 1,234 3/8 16:15 46-55 - 7 (-$8)"),
            "-5 1.5 .5 1,234 3/8 16:15 46-55 - 7 -$8"
        );
        assert_eq!(marks("a - b -x --y"), "a  b -x -y");
        assert_eq!(marks("?!"), "?!");
        assert_eq!(marks("C++ C# 50% a@b.c"), "C++ C# 50% a@bc");
        assert_eq!(
            marks("Paris,London snake_case **bold** \\frac"),
            "Paris London snake case bold frac"
        );
    }

    #[test]
    fn articles_go_before_a_word() {
        let articles = |text| normal(text, &[Step::Articles]);
        assert_eq!(articles("The cat and a dog"), "cat and dog");
        assert_eq!(articles("A"), "A");
        assert_eq!(articles("vitamin A "), "vitamin A ");
        assert_eq!(articles("the  an apple"), "apple");
        assert_eq!(articles(" "), " ");
    }

    #[test]
    fn typography_and_space() {
        assert!(same("l’été\u{a0}—  fin", "L'ÉTÉ FIN"));
        assert!(same("Straße", "STRASSE"));
        assert!(same("\u{200b}Paris\u{feff}", "paris"));
        assert!(!same("Paris", "Pari s"));
        assert_eq!(first_line("\n \r\n10\u{2028}Passage: next"), "10");
        assert_eq!(first_line(" "), " ");
    }

    #[test]
    fn formulas_lose_their_dress() {
        assert_eq!(latex("$\\boxed{\\text{46}}$"), "46");
        assert_eq!(latex("\\( \\dfrac{1}{2} \\)"), "\\frac{1}{2}");
        assert_eq!(latex("\\left( 5\\,000 \\right)\\%"), "( 5000 )%");
        assert_eq!(latex("$5 and $6"), "$5 and $6");
        assert_eq!(latex("\\boxed{a"), "a");
        assert_eq!(latex("\\"), "");
        let rules = Rules::new([Step::Latex, Step::Numbers], 0.0, 0.0);
        assert!(rules.same("$\\frac{1}{2}$", "0.5") && rules.same("\\boxed{1{,}042}", "1042"));
    }

    #[test]
    fn shared_words() {
        let rules = Rules::new(USUAL, 0.0, 0.0);
        let f1 = |one, other| rules.token_f1(one, other);
        assert!((f1("red green blue", "Green, blue, grey.") - 2.0 / 3.0).abs() < 1e-15);
        assert!((f1("a a b", "a b b") - 2.0 / 3.0).abs() < 1e-15);
        assert!((f1("1,234 pens", "1234 cups") - 0.5).abs() < 1e-15);
        assert!((f1("2 2/3", "8/3") - 1.0).abs() < 1e-15);
        assert!(f1("a", "b").abs() < 1e-15 && f1("", "a").abs() < 1e-15);
        assert!((f1("", " ") - 1.0).abs() < 1e-15);
    }

    /// Texts over few pieces, some of them beyond ASCII.
    fn texts() -> impl Iterator<Item = String> {
        const PIECES: [&str; 32] = [
            "1", "5", "1,234", "4.50", ".5", "0", "$", "-", "+", " ", " ", "\t", "%", "(", ")",
            ".", ",", "'", "*", "a", "The ", "an", "USD", "k", "/", "\\frac", "{", "}", "\n", "_",
            "é", "−",
        ];
        let mut state = 3_u64;
        (0..40_000).map(move |round| {
            (0..=round % 6).fold(String::new(), |text, _| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let at = usize::try_from(state >> 59).unwrap_or_default();
                text + PIECES.get(at).copied().unwrap_or_default()
            })
        })
    }

    #[test]
    fn the_short_way_to_a_number_agrees_with_the_lexer() {
        let mut read = 0;
        let parts = |number: Option<Number>| number.map(|n| (n.value.to_bits(), n.unit));
        for text in texts() {
            let lexed = parts(Number::lexed(&text));
            if let Some(number) = Number::everyday(&text) {
                read += 1;
                assert_eq!(parts(Some(number)), lexed, "{text:?}");
            }
            if text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_digit()) {
                assert_eq!(lexed, None, "{text:?}");
            }
        }
        assert!(read > 1000, "{read}");
    }

    #[test]
    fn plain_forms_of_ascii_are_those_of_any_text() {
        let all = [Step::Unicode, Step::Case, Step::Punctuation];
        for text in texts().filter(|text| text.is_ascii()) {
            for steps in [&all[..], &all[..1], &all[1..2], &all[2..]] {
                let rules = Rules::new(steps.iter().copied(), 0.0, 0.0);
                // A letter of its own at the end takes the text out of ASCII and changes nothing.
                let other = format!("{text} é");
                let plain = rules.plain_form(&text);
                let longer = rules.plain_form(&other);
                if plain.bytes().any(|byte| byte.is_ascii_alphanumeric()) {
                    assert_eq!(longer.strip_suffix(" é"), Some(&*plain), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn words_are_those_of_the_text_without_articles() {
        let rules = Rules::new([Step::Articles, Step::Space], 0.0, 0.0);
        for text in texts().chain([" the a an the ".to_owned(), "a".to_owned()]) {
            let without = without_articles(&text);
            assert!(rules.words(&text).eq(without.split_whitespace()), "{text:?}");
        }
    }

    #[test]
    fn long_texts_take_linear_time() {
        let rules = Rules::new(Step::ALL, 0.0, 0.0);
        for piece in ["the ", "-", "\\boxed{", "{", "1,", "$", "a-", "\\", " ", "é", "1 "] {
            let text = piece.repeat(20_000);
            let other = format!("{text}x");
            assert!(!rules.same(&text, &other), "{piece}");
            let _ = rules.token_f1(&text, &other);
        }
    }
}
