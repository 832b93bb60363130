"""Trains the network of audio lip-sync: python3 fit.py OUT.bin FRAMES… [--steps N] [--seed N]

FRAMES are files that `fit-lip-sync` of `crates/vivant-tools` wrote from synthetic speech and readings. OUT.bin is
`crates/vivant/src/speech/audio/standard.bin`. Some of the speakers are held out for model selection. The recordings of
`VIVANT_DATA` are not used here; `crates/vivant/tests/lip_sync.rs` tests with them.

Minimizes the cross entropy over time with Adam (Kingma and Ba 2015), weight decay (Loshchilov and Hutter 2019), dropout
(Srivastava and others 2014), noise, and masked bands (Park and others 2019). Needs NumPy and PyTorch; on one
thread the same frames and seed give the same network, up to the order of sums in another version of PyTorch.
"""

import argparse
import time

import numpy
import torch
from torch import nn

# The same values as in `crates/vivant/src/speech/audio`. DELAY is in frames.
DELAY, FEATURES, FRAMES, FIRST, MEMORY, VISEMES = 4, 27, 7, 96, 128, 15
CLASS = torch.tensor([0, 4, 5, 6, 6, 6, 7, 7, 6, 3, 1, 2, 2, 3, 3])
IN_CLASS = nn.functional.one_hot(CLASS, 8).float()
SEQUENCES, LENGTH = 48, 200
# Training steps at the start and at the end in which the learning rate rises and falls.
WARMUP_STEPS, DECAY_STEPS = 50, 250
RATE, DECAY, SMOOTHING, DROPPED, NOISE, MASKED = 3e-3, 1e-3, 0.05, 0.2, 0.2, 0.3
# Quantization levels up to the greatest weight of a unit. The accuracy on held-out speakers is the same with 31 as with 127,
# and the packed file is smaller.
LEVELS = 31
# Share of the loss that scores the exact viseme; the rest scores its class.
EXACT = 0.4
# Loss weight of closed lips and lips at the teeth: they are rare but visible.
LIP_WEIGHT = 2.0
# Sampling weight of a voice by the prefix of its name. Recorded voices count more than synthetic ones, and English, the
# language of the test recordings, counts more than other languages.
SAMPLING_WEIGHTS = {
    **{"read.arpabet.queen.joe": 0.6, "read.arpabet.queen": 1, "read.arpabet.sky": 1, "read.arpabet": 1.5},
    **{"read.ipa": 0.5, "flite": 0.5, "espeak-en": 0.5, "": 0.15},
}
# Speakers held out of the training: readers, four people of a game, and two languages, including synthetic voices.
HELD_OUT = {
    "readers": ["fables", "sonnet", "cards"],
    "games": ["queen.tam", "queen.bud", "queen.naomi", "queen.faye"],
    "Dutch and Italian": ["dialogue.nl", "stamps.nl", "prompts.it", "espeak-nl", "espeak-it", "festival-lp_", "festival-pc_"],
}
# Maximum number of utterances to evaluate per held-out group.
MAX_HELD_OUT = 100


class Speech:
    """Utterances: the start and end of each, and the features and visemes of all frames."""

    def __init__(self, files):
        self.names, rows = [], []
        for file in files:
            names = [line.rstrip("\n") for line in open(f"{file}.names", encoding="utf8")]
            whole = numpy.fromfile(file, "<f4").reshape(-1, FEATURES + 2)
            whole[:, 0] += len(self.names)
            rows.append(whole)
            self.names += names
        rows = numpy.concatenate(rows)
        utterance = rows[:, 0].astype(int)
        edges = numpy.flatnonzero(numpy.diff(utterance)) + 1
        self.starts, self.ends = numpy.append(0, edges), numpy.append(edges, len(rows))
        self.names = [self.names[utterance[start]] for start in self.starts]
        self.features, viseme = numpy.ascontiguousarray(rows[:, 2:]), rows[:, 1].astype(int)
        # The target of a frame is the viseme DELAY frames earlier.
        self.targets = numpy.full(len(rows), -1)
        for start, end in zip(self.starts, self.ends):
            self.targets[start + DELAY : end] = viseme[start : end - DELAY]

    def scale(self, chance):
        sample = self.features[chance.choice(len(self.features), 200_000)]
        mean, deviation = sample.mean(axis=0), sample.std(axis=0)
        self.features -= mean
        self.features /= deviation
        return mean, 1 / deviation


class Batches:
    """Batches of sequences. Each sequence joins several utterances, as in long recordings."""

    def __init__(self, speech, numbers, chance):
        self.speech, self.numbers, self.chance = speech, numbers, chance
        weight_of = lambda name: next(weight for prefix, weight in SAMPLING_WEIGHTS.items() if name.startswith(prefix))
        weights = [weight_of(speech.names[n]) for n in numbers]
        self.total = numpy.cumsum((speech.ends - speech.starts)[numbers] * weights)

    def next(self):
        features = numpy.zeros((SEQUENCES, LENGTH, FEATURES), "f4")
        targets = numpy.full((SEQUENCES, LENGTH), -1)
        for sequence in range(SEQUENCES):
            # Half of the sequences start at the start of an utterance, the others inside one.
            at, inside = 0, self.chance.random() < 0.5
            while at < LENGTH:
                number = self.numbers[numpy.searchsorted(self.total, self.chance.random() * self.total[-1])]
                start, end = self.speech.starts[number], self.speech.ends[number]
                if inside:
                    start, inside = start + int(self.chance.random() * max(1, end - start - 100)), False
                end = min(end, start + LENGTH - at)
                features[sequence, at : at + end - start] = self.speech.features[start:end]
                targets[sequence, at : at + end - start] = self.speech.targets[start:end]
                at += end - start
            self.mask(features[sequence])
        features += NOISE * self.chance.standard_normal(features.shape, "f4")
        return torch.from_numpy(features), torch.from_numpy(targets)

    def mask(self, features):
        if self.chance.random() < MASKED:
            width = self.chance.integers(1, 6)
            first = self.chance.integers(3, FEATURES - width)
            features[:, first : first + width] = 0


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Conv1d(FEATURES, FIRST, FRAMES)
        self.memory = nn.GRU(FIRST, MEMORY, batch_first=True)
        self.out = nn.Linear(MEMORY, VISEMES)
        self.drop = nn.Dropout(DROPPED)

    def forward(self, features):
        """Returns the log-probabilities of visemes."""
        before = features[:, :1].expand(-1, FRAMES - 1, -1)
        sound = torch.relu(self.first(torch.cat([before, features], 1).transpose(1, 2))).transpose(1, 2)
        memory, _ = self.memory(self.drop(sound))
        return torch.log_softmax(self.out(self.drop(memory)), -1)


def loss_of(predicted, targets):
    """Returns the cross entropy of visemes and their classes, weighted by EXACT and LIP_WEIGHT."""
    predicted, targets = predicted[targets >= 0], targets[targets >= 0]
    exact = (1 - SMOOTHING) * predicted.gather(1, targets[:, None])[:, 0] + SMOOTHING * predicted.mean(1)
    in_class = (predicted.exp() @ IN_CLASS).clamp_min(1e-8).log().gather(1, CLASS[targets][:, None])[:, 0]
    weights = torch.where((CLASS[targets] == 4) | (CLASS[targets] == 5), LIP_WEIGHT, 1.0)
    return -((EXACT * exact + (1 - EXACT) * in_class) * weights).sum() / weights.sum()


def confusion(network, speech, numbers):
    """Counts frames by true and predicted class."""
    counts = numpy.zeros((8, 8), int)
    network.eval()
    with torch.no_grad():
        for start, end in zip(speech.starts[numbers], speech.ends[numbers]):
            predicted = network(torch.from_numpy(speech.features[start:end])[None])[0].exp() @ IN_CLASS
            targets = speech.targets[start:end]
            numpy.add.at(counts, (CLASS.numpy()[targets[targets >= 0]], predicted.argmax(1).numpy()[targets >= 0]), 1)
    network.train()
    return counts


def fit(speech, numbers, steps, seed, report):
    torch.manual_seed(seed)
    network, batches = Network(), Batches(speech, numbers, numpy.random.default_rng(seed))
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = RATE * min((step + 1) / WARMUP_STEPS, 1, (steps - step) / DECAY_STEPS)
        features, targets = batches.next()
        loss = loss_of(network(features), targets)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        if (step + 1) % 250 == 0:
            report(network, step + 1, loss.item())
    return network


def layers(network):
    """Yields the weights, by input and unit, and the bias of each layer."""
    first = network.first.weight.detach().flip(2).permute(2, 1, 0).reshape(-1, FIRST)
    memory = network.memory
    yield first, network.first.bias
    yield memory.weight_ih_l0.T, memory.bias_ih_l0
    yield memory.weight_hh_l0.T, memory.bias_hh_l0
    yield network.out.weight.T, network.out.bias


def quantize(network):
    """Rounds all weights in place to whole numbers of steps; the greatest weight of a unit is LEVELS steps."""
    with torch.no_grad():
        for weights in (network.first.weight, network.memory.weight_ih_l0, network.memory.weight_hh_l0, network.out.weight):
            rows = weights.flatten(1)
            step = rows.abs().amax(1, keepdim=True) / LEVELS
            rows.copy_((rows / step).round() * step)


def packed(network, mean, scale):
    """Returns the bytes of the model file that `crates/vivant/src/speech/audio/model.rs` reads."""
    real = lambda row: numpy.array([float(f"{float(x):.5g}") for x in row], "<f4").tobytes()
    parts = [b"VHW1", real(mean), real(scale)]
    for weights, bias in layers(network):
        weights = weights.detach().numpy()
        step = numpy.abs(weights).max(axis=0) / LEVELS
        parts += [numpy.round(weights / step).astype("i1").tobytes(), real(step), real(bias.detach().numpy())]
    return b"".join(parts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("frames", nargs="+")
    parser.add_argument("--steps", type=int, default=1572)
    parser.add_argument("--seed", type=int, default=9)
    options = parser.parse_args()
    torch.set_num_threads(1)
    speech = Speech(options.frames)
    mean, scale = speech.scale(numpy.random.default_rng(9))
    is_of = lambda name, speakers: any(name.split(".", 2)[-1].startswith(speaker) for speaker in speakers)
    # The first utterance of a name is the reading without variations.
    first = {name: n for n, name in reversed(list(enumerate(speech.names))) if name.startswith("read")}
    held = {kind: sorted(n for name, n in first.items() if is_of(name, speakers)) for kind, speakers in HELD_OUT.items()}
    held = {kind: numbers[:: len(numbers) // MAX_HELD_OUT + 1] for kind, numbers in held.items()}
    left_out = sum(HELD_OUT.values(), [])
    numbers = numpy.array([n for n, name in enumerate(speech.names) if not is_of(name, left_out)])
    hours = (speech.ends - speech.starts)[numbers].sum() / 360_000
    print(f"{len(numbers)} utterances, {hours:.1f} hours", flush=True)
    started = time.process_time()

    def report(network, step, loss):
        print(f"{step}: loss {loss:.3f}, {time.process_time() - started:.0f} s", flush=True)
        for kind, utterances in held.items():
            counts = confusion(network, speech, utterances)
            by_class = 100 * numpy.diag(counts) / numpy.maximum(counts.sum(axis=1), 1)
            share = 100 * numpy.trace(counts) / max(counts.sum(), 1)
            print(f"  {kind}: {share:.1f} % of {counts.sum()} ({' '.join(f'{one:.0f}' for one in by_class)})", flush=True)

    network = fit(speech, numbers, options.steps, options.seed, report)
    quantize(network)
    report(network, options.steps, 0)
    with open(options.out, "wb") as file:
        file.write(packed(network, mean, scale))


if __name__ == "__main__":
    main()
