// The video strip at the bottom: position, suggested frames and labelled frames.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { api } from './api.ts';
import { count, film, frame, go, labels, secsOf, suggestions, task, track, underway } from './state.ts';
import { next } from './actions.ts';
import { keyAt } from './gaze.ts';
import { shown } from './viewport.ts';
import type { GazeKey } from './types.ts';

type Row = 'suggested' | 'labelled';
const row = signal<Row>('suggested');

export function Strip() {
  return (
    <section class="strip" aria-label="Video">
      <Transport />
      <Track />
      {task.value === 'gaze' ? <GazeCurves /> : <Frames />}
    </section>
  );
}

/** Formats a time as m:ss.ss, or h:mm:ss.ss from one hour on. */
function clock(secs: number): string {
  const hours = Math.floor(secs / 3600), minutes = Math.floor(secs / 60) % 60, rest = (secs % 60).toFixed(2).padStart(5, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`;
}

function Transport() {
  return (
    <div class="transport" role="group" aria-label="Go to">
      <button type="button" aria-label="Previous frame" title="Previous frame (,)" disabled={frame.value === 0} onClick={() => go(frame.value - 1)}>‹</button>
      <label class="where">Frame <input type="number" min={0} max={count.value - 1} value={frame.value} aria-label="Frame number" onChange={event => go(event.currentTarget.valueAsNumber || 0)} /></label>
      <button type="button" aria-label="Next frame" title="Next frame (.)" disabled={frame.value >= count.value - 1} onClick={() => go(frame.value + 1)}>›</button>
      <span class="soft">{clock(secsOf(frame.value))} of {clock(secsOf(count.value - 1))}</span>
    </div>
  );
}

const share = (number: number): string => `${100 * number / Math.max(1, count.value - 1)}%`;

function Track() {
  const gaze = task.value === 'gaze' ? labels.value?.gaze ?? [] : [];
  return (
    <div class="track">
      <div class="marks" aria-hidden="true">
        {suggestions.value.map(number => <i key={`s${number}`} class="suggested" style={{ left: share(number) }} />)}
        {labels.value?.frames.map(({ frame: number, guessed }) => <i key={number} class={guessed ? 'guess' : 'labelled'} style={{ left: share(number) }} />)}
        {track.value && lostRanges(track.value).map(([from, to]) => <i key={`l${from}`} class="lost" style={{ left: share(from), width: `max(2px, ${share(to - from)})` }} />)}
        {gaze.map(({ frame: number, guessed }) => <i key={`g${number}`} class={guessed ? 'key guess' : 'key'} style={{ left: share(number) }} />)}
      </div>
      <input type="range" aria-label="Frame" min={0} max={Math.max(0, count.value - 1)} value={frame.value} aria-valuetext={`frame ${frame.value}, ${clock(secsOf(frame.value))}`}
        onInput={event => go(event.currentTarget.valueAsNumber)} />
    </div>
  );
}

/** Ranges of frames in which the model is uncertain. */
function lostRanges(all: readonly unknown[]): [number, number][] {
  const ranges: [number, number][] = [];
  all.forEach((it, i) => {
    if (it !== null) return;
    const last = ranges.at(-1);
    if (last?.[1] === i) last[1] = i + 1;
    else ranges.push([i, i + 1]);
  });
  return ranges;
}

/** Progress text while a long video is scanned for suggestions. */
function looking(): string | null {
  const seen = underway.value?.looking;
  return seen ? `Searching for useful frames: ${seen[0]} of ${seen[1]}. You can start labelling meanwhile.` : null;
}

function Frames() {
  const known = new Map(labels.value?.frames.map(it => [it.frame, it]));
  const all = row.value === 'suggested' ? suggestions.value : [...known.keys()];
  const done = [...known.values()].filter(it => !it.guessed).length;
  return (
    <div class="frames">
      <div class="which" role="group" aria-label="Shown frames">
        <button type="button" aria-pressed={row.value === 'suggested'} onClick={() => { row.value = 'suggested'; }}>Suggested <small>{suggestions.value.length}</small></button>
        <button type="button" aria-pressed={row.value === 'labelled'} onClick={() => { row.value = 'labelled'; }}>Labelled <small>{done}</small></button>
        <button type="button" class="quiet" title="Go to the next suggested frame (N)" onClick={() => void next()}>Next ›</button>
      </div>
      <ol class="thumbs" aria-label={row.value === 'suggested' ? 'Suggested frames' : 'Labelled frames'}>
        {all.length > 0 && row.value === 'suggested' && looking() && <li class="soft none looking">{looking()}</li>}
        {all.map(number => <Thumb key={number} number={number} state={!known.has(number) ? 'new' : known.get(number)!.guessed ? 'proposed' : 'labelled'} />)}
        {all.length === 0 && <li class="soft none">{row.value === 'labelled' ? 'Added frames are shown here.' : looking() ?? 'No suggestions.'}</li>}
      </ol>
    </div>
  );
}

/** A thumbnail. It loads after the frame itself. */
function Thumb({ number, state }: { number: number; state: 'new' | 'proposed' | 'labelled' }) {
  const it = useRef<HTMLLIElement>(null), isHere = frame.value === number;
  useEffect(() => { if (isHere) it.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }); }, [isHere]);
  const word = { new: 'not labelled', proposed: 'proposed', labelled: 'labelled' }[state];
  return (
    <li ref={it}>
      <button type="button" class={`thumb ${state}`} aria-current={isHere ? 'true' : undefined} aria-label={`Frame ${number}, ${word}`} onClick={() => go(number)}>
        {shown.value && <img src={api.frameUrl(film.value!, number, 160)} alt="" loading="lazy" draggable={false} />}
        <span>{number}</span>{state === 'labelled' && <b aria-hidden="true">✓</b>}
      </button>
    </li>
  );
}

/** The gaze signal: constant between keys. */
function GazeCurves() {
  const keys = labels.value?.gaze ?? [], now = keyAt(keys, frame.value);
  const most = Math.max(10, ...keys.flatMap(({ yawDeg, pitchDeg }) => [Math.abs(yawDeg), Math.abs(pitchDeg)]));
  const at = (number: number) => 1000 * number / Math.max(1, count.value - 1);
  return (
    <div class="curves">
      <svg viewBox="0 0 1000 100" preserveAspectRatio="none" role="img" aria-label={`Gaze over the video: ${keys.length} keys, now ${now ? `${now.yawDeg}° left, ${now.pitchDeg}° up` : 'not set'}`}
        onClick={event => { const box = event.currentTarget.getBoundingClientRect(); go((event.clientX - box.left) / box.width * (count.value - 1)); }}>
        <path class="zero" d="M0 50H1000" />
        <path class="yaw" d={steps(keys, at, it => 50 - 46 * it.yawDeg / most)} />
        <path class="pitch" d={steps(keys, at, it => 50 - 46 * it.pitchDeg / most)} />
        <path class="now" d={`M${at(frame.value)} 0V100`} />
      </svg>
      <p class="legend"><span class="yaw">their left ↑</span> <span class="pitch">up ↑</span> <span class="soft">±{most.toFixed(0)}°</span></p>
    </div>
  );
}

function steps(keys: readonly GazeKey[], x: (frame: number) => number, y: (key: GazeKey) => number): string {
  return keys.map((key, i) => `${i === 0 ? 'M' : 'V'}${i === 0 ? `${x(key.frame)} ${y(key)}` : y(key)}H${i + 1 < keys.length ? x(keys[i + 1]!.frame) : 1000}`).join('');
}
