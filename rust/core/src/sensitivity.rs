//! How far an effect hangs on the rule that scores the trials.
//!
//! Two rules score the same trials. The effect of a treatment against a baseline is found by
//! each, and their difference is the shift. It is what the rules disagree on that makes it, so
//! that its interval is made from the disagreements alone: where the rules agree, nothing adds to
//! its width however much the outcomes vary.

use rayon::prelude::*;

use crate::infer::PValue;
use crate::infer::fisher::{self, Alternative};
use crate::intervals::Quantiles;
use crate::plan::{Interval, NO_TRIALS, NO_TRIALS_OF, ONE_CLUSTER, ONE_TRIAL, no_trials, tail};
use crate::rate::cells;

/// Trials by what two rules say of them: first index the first rule, second index the second,
/// each a miss (0), a hit (1) or nothing at all (2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Verdicts(pub [[u64; 3]; 3]);

const MISS: usize = 0;
const HIT: usize = 1;
const UNREAD: usize = 2;

impl Verdicts {
    /// Trials of which at least one rule says something.
    #[must_use]
    pub fn read(&self) -> u64 {
        self.0.as_flattened().iter().sum::<u64>() - self.unread()
    }

    /// Trials of which neither rule says anything.
    #[must_use]
    pub fn unread(&self) -> u64 {
        self.0[UNREAD][UNREAD]
    }

    /// Trials that are a hit by the first rule and a miss by the second.
    #[must_use]
    pub fn first_only(&self) -> u64 {
        self.0[HIT][MISS]
    }

    /// Trials that are a hit by the second rule and a miss by the first.
    #[must_use]
    pub fn second_only(&self) -> u64 {
        self.0[MISS][HIT]
    }

    /// Trials of which the first rule alone says nothing.
    #[must_use]
    pub fn first_missing(&self) -> u64 {
        self.0[UNREAD][MISS] + self.0[UNREAD][HIT]
    }

    /// Trials of which the second rule alone says nothing.
    #[must_use]
    pub fn second_missing(&self) -> u64 {
        self.0[MISS][UNREAD] + self.0[HIT][UNREAD]
    }

    /// Trials on which the rules disagree, saying nothing included.
    #[must_use]
    pub fn disagree(&self) -> u64 {
        self.first_only() + self.second_only() + self.first_missing() + self.second_missing()
    }

    /// Hits and trials by the first rule.
    fn first(&self) -> (u64, u64) {
        let hits = self.0[HIT].iter().sum();
        (hits, hits + self.0[MISS].iter().sum::<u64>())
    }

    /// Hits and trials by the second rule.
    fn second(&self) -> (u64, u64) {
        let column = |verdict: usize| self.0.iter().map(|row| row[verdict]).sum::<u64>();
        (column(HIT), column(HIT) + column(MISS))
    }

    fn add(&mut self, other: &Self) {
        for (sum, count) in self.0.as_flattened_mut().iter_mut().zip(other.0.as_flattened()) {
            *sum += count;
        }
    }
}

/// The trials of two arms, in a cell or in one of its clusters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Arms {
    /// Trials of the treatment.
    pub treatment: Verdicts,
    /// Trials of the baseline.
    pub baseline: Verdicts,
}

/// How an effect shifts from one rule to another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sensitivity {
    /// Counts over the whole cell.
    pub total: Arms,
    /// Clusters with a trial of which a rule says something, where there are clusters.
    pub clusters: Option<u64>,
    /// Exact two-sided Fisher test of disagreement against arm; nothing if an arm is empty.
    pub fisher_p: Option<PValue>,
    /// Treatment minus baseline by the first rule and by the second.
    pub differences: (Option<f64>, Option<f64>),
    /// The second of these minus the first.
    pub shift: Option<f64>,
    /// Interval of the shift.
    pub interval: Interval,
}

/// Sensitivity of cells of independent trials.
#[must_use]
pub fn of_trials(all: &[Arms], confidence_level: f64) -> Vec<Sensitivity> {
    let quantiles = Quantiles::new(tail(confidence_level));
    all.par_iter()
        .with_min_len(16)
        .map_with(quantiles, |quantiles, cell| finish(*cell, &singles(cell), true, quantiles))
        .collect()
}

/// Sensitivity of cells of clusters; `offsets` holds the bounds of each cell in `clusters`.
#[must_use]
pub fn of_clusters(
    offsets: &[usize],
    clusters: &[Arms],
    confidence_level: f64,
) -> Vec<Sensitivity> {
    let quantiles = Quantiles::new(tail(confidence_level));
    let slices: Vec<&[Arms]> = cells(offsets, clusters).collect();
    slices
        .into_par_iter()
        .map_with(quantiles, |quantiles, cell| {
            let mut total = Arms::default();
            for cluster in cell {
                total.treatment.add(&cluster.treatment);
                total.baseline.add(&cluster.baseline);
            }
            let mut units: Vec<(Arms, u64)> = cell.iter().map(|cluster| (*cluster, 1)).collect();
            // The sums over clusters are of floats: in one order, whatever the order of rows.
            units.sort_unstable();
            finish(total, &units, false, quantiles)
        })
        .collect()
}

/// Each trial as a cluster of its own; equal ones counted.
fn singles(cell: &Arms) -> Vec<(Arms, u64)> {
    let mut units = Vec::new();
    for first in [MISS, HIT, UNREAD] {
        for second in [MISS, HIT, UNREAD] {
            let mut one = Verdicts::default();
            one.0[first][second] = 1;
            let none = Verdicts::default();
            let (treated, untreated) =
                (cell.treatment.0[first][second], cell.baseline.0[first][second]);
            units.push((Arms { treatment: one, baseline: none }, treated));
            units.push((Arms { treatment: none, baseline: one }, untreated));
        }
    }
    units
}

fn finish(
    total: Arms,
    units: &[(Arms, u64)],
    independent: bool,
    quantiles: &mut Quantiles,
) -> Sensitivity {
    let (treatment, baseline) = (total.treatment, total.baseline);
    let difference =
        |rule: fn(&Verdicts) -> (u64, u64)| Some(rate(rule(&treatment))? - rate(rule(&baseline))?);
    let differences = (difference(Verdicts::first), difference(Verdicts::second));
    let shift = differences.0.zip(differences.1).map(|(first, second)| second - first);
    let (in_treatment, in_baseline) = (treatment.read(), baseline.read());
    let table = [
        [treatment.disagree(), in_treatment - treatment.disagree()],
        [baseline.disagree(), in_baseline - baseline.disagree()],
    ];
    let count = |some: fn(&Arms) -> bool| -> u64 {
        units.iter().filter(|(unit, _)| some(unit)).map(|(_, times)| times).sum()
    };
    let each = (count(|unit| unit.treatment.read() > 0), count(|unit| unit.baseline.read() > 0));
    let either = count(|unit| unit.treatment.read() + unit.baseline.read() > 0);
    let interval = match shift {
        None => {
            let read = [&treatment, &baseline].map(|arm| arm.first().1.min(arm.second().1));
            Interval::missing("none", no_trials(read, NO_TRIALS_OF).unwrap_or(NO_TRIALS))
        }
        Some(_) if each.0.min(each.1) < 2 => {
            Interval::missing("none", if independent { ONE_TRIAL } else { ONE_CLUSTER })
        }
        Some(shift) => {
            let fewer = effective(units, |unit| &unit.treatment)
                .min(effective(units, |unit| &unit.baseline));
            let half = quantiles.student((each.0.min(each.1) - 1) as f64)
                * spread(&total, units, each, fewer);
            let limits = ((shift - half).max(-2.0), (shift + half).min(2.0));
            Interval::closed_form(limits, "adjusted-t")
        }
    };
    Sensitivity {
        total,
        clusters: (!independent).then_some(either),
        fisher_p: (in_treatment > 0 && in_baseline > 0)
            .then(|| PValue::of_ln(fisher::ln_p_value(table, Alternative::TwoSided))),
        differences,
        shift,
        interval,
    }
}

fn rate((hits, trials): (u64, u64)) -> Option<f64> {
    (trials > 0).then(|| hits as f64 / trials as f64)
}

/// As how many clusters of one size those of an arm count: Kish (1965), Survey Sampling, 8.2.
fn effective(units: &[(Arms, u64)], arm: fn(&Arms) -> &Verdicts) -> f64 {
    let (mut sum, mut squares) = (0_u128, 0_u128);
    for (unit, times) in units {
        let (size, times) = (u128::from(arm(unit).read()), u128::from(*times));
        sum += times * size;
        squares += times * size * size;
    }
    sum as f64 * sum as f64 / squares as f64
}

/// Standard error of the shift: from clusters as units, adjusted for what has not been seen.
///
/// A cluster moves the shift by what it adds to either rate beyond its share. The sum of squares
/// (CR1, each arm by its own number of clusters) is nothing where no disagreement was seen, and
/// too small where few were. Bonett and Price (2012), doi:10.3102/1076998611411915, add to paired
/// proportions one pair that disagrees each way; here it is one cluster each way, to the arm that
/// has `fewer`.
fn spread(total: &Arms, units: &[(Arms, u64)], each: (u64, u64), fewer: f64) -> f64 {
    let treatment = Influence::new(&total.treatment, each.0);
    let baseline = Influence::new(&total.baseline, each.1);
    let seen: f64 = units
        .iter()
        .map(|(unit, times)| {
            let moved = treatment.of(&unit.treatment) - baseline.of(&unit.baseline);
            *times as f64 * moved * moved
        })
        .sum();
    libm::sqrt(seen + 2.0 / ((fewer + 2.0) * (fewer + 2.0)))
}

/// What one cluster adds to the difference of the two rules' rates in an arm.
struct Influence {
    first: (f64, f64),
    second: (f64, f64),
    scale: f64,
}

impl Influence {
    fn new(arm: &Verdicts, clusters: u64) -> Self {
        let (first, second) = (arm.first(), arm.second());
        let share = |rule: (u64, u64)| (rate(rule).unwrap_or(0.0), rule.1 as f64);
        let clusters = clusters as f64;
        Self {
            first: share(first),
            second: share(second),
            scale: libm::sqrt(clusters / (clusters - 1.0)),
        }
    }

    fn of(&self, cluster: &Verdicts) -> f64 {
        let part = |(rate, all): (f64, f64), (hits, trials): (u64, u64)| {
            (hits as f64 - rate * trials as f64) / all
        };
        self.scale * (part(self.second, cluster.second()) - part(self.first, cluster.first()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(both: u64, first_only: u64, second_only: u64, neither: u64) -> Verdicts {
        Verdicts([[neither, second_only, 0], [first_only, both, 0], [0, 0, 0]])
    }

    #[test]
    fn trials_are_clusters_of_one() {
        let cell = Arms { treatment: verdicts(3, 2, 1, 4), baseline: verdicts(1, 0, 1, 6) };
        let units: Vec<Arms> = singles(&cell)
            .into_iter()
            .flat_map(|(unit, times)| (0..times).map(move |_| unit))
            .collect();
        let (alone, grouped) =
            (of_trials(&[cell], 0.95)[0], of_clusters(&[0, units.len()], &units, 0.95)[0]);
        assert_eq!(alone.total, grouped.total);
        assert_eq!((alone.clusters, grouped.clusters), (None, Some(18)));
        let (a, b) = (alone.interval.limits.unwrap(), grouped.interval.limits.unwrap());
        assert!((a.0 - b.0).abs() < 1e-15 && (a.1 - b.1).abs() < 1e-15);
    }

    #[test]
    fn shift_is_the_difference_of_differences() {
        let cell = Arms { treatment: verdicts(3, 2, 1, 4), baseline: verdicts(1, 0, 1, 6) };
        let found = of_trials(&[cell], 0.95)[0];
        // 0.5 - 0.125 and 0.4 - 0.25.
        assert!((found.differences.0.unwrap() - 0.375).abs() < 1e-15);
        assert!((found.differences.1.unwrap() - 0.15).abs() < 1e-15);
        assert!((found.shift.unwrap() + 0.225).abs() < 1e-15);
    }

    #[test]
    fn agreement_leaves_a_little_doubt() {
        let cell = Arms { treatment: verdicts(48, 0, 0, 48), baseline: verdicts(10, 0, 0, 86) };
        let found = of_trials(&[cell], 0.95)[0];
        let (low, high) = found.interval.limits.unwrap();
        assert!((low + high).abs() < 1e-15 && (0.025..0.035).contains(&high));
        assert!((found.fisher_p.unwrap().p - 1.0).abs() < 1e-15);
    }

    #[test]
    fn nothing_read_has_no_shift() {
        let unread = Verdicts([[0, 0, 3], [0, 0, 2], [0, 0, 5]]);
        let cell = Arms { treatment: unread, baseline: verdicts(1, 1, 1, 1) };
        let found = of_trials(&[cell], 0.95)[0];
        assert_eq!((found.differences.1, found.shift), (None, None));
        assert_eq!(found.interval.reason, Some(NO_TRIALS_OF[0]));
        assert_eq!((unread.read(), unread.disagree(), unread.unread()), (5, 5, 5));
    }
}
