// Animates a TalkingHead: Vivant replaces its blinks, gaze and idle motion; its lip-sync, moods, gestures and voice stay.
//
// The hook is TalkingHead's own option `update`, which it calls at each frame after it has posed the bones and before it
// sets the morph targets. Morph targets are set through their `realtime` value, as in its face tracking.
import init, { Performer, prepare } from './vivant.js';
import { ModelBody, STANDING } from './body.js';
import { nodesByName } from './file.js';
import { Life } from './life.js';

/** Names of TalkingHead's looping idle animations. */
const LOOKING = ['head', 'eyes', 'blink'], IDLING = ['breathing', 'pose'];
const MOODS = { happy: 'happy', love: 'happy', angry: 'angry', sad: 'sad', fear: 'surprised' };
const FADE_SECS = 0.4;

const isOfEyes = name => /^(blink|look|eye(?!Squint))/.test(name);
const isOfArms = name => /Shoulder|Arm|Hand|Thumb|Index|Middle|Ring|Little/.test(name);

/** Animates a TalkingHead that shows an avatar. */
export async function vivant(head, { bytes, body: isWhole = true, mouth: hasMouth = false, motions = isWhole ? 'builtin' : 'none', ...options } = {}) {
  if (!head?.mtAvatar || !head.opt) throw new TypeError('expected a TalkingHead');
  if (!head.armature) throw new Error('the TalkingHead has no avatar yet; call `await head.showAvatar(…)` first');
  await init();
  if (motions === 'builtin') await prepare();
  const file = bytes ?? await download(head.avatar.url);
  const performer = new Performer(file, { motions: motions === 'none' ? STANDING : motions, ...options });
  const shown = new Set();
  const setterOf = (mesh, target) => setter(head, mesh, target, shown);
  const settings = { isWhole, isShown: hasMouth ? undefined : isOfEyes, setterOf };
  const tenanted = new ModelBody(head.armature, nodesByName(head.armature, file), performer.info, settings);
  return new Tenant(head, performer, tenanted, shown);
}

export default vivant;

async function download(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`cannot fetch ${url}: ${answer.status} ${answer.statusText}`);
  return answer.arrayBuffer();
}

/** Sets a morph target by name. A larger value set by the app, through an emoji or a mood, wins. */
function setter(head, { morphTargetDictionary: names = {} }, target, shown) {
  const name = Object.keys(names).find(key => names[key] === target);
  if (!(name in head.mtAvatar)) return undefined;
  shown.add(name);
  return [name, weight => set(head, name, weight)];
}

function set(head, name, weight) {
  const it = head.mtAvatar[name], asked = it.newvalue ?? 0;
  const held = /^eye(Blink|sClosed)/.test(name) ? it.baseline ?? 0 : 0;
  it.realtime = weight !== 0 || isOfEyes(name) ? Math.max(weight, asked, held) : null;
  it.needsUpdate = true;
}

/** A running character in a TalkingHead. */
class Tenant extends Life {
  #head;
  #body;
  #armature;
  #others;
  #isPosed = false;
  #held;
  #wanted = null;
  #sentActivity = '';
  #restore = [];

  constructor(head, performer, body, shown) {
    super(performer, body);
    this.#head = head;
    this.#body = body;
    this.#armature = head.armature;
    this.#others = Object.keys(head.mtAvatar).filter(name => /^eye(s?Look|sClosed|Blink)/.test(name) && !shown.has(name));
    this.#takeOver();
    if (head.camera && !(head.avatar.avatarIgnoreCamera ?? head.opt.avatarIgnoreCamera)) this.attend(head.camera);
  }

  /** Replaces a method of the TalkingHead until `dispose`. */
  #replace(name, method) {
    const head = this.#head;
    head[name] = method;
    this.#restore.push(() => delete head[name]);
  }

  #takeOver() {
    const head = this.#head, { prototype } = head.constructor, { update } = head.opt;
    const own = (name, ...words) => prototype[name].apply(head, words);
    head.opt.update = milliseconds => {
      if (head.armature === this.#armature) this.update(milliseconds / 1000);
      update?.(milliseconds);
    };
    this.#restore.push(() => { head.opt.update = update; });
    this.#replace('setMood', mood => (own('setMood', mood), this.#quieten()));
    this.#replace('playPose', (...words) => (this.#isPosed = true, own('playPose', ...words)));
    this.#replace('stopAnimation', () => (this.#isPosed = false, own('stopAnimation')));
    this.#replace('makeEyeContact', milliseconds => this.#hold(this.#partner(), milliseconds));
    this.#replace('lookAtCamera', milliseconds => this.#hold(this.#partner(), milliseconds));
    this.#replace('lookAhead', milliseconds => this.#hold('ahead', milliseconds));
    this.#replace('lookAt', (x, y, milliseconds) => this.#hold(this.#onScreen(x, y), milliseconds));
    this.#quieten();
  }

  /** Removes TalkingHead's idle animations. */
  #quieten() {
    const ended = this.#body.isWhole ? [...LOOKING, ...IDLING] : LOOKING, head = this.#head;
    head.animQueue = head.animQueue.filter(({ template, loop }) => !(loop && ended.includes(template.name)));
  }

  /** Position of the attended person: the speaking partner, or the camera. */
  #partner() {
    const { speakTo, camera } = this.#head;
    return speakTo?.objectHead ?? speakTo?.armature?.objectHead ?? speakTo ?? camera ?? 'ahead';
  }

  /** Converts a screen point to a position beside the camera, with the same offset as the point has from the eyes. */
  #onScreen(x, y) {
    const { camera, nodeAvatar, objectLeftEye: left, objectRightEye: right } = this.#head;
    if (x === null || y === null || !camera || !nodeAvatar) return this.#partner();
    const eyes = left.getWorldPosition(left.position.clone()).add(right.getWorldPosition(right.position.clone())).divideScalar(2);
    const { left: edge, top, width, height } = nodeAvatar.getBoundingClientRect(), { z } = eyes.clone().project(camera);
    const point = eyes.clone().set((x - edge) / width * 2 - 1, 1 - (y - top) / height * 2, z).unproject(camera);
    return camera.getWorldPosition(camera.position.clone()).add(point.sub(eyes));
  }

  /** Looks at a target for a time, then returns to the previous one. */
  #hold(target, milliseconds) {
    if (!milliseconds) return;
    this.#held = { until: this.performer.time + milliseconds / 1000 };
    if (target === 'ahead') this.intend({ look: 'ahead' });
    else super.lookAt(target);
  }

  lookAt(target) {
    super.lookAt(target);
    this.#wanted = target;
    this.#held = undefined;
  }

  update(seconds) {
    if (this.#held && this.performer.time >= this.#held.until) this.lookAt(this.#wanted);
    this.#sendActivity();
    this.#fade(seconds);
    super.update(seconds);
    for (const name of this.#others) set(this.#head, name, 0);
    this.#nod();
  }

  /** Sends activity and mood of the TalkingHead to the performer. */
  #sendActivity() {
    const { isSpeaking, isListening, moodName } = this.#head;
    const be = isSpeaking ? 'speaking' : isListening ? 'listening' : 'idle', mood = MOODS[moodName];
    const activity = `${be} ${mood}`;
    if (activity === this.#sentActivity) return;
    this.#sentActivity = activity;
    this.intend(mood ? { be, mood } : { be });
  }

  /** Animations, poses and gestures played by TalkingHead take precedence. */
  #fade(seconds) {
    const { mixer, gesture, animQueue } = this.#head, body = this.#body;
    const areHandsBusy = animQueue.some(({ template, vs }) => template.name === 'talkinghands' || vs.handLeft || vs.handRight);
    const isTheirs = ({ name, node }) => !/Eye$/.test(name) && (mixer || this.#isPosed)
      || gesture?.[`${node.name}.quaternion`] || areHandsBusy && isOfArms(name);
    const step = Math.max(0, seconds) / FADE_SECS;
    let isCarried = body.isWhole;
    for (const joint of body.joints) {
      joint.weight = isTheirs(joint) ? Math.max(0, joint.weight - step) : Math.min(1, joint.weight + step);
      isCarried &&= joint.weight === 1 || isOfArms(joint.name);
    }
    body.isCarried = isCarried;
  }

  /** Adds TalkingHead's own nods, which come with emojis, `yes` and `no`. */
  #nod() {
    const { objectHead: { quaternion, position }, mtAvatar } = this.#head;
    const turn = quaternion.clone(), axis = position.clone();
    [['headRotateX', 1, 0, 0], ['headRotateY', 0, 1, 0], ['headRotateZ', 0, 0, 1]].forEach(([name, x, y, z]) => {
      const angle = mtAvatar[name]?.applied;
      if (angle) quaternion.multiply(turn.setFromAxisAngle(axis.set(x, y, z), angle));
    });
  }

  dispose() {
    const head = this.#head;
    this.#restore.splice(0).forEach(restore => restore());
    super.dispose();
    for (const it of Object.values(head.mtAvatar)) Object.assign(it, { realtime: null, needsUpdate: true });
    if (head.mood) head.setMood(head.moodName);
  }
}
