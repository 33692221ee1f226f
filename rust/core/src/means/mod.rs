//! Arms compared by their mean scores: paired, independent, and against a margin.

pub mod groups;
pub mod paired;
pub mod verdicts;

use crate::infer::PValue;
use crate::infer::fisher::Alternative;
use crate::infer::labels::{Counting, Found, How};
use crate::mean::{sorted, sum};
use crate::plan::Plan;

/// How many differences are of which sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Signs {
    /// The treatment scores higher.
    pub positive: u64,
    /// The baseline scores higher.
    pub negative: u64,
    /// Neither.
    pub tied: u64,
}

impl Signs {
    fn of(differences: &[i64]) -> Self {
        let count = |sign: i64| differences.iter().filter(|d| d.signum() == sign).count() as u64;
        Self { positive: count(1), negative: count(-1), tied: count(0) }
    }

    /// All of them.
    #[must_use]
    pub fn units(&self) -> u64 {
        self.positive + self.negative + self.tied
    }
}

/// A p-value, and how many draws it is from; nothing where it is exact.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tested {
    /// The p-value.
    pub p: PValue,
    /// Number of draws.
    pub n_resamples: Option<u32>,
}

impl Tested {
    fn of(found: Found) -> Self {
        Self { p: PValue::of_ln(found.ln_p), n_resamples: found.n_resamples }
    }
}

/// Two-sided, and exact where that is affordable.
fn how<'a, M>(plan: &Plan<'a, M>) -> How<'a> {
    How {
        alternative: Alternative::TwoSided,
        counting: Counting::Auto,
        n_resamples: plan.n_resamples,
        seed: plan.seed,
        watch: plan.watch,
    }
}

/// Mean that does not depend on the order of the scores; nothing without any, or where they are
/// too large to add up.
fn mean_of(scores: &[f64]) -> Option<f64> {
    let scores = sorted(scores);
    let (least, most) = (scores.first()?, scores.last()?);
    let mean = sum(scores.iter().copied()) / scores.len() as f64;
    mean.is_finite().then(|| mean.clamp(*least, *most))
}
