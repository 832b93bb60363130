// Blinks and gaze of other programs, written from the parameters that they publish. docs/science/comparison.md lists the
// sources. None of their code is included.

/** Returns a random number generator (Mulberry32). The same seed gives the same numbers. */
export function dice(seed) {
  let state = seed >>> 0;
  return () => {
    state = state + 0x6d2b79f5 >>> 0;
    let mixed = Math.imul(state ^ state >>> 15, state | 1);
    mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  };
}

const between = (chance, low, high) => low + (high - low) * chance();

function normal(chance) {
  return Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance());
}

/** Lids that close, stay closed and open at constant speed. `next` returns the time until the next blink; `again` is the probability of a second blink after 0.05 s. */
const even = ({ down, shut, up, next, again = 0 }) => ({
  secs: down + shut + up,
  closed: t => t < down ? t / down : t < down + shut ? 1 : Math.max(0, 1 - (t - down - shut) / up),
  next: chance => chance() < again ? 0.05 : next(chance),
});

/** Lids that move along straight lines between points of time and closure. */
const along = (points, next) => ({
  secs: points.at(-1)[0],
  closed(t) {
    const i = points.findIndex(([time]) => time > t);
    if (i <= 0) return 0;
    const [[from, low], [to, high]] = [points[i - 1], points[i]];
    return low + (high - low) * (t - from) / (to - from);
  },
  next,
});

/** Lids that close and open along half a sine wave. */
const wave = (secs, next) => ({ secs, closed: t => t < secs ? Math.sin(Math.PI * t / secs) : 0, next });

/** Returns the closure of the lids as a function of time. It must be called with ascending times. */
function blinking({ secs, closed, next }, chance) {
  let begin = next(chance);
  return t => {
    while (t >= begin + secs) begin += secs + next(chance);
    return t < begin ? 0 : closed(t - begin);
  };
}

/** Percentages of gaze directions (Lee et al. 2002): the first one is right, and each next one is 45° further counter-clockwise. */
const DIRECTIONS = [15.54, 6.46, 17.69, 7.44, 16.80, 7.89, 20.38, 7.79];

function direction(chance) {
  let left = 100 * chance();
  const i = DIRECTIONS.findIndex(share => (left -= share) < 0);
  return (i < 0 ? 0 : i) * Math.PI / 4;
}

/** Eyes Alive as in SmartBody: dwell times in frames at 30 Hz, and a velocity profile along a quarter of a circle. */
function eyesAlive({ limit, mutual, dwell, away }) {
  return chance => {
    const interval = () => {
      const [mean, variance] = chance() * 100 <= mutual ? dwell : away;
      let secs = -1;
      while (secs < 0.001) secs = mean / 30 + normal(chance) * Math.sqrt(variance / 30);
      return secs;
    };
    let from = [0, 0], to = [0, 0], at = interval(), secs = 0;
    const aim = () => {
      const angle = direction(chance), turns = Math.round(angle / (Math.PI / 4)) % 4;
      const most = limit * (turns === 2 ? 0.5 : turns % 2 ? 0.75 : 1);
      const size = Math.min(most, -6.9 * Math.log(Math.max(chance(), 1e-9) * 15 / 15.7));
      from = to;
      to = [-size * Math.cos(angle), size * Math.sin(angle)];
      secs = 0.025 + 0.0024 * Math.hypot(to[0] - from[0], to[1] - from[1]);
    };
    aim();
    return t => {
      while (t > at + secs) {
        const end = at + secs;
        aim();
        at = end + interval();
      }
      const part = Math.min(1, Math.max(0, (t - at) / secs)), done = Math.sqrt(1 - (1 - part) ** 2);
      return t < at ? from : [0, 1].map(axis => from[axis] + done * (to[axis] - from[axis]));
    };
  };
}

/** Eyes that jump to random points of a screen. Fixation times follow a histogram: the lowest bin starts at `first`, and bins are `step` seconds wide. */
function setAtOnce(reach, shares, first, step) {
  const most = Math.atan(reach) * 180 / Math.PI;
  const interval = chance => {
    let left = chance();
    const i = shares.findIndex(share => (left -= share) < 0);
    return first + step * (i < 0 ? shares.length : i) + step * chance();
  };
  return chance => {
    let at = 0, place = [0, 0];
    return t => {
      while (t >= at) {
        place = [between(chance, -most, most), between(chance, -most, most)];
        at += interval(chance);
      }
      return place;
    };
  };
}

/** Blink and gaze schedules of other programs; `gaze` is omitted if a program does not move the eyes. */
export const PEERS = [
  { name: 'UniVRM', lids: even({ down: 0.1, shut: 0.06, up: 0.03, next: chance => 5 * chance() }) },
  { name: 'Live2D Cubism', lids: even({ down: 0.1, shut: 0.05, up: 0.15, next: chance => chance() * (2 * 4 - 1) }) },
  { name: 'VMagicMirror', lids: even({ down: 0.05, shut: 0.04, up: 0.1, again: 0.2, next: chance => between(chance, 3, 12) }) },
  { name: 'ASAP', lids: even({ down: 0.1, shut: 0.05, up: 0.1, next: chance => between(chance, 2, 8) }) },
  { name: 'airi', lids: wave(0.2, chance => between(chance, 1, 6)), gaze: setAtOnce(0.25, [0.075, 0.11, 0.125, 0.14, 0.125, 0.05, 0.04, 0.03, 0.02], 0.8, 0.4) },
  { name: 'three-vrm projects', lids: wave(0.1, chance => between(chance, 1, 4)) },
  ...[['listening', { limit: 10, mutual: 75, dwell: [237.5, 47.1], away: [13, 7.1] }], ['speaking', { limit: 12, mutual: 41, dwell: [93.9, 94.9], away: [27.8, 24] }]]
    .map(([state, gaze]) => ({ name: 'SmartBody', state, lids: along([[0, 0], [0.05, 1], [0.2, 0.33], [0.25, 0]], chance => between(chance, 4, 8)), gaze: eyesAlive(gaze) })),
  // A blink takes seven frames at 25 Hz, and the next blink starts 2.5 to 5 s after the start of the previous one.
  { name: 'Greta', lids: even({ down: 3 / 25, shut: 1 / 25, up: 3 / 25, next: chance => between(chance, 2.5, 5) - 7 / 25 }) },
];

/** Returns a frame in the format of VMC captures. */
export const frame = (time, closed, eyes) => ({
  time,
  rotations: eyes ? { leftEye: turn(eyes), rightEye: turn(eyes) } : {},
  expressions: { blinkLeft: closed, blinkRight: closed },
});

/** Returns the rotation for a yaw to the left and a pitch upwards, in degrees. */
function turn([yaw, pitch]) {
  const [y, x] = [yaw, -pitch].map(degrees => degrees * Math.PI / 360);
  return [Math.cos(y) * Math.sin(x), Math.sin(y) * Math.cos(x), -Math.sin(y) * Math.sin(x), Math.cos(y) * Math.cos(x)];
}

/** Yields the frames of a program. */
export function* frames({ lids, gaze }, seconds, rate, seed) {
  const chance = dice(seed), closed = blinking(lids, chance), eyes = gaze?.(dice(seed + 1));
  for (let i = 0; i < seconds * rate; i++) yield frame(i / rate, closed(i / rate), eyes?.(i / rate));
}
