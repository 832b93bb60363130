"""Fits the hearing's network: python3 fit.py OUT.rs FRAMES… [--steps N] [--seed N]

FRAMES are files that `fit-lip-sync` of `crates/vivant-tools` wrote of made speech and of readings. OUT.rs becomes
`crates/vivant/src/speech/audio/standard.bin`. Some of the speakers are left out and judged instead: what is chosen is to be
chosen by them. The recordings of `VIVANT_DATA` with which hearing is tried are not read at all;
`crates/vivant/tests/hearing.rs` tries them.

Cross entropy through time by Adam (Kingma and Ba 2015) with decay of the weights (Loshchilov and Hutter 2019), dropout
(Srivastava and others 2014), noise, and bands that are masked (Park and others 2019). Needs NumPy and PyTorch; on one
thread the same frames and seed give the same network, up to the order of sums in another version of PyTorch.
"""

import argparse
import time

import numpy
import torch
from torch import nn

# As in `audio.rs`, `ear.rs` and `network.rs`.
LATE, FEATURES, FRAMES, FIRST, MEMORY, VISEMES = 4, 27, 7, 96, 128, 15
CLASS = torch.tensor([0, 4, 5, 6, 6, 6, 7, 7, 6, 3, 1, 2, 2, 3, 3])
IN_CLASS = nn.functional.one_hot(CLASS, 8).float()
STRETCHES, LENGTH = 48, 200
# Steps in which the rate rises and falls, so that a fit can be ended at any time.
RISES, FALLS = 50, 250
RATE, DECAY, SMOOTHING, DROPPED, NOISE, MASKED = 3e-3, 1e-3, 0.05, 0.2, 0.2, 0.3
# Steps to the greatest weight of a unit: with 31 those who are held out are heard as well as with 127, and less is sent.
STEPS = 31
# How much of the loss asks for the very viseme; the rest asks for its class.
EXACT = 0.4
# Lips that are closed or at the teeth are seldom, but are seen.
LIPS_TIMES = 2.0
# How often a voice is taken, by how its name begins: real ones rather than made ones, and English, in which it is tried.
TIMES = {
    **{"read.arpabet.queen.joe": 0.6, "read.arpabet.queen": 1, "read.arpabet.sky": 1, "read.arpabet": 1.5},
    **{"read.ipa": 0.5, "flite": 0.5, "espeak-en": 0.5, "": 0.15},
}
# Who is judged, and so is not in the fit: readers, four people of a game, and two languages, also if they are made.
HELD = {
    "readers": ["fables", "sonnet", "cards"],
    "games": ["queen.tam", "queen.bud", "queen.naomi", "queen.faye"],
    "Dutch and Italian": ["dialogue.nl", "stamps.nl", "prompts.it", "espeak-nl", "espeak-it", "festival-lp_", "festival-pc_"],
}
# Of each of these, at most so many utterances are judged.
MOST_HELD = 100


class Speech:
    """Utterances: where each begins and ends, and the features and visemes of all frames."""

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
        # What is judged with a frame is what was late.
        self.wanted = numpy.full(len(rows), -1)
        for start, end in zip(self.starts, self.ends):
            self.wanted[start + LATE : end] = viseme[start : end - LATE]

    def scale(self, chance):
        some = self.features[chance.choice(len(self.features), 200_000)]
        mean, deviation = some.mean(axis=0), some.std(axis=0)
        self.features -= mean
        self.features /= deviation
        return mean, 1 / deviation


class Batches:
    """Stretches of utterances, one after the other: who listens for long hears many."""

    def __init__(self, speech, numbers, chance):
        self.speech, self.numbers, self.chance = speech, numbers, chance
        times = [next(times for begin, times in TIMES.items() if speech.names[n].startswith(begin)) for n in numbers]
        self.total = numpy.cumsum((speech.ends - speech.starts)[numbers] * times)

    def next(self):
        features = numpy.zeros((STRETCHES, LENGTH, FEATURES), "f4")
        wanted = numpy.full((STRETCHES, LENGTH), -1)
        for stretch in range(STRETCHES):
            # The first half of the time from its begin, or else from anywhere.
            at, inside = 0, self.chance.random() < 0.5
            while at < LENGTH:
                number = self.numbers[numpy.searchsorted(self.total, self.chance.random() * self.total[-1])]
                start, end = self.speech.starts[number], self.speech.ends[number]
                if inside:
                    start, inside = start + int(self.chance.random() * max(1, end - start - 100)), False
                end = min(end, start + LENGTH - at)
                features[stretch, at : at + end - start] = self.speech.features[start:end]
                wanted[stretch, at : at + end - start] = self.speech.wanted[start:end]
                at += end - start
            self.mask(features[stretch])
        features += NOISE * self.chance.standard_normal(features.shape, "f4")
        return torch.from_numpy(features), torch.from_numpy(wanted)

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
        """The logarithms of the probabilities."""
        before = features[:, :1].expand(-1, FRAMES - 1, -1)
        sound = torch.relu(self.first(torch.cat([before, features], 1).transpose(1, 2))).transpose(1, 2)
        memory, _ = self.memory(self.drop(sound))
        return torch.log_softmax(self.out(self.drop(memory)), -1)


def loss_of(found, wanted):
    """Asks for the viseme, but rather for its class than for the viseme itself."""
    found, wanted = found[wanted >= 0], wanted[wanted >= 0]
    exact = (1 - SMOOTHING) * found.gather(1, wanted[:, None])[:, 0] + SMOOTHING * found.mean(1)
    alike = (found.exp() @ IN_CLASS).clamp_min(1e-8).log().gather(1, CLASS[wanted][:, None])[:, 0]
    times = torch.where((CLASS[wanted] == 4) | (CLASS[wanted] == 5), LIPS_TIMES, 1.0)
    return -((EXACT * exact + (1 - EXACT) * alike) * times).sum() / times.sum()


def confusion(network, speech, numbers):
    """Frames by true class and class that was heard."""
    counts = numpy.zeros((8, 8), int)
    network.eval()
    with torch.no_grad():
        for start, end in zip(speech.starts[numbers], speech.ends[numbers]):
            found = network(torch.from_numpy(speech.features[start:end])[None])[0].exp() @ IN_CLASS
            wanted = speech.wanted[start:end]
            numpy.add.at(counts, (CLASS.numpy()[wanted[wanted >= 0]], found.argmax(1).numpy()[wanted >= 0]), 1)
    network.train()
    return counts


def fit(speech, numbers, steps, seed, tell):
    torch.manual_seed(seed)
    network, batches = Network(), Batches(speech, numbers, numpy.random.default_rng(seed))
    optimiser = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=DECAY)
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = RATE * min((step + 1) / RISES, 1, (steps - step) / FALLS)
        features, wanted = batches.next()
        loss = loss_of(network(features), wanted)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        if (step + 1) % 250 == 0:
            tell(network, step + 1, loss.item())
    return network


def layers(network):
    """Weights by input and unit, and bias of each layer."""
    first = network.first.weight.detach().flip(2).permute(2, 1, 0).reshape(-1, FIRST)
    memory = network.memory
    yield first, network.first.bias
    yield memory.weight_ih_l0.T, memory.bias_ih_l0
    yield memory.weight_hh_l0.T, memory.bias_hh_l0
    yield network.out.weight.T, network.out.bias


def rounded(network):
    """Lets all weights be whole numbers of steps, so many of which are a unit's greatest weight."""
    with torch.no_grad():
        for weights in (network.first.weight, network.memory.weight_ih_l0, network.memory.weight_hh_l0, network.out.weight):
            rows = weights.flatten(1)
            step = rows.abs().amax(1, keepdim=True) / STEPS
            rows.copy_((rows / step).round() * step)


def packed(network, mean, scale):
    """The engine's file: `weights.rs` beside it reads it."""
    real = lambda row: numpy.array([float(f"{float(x):.5g}") for x in row], "<f4").tobytes()
    parts = [b"VHW1", real(mean), real(scale)]
    for weights, bias in layers(network):
        weights = weights.detach().numpy()
        step = numpy.abs(weights).max(axis=0) / STEPS
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
    # What is read and was not varied is the first of its name.
    first = {name: n for n, name in reversed(list(enumerate(speech.names))) if name.startswith("read")}
    held = {kind: sorted(n for name, n in first.items() if is_of(name, speakers)) for kind, speakers in HELD.items()}
    held = {kind: numbers[:: len(numbers) // MOST_HELD + 1] for kind, numbers in held.items()}
    left_out = sum(HELD.values(), [])
    numbers = numpy.array([n for n, name in enumerate(speech.names) if not is_of(name, left_out)])
    hours = (speech.ends - speech.starts)[numbers].sum() / 360_000
    print(f"{len(numbers)} utterances, {hours:.1f} hours", flush=True)
    begin = time.process_time()

    def tell(network, step, loss):
        print(f"{step}: loss {loss:.3f}, {time.process_time() - begin:.0f} s", flush=True)
        for kind, those in held.items():
            counts = confusion(network, speech, those)
            by_class = 100 * numpy.diag(counts) / numpy.maximum(counts.sum(axis=1), 1)
            share = 100 * numpy.trace(counts) / max(counts.sum(), 1)
            print(f"  {kind}: {share:.1f} % of {counts.sum()} ({' '.join(f'{one:.0f}' for one in by_class)})", flush=True)

    network = fit(speech, numbers, options.steps, options.seed, tell)
    rounded(network)
    tell(network, options.steps, 0)
    with open(options.out, "wb") as file:
        file.write(packed(network, mean, scale))


if __name__ == "__main__":
    main()
