// The director panel: commands and buttons, temperament, and mirroring of a person.
import { signal } from '@preact/signals';
import { Mirror } from '../mimic/mirror.tsx';
import { addressed } from '../stage/cast.ts';
import { showError } from '../state.ts';
import { isSound, playFile } from '../voice/voice.ts';
import { Buttons } from './buttons.tsx';
import { Line } from './command-line.tsx';
import { TemperamentPanel } from './temperament-panel.tsx';
import { Voice } from './voice.tsx';
import './director.css';

const TABS = [['direct', 'Direct'], ['temper', 'Temperament'], ['mirror', 'Mirror']] as const;
const PANELS = { direct: Buttons, temper: TemperamentPanel, mirror: Mirror };
const open = signal<typeof TABS[number][0]>('direct');

const takesSound = (event: DragEvent): void => { if (event.dataTransfer?.types.includes('Files')) event.preventDefault(); };

function dropSound(event: DragEvent): void {
  const file = event.dataTransfer?.files[0];
  if (!file) return;
  event.preventDefault();
  if (isSound(file)) void playFile(file, addressed.peek());
  else showError(`${file.name} is not an audio file. Drop audio on the director, videos on its Mirror tab, avatars on the stage and clips on the repertoire.`);
}

export function Director() {
  const turn = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: TABS.length - 1 }[event.key];
    if (step === undefined) return;
    const here = TABS.findIndex(([id]) => id === open.value);
    open.value = TABS[(here + step) % TABS.length]![0];
    document.getElementById(`tab-${open.value}`)?.focus();
  };
  const Panel = PANELS[open.value];
  return (
    <section class="side director" aria-label="Director" onDragOver={takesSound} onDrop={dropSound}>
      <Line />
      <Voice />
      <nav role="tablist" aria-label="Director" onKeyDown={turn}>
        {TABS.map(([id, name]) => (
          <button key={id} id={`tab-${id}`} type="button" role="tab" aria-selected={open.value === id} aria-controls="director-tab" tabIndex={open.value === id ? 0 : -1}
            onClick={() => { open.value = id; }}>{name}</button>
        ))}
      </nav>
      <div id="director-tab" role="tabpanel" aria-labelledby={`tab-${open.value}`}><Panel /></div>
    </section>
  );
}
