//! The nested bootstrap: clusters are drawn with replacement, then the parts of each that was
//! drawn, level by level down to its trials.
//!
//! Davison and Hinkley (1997), "Bootstrap Methods and their Application", section 3.8. Drawing
//! clusters alone has the variance of their means, in which all that varies inside is contained;
//! drawing inside as well adds what varies inside once more.

use std::ops::Range;

use super::draws::Drawn;
use super::order::Draws;
use super::stream::{Stream, combine};
use crate::plan::{Interval, NO_TRIALS, ONE_CLUSTER, Plan, TOO_LARGE};

/// Name of the method.
const METHOD: &str = "percentile-nested";

/// What is drawn from: scores, in whole numbers of the same order, or parts of the next level. Sorted
/// throughout, so that neither names nor the order of rows matter.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Part {
    Scores(Vec<i64>),
    Parts(Vec<Part>),
}

/// The bits of a double as a number that sorts as [`f64::total_cmp`] does; its own inverse.
fn ordered(bits: i64) -> i64 {
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

impl Part {
    /// The part at a place of a level, of which `bounds` has those of this level and of the ones
    /// inside; nothing without a score.
    fn of(bounds: &[Vec<usize>], place: usize, scores: &[f64]) -> Option<Self> {
        let (own, inner) = bounds.split_first()?;
        let range = own[place]..own[place + 1];
        if inner.is_empty() {
            let mut scores: Vec<i64> =
                scores[range].iter().map(|s| ordered(s.to_bits().cast_signed())).collect();
            scores.sort_unstable();
            return (!scores.is_empty()).then_some(Self::Scores(scores));
        }
        let mut parts: Vec<Self> =
            range.filter_map(|place| Self::of(inner, place, scores)).collect();
        parts.sort_unstable();
        (!parts.is_empty()).then_some(Self::Parts(parts))
    }

    fn key(&self, key: u64) -> u64 {
        match self {
            Self::Scores(scores) => scores
                .iter()
                .fold(combine(key, scores.len() as u64), |key, s| combine(key, s.cast_unsigned())),
            Self::Parts(parts) => {
                parts.iter().fold(combine(key, parts.len() as u64), |key, part| part.key(key))
            }
        }
    }

    /// Sum and number of the scores that a draw from this part holds.
    fn draw(&self, stream: &mut Stream) -> (f64, f64) {
        match self {
            Self::Scores(scores) => {
                let drawn = |_| f64::from_bits(ordered(*one(stream, scores)).cast_unsigned());
                ((0..scores.len()).map(drawn).sum(), scores.len() as f64)
            }
            Self::Parts(parts) => (0..parts.len()).fold((0.0, 0.0), |(sum, size), _| {
                let (more, longer) = one(stream, parts).draw(stream);
                (sum + more, size + longer)
            }),
        }
    }
}

/// One of them at random.
fn one<'a, T>(stream: &mut Stream, of: &'a [T]) -> &'a T {
    &of[stream.below(u32::try_from(of.len()).unwrap_or(u32::MAX)) as usize]
}

/// Percentile intervals of the mean of cells. `bounds` holds, level by level from the cells on, where
/// in the next level each begins, and at last where in `scores`; every level ends where the next does.
/// With `balanced`, the mean is one over clusters, each of which weighs the same.
#[must_use]
pub fn percentiles<M: Sync>(
    bounds: &[Vec<usize>],
    scores: &[f64],
    balanced: bool,
    plan: &Plan<M>,
) -> Vec<Interval> {
    let count = bounds.first().map_or(0, |cells| cells.len().saturating_sub(1));
    plan.watch.cells((0..count).collect(), (), |(), place| {
        let Some(Part::Parts(clusters)) = Part::of(bounds, place, scores) else {
            return Interval::missing("none", NO_TRIALS);
        };
        if clusters.len() == 1 {
            return Interval::missing("none", ONE_CLUSTER);
        }
        let limits = of_clusters(&clusters, balanced, plan);
        let interval = match limits {
            Some(Drawn { limits, errors }) if limits.0.is_finite() && limits.1.is_finite() => {
                Interval { errors: Some(errors), ..Interval::closed_form(limits, METHOD) }
            }
            _ => Interval::missing(METHOD, TOO_LARGE),
        };
        Interval { n_resamples: Some(plan.n_resamples), ..interval }
    })
}

fn of_clusters<M: Sync>(clusters: &[Part], balanced: bool, plan: &Plan<M>) -> Option<Drawn> {
    let key = clusters.iter().fold(u64::from(balanced), |key, cluster| cluster.key(key));
    let make = |range: Range<u32>| {
        let count = range.end - range.start;
        plan.watch.draws(
            count,
            || (),
            |(), replicate| {
                let replicate = u64::from(range.start + replicate);
                let mut stream = Stream::new(plan.seed, key, replicate);
                let (mut total, mut whole) = (0.0, 0.0);
                for _ in 0..clusters.len() {
                    plan.watch.look();
                    let (sum, size) = one(&mut stream, clusters).draw(&mut stream);
                    let (sum, size) = if balanced { (sum / size, 1.0) } else { (sum, size) };
                    total += sum;
                    whole += size;
                }
                total / whole
            },
        )
    };
    Draws::new(plan.n_resamples, make).percentiles(plan.tail())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::Watch;

    /// Three documents of two items, the first of which has a single seed each.
    fn bounds() -> Vec<Vec<usize>> {
        vec![vec![0, 3], vec![0, 2, 4, 6], vec![0, 1, 2, 5, 8, 11, 14]]
    }

    const SCORES: [f64; 14] =
        [0.0, 1.0, 0.5, 0.5, -2.0, 1.0, 0.0, 1.0, 3.0, 3.5, 0.25, -1.0, -1.0, 4.0];

    fn plan(n_resamples: u32, seed: u64) -> Plan<'static, ()> {
        Plan { watch: Watch::nobody(), ..Plan::draws(n_resamples, seed) }
    }

    #[test]
    fn order_does_not_matter() {
        let found = percentiles(&bounds(), &SCORES, false, &plan(500, 3));
        // The documents, the items of one and the seeds of one in another order.
        let mut turned = SCORES[8..14].to_vec();
        turned.extend([1.0, 0.0]);
        turned.extend([1.0, 1.0, 0.0, -2.0, 0.5, 0.5]);
        let bounds = vec![vec![0, 3], vec![0, 2, 4, 6], vec![0, 3, 6, 7, 8, 11, 14]];
        assert_eq!(percentiles(&bounds, &turned, false, &plan(500, 3)), found);
        assert_ne!(percentiles(&bounds, &turned, true, &plan(500, 3)), found);
        assert_ne!(percentiles(&bounds, &turned, false, &plan(500, 4)), found);
    }

    #[test]
    fn the_variance_counts_what_is_inside_at_every_level() {
        // 40 clusters of 3 items of 4 seeds: sums of squares over n of each level's means, each over
        // how many of them there are, add up to the variance of a resample's mean.
        let (k, m, r) = (40, 3, 4);
        let score = |c: usize, i: usize, s: usize| {
            ((c * 7 % 11) as f64)
                + 2.0 * ((c * 5 + i * 3) % 7) as f64
                + ((c + i + s) * 13 % 5) as f64
        };
        let scores: Vec<f64> =
            (0..k * m * r).map(|n| score(n / (m * r), n / r % m, n % r)).collect();
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let spread = |values: &[f64]| {
            let centre = mean(values);
            mean(&values.iter().map(|v| (v - centre) * (v - centre)).collect::<Vec<_>>())
        };
        let items: Vec<f64> = scores.chunks(r).map(mean).collect();
        let clusters: Vec<f64> = items.chunks(m).map(mean).collect();
        let inside =
            |values: &[f64], size| mean(&values.chunks(size).map(spread).collect::<Vec<_>>());
        let variance = spread(&clusters) / k as f64
            + inside(&items, m) / (k * m) as f64
            + inside(&scores, r) / (k * m * r) as f64;
        let every = |count: usize, size: usize| (0..=count).map(|i| i * size).collect::<Vec<_>>();
        let bounds = vec![vec![0, k], every(k, m), every(k * m, r)];
        let found = percentiles(&bounds, &scores, false, &plan(40_000, 0))[0];
        let (low, high) = found.limits.unwrap();
        let normal = 2.0 * 1.959_964 * libm::sqrt(variance);
        assert!(((high - low) / normal - 1.0).abs() < 0.02, "{low} {high} {normal}");
        assert!((f64::midpoint(low, high) - mean(&scores)).abs() < 0.02 * normal);
    }

    #[test]
    fn what_cannot_be_drawn_has_a_reason() {
        let bounds = vec![vec![0, 0, 1, 3], vec![0, 1, 2, 3], vec![0, 2, 2, 4]];
        let found = percentiles(&bounds, &SCORES[..4], false, &plan(9, 0));
        let reasons: Vec<_> = found.iter().map(|interval| interval.reason).collect();
        // No cluster; one; and one beside one without a score.
        assert_eq!(reasons, [Some(NO_TRIALS), Some(ONE_CLUSTER), Some(ONE_CLUSTER)]);
        let equal = percentiles(&[vec![0, 2], vec![0, 2, 4]], &[0.5; 4], true, &plan(9, 0));
        assert_eq!(equal[0].limits, Some((0.5, 0.5)));
        let huge = percentiles(&[vec![0, 2], vec![0, 1, 2]], &[f64::MAX; 2], false, &plan(9, 0));
        assert_eq!(huge[0].reason, Some(TOO_LARGE));
    }
}
