//! What single characters stand for, whatever alphabet or width they come in.

/// The zero of each run of ten decimal digits (Unicode 14, category Nd).
const ZEROS: [u32; 66] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66,
    0xde6, 0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90,
    0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
    0x104a0, 0x10d30, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650,
    0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50, 0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50,
    0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e950, 0x1fbf0,
];

/// The ASCII digit that a decimal digit of any script stands for.
pub(super) fn digit(c: char) -> Option<char> {
    if c.is_ascii() {
        return c.is_ascii_digit().then_some(c);
    }
    let code = u32::from(c);
    let run = ZEROS.partition_point(|&zero| zero <= code).checked_sub(1)?;
    char::from_digit(code - ZEROS.get(run)?, 10)
}

/// White space as `str.isspace` of Python has it: the harness dialects need it.
pub(super) fn is_python_space(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// Characters that print nothing: joiners, direction marks, soft hyphen, variation selectors.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{fe0e}'
            | '\u{fe0f}'
            | '\u{feff}'
    )
}

/// A character in its plainest form: ASCII for full-width forms, for digits of any
/// script, and for the many spaces, dashes and quotes that mean the same in an answer.
pub(super) fn plain(c: char) -> char {
    if c.is_ascii() {
        return if c == '\t' { ' ' } else { c };
    }
    match c {
        '\u{2010}'..='\u{2013}' | '\u{2212}' | '\u{fe63}' => '-',
        '\u{2014}' | '\u{2015}' => '—',
        '‘' | '’' | 'ʼ' | '′' => '\'',
        '“' | '”' | '«' | '»' | '„' | '″' => '"',
        '×' | '·' | '⋅' | '∙' | '✕' | '•' => '×',
        '≈' | '≃' | '∼' | '≅' => '~',
        '⁄' | '∕' => '/',
        '、' | '،' | '٬' => ',',
        '。' | '…' | '٫' => '.',
        '「' | '【' | '⟨' | '『' => '(',
        '」' | '】' | '⟩' | '』' => ')',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0)
            .and_then(|ascii| if ascii.is_ascii_digit() { digit(c) } else { Some(ascii) })
            .unwrap_or(c),
        _ if c.is_whitespace() => ' ',
        _ => digit(c).unwrap_or(c),
    }
}

/// Case folding of one character: its upper case, lowered, so that ß equals ss and
/// ς equals σ; digits of any script become ASCII.
pub(super) fn fold(c: char) -> impl DoubleEndedIterator<Item = char> + Clone {
    let c = digit(c).unwrap_or(c);
    let shout: [Option<char>; 3] = {
        let mut upper = c.to_uppercase();
        [upper.next(), upper.next(), upper.next()]
    };
    shout.into_iter().flatten().flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_every_script_have_a_value() {
        assert_eq!(digit('7'), Some('7'));
        assert_eq!(digit('７'), Some('7'));
        assert_eq!(digit('٣'), Some('3'));
        assert_eq!(digit('९'), Some('9'));
        assert_eq!(digit('²'), None);
        assert_eq!(digit('a'), None);
        assert_eq!(digit(char::MAX), None);
    }

    #[test]
    fn folding_joins_spellings() {
        let folded = |text: &str| text.chars().flat_map(fold).collect::<String>();
        assert_eq!(folded("Straße"), folded("STRASSE"));
        assert_eq!(folded("Σίσυφος"), folded("ΣΊΣΥΦΟΣ"));
        assert_eq!(folded("４６"), "46");
    }
}
