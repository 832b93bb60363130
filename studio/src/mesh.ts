// MediaPipe's face mesh in a separate iframe: it receives an image by message and returns the face points.
//
// The package is a script that sets a global and creates functions from strings, which only this iframe allows.

interface Landmark { x: number; y: number }
interface Mesh {
  setOptions(options: Record<string, unknown>): void;
  onResults(take: (results: { multiFaceLandmarks?: Landmark[][] }) => void): void;
  initialize(): Promise<void>;
  reset(): void;
  send(input: { image: HTMLCanvasElement }): Promise<void>;
}
declare global { interface Window { FaceMesh?: new (options: { locateFile: (name: string) => string }) => Mesh } }

export interface MeshRequest { id: number; picture: ImageBitmap }
/** Points as fractions of the image size; null if there is no face. */
export interface MeshResponse { id: number; face?: [number, number][] | null; fault?: string }

function script(source: string): Promise<void> {
  return new Promise((loaded, failed) => {
    const it = document.createElement('script');
    it.src = source;
    it.onload = () => loaded();
    it.onerror = () => failed(new Error(`cannot load ${source}`));
    document.head.append(it);
  });
}

async function start(): Promise<Mesh> {
  await script('/face_mesh/face_mesh.js');
  const mesh = new window.FaceMesh!({ locateFile: name => `/face_mesh/${name}` });
  mesh.setOptions({ maxNumFaces: 1, refineLandmarks: true, useCpuInference: true });
  await mesh.initialize();
  return mesh;
}

let mesh: Promise<Mesh> | null = null;

async function find(picture: ImageBitmap): Promise<[number, number][] | null> {
  const it = await (mesh ??= start());
  const canvas = document.createElement('canvas');
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext('2d')!.drawImage(picture, 0, 0);
  let face: Landmark[] | undefined;
  // Frames are unrelated, so the tracker must not carry over its state.
  it.reset();
  it.onResults(results => { face = results.multiFaceLandmarks?.[0]; });
  await it.send({ image: canvas });
  return face ? face.map(({ x, y }) => [x, y]) : null;
}

addEventListener('message', async ({ data, origin, source }: MessageEvent<MeshRequest>) => {
  if (origin !== location.origin || source !== parent) return;
  const answer = (it: Omit<MeshResponse, 'id'>) => parent.postMessage({ id: data.id, ...it } satisfies MeshResponse, origin);
  try {
    answer({ face: await find(data.picture) });
  } catch (error) {
    mesh = null;
    answer({ fault: error instanceof Error ? error.message : String(error) });
  }
});
