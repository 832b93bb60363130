// Changing the avatar by drop or file picker.
import { useEffect, useRef, useState } from 'preact/hooks';
import { showError, showMessage, setAvatar } from '../state.ts';
import { isSound, playFile } from '../voice/voice.ts';
import { addressed } from './cast.ts';

const BODY = /\.(vrm|glb|fbx)$/i;

/** Uses the first avatar file as the avatar; plays a recording instead if there is one. */
function openFiles(files: readonly File[]): void {
  const recording = files.find(isSound);
  if (recording) return void playFile(recording, addressed.peek());
  const body = files.find(({ name }) => BODY.test(name));
  if (body) void setAvatar(body);
  else if (files[0]) showError(`${files[0].name} is not an avatar. Drop a VRM, GLB or FBX file on the stage, and clips on the repertoire.`);
  if (body && files.length > 1) showMessage(`Only one avatar can be used: ${body.name}.`);
}

export function Avatar() {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" onClick={() => picker.current?.click()}>Change avatar…</button>
      <input ref={picker} type="file" accept=".vrm,.glb,.fbx" class="unseen" tabIndex={-1} aria-label="Avatar file"
        onChange={event => { openFiles([...event.currentTarget.files ?? []]); event.currentTarget.value = ''; }} />
    </>
  );
}

export function DropHere() {
  return <div class="drop-here"><p><strong>Drop here</strong><br />A VRM, GLB or FBX file becomes the avatar, a recording is spoken.</p></div>;
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Drop handlers; `isOver` is true while files are dragged over the stage. */
export function useDrop() {
  const [isOver, over] = useState(false);
  useEffect(() => {
    // A file dropped elsewhere would replace the page.
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
    openFiles([...event.dataTransfer!.files]);
  };
  return { isOver, on: { onDragEnter: enter, onDragOver: enter, onDragLeave: leave, onDrop: drop } };
}
