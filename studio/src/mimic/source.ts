// Where pictures of a person come from: the camera, or a film.
import { whyNoCamera, type State } from './words.ts';

export interface Source {
  video: HTMLVideoElement;
  isCamera: boolean;
  /** Lets the camera go, or the film. */
  close: () => void;
}

/** Why there are no pictures, as a state of mimicry. */
export class NoSource extends Error {
  constructor(readonly state: State) {
    super(state);
  }
}

function newVideo(): HTMLVideoElement {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  return video;
}

/** Asks for the camera; `onEnd` is called when it is unplugged. */
export async function openCamera(onEnd: (state: State) => void): Promise<Source> {
  // Not there at all where a page is not safe.
  if (!navigator.mediaDevices) throw new NoSource('not-safe');
  const wanted = { width: { ideal: 1280 }, height: { ideal: 720 }, frameRate: { ideal: 30 }, facingMode: 'user' };
  const stream = await navigator.mediaDevices.getUserMedia({ video: wanted }).catch((error: unknown): never => { throw new NoSource(whyNoCamera(error)); });
  const video = newVideo(), close = () => {
    stream.getTracks().forEach(track => track.stop());
    video.srcObject = null;
  };
  stream.getVideoTracks()[0]?.addEventListener('ended', () => onEnd('unplugged'));
  video.srcObject = stream;
  await video.play().catch((): never => {
    close();
    throw new NoSource('in-use');
  });
  return { video, isCamera: true, close };
}

/** Opens a film, at rest; `onEnd` is called when it was played to its end. */
export async function openFilm(file: File, onEnd: (state: State) => void): Promise<Source> {
  const video = newVideo(), address = URL.createObjectURL(file);
  const close = () => {
    video.pause();
    video.removeAttribute('src');
    URL.revokeObjectURL(address);
  };
  const isThere = new Promise<boolean>(there => {
    video.addEventListener('loadeddata', () => there(video.videoWidth > 0), { once: true });
    video.addEventListener('error', () => there(false), { once: true });
  });
  video.addEventListener('ended', () => onEnd('over'));
  video.src = address;
  if (await isThere) return { video, isCamera: false, close };
  close();
  throw new NoSource('no-film');
}

/** No new picture for that long: then the last one is looked at again. */
const STILL_MS = 250;

/** Waits for the next picture; gives when it was taken, as `performance.now` counts. */
export function nextPicture(video: HTMLVideoElement): Promise<number> {
  return new Promise(come => {
    const timer = setTimeout(() => come(performance.now()), STILL_MS);
    // A few browsers cannot tell of pictures: there the timer does.
    video.requestVideoFrameCallback?.((now, { captureTime }) => {
      clearTimeout(timer);
      come(captureTime ?? now);
    });
  });
}
