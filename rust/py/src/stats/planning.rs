//! Power, sample size and detectable effect.

use std::sync::Arc;

use arrow_array::StringArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3_arrow::{PyChunkedArray, PyRecordBatch};
use rayon::prelude::*;
use reclaimstats_core::compare::Pairs;
use reclaimstats_core::infer::fisher::Alternative;
use reclaimstats_core::intervals::{edge_bounds, rule_of_thumb};
use reclaimstats_core::planning::{self, Given, Outcome, Pilot, Planned, Study};

use super::compare::zip_pairs;
use super::{counts_out, floats_out};
use crate::columns::{Column, batch, offsets};
use crate::errors;
use crate::watched::watched;

/// The attributes of the Python package's study.
#[derive(FromPyObject)]
pub(crate) struct StudyFields {
    paired: bool,
    sd: Option<f64>,
    baseline: Option<f64>,
    correlation: f64,
    discordance: Option<f64>,
    icc: f64,
    cluster_size: f64,
    alpha: f64,
    alternative: String,
    normal: bool,
    n: Option<u64>,
    power: Option<f64>,
    effect: Option<f64>,
}

impl StudyFields {
    fn check(&self) -> PyResult<(Study, Given)> {
        let wrong = || PyValueError::new_err("the assumptions contradict each other");
        let correlation = self.correlation;
        let outcome = (self.sd.map(|sd| Outcome::Scores { sd }))
            .or(self.discordance.map(|share| Outcome::Discordance { share }))
            .or(self.baseline.map(|baseline| Outcome::Rates { baseline, correlation }));
        let given = match (self.n, self.power, self.effect) {
            (Some(n), None, Some(effect)) => Given::SizeAndEffect(n, effect),
            (None, Some(power), Some(effect)) => Given::EffectAndPower(effect, power),
            (Some(n), Some(power), None) => Given::SizeAndPower(n, power),
            _ => return Err(wrong()),
        };
        if !(self.alpha > 0.0 && self.alpha < 1.0 && self.cluster_size >= 1.0) {
            return Err(wrong());
        }
        let study = Study {
            paired: self.paired,
            outcome: outcome.ok_or_else(wrong)?,
            icc: self.icc,
            cluster_size: self.cluster_size,
            alpha: self.alpha,
            alternative: errors::option("alternative", &self.alternative, Alternative::parse)?,
            normal: self.normal,
        };
        Ok((study, given))
    }
}

/// What is left out of a study: its size, its power or its effect.
#[pyfunction]
pub(crate) fn plan_study(py: Python<'_>, study: StudyFields) -> PyResult<PyRecordBatch> {
    let (study, given) = study.check()?;
    batch(planned(&[py.detach(|| study.solve(given))]))
}

/// The same of studies like a pilot: cells of clusters of pairs, or, without `lengths`, of
/// independent pairs.
#[pyfunction]
pub(crate) fn plan_pilots(
    py: Python<'_>,
    lengths: Option<PyChunkedArray>,
    counts: [PyChunkedArray; 4],
    study: StudyFields,
) -> PyResult<PyRecordBatch> {
    let (like, given) = study.check()?;
    let pairs = zip_pairs(&counts)?;
    let clustered = lengths.is_some();
    let offsets = match lengths {
        Some(lengths) => offsets(&lengths, pairs.len())?,
        None => (0..=pairs.len()).collect(),
    };
    let cells: Vec<&[Pairs]> = offsets.windows(2).map(|ends| &pairs[ends[0]..ends[1]]).collect();
    let (pilots, plans) = watched(py, |watch| {
        let pilots: Vec<Pilot> = cells.par_iter().map(|cell| Pilot::of(cell, clustered)).collect();
        let plans = planning::of_pilots(&pilots, &like, given, watch);
        (pilots, plans)
    })?;
    let mut columns = vec![
        ("pilot_pairs", counts_out(pilots.iter().map(|pilot| Some(pilot.pairs)))),
        ("pilot_clusters", counts_out(pilots.iter().map(|pilot| pilot.clusters))),
        ("discordance", floats_out(pilots.iter().map(|pilot| pilot.discordance))),
        ("icc", floats_out(pilots.iter().map(|pilot| pilot.icc))),
        ("cluster_size", floats_out(pilots.iter().map(|pilot| pilot.cluster_size))),
    ];
    columns.extend(planned(&plans));
    batch(columns)
}

fn planned(rows: &[Planned]) -> Vec<Column> {
    let method: StringArray = rows.iter().map(|row| Some(row.method)).collect();
    let reason: StringArray = rows.iter().map(|row| row.reason).collect();
    vec![
        ("n", counts_out(rows.iter().map(|row| row.n))),
        ("n_clusters", floats_out(rows.iter().map(|row| row.clusters))),
        ("effect", floats_out(rows.iter().map(|row| row.effect))),
        ("power", floats_out(rows.iter().map(|row| row.power))),
        ("method", Arc::new(method)),
        ("reason", Arc::new(reason)),
    ]
}

/// Upper limit of a rate of which nothing was seen in so many units, exact and by the rule.
#[pyfunction]
pub(crate) fn rule_of_three(n: u64, confidence_level: f64) -> (Option<f64>, Option<f64>) {
    (edge_bounds(0, n, n, confidence_level).1, rule_of_thumb(n, confidence_level))
}
