// A performer in a page or in Node: the engine in WebAssembly, and its frames where it leaves them.
import load, { Body, CharacterFiles, Eyes, LipSync, Making, Moves, Player, reserve, expressionOf as recognise, signalNames, takeFault, version as versionOf } from './engine/engine.js';
import { isPacked, unpack } from './unpack.js';

/** The engine's memory, as soon as there is one. */
let memory;

let loading;

/** Loads the engine: by itself from beside this file, or what it is given. Asked again, it does nothing. */
export default function init(source) {
  return loading ??= start(source).catch(error => {
    loading = undefined;
    throw error;
  });
}

/** Bundlers see these addresses and take the files along. */
const ENGINE = new URL('./engine/engine.lzma', import.meta.url), LIP_SYNC = new URL('./engine/lip-sync.lzma', import.meta.url);

/** Node's files, where there are some: it does not fetch them. */
let files;

async function start(source) {
  if (ENGINE.protocol === 'file:' && typeof process !== 'undefined' && process.versions?.node) {
    const name = 'node:fs'; // which bundlers leave alone
    files = await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
  }
  ({ memory } = await load({ module_or_path: await unpacked(await (source ?? besideThis(ENGINE)), 'the engine') }));
}

const besideThis = url => files ? files.readFileSync(url) : url;

/** What comes may be a module, bytes as they are, or packed as they are beside this file. */
async function unpacked(source, what) {
  if (source instanceof WebAssembly.Module) return source;
  const bytes = isBytes(source) ? bytesOf(source, what) : await fetched(source, what);
  return isPacked(bytes) ? unpack(bytes) : bytes;
}

async function fetched(source, what) {
  const response = source instanceof Response ? source : await fetch(source);
  if (!response.ok) throw new Error(`${what} cannot be fetched: ${response.url} gives ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The model of audio lip-sync, which performers with a voice are given, and the promise that loads it. */
let lipSync, loadingLipSync;

/** Loads the model of audio lip-sync: from beside this file, or what it is given. `say` with a voice loads it if needed. */
export function hear(source) {
  return loadingLipSync ??= loadLipSync(source).catch(error => {
    loadingLipSync = undefined;
    throw error;
  });
}

async function loadLipSync(source) {
  await init();
  if (source === undefined && hasLipSync()) return;
  lipSync = new LipSync(await unpacked(await (source ?? LIP_SYNC), 'the lip-sync model').catch(missingLipSync));
}

/** In Node the file is read at once, so that nobody waits. */
function hasLipSync() {
  if (!lipSync && files) lipSync = new LipSync(unpack(readLipSync()));
  return lipSync !== undefined;
}

function readLipSync() {
  try {
    return files.readFileSync(LIP_SYNC);
  } catch (error) {
    missingLipSync(error);
  }
}

function missingLipSync(error) {
  throw new Error(`a voice cannot be shown without \`engine/lip-sync.lzma\` of this package, or what \`hear()\` is given: ${error.message}`, { cause: error });
}

/** What the built-in motions and a body that has them take, and how long a page may be kept waiting for them. */
const MOTIONS_BYTES = 96 << 20, SLICE_MS = 8;

let preparing;

/** Makes the built-in motions ready, in slices between which the page lives on; otherwise the first performer does, at once. */
export function prepare() {
  return preparing ??= inSlices().catch(error => {
    preparing = undefined;
    throw error;
  });
}

async function inSlices() {
  await init();
  grow();
  for (const making = new Making(); ;) {
    for (const start = performance.now(); performance.now() < start + SLICE_MS;) {
      if (making.makeNext()) return making.free();
    }
    await new Promise(done => { setTimeout(done); });
  }
}

/** Memory that grows a little at a time costs more than all that is done in it. */
function grow() {
  const missing = MOTIONS_BYTES - memory.buffer.byteLength;
  if (missing > 0) reserve(missing);
}

function needsEngine() {
  if (!memory) throw new Error('the engine is not loaded: `await init()` first');
}

/** The version of the engine. */
export function version() {
  needsEngine();
  return versionOf();
}

/** What Vivant calls an expression that an avatar has under any name of VRM, ARKit, Oculus or Ready Player Me. */
export function expressionOf(name) {
  needsEngine();
  return recognise(name);
}

/** What the numbers of `frame.signals` are called. */
export function signals() {
  needsEngine();
  return signalNames();
}

/** Whether something has to be a mistake of ours, after which nothing is known of whom it happened to. */
const isOurs = error => error instanceof WebAssembly.RuntimeError || error instanceof RangeError;

/** What a trap says, in the engine's words if it left some. */
const ours = error => new Error(`Vivant failed, which is a mistake in Vivant: ${takeFault() || error.message}`, { cause: error });

/** Tells a page what nobody waits for. */
const report = error => (globalThis.reportError ?? console.error)(error);

/** Does what may fail while something is made. */
function attempt(make) {
  try {
    return make();
  } catch (error) {
    throw isOurs(error) ? ours(error) : error;
  }
}

function bytesOf(value, what) {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  throw new TypeError(`${what}: bytes are expected, an ArrayBuffer or a Uint8Array`);
}

const isBytes = value => value instanceof ArrayBuffer || ArrayBuffer.isView(value);
const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A document as bytes, its text or the object itself. */
function textOf(value, what) {
  if (typeof value === 'string') return value;
  if (isBytes(value)) return new TextDecoder().decode(bytesOf(value, what));
  if (isObject(value)) return JSON.stringify(value);
  throw new TypeError(`${what}: an object is expected, or its JSON`);
}

const documentOf = (value, what) => new TextEncoder().encode(textOf(value, what));

function bodyOf(avatar, name) {
  if (isBytes(avatar)) return Body.read(name, bytesOf(avatar, 'avatar'));
  if (isObject(avatar)) return Body.ofRig(JSON.stringify({ version: 1, ...avatar }));
  throw new TypeError('an avatar is expected: the bytes of a VRM or GLB, or an object that says where its bones are');
}

function movesOf(motions) {
  if (motions === 'builtin') {
    grow();
    return Moves.builtIn();
  }
  if (motions === 'none') return Moves.none();
  if (!isObject(motions)) throw new TypeError('motions: \'builtin\', \'none\' or an object with repertoire, clips and behaviour is expected');
  const { repertoire, clips = {}, behaviour, ...rest } = motions;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new TypeError(`motions: \`${unknown}\` is not known; there are repertoire, clips and behaviour`);
  const moves = repertoire === undefined ? Moves.none() : Moves.ofRepertoire(textOf(repertoire, 'motions.repertoire'));
  for (const [name, bytes] of Object.entries(clips)) moves.addFile(name, bytesOf(bytes, `motions.clips: ${name}`));
  if (behaviour !== undefined) moves.behave(textOf(behaviour, 'motions.behaviour'));
  return moves;
}

function eyesOf(blinkModel, eyeTexture) {
  const eyes = new Eyes();
  if (blinkModel !== undefined) eyes.blinkAs(documentOf(blinkModel, 'blinkModel'));
  if (eyeTexture !== undefined) eyes.moveAs(documentOf(eyeTexture, 'eyeTexture'));
  return eyes;
}

/** Only this file reads characters. */
const READ = Symbol('read');

/**
 * A whole character: avatar, repertoire, behaviour model, temperament, blink model and eye texture, as they lie in its
 * folder.
 */
export class Character {
  #read;
  #avatar;

  /** From the files of its folder: their contents by their names, such as `clips/wave.glb`. */
  constructor(files, read) {
    needsEngine();
    if (files !== READ) {
      if (!isObject(files)) throw new TypeError('a character is made of files: an object with their bytes by their names is expected');
      read = attempt(() => readCharacter(filesOf(files)));
    }
    this.#read = read.character;
    this.#avatar = read.avatar;
  }

  /** Fetches the files of a character's folder. What the folder does not have may give 404. */
  static async fetch(folder) {
    await init();
    const base = new URL(folder, globalThis.location?.href);
    if (!base.pathname.endsWith('/')) base.pathname += '/';
    const files = new CharacterFiles(), found = new Map(), asked = new Set();
    for (let names; (names = attempt(() => files.missing()).filter(name => !asked.has(name))).length > 0;) {
      await Promise.all(names.map(async name => {
        asked.add(name);
        const bytes = await fetchedIfThere(new URL(name.split('/').map(encodeURIComponent).join('/'), base));
        if (!bytes) return;
        found.set(name, bytes);
        files.add(name, bytes);
      }));
    }
    return new Character(READ, attempt(() => readCharacter({ files, found })));
  }

  /** Its name. */
  get name() { return this.#alive().name(); }
  /** The bytes of its avatar's file, for whatever draws it. */
  get avatar() { this.#alive(); return this.#avatar; }
  /** What was dropped or guessed while it was read. */
  get warnings() { return this.#alive().warnings(); }

  #alive() {
    if (!this.#read) throw new Error('this character was freed');
    return this.#read;
  }

  /** A player of it, for performers. */
  [READ](role) { return Player.ofCharacter(this.#alive(), JSON.stringify(role)); }

  free() {
    this.#read?.free();
    this.#read = undefined;
  }
}

function filesOf(given) {
  const files = new CharacterFiles(), found = new Map();
  for (const [name, content] of Object.entries(given)) {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : bytesOf(content, name);
    found.set(name, bytes);
    files.add(name, bytes);
  }
  return { files, found };
}

function readCharacter({ files, found }) {
  grow();
  try {
    const character = files.read();
    return { character, avatar: found.get(character.avatarFile()) };
  } finally {
    files.free();
  }
}

async function fetchedIfThere(url) {
  const response = await fetch(url);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${url} gives ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

function beginCharacter(character, { events: _, ...role }) {
  const [other] = ['motions', 'blinkModel', 'eyeTexture', 'name'].filter(name => name in role);
  if (other) throw new TypeError(`${other}: a character brings its own; change its files`);
  return character[READ](role);
}

function begin(avatar, { motions = 'builtin', blinkModel, eyeTexture, name = 'avatar', events: _, ...role }) {
  const made = [];
  const keep = thing => (made.push(thing), thing);
  try {
    return new Player(keep(bodyOf(avatar, name)), keep(movesOf(motions)), keep(eyesOf(blinkModel, eyeTexture)), JSON.stringify(role));
  } finally {
    made.forEach(thing => thing.free());
  }
}

/** The samples of a voice as the engine takes them: 16 bits, one channel. */
function samplesOf(voice) {
  if (typeof voice?.getChannelData === 'function') {
    return { rate: voice.sampleRate, samples: sixteenBits(mixed(voice)) };
  }
  const { samples, rate } = voice ?? {};
  if (!Number.isInteger(rate)) throw new TypeError('voice.rate: how many samples a second there are is expected, a whole number');
  if (samples instanceof Int16Array) return { rate, samples };
  if (samples instanceof Float32Array) return { rate, samples: sixteenBits(samples) };
  throw new TypeError('voice.samples: a Float32Array or an Int16Array is expected');
}

function mixed(audio) {
  if (audio.numberOfChannels === 1) return audio.getChannelData(0);
  const mix = new Float32Array(audio.length);
  for (let channel = 0; channel < audio.numberOfChannels; channel++) {
    audio.getChannelData(channel).forEach((sample, i) => { mix[i] += sample / audio.numberOfChannels; });
  }
  return mix;
}

/** Typed arrays round towards zero and wrap around: neither is wanted. What is no number is silence. */
const sixteenBits = samples => Int16Array.from(samples, sample => Math.max(-32768, Math.min(32767, Math.round(sample * 32767))));

function placeOf(place, what) {
  const [x, y, z] = Array.isArray(place) || ArrayBuffer.isView(place) ? place : [place?.x, place?.y, place?.z];
  if ([x, y, z].every(Number.isFinite)) return [x, y, z];
  throw new TypeError(`${what}: a place is expected, [x, y, z] in metres`);
}

/**
 * The last frame of a performer, where the engine has it: nothing is copied. The arrays are looked up anew when the
 * engine's memory has grown, which takes the old ones away, so ask for them when you need them.
 */
class Frame {
  #alive;
  #at;
  #rotations;
  #root = [];
  #weights;
  #signals;

  constructor(alive, at) {
    this.#alive = alive;
    this.#at = at;
  }

  #look() {
    this.#alive();
    if (this.#root.length > 0) return; // arrays become empty when the memory grows, and to look at it takes longer
    const { buffer } = memory, at = this.#at;
    this.#rotations = new Float32Array(buffer, at.rotations, 4 * at.bones);
    this.#root = new Float32Array(buffer, at.root, 3);
    this.#weights = new Float32Array(buffer, at.weights, at.expressions);
    this.#signals = new Float32Array(buffer, at.signals, at.signalCount);
  }

  get time() { return this.#alive().time(); }
  get rotations() { this.#look(); return this.#rotations; }
  get root() { this.#look(); return this.#root; }
  get weights() { this.#look(); return this.#weights; }
  get signals() { this.#alive().signals(); this.#look(); return this.#signals; }
}

/** Only this file makes performers of players. */
const MADE = Symbol('made');

/** A character that lives. */
export class Performer {
  #player;
  #info;
  #frame;
  #fault;
  #voices = 0;
  #hasLipSync = false;
  /** What was told while the lip-sync model is still loaded, in order. */
  #held = [];

  constructor(avatar, options = {}) {
    needsEngine();
    if (avatar === MADE) {
      this.#player = options;
    } else {
      if (!isObject(options)) throw new TypeError('options: an object is expected');
      this.#player = attempt(() => avatar instanceof Character ? beginCharacter(avatar, options) : begin(avatar, options));
      if (options.events) this.watch();
    }
    const { bones, channels } = this.info, player = this.#player;
    this.#frame = new Frame(() => this.#alive(), {
      rotations: player.rotations(), root: player.root(), weights: player.weights(), signals: player.signals(),
      bones: bones.length, expressions: channels.length, signalCount: signalNames().length,
    });
  }

  #alive() {
    if (this.#fault) throw new Error(`this performer has failed before; make another one: ${this.#fault.message}`, { cause: this.#fault });
    if (!this.#player) throw new Error('this performer was freed');
    return this.#player;
  }

  /** Does something with the player. After a mistake of ours nothing is known of it any more. */
  #with(act) {
    const player = this.#alive();
    try {
      return act(player);
    } catch (error) {
      if (!isOurs(error)) throw error;
      this.#player = undefined;
      throw this.#fault = ours(error);
    }
  }

  intend(intent) {
    if (typeof intent !== 'string' && !isObject(intent)) throw new TypeError('an intent is expected: an object, or its JSON');
    const json = typeof intent === 'string' ? intent : JSON.stringify(intent);
    if (!json.includes('"pcm"')) return this.#tell(player => player.tell(json), false);
    return this.#tell(player => this.#withLipSync(player).tell(json), !hasLipSync());
  }

  /** A player that can show a voice. */
  #withLipSync(player) {
    if (!this.#hasLipSync) player.setLipSync(lipSync);
    this.#hasLipSync = true;
    return player;
  }

  /** Tells it something, or has it wait for the lip-sync model. Nothing overtakes what waits. */
  #tell(act, waits) {
    if (!waits && this.#held.length === 0) return this.#with(act);
    this.#alive();
    this.#held.push({ act, waits });
    if (this.#held.length === 1) hear().then(() => this.#tellHeld(() => true), error => this.#tellHeld(({ waits }) => !waits, error));
  }

  #tellHeld(isTold, fault) {
    const held = this.#held.splice(0).filter(isTold);
    if (fault) report(fault);
    for (const { act } of held) {
      try {
        if (this.#player) this.#with(act);
      } catch (error) {
        report(error);
      }
    }
  }

  say(text, { voice, ...rest } = {}) {
    if (typeof text !== 'string') throw new TypeError('say: a text is expected; it may be empty where there is a voice');
    if (voice === undefined) return this.intend({ ...rest, say: text });
    const { rate, samples } = samplesOf(voice);
    // A line without words needs a name.
    const line = { ...text === '' && { line: `voice ${++this.#voices}` }, ...rest, say: text };
    if (hasLipSync()) return this.#tell(player => this.#withLipSync(player).tellWithVoice(JSON.stringify(line), rate, samples), false);
    // What waits has to stay as it is, and its sound begins now.
    const json = JSON.stringify({ at: this.time, ...line }), kept = samples.slice();
    return this.#tell(player => this.#withLipSync(player).tellWithVoice(json, rate, kept), true);
  }

  temper(temperament) {
    this.intend({ temperament });
  }

  attend(place) {
    const [x, y, z] = placeOf(place, 'attend');
    this.#with(player => player.attend(x, y, z));
  }

  follow(place) {
    if (place === null) return this.lookFreely();
    const [x, y, z] = placeOf(place, 'follow');
    this.#with(player => player.follow(x, y, z));
  }

  lookFreely() {
    this.#with(player => player.lookFreely());
  }

  advanceTo(t) {
    if (!Number.isFinite(t)) throw new TypeError(`advanceTo: a time is expected, in seconds, and not ${t}`);
    this.#with(player => player.advanceTo(t));
    return this.#frame;
  }

  get frame() {
    this.#alive();
    return this.#frame;
  }

  get time() {
    return this.#with(player => player.time());
  }

  get info() {
    return this.#info ??= this.#with(player => JSON.parse(player.info()));
  }

  get bones() {
    return this.info.bones.map(({ name }) => name);
  }

  get expressions() {
    return this.info.channels.map(({ name }) => name);
  }

  get warnings() {
    return this.#with(player => player.warnings());
  }

  watch(isWatched = true) {
    this.#with(player => player.watch(isWatched));
  }

  events() {
    return JSON.parse(this.#with(player => player.takeEvents()));
  }

  another(role = {}) {
    if (!isObject(role)) throw new TypeError('another: an object is expected, as `seed` or `temperament` of options');
    return new Performer(MADE, this.#with(player => player.another(JSON.stringify(role))));
  }

  free() {
    const player = this.#player;
    this.#player = undefined;
    player?.free();
  }
}

if (Symbol.dispose) for (const { prototype } of [Character, Performer]) prototype[Symbol.dispose] = prototype.free;
