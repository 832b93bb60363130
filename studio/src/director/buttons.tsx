// Buttons for all that can be asked for.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Act, Hand, Kind } from '../protocol.ts';
import { addressed } from '../stage/cast.ts';
import { performers } from '../wire.ts';
import { ask, known, refuse } from './asking.ts';
import { ACTIVITIES, understand } from './words.ts';

const LOOKS = ['ahead', 'away', 'freely', 'left', 'right', 'up', 'down'];
const HANDS: readonly [Hand | '', string][] = [['', 'either hand'], ['L', 'left hand'], ['R', 'right hand'], ['LR', 'both hands']];

/** The words of the line, by a button. */
function tell(words: string): void {
  const it = understand(words, known.value);
  if ('error' in it) refuse(it.error);
  else void ask(it.intent, it.means);
}

export function Buttons() {
  return (
    <div class="buttons">
      <Acts />
      <Activities />
      <Group name="Look">{LOOKS.map(where => <button key={where} type="button" aria-label={`Look ${where}`} onClick={() => tell(`look ${where}`)}>{where}</button>)}</Group>
      <Group name="Now">
        <button type="button" onClick={() => tell('blink')}>Blink</button>
        <button type="button" class="stop" onClick={() => tell('stop')}>Stop</button>
      </Group>
      <Group name="Stance">
        {known.value.stances.map(name => <button key={name} type="button" onClick={() => void ask({ stance: name }, `stance ${name}`)}>{name}</button>)}
        {known.value.stances.length === 0 && <span class="soft">None yet: the repertoire is where they are made.</span>}
      </Group>
    </div>
  );
}

function Group({ name, children }: { name: string; children: ComponentChildren }) {
  const label = useId();
  return <div class="group" role="group" aria-labelledby={label}><h3 id={label}>{name}</h3><div class="row">{children}</div></div>;
}

function Activities() {
  const now = performers.value.get(addressed.value[0]!)?.activity;
  return (
    <Group name="Be">
      {ACTIVITIES.map(be => <button key={be} type="button" aria-pressed={now === be} aria-label={`Be ${be}`} onClick={() => tell(`be ${be}`)}>{be}</button>)}
    </Group>
  );
}

function Acts() {
  const hand = useSignal<Hand | ''>(''), tag = useSignal('');
  const act = (kind: Kind) => {
    const intent: Act = { act: kind };
    if (hand.value) intent.hand = hand.value;
    if (tag.value) intent.tags = [tag.value];
    void ask(intent, [kind, tag.value, HANDS.find(([id]) => id && id === hand.value)?.[1]].filter(Boolean).join(', '));
  };
  return (
    <Group name="Act">
      <select aria-label="Hand" value={hand.value} onChange={event => { hand.value = event.currentTarget.value as Hand | ''; }}>
        {HANDS.map(([id, name]) => <option key={id} value={id}>{name}</option>)}
      </select>
      <select aria-label="Tag" value={tag.value} onChange={event => { tag.value = event.currentTarget.value; }}>
        <option value="">any meaning</option>
        {known.value.tags.map(name => <option key={name} value={name}>{name}</option>)}
      </select>
      <button type="button" onClick={() => act('gesture')}>Gesture</button>
      <button type="button" onClick={() => act('fidget')}>Fidget</button>
      <ByName />
    </Group>
  );
}

/** A specific clip, found by a part of its name. */
function ByName() {
  const text = useSignal(''), list = useId();
  const doings = known.value.doings;
  const found = doings.find(({ name }) => name.toLowerCase() === text.value.trim().toLowerCase())
    ?? doings.find(({ name }) => text.value.trim() !== '' && name.toLowerCase().includes(text.value.trim().toLowerCase()));
  const play = (event: Event) => {
    event.preventDefault();
    if (found) void ask({ act: found.kind, clip: found.name }, found.name);
    else refuse(text.value.trim() === '' ? 'Write a part of the clip’s name first.' : `No clip’s name has “${text.value.trim()}” in it.`);
  };
  return (
    <form class="by-name" onSubmit={play}>
      <input type="search" aria-label="Clip by name" placeholder={`One of ${doings.length} by name`} list={list} value={text.value} onInput={event => { text.value = event.currentTarget.value; }} />
      <datalist id={list}>{[...new Set(doings.map(({ name }) => name))].map(name => <option key={name} value={name} />)}</datalist>
      <button type="submit">Play</button>
    </form>
  );
}
