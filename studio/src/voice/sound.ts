// What is heard: voices at the times of their performers' clocks.
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
    clock.tell(time, seconds());
  });
}

/** The time of a performer now, in seconds; of who has shown no frame, nothing. */
export function timeOf(performer: string): number | undefined {
  const ahead = clocks.get(performer)?.ahead;
  return ahead === undefined ? undefined : seconds() + ahead;
}

/** Where sound goes. Browsers let pages make sound only after somebody has pressed something. */
export async function sound(): Promise<AudioContext> {
  context ??= new AudioContext();
  if (context.state === 'suspended') await Promise.race([context.resume(), new Promise(done => setTimeout(done, 500))]);
  if (context.state !== 'running') throw new Error('The browser lets no sound through. Press a key or a button, and try again.');
  return context;
}

/** Lets a voice begin when a performer's clock shows `at`. */
export async function play(voice: AudioBuffer, performer: string, at: number): Promise<void> {
  const out = await sound(), now = timeOf(performer);
  if (now === undefined) return;
  const source = new AudioBufferSourceNode(out, { buffer: voice });
  source.connect(out.destination);
  source.onended = () => playing.delete(source);
  // What is played now is heard a little later.
  const wait = at - now - (out.outputLatency || 0);
  source.start(out.currentTime + Math.max(0, wait), Math.max(0, -wait));
  playing.add(source);
}

/** Says nothing more. */
export function hush(): void {
  playing.forEach(source => source.stop());
  playing.clear();
  if ('speechSynthesis' in window) speechSynthesis.cancel();
}
