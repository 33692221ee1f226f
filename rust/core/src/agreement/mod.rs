//! Agreement beyond chance: of pairs of ratings, and of items that any number of raters rated.
//!
//! Every coefficient here is `(observed - chance) / (1 - chance)`, where `observed` is a share
//! from 0 to 1. What an item or a cluster adds to it is linear to first order, chance agreement
//! included: for the kappa of pairs that gives the large-sample variance of Fleiss, Cohen and
//! Everitt (1969), Psychological Bulletin 72:323. The interval is Wilson's about `observed`, on
//! the sample size that this variance is worth (see [`Worth`](crate::intervals::Worth)), carried over to the coefficient's
//! scale. It keeps to the scale, and has a width where nobody disagrees.

mod items;
mod pairs;

use crate::intervals::Quantiles;
use crate::plan::{Interval, ONE_CLUSTER};
use crate::share::{Unit, share_limits};

pub use items::{Coefficient, Items, Metric, Rating, of_items};
pub use pairs::{Pair, Weights, of_pairs};

/// Agreement of one cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Agreement {
    /// Items with two ratings or more.
    pub items: u64,
    /// Ratings of those items.
    pub ratings: u64,
    /// Categories that occur in them.
    pub categories: u64,
    /// Clusters with such an item, where there are clusters.
    pub clusters: Option<u64>,
    /// Share of pairs of ratings of an item that are equal, averaged over items.
    pub agreement: Option<f64>,
    /// Interval of that share.
    pub limits: Option<(f64, f64)>,
    /// Agreement as the coefficient weighs it.
    pub observed: Option<f64>,
    /// The same, as it would be by chance.
    pub chance: Option<f64>,
    /// The coefficient.
    pub estimate: Option<f64>,
    /// Interval of the coefficient.
    pub interval: Interval,
}

/// Reason of a cell in which no item has two ratings.
pub const NO_ITEMS: &str = "no item has two ratings";
/// Reason of a cell in which chance agreement is perfect.
pub const ONE_CATEGORY: &str = "one category: chance agreement is perfect";
/// Reason of a kappa that is zero whatever the other rater does.
pub const CONSTANT_RATER: &str = "one rater uses one category: kappa is 0 however they agree";
/// Reason of a coefficient that has one value whoever gave the rating that stands alone.
pub const LONE_RATING: &str = "all ratings but one are the same";
/// Reason of an interval that needs a second item.
pub const ONE_ITEM: &str = "one item says nothing of the spread";

/// Limits of a share, as limits of the coefficient that it makes with that chance agreement.
///
/// Of items rated by different numbers of raters, a kappa can itself be below -1.
fn rescaled((low, high): (f64, f64), (observed, chance): (f64, f64)) -> (f64, f64) {
    let scale = |share: f64| (share - chance) / (1.0 - chance);
    (scale(low).max(-1.0).min(scale(observed)), scale(high))
}

/// Interval of a coefficient.
fn interval(
    (observed, chance): (f64, f64),
    units: &[Unit],
    most: f64,
    independent: bool,
    quantiles: &mut Quantiles,
) -> Interval {
    let limits = share_limits(observed, units, most, quantiles);
    let missing = Interval::missing("none", if independent { ONE_ITEM } else { ONE_CLUSTER });
    limits.map_or(missing, |limits| {
        Interval::closed_form(rescaled(limits, (observed, chance)), "wilson-effective")
    })
}
