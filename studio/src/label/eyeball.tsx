// The widget of paper 5: an eyeball that is rotated until it looks the same way as the eyes in the video (Figure 4).
import { useRef } from 'preact/hooks';
import { frame, labels, secsOf } from './state.ts';
import { setGaze } from './actions.ts';
import { AHEAD, aheadIn, type Direction, direction, irisAt, keyAt, personOf, directionText, turned, withKey } from './gaze.ts';
import { eyesNear, view } from './viewport.ts';
import { useDragging } from './image.tsx';
import { EYEBALL_MM, eyeOf, IRIS_AHEAD_MM, IRIS_MM, SIDES, widthOf } from './points.ts';
import { onScreen } from './view-box.ts';

/** Returns the gaze at the current frame. */
export const gazeHere = (): Direction => keyAt(labels.value?.gaze ?? [], frame.value) ?? AHEAD;

/** Sets the gaze from the current frame on. */
export function setGazeFromHere(to: Direction, key: string, guessed = false): void {
  const { yawDeg, pitchDeg } = to;
  setGaze(guessed ? 'propose the gaze' : 'set the gaze', withKey(labels.value!.gaze, { frame: frame.value, secs: secsOf(frame.value), yawDeg, pitchDeg, ...(guessed ? { guessed } : {}) }), key);
}

const STEPS: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Arrow keys rotate it by 1°, with Shift by 5°, with Alt by 0.1°. Right in the image is the person's left. */
export function turnByKey(event: KeyboardEvent): boolean {
  const step = STEPS[event.key];
  if (!step || event.ctrlKey || event.metaKey) return false;
  const by = event.shiftKey ? 5 : event.altKey ? 0.1 : 1, { yawDeg, pitchDeg } = gazeHere();
  setGazeFromHere(direction(yawDeg + by * step[0], pitchDeg + by * step[1]), 'turn');
  event.preventDefault();
  event.stopPropagation();
  return true;
}

interface BallProps { x: number; y: number; radius: number; isLarge?: boolean }

/** An eyeball seen from the front, with the iris as a circle on its surface. */
function Ball({ x, y, radius, isLarge = false }: BallProps) {
  const now = gazeHere(), [right, down] = irisAt(now), start = useRef(now);
  const moved = useRef({ x: 0, y: 0 });
  const dragging = useDragging((dx, dy, _, turn) => {
    moved.current = { x: moved.current.x + dx / ahead, y: moved.current.y + dy / ahead };
    setGazeFromHere(turned(start.current, moved.current.x, moved.current.y), `drag ${turn}`);
  }, () => { start.current = gazeHere(); moved.current = { x: 0, y: 0 }; });
  const front = Math.sqrt(Math.max(0.05, 1 - right * right - down * down)), tilt = Math.atan2(down, right) * 180 / Math.PI;
  const ahead = radius * IRIS_AHEAD_MM / EYEBALL_MM, rim = IRIS_MM / 2 / EYEBALL_MM;
  const iris = (share: number) => ({ rx: radius * share * front, ry: radius * share });
  return (
    <g class={isLarge ? 'ball large' : 'ball'} transform={`translate(${x} ${y})`} {...dragging}>
      <circle class="white" r={radius} />
      {isLarge && [-2, -1, 1, 2].map(step => <Meridian key={step} radius={radius} sine={Math.sin(step * Math.PI / 8)} />)}
      <g transform={`translate(${right * ahead} ${down * ahead}) rotate(${tilt})`}>
        <ellipse class="coloured" {...iris(rim)} /><ellipse class="pupil" {...iris(0.4 * rim)} />
      </g>
      <path class="arrow" d={`M0 0L${right * radius * 2.2} ${down * radius * 2.2}`} />
      <circle class="rim" r={radius} />
    </g>
  );
}

const Meridian = ({ radius, sine }: { radius: number; sine: number }) => (
  <path class="meridian" d={`M${sine * radius} ${-radius * Math.sqrt(1 - sine * sine)}V${radius * Math.sqrt(1 - sine * sine)}M${-radius * Math.sqrt(1 - sine * sine)} ${sine * radius}H${radius * Math.sqrt(1 - sine * sine)}`} />
);

/** One eyeball over each eye of the video; both rotate together. */
export function EyeballsOverFilm() {
  const eyes = eyesNear();
  if (!eyes) return null;
  const { neutral, reach } = personOf(labels.value?.frames ?? [], labels.value?.gaze ?? []);
  return (
    <g tabIndex={0} role="slider" aria-label="Gaze, over the video" aria-valuetext={directionText(gazeHere())} aria-valuenow={gazeHere().yawDeg} onKeyDown={turnByKey} class="balls">
      {SIDES.map(side => {
        const [x, y] = onScreen(view.value, aheadIn(eyes, side, neutral));
        return <Ball key={side} x={x} y={y} radius={widthOf(eyeOf(eyes, side)) * reach * view.value.scale * EYEBALL_MM / IRIS_AHEAD_MM} />;
      })}
    </g>
  );
}

export function Eyeball() {
  return (
    <svg class="eyeball" viewBox="-110 -110 220 220" tabIndex={0} role="slider" aria-label="Gaze" aria-valuetext={directionText(gazeHere())} aria-valuenow={gazeHere().yawDeg}
      onKeyDown={turnByKey}>
      <Ball x={0} y={0} radius={96} isLarge />
    </svg>
  );
}
