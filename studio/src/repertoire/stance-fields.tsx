// Properties of a stance.
import type { Layer } from '../protocol.ts';
import { showError, edit } from '../state.ts';
import { startHere, isFirst, LAYERS, layersOf, pathOf, removeStance, renameStance, setStance, stanceNamed, type Stance } from './edit.ts';
import { FaultText, Row, Select, TextField, Toggles } from './fields.tsx';
import { choose, clips, clipsByName, chosenIndex, faultsOf, repertoire } from './selection.ts';
import { Trim } from './trim.tsx';

const LAYER_NAMES: [Layer, string][] = [['body', 'Body'], ['arms', 'Arms'], ['head', 'Head']];

/** Returns why a name is not allowed, or null. */
function objection(name: string): string | null {
  if (name === '') return 'A stance needs a name.';
  return stanceNamed(repertoire.value, name) ? `A stance “${name}” already exists. Choose another name.` : null;
}

function rename(from: string, to: string): boolean {
  const why = objection(to);
  if (why) showError(why);
  else void edit(`rename ${from} to ${to}`, { repertoire: now => renameStance(now, from, to) }).then(() => { if (stanceNamed(repertoire.value, to)) choose(to); });
  return why === null;
}

const change = (stance: Stance, what: string, words: string, fields: Partial<Stance>): void =>
  void edit(`${what} of ${stance.name}: ${words}`, { repertoire: now => setStance(now, stance.name, fields) });

function toggleLayer(stance: Stance, layer: Layer): void {
  const now = layersOf(stance), next = LAYERS.filter(other => (other === layer) !== now.includes(other));
  if (next.length === 0) return showError('A stance needs at least one layer.');
  change(stance, 'layers', next.join(', '), { layers: next.length === LAYERS.length ? undefined : next });
}

export function StanceFields({ stance }: { stance: Stance }) {
  const path = pathOf(chosenIndex.value), clip = stance.clip ? clipsByName.value.get(stance.clip) : undefined;
  const isBegin = isFirst(repertoire.value, stance);
  return (
    <>
      <Row label="Name" field="name" found={faultsOf(`${path}.name`)}><TextField label="Name" value={stance.name} onCommit={name => rename(stance.name, name)} /></Row>
      <Row label="Clip" field="clip" found={faultsOf(`${path}.clip`)}>
        <Select label="Clip" value={stance.clip ?? ''} onPick={spelling => change(stance, 'clip', spelling || 'the neutral pose', { clip: spelling || undefined, start: undefined, end: undefined })}
          options={[['', 'none: the neutral pose'], ...(stance.clip && !clip ? [[stance.clip, stance.clip] as const] : []), ...clips.value.map(({ clip: spelling, name }) => [spelling, name] as const)]} />
      </Row>
      {clip && !clip.error && <Row label="Part" field="end" found={[...faultsOf(`${path}.start`), ...faultsOf(`${path}.end`)]}>
        <Trim clip={clip.clip} seconds={clip.seconds} start={stance.start ?? 0} end={stance.end}
          onCommit={(start, end) => change(stance, 'part', `${(start ?? 0).toFixed(2)} to ${(end ?? clip.seconds).toFixed(2)} s`, { start, end })} /></Row>}
      <Row label="Layers" field="layers" found={faultsOf(`${path}.layers`)}><Toggles label="Layers" options={LAYER_NAMES} isOn={layer => layersOf(stance).includes(layer)} onToggle={layer => toggleLayer(stance, layer)} /></Row>
      <Row label="Start"><label class="check"><input type="checkbox" checked={isBegin} disabled={isBegin}
        onChange={() => void edit(`start in ${stance.name}`, { repertoire: now => startHere(now, stance.name) })} />performances start here</label></Row>
      <FaultText found={faultsOf(path).filter(fault => fault.path === path)} />
      <div class="buttons end"><button type="button" onClick={() => void edit(`delete the stance ${stance.name}`, { repertoire: now => removeStance(now, stance.name) })}>Delete stance</button></div>
    </>
  );
}
