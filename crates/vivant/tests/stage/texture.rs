//! Made-up eyes to sew others from.

use std::sync::Arc;
use vivant::chance::Chance;
use vivant::eyes::texture::{
    Corpus, MAX_CORPORA, Run, Synthesis, Texture, TextureDef, Tolerance, Wishes, Within,
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
    Synthesis::new(Arc::new(Texture::new(&def).expect("it is sound")), seed)
}

/// None, a place, a blink, both, what cannot be, and one mood.
pub(crate) fn wishes() -> Vec<Wishes> {
    let (none, gaze) = (Wishes::default(), Some(Within::ahead(12.0)));
    let mut weights = [0.0; MAX_CORPORA];
    weights[1] = 1.0;
    vec![
        none,
        Wishes { gaze, ..none },
        Wishes { blink_at: Some(9), ..none },
        Wishes { gaze, blink_at: Some(12), ..none },
        Wishes { gaze: Some(Within::ahead(0.0)), blink_at: Some(99), ..none },
        Wishes { weights, ..none },
    ]
}
