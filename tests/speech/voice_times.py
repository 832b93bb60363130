"""Measures errors of phone times of `vivant say --voice espeak-ng`: python3 voice_times.py VIVANT [SENTENCES] [CMUDICT]

The command runs the program of espeak-ng, which reports no times, and aligns phones with the audio. The library of espeak-ng
reports the start of each phone. This script synthesizes the same phrases with both, in several voices and at several speeds,
and compares the starts.
"""

import collections
import json
import random
import subprocess
import sys
import tempfile

from speak import FREQUENT, Espeak

VOICES = "en-us en-us+f3 en-us+Andy en-gb-scotland de fr es it pl nl fi".split()
LIPS = {"P", "B", "M"}


def phrase(chance, words):
    said = [chance.choice(words if chance.random() < 0.6 else FREQUENT) for _ in range(chance.randint(3, 9))]
    return " ".join(said) + "."


def by_library(espeak, voice, text, speed):
    espeak.speak(voice, text, speed, 50, 50)
    return [(sample / espeak.rate_hz, phone.strip("ˈˌ")) for sample, phone in espeak.starts]


def by_command(program, voice, text, rate):
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "say", text, "--voice", f"espeak-ng:{voice}", "--rate", str(rate), "-o", f"{folder}/a.wav", "--json"]
        said = subprocess.run(command, capture_output=True, text=True)
    return json.loads(said.stdout)["phones"] if said.returncode == 0 else None


def main():
    program = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 90
    words = FREQUENT
    if len(sys.argv) > 3:
        entries = (line.split()[0] for line in open(sys.argv[3], encoding="utf8") if line.strip())
        words = [word for word in entries if word.isalpha()]
    chance, espeak, errors_by_voice, lips, skipped = random.Random(4), Espeak(), collections.defaultdict(list), [], 0
    for index in range(count):
        voice, rate = VOICES[index % len(VOICES)], chance.choice((0.8, 1, 1.25))
        text = phrase(chance, words)
        truth = [(start, phone) for start, phone in by_library(espeak, voice, text, round(175 * rate)) if phone]
        found = by_command(program, voice, text, rate)
        *indices, end = phone_indices([phone for _, phone in truth])
        if not found or end != len(found):
            skipped += 1
            continue
        for (true, _), at in zip(truth, indices):
            error = abs(found[at]["start"] - true)
            errors_by_voice[voice].append(error)
            if found[at]["phone"] in LIPS:
                lips.append(error)
    print(f"{skipped} of {count} phrases are skipped: the library splits their phones differently")
    print(f"{'voice':<12} {'phones':>6} {'median':>8} {'90 %':>8} {'95 %':>8} {'within 40 ms':>13}")
    for voice, errors in [*errors_by_voice.items(), ("all", sum(errors_by_voice.values(), [])), ("p b m", lips)]:
        errors.sort()
        part = lambda share: f"{1000 * errors[int(share * (len(errors) - 1))]:.0f} ms"
        within = sum(error <= 0.04 for error in errors) / len(errors)
        print(f"{voice:<12} {len(errors):>6} {part(0.5):>8} {part(0.9):>8} {part(0.95):>8} {100 * within:>11.1f} %")


def phone_indices(phones):
    """Yields the index of the command's phone for each phone of the library, and the total number.

    An r-coloured vowel is one phone in the library and two in the command.
    """
    at = 0
    for phone in phones:
        yield at
        at += 2 if len(phone) > 1 and phone[-1] in "ɹɚɐ" and phone not in ("tɹ",) else 1
    yield at


if __name__ == "__main__":
    main()
