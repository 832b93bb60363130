// Temperament presets from studies, with their findings.
import type { Preset } from '../protocol.ts';
import { isPlayed, presets, set } from './temperament.ts';

export function Presets() {
  const groups = [...new Set(presets.value.map(({ group }) => group))];
  if (groups.length === 0) return null;
  return (
    <details class="presets">
      <summary>Presets from studies</summary>
      {groups.map(group => (
        <div key={group} role="group" aria-label={group}>
          <h3>{group}</h3>
          {presets.value.filter(preset => preset.group === group).map(preset => <One key={preset.name} preset={preset} />)}
        </div>
      ))}
    </details>
  );
}

function One({ preset }: { preset: Preset }) {
  return (
    <button type="button" class="preset" aria-label={`${preset.group}: ${preset.name}`} aria-description={preset.finding} aria-pressed={isPlayed(preset)}
      onClick={() => set(preset.temperament)}><b>{preset.name}</b><span>{preset.finding}</span></button>
  );
}
