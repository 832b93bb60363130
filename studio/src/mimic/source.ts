// Image sources: the camera or a video file.
import { whyNoCamera, type State } from './texts.ts';

export interface Source {
  video: HTMLVideoElement;
  isCamera: boolean;
  /** Releases the camera or the video. */
  close: () => void;
}

/** The reason why there are no images, as a mimicry state. */
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

/** Opens the camera. `onEnd` is called when it is unplugged. */
export async function openCamera(onEnd: (state: State) => void): Promise<Source> {
  // Missing in insecure contexts.
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

/** Opens a video file, paused. `onEnd` is called at its end. */
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

/** Time without a new image after which the last image is processed again. */
const STILL_MS = 250;

/** Waits for the next image. Returns its capture time in milliseconds of `performance.now`. */
export function nextPicture(video: HTMLVideoElement): Promise<number> {
  return new Promise(come => {
    const timer = setTimeout(() => come(performance.now()), STILL_MS);
    // Some browsers lack this callback; the timer replaces it.
    video.requestVideoFrameCallback?.((now, { captureTime }) => {
      clearTimeout(timer);
      come(captureTime ?? now);
    });
  });
}
