// A character in a scene, independent of the avatar type.

/** Checks a gaze target. */
const isTarget = it => it?.isObject3D || Array.isArray(it) || ArrayBuffer.isView(it) || [it?.x, it?.y, it?.z].every(Number.isFinite);

function checked(target, what) {
  if (target === null || isTarget(target)) return target;
  throw new TypeError(`${what}: expected an Object3D, a position in the scene or null`);
}

/** A running character in a scene. */
export class Life {
  #body;
  #time = 0;
  #looked = null;
  #attended = null;

  constructor(performer, body) {
    this.performer = performer;
    this.#body = body;
  }

  lookAt(target) {
    this.#looked = checked(target, 'lookAt');
    if (target === null) this.performer.lookFreely();
  }

  attend(target) {
    this.#attended = checked(target, 'attend');
  }

  intend(intent) {
    const number = this.performer.intend(intent);
    if (typeof intent === 'object' && 'look' in intent) this.#looked = null;
    return number;
  }

  say(text, line) {
    return this.performer.say(text, line);
  }

  temper(temperament) {
    this.performer.temper(temperament);
  }

  update(delta) {
    if (!Number.isFinite(delta)) throw new TypeError(`update: expected the seconds since the last frame, not ${delta}`);
    const { performer } = this, { frame } = performer;
    const attended = this.#attended && this.#body.find(this.#attended, frame);
    if (attended) performer.attend(attended);
    const looked = this.#looked && this.#body.find(this.#looked, frame);
    if (looked) performer.follow(looked);
    this.#time += Math.max(0, delta);
    this.#body.show(performer.advanceTo(this.#time), delta);
  }

  dispose() {
    this.performer.free();
    this.#body?.dispose();
    this.#body = undefined;
  }
}

if (Symbol.dispose) Life.prototype[Symbol.dispose] = Life.prototype.dispose;
