//! Permutation test of two independent groups: labels shuffled over all units, or within strata.
//!
//! The statistic is the sum of the first group's scores, which is the difference of means where
//! group sizes are fixed. Its null distribution is counted: unit by kinds of equal scores where
//! scores are a lattice, or split by split where there are few; otherwise splits are drawn.

use crate::distributions::binomial_ln_pmf;
use crate::infer::fisher::Alternative;
use crate::plan::named;
use crate::resample::lattice::{self, Part};
use crate::resample::stream::{Stream, combine};
use crate::watch::Watch;

/// How the null distribution is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Counting {
    /// Exactly where that takes well under a second, by random draws otherwise.
    Auto,
    /// Exactly, or not at all.
    Exact,
    /// By random draws.
    MonteCarlo,
}

named!(Counting { Auto => "auto", Exact => "exact", MonteCarlo => "monte-carlo" });

/// What a test depends on besides the data.
#[derive(Clone, Copy, Debug)]
pub struct How<'a> {
    /// Which statistics count as evidence.
    pub alternative: Alternative,
    /// How the null distribution is found.
    pub counting: Counting,
    /// Number of random draws, at least 1.
    pub n_resamples: u32,
    /// Seed of the draws.
    pub seed: u64,
    /// Who looks after the call.
    pub watch: &'a Watch,
}

/// What a test found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Found {
    /// Natural logarithm of the p-value.
    pub ln_p: f64,
    /// How many draws it is from; nothing where it is exact.
    pub n_resamples: Option<u32>,
}

/// Scores of both groups in one stratum, in units.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Stratum {
    /// Scores of the first group.
    pub first: Vec<i64>,
    /// Scores of the second group.
    pub second: Vec<i64>,
}

/// Steps of a count that a test of its own may take, and of one that must be exact.
const AFFORDABLE: f64 = 3e8;
const PATIENT: f64 = 2e10;
/// Numbers that a count may hold at a time.
const ROOM: f64 = 8e6;
/// Splits that may be gone through one by one.
const SPLITS: f64 = 2e6;
/// Below that, a tail is counted again about its threshold, lest it underflow.
const DEEP: f64 = 1e-150;
/// Statistics that differ by less than this share of a unit are equal.
const HALF: f64 = 1e-6;

/// Tests whether groups differ; nothing where no exact count is possible but wanted. Statistics
/// that are nearer than `slack` to the observed one count as equal to it.
///
/// Fisher (1935), "The Design of Experiments"; Pitman (1937), doi:10.2307/2984124.
#[must_use]
pub fn shuffle(mut strata: Vec<Stratum>, slack: i128, how: &How) -> Option<Found> {
    for stratum in &mut strata {
        stratum.first.sort_unstable();
        stratum.second.sort_unstable();
    }
    // A stratum of one group, or of equal scores, can be shuffled in one way only.
    strata.retain(|s| !s.first.is_empty() && !s.second.is_empty() && s.least() < s.most());
    strata.sort_unstable();
    let ends = Ends::new(&strata, slack);
    if how.counting != Counting::MonteCarlo {
        let patience = if how.counting == Counting::Exact { PATIENT } else { AFFORDABLE };
        if let Some(ln_p) = exactly(&strata, slack, &ends, how, patience) {
            return Some(Found { ln_p: ln_p.min(0.0), n_resamples: None });
        }
        if how.counting == Counting::Exact {
            return None;
        }
    }
    Some(drawn(&strata, &ends, how))
}

/// The two-sided test where both groups of each stratum are of one size, as both arms of pairs are.
///
/// The first group's share of a stratum's scores is then symmetric, so that the p-value is twice
/// the upper tail, and strata that hold the same scores are one part of the sum: there may be very
/// many of them.
#[must_use]
pub fn shuffle_halves(strata: Vec<Stratum>, slack: i128, how: &How) -> Option<Found> {
    if slack == 0
        && how.counting != Counting::MonteCarlo
        && let Some(ln_p) = halved(&strata, how.watch)
    {
        return Some(Found { ln_p: ln_p.min(0.0), n_resamples: None });
    }
    shuffle(strata, slack, how)
}

/// Natural logarithm of the two-sided p-value, where it can be counted.
fn halved(strata: &[Stratum], watch: &Watch) -> Option<f64> {
    let sum = |values: &[i64]| values.iter().map(|v| i128::from(*v)).sum::<i128>();
    let difference: i128 = strata.iter().map(|s| sum(&s.first) - sum(&s.second)).sum();
    // Scores above the least one of their stratum, which leaves the difference as it is.
    let mut pooled: Vec<Vec<i64>> = strata
        .iter()
        .filter(|s| !s.first.is_empty() && s.least() < s.most())
        .map(|s| {
            let least = s.least();
            let mut values: Vec<i64> = s.pooled().map(|value| value - least).collect();
            values.sort_unstable();
            values
        })
        .collect();
    pooled.sort_unstable();
    let unit = pooled.iter().flatten().copied().fold(0, greatest_divisor).max(1);
    let kinds: Vec<(Kinds, u64)> = pooled
        .chunk_by(|a, b| a == b)
        .map(|run| {
            let (first, second) = run[0].split_at(run[0].len() / 2);
            let stratum = Stratum { first: first.to_vec(), second: second.to_vec() };
            (Kinds::new(&stratum), run.len() as u64)
        })
        .collect();
    let steps = total_steps(kinds.iter().map(|(one, _)| one), unit, AFFORDABLE);
    let room = kinds.iter().map(|(one, _)| one.room(unit)).fold(0.0, f64::max);
    if steps > AFFORDABLE || room > ROOM {
        return None;
    }
    let parts: Vec<Part> = kinds
        .iter()
        .map(|(one, count)| {
            let weights = one.sums(unit, 0.0, watch).0;
            Part::new((0..).zip(weights).filter(|point| point.1 > 0.0), *count)
        })
        .collect();
    if lattice::steps(&parts) > AFFORDABLE {
        return None;
    }
    let total: i128 = pooled.iter().map(|values| sum(values)).sum();
    let threshold = i128::midpoint(total, difference.abs()) / i128::from(unit);
    let threshold = i64::try_from(threshold).ok()?;
    if difference == 0 {
        return Some(0.0);
    }
    Some(lattice::ln_upper_tail(&parts, threshold, watch) + std::f64::consts::LN_2)
}

/// Natural logarithm of the p-value from a count, where that is affordable.
fn exactly(strata: &[Stratum], slack: i128, ends: &Ends, how: &How, patience: f64) -> Option<f64> {
    if slack == 0 {
        let kinds: Vec<Kinds> = strata.iter().map(Kinds::new).collect();
        let lattice = Lattice::new(kinds, how.watch);
        if lattice.steps(patience) <= patience && lattice.room() <= ROOM {
            return Some(lattice.ln_p(ends, how.alternative));
        }
    }
    let splits: f64 = strata.iter().map(|s| libm::exp(s.ln_splits())).product();
    (splits <= SPLITS).then(|| enumerated(strata, ends, how.alternative))
}

/// Where the statistic counts as evidence: from the upper end on, and up to the lower end.
#[derive(Clone, Copy, Debug)]
struct Ends {
    /// Observed sum.
    observed: i128,
    upper: i128,
    lower: i128,
    slack: i128,
}

impl Ends {
    fn new(strata: &[Stratum], slack: i128) -> Self {
        let sum = |values: &[i64]| values.iter().map(|v| i128::from(*v)).sum::<i128>();
        let observed: i128 = strata.iter().map(|s| sum(&s.first)).sum();
        // The mean is subtracted in whole numbers before anything is divided.
        let excess: f64 = strata
            .iter()
            .map(|s| {
                let (k, n) = (s.first.len() as i128, s.units() as i128);
                let all = sum(&s.first) + sum(&s.second);
                (n * sum(&s.first) - k * all) as f64 / n as f64
            })
            .sum();
        // As far from the mean on the other side.
        let mirrored = -2.0 * excess;
        #[expect(clippy::cast_possible_truncation, reason = "a sum of scores in units")]
        let across = |round: fn(f64) -> f64, half: f64| observed + round(mirrored + half) as i128;
        let (upper, lower) = if excess >= 0.0 {
            (observed, across(libm::floor, HALF))
        } else {
            (across(libm::ceil, -HALF), observed)
        };
        Self { observed, upper, lower, slack }
    }

    /// Whether a sum is evidence.
    fn hold(&self, sum: i128, alternative: Alternative) -> bool {
        match alternative {
            Alternative::TwoSided => {
                sum + self.slack >= self.upper || sum - self.slack <= self.lower
            }
            Alternative::Greater => sum + self.slack >= self.observed,
            Alternative::Less => sum - self.slack <= self.observed,
        }
    }
}

impl Stratum {
    fn units(&self) -> usize {
        self.first.len() + self.second.len()
    }

    fn pooled(&self) -> impl Iterator<Item = i64> {
        self.first.iter().chain(&self.second).copied()
    }

    fn least(&self) -> i64 {
        self.pooled().min().unwrap_or(0)
    }

    fn most(&self) -> i64 {
        self.pooled().max().unwrap_or(0)
    }

    fn ln_splits(&self) -> f64 {
        ln_choose(self.units() as u64, self.first.len() as u64)
    }
}

fn ln_choose(n: u64, k: u64) -> f64 {
    binomial_ln_pmf(k, n, 0.5) + n as f64 * std::f64::consts::LN_2
}

// --- splits, one by one

fn enumerated(strata: &[Stratum], ends: &Ends, alternative: Alternative) -> f64 {
    let mut sums = vec![0_i128];
    for stratum in strata {
        let own = split_sums(stratum);
        sums = sums.iter().flat_map(|sum| own.iter().map(move |more| sum + more)).collect();
    }
    let evidence = sums.iter().filter(|sum| ends.hold(**sum, alternative)).count();
    libm::log(evidence as f64 / sums.len() as f64)
}

/// Sums of all ways to choose the first group's units.
fn split_sums(stratum: &Stratum) -> Vec<i128> {
    let values: Vec<i128> = stratum.pooled().map(i128::from).collect();
    let (n, k) = (values.len(), stratum.first.len());
    let mut chosen: Vec<usize> = (0..k).collect();
    let mut sum: i128 = values[..k].iter().sum();
    let mut sums = vec![sum];
    // The next choice in lexicographic order, until there is none.
    while let Some(place) = (0..k).rev().find(|i| chosen[*i] < n - k + i) {
        let next = chosen[place] + 1;
        for (offset, slot) in chosen[place..].iter_mut().enumerate() {
            sum += values[next + offset] - values[*slot];
            *slot = next + offset;
        }
        sums.push(sum);
    }
    sums
}

// --- splits, by kinds of equal scores

/// Units of a stratum by their scores above the least, and how many are chosen: the smaller
/// group, whose sum is the statistic or its mirror image.
struct Kinds {
    /// Scores above the least one in ascending order, with their numbers of units.
    counts: Vec<(i64, u64)>,
    least: i64,
    chosen: u64,
    units: u64,
    total: i128,
    mirrored: bool,
}

impl Kinds {
    fn new(stratum: &Stratum) -> Self {
        let mut pooled: Vec<i64> = stratum.pooled().collect();
        pooled.sort_unstable();
        let least = stratum.least();
        let counts =
            pooled.chunk_by(|a, b| a == b).map(|run| (run[0] - least, run.len() as u64)).collect();
        let (first, second) = (stratum.first.len() as u64, stratum.second.len() as u64);
        Self {
            counts,
            least,
            chosen: first.min(second),
            units: first + second,
            total: pooled.iter().map(|v| i128::from(*v)).sum(),
            mirrored: second < first,
        }
    }

    fn span(&self) -> i64 {
        self.counts.last().map_or(0, |kind| kind.0)
    }

    /// Log-odds of being chosen, before the tilt, at which the expected number is right.
    fn base(&self, tilt: f64) -> f64 {
        // Without a tilt all units are alike.
        if tilt.abs() <= 0.0 {
            return libm::log(self.chosen as f64 / (self.units - self.chosen) as f64);
        }
        let expected = |base: f64| -> f64 {
            self.counts.iter().map(|(v, m)| *m as f64 * logistic(base + tilt * *v as f64)).sum()
        };
        let reach = 40.0 + tilt.abs() * self.span() as f64 + libm::log(self.units as f64);
        let (mut low, mut high) = (-reach, reach);
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            let less = expected(middle) < self.chosen as f64;
            (low, high) = if less { (middle, high) } else { (low, middle) };
        }
        f64::midpoint(low, high)
    }

    /// Mean of the sum of what is chosen, by tilt.
    fn mean(&self, tilt: f64) -> f64 {
        let base = self.base(tilt);
        let one = |(v, m): &(i64, u64)| *m as f64 * *v as f64 * logistic(base + tilt * *v as f64);
        self.counts.iter().map(one).sum()
    }

    /// Weights of the sums of what is chosen, in steps of `unit`, and the logarithm of what a
    /// weight, tilted back, has to be multiplied with to be a probability.
    fn sums(&self, unit: i64, tilt: f64, watch: &Watch) -> (Vec<f64>, f64) {
        let base = self.base(tilt);
        let bands = Bands::new(self, unit);
        let rows = bands.rows;
        // Each row from the least sum that it can hold.
        let mut table: Vec<Vec<f64>> =
            (0..=rows).map(|row| vec![0.0; bands.length(bands.units, row)]).collect();
        table[0][0] = 1.0;
        let mut ln_scale = -ln_choose(self.units, self.chosen) - base * self.chosen as f64;
        let mut placed = 0_usize;
        for (value, count) in &self.counts {
            let odds = base + tilt * *value as f64;
            ln_scale += *count as f64 * ln_one_plus_exp(odds);
            let step = u128::from((value / unit).unsigned_abs());
            let most = usize::try_from(*count).unwrap_or(rows).min(rows);
            let share = logistic(odds);
            let chances: Vec<f64> =
                (0..=most).map(|c| libm::exp(binomial_ln_pmf(c as u64, *count, share))).collect();
            let before = placed;
            placed += usize::try_from(*count).unwrap_or(0);
            for row in bands.needed(placed).rev() {
                watch.look();
                let (smaller, own) = table.split_at_mut(row);
                let into = &mut own[0];
                for slot in &mut into[..bands.length(before, row)] {
                    *slot *= chances[0];
                }
                for (c, chance) in chances.iter().enumerate().skip(1).take(row) {
                    let from = &smaller[row - c][..bands.length(before, row - c)];
                    // As many as are chosen now are no less than those that the least sum has.
                    let shift = bands.least[row - c] + c as u128 * step - bands.least[row];
                    let shift = usize::try_from(shift).unwrap_or(usize::MAX);
                    let into = into.get_mut(shift..).unwrap_or_default();
                    for (slot, weight) in into.iter_mut().zip(from) {
                        *slot += weight * chance;
                    }
                }
            }
        }
        let mut sums = vec![0.0; usize::try_from(bands.least[rows]).unwrap_or(0)];
        sums.append(&mut table[rows]);
        (sums, ln_scale)
    }

    /// Steps of that count; more than `most` once they are.
    fn steps(&self, unit: i64, most: f64) -> f64 {
        let bands = Bands::new(self, unit);
        let (mut steps, mut placed) = (0.0, 0);
        for (_, count) in &self.counts {
            let before = placed;
            placed += usize::try_from(*count).unwrap_or(0);
            for row in bands.needed(placed) {
                let least = row.saturating_sub(placed - before);
                // Bands grow and shrink evenly: those at both ends say how long they are.
                let ends = bands.length(before, least) + bands.length(before, row);
                steps += (row - least + 1) as f64 * (ends as f64 / 2.0 + 1.0);
                if steps > most {
                    return steps;
                }
            }
        }
        steps
    }

    /// Numbers that a count holds at a time.
    fn room(&self, unit: i64) -> f64 {
        let bands = Bands::new(self, unit);
        (0..=bands.rows).map(|row| bands.length(bands.units, row) as f64).sum()
    }
}

/// Which sums so many chosen units can have, of the first so many units in ascending order.
struct Bands {
    /// Units chosen in the end, and all units.
    rows: usize,
    units: usize,
    /// The least sum of so many units, up to all of them.
    least: Vec<u128>,
}

impl Bands {
    fn new(kinds: &Kinds, unit: i64) -> Self {
        let (mut least, mut sum) = (vec![0], 0);
        for (value, count) in &kinds.counts {
            let step = u128::from((value / unit).unsigned_abs());
            for _ in 0..*count {
                sum += step;
                least.push(sum);
            }
        }
        let rows = usize::try_from(kinds.chosen).unwrap_or(0);
        Self { rows, units: least.len() - 1, least }
    }

    /// Rows that `placed` units can fill, and that those which are left can fill up.
    fn needed(&self, placed: usize) -> std::ops::RangeInclusive<usize> {
        self.rows.saturating_sub(self.units - placed)..=self.rows.min(placed)
    }

    /// How many sums there may be of `row` out of the first `placed` units.
    fn length(&self, placed: usize, row: usize) -> usize {
        let Some(others) = placed.checked_sub(row) else { return 0 };
        let most = self.least[placed] - self.least[others];
        usize::try_from(most - self.least[row] + 1).unwrap_or(usize::MAX)
    }
}

/// Steps of counts one after the other; more than `most` once they are.
fn total_steps<'a>(kinds: impl Iterator<Item = &'a Kinds>, unit: i64, most: f64) -> f64 {
    let mut steps = 0.0;
    for one in kinds {
        steps += one.steps(unit, most - steps);
        if steps > most {
            break;
        }
    }
    steps
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

fn ln_one_plus_exp(x: f64) -> f64 {
    if x > 0.0 { x + libm::log1p(libm::exp(-x)) } else { libm::log1p(libm::exp(x)) }
}

/// Strata whose scores are all multiples of a unit above their least ones.
struct Lattice<'a> {
    strata: Vec<Kinds>,
    unit: i64,
    /// The sum of what is chosen, or of its mirror images, is this and a multiple of the unit.
    base: i128,
    watch: &'a Watch,
}

impl<'a> Lattice<'a> {
    fn new(mut strata: Vec<Kinds>, watch: &'a Watch) -> Self {
        let values = strata.iter().flat_map(|s| &s.counts).map(|kind| kind.0);
        let unit = values.fold(0, greatest_divisor).max(1);
        // Mirrored strata count downwards: their values are turned, so that all count upwards.
        for kinds in &mut strata {
            if kinds.mirrored {
                let span = kinds.span();
                kinds.counts = kinds.counts.iter().rev().map(|(v, m)| (span - v, *m)).collect();
            }
        }
        let base = strata
            .iter()
            .map(|s| {
                let least = i128::from(s.least) * i128::from(s.chosen);
                let span = i128::from(s.span()) * i128::from(s.chosen);
                if s.mirrored { s.total - least - span } else { least }
            })
            .sum();
        Self { strata, unit, base, watch }
    }

    /// More than `most` once they are.
    fn steps(&self, most: f64) -> f64 {
        let own = total_steps(self.strata.iter(), self.unit, most);
        let (mut length, mut joined) = (1.0, 0.0);
        for s in &self.strata {
            let more = s.chosen as f64 * (s.span() / self.unit) as f64 + 1.0;
            joined += length * more;
            length += more;
        }
        own + joined
    }

    fn room(&self) -> f64 {
        self.strata.iter().map(|s| s.room(self.unit)).fold(0.0, f64::max)
    }

    fn ln_p(&self, ends: &Ends, alternative: Alternative) -> f64 {
        if self.strata.is_empty() {
            return 0.0;
        }
        let (sums, _) = self.sums(0.0);
        let total: f64 = sums.iter().sum();
        let place = |end: i128| (end - self.base).div_euclid(i128::from(self.unit));
        let at = |place: i128| usize::try_from(place.max(0)).unwrap_or(0).min(sums.len());
        // The first place from the upper end on, the last up to the lower one.
        let from_upper = |end: i128| {
            let start = place(end + i128::from(self.unit) - 1);
            let tail: f64 = sums[at(start)..].iter().sum::<f64>() / total;
            if tail > DEEP || at(start) >= sums.len() {
                return libm::log(tail);
            }
            self.ln_tail(start, true)
        };
        let from_lower = |end: i128| {
            let start = place(end);
            let tail: f64 = sums[..at(start + 1)].iter().sum::<f64>() / total;
            if tail > DEEP || start < 0 {
                return libm::log(tail);
            }
            self.ln_tail(start, false)
        };
        match alternative {
            Alternative::Greater => from_upper(ends.observed),
            Alternative::Less => from_lower(ends.observed),
            Alternative::TwoSided if ends.upper <= ends.lower => 0.0,
            Alternative::TwoSided => ln_sum(from_upper(ends.upper), from_lower(ends.lower)),
        }
    }

    /// Weights of the sum over all strata, and the logarithm of their scale.
    fn sums(&self, tilt: f64) -> (Vec<f64>, f64) {
        let (mut sums, mut ln_scale) = (vec![1.0], 0.0);
        for kinds in &self.strata {
            let (own, ln_own) = kinds.sums(self.unit, tilt, self.watch);
            ln_scale += ln_own;
            let mut joined = vec![0.0; sums.len() + own.len() - 1];
            for (shift, a) in sums.iter().enumerate().filter(|(_, a)| **a > 0.0) {
                self.watch.look();
                for (slot, b) in joined[shift..].iter_mut().zip(&own) {
                    *slot += a * b;
                }
            }
            sums = joined;
        }
        (sums, ln_scale)
    }

    /// A tail far out, from the sums tilted to have their mean at its threshold.
    fn ln_tail(&self, start: i128, upper: bool) -> f64 {
        let target = start as f64 * self.unit as f64;
        let mean = |tilt: f64| self.strata.iter().map(|s| s.mean(tilt)).sum::<f64>();
        let span = self.strata.iter().map(Kinds::span).max().unwrap_or(1).max(1) as f64;
        let (mut low, mut high) =
            if upper { (0.0, 60.0 / self.unit as f64) } else { (-60.0 / self.unit as f64, 0.0) };
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            let less = mean(middle) < target;
            (low, high) = if less { (middle, high) } else { (low, middle) };
            if high - low < 1e-6 / span {
                break;
            }
        }
        let tilt = f64::midpoint(low, high);
        let (sums, ln_scale) = self.sums(tilt);
        let start_place = usize::try_from(start.max(0)).unwrap_or(0);
        let weight = |place: usize, w: &f64| {
            let steps = (place as f64 - start_place as f64) * self.unit as f64;
            w * libm::exp(-tilt * steps)
        };
        let beyond: f64 = if upper {
            (start_place..)
                .zip(&sums[start_place.min(sums.len())..])
                .map(|(i, w)| weight(i, w))
                .sum()
        } else {
            let last = (start_place + 1).min(sums.len());
            (0..last).zip(&sums[..last]).rev().map(|(i, w)| weight(i, w)).sum()
        };
        libm::log(beyond) + ln_scale - tilt * target
    }
}

fn ln_sum(a: f64, b: f64) -> f64 {
    let (larger, smaller) = (a.max(b), a.min(b));
    if smaller.is_finite() { larger + libm::log1p(libm::exp(smaller - larger)) } else { larger }
}

fn greatest_divisor(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

// --- splits, drawn

fn drawn(strata: &[Stratum], ends: &Ends, how: &How) -> Found {
    let key = strata.iter().fold(0, |key, s| {
        let sizes = [s.first.len() as u64, s.second.len() as u64];
        let scores = s.pooled().map(i64::cast_unsigned);
        sizes.into_iter().chain(scores).fold(key, combine)
    });
    let pooled: Vec<Vec<i64>> = strata.iter().map(|s| s.pooled().collect()).collect();
    let first: Vec<usize> = strata.iter().map(|s| s.first.len()).collect();
    let all: i128 = strata
        .iter()
        .filter(|s| s.second.len() < s.first.len())
        .flat_map(Stratum::pooled)
        .map(i128::from)
        .sum();
    let evidence = how.watch.draws(
        how.n_resamples,
        || (pooled.clone(), Vec::new()),
        |(pooled, swaps), replicate| {
            let mut stream = Stream::new(how.seed, key, u64::from(replicate));
            let mut sum = all;
            for (k, values) in first.iter().zip(pooled) {
                sum += one_split(*k, values, swaps, &mut stream);
            }
            ends.hold(sum, how.alternative)
        },
    );
    let evidence = evidence.into_iter().filter(|holds| *holds).count();
    let p = (evidence + 1) as f64 / (u64::from(how.n_resamples) + 1) as f64;
    Found { ln_p: libm::log(p), n_resamples: Some(how.n_resamples) }
}

/// The sum of a random first group of `k`, or less the sum of the second, if that is smaller;
/// `values` are put back as they were, so that a draw depends on its own stream alone.
fn one_split(k: usize, values: &mut [i64], swaps: &mut Vec<usize>, stream: &mut Stream) -> i128 {
    let n = values.len();
    let smaller = k.min(n - k);
    let mut sum = 0;
    swaps.clear();
    for i in 0..smaller {
        let left = u32::try_from(n - i).unwrap_or(u32::MAX);
        let other = i + stream.below(left) as usize;
        values.swap(i, other);
        swaps.push(other);
        sum += i128::from(values[i]);
    }
    for (i, other) in swaps.iter().enumerate().rev() {
        values.swap(i, *other);
    }
    if n - k < k { -sum } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn how(alternative: Alternative, counting: Counting) -> How<'static> {
        How { alternative, counting, n_resamples: 9999, seed: 0, watch: Watch::nobody() }
    }

    fn p(first: &[i64], second: &[i64], how: &How) -> f64 {
        let stratum = Stratum { first: first.to_vec(), second: second.to_vec() };
        libm::exp(shuffle(vec![stratum], 0, how).unwrap().ln_p)
    }

    #[test]
    fn six_splits_by_hand() {
        let exact = how(Alternative::TwoSided, Counting::Exact);
        assert!((p(&[2, 4], &[1, 3], &exact) - 4.0 / 6.0).abs() < 1e-15);
        assert!((p(&[3, 4], &[1, 2], &exact) - 2.0 / 6.0).abs() < 1e-15);
        let greater = how(Alternative::Greater, Counting::Exact);
        assert!((p(&[2, 4], &[1, 3], &greater) - 2.0 / 6.0).abs() < 1e-15);
        assert!((p(&[7, 7], &[7, 7, 7], &exact) - 1.0).abs() < 1e-15);
        assert!((p(&[], &[1, 2], &exact) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn both_counts_agree() {
        let first = vec![3, -1, 4, 1, 5, -9, 2];
        let second = vec![6, 5, 3, 5, 8, 9, 7, 9, 3];
        for (a, b) in [(&first, &second), (&second, &first)] {
            let stratum = Stratum { first: a.clone(), second: b.clone() };
            let other = Stratum { first: vec![1, 0], second: vec![4, 4, 2, 10] };
            for strata in [vec![stratum.clone()], vec![stratum, other]] {
                let ends = Ends::new(&strata, 0);
                let lattice =
                    Lattice::new(strata.iter().map(Kinds::new).collect(), Watch::nobody());
                for side in [Alternative::TwoSided, Alternative::Less, Alternative::Greater] {
                    let counted = lattice.ln_p(&ends, side);
                    let listed = enumerated(&strata, &ends, side);
                    assert!((counted - listed).abs() < 1e-12, "{side:?} {counted} {listed}");
                    let drawn = drawn(&strata, &ends, &how(side, Counting::MonteCarlo));
                    assert!((libm::exp(drawn.ln_p) - libm::exp(listed)).abs() < 0.02);
                }
            }
        }
    }

    #[test]
    fn depths_are_kept() {
        // All of 300 ones on one side, and one zero too many: counted by hand.
        let (ones, zeros) = (vec![1; 300], vec![0; 300]);
        let exact = how(Alternative::Greater, Counting::Exact);
        let stratum = Stratum { first: ones.clone(), second: zeros.clone() };
        let found = shuffle(vec![stratum], 0, &exact).unwrap().ln_p;
        assert!((found + ln_choose(600, 300)).abs() < 1e-10);
        let (mut first, mut second) = (ones, zeros);
        first[0] = 0;
        second[0] = 1;
        let found = shuffle(vec![Stratum { first, second }], 0, &exact).unwrap().ln_p;
        let ways = libm::log(1.0 + 300.0 * 300.0);
        assert!((found - ways + ln_choose(600, 300)).abs() < 1e-10, "{found}");
    }

    #[test]
    fn what_cannot_be_counted_is_drawn() {
        let first: Vec<i64> = (0..400).map(|i| i * i % 100_003).collect();
        let second: Vec<i64> = (0..300).map(|i| i * i * 7 % 100_003 + 5_000).collect();
        let stratum = || vec![Stratum { first: first.clone(), second: second.clone() }];
        let found = shuffle(stratum(), 0, &how(Alternative::TwoSided, Counting::Auto)).unwrap();
        assert_eq!(found.n_resamples, Some(9999));
    }
}
