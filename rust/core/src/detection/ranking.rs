//! Area under the ROC curve, and ranking within pairs.

use super::{ONE_CLUSTER_OF_A_KIND, ONE_KIND, ONE_OF_A_KIND};
use crate::intervals::{Quantiles, Spread};
use crate::plan::{Interval, tail};
use crate::share::{self, limits_on};
use crate::watch::Watch;

/// How the interval of an area is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RankingMethod {
    /// The interval that covers: Wilson's on the size that the variance is worth.
    Auto,
    /// Student's t times the standard error on the scale of log-odds.
    Logit,
}

crate::plan::named!(RankingMethod { Auto => "auto", Logit => "logit" });

/// A trial with a score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Scored {
    /// Whether it is a positive.
    pub positive: bool,
    /// Its score; not NaN.
    pub score: f64,
    /// Which pair it is of.
    pub pair: u64,
}

/// How well scores rank the trials of a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ranking {
    /// Positives.
    pub positives: u64,
    /// Negatives.
    pub negatives: u64,
    /// Clusters, where there are any.
    pub clusters: Option<u64>,
    /// Distinct scores.
    pub distinct: u64,
    /// Chance that a positive scores above a negative, ties half.
    pub area: Option<f64>,
    /// Its interval.
    pub interval: Interval,
    /// Ranking within pairs.
    pub pairs: Ranked,
}

/// Ranking within pairs: groups with a positive and a negative.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Ranked {
    /// Such groups.
    pub pairs: u64,
    /// Those in which the scores are all the same.
    pub ties: u64,
    /// Mean over them of the chance that the positive scores above the negative, ties half.
    pub accuracy: Option<f64>,
    /// Interval of that mean.
    pub limits: Option<(f64, f64)>,
}

/// Rankings of cells. `offsets` holds the bounds of cells in `clusters`, and those the bounds of
/// each cluster in `trials`; without clusters, `offsets` are bounds in trials. Trials of a pair
/// lie side by side; `paired` says whether there are any.
#[must_use]
pub fn of_scores(
    offsets: &[usize],
    clusters: Option<&[usize]>,
    trials: &[Scored],
    paired: bool,
    method: RankingMethod,
    confidence_level: f64,
    watch: &Watch,
) -> Vec<Ranking> {
    let quantiles = Quantiles::new(tail(confidence_level));
    let bounds: Vec<&[usize]> = offsets
        .windows(2)
        .map(|cell| clusters.map_or(cell, |clusters| &clusters[cell[0]..=cell[1]]))
        .collect();
    watch.cells(bounds, quantiles, |quantiles, bounds| {
        let inside = &trials[bounds[0]..bounds[bounds.len() - 1]];
        // Clusters with a trial, numbered.
        let some = bounds.windows(2).filter(|bounds| bounds[1] > bounds[0]);
        let place = some
            .enumerate()
            .flat_map(|(cluster, bounds)| std::iter::repeat_n(cluster, bounds[1] - bounds[0]));
        let place: Option<Vec<usize>> = clusters.is_some().then(|| place.collect());
        let mut ranking = area(inside, place.as_deref(), method, quantiles, watch);
        if paired {
            ranking.pairs = within(inside, place.as_deref(), quantiles, watch);
        }
        ranking
    })
}

/// The area and its interval.
///
/// Everything is counted in halves of comparisons, in whole numbers: what a trial adds is how
/// many of the other kind it is ranked right against (the placements of `DeLong`, `DeLong` and
/// Clarke-Pearson, 1988, doi:10.2307/2531595), and what a cluster adds the sum over its trials
/// (Obuchowski, 1997, doi:10.2307/2533958).
fn area(
    trials: &[Scored],
    place: Option<&[usize]>,
    method: RankingMethod,
    quantiles: &mut Quantiles,
    watch: &Watch,
) -> Ranking {
    let positives = trials.iter().filter(|trial| trial.positive).count() as u64;
    let negatives = trials.len() as u64 - positives;
    let mut order: Vec<usize> = (0..trials.len()).collect();
    // Zeros of both signs are one score.
    let score = |index: usize| trials[index].score + 0.0;
    order.sort_unstable_by(|a, b| {
        watch.look();
        score(*a).total_cmp(&score(*b))
    });
    // They are numbered without gaps.
    let clusters = place.map(|place| place.last().map_or(0, |last| last + 1));
    let mut ranking = Ranking {
        positives,
        negatives,
        clusters: clusters.map(|clusters| clusters as u64),
        distinct: 0,
        area: None,
        interval: Interval::missing("none", ONE_KIND),
        pairs: Ranked::default(),
    };
    let mut units = vec![Placed::default(); clusters.unwrap_or(trials.len())];
    let unit_of = |index: usize| place.map_or(index, |place| place[index]);
    let (mut below, mut start) = ([0_u64; 2], 0);
    while start < order.len() {
        let value = score(order[start]);
        let tied = order[start..].iter().take_while(|index| score(**index) <= value).count();
        let equal = &order[start..start + tied];
        let hits = equal.iter().filter(|index| trials[**index].positive).count() as u64;
        let level = [tied as u64 - hits, hits];
        for &index in equal {
            watch.look();
            let unit = &mut units[unit_of(index)];
            if trials[index].positive {
                unit.positives += 1;
                unit.halves += u128::from(2 * below[0] + level[0]);
            } else {
                unit.negatives += 1;
                unit.halves += u128::from(2 * (positives - below[1] - level[1]) + level[1]);
            }
        }
        below = [below[0] + level[0], below[1] + level[1]];
        ranking.distinct += 1;
        start += tied;
    }
    if positives == 0 || negatives == 0 {
        return ranking;
    }
    // Each comparison was counted from both sides.
    let all: u128 = units.iter().map(|unit| unit.halves).sum::<u128>() / 2;
    let (m, n) = (positives as f64, negatives as f64);
    let area = all as f64 / (2.0 * m * n);
    ranking.area = Some(area);
    if units.iter().any(|unit| unit.positives == positives || unit.negatives == negatives) {
        let single = place.is_none() || positives == 1 || negatives == 1;
        let reason = if single { ONE_OF_A_KIND } else { ONE_CLUSTER_OF_A_KIND };
        ranking.interval = Interval::missing("none", reason);
        return ranking;
    }
    let parts = units.iter().map(|unit| {
        let expected = all as f64 * (unit.positives as f64 / m + unit.negatives as f64 / n);
        let residual = (unit.halves as f64 - expected) / (2.0 * m * n);
        let share = (unit.positives as f64 / m).max(unit.negatives as f64 / n);
        (residual, share, 1)
    });
    // Rounding leaves 1e-16 where nothing differs.
    let spread =
        Spread::of_residuals(parts, 1.0).filter(|spread| spread.variance > share::ROUNDING);
    let kish = |count: fn(&Placed) -> u64| {
        let sum: f64 = units.iter().map(|unit| count(unit) as f64).sum();
        let squares: f64 = units.iter().map(|unit| (count(unit) as f64) * count(unit) as f64).sum();
        sum * sum / squares
    };
    let equal = (kish(|unit| unit.positives), kish(|unit| unit.negatives));
    let degrees = (equal.0.min(equal.1) - 1.0).max(1.0);
    ranking.interval = match method {
        RankingMethod::Auto => {
            let sizes = (worth(area, m, n), worth(area, equal.0, equal.1));
            let limits = limits_on(area, spread, sizes, degrees, quantiles);
            Interval::closed_form(limits, "wilson-effective")
        }
        RankingMethod::Logit if area <= 0.0 || area >= 1.0 => {
            Interval::missing("none", "log-odds are infinite where nothing is ranked wrong")
        }
        RankingMethod::Logit => {
            let centre = libm::log(area / (1.0 - area));
            let error = spread.map_or(0.0, |spread| libm::sqrt(spread.variance));
            let half = quantiles.student(degrees) * error / (area * (1.0 - area));
            let back = |odds: f64| 1.0 / (1.0 + libm::exp(-odds));
            Interval::closed_form((back(centre - half), back(centre + half)), "logit")
        }
    };
    ranking
}

/// As how many independent trials `m` positives and `n` negatives count for an area, by the
/// variance of Hanley and `McNeil` (1982), doi:10.1148/radiology.143.1.7063747, with Newcombe's
/// (2006, doi:10.1002/sim.2324) means in place of either number.
fn worth(area: f64, m: f64, n: f64) -> f64 {
    let more = f64::midpoint(m, n) - 1.0;
    m * n / (1.0 + more * ((1.0 - area) / (2.0 - area) + area / (1.0 + area)))
}

/// What a trial or a cluster adds to an area.
#[derive(Clone, Copy, Default)]
struct Placed {
    positives: u64,
    negatives: u64,
    /// Twice the comparisons that its trials are ranked right in.
    halves: u128,
}

/// Ranking within pairs.
fn within(
    trials: &[Scored],
    place: Option<&[usize]>,
    quantiles: &mut Quantiles,
    watch: &Watch,
) -> Ranked {
    let mut ranked = Ranked::default();
    let mut values: Vec<(f64, u64)> = Vec::new();
    let mut clusters: Vec<(usize, (f64, u64))> = Vec::new();
    let mut start = 0;
    while start < trials.len() {
        let at = |index: usize| (place.map(|place| place[index]), trials[index].pair);
        let here = at(start);
        let mut end = start;
        while end < trials.len() && at(end) == here {
            end += 1;
        }
        let (cluster, group) = (here.0.unwrap_or(0), &trials[start..end]);
        start = end;
        let one = area(group, None, RankingMethod::Auto, quantiles, watch);
        let Some(value) = one.area else {
            continue;
        };
        ranked.pairs += 1;
        ranked.ties += u64::from(one.distinct == 1);
        values.push((value, 1));
        match clusters.last_mut() {
            Some((last, sum)) if *last == cluster => *sum = (sum.0 + value, sum.1 + 1),
            _ => clusters.push((cluster, (value, 1))),
        }
    }
    // Sums of floats: in one order, whatever the order of rows.
    values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let clusters: Option<Vec<((f64, u64), u64)>> =
        place.map(|_| clusters.into_iter().map(|(_, sum)| (sum, 1)).collect());
    if let Some((accuracy, limits)) = share::mean(&values, clusters.as_deref(), quantiles) {
        (ranked.accuracy, ranked.limits) = (Some(accuracy), limits);
    }
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(positives: &[f64], negatives: &[f64]) -> Ranking {
        let trial = |positive: bool| move |score: &f64| Scored { positive, score: *score, pair: 0 };
        let trials: Vec<Scored> =
            positives.iter().map(trial(true)).chain(negatives.iter().map(trial(false))).collect();
        let (ends, auto) = ([0, trials.len()], RankingMethod::Auto);
        of_scores(&ends, None, &trials, false, auto, 0.95, Watch::nobody())[0]
    }

    #[test]
    fn ties_are_half() {
        assert_eq!(one(&[1.0, 0.0], &[0.0, -0.0]).area, Some(0.75));
        assert_eq!(one(&[1.0, 1.0], &[1.0, 1.0]).area, Some(0.5));
        assert_eq!(one(&[1.0], &[]).interval.reason, Some(ONE_KIND));
    }

    #[test]
    fn perfect_ranking_keeps_some_doubt() {
        let found = one(&[3.0, 4.0, 5.0, 6.0], &[1.0, 2.0, 0.0, -1.0]);
        let (low, high) = found.interval.limits.unwrap();
        assert_eq!(found.area, Some(1.0));
        assert!((0.3..0.8).contains(&low) && (high - 1.0).abs() < 1e-15);
    }
}
