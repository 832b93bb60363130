// The stage: who is seen, from where, and where they look.
import { useEffect, useRef, useState } from 'preact/hooks';
import { shown } from '../past.ts';
import { complain } from '../state.ts';
import { isDark } from '../theme.ts';
import { performers } from '../wire.ts';
import { Avatar, DropHere, useDrop } from './avatar.tsx';
import type { View } from './camera.ts';
import { eyeHeight, parts, previewed } from './cast.ts';
import type { Cell } from './cells.ts';
import { keepLooking, looks, type Looks } from './looking.ts';
import { previewFrame } from './preview.ts';
import { Target } from './target.tsx';
import { Theatre } from './theatre.ts';
import { Wardrobe } from './wardrobe.ts';
import './stage.css';

const VIEWS: readonly [View, string][] = [['body', 'Body'], ['bust', 'Bust'], ['eyes', 'Eyes']];
const LOOKS: readonly [Looks, string][] = [['freely', 'freely'], ['you', 'at you'], ['pointer', 'at the pointer'], ['target', 'at the target']];

const frameOf = (performer: string) => () => performer === previewed.peek()?.performer ? previewFrame() : shown(performer);

export function Stage() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [theatre, setTheatre] = useState<Theatre | null>(null);
  const [captions, setCaptions] = useState<readonly Caption[]>([]);
  const drop = useDrop();
  useEffect(() => {
    const it = new Theatre(canvas.current!);
    it.onCells = (cells, roles) => setCaptions(roles.flatMap(({ name, caption }, i) => caption === null ? [] : [{ name, caption, cell: cells[i]! }]));
    it.onDrawn = () => { if (it.isPlaying) document.documentElement.dataset['ready'] = 'true'; };
    setTheatre(it);
    return keepLooking(it, canvas.current!);
  }, []);
  useEffect(() => theatre?.paint(isDark.value), [theatre, isDark.value]);
  useBodies(theatre);
  return (
    <section class="stage" aria-label="Stage" {...drop.on}>
      <canvas ref={canvas} tabIndex={0} role="img"
        aria-label="The character, moving. Drag to look from another side, scroll to come closer; arrow keys turn, plus and minus come closer." />
      <Captions all={captions} />
      {theatre && looks.value === 'target' && <Target theatre={theatre} />}
      <div class="stage-bar">
        {theatre && <Views theatre={theatre} />}
        <LooksControl />
        <span class="space" />
        <Avatar />
      </div>
      {drop.isOver && <DropHere />}
    </section>
  );
}

/** Dresses all that are seen. While somebody's body is on its way, the picture stays as it is. */
function useBodies(theatre: Theatre | null): void {
  const wardrobe = useRef(new Wardrobe(why => complain(why)));
  const newest = useRef(0);
  const infos = parts.value.map(({ performer }) => performers.value.get(performer));
  const key = infos.map((info, i) => info ? `${info.performer} ${info.character} ${info.avatar} ${parts.value[i]!.caption}` : '?').join('|');
  useEffect(() => {
    const who = infos.filter(info => info !== undefined), cast = parts.value;
    if (!theatre || who.length < infos.length) return;
    const mine = ++newest.current;
    wardrobe.current.dress(who).then(bodies => {
      if (mine !== newest.current) return;
      theatre.roles = who.map(({ performer }, i) => ({ name: performer, caption: cast[i]!.caption, body: bodies[i]!, frame: frameOf(performer) }));
      wardrobe.current.clear(bodies);
      eyeHeight.value = bodies[0]?.size.eyes ?? eyeHeight.value;
    }, complain);
  }, [theatre, key]);
}

interface Caption { name: string; caption: string; cell: Cell }

function Captions({ all }: { all: readonly Caption[] }) {
  return (
    <>
      {all.map(({ name, caption, cell }) => {
        const [first, ...more] = caption.split('\n');
        return (
          <p key={name} class={more.length > 0 ? 'caption' : 'caption short'} style={{ left: `${cell.left}px`, top: `${cell.top}px`, width: `${cell.width}px` }}>
            <span><b>{first}</b>{more.map(line => <small key={line}>{line}</small>)}</span>
          </p>
        );
      })}
    </>
  );
}

function Views({ theatre }: { theatre: Theatre }) {
  const { viewpoint } = theatre;
  return (
    <div class="segmented" role="group" aria-label="Camera">
      {VIEWS.map(([view, name]) => (
        <button key={view} type="button" aria-pressed={viewpoint.view.value === view} onClick={() => viewpoint.look(view)}>{name}</button>
      ))}
    </div>
  );
}

function LooksControl() {
  return (
    <div class="looks">
      <span id="looks-label">Looks</span>
      <div class="segmented" role="group" aria-labelledby="looks-label">
        {LOOKS.map(([how, name]) => (
          <button key={how} type="button" aria-pressed={looks.value === how} onClick={() => { looks.value = how; }}>{name}</button>
        ))}
      </div>
    </div>
  );
}
