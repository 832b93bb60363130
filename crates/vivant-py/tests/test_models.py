"""Models of blinks, eyes and behaviour: the same files as the command, and samples from them."""

import json

import numpy as np
import pytest
from conftest import write_recording

import vivant
from vivant import trace


def test_a_blink_model_is_the_commands(recording, blink_model, command, tmp_path):
    out = tmp_path / "blinks.model.json"
    report = command.json("learn", "blinks", recording, "-o", out, "--json")
    blink_model.save(tmp_path / "mine.json")
    assert (tmp_path / "mine.json").read_bytes() == out.read_bytes()
    mine = blink_model.report
    assert {name: value for name, value in mine.items() if name != "notes"} == {
        name: value for name, value in report.items() if name not in ("written", "warnings")
    }
    each = vivant.learn_blinks([recording], eyes="each", variance=0.9, closure="natural", partial=True)
    command("learn", "blinks", recording, "--eyes", "each", "--variance", 0.9, "--closure", "natural", "--partial", "-o", out)
    assert each.to_json() == out.read_text()


def test_components_form_the_model(blink_model):
    count, samples = blink_model.components.shape
    assert (count, samples) == (5, len(blink_model.mean)) and blink_model.blinks > 20
    assert np.all(np.diff(blink_model.shares) <= 0) and 0.9 < blink_model.shares.sum() <= 1 + 1e-9
    assert len(blink_model.deviations) == count and np.all(blink_model.deviations > 0)
    assert samples == blink_model.closing[2] + blink_model.opening[2] - 1
    assert blink_model.closing[0] < blink_model.opening[0], "people close faster than they open"
    # Unit vectors of profile and durations.
    file = json.loads(blink_model.to_json())["components"]
    lengths = np.array([[component["closing"], component["opening"]] for component in file])
    gram = blink_model.components @ blink_model.components.T + lengths @ lengths.T
    np.testing.assert_allclose(gram, np.eye(count), atol=1e-6)


def test_new_blinks_are_those_of_traces(blink_model, tmp_path):
    time, openness = blink_model.sample(30, seed=9, rate=1000)
    assert openness.shape == (30, len(time)) and openness.min() >= 0 and openness.max() <= 1 + 1e-9
    blink = trace.blink(35, profile="pca", model=blink_model, seed=9)
    # A performer's lid returns to its start: both phases are stretched to end open.
    mine, is_closing = openness[0, : len(blink)], blink["t"] < blink.facts["closing_secs"]
    low, end = 1 - blink.facts["amplitude"], openness[0, -1]
    down, up = (mine[0] - mine) / (mine[0] - low), 1 - (mine - low) / (end - low)
    np.testing.assert_allclose(35 * (1 - low) * np.where(is_closing, down, up), -blink["lid_left"], atol=1e-9)
    assert np.all(openness[:, -1] > 0.9), "after its end a blink is open"
    assert np.ptp(openness.argmin(axis=1)) > 0, "the blinks differ"
    natural = blink_model.sample(30, seed=9, rate=1000, closure="natural")[1]
    assert natural.min(axis=1).mean() >= openness.min(axis=1).mean()
    blink_model.save(tmp_path / "model.json")
    again = vivant.BlinkModel.load(tmp_path / "model.json")
    np.testing.assert_array_equal(again.sample(3)[1], blink_model.sample(3)[1])
    assert again.report is None and again.origin == blink_model.origin
    assert vivant.BlinkModel.standard().sample(0)[1].shape == (0, 0)


def test_a_texture_is_the_commands(recording, command, tmp_path):
    out, mine = tmp_path / "eyes.texture", tmp_path / "mine.texture"
    other = write_recording(tmp_path / "calm.csv", 120.0, seed=5)
    command("learn", "eyes", "--corpus", f"talk={recording}", "--corpus", f"calm={other}", "-o", out)
    texture = vivant.learn_eyes({"talk": [recording], "calm": vivant.read_recording(other)})
    texture.save(mine)
    assert mine.read_bytes() == out.read_bytes()
    assert list(texture.corpora) == ["talk", "calm"] and texture.rate_hz == 120
    assert [used["corpus"] for used in texture.used] == ["talk", "calm"]
    words = ["--seconds", "20", "--seed", "3", "--look-ahead", "5..10", "--blink-at", "12.5", "--corpus", "calm:2"]
    theirs = command.json("trace", "eyes", "--texture", out, *words, "--json")
    trace = vivant.EyeTexture.load(out).synthesise(20, seed=3, look_ahead=(5, 10), blink_at=[12.5], corpora={"calm": 2})
    np.testing.assert_array_equal(trace.values, np.array(theirs["rows"]))
    assert trace.facts == {name: theirs[name] for name in trace.facts}
    onto = vivant.learn_eyes({"more": other}, onto=texture)
    assert list(onto.corpora) == ["talk", "calm", "more"]


def test_a_texture_is_someones_eyes(recording):
    texture = vivant.learn_eyes(recording, patch=0.5)
    trace = texture.synthesise(60, avoid=["left", "right"])
    assert trace["t"][-1] == 60 and texture.patch_secs == 0.5
    assert np.abs(trace["gaze_yaw"]).mean() < np.abs(texture.synthesise(60)["gaze_yaw"]).mean()
    eve = vivant.Performer(motions="none", eye_texture=texture)
    alone = vivant.Performer(motions="none")
    assert not np.array_equal(eve.perform(10)["signals"], alone.perform(10)["signals"])


def test_behaviour_is_the_commands(command, data, tmp_path):
    files, toml = [data / "elan" / "speach_fables.eaf"], tmp_path / "map.toml"
    toml.write_text('[[tier]]\npart = "right-arm"\nname = "*"\nkind = "gesture"\n')
    out = tmp_path / "behaviour.json"
    report = command.json("learn", "behaviour", *files, "--map", toml, "-o", out, "--json")
    learned = vivant.learn_behaviour(files, map=toml)
    assert learned.to_json() == out.read_text() and learned.tiers == report["tiers"]
    states, matrix = learned.matrix()
    assert states == report["counts"][0]["states"]
    np.testing.assert_array_equal(matrix, np.array(report["counts"][0]["matrix"]))
    np.testing.assert_allclose(matrix.sum(axis=1), 1)
    _, occurrences, transitions = learned.transitions("arms")
    assert transitions.sum() <= occurrences.sum() and occurrences.dtype == np.uint64
    learned.save(tmp_path / "mine.json")
    assert vivant.Behaviour.load(tmp_path / "mine.json").origin == learned.origin
    vivant.Performer(behaviour=learned).advance_to(5.0)


EAF = """<ANNOTATION_DOCUMENT><TIME_ORDER>{slots}</TIME_ORDER>
<TIER TIER_ID='right arm' LINGUISTIC_TYPE_REF='t'>{annotations}</TIER>
<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID='t'/></ANNOTATION_DOCUMENT>"""
ANNOTATION = """<ANNOTATION><ALIGNABLE_ANNOTATION ANNOTATION_ID='a{i}' TIME_SLOT_REF1='s{a}' TIME_SLOT_REF2='s{b}'>
<ANNOTATION_VALUE>{word}</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION>"""


def test_behaviour_is_counted(tmp_path):
    words = ["gesture", "gesture", "fidget", "gesture"]
    slots = "".join(f"<TIME_SLOT TIME_SLOT_ID='s{i}' TIME_VALUE='{900 * i}'/>" for i in range(8))
    all_of_it = [ANNOTATION.format(i=i, a=2 * i, b=2 * i + 1, word=word) for i, word in enumerate(words)]
    path = tmp_path / "talk.eaf"
    path.write_text(EAF.format(slots=slots, annotations="".join(all_of_it)))
    states, _, transitions = vivant.learn_behaviour(path).transitions()
    follows = {(a, b): int(transitions[i, j]) for i, a in enumerate(states) for j, b in enumerate(states)}
    assert follows["RG", "RG"] == 1 and follows["RG", "RF"] == 1 and follows["RF", "RG"] == 1
    assert sum(follows.values()) == 3


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda _, r: vivant.learn_blinks(r, components=17), "components: 17 is out of range; give 1 to 16"),
        (lambda _, r: vivant.learn_blinks(r, variance=2), "variance: give a share"),
        (lambda _, r: vivant.learn_blinks(r, closure="half"), "closure: unknown variant `half`"),
        (lambda tmp, _: vivant.learn_blinks(write_recording(tmp / "a.csv", 5)), "a model needs 4"),
        (lambda _, __: vivant.learn_blinks(3.5), "recordings: give results of read_recording"),
        (lambda tmp, _: vivant.BlinkModel.load(tmp / "none.json"), "none.json: no such file"),
        (lambda _, __: vivant.BlinkModel.standard().sample(10**9), "too many at once"),
        (lambda _, r: vivant.learn_eyes(r, patch=20), "patch: 20 is out of range; give 0.05 to 10 seconds"),
        (lambda tmp, r: vivant.EyeTexture.load(r), "talk.csv: "),
        (lambda _, r: vivant.learn_eyes(r).synthesise(5, corpora={"me": 1}), "not found; the texture has eyes"),
        (lambda _, r: vivant.learn_eyes(r).synthesise(5, avoid=["me"]), "give one of left, right, up, down"),
        (lambda tmp, r: vivant.learn_behaviour(r), "talk.csv: "),
        (lambda tmp, r: vivant.learn_behaviour(tmp / "none.eaf"), "none.eaf: no such file"),
    ],
)
def test_errors_have_clear_messages(make, words, tmp_path, recording):
    with pytest.raises(vivant.Error) as told:
        make(tmp_path, recording)
    assert words in str(told.value)
