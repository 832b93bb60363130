// Performers in a page or in Node: the engine in WebAssembly. Frames are views of its memory.
import load, { Body, CharacterFiles, Eyes, LipSync, Making, Moves, Player, reserve, expressionOf as recognise, signalNames, takePanicMessage, version as versionOf } from './engine/engine.js';
import { isPacked, unpack } from './unpack.js';

/** The engine's memory, once it is loaded. */
let memory;

let loading;

/** Loads the engine from `source`, or from beside this file. Further calls have no effect. */
export default function init(source) {
  return loading ??= start(source).catch(error => {
    loading = undefined;
    throw error;
  });
}

/** Bundlers recognise these URLs and include the files. */
const ENGINE = new URL('./engine/engine.lzma', import.meta.url), LIP_SYNC = new URL('./engine/lip-sync.lzma', import.meta.url);

/** The module `node:fs` in Node, which cannot fetch files. */
let files;

async function start(source) {
  if (ENGINE.protocol === 'file:' && typeof process !== 'undefined' && process.versions?.node) {
    const name = 'node:fs'; // in a variable, so that bundlers ignore it
    files = await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
  }
  ({ memory } = await load({ module_or_path: await unpacked(await (source ?? besideThis(ENGINE)), 'the engine') }));
}

const besideThis = url => files ? files.readFileSync(url) : url;

/** Returns a module or bytes; packed bytes are unpacked. */
async function unpacked(source, what) {
  if (source instanceof WebAssembly.Module) return source;
  const bytes = isBytes(source) ? bytesOf(source, what) : await fetched(source, what);
  return isPacked(bytes) ? unpack(bytes) : bytes;
}

async function fetched(source, what) {
  const response = source instanceof Response ? source : await fetch(source);
  if (!response.ok) throw new Error(`cannot fetch ${what}: ${response.url} returned ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The audio lip-sync model for performers with a voice, and the promise that loads it. */
let lipSync, loadingLipSync;

/** Loads the audio lip-sync model from `source`, or from beside this file. `say` with a voice loads it if needed. */
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

/** Returns true if the lip-sync model is loaded. In Node it is loaded synchronously. */
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
  throw new Error(`cannot load the lip-sync model \`engine/lip-sync.lzma\` of this package; pass another source to \`hear()\`: ${error.message}`, { cause: error });
}

/** Memory of the built-in motions and one body, and the length of a preparation slice. */
const MOTIONS_BYTES = 96 << 20, SLICE_MS = 8;

let preparing;

/** Builds the built-in motions in small steps, so that the page stays responsive. Otherwise the first performer builds them at once. */
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

/** Reserves memory in one step, because many small steps are slow. */
function grow() {
  const missing = MOTIONS_BYTES - memory.buffer.byteLength;
  if (missing > 0) reserve(missing);
}

function needsEngine() {
  if (!memory) throw new Error('the engine is not loaded; call `await init()` first');
}

/** Returns the version of the engine. */
export function version() {
  needsEngine();
  return versionOf();
}

/** Returns Vivant's name of an expression, given its name in VRM, ARKit, Oculus or Ready Player Me. */
export function expressionOf(name) {
  needsEngine();
  return recognise(name);
}

/** Returns the names of the values in `frame.signals`. */
export function signals() {
  needsEngine();
  return signalNames();
}

/** Returns true for internal errors, after which the performer's state is undefined. */
const isInternal = error => error instanceof WebAssembly.RuntimeError || error instanceof RangeError;

/** Wraps an internal error, with the engine's panic message if there is one. */
const internalError = error => new Error(`internal error in Vivant; please report it: ${takePanicMessage() || error.message}`, { cause: error });

/** Reports an error that no caller can catch. */
const report = error => (globalThis.reportError ?? console.error)(error);

/** Calls a constructor and wraps internal errors. */
function attempt(make) {
  try {
    return make();
  } catch (error) {
    throw isInternal(error) ? internalError(error) : error;
  }
}

function bytesOf(value, what) {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  throw new TypeError(`${what}: expected bytes (an ArrayBuffer or a Uint8Array)`);
}

const isBytes = value => value instanceof ArrayBuffer || ArrayBuffer.isView(value);
const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Converts a document given as object, text or bytes to JSON. */
function textOf(value, what) {
  if (typeof value === 'string') return value;
  if (isBytes(value)) return new TextDecoder().decode(bytesOf(value, what));
  if (isObject(value)) return JSON.stringify(value);
  throw new TypeError(`${what}: expected an object or its JSON`);
}

const documentOf = (value, what) => new TextEncoder().encode(textOf(value, what));

function bodyOf(avatar, name) {
  if (isBytes(avatar)) return Body.read(name, bytesOf(avatar, 'avatar'));
  if (isObject(avatar)) return Body.ofRig(JSON.stringify({ version: 1, ...avatar }));
  throw new TypeError('expected an avatar: the bytes of a VRM or GLB, or an object with its bone positions');
}

function movesOf(motions) {
  if (motions === 'builtin') {
    grow();
    return Moves.builtIn();
  }
  if (motions === 'none') return Moves.none();
  if (!isObject(motions)) throw new TypeError('motions: expected \'builtin\', \'none\' or an object with repertoire, clips and behaviour');
  const { repertoire, clips = {}, behaviour, ...rest } = motions;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new TypeError(`motions: unknown field \`${unknown}\`; expected repertoire, clips or behaviour`);
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

/** Marks internal calls of the constructor. */
const READ = Symbol('read');

/**
 * A character folder: avatar, repertoire, behaviour model, temperament, blink model and eye texture.
 */
export class Character {
  #read;
  #avatar;

  /** Reads a character from the contents of its files by name, such as `clips/wave.glb`. */
  constructor(files, read) {
    needsEngine();
    if (files !== READ) {
      if (!isObject(files)) throw new TypeError('expected an object with the bytes of the character\'s files by name');
      read = attempt(() => readCharacter(filesOf(files)));
    }
    this.#read = read.character;
    this.#avatar = read.avatar;
  }

  /** Fetches a character folder. Missing optional files may return 404. */
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

  /** Name of the character. */
  get name() { return this.#alive().name(); }
  /** Bytes of the avatar file, for the renderer. */
  get avatar() { this.#alive(); return this.#avatar; }
  /** Warnings about parts that were ignored or guessed. */
  get warnings() { return this.#alive().warnings(); }

  #alive() {
    if (!this.#read) throw new Error('this character was freed; create another one');
    return this.#read;
  }

  /** Creates a player of this character. */
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
  if (!response.ok) throw new Error(`cannot fetch ${url}: it returned ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

function beginCharacter(character, { events: _, ...role }) {
  const [other] = ['motions', 'blinkModel', 'eyeTexture', 'name'].filter(name => name in role);
  if (other) throw new TypeError(`${other}: not allowed for a character; change its files instead`);
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

/** Converts a voice to 16-bit samples with one channel. */
function samplesOf(voice) {
  if (typeof voice?.getChannelData === 'function') {
    return { rate: voice.sampleRate, samples: sixteenBits(mixed(voice)) };
  }
  const { samples, rate } = voice ?? {};
  if (!Number.isInteger(rate)) throw new TypeError('voice.rate: expected the sampling rate in Hz, a whole number');
  if (samples instanceof Int16Array) return { rate, samples };
  if (samples instanceof Float32Array) return { rate, samples: sixteenBits(samples) };
  throw new TypeError('voice.samples: expected a Float32Array or an Int16Array');
}

function mixed(audio) {
  if (audio.numberOfChannels === 1) return audio.getChannelData(0);
  const mix = new Float32Array(audio.length);
  for (let channel = 0; channel < audio.numberOfChannels; channel++) {
    audio.getChannelData(channel).forEach((sample, i) => { mix[i] += sample / audio.numberOfChannels; });
  }
  return mix;
}

/** Rounds and clamps, because typed arrays truncate and wrap. NaN becomes silence. */
const sixteenBits = samples => Int16Array.from(samples, sample => Math.max(-32768, Math.min(32767, Math.round(sample * 32767))));

function placeOf(place, what) {
  const [x, y, z] = Array.isArray(place) || ArrayBuffer.isView(place) ? place : [place?.x, place?.y, place?.z];
  if ([x, y, z].every(Number.isFinite)) return [x, y, z];
  throw new TypeError(`${what}: expected a position [x, y, z] in metres`);
}

/**
 * The last frame of a performer, as views of the engine's memory. When that memory grows, old arrays become empty and new
 * ones are created, so read them from the frame each time.
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
    if (this.#root.length > 0) return; // arrays become empty when the memory grows; reading `memory.buffer` is slower
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

/** Marks internal calls of the constructor. */
const MADE = Symbol('made');

/** A running character. */
export class Performer {
  #player;
  #info;
  #frame;
  #fault;
  #voices = 0;
  #hasLipSync = false;
  /** Intents that wait for the lip-sync model, in order. */
  #queued = [];

  constructor(avatar, options = {}) {
    needsEngine();
    if (avatar === MADE) {
      this.#player = options;
    } else {
      if (!isObject(options)) throw new TypeError('options: expected an object');
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
    if (this.#fault) throw new Error(`this performer failed earlier; create another one: ${this.#fault.message}`, { cause: this.#fault });
    if (!this.#player) throw new Error('this performer was freed; create another one');
    return this.#player;
  }

  /** Calls the player. After an internal error the performer cannot be used any more. */
  #with(act) {
    const player = this.#alive();
    try {
      return act(player);
    } catch (error) {
      if (!isInternal(error)) throw error;
      this.#player = undefined;
      throw this.#fault = internalError(error);
    }
  }

  intend(intent) {
    if (typeof intent !== 'string' && !isObject(intent)) throw new TypeError('expected an intent: an object or its JSON');
    const json = typeof intent === 'string' ? intent : JSON.stringify(intent);
    if (!json.includes('"pcm"')) return this.#send(player => player.tell(json), false);
    return this.#send(player => this.#withLipSync(player).tell(json), !hasLipSync());
  }

  /** Gives the player the lip-sync model. */
  #withLipSync(player) {
    if (!this.#hasLipSync) player.setLipSync(lipSync);
    this.#hasLipSync = true;
    return player;
  }

  /** Sends an intent, or queues it until the lip-sync model is loaded. The order is kept. */
  #send(act, waits) {
    if (!waits && this.#queued.length === 0) return this.#with(act);
    this.#alive();
    this.#queued.push({ act, waits });
    if (this.#queued.length === 1) hear().then(() => this.#sendQueued(() => true), error => this.#sendQueued(({ waits }) => !waits, error));
  }

  #sendQueued(isSent, fault) {
    const held = this.#queued.splice(0).filter(isSent);
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
    if (typeof text !== 'string') throw new TypeError('say: expected a text; it may be empty if there is a voice');
    if (voice === undefined) return this.intend({ ...rest, say: text });
    const { rate, samples } = samplesOf(voice);
    // A line without text needs a name.
    const line = { ...text === '' && { line: `voice ${++this.#voices}` }, ...rest, say: text };
    if (hasLipSync()) return this.#send(player => this.#withLipSync(player).tellWithVoice(JSON.stringify(line), rate, samples), false);
    // The line is queued: its samples are copied, and its start time is now.
    const json = JSON.stringify({ at: this.time, ...line }), kept = samples.slice();
    return this.#send(player => this.#withLipSync(player).tellWithVoice(json, rate, kept), true);
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
    if (!Number.isFinite(t)) throw new TypeError(`advanceTo: expected a time in seconds, not ${t}`);
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
    if (!isObject(role)) throw new TypeError('another: expected an object with options such as `seed` or `temperament`');
    return new Performer(MADE, this.#with(player => player.another(JSON.stringify(role))));
  }

  free() {
    const player = this.#player;
    this.#player = undefined;
    player?.free();
  }
}

if (Symbol.dispose) for (const { prototype } of [Character, Performer]) prototype[Symbol.dispose] = prototype.free;
