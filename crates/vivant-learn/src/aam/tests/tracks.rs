use super::*;

/// Eyes that blink in 9 pictures, as at 30 a second, and move a little.
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
fn eyes_are_found_by_themselves_and_followed_through_a_blink() {
    let mut tracker = Tracker::new(model(), TrackOptions::default());
    for (index, (image, points)) in film().iter().enumerate() {
        let tracked = tracker.next(image);
        let found = tracked.points.unwrap_or_else(|| panic!("picture {index} is lost"));
        assert!(tracked.trusted && off(&found, points) < 2.0, "picture {index}: {} px", off(&found, points));
    }
}

#[test]
fn lost_eyes_are_a_gap_and_are_found_again_elsewhere() {
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
    let found = tracked.points.expect("they are there again");
    assert!(off(&found, &elsewhere.points()) < 2.0, "{} px", off(&found, &elsewhere.points()));
}

#[test]
fn where_there_are_no_eyes_none_are_found() {
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
fn the_same_film_gives_the_same_track() {
    let track = || {
        let mut tracker = Tracker::new(model(), TrackOptions::default());
        film().iter().map(|(image, _)| tracker.next(image)).collect::<Vec<_>>()
    };
    assert_eq!(track(), track());
}

/// Where two trackers that begin `apart` pictures from each other remember the same, in pictures since the later began.
fn pictures_until_the_same(film: &[(Image, Points)], apart: usize) -> Option<usize> {
    let mut trackers = [0, apart]
        .map(|from| Tracker::new(model(), TrackOptions::default()).within(from as u64, Arc::default()));
    film[..apart].iter().for_each(|(image, _)| drop(trackers[0].next(image)));
    film[apart..].iter().position(|(image, _)| {
        trackers.iter_mut().for_each(|tracker| drop(tracker.next(image)));
        trackers[0].memory() == trackers[1].memory()
    })
}

#[test]
fn trackers_that_began_apart_come_to_remember_exactly_the_same() {
    let film = [film(), film(), film(), film()].concat();
    for apart in [1, 2, 5, 9, 12] {
        let same = pictures_until_the_same(&film, apart);
        assert!(same.is_some_and(|pictures| pictures < 24), "{apart} apart: {same:?}");
    }
    // Nor does it matter for how long the eyes were lost before.
    let gap = vec![(blank(), film[0].1); 70];
    let same = pictures_until_the_same(&[gap, film].concat(), 66);
    assert!(same.is_some_and(|pictures| pictures < 80), "{same:?}");
}

#[test]
fn eyes_that_no_search_finds_are_found_where_they_are_known_to_be_in_another_picture() {
    // Far more tilted than any that were labelled, so that no stencil looks like them.
    let mut eyes = Eyes::new();
    eyes.place.turn = DVec2::from_angle(0.55) * 25.0;
    let (image, points) = (eyes.image(), eyes.points());
    let known = |number| Arc::from([Known { number, pose: model().pose_of(&points) }]);
    let track = |known| Tracker::new(model(), TrackOptions::default()).within(7, known).next(&image);
    assert!(track(Arc::default()).points.is_none());
    let found = track(known(6)).points.expect("a start is near");
    assert!(off(&found, &points) < 2.0 && found != points, "{} px", off(&found, &points));
    // What is known of the picture itself is there to judge by.
    assert!(track(known(7)).points.is_none());
}
