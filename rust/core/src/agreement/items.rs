//! Coefficients of items that two raters or more rated, not all of them the same number.

use super::{Agreement, LONE_RATING, NO_ITEMS, ONE_CATEGORY, interval};
use crate::intervals::{Quantiles, wilson};
use crate::plan::{Interval, tail};
use crate::share::{Unit, share_limits};
use crate::watch::Watch;

/// How many raters gave an item a category, as a position in the list of categories.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Rating {
    /// The category.
    pub category: u32,
    /// How many raters gave it.
    pub raters: u64,
}

/// What a disagreement counts to Krippendorff's alpha.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Metric {
    /// All the same.
    Nominal,
    /// The square of the number of ratings between two categories.
    Ordinal,
    /// The square of the difference of two values.
    Interval,
}

crate::plan::named!(Metric {
    Nominal => "nominal",
    Ordinal => "ordinal",
    Interval => "interval",
});

/// Which coefficient.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Coefficient {
    /// Fleiss (1971), doi:10.1037/h0031619; for items rated by different numbers of raters as in
    /// Gwet (2008), doi:10.1348/000711006X126600.
    Fleiss,
    /// Gwet's AC1, from the same paper.
    Ac1,
    /// Krippendorff's alpha: Hayes and Krippendorff (2007), doi:10.1080/19312450709336664.
    Krippendorff(Metric),
}

/// Cells of clusters of items of ratings, each by its bounds in the next.
#[derive(Clone, Copy, Debug)]
pub struct Items<'a> {
    /// Bounds of cells in clusters; without clusters, in items.
    pub cells: &'a [usize],
    /// Bounds of clusters in items, where there are clusters.
    pub clusters: Option<&'a [usize]>,
    /// Bounds of items in ratings.
    pub items: &'a [usize],
    /// How many items there are of each kind.
    pub times: &'a [u64],
    /// Ratings; those of an item in ascending order of categories.
    pub ratings: &'a [Rating],
    /// Number of categories in the list, where one was given.
    pub categories: Option<u64>,
    /// Values of the categories, for [`Metric::Interval`].
    pub values: &'a [f64],
}

/// A coefficient of cells of items.
#[must_use]
pub fn of_items(
    all: &Items<'_>,
    coefficient: Coefficient,
    confidence_level: f64,
    watch: &Watch,
) -> Vec<Agreement> {
    let quantiles = Quantiles::new(tail(confidence_level));
    let cells = (0..all.cells.len().saturating_sub(1)).collect();
    watch.cells(cells, quantiles, |quantiles, index| {
        Cell::of(all, index, watch).agreement(coefficient, quantiles)
    })
}

struct Item<'a> {
    ratings: &'a [Rating],
    times: u64,
    /// Number of ratings.
    raters: u64,
    cluster: usize,
}

impl Item<'_> {
    /// Share of pairs of ratings that are equal; of an item with two ratings or more.
    fn agreement(&self) -> f64 {
        let equal: u128 = self
            .ratings
            .iter()
            .map(|rating| u128::from(rating.raters) * u128::from(rating.raters.saturating_sub(1)))
            .sum();
        equal as f64 / (self.raters as f64 * (self.raters - 1) as f64)
    }
}

/// The items of a cell that have a rating.
struct Cell<'a> {
    items: Vec<Item<'a>>,
    clustered: bool,
    /// Categories that occur, ascending.
    seen: Vec<u32>,
    listed: Option<u64>,
    values: &'a [f64],
    watch: &'a Watch,
}

/// A coefficient before its interval.
struct Estimate {
    observed: f64,
    chance: f64,
    /// What each item, or each of the kind, adds, and in what the residuals are a mean over.
    residuals: Vec<(f64, u64)>,
    /// How many independent items, of agreement 0 or 1, would be as sure of `observed`.
    most: f64,
}

impl<'a> Cell<'a> {
    fn of(all: &Items<'a>, index: usize, watch: &'a Watch) -> Self {
        let bounds = all.cells[index]..all.cells[index + 1];
        let mut items = Vec::new();
        let mut take = |item: usize, cluster: usize| {
            watch.look();
            let ratings = &all.ratings[all.items[item]..all.items[item + 1]];
            let raters = ratings.iter().map(|rating| rating.raters).sum();
            if raters > 0 && all.times[item] > 0 {
                items.push(Item { ratings, times: all.times[item], raters, cluster });
            }
        };
        if let Some(clusters) = all.clusters {
            for cluster in bounds {
                (clusters[cluster]..clusters[cluster + 1]).for_each(|item| take(item, cluster));
            }
        } else {
            bounds.for_each(|item| take(item, 0));
        }
        let mut seen: Vec<u32> = items
            .iter()
            .flat_map(|item| item.ratings)
            .filter(|rating| rating.raters > 0)
            .map(|rating| rating.category)
            .collect();
        seen.sort_unstable();
        seen.dedup();
        Self {
            items,
            clustered: all.clusters.is_some(),
            seen,
            listed: all.categories,
            values: all.values,
            watch,
        }
    }

    fn agreement(&self, coefficient: Coefficient, quantiles: &mut Quantiles) -> Agreement {
        let rated = || self.items.iter().filter(|item| item.raters > 1);
        let n: u64 = rated().map(|item| item.times).sum();
        let ratings: u64 = rated().map(|item| item.times * item.raters).sum();
        let mut clusters: Vec<usize> = rated().map(|item| item.cluster).collect();
        clusters.dedup();
        let mut result = Agreement {
            items: n,
            ratings,
            categories: self.seen.len() as u64,
            clusters: self.clustered.then_some(clusters.len() as u64),
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
        let independent = !self.clustered;
        let raw = self.raw(n);
        result.agreement = Some(raw.observed);
        result.limits = if independent && rated().all(|item| item.raters == 2) {
            // A rate of independent items, as that of any other outcome.
            Some(wilson(raw.observed, n as f64, quantiles.normal()))
        } else {
            let units = self.units(&raw.residuals);
            share_limits(raw.observed, &units, raw.most, quantiles)
        };
        let estimate = match coefficient {
            Coefficient::Fleiss | Coefficient::Ac1 => self.by_items(coefficient, &raw, n),
            Coefficient::Krippendorff(metric) => self.by_ratings(metric, ratings),
        };
        let Some(estimate) = estimate else {
            result.interval = Interval::missing("none", ONE_CATEGORY);
            return result;
        };
        let (observed, chance) = (estimate.observed, estimate.chance);
        (result.observed, result.chance) = (Some(observed), Some(chance));
        result.estimate = Some((observed - chance) / (1.0 - chance));
        let frequent = self.counts().into_iter().max().unwrap_or(0);
        if coefficient != Coefficient::Ac1 && ratings - frequent == 1 {
            result.interval = Interval::missing("none", LONE_RATING);
            return result;
        }
        let units = self.units(&estimate.residuals);
        result.interval =
            interval((observed, chance), &units, estimate.most, independent, quantiles);
        result
    }

    /// Ratings by category, of the items with two ratings or more.
    fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.seen.len()];
        for item in self.items.iter().filter(|item| item.raters > 1) {
            for rating in item.ratings.iter().filter(|rating| rating.raters > 0) {
                counts[self.place(rating)] += item.times * rating.raters;
            }
        }
        counts
    }

    /// Agreement averaged over the `n` items with two ratings or more.
    fn raw(&self, n: u64) -> Estimate {
        let each = |item: &Item<'_>| if item.raters > 1 { item.agreement() } else { 0.0 };
        let sum: f64 = self.items.iter().map(|item| each(item) * item.times as f64).sum();
        let observed = sum / n as f64;
        let residuals: Vec<(f64, u64)> = self
            .items
            .iter()
            .map(|item| if item.raters > 1 { (item.agreement() - observed, 1) } else { (0.0, 0) })
            .collect();
        let scatter: f64 = self
            .items
            .iter()
            .zip(&residuals)
            .map(|(item, (residual, _))| item.times as f64 * residual * residual)
            .sum();
        let n = n as f64;
        let most = observed * (1.0 - observed) / scatter * n * n;
        Estimate { observed, chance: 0.0, residuals, most }
    }

    /// Fleiss' kappa and AC1: chance agreement from the categories' shares, averaged over items.
    fn by_items(&self, coefficient: Coefficient, raw: &Estimate, n: u64) -> Option<Estimate> {
        let all: u64 = self.items.iter().map(|item| item.times).sum();
        let mut shares = vec![0.0; self.seen.len()];
        for item in &self.items {
            for rating in item.ratings.iter().filter(|rating| rating.raters > 0) {
                shares[self.place(rating)] +=
                    item.times as f64 * (rating.raters as f64 / item.raters as f64);
            }
        }
        for share in &mut shares {
            *share /= all as f64;
        }
        // Chance agreement, and how it moves with the share of a category.
        let others = self.listed.unwrap_or(0).max(self.seen.len() as u64).saturating_sub(1) as f64;
        let slope: Vec<f64> = shares
            .iter()
            .map(|share| match coefficient {
                Coefficient::Ac1 => (1.0 - 2.0 * share) / others,
                _ => 2.0 * share,
            })
            .collect();
        let chance = shares
            .iter()
            .map(|share| match coefficient {
                Coefficient::Ac1 => share * (1.0 - share) / others,
                _ => share * share,
            })
            .sum::<f64>();
        if others == 0.0 || chance >= 1.0 {
            return None;
        }
        let observed = raw.observed;
        let beyond = (1.0 - observed) / (1.0 - chance);
        let mean: f64 = slope.iter().zip(&shares).map(|(slope, share)| slope * share).sum();
        let more = all as f64 / n as f64;
        let residuals = self
            .items
            .iter()
            .zip(&raw.residuals)
            .map(|(item, (residual, _))| {
                let own: f64 = item
                    .ratings
                    .iter()
                    .filter(|rating| rating.raters > 0)
                    .map(|rating| {
                        slope[self.place(rating)] * rating.raters as f64 / item.raters as f64
                    })
                    .sum();
                (more * residual - beyond * (own - mean), 1)
            })
            .collect();
        Some(Estimate { observed, chance, residuals, most: raw.most })
    }

    /// Krippendorff's alpha: disagreement within items against that of all ratings together, of
    /// the items with two ratings or more.
    fn by_ratings(&self, metric: Metric, n: u64) -> Option<Estimate> {
        let counts = self.counts();
        let total = n as f64;
        let pairs = total / (total - 1.0);
        let scores = self.scores(metric, &counts);
        // Disagreement of two ratings of all, and how it moves with one of a category: from
        // shares where all disagreements count the same, else from scores between 0 and 1 whose
        // difference squared is the disagreement.
        let share = |place: usize| counts[place] as f64 / total;
        let places = || (0..counts.len()).filter(|place| counts[*place] > 0);
        let (expected, moves): (f64, Vec<f64>) = if let Some(scores) = &scores {
            let mean: f64 = places().map(|place| share(place) * scores[place]).sum();
            let squares = |place: usize| (scores[place] - mean) * (scores[place] - mean);
            let variance: f64 = places().map(|place| share(place) * squares(place)).sum();
            let moves = (0..counts.len()).map(|place| 2.0 * pairs * (squares(place) - variance));
            (2.0 * pairs * variance, moves.collect())
        } else {
            let equal: f64 = places().map(|place| share(place) * share(place)).sum();
            let moves = (0..counts.len()).map(|place| 2.0 * pairs * (equal - share(place)));
            (
                pairs * places().map(|place| share(place) * (1.0 - share(place))).sum::<f64>(),
                moves.collect(),
            )
        };
        if places().count() < 2 || expected <= 0.0 {
            return None;
        }
        let within = |item: &Item<'_>| -> f64 {
            let raters = item.raters as f64;
            let Some(scores) = &scores else {
                return 1.0 - item.agreement();
            };
            let part = |rating: &Rating| (rating.raters as f64, scores[self.place(rating)]);
            let ratings = || item.ratings.iter().filter(|rating| rating.raters > 0).map(part);
            let mean = ratings().map(|(count, score)| count * score).sum::<f64>() / raters;
            let squares: f64 =
                ratings().map(|(count, score)| count * (score - mean) * (score - mean)).sum();
            2.0 * squares / (raters - 1.0)
        };
        let sum: f64 = self
            .items
            .iter()
            .filter(|item| item.raters > 1)
            .map(|item| (item.times * item.raters) as f64 * within(item))
            .sum();
        let disagreement = sum / total;
        let beyond = disagreement / expected;
        let residuals = self
            .items
            .iter()
            .map(|item| {
                if item.raters < 2 {
                    return (0.0, 0);
                }
                let raters = item.raters as f64;
                let moved: f64 = item
                    .ratings
                    .iter()
                    .filter(|rating| rating.raters > 0)
                    .map(|rating| rating.raters as f64 * moves[self.place(rating)])
                    .sum();
                (beyond * moved - raters * (within(item) - disagreement), item.raters)
            })
            .collect();
        let scatter: f64 = self
            .items
            .iter()
            .filter(|item| item.raters > 1)
            .map(|item| {
                let residual = item.raters as f64 * (within(item) - disagreement);
                item.times as f64 * residual * residual
            })
            .sum();
        let (observed, chance) = (1.0 - disagreement, 1.0 - expected);
        let most = observed * disagreement / scatter * total * total;
        Some(Estimate { observed, chance, residuals, most })
    }

    /// Where differences count by more than being there: a number from 0 to 1 for each category.
    ///
    /// The number of ratings between two categories, half of theirs included, is the difference
    /// of their mean ranks.
    fn scores(&self, metric: Metric, counts: &[u64]) -> Option<Vec<f64>> {
        let raw: Vec<f64> = match metric {
            Metric::Nominal => return None,
            Metric::Ordinal => {
                let mut below = 0;
                let rank = |count: &u64| {
                    below += count;
                    (2 * below - count) as f64 / 2.0
                };
                counts.iter().map(rank).collect()
            }
            Metric::Interval => {
                self.seen.iter().map(|category| self.values[*category as usize]).collect()
            }
        };
        // Only what occurs in the items that count sets the scale.
        let used = || raw.iter().zip(counts).filter(|(_, count)| **count > 0).map(|(x, _)| *x);
        let (least, most) =
            (used().fold(f64::INFINITY, f64::min), used().fold(f64::NEG_INFINITY, f64::max));
        // Halved first: the difference of two doubles may be too large for one.
        let span = most / 2.0 - least / 2.0;
        Some(
            raw.iter()
                .map(|x| if span > 0.0 { (x / 2.0 - least / 2.0) / span } else { 0.0 })
                .collect(),
        )
    }

    fn place(&self, rating: &Rating) -> usize {
        self.watch.look();
        self.seen.partition_point(|category| *category < rating.category)
    }

    /// Residuals of items, or of the clusters that they form.
    fn units(&self, residuals: &[(f64, u64)]) -> Vec<Unit> {
        let each = self.items.iter().zip(residuals).map(|(item, (residual, size))| {
            (item.cluster, Unit { residual: *residual, size: *size, times: item.times })
        });
        if !self.clustered {
            return each.map(|(_, unit)| unit).filter(|unit| unit.size > 0).collect();
        }
        let mut units: Vec<(usize, Unit)> = Vec::new();
        for (cluster, unit) in each {
            let (residual, size) = (unit.residual * unit.times as f64, unit.size * unit.times);
            match units.last_mut() {
                Some((last, sum)) if *last == cluster => {
                    sum.residual += residual;
                    sum.size += size;
                }
                _ => units.push((cluster, Unit { residual, size, times: 1 })),
            }
        }
        units.into_iter().map(|(_, unit)| unit).filter(|unit| unit.size > 0).collect()
    }
}
