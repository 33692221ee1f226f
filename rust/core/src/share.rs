//! Intervals of shares that are no plain rates: means over units of what each adds.

use crate::intervals::{Quantiles, Spread, Worth, wilson};

/// What a cluster, or each of some like items, adds to an estimate.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Unit {
    /// Sum of residuals; over all units they add up to nothing.
    pub(crate) residual: f64,
    /// In what the residuals are a mean over.
    pub(crate) size: u64,
    /// How many there are of the kind.
    pub(crate) times: u64,
}

/// Sizes of units, from which an interval is made.
struct Sizes {
    units: u64,
    total: u64,
    /// As how many units of one size they weigh: Kish's effective number.
    equal: f64,
}

impl Sizes {
    fn of(units: &[Unit]) -> Self {
        let (mut count, mut total, mut squares) = (0, 0, 0_u128);
        for unit in units {
            count += unit.times;
            total += unit.times * unit.size;
            squares += u128::from(unit.times) * u128::from(unit.size) * u128::from(unit.size);
        }
        Self { units: count, total, equal: total as f64 * total as f64 / squares as f64 }
    }
}

/// Wilson's interval of a share on the size that `units` are worth; or why there is none.
///
/// What chance agreement adds can cancel against what is observed. Where few items speak for
/// that, as with a rare category, it does so by luck, and leaves the share known to many digits.
/// So a size above `most`, that of independent items by what is observed alone, is drawn towards
/// it: inverses are averaged, at a weight of 1 / (1 + (speaking / 20)²), chosen by simulation.
pub(crate) fn share_limits(
    share: f64,
    units: &[Unit],
    most: f64,
    quantiles: &mut Quantiles,
) -> Option<(f64, f64)> {
    let sizes = Sizes::of(units);
    if sizes.units < 2 {
        return None;
    }
    let n = sizes.total as f64;
    let parts = units.iter().map(|unit| (unit.residual, unit.size as f64 / n, unit.times));
    let spread = Spread::of_residuals(parts, n).filter(|spread| spread.variance > ROUNDING);
    let degrees = (sizes.equal - 1.0).max(1.0);
    Some(limits_on(share, spread, (most, sizes.equal), degrees, quantiles))
}

/// The same, from how units scatter, the most they can be worth and how many equal ones they are.
pub(crate) fn limits_on(
    share: f64,
    spread: Option<Spread>,
    (most, equal): (f64, f64),
    degrees: f64,
    quantiles: &mut Quantiles,
) -> (f64, f64) {
    let most = spread.map_or(most, |spread| {
        let measured = share * (1.0 - share) / spread.variance;
        let doubt = 1.0 / (1.0 + spread.speaking * spread.speaking / SPEAKING);
        if measured > most { 1.0 / ((1.0 - doubt) / measured + doubt / most) } else { most }
    });
    let worth = Worth { degrees, ..Worth::of(share * (1.0 - share), spread, most, equal) };
    wilson(share, quantiles.shrunk(worth), quantiles.normal())
}

/// See [`share_limits`].
const SPEAKING: f64 = 20.0 * 20.0;

/// A variance below this is made by rounding alone.
pub(crate) const ROUNDING: f64 = 1e-28;

/// Values from 0 to 1 of trials, as (value, how many there are), and their mean with its interval.
/// Of clusters, what their values add up to, and how many clusters there are of the kind.
///
/// Where all values are 0 or 1 and trials are independent, the mean is a rate like any other.
pub(crate) fn mean(
    values: &[(f64, u64)],
    clusters: Option<&[((f64, u64), u64)]>,
    quantiles: &mut Quantiles,
) -> Option<(f64, Option<(f64, f64)>)> {
    let trials: u64 = values.iter().map(|(_, times)| times).sum();
    if trials == 0 {
        return None;
    }
    let n = trials as f64;
    let mean = values.iter().map(|(value, times)| value * *times as f64).sum::<f64>() / n;
    let scatter: f64 =
        values.iter().map(|(value, times)| (value - mean) * (value - mean) * *times as f64).sum();
    let most = mean * (1.0 - mean) / scatter * n * n;
    let limits = if let Some(clusters) = clusters {
        let unit = |((sum, size), times): &((f64, u64), u64)| Unit {
            residual: sum - mean * *size as f64,
            size: *size,
            times: *times,
        };
        let units: Vec<Unit> =
            clusters.iter().filter(|((_, size), _)| *size > 0).map(unit).collect();
        share_limits(mean, &units, most, quantiles)
    } else if values.iter().all(|(value, _)| *value <= 0.0 || *value >= 1.0) {
        Some(wilson(mean, n, quantiles.normal()))
    } else {
        let unit =
            |(value, times): &(f64, u64)| Unit { residual: value - mean, size: 1, times: *times };
        share_limits(mean, &values.iter().map(unit).collect::<Vec<_>>(), most, quantiles)
    };
    Some((mean, limits))
}

/// Successes, ties half, and trials, of two kinds of trials.
pub(crate) type Two = [(f64, u64); 2];

/// Interval of the mean of two shares, that of each kind weighing the same.
///
/// `alone` holds each sort of trial and how many there are, `clusters` what each sort of those adds
/// up to and how many there are. Nothing where one trial or cluster holds all of a kind.
///
/// The wider of two. Where a few trials of one kind are all alike, the variance is that of the
/// other kind, and the first interval too short; square-and-add of the kinds' own intervals (Zou
/// and Donner, 2008, doi:10.1002/sim.3095) is not, but is where both shares are near an edge.
pub(crate) fn midpoint(
    alone: &[(Two, u64)],
    clusters: Option<&[(Two, u64)]>,
    quantiles: &mut Quantiles,
) -> Option<(f64, f64)> {
    let mut total = [(0.0, 0_u64); 2];
    for (two, times) in alone {
        for (sum, part) in total.iter_mut().zip(two) {
            *sum = (sum.0 + part.0 * *times as f64, sum.1 + part.1 * times);
        }
    }
    let sizes = total.map(|(_, trials)| trials as f64);
    let rates = [total[0].0 / sizes[0], total[1].0 / sizes[1]];
    let mean = f64::midpoint(rates[0], rates[1]);
    let part = |two: &Two, times: u64| {
        let residual: f64 =
            (0..2).map(|kind| (two[kind].0 - rates[kind] * two[kind].1 as f64) / sizes[kind]).sum();
        let share = (two[0].1 as f64 / sizes[0]).max(two[1].1 as f64 / sizes[1]);
        (residual / 2.0, share, times)
    };
    let singles: Vec<_> = alone
        .iter()
        .filter(|(_, times)| *times > 0)
        .map(|(two, times)| part(two, *times))
        .collect();
    let scatter: f64 =
        singles.iter().map(|(residual, _, times)| residual * residual * *times as f64).sum();
    let units: Vec<_> = clusters.map_or(singles, |clusters| {
        let some = clusters.iter().filter(|(two, _)| two[0].1 + two[1].1 > 0);
        some.map(|(two, times)| part(two, *times)).collect()
    });
    if units.iter().any(|(_, share, _)| *share >= 1.0) {
        return None;
    }
    let kish = |kind: usize| {
        let Some(clusters) = clusters else {
            return sizes[kind];
        };
        let square =
            |(two, times): &(Two, u64)| u128::from(*times) * u128::from(two[kind].1).pow(2);
        let squares: u128 = clusters.iter().map(square).sum();
        sizes[kind] * sizes[kind] / squares as f64
    };
    let (a, b) = (kish(0), kish(1));
    let count: u64 = units.iter().map(|(_, _, times)| times).sum();
    let equal = (4.0 * a * b / (a + b)).min(count as f64);
    let spread = Spread::of_residuals(units.iter().copied(), 1.0)
        .filter(|spread| spread.variance > ROUNDING);
    let degrees = (a.min(b) - 1.0).max(1.0);
    let most = mean * (1.0 - mean) / scatter;
    let limits = limits_on(mean, spread, (most, equal), degrees, quantiles);
    let own = |kind: usize, quantiles: &mut Quantiles| {
        let values: Vec<(f64, u64)> = alone
            .iter()
            .filter(|(two, _)| two[kind].1 > 0)
            .map(|(two, times)| (two[kind].0 / two[kind].1 as f64, *times))
            .collect();
        let clusters: Option<Vec<((f64, u64), u64)>> = clusters
            .map(|clusters| clusters.iter().map(|(two, times)| (two[kind], *times)).collect());
        self::mean(&values, clusters.as_deref(), quantiles).and_then(|(_, limits)| limits)
    };
    let (first, second) = (own(0, quantiles)?, own(1, quantiles)?);
    let arm = |a: f64, b: f64| libm::sqrt(a * a + b * b) / 2.0;
    let low = mean - arm(rates[0] - first.0, rates[1] - second.0);
    let high = mean + arm(first.1 - rates[0], second.1 - rates[1]);
    Some((limits.0.min(low).max(0.0), limits.1.max(high).min(1.0)))
}
