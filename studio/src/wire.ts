// The server's socket: a greeting, and then a frame whenever there is a newer one.

/** What is known before the first frame. */
export interface Hello {
  avatar: string;
  /** Whether the server has the avatar as a file that can be shown. */
  model: 'vrm' | null;
  /** All 55 bones, parents before children. */
  bones: { name: string; parent: number | null; exists: boolean }[];
  /** Where each bone rests, in metres. */
  rest: [number, number, number][];
  clips: string[];
  /** The expressions whose weights each frame has. */
  channels: string[];
}

/** One instant: rotations as VRM 1.0's humanoid has them, and where the hips are. */
export interface Frame {
  seconds: number;
  /** Which clip plays; less than nothing is none. */
  clip: number;
  since: number;
  root: Float32Array;
  rotations: Float32Array;
  weights: Float32Array;
}

const HEADER = 3;

function decode(bytes: ArrayBuffer, bones: number): Frame {
  const floats = new Float32Array(bytes);
  const root = HEADER, rotations = root + 3, weights = rotations + 4 * bones;
  return {
    seconds: floats[0] ?? 0,
    clip: floats[1] ?? -1,
    since: floats[2] ?? 0,
    root: floats.subarray(root, rotations),
    rotations: floats.subarray(rotations, weights),
    weights: floats.subarray(weights),
  };
}

/** Connects, and connects again when the server comes back. */
export function connect(on: { hello(hello: Hello): void; frame(frame: Frame): void; gone(): void }): void {
  const socket = new WebSocket(`ws://${location.host}/live?as=pose`);
  socket.binaryType = 'arraybuffer';
  let bones = 0;
  socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data === 'string') {
      const hello = JSON.parse(data) as Hello;
      bones = hello.bones.length;
      on.hello(hello);
    } else if (bones > 0) {
      on.frame(decode(data, bones));
    }
  };
  socket.onclose = () => {
    on.gone();
    setTimeout(() => connect(on), 1000);
  };
}
