//! Writes seed files for each target's corpus: `cargo run --bin seeds` in `fuzz/`.
//!
//! With `VIVANT_DATA` set, real files are added, cut to the size limit of the targets.

use std::fs;
use std::path::Path;
use vivant::pose::Pose;
use vivant::rig::{Bone, Channel, Rig, RigParts};
use vivant_fuzz::{glb, template};
use vivant_io::json::protocol::frame::Frame;
use vivant_io::vmc::{Names, Sender, Skeleton};
use vivant_learn::aam::{BuildOptions, Example, Mesh, Model};
use vivant_learn::film::synthetic::Scene;

const MAX_LEN: usize = 65_536;

const BVH: [&str; 4] = [
    "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0 0\n\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
     \tJOINT Spine\n\t{\n\t\tOFFSET 0 170 0\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n\
     \t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 10 0\n\t\t}\n\t}\n}\nMOTION\nFrames: 2\nFrame Time: .0083333\n\
     0 1 2 3 4 5 6 7 8\n0 1 2 3 4 5 6 7 9\n",
    "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 0 }\rMOTION\rFrames:\t0\rFrame Time:\t0\r",
    "HIERARCHY\r\nROOT a b:c { CHANNELS 2 Xrotation Yscale }\r\nROOT d { }\r\nMOTION\r\nFrames: 9\r\nFrame Time: 1e999\r\n1 nan\r\n",
    "HIERARCHY ROOT",
];

/// A few stereo samples at 8 kHz, 16 bits.
const AUDIO: &[u8] = b"RIFF\x34\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x40\x1f\0\0\0\x7d\0\0\x04\0\x10\0data\x10\0\0\0abcdefghijklmnop";

/// A tier of each constraint, and a slot without a value.
const EAF: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT FORMAT="3.0"><HEADER TIME_UNITS="milliseconds"/><TIME_ORDER>
<TIME_SLOT TIME_SLOT_ID="a" TIME_VALUE="0"/><TIME_SLOT TIME_SLOT_ID="b"/><TIME_SLOT TIME_SLOT_ID="c" TIME_VALUE="9"/>
</TIME_ORDER><TIER TIER_ID="t" LINGUISTIC_TYPE_REF="top"><ANNOTATION>
<ALIGNABLE_ANNOTATION ANNOTATION_ID="1" TIME_SLOT_REF1="a" TIME_SLOT_REF2="c"><ANNOTATION_VALUE>x &amp; y
</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION></TIER>
<TIER TIER_ID="u" LINGUISTIC_TYPE_REF="time" PARENT_REF="t"><ANNOTATION>
<ALIGNABLE_ANNOTATION ANNOTATION_ID="2" TIME_SLOT_REF1="a" TIME_SLOT_REF2="b"></ALIGNABLE_ANNOTATION></ANNOTATION>
<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID="3" TIME_SLOT_REF1="b" TIME_SLOT_REF2="c"/></ANNOTATION></TIER>
<TIER TIER_ID="v" LINGUISTIC_TYPE_REF="sub" PARENT_REF="t"><ANNOTATION>
<REF_ANNOTATION ANNOTATION_ID="4" ANNOTATION_REF="1"/></ANNOTATION><ANNOTATION>
<REF_ANNOTATION ANNOTATION_ID="5" ANNOTATION_REF="1" PREVIOUS_ANNOTATION="4"/></ANNOTATION></TIER>
<TIER TIER_ID="w" LINGUISTIC_TYPE_REF="sym" PARENT_REF="v"><ANNOTATION>
<REF_ANNOTATION ANNOTATION_ID="6" ANNOTATION_REF="5"/></ANNOTATION></TIER>
<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="top"/><LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="time" CONSTRAINTS="Time_Subdivision"/>
<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="sub" CONSTRAINTS="Symbolic_Subdivision"/>
<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="sym" CONSTRAINTS="Symbolic_Association"/></ANNOTATION_DOCUMENT>
"#;
const INTENTS: [&str; 2] = [
    "\u{feff}// remark\r\n{\"say\": \"Hi\", \"at\": 1.5}\r\n{\"look\": [0, 1.6, 2]}\r\n{\"be\": \"idle\"}\n{\"stop\": true}",
    "{\"act\": \"gesture\", \"clip\": \"wave\", \"tags\": [\"beat\"], \"hand\": \"LR\", \"layer\": \"arms\", \"priority\": -3}",
];

const REPERTOIRE: [&str; 3] = [
    "{\"version\": 1, \"stances\": [{\"name\": \"a\", \"gestures\": [{\"clip\": \"w.fbx\", \"hand\": \"R\", \"blendIn\": 0.25}],
     \"transitions\": [{\"to\": \"b\", \"mask\": [\"leftArm\"]}]}, {\"name\": \"b\", \"layers\": [\"arms\"]}]}",
    "b{\"version\": 1, \"origin\": \"x\", \"always\": {\"arms\": {\"states\": [{\"name\": \"LG\", \"kind\": \"gesture\", \"hand\": \"L\",
     \"duration\": [1, 2], \"gap\": [0.5]}], \"start\": [1], \"matrix\": [[1]]}}}",
    "cversion = 1\navatar = \"me.vrm\"\n[temperament]\nliveliness = 0.5\nblinks = \"none\"\n[temperament.evoked]\npreset = \"peters\"\ndriver = \"head\"\n",
];

const PROTOCOL: [&str; 5] = [
    "{\"say\": \"Hi\", \"performer\": [\"a\", \"b\"], \"id\": 7}",
    "{\"watch\": {\"performers\": [\"main\"], \"frames\": \"json\", \"fps\": 30, \"plan\": true, \"events\": true}}",
    "{\"cast\": [{\"performer\": \"a\", \"character\": \"builtin\", \"seed\": 5, \"temperament\": {\"blinks\": \"none\",
     \"evoked\": {\"preset\": \"peters\", \"driver\": \"head\"}}, \"clip\": {\"clip\": \"builtin#wave\", \"start\": 0.5, \"end\": 2}, \"mine\": true}]}",
    "{\"follow\": [0, 1.6, 2]}",
    "{\"dismiss\": \"a\", \"performer\": null}",
];

/// Eye recordings: the first byte chooses the file names (see `targets/recording.rs`).
const RECORDING: [&str; 9] = [
    "\u{0}time [ms],openness left,openness right,yaw,pitch,blink\n0,1,0.9,1,2,0\n10,0.5,,1,2,1\n20,1,0.9,3,4,0\n",
    "\u{0}timestamp [ns],azimuth [deg],elevation [deg],worn,blink id\n1650316509598345895,1,2,1,\n1650316509603345895,1,2,1,1\n\n%%\nblink id,start timestamp [ns],end timestamp [ns]\n1,1650316509599345895,1650316509600345895\n\n%%\ntimestamp [ns],gyro x [deg/s],gyro y [deg/s],gyro z [deg/s]\n1650316509599345895,1,2,3\n",
    "\u{1}Recording timestamp\tEye openness left\tEye openness right\tValidity left\n0\t7,5\t6,9\tValid\n8333\t\t6,9\tInvalid\n",
    "\u{1}vEOG\n1e-5\n2e-5\n-9e-5\n",
    "\u{3}7264579\t 655.6\t 599.9\t 1121.0\t 773.1\t 594.2\t 949.0\t.....\n7264581\t .\t .\t 0.0\t .\t .\t 0.0\t.C.C.\n\n%%\nSTART 7264579 LEFT\nEBLINK L 7264580 7264581 2\nEND 7264581\n",
    "\u{4}PathFileType\t4\nFrame#\tTime\tnose\t\t\tleft_corner\t\t\tright_corner\t\t\tleft_lid\n1\t0\t0\t0\t0\t4\t3\t-3\t-4\t3\t-3\t3\t3\t-2\n2\t0.01\t0\t0\t0\t4\t3\t-3\t-4\t3\t-3\t3\t2\t-2\n",
    "\u{6}{\"type\":\"gaze\",\"timestamp\":0.01,\"data\":{\"eyeleft\":{\"gazedirection\":[0.1,0,1]}}}\n{\"type\":\"gaze\",\"timestamp\":0.02,\"data\":{}}\n",
    " [time]\ncolumn = 0\nunit = 'ms'\n[aperture]\nleft = 'b'\nunit = 'mm'\nleft_valid = { column = 'b', bits = 1 }\n[gaze]\nleft = ['a', 'b', 'a']\naxes = 'right up back'\n\n%%\na,b\n0,1\n10,2\n20,1\n",
    "@time,hips.position.x,hips.position.y,hips.position.z,head.x,head.y,head.z,head.w,leftEye.x,leftEye.y,leftEye.z,leftEye.w,rightEye.x,rightEye.y,rightEye.z,rightEye.w,blinkLeft,blinkRight\n0,0,1,0,0,0,0,1,0,0,0,1,0,0,0,1,0,0\n1,0,1,0,0,0,0,1,0,0.1,0,1,0,0.1,0,1,1,1\n2,0,1,0,0,0,0,1,0,0,0,1,0,0,0,1,0,0\n",
];

/// Films, after a byte for their kind (see `targets/y4m.rs`).
const Y4M: [&str; 4] = [
    "0YUV4MPEG2 W2 H2 F30000:1001 Ip A1:1 Cmono XCOLORRANGE=FULL\nFRAME\nabcdFRAME Ip\nefgh",
    "0YUV4MPEG2 W3 H1 F25:1 C420jpeg\nFRAME\nabcuuvv",
    "0YUV4MPEG2 W1 H1 F0:0 C444p10\nFRAME\naabbcc",
    "1\u{2}\u{1}abcdefg",
];

/// One file of each format; after `d` a dictionary, after `t` text to speak (see `targets/speech.rs`).
const SPEECH: [&str; 10] = [
    "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\nxmin = 0\nxmax = 1\ntiers? <exists>\nsize = 2\nitem []:\n item [1]:\n class = \"IntervalTier\"\n name = \"words\"\n xmin = 0\n xmax = 1\n intervals: size = 1\n intervals [1]:\n xmin = 0\n xmax = 1\n text = \"ma\"\n item [2]:\n class = \"IntervalTier\"\n name = \"phones\"\n xmin = 0\n xmax = 1\n intervals: size = 2\n intervals [1]:\n xmin = 0\n xmax = 0.4\n text = \"M\"\n intervals [2]:\n xmin = 0.4\n xmax = 1\n text = \"AA1\"\n",
    "\"ooTextFile\"\n\"TextGrid\"\n0 1 <exists> 1\n\"IntervalTier\" \"x\" 0 1 2\n0 0.3 \"d\"\n0.3 1 \"eI\"\n",
    "0 1000000 x^x-sil+m=aa@x_x/A:0[2]\n1000000 2000000 x^sil-m+aa=x@1_2[2]\n",
    "0.00\tX\n0.20\tA\n0.50\tX\n",
    "<rhubarbResult><mouthCues><mouthCue start=\"0\" end=\"0.2\">X</mouthCue></mouthCues></rhubarbResult>",
    "{\"mouthCues\": [{\"start\": 0, \"end\": 0.2, \"value\": \"A\"}]}",
    "{\"w\": [{\"t\": \"a\", \"b\": 0.1, \"d\": 0.4, \"w\": [{\"t\": \"EY\", \"b\": 0.1, \"d\": 0.4}]}]}",
    "<speak><p><s>Hi <emphasis level=\"strong\">you</emphasis></s><break time=\"750ms\"/><mark name=\"x\"/><sub alias=\"a b\">c</sub><prosody rate=\"slow\">d</prosody><say-as interpret-as=\"characters\">e1</say-as><phoneme alphabet=\"x-sampa\" ph=\"tSaU\">f</phoneme></p></speak>",
    "dcat K AE1 T\ncat(2) K AH0 T # x\n;;; y\n",
    "t[smile] Dr. Smith paid $5.50 at 5:30 p.m. \u{1f600} *now*! [look:left] See `x` https://a.b\n- 1/2 of 1984\n",
];

const BLINK_MODEL: [&str; 1] = [
    "{\"version\": 1, \"origin\": \"x\", \"blinks\": 7, \"closure\": \"natural\", \"closing\": {\"meanSecs\": 0.1, \"sdSecs\": 0.01, \"samples\": 2},
     \"opening\": {\"meanSecs\": 0.2, \"sdSecs\": 0.02, \"samples\": 2}, \"mean\": [1, 0.5, 0.9],
     \"components\": [{\"sd\": 0.1, \"share\": 0.9, \"profile\": [0, 1, 0], \"closing\": 0, \"opening\": 0}],
     \"exemplars\": [{\"closingSecs\": 0.1, \"openingSecs\": 0.3, \"profile\": [1, 0, 1]}]}",
];

const TEXTURE: [&str; 2] = [
    "{\"version\": 1, \"origin\": \"x\", \"rateHz\": 10, \"patchSecs\": 0.5, \"boundarySecs\": 0.1, \"longestRunSecs\": 4,
     \"corpora\": [{\"name\": \"a\", \"openLevel\": 0.9, \"openPerDeg\": 0.01, \"runs\": [{\"openness\": [0.9, 0.9, 0.2, 0.8, 0.9, 0.9],
     \"yawDeg\": [0, 0, 0, 12, 12, 12], \"pitchDeg\": [0, 0, 0, -3, -3, -3], \"blinks\": [2]}]}]}",
    "{\"version\": 1, \"origin\": \"x\", \"rateHz\": 20, \"patchSecs\": 0.2, \"boundarySecs\": 0.1, \"longestRunSecs\": 0.3,
     \"tolerance\": {\"form\": \"literal\", \"epsilon\": 0, \"floor\": 0.5}, \"corpora\": [
     {\"name\": \"a\", \"openLevel\": 1, \"openPerDeg\": 0, \"runs\": [{\"openness\": [1, 1, 1, 1], \"yawDeg\": [0, 0, 0, 0], \"pitchDeg\": [0, 0, 0, 0]}]},
     {\"name\": \"b\", \"openLevel\": 0, \"openPerDeg\": 0, \"runs\": [{\"openness\": [0, 0, 3, -0.5, 0], \"yawDeg\": [90, -90, 1e-30, 0, 5], \"pitchDeg\": [0, 0, 0, 0, 1]}]}]}",
];
/// Labels of a film; after `p` a .pts file, after `x` an XML file of dlib (see `targets/labels.rs`).
fn labels() -> [String; 5] {
    let points = |count: usize, point: fn(usize) -> String, between: &str| {
        (0..count).map(point).collect::<Vec<_>>().join(between)
    };
    let ours = points(18, |i| format!("[{}, {}.5]", 10 * i, i), ", ");
    let lines = |count| points(count, |i| format!("{} {}", 10 * i + 1, i + 1), "\n");
    let parts = points(68, |i| format!("<part name='{i:02}' x='{}' y='{i}'/>", 10 * i), "\n");
    let frame = format!("{{\"frame\": 3, \"secs\": 0.1, \"guessed\": true, \"points\": [{ours}]}}");
    let key = "{\"frame\": 0, \"secs\": 0, \"yawDeg\": -12, \"pitchDeg\": 3.5}";
    [
        format!("{{\"version\": 1, \"film\": \"a.mp4\", \"width\": 640, \"height\": 480, \"frames\": [{frame}], \"gaze\": [{key}]}}"),
        format!("pversion: 1\nn_points: 68\n{{\n{}\n}}\n", lines(68)),
        format!("p{{\r\n{}\r\n}}", lines(18)),
        format!("x<?xml version='1.0' encoding='ISO-8859-1'?>\n<dataset><name>a &amp; b</name><images><image file='f_1.png'><box top='1' left='2' width='30' height='40'>{parts}</box></image></images></dataset>"),
        "x<dataset><images><image file='a'/><image file='b'><box top='1' left='1' width='1' height='1'/></image></images></dataset>".into(),
    ]
}

/// Returns VMC packets for a frame of a few bones, each preceded by its length, and a capture (see `targets/vmc.rs`).
fn vmc() -> [Vec<u8>; 2] {
    let place = |bone| (bone, [0.0, 1.0, 0.0].into());
    let rig = Rig::new(RigParts {
        rest_positions: [Bone::Hips, Bone::Head, Bone::LeftEye, Bone::LeftThumbMetacarpal]
            .map(place)
            .to_vec(),
        channels: ["happy", "blinkLeft", "lookLeft", "own"]
            .map(|name| Channel::from(name.to_owned()))
            .to_vec(),
        ..RigParts::default()
    });
    let mut sender = Sender::new(Skeleton::normalised(&rig), rig.channels(), Names::Vrm0);
    let mut packets = Vec::new();
    for n in 0..3 {
        let weights = [0.5, 1.0, 0.2, 0.1 * n as f32];
        for packet in sender.frame(f64::from(n), &Pose::neutral(&rig), &weights) {
            packets.extend((packet.len() as u16).to_le_bytes());
            packets.extend(packet);
        }
    }
    let capture = "c{\"time\":0.5,\"sent\":1,\"root\":[0,1,0],\"look\":[0,0,1],\"rotations\":{\"head\":[0,0,0,1]},\"expressions\":{\"happy\":1}}\n{\"time\":1}";
    [packets, capture.into()]
}

/// Models of drawn eyes with both meshes, small enough to be fitted often.
fn aam_models() -> Vec<Vec<u8>> {
    let scene = Scene::new(1);
    let frames: Vec<_> = (0..4).map(|i| scene.frame(5 * i)).collect();
    let examples: Vec<_> = frames.iter().map(|(image, points)| Example { image, points }).collect();
    let model = |mesh| {
        let options = BuildOptions { mesh, pixels: 200, ..BuildOptions::default() };
        Model::build(&examples, &options).expect("drawn eyes give a model").to_bytes()
    };
    vec![model(Mesh::Bordered), model(Mesh::Bare)]
}

const FBX: &str = "; FBX 7.4.0 project file
FBXHeaderExtension: { FBXVersion: 7400 }
GlobalSettings: { Properties70: { P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",1 } }
Objects: {
  Model: 1, \"Model::Hips\", \"LimbNode\" { Properties70: { P: \"Lcl Translation\", \"Lcl Translation\", \"\", \"A\",0,90,0 } }
  Model: 2, \"Model::Spine\", \"LimbNode\" { Properties70: { P: \"Lcl Rotation\", \"Lcl Rotation\", \"\", \"A\",1,2,3 } }
  Model: 3, \"Model::Face\", \"Mesh\" { }
  Geometry: 4, \"Geometry::\", \"Mesh\" { Vertices: *3 { a: 0,0,0 } }
  Deformer: 5, \"Deformer::\", \"BlendShape\" { }
  Deformer: 6, \"SubDeformer::blink\", \"BlendShapeChannel\" { FullWeights: *1 { a: 100 } }
  Geometry: 7, \"Geometry::blink\", \"Shape\" { Indexes: *1 { a: 0 } Vertices: *3 { a: 0,0,1 } }
  Deformer: 8, \"Deformer::\", \"Skin\" { }
  Deformer: 9, \"SubDeformer::\", \"Cluster\" { Indexes: *1 { a: 0 } Weights: *1 { a: 1 }
    TransformLink: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,0,95,0,1 } }
  Pose: 10, \"Pose::Bind\", \"BindPose\" { PoseNode: { Node: 2 Matrix: *16 { a: 1,0,0,0,0,1,0,0,0,0,1,0,0,95,0,1 } } }
  AnimationStack: 20, \"AnimStack::Walk\", \"\" { Properties70: { P: \"LocalStop\", \"KTime\", \"Time\", \"\",46186158000 } }
  AnimationLayer: 21, \"AnimLayer::Base\", \"\" { }
  AnimationCurveNode: 22, \"AnimCurveNode::R\", \"\" { Properties70: { P: \"d|X\", \"Number\", \"\", \"A\",0 } }
  AnimationCurve: 23, \"AnimCurve::\", \"\" { KeyVer: 4009
    KeyTime: *2 { a: 0,46186158000 } KeyValueFloat: *2 { a: 0,90 }
    KeyAttrFlags: *1 { a: 4 } KeyAttrDataFloat: *4 { a: 0,0,0,0 } KeyAttrRefCount: *1 { a: 2 } }
  AnimationCurveNode: 24, \"AnimCurveNode::D\", \"\" { Properties70: { P: \"d|DeformPercent\", \"Number\", \"\", \"A\",0 } }
}
Connections: {
  C: \"OO\",1,0
  C: \"OO\",2,1
  C: \"OO\",3,0
  C: \"OO\",4,3
  C: \"OO\",5,4
  C: \"OO\",6,5
  C: \"OO\",7,6
  C: \"OO\",8,4
  C: \"OO\",9,8
  C: \"OO\",2,9
  C: \"OO\",21,20
  C: \"OO\",22,21
  C: \"OP\",22,1, \"Lcl Rotation\"
  C: \"OP\",23,22, \"d|X\"
  C: \"OO\",24,21
  C: \"OP\",24,6, \"DeformPercent\"
  C: \"OP\",23,24, \"d|DeformPercent\"
}
";

const LANDMARKS: [&str; 5] = [
    "{\"time\": 0, \"people\": 1, \"size\": [640, 480], \"face\": null}\n{\"time\": 0.03, \"people\": 2}\n",
    "[{\"timestampMs\": 33, \"poseLandmarks\": [[{\"x\": 0.5, \"y\": 0.2, \"z\": 0, \"visibility\": 1}]]}]",
    "{\"frames\": [{\"t\": 1, \"pose_landmarks\": {\"landmark\": [{\"x\": 0.5, \"y\": 0.2}]}}]}",
    "time,NOSE_x,NOSE_y,left_wrist.x,left_wrist.y,world_11_x,world_11_y,world_12_x,world_12_y\n0,0.5,0.2,0.6,0.6,0.2,-0.5,-0.2,-0.5\n",
    "frame,landmark,type,x,y,z,visibility\n0,11,pose,0.6,0.3,0,1\n0,RIGHT_SHOULDER,pose,0.4,0.3,0,1\n1,4,left hand,0.1,0.1,0,\n",
];

fn main() -> std::io::Result<()> {
    for (i, text) in BVH.iter().enumerate() {
        seed("bvh", &format!("hand_{i}"), text.as_bytes())?;
    }
    seed("audio", "hand", AUDIO)?;
    seed("eaf", "hand", EAF.as_bytes())?;
    for (target, texts) in [
        ("intents", &INTENTS[..]),
        ("repertoire", &REPERTOIRE[..]),
        ("protocol", &PROTOCOL[..]),
        ("recording", &RECORDING[..]),
        ("landmarks", &LANDMARKS[..]),
        ("blink_model", &BLINK_MODEL[..]),
        ("texture", &TEXTURE[..]),
        ("y4m", &Y4M[..]),
        ("speech", &SPEECH[..]),
    ] {
        for (i, text) in texts.iter().enumerate() {
            seed(target, &format!("hand_{i}"), text.as_bytes())?;
        }
    }
    for (i, text) in labels().iter().enumerate() {
        seed("labels", &format!("hand_{i}"), text.as_bytes())?;
    }
    for (i, bytes) in vmc().iter().enumerate() {
        seed("vmc", &format!("hand_{i}"), bytes)?;
    }
    for (i, bytes) in aam_models().iter().enumerate() {
        seed("aam_model", &format!("drawn_{i}"), bytes)?;
    }
    let frame = Frame {
        time: 1.5,
        rotations: vec![[0.0, 0.0, 0.0, 1.0]; 3],
        weights: vec![0.5; 2],
        ..Frame::default()
    };
    seed("protocol", "frame", &frame.to_bytes())?;
    seed("fbx", "hand", FBX.as_bytes())?;
    seed("gltf", "hand.gltf", template::gltf().to_string().as_bytes())?;
    for (name, document) in [
        ("gltf.glb", template::gltf()),
        ("vrm0.glb", template::vrm0()),
        ("vrm1.glb", template::vrm1()),
        ("vrma.glb", template::vrma()),
    ] {
        seed("gltf", name, &glb::wrap(&document, &template::binary()))?;
    }
    // A choice of template, without edits and with one edit.
    for (i, bytes) in
        [&[0, 0][..], &[1, 0], &[2, 1, 9, 0, 1, 0, 0], &[3, 1, 40, 0, 4, 2, 0]].iter().enumerate()
    {
        seed("vrm", &format!("hand_{i}"), bytes)?;
        seed("vrma", &format!("hand_{i}"), &bytes[1..])?;
    }
    if let Some(folder) = std::env::var_os("VIVANT_DATA") {
        seed_real_files(Path::new(&folder))?;
    }
    Ok(())
}

fn seed(target: &str, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name), &bytes[..bytes.len().min(MAX_LEN)])
}

fn seed_real_files(folder: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)?.flatten() {
        let path = entry.path();
        if path.is_dir() {
            seed_real_files(&path)?;
            continue;
        }
        if let Some(choice) = recording_choice(&path) {
            let bytes = [&[choice][..], &fs::read(&path)?].concat();
            seed("recording", path.file_name().and_then(|n| n.to_str()).unwrap_or("real"), &bytes)?;
            continue;
        }
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
        let target = match ending.as_str() {
            "flac" | "mp3" | "ogg" | "wav" => "audio",
            "bvh" => "bvh",
            "eaf" => "eaf",
            "textgrid" | "lab" => "speech",
            "fbx" => "fbx",
            "glb" | "gltf" | "vrm" | "vrma" => "gltf",
            _ => continue,
        };
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("real");
        seed(target, name, &fs::read(&path)?)?;
    }
    Ok(())
}

/// Returns the choice byte of the `recording` target for an eye recording.
fn recording_choice(path: &Path) -> Option<u8> {
    if !path.components().any(|part| part.as_os_str() == "eye") {
        return None;
    }
    match path.extension()?.to_str()? {
        "csv" => Some(0),
        "tsv" => Some(1),
        "npy" => Some(2),
        "asc" => Some(3),
        _ => None,
    }
}
