//! Agreement beyond chance: of pairs of ratings, and of items that any number of raters rated.
//!
//! Every coefficient here is `(observed - chance) / (1 - chance)`, where `observed` is a share
//! from 0 to 1. What an item or a cluster adds to it is linear to first order, chance agreement
//! included: for the kappa of pairs that gives the large-sample variance of Fleiss, Cohen and
//! Everitt (1969), Psychological Bulletin 72:323. The interval is Wilson's about `observed`, on
//! the sample size that this variance is worth (see [`Worth`]), carried over to the coefficient's
//! scale. It keeps to the scale, and has a width where nobody disagrees.

mod items;
mod pairs;

use crate::intervals::{Quantiles, Spread, Worth, wilson};
use crate::plan::{Interval, ONE_CLUSTER};

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

/// What a cluster, or each of some like items, adds to an estimate.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Unit {
    /// Sum of residuals; over all units they add up to nothing.
    residual: f64,
    /// In what the residuals are a mean over.
    size: u64,
    /// How many there are of the kind.
    times: u64,
}

/// Sizes of units, from which an interval is made.
struct Sizes {
    units: u64,
    total: u64,
    /// As how many units of one size they weigh: Kish's effective number.
    equal: f64,
}

impl Sizes {
    fn of(units: &[Unit]) -> Self {
        let (mut count, mut total, mut squares) = (0, 0, 0_u128);
        for unit in units {
            count += unit.times;
            total += unit.times * unit.size;
            squares += u128::from(unit.times) * u128::from(unit.size) * u128::from(unit.size);
        }
        Self { units: count, total, equal: total as f64 * total as f64 / squares as f64 }
    }
}

/// Wilson's interval of a share on the size that `units` are worth; or why there is none.
///
/// What chance agreement adds can cancel against what is observed. Where few items speak for
/// that, as with a rare category, it does so by luck, and leaves the share known to many digits.
/// So a size above `most`, that of independent items by what is observed alone, is drawn towards
/// it: inverses are averaged, at a weight of 1 / (1 + (speaking / 20)²), chosen by simulation.
fn share_limits(
    share: f64,
    units: &[Unit],
    most: f64,
    independent: bool,
    quantiles: &mut Quantiles,
) -> Result<(f64, f64), &'static str> {
    let sizes = Sizes::of(units);
    if sizes.units < 2 {
        return Err(if independent { ONE_ITEM } else { ONE_CLUSTER });
    }
    let n = sizes.total as f64;
    let parts = units.iter().map(|unit| (unit.residual, unit.size as f64 / n, unit.times));
    let spread = Spread::of_residuals(parts, n).filter(|spread| spread.variance > ROUNDING);
    let most = spread.map_or(most, |spread| {
        let measured = share * (1.0 - share) / spread.variance;
        let doubt = 1.0 / (1.0 + spread.speaking * spread.speaking / SPEAKING);
        if measured > most { 1.0 / ((1.0 - doubt) / measured + doubt / most) } else { most }
    });
    let worth = Worth::of(share, spread, most, sizes.equal);
    Ok(wilson(share, quantiles.shrunk(worth), quantiles.normal()))
}

/// See [`share_limits`].
const SPEAKING: f64 = 20.0 * 20.0;

/// A variance below this is made by rounding alone.
const ROUNDING: f64 = 1e-28;

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
    match share_limits(observed, units, most, independent, quantiles) {
        Ok(limits) => {
            Interval::closed_form(rescaled(limits, (observed, chance)), "wilson-effective")
        }
        Err(reason) => Interval::missing("none", reason),
    }
}
