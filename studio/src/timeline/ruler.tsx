// The ruler: click to show a time, drag to loop a range; and the playhead.
import { newestTime, oldestTime, scrub, goLive, setLoop, transport } from '../playback.ts';
import { clock, place, timeAt, type Axis } from './axis.ts';

/** Pointer movement below which a press is a click. */
const DRAG_PIXELS = 5;

const within = (time: number): number => Math.min(Math.max(time, oldestTime()), newestTime());

function startRange(down: PointerEvent): void {
  const ruler = down.currentTarget as HTMLElement, left = ruler.getBoundingClientRect().left;
  const begin = within(timeAt(down.clientX - left));
  let dragged = false;
  const move = ({ clientX }: PointerEvent): void => {
    dragged ||= Math.abs(clientX - down.clientX) > DRAG_PIXELS;
    const end = within(timeAt(clientX - left));
    if (dragged && begin !== end) setLoop([Math.min(begin, end), Math.max(begin, end)]);
  };
  follow(ruler, down, move, () => { if (!dragged) scrub(begin); });
}

export function startScrub(down: PointerEvent): void {
  const area = down.currentTarget as HTMLElement;
  const left = area.closest('.timeline')!.querySelector('canvas')!.getBoundingClientRect().left;
  const move = ({ clientX }: PointerEvent): void => scrub(timeAt(clientX - left));
  if (area.getAttribute('role') !== 'slider') move(down);
  follow(area, down, move, () => {});
}

/** Tracks the pointer until it is released, also outside the element. */
function follow(element: HTMLElement, { pointerId, button }: PointerEvent, move: (event: PointerEvent) => void, end: () => void): void {
  if (button !== 0) return;
  element.setPointerCapture(pointerId);
  const up = (): void => {
    element.removeEventListener('pointermove', move);
    element.removeEventListener('lostpointercapture', up);
    end();
  };
  element.addEventListener('pointermove', move);
  element.addEventListener('lostpointercapture', up);
}

const STEPS: Record<string, number> = { ArrowLeft: -0.1, ArrowDown: -0.1, ArrowRight: 0.1, ArrowUp: 0.1, PageDown: -1, PageUp: 1 };

function moved(event: KeyboardEvent): void {
  const seconds = STEPS[event.key];
  if (seconds !== undefined) scrub(transport.at.value + seconds * (event.shiftKey ? 10 : 1));
  else if (event.key === 'Home') scrub(oldestTime());
  else if (event.key === 'End') goLive();
  else return;
  event.preventDefault();
}

export function Ruler() {
  return (
    <div class="ruler">
      <span class="gutter" aria-hidden="true">Time</span>
      <div class="axis" title="Click to show a time, drag to loop a range" onPointerDown={startRange}>
        <canvas aria-hidden="true" />
        <div class="handle" role="slider" tabIndex={0} aria-label="Shown time" aria-orientation="horizontal"
          aria-valuemin={0} aria-valuemax={0} aria-valuenow={0}
          onKeyDown={moved} onPointerDown={event => { event.stopPropagation(); startScrub(event); }} />
      </div>
    </div>
  );
}

/** Text for screen readers. */
function playheadText(): string {
  const at = transport.at.peek(), ago = newestTime() - at;
  return transport.live.peek() ? `live, ${clock(at, 0)}` : `${clock(at)}, ${ago.toFixed(1)} seconds ago`;
}

/** Moves the playhead and updates its slider. */
export function showPlayhead(section: HTMLElement, axis: Axis): void {
  const handle = section.querySelector<HTMLElement>('.handle'), head = section.querySelector<HTMLElement>('.playhead');
  const x = place(axis, transport.at.peek());
  for (const part of [handle, head]) if (part) part.style.transform = `translateX(${x}px)`;
  if (!handle || handle.ariaValueText === playheadText()) return;
  handle.ariaValueMin = oldestTime().toFixed(1);
  handle.ariaValueMax = newestTime().toFixed(1);
  handle.ariaValueNow = transport.at.peek().toFixed(2);
  handle.ariaValueText = playheadText();
}
