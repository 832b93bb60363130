// The bar at the top: the character, the views, undo and redo.
import { character, characters, mode, open, redo, undo, type Mode } from './state.ts';

const MODES: [Mode, string][] = [['live', 'Live'], ['repertoire', 'Repertoire'], ['compare', 'Compare']];

export function Head() {
  const it = character.value;
  return (
    <header class="head">
      <h1>Vivant</h1>
      <select aria-label="Character" value={it?.id ?? ''} onChange={event => void open(event.currentTarget.value)}>
        {characters.value.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
      </select>
      <nav role="tablist" aria-label="View">
        {MODES.map(([id, name]) => (
          <button key={id} type="button" role="tab" aria-selected={mode.value === id} onClick={() => { mode.value = id; }}>{name}</button>
        ))}
      </nav>
      <span class="space" />
      <button type="button" disabled={!it?.undo} title={it?.undo ? `Undo: ${it.undo} (Ctrl+Z)` : 'Nothing to undo'} onClick={() => void undo()}>Undo</button>
      <button type="button" disabled={!it?.redo} title={it?.redo ? `Redo: ${it.redo} (Ctrl+Shift+Z)` : 'Nothing to redo'} onClick={() => void redo()}>Redo</button>
    </header>
  );
}
