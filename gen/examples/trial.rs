use damier_core::*;
use damier_gen::{cell::Wdl, schedule::schedule, solve::solve, solved::Known, time::*};
use damier_tables::Class;
use std::sync::Arc;
fn run<R: Rules>(n: u32, check: &str, single: bool) {
    let mut rows = std::collections::HashMap::new();
    for l in std::fs::read_to_string(check).unwrap().lines().skip(1) {
        let f: Vec<&str> = l.split(',').collect();
        let g = |i: usize| f[i].parse::<u64>().unwrap();
        rows.insert(
            (Class::new(g(1) as u8, g(2) as u8, g(3) as u8, g(4) as u8), f[5].to_string()),
            (g(6), g(7), g(8), g(9)),
        );
    }
    let mut wanted = vec![];
    for p in 2..=n {
        wanted.extend(Class::all_canonical(p));
    }
    let mut known = Known::<R, Wdl<WordOf<R>>>::new();
    let (mut ok, mut bad) = (0, 0);
    let t0 = process_seconds();
    let (mut cap, mut sw) = (0., 0.);
    let mut tot = 0u64;
    let mut topsec = 0.0;
    for level in schedule(&wanted) {
        for class in level {
            let a = process_seconds();
            let (mut s, ph) = solve(class, &known, &|_| {});
            let dt = process_seconds() - a;
            s.drop_due();
            let c = s.counts();
            let np = c[0].wins + c[0].draws + c[0].losses;
            cap += ph.captures;
            sw += ph.sweeps;
            tot += 2 * np;
            if class.pieces() == n {
                topsec += dt;
            }
            let mut good = true;
            for (t, c) in ["W", "B"].iter().zip(c) {
                if let Some(r) = rows.get(&(class, t.to_string())) {
                    if *r == (np, c.wins, c.draws, c.losses) {
                        ok += 1
                    } else {
                        bad += 1;
                        good = false;
                    }
                }
            }
            if !good || single || dt > 0.3 {
                println!(
                    "{class:8} {np} W {:?} B {:?} {} cap {:.2} sweep {:.2} s {:.2} ns/pos {:.2}",
                    c[0],
                    c[1],
                    if good { "ok" } else { "BAD" },
                    ph.captures,
                    ph.sweeps,
                    dt,
                    dt * 1e9 / (2 * np) as f64
                );
            }
            known.insert(Arc::new(s));
        }
    }
    println!(
        "rows ok {ok} bad {bad}; positions solved {tot} cpu {:.2} s (captures {cap:.2} sweeps {sw:.2}); top level {topsec:.2}s",
        process_seconds() - t0
    );
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n = a[2].parse().unwrap();
    let v: Variant = a[1].parse().unwrap();
    let f = format!("/work/shared/truth/{}.csv", v);
    rayon::ThreadPoolBuilder::new()
        .num_threads(a.get(3).map_or(1, |x| x.parse().unwrap()))
        .build_global()
        .unwrap();
    with_rules!(v, R => run::<R>(n,&f,a.len()>4));
}
