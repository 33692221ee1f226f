//! The module `reclaimstats._core`: extract, detach, compute, convert.
//!
//! Everything that a user can get wrong is checked, with a full message, by the Python
//! package before it calls in here; what is checked again here keeps the kernels' promises.

// What comes from Python arrives as a value of its own.
#![allow(clippy::needless_pass_by_value)]

mod columns;
mod errors;
mod score;
mod stats;
mod text;

use pyo3::prelude::pymodule;

#[pymodule]
mod _core {
    use pyo3::prelude::*;
    use reclaimstats_core::outcome::Outcome;
    use reclaimstats_core::plan::{Method, Resampler};
    use reclaimstats_core::text::{
        answer::{Dialect, Which},
        number, time,
    };

    #[pymodule_export]
    use super::score::{outcome_number, outcome_text};
    #[pymodule_export]
    use super::stats::{
        compare_clusters, compare_pairs, compare_sequences, rate_clusters, rate_sequences,
        rate_trials, sign_test, tally,
    };
    #[pymodule_export]
    use super::text::answers::{
        PyLetters, PyMarkers, PyOptions, PyPattern, answer_choice, answer_number, answer_regex,
        answer_time, answer_word,
    };
    #[pymodule_export]
    use super::text::memory::{
        containment, invented_numbers, numbers, prefix_survival, recurring_value, token_survival,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("METHODS", Method::NAMES)?;
        module.add("RESAMPLERS", Resampler::NAMES)?;
        module.add("DIALECTS", Dialect::NAMES)?;
        module.add("NUMBER_DIALECTS", number::Dialect::NAMES)?;
        module.add("FALLBACKS", number::Fallback::NAMES)?;
        module.add("TIME_FALLBACKS", time::Fallback::NAMES)?;
        module.add("WHICH", Which::NAMES)?;
        module.add("OUTCOMES", Outcome::NAMES)
    }
}
