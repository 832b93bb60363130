// The command line, with completion, history, and the result below it.
import { useComputed, useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { answer, sendIntent, known, showRefusal } from './intents.ts';
import { complete, parseCommand } from './command.ts';

/** Earlier commands, oldest first; lost on reload. */
const history: string[] = [];
const MOST_KEPT = 100;

function remember(text: string): void {
  if (history.at(-1) !== text) history.push(text);
  if (history.length > MOST_KEPT) history.shift();
}

export function Line() {
  const text = useSignal(''), chosen = useSignal(-1), isOpen = useSignal(false), back = useSignal(0);
  const input = useRef<HTMLInputElement>(null), list = useId();
  const options = useComputed(() => isOpen.value ? complete(text.value, known.value) : []);
  const write = (now: string, open = true) => {
    text.value = now;
    isOpen.value = open;
    chosen.value = -1;
  };
  const send = (line = text.value) => {
    const it = parseCommand(line, known.value);
    if ('error' in it) return showRefusal(it.error);
    remember(line.trim());
    back.value = 0;
    write('', false);
    void sendIntent(it.intent, it.means);
  };
  const recall = (step: number) => {
    back.value = Math.max(0, Math.min(history.length, back.value + step));
    write(back.value === 0 ? '' : history.at(-back.value)!, false);
  };
  const take = (i: number) => write(options.value[i]!.text, false);
  const keys: Record<string, () => boolean | void> = {
    Enter: () => chosen.value >= 0 && !options.value[chosen.value]!.text.endsWith(' ') ? send(options.value[chosen.value]!.text) : send(),
    Tab: () => options.value.length > 0 ? take(Math.max(0, chosen.value)) : false,
    ArrowDown: () => options.value.length > 0 ? void (chosen.value = (chosen.value + 1) % options.value.length) : recall(-1),
    ArrowUp: () => options.value.length > 0 ? void (chosen.value = (chosen.value < 1 ? options.value.length : chosen.value) - 1) : recall(1),
    Escape: () => options.value.length > 0 ? void (isOpen.value = false) : false,
  };
  return (
    <form class="line" onSubmit={event => { event.preventDefault(); send(); }}>
      <div class="line-input">
        <input ref={input} type="text" role="combobox" data-line aria-label="Command" placeholder="say Hello, wave …" autocomplete="off" spellcheck={false}
          aria-expanded={options.value.length > 0} aria-controls={list} aria-autocomplete="list" aria-activedescendant={chosen.value >= 0 ? `${list}-${chosen.value}` : undefined}
          value={text.value} onInput={event => write(event.currentTarget.value)} onBlur={() => { isOpen.value = false; }}
          onKeyDown={event => { if (!event.shiftKey && keys[event.key] && keys[event.key]!() !== false) event.preventDefault(); }} />
        <ul id={list} role="listbox" aria-label="Suggestions" hidden={options.value.length === 0}>
          {options.value.map((option, i) => (
            <li key={option.text} id={`${list}-${i}`} role="option" aria-selected={i === chosen.value}
              onPointerDown={event => { event.preventDefault(); take(i); input.current?.focus(); }}><b>{option.text}</b><span>{option.what}</span></li>
          ))}
        </ul>
      </div>
      <button type="submit" class="main">Run</button>
      <button type="button" title="Speak the text as written" onClick={() => send(`"${text.value}"`)}>Say</button>
      <AnswerLine />
    </form>
  );
}

function AnswerLine() {
  const it = answer.value;
  return (
    <p class={`answer ${it?.state ?? ''}`} role="status">
      {it === null ? <span class="soft">Press / to type a command.</span> : <>{it.what && <b>{it.what}</b>} {it.text || (it.state === 'done' ? '✓' : '')}</>}
    </p>
  );
}
