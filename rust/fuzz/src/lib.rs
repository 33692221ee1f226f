//! What must hold of every text kernel, whatever the text.
//!
//! One function for each family of kernels takes one text; a kernel of several texts gets its
//! parts, which stand between NUL characters. The fuzz targets of this crate call these
//! functions on what libFuzzer makes up, and a test of the core calls them on random soups.

use reclaimstats_core::text::answer::{Dialect, Markers, Reading, Status};
use reclaimstats_core::text::choice::{Letters, answer_choice};
use reclaimstats_core::text::containment::containment;
use reclaimstats_core::text::figures::{
    Known, harness_invented, harness_numbers, harness_value, numbers as numbers_of, recurring_value,
};
use reclaimstats_core::text::number::{Fallback, answer_number};
use reclaimstats_core::text::pattern::{Group, Pattern, Which};
use reclaimstats_core::text::survival::{Items, prefix_survives, token_coverage};
use reclaimstats_core::text::time::{Fallback as TimeFallback, answer_time};
use reclaimstats_core::text::tokens::{content_words, tokens};
use reclaimstats_core::text::word::{Options, answer_word};
use regex::Regex;
use std::collections::HashSet;
use std::sync::LazyLock;

const DIALECTS: [Dialect; 3] = [Dialect::Strict, Dialect::ReclaimEval, Dialect::ReclaimEvalLoose];

/// The first `N` parts of a text; those that are not there are empty.
fn parts<const N: usize>(text: &str) -> [&str; N] {
    let mut parts = text.splitn(N, '\0');
    std::array::from_fn(|_| parts.next().unwrap_or_default())
}

/// What holds of every reading: value, span and status go together, and the span lies in the text.
fn sound<T: Copy + PartialEq + std::fmt::Debug>(text: &str, reading: &Reading<T>) {
    assert_eq!(reading.value.is_some(), reading.span.is_some(), "{reading:?}");
    match reading.status {
        Status::Read => assert!(reading.value.is_some(), "{reading:?}"),
        Status::Abstained | Status::Unparsed => assert!(reading.value.is_none(), "{reading:?}"),
        // A fallback that had several to choose from takes the last.
        Status::Ambiguous => {}
    }
    if let Some(span) = reading.span.clone() {
        assert!(text.get(span).is_some_and(|found| !found.is_empty()), "{reading:?}");
    }
}

/// What holds of the strict reading of a reply, given what reads it.
fn committed<T: Copy + PartialEq + std::fmt::Debug>(
    text: &str,
    stated: (&str, T),
    read: impl Fn(&str) -> Reading<T>,
) {
    let reading = read(text);
    sound(text, &reading);
    if !text.to_ascii_lowercase().contains("answer") {
        assert_eq!(reading.value, None, "a value without a marker");
    }
    let shifted = read(&format!("Some prose.\n{text}"));
    assert_eq!(shifted.value, reading.value, "prose before the reply changes its value");
    assert_eq!(shifted.status, reading.status, "prose before the reply changes its status");
    assert_eq!(shifted.span.map(|span| span.start - 12), reading.span.map(|span| span.start));
    let (answer, value) = stated;
    let last = read(&format!("{text}\nANSWER: {answer}"));
    assert_eq!(last.value, Some(value), "the last marker counts");
    let last = read(&format!("{text}\nANSWER: unable"));
    assert_eq!(last.value, None, "a last abstention counts");
}

/// `answer_number` in all dialects and with all fallbacks.
pub fn number(text: &str) {
    static HARNESS: LazyLock<Regex> =
        LazyLock::new(|| harness(r#"[*_`'"(\[]*\s*\$?\s*(-?\d[\d,]*(?:\.\d+)?)"#));
    let markers = Markers::default();
    for dialect in DIALECTS {
        for fallback in [Fallback::None, Fallback::LastNumber, Fallback::Boxed] {
            let reading = answer_number(text, &markers, dialect, fallback);
            sound(text, &reading);
            // Python reads 400 digits as infinity, and so does whoever agrees with it.
            let finite = reading.value.is_none_or(f64::is_finite);
            assert!(finite || dialect != Dialect::Strict, "{reading:?}");
        }
    }
    let strict = |text: &str| answer_number(text, &markers, Dialect::Strict, Fallback::None);
    committed(text, ("46", 46.0), strict);
    let reading = strict(text);
    if let Some(span) = reading.span {
        // The span leaves out a currency that made the value readable, and a sign in front of it.
        let again = strict(&format!("ANSWER: {}", &text[span])).value;
        assert_eq!(again.or(reading.value).map(f64::abs), reading.value.map(f64::abs));
    }
    let reading = answer_number(text, &markers, Dialect::ReclaimEval, Fallback::None);
    let found =
        HARNESS.captures_iter(text).last().map(|found| found.get(1).expect("a group").as_str());
    let value = found.and_then(|found| harness_value(&found.replace(',', "")));
    assert_eq!(reading.value, value, "{found:?}");
    let own = [String::from("Final answer"), String::from("####"), String::from("réponse")];
    let own = Markers::new(&own).expect("markers");
    sound(text, &answer_number(text, &own, Dialect::Strict, Fallback::None));
}

/// A pattern of the harness behind its marker, with Python's idea of white space.
fn harness(value: &str) -> Regex {
    let pattern = format!(r"[aA][nN][sS][wW][eE][rR]\s*:\s*{value}");
    Regex::new(&pattern.replace(r"\s", r"[\s\x1c-\x1f]")).expect("a pattern")
}

/// `answer_word` with a closed set, and with the set that the second part lists by lines.
pub fn word(text: &str) {
    static HARNESS: LazyLock<Regex> =
        LazyLock::new(|| harness(r#"[*_`'"(\[]*\s*([A-Za-z][A-Za-z/]*)"#));
    let names = ["Ana", "Ben", "New York", "no", "may", "Éva"];
    let markers = Markers::default();
    let options = Options::new(names).expect("options");
    for dialect in DIALECTS {
        let reading = answer_word(text, &markers, &options, dialect);
        sound(text, &reading);
        assert!(reading.value.is_none_or(|index| index < names.len()));
    }
    let strict = |text: &str| answer_word(text, &markers, &options, Dialect::Strict);
    committed(text, ("Ana", 0), strict);
    let reading = strict(text);
    if let Some(span) = reading.span {
        let again = strict(&format!("ANSWER: {}", &text[span]));
        assert_eq!(again.value, reading.value, "the text that was read");
    }
    let reading = answer_word(text, &markers, &options, Dialect::ReclaimEval);
    let found =
        HARNESS.captures_iter(text).last().map(|found| found.get(1).expect("a group").as_str());
    let value = found.and_then(|found| {
        names.iter().position(|name| name.to_lowercase() == found.to_lowercase())
    });
    assert_eq!(reading.value, value, "{found:?}");

    let [text, names] = parts(text);
    let names: Vec<&str> = names.lines().collect();
    if let Ok(options) = Options::new(names.iter().copied()) {
        sound(text, &answer_word(text, &markers, &options, Dialect::Strict));
        for (index, name) in names.iter().enumerate() {
            let reading =
                answer_word(&format!("ANSWER: {name}"), &markers, &options, Dialect::Strict);
            assert!(reading.value.is_none_or(|found| found == index), "{name:?} is {reading:?}");
        }
    }
}

/// `answer_choice` with the usual letters, and with those of the second part.
pub fn choice(text: &str) {
    let markers = Markers::default();
    let letters = Letters::new("ABCD").expect("letters");
    let read = |text: &str| answer_choice(text, &markers, &letters);
    committed(text, ("(b)", 1), read);
    let reading = read(text);
    if let (Some(index), Some(span)) = (reading.value, reading.span) {
        let letter = ["A", "B", "C", "D"][index];
        assert_eq!(read(&format!("ANSWER: {letter}")).value, Some(index));
        assert!(text.get(span).is_some());
    }
    let [text, letters] = parts(text);
    if let Ok(letters) = Letters::new(letters) {
        sound(text, &answer_choice(text, &markers, &letters));
    }
}

/// `answer_time` in all dialects and with all fallbacks.
pub fn time(text: &str) {
    let markers = Markers::default();
    for dialect in DIALECTS {
        for fallback in [TimeFallback::None, TimeFallback::LastTime] {
            let reading = answer_time(text, &markers, dialect, fallback);
            sound(text, &reading);
            let Some(time) = reading.value.map(|time| time.to_string()) else {
                continue;
            };
            assert_eq!((time.len(), time.as_bytes()[2]), (5, b':'), "{time}");
            assert!(time.as_str() < "24:00", "{time}");
            assert!(dialect != Dialect::Strict || &time[3..] < "60", "{time}");
        }
    }
    let strict = |text: &str| answer_time(text, &markers, Dialect::Strict, TimeFallback::None);
    let noon = strict("ANSWER: 12:00").value.expect("a time");
    committed(text, ("12 noon", noon), strict);
    if let Some(value) = strict(text).value {
        assert_eq!(
            strict(&format!("ANSWER: {value}")).value,
            Some(value),
            "canonical times are read"
        );
    }
}

/// `answer_regex` with the pattern of the first part on the second.
pub fn regex(text: &str) {
    let [pattern, text] = parts(text);
    for group in [Group::Default, Group::Index(0), Group::Name("x".into())] {
        let Ok(pattern) = Pattern::new(pattern, &group) else {
            continue;
        };
        let (first, last) = (pattern.read(text, Which::First), pattern.read(text, Which::Last));
        for reading in [&first, &last] {
            // A pattern may match nothing at all, somewhere.
            let found = reading.span.clone().and_then(|span| text.get(span));
            assert_eq!(found, reading.value, "{reading:?}");
        }
        assert_eq!(first.rule == "no_match", last.rule == "no_match");
    }
}

/// `numbers`, `invented_numbers` and `recurring_value`: the second part is the source.
pub fn numbers(text: &str) {
    static HARNESS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\d+(?:\.\d+)?").expect("a pattern"));
    let [text, source] = parts(text);
    let found: Vec<f64> = numbers_of(text).collect();
    assert!(found.iter().all(|value| value.is_finite()), "{found:?}");
    assert!(found.len() <= text.len());
    let known: Known = found.iter().copied().collect();
    assert_eq!(known.invented(text), []);

    let known: Known = numbers_of(source).collect();
    let mut seen: HashSet<u64> = numbers_of(source).map(|value| value.abs().to_bits()).collect();
    let invented: Vec<f64> =
        found.iter().copied().filter(|value| seen.insert(value.abs().to_bits())).collect();
    assert_eq!(known.invented(text), invented);

    // A zero has no sign.
    let mut bits: Vec<u64> = found.iter().map(|value| (value + 0.0).to_bits()).collect();
    bits.sort_unstable();
    let mut runs: Vec<&[u64]> = bits.chunk_by(|a, b| a == b).collect();
    runs.sort_by_key(|run| std::cmp::Reverse(run.len()));
    for least in 1..4 {
        let often = match runs.as_slice() {
            [] => None,
            [first, second, ..] if first.len() == second.len() => None,
            [first, ..] => (first.len() >= least).then(|| f64::from_bits(first[0])),
        };
        assert_eq!(recurring_value(text, least), often);
    }

    let harness: Vec<&str> = HARNESS.find_iter(text).map(|found| found.as_str()).collect();
    assert_eq!(harness_numbers(text).collect::<Vec<_>>(), harness);
    assert!(harness.iter().all(|number| harness_value(number).is_some()));
    assert!(harness_invented(harness.iter().copied(), text).is_empty());
}

/// `source_survival` and `containment`: the first part is the note, the second the source.
pub fn survival(text: &str) {
    let [note, source] = parts(text);
    let held: HashSet<_> = tokens(note).collect();
    let wanted: HashSet<_> = content_words(source).collect();
    let found = wanted.iter().filter(|&word| held.contains(word)).count();
    assert_eq!(token_coverage(note, source), (found, wanted.len()));
    assert_eq!(containment(source, note), (found, wanted.len()));
    assert_eq!(token_coverage(source, source), (wanted.len(), wanted.len()));
    let more = format!("{note}\n{source}");
    assert_eq!(token_coverage(&more, source), (wanted.len(), wanted.len()));

    let items = Items::new(source.lines());
    let held: Vec<_> = tokens(note).collect();
    let phrases: HashSet<Vec<_>> = source.lines().map(|item| tokens(item).collect()).collect();
    let phrases = phrases.iter().filter(|phrase| !phrase.is_empty());
    // Looking for every phrase at every place is quadratic here.
    if held.len() * source.len() < 1_000_000 {
        let kept = phrases
            .clone()
            .filter(|phrase| held.windows(phrase.len()).any(|place| place == phrase.as_slice()))
            .count();
        assert_eq!(items.coverage(note), (kept, phrases.clone().count()));
    }
    assert_eq!(items.coverage(&more), (phrases.clone().count(), phrases.count()));

    for chars in [1, 18, 80] {
        let end = source.char_indices().nth(chars).map_or(source.len(), |(end, _)| end);
        let prefix = source[..end].to_lowercase();
        let survives = note.to_lowercase().contains(&prefix);
        assert_eq!(prefix_survives(note, source, chars), survives, "{prefix:?}");
        assert!(prefix_survives(source, source, chars));
    }
}
