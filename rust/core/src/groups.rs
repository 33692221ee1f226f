//! Independent groups of trials: two arms compared, one cell or many at once.

use rayon::prelude::*;

use crate::compare::Measure;
use crate::distributions::ln_two_tails;
use crate::infer::PValue;
use crate::infer::fisher::{self, Alternative};
use crate::infer::labels::{Counting, How, Stratum, shuffle};
use crate::infer::scores::Units;
use crate::intervals::{Moments, Quantiles, around, ratio_limits, square_and_add, wilson};
use crate::plan::{NO_TRIALS_OF, NO_VARIATION, ONE_CLUSTER, no_trials, tail};
use crate::proportions::{Effect, NO_SUCCESS, falling_root};
use crate::rate::{Count, cells};
use crate::watch::Watch;

/// Trials of both arms, of a cell or of one of its clusters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Arms {
    /// Trials and successes of the treatment.
    pub treatment: (u64, u64),
    /// Trials and successes of the baseline.
    pub baseline: (u64, u64),
}

/// Clusters of both arms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clusters {
    /// With a trial of the treatment.
    pub treatment: u64,
    /// With a trial of the baseline.
    pub baseline: u64,
    /// With both.
    pub shared: u64,
}

/// Two groups compared.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Groups {
    /// The treatment's trials.
    pub treatment: Count,
    /// The baseline's trials.
    pub baseline: Count,
    /// Numbers of clusters, where there are clusters.
    pub clusters: Option<Clusters>,
    /// Strata in which both arms have trials, where there are strata.
    pub strata: Option<u64>,
    /// Difference of the rates, treatment minus baseline; over strata the pooled one.
    pub difference: Option<f64>,
    /// The effect that was asked for.
    pub effect: Effect,
    /// Name of its interval.
    pub method: &'static str,
    /// Two-sided test over trials: Fisher's exact one, over strata that of Cochran, Mantel and
    /// Haenszel; nothing if an arm has none.
    pub trials_p: Option<PValue>,
    /// Two-sided permutation test, labels of whole clusters shuffled, within strata if there are
    /// any; nothing without clusters in both arms, or if any is in both.
    pub permutation_p: Option<PValue>,
    /// How many draws that is from; nothing where it is exact.
    pub n_resamples: Option<u32>,
}

/// Reason of a permutation test that is not made.
pub const SHARED: &str = "clusters in both arms cannot be shuffled between them";

/// Reason of an odds ratio that has no upper limit.
pub const ONE_SIDED: &str = "the baseline never succeeds or the treatment never fails";
/// Reason of an interval that strata of clusters do not have.
pub const CLUSTERED_STRATA: &str = "no interval over strata of clusters";
/// Reason of a cell in which no stratum has both arms.
pub const APART: &str = "no stratum has trials of both arms";

/// What a comparison depends on besides the data.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Two-sided confidence level.
    pub confidence_level: f64,
    /// Number of draws of a permutation test that cannot be exact.
    pub n_resamples: u32,
    /// Their seed.
    pub seed: u64,
    /// Who looks after the call.
    pub watch: &'a Watch,
}

/// An effect, the name of its interval, and a permutation test with its draws.
type Found = (Effect, &'static str, Option<(PValue, Option<u32>)>);

/// A rate, its limits, and how many independent trials it stands on.
struct Arm {
    rate: f64,
    limits: (f64, f64),
    size: f64,
}

/// Comparisons of cells of independent trials.
#[must_use]
pub fn of_trials(all: &[Arms], measure: Measure, options: &Options) -> Vec<Groups> {
    let normal = Quantiles::new(tail(options.confidence_level)).normal();
    all.par_iter()
        .with_min_len(16)
        .map(|total| {
            finish(*total, None, || {
                let arm = |(trials, hits): (u64, u64)| {
                    let (rate, size) = (hits as f64 / trials as f64, trials as f64);
                    Arm { rate, limits: wilson(rate, size, normal), size }
                };
                let names = ["newcombe-hybrid", "square-and-add", "cornfield"];
                let arms = (arm(total.treatment), arm(total.baseline));
                let (effect, method) = effect(measure, total, &arms, normal, names);
                (effect, method, None)
            })
        })
        .collect()
}

/// Comparisons of cells of clusters; `offsets` holds the bounds of each cell in `clusters`.
#[must_use]
pub fn of_clusters(
    offsets: &[usize],
    clusters: &[Arms],
    measure: Measure,
    options: &Options,
) -> Vec<Groups> {
    let quantiles = Quantiles::new(tail(options.confidence_level));
    let slices: Vec<&[Arms]> = cells(offsets, clusters).collect();
    options.watch.cells(slices, quantiles, |quantiles, cell| {
        let (total, counts) = (Arms::sum(cell), Clusters::of(cell));
        finish(total, Some(counts), || {
            let test = if counts.shared == 0 {
                stratum(cell, &total).and_then(|one| permuted(vec![one], 0, options))
            } else {
                None
            };
            if counts.treatment.min(counts.baseline) < 2 {
                let estimate = estimate(measure, &total).ok();
                return (Effect { estimate, ..Effect::missing(ONE_CLUSTER) }, "none", test);
            }
            let arms = (
                arm(cell.iter().map(|c| c.treatment), quantiles),
                arm(cell.iter().map(|c| c.baseline), quantiles),
            );
            let names =
                ["newcombe-hybrid-effective", "square-and-add-effective", "cornfield-effective"];
            let (mut effect, method) = effect(measure, &total, &arms, quantiles.normal(), names);
            effect.reason = effect.reason.or((counts.shared > 0).then_some(SHARED));
            (effect, method, test)
        })
    })
}

/// Comparisons of cells of strata: `strata` holds the bounds of each cell among strata. Rows are
/// strata, or, with `clusters`, which holds the bounds of each stratum, clusters.
///
/// Mantel and Haenszel (1959), doi:10.1093/jnci/22.4.719, with the variances of Sato (1989),
/// Greenland and Robins (1985) and Robins, Breslow and Greenland (1986), which hold for few large
/// and for many small strata alike.
#[must_use]
pub fn of_strata(
    strata: &[usize],
    clusters: Option<&[usize]>,
    rows: &[Arms],
    measure: Measure,
    options: &Options,
) -> Vec<Groups> {
    let normal = Quantiles::new(tail(options.confidence_level)).normal();
    let bounds: Vec<usize> = clusters.map_or_else(|| (0..=rows.len()).collect(), <[usize]>::to_vec);
    let slices: Vec<&[usize]> =
        strata.windows(2).map(|pair| bounds.get(pair[0]..=pair[1]).unwrap_or_default()).collect();
    options.watch.cells(slices, (), |(), bounds| {
        let each: Vec<&[Arms]> = cells(bounds, rows).collect();
        let all: Vec<Arms> = each.concat();
        let tables: Vec<Arms> = each.iter().map(|one| Arms::sum(one)).collect();
        let both: Vec<Table> = tables.iter().filter_map(Table::of).collect();
        let counts = clusters.map(|_| Clusters::of(&all));
        let groups = finish(Arms::sum(&all), counts, || {
            if both.is_empty() {
                return (Effect::missing(APART), "none", None);
            }
            let test = match counts {
                Some(counts) if counts.shared == 0 => shuffled_in_strata(&each, options),
                _ => None,
            };
            let (mut effect, method) = pooled(measure, &both, normal);
            if counts.is_none() {
                return (effect, method, None);
            }
            effect = Effect { low: None, high: None, ..effect };
            effect.reason = effect.reason.or(Some(CLUSTERED_STRATA));
            (effect, "none", test)
        });
        let difference = if both.is_empty() { None } else { Some(pooled_difference(&both).0) };
        let trials_p = (!both.is_empty()).then(|| cochran_mantel_haenszel(&both));
        Groups { strata: Some(both.len() as u64), difference, trials_p, ..groups }
    })
}

impl Arms {
    fn sum(rows: &[Self]) -> Self {
        let add = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
        rows.iter().fold(Self::default(), |sum, next| Self {
            treatment: add(sum.treatment, next.treatment),
            baseline: add(sum.baseline, next.baseline),
        })
    }
}

impl Clusters {
    fn of(cell: &[Arms]) -> Self {
        let count = |some: fn(&Arms) -> bool| cell.iter().filter(|c| some(c)).count() as u64;
        Self {
            treatment: count(|c| c.treatment.0 > 0),
            baseline: count(|c| c.baseline.0 > 0),
            shared: count(|c| c.treatment.0 > 0 && c.baseline.0 > 0),
        }
    }
}

/// A rate with Wilson's limits on its effective sample size.
fn arm(clusters: impl Iterator<Item = (u64, u64)> + Clone, quantiles: &mut Quantiles) -> Arm {
    let some = clusters.filter(|(trials, _)| *trials > 0).map(|(trials, hits)| (hits, trials));
    let mut moments = Moments::default();
    some.clone().for_each(|(hits, trials)| moments.add(hits, trials));
    let (rate, size) = (moments.rate(), quantiles.shrunk(moments.worth(some)));
    Arm { rate, limits: wilson(rate, size, quantiles.normal()), size }
}

/// The estimate, or why there is none.
fn estimate(measure: Measure, total: &Arms) -> Result<f64, &'static str> {
    let ((n, x), (m, y)) = (total.treatment, total.baseline);
    let [n, x, m, y] = [n, x, m, y].map(|count| count as f64);
    let finite = |value: f64, reason| if value.is_finite() { Ok(value) } else { Err(reason) };
    match measure {
        Measure::Difference => Ok(x / n - y / m),
        Measure::Ratio => finite(x / n / (y / m), NO_SUCCESS),
        Measure::OddsRatio if x + y <= 0.0 || x + y >= n + m => Err(NO_VARIATION),
        Measure::OddsRatio => finite(x * (m - y) / (y * (n - x)), ONE_SIDED),
    }
}

fn effect(
    measure: Measure,
    total: &Arms,
    (p, q): &(Arm, Arm),
    normal: f64,
    names: [&'static str; 3],
) -> (Effect, &'static str) {
    let found = estimate(measure, total);
    let (limits, name) = match measure {
        Measure::Difference => {
            let (low, high) = square_and_add((p.rate, p.limits), (q.rate, q.limits), 0.0);
            ((low, Some(high)), names[0])
        }
        _ if found == Err(NO_VARIATION) => return (Effect::missing(NO_VARIATION), "none"),
        Measure::Ratio if p.rate + q.rate <= 0.0 => return (Effect::missing(NO_SUCCESS), "none"),
        Measure::Ratio => (ratio_limits((p.rate, p.limits), (q.rate, q.limits), 0.0), names[1]),
        Measure::OddsRatio => (cornfield((p.rate, p.size), (q.rate, q.size), normal), names[2]),
    };
    let reason = found.err().or(match measure {
        _ if limits.1.is_some() => None,
        Measure::OddsRatio => Some(ONE_SIDED),
        _ => Some(NO_SUCCESS),
    });
    (Effect { estimate: found.ok(), low: Some(limits.0), high: limits.1, reason }, name)
}

/// Cornfield's interval of an odds ratio (1956), Proceedings of the Third Berkeley Symposium
/// 4:135: the odds ratios with which the successes of the first arm are no farther from what
/// all successes lead to expect than the quantile of standard errors. Sizes may be fractions.
fn cornfield(p: (f64, f64), q: (f64, f64), quantile: f64) -> (f64, Option<f64>) {
    let high = cornfield_low(q, p, quantile);
    (cornfield_low(p, q, quantile), (high > 0.0).then(|| 1.0 / high))
}

fn cornfield_low((p, n): (f64, f64), (q, m): (f64, f64), quantile: f64) -> f64 {
    if p <= 0.0 || q >= 1.0 {
        return 0.0;
    }
    let (seen, hits) = (p * n, p * n + q * m);
    let cells = |a: f64| [a, n - a, hits - a, m - hits + a].map(|cell| cell.max(0.0));
    let excess = |a: f64| {
        let weight: f64 = cells(a).iter().map(|cell| 1.0 / cell).sum();
        seen - a - quantile / libm::sqrt(weight)
    };
    let expected = falling_root(((hits - m).max(0.0), seen), excess);
    let [a, b, c, d] = cells(expected);
    a / b * (d / c)
}

/// Scores of one stratum's clusters. A cluster's score is what it has more successes than its
/// share at the rate of all trials, so that with clusters of one size the statistic is the
/// difference of the rates.
fn stratum(cell: &[Arms], total: &Arms) -> Option<Stratum> {
    let trials = i128::from(total.treatment.0 + total.baseline.0);
    let hits = i128::from(total.treatment.1 + total.baseline.1);
    let score = |(own_trials, own_hits): (u64, u64)| {
        (own_trials > 0)
            .then(|| i64::try_from(i128::from(own_hits) * trials - i128::from(own_trials) * hits))
    };
    let scores = |arm: fn(&Arms) -> (u64, u64)| -> Option<Vec<i64>> {
        cell.iter().filter_map(|cluster| score(arm(cluster))).map(Result::ok).collect()
    };
    Some(Stratum { first: scores(|c| c.treatment)?, second: scores(|c| c.baseline)? })
}

/// Labels of whole clusters shuffled.
fn permuted(strata: Vec<Stratum>, slack: i128, options: &Options) -> Option<(PValue, Option<u32>)> {
    let how = How {
        alternative: Alternative::TwoSided,
        counting: Counting::Auto,
        n_resamples: options.n_resamples,
        seed: options.seed,
        watch: options.watch,
    };
    let found = shuffle(strata, slack, &how)?;
    Some((PValue::of_ln(found.ln_p), found.n_resamples))
}

/// Within strata, scores are successes less their share at the stratum's rate, so that the
/// statistic is that of Cochran, Mantel and Haenszel.
fn shuffled_in_strata(each: &[&[Arms]], options: &Options) -> Option<(PValue, Option<u32>)> {
    let scores = |cell: &[Arms], arm: fn(&Arms) -> (u64, u64)| -> Vec<f64> {
        let total = Arms::sum(cell);
        let trials = (total.treatment.0 + total.baseline.0) as f64;
        let rate = (total.treatment.1 + total.baseline.1) as f64 / trials;
        let some = cell.iter().map(arm).filter(|(trials, _)| *trials > 0);
        some.map(|(trials, hits)| hits as f64 - trials as f64 * rate).collect()
    };
    let split: Vec<(Vec<f64>, Vec<f64>)> = each
        .iter()
        .map(|cell| (scores(cell, |c| c.treatment), scores(cell, |c| c.baseline)))
        .filter(|(first, second)| !(first.is_empty() || second.is_empty()))
        .collect();
    let all: Vec<f64> = split.iter().flat_map(|(a, b)| a.iter().chain(b)).copied().collect();
    let units = Units::of(&all);
    let mut values = units.values.iter().copied();
    let strata = split
        .iter()
        .map(|(first, second)| Stratum {
            first: values.by_ref().take(first.len()).collect(),
            second: values.by_ref().take(second.len()).collect(),
        })
        .collect();
    permuted(strata, units.slack, options)
}

/// A stratum's trials and successes, where both arms have trials.
struct Table {
    n: f64,
    x: f64,
    m: f64,
    y: f64,
}

impl Table {
    fn of(arms: &Arms) -> Option<Self> {
        let ((n, x), (m, y)) = (arms.treatment, arms.baseline);
        let [n, x, m, y] = [n, x, m, y].map(|count| count as f64);
        (n > 0.0 && m > 0.0).then_some(Self { n, x, m, y })
    }

    fn all(&self) -> f64 {
        self.n + self.m
    }
}

/// Sum over strata.
fn sum(tables: &[Table], part: impl Fn(&Table) -> f64) -> f64 {
    let mut parts: Vec<f64> = tables.iter().map(part).collect();
    // Sums of floats depend on their order; sorted, there is one.
    parts.sort_unstable_by(f64::total_cmp);
    parts.iter().sum()
}

/// The pooled difference, and its variance after Sato (1989), Biometrics 45:1323.
fn pooled_difference(tables: &[Table]) -> (f64, f64) {
    let weight = sum(tables, |t| t.n * t.m / t.all());
    let difference = sum(tables, |t| (t.x * t.m - t.y * t.n) / t.all()) / weight;
    let slope = sum(tables, |t| {
        let crossed = t.n * t.n * t.y - t.m * t.m * t.x + t.n * t.m * (t.m - t.n) / 2.0;
        crossed / (t.all() * t.all())
    });
    let level = sum(tables, |t| (t.x * (t.m - t.y) + t.y * (t.n - t.x)) / (2.0 * t.all()));
    (difference, (difference * slope + level).max(0.0) / (weight * weight))
}

fn pooled(measure: Measure, tables: &[Table], normal: f64) -> (Effect, &'static str) {
    let name = "mantel-haenszel";
    let (top, bottom, variance) = match measure {
        Measure::Difference => {
            let (difference, variance) = pooled_difference(tables);
            if variance <= 0.0 {
                let estimate = Some(difference);
                return (Effect { estimate, ..Effect::missing(NO_VARIATION) }, "none");
            }
            let (low, high) = around(difference, normal * libm::sqrt(variance), (-1.0, 1.0));
            let limits = (Some(low), Some(high));
            let effect =
                Effect { estimate: Some(difference), low: limits.0, high: limits.1, reason: None };
            return (effect, name);
        }
        // Greenland and Robins (1985), Biometrics 41:55.
        Measure::Ratio => {
            let (top, bottom) =
                (sum(tables, |t| t.x * t.m / t.all()), sum(tables, |t| t.y * t.n / t.all()));
            let spread = sum(tables, |t| {
                ((t.x + t.y) * t.n * t.m - t.x * t.y * t.all()) / (t.all() * t.all())
            });
            (top, bottom, spread / (top * bottom))
        }
        // Robins, Breslow and Greenland (1986), Biometrics 42:311.
        Measure::OddsRatio => {
            let agree = |t: &Table| (t.x + t.m - t.y) / t.all();
            let (r, s) =
                (|t: &Table| t.x * (t.m - t.y) / t.all(), |t: &Table| t.y * (t.n - t.x) / t.all());
            let (top, bottom) = (sum(tables, r), sum(tables, s));
            let mixed = sum(tables, |t| agree(t) * s(t) + (1.0 - agree(t)) * r(t));
            let variance = sum(tables, |t| agree(t) * r(t)) / (2.0 * top * top)
                + mixed / (2.0 * top * bottom)
                + sum(tables, |t| (1.0 - agree(t)) * s(t)) / (2.0 * bottom * bottom);
            (top, bottom, variance)
        }
    };
    let none = if measure == Measure::Ratio { NO_SUCCESS } else { ONE_SIDED };
    let reason = if bottom <= 0.0 { none } else { ONE_SIDE };
    let estimate = Some(top / bottom).filter(|estimate| estimate.is_finite());
    if top <= 0.0 || bottom <= 0.0 {
        return (Effect { estimate, ..Effect::missing(reason) }, "none");
    }
    let (value, factor) = (top / bottom, libm::exp(normal * libm::sqrt(variance.max(0.0))));
    let limits = (Some(value / factor), Some(value * factor));
    (Effect { estimate, low: limits.0, high: limits.1, reason: None }, name)
}

/// Reason of a pooled ratio of nothing, of which the logarithm has no variance.
const ONE_SIDE: &str = "the treatment never succeeds or the baseline never fails";

/// Cochran (1954), doi:10.2307/3001616, and Mantel and Haenszel (1959), without a correction for
/// continuity. Nothing that varies is no evidence.
fn cochran_mantel_haenszel(tables: &[Table]) -> PValue {
    let excess = sum(tables, |t| (t.x * t.m - t.y * t.n) / t.all());
    let variance = sum(tables, |t| {
        let (hits, all) = (t.x + t.y, t.all());
        if all < 2.0 { 0.0 } else { t.n * t.m * hits * (all - hits) / (all * all * (all - 1.0)) }
    });
    if variance <= 0.0 {
        return PValue { p: 1.0, ln: 0.0 };
    }
    PValue::of_ln(ln_two_tails(excess * excess / variance))
}

fn finish(total: Arms, clusters: Option<Clusters>, found: impl FnOnce() -> Found) -> Groups {
    let count = |(trials, successes)| Count { trials, successes };
    let (treatment, baseline) = (count(total.treatment), count(total.baseline));
    let none = no_trials([treatment.trials, baseline.trials], NO_TRIALS_OF);
    let both = none.is_none();
    let (effect, method, test) =
        none.map_or_else(found, |reason| (Effect::missing(reason), "none", None));
    let row = |arm: Count| [arm.successes, arm.trials - arm.successes];
    let table = [row(treatment), row(baseline)];
    Groups {
        treatment,
        baseline,
        clusters,
        strata: None,
        difference: if both { estimate(Measure::Difference, &total).ok() } else { None },
        effect,
        method,
        trials_p: both.then(|| PValue::of_ln(fisher::ln_p_value(table, Alternative::TwoSided))),
        permutation_p: test.map(|test| test.0),
        n_resamples: test.and_then(|test| test.1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static OPTIONS: Options =
        Options { confidence_level: 0.95, n_resamples: 999, seed: 0, watch: Watch::nobody() };

    fn limits(found: &Groups) -> (f64, f64) {
        (found.effect.low.unwrap(), found.effect.high.unwrap())
    }

    #[test]
    fn strata_match_printed_figures() {
        // Admissions at Berkeley in six departments, men against women, as R's mantelhaen.test
        // prints them: 0.9046968, 0.7719074 to 1.0603298.
        let counts = [
            (512, 825, 89, 108),
            (353, 560, 17, 25),
            (120, 325, 202, 593),
            (138, 417, 131, 375),
            (53, 191, 94, 393),
            (22, 373, 24, 341),
        ];
        let rows = counts.map(|(x, n, y, m)| Arms { treatment: (n, x), baseline: (m, y) });
        let found = of_strata(&[0, 6], None, &rows, Measure::OddsRatio, &OPTIONS)[0];
        let (low, high) = limits(&found);
        assert!((found.effect.estimate.unwrap() - 0.904_696_8).abs() < 5e-8);
        assert!((low - 0.771_907_4).abs() < 5e-8 && (high - 1.060_329_8).abs() < 5e-8);
        assert_eq!(found.strata, Some(6));
    }

    #[test]
    fn matches_printed_interval() {
        // Fagerland, Lydersen and Laake (2017), chapter 4: 7 of 34 against 1 of 34.
        let arms = Arms { treatment: (34, 7), baseline: (34, 1) };
        let (low, high) = limits(&of_trials(&[arms], Measure::Difference, &OPTIONS)[0]);
        assert!((low - 0.0189).abs() < 5e-5 && (high - 0.3404).abs() < 5e-5);
    }

    #[test]
    fn equal_clusters_are_permuted_as_sums() {
        let arm = |hits: u64, first: bool| {
            let (own, none) = ((4, hits), (0, 0));
            if first {
                Arms { treatment: own, baseline: none }
            } else {
                Arms { treatment: none, baseline: own }
            }
        };
        let cell = [arm(4, true), arm(2, true), arm(3, false), arm(1, false)];
        let found = of_clusters(&[0, 4], &cell, Measure::Difference, &OPTIONS)[0];
        assert!((found.permutation_p.unwrap().p - 4.0 / 6.0).abs() < 1e-14);
        assert_eq!(found.clusters, Some(Clusters { treatment: 2, baseline: 2, shared: 0 }));
    }

    #[test]
    fn arms_without_trials_or_clusters_say_so() {
        let none = Arms { treatment: (3, 1), baseline: (0, 0) };
        let found = of_clusters(&[0, 1], &[none], Measure::Difference, &OPTIONS)[0];
        assert_eq!((found.effect.reason, found.trials_p), (Some(NO_TRIALS_OF[1]), None));
        let shared = Arms { treatment: (3, 1), baseline: (2, 2) };
        let found = of_clusters(&[0, 1], &[shared], Measure::Difference, &OPTIONS)[0];
        assert_eq!((found.effect.reason, found.permutation_p), (Some(ONE_CLUSTER), None));
    }
}
