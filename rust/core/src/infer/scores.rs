//! Numeric scores as whole numbers of a common unit, so that sums of them are exact, tie where
//! they should, and do not depend on their order.

/// Scores in units.
#[derive(Clone, PartialEq, Debug)]
pub struct Units {
    /// Multiples of the unit, in the order of the scores.
    pub values: Vec<i64>,
    /// Sums nearer than this count as equal: nothing, where the unit is the scores' own.
    pub slack: i128,
    /// A sum of units is divided by the first and multiplied with the second to be one of scores.
    scale: (f64, f64),
}

/// What means of repeats and shares are fractions of, beside powers of ten.
const DENOMINATORS: std::ops::RangeInclusive<u32> = 1..=128;
/// Powers of ten that are tried, the exponent of the last.
const DECIMALS: u32 = 9;
/// Scores count as a fraction that is within this share of the largest score of them.
const ROUNDING: f64 = 1e-14;
/// Units that the largest score makes, where scores share no unit: no more than that, and not so
/// many that the sum of all scores might not fit.
const FINE: f64 = 4_503_599_627_370_496.0;
/// Units that scores which share one may make at most, likewise.
const COARSE: f64 = 1_099_511_627_776.0;
const SUM: f64 = 4_611_686_018_427_387_904.0;

impl Units {
    /// Finds the largest unit of which all scores, which must be finite, are multiples: a whole
    /// number, a small fraction such as a third, or a decimal. Without one, the unit is 2⁻⁵² of
    /// the largest score, or a little more where there are very many.
    #[must_use]
    pub fn of(scores: &[f64]) -> Self {
        let largest = scores.iter().fold(0.0_f64, |largest, score| largest.max(score.abs()));
        let room = SUM / scores.len().max(1) as f64;
        let decimals = (1..=DECIMALS).map(|exponent| 10_u32.pow(exponent));
        let shared = DENOMINATORS.chain(decimals).find(|denominator| {
            let denominator = f64::from(*denominator);
            largest * denominator < COARSE.min(room)
                && scores.iter().all(|score| {
                    let rounded = libm::round(score * denominator) / denominator;
                    (rounded - score).abs() <= ROUNDING * largest
                })
        });
        let (scale, slack) = match shared {
            Some(denominator) => ((f64::from(denominator), 1.0), 0),
            // Twice what rounding to units can add up to.
            None => ((FINE.min(room), largest), scores.len() as i128),
        };
        #[expect(clippy::cast_possible_truncation, reason = "at most 2^52")]
        let unit = |score: &f64| libm::round(score / scale.1 * scale.0) as i64;
        Self { values: scores.iter().map(unit).collect(), slack, scale }
    }

    /// Whether scores share a unit, so that equal sums are equal.
    #[must_use]
    pub fn shared(&self) -> bool {
        self.slack == 0
    }

    /// What a sum of units, or a mean of them, is as a score.
    #[must_use]
    pub fn score(&self, units: f64) -> f64 {
        units / self.scale.0 * self.scale.1
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "small, exact values")]
mod tests {
    use super::*;

    #[test]
    fn units_are_the_scores_own() {
        let units = |scores: &[f64]| Units::of(scores);
        assert_eq!(units(&[2.0, -4.0, 0.0]).values, [2, -4, 0]);
        assert_eq!(units(&[0.5, 1.0]).values, [1, 2]);
        assert_eq!(units(&[0.5, 1.0]).score(3.0), 1.5);
        assert_eq!(units(&[1.0 / 3.0, 0.5, 2.0 / 3.0]).values, [2, 3, 4]);
        // Rounding is no new value: 0.1 + 0.2 is not 0.3.
        assert_eq!(units(&[0.1 + 0.2, 0.3, 0.7]).values, [3, 3, 7]);
        assert_eq!(units(&[0.125, 0.001]).values, [125, 1]);
        assert_eq!(units(&[]).values, [0_i64; 0]);
        assert_eq!(units(&[0.0, -0.0]).values, [0, 0]);
    }

    #[test]
    fn scores_without_a_unit_are_fine_and_have_slack() {
        let found = Units::of(&[std::f64::consts::PI, std::f64::consts::E]);
        assert_eq!((found.values[0], found.slack), (1 << 52, 2));
    }

    #[test]
    fn huge_and_tiny_scores_fit() {
        for scale in [1e300, 1e-300, f64::MIN_POSITIVE, 5e-324] {
            let found = Units::of(&[scale, 0.0, -scale]);
            assert_eq!((found.values[0], found.values[1]), (1 << 52, 0), "{found:?}");
            assert_eq!(found.score(found.values[2] as f64), -scale);
        }
    }
}
