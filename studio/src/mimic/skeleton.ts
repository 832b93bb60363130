// Draws the detected points over the image.
import type { Sight } from './sight.ts';

/** Pairs of MediaPipe joints that form bones. The face is drawn as points. */
const BONES: readonly (readonly [number, number])[] = [
  [11, 12], [11, 13], [13, 15], [12, 14], [14, 16], [15, 19], [15, 21], [16, 20], [16, 22],
  [11, 23], [12, 24], [23, 24], [23, 25], [25, 27], [24, 26], [26, 28], [27, 31], [28, 32],
];
const JOINTS = [...new Set(BONES.flat())];
const SEEN = 0.5;
/** Lines from the wrist along each finger, and across the knuckles. */
const HAND = [0, 4, 8, 12, 16].map(before => [0, 1, 2, 3, 4].map(n => n === 0 ? 0 : before + n)).concat([[5, 9, 13, 17]]);

export function drawPoints(canvas: HTMLCanvasElement, sight: Sight | null): void {
  const pen = canvas.getContext('2d')!, { width, height } = canvas;
  pen.clearRect(0, 0, width, height);
  if (!sight?.pose) return;
  const { pose, face, leftHand, rightHand } = sight, style = getComputedStyle(canvas), colour = style.color;
  const isSeen = (number: number) => pose[number]![3] >= SEEN;
  const at = (number: number): [number, number] => [pose[number]![0] * width, pose[number]![1] * height];
  [pen.strokeStyle, pen.fillStyle, pen.lineWidth, pen.lineCap] = [colour, colour, width / 130, 'round'];
  pen.beginPath();
  for (const [from, to] of BONES.filter(bone => bone.every(isSeen))) {
    pen.moveTo(...at(from));
    pen.lineTo(...at(to));
  }
  pen.stroke();
  for (const joint of JOINTS.filter(isSeen)) dot(pen, ...at(joint), width / 90);
  for (const [x, y] of face ?? []) dot(pen, x * width, y * height, width / 400);
  // On skin, hands need another colour than the skeleton on clothes.
  pen.strokeStyle = pen.fillStyle = style.getPropertyValue('--hands');
  pen.lineWidth = width / 200;
  for (const hand of [leftHand, rightHand]) if (hand) drawHand(pen, hand.map(([x, y]) => [x * width, y * height]));
}

function drawHand(pen: CanvasRenderingContext2D, points: [x: number, y: number][]): void {
  pen.beginPath();
  for (const [first, ...others] of HAND) {
    pen.moveTo(...points[first!]!);
    for (const number of others) pen.lineTo(...points[number]!);
  }
  pen.stroke();
  for (const [x, y] of points) dot(pen, x, y, pen.lineWidth);
}

function dot(pen: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}
