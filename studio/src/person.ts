// MediaPipe in a worker: it takes a picture by message, and gives back points of the body, the face and the hands of whoever is in it.
//
// Its packages are scripts that leave globals and make functions from text; here they may, by the policy that the server
// gives this file. They were written for pages, and find here what they need of one. In a page they would hold up every
// picture of the stage.
import { ALONE, bodyBox, bodyOf, counted, handsAlong, handsOf, handSquares, headSquare, isAnother, pointsOf, type Landmark, type Point, type Sight, type Square } from './mimic/sight.ts';

interface Results { poseLandmarks?: Landmark[]; poseWorldLandmarks?: Landmark[]; multiFaceLandmarks?: Landmark[][]; multiHandLandmarks?: Landmark[][]; image?: unknown }
interface Solution {
  setOptions(options: Record<string, unknown>): void;
  onResults(take: (results: Results) => void): void;
  initialize(): Promise<void>;
  send(input: { image: OffscreenCanvas }, milliseconds: number): Promise<void>;
}
type Maker = new (options: { locateFile: (name: string) => string }) => Solution;

export interface Asked { id: number; picture: ImageBitmap; milliseconds: number }
export type Seen = Omit<Sight, 'time'>;
export interface Answered { id: number; seen?: Seen; fault?: string }

declare function importScripts(...sources: string[]): void;
const worker = self as unknown as Record<string, unknown> & { postMessage(message: Answered): void };

/** A script tag, as far as a loader needs one: it is loaded when it is put into the page. */
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

/** Where graphics are worked out by the processor, the processor does better without them. */
function hasGraphicsCard(): boolean {
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2');
  if (!gl) throw new Error('there is no WebGL');
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

/** One after the other: while they load, they share a place for what they leave behind. */
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

/** The body is looked for in a small picture, the face in a square of the large one, and the hands in two of them side by side. */
const LONGEST = 480, FACE_SIDE = 192, HAND_SIDE = 224;
const whole = new OffscreenCanvas(1, 1), close = new OffscreenCanvas(FACE_SIDE, FACE_SIDE), both = new OffscreenCanvas(2 * HAND_SIDE, HAND_SIDE);
const penOf = (canvas: OffscreenCanvas) => canvas.getContext('2d', { willReadFrequently: true })!;
const [wholePen, closePen, bothPen] = [penOf(whole), penOf(close), penOf(both)];

/** Draws a square of the picture; what is beyond the picture is gray, and so is a square that there is none of. */
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

/** How often hands are looked for: of pictures that take as long as body and face do, every other one. */
const HANDS_MS = 120;
/** When that was done last, what was found, and the pose of that time. */
interface Hands { atMs: number; found: (Point[] | null)[]; pose: Landmark[] }
const NO_HANDS: Hands = { atMs: -Infinity, found: [null, null], pose: [] };
let hands = NO_HANDS;

/** The left and the right hand. Between two looks, hands go along with their wrists. */
async function handsIn(picture: ImageBitmap, pose: Landmark[], by: Solution): Promise<(Point[] | null)[]> {
  const { width, height } = picture;
  if (lastMs - hands.atMs < HANDS_MS) return handsAlong(hands.found, hands.pose, pose, width, height);
  const squares = handSquares(pose, width, height);
  squares.forEach((square, i) => drawSquare(bothPen, picture, square, i * HAND_SIDE, HAND_SIDE));
  const found = squares.some(Boolean) ? (await results(by, both)).multiHandLandmarks ?? [] : [];
  hands = { atMs: lastMs, found: handsOf(found, squares, pose, width, height), pose };
  return hands.found;
}

/** How often somebody else is looked for; sooner where the last look said something new. */
const COUNT_MS = 1200, RECOUNT_MS = 300;
let count = ALONE, dueMs: number | null = null;

/** MediaPipe follows one body. Who else is there is found when that one is painted over. */
async function countWith(pose: Landmark[], it: NonNullable<typeof tools>): Promise<void> {
  // Who comes is looked at first, and others after that.
  if (lastMs < (dueMs ??= lastMs + COUNT_MS)) return;
  const { left, top, width, height } = bodyBox(pose, whole.width, whole.height);
  wholePen.fillStyle = 'gray';
  wholePen.fillRect(left, top, width, height);
  // It is loaded when it is first needed; from a server that is gone, later.
  it.others ??= await openPose().catch(() => null);
  const other = it.others && (await results(it.others, whole)).poseLandmarks;
  count = counted(count, other && isAnother(other, pose, whole.width, whole.height) ? 2 : 1);
  dueMs = lastMs + (count.last === count.people ? COUNT_MS : RECOUNT_MS);
}

async function look(picture: ImageBitmap, milliseconds: number): Promise<Seen> {
  const it = await start();
  // Times have to grow, even where a picture comes twice.
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

/** A picture that takes longer is slow, and slow ones may take so long in all: enough to make a graphics card's programs. */
const SLOW_MS = 150, PATIENCE_MS = 8000;
let slowMs = 0;

/** Some graphics cards are slower than the processor: that shows soon. */
function weigh(tookMs: number, { pose, face, hands, others }: NonNullable<typeof tools>): void {
  if (isByProcessor) return;
  slowMs = tookMs > SLOW_MS ? slowMs + tookMs : Math.max(0, slowMs - SLOW_MS);
  if (slowMs < PATIENCE_MS) return;
  isByProcessor = true;
  [pose, face, hands, others].forEach(it => it?.setOptions({ useCpuInference: true }));
}

addEventListener('message', async ({ data: { id, picture, milliseconds } }: MessageEvent<Asked>) => {
  try {
    worker.postMessage({ id, seen: await look(picture, milliseconds) });
  } catch (error) {
    worker.postMessage({ id, fault: error instanceof Error ? error.message : String(error) });
  } finally {
    picture.close();
  }
});
