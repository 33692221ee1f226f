//! What a caller asks of an interval, in types that cannot hold an unknown option.

use crate::watch::Watch;

/// How the interval of a rate is made. With clusters, all but the percentile stand on the
/// effective sample size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RateMethod {
    /// The interval that covers: Wilson.
    Auto,
    /// Wilson's score interval.
    Wilson,
    /// Clopper and Pearson's exact interval.
    ClopperPearson,
    /// Equal-tailed interval of the posterior from Jeffreys' prior.
    Jeffreys,
    /// Agresti and Coull's interval.
    AgrestiCoull,
    /// The estimate and Student's t times its standard error.
    T,
    /// Quantiles of the bootstrap distribution.
    Percentile,
    /// The same, mirrored at the estimate.
    Basic,
    /// Quantiles corrected for bias and acceleration.
    Bca,
    /// Bootstrap-t.
    Studentized,
}

/// How the interval of a difference is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DifferenceMethod {
    /// The interval that covers: square-and-add of the arms' Wilson intervals.
    Auto,
    /// The difference and Student's t times its standard error.
    T,
    /// Quantiles of the bootstrap distribution.
    Percentile,
}

/// How the interval of a mean is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MeanMethod {
    /// The interval that covers: Student's t, and further on the side of a long tail.
    Auto,
    /// The estimate and Student's t times its standard error.
    T,
    /// Quantiles of the bootstrap distribution.
    Percentile,
    /// The same, mirrored at the estimate.
    Basic,
    /// Quantiles corrected for bias and acceleration.
    Bca,
    /// Bootstrap-t.
    Studentized,
}

/// How an interval is made of a bootstrap distribution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bootstrap {
    /// Its quantiles.
    Percentile,
    /// Its quantiles mirrored at the estimate.
    Basic,
    /// Its quantiles corrected for bias and acceleration.
    Bca,
    /// Bootstrap-t.
    Studentized,
}

/// How the distribution was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// Itself.
    Exact,
    /// By inversion of its characteristic function along a line.
    Inversion,
    /// By random draws.
    MonteCarlo,
    /// By Lugannani and Rice's approximation.
    Saddlepoint,
}

impl Bootstrap {
    /// What an interval that was made so is called.
    #[must_use]
    pub fn name(self, source: Source) -> &'static str {
        let names = match self {
            Self::Percentile => [
                "percentile-exact",
                "percentile-inversion",
                "percentile-monte-carlo",
                "percentile-saddlepoint",
            ],
            Self::Basic => {
                ["basic-exact", "basic-inversion", "basic-monte-carlo", "basic-saddlepoint"]
            }
            Self::Bca => ["bca-exact", "bca-inversion", "bca-monte-carlo", "bca-saddlepoint"],
            Self::Studentized => [
                "studentized-exact",
                "studentized-inversion",
                "studentized-monte-carlo",
                "studentized-saddlepoint",
            ],
        };
        names[source as usize]
    }
}

impl RateMethod {
    /// Which bootstrap it is, if it is one.
    #[must_use]
    pub fn bootstrap(self) -> Option<Bootstrap> {
        match self {
            Self::Percentile => Some(Bootstrap::Percentile),
            Self::Basic => Some(Bootstrap::Basic),
            Self::Bca => Some(Bootstrap::Bca),
            Self::Studentized => Some(Bootstrap::Studentized),
            _ => None,
        }
    }
}

impl MeanMethod {
    /// Which bootstrap it is, if it is one.
    #[must_use]
    pub fn bootstrap(self) -> Option<Bootstrap> {
        match self {
            Self::Auto | Self::T => None,
            Self::Percentile => Some(Bootstrap::Percentile),
            Self::Basic => Some(Bootstrap::Basic),
            Self::Bca => Some(Bootstrap::Bca),
            Self::Studentized => Some(Bootstrap::Studentized),
        }
    }
}

/// Cluster-robust variances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variance {
    /// Squared residuals of clusters, as they are.
    Cr0,
    /// Times K / (K - 1).
    Cr1,
    /// Each over one minus the cluster's share: Bell and `McCaffrey` (2002).
    Cr2,
}

/// What an estimate over clusters is over, and how its variance is estimated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Design {
    /// Every cluster weighs the same, whatever its size.
    pub balanced: bool,
    /// The cluster-robust variance.
    pub variance: Variance,
}

impl Default for Design {
    fn default() -> Self {
        Self { balanced: false, variance: Variance::Cr2 }
    }
}

/// How a bootstrap distribution is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resampler {
    /// Exactly where the data are a lattice, by random draws otherwise.
    Auto,
    /// By random draws always, so that the exact results can be checked.
    MonteCarlo,
    /// By the draws of CPython's `random.Random(seed).randrange`, over trials in row order.
    Cpython,
    /// By Lugannani and Rice's approximation, of a mean.
    Saddlepoint,
}

impl Resampler {
    /// Those of rates and their differences.
    pub const OF_COUNTS: [&'static str; 3] = ["auto", "monte-carlo", "cpython"];
    /// Those of means.
    pub const OF_SCORES: [&'static str; 3] = ["auto", "monte-carlo", "saddlepoint"];
}

macro_rules! named {
    ($type:ident { $($variant:ident => $name:literal),+ $(,)? }) => {
        impl $type {
            /// The accepted names, in the order of the documentation.
            pub const NAMES: &'static [&'static str] = &[$($name),+];

            /// The option of that name, or nothing.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use named;

named!(RateMethod {
    Auto => "auto",
    Wilson => "wilson",
    ClopperPearson => "clopper-pearson",
    Jeffreys => "jeffreys",
    AgrestiCoull => "agresti-coull",
    T => "t",
    Percentile => "percentile",
    Basic => "basic",
    Bca => "bca",
    Studentized => "studentized",
});
named!(DifferenceMethod { Auto => "auto", T => "t", Percentile => "percentile" });
named!(MeanMethod {
    Auto => "auto",
    T => "t",
    Percentile => "percentile",
    Basic => "basic",
    Bca => "bca",
    Studentized => "studentized",
});
named!(Variance { Cr0 => "cr0", Cr1 => "cr1", Cr2 => "cr2" });
named!(Resampler {
    Auto => "auto",
    MonteCarlo => "monte-carlo",
    Cpython => "cpython",
    Saddlepoint => "saddlepoint",
});

/// Everything that an interval depends on besides the data: `M` is one of the methods above.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a, M> {
    /// How the interval is made.
    pub method: M,
    /// How a bootstrap distribution is found.
    pub resampler: Resampler,
    /// Two-sided confidence level, strictly between 0 and 1.
    pub confidence_level: f64,
    /// Number of resamples wherever random draws are used; at least 1.
    pub n_resamples: u32,
    /// Seed of the random draws.
    pub seed: u64,
    /// Who looks after the call.
    pub watch: &'a Watch,
}

impl<M> Plan<'_, M> {
    /// Probability left out on each side.
    #[must_use]
    pub fn tail(&self) -> f64 {
        tail(self.confidence_level)
    }
}

#[cfg(test)]
impl Plan<'_, ()> {
    /// So many draws from a seed, for limits at 95 %.
    pub(crate) fn draws(n_resamples: u32, seed: u64) -> Self {
        let (resampler, watch) = (Resampler::MonteCarlo, Watch::nobody());
        Self { method: (), resampler, confidence_level: 0.95, n_resamples, seed, watch }
    }
}

/// Probability that a two-sided level leaves out on each side.
///
/// Rounded to twelve decimals, so that a level of 0.95 gives the same number as a literal 0.025
/// and the replayed harness's order statistics fall where its own do.
#[must_use]
pub fn tail(confidence_level: f64) -> f64 {
    libm::round((1.0 - confidence_level) / 2.0 * 1e12) / 1e12
}

/// An interval and how it came to be.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// Lower and upper limit, where there are any.
    pub limits: Option<(f64, f64)>,
    /// Name of the method that made it.
    pub method: &'static str,
    /// Number of random resamples, where draws were used.
    pub n_resamples: Option<u32>,
    /// Monte Carlo standard error of each limit, where draws made them.
    pub errors: Option<(f64, f64)>,
    /// Why there are no limits.
    pub reason: Option<&'static str>,
}

impl Interval {
    pub(crate) fn closed_form(limits: (f64, f64), method: &'static str) -> Self {
        Self { limits: Some(limits), method, n_resamples: None, errors: None, reason: None }
    }

    pub(crate) fn missing(method: &'static str, reason: &'static str) -> Self {
        Self { limits: None, method, n_resamples: None, errors: None, reason: Some(reason) }
    }
}

/// Reason of a cell in which every outcome is missing or there is no row.
pub const NO_TRIALS: &str = "no trials with an outcome";
/// Reasons of a cell in which that holds of the treatment alone, and of the baseline alone.
pub const NO_TRIALS_OF: [&str; 2] =
    ["no trials of the treatment with an outcome", "no trials of the baseline with an outcome"];

/// Why nothing is known of a cell whose arms have so many trials, if one of them has none: the reason
/// of the first such arm, or that of a cell without any trial.
pub(crate) fn no_trials<const A: usize>(
    trials: [u64; A],
    of_arms: [&'static str; A],
) -> Option<&'static str> {
    let empty = trials.iter().position(|trials| *trials == 0)?;
    Some(if trials.iter().all(|trials| *trials == 0) { NO_TRIALS } else { of_arms[empty] })
}

/// Reason of a cell without a pair.
pub const NO_PAIRS: &str = "no pairs";
/// Reason of a cell whose single cluster says nothing about how clusters differ.
pub const ONE_CLUSTER: &str = "one cluster";
/// Reason of an interval whose standard error needs a second trial, pair or cluster.
pub const ONE_TRIAL: &str = "one trial says nothing of the spread";
/// Reason of a cell with more units than a resample can index.
pub const TOO_MANY: &str = "too many units to resample";
/// Reason of a cell in which nothing varies.
pub const NO_VARIATION: &str = "nothing varies";
/// Reason of a cell whose scores differ by less than sums of them can tell.
pub const WITHIN_ROUNDING: &str = "differences within rounding";
/// Reason of a mean or spread that no 64-bit float holds.
pub const TOO_LARGE: &str = "scores too large to add up";
/// Reason of a bootstrap interval that has no end.
pub const UNBOUNDED: &str = "too few different clusters or trials for this method";
