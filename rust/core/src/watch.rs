//! How far a long call is, and whether it should go on.
//!
//! Who started the call keeps a [`Watch`] and may look at it, or stop the call, from another thread.
//! What takes long looks at it between cells, resamples and blocks of them. A call that was stopped
//! unwinds with [`Stopped`], which is no error of its own: no part of a result is ever seen. What is
//! counted here decides nothing else, so that results depend on no thread's timing.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

/// What a stopped call unwinds with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Counts of a call's work, and a flag that stops it.
#[derive(Debug, Default)]
pub struct Watch {
    stopped: AtomicBool,
    cells: AtomicU64,
    begun: AtomicU64,
    draws: AtomicU64,
}

/// What a call has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Cells that it is about, as far as is known.
    pub cells: u64,
    /// Those that are done or under way.
    pub begun: u64,
    /// Random resamples that were drawn.
    pub draws: u64,
}

/// Resamples that are drawn between two counts of them.
const BLOCK: u32 = 64;

static NOBODY: Watch = Watch::new();

impl Watch {
    /// Of a call that has done nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            stopped: AtomicBool::new(false),
            cells: AtomicU64::new(0),
            begun: AtomicU64::new(0),
            draws: AtomicU64::new(0),
        }
    }

    /// Of calls that nobody looks after.
    #[must_use]
    pub const fn nobody() -> &'static Self {
        &NOBODY
    }

    /// Stops the call at its next look.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// What was done so far.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress {
            cells: self.cells.load(Relaxed),
            begun: self.begun.load(Relaxed),
            draws: self.draws.load(Relaxed),
        }
    }

    /// Ends the call here if it was stopped.
    pub(crate) fn look(&self) {
        if self.stopped() {
            resume_unwind(Box::new(Stopped));
        }
    }

    pub(crate) fn stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Counts resamples.
    pub(crate) fn drawn(&self, draws: usize) {
        self.draws.fetch_add(draws as u64, Relaxed);
    }

    /// What is made of each cell, in their order, on all threads.
    pub fn cells<C: Send, S: Clone + Send, T: Send>(
        &self,
        cells: Vec<C>,
        state: S,
        make: impl Fn(&mut S, C) -> T + Send + Sync,
    ) -> Vec<T> {
        self.cells.fetch_add(cells.len() as u64, Relaxed);
        let made = cells.into_par_iter().map_with(state, |state, cell| {
            // To unwind from each of very many cells would take longer than a look at each.
            if self.stopped() {
                return None;
            }
            self.begun.fetch_add(1, Relaxed);
            Some(make(state, cell))
        });
        let made: Option<Vec<T>> = made.collect();
        made.unwrap_or_else(|| resume_unwind(Box::new(Stopped)))
    }

    /// What is made of each resample, in the order of their numbers, on all threads; `begin` makes
    /// what a thread needs for that.
    pub(crate) fn draws<S: Send, T: Send>(
        &self,
        count: u32,
        begin: impl Fn() -> S + Send + Sync,
        make: impl Fn(&mut S, u32) -> T + Send + Sync,
    ) -> Vec<T> {
        let block = |state: &mut Option<S>, block: u32| {
            let first = block * BLOCK;
            let last = first.saturating_add(BLOCK).min(count);
            let mut made = Vec::with_capacity(BLOCK as usize);
            for replicate in first..last {
                if self.stopped() {
                    return None;
                }
                made.push(make(state.get_or_insert_with(&begin), replicate));
            }
            self.drawn(made.len());
            Some(made)
        };
        let blocks = (0..count.div_ceil(BLOCK)).into_par_iter().map_init(|| None, block);
        let made: Option<Vec<Vec<T>>> = blocks.collect();
        let made = made.unwrap_or_else(|| resume_unwind(Box::new(Stopped)));
        made.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn work_comes_in_order_and_is_counted() {
        let watch = Watch::new();
        assert_eq!(watch.cells((0..1000).collect(), 3, |three, i| i * *three)[999], 2997);
        let drawn = watch.draws(1000, || 3, |three, replicate| replicate * *three);
        assert_eq!(drawn, (0..1000).map(|i| i * 3).collect::<Vec<_>>());
        let progress = Progress { cells: 1000, begun: 1000, draws: 1000 };
        assert_eq!(watch.progress(), progress);
    }

    #[test]
    fn what_is_stopped_ends_wherever_it_is() {
        let stopped = |work: fn(&Watch)| {
            let watch = Watch::new();
            let error = catch_unwind(|| work(&watch)).unwrap_err();
            assert_eq!(error.downcast_ref(), Some(&Stopped));
            watch.progress()
        };
        // Far less than all of it: the threads see the flag at their next look.
        let cells = stopped(|watch| {
            watch.cells((0..1_000_000).collect(), (), |(), i: u32| {
                if i == 10 {
                    watch.stop();
                }
                std::thread::yield_now();
            });
        });
        assert!(cells.begun < 900_000, "{cells:?}");
        let draws = stopped(|watch| {
            watch.draws(10_000_000, || (), |(), _| watch.stop());
        });
        assert!(draws.draws < 1000, "{draws:?}");
        stopped(|watch| {
            watch.stop();
            watch.look();
        });
    }
}
