// Lanes and plots of one performer.
import { signal } from '@preact/signals';
import { performerTime, scrub, transport } from '../playback.ts';
import type { Bar, Lane } from '../protocol.ts';
import { compared } from '../stage/cast.ts';
import { width, zoom, type Axis } from './axis.ts';
import { around, barsOf, brief, described, keyOf, LANES } from './bars.ts';
import { GROUPS, hidden } from './curves.ts';
import { startScrub } from './ruler.tsx';

/** Origin of bar positions in seconds. All bars scroll together; the origin changes rarely, so bars are rarely laid out again. */
const base = signal(0);
/** Whole seconds of the shown time; texts are updated once per second. */
const second = signal(0);
const BASE_SECONDS = 20;
/** Length of bars above which the name stays visible while scrolling. */
const LONG_PIXELS = 120;

/** The bar under the pointer or with the focus. */
const pointed = signal<HTMLElement | null>(null);

/** Display name of a performer; for compared ones, their caption. */
export const captionOf = (performer: string): string =>
  compared.value.find(one => one.performer === performer)?.caption?.replaceAll('\n', ', ') ?? performer;

export function Track({ performer, isNamed }: { performer: string; isNamed: boolean }) {
  const bars = barsOf(performer), name = captionOf(performer);
  const later = performerTime(performer, 0);
  return (
    <div class="track" role="group" aria-label={isNamed ? `Lanes of ${name}` : 'Lanes'}>
      {isNamed && <h3>{name}</h3>}
      <Now bars={bars} later={later} />
      {LANES.map(([lane, title]) => <LaneRow key={lane} lane={lane} title={title} bars={bars} later={later} />)}
      {hidden.value.size < GROUPS.length && (
        <div class="plots">
          <span class="gutter" aria-hidden="true"><span>Lids</span><span>Angles</span></span>
          <canvas data-performer={performer} aria-label={`Plots of ${name}: lids, eyes, head and gaze`} role="img" onPointerDown={startScrub} />
        </div>
      )}
    </div>
  );
}

function LaneRow({ lane, title, bars, later }: { lane: Lane; title: string; bars: readonly Bar[]; later: number }) {
  const from = base.value + later, to = from + BASE_SECONDS + 2 * zoom.value;
  const mine = bars.filter(bar => bar.lane === lane && bar.end > from - zoom.value && bar.start < to);
  const current = mine.findLast(({ start }) => start - later <= second.value) ?? mine[0];
  return (
    <div class="lane">
      <span class="gutter" aria-hidden="true">{title}</span>
      <ul aria-label={title} onKeyDown={onBarKey}>
        {mine.map(bar => <BarItem key={keyOf(bar)} bar={bar} later={later} isCurrent={bar === current} />)}
      </ul>
    </div>
  );
}

function BarItem({ bar, later, isCurrent }: { bar: Bar; later: number; isCurrent: boolean }) {
  const scale = width.value / zoom.value;
  const left = (bar.start - later - base.value) * scale, wide = Math.max(2, (bar.end - bar.start) * scale - 1);
  const text = described(bar, later);
  const point = ({ currentTarget }: { currentTarget: EventTarget }): void => { pointed.value = currentTarget as HTMLElement; };
  const leave = (): void => { pointed.value = null; };
  return (
    <li style={{ transform: `translateX(${left.toFixed(2)}px)`, width: `${wide.toFixed(2)}px` }}>
      <button type="button" class={`bar ${bar.kind}`} data-left={wide > LONG_PIXELS ? left : undefined} data-planned={bar.planned} data-asked={bar.asked} tabIndex={isCurrent ? 0 : -1}
        aria-label={text} onMouseEnter={point} onMouseLeave={leave} onFocus={point} onBlur={leave}
        onClick={() => { if (!bar.planned) scrub(bar.start - later); }}>{wide > 24 ? bar.name : ''}</button>
    </li>
  );
}

/** Moves the focus with arrow keys between bars and lanes. */
function onBarKey(event: KeyboardEvent): void {
  const bar = event.target as HTMLElement, ways = { ArrowLeft: -1, ArrowRight: 1 } as Record<string, number>;
  const all = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.bar')];
  const way = ways[event.key];
  const next = way === undefined ? beside(bar, event.key) : all[all.indexOf(bar) + way];
  if (!next) return;
  event.preventDefault();
  next.focus({ preventScroll: true });
}

function beside(bar: HTMLElement, key: string): HTMLElement | undefined {
  const row = bar.closest('.lane');
  const other = key === 'ArrowUp' ? row?.previousElementSibling : key === 'ArrowDown' ? row?.nextElementSibling : null;
  return other?.querySelector<HTMLElement>('.bar[tabindex="0"]') ?? undefined;
}

/** The current and next actions as a table for screen readers. */
function Now({ bars, later }: { bars: readonly Bar[]; later: number }) {
  const time = second.value + later;
  return (
    <table class="unseen">
      <caption>Current and next actions</caption>
      <thead><tr><th scope="col">Lane</th><th scope="col">Now</th><th scope="col">Next</th></tr></thead>
      <tbody>
        {LANES.map(([lane, title]) => {
          const { now, next } = around(bars, lane, time);
          return <tr key={lane}><th scope="row">{title}</th><td>{now ? brief(now) : 'nothing'}</td><td>{next ? `${brief(next)}, in ${(next.start - time).toFixed(0)} s` : 'nothing'}</td></tr>;
        })}
      </tbody>
    </table>
  );
}

/** Tooltip of the bar under the pointer. */
export function Tip() {
  return pointed.value && <p class="tip" role="tooltip">{pointed.value.ariaLabel}</p>;
}

/** Keeps the tooltip above its moving bar. */
function keepTip(section: HTMLElement): void {
  const tip = section.querySelector<HTMLElement>('.tip'), bar = pointed.peek();
  if (bar && !bar.isConnected) pointed.value = null;
  if (!tip || !bar) return;
  const { left, top } = bar.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(left, innerWidth - tip.offsetWidth - 4))}px`;
  tip.style.top = `${top}px`;
}

/** Scrolls all bars to match the axis. */
export function slide(section: HTMLElement, axis: Axis): void {
  second.value = Math.floor(transport.at.peek());
  base.value = Math.floor(axis.from / BASE_SECONDS) * BASE_SECONDS;
  const x = (base.value - axis.from) * axis.scale;
  section.querySelectorAll<HTMLElement>('.lane ul').forEach(list => { list.style.transform = `translateX(${x.toFixed(2)}px)`; });
  section.querySelectorAll<HTMLElement>('.bar[data-left]').forEach(bar => {
    bar.style.paddingLeft = `${Math.max(4, 4 - x - Number(bar.dataset['left'])).toFixed(1)}px`;
  });
  keepTip(section);
}
