//! Parallel loops that are compiled once.
//!
//! The solver is compiled for every variant, and iterator adaptors would be compiled with it each time. These loops take what they run by
//! reference; the work of an item is large beside an indirect call.

use std::sync::Mutex;

use rayon::prelude::*;

/// Calls `work` with every number below `count`, on the threads of the current pool.
pub fn for_each(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(work);
}

/// What `work` makes of every number below `count`, in order.
pub fn map<T: Send>(count: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
    let results: Vec<Mutex<Option<T>>> = (0..count).map(|_| Mutex::new(None)).collect();
    for_each(count, &|number| {
        let result = work(number);
        *results[number].lock().expect("no one panics holding it") = Some(result);
    });
    let taken = results.into_iter().map(|result| {
        result.into_inner().expect("no one panics holding it").expect("every number was called")
    });
    taken.collect()
}
