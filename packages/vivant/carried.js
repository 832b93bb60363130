// Bones whose nodes also need a translation: the hips, and bones with an unusual parent in the file, such as collar-bones
// below the neck.

/** A chain of bones from below `base` (or from the hips if there is no base) to `top`. */
export class Chain {
  #links = [];

  constructor(bones, top, base) {
    for (let bone = top ?? undefined; bone !== undefined && bone !== base; bone = bones[bone].parent ?? undefined) {
      const above = bones[bones[bone].parent]?.rest;
      this.#links.unshift({ bone, offset: above && bones[bone].rest.map((metres, axis) => metres - above[axis]) });
    }
  }

  /** Writes position and rotation of `top` relative to `base`; `step` and `local` are scratch values. */
  at({ root, rotations }, place, turn, step, local) {
    place.set(0, 0, 0);
    turn.set(0, 0, 0, 1);
    for (const { bone, offset } of this.#links) {
      place.add(step.fromArray(offset ?? root).applyQuaternion(turn));
      turn.multiply(local.fromArray(rotations, 4 * bone));
    }
  }
}

/** A node that is positioned explicitly, because its parent in the file is not the parent bone. */
export class Carried {
  #own;
  #carrier;
  #vectors;
  #turns;

  /** `rest` is the node's translation at rest, `before` the bone's rotation offset. */
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

  /** Writes the node's translation, and the rotation between `before` and `after`. */
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

/** Returns the nearest common ancestor of two bones; undefined if one is missing. */
function shared(bones, a, b) {
  const above = new Set();
  for (let bone = a; bone !== undefined; bone = bones[bone].parent ?? undefined) above.add(bone);
  let bone = b;
  while (bone !== undefined && !above.has(bone)) bone = bones[bone].parent ?? undefined;
  return bone;
}
