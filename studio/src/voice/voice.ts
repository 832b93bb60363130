// Who speaks for the character: espeak-ng by the server, the browser, a recording, or nobody.
import { signal } from '@preact/signals';
import { api } from '../api.ts';
import { keep, kept } from '../kept.ts';
import type { Say, VoiceInfo } from '../protocol.ts';
import { complain, say as note } from '../state.ts';
import { request, requestDone } from '../wire.ts';
import { fromBase64, pieces, RATE } from './pcm.ts';
import * as sound from './sound.ts';
import { spokenPart } from './tags.ts';

export type Speaker = 'off' | 'computer' | 'browser';

/** Who speaks; until somebody chose, whoever can. */
export const speaker = signal<Speaker>('off');
/** The computer's voices, and why there are none. */
export const voices = signal<readonly VoiceInfo[]>([]);
export const missing = signal<string | null>(null);
/** The computer's voice that speaks. */
export const voice = signal(kept('voice.name') ?? 'en-us');

/** From the asking to the first sound, in seconds: to breathe in, and for the way to the server and back. */
const LEAD = 0.45;
let lines = 0;

export const canBrowser = (): boolean => 'speechSynthesis' in window;

export function choose(who: Speaker): void {
  speaker.value = who;
  keep('voice', who);
  if (who === 'off') sound.hush();
}

export function chooseVoice(name: string): void {
  voice.value = name;
  keep('voice.name', name);
}

export async function start(): Promise<void> {
  sound.start();
  try {
    const all = await api.voices();
    voices.value = all.voices;
    missing.value = all.missing ?? null;
  } catch (error) {
    missing.value = error instanceof Error ? error.message : String(error);
  }
  const chosen = kept('voice');
  if (chosen === 'off') return;
  const can = { computer: voices.value.length > 0, browser: canBrowser() };
  speaker.value = chosen === 'browser' && can.browser ? 'browser' : can.computer ? 'computer' : can.browser ? 'browser' : 'off';
}

/** Says a line aloud, by whoever was chosen. */
export function speak(line: Say, whom: string[]): Promise<(number | null)[]> {
  // Who gives times speaks with a voice of their own.
  const isTimed = [line.words, line.phones, line.visemes].some(list => list && list.length > 0) || line.pcm || line.at != null || line.line != null;
  if (isTimed || speaker.value === 'off') return request(line, whom);
  return speaker.value === 'computer' ? byComputer(line, whom) : byBrowser(line, whom);
}

async function byComputer(line: Say, whom: string[]): Promise<(number | null)[]> {
  try {
    const out = await sound.sound();
    const spoken = await api.speak({ text: line.say, voice: voice.value });
    const heard = await out.decodeAudioData(fromBase64(spoken.wav));
    if (spoken.warnings.length > 0) note(spoken.warnings.join('\n'));
    return await together(spoken.say, heard, whom);
  } catch (error) {
    // Better a line without a voice than no line.
    complain(error);
    return request(line, whom);
  }
}

/** Lets voice and performers begin at the same instant: soon, or when what was told before is said. */
async function together(line: Say, heard: AudioBuffer, whom: string[]): Promise<(number | null)[]> {
  const soon = (sound.timeOf(whom[0]!) ?? 0) + LEAD;
  const { wish, at } = await requestDone({ ...line, at: soon }, whom);
  await sound.play(heard, whom[0]!, at?.[0] ?? soon);
  return wish ?? [];
}

/** The browser's voice has no times until it speaks; then it tells each word as it begins. */
function byBrowser(line: Say, whom: string[]): Promise<(number | null)[]> {
  const { plain, words } = spokenPart(line.say), name = `browser-${++lines}`;
  if (plain.trim() === '') return request(line, whom);
  return new Promise((done, failed) => {
    const utterance = new SpeechSynthesisUtterance(plain);
    let began = 0;
    const seconds = () => (performance.now() - began) / 1000;
    const tell = (more: Partial<Say>) => void request({ say: '', line: name, ...more }, whom).catch(complain);
    utterance.onstart = () => {
      began = performance.now();
      // The browser lets its lines wait for each other; each has begun when it says so.
      request({ ...line, line: name, more: true, at: sound.timeOf(whom[0]!) ?? null }, whom).then(done, failed);
    };
    utterance.onboundary = ({ charIndex, name: kind }) => {
      const word = words.find(one => one.at === charIndex) ?? words.findLast(one => one.at <= charIndex);
      // `elapsedTime` is in milliseconds in some browsers and in seconds in others.
      if (kind === 'word' && word) tell({ more: true, words: [{ word: word.text, start: seconds() }] });
    };
    utterance.onend = () => tell({ more: false, duration: seconds() });
    utterance.onerror = ({ error }) => {
      if (began > 0) tell({ more: false, duration: seconds() });
      else if (error === 'canceled' || error === 'interrupted') done([]);
      else request(line, whom).then(done, failed);
    };
    speechSynthesis.speak(utterance);
    // Some browsers have the interface and no voice behind it: nothing ever begins.
    setTimeout(() => { if (began === 0) { speechSynthesis.cancel(); request(line, whom).then(done, failed); } }, 2000);
  });
}

const SOUND = /\.(wav|mp3|ogg|oga|flac|m4a|aac|opus|webm)$/i;
export const isSound = (file: File): boolean => file.type.startsWith('audio/') || SOUND.test(file.name);

/** A recording is the voice: the character listens to it as it is heard. */
export async function playFile(file: File, whom: string[]): Promise<void> {
  try {
    const out = await sound.sound(), bytes = await file.arrayBuffer();
    const heard = await out.decodeAudioData(bytes).catch(() => { throw new Error(`${file.name} is no sound that this browser can read.`); });
    const line = `file-${++lines}`, parts = pieces(await atRate(heard));
    const soon = (sound.timeOf(whom[0]!) ?? 0) + LEAD;
    for (const [i, pcm] of parts.entries()) {
      const { at } = await requestDone({ say: '', line, pcm, more: i + 1 < parts.length, ...(i === 0 ? { at: soon } : {}) }, whom);
      if (i === 0) await sound.play(heard, whom[0]!, at?.[0] ?? soon);
    }
  } catch (error) {
    complain(error);
  }
}

/** One channel at the rate that hearing needs. */
async function atRate(heard: AudioBuffer): Promise<Float32Array> {
  const offline = new OfflineAudioContext(1, Math.max(1, Math.ceil(heard.duration * RATE)), RATE);
  const source = new AudioBufferSourceNode(offline, { buffer: heard });
  source.connect(offline.destination);
  source.start();
  return (await offline.startRendering()).getChannelData(0);
}

export const hush = sound.hush;
