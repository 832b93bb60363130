// Messages: running work and errors. They disappear after a while, unless the pointer is on them.
import { useEffect, useState } from 'preact/hooks';
import { busy, notice, type Notice } from './state.ts';
import { connected } from './wire.ts';
import './notices.css';

/** Display time: a base time, longer for errors, plus reading time per letter. */
const SEEING_MS = { info: 4000, fault: 12000 }, READING_MS_PER_LETTER = 50, MOMENT_MS = 1200;

export function Notices() {
  const it = notice.value;
  return (
    <div class="notices" role="status" aria-live="polite">
      {!connected.value && <ConnectionLost />}
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

/** Shown after a delay, because a newly opened page is not connected yet. */
function ConnectionLost() {
  const [isLong, long] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => long(true), MOMENT_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLong ? <p class="fault"><span>The server is not running. Start vivant again to continue.</span></p> : null;
}
