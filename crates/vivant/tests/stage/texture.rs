//! A synthetic eye texture.

use std::sync::Arc;
use vivant::chance::Chance;
use vivant::eyes::texture::{
    Corpus, GazeRegion, MAX_CORPORA, PatchConstraints, Run, Synthesis, Texture, TextureDef, Tolerance,
};

fn run(seed: u64) -> Run {
    let chance = Chance::new(seed, "run");
    let mut run = Run::default();
    let mut yaw = 0.0;
    for i in 0..1200_u32 {
        let mut draw = chance.event(u64::from(i));
        if draw.uniform() < 0.05 {
            yaw = draw.between(-20.0, 20.0);
        }
        run.openness.push(if i % 70 < 4 { 0.1 } else { 1.0 });
        run.yaw_deg.push((yaw + draw.between(-0.1, 0.1)) as f32);
        run.pitch_deg.push(draw.between(-2.0, 2.0) as f32);
        if i % 70 == 2 {
            run.blinks.push(i);
        }
    }
    run
}

pub(crate) fn eyes(seed: u64) -> Synthesis {
    let corpus = |name: &str, seed| Corpus {
        name: name.into(),
        open_level: 1.0,
        runs: vec![run(seed), run(seed + 1)],
        ..Corpus::default()
    };
    let tolerance = Tolerance { epsilon: 0.03, ..Tolerance::default() };
    let corpora = vec![corpus("calm", 1), corpus("tired", 5)];
    let def = TextureDef { rate_hz: 30.0, tolerance, corpora, ..TextureDef::default() };
    Synthesis::new(Arc::new(Texture::new(&def).expect("a valid texture")), seed)
}

/// No constraint, a gaze region, a blink, both, an impossible combination, and one mood.
pub(crate) fn constraints() -> Vec<PatchConstraints> {
    let (none, gaze) = (PatchConstraints::default(), Some(GazeRegion::ahead(12.0)));
    let mut weights = [0.0; MAX_CORPORA];
    weights[1] = 1.0;
    vec![
        none,
        PatchConstraints { gaze, ..none },
        PatchConstraints { blink_at: Some(9), ..none },
        PatchConstraints { gaze, blink_at: Some(12), ..none },
        PatchConstraints { gaze: Some(GazeRegion::ahead(0.0)), blink_at: Some(99), ..none },
        PatchConstraints { weights, ..none },
    ]
}
