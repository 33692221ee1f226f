//! Repeats of the same items: whether any of k succeeds, whether all do, how items and repeats
//! vary, and whether effects differ between items more than repeats alone would have it.

use crate::distributions::{beta_quantile, binomial_ln_pmf};
use crate::intervals::{Quantiles, Spread, Worth, around, wilson};
use crate::mean::{bounds, cells_of_clusters, sorted, sum};
use crate::plan::{Interval, NO_TRIALS, ONE_CLUSTER, TOO_LARGE};
use crate::rate::cells;
use crate::resample::stream::{Stream, combine};
use crate::watch::Watch;

/// An item that was tried several times.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Item {
    /// What it shares with other items; equal where items are of one cluster.
    pub cluster: u64,
    /// Trials with an outcome.
    pub trials: u64,
    /// Successes among them.
    pub successes: u64,
}

/// Chance that at least one of `k` of the item's trials, drawn without replacement, succeeds:
/// the unbiased estimate of pass@k. Nothing with fewer than `k` trials.
///
/// Chen et al. (2021), arXiv:2107.03374, 1 - C(n - c, k) / C(n, k), here as a product of the
/// shorter of its two forms, in logarithms, so that neither overflows nor cancels.
#[must_use]
pub fn pass_at_k(trials: u64, successes: u64, k: u64) -> Option<f64> {
    if k > trials || successes > trials {
        return None;
    }
    let (shorter, longer) = (k.min(successes), k.max(successes));
    if shorter + longer > trials {
        return Some(if k == 0 { 0.0 } else { 1.0 });
    }
    // One to the last bit from here on.
    Some(0.0 - libm::expm1(ln_product(trials, shorter, longer, -45.0)))
}

/// Chance that all of `k` of the item's trials succeed: the unbiased estimate of pass^k.
///
/// Yao et al. (2024), arXiv:2406.12045, C(c, k) / C(n, k).
#[must_use]
pub fn pass_hat_k(trials: u64, successes: u64, k: u64) -> Option<f64> {
    if k > trials || successes > trials {
        return None;
    }
    let failures = trials - successes;
    let (shorter, longer) = (k.min(failures), k.max(failures));
    if shorter + longer > trials {
        return Some(0.0);
    }
    // Below the smallest double from here on.
    Some(libm::exp(ln_product(trials, shorter, longer, -750.0)))
}

/// Logarithm of the product over `terms` i of 1 - `part` / (n - i), until it is below `enough`.
fn ln_product(n: u64, terms: u64, part: u64, enough: f64) -> f64 {
    let mut sum = 0.0;
    for i in 0..terms {
        sum += libm::log1p(-(part as f64) / (n - i) as f64);
        if sum < enough {
            break;
        }
    }
    sum
}

/// Whether any or all of the trials have to succeed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pass {
    /// At least one: pass@k.
    Any,
    /// Every one: pass^k.
    All,
}

impl Pass {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Any, Self::All];

    /// The name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "pass@k",
            Self::All => "pass^k",
        }
    }

    fn of(self, item: &Item, k: u64) -> Option<f64> {
        match self {
            Self::Any => pass_at_k(item.trials, item.successes, k),
            Self::All => pass_hat_k(item.trials, item.successes, k),
        }
    }
}

/// A mean of chances over items.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Passed {
    /// Which chance.
    pub pass: Pass,
    /// Of how many trials.
    pub k: u64,
    /// Trials with an outcome.
    pub trials: u64,
    /// Items with as many as `k` of them.
    pub items: u64,
    /// Items with fewer.
    pub short: u64,
    /// Clusters of the former, where there are clusters.
    pub clusters: Option<u64>,
    /// The mean.
    pub estimate: Option<f64>,
    /// Its interval.
    pub interval: Interval,
}

/// Reason of a cell in which no item has enough trials.
pub const TOO_FEW: &str = "k is more than the trials of any item";
/// Reason of a cell whose single item says nothing about how items differ.
pub const ONE_ITEM: &str = "one item";

/// Means over the items of each cell, one for each `k` and chance; `offsets` holds the bounds of
/// each cell in `items`. Items without clusters of their own are clusters.
#[must_use]
pub fn passed(
    offsets: &[usize],
    items: &[Item],
    ks: &[u64],
    clustered: bool,
    tail: f64,
    watch: &Watch,
) -> Vec<Passed> {
    let slices = cells(offsets, items).collect();
    let passed = watch.cells(slices, Quantiles::new(tail), |quantiles, cell| {
        let mut cell = cell.to_vec();
        cell.sort_unstable();
        let each = ks.iter().flat_map(|k| Pass::BOTH.map(|pass| (pass, *k)));
        each.map(|(pass, k)| mean(&cell, pass, k, clustered, quantiles)).collect::<Vec<_>>()
    });
    passed.concat()
}

/// Chances in whole steps, so that sums over clusters do not depend on the order of items.
const STEPS: f64 = (1_u64 << 40) as f64;

/// From items sorted by cluster.
fn mean(cell: &[Item], pass: Pass, k: u64, clustered: bool, quantiles: &mut Quantiles) -> Passed {
    let (mut clusters, mut chances, mut short) = (Vec::new(), Vec::new(), 0);
    let mut last = None;
    for item in cell {
        let Some(chance) = pass.of(item, k) else {
            short += 1;
            continue;
        };
        chances.push(chance);
        if !clustered || last != Some(item.cluster) {
            clusters.push((0, 0));
            last = Some(item.cluster);
        }
        if let Some((sum, items)) = clusters.last_mut() {
            #[expect(clippy::cast_possible_truncation)]
            let steps = libm::round(chance * STEPS) as i64;
            *sum += steps;
            *items += 1;
        }
    }
    let items: u64 = clusters.iter().map(|cluster: &(i64, u64)| cluster.1).sum();
    let total: i128 = clusters.iter().map(|cluster| i128::from(cluster.0)).sum();
    chances.sort_unstable_by(f64::total_cmp);
    let estimate = (items > 0).then(|| chances.iter().sum::<f64>() / items as f64);
    let interval = match (estimate, clusters.len()) {
        (None, _) if cell.iter().all(|item| item.trials == 0) => {
            Interval::missing("none", NO_TRIALS)
        }
        (None, _) => Interval::missing("none", TOO_FEW),
        (Some(_), 1) => Interval::missing("none", if clustered { ONE_CLUSTER } else { ONE_ITEM }),
        (Some(p), _) => {
            let worth = worth(&clusters, (total, items), p);
            let size = quantiles.shrunk(worth);
            Interval::closed_form(wilson(p, size, quantiles.normal()), "wilson-effective")
        }
    };
    let trials = cell.iter().map(|item| item.trials).sum();
    let clusters = clustered.then_some(clusters.len() as u64);
    Passed { pass, k, trials, items, short, clusters, estimate, interval }
}

/// How many independent items these are worth, where each counts as a rate would: a chance
/// spreads no further than outcomes of 0 and 1 of the same mean.
fn worth(clusters: &[(i64, u64)], (total, items): (i128, u64), p: f64) -> Worth {
    let squares: u128 = clusters.iter().map(|cluster| u128::from(cluster.1).pow(2)).sum();
    let n = items as f64;
    let equal = n * n / squares as f64;
    let values = clusters.iter().copied();
    let spread = i64::try_from(total).ok().and_then(|total| Spread::of(values, (total, items)));
    // Items of clusters with a chance above 0, and of those with one below 1.
    let holding = |some: fn(&(i64, u64)) -> bool| -> u64 {
        clusters.iter().filter(|cluster| some(cluster)).map(|cluster| cluster.1).sum()
    };
    let above = holding(|(sum, _)| *sum > 0);
    let rarer = (above.min(holding(|(sum, items)| (*sum as f64) < STEPS * *items as f64)), items);
    let spread = spread.map(|spread| {
        let variance = spread.variance / (STEPS * STEPS);
        Spread { variance, ..spread }.shown_by(rarer, equal, 2.0)
    });
    Worth::of(p * (1.0 - p), spread, n, equal)
}

/// How scores vary between items, and between repeats of one item.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Components {
    /// Trials with a score.
    pub trials: u64,
    /// Items with such a trial.
    pub items: u64,
    /// Mean score over trials.
    pub mean: Option<f64>,
    /// Variance of items' own means, never below zero.
    pub between: Option<f64>,
    /// Variance of the repeats of an item.
    pub within: Option<f64>,
    /// Intra-class correlation, between over the sum of both, below zero where items are more
    /// alike than chance would have them.
    pub correlation: Option<f64>,
    /// Interval of the correlation.
    pub interval: Interval,
}

/// Reason where no item was tried twice.
pub const NO_REPEATS: &str = "no item has two trials";
/// Reason where all outcomes are equal.
pub const NO_VARIANCE: &str = "all outcomes are equal";

/// Variances of each cell, by a one-way analysis of variance: `offsets` holds the bounds of each cell
/// in `lengths`, which holds the number of scores of each item. Items without a score do not count.
///
/// The interval is Searle's, exact for normal values and equal numbers of repeats: Shrout and
/// Fleiss (1979), doi:10.1037/0033-2909.86.2.420.
#[must_use]
pub fn components(
    offsets: &[usize],
    lengths: &[u64],
    scores: &[f64],
    tail: f64,
    watch: &Watch,
) -> Vec<Components> {
    let bounds = bounds(lengths);
    let slices = cells_of_clusters(offsets, &bounds);
    watch.cells(slices, (), |(), bounds| {
        components_of(&cells(bounds, scores).collect::<Vec<_>>(), tail)
    })
}

/// Number, mean and sum of squares about it of the scores of one item.
struct Repeats {
    count: u64,
    mean: f64,
    squares: f64,
}

impl Repeats {
    /// From scores in any order, divided by a power of two.
    fn of(scores: &[f64], power: i32) -> Option<Self> {
        let scores: Vec<f64> = sorted(scores).iter().map(|s| libm::scalbn(*s, -power)).collect();
        let (least, most) = (scores.first()?, scores.last()?);
        // The mean of equal scores is that score.
        let mean = (sum(scores.iter().copied()) / scores.len() as f64).clamp(*least, *most);
        let squares = sum(scores.iter().map(|score| (score - mean) * (score - mean)));
        Some(Self { count: scores.len() as u64, mean, squares })
    }
}

fn components_of(cell: &[&[f64]], tail: f64) -> Components {
    let all = cell.iter().copied().flatten();
    let largest = all.fold(0.0_f64, |largest, score| largest.max(score.abs()));
    // By a power of two, which changes no digit, so that no square leaves the range of floats.
    let power = if largest > 0.0 { libm::ilogb(largest) } else { 0 };
    let mut each: Vec<Repeats> = cell.iter().filter_map(|item| Repeats::of(item, power)).collect();
    // Sums of floats depend on their order; sorted, there is one.
    each.sort_unstable_by(|a, b| {
        let counts = a.count.cmp(&b.count);
        counts.then(a.mean.total_cmp(&b.mean)).then(a.squares.total_cmp(&b.squares))
    });
    let trials: u64 = each.iter().map(|item| item.count).sum();
    let (items, n) = (each.len() as u64, trials as f64);
    let mean = sum(each.iter().map(|item| item.count as f64 * item.mean)) / n;
    let none = |reason| Components {
        trials,
        items,
        mean: (trials > 0).then(|| libm::scalbn(mean, power)),
        between: None,
        within: None,
        correlation: None,
        interval: Interval::missing("none", reason),
    };
    let reason = match (trials, items) {
        (0, _) => Some(NO_TRIALS),
        (_, 1) => Some(ONE_ITEM),
        _ if trials == items => Some(NO_REPEATS),
        _ => None,
    };
    if let Some(reason) = reason {
        return none(reason);
    }
    let k = items as f64;
    let inside = sum(each.iter().map(|item| item.squares));
    let sizes: u128 = each.iter().map(|item| u128::from(item.count).pow(2)).sum();
    let first = each.first().map_or(0.0, |item| item.mean);
    #[expect(clippy::float_cmp, reason = "rounding of the mean of equal means is no variance")]
    let outside = if each.iter().all(|item| item.mean == first) {
        0.0
    } else {
        sum(each.iter().map(|item| item.count as f64 * (item.mean - mean) * (item.mean - mean)))
    };
    let within = inside / (n - k);
    let among = outside / (k - 1.0);
    let repeats = (n - sizes as f64 / n) / (k - 1.0);
    let between = (among - within) / repeats;
    let back = |variance: f64| libm::scalbn(variance, 2 * power);
    let (parts, varies) = ((back(between.max(0.0)), back(within)), inside + outside > 0.0);
    if !(parts.0.is_finite() && parts.1.is_finite()) {
        return none(TOO_LARGE);
    }
    let mut found =
        Components { between: Some(parts.0), within: Some(parts.1), ..none(NO_VARIANCE) };
    if varies {
        let correlation = |ratio: f64| (ratio - 1.0) / (ratio + repeats - 1.0);
        let ratio = among / within;
        // Without variance inside, the ratio is beyond all bounds.
        found.correlation = Some(if within > 0.0 { correlation(ratio) } else { 1.0 });
        let limits = if within > 0.0 {
            let upper = f_upper_quantile(tail, k - 1.0, n - k);
            let mirrored = f_upper_quantile(tail, n - k, k - 1.0);
            (correlation(ratio / upper), correlation(ratio * mirrored))
        } else {
            (1.0, 1.0)
        };
        found.interval = Interval::closed_form(limits, "searle");
    }
    found
}

/// The F with P(F' > F) = `tail`.
fn f_upper_quantile(tail: f64, degrees: f64, others: f64) -> f64 {
    let x = beta_quantile(tail, others / 2.0, degrees / 2.0);
    others * (1.0 - x) / (degrees * x)
}

/// An item tried in two arms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Crossed {
    /// Trials and successes of the treatment.
    pub treatment: (u64, u64),
    /// Trials and successes of the baseline.
    pub baseline: (u64, u64),
}

/// Whether effects differ between items more than repeats alone would have it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Heterogeneity {
    /// Items tried in both arms.
    pub items: u64,
    /// Mean over items of their effect, rate of the treatment minus that of the baseline.
    pub mean: Option<f64>,
    /// Standard deviation of the items' effects, with n - 1.
    pub sd: Option<f64>,
    /// Its mean where arms are shuffled within items.
    pub sd_null: Option<f64>,
    /// Share of shuffles whose deviation is as large or larger, the observed one among them.
    pub sd_p: Option<f64>,
    /// Items whose effect is at least the threshold in size.
    pub beyond: u64,
    /// Their expected number where arms are shuffled within items; exact.
    pub beyond_null: Option<f64>,
    /// Chance of as many or more then; exact.
    pub beyond_p: Option<f64>,
    /// Why there is no deviation.
    pub reason: Option<&'static str>,
}

/// Reason where no item was tried in both arms.
pub const NOT_CROSSED: &str = "no item has trials in both arms";

/// Heterogeneity of each cell; `offsets` as in [`passed`]. Items without a trial in one of the
/// arms must not be among them.
#[must_use]
pub fn heterogeneity(
    offsets: &[usize],
    items: &[Crossed],
    threshold: f64,
    n_resamples: u32,
    seed: u64,
    watch: &Watch,
) -> Vec<Heterogeneity> {
    let slices: Vec<&[Crossed]> = cells(offsets, items).collect();
    watch.cells(slices, (), |(), cell| heterogeneity_of(cell, threshold, n_resamples, seed, watch))
}

/// Items of one kind: the same trials in both arms, and the same successes in all.
struct Kind {
    count: usize,
    /// Effects of the shuffles, ascending, with the chance of each or a smaller one.
    effects: Vec<f64>,
    below: Vec<f64>,
    /// Chance of an effect beyond the threshold.
    beyond: f64,
}

fn heterogeneity_of(
    cell: &[Crossed],
    threshold: f64,
    n_resamples: u32,
    seed: u64,
    watch: &Watch,
) -> Heterogeneity {
    let mut cell = cell.to_vec();
    let key = |item: &Crossed| {
        (item.treatment.0, item.baseline.0, item.treatment.1 + item.baseline.1, item.treatment.1)
    };
    cell.sort_unstable_by_key(key);
    let effects: Vec<f64> = cell.iter().map(effect).collect();
    // Effects are fractions of counts: what is printed as the threshold counts as beyond.
    let is_beyond = |effect: f64| effect.abs() >= threshold * (1.0 - 1e-12);
    let beyond = effects.iter().filter(|effect| is_beyond(**effect)).count();
    let (mean, sd) = spread(&effects);
    let none = Heterogeneity {
        items: cell.len() as u64,
        mean,
        sd,
        sd_null: None,
        sd_p: None,
        beyond: beyond as u64,
        beyond_null: None,
        beyond_p: None,
        reason: if cell.is_empty() { Some(NOT_CROSSED) } else { None },
    };
    if cell.is_empty() {
        return none;
    }
    let kinds: Vec<Kind> = cell
        .chunk_by(|a, b| (key(a).0, key(a).1, key(a).2) == (key(b).0, key(b).1, key(b).2))
        .map(|run| kind(run, is_beyond))
        .collect();
    let chances = kinds.iter().flat_map(|kind| std::iter::repeat_n(kind.beyond, kind.count));
    let mut found = Heterogeneity {
        beyond_null: Some(kinds.iter().map(|kind| kind.beyond * kind.count as f64).sum()),
        beyond_p: Some(at_least(chances, beyond, watch)),
        ..none
    };
    let Some(sd) = sd else { return Heterogeneity { reason: Some(ONE_ITEM), ..found } };
    let cell_key = cell.iter().fold(0, |all, item| {
        let (a, b, c, d) = key(item);
        [a, b, c, d].into_iter().fold(all, combine)
    });
    let draws = watch.draws(n_resamples, Vec::new, |drawn, replicate| {
        let mut stream = Stream::new(seed, cell_key, u64::from(replicate));
        drawn.clear();
        for kind in &kinds {
            drawn.extend((0..kind.count).map(|_| kind.draw(&mut stream)));
        }
        spread(drawn).1.unwrap_or(0.0)
    });
    // Effects are fractions of counts: deviations that differ at all differ by far more.
    let reached = draws.iter().filter(|draw| **draw >= sd - 1e-12).count();
    found.sd_null = Some(draws.iter().sum::<f64>() / f64::from(n_resamples));
    found.sd_p = Some((reached + 1) as f64 / (f64::from(n_resamples) + 1.0));
    found
}

fn effect(item: &Crossed) -> f64 {
    let rate = |(trials, successes): (u64, u64)| successes as f64 / trials as f64;
    rate(item.treatment) - rate(item.baseline)
}

/// Mean and standard deviation.
fn spread(values: &[f64]) -> (Option<f64>, Option<f64>) {
    let n = values.len() as f64;
    if values.is_empty() {
        return (None, None);
    }
    let mean = values.iter().sum::<f64>() / n;
    if values.iter().all(|value| value.to_bits() == values[0].to_bits()) {
        // Rounding of the mean is no deviation.
        return (Some(values[0]), (values.len() > 1).then_some(0.0));
    }
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (Some(mean), (values.len() > 1).then(|| libm::sqrt(squares / (n - 1.0))))
}

/// The shuffles of items that are alike but for what fell into which arm.
fn kind(run: &[Crossed], is_beyond: impl Fn(f64) -> bool) -> Kind {
    let Crossed { treatment: (n, k), baseline: (m, j) } = run[0];
    let total = k + j;
    let (mut effects, mut below, mut beyond) = (Vec::new(), Vec::new(), 0.0);
    let mut sum = 0.0;
    for x in total.saturating_sub(m)..=total.min(n) {
        let shuffled = Crossed { treatment: (n, x), baseline: (m, total - x) };
        // Hypergeometric, as binomials of one rate that meet in the total.
        let rate = total as f64 / (n + m) as f64;
        let chance = libm::exp(
            binomial_ln_pmf(x, n, rate) + binomial_ln_pmf(total - x, m, rate)
                - binomial_ln_pmf(total, n + m, rate),
        );
        sum += chance;
        let effect = effect(&shuffled);
        beyond += if is_beyond(effect) { chance } else { 0.0 };
        effects.push(effect);
        below.push(sum);
    }
    Kind { count: run.len(), effects, below, beyond: beyond.min(1.0) }
}

impl Kind {
    fn draw(&self, stream: &mut Stream) -> f64 {
        // Fifty-three bits, from 0 up to but not including 1.
        let uniform = (stream.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let place = self.below.partition_point(|below| *below <= uniform);
        self.effects[place.min(self.effects.len() - 1)]
    }
}

/// Chance that at least `wanted` of independent events with these chances occur.
fn at_least(chances: impl Iterator<Item = f64>, wanted: usize, watch: &Watch) -> f64 {
    // Chances of fewer than are wanted, and of all others together in the last place.
    let mut counts = vec![0.0; wanted + 1];
    counts[0] = 1.0;
    for chance in chances {
        let reached = counts[wanted];
        watch.look();
        for count in (1..=wanted).rev() {
            let next = counts[count] * (1.0 - chance) + counts[count - 1] * chance;
            // Below that, a number has no digits to lose, shrinks no more and costs a hundredfold.
            counts[count] = if next < f64::MIN_POSITIVE { 0.0 } else { next };
        }
        if wanted > 0 {
            counts[0] *= 1.0 - chance;
            counts[wanted] += reached * chance;
        }
    }
    counts[wanted].min(1.0)
}

/// Wrong answers that follow from one error along each chain.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Blast {
    /// Chains with an outcome at every hop.
    pub chains: u64,
    /// Clusters of these, where there are clusters.
    pub clusters: Option<u64>,
    /// Hops of these.
    pub hops: u64,
    /// Mean over chains of their wrong hops.
    pub estimate: Option<f64>,
    /// Its interval.
    pub interval: Interval,
}

/// Reason of a cell without a chain that has an outcome at every hop.
pub const NO_CHAINS: &str = "no chain with an outcome at every hop";
/// Reason of a cell whose single chain says nothing of how chains differ.
pub const ONE_CHAIN: &str = "one chain";

/// Blast radius of each cell, from chains as items whose trials are hops; `offsets` as in
/// [`passed`].
#[must_use]
pub fn blast(
    offsets: &[usize],
    chains: &[Item],
    clustered: bool,
    tail: f64,
    watch: &Watch,
) -> Vec<Blast> {
    let slices = cells(offsets, chains).collect();
    watch
        .cells(slices, Quantiles::new(tail), |quantiles, cell| blast_of(cell, clustered, quantiles))
}

fn blast_of(cell: &[Item], clustered: bool, quantiles: &mut Quantiles) -> Blast {
    let mut cell = cell.to_vec();
    cell.sort_unstable();
    let wrong = |chain: &Item| (chain.trials - chain.successes).cast_signed();
    let groups: Vec<(i64, u64)> = if clustered {
        cell.chunk_by(|a, b| a.cluster == b.cluster)
            .map(|run| (run.iter().map(wrong).sum(), run.len() as u64))
            .collect()
    } else {
        cell.iter().map(|chain| (wrong(chain), 1)).collect()
    };
    let chains = cell.len() as u64;
    let total: i64 = groups.iter().map(|group| group.0).sum();
    let estimate = (chains > 0).then(|| total as f64 / chains as f64);
    let interval = match (estimate, groups.len()) {
        (None, _) => Interval::missing("none", NO_CHAINS),
        (Some(_), 1) => Interval::missing("none", if clustered { ONE_CLUSTER } else { ONE_CHAIN }),
        (Some(mean), _) => {
            let squares: u128 = groups.iter().map(|group| u128::from(group.1).pow(2)).sum();
            let equal = chains as f64 * chains as f64 / squares as f64;
            let spread = Spread::of(groups.iter().copied(), (total, chains));
            let error = spread.map_or(0.0, |spread| libm::sqrt(spread.variance));
            let half = quantiles.student((equal - 1.0).max(1.0)) * error;
            let most = cell.iter().map(|chain| chain.trials).max().unwrap_or(0) as f64;
            let method = if clustered { "t-clustered" } else { "t" };
            Interval::closed_form(around(mean, half, (0.0, most)), method)
        }
    };
    Blast {
        chains,
        clusters: clustered.then_some(groups.len() as u64),
        hops: cell.iter().map(|chain| chain.trials).sum(),
        estimate,
        interval,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() <= 1e-12 * b.abs().max(1e-300), "{a} is not {b}");
    }

    #[test]
    fn small_cases_by_hand() {
        near(pass_at_k(4, 1, 2).unwrap(), 0.5);
        near(pass_at_k(5, 2, 3).unwrap(), 0.9);
        near(pass_hat_k(4, 3, 2).unwrap(), 0.5);
        assert_eq!(pass_hat_k(3, 3, 3), Some(1.0));
        assert_eq!(pass_hat_k(3, 3, 4), None);
        assert_eq!(pass_at_k(1, 1, 10), None);
        assert_eq!((pass_at_k(5, 0, 3), pass_hat_k(5, 0, 3)), (Some(0.0), Some(0.0)));
        assert_eq!((pass_at_k(0, 0, 0), pass_hat_k(0, 0, 0)), (Some(0.0), Some(1.0)));
    }

    #[test]
    fn one_of_many_has_a_closed_form() {
        let n = 1_000_000;
        near(pass_at_k(n, 1, 1000).unwrap(), 1e-3);
        near(pass_hat_k(n, n - 1, 1000).unwrap(), 1.0 - 1e-3);
        near(pass_at_k(n, 300_000, 1).unwrap(), 0.3);
        assert_eq!(pass_at_k(n, n / 2, n / 2), Some(1.0));
    }

    #[test]
    fn variances_by_hand() {
        // Means 2 and 6 of 2 and 3 repeats, sums of squares 2 and 8.
        let scores = [1.0, 3.0, 4.0, 6.0, 8.0];
        let one =
            |scores: &[f64]| components(&[0, 3], &[2, 0, 3], scores, 0.025, Watch::nobody())[0];
        let found = one(&scores);
        let (within, among, repeats) = (10.0 / 3.0, 2.0 * 2.4 * 2.4 + 3.0 * 1.6 * 1.6, 2.4);
        near(found.mean.unwrap(), 4.4);
        near(found.within.unwrap(), within);
        near(found.between.unwrap(), (among - within) / repeats);
        near(found.correlation.unwrap(), (among - within) / (among - within + repeats * within));
        assert_eq!((found.trials, found.items), (5, 2));
        for power in [-600, 400] {
            let scaled = scores.map(|score| libm::scalbn(score, power));
            let same = one(&scaled);
            assert_eq!((same.correlation, same.interval), (found.correlation, found.interval));
        }
        assert_eq!(one(&scores.map(|score| score * 1e300)).interval.reason, Some(TOO_LARGE));
        assert_eq!(one(&[0.1; 5]).interval.reason, Some(NO_VARIANCE));
        let apart = one(&[0.1, 0.1, 0.3, 0.3, 0.3]);
        assert_eq!((apart.within, apart.correlation), (Some(0.0), Some(1.0)));
    }

    #[test]
    fn counts_of_independent_events() {
        near(at_least([0.5; 3].into_iter(), 2, Watch::nobody()), 0.5);
        near(at_least([0.2, 0.5].into_iter(), 1, Watch::nobody()), 0.6);
        near(at_least([0.2, 0.5].into_iter(), 0, Watch::nobody()), 1.0);
        near(at_least([0.2].into_iter(), 2, Watch::nobody()), 0.0);
    }
}
