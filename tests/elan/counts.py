"""Reads an ELAN file with pympi-ling, counts transitions between its annotations, and prints both as JSON.

usage: python counts.py FILE.eaf

The Rust test `pympi` of vivant-learn runs this script on every file in VIVANT_DATA and compares. The script
does not use Vivant; it follows the rules in docs/guides/learn-behaviour.md.
"""

import json
import sys
import warnings

warnings.filterwarnings("ignore")
import pympi  # noqa: E402

OVERLAP = 0.5


def read(eaf):
    """Returns the annotations of each tier in file order; a time is None if pympi does not find it."""
    tiers = []
    for name, (aligned, references, _, _) in eaf.tiers.items():
        values = {key: a[2] for key, a in aligned.items()} | {key: r[1] for key, r in references.items()}
        try:
            data = eaf.get_annotation_data_for_tier(name)
        except (KeyError, IndexError):
            # pympi does not find the times of references to dependent tiers.
            data = [(None, None, value) for value in values.values()]
        if len(data) != len(values):
            sys.exit(f"{name}: pympi returns {len(data)} of {len(values)} annotations")
        annotations = [
            {"id": key, "start": row[0], "end": row[1], "value": values[key], "refers": key in references}
            for key, row in zip(values, data)
        ]
        tiers.append({"name": name, "annotations": annotations})
    return tiers


def kind(value):
    """Returns an arbitrary label that works for any file: it depends on the first letter."""
    letter = value.strip().lower()[:1]
    if "a" <= letter <= "h":
        return "G"
    if "i" <= letter <= "p":
        return "F"
    if "q" <= letter <= "z":
        return "T"
    return None


def actions(tier):
    found = [(a["start"], a["end"], kind(a["value"])) for a in tier["annotations"]]
    return sorted((min(s, e), max(s, e), k) for s, e, k in found if k)


def both_arms(left, right):
    """Joins actions of both arms with the same kind that overlap by half of the shorter one, largest overlap first."""
    pairs = []
    for i, (s, e, k) in enumerate(left):
        for j, (s2, e2, k2) in enumerate(right):
            shared = min(e, e2) - max(s, s2)
            if k == k2 and shared > 0 and shared >= OVERLAP * min(e - s, e2 - s2):
                pairs.append((-shared, i, j))
    used_left, used_right, joined = set(), set(), []
    for _, i, j in sorted(pairs):
        if i not in used_left and j not in used_right:
            used_left.add(i)
            used_right.add(j)
            (s, e, k), (s2, e2, _) = left[i], right[j]
            joined.append((min(s, s2), max(e, e2), "LR", k))
    joined += [(s, e, "L", k) for i, (s, e, k) in enumerate(left) if i not in used_left]
    joined += [(s, e, "R", k) for j, (s, e, k) in enumerate(right) if j not in used_right]
    hands, kinds = ["L", "R", "LR"], ["G", "F", "T"]
    return sorted(joined, key=lambda a: (a[0], a[1], hands.index(a[2]), kinds.index(a[3])))


def count(sequence):
    counts = {}
    for before, after in zip(sequence, sequence[1:]):
        key = f"{before[2]}{before[3]} {after[2]}{after[3]}"
        counts[key] = counts.get(key, 0) + 1
    return counts


def chains(tiers):
    """Yields the counts of each pair of tiers with known times: one is the left arm, the next one the right arm."""
    timed = [
        tier
        for tier in tiers
        if tier["annotations"] and not any(a["refers"] or a["start"] is None or a["end"] is None for a in tier["annotations"])
    ]
    for left, right in zip(timed, timed[1:] + timed[:1]):
        # A single tier is the left arm alone.
        both = both_arms(actions(left), actions(right) if right is not left else [])
        yield {"left": left["name"], "right": right["name"], "actions": len(both), "counts": count(both)}


def main():
    tiers = read(pympi.Elan.Eaf(sys.argv[1], suppress_version_warning=True))
    json.dump({"tiers": tiers, "chains": list(chains(tiers))}, sys.stdout)


main()
