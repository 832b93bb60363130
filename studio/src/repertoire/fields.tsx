// Property controls. Each change is one edit: of texts and numbers on blur, of sliders on release.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Fault } from '../protocol.ts';
import { faultWords, type Shared } from './edit.ts';

export const MIXED = 'mixed';

/** Maximum number of messages per field; one change may cause many similar errors. */
const MOST_FAULTS = 3;

/** Error messages below a field. */
export function FaultText({ found }: { found: readonly Fault[] }) {
  return <>{found.slice(0, MOST_FAULTS).map(fault => (
    <p key={fault.message} class={fault.isWarning ? 'prop-fault warning-text' : 'prop-fault fault-text'}>
      <b>{fault.isWarning ? '▲ Warning' : '✖ Error'}</b> {faultWords(fault)}
    </p>
  ))}{found.length > MOST_FAULTS && <p class="prop-fault soft">and {found.length - MOST_FAULTS} more like this</p>}</>;
}

export function Row({ label, field, children, found = [] }: { label: string; field?: string; children: ComponentChildren; found?: readonly Fault[] }) {
  return (
    <div class="prop" data-field={field}>
      <span class="prop-label" aria-hidden="true">{label}</span>
      <div class="prop-control">{children}</div>
      <FaultText found={found} />
    </div>
  );
}

interface TextProps { label: string; value: string; placeholder?: string; maxLength?: number; /** Returns false to reject the value. */ onCommit: (value: string) => boolean | void }

export function TextField({ label, value, placeholder, maxLength = 200, onCommit }: TextProps) {
  const commit = (input: HTMLInputElement): void => { if (input.value.trim() !== value && onCommit(input.value.trim()) === false) input.value = value; };
  return (
    <input type="text" aria-label={label} value={value} placeholder={placeholder} maxLength={maxLength}
      onBlur={event => commit(event.currentTarget)}
      onKeyDown={event => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') { event.currentTarget.value = value; event.currentTarget.blur(); }
      }} />
  );
}

interface NumberProps { label: string; value: number | typeof MIXED; min: number; max: number; step: number; /** Returns the applied value if it differs. */ onCommit: (value: number) => number | void }

export function NumberField({ label, value, min, max, step, onCommit }: NumberProps) {
  const shown = value === MIXED ? '' : String(round(value)), clamp = (number: number): number => Math.min(Math.max(number, min), max);
  const commit = (input: HTMLInputElement): void => {
    const number = input.valueAsNumber;
    if (Number.isNaN(number)) input.value = shown;
    else if (number !== value) input.value = String(round(onCommit(clamp(number)) ?? clamp(number)));
  };
  return <input type="number" aria-label={label} value={shown} placeholder={value === MIXED ? 'mixed' : undefined} min={min} max={max} step={step}
    onChange={event => commit(event.currentTarget)} />;
}

export const round = (value: number): number => Math.round(value * 1000) / 1000;

interface SliderProps { label: string; value: Shared<number>; min: number; max: number; step: number; words: (value: number) => string; onCommit: (value: number) => void }

export function Slider({ label, value, min, max, step, words, onCommit }: SliderProps) {
  const given = value === MIXED ? undefined : value.value;
  const [shown, show] = useState(given);
  useEffect(() => show(given), [given]);
  return (
    <>
      <input type="range" aria-label={label} min={min} max={max} step={step} value={Math.min(shown ?? (min + max) / 2, max)} aria-valuetext={shown === undefined ? 'mixed' : words(shown)}
        onInput={event => show(event.currentTarget.valueAsNumber)} onChange={event => onCommit(event.currentTarget.valueAsNumber)} />
      <output>{shown === undefined ? 'mixed' : words(shown)}</output>
    </>
  );
}

interface ToggleProps<T extends string> { label: string; options: readonly (readonly [T, string])[]; isOn: (value: T) => boolean | 'mixed'; isOff?: (value: T) => boolean; onToggle: (value: T) => void }

/** Toggle buttons; several can be on. */
export function Toggles<T extends string>({ label, options, isOn, isOff, onToggle }: ToggleProps<T>) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {options.map(([value, name]) => (
        <button key={value} type="button" aria-pressed={isOn(value)} disabled={isOff?.(value) ?? false} onClick={() => onToggle(value)}>{name}</button>
      ))}
    </div>
  );
}

interface RadioProps<T extends string> { label: string; options: readonly (readonly [T, string])[]; value: T | typeof MIXED; onPick: (value: T) => void }

/** Radio buttons; arrow keys move between them. */
export function Radios<T extends string>({ label, options, value, onPick }: RadioProps<T>) {
  const group = useRef<HTMLDivElement>(null), at = options.findIndex(([option]) => option === value);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (Math.max(at, 0) + step + options.length) % options.length;
    onPick(options[next]![0]);
    group.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div ref={group} class="segments" role="radiogroup" aria-label={label} onKeyDown={onKeyDown}>
      {options.map(([option, name], index) => (
        <button key={option} type="button" role="radio" aria-checked={option === value} tabIndex={index === Math.max(at, 0) ? 0 : -1} onClick={() => onPick(option)}>{name}</button>
      ))}
    </div>
  );
}

interface SelectProps { label: string; value: string; options: readonly (readonly [string, string])[]; onPick: (value: string) => void }

export function Select({ label, value, options, onPick }: SelectProps) {
  return (
    <select aria-label={label} value={value} onChange={event => { if (event.currentTarget.value !== MIXED) onPick(event.currentTarget.value); }}>
      {value === MIXED && <option value={MIXED}>mixed</option>}
      {options.map(([option, name]) => <option key={option} value={option}>{name}</option>)}
    </select>
  );
}
