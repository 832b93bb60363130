//! Recordings of real eyes as samples, from the folder in `VIVANT_DATA`.

use std::path::Path;
use vivant::eyes::driven::EyeSample;
use vivant::math::{asin, atan2};

/// Returns recordings of glasses at 200 Hz and headsets at 120 Hz; empty without the folder.
pub(crate) fn recordings() -> Vec<(String, Vec<EyeSample>)> {
    let Some(folder) = vivant_testing::data("eye") else { return Vec::new() };
    let headsets =
        ["TESTNA01_2D_Fist3", "TESTNA01_360VR_Fist3", "TESTNA05_360VR_Spread7", "TESTNA10_360VR_Fist3"];
    let headsets = headsets.map(|name| (name.to_owned(), headset(&folder, name)));
    [("glasses".to_owned(), glasses(&folder))].into_iter().chain(headsets).collect()
}

/// Returns yaw to the left and pitch up of a direction (x to the right, y up, z ahead).
fn angles([x, y, z]: [f64; 3]) -> Option<[f64; 2]> {
    let length = (x * x + y * y + z * z).sqrt();
    (length > 0.5).then(|| [-atan2(x, z).to_degrees(), asin((y / length).clamp(-1.0, 1.0)).to_degrees()])
}

fn glasses(folder: &Path) -> Vec<EyeSample> {
    let read = |name: &str| std::fs::read(folder.join("neon_demo").join(name)).unwrap();
    let times: Vec<i64> = read("eye_state ps1.time")
        .chunks_exact(8)
        .map(|bytes| i64::from_le_bytes(bytes.try_into().unwrap()))
        .collect();
    let sample = |(row, at): (&[u8], &i64)| {
        let number = |i: usize| f64::from(f32::from_le_bytes(row[4 * i..4 * i + 4].try_into().unwrap()));
        // In this format y points down.
        let eye = |i: usize| angles([number(i), -number(i + 1), number(i + 2)]);
        let openness = Some([number(16), number(19)]);
        EyeSample { left: eye(4), right: eye(11), openness, ..EyeSample::at((at - times[0]) as f64 * 1e-9) }
    };
    read("eye_state ps1.raw").chunks_exact(80).zip(&times).map(sample).collect()
}

fn headset(folder: &Path, name: &str) -> Vec<EyeSample> {
    let path = folder.join(format!("eyedentify3d/HTC_Vive_Pro_{name}.csv"));
    let text = std::fs::read_to_string(path).unwrap();
    let row = |line: &str| line.split(';').map(|field| field.parse().unwrap_or(f64::NAN)).collect();
    let rows: Vec<Vec<f64>> = text.lines().skip(1).map(row).filter(|row: &Vec<f64>| row.len() > 30).collect();
    let sample = |row: &Vec<f64>| {
        // Five bits for five valid measurements. In this format x points to the left.
        let eye = |valid: usize, i: usize| {
            if row[valid] < 31.0 { None } else { angles([-row[i], row[i + 1], row[i + 2]]) }
        };
        let (left, right, openness) = (eye(4, 20), eye(5, 23), Some([row[6], row[7]]));
        EyeSample { left, right, openness, ..EyeSample::at((row[0] - rows[0][0]) * 1e-7) }
    };
    rows.iter().map(sample).collect()
}
