// Parses commands into intents: a verb with its object, the name of an action, or plain speech.
import type { Act, Activity, Hand, Kind, Layer, Repertoire } from '../protocol.ts';
import type { Intent, Point } from '../wire.ts';

/** A gesture or fidget of the repertoire, with its name. */
export interface NamedAction { name: string; kind: Kind; tags: readonly string[]; stance: string }
export interface Vocabulary { actions: readonly NamedAction[]; stances: readonly string[]; tags: readonly string[]; eyes: number }
export type ParsedCommand = { intent: Intent; means: string } | { error: string };
export interface Completion { text: string; what: string }

export const ACTIVITIES: readonly Activity[] = ['idle', 'speaking', 'listening', 'reading', 'thinking'];
const LAYERS: readonly Layer[] = ['body', 'arms', 'head'];
const HANDS: Record<string, Hand> = { left: 'L', right: 'R', both: 'LR' };
/** Gaze targets of `look left` and so on, in metres from the eyes; the character's left is +X. */
const SIDES: Record<string, Point> = { left: [1, 0, 1], right: [-1, 0, 1], up: [0, 0.6, 1], down: [0, -0.6, 1] };
const LOOKS = ['ahead', 'away', 'freely', ...Object.keys(SIDES)];

/** Short name of a clip: the part after `#`, or the file name without folder and extension. */
export const nameOf = (clip: string): string => clip.includes('#') ? clip.slice(clip.lastIndexOf('#') + 1) : clip.replace(/^.*\//, '').replace(/\.[^.]+$/, '');

export function vocabulary(repertoire: Repertoire | undefined, eyes: number): Vocabulary {
  const actions = (repertoire?.stances ?? []).flatMap(({ name: stance, gestures = [], fidgets = [] }) => [
    ...gestures.map(it => ({ name: it.name ?? nameOf(it.clip), kind: 'gesture' as const, tags: it.tags ?? [], stance })),
    ...fidgets.map(it => ({ name: it.name ?? nameOf(it.clip), kind: 'fidget' as const, tags: it.tags ?? [], stance })),
  ]);
  const stances = (repertoire?.stances ?? []).map(({ name }) => name);
  const tags = [...new Set(actions.flatMap(it => it.tags))].sort();
  return { actions, stances, tags, eyes };
}

/** Normalizes a name: `Point_Left` becomes “point left”. */
const plain = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, ' ').trim();
const listed = (words: readonly string[]): string => words.join(', ');

export function parseCommand(text: string, known: Vocabulary): ParsedCommand {
  const line = text.trim();
  if (line === '') return { error: 'Type a command first, such as “say Hello” or “blink”.' };
  if (line.startsWith('{')) return json(line);
  const quoted = /^["“„«](.*?)["”“»]?$/.exec(line);
  if (quoted) return speech(quoted[1]!);
  const [verb = '', ...rest] = line.split(/\s+/);
  return verbs[verb.toLowerCase()]?.(rest.join(' '), known) ?? named(line, known) ?? speech(line);
}

function json(line: string): ParsedCommand {
  try {
    return { intent: JSON.parse(line) as Intent, means: 'JSON intent' };
  } catch (error) {
    return { error: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

const speech = (say: string): ParsedCommand => say.trim() === ''
  ? { error: 'Type the text to speak after “say”.' }
  : { intent: { say: say.trim() }, means: `say “${say.trim()}”` };

type Verb = (rest: string, known: Vocabulary) => ParsedCommand | undefined;

/** Verbs return undefined if the line is not a command, as in “Look, there is a bird”; it is then spoken. */
const verbs: Record<string, Verb> = {
  say: speech,
  be: rest => activity(plain(rest)) ?? { error: `Unknown activity; use one of ${listed(ACTIVITIES)}.` },
  look: (rest, known) => look(rest, known),
  blink: rest => rest === '' ? { intent: { blink: true }, means: 'blink' } : undefined,
  stop: rest => stop(plain(rest)),
  gesture: (rest, known) => act('gesture', rest, known),
  fidget: (rest, known) => act('fidget', rest, known),
  act: (rest, known) => named(rest, known) ?? unknown(rest),
  do: (rest, known) => named(rest, known),
  stance: (rest, known) => stance(rest, known) ?? { error: known.stances.length > 0 ? `Unknown stance; use one of ${listed(known.stances)}.` : 'The repertoire has no stances yet. Add one in the Repertoire view.' },
  go: (rest, known) => stance(rest, known),
};

const unknown = (name: string): ParsedCommand => ({ error: `“${name}” is not in the repertoire. Choose a suggestion, or add a clip.` });

function activity(word: string): ParsedCommand | undefined {
  const be = ACTIVITIES.find(one => one === word);
  return be && { intent: { be }, means: `be ${be}` };
}

function look(rest: string, { eyes }: Vocabulary): ParsedCommand | undefined {
  const word = plain(rest), side = SIDES[word];
  if (word === 'ahead' || word === 'away' || word === 'freely') return { intent: { look: word }, means: `look ${word}` };
  if (side) return { intent: { look: [side[0], side[1] + eyes, side[2]] }, means: `look ${word}` };
  const place = rest.split(/[\s,]+/).map(Number);
  if (place.length === 3 && place.every(Number.isFinite)) return { intent: { look: place as Point }, means: `look at ${listed(place.map(String))}` };
  return word === '' || /^at\b/.test(word) ? { error: `Unknown direction; use one of ${listed(LOOKS)}, or a position in metres: look 0.5 1.6 1` } : undefined;
}

function stop(rest: string): ParsedCommand | undefined {
  const layer = LAYERS.find(one => one === rest);
  if (rest !== '' && !layer) return undefined;
  return { intent: layer ? { stop: true, layer } : { stop: true }, means: layer ? `stop the ${layer}` : 'stop' };
}

/** Parses `gesture`, `gesture left`, `gesture positive beat`. */
function act(kind: Kind, rest: string, { tags }: Vocabulary): ParsedCommand | undefined {
  const intent: Act = { act: kind }, meant: string[] = [];
  for (const word of plain(rest).split(' ').filter(Boolean)) {
    const tag = tags.find(one => plain(one) === word);
    if (HANDS[word]) intent.hand = HANDS[word];
    else if (tag !== undefined) meant.push(tag);
    else return { error: `“${word}” is neither a hand (${listed(Object.keys(HANDS))}) nor a tag of the repertoire${tags.length > 0 ? `: ${listed(tags)}` : ''}.` };
  }
  if (meant.length > 0) intent.tags = meant;
  return { intent, means: `${kind} ${rest}`.trim() };
}

/** Finds an action, a stance (also by the start of its name), an activity or a tag. */
function named(text: string, known: Vocabulary): ParsedCommand | undefined {
  const word = plain(text);
  const action = known.actions.find(({ name }) => plain(name) === word);
  if (action) return { intent: { act: action.kind, clip: action.name }, means: `${action.kind} ${action.name}` };
  const tag = known.tags.find(one => plain(one) === word);
  return stance(text, known) ?? activity(word) ?? (tag === undefined ? undefined : { intent: { act: 'gesture', tags: [tag] }, means: `gesture ${tag}` });
}

function stance(text: string, { stances }: Vocabulary): ParsedCommand | undefined {
  const word = plain(text);
  const started = word.length > 2 ? stances.filter(one => plain(one).startsWith(word)) : [];
  const name = stances.find(one => plain(one) === word) ?? (started.length === 1 ? started[0] : undefined);
  return name === undefined ? undefined : { intent: { stance: name }, means: `stance ${name}` };
}

const MOST_COMPLETIONS = 8;

/** Returns completions of a line, best first. */
export function complete(text: string, known: Vocabulary): Completion[] {
  const word = plain(text);
  if (word === '' || text.trim().startsWith('{') || /^say\s/i.test(text)) return [];
  const all = everything(known).filter(({ text: one }) => plain(one) !== word);
  const whole = all.filter(one => plain(one.text).startsWith(`${word} `));
  const starting = [...whole, ...all.filter(one => !whole.includes(one) && plain(one.text).startsWith(word))];
  const inside = all.filter(one => !starting.includes(one) && plain(one.text).split(' ').some(part => part.startsWith(word)));
  return [...starting, ...inside].slice(0, MOST_COMPLETIONS);
}

function everything({ actions, stances, tags }: Vocabulary): Completion[] {
  const seen = new Set<string>();
  const once = (it: Completion) => !seen.has(it.text) && seen.add(it.text);
  return [
    ...actions.map(({ name, kind, tags }) => ({ text: name, what: tags.length > 0 ? `${kind} · ${listed(tags)}` : kind })),
    ...stances.map(text => ({ text, what: 'stance' })),
    ...ACTIVITIES.map(one => ({ text: `be ${one}`, what: 'activity' })),
    ...LOOKS.map(one => ({ text: `look ${one}`, what: 'gaze' })),
    { text: 'say ', what: 'speak a text' }, { text: 'blink', what: 'eyes' }, { text: 'stop', what: 'end all actions' },
    ...['gesture', 'fidget'].map(text => ({ text, what: 'any' })),
    ...tags.map(tag => ({ text: `gesture ${tag}`, what: 'any with this tag' })),
  ].filter(once);
}
