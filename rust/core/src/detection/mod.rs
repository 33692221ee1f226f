//! Detection: what is found of what there is, and how scores rank it.

mod counts;
mod ranking;

pub use counts::{Counts, Found, Metric, of_clusters, of_trials};
pub use ranking::{Ranked, Ranking, RankingMethod, Scored, of_scores};

/// Reason of a share of nothing.
pub const NOTHING: &str = "no trial that counts for it";
/// Reason of a ranking without both kinds.
pub const ONE_KIND: &str = "positives and negatives are both needed";
/// Reason of an interval of a ranking of one positive or one negative.
pub const ONE_OF_A_KIND: &str = "one positive or negative says nothing of the spread";
/// Reason of an interval that hangs on one cluster.
pub const ONE_CLUSTER_OF_A_KIND: &str = "one cluster holds all positives or all negatives";
