// Sliders and selects for the temperament.
import { useId } from 'preact/hooks';
import { amount, GROUPS, isNumber, isUsual, put, reset, valueOf, type ChoiceField, type Field, type NumberField } from './fields.ts';
import { Presets } from './presets.tsx';
import { revert, isChanged, save, set, temperament } from './temperament.ts';

export function TemperamentPanel() {
  return (
    <div class="temper">
      <div class="keep-bar">
        <button type="button" class="main" disabled={!isChanged.value} onClick={() => void save()}>Save to character</button>
        <button type="button" disabled={!isChanged.value} onClick={revert}>Revert</button>
      </div>
      <Presets />
      {GROUPS.map(({ title, fields }) => (
        <fieldset key={title}>
          <legend>{title}</legend>
          {fields.map(field => isNumber(field) ? <Slider key={field.id} field={field} /> : <Choice key={field.id} field={field} />)}
        </fieldset>
      ))}
    </div>
  );
}

function Slider({ field }: { field: NumberField }) {
  const id = useId(), it = temperament.value;
  const value = valueOf(field, it) as number | null;
  return (
    <div class="slider">
      <label for={id} title={field.help}>{field.name}</label>
      <output for={id}>{value === null ? field.none : amount(value, field.unit)}</output>
      <Reset field={field} />
      <input id={id} type="range" min={field.least} max={field.most} step={field.step} value={value ?? field.usual} aria-description={field.help} class={value === null ? 'unset' : ''}
        aria-valuetext={value === null ? field.none : amount(value, field.unit)} onInput={event => set(put(field, it, event.currentTarget.valueAsNumber))} />
    </div>
  );
}

function Choice({ field }: { field: ChoiceField }) {
  const id = useId(), it = temperament.value;
  return (
    <div class="slider choice-field">
      <label for={id} title={field.help}>{field.name}</label>
      <Reset field={field} />
      <select id={id} aria-description={field.help} value={String(valueOf(field, it))} onChange={event => set(put(field, it, event.currentTarget.value))}>
        {field.options.map(([value, name]) => <option key={value} value={value}>{name}</option>)}
      </select>
    </div>
  );
}

function Reset({ field }: { field: Field }) {
  const it = temperament.value;
  return (
    <button type="button" class="quiet reset" disabled={isUsual(field, it)} aria-label={`Reset ${field.name}`} title="Reset to default" onClick={() => set(reset(field, it))}>↺</button>
  );
}
