// Layout of the overview: one circle of stances per set of layers, side by side.
import { byLayers, pathOf, type Repertoire, type Stance } from './edit.ts';
import type { Layer } from '../protocol.ts';

export interface Spot { stance: Stance; path: string; x: number; y: number; radius: number; isLonely: boolean; isHigh: boolean }
export interface Edge { from: Spot; to: Spot; count: number; isBlend: boolean }
/** A circle's title and its position. */
export interface Ring { layers: Layer[]; x: number; y: number }
export interface Plan { spots: Spot[]; edges: Edge[]; rings: Ring[]; width: number; height: number }

/** Distance between neighbours on a circle: enough for a name. */
const SPACING = 100;
const MARGIN = 72;
/** Height of the title above a circle. */
const TITLE = 44;

const countOf = (stance: Stance): number => (stance.gestures?.length ?? 0) + (stance.fidgets?.length ?? 0);
/** Radius of a stance; grows with its number of gestures and fidgets. */
const sizeOf = (stance: Stance): number => Math.min(20 + 2.5 * Math.sqrt(countOf(stance)), 52);

const ringRadius = (count: number): number => count < 2 ? 0 : Math.max(SPACING * count / (2 * Math.PI), 78);

function spotsOf(stances: readonly Stance[], index: (stance: Stance) => number, x: number, y: number): Spot[] {
  const radius = ringRadius(stances.length);
  return stances.map((stance, number) => {
    const angle = 2 * Math.PI * number / stances.length - Math.PI / 2;
    return { stance, path: pathOf(index(stance)), x: x + 1.25 * radius * Math.cos(angle), y: y + radius * Math.sin(angle), radius: sizeOf(stance), isLonely: false, isHigh: radius > 0 && Math.sin(angle) < -0.1 };
  });
}

function edgesOf(spots: readonly Spot[]): Edge[] {
  const byName = new Map(spots.map(spot => [spot.stance.name, spot]));
  return spots.flatMap(from => {
    return [...waysByEnd(from.stance)].flatMap(([name, those]) => {
      const to = byName.get(name);
      return to && to !== from ? [{ from, to, count: those.length, isBlend: those.every(way => !way.clip) }] : [];
    });
  });
}

function waysByEnd(stance: Stance): Map<string, { clip?: string | null }[]> {
  const ways = new Map<string, { clip?: string | null }[]>();
  for (const way of stance.transitions ?? []) ways.set(way.to, [...ways.get(way.to) ?? [], way]);
  return ways;
}

/** Returns the layout of the whole graph. */
export function plan({ stances }: Repertoire): Plan {
  const sets = byLayers(stances), index = new Map(stances.map((stance, number) => [stance, number]));
  const tallest = Math.max(...sets.map(set => ringRadius(set.stances.length)), 40) + MARGIN;
  const middle = TITLE + tallest;
  const spots: Spot[] = [], rings: Ring[] = [];
  let x = 0;
  for (const set of sets) {
    const half = 1.25 * ringRadius(set.stances.length) + MARGIN;
    rings.push({ layers: set.layers, x: x + half, y: middle - ringRadius(set.stances.length) - MARGIN - 14 });
    spots.push(...spotsOf(set.stances, stance => index.get(stance)!, x + half, middle));
    x += 2 * half;
  }
  const edges = edgesOf(spots);
  // The only stance of its layers needs no transitions.
  const isOneOfMany = ({ stance }: Spot): boolean => sets.some(set => set.stances.length > 1 && set.stances.includes(stance));
  for (const spot of spots) spot.isLonely = isOneOfMany(spot) && !edges.some(edge => edge.from === spot || edge.to === spot);
  return { spots, edges, rings, width: Math.max(x, 1), height: middle + tallest };
}

/** Path of an edge, bent to the right so that both directions are visible. */
export function curve({ from, to }: Edge): string {
  const dx = to.x - from.x, dy = to.y - from.y, length = Math.hypot(dx, dy) || 1;
  const bend = Math.min(0.14 * length, 40), mx = (from.x + to.x) / 2 - bend * dy / length, my = (from.y + to.y) / 2 + bend * dx / length;
  const start = towards(from, mx, my, from.radius + 2), end = towards(to, mx, my, to.radius + 9);
  return `M${start} Q${mx.toFixed(1)} ${my.toFixed(1)} ${end}`;
}

function towards(spot: Spot, x: number, y: number, by: number): string {
  const length = Math.hypot(x - spot.x, y - spot.y) || 1;
  return `${(spot.x + by * (x - spot.x) / length).toFixed(1)} ${(spot.y + by * (y - spot.y) / length).toFixed(1)}`;
}
