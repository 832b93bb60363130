// Buttons for all intents.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Act, Hand, Kind } from '../protocol.ts';
import { addressed } from '../stage/cast.ts';
import { performers } from '../wire.ts';
import { sendIntent, known, showRefusal } from './intents.ts';
import { ACTIVITIES, parseCommand } from './command.ts';

const LOOKS = ['ahead', 'away', 'freely', 'left', 'right', 'up', 'down'];
const HANDS: readonly [Hand | '', string][] = [['', 'either hand'], ['L', 'left hand'], ['R', 'right hand'], ['LR', 'both hands']];

/** Runs a command as if it was typed. */
function runCommand(words: string): void {
  const it = parseCommand(words, known.value);
  if ('error' in it) showRefusal(it.error);
  else void sendIntent(it.intent, it.means);
}

export function Buttons() {
  return (
    <div class="buttons">
      <Acts />
      <Activities />
      <Group name="Gaze">{LOOKS.map(where => <button key={where} type="button" aria-label={`Look ${where}`} onClick={() => runCommand(`look ${where}`)}>{where}</button>)}</Group>
      <Group name="Immediate">
        <button type="button" onClick={() => runCommand('blink')}>Blink</button>
        <button type="button" class="stop" onClick={() => runCommand('stop')}>Stop</button>
      </Group>
      <Group name="Stance">
        {known.value.stances.map(name => <button key={name} type="button" onClick={() => void sendIntent({ stance: name }, `stance ${name}`)}>{name}</button>)}
        {known.value.stances.length === 0 && <span class="soft">None yet. Add stances in the repertoire.</span>}
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
    <Group name="Activity">
      {ACTIVITIES.map(be => <button key={be} type="button" aria-pressed={now === be} aria-label={`Be ${be}`} onClick={() => runCommand(`be ${be}`)}>{be}</button>)}
    </Group>
  );
}

function Acts() {
  const hand = useSignal<Hand | ''>(''), tag = useSignal('');
  const act = (kind: Kind) => {
    const intent: Act = { act: kind };
    if (hand.value) intent.hand = hand.value;
    if (tag.value) intent.tags = [tag.value];
    void sendIntent(intent, [kind, tag.value, HANDS.find(([id]) => id && id === hand.value)?.[1]].filter(Boolean).join(', '));
  };
  return (
    <Group name="Actions">
      <select aria-label="Hand" value={hand.value} onChange={event => { hand.value = event.currentTarget.value as Hand | ''; }}>
        {HANDS.map(([id, name]) => <option key={id} value={id}>{name}</option>)}
      </select>
      <select aria-label="Tag" value={tag.value} onChange={event => { tag.value = event.currentTarget.value; }}>
        <option value="">any tag</option>
        {known.value.tags.map(name => <option key={name} value={name}>{name}</option>)}
      </select>
      <button type="button" onClick={() => act('gesture')}>Gesture</button>
      <button type="button" onClick={() => act('fidget')}>Fidget</button>
      <ByName />
    </Group>
  );
}

/** Plays a clip found by a part of its name. */
function ByName() {
  const text = useSignal(''), list = useId();
  const actions = known.value.actions;
  const found = actions.find(({ name }) => name.toLowerCase() === text.value.trim().toLowerCase())
    ?? actions.find(({ name }) => text.value.trim() !== '' && name.toLowerCase().includes(text.value.trim().toLowerCase()));
  const play = (event: Event) => {
    event.preventDefault();
    if (found) void sendIntent({ act: found.kind, clip: found.name }, found.name);
    else showRefusal(text.value.trim() === '' ? 'Type a part of the clip’s name first.' : `No clip name contains “${text.value.trim()}”.`);
  };
  return (
    <form class="by-name" onSubmit={play}>
      <input type="search" aria-label="Clip by name" placeholder={`Search ${actions.length} clips`} list={list} value={text.value} onInput={event => { text.value = event.currentTarget.value; }} />
      <datalist id={list}>{[...new Set(actions.map(({ name }) => name))].map(name => <option key={name} value={name} />)}</datalist>
      <button type="submit">Play</button>
    </form>
  );
}
