// A minute of a performer's life as numbers, by the package: what `crates/vivant-host/examples/minute.rs` prints of the
// engine itself. It runs in Node and in a page.

const SECONDS = 60;
/** Times a second at which frames of 24, 60 and 144 a second coincide. */
const COMMON_HZ = 12;
const BASIS = 0x811c9dc5;

const hex = hash => (hash >>> 0).toString(16).padStart(8, '0');

/** FNV-1a over words of 32 bits. */
function taken(hash, numbers) {
  const words = new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length);
  for (const word of words) hash = Math.imul(hash ^ word, 0x01000193);
  return hash;
}

/** Lets a performer live for a minute, told what the script says; gives a hash a second, and microseconds a frame. */
export function minute(performer, script, rate) {
  const lines = script.split('\n').filter(line => line.trim());
  const told = lines.map(line => ({ at: Number(line.slice(0, line.indexOf(' '))), json: line.slice(line.indexOf(' ') + 1) }));
  const seconds = [];
  let common = BASIS, busy = 0;
  for (let second = 0; second < SECONDS; second++) {
    for (const { at, json } of told) if (at === second) performer.intend(json);
    let hash = BASIS;
    for (let n = second * rate + 1; n <= (second + 1) * rate; n++) {
      const begin = performance.now();
      const frame = performer.advanceTo(n / rate);
      busy += performance.now() - begin;
      const parts = [frame.rotations, frame.root, frame.weights];
      hash = parts.reduce(taken, hash);
      if (n * COMMON_HZ % rate === 0) common = parts.reduce(taken, common);
    }
    seconds.push(hex(hash));
  }
  return { rate, seconds, common: hex(common), micros: busy * 1e3 / (SECONDS * rate) };
}
