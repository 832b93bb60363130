// Contact sheets of the built-in character as data: images, views and poses.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fresh, vivant } from './vivant.mjs';

const BODY = { at: [0, 0.9, 0], height: 2.0 };
const FACE = { at: [0, 1.59, 0.02], height: 0.4 };
const EYES = { at: [0, 1.585, 0.06], height: 0.1 };
const MOUTH = { at: [0, 1.53, 0.05], height: 0.13 };

const VISEMES = ['sil', 'PP', 'FF', 'TH', 'DD', 'kk', 'CH', 'SS', 'nn', 'RR', 'aa', 'E', 'ih', 'oh', 'ou'];
const MOODS = ['neutral', 'happy', 'angry', 'sad', 'relaxed', 'surprised'];
const APERTURES = [1, 0.75, 0.5, 0.25, 0];
/** Gaze directions in degrees to the left and up, within the range of the eyes alone. */
const GAZES = [['left', 30, 0], ['up left', 21, 13], ['up', 0, 18], ['up right', -21, 13], ['right', -30, 0],
  ['down right', -21, -13], ['down', 0, -18], ['down left', 21, -13]];
/** Gestures shown frame by frame, if the repertoire has them. */
const GESTURES = ['wave', 'shrug', 'offer', 'count', 'point', 'think', 'refuse', 'beat'];
const FRAMES = 12;

/** Writes the avatar of a seed; `look` are further options. */
export function avatarFile(seed, ...look) {
  const path = fresh('vrm');
  vivant('mannequin', '-o', path, '--seed', String(seed), ...look);
  return path;
}

/** Writes the built-in character as a folder with its repertoire and one file per clip. */
export function characterFolder() {
  const folder = fresh('character');
  vivant('mannequin', '--character', folder);
  const repertoire = JSON.parse(readFileSync(join(folder, 'repertoire.json'), 'utf8'));
  const clip = action => join(folder, action.clip);
  return { repertoire, clip };
}

/** Durations of the built-in clips in seconds, by name. */
const lengths = () => Object.fromEntries(vivant('inspect', 'builtin').clips.map(({ name, seconds }) => [name, seconds]));

const clipName = path => path.split('/').pop().replace('.vrma', '');

/** The first stance of each layer, in which a performance starts. */
function baseStances({ repertoire }) {
  const layers = stance => (stance.layers ?? ['body', 'arms', 'head']).join();
  const first = new Map();
  for (const stance of repertoire.stances) if (!first.has(layers(stance))) first.set(layers(stance), stance);
  return [...first.values()].filter(stance => stance.clip);
}

/** Stances below a gesture: those in which a performance starts, and the gesture's own. */
export function beneath(character, share, stance) {
  const base = baseStances(character).filter(other => (other.layers ?? []).join() !== (stance?.layers ?? []).join());
  return [...base, stance].filter(one => one?.clip).map(one => ({ url: share(character.clip(one)), time: 0 }));
}

/**
 * All sheets by name, for avatars at these URLs (the first is that of the front page).
 * `share(file)` returns the URL of a file.
 */
export function sheets(avatars, character, share) {
  const [avatar] = avatars;
  const standing = beneath(character, share);
  const face = (expressions, view = FACE) => ({ cast: [{ avatar, expressions, motions: standing }], view });
  return {
    turnaround: turnaround(avatar, standing),
    portrait: portraits(avatar, standing),
    eyes: eyes(avatar),
    visemes: sheet(5, 180, 120, VISEMES.map(name => ({ label: name, ...face({ [`viseme_${name}`]: 1 }, MOUTH) }))),
    moods: sheet(3, 260, 300, MOODS.map(name => ({ label: name, ...face({ [name]: 1 }) }))),
    arkit: sheet(9, 116, 132, arkit().map(name => ({ label: name, ...face({ [name]: 1 }) }))),
    stances: stances(avatar, character, share),
    gestures: gestures(avatar, character, share),
    crowd: crowd(avatars, character, share, standing),
  };
}

const sheet = (columns, width, height, cells) => ({ columns, width, height, cells });

const arkit = () => vivant('inspect', 'builtin').expressions
  .filter(name => /^(brow|cheek|eye|jaw|mouth|nose|tongue|pupil)/.test(name));

function turnaround(avatar, motions) {
  const sides = [['front', 0], ['three-quarter', 35], ['profile', 90], ['back', 180]];
  const cells = [false, true].flatMap(dark => sides.map(([label, yaw]) =>
    ({ label: dark ? '' : label, dark, cast: [{ avatar, motions }], view: { ...BODY, yaw } })));
  return sheet(4, 240, 420, cells);
}

function portraits(avatar, motions) {
  const sides = [['front', 0], ['three-quarter', 35], ['profile', 90]];
  const cells = [false, true].flatMap(dark => sides.map(([label, yaw]) =>
    ({ label: dark ? '' : label, dark, cast: [{ avatar, motions }], view: { ...FACE, yaw } })));
  return sheet(3, 256, 280, cells);
}

/** Lid following: 0.75° per degree of gaze, of 43.75° (`vivant::eyes`). */
function lidsAt(up) {
  const aperture = 1 + 0.75 * up / 43.75, [blink, wide] = [1 - aperture, aperture - 1].map(weight => Math.max(0, weight));
  return { blink, eyeWideLeft: wide, eyeWideRight: wide };
}

function eyes(avatar) {
  const lids = APERTURES.map(aperture =>
    ({ label: `aperture ${aperture}`, cast: [{ avatar, expressions: { blink: 1 - aperture } }], view: EYES }));
  const gazes = GAZES.map(([label, left, up]) =>
    ({ label, cast: [{ avatar, gaze: [left, up], expressions: lidsAt(up) }], view: EYES }));
  const pupils = ['pupilConstrict', 'pupilDilate'].map(name =>
    ({ label: name, cast: [{ avatar, expressions: { [name]: 1 } }], view: EYES }));
  return sheet(3, 250, 108, [...lids, ...gazes, ...pupils]);
}

function stances(avatar, character, share) {
  // The stances in which a performance starts look alike, so they share the first image. Head stances are
  // hardly visible at this distance.
  const [first, ...others] = baseStances(character);
  const isSeen = stance => stance.clip && (stance.layers ?? []).join() !== 'head' && !others.includes(stance);
  const shown = character.repertoire.stances.filter(isSeen);
  const cells = shown.map(stance => ({
    label: stance === first ? [first, ...others].map(({ name }) => name).join(' · ') : stance.name,
    cast: [{ avatar, motions: beneath(character, share, stance) }],
    view: { ...BODY, yaw: 20 },
  }));
  return sheet(5, 180, 300, cells);
}

/** Five gestures, of different kinds if possible. */
function chosenGestures({ repertoire }) {
  const all = repertoire.stances.flatMap(stance => (stance.gestures ?? []).map(gesture => ({ stance, gesture })));
  const preferred = GESTURES.map(word => all.find(({ gesture }) => clipName(gesture.clip).includes(word)));
  return [...new Set([...preferred.filter(Boolean), ...all])].slice(0, 5);
}

function gestures(avatar, character, share) {
  const seconds = lengths();
  const cells = chosenGestures(character).flatMap(({ stance, gesture }) => {
    const name = clipName(gesture.clip), url = share(character.clip(gesture));
    return Array.from({ length: FRAMES }, (_, i) => {
      const time = seconds[name] * i / (FRAMES - 1);
      const motions = [...beneath(character, share, stance), { url, time }];
      return { label: i ? `${time.toFixed(1)} s` : name, cast: [{ avatar, motions }], view: { at: [0, 1.15, 0], height: 1.5, yaw: 15 } };
    });
  });
  return sheet(FRAMES, 96, 120, cells);
}

/** All avatars in a row, each in a different stance. */
function crowd(avatars, character, share, standing) {
  const stances = character.repertoire.stances.filter(stance => stance.clip && (stance.layers ?? []).includes('arms'));
  const cast = avatars.map((avatar, i) => ({
    avatar, at: [(i - (avatars.length - 1) / 2) * 0.72, 0, 0], turn: (i * 17) % 30 - 15,
    motions: stances.length ? beneath(character, share, stances[i % stances.length]) : standing,
  }));
  const cell = dark => ({ label: '', dark, cast, view: { at: [0, 0.88, 0], height: 2.15 } });
  return sheet(1, 920, 330, [cell(false), cell(true)]);
}

