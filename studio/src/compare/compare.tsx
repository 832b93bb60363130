// Compares performers side by side: same seed, same intents, different settings.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Buttons } from '../director/buttons.tsx';
import { Line } from '../director/command-line.tsx';
import { presets, temperament } from '../director/temperament.ts';
import type { Temperament } from '../protocol.ts';
import { compared } from '../stage/cast.ts';
import { character } from '../state.ts';
import { connected } from '../wire.ts';
import { begin, end, seed, settings } from './performers.ts';
import { experiments, MOST, settingOf, type Setting } from './experiments.ts';
import '../director/director.css';
import './compare.css';

const OWN = 'own';

export function Compare() {
  const id = character.value?.id, isReady = connected.value && presets.value.length > 0;
  const chosen = useSignal(0 as number | typeof OWN);
  const base = character.value?.temperament;
  const take = (which: number | typeof OWN) => {
    chosen.value = which;
    if (which !== OWN) settings.value = experiments()[which]?.settings ?? [];
    begin();
  };
  useEffect(() => {
    if (id && isReady) take(chosen.value);
    return end;
  }, [id, isReady]);
  return (
    <section class="side director compare" aria-label="Compare">
      <label class="field">Experiment
        <select value={String(chosen.value)} onChange={event => take(event.currentTarget.value === OWN ? OWN : Number(event.currentTarget.value))}>
          {experiments().map(({ name }, i) => <option key={name} value={i}>{name}</option>)}
          <option value={OWN}>Custom…</option>
        </select>
      </label>
      {chosen.value === OWN ? <Settings base={base ?? {}} /> : <Findings />}
      <RestartButtons />
      <Line />
      <p class="soft scope">{compared.value.length > 0 ? `Commands and buttons apply to all ${compared.value.length} performers.` : 'Loading performers …'}</p>
      <Buttons />
    </section>
  );
}

/** Buttons that restart with the same seed or a new one. */
function RestartButtons() {
  const roll = (number: number) => {
    seed.value = number;
    begin();
  };
  return (
    <div class="again">
      <button type="button" onClick={() => roll(seed.value)}>Restart</button>
      <button type="button" onClick={() => roll(1 + Math.floor(Math.random() * 9999))}>Change seed</button>
      <span class="soft">seed {seed.value}</span>
    </div>
  );
}

/** Study results for each setting. */
function Findings() {
  return <dl class="findings">{settings.value.map(({ name, finding }) => <div key={name}><dt>{name}</dt><dd>{finding}</dd></div>)}</dl>;
}

function Settings({ base }: { base: Temperament }) {
  const change = (all: readonly Setting[]) => {
    settings.value = all;
    begin();
  };
  const set = (at: number, setting: Setting) => change(settings.value.map((old, i) => i === at ? setting : old));
  return (
    <ol class="settings">
      {settings.value.map((setting, i) => (
        <li key={i}>
          <Choose label={`Performer ${i + 1}`} setting={setting} base={base} onChange={now => set(i, now)} />
          <button type="button" class="quiet" aria-label={`Remove performer ${i + 1}`} disabled={settings.value.length <= 2}
            onClick={() => change(settings.value.filter((_, j) => j !== i))}>×</button>
        </li>
      ))}
      {settings.value.length < MOST && <li><button type="button" onClick={() => change([...settings.value, asIs(base)])}>Add performer</button></li>}
    </ol>
  );
}

const asIs = (base: Temperament): Setting => ({ name: 'Character’s own', temperament: base });

function Choose({ label, setting, base, onChange }: { label: string; setting: Setting; base: Temperament; onChange: (it: Setting) => void }) {
  const groups = [...new Set(presets.value.map(({ group }) => group))];
  const choose = (name: string) => {
    if (name === '') return onChange(asIs(base));
    if (name === 'director') return onChange({ name: 'From the director', temperament: temperament.value });
    const preset = presets.value.find(one => key(one) === name);
    if (preset) onChange(settingOf(preset));
  };
  const now = presets.value.find(({ name }) => name === setting.name);
  const others = !now && setting.name !== 'Character’s own' && setting.name !== 'From the director';
  return (
    <select aria-label={label} value={now ? key(now) : others ? setting.name : setting.name === 'From the director' ? 'director' : ''} onChange={event => choose(event.currentTarget.value)}>
      {others && <option value={setting.name}>{setting.name}</option>}
      <option value="">Character’s own</option>
      <option value="director">From the director</option>
      {groups.map(group => (
        <optgroup key={group} label={group}>
          {presets.value.filter(preset => preset.group === group).map(preset => <option key={preset.name} value={key(preset)}>{preset.name}</option>)}
        </optgroup>
      ))}
    </select>
  );
}

const key = ({ group, name }: { group: string; name: string }): string => `${group}: ${name}`;
