// WebSocket connection to the server: sends requests, receives messages and binary frames.
import { signal } from '@preact/signals';
import type { Sight } from './mimic/sight.ts';
import type {
  Act, Be, Blink, Cast, Done, Event, LookAt, Manner, Message, PerformerInfo, Problem, Say, Stop, Temperament, ToStance, Watch, Welcome,
} from './protocol.ts';

/** One frame of a performer. The arrays are views of the received message. */
export interface Frame {
  number: number;
  time: number;
  root: Float32Array;
  /** See SIGNALS. */
  signals: Float32Array;
  /** Quaternions (x, y, z, w), one per bone. */
  rotations: Float32Array;
  weights: Float32Array;
}

/** Signals of eyes, lids and head: angles in degrees, apertures from 0 to 1. */
export const SIGNALS = [
  'eye_left_yaw', 'eye_left_pitch', 'eye_right_yaw', 'eye_right_pitch', 'head_yaw', 'head_pitch', 'head_roll',
  'gaze_yaw', 'gaze_pitch', 'lid_left', 'lid_right', 'aperture_left', 'aperture_right', 'blink',
] as const;

export type Point = [number, number, number];

export type Intent = Say | Act | ToStance | Be | LookAt | Blink | Stop;

/** Requests other than intents. */
export type Control =
  | { watch: Partial<Watch> }
  | { cast: (Partial<Cast> & Pick<Cast, 'performer'>)[] }
  | { dismiss: string[] }
  | { temperament: Temperament }
  | { attend: Point }
  | { follow: Point | null }
  | { mimic: Manner | null }
  | { see: Sight };

export const connected = signal(false);
export const welcome = signal<Welcome | null>(null);
/** Watched performers by name. */
export const performers = signal<ReadonlyMap<string, PerformerInfo>>(new Map());

type Listener<T> = (value: T) => void;
const listeners = { message: new Set<Listener<Message>>(), frame: new Set<(name: string, frame: Frame) => void>() };

/** Calls `listener` for every text message. Returns a function that unsubscribes. */
export function onMessage(listener: Listener<Message>): () => void {
  listeners.message.add(listener);
  return () => listeners.message.delete(listener);
}

/** Calls `listener` for every frame, with the performer's name. Returns a function that unsubscribes. */
export function onFrame(listener: (name: string, frame: Frame) => void): () => void {
  listeners.frame.add(listener);
  return () => listeners.frame.delete(listener);
}

let socket: WebSocket | null = null;
let lastId = 0;
const waiting = new Map<number, { done: (done: Done) => void; failed: (problem: Error) => void }>();

/** Sends a request and returns the ids of the resulting intents, one per performer. */
export async function request(what: Intent | Control, performer?: string | string[]): Promise<(number | null)[]> {
  return (await requestDone(what, performer)).intents ?? [];
}

/** Sends a request and returns the server's answer. */
export function requestDone(what: Intent | Control, performer?: string | string[]): Promise<Done> {
  if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Error('The server is not running. Start vivant again.'));
  const id = ++lastId;
  socket.send(JSON.stringify({ ...what, id, ...(performer === undefined ? {} : { performer }) }));
  return new Promise((done, failed) => waiting.set(id, { done, failed }));
}

/** Sends a request without waiting for an answer, and skips it if the socket is busy: for values of which only the newest matters. */
export function sendLatest(what: Control, performer?: string | string[]): void {
  if (socket?.readyState === WebSocket.OPEN && socket.bufferedAmount < 4096) {
    socket.send(JSON.stringify({ ...what, ...(performer === undefined ? {} : { performer }) }));
  }
}

const HEADER = 84;

export function decode(bytes: ArrayBuffer): Frame {
  const view = new DataView(bytes);
  const bones = view.getUint16(4, true), channels = view.getUint16(6, true);
  return {
    number: view.getUint16(2, true),
    time: view.getFloat64(8, true),
    root: new Float32Array(bytes, 16, 3),
    signals: new Float32Array(bytes, 28, SIGNALS.length),
    rotations: new Float32Array(bytes, HEADER, 4 * bones),
    weights: new Float32Array(bytes, HEADER + 16 * bones, channels),
  };
}

let names: string[] = [];

function receive(message: Message): void {
  if ('welcome' in message) welcome.value = message.welcome;
  if ('performer' in message) {
    names[message.performer.number] = message.performer.performer;
    performers.value = new Map(performers.value).set(message.performer.performer, message.performer);
  }
  if ('event' in message) applyEvent(message.event);
  if ('gone' in message) {
    const left = new Map(performers.value);
    left.delete(message.gone.performer);
    performers.value = left;
  }
  if ('done' in message) settle(message.done.id)?.done(message.done);
  if ('error' in message) reject(message.error);
  listeners.message.forEach(listener => listener(message));
}

/** Updates a performer's activity, which the server sends as an event. */
function applyEvent({ performer, what }: Event): void {
  const info = performers.value.get(performer);
  if (!info || typeof what === 'string' || !('state' in what)) return;
  performers.value = new Map(performers.value).set(performer, { ...info, activity: what.state.be });
}

function settle(id: number | null | undefined) {
  const one = waiting.get(id ?? -1);
  waiting.delete(id ?? -1);
  return one;
}

function reject(problem: Problem): void {
  settle(problem.id)?.failed(new Error(problem.message));
}

/** Connects, and reconnects after the connection is lost. */
export function connect(): void {
  socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/live?plan=true&events=true`);
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => { connected.value = true; };
  socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data === 'string') return receive(JSON.parse(data) as Message);
    const frame = decode(data), name = names[frame.number];
    if (name !== undefined) listeners.frame.forEach(listener => listener(name, frame));
  };
  socket.onclose = () => {
    connected.value = false;
    waiting.forEach(({ failed }) => failed(new Error('The server is not running. Start vivant again.')));
    waiting.clear();
    names = [];
    performers.value = new Map();
    setTimeout(connect, 1000);
  };
}
