//! What an answer is, given the true value and the value that drift left behind.

/// The four outcomes of a correction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The answer is the truth.
    Recovered,
    /// The answer is the stale value.
    Inherited,
    /// The answer is some other value.
    Novel,
    /// There is no answer.
    Abstained,
}

impl Outcome {
    /// Names in the order of the codes.
    pub const NAMES: [&'static str; 4] = ["recovered", "inherited", "novel", "abstained"];

    /// Position of the outcome in [`Self::NAMES`].
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }
}

/// Outcome of a number: nearer than `tolerance` to the truth, or equal to it; else to the drift.
/// NaN is no answer and no truth; an unknown truth leaves the outcome unknown.
///
/// Nearer, not up to: at 0.5 a value midway between two whole numbers is neither.
#[must_use]
pub fn numeric(
    answer: Option<f64>,
    truth: Option<f64>,
    drift: Option<f64>,
    tolerance: f64,
) -> Option<Outcome> {
    let known = |value: Option<f64>| value.filter(|v| !v.is_nan());
    // The equality covers infinities, whose difference is NaN.
    #[expect(clippy::float_cmp)]
    classify(known(answer), known(truth), known(drift), |a, b| a == b || (a - b).abs() < tolerance)
}

/// Outcome of a text: equality with the truth, else with the drift.
#[must_use]
pub fn text(answer: Option<&str>, truth: Option<&str>, drift: Option<&str>) -> Option<Outcome> {
    classify(answer, truth, drift, |a, b| a == b)
}

fn classify<T: Copy>(
    answer: Option<T>,
    truth: Option<T>,
    drift: Option<T>,
    same: impl Fn(T, T) -> bool,
) -> Option<Outcome> {
    let truth = truth?;
    Some(match (answer, drift) {
        (None, _) => Outcome::Abstained,
        (Some(answer), _) if same(answer, truth) => Outcome::Recovered,
        (Some(answer), Some(drift)) if same(answer, drift) => Outcome::Inherited,
        (Some(_), _) => Outcome::Novel,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truth_wins_over_drift_and_nan_is_no_answer() {
        assert_eq!(numeric(Some(46.4), Some(46.0), Some(46.0), 0.5), Some(Outcome::Recovered));
        assert_eq!(numeric(Some(55.0), Some(46.0), Some(55.0), 0.5), Some(Outcome::Inherited));
        assert_eq!(numeric(Some(54.5), Some(54.0), Some(55.0), 0.5), Some(Outcome::Novel));
        assert_eq!(numeric(Some(46.0), Some(46.0), None, 0.0), Some(Outcome::Recovered));
        assert_eq!(numeric(Some(50.0), Some(46.0), None, 0.5), Some(Outcome::Novel));
        assert_eq!(numeric(Some(f64::NAN), Some(46.0), None, 0.5), Some(Outcome::Abstained));
        assert_eq!(numeric(Some(46.0), Some(f64::NAN), None, 0.5), None);
        let infinite = Some(f64::INFINITY);
        assert_eq!(numeric(infinite, infinite, None, 0.0), Some(Outcome::Recovered));
        assert_eq!(text(Some("Ben"), Some("Ana"), Some("Ben")), Some(Outcome::Inherited));
    }
}
