// MediaPipe in a worker: it receives an image by message and returns points of the person's body, face and hands.
//
// Its packages are scripts that set globals and create functions from strings, which the content security policy of this
// file allows. They expect a page, so the few parts of the DOM that they need are emulated. In the page itself they would
// block rendering of the stage.
import { ALONE, bodyBox, bodyOf, counted, handsAlong, handsOf, handSquares, headSquare, isAnother, pointsOf, type Landmark, type Point, type Sight, type Square } from './mimic/sight.ts';

interface Results { poseLandmarks?: Landmark[]; poseWorldLandmarks?: Landmark[]; multiFaceLandmarks?: Landmark[][]; multiHandLandmarks?: Landmark[][]; image?: unknown }
interface Solution {
  setOptions(options: Record<string, unknown>): void;
  onResults(take: (results: Results) => void): void;
  initialize(): Promise<void>;
  send(input: { image: OffscreenCanvas }, milliseconds: number): Promise<void>;
}
type Maker = new (options: { locateFile: (name: string) => string }) => Solution;

export interface FinderRequest { id: number; picture: ImageBitmap; milliseconds: number }
export type Detection = Omit<Sight, 'time'>;
export interface FinderResponse { id: number; seen?: Detection; fault?: string }

declare function importScripts(...sources: string[]): void;
const worker = self as unknown as Record<string, unknown> & { postMessage(message: FinderResponse): void };

/** Minimal script element for MediaPipe's loader: appending it to the document loads the script. */
class Tag {
  #source = '';
  readonly #calls: Record<string, () => void> = {};
  setAttribute(name: string, value: string): void { if (name === 'src') this.#source = value; }
  addEventListener(name: string, call: () => void): void { this.#calls[name] = call; }
  load(): void {
    importScripts(this.#source);
    this.#calls['load']?.();
  }
}

const body = { appendChild: (tag: Tag) => tag.load() };
worker['window'] = self;
worker['document'] = {
  body, head: body,
  createElement: (name: string) => name === 'canvas' ? new OffscreenCanvas(1, 1) : new Tag(),
  addEventListener: () => undefined, querySelector: () => null, getElementById: () => null,
};

/** Returns false for software rendering: inference on the CPU is then faster than through WebGL. */
function hasGraphicsCard(): boolean {
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2');
  if (!gl) throw new Error('WebGL is not available');
  const names = gl.getExtension('WEBGL_debug_renderer_info');
  const renderer = String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return !/swiftshader|llvmpipe|softpipe|software|basic render/i.test(renderer);
}

async function open(folder: string, name: string, options: Record<string, unknown>): Promise<Solution> {
  if (!(name in worker)) importScripts(`/${folder}/${folder}.js`);
  const it = new (worker[name] as Maker)({ locateFile: file => `/${folder}/${file}` });
  it.setOptions({ useCpuInference: isByProcessor ??= !hasGraphicsCard(), ...options });
  await it.initialize();
  return it;
}

const openPose = () => open('pose', 'Pose', { modelComplexity: 1 });
let isByProcessor: boolean | undefined;
let tools: { pose: Solution; face: Solution; hands: Solution; others: Solution | null } | null = null;

/** Loads the solutions one after the other, because their loaders share a global. */
const start = async () => tools ??= {
  pose: await openPose(),
  face: await open('face_mesh', 'FaceMesh', { maxNumFaces: 1, refineLandmarks: true }),
  hands: await open('hands', 'Hands', { maxNumHands: 2, modelComplexity: 0 }),
  others: null,
};

let lastMs = 0;

async function results(of: Solution, image: OffscreenCanvas): Promise<Results> {
  let found: Results = {};
  of.onResults(it => {
    found = it;
    if (it.image instanceof ImageBitmap) it.image.close();
  });
  await of.send({ image }, lastMs);
  return found;
}

/** The body is detected in a downscaled image, the face in a square crop, and the hands in two crops side by side; in pixels. */
const LONGEST = 480, FACE_SIDE = 192, HAND_SIDE = 224;
const whole = new OffscreenCanvas(1, 1), close = new OffscreenCanvas(FACE_SIDE, FACE_SIDE), both = new OffscreenCanvas(2 * HAND_SIDE, HAND_SIDE);
const penOf = (canvas: OffscreenCanvas) => canvas.getContext('2d', { willReadFrequently: true })!;
const [wholePen, closePen, bothPen] = [penOf(whole), penOf(close), penOf(both)];

/** Draws a square crop of the image. Areas outside the image, and a missing crop, are gray. */
function drawSquare(pen: OffscreenCanvasRenderingContext2D, picture: ImageBitmap, square: Square | null, x: number, side: number): void {
  pen.fillStyle = 'gray';
  pen.fillRect(x, 0, side, side);
  if (square) pen.drawImage(picture, square.left, square.top, square.side, square.side, x, 0, side, side);
}

function drawWhole(picture: ImageBitmap): void {
  const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
  const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)];
  if (whole.width !== width || whole.height !== height) [whole.width, whole.height] = [width, height];
  wholePen.drawImage(picture, 0, 0, width, height);
}

let square: Square | null = null;

async function faceIn(picture: ImageBitmap, pose: Landmark[], by: Solution) {
  square = headSquare(pose, picture.width, picture.height, square);
  drawSquare(closePen, picture, square, 0, FACE_SIDE);
  const face = (await results(by, close)).multiFaceLandmarks?.[0];
  return face ? pointsOf(face, square, picture.width, picture.height) : null;
}

/** Minimum time between two hand detections: with typical body and face times, every other image. */
const HANDS_MS = 120;
/** Time, result and pose of the last hand detection. */
interface Hands { atMs: number; found: (Point[] | null)[]; pose: Landmark[] }
const NO_HANDS: Hands = { atMs: -Infinity, found: [null, null], pose: [] };
let hands = NO_HANDS;

/** Returns the left and right hand. Between two detections, hands move with their wrists. */
async function handsIn(picture: ImageBitmap, pose: Landmark[], by: Solution): Promise<(Point[] | null)[]> {
  const { width, height } = picture;
  if (lastMs - hands.atMs < HANDS_MS) return handsAlong(hands.found, hands.pose, pose, width, height);
  const squares = handSquares(pose, width, height);
  squares.forEach((square, i) => drawSquare(bothPen, picture, square, i * HAND_SIDE, HAND_SIDE));
  const found = squares.some(Boolean) ? (await results(by, both)).multiHandLandmarks ?? [] : [];
  hands = { atMs: lastMs, found: handsOf(found, squares, pose, width, height), pose };
  return hands.found;
}

/** Interval of the search for other people; shorter if the last result differs from the confirmed count. */
const COUNT_MS = 1200, RECOUNT_MS = 300;
let count = ALONE, dueMs: number | null = null;

/** Counts people. MediaPipe tracks one body, so that body is painted over and the rest is searched again. */
async function countWith(pose: Landmark[], it: NonNullable<typeof tools>): Promise<void> {
  // The first search waits for one interval after a person appears.
  if (lastMs < (dueMs ??= lastMs + COUNT_MS)) return;
  const { left, top, width, height } = bodyBox(pose, whole.width, whole.height);
  wholePen.fillStyle = 'gray';
  wholePen.fillRect(left, top, width, height);
  // Loaded on first use; if the server is not reachable, tried again at the next search.
  it.others ??= await openPose().catch(() => null);
  const other = it.others && (await results(it.others, whole)).poseLandmarks;
  count = counted(count, other && isAnother(other, pose, whole.width, whole.height) ? 2 : 1);
  dueMs = lastMs + (count.last === count.people ? COUNT_MS : RECOUNT_MS);
}

async function look(picture: ImageBitmap, milliseconds: number): Promise<Detection> {
  const it = await start();
  // MediaPipe needs increasing times, even if the same image comes twice.
  lastMs = Math.max(lastMs + 1, milliseconds);
  drawWhole(picture);
  const began = performance.now(), { poseLandmarks: pose, poseWorldLandmarks: world } = await results(it.pose, whole);
  const size: [number, number] = [picture.width, picture.height];
  if (!pose) {
    [square, hands, count, dueMs] = [null, NO_HANDS, ALONE, null];
    return { people: 0, size, pose: null, world: null, face: null, leftHand: null, rightHand: null };
  }
  const face = await faceIn(picture, pose, it.face);
  const [leftHand, rightHand] = await handsIn(picture, pose, it.hands) as [Point[] | null, Point[] | null];
  weigh(performance.now() - began, it);
  await countWith(pose, it);
  return { people: count.people, size, pose: bodyOf(pose), world: world ? bodyOf(world) : null, face, leftHand, rightHand };
}

/**
 * Images above `SLOW_MS` count as slow; after `PATIENCE_MS` of slow images inference moves to the CPU. Shader
 * compilation takes less time.
 */
const SLOW_MS = 150, PATIENCE_MS = 8000;
let slowMs = 0;

/** Switches to CPU inference if the graphics card turns out to be slower. */
function weigh(tookMs: number, { pose, face, hands, others }: NonNullable<typeof tools>): void {
  if (isByProcessor) return;
  slowMs = tookMs > SLOW_MS ? slowMs + tookMs : Math.max(0, slowMs - SLOW_MS);
  if (slowMs < PATIENCE_MS) return;
  isByProcessor = true;
  [pose, face, hands, others].forEach(it => it?.setOptions({ useCpuInference: true }));
}

addEventListener('message', async ({ data: { id, picture, milliseconds } }: MessageEvent<FinderRequest>) => {
  try {
    worker.postMessage({ id, seen: await look(picture, milliseconds) });
  } catch (error) {
    worker.postMessage({ id, fault: error instanceof Error ? error.message : String(error) });
  } finally {
    picture.close();
  }
});
