// The layout of the studio in each view.
import { useEffect } from 'preact/hooks';
import { Compare } from './compare/compare.tsx';
import { Director } from './director/director.tsx';
import { Head } from './head.tsx';
import { Help } from './help.tsx';
import { Hints } from './hints.tsx';
import { drawer } from './keys.ts';
import { Notices } from './notices.tsx';
import { Graph } from './repertoire/graph.tsx';
import { Library } from './repertoire/library.tsx';
import { Properties } from './repertoire/properties.tsx';
import { Stage } from './stage/stage.tsx';
import { mode } from './state.ts';
import { Timeline } from './timeline/timeline.tsx';

export function App() {
  const now = mode.value;
  useEffect(() => { document.documentElement.dataset['mode'] = now; }, [now]);
  return (
    <div id="app" data-mode={now} data-drawer={drawer.value ?? undefined}>
      <Head />
      <div id="view" role="tabpanel" aria-labelledby={`tab-${now}`}>
        {now === 'repertoire' && <Library />}
        {now === 'repertoire' && <Graph />}
        <Stage />
        {now === 'live' && <Director />}
        {now === 'repertoire' && <Properties />}
        {now === 'compare' && <Compare />}
        {now !== 'repertoire' && <Timeline />}
      </div>
      <Notices />
      <Hints />
      <Help />
    </div>
  );
}
