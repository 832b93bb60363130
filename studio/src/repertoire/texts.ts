// Texts of the repertoire view.
import type { ClipType, Layer, Proposal } from '../protocol.ts';
import type { Target } from './edit.ts';

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
export const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** Clip type of each target. */
export const TYPES: Record<Target['group'], ClipType> = {
  gestures: 'gesture', fidgets: 'fidget', transitions: 'transition', stance: 'stance',
};

/** Describes a drop, such as “3 clips become gestures of standing”. */
export function sentence(count: number, target: Target): string {
  const many = count !== 1, subject = count > 0 ? counted(count, 'clip') : 'Clips', verb = many ? 'become' : 'becomes';
  if (target.group === 'stance') return `${subject} ${verb} ${many ? 'new stances' : 'a new stance'}`;
  if (target.group === 'transitions') {
    const end = target.to === undefined ? 'to another stance' : `to ${target.to}`;
    return `${subject} ${verb} ${many ? 'transitions' : 'a transition'} from ${target.stance} ${end}`;
  }
  return `${subject} ${verb} ${many ? target.group : `a ${TYPES[target.group]}`} of ${target.stance}`;
}

/** Describes a proposal, such as “gesture of standing”, “transition from standing to sitting” or “stance sitting”. */
export function proposed({ type, stance, to }: Proposal): string {
  if (type === 'transition') return `transition from ${stance}${to ? ` to ${to}` : ''}`;
  return type === 'stance' ? `stance ${stance}` : `${type} of ${stance}`;
}

/** Describes layers, such as “Whole body” or “Arms and head”. */
export function layerWords(layers: readonly Layer[]): string {
  if (layers.length === 3) return 'Whole body';
  const words = layers.length === 0 ? 'No layers' : layers.join(' and ');
  return words[0]!.toUpperCase() + words.slice(1);
}
