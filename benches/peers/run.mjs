// Writes ten minutes of each program as JSON Lines into a folder: `node run.mjs FOLDER`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PEERS, frames } from './schedules.mjs';
import { talking } from './talkinghead.mjs';

const [folder, seconds = '600'] = process.argv.slice(2), RATE = 60;
const write = (name, lines) => writeFileSync(join(folder, `${name}.jsonl`), lines.map(line => `${JSON.stringify(line)}\n`).join(''));
const title = ({ name, state }) => `${name}${state ? `, ${state}` : ''}`;

PEERS.forEach((peer, i) => write(title(peer), [...frames(peer, Number(seconds), RATE, 100 + i)]));
for (const state of ['idle', 'speaking']) write(`TalkingHead, ${state}`, await talking(state, Number(seconds), RATE));
