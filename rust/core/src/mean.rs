//! Means of scores: one cell, or many at once, each with its spread and interval.

use rayon::prelude::*;

use crate::intervals::Quantiles;
use crate::plan::{
    Bootstrap, Design, Interval, MeanMethod, NO_TRIALS, NO_VARIATION, ONE_CLUSTER, ONE_TRIAL, Plan,
    Resampler, Source, TOO_LARGE, UNBOUNDED, Variance, WITHIN_ROUNDING,
};
use crate::rate::cells;
use crate::resample::draws::{Kind, Units};
use crate::resample::saddlepoint;

/// A mean and what is known of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mean {
    /// Trials with a score.
    pub trials: u64,
    /// Clusters with such a trial, where there are clusters.
    pub clusters: Option<u64>,
    /// The mean, over trials or over clusters.
    pub estimate: Option<f64>,
    /// Standard deviation of the scores, with n - 1.
    pub deviation: Option<f64>,
    /// Standard error that takes trials as independent.
    pub standard_error: Option<f64>,
    /// Standard error that takes clusters as the unit.
    pub clustered_error: Option<f64>,
    /// Skewness of the sum of the units' residuals, where there are two units.
    pub skewness: Option<f64>,
    /// Interval of the estimate.
    pub interval: Interval,
}

/// Means of cells of independent scores; `offsets` holds the bounds of each cell in `scores`.
#[must_use]
pub fn of_trials(offsets: &[usize], scores: &[f64], plan: &Plan<MeanMethod>) -> Vec<Mean> {
    let slices: Vec<&[f64]> = cells(offsets, scores).collect();
    plan.watch.cells(slices, Quantiles::new(plan.tail()), |quantiles, cell| {
        of_independent(cell, plan, quantiles)
    })
}

/// The mean of the independent scores of one cell.
pub(crate) fn of_independent(
    cell: &[f64],
    plan: &Plan<MeanMethod>,
    quantiles: &mut Quantiles,
) -> Mean {
    let scores = sorted(cell);
    let kinds = Kind::of_sorted(scores.iter().map(|score| (*score, 1.0)));
    of_cell(&scores, kinds, None, Design::default(), plan, quantiles)
}

/// Means of cells of clusters: `offsets` holds the bounds of each cell in `lengths`, which
/// holds the number of scores of each cluster. Clusters without a score do not count.
#[must_use]
pub fn of_clusters(
    offsets: &[usize],
    lengths: &[u64],
    scores: &[f64],
    design: Design,
    plan: &Plan<MeanMethod>,
) -> Vec<Mean> {
    let bounds = bounds(lengths);
    let slices = cells_of_clusters(offsets, &bounds);
    plan.watch.cells(slices, Quantiles::new(plan.tail()), |quantiles, bounds| {
        of_dependent(cells(bounds, scores), design, plan, quantiles)
    })
}

/// The mean of the scores of one cell that come cluster by cluster.
pub(crate) fn of_dependent<'a>(
    clusters: impl Iterator<Item = &'a [f64]>,
    design: Design,
    plan: &Plan<MeanMethod>,
    quantiles: &mut Quantiles,
) -> Mean {
    let clusters: Vec<Vec<f64>> =
        clusters.filter(|cluster| !cluster.is_empty()).map(sorted).collect();
    let units = clusters
        .iter()
        .map(|cluster| {
            let (sum, size) = (sum(cluster.iter().copied()), cluster.len() as f64);
            if design.balanced { (sum / size, 1.0) } else { (sum, size) }
        })
        .collect();
    let kinds = Kind::of(units);
    let scores = sorted(&clusters.concat());
    of_cell(&scores, kinds, Some(clusters.len() as u64), design, plan, quantiles)
}

/// Where each cluster begins, and where the last one ends.
pub(crate) fn bounds(lengths: &[u64]) -> Vec<usize> {
    let mut bounds = vec![0];
    let mut end = 0_usize;
    for length in lengths {
        end = end.saturating_add(usize::try_from(*length).unwrap_or(usize::MAX));
        bounds.push(end);
    }
    bounds
}

/// The bounds of the clusters of each cell.
pub(crate) fn cells_of_clusters<'a>(offsets: &[usize], bounds: &'a [usize]) -> Vec<&'a [usize]> {
    offsets.windows(2).map(|pair| bounds.get(pair[0]..=pair[1]).unwrap_or_default()).collect()
}

/// Scores that are worth sorting on several threads.
const PARALLEL: usize = 1 << 16;

/// Sums of floats depend on their order; sorted, there is one.
pub(crate) fn sorted(scores: &[f64]) -> Vec<f64> {
    let mut scores = scores.to_vec();
    if scores.len() < PARALLEL {
        scores.sort_unstable_by(f64::total_cmp);
    } else {
        scores.par_sort_unstable_by(f64::total_cmp);
    }
    scores
}

/// The sum with what its rounding loses carried along: Neumaier (1974),
/// doi:10.1002/zamm.19740540106.
pub(crate) fn sum(values: impl Iterator<Item = f64>) -> f64 {
    let (mut total, mut lost) = (0.0_f64, 0.0);
    for value in values {
        let next = total + value;
        lost += if total.abs() >= value.abs() {
            (total - next) + value
        } else {
            (value - next) + total
        };
        total = next;
    }
    total + lost
}

/// From sorted scores, and kinds of units in an order of their own.
fn of_cell(
    scores: &[f64],
    kinds: Vec<Kind>,
    clusters: Option<u64>,
    design: Design,
    plan: &Plan<MeanMethod>,
    quantiles: &mut Quantiles,
) -> Mean {
    let n = scores.len() as f64;
    let missing = |reason| Mean {
        trials: scores.len() as u64,
        clusters,
        estimate: None,
        deviation: None,
        standard_error: None,
        clustered_error: None,
        skewness: None,
        interval: Interval::missing("none", reason),
    };
    let (Some(least), Some(largest)) = (scores.first(), scores.last()) else {
        return missing(NO_TRIALS);
    };
    let units: u64 = kinds.iter().map(|kind| kind.times).sum();
    let size: f64 = kinds.iter().map(|kind| kind.size * kind.times as f64).sum();
    let constant = least >= largest;
    // The mean of equal scores is that score, and no mean lies outside of the scores.
    let over = |total: f64, n: f64| (total / n).clamp(*least, *largest);
    let of_scores = over(sum(scores.iter().copied()), n);
    let estimate = over(sum(kinds.iter().map(|kind| kind.sum * kind.times as f64)), size);
    let reach = (largest - of_scores).max(of_scores - least);
    if !(estimate.is_finite() && reach.is_finite()) {
        return missing(TOO_LARGE);
    }
    // By a power of two, which changes no digit, so that no square leaves the range of floats.
    let power = if reach > 0.0 { libm::ilogb(reach).max(-1000) } else { 0 };
    let scale = libm::scalbn(1.0, -power);
    let squares = sum(scores.iter().map(|score| {
        let residual = (score - of_scores) * scale;
        residual * residual
    }));
    let squares = if constant { 0.0 } else { squares };
    let deviation =
        (scores.len() > 1).then(|| libm::scalbn(libm::sqrt(squares / (n - 1.0)), power));
    let spread = (units > 1).then(|| Spread::of(&kinds, estimate, design.variance));
    let clustered_error = clusters.and(spread).map(|spread| spread.error);
    let interval = match (spread, clusters) {
        (None, Some(_)) => Interval::missing("none", ONE_CLUSTER),
        (None, None) => Interval::missing("none", ONE_TRIAL),
        (Some(spread), None) if spread.error <= 0.0 && !constant => {
            Interval::missing("none", WITHIN_ROUNDING)
        }
        (Some(spread), _) if spread.error <= 0.0 => Interval::missing("none", NO_VARIATION),
        (Some(spread), _) if !spread.error.is_finite() => Interval::missing("none", TOO_LARGE),
        (Some(spread), _) => {
            interval(kinds, estimate, &spread, clusters.is_some(), plan, quantiles)
        }
    };
    let standard_error = deviation.map(|deviation| deviation / libm::sqrt(n));
    Mean {
        trials: scores.len() as u64,
        clusters,
        estimate: Some(estimate),
        deviation,
        standard_error,
        clustered_error,
        skewness: spread.map(|spread| spread.skewness),
        interval,
    }
}

fn interval(
    kinds: Vec<Kind>,
    estimate: f64,
    spread: &Spread,
    clustered: bool,
    plan: &Plan<MeanMethod>,
    quantiles: &mut Quantiles,
) -> Interval {
    if let Some(method) = plan.method.bootstrap() {
        return resampled(kinds, estimate, spread.error, method, plan);
    }
    let t = quantiles.student((spread.equal - 1.0).max(1.0));
    let ((down, up), [plain, of_clusters]) = match plan.method {
        MeanMethod::Auto => {
            let more = skew(spread.skewness, spread.equal, quantiles.normal());
            (further(t, more), ["t-skewed", "t-skewed-clustered"])
        }
        _ => ((t, t), ["t", "t-clustered"]),
    };
    let name = if clustered { of_clusters } else { plain };
    let limits = (estimate - down * spread.error, estimate + up * spread.error);
    if limits.0.is_finite() && limits.1.is_finite() {
        Interval::closed_form(limits, name)
    } else {
        Interval::missing(name, TOO_LARGE)
    }
}

/// Powers of two of a standard error of which squares and cubes are floats, of any unit's too.
const PLAIN: std::ops::RangeInclusive<i32> = -200..=200;

/// The bootstrap's interval. Scores of which cubes would leave the range of floats are brought to
/// about one, by a power of two, which changes no digit.
fn resampled(
    mut kinds: Vec<Kind>,
    mut estimate: f64,
    error: f64,
    method: Bootstrap,
    plan: &Plan<MeanMethod>,
) -> Interval {
    let power = Some(libm::ilogb(error)).filter(|power| !PLAIN.contains(power)).unwrap_or(0);
    if power != 0 {
        for kind in &mut kinds {
            kind.sum = libm::scalbn(kind.sum, -power);
        }
        estimate = libm::scalbn(estimate, -power);
    }
    let units = Units::new(kinds, estimate);
    let interval = if plan.resampler == Resampler::Saddlepoint {
        let name = method.name(Source::Saddlepoint);
        match saddlepoint::interval(&units, method, plan.tail()) {
            Some(limits) => Interval::closed_form(limits, name),
            None => Interval::missing(name, UNBOUNDED),
        }
    } else {
        drawn(&units, method, plan)
    };
    let back = |(low, high): (f64, f64)| (libm::scalbn(low, power), libm::scalbn(high, power));
    let limits = interval.limits.map(back);
    if limits.is_some_and(|(low, high)| !(low.is_finite() && high.is_finite())) {
        let n_resamples = interval.n_resamples;
        return Interval { n_resamples, ..Interval::missing(interval.method, TOO_LARGE) };
    }
    let errors = interval.errors.map(back).filter(|e| e.0.is_finite() && e.1.is_finite());
    Interval { limits, errors, ..interval }
}

/// The interval from random draws.
pub(crate) fn drawn<M>(units: &Units, method: Bootstrap, plan: &Plan<M>) -> Interval {
    let name = method.name(Source::MonteCarlo);
    let drawn = units.interval(method, plan);
    let interval = match drawn {
        Some(drawn) if drawn.limits.0.is_finite() && drawn.limits.1.is_finite() => Interval {
            errors: Some(drawn.errors).filter(|e| e.0.is_finite() && e.1.is_finite()),
            ..Interval::closed_form(drawn.limits, name)
        },
        _ => Interval::missing(name, UNBOUNDED),
    };
    Interval { n_resamples: Some(plan.n_resamples), ..interval }
}

/// How units scatter about their ratio.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spread {
    /// Cluster-robust standard error.
    pub(crate) error: f64,
    /// Number of equal units that would weigh as these do: Kish's effective size.
    pub(crate) equal: f64,
    /// Skewness of the sum of the residuals: their cubes over their squares to the power of 1.5.
    skewness: f64,
}

impl Spread {
    /// Needs two units.
    pub(crate) fn of(kinds: &[Kind], estimate: f64, variance: Variance) -> Self {
        let total =
            |of: &dyn Fn(&Kind) -> f64| sum(kinds.iter().map(|kind| of(kind) * kind.times as f64));
        let (count, size) = (total(&|_| 1.0), total(&|kind| kind.size));
        let residual = |kind: &Kind| kind.sum - estimate * kind.size;
        let largest = kinds.iter().map(|kind| residual(kind).abs()).fold(0.0, f64::max);
        let equal = size * size / total(&|kind| kind.size * kind.size);
        // Rounding of the mean alone leaves residuals of about this size.
        let rounding = kinds.iter().map(|kind| kind.sum.abs()).fold(0.0, f64::max) * 1e-15;
        if largest <= rounding {
            return Self { error: 0.0, equal, skewness: 0.0 };
        }
        let share = |kind: &Kind| residual(kind) / largest;
        let weighed = |kind: &Kind| {
            let square = share(kind) * share(kind);
            match variance {
                Variance::Cr0 => square,
                Variance::Cr1 => square * count / (count - 1.0),
                Variance::Cr2 => square / (1.0 - kind.size / size),
            }
        };
        let error = libm::sqrt(total(&weighed)) * largest / size;
        let squares = total(&|kind| share(kind) * share(kind));
        let cubes = total(&|kind| share(kind) * share(kind) * share(kind));
        Self { error, equal, skewness: cubes / (squares * libm::sqrt(squares)) }
    }
}

/// How many standard errors further the limit on the side of the long tail is than t says, by
/// the normal quantile; negative where that is the lower limit.
///
/// The first term of the Edgeworth expansion of Student's t, which Johnson (1978), Journal of
/// the American Statistical Association 73:536, corrects for, times 1 + 56 / K: few units
/// show less than the whole skewness, whose largest value among K of them is about √K.
/// Chosen by simulation, the least that covers lognormal scores from 8 units on.
pub(crate) fn skew(skewness: f64, equal: f64, normal: f64) -> f64 {
    let more = 1.0 + 56.0 / equal.max(8.0);
    more * skewness * (2.0 * normal * normal + 1.0) / 6.0
}

/// How many standard errors the lower and the upper limit are away.
pub(crate) fn further(t: f64, more: f64) -> (f64, f64) {
    (t + (-more).max(0.0), t + more.max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::Watch;

    fn plan(method: MeanMethod) -> Plan<'static, MeanMethod> {
        let resampler = Resampler::Auto;
        Plan {
            method,
            resampler,
            confidence_level: 0.95,
            n_resamples: 999,
            seed: 0,
            watch: Watch::nobody(),
        }
    }

    const ALL: [MeanMethod; 6] = [
        MeanMethod::Auto,
        MeanMethod::T,
        MeanMethod::Percentile,
        MeanMethod::Basic,
        MeanMethod::Bca,
        MeanMethod::Studentized,
    ];

    #[test]
    fn all_or_nothing_clusters() {
        let scores = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        for (variance, expected) in
            [(Variance::Cr0, 0.25), (Variance::Cr1, 0.288_675), (Variance::Cr2, 0.288_675)]
        {
            let design = Design { balanced: false, variance };
            let means = of_clusters(&[0, 4], &[3; 4], &scores, design, &plan(MeanMethod::T));
            assert!((means[0].standard_error.unwrap() - 0.150_756).abs() < 5e-7);
            assert!((means[0].clustered_error.unwrap() - expected).abs() < 5e-7);
        }
    }

    #[test]
    fn degenerate_cells_have_a_reason() {
        let scores = [0.1, 0.1, 0.1, 7.0, f64::MAX, f64::MAX, -f64::MAX];
        for method in ALL {
            let means = of_trials(&[0, 0, 3, 4, 7], &scores, &plan(method));
            let reasons: Vec<_> = means.iter().map(|mean| mean.interval.reason).collect();
            assert_eq!(
                reasons,
                [Some(NO_TRIALS), Some(NO_VARIATION), Some(ONE_TRIAL), Some(TOO_LARGE)]
            );
            assert_eq!((means[1].estimate, means[1].deviation), (Some(0.1), Some(0.0)));
        }
    }

    #[test]
    fn symmetric_scores_give_students_interval_or_wider() {
        let scores: Vec<f64> = (-10..=10).map(f64::from).collect();
        let of = |method| of_trials(&[0, 21], &scores, &plan(method))[0].interval.limits.unwrap();
        let (auto, t) = (of(MeanMethod::Auto), of(MeanMethod::T));
        assert!((auto.1 - t.1).abs() < 1e-9 && (auto.0 + auto.1).abs() < 1e-9);
    }
}
