//! What the fuzz targets assert, on random soups of what is hard to read: the same in every run,
//! and with the stable compiler.

// There it is a crate of its own.
#[expect(unreachable_pub)]
#[path = "../../fuzz/src/lib.rs"]
mod hold;

/// Parts of replies, notes and sources, and what breaks readers of text.
const PIECES: &[&str] = &[
    "ANSWER: ",
    "answer:",
    "**Answer:** ",
    "ANSWER： ",
    "`Answer` : ",
    "ANSWER:\n",
    "Final answer: ",
    "#### ",
    "46",
    "7 pens at $4 each",
    "1,234.5",
    "-",
    "−",
    "$",
    "\\$",
    "€",
    "USD ",
    "%",
    ".5",
    "1e9",
    "10^",
    "²",
    "½",
    "3/8",
    "1{,}234",
    "\\boxed{",
    "}",
    "\\frac{3}{8}",
    "(",
    ")",
    "[",
    "]",
    "<",
    ">",
    "*",
    "**",
    "`",
    "```",
    "_",
    "'",
    "’s",
    "\"",
    "“",
    " ",
    "\u{a0}",
    "\u{202f}",
    "\u{200b}",
    "\u{feff}",
    "\u{200f}",
    "\t",
    "\n",
    "\r\n",
    "\r",
    "\u{85}",
    "\u{2028}",
    "\u{1c}",
    "\0",
    "\0",
    ":",
    "：",
    ";",
    ",",
    ".",
    "?",
    "!",
    "/",
    "|",
    "=",
    "≈",
    "~",
    "~~",
    "±",
    "→",
    "•",
    "not ",
    "no ",
    "or ",
    "and ",
    "but ",
    "was ",
    "about ",
    "probably ",
    "unable",
    "cannot tell",
    "Ana",
    "Ben",
    "New York",
    "Éva",
    "Ana-Maria",
    "may",
    "B",
    "(b)",
    "A) ",
    "I ",
    "Option C",
    "12:45",
    "4:15 pm",
    "16h15",
    "9 o'clock",
    "noon",
    "midnight",
    "to ",
    "-9:30",
    "27:80",
    "pens at $2 each",
    "7 pens",
    "the ",
    "of ",
    "near ",
    "don't",
    "４６",
    "٤٦",
    "日本語",
    "万",
    "ſ",
    "İ",
    "K",
    "ß",
    "é",
    "e\u{301}",
    "👩‍👩‍👧",
    "\u{fffd}",
    "\\d+",
    "(?P<x>.)",
    "(a|b)*",
    "\\b",
    "$5M",
    "million",
    "k",
    "dollars",
    "9999999999999999999999",
    "0.0000000001",
    "1/0",
    "'s",
    "x = ",
    "total ",
    "55",
];

/// A generator without a crate (Knuth's constants); the high bits are the better ones.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.0 >> 33).expect("31 bits") % end
    }

    fn soup(&mut self) -> String {
        let length = 1 + self.below(14);
        let mut soup = String::new();
        for _ in 0..length {
            let piece = PIECES[self.below(PIECES.len())];
            // Some pieces come many times, as they do when a model loops.
            let times = if self.below(40) == 0 { 1 + self.below(40) } else { 1 };
            soup.push_str(&piece.repeat(times));
        }
        soup
    }
}

fn on_soups(seed: u64, check: fn(&str)) {
    let mut random = Random(seed);
    check("");
    for _ in 0..1_000 {
        let soup = random.soup();
        // The message of a failed assertion does not say on what.
        let caught = std::panic::catch_unwind(|| check(&soup));
        assert!(caught.is_ok(), "on {soup:?}");
    }
}

#[test]
fn numbers_behind_a_marker() {
    on_soups(1, hold::number);
}

#[test]
fn options_behind_a_marker() {
    on_soups(2, hold::word);
}

#[test]
fn letters_behind_a_marker() {
    on_soups(3, hold::choice);
}

#[test]
fn times_behind_a_marker() {
    on_soups(4, hold::time);
}

#[test]
fn patterns() {
    on_soups(5, hold::regex);
}

#[test]
fn numbers_of_a_text() {
    on_soups(6, hold::numbers);
}

#[test]
fn what_survives_of_a_source() {
    on_soups(7, hold::survival);
}

#[test]
fn boxes_code_and_sql() {
    on_soups(8, hold::blocks);
}

#[test]
fn fields_of_json() {
    on_soups(9, hold::json);
}

#[test]
fn calls_of_functions() {
    on_soups(10, hold::calls);
}

#[test]
fn answers_that_match() {
    on_soups(11, hold::matching);
}

#[test]
fn cues_of_stance() {
    on_soups(12, hold::cues);
}

#[test]
fn records_and_regimes() {
    on_soups(13, hold::records);
}

#[test]
fn verdicts_of_judges() {
    on_soups(14, hold::judge);
}
