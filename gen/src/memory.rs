//! How much memory a build takes, known before it begins.

use damier_core::{Rules, WordOf};
use damier_tables::Class;

use crate::layout::Layout;

/// What the process takes beside the classes: code, stacks, encoder buffers.
const BASE: u64 = 64 << 20;

/// Bytes of one ordered class.
#[derive(Clone, Copy, Debug)]
pub struct Need {
    /// While it is solved and encoded.
    pub working: u64,
    /// While others look it up.
    pub kept: u64,
}

impl Need {
    /// What a class needs.
    pub fn of<R: Rules, C>(class: Class) -> Need {
        let layout = Layout::<R>::new(class);
        let cell = size_of::<C>() as u64;
        let word = size_of::<WordOf<R>>() as u64;
        let frames = layout.frames();
        let kept = frames * 2 * cell;
        // While being solved: where captures are due, and for one skeleton a thread the open positions.
        let scratch = layout.skeleton_len() as u64 * 2 * (cell + word);
        Need { working: kept + frames * 2 * word + scratch, kept }
    }
}

/// The most memory a build takes if it solves its levels class by class: bytes, and the class at which it happens.
pub fn peak<R: Rules, C>(levels: &[Vec<Class>]) -> (u64, Option<Class>) {
    let mut live: Vec<Class> = Vec::new();
    let mut peak = (BASE, None);
    for (number, level) in levels.iter().enumerate() {
        for &class in level {
            let kept: u64 = live.iter().map(|&class| Need::of::<R, C>(class).kept).sum();
            let total = BASE + kept + Need::of::<R, C>(class).working;
            if total > peak.0 {
                peak = (total, Some(class));
            }
            live.push(class);
        }
        live.retain(|&class| is_needed::<R>(class, &levels[number + 1..]));
    }
    peak
}

/// Whether a class of `levels` can lead to `class`, in either orientation.
pub fn is_needed<R: Rules>(class: Class, levels: &[Vec<Class>]) -> bool {
    levels.iter().flatten().any(|&parent| {
        crate::schedule::children::<R>(parent)
            .iter()
            .any(|&child| child == class || child == class.flipped())
    })
}

/// The machine's memory in bytes.
pub fn of_machine() -> u64 {
    let info = rustix::system::sysinfo();
    info.totalram.saturating_mul(u64::from(info.mem_unit))
}

/// The most memory this process has had in use, in bytes, where the system tells.
pub fn peak_of_process() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
