//! Power, sample size and detectable effect of a study of two arms.

use std::collections::BTreeMap;

use crate::compare::Pairs;
use crate::distributions::{
    binet, binomial_ln_lower_tail, binomial_ln_pmf, deviance, normal_quantile,
    student_t_upper_quantile,
};
use crate::infer::fisher::Alternative;
use crate::plan::{NO_PAIRS, ONE_CLUSTER};
use crate::watch::Watch;

/// What one unit of a study adds, a pair or a trial of each arm.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Outcome {
    /// Numeric scores: standard deviation of a pair's difference, or of a score in an arm.
    Scores {
        /// The standard deviation.
        sd: f64,
    },
    /// Outcomes 0 and 1, by the baseline's rate; for pairs with the correlation of the arms,
    /// held to what the rates allow.
    Rates {
        /// Rate of the baseline.
        baseline: f64,
        /// Correlation of the outcomes of a pair.
        correlation: f64,
    },
    /// Pairs of outcomes 0 and 1, by the share of them that differ, at least that of the effect.
    Discordance {
        /// The share.
        share: f64,
    },
}

/// All that is assumed of a study but its size and effect.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Study {
    /// Whether units are pairs; else each arm has trials of its own.
    pub paired: bool,
    /// What a unit adds.
    pub outcome: Outcome,
    /// Correlation within clusters, of pairs' differences or of an arm's outcomes.
    pub icc: f64,
    /// Units in a cluster; of unequal clusters the mean weighted by size.
    pub cluster_size: f64,
    /// Level of the test.
    pub alpha: f64,
    /// What is tested for, of treatment minus baseline.
    pub alternative: Alternative,
    /// Whether the normal distribution stands in for Student's t and for exact tests.
    pub normal: bool,
}

/// What is given of a study's size, effect and power; the third is sought.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Given {
    /// Power is sought.
    SizeAndEffect(u64, f64),
    /// Size is sought.
    EffectAndPower(f64, f64),
    /// Effect is sought.
    SizeAndPower(u64, f64),
}

/// A study with its size, effect and power; what cannot be had has a reason.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Planned {
    /// Pairs, or trials in each arm.
    pub n: Option<u64>,
    /// Clusters of them, in each arm if unpaired, where clusters hold more than one.
    pub clusters: Option<f64>,
    /// Difference of the means or rates, treatment minus baseline.
    pub effect: Option<f64>,
    /// Chance that the test rejects.
    pub power: Option<f64>,
    /// Name of the test whose power it is.
    pub method: &'static str,
    /// Why something is missing.
    pub reason: Option<&'static str>,
}

/// Reason of a study that has no spread to test with.
pub const TOO_FEW: &str = "fewer than two units or clusters say nothing of the spread";
/// Reason of a study that could not be large enough.
pub const NO_SIZE: &str = "no size up to 10^12 reaches this power";
/// Reason of an effect that could not be large enough.
pub const NO_EFFECT: &str = "no effect that is possible reaches this power";

/// Sizes are sought up to here.
const MOST: f64 = 1e12;
/// Expected discordant pairs up to which McNemar's power is summed.
const SUMMED: f64 = 20_000.0;
/// Degrees of freedom from which on Student's t is normal to ten digits.
const AS_NORMAL: f64 = 1e10;
/// How many sizes in a row must reach the power: that of an exact test wavers.
const AHEAD: u32 = 16;

impl Study {
    /// What is sought, found.
    #[must_use]
    pub fn solve(&self, given: Given) -> Planned {
        match given {
            Given::SizeAndEffect(n, effect) => self.power(n, effect),
            Given::EffectAndPower(effect, power) => self.size(effect, power),
            Given::SizeAndPower(n, power) => self.effect(n, power),
        }
    }

    /// Power of the study with so many units.
    #[must_use]
    pub fn power(&self, n: u64, effect: f64) -> Planned {
        let power = self.power_of(n as f64, effect);
        let reason = power.is_none().then_some(TOO_FEW);
        self.planned(Some(n), Some(effect), power, reason)
    }

    /// Least size from which on this power is reached. Of clusters a whole number.
    #[must_use]
    pub fn size(&self, effect: f64, power: f64) -> Planned {
        let size = |clusters: f64| libm::ceil(clusters * self.cluster_size - 1e-9);
        let reached =
            |clusters: f64| self.power_of(size(clusters), effect).is_some_and(|p| p >= power);
        let mut high = 2.0;
        while !reached(high) {
            high *= 2.0;
            if size(high) > MOST {
                return self.planned(None, Some(effect), Some(power), Some(NO_SIZE));
            }
        }
        let mut low = if high > 2.0 { high / 2.0 } else { 0.0 };
        while high - low > 1.0 {
            let middle = libm::floor(f64::midpoint(low, high));
            if reached(middle) { high = middle } else { low = middle }
        }
        let mut ahead = 0;
        while self.is_summed(size(high), effect) && ahead <= AHEAD {
            if reached(high + f64::from(ahead)) {
                ahead += 1;
            } else {
                (high, ahead) = (high + f64::from(ahead) + 1.0, 0);
            }
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        self.power(size(high) as u64, effect)
    }

    /// Least effect in the direction of the alternative that is found with this power; upwards
    /// for two sides.
    #[must_use]
    pub fn effect(&self, n: u64, power: f64) -> Planned {
        let sign = if self.alternative == Alternative::Less { -1.0 } else { 1.0 };
        let found = |effect: f64| self.power_of(n as f64, sign * effect);
        let missing = |reason| self.planned(Some(n), None, Some(power), Some(reason));
        if found(0.0).is_none() {
            return missing(TOO_FEW);
        }
        let reached = |effect: f64| found(effect).is_some_and(|p| p >= power);
        if reached(0.0) {
            return self.power(n, 0.0);
        }
        let mut high = match self.outcome {
            Outcome::Scores { sd } => {
                let mut high = sd;
                while !reached(high) && high < sd * MOST {
                    high *= 2.0;
                }
                high
            }
            Outcome::Rates { baseline, .. } if sign > 0.0 => 1.0 - baseline,
            Outcome::Rates { baseline, .. } => baseline,
            Outcome::Discordance { share } => share,
        };
        if !reached(high) {
            return missing(NO_EFFECT);
        }
        let mut low = 0.0;
        for _ in 0..200 {
            let middle = f64::midpoint(low, high);
            if middle <= low || middle >= high {
                break;
            }
            if reached(middle) { high = middle } else { low = middle }
        }
        self.power(n, sign * high)
    }

    fn planned(
        &self,
        n: Option<u64>,
        effect: Option<f64>,
        power: Option<f64>,
        reason: Option<&'static str>,
    ) -> Planned {
        let summed = n.zip(effect).is_some_and(|(n, effect)| self.is_summed(n as f64, effect));
        let method = match (summed, self.normal, self.cluster_size > 1.0) {
            (true, ..) => "mcnemar-exact",
            (false, true, _) => "normal",
            (false, false, true) => "t-clustered",
            (false, false, false) => "t",
        };
        let clusters = n.filter(|_| self.cluster_size > 1.0).map(|n| n as f64 / self.cluster_size);
        Planned { n, clusters, effect, power, method, reason }
    }

    /// Whether the power is that of McNemar's exact test.
    fn is_summed(&self, n: f64, effect: f64) -> bool {
        let rates = !matches!(self.outcome, Outcome::Scores { .. });
        let exact = self.paired && rates && self.cluster_size <= 1.0 && !self.normal;
        exact && n * self.discordant(effect).iter().sum::<f64>() <= SUMMED
    }

    fn power_of(&self, n: f64, effect: f64) -> Option<f64> {
        let tail = match self.alternative {
            Alternative::TwoSided => self.alpha / 2.0,
            Alternative::Greater | Alternative::Less => self.alpha,
        };
        let two_sided = self.alternative == Alternative::TwoSided;
        let up = if self.alternative == Alternative::Less { -1.0 } else { 1.0 };
        if self.is_summed(n, effect) {
            let [mut treatment, mut baseline] = self.discordant(effect);
            if up < 0.0 {
                (treatment, baseline) = (baseline, treatment);
            }
            return Some(mcnemar_power(n, treatment, baseline, tail, two_sided));
        }
        let clusters = n / self.cluster_size;
        let degrees = (clusters - 1.0) * if self.paired { 1.0 } else { 2.0 };
        if clusters < 2.0 && !(self.normal && clusters > 0.0) {
            return None;
        }
        let inflation = 1.0 + (self.cluster_size - 1.0) * self.icc;
        let error = self.deviation(effect) * libm::sqrt(inflation / n);
        if error <= 0.0 {
            let found = if two_sided { effect.abs() } else { up * effect };
            return Some(if found > 0.0 { 1.0 } else { 0.0 });
        }
        let shift = up * effect / error;
        let upper = |shift: f64| {
            if self.normal {
                normal_lower(shift + normal_quantile(tail))
            } else {
                noncentral_t_upper(student_t_upper_quantile(tail, degrees), degrees, shift)
            }
        };
        Some((upper(shift) + if two_sided { upper(-shift) } else { 0.0 }).min(1.0))
    }

    /// Standard deviation of a pair's difference, or of the difference of a trial in each arm.
    fn deviation(&self, effect: f64) -> f64 {
        match self.outcome {
            Outcome::Scores { sd } if self.paired => sd,
            Outcome::Scores { sd } => sd * std::f64::consts::SQRT_2,
            Outcome::Rates { baseline, .. } if !self.paired => {
                let treatment = (baseline + effect).clamp(0.0, 1.0);
                libm::sqrt(baseline * (1.0 - baseline) + treatment * (1.0 - treatment))
            }
            _ => {
                let [treatment, baseline] = self.discordant(effect);
                let difference = treatment - baseline;
                libm::sqrt((treatment + baseline - difference * difference).max(0.0))
            }
        }
    }

    /// Shares of pairs in which only the treatment and only the baseline succeeds.
    fn discordant(&self, effect: f64) -> [f64; 2] {
        match self.outcome {
            Outcome::Rates { baseline: q, correlation } => {
                let p = (q + effect).clamp(0.0, 1.0);
                let spread = libm::sqrt(p * (1.0 - p) * q * (1.0 - q));
                let both = p * q + correlation * spread;
                let both = both.clamp((p + q - 1.0).max(0.0), p.min(q));
                [p - both, q - both]
            }
            Outcome::Discordance { share } => {
                let share = share.max(effect.abs());
                [f64::midpoint(share, effect), f64::midpoint(share, -effect)]
            }
            Outcome::Scores { .. } => [0.0, 0.0],
        }
    }
}

/// Power of McNemar's exact test over `n` pairs: the power given the number of discordant pairs,
/// averaged over what that number can be. Each tail rejects at `tail`.
fn mcnemar_power(n: f64, treatment: f64, baseline: f64, tail: f64, two_sided: bool) -> f64 {
    let share = treatment + baseline;
    if share <= 0.0 {
        return 0.0;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let whole = |x: f64| x.max(0.0) as u64;
    // Beyond ten standard deviations and a few there is less than rounding.
    let width = 10.0 * libm::sqrt(n * share * (1.0 - share).max(0.0)) + 40.0;
    let (first, last) = (whole(n * share - width), whole((n * share + width).min(n)));
    let ln_tail = libm::log(tail) + 1e-12;
    let mut critical = Critical::at(first, ln_tail);
    let mut sum = 0.0;
    for discordant in first..=last {
        critical.raise(discordant, ln_tail);
        let Some(most) = critical.most else { continue };
        let weight = libm::exp(binomial_ln_pmf(discordant, whole(n), share.min(1.0)));
        let mut power = lower_tail(most, discordant, baseline / share);
        if two_sided {
            power += lower_tail(most, discordant, treatment / share);
        }
        sum += weight * power;
    }
    sum.min(1.0)
}

fn lower_tail(k: u64, n: u64, p: f64) -> f64 {
    if p <= 0.0 { 1.0 } else { libm::exp(binomial_ln_lower_tail(k, n, p.min(1.0))) }
}

/// Most successes of fair coins that a tail of this size rejects at; none where not even 0.
struct Critical {
    most: Option<u64>,
}

impl Critical {
    fn at(coins: u64, ln_tail: f64) -> Self {
        let (mut low, mut high) = (None, coins.div_ceil(2));
        // By bisection: `high` never rejects, because its tail is one half or more.
        while low.map_or(0, |low| low + 1) < high {
            let middle = u64::midpoint(low.map_or(0, |low| low + 1), high - 1);
            if binomial_ln_lower_tail(middle, coins, 0.5) <= ln_tail {
                low = Some(middle);
            } else {
                high = middle;
            }
        }
        Self { most: low }
    }

    /// One coin more raises it by one at most.
    fn raise(&mut self, coins: u64, ln_tail: f64) {
        let next = self.most.map_or(0, |most| most + 1);
        if next < coins && binomial_ln_lower_tail(next, coins, 0.5) <= ln_tail {
            self.most = Some(next);
        }
    }
}

/// P(Z < x) of the standard normal.
fn normal_lower(x: f64) -> f64 {
    0.5 * libm::erfc(-x * std::f64::consts::FRAC_1_SQRT_2)
}

/// P(T > t) for Student's t with a shift of the numerator: T = (Z + shift) / s, where s is the
/// root of a chi-square over its degrees of freedom (at least one).
///
/// The chance given s is normal; it is integrated over s, panel by panel between points that
/// follow both scales: how wide s scatters, and how wide the normal steps.
#[must_use]
pub fn noncentral_t_upper(t: f64, degrees: f64, shift: f64) -> f64 {
    if degrees > AS_NORMAL {
        return normal_lower(shift - t);
    }
    // Outside of these the density has less than rounding left: its exponent is at least
    // degrees (s - 1)^2 below the centre of the distribution, and half of that above.
    let scale = 1.0 / libm::sqrt(degrees);
    let (least, most) = ((1.0 - 6.5 * scale).max(0.0), 1.0 + 9.0 * scale);
    let mut points: Vec<f64> = vec![least, most];
    let steps = |count: i32| (-count..=count).map(f64::from);
    points.extend(steps(9).map(|step| 1.0 + step * scale));
    if least <= 0.0 {
        // Towards 0 the density may have a root.
        points.extend((1..=20).map(|i| libm::exp2(-f64::from(i))));
    }
    if t != 0.0 {
        points.extend(steps(6).map(|step| (shift + 1.5 * step) / t));
    }
    points.retain(|s| (least..=most).contains(s));
    points.sort_unstable_by(f64::total_cmp);
    points.dedup();
    // 2 a^a e^-a / gamma(a) s^(2a - 1) e^(a (1 - s^2)), where 2a are the degrees of freedom.
    let a = degrees / 2.0;
    let ln_norm = libm::log(2.0) + 0.5 * libm::log(a / (2.0 * std::f64::consts::PI)) - binet(a);
    let density = |s: f64| libm::exp(ln_norm - a * deviance(1.0, s * s)) / s;
    let integrand = |s: f64| density(s) * normal_lower(shift - t * s);
    let sum: f64 = points.windows(2).map(|ends| panel(integrand, ends[0], ends[1])).sum();
    sum.clamp(0.0, 1.0)
}

/// Gauss and Legendre's rule of 16 points.
fn panel(integrand: impl Fn(f64) -> f64, low: f64, high: f64) -> f64 {
    const RULE: [(f64, f64); 8] = [
        (0.095_012_509_837_637_44, 0.189_450_610_455_068_5),
        (0.281_603_550_779_258_9, 0.182_603_415_044_923_6),
        (0.458_016_777_657_227_4, 0.169_156_519_395_002_53),
        (0.617_876_244_402_643_7, 0.149_595_988_816_576_73),
        (0.755_404_408_355_003, 0.124_628_971_255_533_87),
        (0.865_631_202_387_831_7, 0.095_158_511_682_492_78),
        (0.944_575_023_073_232_6, 0.062_253_523_938_647_89),
        (0.989_400_934_991_649_9, 0.027_152_459_411_754_095),
    ];
    let (centre, half) = (f64::midpoint(low, high), (high - low) / 2.0);
    let sum: f64 = RULE
        .iter()
        .map(|(x, weight)| weight * (integrand(centre - x * half) + integrand(centre + x * half)))
        .sum();
    sum * half
}

/// What a pilot of paired outcomes says of the spread of a study like it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pilot {
    /// Number of pairs.
    pub pairs: u64,
    /// Number of clusters, where there are clusters.
    pub clusters: Option<u64>,
    /// Share of pairs that differ.
    pub discordance: Option<f64>,
    /// Correlation of the differences of pairs of a cluster, from 0 to 1.
    pub icc: Option<f64>,
    /// Mean cluster size weighted by size; 1 without clusters.
    pub cluster_size: Option<f64>,
}

impl Pilot {
    /// From pairs in clusters, or one sum of independent pairs.
    ///
    /// The correlation is the estimate from an analysis of variance of clusters (Fisher 1925,
    /// "Statistical Methods for Research Workers"), held between 0 and 1.
    #[must_use]
    pub fn of(cell: &[Pairs], clustered: bool) -> Self {
        let (mut pairs, mut clusters, mut discordant) = (0_u64, 0_u64, 0_u64);
        let (mut sum, mut sizes) = (0_i64, 0_u128);
        for cluster in cell.iter().filter(|cluster| cluster.pairs > 0) {
            pairs += cluster.pairs;
            clusters += 1;
            discordant += cluster.discordant();
            sum += cluster.difference();
            sizes += u128::from(cluster.pairs) * u128::from(cluster.pairs);
        }
        let mut terms: Vec<f64> = cell
            .iter()
            .filter(|cluster| cluster.pairs > 0)
            .map(|cluster| {
                let difference = cluster.difference() as f64;
                difference * difference / cluster.pairs as f64
            })
            .collect();
        terms.sort_unstable_by(f64::total_cmp);
        let raw: f64 = terms.iter().sum();
        let some = pairs > 0;
        let n = pairs as f64;
        let share = some.then(|| discordant as f64 / n);
        if !clustered {
            let cluster_size = some.then_some(1.0);
            return Self { pairs, clusters: None, discordance: share, icc: None, cluster_size };
        }
        let (k, total) = (clusters as f64, sum as f64);
        let icc = (clusters > 1 && pairs > clusters).then(|| {
            let between = (raw - total * total / n) / (k - 1.0);
            let within = ((discordant as f64 - raw) / (n - k)).max(0.0);
            let size = (n - sizes as f64 / n) / (k - 1.0);
            let whole = between + (size - 1.0) * within;
            if whole > 0.0 { ((between - within) / whole).clamp(0.0, 1.0) } else { 0.0 }
        });
        let cluster_size = some.then(|| sizes as f64 / n);
        Self { pairs, clusters: Some(clusters), discordance: share, icc, cluster_size }
    }
}

impl Pilot {
    /// The study planned from the pilot: `like` it in all but what the pilot says.
    ///
    /// # Errors
    ///
    /// Why the pilot says too little.
    pub fn study(&self, like: &Study) -> Result<Study, &'static str> {
        let (Some(share), Some(cluster_size)) = (self.discordance, self.cluster_size) else {
            return Err(NO_PAIRS);
        };
        if self.clusters == Some(1) {
            return Err(ONE_CLUSTER);
        }
        if share <= 0.0 {
            return Err(NO_DISCORDANCE);
        }
        // Clusters of one pair each say nothing of a correlation that does not matter.
        let icc = self.icc.unwrap_or(0.0);
        Ok(Study { outcome: Outcome::Discordance { share }, icc, cluster_size, ..*like })
    }
}

/// What is sought of the studies planned from each of many pilots. Equal ones are solved once.
#[must_use]
pub fn of_pilots(pilots: &[Pilot], like: &Study, given: Given, watch: &Watch) -> Vec<Planned> {
    let key = |pilot: &Pilot| {
        let told = [pilot.discordance, pilot.icc, pilot.cluster_size];
        (pilot.clusters == Some(1), told.map(|number| number.map(f64::to_bits)))
    };
    let distinct: BTreeMap<_, &Pilot> = pilots.iter().map(|pilot| (key(pilot), pilot)).collect();
    let solve = |(): &mut (), (key, pilot): (_, &Pilot)| {
        let planned = pilot.study(like).map(|study| study.solve(given));
        (key, planned.unwrap_or_else(Planned::missing))
    };
    let solved = watch.cells(distinct.into_iter().collect(), (), solve);
    let solved: BTreeMap<_, Planned> = solved.into_iter().collect();
    pilots.iter().map(|pilot| solved[&key(pilot)]).collect()
}

/// Reason of a pilot in which no pair differs.
pub const NO_DISCORDANCE: &str = "no pair of the pilot differs";

impl Planned {
    /// Nothing but a reason.
    #[must_use]
    pub fn missing(reason: &'static str) -> Self {
        let reason = Some(reason);
        Self { n: None, clusters: None, effect: None, power: None, method: "none", reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distributions::ln_student_t_upper;

    const SCORES: Study = Study {
        paired: true,
        outcome: Outcome::Scores { sd: 1.0 },
        icc: 0.0,
        cluster_size: 1.0,
        alpha: 0.05,
        alternative: Alternative::TwoSided,
        normal: false,
    };

    fn near(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    #[test]
    fn without_shift_it_is_student() {
        for degrees in [1.0, 1.5, 2.0, 7.0, 30.0, 1e3, 1e6] {
            for t in [0.0, 0.3, 2.0, 12.7, 300.0] {
                let exact = libm::exp(ln_student_t_upper(t, degrees));
                near(noncentral_t_upper(t, degrees, 0.0), exact, 2e-12);
            }
        }
    }

    #[test]
    fn detectable_effect_is_the_printed_one() {
        near(SCORES.effect(20, 0.8).effect.unwrap(), 0.6604, 5e-5);
        let trials =
            Study { paired: false, outcome: Outcome::Scores { sd: 0.5 }, normal: true, ..SCORES };
        near(trials.effect(164, 0.8).effect.unwrap(), 0.154_69, 5e-6);
        near(trials.effect(164, 0.95).effect.unwrap(), 0.199_04, 5e-6);
    }

    #[test]
    fn power_of_mcnemar_is_summed() {
        // Six pairs that all differ for the treatment reject (p = 1/32), five do not.
        let study = Study { outcome: Outcome::Discordance { share: 1.0 }, ..SCORES };
        near(study.power(6, 1.0).power.unwrap(), 1.0, 1e-12);
        near(study.power(5, 1.0).power.unwrap(), 0.0, 1e-12);
        near(study.power(6, 0.0).power.unwrap(), 1.0 / 32.0, 1e-12);
        assert_eq!(study.power(6, 1.0).method, "mcnemar-exact");
        assert_eq!(study.size(1.0, 0.8).n, Some(6));
    }

    #[test]
    fn what_is_impossible_has_a_reason() {
        assert_eq!(SCORES.power(1, 0.5).reason, Some(TOO_FEW));
        assert_eq!(SCORES.size(0.0, 0.8).reason, Some(NO_SIZE));
        let rates = Outcome::Rates { baseline: 0.99, correlation: 0.0 };
        let study = Study { outcome: rates, ..SCORES };
        assert_eq!(study.effect(20, 0.8).reason, Some(NO_EFFECT));
    }
}
