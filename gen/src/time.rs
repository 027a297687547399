//! Where the time of a build goes, in CPU seconds.

use std::iter::Sum;
use std::ops::AddAssign;

use rustix::time::{ClockId, clock_gettime};

/// CPU seconds by phase of solving.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Phases {
    /// Finding captures and their values.
    pub captures: f64,
    /// Conversions and sweeps.
    pub sweeps: f64,
}

impl AddAssign for Phases {
    fn add_assign(&mut self, other: Phases) {
        self.captures += other.captures;
        self.sweeps += other.sweeps;
    }
}

impl Sum for Phases {
    fn sum<I: Iterator<Item = Phases>>(phases: I) -> Phases {
        phases.fold(Phases::default(), |mut sum, phases| {
            sum += phases;
            sum
        })
    }
}

/// CPU seconds of the calling thread.
pub fn thread_seconds() -> f64 {
    seconds(ClockId::ThreadCPUTime)
}

/// CPU seconds of the whole process.
pub fn process_seconds() -> f64 {
    seconds(ClockId::ProcessCPUTime)
}

fn seconds(clock: ClockId) -> f64 {
    let time = clock_gettime(clock);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// Measures laps of CPU time. Reading the clock costs more than a small skeleton, so of small ones only a sample is
/// measured, and counts for the others.
#[derive(Debug)]
pub struct Stopwatch {
    /// When the lap began, and for how many laps it counts; nothing if this one is left out.
    running: Option<(f64, f64)>,
}

impl Stopwatch {
    /// For one of `count` skeletons of so many frames.
    #[inline]
    pub fn sampling(number: usize, count: usize, frames: usize) -> Stopwatch {
        let every = (4096 / frames).clamp(1, count);
        let running = number.is_multiple_of(every).then(|| (thread_seconds(), every as f64));
        Stopwatch { running }
    }

    /// Seconds since the last lap.
    #[inline]
    pub fn lap(&mut self) -> f64 {
        let Some((start, weight)) = &mut self.running else { return 0.0 };
        let now = thread_seconds();
        let lap = (now - *start) * *weight;
        *start = now;
        lap
    }
}
