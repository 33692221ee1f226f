//! Intervals in closed form.

use crate::distributions::{beta_quantile, normal_quantile, student_t_upper_quantile};

/// Wilson's score interval for `p` observed in `n` trials, at the given normal (or t) quantile.
///
/// Wilson (1927), doi:10.1080/01621459.1927.10502953. `n` may be fractional: an effective
/// sample size.
#[must_use]
pub fn wilson(p: f64, n: f64, quantile: f64) -> (f64, f64) {
    let w = quantile * quantile / n;
    let centre = p + w / 2.0;
    let half = libm::sqrt(w * p * (1.0 - p) + w * w / 4.0);
    // At an edge the limit is the edge itself; rounding must not move it.
    let low = if p <= 0.0 { 0.0 } else { ((centre - half) / (1.0 + w)).max(0.0) };
    let high = if p >= 1.0 { 1.0 } else { ((centre + half) / (1.0 + w)).min(1.0) };
    (low, high)
}

/// Clopper and Pearson's interval for `p` observed in `n` trials, which may be fractional.
///
/// Clopper and Pearson (1934), doi:10.1093/biomet/26.4.404; on an effective sample size Korn
/// and Graubard (1998), Survey Methodology 24:193.
#[must_use]
pub fn clopper_pearson(p: f64, n: f64, tail: f64) -> (f64, f64) {
    let (hits, misses) = (p * n, (1.0 - p) * n);
    beta_limits((hits, misses + 1.0), (hits + 1.0, misses), tail, p)
}

/// Equal-tailed interval of the posterior from Jeffreys' prior, with the edge itself where `p`
/// is 0 or 1: Brown, Cai and `DasGupta` (2001), doi:10.1214/ss/1009213286.
#[must_use]
pub fn jeffreys(p: f64, n: f64, tail: f64) -> (f64, f64) {
    let shapes = (p * n + 0.5, (1.0 - p) * n + 0.5);
    beta_limits(shapes, shapes, tail, p)
}

fn beta_limits(low: (f64, f64), high: (f64, f64), tail: f64, p: f64) -> (f64, f64) {
    (
        if p <= 0.0 { 0.0 } else { beta_quantile(tail, low.0, low.1) },
        if p >= 1.0 { 1.0 } else { 1.0 - beta_quantile(tail, high.1, high.0) },
    )
}

/// Agresti and Coull (1998), doi:10.2307/2685469: Wald's interval about Wilson's centre.
#[must_use]
pub fn agresti_coull(p: f64, n: f64, quantile: f64) -> (f64, f64) {
    let more = n + quantile * quantile;
    let centre = (p * n + quantile * quantile / 2.0) / more;
    around(centre, quantile * libm::sqrt(centre * (1.0 - centre) / more), (0.0, 1.0))
}

/// An estimate and what is added and taken off, within bounds.
#[must_use]
pub fn around(estimate: f64, half: f64, bounds: (f64, f64)) -> (f64, f64) {
    ((estimate - half).max(bounds.0), (estimate + half).min(bounds.1))
}

/// Sums over the clusters of one arm: enough for its rate and the variance of that rate.
///
/// Integers, so that they do not depend on the order of clusters or threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Moments {
    /// Number of clusters.
    pub clusters: u64,
    /// Number of trials.
    pub trials: u64,
    /// Number of successes.
    pub successes: u64,
    /// Sum over clusters of successes squared.
    pub success_squares: u128,
    /// Sum over clusters of successes times trials.
    pub cross: u128,
    /// Sum over clusters of trials squared.
    pub trial_squares: u128,
}

impl Moments {
    /// Takes in one cluster.
    pub fn add(&mut self, successes: u64, trials: u64) {
        let (s, c) = (u128::from(successes), u128::from(trials));
        self.clusters += 1;
        self.trials += trials;
        self.successes += successes;
        self.success_squares += s * s;
        self.cross += s * c;
        self.trial_squares += c * c;
    }

    /// Successes per trial.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.successes as f64 / self.trials as f64
    }

    /// Sum of squared cluster residuals, successes minus rate times trials.
    #[must_use]
    pub fn residual_squares(&self) -> f64 {
        residual_products(
            (self.successes, self.successes),
            self.trials,
            self.success_squares,
            (self.cross, self.cross),
            self.trial_squares,
        )
    }

    /// Number of equal clusters that would weigh as these do: Kish's effective size, n² over
    /// the sum of squared cluster sizes.
    #[must_use]
    pub fn equal_clusters(&self) -> f64 {
        let n = self.trials as f64;
        n * n / self.trial_squares as f64
    }

    /// Degrees of freedom of Student's t: equal clusters - 1, and at least one.
    #[must_use]
    pub fn degrees(&self) -> f64 {
        (self.equal_clusters() - 1.0).max(1.0)
    }

    /// What these clusters, given again as (successes, trials), are worth: see [`Worth`].
    /// Needs two clusters; none may be empty.
    #[must_use]
    pub fn worth(&self, clusters: impl Iterator<Item = (u64, u64)> + Clone) -> Worth {
        let holding = |wanted: fn(u64, u64) -> bool| -> u64 {
            clusters.clone().filter(|c| wanted(c.0, c.1)).map(|c| c.1).sum()
        };
        let rarer = holding(|hits, _| hits > 0).min(holding(|hits, trials| hits < trials));
        let values = clusters.map(|(successes, trials)| (successes.cast_signed(), trials));
        let spread = Spread::of(values, (self.successes.cast_signed(), self.trials));
        let rarer = (rarer, self.trials);
        let spread = spread.map(|spread| spread.shown_by(rarer, self.equal_clusters(), 2.0));
        let p = self.rate();
        Worth::of(p * (1.0 - p), spread, self.trials as f64, self.equal_clusters())
    }
}

/// How the clusters of a ratio scatter about it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Spread {
    /// Cluster-robust variance of the ratio: CR2, see [`Worth`].
    pub(crate) variance: f64,
    /// How many clusters it is known from: the sum of squared residuals, squared, over the sum
    /// of their fourth powers.
    pub(crate) speaking: f64,
}

impl Spread {
    /// From clusters as (value, trials) and their sums; nothing where no residual differs from
    /// zero. Needs two clusters; none may be empty.
    pub(crate) fn of(
        clusters: impl Iterator<Item = (i64, u64)> + Clone,
        (value, trials): (i64, u64),
    ) -> Option<Self> {
        let n = trials as f64;
        // Value minus ratio times trials; the difference is exact before it is divided.
        let residual = move |(v, c): (i64, u64)| {
            let expected = i128::from(value) * i128::from(c);
            float((i128::from(v) * i128::from(trials)).abs_diff(expected)) / n
        };
        Self::of_residuals(clusters.map(move |c| (residual(c), c.1 as f64 / n, 1)), n)
    }

    /// Where the clusters that hold an outcome of the rarer kind have only so many of all trials,
    /// and clusters are worth `equal` of one size: the variance is known from no more than so
    /// many `times` the clusters that those trials are worth.
    pub(crate) fn shown_by(self, (rarer, trials): (u64, u64), equal: f64, times: f64) -> Self {
        let most = times * equal * (rarer as f64 / trials as f64);
        Self { speaking: self.speaking.min(most), ..self }
    }

    /// From clusters as (residual, share of the whole, how many there are of the kind), where
    /// the estimate is off by the sum of residuals over `n`. Needs two clusters, none the whole.
    pub(crate) fn of_residuals(
        clusters: impl Iterator<Item = (f64, f64, u64)> + Clone,
        n: f64,
    ) -> Option<Self> {
        let largest = clusters.clone().map(|c| c.0.abs()).fold(0.0, f64::max);
        if largest <= 0.0 {
            return None;
        }
        let (mut squares, mut fourths, mut corrected) = (Sum(0), Sum(0), Sum(0));
        for (residual, share, times) in clusters {
            let relative = residual / largest;
            let square = relative * relative;
            squares.add(square, times);
            fourths.add(square * square, times);
            corrected.add(square / (1.0 - share), times);
        }
        Some(Self {
            variance: corrected.value() * largest * largest / (n * n),
            speaking: squares.value() * squares.value() / fourths.value(),
        })
    }
}

/// How many independent trials the trials of an arm are worth for its rate.
///
/// The measured effective size is p (1 - p) over the cluster-robust variance of p, at most the
/// number of trials. The variance is CR2 of Bell and `McCaffrey` (2002), Survey Methodology
/// 28:169: each squared residual over one minus the cluster's share of the trials; with equal
/// clusters that is the usual factor K / (K - 1).
///
/// A variance is known only as well as clusters speak for it. Of residuals r, the sum of r²
/// squared over the sum of r⁴ says how many do; with few the measured size is too large more
/// often than not, because rare events miss the clusters that hold many. So its inverse is
/// averaged with the inverse of the size under full dependence, the number of equal clusters,
/// at a weight of 1 / (1 + speaking² / 6): chosen by simulation, the least that covers with
/// large, unequal and strongly dependent clusters. Without any variance the latter is all
/// there is. Where small clusters alone hold the rarer outcomes, they say little of the large ones
/// that the rate stands on: see [`Spread::shown_by`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Worth {
    /// Effective sample size.
    pub size: f64,
    /// Degrees of freedom, see [`Moments::degrees`].
    pub degrees: f64,
    /// Cluster-robust variance of the rate.
    pub variance: f64,
}

impl Worth {
    /// Of the mean of at most `n` independent trials of that variance `each`, whose clusters are
    /// worth `equal` of one size and scatter as `spread` says, if they do.
    pub(crate) fn of(each: f64, spread: Option<Spread>, n: f64, equal: f64) -> Self {
        let degrees = (equal - 1.0).max(1.0);
        let variance = spread.map_or(0.0, |spread| spread.variance);
        let measured = (each / variance).min(n);
        match spread {
            Some(spread) if measured > 0.0 => {
                let doubt = 1.0 / (1.0 + spread.speaking * spread.speaking / 6.0);
                let size = 1.0 / ((1.0 - doubt) / measured + doubt / measured.min(equal));
                Self { size, degrees, variance }
            }
            // Nothing differs, or all trials are alike: full dependence is all there is.
            _ => Self { size: equal, degrees, variance },
        }
    }
}

/// A sum of numbers from 0 to 2³¹ that does not depend on their order: in steps of 2⁻⁶⁰.
struct Sum(u128);

impl Sum {
    const STEPS: f64 = (1_u64 << 60) as f64;

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fn add(&mut self, value: f64, times: u64) {
        let steps = value * Self::STEPS;
        // Most values need no more than a register.
        let steps = if steps < NARROW { u128::from(steps as u64) } else { steps as u128 };
        self.0 += steps * u128::from(times);
    }

    fn value(&self) -> f64 {
        self.0 as f64 / Self::STEPS
    }
}

/// The bound of what 64 bits hold.
const NARROW: f64 = (1_u128 << 64) as f64;

/// The nearest float, for what 64 bits hold without the long way of 128.
fn float(value: u128) -> f64 {
    u64::try_from(value).map_or(value as f64, |value| value as f64)
}

/// Sum over clusters of (a - p c)(b - q c), where p and q are the rates of a and b.
///
/// Exact in integers up to two billion trials; multiplied out, the terms cancel.
pub(crate) fn residual_products(
    successes: (u64, u64),
    trials: u64,
    products: u128,
    crosses: (u128, u128),
    trial_squares: u128,
) -> f64 {
    let (n, a, b) = (u128::from(trials), u128::from(successes.0), u128::from(successes.1));
    if trials < 1 << 31 {
        let plus = n * n * products + a * b * trial_squares;
        let minus = n * (b * crosses.0 + a * crosses.1);
        let magnitude = plus.abs_diff(minus) as f64 / (n * n) as f64;
        return if plus < minus { -magnitude } else { magnitude };
    }
    let (p, q) = (a as f64 / n as f64, b as f64 / n as f64);
    products as f64 - q * crosses.0 as f64 - p * crosses.1 as f64 + p * q * trial_squares as f64
}

/// Remembers t quantiles by their degrees of freedom: cells of one call share a few.
#[derive(Clone, Debug)]
pub struct Quantiles {
    tail: f64,
    normal: f64,
    student: Vec<(f64, f64)>,
}

impl Quantiles {
    /// Cells whose clusters are all unequal have nothing to share.
    const REMEMBERED: usize = 256;

    /// Quantiles that leave `tail` on each side.
    #[must_use]
    pub fn new(tail: f64) -> Self {
        Self { tail, normal: -normal_quantile(tail), student: Vec::new() }
    }

    /// The normal quantile.
    #[must_use]
    pub fn normal(&self) -> f64 {
        self.normal
    }

    /// The quantile of Student's t.
    pub fn student(&mut self, degrees: f64) -> f64 {
        let place = self.student.binary_search_by(|entry| entry.0.total_cmp(&degrees));
        match place {
            Ok(found) => self.student[found].1,
            Err(place) => {
                let t = student_t_upper_quantile(self.tail, degrees);
                if self.student.len() < Self::REMEMBERED {
                    self.student.insert(place, (degrees, t));
                }
                t
            }
        }
    }

    /// An effective sample size with which the normal quantile does what Student's t does with
    /// the size itself: Korn and Graubard (1998), Survey Methodology 24:193.
    pub fn shrunk(&mut self, worth: Worth) -> f64 {
        let ratio = self.normal / self.student(worth.degrees);
        worth.size * ratio * ratio
    }
}

/// Square-and-add interval for a difference of two correlated rates from their own intervals.
///
/// Zou and Donner (2008), doi:10.1002/sim.3095 (MOVER); Newcombe (1998),
/// `doi:10.1002/(SICI)1097-0258(19981130)17:22<2635::AID-SIM954>3.0.CO;2-C`.
#[must_use]
pub fn square_and_add(
    (p, p_limits): (f64, (f64, f64)),
    (q, q_limits): (f64, (f64, f64)),
    correlation: f64,
) -> (f64, f64) {
    let (p_down, p_up) = (p - p_limits.0, p_limits.1 - p);
    let (q_down, q_up) = (q - q_limits.0, q_limits.1 - q);
    // a² - 2rab + b², without the cancellation at r near 1.
    let arm = |a: f64, b: f64| {
        libm::sqrt(((a - b) * (a - b) + 2.0 * (1.0 - correlation) * a * b).max(0.0))
    };
    let difference = p - q;
    let low = difference - arm(p_down, q_up);
    let high = difference + arm(p_up, q_down);
    (low.max(-1.0), high.min(1.0))
}

/// Square-and-add interval for a ratio of two correlated rates: the ratios at which the
/// square-and-add interval of numerator minus ratio times denominator holds zero. Without an
/// upper limit where the denominator may be nothing.
///
/// Donner and Zou (2012), Statistical Methods in Medical Research 21:347; Newcombe (2016), the
/// same 25:1774.
#[must_use]
pub fn ratio_limits(
    (p, p_limits): (f64, (f64, f64)),
    (q, q_limits): (f64, (f64, f64)),
    correlation: f64,
) -> (f64, Option<f64>) {
    let (p_down, p_up) = (p - p_limits.0, p_limits.1 - p);
    let (q_down, q_up) = (q - q_limits.0, q_limits.1 - q);
    // Roots of (p - x q)² = p_arm² - 2 r x p_arm q_arm + (x q_arm)².
    let solve = |p_arm: f64, q_arm: f64| {
        let middle = p * q - correlation * p_arm * q_arm;
        let (square, constant) = ((q - q_arm) * (q + q_arm), (p - p_arm) * (p + p_arm));
        (middle + libm::sqrt((middle * middle - square * constant).max(0.0)), square, constant)
    };
    let (root, _, constant) = solve(p_down, q_up);
    let low = if p <= 0.0 || root <= 0.0 { 0.0 } else { (constant / root).max(0.0) };
    let (root, square, _) = solve(p_up, q_down);
    (low, (q_limits.0 > 0.0 && square > 0.0).then(|| root / square))
}

/// Phi coefficient of a paired fourfold table, with Newcombe's continuity correction.
#[must_use]
pub fn newcombe_phi(both: u64, first_only: u64, second_only: u64, neither: u64) -> f64 {
    let [a, b, c, d] = [both, first_only, second_only, neither].map(|count| count as f64);
    let margins = (a + b) * (c + d) * (a + c) * (b + d);
    if margins == 0.0 {
        return 0.0;
    }
    let half = (a + b + c + d) / 2.0;
    let cross = a * d - b * c;
    let corrected = if cross > half { cross - half } else { cross.min(0.0) };
    corrected / libm::sqrt(margins)
}

/// Exact one-sided limits where a rate of 0 or 1 was measured in `units` independent units:
/// the rule of three made exact. The first is a lower limit for 1, the second an upper for 0.
///
/// With clusters the units are clusters: the chance that a cluster shows any event bounds
/// the rate within it, whatever the dependence inside.
#[must_use]
pub fn edge_bounds(
    successes: u64,
    trials: u64,
    units: u64,
    confidence_level: f64,
) -> (Option<f64>, Option<f64>) {
    let log_root = libm::log1p(-confidence_level) / units as f64;
    let low = (trials > 0 && successes == trials).then(|| libm::exp(log_root));
    let high = (trials > 0 && successes == 0).then(|| -libm::expm1(log_root));
    (low, high)
}

/// The rule of three itself, for any level: -log(1 - level) / n, at most 1.
///
/// Hanley and Lippman-Hand (1983), doi:10.1001/jama.1983.03330370053031.
#[must_use]
pub fn rule_of_thumb(units: u64, confidence_level: f64) -> Option<f64> {
    (units > 0).then(|| (-libm::log1p(-confidence_level) / units as f64).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn wilson_matches_printed_value() {
        // 0 of 30 at 95 %: upper limit 0.113513.
        let (low, high) = wilson(0.0, 30.0, 1.959_963_984_540_054_2);
        assert_eq!(low.to_bits(), 0.0_f64.to_bits());
        near(high, 0.113_513, 5e-7);
    }

    #[test]
    fn newcombe_matches_printed_value() {
        // Fagerland, Lydersen and Laake (2014), airway data 1, 1, 7, 12: -0.507 to -0.026.
        let z = 1.959_963_984_540_054_2;
        let (p, q) = (2.0 / 21.0, 8.0 / 21.0);
        let arms = (wilson(p, 21.0, z), wilson(q, 21.0, z));
        let (low, high) = square_and_add((p, arms.0), (q, arms.1), newcombe_phi(1, 1, 7, 12));
        near(low, -0.507, 5e-4);
        near(high, -0.026, 5e-4);
    }

    #[test]
    fn few_speaking_clusters_pull_towards_full_dependence() {
        // One cluster of ten with two successes, nine without: residuals of 1.8 and -0.2, of
        // which about one speaks.
        let mut moments = Moments::default();
        let clusters = || (0..10).map(|i| if i == 0 { (2, 10) } else { (0, 10) });
        clusters().for_each(|(s, c)| moments.add(s, c));
        let squares = 1.8_f64.powi(2) + 9.0 * 0.2_f64.powi(2);
        let speaking = squares * squares / (1.8_f64.powi(4) + 9.0 * 0.2_f64.powi(4));
        let measured = 0.02 * 0.98 / (squares * 10.0 / 9.0 / 1e4);
        let doubt = 1.0 / (1.0 + speaking * speaking / 6.0);
        let size = 1.0 / ((1.0 - doubt) / measured + doubt / 10.0);
        near(moments.worth(clusters()).size, size, 1e-12);
    }

    #[test]
    fn edge_bound_is_the_exact_rule_of_three() {
        let (low, high) = edge_bounds(0, 96, 96, 0.95);
        assert_eq!(low, None);
        near(high.unwrap(), 0.030_72, 5e-6);
        let (low, _) = edge_bounds(96, 96, 96, 0.95);
        near(low.unwrap(), 1.0 - 0.030_72, 5e-6);
        assert_eq!(edge_bounds(1, 96, 96, 0.95), (None, None));
    }

    #[test]
    fn moments_give_the_cluster_robust_variance() {
        // Four clusters of three: 3, 3, 0, 0 successes. CR1 standard error 0.288675.
        let mut moments = Moments::default();
        for s in [3, 3, 0, 0] {
            moments.add(s, 3);
        }
        near(moments.residual_squares(), 9.0, 1e-12);
        // Full dependence would be worth four; the measured three is less, and stays.
        let worth = moments.worth([3, 3, 0, 0].into_iter().map(|s| (s, 3)));
        near(worth.size, 0.25 / (0.288_675 * 0.288_675), 1e-5);
        near(worth.degrees, 3.0, 1e-12);
    }
}
