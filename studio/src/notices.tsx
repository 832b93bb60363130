// What the studio has to say: work that takes a while, and what went wrong. It goes by itself, unless somebody points at it.
import { useEffect, useState } from 'preact/hooks';
import { busy, notice, type Notice } from './state.ts';
import { connected } from './wire.ts';
import './notices.css';

/** How long a notice stays: the time to see it, and to read it. What went wrong stays longer. */
const SEEING_MS = { info: 4000, fault: 12000 }, READING_MS_PER_LETTER = 50, MOMENT_MS = 1200;

export function Notices() {
  const it = notice.value;
  return (
    <div class="notices" role="status" aria-live="polite">
      {!connected.value && <Lost />}
      {busy.value && <p class="busy"><span class="wheel" aria-hidden="true" />{busy.value} …</p>}
      {it && <Note key={it.text} it={it} />}
    </div>
  );
}

function Note({ it }: { it: Notice }) {
  const [isRead, read] = useState(false);
  useEffect(() => {
    if (isRead) return;
    const timer = setTimeout(close, SEEING_MS[it.kind] + READING_MS_PER_LETTER * it.text.length);
    return () => clearTimeout(timer);
  }, [it, isRead]);
  return (
    <p class={it.kind} onPointerEnter={() => read(true)} onPointerLeave={() => read(false)}>
      <span>{it.text}</span><button type="button" class="quiet" aria-label="Close" onClick={close}>×</button>
    </p>
  );
}

function close(): void {
  notice.value = null;
}

/** Only after a moment: a page that is just opened is not connected either. */
function Lost() {
  const [isLong, long] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => long(true), MOMENT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLong ? <p class="fault"><span>The server is gone. Start vivant again, and the show goes on.</span></p> : null;
}
