//! What the core refuses, as the Python package's exceptions.

use pyo3::prelude::*;
use reclaimstats_core::text::answer::MarkerError;
use reclaimstats_core::text::choice::LettersError;
use reclaimstats_core::text::json::FieldError;
use reclaimstats_core::text::cues::{KINDS, LexiconError};
use reclaimstats_core::text::pattern::PatternError;
use reclaimstats_core::text::verdict::LabelsError;
use reclaimstats_core::text::word::OptionsError;

pyo3::import_exception!(reclaimstats.errors, ColumnError);
pyo3::import_exception!(reclaimstats.errors, OptionError);

/// The option of that name, or an error.
pub(crate) fn option<T>(
    option: &str,
    name: &str,
    parse: impl Fn(&str) -> Option<T>,
) -> PyResult<T> {
    parse(name).ok_or_else(|| OptionError::new_err(format!("{option}={name:?} is unknown")))
}

pub(crate) fn markers(error: &MarkerError) -> PyErr {
    OptionError::new_err(match error {
        MarkerError::Missing => "marker is empty; name at least one, such as 'ANSWER'".to_owned(),
        MarkerError::Empty(marker) => {
            format!("marker {marker:?} holds nothing to look for; use a word or a sign like '####'")
        }
    })
}

pub(crate) fn options(error: &OptionsError) -> PyErr {
    OptionError::new_err(match error {
        OptionsError::Missing => "options are empty; name at least one answer".to_owned(),
        OptionsError::Empty(option) => {
            format!("option {option:?} holds no word that a reply could name; remove it")
        }
        OptionsError::Duplicate(first, second) => {
            format!("options {first:?} and {second:?} cannot be told apart; remove one of them")
        }
    })
}

pub(crate) fn lengths(lengths: &[usize]) -> PyErr {
    ColumnError::new_err(format!(
        "columns of different lengths cannot be read row by row: {lengths:?}; one row stands for \
         many, any other number must be equal"
    ))
}

pub(crate) fn letters(error: LettersError) -> PyErr {
    OptionError::new_err(match error {
        LettersError::Missing => "options are empty; name letters, such as 'ABCD'".to_owned(),
        LettersError::NoLetter(c) => {
            format!("option {c:?} is no letter; answer_word reads other options")
        }
        LettersError::Twice(c) => format!("option {c:?} comes twice; case does not count"),
    })
}

pub(crate) fn lexicon(error: &LexiconError) -> PyErr {
    OptionError::new_err(match error {
        LexiconError::Empty(cue) => {
            format!("lexicon: cue {cue:?} holds nothing to look for; remove it")
        }
        LexiconError::Kinds(kinds) => {
            format!("lexicon has {kinds} kinds or more; at most {KINDS} can be told apart")
        }
    })
}

pub(crate) fn pattern(error: &PatternError) -> PyErr {
    OptionError::new_err(match error {
        PatternError::Syntax(reason) => format!(
            "pattern cannot be used; look-around and back-references do not exist here: {reason}"
        ),
        PatternError::Group(count) => {
            format!("group is none of the pattern's; it has {count} beside the whole match, 0")
        }
    })
}

pub(crate) fn field(error: &FieldError) -> PyErr {
    OptionError::new_err(match error {
        FieldError::Missing => "field is empty; name a key, such as 'answer'",
        FieldError::EmptyKey => {
            "field has an empty key; name each key of the path, as in 'result.answer'"
        }
    })
}

pub(crate) fn labels(error: &LabelsError) -> PyErr {
    OptionError::new_err(match error {
        LabelsError::Missing => "labels are empty; name at least one".to_owned(),
        LabelsError::Empty(label) => {
            format!("label {label:?} holds no letter or digit that a reply could name; remove it")
        }
        LabelsError::Duplicate(first, second) => {
            format!("labels {first:?} and {second:?} cannot be told apart; remove one of them")
        }
    })
}
