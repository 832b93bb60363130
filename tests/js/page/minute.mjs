// Hashes of one minute of a performance by the package; `crates/vivant-tools/src/bin/minute.rs` prints the same for the
// native engine. Runs in Node and in a page.

const SECONDS = 60;
/** Frames per second that rates of 24, 60 and 144 have in common. */
const COMMON_HZ = 12;
const BASIS = 0x811c9dc5;

const hex = hash => (hash >>> 0).toString(16).padStart(8, '0');

/** FNV-1a over 32-bit words. */
function taken(hash, numbers) {
  const words = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length);
  for (const word of words) hash = Math.imul(hash ^ word, 0x01000193);
  return hash;
}

/** Runs a performer for a minute with the script, and calls back for each frame with its number, from 1. */
function live(performer, script, rate, see) {
  const lines = script.split('\n').filter(line => line.trim());
  const told = lines.map(line => ({ at: Number(line.slice(0, line.indexOf(' '))), json: line.slice(line.indexOf(' ') + 1) }));
  for (let second = 0; second < SECONDS; second++) {
    for (const { at, json } of told) if (at === second) performer.intend(json);
    for (let n = second * rate + 1; n <= (second + 1) * rate; n++) see(n, performer.advanceTo(n / rate));
  }
}

/** Returns a hash for each second, and one of the frames that all rates have in common. */
export function minute(performer, script, rate) {
  const seconds = [];
  let common = BASIS, second = BASIS;
  live(performer, script, rate, (n, frame) => {
    const parts = [frame.rotations, frame.root, frame.weights];
    second = parts.reduce(taken, second);
    if (n * COMMON_HZ % rate === 0) common = parts.reduce(taken, common);
    if (n % rate !== 0) return;
    seconds.push(hex(second));
    second = BASIS;
  });
  return { rate, seconds, common: hex(common) };
}

/** Returns microseconds per frame for each second of a minute without intents. */
export function micros(performer, rate) {
  const seconds = [];
  let sum = 0, begin = performance.now();
  live(performer, '', rate, (n, frame) => {
    sum += frame.root[1];
    if (n % rate !== 0) return;
    seconds.push((performance.now() - begin) * 1e3 / rate);
    begin = performance.now();
  });
  if (!Number.isFinite(sum)) throw new Error('a frame has a non-finite value');
  return seconds;
}
