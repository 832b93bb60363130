// three.js in Node. Without a canvas, images and materials are removed before a file is parsed.
import { AnimationMixer, LoopOnce, Vector3 } from 'three';
import { BVHLoader } from 'three/addons/loaders/BVHLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const JSON_CHUNK = 0x4e4f534a;

/** Splits a GLB into its JSON and the other chunks. */
export function openGlb(bytes) {
  const length = bytes.readUInt32LE(12);
  if (bytes.readUInt32LE(16) !== JSON_CHUNK) throw new Error('the first chunk is not JSON');
  return { json: JSON.parse(bytes.toString('utf8', 20, 20 + length)), rest: bytes.subarray(20 + length) };
}

export function closeGlb({ json, rest }) {
  let text = JSON.stringify(json);
  while (Buffer.byteLength(text) % 4) text += ' ';
  const chunk = Buffer.from(text), header = Buffer.alloc(20);
  header.write('glTF', 0);
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(20 + chunk.length + rest.length, 8);
  header.writeUInt32LE(chunk.length, 12);
  header.writeUInt32LE(JSON_CHUNK, 16);
  return Buffer.concat([header, chunk, rest]);
}

/** Removes images and materials of a GLB; joints and animations are unchanged. */
export function withoutPictures(bytes) {
  const { json, rest } = openGlb(bytes);
  for (const key of ['images', 'textures', 'materials', 'samplers']) delete json[key];
  for (const mesh of json.meshes ?? []) for (const part of mesh.primitives) delete part.material;
  const { VRM, VRMC_vrm } = json.extensions ?? {};
  if (VRM) {
    delete VRM.meta?.texture;
    VRM.materialProperties = [];
    for (const group of VRM.blendShapeMaster?.blendShapeGroups ?? []) group.materialValues = [];
  }
  if (VRMC_vrm) {
    delete VRMC_vrm.meta?.thumbnailImage;
    const { preset = {}, custom = {} } = VRMC_vrm.expressions ?? {};
    for (const expression of [...Object.values(preset), ...Object.values(custom)]) {
      delete expression.materialColorBinds;
      delete expression.textureTransformBinds;
    }
  }
  return closeGlb({ json, rest });
}

/** Loads a GLB, VRM or VRMA with three.js and the given plugins. */
export async function loadGlb(bytes, ...plugins) {
  const loader = new GLTFLoader();
  for (const plugin of plugins) loader.register(plugin);
  const { buffer, byteOffset, byteLength } = withoutPictures(bytes);
  return loader.parseAsync(buffer.slice(byteOffset, byteOffset + byteLength), '');
}

export const loadBvh = text => new BVHLoader().parse(text);

/** Returns a function that shows an animation at a time, clamped to its end. */
export function player(root, clip) {
  const mixer = new AnimationMixer(root), action = mixer.clipAction(clip);
  action.setLoop(LoopOnce);
  action.clampWhenFinished = true;
  action.play();
  return seconds => {
    action.paused = false;
    action.enabled = true;
    action.time = seconds;
    mixer.update(0);
    root.updateMatrixWorld(true);
  };
}

/** World position of an object. */
export const worldPosition = object => object.getWorldPosition(new Vector3());
