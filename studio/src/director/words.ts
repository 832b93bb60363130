// What people write, as intents: a verb and what it is about, the name of something that it can do, or plain speech.
import type { Act, Activity, Hand, Kind, Layer, Repertoire } from '../protocol.ts';
import type { Intent, Point } from '../wire.ts';

/** Something in the repertoire that can be asked for by name. */
export interface Doing { name: string; kind: Kind; tags: readonly string[]; stance: string }
export interface Vocabulary { doings: readonly Doing[]; stances: readonly string[]; tags: readonly string[]; eyes: number }
export type Understood = { intent: Intent; means: string } | { error: string };
export interface Completion { text: string; what: string }

export const ACTIVITIES: readonly Activity[] = ['idle', 'speaking', 'listening', 'reading', 'thinking'];
const LAYERS: readonly Layer[] = ['body', 'arms', 'head'];
const HANDS: Record<string, Hand> = { left: 'L', right: 'R', both: 'LR' };
/** Glances to a side, in metres from the eyes; the character's left is +X. */
const SIDES: Record<string, Point> = { left: [1, 0, 1], right: [-1, 0, 1], up: [0, 0.6, 1], down: [0, -0.6, 1] };
const LOOKS = ['ahead', 'away', 'freely', ...Object.keys(SIDES)];

/** A clip's name as people would say it: the part after `#`, or the file without folder and ending. */
export const nameOf = (clip: string): string => clip.includes('#') ? clip.slice(clip.lastIndexOf('#') + 1) : clip.replace(/^.*\//, '').replace(/\.[^.]+$/, '');

export function vocabulary(repertoire: Repertoire | undefined, eyes: number): Vocabulary {
  const doings = (repertoire?.stances ?? []).flatMap(({ name: stance, gestures = [], fidgets = [] }) => [
    ...gestures.map(it => ({ name: it.name ?? nameOf(it.clip), kind: 'gesture' as const, tags: it.tags ?? [], stance })),
    ...fidgets.map(it => ({ name: it.name ?? nameOf(it.clip), kind: 'fidget' as const, tags: it.tags ?? [], stance })),
  ]);
  const stances = (repertoire?.stances ?? []).map(({ name }) => name);
  const tags = [...new Set(doings.flatMap(it => it.tags))].sort();
  return { doings, stances, tags, eyes };
}

/** Letters alone: `Point_Left` is “point left”. */
const plain = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, ' ').trim();
const listed = (words: readonly string[]): string => words.join(', ');

export function understand(text: string, known: Vocabulary): Understood {
  const line = text.trim();
  if (line === '') return { error: 'Write something first, such as “say Hello” or “blink”.' };
  if (line.startsWith('{')) return json(line);
  const quoted = /^["“„«](.*?)["”“»]?$/.exec(line);
  if (quoted) return speech(quoted[1]!);
  const [verb = '', ...rest] = line.split(/\s+/);
  return verbs[verb.toLowerCase()]?.(rest.join(' '), known) ?? named(line, known) ?? speech(line);
}

function json(line: string): Understood {
  try {
    return { intent: JSON.parse(line) as Intent, means: 'as written' };
  } catch (error) {
    return { error: `This is no JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

const speech = (say: string): Understood => say.trim() === ''
  ? { error: 'Say what? Write the words after “say”.' }
  : { intent: { say: say.trim() }, means: `say “${say.trim()}”` };

type Verb = (rest: string, known: Vocabulary) => Understood | undefined;

/** Verbs give nothing where they are no verbs, as in “Look, there is a bird”: then it is speech. */
const verbs: Record<string, Verb> = {
  say: speech,
  be: rest => activity(plain(rest)) ?? { error: `It can be ${listed(ACTIVITIES)}.` },
  look: (rest, known) => look(rest, known),
  blink: rest => rest === '' ? { intent: { blink: true }, means: 'blink' } : undefined,
  stop: rest => stop(plain(rest)),
  gesture: (rest, known) => act('gesture', rest, known),
  fidget: (rest, known) => act('fidget', rest, known),
  act: (rest, known) => named(rest, known) ?? unknown(rest),
  do: (rest, known) => named(rest, known),
  stance: (rest, known) => stance(rest, known) ?? { error: known.stances.length > 0 ? `Its stances are ${listed(known.stances)}.` : 'It has no stances yet.' },
  go: (rest, known) => stance(rest, known),
};

const unknown = (name: string): Understood => ({ error: `There is no “${name}” in its repertoire.` });

function activity(word: string): Understood | undefined {
  const be = ACTIVITIES.find(one => one === word);
  return be && { intent: { be }, means: `be ${be}` };
}

function look(rest: string, { eyes }: Vocabulary): Understood | undefined {
  const word = plain(rest), side = SIDES[word];
  if (word === 'ahead' || word === 'away' || word === 'freely') return { intent: { look: word }, means: `look ${word}` };
  if (side) return { intent: { look: [side[0], side[1] + eyes, side[2]] }, means: `look ${word}` };
  const place = rest.split(/[\s,]+/).map(Number);
  if (place.length === 3 && place.every(Number.isFinite)) return { intent: { look: place as Point }, means: `look at ${listed(place.map(String))}` };
  return word === '' || /^at\b/.test(word) ? { error: `It can look ${listed(LOOKS)}, or at a place in metres: look 0.5 1.6 1` } : undefined;
}

function stop(rest: string): Understood | undefined {
  const layer = LAYERS.find(one => one === rest);
  if (rest !== '' && !layer) return undefined;
  return { intent: layer ? { stop: true, layer } : { stop: true }, means: layer ? `stop the ${layer}` : 'stop' };
}

/** `gesture`, `gesture left`, `gesture positive beat`. */
function act(kind: Kind, rest: string, { tags }: Vocabulary): Understood | undefined {
  const intent: Act = { act: kind }, meant: string[] = [];
  for (const word of plain(rest).split(' ').filter(Boolean)) {
    const tag = tags.find(one => plain(one) === word);
    if (HANDS[word]) intent.hand = HANDS[word];
    else if (tag !== undefined) meant.push(tag);
    else return { error: `“${word}” is neither a hand (${listed(Object.keys(HANDS))}) nor one of its tags${tags.length > 0 ? `: ${listed(tags)}` : ''}.` };
  }
  if (meant.length > 0) intent.tags = meant;
  return { intent, means: `${kind} ${rest}`.trim() };
}

/** A name of the repertoire, a stance or the start of its name, an activity or a tag. */
function named(text: string, known: Vocabulary): Understood | undefined {
  const word = plain(text);
  const doing = known.doings.find(({ name }) => plain(name) === word);
  if (doing) return { intent: { act: doing.kind, clip: doing.name }, means: `${doing.kind} ${doing.name}` };
  const tag = known.tags.find(one => plain(one) === word);
  return stance(text, known) ?? activity(word) ?? (tag === undefined ? undefined : { intent: { act: 'gesture', tags: [tag] }, means: `gesture ${tag}` });
}

function stance(text: string, { stances }: Vocabulary): Understood | undefined {
  const word = plain(text);
  const started = word.length > 2 ? stances.filter(one => plain(one).startsWith(word)) : [];
  const name = stances.find(one => plain(one) === word) ?? (started.length === 1 ? started[0] : undefined);
  return name === undefined ? undefined : { intent: { stance: name }, means: `stance ${name}` };
}

const MOST_COMPLETIONS = 8;

/** What the line may become, best first. */
export function complete(text: string, known: Vocabulary): Completion[] {
  const word = plain(text);
  if (word === '' || text.trim().startsWith('{') || /^say\s/i.test(text)) return [];
  const all = everything(known).filter(({ text: one }) => plain(one) !== word);
  const whole = all.filter(one => plain(one.text).startsWith(`${word} `));
  const starting = [...whole, ...all.filter(one => !whole.includes(one) && plain(one.text).startsWith(word))];
  const inside = all.filter(one => !starting.includes(one) && plain(one.text).split(' ').some(part => part.startsWith(word)));
  return [...starting, ...inside].slice(0, MOST_COMPLETIONS);
}

function everything({ doings, stances, tags }: Vocabulary): Completion[] {
  const seen = new Set<string>();
  const once = (it: Completion) => !seen.has(it.text) && seen.add(it.text);
  return [
    ...doings.map(({ name, kind, tags }) => ({ text: name, what: tags.length > 0 ? `${kind} · ${listed(tags)}` : kind })),
    ...stances.map(text => ({ text, what: 'stance' })),
    ...ACTIVITIES.map(one => ({ text: `be ${one}`, what: 'activity' })),
    ...LOOKS.map(one => ({ text: `look ${one}`, what: 'gaze' })),
    { text: 'say ', what: 'the words after it' }, { text: 'blink', what: 'eyes' }, { text: 'stop', what: 'all that it does' },
    ...['gesture', 'fidget'].map(text => ({ text, what: 'any that fits' })),
    ...tags.map(tag => ({ text: `gesture ${tag}`, what: 'any that means it' })),
  ].filter(once);
}
