// Tag editor, with completion from used and common tags.
import { useRef } from 'preact/hooks';
import { knownTags } from './edit.ts';
import { repertoire } from './selection.ts';

const MOST = 32;

interface Props { all: readonly string[]; some: readonly string[]; onTag: (tag: string, isOn: boolean) => void }

/** Tags of all selected entries, and of only some. */
export function Tags({ all, some, onTag }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const add = (): void => {
    const tag = input.current!.value.trim();
    input.current!.value = '';
    if (tag && !all.includes(tag)) onTag(tag, true);
  };
  return (
    <div class="tags">
      {[...all, ...some].map(tag => (
        <span key={tag} class="tag" data-some={some.includes(tag) || undefined}>
          {tag}{some.includes(tag) && <span class="soft">&nbsp;(some)</span>}
          <button type="button" aria-label={`Remove tag ${tag}`} onClick={() => onTag(tag, false)}>×</button>
        </span>
      ))}
      {all.length < MOST && <input ref={input} type="text" list="known-tags" aria-label="Add tag" placeholder="Add tag" maxLength={200}
        onChange={add} onKeyDown={event => { if (event.key === 'Enter') add(); }} />}
      <datalist id="known-tags">{knownTags(repertoire.value).filter(tag => !all.includes(tag)).map(tag => <option key={tag} value={tag} />)}</datalist>
    </div>
  );
}
