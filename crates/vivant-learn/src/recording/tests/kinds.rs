//! Every kind of device, in a file of a few lines.

use super::{good, is_near, source, with_map};
use crate::recording::{ReadOptions, Recording, Source, Span, Unit, companions, in_folder};

const N: f64 = f64::NAN;

fn deg(tangent: f64) -> f64 {
    vivant::math::atan2(tangent, 1.0).to_degrees()
}

fn aperture(recording: &Recording) -> (Unit, &[f64], &[f64]) {
    let aperture = recording.aperture.as_ref().unwrap();
    (aperture.unit.unwrap(), &aperture.left, &aperture.right)
}

fn check_gaze(recording: &Recording, yaw: &[f64], pitch: &[f64]) {
    let gaze = recording.gaze.as_ref().unwrap();
    assert!(is_near(&gaze.yaw_deg, yaw) && is_near(&gaze.pitch_deg, pitch), "{gaze:?}");
}

#[test]
fn htc_vive_pro_has_ticks_and_validity_bits() {
    let text = "time(100ns);openness_L;openness_R;eye_valid_L;eye_valid_R;gaze_direct_L.x;gaze_direct_L.y;gaze_direct_L.z;gaze_direct_R.x;gaze_direct_R.y;gaze_direct_R.z\r\n\
        638342794000115346;0.9;0.8;31;31;0.1;0;1;0.1;0;1\r\n\
        638342794000198679;0.5;0.4;8;0;0;0;0;0;0;0\r\n\
        638342794000282013;0.9;0.8;31;31;0;-0.1;1;0;-0.1;1\r\n\r\n";
    let (recording, _) = good(&[source("a.csv", text)], &ReadOptions::default());
    assert_eq!((recording.device.as_str(), recording.times.len()), ("htc-vive-pro", 3));
    assert!(is_near(&recording.times, &[0.0, 0.008_333_3, 0.016_666_7]), "{:?}", recording.times);
    let (unit, left, right) = aperture(&recording);
    assert!(unit == Unit::Share && is_near(left, &[0.9, 0.5, 0.9]) && is_near(right, &[0.8, N, 0.8]));
    // x points to the person's left.
    check_gaze(&recording, &[deg(0.1), N, 0.0], &[0.0, N, deg(-0.1)]);
    let [left, right] = recording.eyes.as_ref().unwrap();
    assert!(is_near(&left.yaw_deg, &[deg(0.1), N, 0.0]) && is_near(&right.pitch_deg, &[0.0, N, deg(-0.1)]));
    assert_eq!(recording.head, None);
}

#[test]
fn head_angles_up_to_360_are_converted_without_a_jump() {
    let text = "Timeline\tLeft Eye Gaze Openness\tRight Eye Gaze Openness\tHead Rotation. x\tHead Rotation. y\n\
        0\t1\t1\t10\t178\n0.0111\t1\t1\t0.5\t182\n0.0222\t1\t1\t359.5\t186\n0.0333\t1\t1\t350\t190\n";
    let (recording, _) = good(&[source("a.csv", text)], &ReadOptions::default());
    let head = recording.head.unwrap();
    assert!(is_near(&head.pitch_deg, &[-10.0, -0.5, 0.5, 10.0]), "{head:?}");
    assert!(is_near(&head.yaw_deg, &[-178.0, -182.0, -186.0, -190.0]), "{head:?}");
}

#[test]
fn live_link_face_has_closure_and_radians() {
    let text = "Timecode,BlendShapeCount,EyeBlinkLeft,EyeBlinkRight,HeadYaw,HeadPitch,LeftEyeYaw,LeftEyePitch,RightEyeYaw,RightEyePitch\n\
        10:00:00:00.000,61,0.1,0.2,0.1,0,0.2,0.1,0.1,0.1\n10:00:00:01.000,61,1.2,0.9,0.1,0,0.2,0.1,0.1,0.1\n";
    let (recording, _) = good(&[source("a.csv", text)], &ReadOptions::default());
    assert_eq!((recording.device.as_str(), recording.rate_hz()), ("live-link-face", 60.0));
    let (unit, left, right) = aperture(&recording);
    assert!(unit == Unit::Share && is_near(left, &[0.9, 0.0]) && is_near(right, &[0.8, 0.1]));
    let tenth = 0.1_f64.to_degrees();
    check_gaze(&recording, &[1.5 * tenth; 2], &[tenth; 2]);
    assert!(is_near(&recording.head.unwrap().yaw_deg, &[tenth; 2]));
}

#[test]
fn vivant_traces_and_curves_are_read() {
    let trace = "t,eye_left_yaw,eye_left_pitch,eye_right_yaw,eye_right_pitch,head_yaw,head_pitch,aperture_left,aperture_right\n\
        0,1,2,3,4,5,6,1,0.9\n0.01,1,2,3,4,5,6,1,0.9\n";
    let (recording, _) = good(&[source("a.csv", trace)], &ReadOptions::default());
    assert_eq!(recording.device, "vivant-trace");
    check_gaze(&recording, &[2.0; 2], &[3.0; 2]);
    assert!(is_near(&recording.head.unwrap().pitch_deg, &[6.0; 2]));
    let curves = "frame,time [s],leftEye.rotateX [deg],leftEye.rotateY [deg],rightEye.rotateX [deg],rightEye.rotateY [deg],blinkLeft [0-1],blinkRight [0-1]\n\
        0,0,-5,10,-5,10,0,0.25\n1,0.01,-5,10,-5,10,1,1\n";
    let (recording, _) = good(&[source("a.curves.csv", curves)], &ReadOptions::default());
    assert_eq!(recording.device, "vivant-curves");
    // A positive rotation about an axis to the left looks down.
    check_gaze(&recording, &[10.0; 2], &[5.0; 2]);
    assert!(is_near(aperture(&recording).2, &[0.75, 0.0]));
}

#[test]
fn tobii_fusion_has_decimal_commas_and_openness_of_invalid_eyes() {
    let text = "Recording timestamp\tGaze direction left X\tGaze direction left Y\tGaze direction left Z\tGaze direction right X\tGaze direction right Y\tGaze direction right Z\tEye openness left\tEye openness right\tValidity left\tValidity right\n\
        378926520\t0,1\t0\t-1,0\t0,1\t0\t-1\t7,504\t6,941\tValid\tValid\n\
        378934853\t\t\t\t\t\t\t0,25\t\tInvalid\tInvalid\n\
        378943186\t0\t0,1\t-1\t\t\t\t8\t7\tValid\tInvalid\n";
    let (recording, warnings) = good(&[source("a.tsv", text)], &ReadOptions::default());
    assert_eq!((recording.device.as_str(), recording.rate_hz()), ("tobii-fusion", 120.0));
    let (unit, left, right) = aperture(&recording);
    assert!(
        unit == Unit::Millimetres && is_near(left, &[7.504, 0.25, 8.0]) && is_near(right, &[6.941, N, 7.0])
    );
    // x points to the right, y down, z to the person.
    check_gaze(&recording, &[deg(-0.1), N, 0.0], &[0.0, N, deg(-0.1)]);
    assert!(warnings.iter().any(|w| w.message.contains("screen")), "{warnings:?}");
}

#[test]
fn utf_16_and_units_in_the_header_are_read() {
    let text =
        "Recording timestamp [μs]\tEye openness left [mm]\tEye openness right [mm]\n0\t1,5\t2\n8333\t1\t2\n";
    let wide: Vec<u8> =
        [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let (recording, _) = good(&[source("a.tsv", wide)], &ReadOptions::default());
    assert_eq!(recording.device, "tobii-fusion");
    assert!(is_near(&recording.times, &[0.0, 0.008_333]) && is_near(aperture(&recording).1, &[1.5, 1.0]));
}

#[test]
fn pico_reports_blinks_sample_by_sample() {
    let text = "Timeline\tLeft Eye Gaze Openness\tRight Eye Gaze Openness\tCombine Eye Gaze Vector. x\tCombine Eye Gaze Vector. y\tCombine Eye Gaze Vector. z\tLeft Eye Pose Status\tRight Eye Pose Status\tEye Left Blinking\tEye Right Blinking\n\
        0.1\t1\t1\t0.1\t0\t1\t52\t52\tFalse\tFalse\n0.2\t0\t0\t0\t0\t1\t0\t0\tTrue\tFalse\n0.3\t0\t0\t0\t0\t1\t0\t0\tTrue\tTrue\n0.4\t1\t1\t0\t0.1\t1\t52\t0\tFalse\tFalse\n";
    let (recording, _) = good(&[source("a.csv", text)], &ReadOptions::default());
    assert_eq!(recording.device, "pico");
    check_gaze(&recording, &[deg(-0.1), N, N, 0.0], &[0.0, N, N, deg(0.1)]);
    let blinks = recording.blinks.unwrap();
    assert!(
        is_near(&[blinks[0].from_secs, blinks[0].to_secs], &[0.1, 0.3]) && blinks.len() == 1,
        "{blinks:?}"
    );
}

pub(super) fn pupil() -> [Source; 3] {
    [
        source(
            "p_gaze.csv",
            "timestamp [ns],worn,blink id,azimuth [deg],elevation [deg]\n1650316509598345895,1,,5,-3\n1650316509603345895,1,1,6,-2\n1650316509608345895,0,,7,2\n",
        ),
        source(
            "p_blinks.csv",
            "blink id,start timestamp [ns],end timestamp [ns]\n1,1650316509599345895,1650316509606345895\n2,1650316519599345895,1650316519606345895\n",
        ),
        source(
            "p_imu.csv",
            "timestamp [ns],gyro x [deg/s],gyro y [deg/s],gyro z [deg/s]\n1650316509600345895,1,2,3\n",
        ),
    ]
}

#[test]
fn pupil_invisible_has_blinks_and_head_in_separate_files() {
    // The gaze file has the samples, whichever file comes first.
    for first in 0..3 {
        let mut sources = pupil().to_vec();
        sources.swap(0, first);
        let (recording, _) = good(&sources, &ReadOptions::default());
        assert_eq!((recording.device.as_str(), recording.rate_hz()), ("pupil-invisible", 200.0));
        assert!(recording.aperture.is_none());
        check_gaze(&recording, &[-5.0, -6.0, N], &[-3.0, -2.0, N]);
        // The second blink is after the recording.
        assert_eq!(recording.blinks.unwrap(), [Span { from_secs: 0.001, to_secs: 0.008 }]);
        let imu = recording.imu.unwrap();
        assert_eq!((imu.times.as_slice(), imu.turn_deg_per_s[0]), (&[0.002][..], [1.0, 2.0, 3.0]));
    }
}

#[test]
fn jefapato_has_frame_numbers_and_a_given_rate() {
    let text = "frame,EAR2D6_l,EAR2D6_r,EAR2D6_valid,BS_Valid\n0, 0.31, 0.30,True,True\n1, 0.32, 0.2,False,True\n3, 0.3, 0.2,True,True\n";
    let check = |name: &str, rate_hz: Option<f64>, expected: f64, warned: usize| {
        let (recording, warnings) =
            good(&[source(name, text)], &ReadOptions { rate_hz, ..ReadOptions::default() });
        assert_eq!((recording.device.as_str(), warnings.len()), ("jefapato", warned), "{warnings:?}");
        assert!(is_near(&recording.times, &[0.0, 1.0 / expected, 3.0 / expected]));
        let (unit, left, _) = aperture(&recording);
        assert!(unit == Unit::Ratio && is_near(left, &[0.31, N, 0.3]));
    };
    check("a.csv", None, 240.0, 1);
    check("face_30fps.csv", None, 30.0, 1);
    check("face_30fps.csv", Some(60.0), 60.0, 0);
}

#[test]
fn a_video_track_has_gaps_where_the_eyes_were_lost() {
    let head = "frame,time,aperture_left,aperture_right,lid_distance_left,lid_distance_right,error,iterations,trusted";
    let plain = format!(
        "{head},right_outer_x,right_outer_y\n0,0.5,0.31,0.3,12,11,0.1,4,1,5,6\n1,0.54,,,,,1,9,0,,\n2,0.58,0.2,0.1,8,4,0.1,5,1,5,6\n"
    );
    let (recording, warnings) = good(&[source("track.csv", plain)], &ReadOptions::default());
    assert_eq!((recording.device.as_str(), warnings.len()), ("vivant-track", 0), "{warnings:?}");
    assert!(is_near(&recording.times, &[0.0, 0.04, 0.08]) && recording.gaze.is_none());
    let (unit, left, right) = aperture(&recording);
    assert!(unit == Unit::Ratio && is_near(left, &[0.31, N, 0.2]) && is_near(right, &[0.3, N, 0.1]));
    let gazing = format!(
        "{head},gaze_yaw_deg,gaze_pitch_deg\n0,0,0.31,0.3,12,11,0.1,4,1,,\n1,0.04,0.3,0.3,9,9,0.1,9,1,-7,2\n2,0.08,,,,,1,5,0,-7,2\n"
    );
    let (recording, warnings) = good(&[source("track.csv", gazing)], &ReadOptions::default());
    let gaze = recording.gaze.unwrap();
    assert!(
        is_near(&gaze.yaw_deg, &[N, -7.0, -7.0]) && is_near(&gaze.pitch_deg, &[N, 2.0, 2.0]),
        "{warnings:?}"
    );
}

/// Returns an electro-oculogram of ten seconds with three blinks and a gaze shift, which is larger than any blink.
fn eog(sign: f64, scale: f64) -> String {
    let value = |index: i32| {
        let blink = |at: i32| 90.0 * (1.0 - f64::from((index - at).abs()) / 12.0).max(0.0);
        let look = if (400..700).contains(&index) { -150.0 } else { 0.0 };
        sign * scale * (blink(150) + blink(520) + blink(860) + look + f64::from(index % 3))
    };
    (0..1000).map(|index| format!("{:e}\n", value(index))).collect()
}

#[test]
fn an_eog_is_oriented_so_that_blinks_go_down() {
    for (sign, scale, warned) in [(1.0, 1e-6, 3), (-1.0, 1e-6, 2), (1.0, 1.0, 2), (-1.0, 1.0, 1)] {
        let (recording, warnings) =
            good(&[source("eog_100hz.csv", format!("vEOG\n{}", eog(sign, scale)))], &ReadOptions::default());
        assert_eq!((recording.device.as_str(), warnings.len()), ("eog", warned), "{warnings:?}");
        let (unit, left, right) = aperture(&recording);
        assert!(
            unit == Unit::Microvolts && right.is_empty() && (left[150] + 90.0).abs() < 3.0,
            "{}",
            left[150]
        );
    }
}

/// Returns a NumPy file with this header and data.
pub(super) fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend_from_slice(data);
    bytes
}

#[test]
fn irf_has_numpy_records_with_blinks_as_event_5() {
    let row = |t: f64, x: f32, y: f32, status: u8, evt: u8| {
        [&t.to_le_bytes()[..], &x.to_le_bytes(), &y.to_le_bytes(), &[status, evt]].concat()
    };
    let rows = [
        row(0.0, 1.0, 2.0, 1, 1),
        row(0.001, 1.0, 3.0, 1, 5),
        row(0.002, f32::NAN, 3.0, 0, 5),
        row(0.003, 2.0, 0.0, 1, 1),
    ];
    let descr = "[('t', '<f8'), ('x', '<f4'), ('y', '<f4'), ('status', '|b1'), ('evt', '|u1')]";
    let (recording, _) =
        good(&[source("a.npy", npy(descr, "(4,)", &rows.concat()))], &ReadOptions::default());
    assert_eq!((recording.device.as_str(), recording.rate_hz()), ("irf", 1000.0));
    check_gaze(&recording, &[-1.0, -1.0, N, -2.0], &[-2.0, -3.0, N, 0.0]);
    assert_eq!(recording.blinks.unwrap(), [Span { from_secs: 0.001, to_secs: 0.003 }]);
}

#[test]
fn a_plain_array_is_read_by_column_index() {
    let map = "[time]\ncolumn = 0\nunit = 'ms'\n[aperture]\nleft = 1\nunit = 'mm'\nscale = 0.5";
    let big: Vec<u8> = [0i32, 8, 10, 6].iter().flat_map(|n| n.to_be_bytes()).collect();
    let (recording, _) = good(&[source("a.npy", npy("'>i4'", "(2, 2)", &big))], &with_map(map));
    assert!(is_near(&recording.times, &[0.0, 0.01]) && is_near(aperture(&recording).1, &[4.0, 3.0]));
}

/// Returns a Parquet file with time in nanoseconds, an aperture with nulls, and a word.
pub(super) fn parquet_file() -> Vec<u8> {
    use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
    use parquet::file::{properties::WriterProperties, writer::SerializedFileWriter};
    let schema = "message m { required int64 timestamp_ns; optional double openness_left; required binary state (UTF8); }";
    let schema = std::sync::Arc::new(parquet::schema::parser::parse_message_type(schema).unwrap());
    let properties = WriterProperties::builder().set_compression(parquet::basic::Compression::SNAPPY).build();
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, properties.into()).unwrap();
    let mut rows = writer.next_row_group().unwrap();
    let mut column = rows.next_column().unwrap().unwrap();
    let times = [1_650_316_509_598_345_895, 1_650_316_509_603_345_895, 1_650_316_509_608_345_895];
    column.typed::<Int64Type>().write_batch(&times, None, None).unwrap();
    column.close().unwrap();
    let mut column = rows.next_column().unwrap().unwrap();
    column.typed::<DoubleType>().write_batch(&[0.5, 0.25], Some(&[1, 0, 1]), None).unwrap();
    column.close().unwrap();
    let mut column = rows.next_column().unwrap().unwrap();
    let words = ["good", "good", "bad"].map(ByteArray::from);
    column.typed::<ByteArrayType>().write_batch(&words, None, None).unwrap();
    column.close().unwrap();
    rows.close().unwrap();
    writer.close().unwrap();
    bytes
}

#[test]
fn parquet_is_read_with_common_names_and_with_a_map() {
    let source = source("a.parquet", parquet_file());
    let (recording, _) = good(std::slice::from_ref(&source), &ReadOptions::default());
    assert!(is_near(&recording.times, &[0.0, 0.005, 0.01]), "{:?}", recording.times);
    assert!(is_near(aperture(&recording).1, &[0.5, N, 0.25]));
    let map = "[time]\ncolumn = 'timestamp_ns'\nunit = 'ns'\n[aperture]\nright = 'openness_left'\nunit = 'mm'\nright_valid = { column = 'state', is = 'good' }";
    let (recording, _) = good(&[source], &with_map(map));
    assert!(is_near(aperture(&recording).2, &[0.5, N, N]) && aperture(&recording).1.is_empty());
}

#[test]
fn rows_of_other_sensors_are_ignored() {
    let text = "Recording timestamp\tSensor\tEye openness left\tEye openness right\n0\tEye Tracker\t8\t8\n4000\tMouse\t\t\n8333\tEye Tracker\t8\t8\n16666\tEye Tracker\t8\t8\n";
    let (recording, warnings) = good(&[source("a.tsv", text)], &ReadOptions::default());
    assert!(is_near(&recording.times, &[0.0, 0.008_333, 0.016_666]) && warnings.is_empty(), "{warnings:?}");
}

#[test]
fn velocities_after_one_eye_are_not_a_second_eye() {
    let text = "START\t10 \tRIGHT\tSAMPLES\n10\t 100.0\t 200.0\t 900.0\t 5.0\t 6.0\t 30.0\t...\n12\t 140.0\t 200.0\t 900.0\t 5.0\t 6.0\t 30.0\t...\n14\t 60.0\t 280.0\t 900.0\t 5.0\t 6.0\t 30.0\t...\n";
    let (mono, _) =
        good(&[source("m.asc", text)], &with_map("device = 'eyelink'\n[gaze]\npixels_per_degree = 40"));
    check_gaze(&mono, &[0.0, -1.0, 1.0], &[0.0, 0.0, -2.0]);
}

/// Returns a Neon's native files with records of the given length.
pub(super) fn neon(numbers: usize) -> Vec<Source> {
    let times = [1_760_676_790_103_992_534i64, 1_760_676_790_108_992_534, 1_760_676_790_113_992_534];
    let record = |open: f32| {
        let mut all = [0f32; 20];
        (all[4], all[6], all[11], all[13]) = (0.1, 1.0, 0.1, 1.0);
        (all[5], all[12]) = (-0.2, -0.2);
        (all[16], all[19]) = (open, open + 1.0);
        all[..numbers].iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>()
    };
    let clock: Vec<u8> = times.iter().flat_map(|t| t.to_le_bytes()).collect();
    let blink = [
        &4i32.to_le_bytes()[..],
        &(times[0] + 1_000_000).to_le_bytes(),
        &(times[1] + 1_000_000).to_le_bytes(),
    ]
    .concat();
    vec![
        source("eye_state ps1.raw", [record(8.0), record(2.0), record(7.0)].concat()),
        source("eye_state ps1.time", clock),
        source("blinks ps1.raw", blink),
        source("blinks ps1.time", times[0].to_le_bytes()),
    ]
}

#[test]
fn neon_files_and_cloud_exports_are_read() {
    let (raw, _) = good(&neon(20), &ReadOptions::default());
    assert_eq!((raw.device.as_str(), raw.rate_hz()), ("neon", 200.0));
    assert!(is_near(aperture(&raw).1, &[8.0, 2.0, 7.0]) && is_near(aperture(&raw).2, &[9.0, 3.0, 8.0]));
    assert_eq!(raw.blinks.as_deref(), Some(&[Span { from_secs: 0.001, to_secs: 0.006 }][..]));
    let gaze = raw.gaze.as_ref().unwrap();
    assert!(
        (gaze.yaw_deg[0] - deg(-0.1)).abs() < 1e-5 && (gaze.pitch_deg[0] - 11.25).abs() < 0.1,
        "{gaze:?}"
    );
    let header = "timestamp [ns],optical axis left x,optical axis left y,optical axis left z,optical axis right x,optical axis right y,optical axis right z,eyelid aperture left [mm],eyelid aperture right [mm]";
    let row = |ms: i64, open: i32| {
        format!("{},0.1,-0.2,1,0.1,-0.2,1,{open},{}\n", 1_760_676_790_103_992_534 + ms * 1_000_000, open + 1)
    };
    let text = format!("{header}\n{}{}{}", row(0, 8), row(5, 2), row(10, 7));
    let blinks =
        "blink id,start timestamp [ns],end timestamp [ns]\n1,1760676790104992534,1760676790109992534\n";
    let (cloud, _) =
        good(&[source("3d_eye_states.csv", text), source("blinks.csv", blinks)], &ReadOptions::default());
    assert_eq!((&cloud.times, &cloud.aperture, &cloud.blinks), (&raw.times, &raw.aperture, &raw.blinks));
    let (old, _) = good(&neon(14), &ReadOptions::default());
    assert!(old.aperture.is_none() && old.gaze.is_some());
}

#[test]
fn tobii_glasses_3_are_gzipped_json_lines() {
    let eye = |x: f64| format!("{{\"gazedirection\":[{x},0.0,1.0]}}");
    let line =
        |t: f64, data: String| format!("{{\"type\":\"gaze\",\"timestamp\":{t},\"data\":{{{data}}}}}\n");
    let text = [
        line(0.01, format!("\"eyeleft\":{},\"eyeright\":{}", eye(0.1), eye(0.1))),
        line(0.02, String::new()),
        line(0.03, format!("\"eyeleft\":{},\"eyeright\":{{}}", eye(0.2))),
    ]
    .concat();
    let imu = "{\"type\":\"imu\",\"timestamp\":0.015,\"data\":{\"accelerometer\":[0,9.8,0],\"gyroscope\":[1,2,3]}}\n{\"type\":\"imu\",\"timestamp\":0.016,\"data\":{\"magnetometer\":[0,9.8,0]}}\n";
    let sources =
        [source("gazedata.gz", packed(text.as_bytes())), source("imudata.gz", packed(imu.as_bytes()))];
    let (recording, _) = good(&sources, &ReadOptions::default());
    assert_eq!((recording.device.as_str(), recording.rate_hz()), ("tobii-glasses-3", 100.0));
    check_gaze(&recording, &[deg(0.1), N, deg(0.2)], &[0.0, N, 0.0]);
    assert_eq!(recording.imu.unwrap().turn_deg_per_s, [[1.0, 2.0, 3.0]]);
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(super) const ASC_SAMPLES: &str = "7264579\t  655.6\t  599.9\t 1121.0\t  773.1\t  594.2\t  949.0\t.....\n7264581\t   .\t   .\t    0.0\t   .\t   .\t    0.0\t.C.C.\n7264583\t  655.6\t  599.9\t 1121.0\t   .\t   .\t  0.0\t.....\n";
pub(super) const ASC_EVENTS: &str = "** CONVERTED FROM a.edf\n** EYELINK II 1\nSTART\t7264579 \tLEFT\tRIGHT\tEVENTS\nEBLINK L 7264580\t7264582\t4\nEBLINK R 7264581\t7264583\t4\nESACC R  7264581\t7264583\t24\t778.6\t583.5\t736.3\t523.3\t1.68\t120\nEND\t7264583 \tEVENTS\tRES\n";

#[test]
fn eyelink_has_samples_and_events_in_one_file_or_two() {
    let screen = "device = 'eyelink'\n[gaze]\npixels_per_degree = 40";
    let both = format!("{ASC_EVENTS}{ASC_SAMPLES}");
    let two = vec![source("a_samples.asc", ASC_SAMPLES), source("a_events.asc", ASC_EVENTS)];
    for sources in [vec![source("a.asc", both)], two] {
        let (recording, warnings) = good(&sources, &ReadOptions::default());
        assert_eq!((recording.device.as_str(), recording.rate_hz()), ("eyelink", 500.0));
        assert!(
            recording.gaze.is_none() && warnings.iter().any(|w| w.message.contains("pixels")),
            "{warnings:?}"
        );
        // The overlapping blinks of the two eyes are merged.
        assert_eq!(recording.blinks.unwrap(), [Span { from_secs: 0.001, to_secs: 0.004 }]);
        let (recording, _) = good(&sources, &with_map(screen));
        // The gaze of a single eye is corrected towards that of both.
        check_gaze(&recording, &[0.0, N, 0.0], &[0.0, N, 0.0]);
    }
    let (events, _) = good(&[source("a.asc", ASC_EVENTS)], &ReadOptions::default());
    assert!(
        events.gaze.is_none() && is_near(&events.times, &[0.0, 0.004]) && events.blinks.unwrap().len() == 1
    );
    let mono = "START\t10 \tLEFT\tSAMPLES\n10\t 100.0\t 200.0\t 900.0\t...\n12\t 140.0\t 200.0\t 900.0\t...\n14\t 60.0\t 280.0\t 900.0\t...\n";
    let (mono, _) = good(&[source("m.asc", mono)], &with_map(screen));
    check_gaze(&mono, &[0.0, -1.0, 1.0], &[0.0, 0.0, -2.0]);
}

#[test]
fn a_screen_converts_pixels_to_degrees() {
    let map = "device = 'eyelink'\n[gaze]\nscreen = { pixels = [1000, 500], size_mm = [400, 200], distance_mm = 500 }";
    let text = "10\t 500.0\t 250.0\t 900.0\t...\n12\t 1000.0\t 0.0\t 900.0\t...\n";
    let (recording, _) = good(&[source("m.asc", text)], &with_map(map));
    check_gaze(&recording, &[0.0, deg(-0.4)], &[0.0, deg(0.2)]);
}

#[test]
fn maps_name_columns_and_units() {
    let text = "a;b;c;d;ok\n0;1;0.5;10;yes\n1;2;0.6;20;no\n2;1;0.7;30;yes\n";
    let map = "device = 'lab'\n[time]\ncolumn = 'a'\nunit = 'frames'\nrate = 50\n[aperture]\nleft = 'b'\nunit = 'counts'\nleft_valid = { column = 'ok' }\n\
        [gaze]\nyaw = 'c'\npitch = 'd'\nunit = 'radians'\nyaw_to = 'left'\npitch_to = 'down'\n[blink]\nany = [{ column = 'd', is = 20 }]";
    let (recording, _) = good(&[source("x.csv", text)], &with_map(map));
    assert_eq!((recording.device.as_str(), recording.rate_hz()), ("lab", 50.0));
    let (unit, left, right) = aperture(&recording);
    assert!(unit == Unit::Counts && right.is_empty() && is_near(left, &[1.0, N, 1.0]));
    let gaze = recording.gaze.as_ref().unwrap();
    assert!((gaze.yaw_deg[0] - 0.5f64.to_degrees()).abs() < 1e-9 && gaze.pitch_deg[0].is_nan());
    assert_eq!(recording.blinks.unwrap(), [Span { from_secs: 0.02, to_secs: 0.04 }]);
}

#[test]
fn companion_files_are_found() {
    let check = |name: &str, folder: &[&str], expected: &[&str]| {
        let folder: Vec<String> = folder.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(companions(name, &folder), expected, "{name}");
    };
    let cloud = ["gaze.csv", "blinks.csv", "imu.csv", "3d_eye_states.csv", "fixations.csv"];
    check("gaze.csv", &cloud, &["blinks.csv", "imu.csv", "3d_eye_states.csv"]);
    check(
        "A_gaze.csv",
        &["A_gaze.csv", "A_blinks.csv", "B_blinks.csv", "A_imu.csv"],
        &["A_blinks.csv", "A_imu.csv"],
    );
    check("A_gazedata.gz", &["A_gazedata.gz", "A_imudata.gz", "imudata.gz"], &["A_imudata.gz"]);
    check("r_samples_short.asc", &["r_events_short.asc", "s_events_short.asc"], &["r_events_short.asc"]);
    check(
        "eye_state ps1.raw",
        &["eye_state ps1.time", "eye_state ps1.raw", "event.time", "blinks ps1.raw"],
        &["eye_state ps1.time", "blinks ps1.raw"],
    );
    check("lone.tsv", &["lone.tsv", "other.tsv"], &[]);
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    assert_eq!(
        in_folder(&names(&cloud)),
        Some(names(&["3d_eye_states.csv", "gaze.csv", "blinks.csv", "imu.csv"]))
    );
    assert_eq!(in_folder(&names(&["a.tsv", "b.tsv"])), None);
}
