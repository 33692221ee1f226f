//! Rates: one cell, or many at once, each with its interval and exact edge bounds.

use rayon::prelude::*;

use crate::intervals::{
    self, Moments, Quantiles, Worth, agresti_coull, around, clopper_pearson, edge_bounds, jeffreys,
    wilson,
};
use crate::mean::{self, Spread, sum};
use crate::plan::{
    Bootstrap, Design, Interval, NO_TRIALS, NO_VARIATION, ONE_CLUSTER, ONE_TRIAL, Plan, RateMethod,
    Resampler, Source, TOO_MANY, UNBOUNDED,
};
use crate::resample::bootstrap::{Group, Law, Unit, exact_rate_by, group, replay_cpython};
use crate::resample::draws::{Kind, Units};

/// Parts of a cluster that weighs as much as any other: more of them are not a lattice worth
/// having.
const FINEST: u64 = 5040;

/// A rate and what is known of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rate {
    /// Trials with an outcome.
    pub trials: u64,
    /// Clusters with such a trial, where there are clusters.
    pub clusters: Option<u64>,
    /// Successes per trial.
    pub estimate: Option<f64>,
    /// Interval of the estimate.
    pub interval: Interval,
    /// Exact one-sided lower limit of a measured 1, upper limit of a measured 0.
    pub bounds: (Option<f64>, Option<f64>),
}

/// A cluster, or a whole cell of independent trials.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Count {
    /// Trials with an outcome.
    pub trials: u64,
    /// Successes among them.
    pub successes: u64,
}

/// What a column of outcomes holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Outcomes that are 0 or 1.
    pub count: Count,
    /// Outcomes that are null or NaN.
    pub missing: u64,
    /// Outcomes that are anything else.
    pub invalid: u64,
}

impl Tally {
    /// Counts outcomes.
    #[must_use]
    #[expect(clippy::float_cmp)]
    pub fn of(outcomes: impl IntoIterator<Item = Option<f64>>) -> Self {
        let mut tally = Self::default();
        for outcome in outcomes {
            match outcome {
                Some(value) if value == 0.0 || value == 1.0 => {
                    tally.count.trials += 1;
                    tally.count.successes += u64::from(value == 1.0);
                }
                Some(value) if !value.is_nan() => tally.invalid += 1,
                _ => tally.missing += 1,
            }
        }
        tally
    }
}

/// Rates of cells of independent trials.
#[must_use]
pub fn of_trials(cells: &[Count], plan: &Plan<RateMethod>) -> Vec<Rate> {
    let quantiles = Quantiles::new(plan.tail());
    let one = |quantiles: &mut Quantiles, cell: &Count| {
        let (k, n) = (cell.successes, cell.trials);
        finish(*cell, None, plan, |p| match plan.method {
            RateMethod::T if n == 1 => Interval::missing("none", ONE_TRIAL),
            RateMethod::T => {
                let error = libm::sqrt(p * (1.0 - p) / (n - 1) as f64);
                let half = quantiles.student((n - 1) as f64) * error;
                Interval::closed_form(around(p, half, (0.0, 1.0)), "t")
            }
            RateMethod::Percentile
            | RateMethod::Basic
            | RateMethod::Bca
            | RateMethod::Studentized => of_independent(k, n, plan),
            _ => {
                let (limits, [name, _]) = binomial(plan, p, n as f64, quantiles.normal());
                Interval::closed_form(limits, name)
            }
        })
    };
    if matches!(plan.method, RateMethod::Auto | RateMethod::Wilson) {
        let mut quantiles = quantiles;
        return cells.iter().map(|cell| one(&mut quantiles, cell)).collect();
    }
    // Few cells hold a count that no other holds.
    let mut kinds = cells.to_vec();
    kinds.sort_unstable();
    kinds.dedup();
    let rates = plan.watch.cells(kinds.iter().collect(), quantiles, one);
    cells.iter().map(|cell| rates[kinds.partition_point(|kind| kind < cell)]).collect()
}

/// The bootstrap's interval of independent trials.
fn of_independent(k: u64, n: u64, plan: &Plan<RateMethod>) -> Interval {
    let Some(method) = plan.method.bootstrap() else {
        return Interval::missing("none", NO_TRIALS);
    };
    let varies = k > 0 && k < n;
    if !varies && matches!(method, Bootstrap::Bca | Bootstrap::Studentized) {
        return Interval::missing("none", NO_VARIATION);
    }
    if plan.resampler == Resampler::MonteCarlo {
        let units = Units::of_groups(&independent([(0, n - k), (1, k)]));
        return inside(mean::drawn(&units, method, plan));
    }
    let name = method.name(Source::Exact);
    inside(match exact_rate_by(method, k, n, plan.tail()) {
        Some(limits) => Interval::closed_form(limits, name),
        None => Interval::missing(name, UNBOUNDED),
    })
}

/// A rate is at least 0 and at most 1.
fn inside(interval: Interval) -> Interval {
    let Some((low, high)) = interval.limits else { return interval };
    // Beyond by rounding is not beyond.
    let is_cut = low < -ROUNDING || high > 1.0 + ROUNDING;
    let limits = Some((low.clamp(0.0, 1.0), high.clamp(0.0, 1.0)));
    Interval { limits, reason: is_cut.then_some(CUT), ..interval }
}

/// What a limit may be beyond 0 or 1 by rounding.
const ROUNDING: f64 = 1e-12;
/// Reason of an interval of which a limit was no rate.
pub const CUT: &str = "a limit beyond 0 or 1 was cut off";

/// Limits of a binomial interval, and its names without and with clusters.
fn binomial(
    plan: &Plan<RateMethod>,
    p: f64,
    n: f64,
    quantile: f64,
) -> ((f64, f64), [&'static str; 2]) {
    match plan.method {
        RateMethod::ClopperPearson => {
            let names = ["clopper-pearson", "clopper-pearson-effective"];
            (clopper_pearson(p, n, plan.tail()), names)
        }
        RateMethod::Jeffreys => (jeffreys(p, n, plan.tail()), ["jeffreys", "jeffreys-effective"]),
        RateMethod::AgrestiCoull => {
            (agresti_coull(p, n, quantile), ["agresti-coull", "agresti-coull-effective"])
        }
        _ => (wilson(p, n, quantile), ["wilson", "wilson-effective"]),
    }
}

/// Rates of cells of clusters; `offsets` holds the bounds of each cell in `clusters`.
/// Clusters without a trial do not count.
#[must_use]
pub fn of_clusters(
    offsets: &[usize],
    clusters: &[Count],
    design: Design,
    plan: &Plan<RateMethod>,
) -> Vec<Rate> {
    let slices: Vec<&[Count]> = cells(offsets, clusters).collect();
    if let Some(method) = plan.method.bootstrap() {
        return plan.watch.cells(slices, (), |(), cell| resampled(cell, design, method, plan));
    }
    let quantiles = Quantiles::new(plan.tail());
    slices
        .into_par_iter()
        .with_min_len(16)
        .map_with(quantiles, |quantiles, cell| effective(cell, design, plan, quantiles))
        .collect()
}

/// Rates of cells of trials in row order with the replayed harness's interval; an outcome is
/// 0 or 1, `offsets` as in [`of_clusters`].
#[must_use]
pub fn of_sequences(offsets: &[usize], outcomes: &[i8], plan: &Plan<RateMethod>) -> Vec<Rate> {
    let slices: Vec<&[i8]> = cells(offsets, outcomes).collect();
    plan.watch.cells(slices, (), |(), cell| {
        let successes = cell.iter().filter(|outcome| **outcome == 1).count() as u64;
        let count = Count { trials: cell.len() as u64, successes };
        finish(count, None, plan, |_| {
            let limits = replay_cpython(cell, plan);
            drawn(limits, plan, "percentile-cpython")
        })
    })
}

/// The slices of `items` between neighbouring offsets; bounds outside of it are cut off.
pub(crate) fn cells<'a, T>(offsets: &'a [usize], items: &'a [T]) -> impl Iterator<Item = &'a [T]> {
    offsets.windows(2).map(|pair| items.get(pair[0]..pair[1]).unwrap_or_default())
}

pub(crate) fn drawn<M>(
    limits: Option<(f64, f64)>,
    plan: &Plan<M>,
    method: &'static str,
) -> Interval {
    match limits {
        Some(limits) => {
            let n_resamples = Some(plan.n_resamples);
            Interval { n_resamples, ..Interval::closed_form(limits, method) }
        }
        None => Interval::missing(method, TOO_MANY),
    }
}

fn effective(
    cell: &[Count],
    design: Design,
    plan: &Plan<RateMethod>,
    quantiles: &mut Quantiles,
) -> Rate {
    let some = cell.iter().filter(|cluster| cluster.trials > 0);
    let clusters = some.map(|cluster| (cluster.successes, cluster.trials));
    let mut moments = Moments::default();
    clusters.clone().for_each(|(successes, trials)| moments.add(successes, trials));
    let count = Count { trials: moments.trials, successes: moments.successes };
    if plan.method == RateMethod::T {
        let kinds = kinds(cell, design);
        return finish_at(ratio(&kinds), count, Some(moments.clusters), plan, |p| {
            let spread = Spread::of(&kinds, p, design.variance);
            let half = quantiles.student((spread.equal - 1.0).max(1.0)) * spread.error;
            Interval::closed_form(around(p, half, (0.0, 1.0)), "t-clustered")
        });
    }
    let estimate = if design.balanced { ratio(&kinds(cell, design)) } else { moments.rate() };
    finish_at(estimate, count, Some(moments.clusters), plan, |p| {
        let worth = if design.balanced {
            let k = moments.clusters as f64;
            let residual = |(hits, trials)| (hits as f64 / trials as f64 - p).abs();
            let spread = intervals::Spread::of_residuals(
                clusters.map(|cluster: (u64, u64)| (residual(cluster), 1.0 / k, 1)),
                k,
            );
            Worth::of(p, spread, moments.trials as f64, k)
        } else {
            moments.worth(clusters)
        };
        let size = quantiles.shrunk(worth);
        let (limits, [_, name]) = binomial(plan, p, size, quantiles.normal());
        Interval::closed_form(limits, name)
    })
}

/// Clusters as they weigh.
fn kinds(cell: &[Count], design: Design) -> Vec<Kind> {
    let some = cell.iter().filter(|cluster| cluster.trials > 0);
    let units = some.map(|c| Unit { sum: c.successes.cast_signed(), size: c.trials });
    let kinds = group(units).into_iter().map(|(unit, times)| {
        let (sum, size) = (unit.sum as f64, unit.size as f64);
        let (sum, size) = if design.balanced { (sum / size, 1.0) } else { (sum, size) };
        Kind { sum, size, times }
    });
    kinds.collect()
}

fn ratio(kinds: &[Kind]) -> f64 {
    let total = |of: fn(&Kind) -> f64| sum(kinds.iter().map(|kind| of(kind) * kind.times as f64));
    total(|kind| kind.sum) / total(|kind| kind.size)
}

fn resampled(cell: &[Count], design: Design, method: Bootstrap, plan: &Plan<RateMethod>) -> Rate {
    let some = || cell.iter().filter(|cluster| cluster.trials > 0);
    let count = Count {
        trials: some().map(|cluster| cluster.trials).sum(),
        successes: some().map(|cluster| cluster.successes).sum(),
    };
    // Clusters that weigh alike are of one size, in parts of which all are whole.
    let size = if design.balanced { common_size(some().map(|c| c.trials)) } else { None };
    let unit = |cluster: &Count| match size {
        Some(size) => {
            Unit { sum: (cluster.successes * (size / cluster.trials)).cast_signed(), size }
        }
        None => Unit { sum: cluster.successes.cast_signed(), size: cluster.trials },
    };
    let clusters = Some(some().count() as u64);
    if design.balanced && size.is_none() {
        let kinds = kinds(cell, design);
        let estimate = ratio(&kinds);
        return finish_at(estimate, count, clusters, plan, |p| {
            inside(mean::drawn(&Units::new(kinds, p), method, plan))
        });
    }
    let groups = group(some().map(unit));
    let total = |of: fn(&Unit) -> f64| -> f64 {
        groups.iter().map(|(unit, times)| of(unit) * *times as f64).sum()
    };
    let estimate = total(|unit| unit.sum as f64) / total(|unit| unit.size as f64);
    finish_at(estimate, count, clusters, plan, |p| inside(bootstrap(&groups, p, method, plan)))
}

/// The least common multiple of the sizes, where it is small.
fn common_size(sizes: impl Iterator<Item = u64>) -> Option<u64> {
    let mut common = 1;
    for size in sizes {
        let (mut a, mut b) = (common, size);
        while b > 0 {
            (a, b) = (b, a % b);
        }
        common *= size / a;
        if common > FINEST {
            return None;
        }
    }
    Some(common)
}

/// A bootstrap's interval over clusters: exact where that is possible and wanted.
fn bootstrap<M>(groups: &[Group], estimate: f64, method: Bootstrap, plan: &Plan<M>) -> Interval {
    let (first, rest) = (groups.first(), groups.get(1..).unwrap_or_default());
    let cross = |a: &Unit, b: &Unit| i128::from(a.sum) * i128::from(b.size);
    let varies = first.is_some_and(|(a, _)| rest.iter().any(|(b, _)| cross(a, b) != cross(b, a)));
    if !varies && matches!(method, Bootstrap::Bca | Bootstrap::Studentized) {
        return Interval::missing("none", NO_VARIATION);
    }
    let law = (plan.resampler == Resampler::Auto && method != Bootstrap::Studentized)
        .then(|| Law::of(groups, plan.watch))
        .flatten();
    if let Some(law) = law {
        let source = if law.exact() { Source::Exact } else { Source::Inversion };
        if let Some(limits) = law.interval(method, groups, estimate, plan.tail()) {
            return Interval::closed_form(limits, method.name(source));
        }
    }
    mean::drawn(&Units::of_groups(groups), method, plan)
}

/// Percentile interval over units: exact where that is possible and wanted.
pub(crate) fn percentile<M>(groups: &[Group], plan: &Plan<M>) -> Interval {
    bootstrap(groups, 0.0, Bootstrap::Percentile, plan)
}

/// Units of one trial each, `times` of every sum.
pub(crate) fn independent<const N: usize>(counts: [(i64, u64); N]) -> Vec<Group> {
    let some = counts.into_iter().filter(|(_, times)| *times > 0);
    some.map(|(sum, times)| (Unit { sum, size: 1 }, times)).collect()
}

fn finish(
    count: Count,
    clusters: Option<u64>,
    plan: &Plan<RateMethod>,
    interval: impl FnOnce(f64) -> Interval,
) -> Rate {
    finish_at(count.successes as f64 / count.trials as f64, count, clusters, plan, interval)
}

fn finish_at(
    estimate: f64,
    count: Count,
    clusters: Option<u64>,
    plan: &Plan<RateMethod>,
    interval: impl FnOnce(f64) -> Interval,
) -> Rate {
    let Count { trials, successes } = count;
    let estimate = (trials > 0).then_some(estimate);
    let interval = match (estimate, clusters) {
        (None, _) => Interval::missing("none", NO_TRIALS),
        (Some(_), Some(1)) => Interval::missing("none", ONE_CLUSTER),
        (Some(estimate), _) => interval(estimate),
    };
    let units = clusters.unwrap_or(trials);
    let bounds = edge_bounds(successes, trials, units, plan.confidence_level);
    Rate { trials, clusters, estimate, interval, bounds }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::Watch;

    fn plan(method: RateMethod, resampler: Resampler) -> Plan<'static, RateMethod> {
        Plan {
            method,
            resampler,
            confidence_level: 0.95,
            n_resamples: 2000,
            seed: 0,
            watch: Watch::nobody(),
        }
    }

    fn count(successes: u64, trials: u64) -> Count {
        Count { trials, successes }
    }

    #[test]
    fn empty_and_single_clusters_have_a_reason() {
        for method in [RateMethod::Auto, RateMethod::Percentile] {
            let rates = of_clusters(
                &[0, 0, 1, 2],
                &[count(2, 3), count(0, 0)],
                Design::default(),
                &plan(method, Resampler::Auto),
            );
            let reasons: Vec<_> = rates.iter().map(|r| r.interval.reason).collect();
            assert_eq!(reasons, [Some(NO_TRIALS), Some(ONE_CLUSTER), Some(NO_TRIALS)]);
            assert_eq!(rates[1].estimate, Some(2.0 / 3.0));
        }
    }

    #[test]
    fn every_outcome_is_counted_once() {
        let nan = Some(f64::NAN);
        let tally = Tally::of([Some(1.0), Some(0.0), None, nan, Some(0.5), Some(-0.0)]);
        assert_eq!(tally, Tally { count: count(1, 3), missing: 2, invalid: 1 });
    }

    #[test]
    fn a_constant_cell_has_a_bound() {
        let rates = of_trials(&[count(0, 96)], &plan(RateMethod::Percentile, Resampler::Auto));
        assert_eq!(rates[0].interval.limits, Some((0.0, 0.0)));
        assert!(rates[0].bounds.0.is_none());
        assert!((rates[0].bounds.1.unwrap() - 0.030_72).abs() < 5e-6);
    }

    #[test]
    fn draws_say_how_far_off_they_may_be() {
        let clusters: Vec<Count> = (0..20).map(|i| count(i % 3, 2 + i % 2)).collect();
        let of = |resampler| {
            let plan = plan(RateMethod::Percentile, resampler);
            of_clusters(&[0, 20], &clusters, Design::default(), &plan)[0].interval
        };
        let exact = of(Resampler::Auto);
        assert_eq!((exact.method, exact.n_resamples), ("percentile-exact", None));
        assert!(exact.errors.is_none());
        let drawn = of(Resampler::MonteCarlo);
        assert_eq!((drawn.method, drawn.n_resamples), ("percentile-monte-carlo", Some(2000)));
        let (limits, errors) = (drawn.limits.unwrap(), drawn.errors.unwrap());
        // Draws fall on the same lattice, whose values lie about 1 / 50 apart here.
        for (limit, exact, error) in [
            (limits.0, exact.limits.unwrap().0, errors.0),
            (limits.1, exact.limits.unwrap().1, errors.1),
        ] {
            assert!((0.0..0.02).contains(&error), "{error}");
            assert!((limit - exact).abs() < 4.0 * error + 0.02, "{limit} {exact} {error}");
        }
    }
}
