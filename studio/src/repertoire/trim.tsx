// The trim control: two handles for start and end of a clip, with the poses at both.
import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../api.ts';
import { pictureOf } from '../stage/pose-image.ts';
import { character } from '../state.ts';
import { NumberField, round } from './fields.tsx';
import { previewNow } from './hover.ts';

/** Minimum length of a trimmed part in seconds. */
const LEAST_S = 0.05;
const PICTURE = { width: 96, height: 120 };

interface Props { clip: string; seconds: number; start: number; end: number | null | undefined; onCommit: (start: number | undefined, end: number | undefined) => void }

/** Image of the clip's pose at a time, updated after dragging. */
function usePicture(clip: string, at: number): string | null {
  const [picture, show] = useState<string | null>(null), id = character.value?.id, avatar = character.value?.avatar.revision;
  useEffect(() => {
    let isLate = false;
    const soon = setTimeout(async () => {
      try {
        const frame = await api.pose(id!, clip, at);
        const made = await pictureOf(frame, PICTURE.width, PICTURE.height);
        if (isLate) URL.revokeObjectURL(made);
        else show(made);
      } catch {
        // The image is optional; the numbers show the same times.
        if (!isLate) show(null);
      }
    }, 120);
    return () => { isLate = true; clearTimeout(soon); };
  }, [id, avatar, clip, at]);
  useEffect(() => () => { if (picture) URL.revokeObjectURL(picture); }, [picture]);
  return picture;
}

function Pose({ clip, at, name }: { clip: string; at: number; name: string }) {
  const picture = usePicture(clip, at);
  return (
    <figure class="pose">
      {picture ? <img src={picture} alt={`Pose at the ${name}, ${at.toFixed(2)} seconds`} {...PICTURE} /> : <span class="pose-none" />}
    </figure>
  );
}

export function Trim({ clip, seconds, start, end, onCommit }: Props) {
  const whole = { start, end: end ?? seconds };
  const [now, set] = useState(whole);
  useEffect(() => set(whole), [clip, seconds, start, end]);
  const stop = useRef(() => {}), play = (from: number, to: number): void => { stop.current = previewNow({ clip, start: from, end: to }); };
  useEffect(() => () => stop.current(), [clip]);
  const commit = (from: number, to: number): void => {
    set({ start: from, end: to });
    play(from, to);
    onCommit(from > 0 ? round(from) : undefined, to < seconds - 1e-3 ? round(to) : undefined);
  };
  const setStart = (at: number): number => Math.min(Math.max(at, 0), now.end - LEAST_S);
  const setEnd = (at: number): number => Math.max(Math.min(at, seconds), now.start + LEAST_S);
  return (
    <div class="trim" onPointerLeave={() => stop.current()}>
      <Pose clip={clip} at={round(now.start)} name="start" />
      <div class="trim-middle">
        <Track seconds={seconds} start={Math.min(now.start, seconds)} end={Math.min(now.end, seconds)}
          onStart={at => set({ ...now, start: setStart(at) })} onEnd={at => set({ ...now, end: setEnd(at) })} onRelease={() => commit(now.start, now.end)} />
        <div class="trim-numbers">
          <NumberField label="Start in seconds" value={now.start} min={0} max={seconds} step={0.05} onCommit={at => { commit(setStart(at), now.end); return setStart(at); }} />
          <span class="soft">to</span>
          <NumberField label="End in seconds" value={now.end} min={0} max={seconds} step={0.05} onCommit={at => { commit(now.start, setEnd(at)); return setEnd(at); }} />
          <span class="soft">/ {seconds.toFixed(1)} s</span>
        </div>
        <div class="buttons">
          <button type="button" onClick={() => play(now.start, now.end)}>Play</button>
          {(now.start > 0 || now.end < seconds - 1e-3) && <button type="button" onClick={() => commit(0, seconds)}>Use whole clip</button>}
        </div>
      </div>
      <Pose clip={clip} at={round(now.end)} name="end" />
    </div>
  );
}

interface TrackProps { seconds: number; start: number; end: number; onStart: (at: number) => void; onEnd: (at: number) => void; onRelease: () => void }

function Track({ seconds, start, end, onStart, onEnd, onRelease }: TrackProps) {
  const track = useRef<HTMLDivElement>(null);
  const at = (event: PointerEvent): number => {
    const box = track.current!.getBoundingClientRect();
    return seconds * (event.clientX - box.left) / box.width;
  };
  return (
    <div ref={track} class="trim-track">
      <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
        <rect class="track-all" width="100" height="10" /><rect class="track-part" x={100 * start / seconds} width={Math.max(100 * (end - start) / seconds, 0)} height="10" />
      </svg>
      <Handle name="Start" value={start} min={0} max={end} seconds={seconds} at={at} onMove={onStart} onRelease={onRelease} />
      <Handle name="End" value={end} min={start} max={seconds} seconds={seconds} at={at} onMove={onEnd} onRelease={onRelease} />
    </div>
  );
}

interface HandleProps { name: string; value: number; min: number; max: number; seconds: number; at: (event: PointerEvent) => number; onMove: (at: number) => void; onRelease: () => void }

function Handle({ name, value, min, max, seconds, at, onMove, onRelease }: HandleProps) {
  const isHeld = useRef(false);
  const release = (): void => { if (isHeld.current) onRelease(); isHeld.current = false; };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 0.05, ArrowUp: 0.05, ArrowLeft: -0.05, ArrowDown: -0.05, PageUp: 0.5, PageDown: -0.5 }[event.key];
    const next = event.key === 'Home' ? min : event.key === 'End' ? max : step === undefined ? undefined : value + step;
    if (next === undefined) return;
    event.preventDefault();
    isHeld.current = true;
    onMove(next);
  };
  return (
    <span class="trim-handle" role="slider" tabIndex={0} aria-label={`${name} of the clip`} aria-valuemin={round(min)} aria-valuemax={round(max)} aria-valuenow={round(value)}
      aria-valuetext={`${value.toFixed(2)} seconds`} ref={element => { if (element) element.style.left = `${100 * value / seconds}%`; }}
      onPointerDown={event => { isHeld.current = true; event.currentTarget.setPointerCapture(event.pointerId); }}
      onPointerMove={event => { if (isHeld.current && event.buttons > 0) onMove(at(event)); }}
      onPointerUp={release} onKeyDown={onKeyDown} onKeyUp={release} onBlur={release} />
  );
}
