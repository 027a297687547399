use damier_core::*;
use damier_gen::*;
use damier_tables::*;
struct S;
impl Progress for S {
    fn planned(&self, _: usize, _: u64) {}
    fn class_started(&self, _: Class, _: u64) {}
    fn advanced(&self, _: u64) {}
    fn class_finished(&self, r: &ClassReport) {
        eprintln!(
            "{:9} {:11} cap {:.2} sw {:.2} enc {:.2} ({:.1} ns) write {:.2} bytes {} bits {:.4}",
            r.class.to_string(),
            r.positions,
            r.phases.captures,
            r.phases.sweeps,
            r.encode,
            r.encode * 1e9 / r.stored() as f64,
            r.write,
            r.bytes,
            r.bits()
        );
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n = a[2].parse().unwrap();
    let v: Variant = a[1].parse().unwrap();
    let dir = std::path::PathBuf::from(&a[3]);
    let threads = a.get(4).map_or(1, |x| x.parse().unwrap());
    let classes = (2..=n).flat_map(Class::all_canonical).collect::<Vec<_>>();
    {
        let o = BuildOptions {
            classes: classes.clone(),
            tables: dir.clone(),
            threads: Some(threads),
            memory: None,
            codec: Codec::default(),
        };
        let r = build(v, &o, &S).unwrap();
        for p in 2..=n {
            let (b, s) = r
                .classes
                .iter()
                .filter(|c| c.class.pieces() == p)
                .fold((0, 0), |(b, s), c| (b + c.bytes, s + c.stored()));
            println!("{p}: {b} bytes {s} stored {:.4} bits", b as f64 * 8. / s as f64);
        }
        let s: u64 = r.classes.iter().map(|c| c.stored()).sum();
        println!(
            "build cpu {:.2} wall {:.2} ns/pos {:.2} peak {:?}",
            r.cpu,
            r.wall,
            r.cpu * 1e9 / s as f64,
            r.peak_memory.map(|x| x >> 20)
        );
        if a.len() > 5 {
            let t = verify(v, &dir, &classes, Some(threads), &S).unwrap();
            println!("verify {:?}", t);
        }
    }
}
