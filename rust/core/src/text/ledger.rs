//! What the line items of a text add up to: `7 pens at $4 each`.
//!
//! A line item is a whole number of at most six digits, a blank, letters, blanks and hyphens that
//! begin with a letter, ` at $`, such a number again, and ` each`; nothing that goes on with a word
//! stands before or behind it. Line items do not overlap: the first one counts.

use memchr::memchr_iter;

const AT: &[u8] = b" at ";
const EACH: &str = " each";
const MOST_DIGITS: usize = 6;

/// Quantity and price of each line item, in order.
pub fn line_items(text: &str) -> impl Iterator<Item = (u64, u64)> + '_ {
    let mut end = 0;
    memchr_iter(b'$', text.as_bytes()).filter_map(move |dollar| {
        // Only what begins behind the last one is looked at, so that no byte is seen twice.
        let quantity = quantity(text.get(end..dollar)?, text.get(..end)?)?;
        let after = text.get(dollar + 1..)?;
        let price = digits(after)?;
        let behind = after.get(price.len()..)?.strip_prefix(EACH)?;
        if behind.starts_with(in_word) {
            return None;
        }
        end = text.len() - behind.len();
        Some((quantity, price.parse().ok()?))
    })
}

/// What the line items of a text come to; nothing where it has none.
#[must_use]
pub fn worked_out(text: &str) -> Option<u64> {
    line_items(text).map(|(quantity, price)| quantity * price).reduce(u64::saturating_add)
}

/// The number of things at the end of `head`, in front of the price.
fn quantity(head: &str, before: &str) -> Option<u64> {
    let named = head.as_bytes().strip_suffix(AT)?;
    let in_name = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b' ' | b'-');
    let start = named.iter().rposition(|byte| !in_name(byte))? + 1;
    let (b' ', Some(letter)) = (named.get(start)?, named.get(start + 1)) else {
        return None;
    };
    let head = head.get(..start)?;
    let first = head.bytes().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |at| at + 1);
    let (left, number) = head.split_at_checked(first)?;
    let joined = left.chars().next_back().or_else(|| before.chars().next_back());
    if !letter.is_ascii_alphabetic() || joined.is_some_and(in_word) || number.len() > MOST_DIGITS {
        return None;
    }
    number.parse().ok()
}

/// The digits that a text begins with, if they are few enough.
fn digits(text: &str) -> Option<&str> {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    text.get(..end).filter(|digits| (1..=MOST_DIGITS).contains(&digits.len()))
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_items_are_read() {
        assert_eq!(worked_out("Order: 7 pens at $4 each; 2 jars at $9 each."), Some(46));
        assert_eq!(worked_out("12 grout bags at $19 each"), Some(228));
        assert_eq!(worked_out("0 pens at $4 each"), Some(0));
        assert_eq!(worked_out("999999 a at $999999 each"), Some(999_998_000_001));
        assert_eq!(worked_out("1-2 pens at $4 each"), Some(8));
        assert_eq!(worked_out("$7 pens at $4 each"), Some(28));
    }

    #[test]
    fn nothing_else_is() {
        for text in [
            "",
            "$",
            "7 pens at $4",
            "7 pens at $4 eachy",
            "7 pens at $4 each_",
            "x7 pens at $4 each",
            "_7 pens at $4 each",
            "é7 pens at $4 each",
            "٣7 pens at $4 each",
            "1234567 a at $4 each",
            "7 a at $1234567 each",
            "7  pens at $4 each",
            "7 at $4 each",
            "7 pensat $4 each",
            "7 pens, red, at $4 each",
            "7 pens at $ each",
            "7 pens at $4 eaché",
            "pens at $4 each",
        ] {
            assert_eq!(worked_out(text), None, "{text}");
        }
    }

    #[test]
    fn they_do_not_overlap() {
        let found: Vec<_> = line_items("7 pens at $4 each at $5 each 2 a at $1 each").collect();
        assert_eq!(found, [(7, 4), (2, 1)]);
        assert_eq!(line_items("7 pens at $4 each2 jars at $9 each").count(), 0);
    }
}
