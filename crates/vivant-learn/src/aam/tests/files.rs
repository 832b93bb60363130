use super::*;

/// Returns a small model, so that a test can damage each byte of its file.
fn small() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(|| {
        let options =
            BuildOptions { pixels: 60, mesh: Mesh::Bare, max_parameters: 2, ..BuildOptions::default() };
        built(&options)
    })
}

/// Sets the checksum to match the body.
fn with_sum(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut sum = flate2::Crc::new();
    sum.update(&bytes[16..]);
    bytes[12..16].copy_from_slice(&sum.sum().to_le_bytes());
    bytes
}

#[test]
fn a_model_survives_writing_and_reading() {
    for model in [small(), &*model()] {
        let bytes = model.to_bytes();
        assert_eq!(&Model::read("m", &bytes).unwrap(), model);
    }
    let size = model().to_bytes().len();
    assert!(size < 500_000, "{size} bytes");
}

#[test]
fn truncated_or_changed_files_are_errors() {
    let bytes = small().to_bytes();
    for length in 0..bytes.len() {
        assert!(Model::read("m", &bytes[..length]).is_err(), "{length} of {} bytes", bytes.len());
        let mut changed = bytes.clone();
        changed[length] ^= 0x40;
        assert!(Model::read("m", &changed).is_err(), "byte {length} changed");
    }
}

/// A changed file may have a valid checksum, too.
#[test]
fn changed_files_with_a_valid_checksum_do_not_panic() {
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
fn errors_name_the_file_and_the_problem() {
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
        (good[..good.len() - 1].to_vec(), "truncated"),
        (with_sum(long), "bytes follow the counts"),
        (set(16, &[7]), "mesh: unknown mesh 7"),
        (set(17, &[0]), "channels: the count is 0"),
        (set(18, &999_u16.to_le_bytes()), "shapes: the count is 999"),
        (set(26, &u32::MAX.to_le_bytes()), "pixels: the count is 4294967295"),
        (set(30, &f64::NAN.to_le_bytes()), "mean shape: the value is not finite"),
        (set(30, &(-5.0_f64).to_le_bytes()), "mean shape: a point lies outside"),
        (set(30, &3900.0_f64.to_le_bytes()), "pixels: the count does not match"),
    ];
    for (bytes, words) in cases {
        let error = Model::read("eyes.vam", &bytes).unwrap_err().to_string();
        assert!(
            error.starts_with("eyes.vam: ") && error.contains(words),
            "“{error}” does not contain “{words}”"
        );
    }
}
