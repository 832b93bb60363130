// Encoding of audio samples for the protocol.
import type { Pcm } from '../protocol.ts';

/** Sampling rate of audio lip-sync in Hz. */
export const RATE = 16_000;
/** Samples per chunk: half a second. */
const PIECE = RATE / 2;

export function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

export function fromBase64(text: string): ArrayBuffer {
  return Uint8Array.from(atob(text), letter => letter.charCodeAt(0)).buffer;
}

/** Splits one channel (−1 to 1) into chunks of 16-bit samples. */
export function pieces(samples: Float32Array): Pcm[] {
  const all: Pcm[] = [];
  for (let at = 0; at < samples.length; at += PIECE) {
    const part = samples.subarray(at, at + PIECE), view = new DataView(new ArrayBuffer(part.length * 2));
    part.forEach((sample, i) => view.setInt16(2 * i, Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), true));
    all.push({ rate: RATE, data: base64(new Uint8Array(view.buffer)) });
  }
  return all;
}
