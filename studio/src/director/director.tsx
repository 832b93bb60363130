// The director's panel: buttons and words for what the character shall do, and what kind of person it is.
import { signal } from '@preact/signals';
import { Buttons } from './buttons.tsx';
import { Line } from './line.tsx';
import { TemperPanel } from './temper.tsx';
import './director.css';

const TABS = [['direct', 'Direct'], ['temper', 'Temperament']] as const;
const open = signal<typeof TABS[number][0]>('direct');

export function Director() {
  const turn = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    open.value = open.value === 'direct' ? 'temper' : 'direct';
    document.getElementById(`tab-${open.value}`)?.focus();
  };
  return (
    <section class="side director" aria-label="Director">
      <Line />
      <nav role="tablist" aria-label="Director" onKeyDown={turn}>
        {TABS.map(([id, name]) => (
          <button key={id} id={`tab-${id}`} type="button" role="tab" aria-selected={open.value === id} aria-controls="director-tab" tabIndex={open.value === id ? 0 : -1}
            onClick={() => { open.value = id; }}>{name}</button>
        ))}
      </nav>
      <div id="director-tab" role="tabpanel" aria-labelledby={`tab-${open.value}`}>{open.value === 'direct' ? <Buttons /> : <TemperPanel />}</div>
    </section>
  );
}
