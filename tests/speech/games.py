"""Reads the voices, texts and speakers of two games. Both are free, are in Debian, and have a voice file for each line of text.

*Flight of the Amazon Queen* has a table of files. Its dialogues (.DOG) are numbered lines; the numbers give the names of the
voice files (.SB, MP3). *Beneath a Steel Sky* stores text by section in a Huffman code (1952), and voices with 8 bits at
11,025 Hz; both use Rob Northen's compression. The Huffman tree is not in the game but in scummvm, the program that plays it,
which has one tree for each edition.
"""

import re
import struct

QUEEN, SKY = "usr/share/scummvm/flight-of-the-amazon-queen/queen.1c", "usr/share/scummvm/beneath-a-steel-sky"
MP3, EIGHT_BITS = ["-f", "mp3"], ["-f", "u8", "-ar", "11025", "-ac", "1"]


def queen(root):
    """Yields the speaker, the format and bytes of the voice, and the text of each line."""
    data = (root / QUEEN).read_bytes()
    files = {}
    for number in range(*struct.unpack_from(">H", data, 13)):
        name, _, start, size = struct.unpack_from(">12sBII", data, 15 + 21 * number)
        files[name.rstrip(b"\0").decode("latin1")] = data[start : start + size]
    for name, dialogue in files.items():
        if name.endswith(".DOG"):
            person = re.sub(r"\d*\.DOG", "", name).lower()
            for speaker, voice, text in lines(dialogue[20:]):
                if voice in files:
                    yield f"queen.{'joe' if speaker == 'J' else person}", MP3, files[voice], text


def lines(dialogue):
    """Yields the speaker, the voice file and the text of each part of a line. Stage directions divide a line into parts."""
    levels, _, key, joe_count, person_count = struct.unpack_from(">5h", dialogue)
    (person_start,) = struct.unpack_from(">H", dialogue, 22)
    for speaker, at, count in (("J", 32 + 96 * abs(levels), joe_count), ("P", person_start, person_count)):
        for index in range(count):
            (number,), length = struct.unpack_from(">h", dialogue, at + 2), dialogue[at + 4]
            text = dialogue[at + 5 : at + 5 + length].decode("latin1")
            at = at + 5 if not length else (at + 5 + length + 3) // 4 * 4
            line = "SSSS" if speaker == "J" and index == 0 else f"{number & 0xFFFF:04X}"
            for part, said in enumerate(re.split(r"\*(?:XY\d\d\(\d+,\d+\)|..)", text), 1):
                yield speaker, f"{key:02}{line}{speaker}{part:X}.SB", said


def sky(root):
    """Yields the section, the format and bytes of the voice, and the text of each line. The speaker is not known."""
    table, disk = ((root / SKY / name).read_bytes() for name in ("sky.dnr", "sky.dsk"))
    files = {}
    for number in range(*struct.unpack_from("<I", table)):
        entry = table[4 + 8 * number : 12 + 8 * number]
        name, start, size = (int.from_bytes(part, "little") for part in (entry[:2], entry[2:5], entry[5:]))
        start = (start & 0x7FFFFF) << (4 if start >> 23 else 0)
        files.setdefault(name, (disk[start : start + (size & 0x3FFFFF)], size >> 22))
    sections = [unpack(*files[60_600 + section]) for section in range(8)]
    # Number of the first voice of each section.
    firsts = [50_000, 50_600, 51_100, 52_430, 53_380, 54_530, 55_080, 55_230, 56_000]
    tree = max(trees((root / "usr/games/scummvm").read_bytes()), key=lambda tree: readable(tree, sections[0]))
    for section, (first, end) in enumerate(zip(firsts, firsts[1:])):
        for voice in sorted(set(files) & set(range(first, end))):
            text = sky_text(tree, sections[section], voice - first)
            # Samples follow a header of 22 bytes.
            yield f"sky.{section}", EIGHT_BITS, unpack(*files[voice])[22:], text


def readable(tree, section):
    """Counts common English words in the first lines; only the right tree decodes them."""
    text = " ".join(sky_text(tree, section, line) for line in range(400)).lower()
    return sum(text.count(f" {word} ") for word in "the you to it with know my what very back exactly just quite".split())


def sky_text(tree, section, line):
    """Decodes a line. The section stores lengths, in pairs of bits, of blocks of 32 lines and of each line."""
    lengths_start, text_start = struct.unpack_from("<HH", section)
    pairs = sum(struct.unpack_from(f"<{line // 32}H", section, 4))
    for length in section[lengths_start + line // 32 * 32 :][: line % 32]:
        pairs += (length & 0x7F) << 3 if length & 0x80 else length
    bit, node, text = 8 * text_start + 2 * pairs, 0, ""
    while bit < 8 * len(section):
        left, right, _ = tree[node]
        node = right if section[bit // 8] >> (7 - bit % 8) & 1 else left
        bit += 1
        if tree[node][:2] == (0, 0):
            if not tree[node][2]:
                break
            text, node = text + chr(tree[node][2]), 0
    return text


def trees(program):
    """Finds possible trees: nodes of three bytes (left, right, letter), with the left child next to its parent."""
    for match in re.finditer(rb"\x01[^\0]\0\x02[^\0]\0", program):
        nodes = [tuple(program[at : at + 3]) for at in range(match.start(), match.start() + 768, 3)]
        if (size := tree_end(nodes, 0)) and size > 100:
            yield nodes[:size]


def tree_end(nodes, at):
    """Returns the index of the node after a tree, or None if the nodes are not a tree."""
    if at is None or at >= len(nodes) or len(nodes[at]) < 3:
        return None
    left, right, letter = nodes[at]
    if (left, right) == (0, 0):
        return at + 1
    if letter or left != at + 1 or right <= left or tree_end(nodes, left) != right:
        return None
    return tree_end(nodes, right)


class Bits:
    """Reads bits, lowest first, from 16-bit words that are mixed with whole bytes."""

    def __init__(self, data, at):
        self.data, self.at, self.word, self.count = data, at, 0, 0

    def peek(self, count):
        while self.count < count:
            self.word |= int.from_bytes(self.data[self.at : self.at + 2], "little") << self.count
            self.at, self.count = self.at + 2, self.count + 16
        return self.word & ((1 << count) - 1)

    def take(self, count):
        value = self.peek(count)
        self.word, self.count = self.word >> count, self.count - count
        return value

    def take_bytes(self, count):
        """Returns the next bytes after the words whose bits were taken."""
        self.at -= self.count // 16 * 2
        self.count %= 16
        self.word &= (1 << self.count) - 1
        self.at += count
        return self.data[self.at - count : self.at]


def unpack(data, flags):
    """Returns a decompressed file of the game, with its header unless the flags exclude it."""
    if flags & 2 or not data[0] & 0x80:
        return data
    return (b"" if flags & 1 else data[:22]) + unpack_northen(data[22:])


def unpack_northen(data):
    """Decompresses method 1 of Rob Northen's compression: literal bytes, and copies of earlier output."""
    bits, out = Bits(data, 18), bytearray()
    bits.take(2)
    for _ in range(data[17]):
        literals, distances, lengths = codes(bits), codes(bits), codes(bits)
        count = bits.take(16)
        for step in range(count):
            out += bits.take_bytes(number(bits, literals))
            if step + 1 < count:
                distance, length = number(bits, distances) + 1, number(bits, lengths) + 2
                for _ in range(length):
                    out.append(out[-distance])
    return bytes(out)


def codes(bits):
    """Returns the bit count of numbers by the length and value of their code."""
    lengths, found, code = [bits.take(4) for _ in range(bits.take(5))], {}, 0
    for length in range(1, 17):
        for number_bits, own in enumerate(lengths):
            if own == length:
                found[length, int(f"{code >> (16 - length):0{length}b}"[::-1], 2)] = number_bits
                code += 1 << (16 - length)
    return found


def number(bits, known):
    length = next(length for length in range(1, 17) if (length, bits.peek(length)) in known)
    size = known[length, bits.take(length)]
    return size if size < 2 else bits.take(size - 1) | 1 << (size - 1)
