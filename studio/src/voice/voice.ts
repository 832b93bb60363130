// The character's voice: espeak-ng on the server, the browser, a recording, or none.
import { signal } from '@preact/signals';
import { api } from '../api.ts';
import { loadSetting, saveSetting } from '../storage.ts';
import type { Say, VoiceInfo } from '../protocol.ts';
import { showError, showMessage } from '../state.ts';
import { request, requestDone } from '../wire.ts';
import { fromBase64, pieces, RATE } from './pcm.ts';
import * as sound from './sound.ts';
import { spokenPart } from './tags.ts';

export type Speaker = 'off' | 'computer' | 'browser';

/** The voice source; until the user chooses, the best available one. */
export const speaker = signal<Speaker>('off');
/** The server's voices, and the reason if there are none. */
export const voices = signal<readonly VoiceInfo[]>([]);
export const missing = signal<string | null>(null);
/** The selected voice of the server. */
export const voice = signal(loadSetting('voice.name') ?? 'en-us');

/** Seconds between request and first sound: breathing in, and the round trip to the server. */
const LEAD = 0.45;
let lines = 0;

export const canBrowser = (): boolean => 'speechSynthesis' in window;

export function choose(who: Speaker): void {
  speaker.value = who;
  saveSetting('voice', who);
  if (who === 'off') sound.silence();
}

export function chooseVoice(name: string): void {
  voice.value = name;
  saveSetting('voice.name', name);
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
  const chosen = loadSetting('voice');
  if (chosen === 'off') return;
  const can = { computer: voices.value.length > 0, browser: canBrowser() };
  speaker.value = chosen === 'browser' && can.browser ? 'browser' : can.computer ? 'computer' : can.browser ? 'browser' : 'off';
}

/** Speaks a line with the selected voice. */
export function speak(line: Say, performers: string[]): Promise<(number | null)[]> {
  // A line with times has its own voice.
  const isTimed = [line.words, line.phones, line.visemes].some(list => list && list.length > 0) || line.pcm || line.at != null || line.line != null;
  if (isTimed || speaker.value === 'off') return request(line, performers);
  return speaker.value === 'computer' ? byComputer(line, performers) : byBrowser(line, performers);
}

async function byComputer(line: Say, performers: string[]): Promise<(number | null)[]> {
  try {
    const out = await sound.sound();
    const spoken = await api.speak({ text: line.say, voice: voice.value });
    const audio = await out.decodeAudioData(fromBase64(spoken.wav));
    if (spoken.warnings.length > 0) showMessage(spoken.warnings.join('\n'));
    return await together(spoken.say, audio, performers);
  } catch (error) {
    // Falls back to lips without a voice.
    showError(error);
    return request(line, performers);
  }
}

/** Starts voice and performers at the same time: after `LEAD`, or after the previous line. */
async function together(line: Say, audio: AudioBuffer, performers: string[]): Promise<(number | null)[]> {
  const soon = (sound.timeOf(performers[0]!) ?? 0) + LEAD;
  const { intents, at } = await requestDone({ ...line, at: soon }, performers);
  await sound.play(audio, performers[0]!, at?.[0] ?? soon);
  return intents ?? [];
}

/** Speaks with the browser's voice, which reports each word when it starts. */
function byBrowser(line: Say, performers: string[]): Promise<(number | null)[]> {
  const { plain, words } = spokenPart(line.say), name = `browser-${++lines}`;
  if (plain.trim() === '') return request(line, performers);
  return new Promise((done, failed) => {
    const utterance = new SpeechSynthesisUtterance(plain);
    let began = 0;
    const seconds = () => (performance.now() - began) / 1000;
    const update = (more: Partial<Say>) => void request({ say: '', line: name, ...more }, performers).catch(showError);
    utterance.onstart = () => {
      began = performance.now();
      // The browser queues utterances; this one starts now.
      request({ ...line, line: name, more: true, at: sound.timeOf(performers[0]!) ?? null }, performers).then(done, failed);
    };
    utterance.onboundary = ({ charIndex, name: kind }) => {
      const word = words.find(one => one.at === charIndex) ?? words.findLast(one => one.at <= charIndex);
      // `elapsedTime` is in milliseconds in some browsers and in seconds in others.
      if (kind === 'word' && word) update({ more: true, words: [{ word: word.text, start: seconds() }] });
    };
    utterance.onend = () => update({ more: false, duration: seconds() });
    utterance.onerror = ({ error }) => {
      if (began > 0) update({ more: false, duration: seconds() });
      else if (error === 'canceled' || error === 'interrupted') done([]);
      else request(line, performers).then(done, failed);
    };
    speechSynthesis.speak(utterance);
    // Some browsers have the API without any voice: the utterance never starts.
    setTimeout(() => { if (began === 0) { speechSynthesis.cancel(); request(line, performers).then(done, failed); } }, 2000);
  });
}

const SOUND = /\.(wav|mp3|ogg|oga|flac|m4a|aac|opus|webm)$/i;
export const isSound = (file: File): boolean => file.type.startsWith('audio/') || SOUND.test(file.name);

/** Plays a recording with audio lip-sync. */
export async function playFile(file: File, performers: string[]): Promise<void> {
  try {
    const out = await sound.sound(), bytes = await file.arrayBuffer();
    const audio = await out.decodeAudioData(bytes).catch(() => { throw new Error(`${file.name} cannot be decoded by this browser. Save it as WAV or MP3.`); });
    const line = `file-${++lines}`, parts = pieces(await atRate(audio));
    const soon = (sound.timeOf(performers[0]!) ?? 0) + LEAD;
    for (const [i, pcm] of parts.entries()) {
      const { at } = await requestDone({ say: '', line, pcm, more: i + 1 < parts.length, ...(i === 0 ? { at: soon } : {}) }, performers);
      if (i === 0) await sound.play(audio, performers[0]!, at?.[0] ?? soon);
    }
  } catch (error) {
    showError(error);
  }
}

/** Converts to one channel at the sampling rate of audio lip-sync. */
async function atRate(audio: AudioBuffer): Promise<Float32Array> {
  const offline = new OfflineAudioContext(1, Math.max(1, Math.ceil(audio.duration * RATE)), RATE);
  const source = new AudioBufferSourceNode(offline, { buffer: audio });
  source.connect(offline.destination);
  source.start();
  return (await offline.startRendering()).getChannelData(0);
}

export const silence = sound.silence;
