//! Verdicts on paired differences of scores against a margin, by where their interval lies.

use super::mean_of;
use super::paired::{Layout, Pairs, Scored, each};
use crate::equivalence::{CONSTANT, Claim, NO_SPREAD, Verdict, constant_limits};
use crate::mean::Mean;
use crate::plan::{Interval, MeanMethod, NO_VARIATION, ONE_TRIAL, Plan};

/// A mean difference and the verdict on it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Equivalence {
    /// Mean score of the treatment over pairs.
    pub treatment: Option<f64>,
    /// Mean score of the baseline over pairs.
    pub baseline: Option<f64>,
    /// The mean difference; its interval is the one that decides.
    pub difference: Mean,
    /// The verdict.
    pub verdict: Verdict,
}

/// Verdicts on cells; the plan's level is 1 - 2 alpha. `bounds` holds what a difference can be at
/// all: without them, units that all show one difference prove nothing.
#[must_use]
pub fn of_cells(
    layout: Layout,
    pairs: Pairs,
    plan: &Plan<MeanMethod>,
    claim: &Claim,
    bounds: Option<(f64, f64)>,
) -> Vec<Equivalence> {
    each(layout, pairs, plan, |cell, clusters, quantiles| {
        let mut difference = Scored::of(cell).mean(clusters, plan, quantiles);
        let same = matches!(difference.interval.reason, Some(NO_VARIATION | ONE_TRIAL));
        if let Some(value) = difference.estimate.filter(|_| same) {
            let units = difference.clusters.unwrap_or(difference.trials);
            difference.interval = match bounds {
                Some(bounds) => {
                    let limits = constant_limits(value, units, plan.tail(), bounds);
                    Interval::closed_form(limits, CONSTANT)
                }
                None if units > 1 => Interval::missing("none", NO_SPREAD),
                None => difference.interval,
            };
        }
        Equivalence {
            treatment: mean_of(cell.treatment),
            baseline: mean_of(cell.baseline),
            difference,
            verdict: claim.verdict(difference.interval.limits),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::equivalence::Alternative;
    use crate::plan::Resampler;
    use crate::watch::Watch;

    #[test]
    fn equal_differences_are_judged_by_what_is_possible() {
        let plan = Plan {
            method: MeanMethod::Auto,
            resampler: Resampler::Auto,
            confidence_level: 0.9,
            n_resamples: 1,
            seed: 0,
            watch: Watch::nobody(),
        };
        let claim = Claim { alternative: Alternative::Equivalence, margins: (-0.5, 0.5) };
        let scores: Vec<f64> = (0..60).map(|place| f64::from(place % 5) + 1.0).collect();
        let pairs = Pairs { treatment: &scores, baseline: &scores };
        let layout = Layout { offsets: &[0, 60, 60], lengths: None };
        let free = of_cells(layout, pairs, &plan, &claim, None);
        assert_eq!(free[0].difference.interval.reason, Some(NO_SPREAD));
        assert_eq!(
            free.iter().map(|row| row.verdict).collect::<Vec<_>>(),
            [Verdict::Inconclusive; 2]
        );
        let bounded = of_cells(layout, pairs, &plan, &claim, Some((-4.0, 4.0)));
        assert_eq!(bounded[0].verdict, Verdict::Pass);
        assert_eq!(bounded[0].difference.interval.method, CONSTANT);
    }
}
