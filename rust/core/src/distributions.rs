//! Normal, Student t, beta and binomial: the few functions that intervals and exact tests need.
//!
//! Elementary functions come from the `libm` crate, not from the platform's C library, so
//! that results have the same bits on every machine.

use std::f64::consts::PI;

/// Quantile of the standard normal distribution.
///
/// Wichura (1988), algorithm AS 241 (PPND16), doi:10.2307/2347330; relative error about 1e-16.
#[must_use]
pub fn normal_quantile(p: f64) -> f64 {
    const A: [f64; 8] = [
        3.387_132_872_796_366_5,
        133.141_667_891_784_38,
        1_971.590_950_306_551_3,
        13_731.693_765_509_46,
        45_921.953_931_549_87,
        67_265.770_927_008_7,
        33_430.575_583_588_13,
        2_509.080_928_730_122_7,
    ];
    const B: [f64; 8] = [
        1.0,
        42.313_330_701_600_91,
        687.187_007_492_057_9,
        5_394.196_021_424_751,
        21_213.794_301_586_597,
        39_307.895_800_092_71,
        28_729.085_735_721_943,
        5_226.495_278_852_545,
    ];
    const C: [f64; 8] = [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        0.241_780_725_177_450_6,
        0.022_723_844_989_269_184,
        7.745_450_142_783_414e-4,
    ];
    const D: [f64; 8] = [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        0.689_767_334_985_1,
        0.148_103_976_427_480_08,
        0.015_198_666_563_616_457,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ];
    const E: [f64; 8] = [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        0.296_560_571_828_504_87,
        0.026_532_189_526_576_124,
        1.242_660_947_388_078_4e-3,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ];
    const F: [f64; 8] = [
        1.0,
        0.599_832_206_555_888,
        0.136_929_880_922_735_8,
        0.014_875_361_290_850_615,
        7.868_691_311_456_133e-4,
        1.846_318_317_510_054_8e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_8e-15,
    ];
    let centred = p - 0.5;
    if centred.abs() <= 0.425 {
        let r = 0.180_625 - centred * centred;
        return centred * horner(&A, r) / horner(&B, r);
    }
    let tail = if centred < 0.0 { p } else { 1.0 - p };
    let r = libm::sqrt(-libm::log(tail));
    let magnitude = if r <= 5.0 {
        horner(&C, r - 1.6) / horner(&D, r - 1.6)
    } else {
        horner(&E, r - 5.0) / horner(&F, r - 5.0)
    };
    if centred < 0.0 { -magnitude } else { magnitude }
}

fn horner(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

/// Natural logarithm of P(|Z| > z) for a standard normal Z, from the square of z: the tail of
/// chi-squared with one degree of freedom.
///
/// Far out by the continued fraction of the complementary error function, DLMF 7.9.1, which
/// leaves the exponent aside and so keeps its relative precision at any depth.
#[must_use]
pub fn ln_two_tails(z_squared: f64) -> f64 {
    let square = z_squared / 2.0;
    if square < 25.0 {
        return libm::log(libm::erfc(libm::sqrt(square)));
    }
    let fraction = (1..=50).rev().fold(0.0, |rest, k| f64::from(k) / 2.0 / square / (1.0 + rest));
    -square - 0.5 * libm::log(PI * square) - libm::log1p(fraction)
}

/// Upper quantile of Student's t: the `t` with P(T > t) = `tail`, for `0 < tail < 0.5`.
///
/// Below a thousand degrees of freedom by Newton's method on the incomplete beta function;
/// above, by the expansion of Abramowitz and Stegun (1964), 26.7.5, whose error is then far
/// below one unit in the last place.
#[must_use]
pub fn student_t_upper_quantile(tail: f64, degrees: f64) -> f64 {
    let z = -normal_quantile(tail);
    let z2 = z * z;
    let g1 = z * (z2 + 1.0) / 4.0;
    let g2 = z * horner(&[3.0, 16.0, 5.0], z2) / 96.0;
    let g3 = z * horner(&[-15.0, 17.0, 19.0, 3.0], z2) / 384.0;
    let g4 = z * horner(&[-945.0, -1920.0, 1482.0, 776.0, 79.0], z2) / 92_160.0;
    let expansion = z + horner(&[0.0, g1, g2, g3, g4], 1.0 / degrees);
    if degrees >= 1000.0 {
        return expansion;
    }
    // Newton on log P(T > t) as a function of log t: nearly a straight line in both tails,
    // so that it converges from the expansion even at one degree of freedom.
    let mut log_t = libm::log(expansion.max(1e-3));
    for _ in 0..60 {
        let t = libm::exp(log_t);
        let upper = student_t_upper(t, degrees);
        let density = student_t_density(t, degrees);
        let step = (libm::log(upper) - libm::log(tail)) * upper / (density * t);
        log_t += step.clamp(-2.0, 2.0);
        if step.abs() < 1e-15 {
            break;
        }
    }
    libm::exp(log_t)
}

fn student_t_upper(t: f64, degrees: f64) -> f64 {
    let t2 = t * t;
    0.5 * incomplete_beta(degrees / 2.0, 0.5, degrees / (degrees + t2), t2 / (degrees + t2))
}

/// Natural logarithm of P(T > t) for Student's t, finite also where the probability is below
/// the smallest double.
#[must_use]
pub fn ln_student_t_upper(t: f64, degrees: f64) -> f64 {
    let (a, b, t2) = (degrees / 2.0, 0.5, t * t);
    if t == 0.0 {
        return -std::f64::consts::LN_2;
    }
    if t < 0.0 {
        return libm::log1p(-student_t_upper(-t, degrees));
    }
    // Where the continued fraction converges the tail itself may underflow, but not its parts.
    let (x, complement) = (degrees / (degrees + t2), t2 / (degrees + t2));
    if x > (a + 1.0) / (a + b + 2.0) {
        return libm::log(student_t_upper(t, degrees));
    }
    let fraction = beta_fraction(a, b, x);
    ln_beta_kernel(a, b, x, complement) + libm::log(fraction / a) - std::f64::consts::LN_2
}

fn student_t_density(t: f64, degrees: f64) -> f64 {
    let log_norm = libm::lgamma(f64::midpoint(degrees, 1.0))
        - libm::lgamma(degrees / 2.0)
        - 0.5 * libm::log(degrees * PI);
    libm::exp(log_norm - f64::midpoint(degrees, 1.0) * libm::log1p(t * t / degrees))
}

/// Quantile of the beta distribution: the `x` below which it has this probability, for
/// positive shapes.
///
/// Newton's method on the logarithm of the distribution function over the log-odds, which is
/// nearly straight in the lower tail; ask for an upper tail as one minus the quantile of the
/// swapped shapes.
#[must_use]
pub fn beta_quantile(probability: f64, a: f64, b: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-beta_ln_odds_quantile(probability, a, b)))
}

/// The same as log-odds, which keep their digits near 1 too.
pub(crate) fn beta_ln_odds_quantile(probability: f64, a: f64, b: f64) -> f64 {
    let spread = libm::sqrt(1.0 / a + 1.0 / b);
    let mut odds = libm::log(a / b) + normal_quantile(probability) * spread;
    for _ in 0..100 {
        let (x, complement) = (1.0 / (1.0 + libm::exp(-odds)), 1.0 / (1.0 + libm::exp(odds)));
        let below = incomplete_beta(a, b, x, complement);
        let slope = libm::exp(ln_beta_kernel(a, b, x, complement)) / below;
        let step = (libm::log(below) - libm::log(probability)) / slope;
        odds -= step.clamp(-2.0, 2.0);
        if step.abs() < 1e-15 * odds.abs().max(1.0) {
            break;
        }
    }
    odds
}

/// Regularised incomplete beta function, with `complement = 1 - x` passed in so that neither
/// loses digits. Continued fraction of DLMF 8.17.22, evaluated by Lentz's method.
fn incomplete_beta(a: f64, b: f64, x: f64, complement: f64) -> f64 {
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, complement, x);
    }
    libm::exp(ln_beta_kernel(a, b, x, complement)) * beta_fraction(a, b, x) / a
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let mut c = 1.0;
    let mut d = 1.0 / non_zero(1.0 - (a + b) * x / (a + 1.0), TINY);
    let mut fraction = d;
    // The number of steps grows with the root of the larger shape.
    for step in 1..1_000_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / non_zero(1.0 + even * d, TINY);
        c = non_zero(1.0 + even / c, TINY);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / non_zero(1.0 + odd * d, TINY);
        c = non_zero(1.0 + odd / c, TINY);
        let delta = d * c;
        fraction *= delta;
        if (delta - 1.0).abs() < 1e-16 {
            break;
        }
    }
    fraction
}

/// Natural logarithm of x^a (1 - x)^b over the beta function, in Loader's saddle-point form
/// (see [`binomial_ln_pmf`]) so that large shapes lose no digits.
fn ln_beta_kernel(a: f64, b: f64, x: f64, complement: f64) -> f64 {
    let n = a + b;
    let correction = binet(n) - binet(a) - binet(b);
    correction - deviance(a, n * x) - deviance(b, n * complement)
        + 0.5 * (libm::log(a / n) + libm::log(b) - libm::log(2.0 * PI))
}

/// log Γ(x) minus Stirling's approximation of it.
pub(crate) fn binet(x: f64) -> f64 {
    if x < 16.0 {
        return libm::lgamma(x) - (x - 0.5) * libm::log(x) + x - 0.5 * libm::log(2.0 * PI);
    }
    stirling_series(x)
}

fn non_zero(value: f64, tiny: f64) -> f64 {
    if value.abs() < tiny { tiny } else { value }
}

/// Natural logarithm of the binomial probability of `k` successes in `n`.
///
/// Loader (2000), "Fast and accurate computation of binomial probabilities": a saddle-point
/// form without the cancellation of log-gamma differences, so that the relative error of the
/// probability stays near 1e-15 for any `n`.
#[must_use]
pub fn binomial_ln_pmf(k: u64, n: u64, p: f64) -> f64 {
    let (kf, nf, q) = (k as f64, n as f64, 1.0 - p);
    if k > n {
        return f64::NEG_INFINITY;
    }
    if p == 0.0 || q == 0.0 {
        let certain = if p == 0.0 { 0 } else { n };
        return if k == certain { 0.0 } else { f64::NEG_INFINITY };
    }
    if k == 0 {
        return nf * libm::log1p(-p);
    }
    if k == n {
        return nf * libm::log(p);
    }
    let rest = nf - kf;
    let correction = stirling_error(n) - stirling_error(k) - stirling_error(n - k);
    correction - deviance(kf, nf * p) - deviance(rest, nf * q)
        + 0.5 * (libm::log(nf) - libm::log(2.0 * PI) - libm::log(kf) - libm::log(rest))
}

/// log(n!) minus Stirling's approximation of it.
pub(crate) fn stirling_error(n: u64) -> f64 {
    // Exact to the last bit; from 16 on, five terms of the series reach the same precision.
    const SMALL: [f64; 16] = [
        0.0,
        0.081_061_466_795_327_26,
        0.041_340_695_955_409_29,
        0.027_677_925_684_998_34,
        0.020_790_672_103_765_093,
        0.016_644_691_189_821_193,
        0.013_876_128_823_070_748,
        0.011_896_709_945_891_77,
        0.010_411_265_261_972_096,
        0.009_255_462_182_712_733,
        0.008_330_563_433_362_87,
        0.007_573_675_487_951_841,
        0.006_942_840_107_209_53,
        0.006_408_994_188_004_207,
        0.005_951_370_112_758_848,
        0.005_554_733_551_962_801,
    ];
    if let Some(exact) = usize::try_from(n).ok().and_then(|i| SMALL.get(i)) {
        return *exact;
    }
    stirling_series(n as f64)
}

fn stirling_series(x: f64) -> f64 {
    let series =
        [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0];
    horner(&series, 1.0 / (x * x)) / x
}

/// x log(x / m) + m - x, without cancellation where x is near m.
pub(crate) fn deviance(x: f64, m: f64) -> f64 {
    let gap = x - m;
    if gap.abs() >= 0.1 * (x + m) {
        return x * libm::log(x / m) + m - x;
    }
    let v = gap / (x + m);
    let mut sum = gap * v;
    let mut term = 2.0 * x * v;
    for j in 1..1000 {
        term *= v * v;
        let next = sum + term / f64::from(2 * j + 1);
        if next.to_bits() == sum.to_bits() {
            break;
        }
        sum = next;
    }
    sum
}

/// Natural logarithm of P(X <= k) for X binomial(n, p), meant for the lower tail.
///
/// Sums from the largest term down, so that it keeps its relative precision at any depth.
#[must_use]
pub fn binomial_ln_lower_tail(k: u64, n: u64, p: f64) -> f64 {
    if k >= n {
        return 0.0;
    }
    let odds = (1.0 - p) / p;
    let (mut term, mut sum) = (1.0_f64, 1.0_f64);
    for i in (1..=k).rev() {
        term *= i as f64 / (n - i + 1) as f64 * odds;
        sum += term;
        if term < sum * 1e-18 {
            break;
        }
    }
    (binomial_ln_pmf(k, n, p) + libm::log(sum)).min(0.0)
}

/// Smallest `x` with P(X <= x) >= `probability`, for X binomial(n, k / n).
///
/// A probability that is reached to within a relative 1e-12 counts as reached, so that exact
/// ties do not hang on rounding.
#[must_use]
pub fn binomial_quantile(k: u64, n: u64, probability: f64) -> u64 {
    if k == 0 || k >= n {
        return k.min(n);
    }
    let p = k as f64 / n as f64;
    let target = probability * (1.0 - 1e-12);
    let spread = libm::sqrt(n as f64 * p * (1.0 - p));
    let guess = libm::floor(k as f64 + normal_quantile(probability) * spread);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let mut x = guess.clamp(0.0, n as f64) as u64;
    let mut below = libm::exp(binomial_ln_lower_tail(x, n, p));
    while below < target && x < n {
        x += 1;
        below += libm::exp(binomial_ln_pmf(x, n, p));
    }
    while x > 0 {
        let without = libm::exp(binomial_ln_lower_tail(x - 1, n, p));
        if without < target {
            break;
        }
        x -= 1;
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, relative: f64) {
        assert!((a - b).abs() <= relative * b.abs(), "{a} is not {b}");
    }

    #[test]
    fn normal_quantile_matches_printed_values() {
        close(normal_quantile(0.975), 1.959_963_984_540_054_2, 1e-15);
        close(normal_quantile(1e-10), -6.361_340_902_404_056, 1e-15);
        assert_eq!(normal_quantile(0.5).to_bits(), 0.0_f64.to_bits());
    }

    #[test]
    fn student_quantile_matches_closed_forms() {
        // One degree of freedom is Cauchy, two have an algebraic quantile.
        close(student_t_upper_quantile(0.025, 1.0), libm::tan(PI * 0.475), 1e-13);
        let p = 0.975_f64;
        let two = (2.0 * p - 1.0) * (2.0 / (4.0 * p * (1.0 - p))).sqrt();
        close(student_t_upper_quantile(0.025, 2.0), two, 1e-13);
        close(student_t_upper_quantile(0.025, 7.0), 2.364_624_251_592_784_4, 1e-13);
        close(student_t_upper_quantile(0.025, 999.0), 1.962_341_461_133_449_5, 1e-13);
    }

    #[test]
    fn beta_quantiles_match_closed_forms() {
        // One shape of 1 is a power; equal shapes have their median at one half.
        for p in [0.025_f64, 0.5, 0.975, 1e-9] {
            close(beta_quantile(p, 7.0, 1.0), libm::pow(p, 1.0 / 7.0), 1e-13);
            close(beta_quantile(p, 1.0, 96.0), -libm::expm1(libm::log1p(-p) / 96.0), 1e-12);
        }
        close(beta_quantile(0.5, 1e6, 1e6), 0.5, 1e-14);
        // Arcsine law.
        let half = libm::sin(PI / 2.0 * 0.025);
        close(beta_quantile(0.025, 0.5, 0.5), half * half, 1e-13);
    }

    #[test]
    fn binomial_probabilities_sum_to_one_and_match_powers() {
        for n in [1_u64, 2, 15, 16, 17, 96, 1000] {
            let sum: f64 = (0..=n).map(|k| libm::exp(binomial_ln_pmf(k, n, 0.3))).sum();
            close(sum, 1.0, 1e-13);
        }
        close(binomial_ln_pmf(2, 4, 0.5), libm::log(6.0 / 16.0), 1e-14);
    }

    #[test]
    fn lower_tail_keeps_relative_precision_far_out() {
        // P(X = 0) + P(X = 1) for n fair coins is (n + 1) / 2^n.
        let n = 2000_u64;
        let exact = libm::log(2001.0) - 2000.0 * std::f64::consts::LN_2;
        close(binomial_ln_lower_tail(1, n, 0.5), exact, 1e-14);
    }

    #[test]
    fn quantile_is_the_smallest_that_reaches() {
        for (k, n) in [(1_u64, 2_u64), (37, 96), (2, 32), (95, 96), (1, 100_000)] {
            for probability in [0.005, 0.025, 0.25, 0.5, 0.975] {
                let x = binomial_quantile(k, n, probability);
                let p = k as f64 / n as f64;
                let cdf = |x| (0..=x).map(|i| libm::exp(binomial_ln_pmf(i, n, p))).sum::<f64>();
                assert!(cdf(x) >= probability * (1.0 - 1e-9));
                assert!(x == 0 || cdf(x - 1) < probability);
            }
        }
        // A tie: P(X <= 0) is exactly one quarter.
        assert_eq!(binomial_quantile(1, 2, 0.25), 0);
    }
}
