//! Cohen's kappa of two raters, weighted or not.

use super::{Agreement, CONSTANT_RATER, NO_ITEMS, ONE_CATEGORY, interval};
use crate::intervals::{Quantiles, wilson};
use crate::plan::{Interval, tail};
use crate::rate::cells;
use crate::share::{Unit, share_limits};
use crate::watch::Watch;

/// Items by what two raters say of them, as positions in the list of categories.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Pair {
    /// Category of the first rater.
    pub first: u32,
    /// Category of the second.
    pub second: u32,
    /// How many items there are of the kind.
    pub times: u64,
}

/// What a disagreement counts by the distance of its categories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weights {
    /// All the same.
    Unweighted,
    /// The distance.
    Linear,
    /// The distance squared.
    Quadratic,
}

crate::plan::named!(Weights {
    Unweighted => "unweighted",
    Linear => "linear",
    Quadratic => "quadratic",
});

impl Weights {
    fn distance(self, a: u32, b: u32) -> u128 {
        let steps = u128::from(a.abs_diff(b));
        match self {
            Self::Unweighted => u128::from(steps > 0),
            Self::Linear => steps,
            Self::Quadratic => steps * steps,
        }
    }
}

/// Kappa of cells of pairs.
///
/// `offsets` holds the bounds of each cell in `clusters`, and `clusters` the bounds of each
/// cluster in `pairs`, from 0 on; without clusters there are only the bounds of cells, in pairs.
/// `categories` is the number of categories in the list, seen or not: it sets the scale of
/// `observed` and `chance`.
#[must_use]
pub fn of_pairs(
    offsets: &[usize],
    clusters: Option<&[usize]>,
    pairs: &[Pair],
    categories: u32,
    weights: Weights,
    confidence_level: f64,
    watch: &Watch,
) -> Vec<Agreement> {
    let quantiles = Quantiles::new(tail(confidence_level));
    let most = weights.distance(0, categories.saturating_sub(1)).max(1) as f64;
    let one = |quantiles: &mut Quantiles, cell: Cell<'_>| cell.kappa(weights, most, quantiles);
    let slices: Vec<Cell> = if let Some(bounds) = clusters {
        offsets
            .windows(2)
            .map(|cell| {
                let inner = &bounds[cell[0]..=cell[1]];
                Cell {
                    pairs: &pairs[inner[0]..inner[inner.len() - 1]],
                    clusters: Some(inner),
                    watch,
                }
            })
            .collect()
    } else {
        cells(offsets, pairs).map(|pairs| Cell { pairs, clusters: None, watch }).collect()
    };
    watch.cells(slices, quantiles, one)
}

struct Cell<'a> {
    pairs: &'a [Pair],
    /// Bounds of clusters, counted as the first pair of the cell is.
    clusters: Option<&'a [usize]>,
    watch: &'a Watch,
}

impl Cell<'_> {
    fn kappa(&self, weights: Weights, most: f64, quantiles: &mut Quantiles) -> Agreement {
        let independent = self.clusters.is_none();
        let n: u64 = self.pairs.iter().map(|pair| pair.times).sum();
        let equal: u64 =
            self.pairs.iter().filter(|p| p.first == p.second).map(|pair| pair.times).sum();
        let first =
            Rater::of(self.pairs.iter().map(|pair| (pair.first, pair.times)), weights, self.watch);
        let second =
            Rater::of(self.pairs.iter().map(|pair| (pair.second, pair.times)), weights, self.watch);
        let mut seen = [first.categories.as_slice(), second.categories.as_slice()].concat();
        seen.sort_unstable_by(|a, b| {
            self.watch.look();
            a.cmp(b)
        });
        seen.dedup();
        let mut result = Agreement {
            items: n,
            ratings: 2 * n,
            categories: seen.len() as u64,
            clusters: self.clusters.map(|bounds| {
                bounds.windows(2).filter(|cluster| cluster[1] > cluster[0]).count() as u64
            }),
            agreement: None,
            limits: None,
            observed: None,
            chance: None,
            estimate: None,
            interval: Interval::missing("none", NO_ITEMS),
        };
        if n == 0 {
            return result;
        }
        let agreement = equal as f64 / n as f64;
        result.agreement = Some(agreement);
        result.limits = if independent {
            Some(wilson(agreement, n as f64, quantiles.normal()))
        } else {
            let residual = |pairs: &[Pair]| {
                let sum = |kept: fn(&&Pair) -> bool| -> u64 {
                    pairs.iter().filter(kept).map(|pair| pair.times).sum()
                };
                let (hits, all) = (sum(|p| p.first == p.second), sum(|_| true));
                let over = i128::from(hits) * i128::from(n) - i128::from(equal) * i128::from(all);
                over as f64 / n as f64
            };
            share_limits(agreement, &self.units(residual), n as f64, quantiles)
        };
        let sum: u128 = self
            .pairs
            .iter()
            .map(|pair| weights.distance(pair.first, pair.second) * u128::from(pair.times))
            .sum();
        let by_chance: u128 = first
            .categories
            .iter()
            .zip(&first.counts)
            .map(|(category, count)| {
                self.watch.look();
                u128::from(*count) * second.distances(*category)
            })
            .sum();
        let disagreement = sum as f64 / n as f64;
        let worth = if weights == Weights::Unweighted {
            n as f64
        } else {
            let scatter = self.pairs.iter().map(|pair| {
                let beside = weights.distance(pair.first, pair.second) as f64 - disagreement;
                pair.times as f64 * beside * beside
            });
            n as f64 * n as f64 * disagreement * (most - disagreement) / scatter.sum::<f64>()
        };
        let expected = by_chance as f64 / (n as f64 * n as f64);
        let (observed, chance) = (1.0 - disagreement / most, 1.0 - expected / most);
        (result.observed, result.chance) = (Some(observed), Some(chance));
        if by_chance == 0 {
            result.interval = Interval::missing("none", ONE_CATEGORY);
            return result;
        }
        // Of whole numbers, so that no agreement beyond chance is 0 and not nearly so.
        let over = by_chance.abs_diff(sum * u128::from(n)) as f64 / by_chance as f64;
        let kappa = if sum * u128::from(n) > by_chance { -over } else { over };
        result.estimate = Some(kappa);
        result.interval = if first.categories.len().min(second.categories.len()) == 1 {
            Interval::missing("none", CONSTANT_RATER)
        } else {
            let residual = |pairs: &[Pair]| {
                let (mut seen, mut chances, mut all) = (0_u128, 0_u128, 0_u64);
                for pair in pairs {
                    self.watch.look();
                    let times = u128::from(pair.times);
                    seen += times * weights.distance(pair.first, pair.second);
                    chances +=
                        times * (second.distances(pair.first) + first.distances(pair.second));
                    all += pair.times;
                }
                let drift = expected * all as f64 - chances as f64 / n as f64;
                (seen as f64 + (1.0 - kappa) * drift) / most
            };
            interval((observed, chance), &self.units(residual), worth, independent, quantiles)
        };
        result
    }

    /// What each cluster, or each kind of pair, adds; `residual` is that of some pairs together.
    fn units(&self, residual: impl Fn(&[Pair]) -> f64) -> Vec<Unit> {
        let Some(bounds) = self.clusters else {
            let kind = |pair: &Pair| {
                let residual = residual(&[Pair { times: 1, ..*pair }]);
                Unit { residual, size: 1, times: pair.times }
            };
            return self.pairs.iter().map(kind).collect();
        };
        let clusters = bounds.windows(2).map(|cluster| {
            let pairs = &self.pairs[cluster[0] - bounds[0]..cluster[1] - bounds[0]];
            let size = pairs.iter().map(|pair| pair.times).sum();
            Unit { residual: residual(pairs), size, times: 1 }
        });
        clusters.filter(|unit| unit.size > 0).collect()
    }
}

/// How often a rater gives each category, and what is known of distances to those.
struct Rater {
    weights: Weights,
    /// Categories that occur, ascending.
    categories: Vec<u32>,
    counts: Vec<u64>,
    /// Up to each of them, the sums of counts, of counts times category and times its square.
    below: Vec<[u128; 3]>,
}

impl Rater {
    fn of(ratings: impl Iterator<Item = (u32, u64)>, weights: Weights, watch: &Watch) -> Self {
        let mut sorted: Vec<(u32, u64)> = ratings.collect();
        sorted.sort_unstable_by(|a, b| {
            watch.look();
            a.cmp(b)
        });
        let (mut categories, mut counts): (Vec<u32>, Vec<u64>) = (Vec::new(), Vec::new());
        for (category, times) in sorted {
            if categories.last() == Some(&category) {
                *counts.last_mut().expect("one for each category") += times;
            } else {
                categories.push(category);
                counts.push(times);
            }
        }
        let mut sums = [0; 3];
        let mut below = vec![sums];
        for (category, count) in categories.iter().zip(&counts) {
            let (x, count) = (u128::from(*category), u128::from(*count));
            sums = [sums[0] + count, sums[1] + count * x, sums[2] + count * x * x];
            below.push(sums);
        }
        Self { weights, categories, counts, below }
    }

    /// Sum of the distances of all this rater's ratings to a category.
    fn distances(&self, category: u32) -> u128 {
        let all = self.below[self.categories.len()];
        let x = u128::from(category);
        match self.weights {
            Weights::Unweighted => {
                let found = self.categories.binary_search(&category);
                all[0] - found.map_or(0, |place| u128::from(self.counts[place]))
            }
            Weights::Linear => {
                let low = self.below[self.categories.partition_point(|other| *other < category)];
                x * low[0] - low[1] + (all[1] - low[1]) - x * (all[0] - low[0])
            }
            // Never negative: it is a sum of squares.
            Weights::Quadratic => all[2] + x * x * all[0] - 2 * x * all[1],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(pairs: &[(u32, u32, u64)], categories: u32, weights: Weights) -> Agreement {
        let pairs: Vec<Pair> =
            pairs.iter().map(|&(first, second, times)| Pair { first, second, times }).collect();
        let (ends, watch) = ([0, pairs.len()], Watch::nobody());
        of_pairs(&ends, None, &pairs, categories, weights, 0.95, watch)[0]
    }

    #[test]
    fn printed_tables() {
        // Fleiss, Cohen and Everitt (1969): 88, 10, 2; 14, 40, 6; 18, 10, 12 of 200.
        let table = [[88, 10, 2], [14, 40, 6], [18, 10, 12]];
        let pairs: Vec<(u32, u32, u64)> = (0..3_u32)
            .flat_map(|a| (0..3_u32).map(move |b| (a, b, table[a as usize][b as usize])))
            .collect();
        let found = one(&pairs, 3, Weights::Unweighted);
        assert!((found.estimate.unwrap() - 0.29 / 0.59).abs() < 1e-15);
        assert!((found.agreement.unwrap() - 0.7).abs() < 1e-15);
    }

    #[test]
    fn a_constant_rater_has_no_interval() {
        let found = one(&[(1, 1, 3), (1, 0, 1)], 2, Weights::Unweighted);
        assert_eq!(found.estimate.map(f64::to_bits), Some(0.0_f64.to_bits()));
        assert_eq!(found.agreement, Some(0.75));
        assert_eq!(found.interval.reason, Some(CONSTANT_RATER));
    }

    #[test]
    fn distances_are_sums_over_ratings() {
        for weights in [Weights::Unweighted, Weights::Linear, Weights::Quadratic] {
            let ratings = [(7, 2_u64), (0, 1), (3, 5), (7, 1)];
            let rater = Rater::of(ratings.iter().copied(), weights, Watch::nobody());
            for category in 0..10 {
                let sum: u128 = ratings
                    .iter()
                    .map(|(other, times)| weights.distance(category, *other) * u128::from(*times))
                    .sum();
                assert_eq!(rater.distances(category), sum);
            }
        }
    }

    #[test]
    fn perfect_agreement_keeps_some_doubt() {
        let found = one(&[(0, 0, 10), (1, 1, 10)], 2, Weights::Unweighted);
        let (low, high) = found.interval.limits.unwrap();
        assert_eq!(found.estimate, Some(1.0));
        assert!((0.5..0.8).contains(&low) && (high - 1.0).abs() < 1e-15);
    }
}
