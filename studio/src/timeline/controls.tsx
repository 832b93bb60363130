// Transport buttons, display options, and export.
import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api.ts';
import { goLive, newestTime, oldestTime, performerTime, setLoop, setPlaying, setSpeed, SPEEDS, step, transport, type Range, type Speed } from '../playback.ts';
import { addressed as tracks } from '../stage/cast.ts';
import { clock, setZoom, zoom, ZOOMS, type Zoom } from './axis.ts';
import { GROUPS, hidden, toggle } from './curves.ts';
import { captionOf } from './track.tsx';

const FRACTIONS: Record<Speed, string> = { 1: '1×', 0.5: '½×', 0.25: '¼×', 0.125: '⅛×' };
const ENDINGS: [ending: string, name: string][] = [['vrma', 'VRMA'], ['glb', 'GLB'], ['bvh', 'BVH'], ['csv', 'CSV'], ['jsonl', 'JSON Lines']];
const LOOP_SECONDS = 5;
const EXPORT_SECONDS = 20;

export function Controls({ isOpen, setOpen }: { isOpen: boolean; setOpen: (open: boolean) => void }) {
  return (
    <div class="controls">
      <Transport />
      <output class="clock" aria-label="Shown time" aria-live="off">0:00.0</output>
      <span class="space" />
      {isOpen && <Legend />}
      {isOpen && (
        <select aria-label="Shown duration" value={zoom.value} onChange={event => setZoom(Number(event.currentTarget.value) as Zoom)}>
          {ZOOMS.map(seconds => <option key={seconds} value={seconds}>{seconds} s</option>)}
        </select>
      )}
      <Export />
      <button type="button" class="fold" aria-expanded={isOpen} aria-label="Lanes and plots" title={isOpen ? 'Hide lanes and plots' : 'Show lanes and plots'}
        onClick={() => setOpen(!isOpen)}><Icon path={isOpen ? 'M2 4.5h10L7 10z' : 'M2 9.5h10L7 4z'} /></button>
    </div>
  );
}

const Icon = ({ path }: { path: string }) => <svg viewBox="0 0 14 14" aria-hidden="true"><path d={path} /></svg>;

function Transport() {
  const { playing, live, speed, loop } = transport;
  return (
    <div class="transport" role="group" aria-label="Transport">
      <button type="button" aria-label="Step back" title="Step back one frame (,)" onClick={() => step(-1)}><Icon path="M2 2h2v10H2zM12 2v10L5 7z" /></button>
      <button type="button" class="play" aria-label={playing.value ? 'Pause' : 'Play'} title={`${playing.value ? 'Pause' : 'Play'} (Space)`}
        onClick={() => setPlaying(!playing.value)}><Icon path={playing.value ? 'M3 2h3v10H3zM8 2h3v10H8z' : 'M3 2v10l9-5z'} /></button>
      <button type="button" aria-label="Step forward" title="Step forward one frame (.)" onClick={() => step(1)}><Icon path="M10 2h2v10h-2zM2 2v10l7-5z" /></button>
      <select aria-label="Speed" value={speed.value} onChange={event => setSpeed(Number(event.currentTarget.value) as Speed)}>
        {SPEEDS.map(value => <option key={value} value={value}>{FRACTIONS[value]}</option>)}
      </select>
      <button type="button" aria-pressed={loop.value !== null} title="Loop a range: drag on the ruler, or set both ends with [ and ]"
        onClick={() => setLoop(loop.value ? null : lastSeconds(LOOP_SECONDS))}>Loop</button>
      <button type="button" class="live" aria-pressed={live.value} title="Return to the present" onClick={goLive}>Live</button>
    </div>
  );
}

/** Returns the last seconds before the shown time. */
function lastSeconds(seconds: number): Range {
  const to = transport.live.peek() ? newestTime() : transport.at.peek();
  return [Math.max(oldestTime(), to - seconds), to];
}

function Legend() {
  return (
    <div class="legend" role="group" aria-label="Plots">
      {GROUPS.map(({ id, name, colour, what }) => (
        <button key={id} type="button" aria-pressed={!hidden.value.has(id)} title={`Plot ${what}`} style={{ '--swatch': `var(${colour})` }}
          onClick={() => toggle(id)}>{name}</button>
      ))}
    </div>
  );
}

function Export() {
  const [range, setRange] = useState<Range | null>(null), box = useRef<HTMLDivElement>(null), button = useRef<HTMLButtonElement>(null);
  const close = (): void => { setRange(null); button.current?.focus(); };
  useEffect(() => {
    if (!range) return;
    box.current?.querySelector('a')?.focus();
    const outside = ({ target }: Event): void => { if (!box.current?.parentElement?.contains(target as Node)) setRange(null); };
    addEventListener('pointerdown', outside);
    return () => removeEventListener('pointerdown', outside);
  }, [range]);
  const open = (): void => setRange(transport.loop.peek() ?? lastSeconds(EXPORT_SECONDS));
  return (
    <div class="export" onKeyDown={event => { if (event.key === 'Escape' && range) close(); }}>
      <button type="button" ref={button} aria-expanded={range !== null} aria-controls="export" title="Export what was played to a file"
        onClick={() => range ? close() : open()}>Export</button>
      {range && <div id="export" role="group" aria-label="Export" ref={box}><Links range={range} /></div>}
    </div>
  );
}

const milli = (seconds: number): number => Math.round(seconds * 1000) / 1000;

function Links({ range: [from, to] }: { range: Range }) {
  const what = transport.loop.value ? 'Loop' : 'Last seconds';
  return <>
    <p>{what}: {clock(from)} to {clock(to)} ({(to - from).toFixed(1)} s)</p>
    {tracks.value.map((performer, _, { length }) => (
      <p key={performer}>
        {length > 1 && <span>{captionOf(performer)}</span>}
        {ENDINGS.map(([ending, name]) => (
          <a key={ending} download={`${performer}.${ending}`} href={api.exportUrl(performer, ending, milli(performerTime(performer, from)), milli(performerTime(performer, to)))}>{name}</a>
        ))}
      </p>
    ))}
  </>;
}

/** Updates the clock. */
export function showClock(section: HTMLElement): void {
  const output = section.querySelector('.clock'), text = clock(transport.at.peek(), transport.live.peek() ? 1 : 2);
  if (output && output.textContent !== text) output.textContent = text;
}
