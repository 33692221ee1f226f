//! Splits the text of an answer into the tokens that decide what it commits to. Markup,
//! quotes, invisible characters and the skeleton of LaTeX leave no token.

use super::chars::{is_invisible, is_mark, plain};
use super::lexicon::List;
use super::numeral::{Scan, begins, numeral, product, superscript};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Kind {
    /// A number, sign included.
    Number(f64),
    /// One of the options of a closed set.
    Choice(usize),
    /// Digits that are no single number: `1,5`, `1/2/2024`, `3rd`.
    Unreadable,
    /// A time of day, or a ratio.
    Clock,
    Word,
    Currency,
    Percent,
    /// About: `~`, `≈`.
    Approx,
    /// More or less than: `<`, `≥`.
    Bound,
    /// Arithmetic; a hyphen between two values, which may mean a range, is one too.
    Operator,
    Equals,
    Comma,
    /// End of a sentence or clause.
    Stop,
    Dash,
    Colon,
    Open,
    Close,
    /// A sign that changes what stands beside it.
    Other,
}

impl Kind {
    /// The option that a token is.
    pub(super) const fn choice(self) -> Option<usize> {
        match self {
            Self::Choice(index) => Some(index),
            _ => None,
        }
    }
}

/// One token and where it stands in the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Tokens of a text, one after the other, without looking back.
pub(super) struct Lexer<'a> {
    scan: Scan<'a>,
    previous: Option<Kind>,
    /// White space, or the beginning, stands before the next character.
    spaced: bool,
    /// Start of a sign that waits for its number, and whether it is a minus.
    sign: Option<(usize, bool)>,
    angles: usize,
    /// What was read last is a number or the unit of one.
    measured: bool,
}

static CODES: List = List::new(
    "\
    AED ARS AUD BDT BGN BRL BTC CAD CHF CLP CNY COP CZK DKK EGP ETH EUR GBP HKD HUF IDR ILS INR \
    JPY KES KRW LKR MAD MXN MYR NGN NOK NZD PEN PHP PKR PLN QAR RMB RON RUB Rs SAR SEK SGD THB \
    TRY TWD UAH USD USDT VND ZAR rs",
);
static NAMES: List = List::new(
    "\
    usd eur gbp dollar dollars euro euros pound pounds cent cents yen yuan rupee rupees franc \
    francs peso pesos kr quid bucks",
);
/// Commands of LaTeX that only dress what they hold; others change it.
static DRESSES: List = List::new(
    "\
    boxed fbox mbox hbox framebox emph underline left right displaystyle textstyle scriptstyle \
    quad qquad hspace space thinspace bf it rm tt sf large Large LARGE huge Huge small normalsize \
    ensuremath color textcolor begin end hline item label tag dots ldots therefore mu Omega degree \
    celsius phantom",
);
/// Tags that end a reply, as templates of chats write them.
static ENDS: List = List::new("eos end_of_turn end_of_text pad");

/// How far the end of a tag or placeholder is looked for.
const NEAR: usize = 200;

pub(super) fn is_currency_sign(c: char) -> bool {
    matches!(c, '$' | '¢'..='¥' | '฿' | '₠'..='⃀')
}

pub(super) fn is_currency(word: &str) -> bool {
    word.len() <= 7 && (CODES.spells(word) || NAMES.holds(word))
}

/// Letters that may stand before a currency sign: US$, HK$, R$.
fn is_country(letters: &str) -> bool {
    letters.len() <= 3 && letters.bytes().all(|b| b.is_ascii_uppercase())
}

/// Whether a value begins here, markup and currencies aside.
fn opens_value(mut scan: Scan<'_>) -> bool {
    loop {
        if begins(scan) {
            return true;
        }
        let begin = scan.at;
        match scan.next() {
            Some('\\' | '*' | '_' | '`') => continue,
            Some(c) if is_currency_sign(c) => {}
            Some(c) if c.is_alphabetic() => {
                scan.skip(char::is_alphabetic);
                let letters = scan.text.get(begin..scan.at).unwrap_or_default();
                let letters = letters.trim_start_matches(is_invisible);
                let prefix = is_country(letters) && scan.peek().is_some_and(is_currency_sign);
                if !is_currency(letters) && !prefix {
                    return false;
                }
                scan.eat('.');
            }
            _ => return false,
        }
        scan.skip(|c| c == ' ');
    }
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str, spaced: bool) -> Self {
        Self {
            scan: Scan { text, at: 0 },
            previous: None,
            spaced,
            sign: None,
            angles: 0,
            measured: false,
        }
    }

    /// The kind of the token that the next character opens; nothing for one that leaves none.
    fn kind(&mut self, begin: usize, c: char, spaced: bool) -> Option<Kind> {
        let here = Scan { text: self.scan.text, at: begin };
        let joined = |c: char| c == '.' || c.is_alphanumeric();
        if begins(here)
            && !(here.peek() == Some('.') && self.scan.text.get(..begin)?.ends_with(joined))
        {
            self.scan = here;
            let money = self.previous == Some(Kind::Currency);
            let kind = numeral(&mut self.scan, money);
            return Some(match kind {
                Kind::Number(value) if self.sign.is_some_and(|(_, minus)| minus) => {
                    Kind::Number(-value)
                }
                kind => kind,
            });
        }
        let raw = here.rest().chars().next();
        Some(match c {
            '*' => return self.star(spaced),
            '`' | '"' | '\'' | '_' | '{' | '}' => return None,
            '\\' => return self.command(begin),
            '|' if self.previous.is_none() => return None,
            // Not, as in code.
            '!' if self.previous.is_none()
                && self.scan.peek().is_some_and(char::is_alphanumeric) =>
            {
                Kind::Other
            }
            '\n' | '\r' | '…' | '。' | ';' | '!' | '?' | '|' => Kind::Stop,
            '.' => {
                let mut ahead = self.scan;
                ahead.skip(|c| matches!(c, '*' | '_' | '`' | '"' | '\'' | ')' | ']' | '}' | '$'));
                match ahead.peek() {
                    None | Some(' ' | '\n' | '\r' | '<') => Kind::Stop,
                    Some(_) => return None,
                }
            }
            '-' | '=' if self.scan.eat('>') => Kind::Other,
            '-' | '—' => return self.dash(begin, spaced, raw),
            '+' if self.before_value(spaced) => {
                let mut ahead = self.scan;
                ahead.skip(|c| c == ' ');
                if !opens_value(ahead) {
                    return Some(Kind::Operator);
                }
                self.scan = ahead;
                self.sign = Some((begin, false));
                return None;
            }
            '^' if self.degrees() => return None,
            // "m/s^2", "kg·m"
            '^' if self.measures(spaced) => {
                self.exponent();
                return None;
            }
            '×' if self.measures(spaced) && self.scan.peek().is_some_and(char::is_alphabetic) => {
                return None;
            }
            '+' | '×' | '÷' | '^' => Kind::Operator,
            '/' => {
                let mut ahead = self.scan;
                ahead.skip(|c| c == ' ');
                if opens_value(ahead) {
                    Kind::Operator
                } else {
                    return None;
                }
            }
            '=' => Kind::Equals,
            ',' => Kind::Comma,
            ':' => Kind::Colon,
            '%' | '‰' | '°' => Kind::Percent,
            '~' => return self.tilde(spaced),
            '约' | '約' => Kind::Approx,
            '<' => return self.angle(),
            '>' if self.angles > 0 => {
                self.angles -= 1;
                Kind::Close
            }
            '>' | '≤' | '≥' | '⩽' | '⩾' | '≦' | '≧' | '≨' | '≩' | '≪' | '≫' | '≮' | '≯' | '≰'
            | '≱' | '≲' | '≳' | '⪅' | '⪆' => {
                if c == '>' && self.ends() {
                    return None;
                }
                self.scan.eat('=');
                Kind::Bound
            }
            '[' if self.scan.eat('^') => {
                self.scan.skip(|c| c.is_alphanumeric() || c == ']');
                return None;
            }
            '(' | '[' => Kind::Open,
            ')' | ']' => Kind::Close,
            '#' => return self.hash(),
            '±' | '→' | '⇒' | '∞' | '√' | '@' | '≠' | '¬' | '❌' | '❎' | '✗' | '✘' | '🚫'
            | '⛔' | '👎' | '❓' | '❔' | '🤷' | '🤔' => Kind::Other,
            '&' => return self.entity(),
            c if is_currency_sign(c) => Kind::Currency,
            c if c.is_alphabetic() => return self.word(begin, spaced),
            c if c.is_alphanumeric() => Kind::Other,
            _ => return None,
        })
    }

    /// Whether a sign ends the text, as in `<ANSWER: 46>`.
    #[cold]
    fn ends(&self) -> bool {
        self.scan.rest().chars().all(|c| matches!(c, ' ' | '*' | '_' | '`' | '.'))
    }

    /// Whether a sign directly behind the unit of a number belongs to the unit.
    fn measures(&self, spaced: bool) -> bool {
        self.measured && !spaced && self.previous == Some(Kind::Word)
    }

    fn unit_follows(&self) -> bool {
        self.scan.peek().is_some_and(|c| c == '\\' || c.is_alphabetic())
    }

    /// The exponent of a unit: `2`, `-1` or `{-1}`.
    fn exponent(&mut self) {
        self.scan.skip(|c| matches!(c, '{' | '-'));
        self.scan.skip(|c| c.is_ascii_digit());
        self.scan.eat('}');
    }

    /// About; two of them strike out, and one behind a number may be a blank of LaTeX.
    fn tilde(&mut self, spaced: bool) -> Option<Kind> {
        if self.scan.eat('~') {
            let Some(length) = struck(self.scan.rest(), "~~") else { return Some(Kind::Other) };
            self.scan.at += length;
        } else if spaced || !self.measured || !self.unit_follows() {
            return Some(Kind::Approx);
        }
        self.spaced = true;
        None
    }

    /// Signs of a heading, or of a number, that say nothing: `### 46 ###`, `#46`.
    fn hash(&mut self) -> Option<Kind> {
        self.scan.skip(|c| c == '#');
        let mut ahead = self.scan;
        ahead.skip(|c| c == ' ');
        let opens = self.previous.is_none() && ahead.peek().is_some_and(char::is_alphanumeric);
        let closes = matches!(ahead.peek(), None | Some('\n' | '\r'));
        if opens || closes { None } else { Some(Kind::Other) }
    }

    /// `&nbsp;` is a blank, `&amp;` an ampersand; other entities of HTML are not read.
    fn entity(&mut self) -> Option<Kind> {
        let mut ahead = self.scan;
        ahead.skip(|c| c.is_ascii_alphanumeric() || c == '#');
        let name = self.scan.text.get(self.scan.at..ahead.at).unwrap_or_default();
        if name.is_empty() || name.len() > 8 || !ahead.eat(';') {
            return Some(Kind::Word);
        }
        let blank = ["nbsp", "#160", "ensp", "emsp", "thinsp"].contains(&name);
        let kind = if name == "amp" { Kind::Word } else { Kind::Other };
        self.scan = ahead;
        if blank {
            self.spaced = true;
            return None;
        }
        Some(kind)
    }

    /// Whether a value, rather than a second operand, is to be expected here.
    fn before_value(&self, spaced: bool) -> bool {
        match self.previous {
            Some(Kind::Word) => spaced,
            Some(previous) => matches!(
                previous,
                Kind::Open
                    | Kind::Operator
                    | Kind::Equals
                    | Kind::Colon
                    | Kind::Currency
                    | Kind::Approx
                    | Kind::Comma
                    | Kind::Bound
                    | Kind::Stop
                    | Kind::Dash
                    | Kind::Other
            ),
            None => true,
        }
    }

    /// `^\circ` and `^{\circ}` are degrees, no power.
    fn degrees(&self) -> bool {
        let mut ahead = self.scan;
        ahead.eat('{');
        ahead.command().is_some_and(|(name, _)| name == "circ")
    }

    fn dash(&mut self, begin: usize, spaced: bool, raw: Option<char>) -> Option<Kind> {
        let glued = opens_value(self.scan);
        let mut ahead = self.scan;
        ahead.skip(|c| c == ' ');
        let near = opens_value(ahead);
        let apart = ahead.at > self.scan.at;
        // A dash set off by blanks may be punctuation; U+2212 is a minus wherever it stands.
        let minus = raw == Some('\u{2212}') && near && self.previous != Some(Kind::Word);
        let drawn = raw != Some('—') && raw != Some('―');
        if self.before_value(spaced) && (minus || glued) && (drawn || spaced) && self.sign.is_none()
        {
            self.scan = ahead;
            self.sign = Some((begin, true));
            return None;
        }
        let punctuates = !drawn && spaced && self.previous == Some(Kind::Word);
        if near
            && !punctuates
            && matches!(
                self.previous,
                Some(
                    Kind::Number(_)
                        | Kind::Percent
                        | Kind::Currency
                        | Kind::Close
                        | Kind::Word
                        | Kind::Unreadable
                        | Kind::Clock
                )
            )
        {
            return Some(Kind::Operator);
        }
        if !spaced && !apart && self.scan.peek().is_some_and(char::is_alphabetic) && drawn {
            return None;
        }
        // "46-": a minus of accounts, or a range cut short.
        let mut ahead = self.scan;
        ahead.skip(|c| matches!(c, ' ' | '*' | '_' | '`' | '.'));
        if drawn && !spaced && self.measured && ahead.peek().is_none() {
            return Some(Kind::Other);
        }
        Some(Kind::Dash)
    }

    /// A star is emphasis unless it stands between two operands, blanks on both sides or none.
    fn star(&mut self, spaced: bool) -> Option<Kind> {
        if self.scan.eat('*') {
            return None;
        }
        let mut ahead = self.scan;
        ahead.skip(|c| c == ' ');
        let apart = ahead.at > self.scan.at;
        let operand = opens_value(ahead) || matches!(ahead.peek(), Some('('));
        (self.previous.is_some() && operand && apart == spaced).then_some(Kind::Operator)
    }

    fn command(&mut self, begin: usize) -> Option<Kind> {
        let here = Scan { text: self.scan.text, at: begin };
        let Some((name, behind)) = here.command() else {
            // An escaped sign is that sign; escaped brackets are only a frame for maths.
            match self.scan.peek() {
                Some('(' | ')' | '[' | ']' | ',' | ';' | ':' | '!' | ' ' | '\\') => {
                    self.scan.next();
                    self.spaced = true;
                    return None;
                }
                _ => return None,
            }
        };
        self.scan = behind;
        Some(match name {
            "times" | "cdot" | "div" | "ast" => Kind::Operator,
            "approx" | "sim" | "simeq" => Kind::Approx,
            "le" | "leq" | "ge" | "geq" | "lt" | "gt" => Kind::Bound,
            "circ" => Kind::Percent,
            "n" | "r" => Kind::Stop,
            _ if name.starts_with("text") || name.starts_with("math") => return None,
            _ if name.starts_with("big") || name.starts_with("Big") => return None,
            _ if DRESSES.spells(name) => return None,
            _ => Kind::Other,
        })
    }

    /// `<` opens a bracket when its `>` is near, else it is a bound. Tags that are closed
    /// later, closing tags and line breaks are markup.
    fn angle(&mut self) -> Option<Kind> {
        if self.scan.eat('=') {
            return Some(Kind::Bound);
        }
        let rest = self.scan.rest();
        if rest.starts_with('<') && rest.chars().take(NEAR).any(|c| c == '>') {
            self.angles += 1;
            return Some(Kind::Open);
        }
        let mut near = rest.char_indices().take(NEAR).take_while(|&(_, c)| c != '<' && c != '\n');
        let Some((end, close)) = near.find(|&(_, c)| plain(c) == '>') else {
            return Some(Kind::Bound);
        };
        let name = rest.get(..end).unwrap_or_default().trim_end_matches('/');
        if ENDS.holds(name) || (name.len() > 2 && name.starts_with('|') && name.ends_with('|')) {
            self.scan.at += end + close.len_utf8();
            return Some(Kind::Stop);
        }
        let after = rest.get(end + close.len_utf8()..).unwrap_or_default();
        // `<span style="color:red">46</span>`
        let name = match name.split_once(' ') {
            Some((name, attributes)) if attributes.contains('=') => name,
            _ => name,
        };
        let bare = name.strip_prefix('/').unwrap_or(name);
        let tag = bare.bytes().all(|b| b.is_ascii_alphanumeric())
            && bare.starts_with(|c: char| c.is_ascii_alphabetic());
        if tag && (bare.len() < name.len() || bare == "br" || closes(after, bare)) {
            self.scan.at += end + close.len_utf8();
            if name == "sup" {
                if self.measures(false) {
                    self.exponent();
                    return None;
                }
                return Some(Kind::Operator);
            }
            self.spaced = true;
            // `</s>` also ends a reply.
            if bare.len() < name.len() {
                return None;
            }
            let end = STRIKES.iter().find(|(name, _)| *name == bare)?.1;
            match struck(self.scan.rest(), end) {
                Some(length) => self.scan.at += length,
                None => return Some(Kind::Other),
            }
            return None;
        }
        self.angles += 1;
        Some(Kind::Open)
    }

    /// The rest of a word: letters and digits, joined by inner apostrophes, hyphens, underscores.
    fn word(&mut self, begin: usize, spaced: bool) -> Option<Kind> {
        if matches!(self.previous, Some(Kind::Number(_) | Kind::Percent | Kind::Close)) {
            let here = Scan { text: self.scan.text, at: begin };
            let mut behind = self.scan;
            let alone = matches!(here.peek(), Some('x' | 'X'))
                && !behind.next().is_some_and(char::is_alphabetic);
            if alone && product(here) {
                return Some(Kind::Operator);
            }
        }
        let first = Scan { text: self.scan.text, at: begin }.peek();
        self.scan.skip(|c| c.is_alphabetic() || is_mark(c));
        let letters = self.text(begin).trim_start_matches(is_invisible);
        // Words of scripts without blanks end where a number begins.
        if first.is_some_and(|c| c >= '\u{2e80}')
            && self.scan.peek().is_some_and(|c| c.is_ascii_digit())
        {
            return Some(Kind::Word);
        }
        if is_currency(letters) {
            if letters.eq_ignore_ascii_case("rs") {
                self.scan.eat('.');
            }
            return Some(Kind::Currency);
        }
        if is_country(letters) {
            let mut ahead = self.scan;
            if letters == "US" {
                ahead.skip(|c| c == ' ');
            }
            let sign = ahead.next().is_some_and(is_currency_sign);
            let mut value = ahead;
            value.skip(|c| matches!(c, '-' | '+' | ' '));
            if sign && begins(value) {
                self.scan = ahead;
                return Some(Kind::Currency);
            }
        }
        loop {
            self.scan.skip(|c| c.is_alphanumeric() || is_mark(c));
            let mut ahead = self.scan;
            let joined = match ahead.next() {
                Some('⁻') => ahead.rest().chars().next().and_then(superscript).is_some(),
                // COVID-19 is one word; "per month-55" is two values.
                Some('-') => ahead.peek().is_some_and(|c| {
                    c.is_alphabetic()
                        || (c.is_alphanumeric() && letters.starts_with(char::is_uppercase))
                }),
                Some('\'' | '_') => ahead.peek().is_some_and(char::is_alphanumeric),
                _ => false,
            };
            if !joined {
                break;
            }
            self.scan = ahead;
        }
        let word = self.text(begin);
        let is = |other: &str| word.eq_ignore_ascii_case(other);
        let operand = matches!(self.previous, Some(Kind::Number(_) | Kind::Percent | Kind::Close));
        let operator = operand && (is("plus") || is("minus") || is("times"));
        let minus = self.before_value(spaced) && (is("minus") || is("negative"));
        if operator || minus {
            let mut ahead = self.scan;
            ahead.skip(|c| c == ' ');
            if opens_value(ahead) {
                if operator {
                    return Some(Kind::Operator);
                }
                self.sign = Some((begin, true));
                return None;
            }
        }
        let mut ahead = self.scan;
        if is("n") && ahead.eat('/') && matches!(ahead.next(), Some('a' | 'A')) {
            self.scan = ahead;
        } else if ["approx", "ca", "est", "kl", "godz"].into_iter().any(is) {
            self.scan.eat('.');
        } else {
            // C++, C#, A+
            let mut ahead = self.scan;
            ahead.skip(|c| matches!(c, '+' | '#'));
            let mut behind = ahead;
            behind.skip(|c| c == ' ');
            if !begins(behind) && !ahead.peek().is_some_and(char::is_alphanumeric) {
                self.scan = ahead;
            }
        }
        Some(Kind::Word)
    }

    fn text(&self, begin: usize) -> &'a str {
        self.scan.text.get(begin..self.scan.at).unwrap_or_default()
    }
}

/// Tags of what is struck out, with those that close them.
const STRIKES: [(&str, &str); 6] = [
    ("s", "</s>"),
    ("del", "</del>"),
    ("strike", "</strike>"),
    ("S", "</S>"),
    ("DEL", "</DEL>"),
    ("STRIKE", "</STRIKE>"),
];

/// Length of what is struck out up to this end, which stands near on the same line.
fn struck(text: &str, end: &str) -> Option<usize> {
    let mut near = text.len().min(NEAR);
    while !text.is_char_boundary(near) {
        near -= 1;
    }
    let (inner, _) = text.get(..near)?.split_once(end)?;
    let whole = !inner.is_empty() && inner.trim() == inner && !inner.contains(['\n', '\r']);
    whole.then_some(inner.len() + end.len())
}

/// A text without what is struck out in it; none where nothing is.
pub(super) fn unstruck(text: &str) -> Option<String> {
    let mut kept = String::new();
    let mut rest = text;
    let mut from = 0;
    while let Some(mark) = rest.get(from..).and_then(|rest| rest.find(['~', '<'])) {
        let (head, tail) = rest.split_at_checked(from + mark)?;
        let length = tail.strip_prefix("~~").and_then(|tail| Some(struck(tail, "~~")? + 2));
        let length = length.or_else(|| {
            STRIKES.iter().find_map(|(name, end)| {
                let inner = tail.strip_prefix('<')?.strip_prefix(name)?.strip_prefix('>')?;
                Some(struck(inner, end)? + name.len() + 2)
            })
        });
        match length {
            Some(length) => {
                kept.push_str(head);
                rest = tail.get(length..)?;
                from = 0;
            }
            None => from = head.len() + 1,
        }
    }
    if rest.len() == text.len() {
        return None;
    }
    kept.push_str(rest);
    Some(kept)
}

/// Whether a closing tag of this name follows on the same line.
fn closes(text: &str, name: &str) -> bool {
    let mut end = text.len().min(NEAR);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).is_some_and(|text| {
        text.split("</")
            .skip(1)
            .any(|tag| tag.strip_prefix(name).is_some_and(|t| t.starts_with('>')))
    })
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let begin = self.scan.at;
            let c = self.scan.next()?;
            if c == ' ' {
                self.spaced = true;
                continue;
            }
            let spaced = std::mem::replace(&mut self.spaced, false);
            // Markup between two characters leaves their distance as it is.
            let Some(kind) = self.kind(begin, c, spaced) else {
                self.spaced |= spaced;
                continue;
            };
            let mut start = begin;
            match kind {
                Kind::Number(_) => start = self.sign.take().map_or(begin, |(sign, _)| sign),
                Kind::Currency => {}
                _ => self.sign = None,
            }
            if kind == Kind::Stop {
                self.spaced = true;
            }
            self.measured = match kind {
                Kind::Number(_) => true,
                Kind::Word | Kind::Percent | Kind::Currency => self.measured,
                _ => false,
            };
            self.previous = Some(kind);
            let end = self.scan.at;
            return Some(Token { kind, text: self.scan.text.get(start..end)?, start, end });
        }
    }
}
