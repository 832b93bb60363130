use super::*;
use crate::chance::Chance;
use BlinkStrategy::*;

/// Kolmogorov–Smirnov statistic: the greatest distance between the draws and a distribution, times √n. By chance it
/// exceeds 1.95 once in a thousand times.
fn kolmogorov_smirnov(mut draws: Vec<f64>, cdf: impl Fn(f64) -> f64) -> f64 {
    draws.sort_by(f64::total_cmp);
    let n = draws.len() as f64;
    let distance = |(i, x): (usize, &f64)| {
        let share = cdf(*x);
        (share - i as f64 / n).max((i as f64 + 1.0) / n - share)
    };
    draws.iter().enumerate().map(distance).fold(0.0, f64::max) * n.sqrt()
}

fn intervals(interval: &SpontaneousInterval, n: u64) -> Vec<f64> {
    let chance = Chance::new(11, "blinks");
    (0..n).map(|i| interval.draw(chance.event(i).uniform())).collect()
}

/// The significance level is 0.001 for each activity.
#[test]
fn spontaneous_intervals_follow_their_distribution() {
    for activity in Activity::ALL {
        let interval = SpontaneousInterval::per_minute(activity.blinks_per_minute());
        let found = kolmogorov_smirnov(intervals(&interval, 100_000), |secs| interval.cdf(secs));
        assert!(found < 1.95, "{activity}: {found}");
        let other = SpontaneousInterval::per_minute(activity.blinks_per_minute() * 1.05);
        let wrong = kolmogorov_smirnov(intervals(&interval, 100_000), |secs| other.cdf(secs));
        assert!(wrong > 1.95, "{activity}: the test would not detect a rate that is 5 % off");
    }
}

/// The standard deviation of an interval is 0.8 of its mean, so the standard deviation of the mean of 400,000
/// intervals is 0.13 %. The refractory time adds 0.46 % at 26 per minute. A tolerance of 1 % covers 99.99 % of all
/// runs.
#[test]
fn blink_rates_match_measurements() {
    for (activity, per_minute) in [
        (Activity::Idle, 17.0),
        (Activity::Speaking, 26.0),
        (Activity::Listening, 17.0),
        (Activity::Reading, 4.5),
        (Activity::Thinking, 17.0),
    ] {
        let interval = SpontaneousInterval::per_minute(activity.blinks_per_minute());
        let draws = intervals(&interval, 400_000);
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        assert!((60.0 / mean / per_minute - 1.0).abs() < 0.01, "{activity}: {}", 60.0 / mean);
        assert!((mean / interval.mean_secs() - 1.0).abs() < 4.0 * 0.0013, "{activity}: {mean}");
        assert!((interval.mean_secs() * per_minute / 60.0 - 1.0).abs() < 0.005);
    }
}

/// Our log-normal distribution has σ = 0.7 and μ = ln(60/rate) − 0.245, where 0.245 = σ²/2 keeps the mean. Checks its
/// median and the points one σ away, as fractions of the part above 0.3 s.
#[test]
fn intervals_are_log_normal_as_in_the_facts() {
    let interval = SpontaneousInterval::per_minute(17.0);
    let mu = ln(60.0 / 17.0) - 0.245;
    let cut = crate::eyes::normal::normal_cdf((ln(0.3) - mu) / 0.7);
    for (sigmas, share) in [(-1.0, 0.158_655_253_931_457), (0.0, 0.5), (1.0, 0.841_344_746_068_543)] {
        let found = interval.cdf(exp(mu + 0.7 * sigmas));
        assert!((found - (share - cut) / (1.0 - cut)).abs() < 1e-12, "{sigmas}: {found}");
    }
    assert_eq!((interval.cdf(0.3), interval.cdf(0.0), interval.cdf(-1.0)), (0.0, 0.0, 0.0));
}

#[test]
fn intervals_are_always_possible() {
    let last = 1.0 - f64::EPSILON / 2.0;
    for rate in [1e-6, 4.5, 17.0, 60.0, 200.0, 1e9, f64::INFINITY] {
        let interval = SpontaneousInterval::per_minute(rate);
        let draws = [0.0, 1e-9, 0.5, last].map(|u| interval.draw(u));
        assert!(draws[0] >= 0.3 && draws[3].is_finite(), "{rate}: {draws:?}");
        assert!(draws.windows(2).all(|d| d[0] <= d[1]), "{rate}: {draws:?}");
    }
    for rate in [0.0, -3.0, f64::NAN] {
        let never = SpontaneousInterval::per_minute(rate);
        assert_eq!((never.draw(0.0), never.mean_secs(), never.cdf(1e9)), (f64::INFINITY, f64::INFINITY, 0.0));
    }
}

#[test]
fn individual_rates_match_measurements() {
    for (activity, low, high) in [
        (Activity::Reading, 1.4, 14.4),
        (Activity::Idle, 8.0, 21.0),
        (Activity::Listening, 8.0, 21.0),
        (Activity::Thinking, 8.0, 21.0),
        (Activity::Speaking, 10.5, 32.5),
    ] {
        let people = activity.blinks_per_minute_across_people();
        let found = [people.quantile(0.025), people.quantile(0.975)];
        assert!((found[0] / low - 1.0).abs() < 0.01 && (found[1] / high - 1.0).abs() < 0.01, "{found:?}");
    }
}

fn check_evoked(name: &str, evaluate: impl Fn(f64) -> f64, points: &[(f64, f64)]) {
    for &(amplitude, wanted) in points {
        let found = evaluate(amplitude);
        assert!((found - wanted).abs() < 6e-4, "{name} at {amplitude}°: {found}, expected {wanted}");
    }
}

/// Checks both readings of paper 2, section 4.2. Probability: the line through 20 % at 20° and 60 % at 50°, or
/// certain from 75° on. Magnitude: Evinger's frequencies as printed, or proportional to the amplitude.
#[test]
fn presets_match_the_facts() {
    let (peters, evinger) = (Evoked::peters(), Evoked::evinger());
    let certain = Evoked { certain_at_75: true, ..peters };
    check_evoked(
        "Peters' probability",
        |a| peters.probability(a),
        &[(0.0, 0.0), (5.0, 0.0), (20.0, 0.2), (50.0, 0.6), (75.0, 0.9333), (80.0, 1.0), (120.0, 1.0)],
    );
    check_evoked("certain at 75°", |a| certain.probability(a), &[(50.0, 0.6), (74.9, 0.932), (75.0, 1.0)]);
    check_evoked(
        "Peters' probability as printed",
        peters_probability_as_printed,
        &[(20.0, 0.2), (50.0, 0.6), (60.0, 0.6), (74.9, 0.6), (75.0, 1.0)],
    );
    check_evoked(
        "Peters' magnitude",
        |a| peters.magnitude(a),
        &[(5.0, 0.445), (17.0, 0.67), (33.0, 0.97), (34.6, 1.0), (60.0, 1.0)],
    );
    check_evoked(
        "Evinger's probability",
        |a| evinger.probability(a),
        &[(0.0, 0.0), (17.0, 0.67), (33.0, 0.97), (75.0, 1.0)],
    );
    check_evoked(
        "Evinger's magnitude",
        |a| evinger.magnitude(a),
        &[(0.0, 0.0), (5.0, 0.1), (25.0, 0.5), (50.0, 1.0), (90.0, 1.0)],
    );
}

#[test]
fn probability_and_magnitude_grow_with_the_shift_to_either_side() {
    for evoked in [Evoked::peters(), Evoked::evinger()] {
        for tenths in 0..1200 {
            let (here, next) = (f64::from(tenths) / 10.0, f64::from(tenths + 1) / 10.0);
            assert!(evoked.probability(next) >= evoked.probability(here));
            assert!(evoked.magnitude(next) >= evoked.magnitude(here));
            assert_eq!(evoked.probability(-here), evoked.probability(here));
            assert_eq!(evoked.magnitude(-here), evoked.magnitude(here));
        }
    }
}

/// Returns a shift whose size is `amplitude` for this driver, and different for the others.
fn shift(driver: EvokedDriver, amplitude: f64) -> ShiftSize {
    let mut shift = ShiftSize { head_deg: 7.0, eccentricity_deg: 57.0, gaze_deg: -111.0 };
    match driver {
        EvokedDriver::Head => shift.head_deg = -amplitude,
        EvokedDriver::Eccentricity => shift.eccentricity_deg = amplitude,
        EvokedDriver::Gaze => shift.gaze_deg = amplitude,
    }
    shift
}

/// 100,000 shifts at every 5°. The standard deviation of a fraction is at most 0.16 percentage points. The tolerance
/// of 1 point is more than six standard deviations: fewer than one run in a hundred million fails by chance.
#[test]
fn shifts_evoke_blinks_with_the_preset_probability() {
    let chance = Chance::new(5, "evoked");
    for evoked in [Evoked::peters(), Evoked::evinger()] {
        for degrees in (0..=90).step_by(5) {
            let amplitude = f64::from(degrees);
            let shift = shift(evoked.driver, amplitude);
            let likely = match evoked.preset {
                EvokedPreset::Peters => ((amplitude - 5.0) / 75.0).clamp(0.0, 1.0),
                EvokedPreset::Evinger => 1.0 - exp(-pow(amplitude / 16.02, 1.736)),
            };
            let mut counts = [0_u32; 6];
            for i in 0..100_000 {
                let u = chance.event(i * 100 + degrees as u64).uniform();
                for (count, strategy) in counts.iter_mut().zip(BlinkStrategy::ALL) {
                    *count += u32::from(strategy.evokes(&evoked, &shift, u));
                }
            }
            for (count, wanted) in counts.into_iter().zip([0.0, 0.0, 1.0, likely, likely, likely]) {
                let found = f64::from(count) / 1e5;
                assert!(
                    (found - wanted).abs() < 0.01,
                    "{evoked:?} at {degrees}°: {found}, expected {wanted}"
                );
            }
        }
    }
}

#[test]
fn each_driver_reads_its_own_size() {
    let size = ShiftSize { head_deg: -10.0, eccentricity_deg: 20.0, gaze_deg: 30.0 };
    for (driver, amplitude) in
        [(EvokedDriver::Head, 10.0), (EvokedDriver::Eccentricity, 20.0), (EvokedDriver::Gaze, 30.0)]
    {
        let evoked = Evoked { driver, ..Evoked::peters() };
        assert_eq!(evoked.amplitude(&size), amplitude);
        assert_eq!(Natural.evoked_magnitude(&evoked, &size), evoked.magnitude(amplitude));
        assert_eq!(Regular.evoked_magnitude(&evoked, &size), 0.0);
    }
}

/// Paper 2, Table 2: short and long names, spontaneous blinks, and the probability with a shift of 30°.
#[test]
fn strategies_match_the_table() {
    let every = Spontaneous::Every(3.0);
    for (strategy, short, long, spontaneous, evoked) in [
        (None, "NB", "none", Spontaneous::Never, 0.0),
        (Regular, "RU", "regular", every, 0.0),
        (GazeEvoked, "GE", "gaze-evoked", Spontaneous::Never, 1.0),
        (ProbabilisticGazeEvoked, "PGE", "probabilistic-gaze-evoked", Spontaneous::Never, 1.0 / 3.0),
        (RegularProbabilistic, "R+PGE", "regular-probabilistic", every, 1.0 / 3.0),
        (Natural, "natural", "natural", Spontaneous::Drawn, 1.0 / 3.0),
    ] {
        assert_eq!((short.parse(), long.parse()), (Ok(strategy), Ok(strategy)));
        assert_eq!((strategy.to_string().as_str(), strategy.spontaneous()), (long, spontaneous));
        let found = strategy
            .evoked_probability(&Evoked::peters(), &ShiftSize { head_deg: 30.0, ..ShiftSize::default() });
        assert!((found - evoked).abs() < 1e-12, "{strategy}: {found}");
    }
    assert_eq!(BlinkStrategy::default(), Natural);
    // Even a shift of size zero evokes a blink ("no matter how small").
    assert!(GazeEvoked.evokes(&Evoked::evinger(), &ShiftSize::default(), 1.0 - f64::EPSILON));
}

#[test]
fn natural_eye_only_shifts_evoke_no_blink() {
    let sweep = |head_deg: f64| ShiftSize { head_deg, eccentricity_deg: 25.0, gaze_deg: 25.0 };
    let evoked = Evoked::evinger();
    assert_eq!(Natural.evoked_probability(&evoked, &sweep(4.9)), 0.0);
    for strategy in [Natural, ProbabilisticGazeEvoked] {
        assert_eq!(strategy.evoked_probability(&evoked, &sweep(-10.0)), evoked.probability(25.0));
    }
    // Without the rule for head movement, the shift would evoke a blink.
    assert!(ProbabilisticGazeEvoked.evoked_probability(&evoked, &sweep(0.0)) > 0.85);
}

#[test]
fn regular_blinks_are_at_multiples_of_three_seconds() {
    let interval = SpontaneousInterval::per_minute(17.0);
    let next = |after: f64| Regular.spontaneous().next_secs(after, &interval, 0.9);
    let mut at = 0.0;
    for blink in 1..=10_000 {
        at = next(at);
        assert_eq!(at, 3.0 * f64::from(blink));
        assert_eq!(next(at + 1.7), at + 3.0, "a blink in between shifts the regular blinks");
    }
    assert_eq!(None.spontaneous().next_secs(1.0, &interval, 0.5), f64::INFINITY);
    assert_eq!(Natural.spontaneous().next_secs(1.0, &interval, 0.5), 1.0 + interval.draw(0.5));
}

#[test]
fn unknown_names_list_the_known_ones() {
    let message = "wink".parse::<BlinkStrategy>().unwrap_err().to_string();
    assert!(message.contains("unknown blink strategy “wink”") && message.contains("r+pge"), "{message}");
    assert_eq!("Listening".parse(), Ok(Activity::Listening));
    assert_eq!("peters".parse(), Ok(EvokedPreset::Peters));
    assert_eq!("gaze".parse(), Ok(EvokedDriver::Gaze));
    assert!("".parse::<Activity>().is_err());
}

/// Binomial: the standard deviations of the two fractions are 0.16 and 0.07 percentage points; four of them cover
/// 99.99 % of runs.
#[test]
fn partial_and_double_blinks_have_the_requested_frequency() {
    let chance = Chance::new(8, "kinds");
    let n = 100_000;
    let kinds: Vec<_> =
        (0..n).map(|i| spontaneous_kind(&mut chance.event(i), PARTIAL_SHARE, DOUBLE_SHARE)).collect();
    let share = |test: fn(&BlinkKind) -> bool| kinds.iter().filter(|k| test(k)).count() as f64 / n as f64;
    assert!((share(|k| k.magnitude < 1.0) - 0.529).abs() < 0.0064);
    assert!((share(|k| k.double_after_secs.is_some()) - 0.05).abs() < 0.0028);
    assert!(kinds.iter().all(|k| k.magnitude == 1.0 || (0.5..0.95).contains(&k.magnitude)));
    assert!(kinds.iter().filter_map(|k| k.double_after_secs).all(|secs| (0.35..0.5).contains(&secs)));
    let plain = |i| spontaneous_kind(&mut chance.event(i), 0.0, 0.0);
    assert!((0..1000).all(|i| BlinkKind { tempo: 1.0, ..plain(i) } == BlinkKind::FULL));
}

/// One in two is slower than the median and one in six as fast as the limit. The standard deviations of these
/// fractions are 0.16 and 0.12 percentage points, and four of them cover 99.99 % of runs.
#[test]
fn spontaneous_blink_durations_match_people_and_vary() {
    let chance = Chance::new(8, "kinds");
    let n = 100_000;
    let tempos: Vec<f64> = (0..n).map(|i| spontaneous_kind(&mut chance.event(i), 0.5, 0.1).tempo).collect();
    let share = |test: &dyn Fn(f64) -> bool| tempos.iter().filter(|x| test(**x)).count() as f64 / n as f64;
    assert!((share(&|x| x < SPONTANEOUS_TEMPO) - 0.5).abs() < 0.0064);
    assert!((share(&|x| x == greatest_tempo()) - 0.158_66).abs() < 0.0047);
    assert!((share(&|x| x <= SPONTANEOUS_TEMPO * exp(-0.4)) - 0.022_75).abs() < 0.0019);
    assert!(tempos.iter().all(|x| *x <= greatest_tempo()));
    let shut = crate::eyes::blink::Blink::new(crate::eyes::aperture::CLOSING_DEG).duration_secs();
    assert!((shut / SPONTANEOUS_TEMPO - 0.3).abs() < 0.01, "{} s", shut / SPONTANEOUS_TEMPO);
}

#[test]
fn changing_one_fraction_keeps_the_other_draws() {
    let chance = Chance::new(8, "kinds");
    for i in 0..1000 {
        let often = spontaneous_kind(&mut chance.event(i), 1.0, 1.0);
        let mixed = spontaneous_kind(&mut chance.event(i), 0.3, 1.0);
        assert_eq!(often.double_after_secs, mixed.double_after_secs);
        assert!(mixed.magnitude == 1.0 || mixed.magnitude == often.magnitude);
    }
}

/// 39.3 ms before the head in large turns (Evinger 1994), and after it in small ones (paper 2, 4.1, rule 2).
#[test]
fn evoked_blinks_start_after_small_turns_and_before_large_ones() {
    for (degrees, ms) in [(0.0, 39.3), (8.5, 19.65), (17.0, 0.0), (34.0, -39.3), (-90.0, -39.3)] {
        let found = evoked_onset_secs(degrees) * 1e3;
        assert!((found - ms).abs() < 1e-9, "{degrees}°: {found} ms, expected {ms} ms");
    }
    assert!((0..90).all(|d| evoked_onset_secs(f64::from(d + 1)) <= evoked_onset_secs(f64::from(d))));
}
