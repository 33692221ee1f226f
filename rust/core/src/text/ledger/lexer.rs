//! Numbers, amounts of money, words and signs of a text, one after the other.

const MOST_DIGITS: usize = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Currency {
    Dollar,
    Euro,
    Pound,
    Yen,
    Rupee,
}

/// What a word means in a line item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// *each* and its like.
    Unit,
    Per,
    A,
    For,
    /// Other words of prices.
    OfPrices,
    /// What *a* makes a unit of; *unit* is a word of prices too.
    Piece {
        of_prices: bool,
    },
    /// A number of these is not the number of things.
    Multiple,
    OfTotals,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A number, in hundredths.
    Number(u64),
    /// An amount, in hundredths of its currency.
    Money(u64, Currency),
    Word(Word),
    Times,
    At,
    Equals,
    Slash,
    /// A comma, a colon, a dash, a bar.
    Comma,
    /// The end of a sentence.
    Stop,
    /// What no line item goes over.
    Other,
}

/// The tokens of a text; what lies between them is passed over.
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// The byte so far ahead; behind the end a line's end.
    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(b'\n')
    }

    fn char(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.byte(0) {
                b' ' | b'\t' | b'\r' | b'\\' => self.at += 1,
                0x80.. => match self.char() {
                    Some(c) if is_blank(c) => self.at += c.len_utf8(),
                    _ => return,
                },
                _ => return,
            }
        }
    }

    /// Whether a letter or digit that is no ASCII stands here.
    fn is_letter_beyond(&self) -> bool {
        self.byte(0) >= 0x80 && self.char().is_some_and(char::is_alphanumeric)
    }

    fn one(&mut self, token: Token) -> Token {
        self.at += 1;
        token
    }

    /// What begins with a character that is no ASCII.
    fn beyond_ascii(&mut self) -> Option<Token> {
        let c = self.char()?;
        if c.is_alphanumeric() {
            return Some(self.word());
        }
        if let Some(currency) = currency_sign(c) {
            self.at += c.len_utf8();
            return Some(self.behind_sign(currency));
        }
        self.at += c.len_utf8();
        match c {
            '×' | '✕' | '✖' | '⨯' => Some(Token::Times),
            '–' | '—' => Some(Token::Comma),
            '→' | '⇒' => Some(Token::Equals),
            '−' | '≈' | '±' | '≤' | '≥' => Some(self.spoilt()),
            '“' | '”' | '‘' | '’' | '«' | '»' => None,
            _ if is_blank(c) => None,
            _ => Some(Token::Other),
        }
    }

    /// A word, or a times sign that is written as a letter, or an amount behind its currency.
    fn word(&mut self) -> Token {
        let start = self.at;
        if matches!(self.byte(0), b'x' | b'X')
            && !in_word(self.byte(1)) | self.byte(1).is_ascii_digit()
        {
            return self.one(Token::Times);
        }
        self.pass_word();
        let key = self.key(start);
        if key == TIMES {
            return Token::Times;
        }
        if let Some(currency) = currency_code(key) {
            let end = self.at;
            self.skip_blanks();
            if self.byte(0).is_ascii_digit() {
                return self.figure(Some(currency));
            }
            self.at = end;
        }
        Token::Word(meaning(key))
    }

    /// The word that began there, as a number.
    fn key(&self, start: usize) -> u64 {
        key(self.text.as_bytes().get(start..self.at).unwrap_or_default())
    }

    /// Pass over letters and figures, and over hyphens and apostrophes between them.
    fn pass_word(&mut self) {
        loop {
            let byte = self.byte(0);
            if byte.is_ascii_alphanumeric() || byte == b'_' {
                self.at += 1;
            } else if matches!(byte, b'-' | b'\'') && self.byte(1).is_ascii_alphanumeric() {
                self.at += 2;
            } else if self.is_letter_beyond() {
                self.at += self.char().map_or(1, char::len_utf8);
            } else {
                return;
            }
        }
    }

    /// An amount, behind its currency's sign.
    fn behind_sign(&mut self, currency: Currency) -> Token {
        self.skip_blanks();
        if self.byte(0).is_ascii_digit() { self.figure(Some(currency)) } else { Token::Other }
    }

    /// A figure behind a sign that makes it none: a minus, a tilde.
    fn spoilt(&mut self) -> Token {
        if let Some(c) = self.char().filter(|&c| currency_sign(c).is_some()) {
            self.at += c.len_utf8();
        }
        if self.byte(0).is_ascii_digit() {
            self.figure(None);
        }
        Token::Other
    }

    /// A number, or an amount if it has a currency; or the word that it is a part of.
    fn figure(&mut self, before: Option<Currency>) -> Token {
        let start = self.at;
        let hundredths = self.digits();
        let behind = self.currency_behind();
        if let Some(token) = self.glued(start) {
            return token;
        }
        let differ = before.zip(behind).is_some_and(|(before, behind)| before != behind);
        match (hundredths.filter(|_| !differ), before.or(behind)) {
            (Some(value), Some(currency)) => Token::Money(value, currency),
            (Some(value), None) => Token::Number(value),
            (None, _) => Token::Other,
        }
    }

    /// Pass over digits, thousands and decimals; the value in hundredths, if it is small enough.
    fn digits(&mut self) -> Option<u64> {
        let mut whole = 0_u64;
        let mut n_digits = self.run(&mut whole);
        if n_digits <= 3 {
            while self.byte(0) == b',' && self.run_behind(0) == 3 {
                self.at += 1;
                n_digits += self.run(&mut whole);
            }
        }
        let mut hundredths = 0;
        if self.byte(0) == b'.' && matches!(self.run_behind(0), 1 | 2) {
            self.at += 1;
            if self.run(&mut hundredths) == 1 {
                hundredths *= 10;
            }
        }
        (n_digits <= MOST_DIGITS).then(|| whole * 100 + hundredths)
    }

    /// Pass over digits, which go on from a value; how many there are.
    fn run(&mut self, value: &mut u64) -> usize {
        let start = self.at;
        while self.byte(0).is_ascii_digit() {
            *value = value.wrapping_mul(10).wrapping_add(u64::from(self.byte(0) - b'0'));
            self.at += 1;
        }
        self.at - start
    }

    /// How many digits there are behind a mark, as far as it matters.
    fn run_behind(&self, mark: usize) -> usize {
        (1..=4).take_while(|ahead| self.byte(mark + ahead).is_ascii_digit()).count()
    }

    /// Pass over a currency behind a number, if there is one.
    fn currency_behind(&mut self) -> Option<Currency> {
        let end = self.at;
        self.skip_blanks();
        let start = self.at;
        match self.byte(0) {
            b'$' | 0x80.. => {
                if let Some((c, currency)) = self.char().and_then(|c| Some((c, currency_sign(c)?)))
                {
                    self.at += c.len_utf8();
                    // It may belong to what follows.
                    if !self.byte(0).is_ascii_digit() {
                        return Some(currency);
                    }
                }
            }
            b'd' | b'e' | b'g' | b'i' | b'j' | b'u' | b'D' | b'E' | b'G' | b'I' | b'J' | b'U' => {
                self.pass_word();
                let key = self.key(start);
                if let Some(currency) = currency_code(key).or_else(|| currency_name(key)) {
                    return Some(currency);
                }
            }
            _ => {}
        }
        self.at = end;
        None
    }

    /// What figures are that go on with letters or other figures: a word, or nothing readable.
    fn glued(&mut self, start: usize) -> Option<Token> {
        let (first, second) = (self.byte(0), self.byte(1));
        let is_times = matches!(first, b'x' | b'X') && !in_word(second);
        let is_letter = in_word(first) || self.is_letter_beyond();
        if (is_letter && !is_times) || (first == b'-' && second.is_ascii_alphabetic()) {
            self.at += usize::from(first == b'-');
            self.pass_word();
            return Some(Token::Word(meaning(self.key(start))));
        }
        let marks =
            matches!(first, b'.' | b',' | b':' | b'/' | b'-' | b'^') && second.is_ascii_digit();
        let dash =
            first == 0xe2 && self.char() == Some('–') && self.byte('–'.len_utf8()).is_ascii_digit();
        if marks || dash || matches!(first, b'%') {
            self.at += if dash { '–'.len_utf8() } else { 1 };
            while self.byte(0).is_ascii_digit()
                || (matches!(self.byte(0), b'.' | b',' | b':' | b'/' | b'-')
                    && self.byte(1).is_ascii_digit())
            {
                self.at += 1;
            }
            return Some(Token::Other);
        }
        None
    }

    /// A star: a times sign if blanks are on both sides or on none; else, as two are, emphasis.
    fn star(&mut self) -> Option<Token> {
        let blank = |byte: u8| byte.is_ascii_whitespace();
        let before = self.at.checked_sub(1).map_or(b'\n', |at| self.text.as_bytes()[at]);
        let n = 1 + usize::from(self.byte(1) == b'*');
        let is_times = n == 1 && blank(before) == blank(self.byte(1));
        self.at += n;
        is_times.then_some(Token::Times)
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        while self.at < self.text.len() {
            let found = match self.byte(0) {
                b'0'..=b'9' => self.figure(None),
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => self.word(),
                b'$' => {
                    self.at += 1;
                    self.behind_sign(Currency::Dollar)
                }
                b'*' => match self.star() {
                    Some(token) => token,
                    None => continue,
                },
                b'-' if self.byte(1).is_ascii_digit() || self.byte(1) == b'$' => {
                    self.at += 1;
                    self.spoilt()
                }
                b'.' if self.byte(1).is_ascii_digit() => {
                    self.at += 1;
                    self.spoilt()
                }
                b'#' | b'~' | b'<' | b'>' | b'+' | b'^' => {
                    self.at += 1;
                    self.spoilt()
                }
                b'@' => self.one(Token::At),
                b'=' if self.byte(1) == b'>' => {
                    self.at += 2;
                    Token::Equals
                }
                b'=' => self.one(Token::Equals),
                b'/' => self.one(Token::Slash),
                b',' | b':' | b'-' | b'|' => self.one(Token::Comma),
                b'.' | b';' | b'!' | b'?' => self.one(Token::Stop),
                b' ' | b'\t' | b'\r' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'"' | b'\''
                | b'`' | b'\\' => {
                    self.at += 1;
                    continue;
                }
                b'&' => {
                    self.at += 1;
                    Token::Word(Word::Other)
                }
                0x80.. => match self.beyond_ascii() {
                    Some(token) => token,
                    None => continue,
                },
                _ => self.one(Token::Other),
            };
            return Some(found);
        }
        None
    }
}

const fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Blanks within a line, and what is not seen.
fn is_blank(c: char) -> bool {
    match c {
        ' ' | '\t' | '\r' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' => true,
        '\u{85}' | '\u{2028}' | '\u{2029}' => false,
        _ => !c.is_ascii() && c.is_whitespace(),
    }
}

const fn currency_sign(c: char) -> Option<Currency> {
    match c {
        '$' => Some(Currency::Dollar),
        '€' => Some(Currency::Euro),
        '£' => Some(Currency::Pound),
        '¥' => Some(Currency::Yen),
        '₹' => Some(Currency::Rupee),
        _ => None,
    }
}

/// A word of at most eight bytes in lower case as a number; longer ones are zero.
const fn key(word: &[u8]) -> u64 {
    let mut key = 0;
    let mut at = 0;
    while at < word.len() && word.len() <= 8 {
        key = key << 8 | word[at].to_ascii_lowercase() as u64;
        at += 1;
    }
    key
}

/// Constants of words, since a pattern holds no call.
macro_rules! keys {
    ($($name:ident = $word:literal),* $(,)?) => {
        $(const $name: u64 = key($word);)*
    };
}

keys! {
    A = b"a",
    APIECE = b"apiece",
    ARE = b"are",
    AT = b"at",
    CHARGED = b"charged",
    COST = b"cost",
    COSTING = b"costing",
    COSTS = b"costs",
    DOLLAR = b"dollar",
    DOLLARS = b"dollars",
    DOZEN = b"dozen",
    DOZENS = b"dozens",
    EA = b"ea",
    EACH = b"each",
    EUR = b"eur",
    EURO = b"euro",
    EUROS = b"euros",
    FOR = b"for",
    GBP = b"gbp",
    GROSS = b"gross",
    HUNDRED = b"hundred",
    INR = b"inr",
    IS = b"is",
    IT = b"it",
    ITEM = b"item",
    JPY = b"jpy",
    JUST = b"just",
    MILLION = b"million",
    OF = b"of",
    ONE = b"one",
    ONLY = b"only",
    OVERALL = b"overall",
    PER = b"per",
    PIECE = b"piece",
    POP = b"pop",
    PRICE = b"price",
    PRICED = b"priced",
    PRICES = b"prices",
    RATE = b"rate",
    SCORE = b"score",
    SUBTOTAL = b"subtotal",
    SUM = b"sum",
    THAT = b"that",
    THE = b"the",
    THEY = b"they",
    THOUSAND = b"thousand",
    TIMES = b"times",
    TO = b"to",
    TOTAL = b"total",
    TOTALS = b"totals",
    UNIT = b"unit",
    USD = b"usd",
    WAS = b"was",
    WERE = b"were",
    WHICH = b"which",
}

const fn meaning(key: u64) -> Word {
    match key {
        EACH | APIECE | EA => Word::Unit,
        PER => Word::Per,
        A => Word::A,
        FOR => Word::For,
        ARE | AT | CHARGED | COST | COSTING | COSTS | IS | IT | JUST | OF | ONE | ONLY | PRICE
        | PRICED | PRICES | RATE | THAT | THE | THEY | TO | WAS | WERE | WHICH => Word::OfPrices,
        PIECE | ITEM | POP => Word::Piece { of_prices: false },
        UNIT => Word::Piece { of_prices: true },
        DOZEN | DOZENS | HUNDRED | THOUSAND | MILLION | GROSS | SCORE => Word::Multiple,
        TOTAL | TOTALS | SUBTOTAL | SUM | OVERALL => Word::OfTotals,
        _ => Word::Other,
    }
}

/// The currency of a code that may stand on either side of a number.
const fn currency_code(key: u64) -> Option<Currency> {
    match key {
        USD => Some(Currency::Dollar),
        EUR => Some(Currency::Euro),
        GBP => Some(Currency::Pound),
        JPY => Some(Currency::Yen),
        INR => Some(Currency::Rupee),
        _ => None,
    }
}

/// The currency of a name that stands behind a number. Pounds may be a weight.
const fn currency_name(key: u64) -> Option<Currency> {
    match key {
        DOLLAR | DOLLARS => Some(Currency::Dollar),
        EURO | EUROS => Some(Currency::Euro),
        _ => None,
    }
}
