//! What the line items of a text add up to: `7 pens at $4 each`.
//!
//! A text is read as numbers, amounts, words and signs. A *number* has at most six digits before the
//! point and two behind it, commas between thousands, and touches no other figure, letter or sign:
//! `1-2`, `7%`, `-7` and `4k` are none, and `500ml` is a word. An *amount* is a number with a currency
//! before or behind it. Brackets, quotes and emphasis are passed over.
//!
//! A *line item* is one of
//!
//! - a number, words, and an amount with a unit: `7 pens at $4 each`, `7 pens ($4 per pen)`. Behind a
//!   comma, colon, dash or stop only words of prices may stand: `7 pens, $4 apiece`;
//! - the same with the unit among those words: `7 pens; each costs $4`;
//! - the same with `@` or a times sign before the amount: `pens: 7 @ $4.00`, `7 x $4`;
//! - an amount, a times sign or with a unit `for`, and a number: `$4 × 7 pens`;
//! - without a unit, or as a product of numbers, if the right total follows: `7 pens at $4 = $28`,
//!   `7 × 4 = $28`;
//! - a row of a table with a cell that begins with a number, one that begins with an amount, and
//!   cells of words: `| pens | 7 | $4 |`. Of two amounts one must be the total, and then the first of
//!   several numbers that gives it counts. Rows of totals are none.
//!
//! Line items do not overlap and go over no line's end; the first one counts. One that goes on with
//! a times sign is none.
//!
//! A text comes to nothing if its line items are in several currencies, or if one contradicts
//! itself: a total behind `=` belongs to the only line item of its sentence, and is its product to
//! the cent. Behind several line items it is a conclusion, which may be wrong.

mod lexer;

use lexer::{Currency, Token, Tokens, Word};
use memchr::{memchr, memchr_iter};

/// Products of hundredths are ten thousandths.
const UNIT: u128 = 10_000;
/// Totals may be rounded.
const HALF_A_CENT: u64 = 50;

/// What the line items of a text come to; nothing where it has none that can be added up.
#[must_use]
pub fn worked_out(text: &str) -> Option<f64> {
    let mut ledger = Ledger::default();
    ledger.read(text);
    ledger.total()
}

/// What the line items of a source come to; nothing where one of its texts has none.
#[must_use]
pub fn worked_out_all(items: &[&str]) -> Option<f64> {
    let mut ledger = Ledger::default();
    for item in items {
        let before = ledger.n_items;
        ledger.read(item);
        if ledger.n_items == before {
            return None;
        }
    }
    ledger.total()
}

#[derive(Clone, Copy)]
struct Item {
    /// Of hundredths, and so in ten thousandths.
    product: u64,
    currency: Currency,
}

/// What is behind a number.
#[derive(Clone, Copy, PartialEq)]
enum Behind {
    Nothing,
    Words,
    /// A comma or the like, and words of prices.
    Prices,
    /// A times sign that the number stood before.
    Times,
    /// A times sign or `@` that an amount must follow.
    Sign,
}

/// An amount and the number that it may be the price of.
#[derive(Clone, Copy)]
struct Amount {
    number: Option<u64>,
    value: u64,
    currency: Currency,
    /// Whether it is known to be the price of one.
    is_unit: bool,
}

impl Amount {
    fn item(self) -> Option<Item> {
        let product = self.number?.checked_mul(self.value)?;
        Some(Item { product, currency: self.currency })
    }
}

/// How far a line item is read.
#[derive(Clone, Copy)]
enum State {
    Nothing,
    /// A number; whether a unit stands behind it, with words of prices only.
    Quantity(u64, Behind, bool),
    Amount(Amount),
    /// An amount and *per* or a slash; or *a*, which only some words make a unit of.
    Per(Amount, bool),
    /// An amount that is the price of as many as follow.
    Times(u64, Currency),
    /// Two numbers, and their product.
    Product(u64),
    /// A line item; whether words stand behind it.
    Whole(Item, bool),
    /// What may be a line item, and an equals sign.
    Equals(Stated),
    /// And what stands behind that.
    Total(Stated, u64, Option<Currency>),
    /// What goes on with a times sign.
    Dead,
}

/// What a total is stated of.
#[derive(Clone, Copy)]
struct Stated {
    product: u64,
    currency: Option<Currency>,
    /// Whether it is a line item without its total.
    is_item: bool,
}

impl Stated {
    fn of(item: Item, is_item: bool) -> Self {
        Self { product: item.product, currency: Some(item.currency), is_item }
    }

    fn item(self) -> Option<Item> {
        let currency = self.currency.filter(|_| self.is_item)?;
        Some(Item { product: self.product, currency })
    }
}

#[derive(Default)]
struct Ledger {
    /// In ten thousandths.
    sum: u128,
    n_items: usize,
    currency: Option<Currency>,
    /// Whether line items contradict each other or themselves.
    is_void: bool,
    /// Line items of this sentence since the last total.
    n_in_sentence: usize,
}

impl Ledger {
    fn total(&self) -> Option<f64> {
        let whole = self.sum / UNIT;
        // A quotient of exact numbers is the nearest double; beyond, cents are below its last digit.
        let sum = if self.sum < 1 << 53 { self.sum as f64 / UNIT as f64 } else { whole as f64 };
        (self.n_items > 0 && !self.is_void).then_some(sum)
    }

    fn read(&mut self, text: &str) {
        let has_tables = memchr(b'|', text.as_bytes()).is_some();
        let mut start = 0;
        for end in memchr_iter(b'\n', text.as_bytes()).chain([text.len()]) {
            let line = &text[start..end];
            if !(has_tables && self.read_row(line)) {
                self.read_line(line);
            }
            start = text.len().min(end + 1);
        }
    }

    fn read_line(&mut self, line: &str) {
        let mut state = State::Nothing;
        for token in Tokens::new(line) {
            state = self.step(state, token);
            if token == Token::Stop {
                self.n_in_sentence = 0;
            }
        }
        self.end(state);
        self.n_in_sentence = 0;
    }

    /// Go on from a state; what does not belong to a line item ends it and may begin another.
    fn step(&mut self, state: State, token: Token) -> State {
        match (state, token) {
            (State::Quantity(number, behind, each), _) => quantity(number, behind, each, token),
            (State::Amount(amount), Token::Word(Word::Unit)) => priced(amount),
            (State::Amount(amount), Token::Slash | Token::Word(Word::Per)) => {
                State::Per(amount, true)
            }
            (State::Amount(amount), Token::Word(Word::A)) => State::Per(amount, false),
            (State::Per(amount, _), Token::Equals) if amount.is_unit => {
                amount.item().map_or(State::Nothing, |item| State::Equals(Stated::of(item, true)))
            }
            (State::Amount(amount), Token::Equals) => match amount.item() {
                Some(item) => State::Equals(Stated::of(item, amount.is_unit)),
                None => State::Nothing,
            },
            (
                State::Amount(Amount { number: Some(_), is_unit: true, .. })
                | State::Product(_)
                | State::Whole(_, false),
                Token::Times,
            ) => State::Dead,
            (State::Amount(amount), Token::Times) => State::Times(amount.value, amount.currency),
            (
                State::Amount(Amount { number: None, is_unit: true, value, currency }),
                Token::Word(Word::For),
            ) => State::Times(value, currency),
            (State::Per(amount, any), Token::Word(word))
                if word != Word::Multiple && (any || matches!(word, Word::Piece { .. })) =>
            {
                priced(amount)
            }
            (State::Amount(amount) | State::Per(amount, _), Token::Word(_)) if amount.is_unit => {
                amount.item().map_or(State::Nothing, |item| State::Whole(item, true))
            }
            (State::Times(value, currency), Token::Number(number)) => {
                let amount = Amount { number: Some(number), value, currency, is_unit: true };
                priced(amount)
            }
            (State::Product(product), Token::Equals) => {
                State::Equals(Stated { product, currency: None, is_item: false })
            }
            (State::Whole(item, _), Token::Word(_) | Token::Slash) => State::Whole(item, true),
            (State::Whole(item, _), Token::Equals) => State::Equals(Stated::of(item, true)),
            (State::Equals(stated), Token::Number(total)) => State::Total(stated, total, None),
            (State::Equals(stated), Token::Money(total, currency)) => {
                State::Total(stated, total, Some(currency))
            }
            // A product that is worked out again.
            (State::Total(stated, ..), Token::Times) => {
                self.end(State::Equals(stated));
                State::Dead
            }
            (State::Dead, Token::Comma | Token::Stop) => State::Nothing,
            (State::Dead, _) => State::Dead,
            _ => {
                self.end(state);
                begin(token)
            }
        }
    }

    /// Keep what is a line item without more.
    fn end(&mut self, state: State) {
        match state {
            State::Amount(amount) | State::Per(amount, _) if amount.is_unit => {
                if let Some(item) = amount.item() {
                    self.keep(item);
                }
            }
            State::Whole(item, _) => self.keep(item),
            State::Equals(stated) => {
                if let Some(item) = stated.item() {
                    self.keep(item);
                }
            }
            State::Total(stated, total, currency) => self.judge(stated, total, currency),
            _ => {}
        }
    }

    /// Hold a line item against the total that is stated behind it.
    fn judge(&mut self, stated: Stated, total: u64, of: Option<Currency>) {
        let fits = is_product(stated.product, total);
        match (stated.currency.or(of), stated.item()) {
            (Some(currency), _) if fits && of.is_none_or(|of| of == currency) => {
                self.keep(Item { product: stated.product, currency });
            }
            (_, Some(item)) if self.n_in_sentence > 0 => self.keep(item),
            (_, Some(_)) => self.is_void = true,
            (_, None) => {}
        }
        self.n_in_sentence = 0;
    }

    fn keep(&mut self, item: Item) {
        self.is_void |= *self.currency.get_or_insert(item.currency) != item.currency;
        self.sum += u128::from(item.product);
        self.n_items += 1;
        self.n_in_sentence += 1;
    }

    /// Read a line as the row of a table; whether it is one.
    fn read_row(&mut self, line: &str) -> bool {
        let mut row = Row::default();
        let mut n_bars = 0;
        let mut start = 0;
        for end in memchr_iter(b'|', line.as_bytes()).chain([line.len()]) {
            n_bars += usize::from(end < line.len());
            if !row.read_cell(&line[start..end]) {
                return false;
            }
            start = line.len().min(end + 1);
        }
        if n_bars < 2 || (row.n_amounts == 0 && !row.is_total) {
            return false;
        }
        if !row.is_total {
            match row.item() {
                Some(item) => self.keep(item),
                None if row.n_numbers == 1 && row.n_amounts == 2 => self.is_void = true,
                None => return false,
            }
        }
        self.n_in_sentence = 0;
        true
    }
}

/// Numbers and amounts of a row, as far as it may have them.
#[derive(Default)]
struct Row {
    numbers: [u64; 4],
    n_numbers: usize,
    amounts: [u64; 2],
    n_amounts: usize,
    currency: Option<Currency>,
    is_total: bool,
}

impl Row {
    /// Take a cell in; whether a row of a line item may have it.
    fn read_cell(&mut self, cell: &str) -> bool {
        let mut tokens = Tokens::new(cell).peekable();
        tokens.next_if_eq(&Token::Times);
        let room = match tokens.peek() {
            Some(&Token::Number(number)) => {
                tokens.next();
                self.n_numbers += 1;
                self.numbers.get_mut(self.n_numbers - 1).map(|place| *place = number)
            }
            Some(&Token::Money(amount, currency)) => {
                tokens.next();
                self.n_amounts += 1;
                let place = self.amounts.get_mut(self.n_amounts - 1);
                let is_other = *self.currency.get_or_insert(currency) != currency;
                place.filter(|_| !is_other).map(|place| *place = amount)
            }
            _ => {
                return tokens.all(|token| {
                    self.is_total |= token == Token::Word(Word::OfTotals);
                    !matches!(token, Token::Number(_) | Token::Money(..) | Token::Equals)
                });
            }
        };
        room.is_some()
            && tokens.all(|token| match token {
                Token::Word(word) => word != Word::Multiple,
                other => matches!(other, Token::Slash | Token::Times),
            })
    }

    fn item(&self) -> Option<Item> {
        let currency = self.currency?;
        let numbers = &self.numbers[..self.n_numbers];
        let product = match (numbers, self.amounts, self.n_amounts) {
            (&[number], [price, _], 1) => number.checked_mul(price),
            (_, [one, other], 2) => numbers.iter().find_map(|&number| {
                let fits = |price, total| {
                    number.checked_mul(price).filter(|&product| is_product(product, total))
                };
                fits(one, other).or_else(|| fits(other, one))
            }),
            _ => None,
        };
        Some(Item { product: product?, currency })
    }
}

fn begin(token: Token) -> State {
    match token {
        Token::Number(number) => State::Quantity(number, Behind::Nothing, false),
        Token::Money(value, currency) => {
            State::Amount(Amount { number: None, value, currency, is_unit: false })
        }
        _ => State::Nothing,
    }
}

/// Go on from a number.
fn quantity(number: u64, behind: Behind, each: bool, token: Token) -> State {
    let next = match (token, behind) {
        (Token::Word(Word::Multiple), Behind::Nothing | Behind::Times) => None,
        (Token::Word(word), Behind::Nothing | Behind::Times | Behind::Words) => {
            let unit = word == Word::Unit;
            Some((Behind::Words, unit || (each && is_of_prices(word))))
        }
        (Token::Word(Word::Unit), Behind::Prices) => Some((behind, true)),
        (Token::Word(word), Behind::Prices) if is_of_prices(word) => Some((behind, each)),
        (Token::Times, Behind::Nothing) => Some((Behind::Times, each)),
        (Token::Times, Behind::Words | Behind::Prices)
        | (Token::At, Behind::Nothing | Behind::Words | Behind::Prices) => {
            Some((Behind::Sign, each))
        }
        (Token::Comma | Token::Stop, Behind::Nothing | Behind::Words | Behind::Prices) => {
            Some((Behind::Prices, each))
        }
        (Token::Money(value, currency), _) => {
            let is_unit = each || matches!(behind, Behind::Times | Behind::Sign);
            return State::Amount(Amount { number: Some(number), value, currency, is_unit });
        }
        (Token::Number(other), Behind::Times) => {
            return number.checked_mul(other).map_or(State::Nothing, State::Product);
        }
        _ => None,
    };
    next.map_or_else(|| begin(token), |(behind, each)| State::Quantity(number, behind, each))
}

/// An amount that is known to be the price of one.
fn priced(amount: Amount) -> State {
    let amount = Amount { is_unit: true, ..amount };
    amount.item().map_or(State::Amount(amount), |item| State::Whole(item, false))
}

/// Whether a total in hundredths is a product of hundredths, rounded.
const fn is_product(product: u64, total: u64) -> bool {
    product.abs_diff(total.saturating_mul(100)) <= HALF_A_CENT
}

const fn is_of_prices(word: Word) -> bool {
    matches!(word, Word::A | Word::For | Word::OfPrices | Word::Piece { of_prices: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equal(expected: f64, texts: &[&str]) {
        for text in texts {
            assert_eq!(worked_out(text), Some(expected), "{text}");
        }
    }

    fn none(texts: &[&str]) {
        for text in texts {
            assert_eq!(worked_out(text), None, "{text}");
        }
    }

    #[test]
    fn a_number_of_things_at_a_price() {
        equal(
            28.0,
            &[
                "7 pens at $4 each",
                "7 pens at $4 each.",
                "7  pens at\t$4\u{a0}each",
                "7 at $4 each",
                "7 blue felt-tip pens (fine) at $4.00 each",
                "**7 pens** at **$4** each",
                "We bought 7 pens for $4 each",
                "7 pens, $4 apiece",
                "7 pens ($4 ea.)",
                "7 pens - $4 each",
                "7 pens — $4 a piece",
                "7 pens: $4/each",
                "7 pens at $4 per pen",
                "7 pens at $4/pen",
                "7 pens priced at $4 each",
                "7 pens, each costs $4",
                "7 pens. Each costs $4.",
                "7 pens; each at $4",
                "7 pens each $4",
                "7 pens, priced at a rate of $4 each",
                "Pens (7) at $4 each",
                "1. 7 pens at $4 each",
                "- 7 pens at $4 each",
                "* 7 pens at $4 each",
                "7x pens at $4 each",
                "x7 pens at $4 each",
                "7 x 500ml pens at $4 each",
                "7 4-inch pens at $4 each",
                "7 men's pens at $4 each",
                "7 crèmes à $4 each",
                "7 pens at $4 each for the school",
                "10 jars and 7 pens at $4 each",
            ],
        );
    }

    #[test]
    fn a_times_sign_or_an_at_sign() {
        equal(
            28.0,
            &[
                "7 x $4",
                "7x$4",
                "7 × $4",
                "7*$4",
                "7 * $4",
                "7 times $4",
                "7 pens × $4.00",
                "7 pens x $4 each",
                "pens: 7 @ $4.00",
                "pens: 7 @ $4 each",
                "7 pens @$4",
                "pens x7 @ $4",
                "Pens ×7: $4 each",
                "$4 × 7 pens",
                "$4 x 7",
                "$4.00*7",
                "$4 each x 7",
                "$4 each for 7 pens",
                "pens ($4 each) x 7",
                r"7 \times \$4",
            ],
        );
    }

    #[test]
    fn currencies_thousands_and_decimals() {
        equal(
            28.0,
            &[
                "7 pens at €4 each",
                "7 pens at 4 € each",
                "7 pens at 4€ each",
                "7 pens at 4$ each",
                "7 pens at 4 dollars each",
                "7 pens at 4 USD each",
                "7 pens at USD 4 each",
                "7 pens at $4 USD each",
                "7 pens at US$4 each",
                "7 pens at £ 4 each",
                "7 x ₹4",
            ],
        );
        equal(2_469.0, &["2 x $1,234.50", "2 desks at 1,234.5 dollars each"]);
        equal(10.0, &["2.5 kg at $4 per kg", "$2.50 x 4"]);
        equal(1_200_000.0, &["1,200 desks at $1,000 each"]);
        equal(0.12, &["2 clips at $0.06 each"]);
        equal(999_998_000_001.0, &["999999 a at $999999 each"]);
        equal(0.0, &["0 pens at $4 each"]);
    }

    #[test]
    fn totals_that_are_stated() {
        equal(
            28.0,
            &[
                "7 pens at $4 each = $28",
                "7 pens at $4 = $28",
                "7 pens at $4 = 28",
                "7 x $4 = $28.00",
                "7 × 4 = $28",
                "$4 × 7 pens = $28",
                "7 pens at $4 each → $28",
                "7 x $4 = 7 x 4 = 28",
            ],
        );
        equal(
            46.0,
            &["7 x $4 = $28, 2 x $9 = $18", "7 x $4 + 2 x $9 = $46", "7 x $4 = $28; 2 x $9"],
        );
        // A conclusion from several may be wrong, without a line item being so.
        equal(46.0, &["7 x $4 + 2 x $9 = $50", "7 x $4 and 2 x $9 = $50. Total: $51."]);
        equal(8.325, &["2.5 x $3.33 = $8.33"]);
        none(&[
            "7 pens at $4 each = $30",
            "7 x $4 = $30; 2 x $9 = $18",
            "7 x $4 = 29",
            "7 x $4 = €28",
            "7 pens at $4 = $30",
            "7 × 4 = 28",
            "7 × 4 = $30",
            "2.5 x $3.33 = $8.34",
        ]);
    }

    #[test]
    fn tables() {
        equal(
            46.0,
            &[
                "| item | qty | price |\n|---|---:|---:|\n| pens | 7 | $4 |\n| jars | 2 | $9 |\n| Total | 9 | $46 |",
                "| pens | 7 | $4.00 | $28.00 |\n| jars | 2 | $9.00 | $18.00 |",
                "| 7 | pens | $28 | $4 |\n| 2 | jars | $18 | $9 |",
                "| 1 | pens | 7 | $4 | $28 |\n| 2 | jars | 2 | $9 | $18 |",
                "pens | 7 | $4 each\njars | x2 | $9 each",
                "| 7 pens | $4 each |\n| 2 jars | $9 each |",
                "| 7 pens at $4 each |\n| 2 jars at $9 each |",
                "pens | $4 | 7\r\njars | $9 | 2\r\n",
            ],
        );
        none(&[
            "| pens | 7 | $4 | $30 |",
            "| pens | $4 |",
            "| pens | 7 |",
            "| 1 | pens | 7 | $4 |",
            "| pens | 7 | $4 | €28 |",
            "| 2 dozen | eggs | $4 |",
            "| eggs | 24 | $4 per dozen |",
            "| Total | 7 | $4 |",
        ]);
    }

    #[test]
    fn nothing_else() {
        none(&[
            "",
            "$",
            "7 pens",
            "$4 each",
            "7 pens at $4",
            "7 pens for $28",
            "7 pens at $4 eachy",
            "7 pens at $4 each_",
            "7 pens at $4 a month",
            "_7 pens at $4 each",
            "é7 pens at $4 each",
            "٣ pens at $4 each",
            "1234567 a at $4 each",
            "7 a at $1234567 each",
            "1,2345 a at $4 each",
            "7 a at $4.125 each",
            "7 a at $4k each",
            "7% of pens at $4 each",
            "1-2 pens at $4 each",
            "1–2 pens at $4 each",
            "1/2 pens at $4 each",
            "-7 pens at $4 each",
            "#7 pens at $4 each",
            "7 pens at -$4 each",
            "7 pens at ~$4 each",
            "$7 pens at $4 each",
            "7 pens, red, at $4 each",
            "7 people came, and we bought pens at $4 each",
            "7 pens at $ each",
            "pens at $4 each",
            "2 dozen pens at $4 each",
            "24 pens at $4 per dozen",
            "7 x $4 x 2",
            "7 x 4 x 2 = $56",
            "7 boxes at $4 each x 2",
            "7 x 4 pens at $2 each",
            "7 pens at\n$4 each",
            "7 pens at $4\neach",
            "7 pens at $4 each, 2 jars at €9 each",
        ]);
    }

    #[test]
    fn they_do_not_overlap() {
        equal(30.0, &["7 pens at $4 each at $5 each 2 a at $1 each"]);
        none(&["7 pens at $4 each2 jars at $9 each"]);
        equal(18.0, &["7 x $4 x 2, 2 jars at $9 each", "7 people. Pens. 2 jars at $9 each"]);
    }

    #[test]
    fn every_text_of_a_source_must_be_read() {
        assert_eq!(worked_out_all(&["7 pens at $4 each", "2 jars, $9 apiece"]), Some(46.0));
        assert_eq!(worked_out_all(&["7 pens at $4 each", "2 jars, nine dollars each"]), None);
        assert_eq!(worked_out_all(&["7 pens at $4 each", "2 jars at €9 each"]), None);
        assert_eq!(worked_out_all(&[]), None);
    }
}
