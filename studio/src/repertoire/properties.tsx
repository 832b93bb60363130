// Properties of the selection. Every change is saved at once.
import { busy, character } from '../state.ts';
import type { Proposal } from '../protocol.ts';
import { accept, acceptableSelected, skipProposals } from './actions.ts';
import { EntryFields } from './entry-fields.tsx';
import { nameOf } from './edit.ts';
import { openPlaceMenu } from './place-menu.tsx';
import { chosen, clipsByName, goTo, skippedClips, openProposals, selectedClips, selectedEntries } from './selection.ts';
import { StanceFields } from './stance-fields.tsx';
import { counted, percent, proposed } from './texts.ts';
import './repertoire.css';
import './properties.css';

export function Properties() {
  return (
    <section class="side properties" aria-label="Properties">
      <div class="properties-top"><h2>{title()}</h2><Saved /></div>
      <Fields />
    </section>
  );
}

function title(): string {
  const entries = selectedEntries.value, clips = [...selectedClips.value];
  if (entries.length > 0) return entries.length === 1 ? nameOf(entries[0]!) : `${entries.length} clips`;
  if (clips.length > 0) return clips.length === 1 ? clipsByName.value.get(clips[0]!)?.name ?? 'Clip' : counted(clips.length, 'clip');
  return chosen.value ? `Stance ${chosen.value.name}` : 'Properties';
}

function Saved() {
  if (character.value?.readOnly) return <span class="saved" title="The built-in character cannot be changed">Changes create a copy</span>;
  return <span class="saved">{busy.value ? 'Saving …' : character.value ? '✓ Saved' : ''}</span>;
}

function Fields() {
  if (selectedEntries.value.length > 0) return <EntryFields />;
  if (selectedClips.value.size > 0) return <ClipFields />;
  const stance = chosen.value;
  return stance ? <StanceFields key={stance.name} stance={stance} /> : <p class="soft">Select a clip or a stance.</p>;
}

/** Proposals and actions for clips of the library. */
function ClipFields() {
  const these = [...selectedClips.value], open = acceptableSelected();
  const clip = these.length === 1 ? clipsByName.value.get(these[0]!) : undefined, proposal = these.length === 1 ? openProposals.value.get(these[0]!) : undefined;
  const place = clip?.places[0];
  return (
    <>
      {clip && <p class="soft small">{clip.clip} · {clip.seconds.toFixed(2)} s</p>}
      {clip?.error && <p class="fault-text"><b>✖ Error</b> {clip.error}</p>}
      {proposal && <ProposalText proposal={proposal} />}
      <div class="buttons">
        {open.length > 0 && <button type="button" class="main" onClick={() => void accept(open)}>{open.length === 1 ? 'Accept' : `Accept ${counted(open.length, 'proposal')}`}</button>}
        <button type="button" onClick={() => openPlaceMenu()}>Place…</button>
        {proposal && <SkipButton clip={proposal.clip} />}
        {place !== undefined && <button type="button" onClick={() => goTo(place)}>Show place</button>}
      </div>
    </>
  );
}

function SkipButton({ clip }: { clip: string }) {
  const isLeft = skippedClips.value.has(clip);
  return <button type="button" title="Key Delete" onClick={() => skipProposals([clip], !isLeft)}>{isLeft ? 'Propose again' : 'Skip'}</button>;
}

const HANDS = { L: 'the left hand', R: 'the right hand', LR: 'both hands', left: 'the left hand', right: 'the right hand', both: 'both hands' };

function ProposalText({ proposal }: { proposal: Proposal }) {
  const details = [proposal.hand ? `hand: ${HANDS[proposal.hand].replace('the ', '').replace(' hands', '').replace(' hand', '')}` : '', `layers: ${proposal.layers.join(', ')}`, `part: ${proposal.start.toFixed(2)} to ${proposal.end.toFixed(2)} s`, proposal.tags.length > 0 ? `tags: ${proposal.tags.join(', ')}` : ''].filter(Boolean);
  return (
    <div class="proposal" data-type={proposal.type}>
      <p>Proposed: <b>{proposed(proposal)}</b>, confidence {percent(proposal.confidence)}.{proposal.confidence < 0.5 && <b class="warning-text"> Please check.</b>}</p>
      <p class="soft">{proposal.reasons}</p>
      <ul>{details.map(detail => <li key={detail}>{detail}</li>)}</ul>
    </div>
  );
}
