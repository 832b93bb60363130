//! Reads a column of numbers from a spreadsheet, with minimal ZIP and XML support.

/// Returns the numbers in a column of a sheet, from the second row on.
pub(crate) fn column(bytes: &[u8], sheet: &str, column: char) -> Vec<f64> {
    let xml = String::from_utf8(entry(bytes, &format!("xl/worksheets/{sheet}.xml"))).unwrap();
    let cells = xml.split("<c ").skip(1);
    let of_column = cells.filter_map(|cell| {
        let place = cell.split("r=\"").nth(1)?.split('"').next()?;
        let row: u32 = place.strip_prefix(column)?.parse().ok()?;
        let value = cell.split("<v>").nth(1)?.split('<').next()?;
        (row > 1).then(|| value.parse().ok())?
    });
    of_column.collect()
}

fn number(bytes: &[u8], at: usize, count: usize) -> usize {
    bytes[at..at + count].iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte))
}

/// Returns a file of an archive, using its central directory.
fn entry(zip: &[u8], name: &str) -> Vec<u8> {
    let end = zip.windows(4).rposition(|w| w == b"PK\x05\x06").expect("a ZIP");
    let (count, mut at) = (number(zip, end + 10, 2), number(zip, end + 16, 4));
    for _ in 0..count {
        let lengths = [28, 30, 32].map(|field| number(zip, at + field, 2));
        if &zip[at + 46..at + 46 + lengths[0]] == name.as_bytes() {
            let (size, local) = (number(zip, at + 20, 4), number(zip, at + 42, 4));
            let data = local + 30 + number(zip, local + 26, 2) + number(zip, local + 28, 2);
            return miniz_oxide::inflate::decompress_to_vec(&zip[data..data + size])
                .expect("a deflated file");
        }
        at += 46 + lengths.iter().sum::<usize>();
    }
    panic!("{name} is not in the archive")
}
