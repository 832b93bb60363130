// The studio's frame: what is where in each mode.
import { useEffect } from 'preact/hooks';
import { Compare } from './compare/compare.tsx';
import { Director } from './director/director.tsx';
import { Head } from './head.tsx';
import { Graph } from './repertoire/graph.tsx';
import { Library } from './repertoire/library.tsx';
import { Properties } from './repertoire/properties.tsx';
import { Stage } from './stage/stage.tsx';
import { mode } from './state.ts';
import { Notices } from './notices.tsx';
import { Timeline } from './timeline/timeline.tsx';

export function App() {
  const now = mode.value;
  useEffect(() => { document.documentElement.dataset['mode'] = now; }, [now]);
  return (
    <div id="app" data-mode={now}>
      <Head />
      {now === 'repertoire' && <Library />}
      {now === 'repertoire' && <Graph />}
      <Stage />
      {now === 'live' && <Director />}
      {now === 'repertoire' && <Properties />}
      {now === 'compare' && <Compare />}
      {now !== 'repertoire' && <Timeline />}
      <Notices />
    </div>
  );
}
