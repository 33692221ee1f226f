//! The module `reclaimstats._core`: extract, detach, compute, convert.
//!
//! Everything that a user can get wrong is checked, with a full message, by the Python
//! package before it calls in here; what is checked again here keeps the kernels' promises.

// What comes from Python arrives as a value of its own.
#![allow(clippy::needless_pass_by_value)]

mod cells;
mod columns;
mod errors;
mod score;
mod stats;
mod text;
mod watched;

use pyo3::prelude::pymodule;

#[pymodule]
mod _core {
    use pyo3::prelude::*;
    use reclaimstats_core::agreement::{Metric, Weights};
    use reclaimstats_core::audit::{self, Rounding};
    use reclaimstats_core::compare::Measure;
    use reclaimstats_core::detection::{self, RankingMethod};
    use reclaimstats_core::equivalence::Alternative as Claims;
    use reclaimstats_core::infer::barnard;
    use reclaimstats_core::infer::fisher::Alternative;
    use reclaimstats_core::infer::labels::Counting;
    use reclaimstats_core::infer::mcnemar::McNemar;
    use reclaimstats_core::infer::multiplicity::Adjustment;
    use reclaimstats_core::infer::ranks::{RankMethod, Zeros};
    use reclaimstats_core::means::groups::GroupMethod;
    use reclaimstats_core::outcome::Outcome;
    use reclaimstats_core::plan::{DifferenceMethod, MeanMethod, RateMethod, Resampler, Variance};
    use reclaimstats_core::proportions::{DifferenceInterval, OddsRatioInterval, RatioInterval};
    use reclaimstats_core::text::{
        answer::{Dialect, Which},
        boxed::Which as Boxes,
        exact::Step,
        json, number,
        regime::Regime,
        time,
    };

    #[pymodule_export]
    use super::score::{outcome_number, outcome_text, regime_number, regime_text};
    #[pymodule_export]
    use super::stats::agreement::{agreement_items, agreement_pairs};
    #[pymodule_export]
    use super::stats::audit::audit_figures;
    #[pymodule_export]
    use super::stats::compare::{compare_clusters, compare_pairs, compare_sequences};
    #[pymodule_export]
    use super::stats::contrasts::{difference_in_differences, gap_closure};
    #[pymodule_export]
    use super::stats::counts::{adjust, fisher_test, sign_test};
    #[pymodule_export]
    use super::stats::detection::{detection_counts, ranking_scores};
    #[pymodule_export]
    use super::stats::equivalence::{equivalence_counts, tost};
    #[pymodule_export]
    use super::stats::evidence::evidence_looks;
    #[pymodule_export]
    use super::stats::groups::{barnard_test, compare_groups, fisher_tables};
    #[pymodule_export]
    use super::stats::kinds::count_kinds;
    #[pymodule_export]
    use super::stats::mean::{mean_clusters, mean_trials};
    #[pymodule_export]
    use super::stats::means::{compare_groups_of_scores, compare_means, equivalence_means};
    #[pymodule_export]
    use super::stats::nested::nested_percentiles;
    #[pymodule_export]
    use super::stats::paired::{mcnemar_tables, mcnemar_test, pair_table, paired_effect};
    #[pymodule_export]
    use super::stats::permutation::{flip_signs, rank_sums, shuffle_labels, signed_ranks};
    #[pymodule_export]
    use super::stats::planning::{plan_pilots, plan_study, rule_of_three};
    #[pymodule_export]
    use super::stats::rate::{rate_clusters, rate_sequences, rate_trials, tally};
    #[pymodule_export]
    use super::stats::repeats::{blast_radius, heterogeneity, passed, variance_components};
    #[pymodule_export]
    use super::stats::sensitivity::sensitivity_counts;
    #[pymodule_export]
    use super::stats::wins::wins_counts;
    #[pymodule_export]
    use super::text::answers::{
        PyLetters, PyMarkers, PyOptions, PyPattern, answer_choice, answer_number, answer_regex,
        answer_time, answer_word,
    };
    #[pymodule_export]
    use super::text::blocks::{boxed, calls_match, code_block, function_calls, sql_block};
    #[pymodule_export]
    use super::text::cues::{PyLexicon, check_record, cue_kinds, cues_found, read_record};
    #[pymodule_export]
    use super::text::matching::{PyMatchRules, exact_match, token_f1};
    #[pymodule_export]
    use super::text::memory::{
        containment, invented_numbers, number_survival, numbers, prefix_survival, recurring_value,
        token_survival, tokens_survive, worked_out,
    };
    #[pymodule_export]
    use super::text::structured::{PyField, PyLabels, answer_json, verdict};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("BINDING", env!("RECLAIMSTATS_BINDING"))?;
        module.add("ADJUSTMENTS", Adjustment::NAMES)?;
        module.add("AGREEMENT_METRICS", Metric::NAMES)?;
        module.add("AGREEMENT_WEIGHTS", Weights::NAMES)?;
        module.add("DETECTION_METRICS", detection::Metric::NAMES)?;
        module.add("RANKING_METHODS", RankingMethod::NAMES)?;
        module.add("RATE_METHODS", RateMethod::NAMES)?;
        module.add("EFFECTS", Measure::NAMES)?;
        module.add("DIFFERENCE_METHODS", DifferenceMethod::NAMES)?;
        module.add("MCNEMAR_METHODS", McNemar::NAMES)?;
        module.add("PAIRED_DIFFERENCE_METHODS", DifferenceInterval::NAMES)?;
        module.add("PAIRED_RATIO_METHODS", RatioInterval::NAMES)?;
        module.add("PAIRED_ODDS_RATIO_METHODS", OddsRatioInterval::NAMES)?;
        module.add("BARNARD_MOST", barnard::MOST)?;
        module.add("COUNTINGS", Counting::NAMES)?;
        module.add("RANK_METHODS", RankMethod::NAMES)?;
        module.add("ZEROS", Zeros::NAMES)?;
        module.add("GROUP_METHODS", GroupMethod::NAMES)?;
        module.add("MEAN_METHODS", MeanMethod::NAMES)?;
        module.add("MEAN_RESAMPLERS", Resampler::OF_SCORES)?;
        module.add("VARIANCES", Variance::NAMES)?;
        module.add("ALTERNATIVES", Alternative::NAMES)?;
        module.add("CLAIMS", Claims::NAMES)?;
        module.add("RESAMPLERS", Resampler::OF_COUNTS)?;
        module.add("DIALECTS", Dialect::NAMES)?;
        module.add("FIGURES", audit::KINDS)?;
        module.add("ROUNDINGS", Rounding::NAMES)?;
        module.add("BOXES", Boxes::NAMES)?;
        module.add("NUMBER_DIALECTS", number::Dialect::NAMES)?;
        module.add("FALLBACKS", number::Fallback::NAMES)?;
        module.add("TIME_FALLBACKS", time::Fallback::NAMES)?;
        module.add("JSON_DIALECTS", json::Dialect::NAMES)?;
        module.add("WHICH", Which::NAMES)?;
        module.add("OUTCOMES", Outcome::NAMES)?;
        module.add("NORMALISATIONS", Step::NAMES)?;
        module.add("REGIMES", Regime::NAMES)
    }
}
