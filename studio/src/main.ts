// The studio: for now, the stage and what was played on it.
import { Figure, loadAvatar } from './body.ts';
import { Stage, type View } from './stage.ts';
import { connect, type Frame, type Hello } from './wire.ts';

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;

interface Played { name: string; clip: number; began: number; since: number; until: number | null }

const stage = new Stage(element<HTMLCanvasElement>('stage'));
let clips: string[] = [];
let played: Played[] = [];

connect({
  hello: hello => void greet(hello),
  frame: frame => { stage.frame = frame; note(frame); },
  gone: () => { element('now').textContent = 'The server is gone. Start vivant again, and the show goes on.'; },
});

async function greet(hello: Hello): Promise<void> {
  clips = hello.clips;
  played = [];
  element('avatar').textContent = hello.avatar;
  stage.body = hello.model ? await loadAvatar(hello).catch(() => new Figure(hello)) : new Figure(hello);
  document.documentElement.dataset['ready'] = 'true';
}

for (const button of document.querySelectorAll<HTMLButtonElement>('#views button')) {
  button.onclick = () => {
    stage.look(button.dataset['view'] as View);
    document.querySelectorAll('#views button').forEach(other => other.setAttribute('aria-pressed', String(other === button)));
  };
}

const spoken = (name: string): string => name.replaceAll('_', ' ');

/** Keeps the strip of what played. */
function note({ clip, since, seconds }: Frame): void {
  const last = played.at(-1);
  const name = clips[clip];
  if (name !== undefined && (!last || last.clip !== clip || last.began !== since)) {
    // A stance that went on under a gesture of the head is seen again from now on, not from its beginning.
    const from = last && since < last.since ? seconds : since;
    if (last) last.until = from;
    played = [...played, { name, clip, began: since, since: from, until: null }].slice(-8);
    element('now').textContent = spoken(name);
    element('strip').replaceChildren(...played.map(() => document.createElement('span')));
  }
  element('clock').textContent = `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, '0')}`;
  played.forEach(({ name, since, until }, i) => {
    const span = element('strip').children[i] as HTMLElement;
    const length = Math.max(0.4, (until ?? seconds) - since);
    span.style.flex = `${length} 1 0`;
    span.textContent = span.title = `${spoken(name)}  ${length.toFixed(1)} s`;
  });
}
