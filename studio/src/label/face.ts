// Proposals of MediaPipe's face mesh, which runs in a separate iframe (see mesh.ts).
import type { MeshResponse, MeshRequest } from '../mesh.ts';
import { rounded } from './points.ts';
import type { Points } from './types.ts';

/** Mesh indices (of 478) of our points: corners, quarters and middles of the lids, and the iris. The person's right eye first. */
export const MESH_POINTS: readonly number[] = [
  33, 161, 159, 157, 133, 154, 145, 163, 468,
  263, 388, 386, 384, 362, 381, 374, 390, 473,
];

/** Converts fractions of the image size to pixels; pixel centres are whole numbers. */
export const eyesIn = (face: readonly (readonly [number, number])[], width: number, height: number): Points =>
  MESH_POINTS.map(index => [rounded(face[index]![0] * width - 0.5), rounded(face[index]![1] * height - 0.5)]);

/** Time limit of an answer; the first one includes loading the mesh. */
const PATIENCE_MS = 60_000;
let frame: Promise<Window> | null = null;
let asked = 0;

function open(): Promise<Window> {
  return new Promise((opened, failed) => {
    const it = document.createElement('iframe');
    it.src = '/mesh.html';
    it.title = 'Face mesh';
    it.hidden = true;
    it.onload = () => it.contentWindow ? opened(it.contentWindow) : failed(new Error('its frame cannot be opened'));
    document.body.append(it);
  });
}

function ask(mesh: Window, picture: ImageBitmap): Promise<MeshResponse> {
  const id = ++asked;
  return new Promise((answered, failed) => {
    const end = (act: () => void) => { removeEventListener('message', take); clearTimeout(timer); act(); };
    const take = ({ data, source }: MessageEvent<MeshResponse>) => { if (source === mesh && data.id === id) end(() => answered(data)); };
    const timer = setTimeout(() => end(() => failed(new Error('it does not respond'))), PATIENCE_MS);
    addEventListener('message', take);
    mesh.postMessage({ id, picture } satisfies MeshRequest, location.origin, [picture]);
  });
}

async function answerTo(url: string): Promise<MeshResponse> {
  const response = await fetch(url);
  if (!response.ok) throw new Error('the frame cannot be read');
  const picture = await createImageBitmap(await response.blob());
  return ask(await (frame ??= open()), picture);
}

/** Finds the eyes in an image. Returns null if there is no face, and throws if the mesh cannot run. */
export async function findEyes(url: string, width: number, height: number): Promise<Points | null> {
  const why = (reason: string) => new Error(`The face finder cannot run in this browser (${reason}). Place the points by hand; after three frames the model guesses the rest.`);
  const { face, fault } = await answerTo(url).catch((error: Error): never => { throw why(error.message); });
  if (fault !== undefined) throw why(fault);
  return face ? eyesIn(face, width, height) : null;
}
