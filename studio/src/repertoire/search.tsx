// Search in stances, clips and tags.
import { computed, signal } from '@preact/signals';
import { character } from '../state.ts';
import { allHits, search, type Hit } from './edit.ts';
import { focusSoon, goTo, selectClips } from './selection.ts';

const MOST = 40;
const query = signal('');
const active = signal(0);
const everything = computed(() => character.value ? allHits(character.value) : []);
const found = computed(() => search(everything.value, query.value));

export const focusSearch = (): void => document.getElementById('search-all')?.focus();

function close(): void {
  query.value = '';
  active.value = 0;
}

function jump(hit: Hit | undefined): void {
  if (!hit) return;
  close();
  if (hit.kind !== 'clip') return goTo(hit.at);
  selectClips(new Set([hit.at]));
  focusSoon(`.clip-list [data-clip="${CSS.escape(hit.at)}"]`);
}

function onKeyDown(event: KeyboardEvent): void {
  const last = Math.min(found.value.length, MOST) - 1;
  if (event.key === 'ArrowDown') active.value = Math.min(active.value + 1, last);
  else if (event.key === 'ArrowUp') active.value = Math.max(active.value - 1, 0);
  else if (event.key === 'Enter') jump(found.value[active.value]);
  else if (event.key === 'Escape' && query.value !== '') close();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

export function Search() {
  const hits = found.value, isOpen = query.value.trim() !== '';
  return (
    <div class="search-all">
      <input id="search-all" type="search" role="combobox" list={undefined} aria-label="Search everything" aria-expanded={isOpen} aria-controls="search-hits" aria-autocomplete="list"
        aria-activedescendant={isOpen && hits.length > 0 ? `hit-${active.value}` : undefined} placeholder="Search everything" title="Key /" value={query.value}
        onInput={event => { query.value = event.currentTarget.value; active.value = 0; }} onKeyDown={onKeyDown}
        onBlur={event => { if (!(event.relatedTarget as Element | null)?.closest('#search-hits')) close(); }} />
      {isOpen && (
        <ul id="search-hits" role="listbox" aria-label="Results" tabIndex={-1}>
          {hits.slice(0, MOST).map((hit, index) => (
            <li key={hit.kind + hit.at} id={`hit-${index}`} role="option" aria-selected={index === active.value} data-type={hit.kind}
              onPointerDown={event => { event.preventDefault(); jump(hit); }}>
              {hit.name} <span class="soft">{hit.detail}</span>
            </li>
          ))}
          {hits.length === 0 && <li class="soft">No results.</li>}
          {hits.length > MOST && <li class="soft">and {hits.length - MOST} more; refine the search</li>}
        </ul>
      )}
    </div>
  );
}
