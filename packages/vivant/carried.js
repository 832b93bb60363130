// Bones whose nodes have to be put in their places: the hips, and what hangs in a file otherwise than people's bones do,
// such as collar-bones on a neck.

/** Bones that follow each other, from below `base`, or from the hips if there is no base, up to `top`. */
export class Chain {
  #links = [];

  constructor(bones, top, base) {
    for (let bone = top ?? undefined; bone !== undefined && bone !== base; bone = bones[bone].parent ?? undefined) {
      const above = bones[bones[bone].parent]?.rest;
      this.#links.unshift({ bone, offset: above && bones[bone].rest.map((metres, axis) => metres - above[axis]) });
    }
  }

  /** Writes where the top is and how it is turned, seen from the base; `step` and `local` are written over. */
  at({ root, rotations }, place, turn, step, local) {
    place.set(0, 0, 0);
    turn.set(0, 0, 0, 1);
    for (const { bone, offset } of this.#links) {
      place.add(step.fromArray(offset ?? root).applyQuaternion(turn));
      turn.multiply(local.fromArray(rotations, 4 * bone));
    }
  }
}

/** A node that is put in its place, since the bone above its own does not carry it. */
export class Carried {
  #own;
  #carrier;
  #vectors;
  #turns;

  /** `rest` is the node's translation at rest, `before` as the bone has it. */
  constructor(bones, index, before, rest) {
    const { by, at, unit } = bones[index].carried, base = shared(bones, index, by ?? undefined);
    this.#own = new Chain(bones, index, base);
    this.#carrier = new Chain(bones, by, base);
    this.#vectors = [rest.clone(), rest.clone(), rest.clone()];
    this.#turns = [before.clone(), before.clone()];
    this.rest = rest.clone();
    this.before = before.clone();
    this.at = rest.clone().fromArray(at);
    this.unit = rest.clone().fromArray(unit);
  }

  /** Writes the node's translation, and the rotation that stands between `before` and `after`. */
  pose(frame, place, turn) {
    const [theirs, step, own] = this.#vectors, [theirTurn, local] = this.#turns;
    this.#carrier.at(frame, theirs, theirTurn, step, local);
    this.#own.at(frame, own, turn, step, local);
    theirTurn.conjugate();
    turn.premultiply(theirTurn);
    own.sub(theirs).applyQuaternion(theirTurn).sub(this.at).applyQuaternion(this.before).divide(this.unit);
    place.addVectors(this.rest, own);
  }
}

/** The nearest bone that is above two others; nothing if one of them is none. */
function shared(bones, a, b) {
  const above = new Set();
  for (let bone = a; bone !== undefined; bone = bones[bone].parent ?? undefined) above.add(bone);
  let bone = b;
  while (bone !== undefined && !above.has(bone)) bone = bones[bone].parent ?? undefined;
  return bone;
}
