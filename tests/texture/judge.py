"""Measures how well classifiers separate synthesized eyes from recorded ones.

    judge.py NAME=GROUP:A.texture:A.csv …    (files from `vivant learn eyes` and `vivant trace eyes --texture`)

Each recording is a group with its own texture. Classifiers are trained on all groups of a NAME except one and tested on
the held-out group. They have seen neither that recording nor the eyes synthesized from it, so they can only use artefacts
of the synthesis. The input is about sixty features of 2 s of lids and gaze. As a baseline, the same test is done with
random blinks (Poisson) and random gaze at the rates and noise of the recording.

A second test holds out a quarter of the time of every recording. It is easier and less relevant, because synthesized eyes
also contain the held-out time.

Then statistics are compared: inter-saccade intervals, saccade amplitudes, blink rate, and saccade times relative to
blinks. The difference between recorded and synthesized eyes should not exceed that between two halves of the recording.
"""
import csv, json, sys
import numpy as np
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

WINDOW_SECS, HOP_SECS = 2.0, 1.0
SACCADE_DEG_PER_S, SACCADE_GAP_SECS = 40.0, 0.05
BANDS_HZ = [(0.4, 1), (1, 2), (2, 4), (4, 8), (8, 15), (15, 25), (25, 40)]


def recorded(path):
    texture = json.load(open(path))
    runs = [np.column_stack([r["openness"], r["yawDeg"], r["pitchDeg"]]) for c in texture["corpora"] for r in c["runs"]]
    return texture["rateHz"], runs, texture["corpora"][0]["openLevel"]


def synthesized(path):
    rows = list(csv.reader(open(path)))
    at = [rows[0].index(name) for name in ("aperture_left", "gaze_yaw", "gaze_pitch")]
    return np.array([[float(row[i]) for i in at] for row in rows[1:]])


def random_eyes(rate, runs, open_level, frames, rng):
    """Method II of paper 5: blinks from a Poisson process and random gaze, independent of each other."""
    blinks = sum(len(blink_onsets(r, open_level)) for r in runs)
    shifts = sum(len(saccades(r, rate)[0]) for r in runs)
    secs = sum(len(r) for r in runs) / rate
    all_ = np.vstack(runs)
    noise = np.median(np.abs(np.diff(all_, axis=0)), axis=0)
    out = np.empty((frames, 3))
    out[:, 0] = open_level
    length = int(0.3 * rate)
    k = np.arange(length) / length
    blink = np.where(k < 0.33, np.sin(np.pi / 2 * k / 0.33) ** 2, np.cos(np.pi / 2 * (k - 0.33) / 0.67) ** 2)
    for at in np.flatnonzero(rng.random(frames) < blinks / secs / rate):
        part = out[at : at + length, 0]
        part *= 1 - blink[: len(part)]
    low, high = np.percentile(all_[:, 1:], [2, 98], axis=0)
    gaze = rng.uniform(low, high)
    starts = np.r_[np.flatnonzero(rng.random(frames) < shifts / secs / rate), frames]
    out[: starts[0], 1:] = gaze
    for start, end in zip(starts[:-1], starts[1:]):
        to = rng.uniform(low, high)
        steps = max(2, int((0.021 + 0.0022 * np.hypot(*(to - gaze))) * rate))
        u = np.minimum(np.arange(end - start) / steps, 1)[:, None]
        out[start:end, 1:] = gaze + (to - gaze) * (10 * u**3 - 15 * u**4 + 6 * u**5)
        gaze = to
    return out + rng.normal(0, 1, out.shape) * noise / 0.95


def saccades(x, rate):
    step = np.hypot(np.diff(x[:, 1]), np.diff(x[:, 2])) * rate
    speed = np.convolve(step, np.ones(3) / 3, "same")
    fast = np.r_[False, speed > SACCADE_DEG_PER_S, False]
    edges = np.flatnonzero(np.diff(fast.astype(int)))
    starts, ends = list(edges[::2]), list(edges[1::2])
    for i in range(len(starts) - 1, 0, -1):
        if starts[i] - ends[i - 1] < SACCADE_GAP_SECS * rate:
            del starts[i], ends[i - 1]
    last = len(x) - 1
    size = [np.hypot(*(x[min(e, last), 1:] - x[b, 1:])) for b, e in zip(starts, ends)]
    return np.array(starts, int), np.array(size)


def blink_onsets(x, open_level):
    """Returns frames at which the aperture falls below half.

    Lids have to open mostly in between, because lids of squinting eyes tremble.
    """
    onsets, is_open = [], False
    for i, openness in enumerate(x[:, 0] / open_level):
        if is_open and openness < 0.5:
            onsets.append(i)
        is_open = openness > 0.75 or (is_open and openness >= 0.5)
    return np.array(onsets, int)


def features(x, rate):
    d = np.diff(x, axis=0) * rate
    dd = np.diff(x, 2, axis=0) * rate
    speed = np.hypot(d[:, 1], d[:, 2])
    jerk = np.hypot(dd[:, 1], dd[:, 2])
    starts, sizes = saccades(x, rate)
    q = lambda v, *p: list(np.percentile(v, p))
    log = lambda v: list(np.log(np.asarray(v) + 1e-6))
    f = log([speed.mean(), speed.std()] + q(speed, 25, 50, 75, 90, 99, 100))
    f += log(q(jerk, 50, 90, 99, 100)) + [np.mean(speed > 30), np.mean(speed > 100)]
    f += [len(starts), sizes.max() if len(sizes) else 0, sizes.mean() if len(sizes) else 0]
    f += log([np.diff(starts).min() / rate if len(starts) > 1 else 2])
    for c in range(3):
        f += [x[:, c].std(), np.ptp(x[:, c])]
        a = np.abs(d[:, c])
        f += [((d[:, c] - d[:, c].mean()) ** 3).mean() / (d[:, c].std() ** 3 + 1e-9)] + log(q(a, 50, 95, 100))
    f += [x[:, 0].mean(), x[:, 0].min(), x[:, 0].max(), np.mean(x[:, 0] < 0.5), d[:, 0].min(), d[:, 0].max()]
    f += log(q(np.abs(dd[:, 0]), 50, 90, 100))
    for c in range(3):
        power = np.abs(np.fft.rfft((x[:, c] - x[:, c].mean()) * np.hanning(len(x)))) ** 2
        hz = np.fft.rfftfreq(len(x), 1 / rate)
        f += log([power[(hz >= lo) & (hz < hi)].sum() for lo, hi in BANDS_HZ])
    corr = lambda a, b: float(np.nan_to_num(np.corrcoef(a, b)[0, 1])) if a.std() > 1e-9 and b.std() > 1e-9 else 0.0
    f += [corr(x[:, 0], x[:, 2]), corr(np.abs(d[:, 0]), speed), corr(x[:-1, 0], speed), corr(x[:, 1], x[:, 2])]
    # The peak speed relative to its neighbours: a join of patches would be a single large step.
    at = int(np.argmax(speed))
    near = np.delete(speed[max(0, at - 2) : at + 3], min(at, 2))
    f += log([speed[at] / (near.max() + 1e-3)])
    return np.nan_to_num(np.array(f))


def windows(signals, rate):
    length, hop = int(WINDOW_SECS * rate), int(HOP_SECS * rate)
    return [features(s[i : i + length], rate) for s in signals for i in range(0, len(s) - length + 1, hop)]


CLASSIFIERS = {
    "logistic regression": lambda: make_pipeline(StandardScaler(), LogisticRegression(C=0.1, max_iter=2000)),
    "gradient boosting": lambda: GradientBoostingClassifier(n_estimators=100, max_depth=3, subsample=0.7, random_state=1),
}
FOLDS = 4


def by_recording(groups):
    """Yields masks that hold out one recording at a time."""
    for held in range(len(groups)):
        yield [(i, np.full(len(g), i == held), np.full(len(g), i == held)) for i, g in enumerate(groups)]


def by_time(groups):
    """Yields masks that hold out a quarter of every recording; overlapping windows are not used for training either."""
    for fold in range(FOLDS):
        held = []
        for i, g in enumerate(groups):
            quarter = np.arange(len(g)) * FOLDS // len(g)
            test = quarter == fold
            held.append((i, test, test | np.roll(test, 1) | np.roll(test, -1)))
        yield held


def measure_auc(groups, others, held_out):
    """Returns the mean AUC over the held-out windows and its standard error, by classifier."""
    result = {}
    for name, make in CLASSIFIERS.items():
        aucs, weights = [], []
        for held in held_out(groups):
            sides = (groups, others)
            train = [np.vstack([side[i][~near] for i, _, near in held]) for side in sides]
            test = [np.vstack([side[i][test] for i, test, _ in held]) for side in sides]
            truth = [np.r_[np.zeros(len(a)), np.ones(len(b))] for a, b in (train, test)]
            score = make().fit(np.vstack(train), truth[0]).predict_proba(np.vstack(test))[:, 1]
            aucs.append(roc_auc_score(truth[1], score))
            weights.append(len(truth[1]))
        mean = np.average(aucs, weights=weights)
        error = np.sqrt(np.average((np.array(aucs) - mean) ** 2, weights=weights) / max(1, len(aucs) - 1))
        result[name] = (mean, error)
    return result


def ks(a, b):
    if not len(a) or not len(b):
        return float("nan")
    grid = np.sort(np.r_[a, b])
    cdf = lambda v: np.searchsorted(np.sort(v), grid, "right") / len(v)
    return float(np.abs(cdf(a) - cdf(b)).max())


def statistics(signals, rate, open_level):
    isi, size, blinks, near, secs = [], [], 0, [], 0
    for x in signals:
        starts, sizes = saccades(x, rate)
        onsets = blink_onsets(x, open_level)
        isi += list(np.diff(starts) / rate)
        size += list(sizes)
        near += [(b - o) / rate for o in onsets for b in starts if abs(b - o) < rate]
        blinks, secs = blinks + len(onsets), secs + len(x) / rate
    correlogram = np.histogram(near, np.linspace(-1, 1, 11))[0] / max(1, blinks)
    return {"isi": isi, "size": size, "rate": 60 * blinks / secs, "correlogram": correlogram}


def differences(a, b):
    rms = float(np.sqrt(np.mean((a["correlogram"] - b["correlogram"]) ** 2)))
    return [ks(a["isi"], b["isi"]), ks(a["size"], b["size"]), abs(a["rate"] - b["rate"]), rms]


def halves(runs):
    """Returns the first and the second half of the recorded time."""
    half, first, second = sum(map(len, runs)) // 2, [], []
    for run in runs:
        here = max(0, min(len(run), half - sum(map(len, first))))
        first += [run[:here]] if here > 3 else []
        second += [run[here:]] if len(run) - here > 3 else []
    return first, second


def main():
    sets = {}
    for word in sys.argv[1:]:
        name, group = word.split("=", 1)
        sets.setdefault(name, []).append(group.split(":"))
    rng = np.random.default_rng(1)
    report = {}
    if len(sets) > 1:
        sets["all"] = [member for members in sets.values() for member in members]
    for name, members in sets.items():
        real, fake, chance, split, off = [], [], [], [], []
        for label, texture, trace in members:
            rate, runs, open_level = recorded(texture)
            made = synthesized(trace)
            real.append(np.array(windows(runs, rate)))
            every = windows([made], rate)
            pick = np.linspace(0, len(every) - 1, len(real[-1])).astype(int)
            fake.append(np.array([every[i] for i in pick]))
            random = random_eyes(rate, runs, open_level, len(made), rng)
            every = windows([random], rate)
            chance.append(np.array([every[i] for i in pick]))
            whole, synthetic = statistics(runs, rate, open_level), statistics([made], rate, open_level)
            a, b = (statistics(half, rate, open_level) for half in halves(runs))
            split.append(differences(a, b))
            off.append(differences(whole, synthetic))
            if name != "all":
                print(f"{name} {label}: {len(real[-1])} windows; saccades {len(whole['size'])}, blinks per minute"
                      f" {whole['rate']:.1f} recorded, {synthetic['rate']:.1f} synthesized")
        report[name] = {}
        for split_by, held_out in (("recordings", by_recording), ("time", by_time)):
            texture_auc, chance_auc = measure_auc(real, fake, held_out), measure_auc(real, chance, held_out)
            for classifier in CLASSIFIERS:
                (t, te), (c, ce) = texture_auc[classifier], chance_auc[classifier]
                print(f"{name}, {split_by} held out | {classifier} | AUC synthesized {t:.3f} ± {te:.3f} | AUC random {c:.3f} ± {ce:.3f}")
                report[name][f"{classifier}, {split_by} held out"] = t
                # Only this test counts for random eyes: those of one recording may differ from those of the others.
                if split_by == "time":
                    report[name][f"{classifier}, by chance"] = c
        titles = ["inter-saccade intervals, KS", "saccade amplitudes, KS", "blinks per minute", "saccades around blinks"]
        for i, title in enumerate(titles):
            o, s = np.nanmean([v[i] for v in off]), np.nanmean([v[i] for v in split])
            print(f"{name} | {title} | synthesized differ by {o:.3f} | halves differ by {s:.3f} | {'within' if o <= s else 'BEYOND'}")
    print(json.dumps(report))


main()
