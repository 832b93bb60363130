use super::*;

/// A model of few pixels, so that a file can be broken at each of its bytes.
fn small() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(|| {
        let options =
            BuildOptions { pixels: 60, mesh: Mesh::Bare, most_parameters: 2, ..BuildOptions::default() };
        built(&options)
    })
}

/// The file with another body, and the checksum that belongs to it.
fn with_sum(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut sum = flate2::Crc::new();
    sum.update(&bytes[16..]);
    bytes[12..16].copy_from_slice(&sum.sum().to_le_bytes());
    bytes
}

#[test]
fn a_model_is_read_as_it_was_written() {
    for model in [small(), &*model()] {
        let bytes = model.to_bytes();
        assert_eq!(&Model::read("m", &bytes).unwrap(), model);
    }
    let size = model().to_bytes().len();
    assert!(size < 500_000, "{size} bytes");
}

#[test]
fn a_file_cut_short_anywhere_or_changed_anywhere_is_refused() {
    let bytes = small().to_bytes();
    for length in 0..bytes.len() {
        assert!(Model::read("m", &bytes[..length]).is_err(), "{length} of {} bytes", bytes.len());
        let mut changed = bytes.clone();
        changed[length] ^= 0x40;
        assert!(Model::read("m", &changed).is_err(), "byte {length} changed");
    }
}

/// Whoever changes a file may put the checksum right, too.
#[test]
fn a_changed_file_with_the_right_checksum_is_refused_or_can_be_used() {
    let bytes = small().to_bytes();
    let image = &drawn()[0].0;
    for at in (16..bytes.len()).step_by(3) {
        for value in [0x00, 0x7f, 0xff] {
            let mut changed = bytes.clone();
            changed[at] = value;
            let Ok(model) = Model::read("m", &with_sum(changed)) else { continue };
            if at % 8 == 0 {
                let model = Arc::new(model);
                let start = model.mean_pose(Similarity::IDENTITY);
                Fitter::new(model, FitOptions { halvings: 0, ..FitOptions::default() }).fit(image, &start);
            }
        }
    }
}

#[test]
fn what_is_wrong_is_said_with_the_files_name() {
    let good = small().to_bytes();
    let set = |at: usize, bytes: &[u8]| {
        let mut changed = good.clone();
        changed[at..at + bytes.len()].copy_from_slice(bytes);
        with_sum(changed)
    };
    let mut long = good.clone();
    long.push(0);
    let cases = [
        (Vec::new(), "not an eye model"),
        (b"P5 320 240".to_vec(), "not an eye model"),
        (set(8, &9_u32.to_le_bytes()), "version 9"),
        (good[..good.len() - 1].to_vec(), "cut short"),
        (with_sum(long), "bytes behind the counts"),
        (set(16, &[7]), "mesh: 7 is neither"),
        (set(17, &[0]), "channels: 0 of them"),
        (set(18, &999_u16.to_le_bytes()), "shapes: 999 of them"),
        (set(26, &u32::MAX.to_le_bytes()), "pixels: 4294967295 of them"),
        (set(30, &f64::NAN.to_le_bytes()), "mean shape: not a number"),
        (set(30, &(-5.0_f64).to_le_bytes()), "mean shape: a point lies outside"),
        (set(30, &3900.0_f64.to_le_bytes()), "pixels: the mean shape has"),
    ];
    for (bytes, words) in cases {
        let error = Model::read("eyes.vam", &bytes).unwrap_err().to_string();
        assert!(error.starts_with("eyes.vam: ") && error.contains(words), "“{error}” has no “{words}”");
    }
}
