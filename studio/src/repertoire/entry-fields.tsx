// Properties of gestures, fidgets and transitions, for one entry or a selection of several.
import type { Layer } from '../protocol.ts';
import { edit } from '../state.ts';
import { movePaths, removePaths } from './actions.ts';
import {
  haveSameLayers, LAYERS, layersOf, maskOf, moves, nameOf, parsePath, partsOf, playedOn, setFields, setTag, shared, sideOf,
  type Entry, type Group, type Part, type Shared, type Side, type Stance, type Target,
} from './edit.ts';
import { FaultText, MIXED, NumberField, Radios, Row, Select, Slider, TextField, Toggles } from './fields.tsx';
import { Figure } from './figure.tsx';
import { openPlaceMenu } from './place-menu.tsx';
import { clipsByName, faultsOf, repertoire, selectedEntries, selectedPaths } from './selection.ts';
import { Tags } from './tags.tsx';
import { Trim } from './trim.tsx';

const HANDS = [['none', 'None'], ['L', 'Left'], ['R', 'Right'], ['LR', 'Both']] as const;
const LAYER_NAMES: [Layer, string][] = [['body', 'Body'], ['arms', 'Arms'], ['head', 'Head']];
const BLEND_S = 0.3;
const MOST_LIKELY = 4;

const plain = <T extends string | number>(it: Shared<T>): T | typeof MIXED => it === MIXED ? MIXED : it.value;

/** The selected entries with the data for their fields. */
interface Selection { paths: string[]; entries: Entry[]; stances: Stance[]; groups: Group[]; names: string }

function selection(): Selection {
  const paths = [...selectedPaths.value], entries = selectedEntries.value, places = paths.map(path => parsePath(path)!);
  return {
    paths, entries,
    stances: places.map(place => repertoire.value.stances[place.stance]!),
    groups: places.map(place => place.group!),
    names: entries.length === 1 ? nameOf(entries[0]!) : `${entries.length} clips`,
  };
}

/** Sets fields of the selected entries in one edit. The edit is named, for example, “hand of wave: R”. */
const change = ({ paths, names }: Selection, what: string, words: string, fields: Partial<Entry>): void =>
  void edit(`${what} of ${names}: ${words}`, { repertoire: now => setFields(now, paths, fields) });

export function EntryFields() {
  const it = selection(), one = it.entries.length === 1 ? it.entries[0]! : null;
  const areActions = it.groups.every(group => group !== 'transitions');
  const found = (field: string) => it.paths.length === 1 ? faultsOf(`${it.paths[0]}.${field}`) : [];
  return (
    <>
      {one && <Row label="Name" found={found('name')}><TextField label="Name" value={one.name ?? ''} placeholder={nameOf({ ...one, name: null })}
        onCommit={name => change(it, 'name', name || 'name of the clip', { name: name || undefined })} /></Row>}
      <WhereRow it={it} />
      {one?.clip && <ClipRows it={it} one={one} />}
      {one && <FaultText found={[...faultsOf(it.paths[0]!).filter(fault => /\]$|\.(clip|start|end)$/.test(fault.path))]} />}
      <LayerRows it={it} areActions={areActions} found={found('layers')} />
      <Row label="Hand"><Radios label="Hand" options={HANDS} value={plain(shared(it.entries, entry => sideOf(entry.hand) ?? 'none'))}
        onPick={(hand: Side | 'none') => change(it, 'hand', hand, { hand: hand === 'none' ? undefined : hand })} /></Row>
      <TagRow it={it} />
      <Row label="Likelihood" found={found('likelihood')}><Slider label="Likelihood" value={shared(it.entries, entry => entry.likelihood ?? 1)} min={0} max={MOST_LIKELY} step={0.1}
        words={likely} onCommit={value => change(it, 'likelihood', likely(value), { likelihood: value === 1 ? undefined : value })} /></Row>
      <Row label="Blend" found={[...found('blendIn'), ...found('blendOut')]}>
        <Blend it={it} field="blendIn" label="Blend in" /><span class="soft">s in</span><Blend it={it} field="blendOut" label="Blend out" /><span class="soft">s out</span>
      </Row>
      {areActions && <LoopRow it={it} />}
      <div class="buttons end"><button type="button" title="Key P" onClick={() => openPlaceMenu()}>Move to…</button>
        <button type="button" title="Key Delete" onClick={() => void removePaths(it.paths)}>Remove</button></div>
    </>
  );
}

const likely = (value: number): string => value === 0 ? 'only on request' : `${value.toFixed(1)} ×`;

/** Type and stance; a change moves the entry. */
function WhereRow({ it }: { it: Selection }) {
  const group = plain(shared(it.groups, one => one)), stance = plain(shared(it.stances, ({ name }) => name));
  const to = plain(shared(it.entries, entry => entry.to ?? ''));
  const first = it.stances[0]!, ends = repertoire.value.stances.filter(other => other !== first && haveSameLayers(other, first)).map(other => other.name);
  const moveTo = (toGroup: Group | typeof MIXED, toStance: string, end: string | undefined): void => {
    if (toGroup === MIXED || toStance === MIXED) return;
    const target: Target = toGroup === 'transitions' ? { group: toGroup, stance: toStance, to: end || ends[0] } : { group: toGroup, stance: toStance };
    void movePaths(it.paths, target);
  };
  const names = repertoire.value.stances.map(({ name }) => [name, name] as const);
  return (
    <>
      <Row label="Type"><Radios label="Type" value={group} onPick={picked => moveTo(picked, stance, undefined)}
        options={[['gestures', 'Gesture'], ['fidgets', 'Fidget'], ...(ends.length > 0 ? [['transitions', 'Transition'] as const] : [])] as const} /></Row>
      <Row label={group === 'transitions' ? 'From' : 'Stance'}><Select label="Stance" value={stance} options={names} onPick={picked => moveTo(group, picked, to === MIXED ? undefined : to)} /></Row>
      {group === 'transitions' && <Row label="To" found={it.paths.length === 1 ? faultsOf(`${it.paths[0]}.to`) : []}>
        <Select label="To" value={to} options={[...new Set([...ends, ...(to && to !== MIXED ? [to] : [])])].map(name => [name, name] as const)} onPick={end => change(it, 'end', end, { to: end })} /></Row>}
    </>
  );
}

function ClipRows({ it, one }: { it: Selection; one: Entry }) {
  const clip = clipsByName.value.get(one.clip!);
  if (!clip || clip.error) return <Row label="Clip"><span class="fault-text">{one.clip}: {clip?.error ?? 'clip not found'}</span></Row>;
  return (
    <Row label="Part"><Trim clip={clip.clip} seconds={clip.seconds} start={one.start ?? 0} end={one.end}
      onCommit={(start, end) => change(it, 'part', `${(start ?? 0).toFixed(2)} to ${(end ?? clip.seconds).toFixed(2)} s`, { start, end })} /></Row>
  );
}

function LayerRows({ it, areActions, found }: { it: Selection; areActions: boolean; found: ReturnType<typeof faultsOf> }) {
  const layers = it.entries.map((entry, index) => playedOn(it.stances[index]!, entry));
  const isOn = (layer: Layer): boolean | 'mixed' => {
    const count = layers.filter(those => those.includes(layer)).length;
    return count === 0 ? false : count === layers.length || 'mixed';
  };
  const held = (layer: Layer): boolean => it.stances.every(stance => layersOf(stance).includes(layer));
  const toggle = (layer: Layer): void => {
    const next = LAYERS.filter(other => (other === layer ? isOn(other) !== true : isOn(other) === true) && held(other));
    const isUsual = next.length === 0 || it.stances.every(stance => layersOf(stance).join() === next.join());
    change(it, 'layers', next.join(', ') || 'those of the stance', { layers: isUsual ? undefined : next });
  };
  const usual = partsOf(layers[0] ?? []), parts = it.entries.map((entry, index) => moves(entry, layers[index]!).join());
  const on: Part[] | 'mixed' = parts.every(those => those === parts[0]) ? moves(it.entries[0]!, layers[0]!) : 'mixed';
  const isMasked = it.entries.some(entry => entry.mask?.length);
  return (
    <div class="body-rows">
      <Figure on={on} usual={usual} onChange={next => change(it, 'moved parts', next.map(part => part.replace('Arm', ' arm')).join(', '), { mask: maskOf(next, layers[0]!) })} />
      <div>
        {areActions && <Row label="Layers" found={found}><Toggles label="Layers" options={LAYER_NAMES} isOn={isOn} isOff={layer => !held(layer)} onToggle={toggle} /></Row>}
        <p class="soft small">{isMasked ? 'Only the filled parts move.' : 'The parts of its layers move. Click a part to exclude it.'}</p>
        {isMasked && <button type="button" onClick={() => change(it, 'moved parts', 'those of the layers', { mask: undefined })}>Reset to layers</button>}
      </div>
    </div>
  );
}

function TagRow({ it }: { it: Selection }) {
  const used = [...new Set(it.entries.flatMap(entry => entry.tags ?? []))];
  const all = used.filter(tag => it.entries.every(entry => entry.tags?.includes(tag)));
  return (
    <Row label="Tags" found={it.paths.length === 1 ? faultsOf(`${it.paths[0]}.tags`) : []}>
      <Tags all={all} some={used.filter(tag => !all.includes(tag))}
        onTag={(tag, isOn) => void edit(`${isOn ? 'add' : 'remove'} the tag ${tag} ${isOn ? 'to' : 'from'} ${it.names}`, { repertoire: now => setTag(now, it.paths, tag, isOn) })} />
    </Row>
  );
}

function Blend({ it, field, label }: { it: Selection; field: 'blendIn' | 'blendOut'; label: string }) {
  return <NumberField label={label} value={plain(shared(it.entries, entry => entry[field] ?? BLEND_S))} min={0} max={10} step={0.05}
    onCommit={value => change(it, label.toLowerCase(), `${value} s`, { [field]: value === BLEND_S ? undefined : value })} />;
}

function LoopRow({ it }: { it: Selection }) {
  const loops = it.entries.filter(entry => entry.loop).length, isOn = loops === it.entries.length;
  return (
    <Row label="Loop"><label class="check">
      <input type="checkbox" checked={isOn} ref={input => { if (input) input.indeterminate = loops > 0 && !isOn; }}
        onChange={() => change(it, 'loop', isOn ? 'off' : 'on', { loop: isOn ? undefined : true })} />
      repeat while requested</label></Row>
  );
}
