//! Rates of a detector from its counts.

use rayon::prelude::*;

use super::{NOTHING, ONE_CLUSTER_OF_A_KIND, ONE_OF_A_KIND};
use crate::intervals::Quantiles;
use crate::plan::{Design, Interval, ONE_CLUSTER, ONE_TRIAL, Plan, RateMethod, Resampler, tail};
use crate::rate::{self, Count, cells};
use crate::share::{self, Two, Unit, share_limits};
use crate::watch::Watch;

/// Trials by what they are and what the detector says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Positives that are detected.
    pub true_positives: u64,
    /// Positives that are not.
    pub false_negatives: u64,
    /// Negatives that are detected.
    pub false_positives: u64,
    /// Negatives that are not.
    pub true_negatives: u64,
}

/// What is measured. Of an editor, the detected are the removed, and the positives what should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Metric {
    /// Detected of the positives.
    Sensitivity,
    /// Not detected of the negatives.
    Specificity,
    /// Positives of the detected.
    Precision,
    /// Negatives of those not detected.
    NegativePredictiveValue,
    /// Harmonic mean of sensitivity and precision.
    F1,
    /// Right of all.
    Accuracy,
    /// Mean of sensitivity and specificity.
    BalancedAccuracy,
    /// Positives of all.
    Prevalence,
    /// Sensitivity of an editor.
    Removal,
    /// Specificity of an editor.
    Preservation,
    /// Precision of an editor.
    EditPrecision,
}

crate::plan::named!(Metric {
    Sensitivity => "sensitivity",
    Specificity => "specificity",
    Precision => "precision",
    NegativePredictiveValue => "negative_predictive_value",
    F1 => "f1",
    Accuracy => "accuracy",
    BalancedAccuracy => "balanced_accuracy",
    Prevalence => "prevalence",
    Removal => "removal",
    Preservation => "preservation",
    EditPrecision => "edit_precision",
});

impl Metric {
    /// The metric's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// A metric of a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Found {
    /// Trials that count for it.
    pub trials: u64,
    /// Clusters with such a trial, where there are clusters.
    pub clusters: Option<u64>,
    /// The metric.
    pub estimate: Option<f64>,
    /// Its interval.
    pub interval: Interval,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.true_positives += other.true_positives;
        self.false_negatives += other.false_negatives;
        self.false_positives += other.false_positives;
        self.true_negatives += other.true_negatives;
    }

    fn all(&self) -> u64 {
        self.true_positives + self.false_negatives + self.false_positives + self.true_negatives
    }

    /// Successes and trials of a metric that is a rate.
    fn rate(&self, metric: Metric) -> Option<Count> {
        let Self { true_positives, false_negatives, false_positives, true_negatives } = *self;
        let (successes, failures) = match metric {
            Metric::Sensitivity | Metric::Removal => (true_positives, false_negatives),
            Metric::Specificity | Metric::Preservation => (true_negatives, false_positives),
            Metric::Precision | Metric::EditPrecision => (true_positives, false_positives),
            Metric::NegativePredictiveValue => (true_negatives, false_negatives),
            Metric::Accuracy => {
                (true_positives + true_negatives, false_positives + false_negatives)
            }
            Metric::Prevalence => {
                (true_positives + false_negatives, false_positives + true_negatives)
            }
            Metric::F1 | Metric::BalancedAccuracy => return None,
        };
        Some(Count { trials: successes + failures, successes })
    }

    /// Detected or positive: what the F1 score is of.
    fn either(&self) -> u64 {
        self.true_positives + self.false_negatives + self.false_positives
    }
}

/// Metrics of cells of independent trials, of each cell all metrics.
#[must_use]
pub fn of_trials(all: &[Counts], metrics: &[Metric], confidence_level: f64) -> Vec<Found> {
    let quantiles = Quantiles::new(tail(confidence_level));
    let plan = plan(confidence_level);
    all.par_iter()
        .with_min_len(16)
        .map_with(quantiles, |quantiles, cell| {
            metrics
                .iter()
                .map(|metric| {
                    Cell { total: *cell, clusters: None }.found(*metric, &plan, quantiles)
                })
                .collect::<Vec<_>>()
        })
        .flatten_iter()
        .collect()
}

/// Metrics of cells of clusters; `offsets` holds the bounds of each cell in `clusters`.
#[must_use]
pub fn of_clusters(
    offsets: &[usize],
    clusters: &[Counts],
    metrics: &[Metric],
    confidence_level: f64,
) -> Vec<Found> {
    let quantiles = Quantiles::new(tail(confidence_level));
    let plan = plan(confidence_level);
    let slices: Vec<&[Counts]> = cells(offsets, clusters).collect();
    slices
        .into_par_iter()
        .map_with(quantiles, |quantiles, clusters| {
            let mut total = Counts::default();
            for cluster in clusters {
                total.add(cluster);
            }
            let cell = Cell { total, clusters: Some(clusters) };
            metrics.iter().map(|metric| cell.found(*metric, &plan, quantiles)).collect::<Vec<_>>()
        })
        .flatten_iter()
        .collect()
}

fn plan(confidence_level: f64) -> Plan<'static, RateMethod> {
    Plan {
        method: RateMethod::Auto,
        resampler: Resampler::Auto,
        confidence_level,
        n_resamples: 1,
        seed: 0,
        watch: Watch::nobody(),
    }
}

struct Cell<'a> {
    total: Counts,
    clusters: Option<&'a [Counts]>,
}

impl Cell<'_> {
    fn found(&self, metric: Metric, plan: &Plan<RateMethod>, quantiles: &mut Quantiles) -> Found {
        if let Some(total) = self.total.rate(metric) {
            let rated = if let Some(clusters) = self.clusters {
                let counts: Vec<Count> =
                    clusters.iter().filter_map(|cluster| cluster.rate(metric)).collect();
                rate::of_clusters(&[0, counts.len()], &counts, Design::default(), plan)
            } else {
                rate::of_trials(&[total], plan)
            };
            let rated = rated[0];
            let interval =
                if rated.trials == 0 { Interval::missing("none", NOTHING) } else { rated.interval };
            let (trials, clusters, estimate) = (rated.trials, rated.clusters, rated.estimate);
            return Found { trials, clusters, estimate, interval };
        }
        match metric {
            Metric::F1 => self.f1(quantiles),
            _ => self.balanced(quantiles),
        }
    }

    /// F1 is a ratio of sums: twice the true positives to the positives and the detected.
    fn f1(&self, quantiles: &mut Quantiles) -> Found {
        let (hits, either) = (self.total.true_positives, self.total.either());
        let mut found = Found {
            trials: either,
            clusters: self.count(|cluster| cluster.either() > 0),
            estimate: None,
            interval: Interval::missing("none", NOTHING),
        };
        if either == 0 {
            return found;
        }
        let n = (hits + either) as f64;
        let score = 2.0 * hits as f64 / n;
        found.estimate = Some(score);
        let single = |hit: bool, times: u64| Unit {
            residual: if hit { 2.0 - 2.0 * score } else { -score },
            size: if hit { 2 } else { 1 },
            times,
        };
        let alone = [single(true, hits), single(false, either - hits)];
        let scatter: f64 =
            alone.iter().map(|unit| unit.times as f64 * unit.residual * unit.residual).sum();
        let most = score * (1.0 - score) / scatter * n * n;
        let units: Vec<Unit> = if let Some(clusters) = self.clusters {
            let unit = |cluster: &Counts| {
                let size = cluster.true_positives + cluster.either();
                let residual = 2.0 * cluster.true_positives as f64 - score * size as f64;
                Unit { residual, size, times: 1 }
            };
            clusters.iter().map(unit).filter(|unit| unit.size > 0).collect()
        } else {
            alone.into_iter().filter(|unit| unit.times > 0).collect()
        };
        found.interval = match share_limits(score, &units, most, quantiles) {
            Some(limits) => Interval::closed_form(limits, "wilson-effective"),
            None => Interval::missing("none", self.too_few()),
        };
        found
    }

    /// The mean of two shares, of positives and of negatives.
    fn balanced(&self, quantiles: &mut Quantiles) -> Found {
        let total = self.total;
        let found = Found {
            trials: total.all(),
            clusters: self.count(|cluster| cluster.all() > 0),
            estimate: None,
            interval: Interval::missing("none", NOTHING),
        };
        let sides = |counts: &Counts| -> Two {
            let (hits, rejections) = (counts.true_positives, counts.true_negatives);
            [
                (hits as f64, hits + counts.false_negatives),
                (rejections as f64, rejections + counts.false_positives),
            ]
        };
        let [(hits, positives), (rejections, negatives)] = sides(&total);
        if positives == 0 || negatives == 0 {
            return found;
        }
        let alone = [
            ([(1.0, 1), (0.0, 0)], total.true_positives),
            ([(0.0, 1), (0.0, 0)], total.false_negatives),
            ([(0.0, 0), (1.0, 1)], total.true_negatives),
            ([(0.0, 0), (0.0, 1)], total.false_positives),
        ];
        let clusters: Option<Vec<(Two, u64)>> = self
            .clusters
            .map(|clusters| clusters.iter().map(|counts| (sides(counts), 1)).collect());
        let limits = share::midpoint(&alone, clusters.as_deref(), quantiles);
        let reason = if self.clusters.is_some() { ONE_CLUSTER_OF_A_KIND } else { ONE_OF_A_KIND };
        let missing = Interval::missing("none", reason);
        Found {
            estimate: Some(f64::midpoint(hits / positives as f64, rejections / negatives as f64)),
            interval: limits
                .map_or(missing, |limits| Interval::closed_form(limits, "wilson-effective")),
            ..found
        }
    }

    fn count(&self, some: impl Fn(&Counts) -> bool) -> Option<u64> {
        self.clusters.map(|clusters| clusters.iter().filter(|cluster| some(cluster)).count() as u64)
    }

    fn too_few(&self) -> &'static str {
        if self.clusters.is_some() { ONE_CLUSTER } else { ONE_TRIAL }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_of_one_are_trials() {
        let cell =
            Counts { true_positives: 9, false_negatives: 3, false_positives: 2, true_negatives: 6 };
        let singles: Vec<Counts> = [(9, 0), (3, 1), (2, 2), (6, 3)]
            .into_iter()
            .flat_map(|(times, kind)| (0..times).map(move |_| kind))
            .map(|kind| {
                let mut one = Counts::default();
                *[
                    &mut one.true_positives,
                    &mut one.false_negatives,
                    &mut one.false_positives,
                    &mut one.true_negatives,
                ][kind] = 1;
                one
            })
            .collect();
        let alone = of_trials(&[cell], &[Metric::F1], 0.95)[0];
        let grouped = of_clusters(&[0, 20], &singles, &[Metric::F1], 0.95)[0];
        assert_eq!(alone.estimate, Some(18.0 / 23.0));
        assert_eq!(alone.estimate, grouped.estimate);
        let (a, b) = (alone.interval.limits.unwrap(), grouped.interval.limits.unwrap());
        // Single trials of weight two are clusters, so that degrees and shares are the same.
        assert!((a.0 - b.0).abs() < 1e-12 && (a.1 - b.1).abs() < 1e-12);
    }
}
