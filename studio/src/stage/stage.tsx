// The stage: the avatar, and from where it is seen.
import { useEffect, useRef } from 'preact/hooks';
import { shown } from '../past.ts';
import { complain, MAIN } from '../state.ts';
import { performers } from '../wire.ts';
import { loadBody } from './body.ts';
import { Theatre, type View } from './theatre.ts';

const VIEWS: [View, string][] = [['body', 'Body'], ['bust', 'Bust'], ['eyes', 'Eyes']];

export function Stage() {
  const canvas = useRef<HTMLCanvasElement>(null), theatre = useRef<Theatre>(null);
  const info = performers.value.get(MAIN);
  useEffect(() => { theatre.current = new Theatre(canvas.current!, () => shown(MAIN)); }, []);
  useEffect(() => {
    if (!info) return;
    loadBody(info.character).then(body => {
      theatre.current!.body = body;
      document.documentElement.dataset['ready'] = 'true';
    }, complain);
  }, [info?.character, info?.avatar]);
  return (
    <section class="stage" aria-label="Stage">
      <canvas ref={canvas} tabIndex={0}
        aria-label="The character, moving. Drag to look from another side, scroll to come closer, arrow keys to turn." />
      <div class="views" role="group" aria-label="Camera">
        {VIEWS.map(([view, name]) => <button key={view} type="button" onClick={() => theatre.current?.look(view)}>{name}</button>)}
      </div>
    </section>
  );
}
