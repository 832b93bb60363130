// MediaPipe's face mesh in a frame of its own: it takes a picture by message, and gives back the points of the face.
//
// The package is a script that leaves a global and makes functions from text; here it may, and nowhere else.

interface Landmark { x: number; y: number }
interface Mesh {
  setOptions(options: Record<string, unknown>): void;
  onResults(take: (results: { multiFaceLandmarks?: Landmark[][] }) => void): void;
  initialize(): Promise<void>;
  reset(): void;
  send(input: { image: HTMLCanvasElement }): Promise<void>;
}
declare global { interface Window { FaceMesh?: new (options: { locateFile: (name: string) => string }) => Mesh } }

export interface Asked { id: number; picture: ImageBitmap }
/** Points as shares of the picture's size; null where there is no face. */
export interface Answered { id: number; face?: [number, number][] | null; fault?: string }

function script(source: string): Promise<void> {
  return new Promise((loaded, failed) => {
    const it = document.createElement('script');
    it.src = source;
    it.onload = () => loaded();
    it.onerror = () => failed(new Error(`${source} cannot be loaded`));
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
  // Each picture by itself: what was seen in the one before is of another moment.
  it.reset();
  it.onResults(results => { face = results.multiFaceLandmarks?.[0]; });
  await it.send({ image: canvas });
  return face ? face.map(({ x, y }) => [x, y]) : null;
}

addEventListener('message', async ({ data, origin, source }: MessageEvent<Asked>) => {
  if (origin !== location.origin || source !== parent) return;
  const answer = (it: Omit<Answered, 'id'>) => parent.postMessage({ id: data.id, ...it } satisfies Answered, origin);
  try {
    answer({ face: await find(data.picture) });
  } catch (error) {
    mesh = null;
    answer({ fault: error instanceof Error ? error.message : String(error) });
  }
});
