// A figure whose parts toggle what a clip moves.
import { showError } from '../state.ts';
import { PARTS, type Part } from './edit.ts';

/** Shapes seen from the front: its left arm is on the right. */
const SHAPES: Record<Part, string> = {
  head: 'M50 4a13 13 0 0 1 13 13c0 8-5 15-13 15s-13-7-13-15A13 13 0 0 1 50 4z',
  spine: 'M38 36h24q8 0 8 8l-4 44H34l-4-44q0-8 8-8z',
  rightArm: 'M27 40q-8 2-10 12L9 96q-1 7 5 8t8-6l9-40z',
  leftArm: 'M73 40q8 2 10 12l8 44q1 7-5 8t-8-6l-9-40z',
  legs: 'M34 91h32l-2 70q-1 6-7 6t-6-6l-1-48-1 48q0 6-6 6t-7-6z',
};
const NAMES: Record<Part, string> = { head: 'Head', spine: 'Spine', leftArm: 'Left arm', rightArm: 'Right arm', legs: 'Legs' };

interface Props { on: readonly Part[] | 'mixed'; usual: readonly Part[]; onChange: (parts: Part[]) => void }

export function Figure({ on, usual, onChange }: Props) {
  const now = on === 'mixed' ? usual : on;
  const toggle = (part: Part): void => {
    const next = now.includes(part) ? now.filter(other => other !== part) : [...now, part];
    if (next.length === 0) showError('At least one body part must move.');
    else onChange(next);
  };
  return (
    <svg class="figure" viewBox="0 0 100 170" role="group" aria-label="Moved body parts">
      {PARTS.map(part => (
        <path key={part} d={SHAPES[part]} role="checkbox" tabIndex={0} aria-label={NAMES[part]} aria-checked={on === 'mixed' ? 'mixed' : on.includes(part)}
          data-usual={usual.includes(part) || undefined} onClick={() => toggle(part)}
          onKeyDown={event => { if (event.key === ' ' || event.key === 'Enter') { event.preventDefault(); toggle(part); } }}>
          <title>{`${NAMES[part]}: ${now.includes(part) ? 'moves' : 'does not move'}`}</title>
        </path>
      ))}
    </svg>
  );
}
