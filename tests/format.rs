//! The worked example of the file format's page is a real file.

#[test]
fn the_example_is_the_table() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let page = std::fs::read_to_string(format!("{folder}/tables/FORMAT.md")).unwrap();
    let (_, rest) = page.split_once("```hex\n").expect("an example");
    let (dump, _) = rest.split_once("```").expect("the end of the example");
    let mut bytes = Vec::new();
    for line in dump.lines() {
        let mut words = line.split_whitespace();
        let offset = usize::from_str_radix(words.next().expect("an offset"), 16).unwrap();
        assert_eq!(offset, bytes.len());
        bytes.extend(words.map(|byte| u8::from_str_radix(byte, 16).unwrap()));
    }
    let table = std::fs::read(format!("{folder}/probe/data/english/KvK.wdl")).unwrap();
    assert_eq!(bytes, table);
}
