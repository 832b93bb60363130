use super::*;

#[test]
fn vectors_are_orthonormal_and_no_shape_is_a_similarity() {
    let model = model();
    let flat = |rows: &[Vec<DVec2>]| -> Vec<Vec<f64>> {
        rows.iter().map(|row| row.iter().flat_map(DVec2::to_array).collect()).collect()
    };
    let wide = |rows: &[Vec<f32>]| -> Vec<Vec<f64>> {
        rows.iter().map(|row| row.iter().map(|value| f64::from(*value)).collect()).collect()
    };
    for (name, rows) in [
        ("shapes", flat(&model.shapes)),
        ("appearances", wide(&model.appearances)),
        ("coupled", model.coupled.clone()),
    ] {
        for (i, a) in rows.iter().enumerate() {
            for (j, b) in rows.iter().enumerate().take(i + 1) {
                let product: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((product - expected).abs() < 1e-4, "{name} {i} and {j}: {product}");
            }
        }
    }
    assert!(build::similarity_part(&model) < 1e-6);
}

#[test]
fn template_has_the_requested_size_up_to_that_of_the_video() {
    // Eyes of 50 pixels with their border cover 2 · 3 · 0.85 · 0.6 · 50² pixels.
    for (wanted, expected) in [(4000, 4000.0), (10_000, 7650.0), (100, 100.0)] {
        let model = built(&BuildOptions { pixels: wanted, ..BuildOptions::default() });
        let count = model.pixel_count() as f64;
        assert!((count / expected - 1.0).abs() < 0.06, "{count} pixels instead of {wanted}");
    }
}

#[test]
fn variance_shares_and_minimum_counts_select_parameters() {
    let literal = BuildOptions { min_parameters: [0; 3], ..BuildOptions::default() };
    let paper = built(&literal);
    let all = built(&BuildOptions { shape_variance: 1.0, appearance_variance: 1.0, ..literal });
    let few = built(&BuildOptions { max_parameters: 2, ..literal });
    assert!(paper.shapes.len() < model().shapes.len() && paper.appearances.len() < model().appearances.len());
    assert_eq!(all.appearances.len(), 23, "one less than the number of images");
    assert_eq!(few.parameter_counts(), [2, 2, 2]);
}

#[test]
fn a_mesh_of_eighteen_points_works_too() {
    let model = Arc::new(built(&BuildOptions { mesh: Mesh::Bare, ..BuildOptions::default() }));
    let (image, points) = &drawn()[0];
    let fit = Fitter::new(model.clone(), FitOptions::default()).fit(image, &model.pose_of(points));
    assert!(off(&fit.points, points) < 1.5, "{} px off", off(&fit.points, points));
}

#[test]
fn pose_of_recovers_points_at_any_position() {
    let model = built(&BuildOptions {
        shape_variance: 1.0,
        appearance_variance: 1.0,
        coupled_variance: 1.0,
        ..BuildOptions::default()
    });
    let turn = DVec2::from_angle(0.7) * 2.5;
    for (_, points) in drawn() {
        for points in [*points, points.map(|point| turn.rotate(point) + DVec2::new(-40.0, 900.0))] {
            let found = model.points(&model.pose_of(&points));
            assert!(off(&found, &points) < 0.05, "{} px off", off(&found, &points));
        }
    }
}

/// The same shapes, moved and rotated as a whole, give the same model.
#[test]
fn shapes_do_not_depend_on_the_position() {
    let turn = DVec2::from_angle(0.02);
    let moved: Vec<(Image, Points)> = drawn()
        .iter()
        .map(|(image, points)| {
            (image.clone(), points.map(|point| turn.rotate(point) + DVec2::new(3.0, -2.0)))
        })
        .collect();
    let other = Model::build(&examples(&moved), &BuildOptions::default()).unwrap();
    let most = model().base.iter().zip(&other.base).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
    assert!(most < 1e-6, "{most} px");
}

#[test]
fn colour_models_work_and_gray_models_accept_colour_images() {
    let coloured = |image: &Image| {
        let planes: Vec<u8> = [1.0, 0.8, 0.6]
            .iter()
            .flat_map(|share| image.data.iter().map(move |value| (f64::from(*value) * share) as u8))
            .collect();
        Image::planes(image.width, image.height, 3, planes).unwrap()
    };
    let colours: Vec<(Image, Points)> = drawn().iter().map(|(i, points)| (coloured(i), *points)).collect();
    let of_colours = Arc::new(Model::build(&examples(&colours), &BuildOptions::default()).unwrap());
    assert_eq!(of_colours.channels(), 3);
    let (image, points) = (&colours[1].0, &drawn()[1].1);
    for model in [of_colours, model()] {
        let fit = Fitter::new(model.clone(), FitOptions::default()).fit(image, &model.pose_of(points));
        assert!(
            off(&fit.points, points) < 1.0,
            "{} channels: {}",
            model.channels(),
            off(&fit.points, points)
        );
    }
}

#[test]
fn invalid_examples_are_errors() {
    let (image, points) = (&drawn()[0].0, &drawn()[0].1);
    let good = Example { image, points };
    let (far, tiny) = (points.map(|point| point + 5000.0), points.map(|point| point * 0.01));
    let flat = Image::gray(eyes::WIDTH, eyes::HEIGHT, vec![9; eyes::WIDTH * eyes::HEIGHT]).unwrap();
    let colour = Image::planes(eyes::WIDTH, eyes::HEIGHT, 3, vec![9; 3 * flat.data.len()]).unwrap();
    let check = |examples: &[Example<'_>], options: BuildOptions, words: &str| {
        let error = Model::build(examples, &options).unwrap_err().to_string();
        assert!(error.contains(words), "“{error}” does not contain “{words}”");
    };
    let usual = BuildOptions::default();
    check(&[good], usual, "needs 2 to 500");
    check(&[good, good], usual, "all labelled images are the same");
    check(&[good, Example { points: &far, ..good }], usual, "frames[1].points: a point lies far outside");
    check(&[good, Example { points: &tiny, ..good }], usual, "corners of an eye");
    check(&[good, Example { image: &flat, ..good }], usual, "frames[1]: the image has no contrast");
    check(&[good, Example { image: &colour, ..good }], usual, "frames[1]: the image has 3 channels");
    check(&[good, good], BuildOptions { shape_variance: 1.5, ..usual }, "must be above 0");
    check(&[good, good], BuildOptions { pixels: 0, ..usual }, "1 to 1000000 pixels");
}

#[test]
fn two_images_are_enough_for_a_model() {
    let model = Arc::new(Model::build(&examples(&drawn()[..2]), &BuildOptions::default()).unwrap());
    assert_eq!(model.parameter_counts(), [1, 1, 1]);
    let (image, points) = &drawn()[1];
    let fit = Fitter::new(model.clone(), FitOptions::default()).fit(image, &model.pose_of(points));
    assert!(off(&fit.points, points) < 0.5);
}
