// Dialogs that create and rename characters.
import { useState } from 'preact/hooks';
import { api } from './api.ts';
import { Dialog } from './dialog.tsx';
import { character, characters, withProgress, edit, open } from './state.ts';

interface Props { onClose: () => void }

export function NewCharacter({ onClose }: Props) {
  const it = character.value;
  const [name, setName] = useState(''), [isCopy, setCopy] = useState(true);
  const make = async (event: Event) => {
    event.preventDefault();
    const made = await withProgress('Creating the character', () => api.create({ name: name.trim(), from: isCopy ? it?.id ?? null : null }));
    if (!made) return;
    onClose();
    await open(made.id);
  };
  return (
    <Dialog title="New character" onClose={onClose}>
      <form onSubmit={event => void make(event)}>
        <NameField value={name} onInput={setName} />
        <fieldset>
          <legend>Start with</legend>
          <label class="choice"><input type="radio" name="from" checked={isCopy} onChange={() => setCopy(true)} />a copy of {it?.name ?? 'this character'}</label>
          <label class="choice"><input type="radio" name="from" checked={!isCopy} onChange={() => setCopy(false)} />an empty repertoire</label>
        </fieldset>
        <Actions onClose={onClose} label="Create" isReady={name.trim() !== ''} />
      </form>
    </Dialog>
  );
}

export function RenameCharacter({ onClose }: Props) {
  const it = character.value;
  const [name, setName] = useState(it?.name ?? '');
  const rename = async (event: Event) => {
    event.preventDefault();
    await edit(`rename to ${name.trim()}`, { name: name.trim() });
    const { id, name: now } = character.value ?? {};
    characters.value = characters.value.map(one => one.id === id && now ? { ...one, name: now } : one);
    onClose();
  };
  return (
    <Dialog title="Rename character" onClose={onClose}>
      <form onSubmit={event => void rename(event)}>
        <NameField value={name} onInput={setName} />
        <Actions onClose={onClose} label="Rename" isReady={name.trim() !== '' && name.trim() !== it?.name} />
      </form>
    </Dialog>
  );
}

function NameField({ value, onInput }: { value: string; onInput: (name: string) => void }) {
  return (
    <label class="field">Name
      <input type="text" value={value} maxLength={80} autoFocus required autocomplete="off" onInput={event => onInput(event.currentTarget.value)} />
    </label>
  );
}

function Actions({ onClose, label, isReady }: Props & { label: string; isReady: boolean }) {
  return (
    <div class="actions">
      <button type="button" onClick={onClose}>Cancel</button>
      <button type="submit" class="main" disabled={!isReady}>{label}</button>
    </div>
  );
}
