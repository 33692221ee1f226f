//! Figures of one arm or of two independent ones: rates, their intervals and differences, and
//! two-sample tests.

use std::cmp::Ordering;
use std::ops::Range;

use super::{Cells, Figure, Searched, Table, Tables, methods, needed, share, shown, within};
use crate::audit::printed::Printed;
use crate::distributions::{binomial_quantile, normal_quantile};
use crate::infer::fisher::{self, Alternative};
use crate::intervals::{agresti_coull, clopper_pearson, jeffreys, wilson};
use crate::plan;

/// Trials of an arm whose rate alone is searched.
const MOST_TRIALS: u64 = 1_000_000_000;
/// Rates whose limits are computed.
const MOST_RATES: u64 = 20_000;
/// Tables of two arms that are looked at, and of which a margin is looked through.
const MOST_TABLES: u64 = 10_000_000;
const MOST_IN_MARGINS: u64 = 100_000_000;
/// With fewer candidates, each is tested by itself; with more, all tables of a margin at once.
const FEW_TABLES: u64 = 2_000;

const INTERVALS: &[&str] = &[
    "percentile",
    "percentile-drawn",
    "wilson",
    "clopper-pearson",
    "jeffreys",
    "agresti-coull",
    "wald",
];
pub(super) const TESTS: &[&str] = &["fisher-exact", "chi-square", "chi-square-corrected"];

type Counts = Range<u64>;

/// Which successes give a printed rate, and are those known.
fn successes(
    name: &str,
    n: u64,
    rate: Option<&str>,
    known: Option<u64>,
    found: &Tables<'_>,
) -> Result<Counts, String> {
    if known.is_some_and(|known| known > n) {
        return Err(format!("{name} has more successes than its {n} trials"));
    }
    let all = known.map_or(0..n + 1, |known| known..known + 1);
    let Some(rate) = rate else { return Ok(all) };
    let printed = share(name, rate)?;
    let place = |k| printed.place_ratio(k, i128::from(n), found.plan.rounding);
    unsigned(within(all.start.into()..all.end.into(), place)?)
}

fn unsigned(range: Range<i128>) -> Result<Counts, String> {
    let end = |value: i128| u64::try_from(value).map_err(|error| error.to_string());
    Ok(end(range.start)?..end(range.end)?)
}

fn length(counts: &Counts) -> u64 {
    counts.end.saturating_sub(counts.start)
}

pub(super) fn rate(figure: &Figure<'_>, found: &mut Tables<'_>) -> Searched {
    methods(figure, &["share"])?;
    let n = needed("n", figure.n, 1, MOST_TRIALS)?;
    let hits = successes("printed", n, Some(figure.printed), figure.successes, found)?;
    let table = |k: u64| Table {
        method: "share",
        cells: Cells::Rate(k),
        value: k as f64 / n as f64,
        limits: None,
        sd: None,
    };
    let count = length(&hits);
    for k in hits.take(found.plan.max_tables) {
        found.add(&["share"], |_| table(k));
    }
    // What is not listed is counted all the same.
    found.finding.n_tables = count;
    if count > 0 {
        found.finding.methods = vec!["share"];
    }
    Ok(())
}

pub(super) fn interval(figure: &Figure<'_>, found: &mut Tables<'_>) -> Searched {
    let asked = methods(figure, INTERVALS)?;
    let n = needed("n", figure.n, 1, MOST_TRIALS)?;
    let text = figure.printed;
    let mut numbers = Printed::all(text).unwrap_or_default();
    // Wald's limits may pass one, by less than a fifth.
    if numbers.iter().any(|number| number.above(1.5)) {
        numbers = numbers.into_iter().map(Printed::as_percent).collect();
    }
    let (rate, low, high) = match *numbers.as_slice() {
        [low, high] => (None, low, high),
        [rate, low, high] => (Some(rate), low, high),
        _ => return Err(format!("printed {:?} is no interval that can be read", shown(text))),
    };
    let rounding = found.plan.rounding;
    let mut hits = successes("printed", n, None, figure.successes, found)?;
    if let Some(rate) = rate {
        let place = |k| rate.place_ratio(k, i128::from(n), rounding);
        hits = unsigned(within(hits.start.into()..hits.end.into(), place)?)?;
    } else {
        // A limit printed above the rate, or below, is none of any of these methods.
        let scale = if low.percent { 100.0 } else { 1.0 };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let count = |limit: f64| (limit / scale * n as f64).clamp(0.0, n as f64) as u64;
        let first = count(low.around().0).saturating_sub(2).max(hits.start);
        let end = count(high.around().1).saturating_add(3).min(hits.end);
        hits = first..end;
    }
    if length(&hits) > MOST_RATES {
        return Err(format!(
            "{} rates would have to be tried; print the rate before the interval",
            length(&hits)
        ));
    }
    let tail = plan::tail(found.plan.confidence_level);
    let limits = Limits { n, tail, quantile: -normal_quantile(tail) };
    for k in hits {
        let near = |printed: &Printed, value: f64| printed.gives(value, rounding);
        let prints = |&method: &&'static str| match method {
            "percentile-drawn" => {
                let step = 1.0 / n as f64;
                let (exact_low, exact_high) = limits.of("percentile", k);
                let drawn = |printed: &Printed, limit: f64| {
                    [limit - step, limit, limit + step]
                        .into_iter()
                        .any(|value| near(printed, snapped(value, n)))
                };
                // Where nothing varies there is nothing to draw.
                k > 0 && k < n && drawn(&low, exact_low) && drawn(&high, exact_high)
            }
            "wald" => {
                let (wald_low, wald_high) = limits.of(method, k);
                // Some cut it off at 0 and 1, some do not.
                let either = |printed: &Printed, limit: f64| {
                    near(printed, limit) || near(printed, limit.clamp(0.0, 1.0))
                };
                either(&low, wald_low) && either(&high, wald_high)
            }
            _ => {
                let exact = limits.of(method, k);
                near(&low, exact.0) && near(&high, exact.1)
            }
        };
        let ways: Vec<&'static str> =
            asked.iter().filter(|method| prints(method)).copied().collect();
        found.add(&ways, |method| Table {
            method,
            cells: Cells::Rate(k),
            value: k as f64 / n as f64,
            limits: Some(limits.of(method, k)),
            sd: None,
        });
    }
    Ok(())
}

/// The multiple of 1/n next to a value, within 0 and 1, as the double nearest to it.
fn snapped(value: f64, n: u64) -> f64 {
    libm::round(value * n as f64).clamp(0.0, n as f64) / n as f64
}

struct Limits {
    n: u64,
    tail: f64,
    quantile: f64,
}

impl Limits {
    fn of(&self, method: &str, k: u64) -> (f64, f64) {
        let (n, p) = (self.n as f64, k as f64 / self.n as f64);
        match method {
            "wilson" => wilson(p, n, self.quantile),
            "clopper-pearson" => clopper_pearson(p, n, self.tail),
            "jeffreys" => jeffreys(p, n, self.tail),
            "agresti-coull" => agresti_coull(p, n, self.quantile),
            "wald" => {
                let half = self.quantile * libm::sqrt(p * (1.0 - p) / n);
                (p - half, p + half)
            }
            _ => {
                let low = binomial_quantile(k, self.n, self.tail);
                let mirrored = binomial_quantile(self.n - k, self.n, self.tail);
                (low as f64 / n, (self.n - mirrored) as f64 / n)
            }
        }
    }
}

/// Two arms: the successes that their printed rates leave, and their printed difference.
pub(super) struct Pair {
    pub(super) trials: (u64, u64),
    pub(super) treatment: Counts,
    pub(super) baseline: Counts,
    pub(super) difference: Option<Printed>,
}

impl Pair {
    pub(super) fn of(
        figure: &Figure<'_>,
        difference: Option<Printed>,
        found: &Tables<'_>,
    ) -> Result<Self, String> {
        let n = needed("n", figure.n, 1, MOST_TRIALS)?;
        let other = match figure.n_baseline {
            None => n,
            some => needed("n_baseline", some, 1, MOST_TRIALS)?,
        };
        let treatment = successes("treatment", n, figure.treatment, figure.successes, found)?;
        let baseline =
            successes("baseline", other, figure.baseline, figure.successes_baseline, found)?;
        Ok(Self { trials: (n, other), treatment, baseline, difference })
    }

    /// Successes of the baseline beside so many of the treatment.
    pub(super) fn beside(&self, treatment: u64, found: &Tables<'_>) -> Result<Counts, String> {
        let Some(difference) = self.difference else { return Ok(self.baseline.clone()) };
        let (n, other) = (i128::from(self.trials.0), i128::from(self.trials.1));
        // Of less baseline comes more difference.
        let place = |misses: i128| {
            let hits = other - misses;
            let over = i128::from(treatment) * other - hits * n;
            difference.place_ratio(over, n * other, found.plan.rounding)
        };
        let misses = |hits: u64| other - i128::from(hits);
        let all = misses(self.baseline.end) + 1..misses(self.baseline.start) + 1;
        let range = within(all, place)?;
        unsigned(other - range.end + 1..other - range.start + 1)
    }

    fn size(&self) -> u64 {
        length(&self.treatment).saturating_mul(length(&self.baseline))
    }
}

/// The printed difference beside another figure.
pub(super) fn printed_difference(figure: &Figure<'_>) -> Result<Option<Printed>, String> {
    figure.difference.map(|text| share("difference", text)).transpose()
}

pub(super) fn difference(figure: &Figure<'_>, found: &mut Tables<'_>) -> Searched {
    methods(figure, &["difference"])?;
    let printed = share("printed", figure.printed)?;
    let arms = Pair::of(figure, Some(printed), found)?;
    let (n, other) = arms.trials;
    let all = |counts: &Counts, n: u64| *counts == (0..n + 1);
    if n == other && (all(&arms.treatment, n) || all(&arms.baseline, n)) {
        return plain_difference(&printed, &arms, found);
    }
    if length(&arms.treatment) > MOST_TABLES {
        return Err("too many tables to search; print the rates of both arms".to_owned());
    }
    for k in arms.treatment.clone() {
        let beside = arms.beside(k, found)?;
        let more = length(&beside);
        let before = found.finding.n_tables;
        for j in beside.take(found.plan.max_tables) {
            found.add(&["difference"], |method| Table {
                method,
                cells: Cells::Arms(k, j),
                value: k as f64 / n as f64 - j as f64 / other as f64,
                limits: None,
                sd: None,
            });
        }
        found.finding.n_tables = before + more;
    }
    Ok(())
}

/// Arms of one size of which not both rates are known: the difference of successes.
fn plain_difference(printed: &Printed, arms: &Pair, found: &mut Tables<'_>) -> Searched {
    let n = i128::from(arms.trials.0);
    let first = i128::from(arms.treatment.start) - i128::from(arms.baseline.end) + 1;
    let end = i128::from(arms.treatment.end) - i128::from(arms.baseline.start);
    let range = within(first..end, |d| printed.place_ratio(d, n, found.plan.rounding))?;
    let count = unsigned(0..range.end - range.start)?;
    for d in range.take(found.plan.max_tables) {
        let d = i64::try_from(d).map_err(|error| error.to_string())?;
        found.add(&["difference"], |method| Table {
            method,
            cells: Cells::Difference(d),
            value: d as f64 / n as f64,
            limits: None,
            sd: None,
        });
    }
    found.finding.n_tables = length(&count);
    Ok(())
}

pub(super) fn p_value(
    figure: &Figure<'_>,
    printed: &Printed,
    asked: &[&'static str],
    found: &mut Tables<'_>,
) -> Searched {
    let arms = Pair::of(figure, printed_difference(figure)?, found)?;
    let (size, shorter) = (arms.size(), arms.trials.0.min(arms.trials.1));
    let margins = length(&arms.treatment).saturating_add(length(&arms.baseline));
    let few = size <= FEW_TABLES;
    if size > MOST_TABLES || !few && margins.saturating_mul(shorter) > MOST_IN_MARGINS {
        return Err(format!(
            "{size} tables of two arms would have to be tried; print their rates or successes"
        ));
    }
    let fisher = asked.contains(&"fisher-exact");
    let mut margins = Margins { arms: &arms, few, total: None, p: Vec::new() };
    if size == 0 {
        return Ok(());
    }
    // Along tables of one margin, so that their probabilities are found together.
    let Counts { start, end } = arms.baseline;
    for total in arms.treatment.start + start..arms.treatment.end + end - 1 {
        let first = (total + 1).saturating_sub(end).max(arms.treatment.start);
        for k in first..(total + 1 - start).min(arms.treatment.end) {
            let j = total - k;
            if !arms.allows(k, j, found) {
                continue;
            }
            let exact = if fisher { margins.fisher(k, j) } else { 1.0 };
            let value = |method: &str| match method {
                "fisher-exact" => exact,
                _ => chi_square(arms.trials, (k, j), method == "chi-square-corrected"),
            };
            let ways: Vec<&'static str> = asked
                .iter()
                .filter(|method| printed.gives(value(method), found.plan.rounding))
                .copied()
                .collect();
            found.add(&ways, |method| Table {
                method,
                cells: Cells::Arms(k, j),
                value: value(method),
                limits: None,
                sd: None,
            });
        }
    }
    Ok(())
}

impl Pair {
    fn allows(&self, k: u64, j: u64, found: &Tables<'_>) -> bool {
        let (n, other) = (i128::from(self.trials.0), i128::from(self.trials.1));
        let over = i128::from(k) * other - i128::from(j) * n;
        let place = |printed: &Printed| printed.place_ratio(over, n * other, found.plan.rounding);
        self.difference.as_ref().is_none_or(|printed| place(printed) == Some(Ordering::Equal))
    }
}

/// Fisher's test along the tables of one margin after the other.
struct Margins<'a> {
    arms: &'a Pair,
    few: bool,
    total: Option<u64>,
    p: Vec<f64>,
}

impl Margins<'_> {
    fn fisher(&mut self, k: u64, j: u64) -> f64 {
        let (n, other) = self.arms.trials;
        if self.few {
            let table = [[k, n - k], [j, other - j]];
            return libm::exp(fisher::ln_p_value(table, Alternative::TwoSided));
        }
        if self.total != Some(k + j) {
            self.total = Some(k + j);
            self.p = fisher::of_margin(n, other, k + j);
        }
        let first = (k + j).saturating_sub(other);
        usize::try_from(k - first).ok().and_then(|place| self.p.get(place)).copied().unwrap_or(1.0)
    }
}

/// Pearson's test of two rates, with Yates' correction where asked. Arms that succeed always or
/// never say nothing: p = 1.
fn chi_square((n, other): (u64, u64), (k, j): (u64, u64), corrected: bool) -> f64 {
    let [n, other, k, j] = [n, other, k, j].map(|count| count as f64);
    let margins = n * other * (k + j) * (n + other - k - j);
    let cross = (k * (other - j) - j * (n - k)).abs();
    let cross = if corrected { (cross - f64::midpoint(n, other)).max(0.0) } else { cross };
    if margins == 0.0 {
        return 1.0;
    }
    // The root of chi-square over two.
    libm::erfc(cross * libm::sqrt((n + other) / (2.0 * margins)))
}
