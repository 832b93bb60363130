// The label view: eye points and gaze in some frames of a video.
import { useEffect } from 'preact/hooks';
import { Dialog } from '../dialog.tsx';
import '../head.css';
import '../help.css';
import { theme, THEMES } from '../theme.ts';
import { stopTracking, tracking } from './actions.ts';
import * as state from './state.ts';
import { busy, film, history, notice, redo, saving, task, underway, undo, type Task } from './state.ts';
import { GazePanel } from './gaze-panel.tsx';
import { HELP, helpIsOpen } from './keys.ts';
import * as keys from './keys.ts';
import './label.css';
import * as viewport from './viewport.ts';
import { PointsPanel } from './points-panel.tsx';
import { Picture } from './image.tsx';
import { Strip } from './strip.tsx';

export function start(): void {
  keys.start();
  viewport.start();
  void state.start().then(() => { document.documentElement.dataset['ready'] = 'true'; }, state.showError);
}

export function Label() {
  useEffect(() => { document.title = film.value ? `${film.value.name} – Vivant` : 'Vivant'; }, [film.value]);
  return (
    <div id="app" class="label">
      <Head />
      <main>
        <Picture />
        <aside class="side">{task.value === 'points' ? <PointsPanel /> : <GazePanel />}</aside>
        <Strip />
      </main>
      <Notice />
      {helpIsOpen.value && <Help />}
    </div>
  );
}

const TASKS: readonly (readonly [Task, string])[] = [['points', 'Points'], ['gaze', 'Gaze']];
const SAVING = { saved: 'All changes are saved', saving: 'Saving …', failed: 'Not saved' } as const;

function Head() {
  return (
    <header class="head">
      <h1><svg width={22} height={22} viewBox="0 0 16 16" class="mark" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round"><path d="M1.5 8.3C3.6 4.9 5.7 3.6 8 3.6s4.4 1.3 6.5 4.7C12.4 11.3 10.3 12.4 8 12.4S3.6 11.3 1.5 8.300Z" /><circle cx="8" cy="8" r="2.3" fill="currentColor" stroke="none" /></svg>Label</h1>
      <span class="film-name" title={film.value?.labelsFile}>{film.value?.name ?? '…'}</span>
      <div class="segmented" role="group" aria-label="Task">
        {TASKS.map(([id, name], i) => <button key={id} type="button" aria-pressed={task.value === id} title={`${name} (${i + 1})`} onClick={() => { task.value = id; }}>{name}</button>)}
      </div>
      <span class="space" />
      <span class={`saving ${saving.value}`} role="status" title={film.value ? `In ${film.value.labelsFile}` : undefined}>{SAVING[saving.value]}</span>
      <div class="undoing" role="group" aria-label="History">
        <button type="button" class="quiet" disabled={history.value.past.length === 0} title={`Undo ${history.value.past.at(-1)?.what ?? 'nothing'} (Ctrl+Z)`} onClick={undo}>Undo</button>
        <button type="button" class="quiet" disabled={history.value.future.length === 0} title={`Redo ${history.value.future.at(-1)?.what ?? 'nothing'} (Ctrl+Shift+Z)`} onClick={redo}>Redo</button>
      </div>
      <button type="button" class="quiet" title="Switch between light, dark and system theme" onClick={() => { theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!; }}>Theme: {theme.value}</button>
      <button type="button" class="quiet" aria-label="Show keys" title="Show keys (?)" onClick={() => { helpIsOpen.value = true; }}>?</button>
    </header>
  );
}

const SEEING_MS = 6000;

/** Progress of tracking, once it is known. */
function far(): string {
  const [done, of] = underway.value?.tracking ?? [0, 0];
  return done > 0 ? `: frame ${done.toLocaleString('en')} of ${of.toLocaleString('en')}` : '';
}

function Notice() {
  const it = notice.value;
  useEffect(() => {
    if (!it || it.isFault) return;
    const timer = setTimeout(() => { if (notice.value === it) notice.value = null; }, SEEING_MS);
    return () => clearTimeout(timer);
  }, [it]);
  return (
    <div class="notice" role="status" aria-live="polite">
      {busy.value && <p class="busy"><span class="wheel" aria-hidden="true" />{busy.value}{tracking.value === 'on' ? far() : ''} …{tracking.value === 'on' && <button type="button" class="quiet" onClick={stopTracking}>Stop</button>}</p>}
      {it && <p class={it.isFault ? 'fault' : ''}><span>{it.text}</span><button type="button" class="quiet" aria-label="Close" onClick={() => { notice.value = null; }}>×</button></p>}
    </div>
  );
}

function Help() {
  return (
    <Dialog title="Keys" wide onClose={() => { helpIsOpen.value = false; }}>
      <div class="help">
        {HELP.map(({ title, rows }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>{rows.map(([press, what]) => <div key={press}><dt>{press.split(' · ').map(key => <kbd key={key}>{key}</kbd>)}</dt><dd>{what}</dd></div>)}</dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
