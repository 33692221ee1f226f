//! Long calls: Ctrl-C ends them, and who waits at a terminal sees how far they are.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use reclaimstats_core::watch::Watch;

/// How long Ctrl-C may go unnoticed.
const TICK: Duration = Duration::from_millis(50);

/// Computes on a thread of the pool, while this one looks for signals.
///
/// # Errors
///
/// What a signal's handler raises; the computation has ended by then.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    compute: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    let watch = Watch::new();
    let (slot, ready) = (Mutex::new(None), Condvar::new());
    let mut raised = None;
    py.detach(|| {
        rayon::in_place_scope(|scope| {
            scope.spawn(|_| {
                let found = catch_unwind(AssertUnwindSafe(|| compute(&watch)));
                *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
                ready.notify_one();
            });
            raised = wait(&slot, &ready, &watch).err();
        });
    });
    let found = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
    match (raised, found) {
        (Some(error), _) => Err(error),
        (None, Some(Ok(value))) => Ok(value),
        (None, Some(Err(panic))) => resume_unwind(panic),
        (None, None) => unreachable!("the scope ends after what was spawned in it"),
    }
}

type Slot<T> = Mutex<Option<Result<T, Box<dyn Any + Send>>>>;

/// Waits for a result; stops the computation where a signal's handler raises.
fn wait<T>(slot: &Slot<T>, ready: &Condvar, watch: &Watch) -> PyResult<()> {
    let begun = Instant::now();
    let mut line = None;
    let mut waiting = slot.lock().unwrap_or_else(PoisonError::into_inner);
    let outcome = loop {
        let (found, _) = ready
            .wait_timeout_while(waiting, TICK, |found| found.is_none())
            .unwrap_or_else(PoisonError::into_inner);
        if found.is_some() {
            break Ok(());
        }
        // Who holds the interpreter may wait for this very lock.
        drop(found);
        let looked = Python::attach(|py| {
            py.check_signals()?;
            show(py, &mut line, watch, begun.elapsed())
        });
        if looked.is_err() {
            watch.stop();
            break looked;
        }
        waiting = slot.lock().unwrap_or_else(PoisonError::into_inner);
    };
    if let Some(line) = line {
        Python::attach(|py| line.call_method0(py, "end"))?;
    }
    outcome
}

/// Says how far the call is, once it is a long one.
fn show(
    py: Python<'_>,
    line: &mut Option<Py<PyAny>>,
    watch: &Watch,
    so_far: Duration,
) -> PyResult<()> {
    const LONG: Duration = Duration::from_secs(2);
    if so_far < LONG {
        return Ok(());
    }
    if line.is_none() {
        let module = py.import("reclaimstats.progress")?;
        *line = Some(module.getattr("Call")?.call0()?.unbind());
    }
    let Some(line) = line else { return Ok(()) };
    let done = watch.progress();
    line.call_method1(py, "show", (done.begun, done.cells, done.draws, so_far.as_secs_f64()))?;
    Ok(())
}
