"""Fits the hearing's network: python3 fit.py OUT.rs TRIED MADE READ [ROUNDS]

TRIED, MADE and READ are files of frames that the example `fit_hearing` wrote: of the aligned recordings, which are only
judged, of made speech and of readings. A round is half a million frames. OUT.rs becomes
`crates/vivant/src/speech/audio/standard.rs`. Cross entropy by Adam (Kingma and Ba 2015) with decay of the weights
(Loshchilov and Hutter 2019) and dropout (Srivastava and others 2014). Needs NumPy; the same frames give the same network
up to the order of sums in NumPy's BLAS.
"""

import sys

import numpy

# As in `network.rs`: frames counted from the newest, of which LATE is judged.
SPANS = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8), (8, 10), (10, 13), (13, 17), (17, 22)]
LATE = 4
# As in `ear.rs`.
FEATURES = 21
UNITS = (192, 96)
VISEMES = 15
CLASS = numpy.array([0, 4, 5, 6, 6, 6, 7, 7, 6, 3, 1, 2, 2, 3, 3])
BATCH, RATE, DECAY, SMOOTHING, DROPPED = 512, 2e-3, 1e-3, 0.05, 0.3
# Noise on each input, in its deviations.
NOISE = 0.3
# How much of the loss asks for the very viseme; the rest asks for its class.
EXACT = 0.4
# How often a frame is taken, by how the name of its utterance begins: real voices rather than made ones, and English, of
# which there is little, rather than others.
TIMES = {
    **{"read.arpabet.fables": 8, "read.arpabet.sonnet": 8, "read.arpabet.cards": 8, "read.arpabet": 2.5, "read": 0.6},
    **{"flite": 1, "espeak-en": 1, "": 0.3},
}
# Lips that are closed or at the teeth are seldom, but are seen.
LIPS_TIMES = 2.2
ROUND = 500_000


class Frames:
    """Frames in the order of their utterances."""

    def __init__(self, names):
        rows, self.names = [], []
        for name in names:
            labels = [line.rstrip("\n") for line in open(f"{name}.names", encoding="utf8")]
            whole = numpy.fromfile(name, "<f4").reshape(-1, FEATURES + 2)
            whole[:, 0] += len(self.names)
            rows.append(whole)
            self.names += labels
        rows = numpy.concatenate(rows)
        self.utterance, self.viseme = rows[:, 0].astype(int), rows[:, 1].astype(int)
        first = numpy.concatenate([[True], self.utterance[1:] != self.utterance[:-1]])
        self.begin = numpy.maximum.accumulate(numpy.where(first, numpy.arange(len(rows)), 0))
        last = numpy.concatenate([first[1:], [True]])
        end = numpy.where(last, numpy.arange(len(rows)), len(rows))
        self.end = numpy.minimum.accumulate(end[::-1])[::-1]
        self.features = numpy.ascontiguousarray(rows[:, 2:])

    def judged(self):
        """The numbers of the frames that can be judged."""
        numbers = numpy.arange(len(self.viseme))
        return numbers[(self.viseme >= 0) & (numbers + LATE <= self.end)]

    def inputs(self, numbers):
        newest, begin = numbers + LATE, self.begin[numbers]
        parts = []
        for start, stop in SPANS:
            part = sum(self.features[numpy.maximum(newest - back, begin)] for back in range(start, stop))
            parts.append(part / numpy.float32(stop - start))
        return numpy.concatenate(parts, axis=1)


class Network:
    def __init__(self, sizes, chance):
        self.weights = [chance.normal(0, (2 / n) ** 0.5, (n, m)).astype("f4") for n, m in zip(sizes, sizes[1:])]
        self.weights[-1] *= 0.5
        self.bias = [numpy.zeros(m, "f4") for m in sizes[1:]]

    def run(self, x, chance=None):
        """What each layer gives; the last is the logarithm of the probabilities."""
        layers = [x]
        for n, (weights, bias) in enumerate(zip(self.weights, self.bias)):
            x = x @ weights + bias
            if n + 1 < len(self.weights):
                numpy.maximum(x, 0, out=x)
                if chance is not None:
                    x *= (chance.random(x.shape, "f4") > DROPPED) * numpy.float32(1 / (1 - DROPPED))
            layers.append(x)
        x = x - x.max(axis=1, keepdims=True)
        layers[-1] = x - numpy.log(numpy.exp(x).sum(axis=1, keepdims=True))
        return layers

    def gradients(self, layers, wanted):
        off = (numpy.exp(layers[-1]) - wanted) / len(wanted)
        for n in reversed(range(len(self.weights))):
            yield n, layers[n].T @ off, off.sum(axis=0)
            if n:
                off = (off @ self.weights[n].T) * (layers[n] > 0)


def wanted_of(found, viseme):
    """What should be found: the viseme, but rather its class than the viseme itself."""
    exact = numpy.full(found.shape, SMOOTHING / VISEMES, "f4")
    exact[numpy.arange(len(viseme)), viseme] += 1 - SMOOTHING
    alike = found * (CLASS == CLASS[viseme][:, None])
    return EXACT * exact + (1 - EXACT) * alike / alike.sum(axis=1, keepdims=True)


def fit(frames, numbers, chances, scale, epochs, per_epoch, tell):
    chance = numpy.random.default_rng(9)
    mean, deviation = scale
    network = Network((len(SPANS) * FEATURES, *UNITS, VISEMES), chance)
    moments = {}
    steps = epochs * per_epoch // BATCH
    total = numpy.cumsum(chances)
    loss = 0.0
    for step in range(steps):
        picked = numbers[numpy.searchsorted(total, chance.random(BATCH) * total[-1])]
        inputs = (frames.inputs(picked) - mean) / deviation
        inputs += NOISE * chance.standard_normal(inputs.shape, "f4")
        layers = network.run(inputs.astype("f4"), chance)
        wanted = wanted_of(numpy.exp(layers[-1]), frames.viseme[picked])
        loss += -(layers[-1] * wanted).sum() / BATCH
        done = step / steps
        rate = RATE * min(done / 0.05, (1 - done) / 0.95)
        for n, weights, bias in network.gradients(layers, wanted):
            for kind, gradient, values in (("w", weights, network.weights[n]), ("b", bias, network.bias[n])):
                first, second = moments.setdefault((n, kind), [numpy.zeros_like(values), numpy.zeros_like(values)])
                first += numpy.float32(0.1) * (gradient - first)
                second += numpy.float32(0.001) * (gradient * gradient - second)
                a, b = 1 - 0.9 ** (step + 1), 1 - 0.999 ** (step + 1)
                decay = DECAY if kind == "w" else 0
                values -= numpy.float32(rate) * ((first / a) / (numpy.sqrt(second / b) + 1e-8) + decay * values)
        if (step + 1) % (steps // epochs) == 0:
            tell(network, (step + 1) // (steps // epochs), loss / (steps // epochs))
            loss = 0.0
    return network


def heard(network, frames, numbers, scale):
    """The most likely class of each frame: classes are sums of visemes."""
    mean, deviation = scale
    found = []
    for part in numpy.array_split(numbers, max(1, len(numbers) // 20000)):
        chances = numpy.exp(network.run(((frames.inputs(part) - mean) / deviation).astype("f4"))[-1])
        found.append(numpy.stack([chances[:, CLASS == n].sum(axis=1) for n in range(8)], axis=1).argmax(axis=1))
    return numpy.concatenate(found)


def tried(network, frames, scale):
    numbers = frames.judged()
    right = heard(network, frames, numbers, scale) == CLASS[frames.viseme[numbers]]
    shares = [right[frames.utterance[numbers] == n].mean() for n in range(len(frames.names))]
    by_class = [right[CLASS[frames.viseme[numbers]] == n].mean() for n in range(8)]
    return right.mean(), shares, by_class


def source(network, scale):
    """The engine's file, with whole numbers for weights of inputs that are not scaled."""
    mean, deviation = scale
    first, bias = network.weights[0] / deviation[:, None], network.bias[0] - (mean / deviation) @ network.weights[0]
    layers = [(first, bias), *list(zip(network.weights, network.bias))[1:]]
    text = [
        "//! The standard hearing, as numbers: weights in 512ths. They are fitted, not written: `tests/speech/fit.py` makes this",
        "//! file, and `docs/audio.md` says from what.",
        "",
        "use super::VISEMES;",
        "use super::network::{FIRST, INPUTS, Packed, SECOND};",
        "",
    ]
    sizes = ["INPUTS", "FIRST", "SECOND", "VISEMES"]
    whole = lambda row: ",".join(str(int(x)) for x in numpy.clip(numpy.round(row * 512), -32767, 32767))
    for name, size, before, (weights, bias) in zip(("FIRST", "SECOND", "OUT"), sizes[1:], sizes, layers):
        text += ["#[rustfmt::skip]", f"pub(super) static {name}_WEIGHTS: Packed<{size}, {before}> = Packed::of(&["]
        text += [f"    [{whole(row)}]," for row in weights] + ["]);"]
        text += ["#[rustfmt::skip]", f"pub(super) static {name}_BIAS: [i16; {size}] = [{whole(bias)}];"]
    return "\n".join(text) + "\n"


def main():
    out, tried_name, *names = sys.argv[1:5]
    rounds = int(sys.argv[5]) if len(sys.argv) > 5 else 10
    frames, judged = Frames(names), Frames([tried_name])
    numbers = frames.judged()
    times = [next(times for begin, times in TIMES.items() if name.startswith(begin)) for name in frames.names]
    lips = numpy.isin(CLASS[frames.viseme[numbers]], (4, 5))
    chances = numpy.array(times)[frames.utterance[numbers]] * numpy.where(lips, LIPS_TIMES, 1)
    some = frames.inputs(numbers[::37])
    scale = some.mean(axis=0), some.std(axis=0) + 1e-3
    print(f"{len(numbers)} frames of {len(frames.names)} utterances")

    def tell(network, count, loss):
        share, shares, by_class = tried(network, judged, scale)
        percents = lambda all: " ".join(f"{100 * one:.0f}" for one in all)
        print(f"{count}: loss {loss:.3f}, {100 * share:.1f} % ({percents(shares)} | {percents(by_class)})", flush=True)
        with open(out, "w", encoding="utf8") as file:
            file.write(source(network, scale))

    fit(frames, numbers, chances, scale, rounds, ROUND, tell)


if __name__ == "__main__":
    main()
