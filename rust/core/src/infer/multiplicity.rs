//! P-values adjusted for many tests at once.

/// What an adjustment controls, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Adjustment {
    /// Family-wise error: Holm (1979), Scandinavian Journal of Statistics 6:65.
    Holm,
    /// Family-wise error of tests that are not negatively dependent: Hochberg (1988),
    /// doi:10.1093/biomet/75.4.800.
    Hochberg,
    /// False discovery rate of such tests: Benjamini and Hochberg (1995),
    /// doi:10.1111/j.2517-6161.1995.tb02031.x.
    BenjaminiHochberg,
    /// False discovery rate under any dependence: Benjamini and Yekutieli (2001),
    /// doi:10.1214/aos/1013699998.
    BenjaminiYekutieli,
}

impl Adjustment {
    /// Names in the order of the variants.
    pub const NAMES: [&'static str; 4] =
        ["holm", "hochberg", "benjamini-hochberg", "benjamini-yekutieli"];

    /// The adjustment of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "holm" => Self::Holm,
            "hochberg" => Self::Hochberg,
            "benjamini-hochberg" => Self::BenjaminiHochberg,
            "benjamini-yekutieli" => Self::BenjaminiYekutieli,
            _ => return None,
        })
    }

    /// Adjusted p-values in the order of those given. What is missing takes no part: it is not
    /// a test that was made.
    #[must_use]
    pub fn of(self, p: &[Option<f64>]) -> Vec<Option<f64>> {
        let mut order: Vec<(usize, f64)> =
            p.iter().enumerate().filter_map(|(i, p)| Some((i, (*p)?))).collect();
        order.sort_by(|a, b| a.1.total_cmp(&b.1));
        let m = order.len();
        let harmonic: f64 = (1..=m).rev().map(|i| 1.0 / i as f64).sum();
        let factor = |rank: usize| match self {
            Self::Holm | Self::Hochberg => (m - rank) as f64,
            Self::BenjaminiHochberg => m as f64 / (rank + 1) as f64,
            Self::BenjaminiYekutieli => harmonic * m as f64 / (rank + 1) as f64,
        };
        for (rank, (_, p)) in order.iter_mut().enumerate() {
            *p = (*p * factor(rank)).min(1.0);
        }
        if self == Self::Holm {
            // Stepping down: no smaller than the one before.
            let mut reached = 0.0_f64;
            for (_, p) in &mut order {
                reached = reached.max(*p);
                *p = reached;
            }
        } else {
            // Stepping up: no larger than the one behind.
            let mut reached = 1.0_f64;
            for (_, p) in order.iter_mut().rev() {
                reached = reached.min(*p);
                *p = reached;
            }
        }
        let mut adjusted = vec![None; p.len()];
        for (i, p) in order {
            adjusted[i] = Some(p);
        }
        adjusted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adjusted(how: Adjustment, p: &[f64]) -> Vec<f64> {
        let all: Vec<Option<f64>> = p.iter().copied().map(Some).collect();
        how.of(&all).into_iter().map(Option::unwrap).collect()
    }

    #[test]
    fn three_by_hand() {
        let near = |found: Vec<f64>, expected: [f64; 3]| {
            for (a, b) in found.iter().zip(expected) {
                assert!((a - b).abs() < 1e-15, "{found:?} {expected:?}");
            }
        };
        let p = [0.04, 0.01, 0.03];
        near(adjusted(Adjustment::Holm, &p), [0.06, 0.03, 0.06]);
        near(adjusted(Adjustment::Hochberg, &p), [0.04, 0.03, 0.04]);
        near(adjusted(Adjustment::BenjaminiHochberg, &p), [0.04, 0.03, 0.04]);
        let more = 1.0 + 0.5 + 1.0 / 3.0;
        near(adjusted(Adjustment::BenjaminiYekutieli, &p), [0.04 * more, 0.03 * more, 0.04 * more]);
    }

    #[test]
    fn what_is_missing_is_no_test() {
        assert_eq!(Adjustment::Holm.of(&[None, Some(0.5), None]), [None, Some(0.5), None]);
    }
}
