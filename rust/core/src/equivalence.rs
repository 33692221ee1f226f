//! Equivalence, non-inferiority and superiority by a margin: a verdict from where an interval
//! lies.
//!
//! Two one-sided tests at level alpha reject both exactly where the interval at level
//! 1 - 2 alpha lies inside the margins (Schuirmann 1987, doi:10.1007/BF01068419), so that the
//! interval that covers also decides. Where every unit shows the same difference, intervals that
//! stand on a standard error have no width, which is no proof of anything: there
//! [`constant_limits`] decides.

use rayon::prelude::*;

use crate::compare::{self, Comparison, Measure, Pairs};
use crate::distributions::{ln_student_t_upper, normal_quantile, student_t_upper_quantile};
use crate::intervals::{Quantiles, Spread, Worth};
use crate::plan::{DifferenceMethod, Interval, NO_TRIALS, ONE_CLUSTER, ONE_TRIAL, Plan, TOO_LARGE};
use crate::proportions::tango;
use crate::rate::cells;
use crate::watch::Watch;

/// What is claimed of a difference, treatment minus baseline, and its margins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Claim {
    /// Which kind of claim.
    pub alternative: Alternative,
    /// Lower and upper margin; a claim of one side reads its own only.
    pub margins: (f64, f64),
}

/// Kinds of claims.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alternative {
    /// The difference lies between the margins.
    Equivalence,
    /// The difference lies above the lower margin.
    NonInferiority,
    /// The difference lies above the upper margin.
    Superiority,
}

impl Alternative {
    /// The accepted names, in the order of the documentation.
    pub const NAMES: &'static [&'static str] = &["equivalence", "non-inferiority", "superiority"];

    /// The alternative of that name, or nothing.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "equivalence" => Some(Self::Equivalence),
            "non-inferiority" => Some(Self::NonInferiority),
            "superiority" => Some(Self::Superiority),
            _ => None,
        }
    }
}

/// What the data say of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The interval lies wholly where the claim holds.
    Pass,
    /// The interval lies wholly where it does not.
    Fail,
    /// Neither; also where there is no interval.
    Inconclusive,
}

impl Verdict {
    /// The verdict's name in a result.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Fail => "FAIL",
            Self::Inconclusive => "INCONCLUSIVE",
        }
    }
}

impl Claim {
    /// The verdict on an interval. A limit that meets a margin is on the side of no claim.
    #[must_use]
    pub fn verdict(&self, limits: Option<(f64, f64)>) -> Verdict {
        let Some((low, high)) = limits else { return Verdict::Inconclusive };
        let (least, most) = self.margins;
        let (holds, fails) = match self.alternative {
            Alternative::Equivalence => (low > least && high < most, high <= least || low >= most),
            Alternative::NonInferiority => (low > least, high <= least),
            Alternative::Superiority => (low > most, high <= most),
        };
        if holds {
            Verdict::Pass
        } else if fails {
            Verdict::Fail
        } else {
            Verdict::Inconclusive
        }
    }
}

/// A paired comparison and the verdict on it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Equivalence {
    /// The comparison; its interval is the one that decides.
    pub comparison: Comparison,
    /// The verdict.
    pub verdict: Verdict,
}

/// Verdicts on cells of independent pairs; the plan's level is 1 - 2 alpha.
///
/// The method that covers is here Tango's score interval, Statistics in Medicine 17:891. Newcombe's
/// stands on the rates of both arms, which near rates of one half hides how few pairs decide: where
/// all discordant pairs favour one arm it passes a claim of one side at a margin of 0.2 in 11.5 %
/// of studies of 24 pairs at a nominal 5, and Tango's in 3.3 %.
#[must_use]
pub fn of_pairs(all: &[Pairs], plan: &Plan<DifferenceMethod>, claim: &Claim) -> Vec<Equivalence> {
    let mut comparisons = compare::of_pairs(all, Measure::Difference, plan);
    if plan.method == DifferenceMethod::Auto {
        let quantile = -normal_quantile(plan.tail());
        comparisons.par_iter_mut().filter(|c| c.interval.limits.is_some()).for_each(|found| {
            let counts = (found.total.treatment_only as f64, found.baseline_only as f64);
            let limits = tango(found.total.pairs as f64, counts, quantile);
            found.interval = Interval::closed_form(limits, "tango");
        });
    }
    judged(comparisons, plan, claim)
}

/// Verdicts on cells of clusters of pairs, as in [`compare::of_clusters`].
///
/// The method that covers is Tango's interval on the number of independent pairs that the
/// clusters are worth for the difference, as Wilson's is for a rate: see [`Worth`]. Pairs that
/// differ are mostly few, so that the variance is doubted more.
#[must_use]
pub fn of_clusters(
    offsets: &[usize],
    clusters: &[Pairs],
    plan: &Plan<DifferenceMethod>,
    claim: &Claim,
) -> Vec<Equivalence> {
    let mut comparisons = compare::of_clusters(offsets, clusters, Measure::Difference, plan);
    if plan.method == DifferenceMethod::Auto {
        let cells: Vec<&[Pairs]> = cells(offsets, clusters).collect();
        comparisons
            .par_iter_mut()
            .zip(cells)
            .filter(|(found, _)| found.interval.limits.is_some())
            .for_each_with(Quantiles::new(plan.tail()), |quantiles, (found, cell)| {
                let limits = tango_of_clusters(cell, &found.total, quantiles);
                found.interval = Interval::closed_form(limits, "tango-effective");
            });
    }
    judged(comparisons, plan, claim)
}

/// Pairs of a cluster that one which is unlike the others speaks for.
const SPEAKS_FOR: u64 = 4;

/// How many pairs of a cluster are of each kind: those that agree, and those of either sign.
const KINDS: [fn(&Pairs) -> u64; 3] =
    [|c| c.pairs - c.discordant(), |c| c.treatment_only, |c| c.discordant() - c.treatment_only];

fn tango_of_clusters(cell: &[Pairs], total: &Pairs, quantiles: &mut Quantiles) -> (f64, f64) {
    let some = cell.iter().filter(|cluster| cluster.pairs > 0);
    let sizes: u128 = some.clone().map(|cluster| u128::from(cluster.pairs).pow(2)).sum();
    let (n, difference) = (total.pairs as f64, total.difference());
    let equal = n * n / sizes as f64;
    // Pairs in clusters that hold one unlike the most frequent kind, of which each speaks for no
    // more than a few: one odd pair of thirty says little of clusters that would all be odd.
    let rarer = KINDS.map(|like| {
        let unlike = some.clone().map(|cluster| (cluster.pairs, cluster.pairs - like(cluster)));
        let (holding, odd) = unlike.fold((0, 0), |(holding, odd), (pairs, more)| {
            (holding + if more > 0 { pairs } else { 0 }, odd + more)
        });
        holding.min(SPEAKS_FOR * odd)
    });
    let rarer = rarer.into_iter().min().unwrap_or(0);
    let values = some.clone().map(|cluster| (cluster.difference(), cluster.pairs));
    let spread = Spread::of(values, (difference, total.pairs));
    let spread = spread.map(|spread| spread.shown_by((rarer, total.pairs), equal, 0.7));
    let (share, mean) = (total.discordant() as f64 / n, difference as f64 / n);
    let worth = Worth::of(share - mean * mean, spread, n, equal);
    let size = quantiles.shrunk(worth);
    let only = |share: f64, mean: f64| size * f64::midpoint(share, mean);
    tango(size, (only(share, mean), only(share, -mean)), quantiles.normal())
}

fn judged(
    comparisons: Vec<Comparison>,
    plan: &Plan<DifferenceMethod>,
    claim: &Claim,
) -> Vec<Equivalence> {
    let judge = |mut comparison: Comparison| {
        if let Some(units) = constant_units(&comparison) {
            let pairs = comparison.total.pairs as f64;
            let difference = comparison.total.difference() as f64 / pairs;
            let limits = constant_limits(difference, units, plan.tail(), (-1.0, 1.0));
            comparison.interval = Interval::closed_form(limits, CONSTANT);
        }
        Equivalence { comparison, verdict: claim.verdict(comparison.interval.limits) }
    };
    comparisons.into_iter().map(judge).collect()
}

/// Name of the method of [`constant_limits`].
pub const CONSTANT: &str = "constant-exact";

/// How many units there are, if there is an interval and all of them show one difference.
///
/// Standard errors are computed from whole numbers, so that they are zero exactly then.
fn constant_units(comparison: &Comparison) -> Option<u64> {
    comparison.interval.limits?;
    let (units, error) = match comparison.clusters {
        Some(tests) => (tests.positive + tests.negative + tests.tied, tests.standard_error),
        None => (comparison.total.pairs, comparison.standard_error),
    };
    // A single pair has no standard error, and is as constant.
    error.is_none_or(|error| error <= 0.0).then_some(units)
}

/// Exact limits, each at level 1 - `tail`, of the mean of differences within `bounds` of which
/// `units` independent ones were observed and are all equal to `value`.
///
/// Were a share above u = 1 - tail^(1/units) of all units different, units that are all equal
/// had a chance below `tail`. The mean is then no farther from the value than if a share of u
/// lay at a bound. The test holds whichever values occur: with a mean at the lower limit, a
/// value that leads to a limit as high has at most the chance 1 - u (Markov's inequality).
#[must_use]
pub fn constant_limits(value: f64, units: u64, tail: f64, bounds: (f64, f64)) -> (f64, f64) {
    let other = -libm::expm1(libm::log(tail) / units as f64);
    let (low, high) = (value - other * (value - bounds.0), value + other * (bounds.1 - value));
    (low.max(bounds.0), high.min(bounds.1))
}

/// Natural logarithm of the p-value of [`constant_limits`] against a mean of at most `margin`,
/// which lies within the bounds: the level at which the lower limit reaches it.
fn ln_constant_p(value: f64, units: u64, margin: f64, least: f64) -> f64 {
    if value <= margin {
        return 0.0;
    }
    units as f64 * libm::log((margin - least) / (value - least))
}

/// Two one-sided tests of the mean of numeric paired differences.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tost {
    /// Number of differences.
    pub n: u64,
    /// Number of clusters, where there are clusters.
    pub clusters: Option<u64>,
    /// Their mean.
    pub mean: Option<f64>,
    /// Its standard error, cluster-robust (CR2) where there are clusters; zero where all units
    /// show one difference.
    pub standard_error: Option<f64>,
    /// Degrees of freedom of Student's t.
    pub degrees: Option<f64>,
    /// The interval at level 1 - 2 alpha.
    pub interval: Interval,
    /// Natural logarithm of the p-value against a mean at or below the lower margin, or the
    /// upper one where superiority is claimed.
    pub ln_lower: Option<f64>,
    /// Likewise against a mean at or above the upper margin; for equivalence only.
    pub ln_upper: Option<f64>,
    /// The verdict.
    pub verdict: Verdict,
}

/// Reason of equal differences that nothing bounds.
pub const NO_SPREAD: &str = "all units show the same difference, and it has no bounds";

/// Spread that counts as none, relative to the largest mean of a unit or margin: what rounding
/// leaves of differences that are equal.
const ROUNDING: f64 = 1e-12;

/// Tests `differences`, all finite, in any order, which come cluster by cluster where `offsets`
/// holds the bounds of clusters. `bounds` holds what a difference can be at all.
#[must_use]
pub fn tost(
    differences: &[f64],
    offsets: Option<&[usize]>,
    claim: &Claim,
    alpha: f64,
    bounds: Option<(f64, f64)>,
    watch: &Watch,
) -> Tost {
    let scale = differences.iter().fold(0.0_f64, |largest, d| largest.max(d.abs()));
    // By a power of two, which changes no digit, so that no square overflows.
    let scale = libm::scalbn(1.0, libm::ilogb(scale.max(f64::MIN_POSITIVE)));
    let mut units = unit_sums(differences, offsets, scale, watch);
    let n = differences.len() as u64;
    let clusters = offsets.map(|_| units.len() as u64);
    let missing = |reason| Tost {
        n,
        clusters,
        mean: None,
        standard_error: None,
        degrees: None,
        interval: Interval::missing("none", reason),
        ln_lower: None,
        ln_upper: None,
        verdict: Verdict::Inconclusive,
    };
    if units.is_empty() {
        return missing(NO_TRIALS);
    }
    let sums: Vec<f64> = units.iter().map(|unit| unit.0).collect();
    let mean = sorted_sum(sums, watch) / n as f64;
    let located = |reason| Tost { mean: Some(mean * scale), ..missing(reason) };
    if clusters == Some(1) {
        return located(ONE_CLUSTER);
    }
    let margins = claim.margins.0.abs().max(claim.margins.1.abs()) / scale;
    let unit_means = || units.iter().map(|unit| unit.0 / unit.1);
    let largest = unit_means().fold(margins, |largest, m| largest.max(m.abs()));
    if unit_means().all(|m| (m - mean).abs() <= ROUNDING * largest) {
        let Some(bounds) = bounds else {
            return located(if units.len() == 1 { ONE_TRIAL } else { NO_SPREAD });
        };
        return constant(
            located(NO_SPREAD),
            mean * scale,
            units.len() as u64,
            claim,
            alpha,
            bounds,
        );
    }
    let total = n as f64;
    let squares = units.iter_mut().map(|(sum, size)| {
        let residual = *sum - mean * *size;
        residual * residual / (1.0 - *size / total)
    });
    let standard_error = libm::sqrt(sorted_sum(squares.collect(), watch)) / total * scale;
    let sizes = units.iter().map(|unit| unit.1 * unit.1).sum::<f64>();
    let degrees = (total * total / sizes - 1.0).max(1.0);
    let mean = mean * scale;
    let half = student_t_upper_quantile(alpha, degrees) * standard_error;
    let limits = (mean - half, mean + half);
    if !(limits.0.is_finite() && limits.1.is_finite()) {
        return located(TOO_LARGE);
    }
    let against = |margin: f64| ln_student_t_upper((mean - margin) / standard_error, degrees);
    let (ln_lower, ln_upper) = match claim.alternative {
        Alternative::Equivalence => (
            against(claim.margins.0),
            Some(ln_student_t_upper((claim.margins.1 - mean) / standard_error, degrees)),
        ),
        Alternative::NonInferiority => (against(claim.margins.0), None),
        Alternative::Superiority => (against(claim.margins.1), None),
    };
    let method = if clusters.is_some() { "t-clustered" } else { "t" };
    Tost {
        standard_error: Some(standard_error),
        degrees: Some(degrees),
        interval: Interval::closed_form(limits, method),
        ln_lower: Some(ln_lower),
        ln_upper,
        verdict: claim.verdict(Some(limits)),
        ..located(NO_SPREAD)
    }
}

fn constant(
    located: Tost,
    value: f64,
    units: u64,
    claim: &Claim,
    alpha: f64,
    bounds: (f64, f64),
) -> Tost {
    let limits = constant_limits(value, units, alpha, bounds);
    let against = |margin| ln_constant_p(value, units, margin, bounds.0);
    let (least, most) = claim.margins;
    let (ln_lower, ln_upper) = match claim.alternative {
        Alternative::Equivalence => {
            (against(least), Some(ln_constant_p(-value, units, -most, -bounds.1)))
        }
        Alternative::NonInferiority => (against(least), None),
        Alternative::Superiority => (against(most), None),
    };
    Tost {
        standard_error: Some(0.0),
        interval: Interval::closed_form(limits, CONSTANT),
        ln_lower: Some(ln_lower),
        ln_upper,
        verdict: claim.verdict(Some(limits)),
        ..located
    }
}

/// Sum and size of each cluster, or of each difference, divided by `scale` and sorted.
fn unit_sums(
    differences: &[f64],
    offsets: Option<&[usize]>,
    scale: f64,
    watch: &Watch,
) -> Vec<(f64, f64)> {
    let mut units: Vec<(f64, f64)> = match offsets {
        None => differences.iter().map(|d| (d / scale, 1.0)).collect(),
        Some(offsets) => offsets
            .windows(2)
            .filter_map(|bounds| differences.get(bounds[0]..bounds[1]))
            .filter(|cluster| !cluster.is_empty())
            .map(|cluster| {
                let sum = sorted_sum(cluster.iter().map(|d| d / scale).collect(), watch);
                (sum, cluster.len() as f64)
            })
            .collect(),
    };
    units.sort_unstable_by(|a, b| {
        watch.look();
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    units
}

/// Sum that does not depend on the order of the values, in twice the digits of a float
/// (Knuth's two-sum).
fn sorted_sum(mut values: Vec<f64>, watch: &Watch) -> f64 {
    values.sort_unstable_by(|a, b| {
        watch.look();
        a.total_cmp(b)
    });
    let (mut sum, mut rest) = (0.0, 0.0);
    for value in values {
        let next: f64 = sum + value;
        let part = next - sum;
        rest += (sum - (next - part)) + (value - part);
        sum = next;
    }
    sum + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLAIM: Claim = Claim { alternative: Alternative::Equivalence, margins: (-0.1, 0.1) };

    #[test]
    fn verdicts_go_by_where_the_interval_lies() {
        use Alternative::{Equivalence, NonInferiority, Superiority};
        use Verdict::{Fail, Inconclusive, Pass};
        let of = |alternative, low, high| Claim { alternative, ..CLAIM }.verdict(Some((low, high)));
        for (low, high, expected) in [
            (-0.05, 0.05, [Pass, Pass, Fail]),
            (-0.1, 0.05, [Inconclusive, Inconclusive, Fail]),
            (-0.05, 0.1, [Inconclusive, Pass, Fail]),
            (-0.05, 0.2, [Inconclusive, Pass, Inconclusive]),
            (-0.3, -0.1, [Fail, Fail, Fail]),
            (0.1, 0.3, [Fail, Pass, Inconclusive]),
            (0.11, 0.3, [Fail, Pass, Pass]),
        ] {
            let found = [Equivalence, NonInferiority, Superiority].map(|a| of(a, low, high));
            assert_eq!(found, expected, "{low} {high}");
        }
        assert_eq!(CLAIM.verdict(None), Inconclusive);
    }

    #[test]
    fn constant_limits_are_the_rule_of_three_made_exact() {
        let (low, high) = constant_limits(0.0, 96, 0.05, (-1.0, 1.0));
        assert!((high - 0.030_72).abs() < 5e-6 && (low + high).abs() < 1e-15);
        let (low, high) = constant_limits(1.0, 96, 0.05, (-1.0, 1.0));
        assert!((low - (1.0 - 2.0 * 0.030_72)).abs() < 1e-5 && (high - 1.0).abs() < 1e-15);
    }

    #[test]
    fn equal_differences_prove_nothing_without_bounds() {
        let same = tost(&[0.3 - 0.1, 0.2, 0.9 - 0.7], None, &CLAIM, 0.05, None, Watch::nobody());
        assert_eq!((same.verdict, same.ln_lower), (Verdict::Inconclusive, None));
        assert_eq!(same.interval.reason, Some(NO_SPREAD));
        let bounded = tost(&[0.0; 40], None, &CLAIM, 0.05, Some((-1.0, 1.0)), Watch::nobody());
        assert_eq!(bounded.verdict, Verdict::Pass);
        assert!((bounded.ln_lower.unwrap() - 40.0 * libm::log(0.9)).abs() < 1e-12);
    }

    #[test]
    fn clusters_of_one_are_no_clusters() {
        let differences = [0.03, -0.02, 0.05, 0.0, 0.04, -0.07, 1e-3];
        let offsets: Vec<usize> = (0..=7).collect();
        let alone = tost(&differences, None, &CLAIM, 0.05, None, Watch::nobody());
        let clustered = tost(&differences, Some(&offsets), &CLAIM, 0.05, None, Watch::nobody());
        assert_eq!(alone.ln_lower, clustered.ln_lower);
        assert_eq!(alone.standard_error, clustered.standard_error);
    }

    #[test]
    fn a_stopped_test_ends() {
        let watch = Watch::new();
        watch.stop();
        let ended =
            std::panic::catch_unwind(|| tost(&[0.1, 0.2], None, &CLAIM, 0.05, None, &watch));
        assert!(ended.is_err());
    }
}
