// The overview: all stances and the transitions between them.
import { faultWords } from './edit.ts';
import { curve, plan, type Edge, type Spot } from './layout.ts';
import { choose, chosen, faultsOf, isOverview, repertoire } from './selection.ts';
import { counted, layerWords } from './texts.ts';

const NAME_LENGTH = 18;
const short = (name: string): string => name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH - 1)}…` : name;

export function Overview() {
  const { spots, edges, rings, width, height } = plan(repertoire.value);
  if (spots.length === 0) return <p class="overview-empty soft">No stances yet.</p>;
  return (
    <div class="overview" onKeyDown={event => { if (event.key === 'Escape') isOverview.value = false; }}>
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="group" aria-label="All stances and transitions">
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="1" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 8 4 0 8z" /></marker>
        </defs>
        {rings.length > 1 && rings.map(ring => <text key={ring.layers.join()} class="ring-title" x={ring.x} y={ring.y}>{layerWords(ring.layers)}</text>)}
        {edges.map(edge => <Arrow key={`${edge.from.path}→${edge.to.path}`} edge={edge} />)}
        {spots.map(spot => <Node key={spot.path} spot={spot} />)}
      </svg>
      <p class="soft overview-legend">Larger: more clips. Thicker: more transitions. Dashed: blend without a clip.</p>
    </div>
  );
}

function Arrow({ edge }: { edge: Edge }) {
  return (
    <path class="edge" d={curve(edge)} data-blend={edge.isBlend || undefined} stroke-width={Math.min(1.2 + 0.8 * (edge.count - 1), 6)} marker-end="url(#arrow)">
      <title>{`${edge.from.stance.name} to ${edge.to.stance.name}: ${counted(edge.count, 'transition')}`}</title>
    </path>
  );
}

function Node({ spot }: { spot: Spot }) {
  const { stance, x, y, radius } = spot, [fault] = faultsOf(spot.path, true);
  const clips = (stance.gestures?.length ?? 0) + (stance.fidgets?.length ?? 0);
  const words = `${stance.name}: ${counted(clips, 'clip')}${spot.isLonely ? ', no transitions' : ''}${fault ? `, ${fault.isWarning ? 'warning' : 'error'}: ${faultWords(fault)}` : ''}`;
  return (
    <g class="spot" role="button" tabIndex={0} aria-label={words} aria-pressed={chosen.value === stance} data-lonely={spot.isLonely || undefined}
      onClick={() => choose(stance.name)} onKeyDown={event => { if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); choose(stance.name); } }}>
      <title>{words}</title>
      <circle cx={x} cy={y} r={radius} />
      <text x={x} y={y + 5} class="spot-count">{clips}</text>
      <text x={x} y={spot.isHigh ? y - radius - 7 : y + radius + 16} class="spot-name">{fault ? (fault.isWarning ? '▲ ' : '✖ ') : ''}{short(stance.name)}</text>
      {spot.isLonely && <text x={x} y={spot.isHigh ? y - radius - 23 : y + radius + 31} class="spot-note">no transitions</text>}
    </g>
  );
}
