// Unpacks LZMA: the engine is a fifth smaller than with gzip, and any static server works.
// Format: https://www.7-zip.org/sdk.html, `lzma-specification.txt`.

/** Initial probability of a bit, of 2048. */
const EVEN = 1024;
/** Range below which the decoder reads another byte. */
const TOP = 2 ** 24;
const POSITION_BITS = 4;
const STATES = 12;

/** Returns true for packed bytes. A plain module starts with a zero. */
export const isPacked = bytes => bytes.length > 18 && bytes[0] === 4 && bytes[13] === 0;

/** Unpacks a file. Its header has the properties, the dictionary size and the unpacked size. */
export function unpack(packed) {
  const [properties] = packed;
  const lc = properties % 9, lp = Math.floor(properties / 9) % 5, pb = Math.floor(properties / 45);
  const size = new DataView(packed.buffer, packed.byteOffset).getUint32(5, true);
  const out = new Uint8Array(size);
  const fresh = count => new Uint16Array(count).fill(EVEN);

  let at = 14, range = 0xffffffff, code = 0;
  for (let n = 0; n < 4; n++) code = (code << 8 | packed[at++]) >>> 0;

  function bit(of, n) {
    const p = of[n], bound = (range >>> 11) * p;
    let found;
    if (code < bound) {
      range = bound;
      of[n] = p + (2048 - p >> 5);
      found = 0;
    } else {
      range = range - bound >>> 0;
      code = code - bound >>> 0;
      of[n] = p - (p >> 5);
      found = 1;
    }
    if (range < TOP) {
      range = range << 8 >>> 0;
      code = (code << 8 | packed[at++]) >>> 0;
    }
    return found;
  }

  function direct(count) {
    let found = 0;
    for (; count > 0; count--) {
      range >>>= 1;
      const one = code >= range ? 1 : 0;
      if (one) code = code - range >>> 0;
      if (range < TOP) {
        range = range << 8 >>> 0;
        code = (code << 8 | packed[at++]) >>> 0;
      }
      found = found << 1 | one;
    }
    return found >>> 0;
  }

  function tree(of, base, bits) {
    let node = 1;
    for (let n = 0; n < bits; n++) node = node << 1 | bit(of, base + node);
    return node - (1 << bits);
  }

  function reverse(of, base, bits) {
    let node = 1, found = 0;
    for (let n = 0; n < bits; n++) {
      const one = bit(of, base + node);
      node = node << 1 | one;
      found |= one << n;
    }
    return found;
  }

  const lengths = () => ({ choice: fresh(2), low: fresh(16 * 8), mid: fresh(16 * 8), high: fresh(256) });
  function length(of, position) {
    if (!bit(of.choice, 0)) return tree(of.low, position << 3, 3);
    if (!bit(of.choice, 1)) return 8 + tree(of.mid, position << 3, 3);
    return 16 + tree(of.high, 0, 8);
  }

  const literals = fresh(0x300 << lc + lp), matches = fresh(STATES << POSITION_BITS), long = fresh(STATES << POSITION_BITS);
  const repeats = [fresh(STATES), fresh(STATES), fresh(STATES), fresh(STATES)];
  const slots = fresh(4 * 64), places = fresh(115), aligned = fresh(16);
  const matchLength = lengths(), repeatLength = lengths();
  let state = 0, rep0 = 0, rep1 = 0, rep2 = 0, rep3 = 0, to = 0;
  const lpMask = (1 << lp) - 1, pbMask = (1 << pb) - 1;

  while (to < size) {
    const position = to & pbMask;
    if (!bit(matches, (state << POSITION_BITS) + position)) {
      const before = to > 0 ? out[to - 1] : 0;
      const base = 0x300 * (((to & lpMask) << lc) + (before >> 8 - lc));
      let node = 1;
      if (state >= 7) {
        let match = out[to - rep0 - 1];
        do {
          const matched = match >> 7 & 1;
          match <<= 1;
          const found = bit(literals, base + (1 + matched << 8) + node);
          node = node << 1 | found;
          if (found !== matched) break;
        } while (node < 0x100);
      }
      while (node < 0x100) node = node << 1 | bit(literals, base + node);
      out[to++] = node;
      state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
      continue;
    }
    let count;
    if (bit(repeats[0], state)) {
      if (!bit(repeats[1], state)) {
        if (!bit(long, (state << POSITION_BITS) + position)) {
          state = state < 7 ? 9 : 11;
          out[to] = out[to - rep0 - 1];
          to++;
          continue;
        }
      } else {
        let distance;
        if (!bit(repeats[2], state)) distance = rep1;
        else {
          if (!bit(repeats[3], state)) distance = rep2;
          else { distance = rep3; rep3 = rep2; }
          rep2 = rep1;
        }
        rep1 = rep0;
        rep0 = distance;
      }
      count = length(repeatLength, position);
      state = state < 7 ? 8 : 11;
    } else {
      rep3 = rep2; rep2 = rep1; rep1 = rep0;
      count = length(matchLength, position);
      state = state < 7 ? 7 : 10;
      const slot = tree(slots, Math.min(count, 3) << 6, 6);
      if (slot < 4) rep0 = slot;
      else {
        const bits = (slot >> 1) - 1;
        rep0 = (2 | slot & 1) << bits >>> 0;
        if (slot < 14) rep0 += reverse(places, rep0 - slot, bits);
        else rep0 = rep0 + (direct(bits - 4) << 4 >>> 0) + reverse(aligned, 0, 4) >>> 0;
      }
    }
    count += 2;
    for (let from = to - rep0 - 1, end = Math.min(to + count, size); to < end;) out[to++] = out[from++];
  }
  return out;
}
