use super::*;

/// Returns a film of a blink of 9 frames, as at 30 fps, with slightly moving eyes.
fn film() -> Vec<(Image, Points)> {
    let openness = [1.0, 1.0, 1.0, 0.7, 0.2, 0.0, 0.1, 0.4, 0.7, 0.9, 1.0, 1.0];
    let moment = |(index, openness): (usize, &f64)| {
        let mut eyes = Eyes { openness: *openness, seed: 500 + index as u64, ..Eyes::new() };
        eyes.place.shift += DVec2::new(index as f64, -0.5 * index as f64);
        (eyes.image(), eyes.points())
    };
    openness.iter().enumerate().map(moment).collect()
}

fn blank() -> Image {
    let mut draw = Chance::new(5, "blank").event(0);
    let data = (0..eyes::WIDTH * eyes::HEIGHT).map(|_| draw.between(90.0, 160.0) as u8).collect();
    Image::gray(eyes::WIDTH, eyes::HEIGHT, data).unwrap()
}

#[test]
fn eyes_are_found_and_tracked_through_a_blink() {
    let mut tracker = Tracker::new(model(), TrackOptions::default());
    for (index, (image, points)) in film().iter().enumerate() {
        let tracked = tracker.next(image);
        let found = tracked.points.unwrap_or_else(|| panic!("eyes lost in frame {index}"));
        assert!(tracked.trusted && off(&found, points) < 2.0, "frame {index}: {} px", off(&found, points));
    }
}

#[test]
fn lost_eyes_leave_a_gap_and_are_found_again_elsewhere() {
    let mut tracker = Tracker::new(model(), TrackOptions::default());
    let (image, _) = &film()[0];
    assert!(tracker.next(image).trusted);
    for _ in 0..3 {
        let tracked = tracker.next(&blank());
        assert!(tracked.points.is_none() && !tracked.trusted && tracked.pose.is_none());
    }
    let mut elsewhere = Eyes::new();
    elsewhere.place.shift += DVec2::new(25.0, 20.0);
    let tracked = tracker.next(&elsewhere.image());
    let found = tracked.points.expect("the eyes are visible again");
    assert!(off(&found, &elsewhere.points()) < 2.0, "{} px", off(&found, &elsewhere.points()));
}

#[test]
fn images_without_eyes_give_no_points() {
    let mut tracker = Tracker::new(model(), TrackOptions::default());
    let wave = |index: usize| {
        let (x, y) = ((index % eyes::WIDTH) as f64, (index / eyes::WIDTH) as f64);
        (128.0 + 60.0 * vivant::math::sin(x * 0.11 + y * 0.05) + 40.0 * vivant::math::sin(y * 0.23)) as u8
    };
    let waves = Image::gray(eyes::WIDTH, eyes::HEIGHT, (0..eyes::WIDTH * eyes::HEIGHT).map(wave).collect());
    for image in [blank(), waves.unwrap(), Image::gray(1, 1, vec![3]).unwrap()] {
        let tracked = tracker.next(&image);
        assert!(!tracked.trusted && tracked.points.is_none(), "error {}", tracked.error);
    }
}

#[test]
fn tracking_is_deterministic() {
    let track = || {
        let mut tracker = Tracker::new(model(), TrackOptions::default());
        film().iter().map(|(image, _)| tracker.next(image)).collect::<Vec<_>>()
    };
    assert_eq!(track(), track());
}

/// Returns the number of frames until two trackers that start `apart` frames from each other have the same memory.
fn frames_until_same_memory(film: &[(Image, Points)], apart: usize) -> Option<usize> {
    let mut trackers = [0, apart]
        .map(|from| Tracker::new(model(), TrackOptions::default()).starting_at(from as u64, Arc::default()));
    film[..apart].iter().for_each(|(image, _)| drop(trackers[0].next(image)));
    film[apart..].iter().position(|(image, _)| {
        trackers.iter_mut().for_each(|tracker| drop(tracker.next(image)));
        trackers[0].memory() == trackers[1].memory()
    })
}

#[test]
fn trackers_with_different_starts_converge_to_the_same_memory() {
    let film = [film(), film(), film(), film()].concat();
    for apart in [1, 2, 5, 9, 12] {
        let same = frames_until_same_memory(&film, apart);
        assert!(same.is_some_and(|frames| frames < 24), "{apart} apart: {same:?}");
    }
    // The duration of an earlier gap does not matter.
    let gap = vec![(blank(), film[0].1); 70];
    let same = frames_until_same_memory(&[gap, film].concat(), 66);
    assert!(same.is_some_and(|frames| frames < 80), "{same:?}");
}

#[test]
fn labels_of_other_frames_help_to_find_eyes() {
    // More tilted than any labelled eyes, so that no stencil matches.
    let mut eyes = Eyes::new();
    eyes.place.turn = DVec2::from_angle(0.55) * 25.0;
    let (image, points) = (eyes.image(), eyes.points());
    let known = |number| Arc::from([KnownPose { number, pose: model().pose_of(&points) }]);
    let track = |known| Tracker::new(model(), TrackOptions::default()).starting_at(7, known).next(&image);
    assert!(track(Arc::default()).points.is_none());
    let found = track(known(6)).points.expect("the label of a nearby frame helps");
    assert!(off(&found, &points) < 2.0 && found != points, "{} px", off(&found, &points));
    // Labels of the frame itself are reserved for evaluation.
    assert!(track(known(7)).points.is_none());
}
