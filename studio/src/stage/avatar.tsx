// Another body: dropped on the stage, or chosen by a button.
import { useEffect, useRef, useState } from 'preact/hooks';
import { complain, say, setAvatar } from '../state.ts';
import { isSound, playFile } from '../voice/voice.ts';
import { addressed } from './cast.ts';

const BODY = /\.(vrm|glb|fbx)$/i;

/** Takes the first file that can be a body; a recording is spoken with. */
function wear(files: readonly File[]): void {
  const recording = files.find(isSound);
  if (recording) return void playFile(recording, addressed.peek());
  const body = files.find(({ name }) => BODY.test(name));
  if (body) void setAvatar(body);
  else if (files[0]) complain(`${files[0].name} is no avatar. The stage takes a VRM, GLB or FBX file; clips go into the library of the repertoire.`);
  if (body && files.length > 1) say(`One body at a time: ${body.name} is taken.`);
}

export function Avatar() {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" onClick={() => picker.current?.click()}>Change avatar…</button>
      <input ref={picker} type="file" accept=".vrm,.glb,.fbx" class="unseen" tabIndex={-1} aria-label="Avatar file"
        onChange={event => { wear([...event.currentTarget.files ?? []]); event.currentTarget.value = ''; }} />
    </>
  );
}

export function DropHere() {
  return <div class="drop-here"><p><strong>Drop it here</strong><br />A VRM, GLB or FBX file becomes the character’s body, a recording its voice.</p></div>;
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Tells whether files are held above, and takes them when they are let go. */
export function useDrop() {
  const [isOver, over] = useState(false);
  useEffect(() => {
    // A file that misses would replace the whole page.
    const refuse = (event: DragEvent) => { if (hasFiles(event)) event.preventDefault(); };
    addEventListener('dragover', refuse);
    addEventListener('drop', refuse);
    return () => {
      removeEventListener('dragover', refuse);
      removeEventListener('drop', refuse);
    };
  }, []);
  const enter = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    over(true);
  };
  const leave = (event: DragEvent) => {
    const to = event.relatedTarget;
    if (!(to instanceof Node) || !(event.currentTarget as Node).contains(to)) over(false);
  };
  const drop = (event: DragEvent) => {
    over(false);
    if (!hasFiles(event)) return;
    event.preventDefault();
    wear([...event.dataTransfer!.files]);
  };
  return { isOver, on: { onDragEnter: enter, onDragOver: enter, onDragLeave: leave, onDrop: drop } };
}
