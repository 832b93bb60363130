// The top bar: character, views, undo and redo, theme, help.
import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { drawer, helpIsOpen } from './keys.ts';
import { StopMirroringButton } from './mimic/mirror.tsx';
import { MODES } from './modes.ts';
import { NewCharacter, RenameCharacter } from './character-dialogs.tsx';
import { character, characters, mode, open } from './state.ts';
import { theme, THEMES } from './theme.ts';
import { redoWithMessage, undoWithMessage } from './undo.ts';
import './head.css';

const openDialog = signal<'new' | 'rename' | null>(null);
const NEW = '+new';

export function Head() {
  const it = character.value;
  return (
    <header class="head">
      <h1><Mark />Vivant</h1>
      <div class="person">
        <Picker />
        <button type="button" class="quiet" aria-label="Rename character" title={it?.readOnly ? 'The built-in character cannot be renamed' : 'Rename character'}
          disabled={!it || it.readOnly} onClick={() => { openDialog.value = 'rename'; }}><Pencil /></button>
      </div>
      <Tabs />
      <Drawers />
      <span class="space" />
      <StopMirroringButton />
      <div class="undoing" role="group" aria-label="History">
        <HistoryButton label="Undo" what={it?.undo} keys="Ctrl+Z" act={undoWithMessage} />
        <HistoryButton label="Redo" what={it?.redo} keys="Ctrl+Shift+Z" act={redoWithMessage} />
      </div>
      <button type="button" class="quiet theme" aria-label={`Theme: ${theme.value}`} title={`Theme: ${theme.value}. Press to change it`}
        onClick={() => { theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!; }}><ThemeIcon /></button>
      <button type="button" class="quiet" aria-label="Show keys and hints" title="Show keys and hints (?)" onClick={() => { helpIsOpen.value = true; }}>?</button>
      {openDialog.value === 'new' && <NewCharacter onClose={() => { openDialog.value = null; }} />}
      {openDialog.value === 'rename' && <RenameCharacter onClose={() => { openDialog.value = null; }} />}
    </header>
  );
}

function Picker() {
  const it = character.value;
  const choose = (select: HTMLSelectElement) => {
    const id = select.value;
    select.value = it?.id ?? '';
    if (id === NEW) openDialog.value = 'new';
    else void open(id);
  };
  return (
    <select aria-label="Character" title={it?.folder ?? undefined} value={it?.id ?? ''} onChange={event => choose(event.currentTarget)}>
      {!it && <option value="">…</option>}
      {characters.value.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
      <hr />
      <option value={NEW}>New character…</option>
    </select>
  );
}

function Tabs() {
  const list = useRef<HTMLElement>(null);
  const step = (event: KeyboardEvent) => {
    const here = MODES.findIndex(({ id }) => id === mode.value);
    const last = MODES.length - 1;
    const next = { ArrowRight: here + 1, ArrowLeft: here + last, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const { id } = MODES[next % MODES.length]!;
    mode.value = id;
    list.current?.querySelector<HTMLElement>(`#tab-${id}`)?.focus();
  };
  return (
    <nav ref={list} role="tablist" aria-label="View" onKeyDown={step}>
      {MODES.map(({ id, name }, i) => (
        <button key={id} id={`tab-${id}`} type="button" role="tab" aria-selected={mode.value === id} aria-controls="view" title={`${name} (${i + 1})`}
          tabIndex={mode.value === id ? 0 : -1} onClick={() => { mode.value = id; drawer.value = null; }}>{name}</button>
      ))}
    </nav>
  );
}

/** The button that opens the library, which is a drawer on narrow screens. */
function Drawers() {
  if (mode.value !== 'repertoire') return null;
  const isOpen = drawer.value === 'library';
  return (
    <button type="button" class="drawer-button" aria-expanded={isOpen} onClick={() => { drawer.value = isOpen ? null : 'library'; }}>Library</button>
  );
}

interface HistoryButtonProps { label: string; what: string | null | undefined; keys: string; act: () => Promise<void> }

function HistoryButton({ label, what, keys, act }: HistoryButtonProps) {
  return (
    <button type="button" class="quiet" disabled={!what} aria-description={what ?? undefined}
      title={what ? `${label}: ${what} (${keys})` : `Nothing to ${label.toLowerCase()}`} onClick={() => void act()}>
      <Arrow isBack={label === 'Undo'} />{label}
    </button>
  );
}

const drawing = { width: 16, height: 16, viewBox: '0 0 16 16', fill: 'none', stroke: 'currentColor', 'stroke-width': 1.6, 'stroke-linecap': 'round', 'stroke-linejoin': 'round', 'aria-hidden': true } as const;
/** The logo: an open eye. */
const Mark = () => <svg {...drawing} width={22} height={22} class="mark"><path d="M1.5 8.3C3.6 4.9 5.7 3.6 8 3.6s4.4 1.3 6.5 4.700C12.4 11.3 10.3 12.4 8 12.400S3.6 11.3 1.5 8.300Z" /><circle cx="8" cy="8" r="2.3" fill="currentColor" stroke="none" /></svg>;
const Pencil = () => <svg {...drawing}><path d="M10.7 2.8 13.2 5.3 5.4 13.1 2.6 13.4 2.9 10.600ZM9 4.5 11.5 7" /></svg>;
const Arrow = ({ isBack }: { isBack: boolean }) => (
  <svg {...drawing} style={isBack ? undefined : { transform: 'scaleX(-1)' }}><path d="M5.5 3 2.5 6 5.5 9M2.8 6H9.500a3.5 3.5 0 0 1 0 7H6.5" /></svg>
);
function ThemeIcon() {
  const moon = <path d="M13 9.600A5.5 5.5 0 1 1 6.4 3a4.6 4.6 0 0 0 6.6 6.600Z" />;
  const sun = <path d="M8 5.200a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.600ZM8 1.300v1.300M8 13.400v1.300M1.3 8h1.300M13.4 8h1.300M3.3 3.300l.9.900M11.8 11.800l.9.900M3.3 12.700l.9-.900M11.8 4.200l.9-.9" />;
  const half = <><circle cx="8" cy="8" r="5.5" /><path d="M8 2.500a5.5 5.5 0 0 1 0 11Z" fill="currentColor" stroke="none" /></>;
  return <svg {...drawing}>{{ auto: half, light: sun, dark: moon }[theme.value]}</svg>;
}
