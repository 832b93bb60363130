// Keyboard control of the transport, except in text fields and on focused buttons.
import { documentKeys } from '../keys.ts';
import { newestTime, setLoop, setPlaying, step, transport } from '../playback.ts';

const WRITES = 'input, textarea, select, [contenteditable=true], dialog';
const PRESSES = 'button, a, summary, [role=button], [role=tab], [role=option], [role=menuitem]';

const start = (): void => setLoop([transport.at.value, transport.loop.value?.[1] ?? newestTime()]);
const end = (): void => {
  const from = transport.loop.value?.[0] ?? transport.at.value - 5;
  if (from < transport.at.value) setLoop([from, transport.at.value]);
};

const KEYS: Record<string, () => void> = {
  ' ': () => setPlaying(!transport.playing.value),
  ',': () => step(-1),
  '.': () => step(1),
  '[': start,
  ']': end,
};

function pressed(event: KeyboardEvent): void {
  const action = KEYS[event.key], on = event.target instanceof Element ? event.target : document.body;
  if (!action || event.defaultPrevented || event.ctrlKey || event.metaKey || on.closest(WRITES)) return;
  if (event.key === ' ' && on.closest(PRESSES)) return;
  event.preventDefault();
  action();
}

documentKeys('Timeline', [
  ['Space', 'Pause or continue'],
  [', .', 'Step one frame back, one forward'],
  ['[ ]', 'Start and end the loop at the shown time'],
  ['On the playhead: ← →, Page Up, Page Down', 'Move by a tenth of a second, or a second'],
  ['On the playhead: Home, End', 'Go to the oldest stored time, to live'],
  ['On a bar: arrows, Enter', 'Go to the next bar or lane; replay it'],
]);

export function listenToKeys(): () => void {
  addEventListener('keydown', pressed);
  return () => removeEventListener('keydown', pressed);
}
