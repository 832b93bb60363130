"""Synthesizes speech with known phonemes to train and test audio lip-sync: python3 speak.py FOLDER [UTTERANCES] [CMUDICT]

Random words are spoken by espeak-ng (many voices and languages, phones in IPA), flite (voices modelled on recorded people,
phones in ARPAbet) and festival (voices concatenated from recorded people, five languages). Each utterance becomes NAME.wav
and NAME.phones, whose lines are start and end in seconds and the phone; NAME starts with the voice. The voice slt of flite is
left out, because its speaker is in the test recordings. Needs the Debian packages espeak-ng, flite, festival and
festvox-{kallpc16k,kdlpc16k,czech-dita,czech-machac,czech-ph,czech-krb,italp16k,itapc16k,suopuhe-lj,suopuhe-mv,ru}; the
same seed gives the same files.
"""

import ctypes
import pathlib
import random
import subprocess
import sys
import wave

LANGUAGES = (
    "en-us en-us en-us en-us en-us en-gb en-gb en-gb-scotland en-gb-x-rp en-029 en-us "
    "de fr-fr es it pt pt-br nl sv pl fi cs hu tr ro da nb ca el ru hi"
).split()
VOICES = (
    "m1 m2 m3 m4 m5 m6 m7 m8 f1 f2 f3 f4 f5 Alex Alicia Andrea Andy Annie Denis Diogo Gene Hugo Jacky Lee Marco Mario "
    "Michael Mike Nguyen adam anika antonio aunty belinda benjamin boris caleb david ed edward grandma grandpa gustave "
    "iven john klatt klatt2 klatt3 klatt4 linda marcelo max michel miguel norbert pablo paul pedro quincy rob robert "
    "sandro shelby steph steph2 travis victor whisper zac"
).split()
FREQUENT = (
    "the a of and to in that it is was he for you with on they be at this have from or had by but some what there we can "
    "out other were all your when up use how said an each she which do their time if will way about many then them would "
    "like so these her see him could make our over did down only little new any work well may where must before through"
).split()
FESTIVAL = (
    "kal_diphone ked_diphone czech_dita czech_machac czech_ph czech_krb lp_diphone pc_diphone suo_fi_lj_diphone "
    "hy_fi_mv_diphone msu_ru_nsh_clunits"
).split()
# Prefixes of festival's phone names that differ from IPA.
IPA = [
    *(("s~", "ʃ"), ("z~", "ʒ"), ("c~", "tʃ"), ("r~", "ʒ"), ("n~", "ɲ"), ("t~", "c"), ("d~", "ɟ"), ("tS", "tʃ"), ("dZ", "dʒ")),
    *(("sch", "ʃ"), ("sh", "ʃ"), ("zh", "ʒ"), ("ch", "tʃ"), ("ts", "ts"), ("dz", "dz"), ("S", "ʃ"), ("Z", "ʒ"), ("E", "ɛ")),
    *(("O", "ɔ"), ("L", "ʎ"), ("J", "ɲ"), ("c", "ts"), ("h", "x"), ("{", "æ"), ("pau", ""), ("#", "")),
]
RATE, PITCH, RANGE = 1, 3, 4
PHONEME_EVENT = 7
SYNCHRONOUS, PHONEMES_IN_IPA, UTF8 = 2, 1 | 2, 1


class Name(ctypes.Union):
    _fields_ = [("number", ctypes.c_int), ("name", ctypes.c_char_p), ("string", ctypes.c_char * 8)]


class Event(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", Name),
    ]


CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(Event))


class Espeak:
    """Runs the library of espeak-ng, which reports phone times; its program does not."""

    def __init__(self):
        self.library = ctypes.CDLL("libespeak-ng.so.1")
        self.rate_hz = self.library.espeak_Initialize(SYNCHRONOUS, 0, None, PHONEMES_IN_IPA)
        self.callback = CALLBACK(self.take)
        self.library.espeak_SetSynthCallback(self.callback)

    def take(self, samples, count, events):
        if samples and count > 0:
            self.pcm.extend(ctypes.string_at(samples, count * 2))
        for event in iter_events(events):
            if event.type == PHONEME_EVENT:
                self.starts.append((event.sample, event.id.string.decode("utf8", "replace")))
        return 0

    def speak(self, voice, text, speed, pitch, spread):
        self.pcm, self.starts = bytearray(), []
        self.library.espeak_SetVoiceByName(voice.encode())
        for parameter, value in ((RATE, speed), (PITCH, pitch), (RANGE, spread)):
            self.library.espeak_SetParameter(parameter, value, 0)
        text = text.encode()
        self.library.espeak_Synth(text, len(text) + 1, 0, 0, 0, UTF8, None, None)
        self.library.espeak_Synchronize()
        ends = [start for start, _ in self.starts[1:]] + [len(self.pcm) // 2]
        return [(s / self.rate_hz, e / self.rate_hz, p) for (s, p), e in zip(self.starts, ends) if e > s]


def iter_events(events):
    index = 0
    while events[index].type != 0:
        yield events[index]
        index += 1


def sentence(chance, words):
    said = []
    count = chance.randint(5, 11)
    for index in range(count):
        said.append(chance.choice(words))
        if chance.random() < 0.45:
            said.append(chance.choice(FREQUENT))
        if chance.random() < 0.12 and index < count - 1:
            said[-1] += chance.choice(",;:.")
    return " ".join(said) + "."


def write(folder, name, phones):
    lines = [f"{start:.4f}\t{end:.4f}\t{phone}" for start, end, phone in phones]
    (folder / f"{name}.phones").write_text("\n".join(lines) + "\n", encoding="utf8")


def by_espeak(folder, index, chance, words, espeak):
    voice = f"{chance.choice(LANGUAGES)}+{chance.choice(VOICES)}"
    prosody = chance.randint(120, 230), chance.randint(20, 80), chance.randint(20, 80)
    phones = espeak.speak(voice, sentence(chance, words), *prosody)
    name = f"espeak-{voice}-{index:04}"
    with wave.open(str(folder / f"{name}.wav"), "wb") as file:
        file.setparams((1, 2, espeak.rate_hz, 0, "NONE", ""))
        file.writeframes(bytes(espeak.pcm))
    write(folder, name, phones)


def by_flite(folder, index, chance, words):
    voice = chance.choice(("kal16", "rms", "awb"))
    name = f"flite-{voice}-{index:04}"
    stretch = chance.choice((0.85, 1, 1, 1.15, 1.3))
    command = ["flite", "-voice", voice, "--setf", f"duration_stretch={stretch}", "-psdur", sentence(chance, words)]
    said = subprocess.run([*command, "-o", folder / f"{name}.wav"], capture_output=True, text=True, check=True).stdout
    ends = [(word.split(":")[0], float(word.split(":")[1])) for word in said.split()]
    starts = [0.0] + [end for _, end in ends]
    write(folder, name, [(start, end, phone) for start, (phone, end) in zip(starts, ends)])


def by_festival(folder, voice, indices, chance, words):
    """Synthesizes all utterances of a voice in one process, because a voice takes longer to load than to speak."""
    commands = [f"(voice_{voice})"]
    names = [f"{'flite' if voice in FESTIVAL[:2] else 'festival'}-{voice}-{index:04}" for index in indices]
    for name in names:
        commands += [
            f"(Parameter.set 'Duration_Stretch {chance.choice((0.85, 1, 1, 1.15, 1.3))})",
            f'(set! said (utt.synth (Utterance Text "{sentence(chance, words)}")))',
            f'(utt.save.segs said "{folder / name}.segs")',
            f"(utt.save.wave said \"{folder / name}.wav\" 'riff)",
        ]
    subprocess.run(["festival", "-b", "--pipe"], input="\n".join(commands), text=True, capture_output=True)
    for name in names:
        segments = folder / f"{name}.segs"
        if not segments.exists() or not (folder / f"{name}.wav").exists():
            continue
        rows = [line.split() for line in segments.read_text(errors="replace").splitlines() if line.count(" ") >= 2]
        ends = [(row[2] if len(row) > 2 else "", float(row[0])) for row in rows]
        starts = [0.0] + [end for _, end in ends]
        convert = (lambda phone: phone) if voice in FESTIVAL[:2] else to_ipa
        write(folder, name, [(start, end, convert(phone)) for start, (phone, end) in zip(starts, ends)])
        segments.unlink()


def to_ipa(phone):
    return next((ipa for name, ipa in IPA if phone.startswith(name)), phone)


def main():
    folder = pathlib.Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    dictionary = sys.argv[3] if len(sys.argv) > 3 else None
    folder.mkdir(parents=True, exist_ok=True)
    words = FREQUENT
    if dictionary:
        entries = (line.split()[0] for line in open(dictionary, encoding="utf8") if line.strip())
        words = [word for word in entries if word.isalpha()]
    chance, espeak = random.Random(9), Espeak()
    for index in range(count):
        if index % 4 == 1:
            by_flite(folder, index, chance, words)
        elif index % 4 != 3:
            by_espeak(folder, index, chance, words, espeak)
    for number, voice in enumerate(FESTIVAL):
        by_festival(folder, voice, range(3 + 4 * number, count, 4 * len(FESTIVAL)), chance, words)


if __name__ == "__main__":
    main()
