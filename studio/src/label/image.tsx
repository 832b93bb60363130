// The frame image with its points.
import { signal } from '@preact/signals';
import type { TargetedPointerEvent } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { busy, film, frame, guess, here, labelled, points, selected, task, track } from './state.ts';
import { copy, findFace, LEAST_FOR_GUESS, makeGuess, moveAll, movePoint, nearest, placeByHand } from './actions.ts';
import { EyeballsOverFilm } from './eyeball.tsx';
import { GuessInfo } from './points-panel.tsx';
import { fitEyes, fitWhole, isBright, missing, pan, screen, shown, view, zoom } from './viewport.ts';
import { apertureOf, eyeOf, irisRadius, IRIS, nameOf, outline, partOf, SHUT, SIDES, type Side, sideOf } from './points.ts';
import type { Point, Points } from './types.ts';
import { inPicture, onScreen } from './view-box.ts';

export function Picture() {
  const room = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const it = room.current!, measure = () => { screen.value = { width: it.clientWidth, height: it.clientHeight }; };
    const observer = new ResizeObserver(measure);
    observer.observe(it);
    measure();
    return () => observer.disconnect();
  }, []);
  useWheel(room);
  return (
    <section class="picture" ref={room} aria-label="Frame" {...useDragging(pan)} onDblClick={fitEyes}>
      <svg width={0} height={0} aria-hidden="true"><filter id="brighter" color-interpolation-filters="sRGB"><feComponentTransfer>{(['R', 'G', 'B'] as const).map(Brighten)}</feComponentTransfer></filter></svg>
      <Photograph />
      {shown.value?.frame === frame.value && <Overlay />}
      {film.value && shown.value?.frame === frame.value && !points.value && !track.value && !busy.value && task.value === 'points' && <NoPointsActions />}
      {shown.value && shown.value.frame !== frame.value && missing.value !== frame.value && <p class="waiting" role="status"><span class="wheel" aria-hidden="true" />Loading frame {frame.value} …</p>}
      {task.value === 'points' && <GuessInfo />}
      <ZoomControls />
    </section>
  );
}

/** Gamma correction: eyes are often dark in videos. */
const Brighten = (channel: 'R' | 'G' | 'B') => {
  const Part = `feFunc${channel}` as const;
  return <Part key={channel} type="gamma" exponent="0.6" />;
};

function Photograph() {
  if (!shown.value || !film.value) return null;
  const { scale, x, y } = view.value, { width, height } = film.value;
  // At high zoom, pixels are not smoothed, so that the recorded data is visible.
  const style = { width, height, transform: `translate(${x}px, ${y}px) scale(${scale})`, imageRendering: scale > 24 ? 'pixelated' : 'auto', filter: isBright.value ? 'url(#brighter)' : undefined } as const;
  return <img src={shown.value.url} alt={`Frame ${shown.value.frame} of ${film.value.name}`} draggable={false} style={style} />;
}

function Overlay() {
  const { width, height } = screen.value, it = points.value, model = (guess.value?.frame === frame.value ? guess.value.points : null) ?? track.value?.[frame.value];
  return (
    <svg class="overlay" width={width} height={height}>
      {model && model !== it && !here.value?.guessed && <g class="model" aria-hidden="true">{SIDES.map(side => <Outline key={side} points={model} side={side} />)}</g>}
      {it && task.value === 'points' && <Eyes points={it} isGuess={here.value?.guessed ?? false} />}
      {task.value === 'gaze' && <EyeballsOverFilm />}
    </svg>
  );
}

function Eyes({ points, isGuess }: { points: Points; isGuess: boolean }) {
  return (
    <g class={isGuess ? 'eyes guess' : 'eyes'}>
      {SIDES.map(side => <Outline key={side} points={points} side={side} />)}
      {points.map((point, index) => <Handle key={index} point={point} index={index} />)}
      <Name points={points} />
    </g>
  );
}

function Outline({ points, side }: { points: Points; side: Side }) {
  const eye = eyeOf(points, side), [x, y] = onScreen(view.value, eye[IRIS]!);
  const path = curve(outline(eye).map(point => onScreen(view.value, point)));
  return (
    <g class={side} aria-hidden="true">
      <path class="halo" d={path} /><path class="lid" d={path} />
      {apertureOf(eye) > SHUT && <circle class="iris" cx={x} cy={y} r={irisRadius(eye) * view.value.scale} />}
    </g>
  );
}

/** Two Catmull-Rom arcs from corner to corner through the lid points. */
function curve(at: Points): string {
  const arc = (from: Points) => from.slice(1).map((to, i) => {
    const before = from[i - 1] ?? from[i]!, start = from[i]!, after = from[i + 2] ?? to;
    const lean = (a: Point, b: Point, c: Point, sign: number) => [c[0] + sign * (b[0] - a[0]) / 6, c[1] + sign * (b[1] - a[1]) / 6];
    return `C${lean(before, to, start, 1)} ${lean(start, after, to, -1)} ${to}`;
  }).join('');
  return `M${at[0]}${arc(at.slice(0, 5))}${arc([...at.slice(4), at[0]!])}Z`;
}

const hovered = signal<number | null>(null);
/** The point selected by keyboard, whose name is shown. With a pointer, the name would hide the image. */
const named = signal<number | null>(null);

function Handle({ point, index }: { point: Point; index: number }) {
  const [x, y] = onScreen(view.value, point), isSelected = selected.value === index, it = useRef<SVGGElement>(null);
  const dragging = useDragging((dx, dy, event, turn) => {
    const { scale } = view.value;
    if (event.shiftKey) moveAll(dx / scale, dy / scale, `drag ${turn}`);
    else grab.current = move(index, grab.current!, dx, dy, turn, event.altKey);
  }, () => { grab.current = onScreen(view.value, points.value![index]!); });
  const grab = useRef<Point | null>(null);
  // The selected point takes the focus, so that arrow keys move it.
  useEffect(() => { if (isSelected && document.activeElement?.classList.contains('point')) it.current?.focus({ preventScroll: true }); }, [isSelected]);
  return (
    <g ref={it} class={`point ${sideOf(index)}${isSelected ? ' selected' : ''}`} transform={`translate(${x} ${y})`} tabIndex={0} role="button"
      aria-roledescription="point" aria-label={`${nameOf(index)}, at ${point[0].toFixed(1)}, ${point[1].toFixed(1)}`} {...dragging}
      onFocus={event => { selected.value = index; named.value = event.currentTarget.matches(':focus-visible') ? index : null; }} onBlur={() => { named.value = null; }} onPointerEnter={() => { hovered.value = index; }} onPointerLeave={() => { hovered.value = null; }}>
      <circle class="reach" r={11} />
      {partOf(index) === IRIS ? <path class="mark" d="M-6 0H-2M2 0H6M0 -6V-2M0 2V6" /> : <circle class="mark" r={5} />}
      <circle class="dot" r={1} />
    </g>
  );
}

/** Moves a dragged point. Returns its new screen position. */
function move(index: number, from: Point, dx: number, dy: number, turn: number, alone: boolean): Point {
  const to: Point = [from[0] + dx, from[1] + dy];
  movePoint(index, inPicture(view.value, to), `drag ${turn}`, alone);
  return to;
}

function Name({ points }: { points: Points }) {
  const index = hovered.value ?? named.value;
  if (index === null) return null;
  const [x, y] = onScreen(view.value, points[index]!), name = nameOf(index);
  return (
    <g class="name" transform={`translate(${x} ${y - 24})`} aria-hidden="true">
      <rect x={-name.length * 3.4 - 8} y={-12} width={name.length * 6.8 + 16} height={20} rx={10} /><text text-anchor="middle" y={2}>{name}</text>
    </g>
  );
}

let turns = 0;

/** Pointer handlers for dragging; `act` gets the movement since its last call. */
export function useDragging(act: (dx: number, dy: number, event: PointerEvent, turn: number) => void, begin?: () => void) {
  const last = useRef<{ x: number; y: number; turn: number } | null>(null);
  const down = (event: TargetedPointerEvent<Element>) => {
    if (event.button > 1 || (event.target as Element).closest('button, input, .beginning, .guessed, .zooming')) return;
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    last.current = { x: event.clientX, y: event.clientY, turn: ++turns };
    begin?.();
  };
  const drag = (event: TargetedPointerEvent<Element>) => {
    const from = last.current;
    if (!from) return;
    last.current = { ...from, x: event.clientX, y: event.clientY };
    act(event.clientX - from.x, event.clientY - from.y, event, from.turn);
  };
  const end = () => { last.current = null; };
  return { onPointerDown: down, onPointerMove: drag, onPointerUp: end, onPointerCancel: end };
}

/** Zooms with the wheel. Only a non-passive listener can prevent scrolling of the page. */
function useWheel(room: { current: HTMLElement | null }): void {
  useEffect(() => {
    const it = room.current!;
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      const box = it.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), [event.clientX - box.left, event.clientY - box.top]);
    };
    it.addEventListener('wheel', turn, { passive: false });
    return () => it.removeEventListener('wheel', turn);
  }, []);
}

/** Actions for a frame without points. */
function NoPointsActions() {
  const canGuess = labelled.value.length >= LEAST_FOR_GUESS, near = nearest();
  return (
    <div class="beginning">
      <p>This frame has no points yet.</p>
      <div>
        {canGuess && <button type="button" class="main" onClick={() => void makeGuess()}>Guess <kbd>G</kbd></button>}
        <button type="button" class={canGuess ? '' : 'main'} onClick={() => void findFace()}>Find face <kbd>F</kbd></button>
        {near && <button type="button" onClick={copy}>Copy from frame {near.frame} <kbd>C</kbd></button>}
        <button type="button" onClick={placeByHand}>Place by hand</button>
      </div>
    </div>
  );
}

function ZoomControls() {
  return (
    <div class="zooming" role="group" aria-label="Zoom">
      <button type="button" aria-label="Zoom out" title="Zoom out (−)" onClick={() => zoom(1 / 1.25)}>−</button>
      <output aria-label="Zoom">{Math.round(view.value.scale * 100)} %</output>
      <button type="button" aria-label="Zoom in" title="Zoom in (+)" onClick={() => zoom(1.25)}>+</button>
      <button type="button" title="Show both eyes (E)" onClick={fitEyes}>Fit eyes</button>
      <button type="button" title="Show the whole frame (0)" onClick={fitWhole}>Fit frame</button>
      <button type="button" title="Brighten the display; labels and model are not affected (B)" aria-pressed={isBright.value} onClick={() => { isBright.value = !isBright.value; }}>Brighten</button>
    </div>
  );
}
