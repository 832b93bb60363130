// The panel in which a person is mirrored: by the camera or from a film, how much and how soon, and what was understood.
import { useComputed } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { LATEST } from './manner.ts';
import { change, detail, isOn, manner, noticed, sight, source, state, stop, tempo, useCamera, useFilm } from './mimicry.ts';
import { drawPoints } from './skeleton.ts';
import { answerInWords, isFault, noticedInWords, paceInWords, stateInWords } from './words.ts';
import './mirror.css';

const takesFilm = (event: DragEvent): void => {
  if (!event.dataTransfer?.types.includes('Files')) return;
  event.preventDefault();
  event.stopPropagation();
};

function dropFilm(event: DragEvent): void {
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  takesFilm(event);
  void useFilm(file);
}

export function Mirror() {
  return (
    <div class="mimicry" onDragOver={takesFilm} onDrop={dropFilm}>
      {!isOn.value && <p>The character takes after a person before the camera: how they stand and lean, nod, gesture and smile. A moment later, and in its own way.</p>}
      <p class="soft">The camera’s pictures stay in this page. Only points of body, face and hands go to Vivant, on {location.host}; nothing is kept.</p>
      {isOn.value ? <button type="button" class="stop" onClick={() => stop()}>Stop</button> : <Begin />}
      {source.value && <Picture />}
      <p class={isFault(state.value) ? 'state fault' : 'state'} role="status" aria-label="Mimicry">{stateInWords(state.value)}{detail.value && ` (${detail.value})`}</p>
      {tempo.value && <p class="soft pace">{paceInWords(tempo.value)}</p>}
      <Understood />
      <Manner />
    </div>
  );
}

function Begin() {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div class="row">
      <button type="button" class="main" onClick={() => void useCamera()}>Use the camera</button>
      <button type="button" title="A film of a person; or drop one here" onClick={() => picker.current?.click()}>Choose a film…</button>
      <input ref={picker} type="file" accept="video/*" class="unseen" tabIndex={-1} aria-label="Film"
        onChange={event => {
          const file = event.currentTarget.files?.[0];
          if (file) void useFilm(file);
          event.currentTarget.value = '';
        }} />
    </div>
  );
}

/** What the camera sees, as in a mirror, with the points that were found. */
function Picture() {
  const box = useRef<HTMLDivElement>(null), canvas = useRef<HTMLCanvasElement>(null);
  const { video, isCamera } = source.value!;
  const shape = useComputed(() => sight.value?.size.join(' / ')).value;
  useLayoutEffect(() => {
    // A video that is put into a page or taken out of it stops; behind other panels it goes on.
    const moved = (move: () => void) => {
      const wasPlaying = !video.paused;
      move();
      if (wasPlaying && source.peek()?.video === video) void video.play().catch(() => undefined);
    };
    moved(() => box.current!.prepend(video));
    return () => moved(() => video.remove());
  }, [video]);
  useEffect(() => sight.subscribe(now => {
    const it = canvas.current!;
    if (now && (it.width !== now.size[0] || it.height !== now.size[1])) [it.width, it.height] = now.size;
    drawPoints(it, now);
  }), []);
  return (
    <div ref={box} class={isCamera ? 'watched flipped' : 'watched'} style={{ aspectRatio: shape ?? '4 / 3' }}>
      <canvas ref={canvas} role="img" aria-label={isCamera ? 'What the camera sees, with the points that were found' : 'The film, with the points that were found'} />
    </div>
  );
}

function Manner() {
  const { amount, mirror, delay } = manner.value;
  return (
    <fieldset>
      <legend>How</legend>
      <Slider name="How much" least={0} most={1} step={0.05} value={amount} words={amount === 0 ? 'not at all' : amount === 1 ? 'fully' : `${Math.round(100 * amount)} %`} set={value => void change({ amount: value })} />
      <Slider name="Delay" least={0} most={LATEST} step={0.5} value={delay} words={delay === 0 ? 'at once' : `after ${delay} s`} set={value => void change({ delay: value })} />
      <label class="choice"><input type="checkbox" checked={mirror} onChange={event => void change({ mirror: event.currentTarget.checked })} />As in a mirror: your left is its right</label>
    </fieldset>
  );
}

interface SliderProps { name: string; least: number; most: number; step: number; value: number; words: string; set: (value: number) => void }

function Slider({ name, least, most, step, value, words, set }: SliderProps) {
  const id = useId();
  return (
    <div class="slider">
      <label for={id}>{name}</label>
      <output for={id}>{words}</output>
      <input id={id} type="range" min={least} max={most} step={step} value={value} aria-valuetext={words} onInput={event => set(event.currentTarget.valueAsNumber)} />
    </div>
  );
}

function Understood() {
  const it = noticed.value;
  if (!it) return null;
  return (
    <>
      <section aria-label="What was understood">
        <h3>I understand</h3>
        <dl>{noticedInWords(it).map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
      </section>
      <section aria-label="What the character answers">
        <h3>I answer</h3>
        {it.waiting.length + it.answered.length === 0 && <p class="soft">Nothing yet: I take my time.</p>}
        <ul>
          {it.waiting.map(answer => <li key={answer} class="soft">soon: {answerInWords(answer)}</li>)}
          {it.answered.map((answer, i) => <li key={`${i} ${answer}`}>{answerInWords(answer)}</li>)}
        </ul>
      </section>
    </>
  );
}

/** Beside the views, wherever one is: that somebody is watched, and the way to end it. */
export function Mirroring() {
  if (!isOn.value) return null;
  return (
    <button type="button" class="mirroring" title={stateInWords(state.value)} onClick={() => stop()}>
      <span class="lamp" aria-hidden="true" />{source.value?.isCamera === false ? 'Stop the film' : 'Stop the camera'}
    </button>
  );
}
