// Plays voices synchronized with the clocks of their performers.
import { onFrame } from '../wire.ts';
import { Clock } from './clock.ts';

const clocks = new Map<string, Clock>();
let context: AudioContext | null = null;
const playing = new Set<AudioBufferSourceNode>();

const seconds = (): number => performance.now() / 1000;

export function start(): void {
  onFrame((name, { time }) => {
    let clock = clocks.get(name);
    if (!clock) clocks.set(name, clock = new Clock());
    clock.update(time, seconds());
  });
}

/** Returns the current time of a performer in seconds; undefined before its first frame. */
export function timeOf(performer: string): number | undefined {
  const ahead = clocks.get(performer)?.ahead;
  return ahead === undefined ? undefined : seconds() + ahead;
}

/** Returns the audio context. Browsers allow sound only after a user action. */
export async function sound(): Promise<AudioContext> {
  context ??= new AudioContext();
  if (context.state === 'suspended') await Promise.race([context.resume(), new Promise(done => setTimeout(done, 500))]);
  if (context.state !== 'running') throw new Error('The browser blocks sound until you press a key or button. Try again.');
  return context;
}

/** Starts a voice when the performer's clock reaches `at`. */
export async function play(voice: AudioBuffer, performer: string, at: number): Promise<void> {
  const out = await sound(), now = timeOf(performer);
  if (now === undefined) return;
  const source = new AudioBufferSourceNode(out, { buffer: voice });
  source.connect(out.destination);
  source.onended = () => playing.delete(source);
  // Output latency is subtracted.
  const wait = at - now - (out.outputLatency || 0);
  source.start(out.currentTime + Math.max(0, wait), Math.max(0, -wait));
  playing.add(source);
}

/** Stops all voices. */
export function silence(): void {
  playing.forEach(source => source.stop());
  playing.clear();
  if ('speechSynthesis' in window) speechSynthesis.cancel();
}
