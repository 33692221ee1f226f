//! Which of the values named in an answer the reply commits to.
//!
//! # The rules, in order
//! 1. **Leading value.** A value at the start, behind at most brackets, a currency, a sign of
//!    approximation or words such as *about*, is the answer, unless what follows takes it back:
//!    * another value in the same clause (a list, a range, `46 or 55`, `5 ft 10 in`): ambiguous;
//!    * `was`, `would`, `if`, `but`: ambiguous;
//!    * a remark behind a comma, dash, bracket or a word such as *because* is not part of the
//!      answer, and its numbers do not count, with four exceptions that are ambiguous: it
//!      offers an alternative (`(or 55)`), it is nothing but another value (`46 (55)`), it
//!      starts by taking back (`wait, …`), or it doubts or refuses without naming another value
//!      (`55 (cannot verify)`, but `46 (the 55 was wrong)` is read).
//! 2. **Expression.** `28 + 18 = 46` and `46 = 28 + 18` are read as the side that stands alone;
//!    an expression without `=` is ambiguous, never evaluated.
//! 3. **Sentence.** Otherwise the first sentence is read when exactly one value follows `is`,
//!    `are`, `equals`, `=`, `:` behind a label, *comes to* and the like; a refusal or negation before it is an
//!    abstention, a hedge (*probably*, *if*, *earlier*, *I think*) leaves it ambiguous. Of options
//!    of a closed set only what is known to be harmless may be said: [`Clause::chosen`].
//! 4. **No value.** A refusal or a placeholder is an abstention, anything else unparsed.

use super::answer::Status;
use super::chars::is_invisible;
use super::lexer::{Kind, Token};
use std::ops::Range;

/// Which token is the answer, or why there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Read(usize, &'static str),
    Not(Status, &'static str),
}

use Status::{Abstained, Ambiguous, Unparsed};
use Verdict::{Not, Read};

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
}

/// Whether a word says something about the values beside it.
pub(super) fn speaks(word: &str) -> bool {
    !matches!(role(word), Role::Plain)
}

/// Whether a word only joins or states the values beside it.
pub(super) fn joins(word: &str) -> bool {
    matches!(role(word), Role::Copula | Role::And | Role::Or)
}

pub(super) fn role(word: &str) -> Role {
    let mut buffer = [0; 15];
    let mut length = 0;
    if let Some(slot) = buffer.get_mut(..word.len()).filter(|_| word.is_ascii()) {
        slot.copy_from_slice(word.as_bytes());
        slot.make_ascii_lowercase();
        length = word.len();
    } else if let Some((head, tail)) = word.split_once('’') {
        return if word.len() > 20 { Role::Plain } else { role(&format!("{head}'{tail}")) };
    } else if word.contains(is_invisible) {
        return role(&word.replace(is_invisible, ""));
    } else if word.starts_with(['不', '没', '沒', '非', '无', '無', '错', '錯']) {
        return Role::Not;
    }
    match buffer.get(..length).unwrap_or_default() {
        b"about" | b"approximately" | b"approx" | b"approx." | b"around" | b"roughly"
        | b"circa" | b"ca" | b"ca." | b"exactly" | b"precisely" | b"now" | b"therefore"
        | b"thus" | b"then" | b"only" | b"just" | b"still" | b"indeed" => Role::Lead,
        b"is" | b"are" | b"equals" | b"totals" | b"it's" | b"that's" | b"total's" => Role::Copula,
        b"unable" | b"cannot" | b"can't" | b"cant" | b"couldn't" | b"don't" | b"didn't"
        | b"won't" | b"unknown" | b"undetermined" | b"indeterminate" | b"inconclusive"
        | b"insufficient" | b"unavailable" | b"undefined" | b"unclear" | b"unsure"
        | b"uncertain" | b"unspecified" | b"impossible" | b"n/a" | b"na" | b"tbd" | b"never"
        | b"neither" | b"nor" | b"none" | b"nothing" | b"null" | b"nan" | b"refuse"
        | b"decline" => Role::Refusal,
        b"not" | b"nicht" | b"non" | b"pas" | b"kein" | b"keine" | b"isn't" | b"aren't"
        | b"doesn't" | b"wasn't" | b"hasn't" | b"haven't" | b"weren't" | b"shouldn't"
        | b"wouldn't" => Role::Not,
        b"no" | b"nein" => Role::No,
        b"need" | b"needs" | b"please" | b"provide" | b"awaiting" | b"await" | b"waiting"
        | b"pending" | b"sorry" | b"lack" | b"lacks" => Role::Pending,
        b"needed" | b"required" | b"require" | b"requires" | b"missing" | b"incomplete" => {
            Role::Wanting
        }
        b"wrong" | b"falsch" | b"faux" | b"falso" | b"incorrect" | b"mistaken" | b"stale"
        | b"outdated" | b"invalid" | b"superseded" | b"unverified" | b"unconfirmed" | b"false" => {
            Role::Wrong
        }
        b"maybe" | b"perhaps" | b"possibly" | b"probably" | b"likely" | b"might" | b"may"
        | b"could" | b"would" | b"whether" | b"either" | b"guess" | b"think" | b"believe"
        | b"assume" | b"suppose" | b"seems" | b"appears" | b"alternatively" | b"doubt"
        | b"doubtful" | b"hardly" | b"scarcely" | b"barely" | b"lost" | b"error" => Role::Hedge,
        b"earlier" | b"previous" | b"previously" | b"prior" | b"old" | b"former" | b"formerly"
        | b"assumed" | b"used" | b"longer" => Role::Earlier,
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
        | b"maximum" => Role::Change,
        b"wait" | b"actually" | b"correction" | b"oops" | b"scratch" => Role::Retract,
        _ => Role::Plain,
    }
}

/// Words that announce a value when a colon follows.
const LABELS: &[&str] = &[
    "total",
    "totals",
    "subtotal",
    "sum",
    "answer",
    "result",
    "value",
    "price",
    "cost",
    "costs",
    "amount",
    "number",
    "count",
    "balance",
    "difference",
    "average",
    "mean",
    "product",
    "quantity",
    "choice",
    "option",
    "solution",
    "x",
    "y",
    "z",
    "n",
];
/// Words that may stand beside those.
const BESIDE_LABELS: &[&str] = &[
    "the",
    "a",
    "my",
    "our",
    "your",
    "this",
    "so",
    "thus",
    "therefore",
    "hence",
    "and",
    "is",
    "final",
    "grand",
    "overall",
    "new",
    "current",
    "correct",
    "corrected",
    "updated",
    "right",
    "here",
    "it",
    "exact",
    "combined",
    "net",
    "gross",
    "unit",
];
/// Words between an option and what introduces it.
const BEFORE_OPTION: &[&str] = &[
    "the",
    "a",
    "an",
    "option",
    "choice",
    "now",
    "still",
    "indeed",
    "just",
    "definitely",
    "clearly",
    "certainly",
    "therefore",
    "thus",
];
/// Words that may stand beside an option.
const AROUND_OPTION: &[&str] = &[
    "turn",
    "now",
    "indeed",
    "definitely",
    "clearly",
    "certainly",
    "of",
    "course",
    "confirmed",
    "final",
    "answer",
    "see",
    "above",
    "please",
    "thanks",
    "thank",
    "you",
    "the",
    "my",
    "here",
];
/// Words that open an explanation.
const WHY: &[&str] = &["because", "since", "as", "given"];
/// Words of somebody who has left, or of a place that another holds.
const GONE: &[&str] = &[
    "gone",
    "left",
    "resigned",
    "retired",
    "replaced",
    "quit",
    "fired",
    "died",
    "predecessor",
    "successor",
    "outgoing",
    "last",
    "opposite",
    "exception",
    "except",
    "without",
    "before",
    "ago",
    "until",
    "once",
    "out",
    "who",
    "whom",
    "that",
    "which",
    "ex",
    "other",
    "than",
    "anyone",
    "someone",
    "anybody",
    "deputy",
    "alternative",
    "second",
    "runner",
    "rival",
    "rumor",
    "rumour",
    "says",
    "said",
    "say",
    "claims",
    "claimed",
    "liar",
    "worst",
    "decoy",
];

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
    /// Values are options of a closed set.
    pub(super) choices: bool,
    /// Whether the choices are words, which prose is full of, and so must be picked expressly.
    pub(super) words: bool,
}

impl Clause<'_, '_> {
    fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    fn role(&self, at: usize) -> Option<Role> {
        self.tokens.get(at).filter(|token| token.kind == Kind::Word).map(|token| role(token.text))
    }

    fn is_word(&self, at: usize, words: &[&str]) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            token.kind == Kind::Word
                && words.iter().any(|word| token.text.eq_ignore_ascii_case(word))
        })
    }

    fn is_value(&self, at: usize) -> bool {
        match self.kind(at) {
            Some(Kind::Number(_) | Kind::Unreadable | Kind::Clock) => !self.choices,
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
        !percent(value) && percent(at) && (a * 100.0 - b).abs() <= 1e-9 * b.abs()
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
                    _ => return at,
                },
                _ => return at,
            };
        }
    }

    /// The answer of the clause.
    pub(super) fn read(&self) -> Verdict {
        match self.committed() {
            Read(at, _) if self.words && !self.chosen(at) => Not(Ambiguous, "doubt"),
            verdict => verdict,
        }
    }

    fn committed(&self) -> Verdict {
        let mut start = 0;
        // An equals sign may open the answer; before an option so may a bullet.
        while match self.kind(start) {
            Some(Kind::Equals) => true,
            Some(Kind::Other | Kind::Operator) => {
                self.tokens.get(start).is_some_and(|token| matches!(token.text, "→" | "⇒" | "•"))
            }
            Some(Kind::Dash | Kind::Stop) => self.choices,
            _ => false,
        } {
            start += 1;
        }
        let first = self.lead(start);
        if let Some(value) = self.corrected() {
            return match self.trail(value) {
                Trail::Clean => Read(value, "sentence"),
                _ => Not(Ambiguous, "doubt"),
            };
        }
        match self.kind(first) {
            None => Not(Unparsed, "empty"),
            Some(_) if self.is_value(first) => self.settle(start, first),
            Some(Kind::Bound | Kind::Dash | Kind::Stop) if self.is_value(self.lead(first + 1)) => {
                Not(Ambiguous, "bound")
            }
            Some(_)
                if self.tokens.iter().all(|token| token.kind != Kind::Word)
                    && !self.any_value(0..self.tokens.len()) =>
            {
                Not(Unparsed, "empty")
            }
            Some(_) => self.sentence(),
        }
    }

    /// The second number of "(it is) not 55 but 46".
    fn corrected(&self) -> Option<usize> {
        if self.choices || !self.prose {
            return None;
        }
        let not = (0..self.sentence_end(0)).find(|&at| self.role(at) == Some(Role::Not))?;
        let led = not == 0 || self.role(not - 1) == Some(Role::Copula);
        let denied = self.lead(not + 1);
        if !led || !self.is_word(not, &["not"]) || (0..not).any(|at| self.unsettles(at)) {
            return None;
        }
        let mut but = denied + 1;
        but += usize::from(self.kind(but) == Some(Kind::Comma));
        let value = self.lead(but + 1);
        let fits = matches!(self.kind(denied), Some(Kind::Number(_)))
            && self.is_word(but, &["but"])
            && matches!(self.kind(value), Some(Kind::Number(_)))
            && !self.any_value(0..denied)
            && !self.same(denied, value);
        fits.then_some(value)
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
        loop {
            match self.kind(at) {
                None => return Trail::Clean,
                Some(Kind::Stop) => {
                    let listed = self
                        .tokens
                        .get(at)
                        .is_some_and(|token| matches!(token.text, ";" | "；" | "|"));
                    if listed && self.is_value(self.lead(at + 1)) {
                        return Trail::Doubt("several");
                    }
                    if (at..self.stops_end(at)).any(|at| self.asks(at)) {
                        return Trail::Doubt("doubt");
                    }
                    let next = self.lead(at + 1);
                    if (!self.prose && self.kind(at + 1).is_some())
                        || (!self.choices && self.is_value(next) && !self.same(value, next))
                    {
                        // "1. First, …" opens a list, not an answer.
                        return Trail::Doubt("enumeration");
                    }
                    if self.choices {
                        return if self.retracts(at + 1) {
                            Trail::Doubt("retracted")
                        } else {
                            Trail::Clean
                        };
                    }
                    return self.afterwards(at + 1, value);
                }
                Some(Kind::Percent | Kind::Currency) => at += 1,
                Some(Kind::Close) => {
                    let opened = self.tokens.get(..value).unwrap_or_default();
                    let opened = opened.iter().any(|token| token.kind == Kind::Open);
                    if at == value + 1
                        && !opened
                        && matches!(self.kind(at + 1), Some(Kind::Word | Kind::Number(_)))
                    {
                        return Trail::Doubt("enumeration");
                    }
                    at += 1;
                }
                Some(Kind::Operator | Kind::Equals) if self.choices => at += 1,
                Some(Kind::Operator | Kind::Equals) => return Trail::Expression,
                Some(Kind::Comma | Kind::Dash | Kind::Colon) => {
                    let next = self.lead(at + 1);
                    let next =
                        if self.role(next) == Some(Role::And) { self.lead(next + 1) } else { next };
                    if self.is_value(next) {
                        return Trail::Doubt("several");
                    }
                    return self.remark(at + 1..self.sentence_end(at + 1), value);
                }
                Some(Kind::Open) => {
                    let close = self.closing(at);
                    if let Trail::Doubt(rule) = self.remark(at..close, value) {
                        return Trail::Doubt(rule);
                    }
                    at = close + 1;
                }
                Some(Kind::Word) => {
                    match self.role(at).unwrap_or(Role::Plain) {
                        Role::Copula => return Trail::Statement(at),
                        Role::Past if self.choices => return Trail::Statement(at),
                        Role::Or => return Trail::Doubt("several"),
                        Role::Change if !self.choices => return Trail::Doubt("changed"),
                        Role::Because | Role::Not => {
                            return self.remark(at..self.sentence_end(at), value);
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
                        | Role::Retract => return Trail::Doubt("doubt"),
                        _ => words += 1,
                    }
                    if !self.prose && words > 3 {
                        return Trail::Doubt("prose");
                    }
                    at += 1;
                }
                Some(_) if self.choices && (!self.is_value(at) || self.same(value, at)) => at += 1,
                Some(_) => return Trail::Doubt("several"),
            }
        }
    }

    /// Judges a remark behind a value.
    fn remark(&self, places: Range<usize>, value: usize) -> Trail {
        let first =
            places.clone().find(|&at| self.kind(at) != Some(Kind::Open)).unwrap_or(places.end);
        if self.retracts(first) {
            return Trail::Doubt("retracted");
        }
        if places.clone().any(|at| self.asks(at)) {
            return Trail::Doubt("doubt");
        }
        match self.role(first) {
            Some(Role::Or) => return Trail::Doubt("several"),
            Some(Role::If | Role::But) => return Trail::Doubt("doubt"),
            _ => {}
        }
        let (mut others, mut words, mut doubt, mut concludes) = (0, 0, false, false);
        for at in places {
            if self.is_value(at) {
                if self.same(value, at) || self.share(value, at) {
                    continue;
                }
                others += 1;
                let before = (0..at).rev().find(|&at| {
                    !matches!(self.kind(at), Some(Kind::Currency | Kind::Approx | Kind::Open))
                });
                let before = before.and_then(|at| self.role(at));
                if concludes || matches!(before, Some(Role::Or | Role::Hedge | Role::Retract)) {
                    return Trail::Doubt("several");
                }
            }
            let Some(role) = self.role(at) else { continue };
            words += 1;
            concludes |= role == Role::So && !self.choices;
            doubt |= matches!(
                role,
                Role::Refusal
                    | Role::Wrong
                    | Role::Pending
                    | Role::Wanting
                    | Role::Hedge
                    | Role::Earlier
                    | Role::Change
            ) || (role == Role::Not
                && (at == first
                    || self.is_word(
                        at + 1,
                        &[
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
                        ],
                    )));
        }
        match (others, words, doubt) {
            (0, _, true) => Trail::Doubt("doubt"),
            (1, 0, _) => Trail::Doubt("several"),
            _ => Trail::Clean,
        }
    }

    fn asks(&self, at: usize) -> bool {
        self.kind(at) == Some(Kind::Stop)
            && self.tokens.get(at).is_some_and(|token| matches!(token.text, "?" | "？"))
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
                Some(Kind::Equals) => {
                    first = first.or(Some(at));
                    last = Some(at);
                }
                Some(Kind::Word) => match self.role(at) {
                    Some(Role::Copula) if self.is_value(self.lead(at + 1)) => {
                        first = first.or(Some(at));
                        last = Some(at);
                    }
                    Some(Role::Plain | Role::Lead) => {}
                    _ => break,
                },
                Some(
                    Kind::Number(_)
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
            Some(Role::Past) => self.choices,
            _ => false,
        });
        let others = (verb..end).any(|at| self.is_value(at) && !self.same(value, at));
        let explained = (verb..end)
            .find(|&at| self.role(at) == Some(Role::Because) || self.kind(at) == Some(Kind::Comma));
        let named = self.choices
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
            Kind::Colon | Kind::Approx => self.label(at),
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
                    self.is_word(at, &["be"])
                        && at > 0
                        && self.is_word(at - 1, &["should", "will", "must"])
                }
            },
            _ => false,
        };
        yes.then_some(at + 1)
    }

    /// Whether the words before a colon announce a value: "Total price", not "information lost".
    fn label(&self, colon: usize) -> bool {
        let mut named = false;
        for at in 0..colon {
            match self.kind(at) {
                Some(Kind::Open | Kind::Close | Kind::Currency | Kind::Percent) => {}
                Some(Kind::Word) if named && self.is_word(at, &["of", "for", "in", "per"]) => {
                    // What it is a total of may be anything that speaks of no value.
                    return (at + 1..colon).all(|at| match self.kind(at) {
                        Some(Kind::Word) => {
                            matches!(self.role(at), Some(Role::Plain | Role::And | Role::Lead))
                        }
                        Some(Kind::Number(_) | Kind::Open | Kind::Close | Kind::Currency) => true,
                        _ => false,
                    });
                }
                Some(Kind::Word) if self.is_word(at, LABELS) => named = true,
                Some(Kind::Word) if self.is_word(at, BESIDE_LABELS) => {}
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
                || self.is_word(at - 1, BEFORE_OPTION))
        {
            at -= 1;
        }
        let Some(link) = at.checked_sub(1) else {
            return true;
        };
        match self.kind(link) {
            Some(Kind::Equals) => (0..link).all(|at| self.kind(at) == Some(Kind::Word)),
            Some(Kind::Dash | Kind::Stop) => {
                (0..link).all(|at| matches!(self.kind(at), Some(Kind::Dash | Kind::Stop)))
            }
            Some(Kind::Comma) => (0..link).all(|at| {
                self.is_word(at, BEFORE_OPTION) || matches!(self.role(at), Some(Role::So))
            }),
            Some(Kind::Colon) => self.label(link),
            Some(Kind::Word) if self.role(link) == Some(Role::Copula) => {
                (0..link).all(|at| !self.unsettles(at) && self.role(at) != Some(Role::Past))
            }
            Some(Kind::Word) if self.is_word(link, &["choose", "pick", "select", "answer"]) => {
                link > 0
                    && self.is_word(link - 1, &["i"])
                    && (0..link - 1).all(|at| {
                        self.is_word(at, BEFORE_OPTION)
                            || self.kind(at) == Some(Kind::Comma)
                            || self.role(at) == Some(Role::So)
                    })
            }
            _ => false,
        }
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
                ) || self.is_word(at, GONE)
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
                Kind::Word if self.is_word(at, AROUND_OPTION) => at += 1,
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
                    let explains = self.is_word(end, WHY) || self.role(end) == Some(Role::Not);
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
            || (self.is_word(at, &["previously", "formerly", "earlier", "was", "unlike"]))
        {
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
                || (self.is_word(next, WHY) && self.aside(next..end, value))
                || (self.kind(next) == Some(Kind::Comma) && self.aside(next + 1..end, value));
        }
        if self.is_word(start, WHY) {
            let named = (start..end).any(other);
            return (start + 1..end).all(|at| {
                if named {
                    !matches!(
                        self.role(at),
                        Some(Role::So | Role::Or | Role::But | Role::Retract | Role::If)
                    )
                } else {
                    !self.unsettles(at)
                }
            });
        }
        let word = self.tokens.get(value).map_or("", |token| token.text);
        if ["yes", "no", "true", "false"].iter().any(|plain| word.eq_ignore_ascii_case(plain)) {
            // "No, it fell": behind such a word a sentence explains it.
            return (start..end).all(|at| !self.unsettles(at) && !other(at));
        }
        (start..end).all(|at| {
            self.is_word(at, AROUND_OPTION)
                || matches!(self.kind(at), Some(Kind::Comma | Kind::Close | Kind::Open))
                || (self.is_value(at) && self.same(value, at))
        })
    }

    /// Whether later sentences leave an option as it is: they deny each other one they name.
    fn later(&self, mut from: usize, value: usize) -> bool {
        while from < self.tokens.len() {
            let end = self.sentence_end(from);
            let other = |at: usize| self.is_value(at) && !self.same(value, at);
            let mut named = false;
            for at in (from..end).filter(|&at| other(at)) {
                named = true;
                let before = at > from && self.role(at - 1) == Some(Role::Not);
                let behind = matches!(self.role(at + 1), Some(Role::Copula | Role::Past))
                    && (self.role(at + 2) == Some(Role::Wrong)
                        || self.is_word(at + 2, &["out", "gone", "not"]));
                if !before && !behind {
                    return false;
                }
            }
            let takes_back = |at: usize| {
                (self.unsettles(at) || self.role(at) == Some(Role::Past)) && !named
                    || matches!(self.role(at), Some(Role::But | Role::Or | Role::Retract))
                    || (self.is_value(at) && self.same(value, at) && named)
            };
            if (from..end).any(takes_back) {
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
        let stated = |at: usize| {
            if self.choices {
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
                    if stated(at).is_some_and(|other| !self.choices && !self.same(answer, other)) {
                        return Not(Ambiguous, "several");
                    }
                }
            }
        }
        Read(answer, if rule == "marker" { "sentence" } else { rule })
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
    if let Some(inner) = text.strip_prefix(['<', '(', '[', '（', '【'])
        && inner.trim_start().starts_with(char::is_alphabetic)
    {
        return Some("placeholder");
    }
    let in_word = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '/');
    let mut rest = text;
    let mut first = true;
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
            _ => first = false,
        }
    }
    None
}
