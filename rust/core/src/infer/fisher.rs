//! Fisher's exact test of a fourfold table: both margins held fixed.
//!
//! With the margins given, the first cell is hypergeometric where rows and columns have nothing
//! to do with each other. Its tails are summed outwards from their largest term, each term from
//! its neighbour, so that only as many terms are touched as can be seen in the sum, and the
//! relative precision is kept at any depth.

use std::f64::consts::PI;

use crate::distributions::{deviance, stirling_error};

/// Which tables count as evidence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alternative {
    /// Those that are no more likely than the observed one.
    TwoSided,
    /// Those with a first cell as small or smaller.
    Less,
    /// Those with a first cell as large or larger.
    Greater,
}

impl Alternative {
    /// The accepted names, in the order of the documentation.
    pub const NAMES: &'static [&'static str] = &["two-sided", "less", "greater"];

    /// The alternative of that name, or nothing.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "two-sided" => Some(Self::TwoSided),
            "less" => Some(Self::Less),
            "greater" => Some(Self::Greater),
            _ => None,
        }
    }
}

/// Probabilities nearer to the observed one than this count as equal to it: rounding must not
/// decide whether a table that is exactly as likely belongs to the evidence.
const TIE: f64 = 1e-7;

/// Natural logarithm of the p-value of the table `[[a, b], [c, d]]`, finite also where the
/// p-value is below the smallest double. The counts may add up to at most 2^63.
///
/// Fisher (1935), doi:10.2307/2342435. A table with an empty row or column says nothing: p = 1.
#[must_use]
pub fn ln_p_value([[a, b], [c, d]]: [[u64; 2]; 2], alternative: Alternative) -> f64 {
    let cell = Hypergeometric { row: a + b, other_row: c + d, column: a + c };
    let mirrored = Hypergeometric { column: b + d, ..cell };
    match alternative {
        Alternative::Less => cell.ln_lower_tail(a),
        Alternative::Greater => mirrored.ln_lower_tail(b),
        Alternative::TwoSided if a <= cell.mode() => cell.ln_two_tails(a),
        Alternative::TwoSided => mirrored.ln_two_tails(b),
    }
}

/// Two-sided p-values of all tables with rows of these sizes and a first column of `column`, in
/// the order of their first cell: the same to rounding as one by one, in one pass.
#[must_use]
pub fn of_margin(row: u64, other_row: u64, column: u64) -> Vec<f64> {
    let cell = Hypergeometric { row, other_row, column };
    let (first, mode) = (cell.first(), cell.mode());
    let mut down: Vec<f64> = vec![libm::exp(cell.ln_pmf(mode))];
    let mut up = down.clone();
    for x in (first..mode).rev() {
        down.push(down[down.len() - 1] / cell.step_up(x));
    }
    for x in mode..cell.last() {
        up.push(up[up.len() - 1] * cell.step_up(x));
    }
    let probabilities: Vec<f64> = down.iter().rev().chain(up.iter().skip(1)).copied().collect();
    // From the least likely up, the smaller end of what is left first.
    let mut ends = 0..probabilities.len();
    let mut order = Vec::with_capacity(probabilities.len());
    while !ends.is_empty() {
        let last = ends.end - 1;
        if probabilities[ends.start] <= probabilities[last] {
            order.push(ends.start);
            ends.start += 1;
        } else {
            order.push(last);
            ends.end = last;
        }
    }
    let mut p = vec![1.0; probabilities.len()];
    let (mut sum, mut summed) = (0.0, 0);
    for place in &order {
        let limit = probabilities[*place] * (1.0 + TIE);
        while summed < order.len() && probabilities[order[summed]] <= limit {
            sum += probabilities[order[summed]];
            summed += 1;
        }
        p[*place] = if summed == order.len() { 1.0 } else { f64::min(sum, 1.0) };
    }
    p
}

/// The first cell of a fourfold table with these margins.
#[derive(Clone, Copy, Debug)]
struct Hypergeometric {
    row: u64,
    other_row: u64,
    column: u64,
}

impl Hypergeometric {
    fn total(&self) -> u64 {
        self.row + self.other_row
    }

    fn first(&self) -> u64 {
        self.column.saturating_sub(self.other_row)
    }

    fn last(&self) -> u64 {
        self.row.min(self.column)
    }

    /// The likeliest value; where two are, the larger.
    fn mode(&self) -> u64 {
        let plus = |count: u64| u128::from(count) + 1;
        let mode = plus(self.row) * plus(self.column) / (u128::from(self.total()) + 2);
        u64::try_from(mode).unwrap_or(u64::MAX).clamp(self.first(), self.last())
    }

    /// Probability of `x + 1` over that of `x`.
    fn step_up(&self, x: u64) -> f64 {
        let gained = (x + 1) as f64 * (self.other_row + x + 1 - self.column) as f64;
        (self.row - x) as f64 * (self.column - x) as f64 / gained
    }

    /// Natural logarithm of the probability of `x`.
    ///
    /// Factorials by Stirling's formula with its error, powers gathered into deviances from the
    /// expected counts, after Loader (2000): no large terms are left that cancel.
    fn ln_pmf(&self, x: u64) -> f64 {
        let (rows, columns) =
            ([self.row, self.other_row], [self.column, self.total() - self.column]);
        let total = self.total() as f64;
        let cells = [[x, self.row - x], [self.column - x, self.other_row + x - self.column]];
        let mut sum = -ln_stirling(self.total());
        for (row, observed) in rows.into_iter().zip(cells) {
            sum += ln_stirling(row);
            for (column, observed) in columns.into_iter().zip(observed) {
                let expected = row as f64 * column as f64 / total;
                sum -= ln_stirling(observed) + ln_ratio(observed, expected);
            }
        }
        sum + ln_stirling(columns[0]) + ln_stirling(columns[1])
    }

    /// Sum of the probabilities of `x` and all below it, over that of `x`; for `x` up to the
    /// mode.
    fn sum_down(&self, x: u64) -> f64 {
        sum((self.first()..x).rev().map(|below| 1.0 / self.step_up(below)))
    }

    /// Sum of the probabilities of `x` and all above it, over that of `x`; for `x` from the
    /// mode on.
    fn sum_up(&self, x: u64) -> f64 {
        sum((x..self.last()).map(|below| self.step_up(below)))
    }

    fn ln_lower_tail(&self, x: u64) -> f64 {
        if x == self.last() {
            return 0.0;
        }
        if x <= self.mode() {
            return (self.ln_pmf(x) + libm::log(self.sum_down(x))).min(0.0);
        }
        let above = self.ln_pmf(x + 1) + libm::log(self.sum_up(x + 1));
        libm::log1p(-libm::exp(above))
    }

    /// Both tails of values no more likely than `x`, which is not above the mode.
    fn ln_two_tails(&self, x: u64) -> f64 {
        let mode = self.mode();
        let observed = self.ln_pmf(x);
        let limit = observed + libm::log1p(TIE);
        if x == mode || self.ln_pmf(mode) <= limit {
            return 0.0;
        }
        let mut tails = self.sum_down(x);
        let other = self.first_below(limit, mode, 2 * mode - x);
        if other <= self.last() {
            tails += libm::exp(self.ln_pmf(other) - observed) * self.sum_up(other);
        }
        (observed + libm::log(tails)).min(0.0)
    }

    /// The smallest value above the mode whose log-probability is at most `limit`, one more
    /// than the last value if there is none. Sought from `guess` in steps that double.
    fn first_below(&self, limit: f64, mode: u64, guess: u64) -> u64 {
        let (mut above, mut found) = (mode, self.last() + 1);
        let (mut probe, mut step) = (guess, 1);
        while found - above > 1 {
            if probe <= above || probe >= found {
                probe = u64::midpoint(above, found);
            }
            if self.ln_pmf(probe) <= limit {
                found = probe;
                probe = found.saturating_sub(step);
            } else {
                above = probe;
                probe = above.saturating_add(step);
            }
            step = step.saturating_mul(2);
        }
        found
    }
}

/// One and the running products of `factors`, until they no longer show in the sum.
fn sum(factors: impl Iterator<Item = f64>) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for factor in factors {
        term *= factor;
        sum += term;
        if term < sum * 1e-18 {
            break;
        }
    }
    sum
}

/// log(n!) without n log n - n.
fn ln_stirling(n: u64) -> f64 {
    if n == 0 { 0.0 } else { stirling_error(n) + 0.5 * libm::log(2.0 * PI * n as f64) }
}

/// The deviance of a count from what is expected, which for none is all of that.
fn ln_ratio(observed: u64, expected: f64) -> f64 {
    if observed == 0 { expected } else { deviance(observed as f64, expected) }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "small, exact values")]
mod tests {
    use super::*;

    fn p(a: u64, b: u64, c: u64, d: u64) -> f64 {
        libm::exp(ln_p_value([[a, b], [c, d]], Alternative::TwoSided))
    }

    #[test]
    fn matches_printed_figures() {
        assert!((p(300, 400, 230, 310) - 0.953_854).abs() < 5e-7);
        assert!((p(1, 25, 6, 18) - 0.045).abs() < 5e-4);
        assert!((p(96, 0, 2, 94) / 2.63e-53 - 1.0).abs() < 2e-3);
        // The lady who tastes tea: one of C(8, 4) = 70 arrangements is as good, one as bad.
        assert!((p(4, 0, 0, 4) - 2.0 / 70.0).abs() < 1e-16);
    }

    #[test]
    fn equally_likely_tables_count() {
        assert_eq!(p(2, 3, 0, 2), 1.0);
        assert_eq!(p(5, 5, 5, 5), 1.0);
    }

    #[test]
    fn empty_margins_say_nothing() {
        for [a, b, c, d] in [[0, 0, 0, 0], [3, 4, 0, 0], [3, 0, 4, 0], [0, 7, 0, 1 << 62]] {
            assert_eq!(p(a, b, c, d), 1.0);
        }
    }

    #[test]
    fn tails_meet() {
        for [a, b, c, d] in [[1_u64, 9, 11, 3], [30, 40, 23, 31], [0, 5, 5, 0], [12, 0, 3, 9]] {
            let table = [[a, b], [c, d]];
            let less = libm::exp(ln_p_value(table, Alternative::Less));
            let greater = libm::exp(ln_p_value(table, Alternative::Greater));
            let cell = Hypergeometric { row: a + b, other_row: c + d, column: a + c };
            assert!((less + greater - 1.0 - libm::exp(cell.ln_pmf(a))).abs() < 1e-14);
        }
    }

    #[test]
    fn stays_finite_below_the_smallest_double() {
        // One arrangement of C(4000, 2000), and its mirror image.
        let n = 2000_u64;
        let ln_choose = libm::lgamma(4001.0) - 2.0 * libm::lgamma(2001.0);
        let found = ln_p_value([[n, 0], [0, n]], Alternative::TwoSided);
        assert!((found - (std::f64::consts::LN_2 - ln_choose)).abs() < 1e-9);
    }
}
