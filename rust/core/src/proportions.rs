//! Two rates of the same pairs: their difference, their ratio and their odds ratio, each with
//! intervals, from the four counts of independent pairs.

use std::cmp::Ordering;

use crate::distributions::{
    beta_ln_odds_quantile, binomial_ln_lower_tail, binomial_ln_pmf, normal_quantile,
};
use crate::intervals::{around, newcombe_phi, ratio_limits, square_and_add, wilson};
use crate::plan::{NO_PAIRS, named};

/// Pairs by the outcomes of their two trials.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PairTable {
    /// Both succeed.
    pub both: u64,
    /// Only the first arm's succeeds.
    pub first_only: u64,
    /// Only the second arm's succeeds.
    pub second_only: u64,
    /// Neither succeeds.
    pub neither: u64,
}

/// What two columns of outcomes hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Pairs with both outcomes, each 0 or 1.
    pub table: PairTable,
    /// Pairs with an outcome that is null or NaN, and the other so or 0 or 1.
    pub missing: u64,
    /// Pairs with an outcome that is anything else.
    pub invalid: u64,
}

impl Tally {
    /// Counts pairs of outcomes.
    #[must_use]
    pub fn of(pairs: impl IntoIterator<Item = (Option<f64>, Option<f64>)>) -> Self {
        let mut counts = [[0_u64; 4]; 4];
        for (first, second) in pairs {
            counts[kind(first)][kind(second)] += 1;
        }
        let [[neither, second_only, none_miss, _], [first_only, both, none_hit, _], none, _] =
            counts;
        let missing = none_miss + none_hit + none[0] + none[1] + none[2];
        let table = PairTable { both, first_only, second_only, neither };
        let all: u64 = counts.as_flattened().iter().sum();
        Self { table, missing, invalid: all - missing - table.pairs() }
    }

    /// Counts pairs of Boolean outcomes, 64 at a time: bits of the pairs that have both outcomes,
    /// and of the outcomes themselves, which are 0 beyond the last of `pairs`.
    #[must_use]
    pub fn of_bits(pairs: u64, words: impl IntoIterator<Item = [u64; 3]>) -> Self {
        let (mut both, mut of_first, mut of_second, mut lost) = (0, 0, 0, 0);
        let mut left = pairs;
        for [valid, first, second] in words {
            let (first, second) = (first & valid, second & valid);
            both += u64::from((first & second).count_ones());
            of_first += u64::from(first.count_ones());
            of_second += u64::from(second.count_ones());
            let rows = left.min(64);
            if valid != u64::MAX {
                lost += rows - u64::from((valid & low_bits(rows)).count_ones());
            }
            left -= rows;
        }
        let (first_only, second_only) = (of_first - both, of_second - both);
        let neither = (pairs - lost).saturating_sub(both + first_only + second_only);
        let table = PairTable { both, first_only, second_only, neither };
        Self { table, missing: lost, invalid: 0 }
    }
}

/// The lowest `count` bits, of at most 64.
fn low_bits(count: u64) -> u64 {
    if count < 64 { (1 << count) - 1 } else { u64::MAX }
}

/// An outcome as an index: 0, 1, missing, invalid.
fn kind(outcome: Option<f64>) -> usize {
    match outcome {
        Some(0.0) => 0,
        Some(1.0) => 1,
        Some(value) if !value.is_nan() => 3,
        _ => 2,
    }
}

/// How the interval of the difference is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DifferenceInterval {
    /// Square-and-add of Wilson's intervals, Newcombe's method 10.
    Newcombe,
    /// Differences that the score test does not reject.
    Tango,
    /// Wald's interval with one pair more of each discordant kind.
    BonettPrice,
}

/// How the interval of the ratio is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RatioInterval {
    /// Square-and-add of Wilson's intervals.
    SquareAndAdd,
    /// Ratios that the score test does not reject.
    Score,
    /// Wilson's intervals of both rates, at a level that makes their combination right.
    BonettPrice,
}

/// How the interval of the conditional odds ratio is made: from one of the share that the first
/// arm has of the discordant pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OddsRatioInterval {
    /// Clopper and Pearson's, which never covers less than its level.
    ClopperPearson,
    /// The same with half the chance of what was observed.
    MidP,
    /// Wilson's.
    Wilson,
}

named!(DifferenceInterval {
    Newcombe => "newcombe",
    Tango => "tango",
    BonettPrice => "bonett-price",
});
named!(RatioInterval {
    SquareAndAdd => "square-and-add",
    Score => "score",
    BonettPrice => "bonett-price",
});
named!(OddsRatioInterval {
    ClopperPearson => "clopper-pearson",
    MidP => "mid-p",
    Wilson => "wilson",
});

/// An effect with its limits, and why any of the three is missing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effect {
    /// The estimate.
    pub estimate: Option<f64>,
    /// Lower limit.
    pub low: Option<f64>,
    /// Upper limit.
    pub high: Option<f64>,
    /// Why something is missing.
    pub reason: Option<&'static str>,
}

impl Effect {
    pub(crate) fn missing(reason: &'static str) -> Self {
        Self { estimate: None, low: None, high: None, reason: Some(reason) }
    }

    /// A ratio above a denominator that may be nothing: then there is no upper limit, and no
    /// estimate.
    pub(crate) fn ratio(
        estimate: f64,
        (low, high): (f64, Option<f64>),
        reason: &'static str,
    ) -> Self {
        let estimate = Some(estimate).filter(|estimate| estimate.is_finite());
        let missing = estimate.is_none() || high.is_none();
        Self { estimate, low: Some(low), high, reason: missing.then_some(reason) }
    }
}

/// Reason of a ratio to a rate of which no success was seen.
pub const NO_SUCCESS: &str = "the baseline never succeeds";
/// Reason of an odds ratio without any discordant pair.
pub const NO_DISCORDANT: &str = "no discordant pairs";
/// Reason of an odds ratio without an upper limit.
pub const NONE_AGAINST: &str = "no pair in which only the baseline succeeds";

impl PairTable {
    /// Number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.both + self.first_only + self.second_only + self.neither
    }

    /// Successes of the first and of the second arm.
    fn successes(&self) -> (f64, f64) {
        ((self.both + self.first_only) as f64, (self.both + self.second_only) as f64)
    }

    /// The arms the other way round.
    fn swapped(self) -> Self {
        Self { first_only: self.second_only, second_only: self.first_only, ..self }
    }

    /// Both rates with Wilson's limits.
    pub(crate) fn rates(&self, quantile: f64) -> [(f64, (f64, f64)); 2] {
        let (n, (first, second)) = (self.pairs() as f64, self.successes());
        [first, second].map(|hits| (hits / n, wilson(hits / n, n, quantile)))
    }

    pub(crate) fn phi(&self) -> f64 {
        newcombe_phi(self.both, self.first_only, self.second_only, self.neither)
    }

    /// Difference of the rates, first minus second.
    #[must_use]
    pub fn difference(&self, method: DifferenceInterval, tail: f64) -> Effect {
        let n = self.pairs();
        if n == 0 {
            return Effect::missing(NO_PAIRS);
        }
        let quantile = -normal_quantile(tail);
        let (low, high) = match method {
            DifferenceInterval::Newcombe => newcombe(self, quantile),
            DifferenceInterval::Tango => {
                tango(n as f64, (self.first_only as f64, self.second_only as f64), quantile)
            }
            DifferenceInterval::BonettPrice => bonett_price(self, quantile),
        };
        let (first, second) = (self.first_only as f64, self.second_only as f64);
        let estimate = Some((first - second) / n as f64);
        Effect { estimate, low: Some(low), high: Some(high), reason: None }
    }

    /// Ratio of the rates, first over second.
    #[must_use]
    pub fn ratio(&self, method: RatioInterval, tail: f64) -> Effect {
        if self.pairs() == 0 {
            return Effect::missing(NO_PAIRS);
        }
        let (first, second) = self.successes();
        if first + second <= 0.0 {
            return Effect::missing(NO_SUCCESS);
        }
        let quantile = -normal_quantile(tail);
        let limits = match method {
            RatioInterval::SquareAndAdd => {
                let [p, q] = self.rates(quantile);
                ratio_limits(p, q, self.phi())
            }
            RatioInterval::Score => {
                let high = score_ratio_low(&self.swapped(), quantile);
                (score_ratio_low(self, quantile), (high > 0.0).then(|| 1.0 / high))
            }
            RatioInterval::BonettPrice => {
                let high = bonett_price_ratio_low(&self.swapped(), quantile);
                (bonett_price_ratio_low(self, quantile), (high > 0.0).then(|| 1.0 / high))
            }
        };
        Effect::ratio(first / second, limits, NO_SUCCESS)
    }

    /// Odds ratio given the pair: discordant pairs for the first arm over those for the second.
    #[must_use]
    pub fn odds_ratio(&self, method: OddsRatioInterval, tail: f64) -> Effect {
        if self.pairs() == 0 {
            return Effect::missing(NO_PAIRS);
        }
        let (b, c) = (self.first_only, self.second_only);
        if b + c == 0 {
            return Effect::missing(NO_DISCORDANT);
        }
        let low = |b: u64, c: u64| {
            let (hits, misses) = (b as f64, c as f64);
            match method {
                _ if b == 0 => 0.0,
                OddsRatioInterval::ClopperPearson => {
                    libm::exp(beta_ln_odds_quantile(tail, hits, misses + 1.0))
                }
                OddsRatioInterval::MidP => mid_p_odds_low(b, c, tail),
                OddsRatioInterval::Wilson => wilson_odds_low(hits, misses, -normal_quantile(tail)),
            }
        };
        let high = low(c, b);
        let limits = (low(b, c), (high > 0.0).then(|| 1.0 / high));
        Effect::ratio(b as f64 / c as f64, limits, NONE_AGAINST)
    }
}

/// Newcombe's square-and-add interval for independent pairs, his method 10.
pub(crate) fn newcombe(table: &PairTable, quantile: f64) -> (f64, f64) {
    let [p, q] = table.rates(quantile);
    square_and_add(p, q, table.phi())
}

/// Tango (1998), Statistics in Medicine 17:891: the differences whose score statistic is within
/// the quantile, from `n` pairs of which so many are discordant for each arm. They may be
/// fractions: an effective number.
pub(crate) fn tango(n: f64, (first, second): (f64, f64), quantile: f64) -> (f64, f64) {
    (tango_low(n, (first, second), quantile), -tango_low(n, (second, first), quantile))
}

/// The smallest of them. The variance under a difference comes from the likeliest table that has
/// it, which is the root of a quadratic.
fn tango_low(n: f64, (b, c): (f64, f64), quantile: f64) -> f64 {
    let excess = |difference: f64| {
        // With n times the chance of a pair for the second arm alone, at the likeliest table.
        let linear = (2.0 * n - b + c) * difference - b - c;
        let constant = -c * n * difference * (1.0 - difference);
        let share = larger_root(2.0, linear, constant);
        let variance = 2.0 * share + n * difference * (1.0 - difference);
        b - c - n * difference - quantile * libm::sqrt(variance.max(0.0))
    };
    falling_root((-1.0, (b - c) / n), excess)
}

/// Bonett and Price (2012), doi:10.3102/1076998611411915.
fn bonett_price(table: &PairTable, quantile: f64) -> (f64, f64) {
    let more = table.pairs() as f64 + 2.0;
    let first = (table.first_only as f64 + 1.0) / more;
    let second = (table.second_only as f64 + 1.0) / more;
    let difference = first - second;
    let variance = (first + second - difference * difference) / more;
    around(difference, quantile * libm::sqrt(variance), (-1.0, 1.0))
}

/// Nam and Blackwelder (2002), Statistics in Medicine 21:689, and Tang, Tang and Chan (2003), the
/// same 22:1217: the smallest ratio whose score statistic is within the quantile.
fn score_ratio_low(table: &PairTable, quantile: f64) -> f64 {
    let (a, b, c) = (table.both as f64, table.first_only as f64, table.second_only as f64);
    let some = a + b + c;
    let excess = |odds: f64| {
        // From odds of 0 to 1, which have a middle where ratios have none.
        let ratio = odds / (1.0 - odds);
        // The likeliest number of pairs for the second arm alone, given that ratio.
        let linear = (a + c) * ratio * ratio - (a + b + 2.0 * c);
        let share = larger_root(1.0 + ratio, linear, c * some * (1.0 - ratio));
        let variance = (1.0 + ratio) * share - some * (1.0 - ratio);
        (a + b) - ratio * (a + c) - quantile * libm::sqrt(variance.max(0.0))
    };
    if a + b <= 0.0 {
        return 0.0;
    }
    let odds = falling_root((0.0, (a + b) / (a + b + a + c)), excess);
    odds / (1.0 - odds)
}

/// Bonett and Price (2006), Statistics in Medicine 25:3039: Wilson's limits of both rates among
/// pairs with any success, at a quantile that makes up for taking the worse of both.
fn bonett_price_ratio_low(table: &PairTable, quantile: f64) -> f64 {
    let some = (table.both + table.first_only + table.second_only) as f64;
    let discordant = (table.first_only + table.second_only) as f64;
    let (first, second) = table.successes();
    let rate = |hits: f64| (hits + 1.0) / (some + 2.0);
    let spread = |hits: f64| libm::sqrt((1.0 - rate(hits)) / (hits + 1.0));
    let both = libm::sqrt((discordant + 2.0) / ((first + 1.0) * (second + 1.0)));
    let quantile = quantile * both / (spread(first) + spread(second));
    wilson(first / some, some, quantile).0 / wilson(second / some, some, quantile).1
}

/// The odds below which `hits` or more against `misses` have half the chance of exactly that less
/// than `tail`.
fn mid_p_odds_low(hits: u64, misses: u64, tail: f64) -> f64 {
    let n = hits + misses;
    let excess = |share: f64| {
        // Misses or fewer, at the chance of a miss.
        let below = libm::exp(binomial_ln_lower_tail(misses, n, 1.0 - share));
        tail - (below - 0.5 * libm::exp(binomial_ln_pmf(misses, n, 1.0 - share)))
    };
    let share = falling_root((0.0, 1.0), excess);
    share / (1.0 - share)
}

/// Wilson's lower limit as odds: the smaller root of (hits - odds misses)² = quantile² odds n.
fn wilson_odds_low(hits: f64, misses: f64, quantile: f64) -> f64 {
    let n = hits + misses;
    let middle = 2.0 * hits * misses + quantile * quantile * n;
    let root = middle * middle - 4.0 * hits * hits * misses * misses;
    2.0 * hits * hits / (middle + libm::sqrt(root.max(0.0)))
}

/// Wilson's limits as odds, the numbers of hits and misses being fractions where they are effective
/// ones. Without a miss there is no upper limit.
pub(crate) fn wilson_odds((hits, misses): (f64, f64), quantile: f64) -> (f64, Option<f64>) {
    let high = wilson_odds_low(misses, hits, quantile);
    (wilson_odds_low(hits, misses, quantile), (high > 0.0).then(|| 1.0 / high))
}

/// The larger root of a x² + b x + c for a > 0, without cancellation.
fn larger_root(a: f64, b: f64, c: f64) -> f64 {
    let root = libm::sqrt((b * b - 4.0 * a * c).max(0.0));
    if b > 0.0 { -2.0 * c / (b + root) } else { (root - b) / (2.0 * a) }
}

/// Where a function that is not negative at first turns negative: by bisection, down to
/// neighbouring numbers.
pub(crate) fn falling_root((mut low, mut high): (f64, f64), value: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..1100 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        match value(middle).partial_cmp(&0.0) {
            Some(Ordering::Greater) => low = middle,
            Some(Ordering::Equal) => return middle,
            _ => high = middle,
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAVO: PairTable = PairTable { both: 59, first_only: 6, second_only: 16, neither: 80 };
    const EZRA: PairTable = PairTable { both: 29, first_only: 25, second_only: 2, neither: 0 };

    fn near(effect: Effect, low: f64, high: f64) {
        let (found_low, found_high) = (effect.low.unwrap(), effect.high.unwrap());
        let digits = |limit: f64| 5e-5_f64.max(limit * 1e-6);
        assert!((found_low - low).abs() <= digits(low), "{found_low} is not {low}");
        assert!((found_high - high).abs() <= digits(high), "{found_high} is not {high}");
    }

    #[test]
    fn bits_are_counted_as_outcomes_are() {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state ^ (state >> 29)
        };
        for pairs in [0_u64, 1, 63, 64, 65, 511, 512, 513, 1000, 5000] {
            for nulls in [false, true] {
                let words: Vec<[u64; 3]> = (0..pairs.div_ceil(64))
                    .map(|word| {
                        let some = low_bits((pairs - 64 * word).min(64));
                        let valid = if nulls { next() | next() } else { u64::MAX };
                        [valid, next() & some, next() & some]
                    })
                    .collect();
                let outcomes = (0..pairs).map(|row| {
                    let [valid, first, second] = words[usize::try_from(row / 64).unwrap()];
                    let set = |word: u64| word >> (row % 64) & 1 == 1;
                    let (bit, here) = (|word| f64::from(u8::from(set(word))), set(valid));
                    (here.then(|| bit(first)), here.then(|| bit(second)))
                });
                assert_eq!(Tally::of_bits(pairs, words.iter().copied()), Tally::of(outcomes));
            }
        }
    }

    #[test]
    fn matches_printed_intervals() {
        // Fagerland, Lydersen and Laake (2017), "Statistical Analysis of Contingency Tables",
        // chapter 8: complete response before and after consolidation therapy.
        near(CAVO.difference(DifferenceInterval::Newcombe, 0.025), -0.1186, -0.0046);
        near(CAVO.difference(DifferenceInterval::Tango, 0.025), -0.1240, -0.0054);
        near(CAVO.difference(DifferenceInterval::BonettPrice, 0.025), -0.1195, -0.0032);
        near(CAVO.ratio(RatioInterval::Score, 0.025), 0.7476, 0.9876);
        near(CAVO.ratio(RatioInterval::BonettPrice, 0.025), 0.7579, 0.9910);
        // Printed with phi as it is; the default's is the corrected one, and so it is wider.
        let [p, q] = CAVO.rates(1.959_963_984_540_054_2);
        let phi = (59.0 * 80.0 - 6.0 * 16.0) / libm::sqrt(65.0 * 96.0 * 75.0 * 86.0);
        let (low, high) = ratio_limits(p, q, phi);
        near(Effect::ratio(65.0 / 75.0, (low, high), NO_SUCCESS), 0.7592, 0.9866);
        near(CAVO.ratio(RatioInterval::SquareAndAdd, 0.025), 0.7570, 0.9895);
        near(CAVO.odds_ratio(OddsRatioInterval::Wilson, 0.025), 0.1514, 0.9287);
        near(EZRA.odds_ratio(OddsRatioInterval::ClopperPearson, 0.025), 3.1169, 108.8892);
        near(EZRA.odds_ratio(OddsRatioInterval::MidP, 0.025), 3.4681, 78.2972);
    }

    #[test]
    fn swapping_arms_mirrors_and_inverts() {
        for table in [CAVO, EZRA, PairTable { both: 0, first_only: 3, second_only: 1, neither: 9 }]
        {
            let other = table.swapped();
            for method in DifferenceInterval::NAMES {
                let method = DifferenceInterval::parse(method).unwrap();
                let (a, b) = (table.difference(method, 0.025), other.difference(method, 0.025));
                assert!((a.low.unwrap() + b.high.unwrap()).abs() < 1e-14);
            }
            for method in RatioInterval::NAMES {
                let method = RatioInterval::parse(method).unwrap();
                let (a, b) = (table.ratio(method, 0.025), other.ratio(method, 0.025));
                assert!((a.low.unwrap() * b.high.unwrap() - 1.0).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn degenerate_tables_have_limits_or_reasons() {
        let same = PairTable { both: 4, first_only: 0, second_only: 0, neither: 0 };
        // One of n differs at most: z² / (n + z²).
        let bound = 3.841_458_820_694_124 / (4.0 + 3.841_458_820_694_124);
        near(same.difference(DifferenceInterval::Tango, 0.025), -bound, bound);
        assert_eq!(same.odds_ratio(OddsRatioInterval::MidP, 0.025), Effect::missing(NO_DISCORDANT));
        let none = PairTable::default();
        for effect in [
            none.difference(DifferenceInterval::Newcombe, 0.025),
            none.ratio(RatioInterval::Score, 0.025),
            none.odds_ratio(OddsRatioInterval::Wilson, 0.025),
        ] {
            assert_eq!(effect, Effect::missing(NO_PAIRS));
        }
        let all = PairTable { first_only: 6, ..none };
        for method in RatioInterval::NAMES {
            let effect = all.ratio(RatioInterval::parse(method).unwrap(), 0.025);
            assert_eq!(
                (effect.estimate, effect.high, effect.reason),
                (None, None, Some(NO_SUCCESS))
            );
            assert!(effect.low.unwrap() > 0.0);
        }
    }
}
