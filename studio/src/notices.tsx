// What the studio has to say: work that takes a while, and what went wrong.
import { busy, notice } from './state.ts';
import { connected } from './wire.ts';

export function Notices() {
  const it = notice.value;
  return (
    <div class="notices" role="status" aria-live="polite">
      {!connected.value && <p class="fault">The server is gone. Start vivant again, and the show goes on.</p>}
      {busy.value && <p class="busy">{busy.value} …</p>}
      {it && <p class={it.kind}>{it.text}<button type="button" aria-label="Close" onClick={() => { notice.value = null; }}>×</button></p>}
    </div>
  );
}
