// The stage: performers, camera and gaze target.
import { useEffect, useRef, useState } from 'preact/hooks';
import { shown } from '../playback.ts';
import { showError } from '../state.ts';
import { isDark } from '../theme.ts';
import { performers } from '../wire.ts';
import { Avatar, DropHere, useDrop } from './avatar.tsx';
import type { View } from './camera.ts';
import { eyeHeight, parts, previewed } from './cast.ts';
import type { Cell } from './cells.ts';
import { sendGaze, gazeMode, type GazeMode } from './gaze.ts';
import { previewFrame } from './preview.ts';
import { Target } from './target.tsx';
import { StageRenderer } from './renderer.ts';
import { BodyCache } from './body-cache.ts';
import './stage.css';

const VIEWS: readonly [View, string][] = [['body', 'Body'], ['bust', 'Bust'], ['eyes', 'Eyes']];
const LOOKS: readonly [GazeMode, string][] = [['freely', 'freely'], ['you', 'at you'], ['pointer', 'at the pointer'], ['target', 'at the target']];

const frameOf = (performer: string) => () => performer === previewed.peek()?.performer ? previewFrame() : shown(performer);

export function Stage() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [renderer, setRenderer] = useState<StageRenderer | null>(null);
  const [captions, setCaptions] = useState<readonly Caption[]>([]);
  const drop = useDrop();
  useEffect(() => {
    const it = new StageRenderer(canvas.current!);
    it.onCells = (cells, roles) => setCaptions(roles.flatMap(({ name, caption }, i) => caption === null ? [] : [{ name, caption, cell: cells[i]! }]));
    it.onDrawn = () => { if (it.isPlaying) document.documentElement.dataset['ready'] = 'true'; };
    setRenderer(it);
    return sendGaze(it, canvas.current!);
  }, []);
  useEffect(() => renderer?.paint(isDark.value), [renderer, isDark.value]);
  useBodies(renderer);
  return (
    <section class="stage" aria-label="Stage" {...drop.on}>
      <canvas ref={canvas} tabIndex={0} role="img"
        aria-label="The animated character. Drag or use arrow keys to orbit; scroll or use plus and minus to zoom." />
      <Captions all={captions} />
      {renderer && gazeMode.value === 'target' && <Target renderer={renderer} />}
      <div class="stage-bar">
        {renderer && <Views renderer={renderer} />}
        <GazeControl />
        <span class="space" />
        <Avatar />
      </div>
      {drop.isOver && <DropHere />}
    </section>
  );
}

/** Loads the bodies of all visible performers. Until they are loaded, the stage does not change. */
function useBodies(renderer: StageRenderer | null): void {
  const cache = useRef(new BodyCache(why => showError(why)));
  const newest = useRef(0);
  const infos = parts.value.map(({ performer }) => performers.value.get(performer));
  const key = infos.map((info, i) => info ? `${info.performer} ${info.character} ${info.avatar} ${parts.value[i]!.caption}` : '?').join('|');
  useEffect(() => {
    const who = infos.filter(info => info !== undefined), cast = parts.value;
    if (!renderer || who.length < infos.length) return;
    const mine = ++newest.current;
    cache.current.load(who).then(bodies => {
      if (mine !== newest.current) return;
      renderer.roles = who.map(({ performer }, i) => ({ name: performer, caption: cast[i]!.caption, body: bodies[i]!, frame: frameOf(performer) }));
      cache.current.clear(bodies);
      eyeHeight.value = bodies[0]?.size.eyes ?? eyeHeight.value;
    }, showError);
  }, [renderer, key]);
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

function Views({ renderer }: { renderer: StageRenderer }) {
  const { viewpoint } = renderer;
  return (
    <div class="segmented" role="group" aria-label="Camera">
      {VIEWS.map(([view, name]) => (
        <button key={view} type="button" aria-pressed={viewpoint.view.value === view} onClick={() => viewpoint.look(view)}>{name}</button>
      ))}
    </div>
  );
}

function GazeControl() {
  return (
    <div class="looks">
      <span id="looks-label">Gaze</span>
      <div class="segmented" role="group" aria-labelledby="looks-label">
        {LOOKS.map(([how, name]) => (
          <button key={how} type="button" aria-pressed={gazeMode.value === how} onClick={() => { gazeMode.value = how; }}>{name}</button>
        ))}
      </div>
    </div>
  );
}
