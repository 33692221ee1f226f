//! The number filters of lm-evaluation-harness for GSM8K, which many tasks have copied.
//!
//! * **Strict**: the first `#### ` with a number behind it: perhaps a minus, then digits, dots and
//!   commas. The harness takes the first match whatever the model adds.
//! * **Flexible**: the last run of digits, dots, commas and dollar signs that is longer than one
//!   character or is a digit, with the minus directly before it. A closing ellipsis is such a run.
//!
//! What is found is then compared as text without commas, dollar signs and one closing dot; so the
//! value is that text's, and there is none where it is no decimal number.

use super::answer::{Reading, Status};
use memchr::memmem;
use std::ops::Range;

pub(super) fn strict(reply: &str) -> Reading<f64> {
    const SIGN: &str = "#### ";
    let of_number = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',');
    for found in memmem::find_iter(reply.as_bytes(), SIGN) {
        let start = found + SIGN.len();
        let text = reply.as_bytes().get(start..).unwrap_or_default();
        let minus = usize::from(text.starts_with(b"-"));
        let run = text.iter().skip(minus).take_while(|&byte| of_number(byte)).count();
        if run > 0 {
            return reading(reply, start..start + minus + run, "marker");
        }
    }
    Reading::none(Status::Unparsed, "no_match")
}

pub(super) fn flexible(reply: &str) -> Reading<f64> {
    let bytes = reply.as_bytes();
    let of_number = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'$' | b'.' | b',');
    let mut end = bytes.len();
    while let Some(last) =
        bytes.get(..end).and_then(|head| head.iter().rposition(|&b| of_number(b)))
    {
        let head = bytes.get(..last).unwrap_or_default();
        let start = head.iter().rposition(|&b| !of_number(b)).map_or(0, |at| at + 1);
        if start < last || bytes.get(last).is_some_and(u8::is_ascii_digit) {
            let signed = start.checked_sub(1).filter(|&at| bytes.get(at) == Some(&b'-'));
            return reading(reply, signed.unwrap_or(start)..last + 1, "last_number");
        }
        end = start;
    }
    Reading::none(Status::Unparsed, "no_match")
}

fn reading(reply: &str, span: Range<usize>, rule: &'static str) -> Reading<f64> {
    match reply.get(span.clone()).and_then(value) {
        Some(value) => Reading::read(value, span, rule),
        None => Reading::none(Status::Unparsed, "no_number"),
    }
}

fn value(found: &str) -> Option<f64> {
    let mut text = found.replace([',', '$'], "");
    if text.ends_with('.') {
        text.pop();
    }
    // Rust, as Python, would read a number that ends in a dot; no gold answer is spelled so.
    if text.ends_with('.') { None } else { text.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_takes_the_first_match() {
        for (reply, value) in [
            ("#### 46\nQuestion: next\n#### 9", Some(46.0)),
            ("#### -1,046.50 pens", Some(-1046.5)),
            ("#### unable\n#### 7.", Some(7.0)),
            ("##### 8", Some(8.0)),
            ("#### .5", Some(0.5)),
            ("#### 1.2.3\n#### 4", None),
            ("#### 1..", None),
            ("#### $46", None),
            ("####46", None),
            ("#### -", None),
            ("", None),
        ] {
            assert_eq!(strict(reply).value, value, "{reply:?}");
        }
        assert_eq!(strict("é #### -7, then").span, Some(8..11));
    }

    #[test]
    fn flexible_takes_the_last_run() {
        for (reply, value) in [
            ("28 + 18 = $46.", Some(46.0)),
            ("it was 55 before, so 46, -7", Some(-7.0)),
            ("-$1,046.50!", Some(-1046.5)),
            ("$-5", Some(-5.0)),
            ("3 pens, I think", Some(3.0)),
            ("3 pens, at $ each.", Some(3.0)),
            ("46 pens...", None),
            ("46...", None),
            ("1.2.3", None),
            ("7 ,,", None),
            ("none.", None),
            ("４６", None),
            ("", None),
        ] {
            assert_eq!(flexible(reply).value, value, "{reply:?}");
        }
        assert_eq!(flexible("é 5 and --7").span, Some(10..12));
    }
}
