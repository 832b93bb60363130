// Bars of the timeline: past and planned actions from the server's plans.
import { signal } from '@preact/signals';
import type { Bar, Lane, Plan } from '../protocol.ts';
import { onMessage } from '../wire.ts';
import { clock } from './axis.ts';

export const LANES: [Lane, string][] = [
  ['body', 'Body'], ['arms', 'Arms'], ['head', 'Head'], ['gaze', 'Gaze'], ['blinks', 'Blinks'], ['speech', 'Speech'],
];
const KEPT_SECONDS = 300;

const NONE: readonly Bar[] = [];
const plans = signal<ReadonlyMap<string, { at: number; bars: readonly Bar[] }>>(new Map());
export const barsOf = (performer: string): readonly Bar[] => plans.value.get(performer)?.bars ?? NONE;
export const keyOf = ({ lane, start }: Bar): string => `${lane} ${start}`;

/** Merges bars: finished ones stay, the rest comes from the newest plan. */
export function merged(before: readonly Bar[], plan: Plan): Bar[] {
  const over = before.filter(({ end, planned }) => !planned && end < plan.since && end > plan.at - KEPT_SECONDS);
  const all = new Map([...over, ...plan.bars].map(bar => [keyOf(bar), bar]));
  return [...all.values()].sort((a, b) => a.start - b.start);
}

function applyPlan(plan: Plan): void {
  const before = plans.value.get(plan.performer);
  const isNew = !before || plan.at < before.at;
  const bars = merged(isNew ? NONE : before.bars, plan);
  plans.value = new Map(plans.value).set(plan.performer, { at: plan.at, bars });
}

function forget(performer: string): void {
  const left = new Map(plans.value);
  left.delete(performer);
  plans.value = left;
}

onMessage(message => {
  if ('plan' in message) applyPlan(message.plan);
  if ('gone' in message) forget(message.gone.performer);
});

/** Returns the bar of a lane at a time, and the next one. */
export function around(bars: readonly Bar[], lane: Lane, time: number): { now: Bar | undefined; next: Bar | undefined } {
  const mine = bars.filter(bar => bar.lane === lane);
  return {
    now: mine.findLast(({ start, end }) => start <= time && time < end),
    next: mine.find(({ start }) => start > time),
  };
}

/** Short text: “wave, requested”. */
export const brief = ({ name, asked }: Bar): string => asked ? `${name}, requested` : name;

/** Full description of a bar. */
export function described(bar: Bar, later: number): string {
  const kind = bar.kind === 'look' || bar.kind === bar.name ? '' : ` (${bar.kind})`;
  const when = `${clock(bar.start - later)} to ${clock(bar.end - later)}`;
  const how = [bar.planned ? 'planned' : '', bar.asked ? 'requested' : ''].filter(Boolean).join(', ');
  return [`${bar.name}${kind}`, when, how, bar.why ?? ''].filter(Boolean).join(' · ');
}
