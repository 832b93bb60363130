// The timeline: past, current and planned actions of performers, with the transport.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { loadSetting, saveSetting } from '../storage.ts';
import { addressed as tracks } from '../stage/cast.ts';
import { follow, width } from './axis.ts';
import { Controls, showClock } from './controls.tsx';
import { drawPlots, drawRuler } from './curves.ts';
import { listenToKeys } from './keys.ts';
import { Ruler, showPlayhead } from './ruler.tsx';
import { slide, Tip, Track } from './track.tsx';
import './timeline.css';

const MOST_DRAWS_A_SECOND = 30;

export const isOpen = signal(loadSetting('timeline') !== 'closed');

function setOpen(open: boolean): void {
  isOpen.value = open;
  saveSetting('timeline', open ? 'open' : 'closed');
}

export function Timeline() {
  const section = useRef<HTMLElement>(null);
  useEffect(listenToKeys, []);
  useEffect(() => drawing(section.current!), []);
  return (
    <section class="timeline" aria-label="Timeline" ref={section}>
      <Controls isOpen={isOpen.value} setOpen={setOpen} />
      {isOpen.value && <Tracks />}
    </section>
  );
}

function Tracks() {
  const names = tracks.value, area = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => { width.value = Math.max(1, entry!.contentRect.width); });
    observer.observe(area.current!.querySelector('canvas')!);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="tracks" ref={area}>
      <Ruler />
      <div class="several" data-many={names.length > 1}>
        {names.map(name => <Track key={name} performer={name} isNamed={names.length > 1} />)}
      </div>
      <div class="playhead" aria-hidden="true" />
      <Tip />
    </div>
  );
}

/** Redraws the timeline, at most `MOST_DRAWS_A_SECOND` times per second and only while the page is visible. */
function drawing(section: HTMLElement): () => void {
  let handle = 0, drawn = 0;
  const tick = (now: number): void => {
    handle = requestAnimationFrame(tick);
    if (now - drawn < 1000 / MOST_DRAWS_A_SECOND - 2) return;
    drawn = now;
    draw(section);
  };
  handle = requestAnimationFrame(tick);
  return () => cancelAnimationFrame(handle);
}

function draw(section: HTMLElement): void {
  showClock(section);
  if (!isOpen.peek()) return;
  const axis = follow();
  section.querySelectorAll<HTMLCanvasElement>('canvas').forEach(canvas => {
    const performer = canvas.dataset['performer'];
    if (performer === undefined) drawRuler(canvas, axis); else drawPlots(canvas, axis, performer);
  });
  slide(section, axis);
  showPlayhead(section, axis);
}
