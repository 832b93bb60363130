// Voice settings, and playback of a recording.
import { useRef } from 'preact/hooks';
import { addressed } from '../stage/cast.ts';
import { canBrowser, choose, chooseVoice, missing, playFile, speaker, voice, voices, type Speaker } from '../voice/voice.ts';

const WHO: readonly [Speaker, string][] = [['off', 'no voice'], ['computer', 'computer’s voice'], ['browser', 'browser’s voice']];

export function Voice() {
  const picker = useRef<HTMLInputElement>(null);
  const can: Record<Speaker, boolean> = { off: true, computer: voices.value.length > 0, browser: canBrowser() };
  return (
    <div class="voice" role="group" aria-label="Voice">
      <select aria-label="Voice source" value={speaker.value} onChange={event => choose(event.currentTarget.value as Speaker)}>
        {WHO.map(([who, name]) => <option key={who} value={who} disabled={!can[who]}>{name}</option>)}
      </select>
      {speaker.value === 'computer' && (
        <select aria-label="Language" value={voice.value} onChange={event => chooseVoice(event.currentTarget.value)}>
          {voices.value.map(one => <option key={one.voice} value={one.voice}>{one.name}</option>)}
        </select>
      )}
      <button type="button" title="Speak with a recording; you can also drop one here or on the stage" onClick={() => picker.current?.click()}>Play recording…</button>
      <input ref={picker} type="file" accept="audio/*" class="unseen" tabIndex={-1} aria-label="Recording"
        onChange={event => {
          const file = event.currentTarget.files?.[0];
          if (file) void playFile(file, addressed.peek());
          event.currentTarget.value = '';
        }} />
      {missing.value !== null && speaker.value !== 'off' && <details class="soft"><summary>Install espeak-ng for exact lip-sync</summary>{missing.value}</details>}
    </div>
  );
}
