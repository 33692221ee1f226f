//! What must hold of every text kernel, whatever the text.
//!
//! One function for each family of kernels takes one text; a kernel of several texts gets its
//! parts, which stand between NUL characters. The fuzz targets of this crate call these
//! functions on what libFuzzer makes up, and a test of the core calls them on random soups.

use reclaimstats_core::text::answer::{Dialect, Markers, Reading, Status, Which};
use reclaimstats_core::text::boxed::{Which as Boxed, boxed};
use reclaimstats_core::text::calls::{calls_match, function_calls, possible_calls_match};
use reclaimstats_core::text::choice::{Letters, answer_choice};
use reclaimstats_core::text::containment::containment;
use reclaimstats_core::text::cues::Lexicon;
use reclaimstats_core::text::exact::{Rules, Step};
use reclaimstats_core::text::fence::{Languages, code_block};
use reclaimstats_core::text::figures::{
    Known, Tally, harness_invented, harness_numbers, harness_value, numbers as numbers_of,
};
use reclaimstats_core::text::json::{self, Field, Parse};
use reclaimstats_core::text::ledger::{worked_out, worked_out_all};
use reclaimstats_core::text::number::{Dialect as NumberDialect, Fallback, answer_number};
use reclaimstats_core::text::pattern::{Group, Pattern};
use reclaimstats_core::text::record;
use reclaimstats_core::text::regime::{Regime, says_incomplete, states, states_number};
use reclaimstats_core::text::sql::sql_block;
use reclaimstats_core::text::survival::{
    item_coverage, items, prefix_survives, word_coverage, words,
};
use reclaimstats_core::text::time::{Fallback as TimeFallback, answer_time};
use reclaimstats_core::text::tokens::{content_words, tokens};
use reclaimstats_core::text::verdict::{Labels, verdict};
use reclaimstats_core::text::word::{Options, answer_word};
use regex::Regex;
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write;
use std::sync::LazyLock;
use unicode_normalization::UnicodeNormalization;

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
        Status::Abstained | Status::Unparsed | Status::Truncated => {
            assert!(reading.value.is_none(), "{reading:?}");
        }
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
    for name in NumberDialect::NAMES {
        let dialect = NumberDialect::parse(name).expect("a dialect");
        for fallback in [Fallback::None, Fallback::LastNumber, Fallback::Boxed] {
            let reading = answer_number(text, &markers, dialect, fallback);
            sound(text, &reading);
            // Python reads 400 digits as infinity, and so does whoever agrees with it.
            let finite = reading.value.is_none_or(f64::is_finite);
            assert!(finite || dialect != NumberDialect::Strict, "{reading:?}");
        }
    }
    let strict = |text: &str| answer_number(text, &markers, NumberDialect::Strict, Fallback::None);
    committed(text, ("46", 46.0), strict);
    let reading = strict(text);
    if let Some(span) = reading.span {
        // The span leaves out a sign in front of it, and a currency, without which 4M is nothing
        // and 4m are metres.
        let size = |text: String| strict(&text).value.map(f64::abs);
        let again = [
            size(format!("ANSWER: {}", &text[span.clone()])),
            size(format!("ANSWER: ${}", &text[span])),
        ];
        assert!(again[0].is_none() || again.contains(&reading.value.map(f64::abs)), "{again:?}");
    }
    let reading = answer_number(text, &markers, NumberDialect::ReclaimEval, Fallback::None);
    let found =
        HARNESS.captures_iter(text).last().map(|found| found.get(1).expect("a group").as_str());
    let value = found.and_then(|found| harness_value(&found.replace(',', "")));
    assert_eq!(reading.value, value, "{found:?}");
    let own = [String::from("Final answer"), String::from("####"), String::from("réponse")];
    let own = Markers::new(&own, Which::Last).expect("markers");
    sound(text, &answer_number(text, &own, NumberDialect::Strict, Fallback::None));
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
        // One with a colon may hold a marker of its own, and one with a line break is two lines.
        for (index, name) in
            names.iter().enumerate().filter(|(_, name)| !name.contains([':', '：', '\r']))
        {
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

/// `numbers`, `invented_numbers`, `recurring_value` and what line items come to: the second part is
/// the source.
pub fn numbers(text: &str) {
    static HARNESS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\d+(?:\.\d+)?").expect("a pattern"));
    let [text, source] = parts(text);
    let (one, other) = (worked_out(text), worked_out(source));
    assert_eq!(worked_out_all(&[text]), one);
    // Line items go over no line's end; only their currencies may not be added.
    match (one, other, worked_out(&format!("{text}\n{source}"))) {
        (Some(one), Some(other), Some(both)) => {
            assert!((one + other - both).abs() <= both * 1e-12, "{one} {other} {both}");
        }
        (Some(_), Some(_), None) => assert_eq!(worked_out_all(&[text, source]), None),
        (_, _, both) => assert!(both.is_none() || both == one || both == other, "{both:?}"),
    }
    let found: Vec<f64> = numbers_of(text).collect();
    assert!(found.iter().all(|value| value.is_finite()), "{found:?}");
    assert!(found.len() <= text.len());
    // A set is used for row after row.
    let mut known = Known::default();
    assert_eq!(known.invented(found.iter().copied(), text).next(), None);
    let mut seen: HashSet<u64> = numbers_of(source).map(|value| value.abs().to_bits()).collect();
    let invented: Vec<f64> =
        found.iter().copied().filter(|value| seen.insert(value.abs().to_bits())).collect();
    assert_eq!(known.invented(numbers_of(source), text).collect::<Vec<f64>>(), invented);

    // A zero has no sign.
    let mut bits: Vec<u64> = found.iter().map(|value| (value + 0.0).to_bits()).collect();
    bits.sort_unstable();
    let mut runs: Vec<&[u64]> = bits.chunk_by(|a, b| a == b).collect();
    runs.sort_by_key(|run| std::cmp::Reverse(run.len()));
    let mut tally = Tally::default();
    let _ = tally.recurring_value(source, 2);
    for least in 1..4 {
        let often = match runs.as_slice() {
            [] => None,
            [first, second, ..] if first.len() == second.len() => None,
            [first, ..] => (first.len() >= least).then(|| f64::from_bits(first[0])),
        };
        assert_eq!(tally.recurring_value(text, least), often);
    }

    let harness: Vec<&str> = HARNESS.find_iter(text).map(|found| found.as_str()).collect();
    assert_eq!(harness_numbers(text).collect::<Vec<_>>(), harness);
    assert!(harness.iter().all(|number| harness_value(number).is_some()));
    assert_eq!(harness_invented(harness.iter().copied(), text).next(), None);
}

/// `source_survival` and `containment`: the first part is the note, the second the source.
pub fn survival(text: &str) {
    let [note, source] = parts(text);
    let lines: Vec<&str> = source.lines().collect();
    let (found, total) = word_coverage(note, source);
    assert!(found <= total);
    let marked = words(note, source);
    assert_eq!((marked.iter().filter(|word| word.1).count(), marked.len()), (found, total));
    let marked = items(note, &lines);
    let kept = (marked.iter().filter(|item| item.1).count(), marked.len());
    assert_eq!(item_coverage(note, &lines), kept);

    // What looks the same is the same; the naive counts do not know it.
    let in_one_form = |text: &str| -> String {
        let kept = |&c: &char| {
            let full_width = matches!(c, '\u{ff00}'..='\u{ffef}');
            c.is_ascii() || c.is_whitespace() || c == '’' || (c.is_alphanumeric() && !full_width)
        };
        text.chars().filter(kept).nfc().collect()
    };
    let (note, source) = (in_one_form(note), in_one_form(source));
    let (note, source) = (note.as_str(), source.as_str());
    let lines: Vec<&str> = source.lines().collect();
    let held: HashSet<_> = tokens(note).collect();
    let wanted: HashSet<_> = content_words(source).collect();
    let found = wanted.iter().filter(|&word| held.contains(word)).count();
    assert_eq!(word_coverage(note, source), (found, wanted.len()));
    assert_eq!(containment(source, note), (found, wanted.len()));
    assert_eq!(word_coverage(source, source), (wanted.len(), wanted.len()));
    let more = format!("{note}\n{source}");
    assert_eq!(word_coverage(&more, source), (wanted.len(), wanted.len()));

    let held: Vec<_> = tokens(note).collect();
    let phrases: HashSet<Vec<_>> = lines.iter().map(|item| tokens(item).collect()).collect();
    let phrases: Vec<_> = phrases.iter().filter(|phrase| !phrase.is_empty()).collect();
    // Looking for every phrase at every place is quadratic here.
    if held.len() * source.len() < 1_000_000 {
        let is_held =
            |phrase: &Vec<_>| held.windows(phrase.len()).any(|place| place == phrase.as_slice());
        let kept = phrases.iter().filter(|phrase| is_held(phrase)).count();
        assert_eq!(item_coverage(note, &lines), (kept, phrases.len()));
    }
    assert_eq!(item_coverage(&more, &lines), (phrases.len(), phrases.len()));

    for chars in [1, 18, 80] {
        let end = source.char_indices().nth(chars).map_or(source.len(), |(end, _)| end);
        // In the middle of a word, σ is not final.
        let lowered = |text: &str| text.to_lowercase().replace('ς', "σ");
        let prefix = lowered(&source[..end]);
        let survives = lowered(note).contains(&prefix);
        assert_eq!(prefix_survives(note, source, chars), survives, "{prefix:?}");
        assert!(prefix_survives(source, source, chars));
    }
}

/// `boxed`, `code_block` and `sql_block`.
pub fn blocks(text: &str) {
    let fenced = text.contains("```") || text.contains("~~~");
    let [first, last, only] = [Boxed::First, Boxed::Last, Boxed::Only]
        .map(|which| within(text, &boxed(text, which)).map(str::trim));
    assert!(only.is_none_or(|only| alike(only, last) && alike(only, first)));
    if !text.contains("box") {
        assert_eq!(last, None);
        let more = format!("{text}\n\\boxed{{46}}");
        assert_eq!(boxed(&more, Boxed::Last).value, Some("46"));
    }

    let [any, python] = [&[][..], &["python".to_owned()]].map(Languages::new);
    for languages in [&any, &python] {
        for which in [Which::First, Which::Last] {
            let reading = code_block(text, languages, which);
            let value = reading.value.as_deref();
            assert_eq!(value.is_some(), reading.span.is_some());
            assert!(fenced || value.is_none(), "code without a fence: {value:?}");
            lies_in(text, &reading);
        }
    }
    let reading = sql_block(text);
    lies_in(text, &reading);
    assert!(reading.value.is_none_or(|sql| sql.trim() == sql && !sql.is_empty()));
    if !fenced {
        let more = format!("{text}\n\n```py\n46\n```\n\n```sql\nSELECT 46;\n```");
        assert_eq!(code_block(&more, &python, Which::First).value.as_deref(), Some("46\n"));
        assert_eq!(sql_block(&more).value.as_deref(), Some("SELECT 46"));
    }
}

/// The value, which is what the span holds.
fn within<'a>(text: &'a str, reading: &Reading<&'a str>) -> Option<&'a str> {
    let found = reading.span.clone().map(|span| &text[span]);
    assert_eq!(found, reading.value);
    found
}

/// A value that is taken over as it is stands in its span.
fn lies_in(text: &str, reading: &Reading<Cow<'_, str>>) {
    let found = reading.span.clone().map(|span| &text[span]);
    if let Some(Cow::Borrowed(value)) = &reading.value {
        assert!(found.is_some_and(|found| found.contains(value)), "{reading:?}");
    }
}

fn alike(one: &str, other: Option<&str>) -> bool {
    let inked = |text: &str| text.split_whitespace().collect::<String>();
    other.is_some_and(|other| inked(one) == inked(other))
}

/// A text as JSON writes it.
fn quoted(text: &str) -> String {
    let mut json = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            '\0'..' ' => write!(json, "\\u{:04x}", u32::from(c)).expect("text"),
            _ => json.push(c),
        }
    }
    json.push('"');
    json
}

/// `answer_json`: as a reply, and as the text of a field.
pub fn json(text: &str) {
    let answer = Field::new(["answer"]).expect("a field");
    let nested = Field::new(["a", "b"]).expect("a path");
    for field in [&answer, &nested] {
        for dialect in [json::Dialect::Strict, json::Dialect::ReclaimEval] {
            let number = json::answer_number(text, field, dialect);
            assert!(number.value.is_none_or(f64::is_finite), "{number:?}");
            assert!(number.span.is_none_or(|span| text.get(span).is_some()));
            let read = json::answer_text(text, field, dialect);
            assert!(number.value.is_none() || read.span.is_some(), "a number and no text");
            assert!(read.value.is_none() || read.status != Parse::Failed, "{read:?}");
            assert!(read.span.clone().is_none_or(|span| text.get(span).is_some()), "{read:?}");
        }
    }
    let object = format!("{{\"thought\": 1, \"answer\": {}, \"more\": [{{}}]}}", quoted(text));
    for dialect in [json::Dialect::Strict, json::Dialect::ReclaimEval] {
        let read = json::answer_text(&object, &answer, dialect);
        assert_eq!(read.status, Parse::Strict, "{object}");
        // Nothing, or a word that says that there is nothing.
        let value = read.value.as_deref();
        assert!(value == Some(text) || (value.is_none() && read.rule == "abstained"), "{read:?}");
    }
    // The same in a text of JSON, and in a text of that.
    let escaped = quoted(&object);
    for reply in [&escaped, &quoted(&escaped), &format!("So {escaped} it is.")] {
        let read = json::answer_text(reply, &answer, json::Dialect::Strict);
        assert_eq!(read.status, Parse::Repaired, "{reply}");
        let value = read.value.as_deref();
        assert!(value == Some(text) || (value.is_none() && read.rule == "abstained"), "{read:?}");
        assert!(read.span.is_none_or(|span| reply.get(span).is_some()), "{reply}");
    }
    // A key in quotes may be that of an object whose brace was dropped.
    if !text.contains(['{', '"', '\'', '`', '“', '‘', '”', '’']) {
        let more = format!("{text}\n{{\"answer\": 46}}\n");
        let read = json::answer_number(&more, &answer, json::Dialect::Strict);
        assert_eq!((read.value, read.status), (Some(46.0), Parse::Strict));
    }
    if let Ok(field) = Field::new(text.split('.')) {
        let _ = json::answer_text(&object, &field, json::Dialect::Strict);
    }
}

/// `verdict`: as a reply, and with the labels of the second part.
pub fn judge(text: &str) {
    static MARKERS: LazyLock<Markers> =
        LazyLock::new(|| Markers::new(&["verdict".to_owned()], Which::Last).expect("a marker"));
    let field = Field::new(["verdict"]).expect("a field");
    let read = |text: &str, labels: &Labels| {
        let reading = verdict(text, &field, &MARKERS, labels);
        // Of duplicate keys the last one counts, and the status says so.
        let settled = reading.status != Parse::Conflict || reading.rule == "duplicate_key";
        assert!(reading.value.is_none() || settled, "{reading:?}");
        assert!(reading.span.clone().is_none_or(|span| text.get(span).is_some()), "{reading:?}");
        reading.value
    };
    let usual = [("correct", 0), ("incorrect", 1), ("partially correct", 2)];
    let usual = Labels::new(usual).expect("labels");
    let _ = read(text, &usual);
    if !text.contains('{') && !text.contains(['"', '\'', '`', '“', '‘', '”', '’']) {
        let object = format!("{text}\n{{\"verdict\": \"INCORRECT\"}}\n");
        assert_eq!(read(&object, &usual), Some(1));
    }
    let [text, names] = parts(text);
    if let Ok(labels) = Labels::new(names.lines().zip(0..)) {
        let _ = read(text, &labels);
    }
}

/// `function_calls` and `calls_match`, of calls as they are and behind labels.
pub fn calls(text: &str) {
    let reading = function_calls(text);
    assert_eq!(reading.value.is_some(), reading.span.is_some(), "{reading:?}");
    assert!(reading.span.clone().is_none_or(|span| text.get(span).is_some()), "{reading:?}");
    let Some(calls) = reading.value else {
        return;
    };
    let mut reversed = calls.clone();
    reversed.reverse();
    assert!(calls_match(calls.clone(), reversed));
    let written: Vec<String> = calls
        .iter()
        .map(|call| {
            format!("{{\"name\": {}, \"arguments\": {}}}", quoted(&call.name), call.arguments)
        })
        .collect();
    let json = format!("[{}]", written.join(", "));
    assert_eq!(function_calls(&json).value.as_ref(), Some(&calls), "what was read: {json}");
    let action = function_calls(&format!("Thought: so\nAction: {json}\nObservation: 3"));
    assert_eq!(action.value.as_ref(), Some(&calls), "behind a label: {json}");
    if let [call] = calls.as_slice() {
        let action = format!("Action: f\nAction Input: {}\nObservation: 3", call.arguments);
        let read = function_calls(&action).value.unwrap_or_default();
        let arguments = read.iter().map(|call| &call.arguments);
        assert!(arguments.eq([&call.arguments]), "as an input: {read:?}");
    }
    let _ = possible_calls_match(&calls, &calls);
}

/// `exact_match` and `token_f1` of both parts.
pub fn matching(text: &str) {
    let [one, other] = parts(text);
    let steps: Vec<Step> = Step::NAMES.iter().filter_map(|name| Step::parse(name)).collect();
    let every = || steps.iter().copied();
    let plain = Rules::new([], 0.0, 0.0);
    assert_eq!(plain.same(one, other), one == other);
    let rules = [
        plain,
        Rules::new(every(), 0.0, 0.0),
        Rules::new(every(), 0.5, 0.01),
        Rules::new(every().filter(|&step| step != Step::Numbers), 0.0, 0.0),
        Rules::new([Step::Numbers], 0.0, 0.0),
        Rules::new([Step::Latex, Step::Punctuation], 0.0, 0.0),
    ];
    for rules in rules {
        assert!(rules.same(one, one));
        assert_eq!(rules.same(one, other), rules.same(other, one));
        let (shared, again) = (rules.token_f1(one, other), rules.token_f1(other, one));
        assert!(
            (0.0..=1.0).contains(&shared) && (shared - again).abs() < 1e-12,
            "{shared} {again}"
        );
        assert!(!rules.same(one, other) || shared > 0.999_999);
    }
}

static STANCE: LazyLock<Lexicon> = LazyLock::new(|| {
    let listed = [(0, "may"), (0, "might be"), (1, "according to"), (1, "said"), (0, "日本")];
    Lexicon::new(listed, Some(2)).expect("a lexicon")
});

/// `cues`: a lexicon of a few cues, and one of the lines of the second part.
pub fn cues(text: &str) {
    let [text, lines] = parts(text);
    found(text, &STANCE);
    let own: Vec<(usize, &str)> =
        lines.lines().enumerate().map(|(at, cue)| (at % 3, cue)).collect();
    if let Ok(lexicon) = Lexicon::new(own.iter().copied(), None) {
        found(text, &lexicon);
        for &(_, cue) in own.iter().take(2) {
            let alone = Lexicon::new([(0, cue)], None).expect("a cue");
            let sentence = format!("x. {} .", cue.trim());
            // A month in what looks like a date is none.
            if !cue.contains(|c: char| c.is_ascii_digit()) {
                assert_eq!(alone.kinds(&sentence), 1, "{cue:?} is found in {sentence:?}");
            }
        }
    }
}

fn found(text: &str, lexicon: &Lexicon) {
    let cues = lexicon.cues(text);
    let kinds = cues.iter().fold(0, |kinds, cue| kinds | 1 << cue.kind);
    assert_eq!(lexicon.kinds(text), kinds, "{cues:?}");
    assert!(cues.is_sorted_by_key(|cue| cue.span.start), "{cues:?}");
    for kind in 0..3 {
        let of_kind: Vec<_> = cues.iter().filter(|cue| cue.kind == kind).collect();
        assert!(of_kind.windows(2).all(|two| two[0].span.end <= two[1].span.start), "{of_kind:?}");
    }
    for cue in cues {
        assert!(text.get(cue.span.clone()).is_some_and(|found| !found.is_empty()), "{cue:?}");
    }
}

/// `read_record`, `check_record` and `memory_regime`: the second part is the source.
pub fn records(text: &str) {
    static INCOMPLETE: LazyLock<Lexicon> =
        LazyLock::new(|| Lexicon::new([(0, "not kept")], None).expect("a lexicon"));
    let [text, source] = parts(text);
    let record = record::read(text);
    let empty = record.claim.is_none() && record.source.is_empty();
    assert!(record.status != record::Status::Missing || empty, "{record:?}");
    let whole = record.claim.is_some() && record.certainty.is_some();
    assert!(record.status != record::Status::Read || whole, "{record:?}");
    let check = record::check(&record, source, &STANCE);
    assert_eq!(check.malformed, record.status != record::Status::Read);
    assert!(!record::check(&record, "", &STANCE).undated);

    let regime = |survival| Regime::new(text, survival, || states(text, source), &INCOMPLETE);
    assert_eq!(regime(1.0), Regime::Correctable);
    assert_eq!(regime(0.5) == Regime::UncorrectableLoud, says_incomplete(text, &INCOMPLETE));
    if tokens(source).next().is_some() {
        assert!(states(&format!("{text}\n{source}"), source));
    }
    assert!(numbers_of(text).take(100).all(|value| states_number(text, value)));
}
