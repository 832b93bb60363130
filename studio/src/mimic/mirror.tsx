// The mirror panel: camera or video, settings, and what was recognised.
import { useComputed } from '@preact/signals';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { LATEST } from './manner.ts';
import { change, detail, isOn, manner, noticed, sight, source, state, stop, tempo, useCamera, useFilm } from './mimicry.ts';
import { drawPoints } from './skeleton.ts';
import { answerInWords, isFault, noticedInWords, paceInWords, stateInWords } from './texts.ts';
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
      {!isOn.value && <p>The character mirrors the person in front of the camera: stance, lean, nods, gestures and smiles.</p>}
      <p class="soft">Camera images stay in this page. Only points of body, face and hands are sent to Vivant on {location.host}, and none are stored.</p>
      {isOn.value ? <button type="button" class="stop" onClick={() => stop()}>Stop</button> : <Begin />}
      {source.value && <Picture />}
      <p class={isFault(state.value) ? 'state fault' : 'state'} role="status" aria-label="Mimicry">{stateInWords(state.value)}{detail.value && ` (${detail.value})`}</p>
      {tempo.value && <p class="soft pace">{paceInWords(tempo.value)}</p>}
      <RecognisedSection />
      <Manner />
    </div>
  );
}

function Begin() {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div class="row">
      <button type="button" class="main" onClick={() => void useCamera()}>Use camera</button>
      <button type="button" title="Mirror the person in a video; you can also drop one here" onClick={() => picker.current?.click()}>Choose video…</button>
      <input ref={picker} type="file" accept="video/*" class="unseen" tabIndex={-1} aria-label="Video"
        onChange={event => {
          const file = event.currentTarget.files?.[0];
          if (file) void useFilm(file);
          event.currentTarget.value = '';
        }} />
    </div>
  );
}

/** The camera image, flipped like a mirror, or the video, with the detected points. */
function Picture() {
  const box = useRef<HTMLDivElement>(null), canvas = useRef<HTMLCanvasElement>(null);
  const { video, isCamera } = source.value!;
  const shape = useComputed(() => sight.value?.size.join(' / ')).value;
  useLayoutEffect(() => {
    // Moving a video element in the document pauses it, so playback is resumed.
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
      <canvas ref={canvas} role="img" aria-label={isCamera ? 'Camera image with the detected points' : 'Video with the detected points'} />
    </div>
  );
}

function Manner() {
  const { amount, mirror, delay } = manner.value;
  return (
    <fieldset>
      <legend>Settings</legend>
      <Slider name="Amount" least={0} most={1} step={0.05} value={amount} words={`${Math.round(100 * amount)} %`} set={value => void change({ amount: value })} />
      <Slider name="Delay" least={0} most={LATEST} step={0.5} value={delay} words={`${delay} s`} set={value => void change({ delay: value })} />
      <label class="choice"><input type="checkbox" checked={mirror} onChange={event => void change({ mirror: event.currentTarget.checked })} />Mirror sides: your left is the character’s right</label>
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

function RecognisedSection() {
  const it = noticed.value;
  if (!it) return null;
  return (
    <>
      <section aria-label="Recognised">
        <h3>Recognised</h3>
        <dl>{noticedInWords(it).map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
      </section>
      <section aria-label="Answers">
        <h3>Answers</h3>
        {it.waiting.length + it.answered.length === 0 && <p class="soft">None yet.</p>}
        <ul>
          {it.waiting.map(answer => <li key={answer} class="soft">planned: {answerInWords(answer)}</li>)}
          {it.answered.map((answer, i) => <li key={`${i} ${answer}`}>{answerInWords(answer)}</li>)}
        </ul>
      </section>
    </>
  );
}

/** Button in the top bar that shows that the camera is on, and stops it. */
export function StopMirroringButton() {
  if (!isOn.value) return null;
  return (
    <button type="button" class="mirroring" title={stateInWords(state.value)} onClick={() => stop()}>
      <span class="lamp" aria-hidden="true" />{source.value?.isCamera === false ? 'Stop video' : 'Stop camera'}
    </button>
  );
}
