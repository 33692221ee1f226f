//! Which of the values named in an answer the reply commits to.
//!
//! # The rules, in order
//! 1. **Leading value.** A value at the start, behind at most brackets, a currency, a sign of
//!    approximation or words such as *about*, *so* or *No.*, is the answer, unless what follows
//!    takes it back:
//!    * another value in the same clause (a list, a range, `46 or 55`, `5 ft 10 in`): ambiguous;
//!    * `was`, `would`, `if`, `but`, `and up`, a month, a sign of doubt: ambiguous;
//!    * a remark behind a comma, dash, bracket or a word such as *because* is not part of the
//!      answer, and its numbers do not count, with four exceptions that are ambiguous: it
//!      offers an alternative (`(or 55)`, `(now 55)`), it is nothing but another value
//!      (`46 (55)`, `46 (forty-seven)`), it starts by taking back (`wait, …`), or it doubts or refuses without naming another value
//!      (`55 (cannot verify)`, but `46 (the 55 was wrong)` is read).
//! 2. **Expression.** `28 + 18 = 46`, `2 pens at $23 = $46` and `46 = 28 + 18` are read as the side
//!    that stands alone; an expression without `=` is ambiguous, never evaluated.
//! 3. **Sentence.** Otherwise the first sentence is read when exactly one value follows `is`,
//!    `are`, `equals`, `=`, `:` behind a label, *comes to* and the like, or the second one of `not
//!    55 but 46`, or when somebody plainly has it (`She has 46 apples left`). A label names a value (`Total due`, `Manager`) and says of it nothing else (`Old
//!    total`). A letter or a time needs no verb, but may not stand in a name (`Vitamin C`) or
//!    behind a bound (`before 16:15`). A refusal or negation before it is an
//!    abstention, a hedge (*probably*, *if*, *earlier*, *I think*) leaves it ambiguous. Of options
//!    of a closed set only what is known to be harmless may be said: [`Clause::chosen`].
//! 4. **No value.** A refusal or a placeholder is an abstention, anything else unparsed.

use super::answer::{Reading, Status};
use super::chars::{is_invisible, plain};
use super::lexer::{Kind, Token, unstruck};
use super::lexicon::{
    AROUND_OPTION, BEFORE_OPTION, BESIDE_LABELS, BESIDE_NAMES, BOUNDS, CANCELLED, DONE, GONE,
    HOLDS, IN_ALL, LABELS, List, NAMES_OPTION, NO_UNIT, NOBODY, NOTHING_OF, OF_TASK, OPEN,
    OTHER_LABELS, Openings, PICK, PICK_WITH, PROVIDED, REPLACED, Role, SPANS, SPANS_BEHIND, STATES,
    SURE, Spelled, WHY, role,
};
use std::ops::Range;

/// What *not* before it says of an answer: that it is none.
const UNSURE: [&str; 12] = [
    "sure",
    "certain",
    "verified",
    "confirmed",
    "enough",
    "available",
    "known",
    "possible",
    "able",
    "final",
    "correct",
    "right",
];

/// What announces a value at the beginning of an answer, beside English sentences.
const INTRODUCTIONS: [&str; 61] = [
    "total",
    "sum",
    "answer",
    "result",
    "grand total",
    "das sind",
    "es sind",
    "das ist",
    "es ist",
    "das macht",
    "das ergibt",
    "die antwort ist",
    "die antwort lautet",
    "insgesamt",
    "gesamt",
    "summe",
    "c'est",
    "ce sont",
    "cela fait",
    "ça fait",
    "il y en a",
    "au total",
    "la réponse est",
    "son",
    "es",
    "hay",
    "en total",
    "la respuesta es",
    "sono",
    "è",
    "in totale",
    "la risposta è",
    "são",
    "é",
    "no total",
    "a resposta é",
    "это",
    "итого",
    "всего",
    "共",
    "一共",
    "总共",
    "答案是",
    "合计",
    "antwort",
    "ergebnis",
    "réponse",
    "résultat",
    "respuesta",
    "resultado",
    "risposta",
    "risultato",
    "resposta",
    "ответ",
    "результат",
    "答案",
    "答え",
    "答えは",
    "정답",
    "정답은",
    "总计",
];

static MAY_INTRODUCE: Openings = Openings::new(&[&INTRODUCTIONS]);

/// Which token is the answer, or why there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Read(usize, &'static str),
    Not(Status, &'static str),
}

impl Verdict {
    /// The reading of an answer that begins here in its reply, with the value of a token.
    pub(super) fn reading<T>(
        self,
        tokens: &[Token<'_>],
        start: usize,
        value: impl Fn(Kind) -> Option<T>,
    ) -> Reading<T> {
        match self {
            Read(at, rule) => {
                match tokens.get(at).and_then(|token| Some((value(token.kind)?, token))) {
                    Some((value, token)) => {
                        Reading::read(value, start + token.start..start + token.end, rule)
                    }
                    None => Reading::none(Ambiguous, rule),
                }
            }
            Not(status, rule) => Reading::none(status, rule),
        }
    }
}

use Status::{Abstained, Ambiguous, Unparsed};
use Verdict::{Not, Read};

/// What follows a value.
enum Trail {
    Clean,
    Expression,
    /// A verb that makes the value its subject, at this place.
    Statement(usize),
    Doubt(&'static str),
}

/// The tokens of one answer.
pub(super) struct Clause<'t, 'a> {
    /// Where the tokens are from.
    pub(super) text: &'a str,
    pub(super) tokens: &'t [Token<'a>],
    /// Full sentences may be answers.
    pub(super) prose: bool,
    pub(super) values: Values,
}

/// What is looked for in a clause: numbers, or options of a closed set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    Numbers,
    /// Prose is full of words, so that one must be picked expressly.
    Words,
    Letters,
    Times,
}

impl Clause<'_, '_> {
    fn choices(&self) -> bool {
        self.values != Values::Numbers
    }

    fn words(&self) -> bool {
        self.values == Values::Words
    }

    fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    fn role(&self, at: usize) -> Option<Role> {
        let word = self.tokens.get(at).filter(|token| token.kind == Kind::Word)?;
        let role = role(word.text);
        let aside = match role {
            // "I would choose"
            Role::Hedge if self.is_word(at, &["would"]) => {
                at > 0
                    && self.is_word(at - 1, &["i", "we"])
                    && (self.is_in(at + 1, &PICK) || self.is_in(at + 1, &PICK_WITH))
            }
            Role::Hedge
                if word.text == "May"
                    && !self.choices()
                    && at > 0
                    && matches!(self.kind(at - 1), Some(Kind::Number(_))) =>
            {
                return Some(Role::Month);
            }
            // "12 May 2024", "in May"
            Role::Hedge if word.text == "May" => {
                self.is_number(at + 1)
                    || at > 0
                        && (self.is_number(at - 1)
                            || self.is_word(at - 1, &["of", "in", "until", "by", "on", "since"]))
            }
            // "46 years old"
            Role::Earlier if self.is_word(at, &["old"]) => {
                at > 0
                    && self.is_word(
                        at - 1,
                        &[
                            "year", "years", "yr", "yrs", "month", "months", "week", "weeks",
                            "day", "days",
                        ],
                    )
            }
            _ => false,
        };
        if at > 0 && !self.words() && self.said(at) {
            return Some(Role::Hedge);
        }
        Some(if aside { Role::Plain } else { role })
    }

    /// The last of two words that say where a value is from: "at first", "from memory".
    fn said(&self, at: usize) -> bool {
        const PAIRS: [(&str, &str); 6] = [
            ("at", "first"),
            ("back", "then"),
            ("by", "mistake"),
            ("from", "memory"),
            ("since", "changed"),
            ("now", "changed"),
        ];
        PAIRS
            .iter()
            .any(|(before, last)| self.is_word(at, &[last]) && self.is_word(at - 1, &[before]))
    }

    fn is_number(&self, at: usize) -> bool {
        matches!(self.kind(at), Some(Kind::Number(_) | Kind::Unreadable))
    }

    fn is_in(&self, at: usize, list: &List) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == Kind::Word && list.holds(token.text))
    }

    fn is_word(&self, at: usize, words: &[&str]) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            token.kind == Kind::Word
                && words.iter().any(|word| token.text.eq_ignore_ascii_case(word))
        })
    }

    fn is_value(&self, at: usize) -> bool {
        match self.kind(at) {
            Some(Kind::Number(_) | Kind::Unreadable | Kind::Clock) => !self.choices(),
            Some(Kind::Choice(_)) => true,
            _ => false,
        }
    }

    /// Whether two tokens name the same value.
    fn same(&self, a: usize, b: usize) -> bool {
        match (self.kind(a), self.kind(b)) {
            (Some(Kind::Number(a)), Some(Kind::Number(b))) => (a - b).abs() <= 1e-9 * a.abs(),
            (Some(Kind::Choice(a)), Some(Kind::Choice(b))) => a == b,
            _ => false,
        }
    }

    /// Whether one of two numbers is the other in percent.
    fn share(&self, value: usize, at: usize) -> bool {
        let (Some(Kind::Number(a)), Some(Kind::Number(b))) = (self.kind(value), self.kind(at))
        else {
            return false;
        };
        let percent = |at: usize| self.tokens.get(at + 1).is_some_and(|token| token.text == "%");
        let of = |part: f64, whole: f64| (part * 100.0 - whole).abs() <= 1e-9 * whole.abs();
        match (percent(value), percent(at)) {
            (false, true) => of(a, b),
            (true, false) => of(b, a),
            _ => false,
        }
    }

    /// The first token at or behind a place that is no mere approach to a value.
    fn lead(&self, mut at: usize) -> usize {
        loop {
            at += match self.kind(at) {
                Some(Kind::Open | Kind::Currency | Kind::Approx) => 1,
                Some(Kind::Word) => match self.role(at) {
                    Some(Role::Lead) => 1,
                    _ if self.is_word(at, &["a"]) && self.is_word(at + 1, &["total"]) => 1,
                    _ if self.is_word(at, &["total"]) && self.is_word(at + 1, &["of"]) => 2,
                    _ => match self.called(at) {
                        Some(behind) => behind - at,
                        None => return at,
                    },
                },
                _ => return at,
            };
        }
    }

    /// Where a number begins that is called one: "No. 46", "number 46".
    fn called(&self, at: usize) -> Option<usize> {
        if self.choices()
            || !self.is_word(at, &["no", "nr", "num", "nos", "n", "number", "nº", "c"])
        {
            return None;
        }
        let dotted = match self.tokens.get(at + 1)? {
            Token { kind: Kind::Stop, text: ".", .. } | Token { kind: Kind::Percent, .. } => 1,
            _ => 0,
        };
        matches!(self.kind(at + 1 + dotted), Some(Kind::Number(_))).then_some(at + 1 + dotted)
    }

    /// The answer of the clause.
    pub(super) fn read(&self) -> Verdict {
        if !self.any_value(0..self.tokens.len()) {
            let (status, rule) = valueless(self.text);
            return Not(status, rule);
        }
        if let Some(value) = self.corrected() {
            let stays = match self.trail(value) {
                Trail::Clean => !self.words() || self.unchallenged(value + 1, value),
                _ => false,
            };
            return if stays { Read(value, "sentence") } else { Not(Ambiguous, "doubt") };
        }
        match self.committed() {
            Read(at, _) if self.words() && !self.chosen(at) => Not(Ambiguous, "doubt"),
            verdict => verdict,
        }
    }

    /// Where the answer begins: behind what may open one, such as an equals sign or *so*.
    fn opening(&self) -> usize {
        let mut start = 0;
        loop {
            start += match self.kind(start) {
                Some(Kind::Equals | Kind::Colon) => 1,
                Some(Kind::Other | Kind::Operator) if self.is_bullet(start) => 1,
                Some(Kind::Dash | Kind::Stop) if self.choices() => 1,
                Some(Kind::Word) if self.is_word(start, &["so", "hence", "therefore", "thus"]) => {
                    1 + usize::from(self.kind(start + 1) == Some(Kind::Comma))
                }
                Some(Kind::Word) if !self.choices() && self.is_in(start, &SURE) => {
                    match self.kind(start + 1) {
                        Some(Kind::Comma | Kind::Colon) => 2,
                        _ => return start,
                    }
                }
                _ => return start,
            };
        }
    }

    fn is_bullet(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| matches!(token.text, "→" | "⇒" | "•" | "->" | "=>"))
    }

    fn committed(&self) -> Verdict {
        let opening = self.opening();
        let start = self.introduction(opening);
        let first = self.lead(start);
        match self.kind(first) {
            Some(_) if start > opening => match self.settle(start, first) {
                Read(at, "marker") => Read(at, "sentence"),
                verdict => verdict,
            },
            Some(_) if self.is_value(first) => self.settle(start, first),
            Some(Kind::Word) if !self.choices() && self.spelled(start).is_some() => {
                self.figures(start)
            }
            Some(Kind::Bound | Kind::Dash | Kind::Stop) if self.is_value(self.lead(first + 1)) => {
                Not(Ambiguous, "bound")
            }
            _ => self.sentence(),
        }
    }

    /// Where the value may begin that an answer names or announces in so few words that nothing can
    /// doubt it: "total 46", "Das sind 46", "共46". Words, which prose is full of, need more.
    fn introduction(&self, start: usize) -> usize {
        let Some(first) = self.tokens.get(start).filter(|token| token.kind == Kind::Word) else {
            return start;
        };
        if !self.prose || self.words() {
            return start;
        }
        if !MAY_INTRODUCE.may_begin(first.text) {
            return start;
        }
        let Some(behind) = INTRODUCTIONS.iter().find_map(|phrase| {
            let mut at = start;
            for word in phrase.split(' ') {
                let token = self.tokens.get(at).filter(|token| token.kind == Kind::Word)?;
                if !token.text.chars().map(plain).flat_map(char::to_lowercase).eq(word.chars()) {
                    return None;
                }
                at += 1;
            }
            Some(at + usize::from(self.kind(at) == Some(Kind::Colon)))
        }) else {
            return start;
        };
        if self.is_value(self.lead(behind)) { behind } else { start }
    }

    /// The value of a number in words that begins here, and the place behind it.
    fn spelled(&self, from: usize) -> Option<(f64, usize)> {
        let mut spelled = Spelled::default();
        let mut add = |at: usize| {
            self.kind(at) == Some(Kind::Word)
                && self.tokens.get(at).is_some_and(|token| spelled.add(token.text))
        };
        // "a hundred and twenty"
        let mut at = from + usize::from(self.is_word(from, &["a"]));
        if !add(at) {
            return None;
        }
        loop {
            at += 1;
            let next = at + usize::from(self.is_word(at, &["and"]));
            if !add(next) {
                break;
            }
            at = next;
        }
        // Nobody counts up to more than a float holds in words.
        #[expect(clippy::cast_precision_loss)]
        Some((spelled.value() as f64, at))
    }

    /// "forty-six (46)": a number in words that its figures repeat.
    fn figures(&self, start: usize) -> Verdict {
        let Some((value, mut at)) = self.spelled(start) else {
            return Not(Unparsed, "word");
        };
        while matches!(self.role(at), Some(Role::Plain)) || self.kind(at) == Some(Kind::Currency) {
            at += 1;
        }
        let link = match self.kind(at) {
            Some(Kind::Open | Kind::Equals | Kind::Colon) => 1,
            Some(Kind::Comma) if self.role(at + 1) == Some(Role::Or) => 2,
            _ => 0,
        };
        let figures = self.lead(at + link);
        match self.kind(figures) {
            Some(Kind::Number(read)) if link > 0 => match self.trail(figures) {
                Trail::Clean if (read - value).abs() < 1e-9 * value.max(1.0) => {
                    Read(figures, "spelled")
                }
                _ => Not(Ambiguous, "several"),
            },
            _ => self.sentence(),
        }
    }

    /// The second value of "(it is) not 55 but 46".
    fn corrected(&self) -> Option<usize> {
        if !self.prose {
            return None;
        }
        let single = |at: usize| {
            matches!(self.kind(at), Some(Kind::Number(_) | Kind::Choice(_))) && self.is_value(at)
        };
        let not = (0..self.sentence_end(0)).find(|&at| self.role(at) == Some(Role::Not))?;
        let led = not == 0 || self.role(not - 1) == Some(Role::Copula);
        // "Not just Ana but Ben" denies nothing.
        let denied = self.lead(not + 1);
        let led = led && (not + 1..denied).all(|at| self.kind(at) != Some(Kind::Word));
        if !led || !self.is_word(not, &["not"]) || (0..not).any(|at| self.unsettles(at)) {
            return None;
        }
        let mut but = denied + 1;
        let stopped = self.kind(but) == Some(Kind::Stop) && !self.asks(but);
        let parted = stopped || matches!(self.kind(but), Some(Kind::Comma | Kind::Dash));
        but += usize::from(parted);
        // "not 55, it is 46"; behind the end of a sentence it must be said so.
        let said = self.is_word(but, &["it", "that"]) && self.role(but + 1) == Some(Role::Copula);
        if stopped && !said && !self.is_word(but, &["it's", "it’s", "that's", "that’s"]) {
            return None;
        }
        but += usize::from(parted && said);
        let value = self.lead(but + 1);
        let fits = single(denied)
            && (self.is_word(but, &["but"]) || (parted && self.role(but) == Some(Role::Copula)))
            && single(value)
            && !self.any_value(0..denied)
            && !self.same(denied, value);
        fits.then_some(value)
    }

    fn other_in(&self, mut places: Range<usize>, value: usize) -> bool {
        places.any(|at| self.is_value(at) && !self.same(value, at))
    }

    fn any_value(&self, mut places: Range<usize>) -> bool {
        places.any(|at| self.is_value(at))
    }

    /// Judges a value by what follows it. `start`: where its expression, if it is one, begins.
    fn settle(&self, start: usize, at: usize) -> Verdict {
        match self.kind(at) {
            Some(Kind::Unreadable) => return Not(Ambiguous, "unreadable"),
            Some(Kind::Clock) => return Not(Unparsed, "time"),
            _ => {}
        }
        match self.trail(at) {
            Trail::Clean => Read(at, "marker"),
            Trail::Expression => self.expression(start),
            Trail::Statement(verb) => self.statement(at, verb),
            Trail::Doubt(rule) => Not(Ambiguous, rule),
        }
    }

    fn trail(&self, value: usize) -> Trail {
        let mut at = value + 1;
        let mut words = 0;
        while let Some(kind) = self.kind(at) {
            at += match kind {
                Kind::Stop => return self.stopped(at, value),
                Kind::Percent | Kind::Currency => 1,
                Kind::Close => {
                    let opened = self.tokens.get(..value).unwrap_or_default();
                    let opened = opened.iter().any(|token| token.kind == Kind::Open);
                    if at == value + 1
                        && !opened
                        && matches!(self.kind(at + 1), Some(Kind::Word | Kind::Number(_)))
                    {
                        return Trail::Doubt("enumeration");
                    }
                    1
                }
                Kind::Operator if self.choices() && self.same(value, at + 1) => 2,
                Kind::Operator if self.choices() => return Trail::Doubt("several"),
                Kind::Equals if self.choices() => 1,
                // "0.5 = 50%"
                Kind::Equals
                    if matches!(self.kind(at - 1), Some(Kind::Number(_) | Kind::Percent))
                        && (self.same(value, at + 1) || self.share(value, at + 1)) =>
                {
                    2
                }
                Kind::Operator | Kind::Equals => return Trail::Expression,
                Kind::Comma | Kind::Dash | Kind::Colon => {
                    let next = self.lead(at + 1);
                    let next =
                        if self.role(next) == Some(Role::And) { self.lead(next + 1) } else { next };
                    if self.is_value(next) {
                        return Trail::Doubt("several");
                    }
                    let rest = at + 1..self.sentence_end(at + 1);
                    // "departs 15:00, arrives 16:15" states both.
                    let apart = |at: usize| {
                        matches!(
                            self.role(at),
                            Some(
                                Role::Not
                                    | Role::Past
                                    | Role::Earlier
                                    | Role::Wrong
                                    | Role::Because
                            )
                        ) || self.is_word(at, &["though", "although", "over", "replacing"])
                    };
                    if self.values != Values::Numbers
                        && self.other_in(rest.clone(), value)
                        && !rest.clone().any(apart)
                    {
                        return Trail::Doubt("several");
                    }
                    return self.remark(rest, value);
                }
                Kind::Open => {
                    let close = self.closing(at);
                    if let Trail::Doubt(rule) = self.remark(at..close, value) {
                        return Trail::Doubt(rule);
                    }
                    close + 1 - at
                }
                Kind::Word => {
                    let taken = match self.follower(at, value) {
                        Ok(taken) => taken,
                        Err(trail) => return trail,
                    };
                    words += 1;
                    if !self.prose && words > 3 {
                        return Trail::Doubt("prose");
                    }
                    taken
                }
                Kind::Other | Kind::Bound => return Trail::Doubt("doubt"),
                // "3 pens at $12 each = $36"
                Kind::Number(_) if self.priced(at) => return Trail::Expression,
                _ if self.choices() && (!self.is_value(at) || self.same(value, at)) => 1,
                _ => return Trail::Doubt("several"),
            };
        }
        Trail::Clean
    }

    /// Judges what stands behind the end of the sentence of a value.
    fn stopped(&self, at: usize, value: usize) -> Trail {
        let listed =
            self.tokens.get(at).is_some_and(|token| matches!(token.text, ";" | "；" | "|"));
        if listed && self.is_value(self.lead(at + 1)) {
            return Trail::Doubt("several");
        }
        if (at..self.stops_end(at)).any(|at| self.asks(at)) {
            return Trail::Doubt("doubt");
        }
        // "6. Mai"
        if !self.choices()
            && at == value + 1
            && self.role(at + 1) == Some(Role::Month)
            && !matches!(self.kind(at + 2), Some(Kind::Word))
        {
            return Trail::Doubt("changed");
        }
        let next = self.lead(at + 1);
        if (!self.prose && self.kind(at + 1).is_some())
            || (!self.choices() && self.is_value(next) && !self.same(value, next))
        {
            // "1. First, …" opens a list, not an answer.
            return Trail::Doubt("enumeration");
        }
        if !self.words() {
            return self.afterwards(at + 1, value);
        }
        if self.retracts(at + 1) { Trail::Doubt("retracted") } else { Trail::Clean }
    }

    /// How many tokens a word behind a value takes as its unit, or what it makes of the value.
    fn follower(&self, at: usize, value: usize) -> Result<usize, Trail> {
        let rest = || self.remark(at..self.sentence_end(at), value);
        let next_is = |words: &[&str]| self.is_word(at + 1, words);
        if self.values == Values::Times
            && at == value + 1
            && (self.is_in(at, &CANCELLED) || self.is_in(at, &SPANS_BEHIND))
        {
            return Err(Trail::Doubt("doubt"));
        }
        if !self.choices() && self.alters(at, value) {
            return Err(Trail::Doubt("changed"));
        }
        let doubt = match self.role(at).unwrap_or(Role::Plain) {
            Role::Copula => return Err(Trail::Statement(at)),
            Role::Past if self.choices() => return Err(Trail::Statement(at)),
            // "46 or so" is about 46.
            Role::Or if next_is(&["so"]) => return Ok(2),
            Role::Or => "several",
            Role::Change | Role::Month if !self.words() => "changed",
            Role::And if self.is_in(at + 1, &OPEN) => "bound",
            Role::And if !self.choices() && at == value + 1 && next_is(&["a"]) => "several",
            Role::To if self.spelled(at + 1).is_some() => "several",
            // "46 hundred thousand"
            Role::Plain if at == value + 1 && self.spelled(at).is_some() => "several",
            Role::Because if self.is_word(at, &["up"]) && next_is(&["to"]) => "several",
            Role::Because | Role::Not => return Err(rest()),
            Role::Plain if self.choices() && self.is_word(at, &["over", "replacing"]) => {
                return Err(rest());
            }
            // "No longer", but "46, no tax" is behind a comma.
            Role::No
            | Role::Past
            | Role::If
            | Role::But
            | Role::Hedge
            | Role::Earlier
            | Role::Refusal
            | Role::Wrong
            | Role::Pending
            | Role::Wanting
            | Role::Retract => "doubt",
            _ => return Ok(1),
        };
        Err(Trail::Doubt(doubt))
    }

    /// Whether a word behind a number makes another one of it: "$46 off", "46% more",
    /// "46 less shipping", "46 provided the note holds".
    fn alters(&self, at: usize, value: usize) -> bool {
        let direct = (value + 1..at)
            .all(|at| matches!(self.kind(at), Some(Kind::Currency | Kind::Percent | Kind::Close)));
        let share = at > value + 1 && self.kind(at - 1) == Some(Kind::Percent);
        let than = self.is_word(at + 1, &["than"]);
        direct
            && (self.is_in(at, &DONE)
                || (self.is_word(at, &["more", "fewer", "less"]) && (share || than))
                || (self.is_word(at, &["less"]) && self.kind(at + 1) == Some(Kind::Word))
                || self.conditional(at))
    }

    /// "provided the note holds", but not "provided by Ana".
    fn conditional(&self, at: usize) -> bool {
        self.is_in(at, &PROVIDED)
            && self.kind(at + 1) == Some(Kind::Word)
            && !self.is_word(at + 1, &["above", "as", "by", "earlier", "for", "from", "in", "to"])
    }

    /// Judges a remark behind a value.
    fn remark(&self, places: Range<usize>, value: usize) -> Trail {
        let first =
            places.clone().find(|&at| self.kind(at) != Some(Kind::Open)).unwrap_or(places.end);
        if self.retracts(first) || (self.values == Values::Times && self.is_in(first, &CANCELLED)) {
            return Trail::Doubt("retracted");
        }
        if places.clone().any(|at| self.asks(at) || self.kind(at) == Some(Kind::Other)) {
            return Trail::Doubt("doubt");
        }
        let denial = self.role(first) == Some(Role::Not)
            || (self.role(first) == Some(Role::And) && self.role(first + 1) == Some(Role::Not));
        match self.role(first) {
            Some(Role::Or) => return Trail::Doubt("several"),
            Some(Role::And) if !denial && self.other_in(places.clone(), value) => {
                return Trail::Doubt("several");
            }
            Some(Role::If | Role::But) => return Trail::Doubt("doubt"),
            // In brackets an assumption is a note.
            _ if !self.choices() && first == places.start && self.conditional(first) => {
                return Trail::Doubt("doubt");
            }
            _ => {}
        }
        if !self.choices()
            && !self.is_word(first, &["one"])
            && let Some((spelled, _)) = self.spelled(first)
        {
            let read = self.kind(value);
            let same = matches!(read, Some(Kind::Number(value)) if (value - spelled).abs() < 1e-9);
            return if same { Trail::Clean } else { Trail::Doubt("several") };
        }
        if places.clone().any(|at| self.unsure(at)) {
            return Trail::Doubt("doubt");
        }
        let start = places.start;
        let (mut others, mut words, mut doubt, mut concludes) = (0, 0, false, false);
        for at in places {
            if self.is_value(at) {
                if self.same(value, at) || self.share(value, at) {
                    continue;
                }
                others += 1;
                let before = (start..at).rev().find(|&at| {
                    !matches!(self.kind(at), Some(Kind::Currency | Kind::Approx | Kind::Open))
                });
                if before.is_some_and(|before| self.replaces(before)) {
                    return Trail::Doubt("several");
                }
                let before = before.and_then(|at| self.role(at));
                let joined = before == Some(Role::Or) && !denial;
                if concludes || joined || matches!(before, Some(Role::Hedge | Role::Retract)) {
                    return Trail::Doubt("several");
                }
            }
            let Some(role) = self.role(at) else { continue };
            words += 1;
            concludes |= role == Role::So && !self.choices();
            doubt |= matches!(
                role,
                Role::Refusal
                    | Role::Wrong
                    | Role::Pending
                    | Role::Wanting
                    | Role::Hedge
                    | Role::Earlier
                    | Role::Change
            ) || (role == Role::Not && (at == first || self.is_word(at + 1, &UNSURE)));
        }
        match (others, words, doubt) {
            (0, _, true) => Trail::Doubt("doubt"),
            (1, 0, _) => Trail::Doubt("several"),
            _ => Trail::Clean,
        }
    }

    /// Whether the value behind these last words takes the place of an earlier one: "now",
    /// "should be", "replaced by".
    fn replaces(&self, last: usize) -> bool {
        self.is_word(last, &["now"])
            || self.stands(last)
            || (last > 0
                && self.is_word(last, &["by", "to", "with"])
                && self.is_in(last - 1, &REPLACED))
    }

    /// "low confidence", "to be confirmed"
    fn unsure(&self, at: usize) -> bool {
        (self.is_word(at, &["low", "no", "little", "limited"])
            && self.is_word(at + 1, &["confidence"]))
            || (self.is_word(at, &["be"])
                && self.is_word(
                    at + 1,
                    &["confirmed", "verified", "checked", "determined", "decided"],
                ))
    }

    fn asks(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Stop)
            && self
                .tokens
                .get(at)
                .and_then(|token| token.text.chars().next_back())
                .is_some_and(|sign| plain(sign) == '?')
    }

    /// Where a run of stops ends.
    fn stops_end(&self, from: usize) -> usize {
        (from..self.tokens.len())
            .find(|&at| self.kind(at) != Some(Kind::Stop))
            .unwrap_or(self.tokens.len())
    }

    /// Judges the sentences behind a value: `55. That is wrong.`
    fn afterwards(&self, mut from: usize, value: usize) -> Trail {
        while from < self.tokens.len() {
            let end = self.sentence_end(from);
            if let Trail::Doubt(rule) = self.remark(from..end, value) {
                return Trail::Doubt(rule);
            }
            let restated = |at: usize| {
                let next = self.lead(at + 1);
                let states = matches!(self.kind(at), Some(Kind::Colon | Kind::Comma))
                    || self.role(at) == Some(Role::Copula);
                states && next < end && self.is_value(next) && !self.same(value, next)
            };
            if (from..end).any(restated) {
                return Trail::Doubt("several");
            }
            from = end + 1;
        }
        Trail::Clean
    }

    fn retracts(&self, at: usize) -> bool {
        self.role(at) == Some(Role::Retract)
            || self.is_word(at, &["sorry", "er"])
            || (self.is_word(at, &["i"]) && self.is_word(at + 1, &["mean"]))
            || (self.is_word(at, &["rather"]) && self.is_value(self.lead(at + 1)))
            || (self.role(at) == Some(Role::No)
                && (self.kind(at + 1) == Some(Kind::Comma) || self.retracts_word(at + 1)))
    }

    fn retracts_word(&self, at: usize) -> bool {
        self.role(at) == Some(Role::Retract)
    }

    /// The bracket that closes the one at this place, or the end.
    fn closing(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for at in open..self.tokens.len() {
            match self.kind(at) {
                Some(Kind::Open) => depth += 1,
                Some(Kind::Close) if depth == 1 => return at,
                Some(Kind::Close) => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        self.tokens.len()
    }

    fn sentence_end(&self, from: usize) -> usize {
        (from..self.tokens.len())
            .find(|&at| self.kind(at) == Some(Kind::Stop))
            .unwrap_or(self.tokens.len())
    }

    /// Sides of an equation that begins here: the last one, or a lone first one, is the answer.
    fn expression(&self, start: usize) -> Verdict {
        let (mut first, mut last) = (None, None);
        for at in start..self.tokens.len() {
            match self.kind(at) {
                Some(Kind::Equals | Kind::Approx) if at > start => {
                    first = first.or(Some(at));
                    last = Some(at);
                }
                Some(Kind::Word) => match self.role(at) {
                    Some(role)
                        if (role == Role::Copula || self.is_in(at, &STATES))
                            && self.is_value(self.lead(at + 1)) =>
                    {
                        first = first.or(Some(at));
                        last = Some(at);
                    }
                    Some(Role::Plain | Role::Lead) => {}
                    _ => break,
                },
                Some(
                    Kind::Equals
                    | Kind::Approx
                    | Kind::Number(_)
                    | Kind::Currency
                    | Kind::Operator
                    | Kind::Open
                    | Kind::Close
                    | Kind::Percent,
                ) => {}
                _ => break,
            }
        }
        let (Some(first), Some(last)) = (first, last) else {
            return Not(Ambiguous, "expression");
        };
        let answer = self.lead(last + 1);
        if !matches!(self.kind(answer), Some(Kind::Number(_))) {
            return Not(Ambiguous, "expression");
        }
        match self.trail(answer) {
            Trail::Clean if self.contradicts(start..first, answer) => Not(Ambiguous, "expression"),
            Trail::Clean => Read(answer, "expression"),
            Trail::Doubt(rule) => Not(Ambiguous, rule),
            Trail::Statement(_) => Not(Ambiguous, "expression"),
            Trail::Expression => {
                let mut side = (start..first).filter(|&at| {
                    !matches!(
                        self.kind(at),
                        Some(Kind::Currency | Kind::Approx | Kind::Word | Kind::Percent)
                    )
                });
                match (side.next(), side.next()) {
                    (Some(at), None)
                        if first == last && matches!(self.kind(at), Some(Kind::Number(_))) =>
                    {
                        Read(at, "expression")
                    }
                    _ => Not(Ambiguous, "expression"),
                }
            }
        }
    }

    /// Whether a number is a price of what is counted before it, in an equation: "3 pens at $12 = …".
    fn priced(&self, price: usize) -> bool {
        let before = (0..price).rev().find(|&at| self.kind(at) != Some(Kind::Currency));
        before.is_some_and(|at| self.is_word(at, &["at"]))
            && (price..self.sentence_end(price)).any(|at| self.kind(at) == Some(Kind::Equals))
    }

    /// Whether the side of an equation is another plain number: "46 = 47", but not "1/3 = 0.33".
    fn contradicts(&self, side: Range<usize>, answer: usize) -> bool {
        let mut side = side.filter(|&at| self.kind(at) != Some(Kind::Currency));
        let (Some(at), None) = (side.next(), side.next()) else { return false };
        let digits =
            |token: &Token<'_>| token.text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        self.tokens.get(at).is_some_and(digits) && self.is_value(at) && !self.same(at, answer)
    }

    /// "46 is the total": nothing may be denied, and no other value named.
    fn statement(&self, value: usize, verb: usize) -> Verdict {
        let end = self.sentence_end(verb);
        let denied = (verb..end).any(|at| match self.role(at) {
            // "is the manager, not Ben" denies only Ben.
            Some(Role::Not) => {
                let next = self.lead(at + 1);
                !self.is_value(next) || self.same(value, next)
            }
            Some(
                Role::Refusal
                | Role::No
                | Role::Wrong
                | Role::Wanting
                | Role::Pending
                | Role::Hedge
                | Role::Earlier
                | Role::If
                | Role::But
                | Role::Or,
            ) => true,
            Some(Role::Past) => self.choices(),
            // "A is out, so B"
            Some(Role::So) => self.other_in(at..end, value),
            _ if at > verb + 1 => false,
            _ if self.values == Values::Times && self.is_in(at, &CANCELLED) => true,
            _ => self.choices() && at == verb + 1 && self.is_in(at, &GONE),
        });
        let others = (verb..end).any(|at| self.is_value(at) && !self.same(value, at));
        let explained = (verb..end)
            .find(|&at| self.role(at) == Some(Role::Because) || self.kind(at) == Some(Kind::Comma));
        let named = self.choices()
            || self.is_word(verb + 1, &["the", "my", "our", "your", "correct", "right", "what"]);
        if denied || !named {
            return Not(Ambiguous, "doubt");
        }
        if others && explained.is_none_or(|at| self.any_value(verb..at)) {
            return Not(Ambiguous, "several");
        }
        Read(value, "sentence")
    }

    /// Whether a value is said to follow, and where its approach begins.
    fn copula(&self, at: usize) -> Option<usize> {
        let yes = match self.kind(at)? {
            Kind::Equals => true,
            Kind::Colon | Kind::Approx | Kind::Dash => self.label(at),
            Kind::Word => match self.role(at)? {
                // An aside: "forty-six, which is 9 less".
                Role::Copula => at == 0 || !self.is_word(at - 1, &["which"]),
                Role::To => {
                    at > 0
                        && self.is_word(
                            at - 1,
                            &["comes", "come", "amounts", "equal", "up", "out", "sums"],
                        )
                        && (!self.is_word(at - 1, &["up", "out"])
                            || (at > 1
                                && self.is_word(
                                    at - 2,
                                    &[
                                        "add", "adds", "sum", "sums", "work", "works", "come",
                                        "comes",
                                    ],
                                )))
                }
                _ => {
                    self.stands(at)
                        || self.is_in(at, &STATES)
                        || self.is_word(at, &["us"]) && at > 0 && self.is_in(at - 1, &STATES)
                        || self.is_word(at, &["get", "got"])
                            && at > 0
                            && self.is_word(at - 1, &["i", "we"])
                }
            },
            _ => false,
        };
        yes.then_some(at + 1)
    }

    /// "should be", "has to be"
    fn stands(&self, be: usize) -> bool {
        self.is_word(be, &["be"])
            && be > 0
            && (self.is_word(be - 1, &["should", "will", "must"])
                || (be > 1 && self.is_word(be - 1, &["to"]) && self.is_word(be - 2, &["has"])))
    }

    /// Whether the words before a colon announce a value: "Total price", "Amount due", but not
    /// "information lost" or "old total".
    fn label(&self, colon: usize) -> bool {
        let mut named = false;
        for at in 0..colon {
            match self.kind(at) {
                Some(Kind::Open | Kind::Close | Kind::Currency | Kind::Percent) => {}
                Some(Kind::Dash) if at == 0 => {}
                // What it is a total of.
                Some(Kind::Number(_)) if named => {}
                Some(Kind::Word) => {
                    let harmless = match self.role(at) {
                        Some(Role::Plain | Role::Lead) => !self.unsettles(at),
                        _ => self.is_in(at, &BESIDE_LABELS),
                    };
                    if !harmless || self.is_in(at, &OTHER_LABELS) {
                        return false;
                    }
                    named |= self.is_in(at, &LABELS);
                }
                _ => return false,
            }
        }
        named
    }

    /// Whether nothing around an option that was read leaves a doubt. Sentences about options
    /// can say anything, so only what is known to be harmless may stand beside one.
    fn chosen(&self, value: usize) -> bool {
        self.introduced(value) && self.unchallenged(value + 1, value)
    }

    fn introduced(&self, value: usize) -> bool {
        let mut at = value;
        while at > 0
            && (matches!(self.kind(at - 1), Some(Kind::Open | Kind::Currency))
                || self.is_in(at - 1, &BEFORE_OPTION))
        {
            at -= 1;
        }
        let opening = self.opening();
        let Some(mut link) = at.checked_sub(1).filter(|&link| link >= opening) else {
            return true;
        };
        let leads = |at: usize| {
            self.is_in(at, &BEFORE_OPTION)
                || self.kind(at) == Some(Kind::Comma)
                || self.role(at) == Some(Role::So)
        };
        match self.kind(link) {
            Some(Kind::Equals | Kind::Dash) => self.label(link),
            Some(Kind::Comma) => (opening..link).all(leads),
            Some(Kind::Colon) if self.label(link) => true,
            Some(Kind::Colon | Kind::Word) => {
                link -= usize::from(link > 0 && self.kind(link) == Some(Kind::Colon));
                if self.role(link) == Some(Role::Copula) || self.stands(link) {
                    return (0..link)
                        .all(|at| !self.unsettles(at) && self.role(at) != Some(Role::Past));
                }
                self.picked(link).is_some_and(|subject| (opening..subject).all(leads))
            }
            _ => false,
        }
    }

    /// Where somebody who picks begins, when these are the last words: "I would go with".
    fn picked(&self, verb: usize) -> Option<usize> {
        let verb = if self.is_word(verb, &["with", "for", "on"]) {
            verb.checked_sub(1).filter(|&verb| self.is_in(verb, &PICK_WITH))?
        } else {
            self.is_in(verb, &PICK).then_some(verb)?
        };
        let mut subject = verb.checked_sub(1)?;
        let contracted = ["i'd", "i'll", "i'm", "we'd", "we'll"];
        let short = self.tokens.get(subject)?.text.replace('’', "'");
        if contracted.iter().any(|word| short.eq_ignore_ascii_case(word)) {
            return Some(subject);
        }
        if self.is_word(subject, &["would", "will", "am", "shall", "must"]) {
            subject = subject.checked_sub(1)?;
        }
        self.is_word(subject, &["i", "we"]).then_some(subject)
    }

    /// Whether a token takes something back, asks, doubts or refuses.
    fn unsettles(&self, at: usize) -> bool {
        match self.kind(at) {
            Some(Kind::Other | Kind::Bound) => true,
            Some(Kind::Stop) => self.asks(at),
            _ => {
                matches!(
                    self.role(at),
                    Some(
                        Role::Refusal
                            | Role::Not
                            | Role::No
                            | Role::Pending
                            | Role::Wanting
                            | Role::Wrong
                            | Role::Hedge
                            | Role::Earlier
                            | Role::If
                            | Role::But
                            | Role::Or
                            | Role::Retract
                    )
                ) || self.is_in(at, &GONE)
                    || self
                        .tokens
                        .get(at)
                        .and_then(|token| token.text.get(..3))
                        .is_some_and(|head| head.eq_ignore_ascii_case("ex-"))
            }
        }
    }

    /// Whether what stands from this place on leaves an option as it is.
    fn unchallenged(&self, mut at: usize, value: usize) -> bool {
        while let Some(kind) = self.kind(at) {
            match kind {
                Kind::Close | Kind::Currency => at += 1,
                Kind::Choice(_) if self.same(value, at) => at += 1,
                Kind::Stop => {
                    return !self.unsettles(at) && self.later(at + 1, value);
                }
                Kind::Open => {
                    let close = self.closing(at);
                    if !self.aside(at + 1..close, value) {
                        return false;
                    }
                    at = close + 1;
                }
                Kind::Comma | Kind::Dash | Kind::Colon => {
                    let end = self.sentence_end(at);
                    if !self.aside(at + 1..end, value) {
                        return false;
                    }
                    at = end;
                }
                Kind::Word if self.is_in(at, &AROUND_OPTION) => at += 1,
                Kind::Word if self.is_word(at, &["is"]) => {
                    if !self.is_word(at + 1, &["the", "my", "our", "your", "correct", "right"]) {
                        return false;
                    }
                    let mut end = at + 2;
                    while self.kind(end) == Some(Kind::Word)
                        && self.role(end) == Some(Role::Plain)
                        && !self.unsettles(end)
                    {
                        end += 1;
                    }
                    let stops = self.kind(end).is_none_or(|kind| {
                        matches!(kind, Kind::Stop | Kind::Comma | Kind::Close | Kind::Open)
                    });
                    let explains = self.is_in(end, &WHY) || self.role(end) == Some(Role::Not);
                    if end > at + 6 || !(stops || explains) {
                        return false;
                    }
                    at = end;
                }
                Kind::Word => {
                    let end = self.sentence_end(at);
                    if !self.aside(at..end, value) {
                        return false;
                    }
                    at = end;
                }
                _ => return false,
            }
        }
        true
    }

    /// Whether a remark denies another option, explains, or says nothing.
    fn aside(&self, places: Range<usize>, value: usize) -> bool {
        let Range { start, end } = places;
        let other = |at: usize| self.is_value(at) && !self.same(value, at);
        if start >= end {
            return true;
        }
        // "not Ben", "instead of Ben", "previously Ben"
        let mut at = start;
        if self.is_word(at, &["and"]) {
            at += 1;
        }
        let contrast = if self.role(at) == Some(Role::Not)
            || self.is_word(
                at,
                &[
                    "previously",
                    "formerly",
                    "earlier",
                    "originally",
                    "initially",
                    "was",
                    "unlike",
                    "over",
                    "replacing",
                ],
            ) {
            Some(at + 1)
        } else if (self.is_word(at, &["instead"]) && self.is_word(at + 1, &["of"]))
            || (self.is_word(at, &["rather"]) && self.is_word(at + 1, &["than"]))
        {
            Some(at + 2)
        } else {
            None
        };
        if let Some(denied) = contrast {
            let denied = self.lead(denied);
            if denied >= end || !other(denied) {
                return false;
            }
            let mut next = denied + 1;
            while next < end && matches!(self.kind(next), Some(Kind::Close)) {
                next += 1;
            }
            return next >= end
                || (self.is_in(next, &WHY) && self.aside(next..end, value))
                || (self.kind(next) == Some(Kind::Comma) && self.aside(next + 1..end, value));
        }
        if self.denies(start..end, value) {
            return true;
        }
        if self.is_in(start, &WHY) {
            let named = (start..end).any(other);
            return (start + 1..end).all(|at| {
                if named {
                    !matches!(
                        self.role(at),
                        Some(Role::So | Role::Or | Role::But | Role::Retract | Role::If)
                    )
                } else {
                    self.denial(value)
                        .map_or(!self.unsettles(at), |denial| self.explains(at, denial))
                }
            });
        }
        if let Some(denial) = self.denial(value) {
            // "No, it fell": behind such a word a sentence explains it.
            return (start..end).all(|at| self.explains(at, denial) && !other(at));
        }
        // "Ana, our new manager", but not "Ana's manager".
        let named = start > 0
            && matches!(self.kind(start - 1), Some(Kind::Open | Kind::Comma | Kind::Dash));
        (start..end).all(|at| {
            self.is_in(at, &AROUND_OPTION)
                || (named && (self.is_in(at, &LABELS) || self.is_in(at, &BESIDE_NAMES)))
                || matches!(self.kind(at), Some(Kind::Comma | Kind::Close | Kind::Open))
                || (self.is_value(at) && self.same(value, at))
        })
    }

    /// Whether an option is a plain *no*, if it is that or a plain *yes*.
    fn denial(&self, value: usize) -> Option<bool> {
        let word = self.tokens.get(value)?.text;
        let is = |words: [&str; 2]| words.iter().any(|plain| word.eq_ignore_ascii_case(plain));
        if is(["no", "false"]) { Some(true) } else { is(["yes", "true"]).then_some(false) }
    }

    /// Whether a token behind such a word leaves it as it is. What denies goes with a *no*: "No, it
    /// does not", but not "No, it is not known".
    fn explains(&self, at: usize, denial: bool) -> bool {
        if self.role(at) == Some(Role::Not) {
            let unsure = self.is_word(at + 1, &UNSURE)
                || self.is_word(at + 1, &["clear", "given", "mentioned", "recorded", "stated"]);
            return denial && !unsure;
        }
        let weakens =
            self.is_word(at, &["caveats", "largely", "mostly", "partially", "partly", "somewhat"]);
        let gone = self.role(at) == Some(Role::Plain) && self.is_in(at, &GONE);
        !weakens && (gone || !self.unsettles(at))
    }

    /// Whether a sentence names other options, and denies each: "Ben is out", "not Ben".
    fn denies(&self, places: Range<usize>, value: usize) -> bool {
        let Range { start, end } = places;
        let mut named = false;
        for at in start..end {
            if matches!(self.role(at), Some(Role::But | Role::Or | Role::Retract)) {
                return false;
            }
            if !self.is_value(at) {
                continue;
            }
            named = true;
            let before = at > start && self.role(at - 1) == Some(Role::Not);
            let behind = matches!(self.role(at + 1), Some(Role::Copula | Role::Past))
                && (self.role(at + 2) == Some(Role::Wrong)
                    || self.is_word(at + 2, &["out", "gone", "not"]));
            if self.same(value, at) || !(before || behind) {
                return false;
            }
        }
        named
    }

    /// Whether later sentences leave an option as it is: they deny each other one they name.
    fn later(&self, mut from: usize, value: usize) -> bool {
        while from < self.tokens.len() {
            let end = self.sentence_end(from);
            let names_other = (from..end).any(|at| self.is_value(at) && !self.same(value, at));
            let unsettled = |at: usize| match self.denial(value) {
                Some(denial) => !self.explains(at, denial),
                None => {
                    self.unsettles(at)
                        || matches!(
                            self.role(at),
                            Some(Role::Past | Role::But | Role::Or | Role::Retract)
                        )
                }
            };
            if if names_other { !self.denies(from..end, value) } else { (from..end).any(unsettled) }
            {
                return false;
            }
            from = end + 1;
        }
        true
    }

    /// The value that the first sentence states.
    fn sentence(&self) -> Verdict {
        if !self.prose {
            return self.valueless(0..self.tokens.len(), "prose");
        }
        let end = self.sentence_end(0);
        if let Some(value) = self.held(end) {
            return match self.trail(value) {
                Trail::Clean => Read(value, "sentence"),
                _ => Not(Ambiguous, "doubt"),
            };
        }
        let stated = |at: usize| {
            if self.choices() {
                return self.is_value(at).then_some(at);
            }
            let value = self.lead(self.copula(at)?);
            (value < end && self.is_value(value)).then_some(value)
        };
        let Some((verb, value)) = (0..end).find_map(|at| stated(at).map(|value| (at, value)))
        else {
            return if self.any_value(0..end)
                && self.valueless(0..end, "word") == Not(Unparsed, "word")
            {
                Not(Ambiguous, "sentence")
            } else {
                self.valueless(0..end, "word")
            };
        };
        let before =
            |unfit: fn(Role) -> bool| (0..value).any(|at| self.role(at).is_some_and(unfit));
        if before(|role| matches!(role, Role::Refusal | Role::Not | Role::Pending))
            || self.role(0) == Some(Role::No)
        {
            return Not(Abstained, "refusal");
        }
        if before(|role| {
            matches!(role, Role::Hedge | Role::Earlier | Role::Wrong | Role::If | Role::Retract)
        }) {
            return Not(Ambiguous, "hedge");
        }
        if self.choices() && !self.words() && !self.stated(value) {
            return Not(Ambiguous, "doubt");
        }
        let verdict = self.settle(verb + 1, value);
        let Read(answer, rule) = verdict else {
            return verdict;
        };
        let mut depth = 0_usize;
        for at in answer + 1..end {
            match self.kind(at) {
                Some(Kind::Open) => depth += 1,
                Some(Kind::Close) => depth = depth.saturating_sub(1),
                _ if self.role(at) == Some(Role::Because) => break,
                _ if depth > 0 => {}
                _ => {
                    if stated(at).is_some_and(|other| !self.choices() && !self.same(answer, other))
                    {
                        return Not(Ambiguous, "several");
                    }
                }
            }
        }
        Read(answer, if rule == "marker" { "sentence" } else { rule })
    }

    /// The number of a plain sentence of a subject, a verb of having, the number and what it
    /// counts: "She has 46 apples left."
    fn held(&self, end: usize) -> Option<usize> {
        if self.choices() {
            return None;
        }
        let verb = (1..end.min(5)).find(|&at| self.is_in(at, &HOLDS))?;
        let subject = (0..verb).all(|at| {
            matches!(self.role(at), Some(Role::Plain | Role::Lead | Role::And))
                && !self.unsettles(at)
                && !self.is_in(at, &NOBODY)
                && !self.is_in(at, &OF_TASK)
        });
        let value = self.lead(verb + 1);
        let number = matches!(self.kind(value), Some(Kind::Number(_)));
        if !subject || !number || self.role(verb + 1) == Some(Role::No) {
            return None;
        }
        let unit = (value + 1..end)
            .find(|&at| !matches!(self.kind(at), Some(Kind::Currency | Kind::Percent)))
            .unwrap_or(end);
        let remark = |at: usize| {
            matches!(self.kind(at), Some(Kind::Comma | Kind::Open | Kind::Dash))
                || matches!(self.role(at), Some(Role::Because | Role::Not))
        };
        let end = (unit..end).find(|&at| remark(at)).unwrap_or(end);
        // At most two words say what is counted, "red pens", and others that it is all.
        let counts = |at: usize| {
            self.role(at) == Some(Role::Plain)
                && !self.is_in(at, &OF_TASK)
                && !self.is_in(at, &NO_UNIT)
        };
        let rest = (unit..end.min(unit + 2)).find(|&at| !counts(at)).unwrap_or(end.min(unit + 2));
        let other = (end..self.tokens.len()).find(|&at| self.is_value(at) && !self.same(value, at));
        let apart = |at: usize| {
            matches!(self.role(at), Some(Role::Because | Role::Not | Role::Past | Role::Earlier))
        };
        ((rest..end).all(|at| self.is_in(at, &IN_ALL))
            && other
                .is_none_or(|other| self.kind(end) == Some(Kind::Open) || (end..other).any(apart)))
        .then_some(value)
    }

    /// Whether what stands before a letter or a time in a sentence leaves it as it is.
    fn stated(&self, value: usize) -> bool {
        let mut next = value;
        while next > 0
            && (matches!(self.kind(next - 1), Some(Kind::Open | Kind::Approx))
                || self.role(next - 1) == Some(Role::Lead)
                || self.is_word(next - 1, &["the", "option"]))
        {
            next -= 1;
        }
        let bounded = next > 0 && self.is_in(next - 1, &BOUNDS);
        // "5 °C" is no letter, and "the eliminated option is B" no answer.
        let unit = self.values == Values::Letters
            && ((next > 0 && matches!(self.kind(next - 1), Some(Kind::Number(_) | Kind::Percent)))
                || (0..next).any(|at| {
                    self.is_in(at, &OTHER_LABELS)
                        && self.is_word(at + 1, &["answer", "choice", "letter", "option"])
                }));
        // "It took 4:15", "John 3:16", but "The test of version 2 starts at 16:15".
        let spans = self.values == Values::Times
            && !(next > 0 && self.is_word(next - 1, &["at"]))
            && (0..next).any(|at| self.is_in(at, &SPANS));
        // "Vitamin C" is no letter.
        let named = self.values == Values::Letters
            && next > 0
            && self.role(next - 1) == Some(Role::Plain)
            && !self.stands(next - 1)
            && !self.is_in(next - 1, &NAMES_OPTION)
            && ![&BEFORE_OPTION, &PICK, &SURE].iter().any(|list| self.is_in(next - 1, list));
        !bounded
            && !unit
            && !spans
            && !named
            && (0..value).all(|at| match self.kind(at) {
                Some(Kind::Other) => self.is_bullet(at),
                Some(Kind::Bound) => false,
                Some(Kind::Word) => {
                    !matches!(self.role(at), Some(Role::Past | Role::But))
                        // Of other scripts only some words are known.
                        && self.tokens.get(at).is_some_and(|token| {
                            token.text.chars().all(|c| c < '\u{250}' || is_invisible(c))
                                // "в 16:15"
                                || (at == 0
                                    && value == 1
                                    && self.values == Values::Times
                                    && matches!(token.text, "в" | "В" | "о" | "О" | "на"))
                        })
                }
                _ => true,
            })
    }

    /// What the tokens of these places are when they state no value.
    fn valueless(&self, places: Range<usize>, otherwise: &'static str) -> Verdict {
        let ends = |at: usize| self.tokens.get(at).map(|token| token.end);
        let start = self.tokens.get(places.start).map_or(0, |token| token.start);
        let end = places.end.checked_sub(1).and_then(ends).unwrap_or(start);
        match declined(self.text.get(start..end).unwrap_or_default()) {
            Some(rule) => Not(Abstained, rule),
            None => Not(Unparsed, otherwise),
        }
    }
}

/// What a text is that holds no value at all.
pub(super) fn valueless(text: &str) -> (Status, &'static str) {
    if let Some(kept) = unstruck(text) {
        return match declined(&kept) {
            Some(rule) => (Abstained, rule),
            None => (Ambiguous, "retracted"),
        };
    }
    match declined(text) {
        Some(rule) => (Abstained, rule),
        None if text.contains(char::is_alphanumeric) => (Unparsed, "word"),
        None => (Unparsed, "empty"),
    }
}

/// The rule by which the first sentence of a text declines to answer.
fn declined(text: &str) -> Option<&'static str> {
    let text = text.trim_start_matches(|c: char| {
        c.is_whitespace() || is_invisible(c) || matches!(c, '*' | '_' | '`' | '"' | '$')
    });
    if let Some(inner) = text
        .trim_start_matches('{')
        .strip_prefix(['<', '(', '[', '（', '【'])
        .or_else(|| text.strip_prefix('{').map(|inner| inner.trim_start_matches('{')))
        && inner.trim_start().starts_with(char::is_alphabetic)
    {
        return Some("placeholder");
    }
    let in_word = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '/');
    let mut rest = text;
    let (mut first, mut denied) = (true, false);
    while let Some(start) =
        rest.find(|c: char| in_word(c) || matches!(c, '.' | '!' | '?' | ';' | '…'))
    {
        rest = rest.get(start..)?;
        let word = rest.trim_start_matches(in_word);
        let word = rest.get(..rest.len() - word.len())?;
        if word.is_empty() {
            let mark = rest.chars().next()?;
            rest = rest.get(mark.len_utf8()..)?;
            if rest.is_empty() || rest.starts_with(char::is_whitespace) {
                return None;
            }
            continue;
        }
        rest = rest.get(word.len()..)?;
        match role(word) {
            Role::Refusal | Role::Not | Role::Pending | Role::Wanting | Role::Retract => {
                return Some("refusal");
            }
            Role::No if first => return Some("refusal"),
            Role::No => denied = true,
            _ if denied && NOTHING_OF.holds(word) => return Some("refusal"),
            _ => denied = false,
        }
        first = false;
    }
    None
}
