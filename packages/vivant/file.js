// The bytes of an avatar loaded by three.js, and the mapping of its objects to nodes of the file.

const GLB = 0x46546c67, JSON_CHUNK = 0x4e4f534a, BINARY_CHUNK = 0x004e4942;

function glb(text, binary) {
  const json = new TextEncoder().encode(text), padded = length => length + 3 & ~3;
  const size = 20 + padded(json.length) + 8 + padded(binary.byteLength);
  const bytes = new Uint8Array(size), header = new DataView(bytes.buffer), at = 20 + padded(json.length);
  [GLB, 2, size, padded(json.length), JSON_CHUNK].forEach((word, i) => header.setUint32(4 * i, word, true));
  bytes.fill(0x20, 20, at);
  bytes.set(json, 20);
  header.setUint32(at, padded(binary.byteLength), true);
  header.setUint32(at + 4, BINARY_CHUNK, true);
  bytes.set(ArrayBuffer.isView(binary) ? binary : new Uint8Array(binary), at + 8);
  return bytes;
}

/** Returns the bytes that GLTFLoader has read, without images: a GLB, or a glTF with all buffers merged. */
export async function bytesOf(parser) {
  const binary = parser.extensions?.KHR_binary_glTF;
  if (binary?.content) return slim(binary.content, new Uint8Array(binary.body ?? 0));
  const json = structuredClone(parser.json);
  const buffers = await Promise.all((json.buffers ?? []).map((_, i) => parser.getDependency('buffer', i)));
  const padded = buffers.flatMap(buffer => [buffer, new Uint8Array(-buffer.byteLength & 3)]);
  return glb(JSON.stringify(inOne(withoutPictures(json), buffers)), await new Blob(padded).arrayBuffer());
}

/** Removes the images of a GLB: they are most of its size, and WebAssembly memory never shrinks. */
function slim(content, body) {
  const json = JSON.parse(content), { images = [], bufferViews = [], buffers = [] } = json;
  const pictures = new Set(images.map(({ bufferView }) => bufferView));
  if (images.length === 0 || buffers.length !== 1 || bufferViews.some(({ extensions }) => extensions)) return glb(content, body);
  const kept = new Uint8Array(body.length + 4 * bufferViews.length + 4);
  let length = 4;
  bufferViews.forEach((view, i) => {
    if (pictures.has(i)) return Object.assign(view, { byteOffset: 0, byteLength: 4 });
    const { byteOffset = 0, byteLength } = view;
    kept.set(body.subarray(byteOffset, byteOffset + byteLength), length);
    view.byteOffset = length;
    length += byteLength + 3 & ~3;
  });
  buffers[0].byteLength = length;
  return glb(JSON.stringify(json), kept.subarray(0, length));
}

/** Merges all buffers into one and updates the buffer views. */
function inOne(json, buffers) {
  const starts = [];
  let length = 0;
  for (const { byteLength } of buffers) {
    starts.push(length);
    length += byteLength + 3 & ~3;
  }
  for (const view of json.bufferViews ?? []) {
    view.byteOffset = (view.byteOffset ?? 0) + starts[view.buffer];
    view.buffer = 0;
  }
  if (buffers.length > 0) json.buffers = [{ byteLength: length }];
  return json;
}

function withoutPictures(json) {
  for (const key of ['images', 'textures', 'samplers', 'materials']) delete json[key];
  for (const mesh of json.meshes ?? []) for (const part of mesh.primitives) delete part.material;
  return json;
}

/** Objects by node index, with the data of their file. */
const told = (json, nodes) => ({
  nodes,
  /** Rest transform of a node relative to its parent. */
  restOf(number) {
    const { translation, matrix } = json.nodes[number];
    return translation ?? matrix?.slice(12, 15) ?? [0, 0, 0];
  },
  /** Returns the index of a morph target in an object; undefined if it was removed. */
  morphOf(number, { morphTargetDictionary: dictionary, morphTargetInfluences: influences }, target) {
    const { extras, primitives } = json.meshes[json.nodes[number].mesh];
    const own = dictionary?.[extras?.targetNames?.[target] ?? String(target)];
    return own !== undefined && influences?.length === primitives[0].targets.length ? target : own;
  },
});

/** Maps GLTFLoader's objects to node indices. */
export function nodesOf(scene, parser) {
  const nodes = new Map();
  scene.traverse(object => {
    const number = parser.associations.get(object)?.nodes;
    if (number !== undefined && !nodes.has(number)) nodes.set(number, object);
  });
  return told(parser.json, nodes);
}

/** Maps objects to node indices by name, if the loader's result is not available. */
export function nodesByName(scene, file) {
  const json = jsonOf(file), byName = new Map();
  scene.traverse(object => { if (object.name && !byName.has(object.name)) byName.set(object.name, object); });
  const nodes = new Map((json.nodes ?? []).flatMap(({ name = '' }, number) => {
    const object = byName.get(name) ?? byName.get(name.replace(/\s/g, '_').replace(/[[\].:/]/g, ''));
    return object ? [[number, object]] : [];
  }));
  return told(json, nodes);
}

function jsonOf(file) {
  const bytes = ArrayBuffer.isView(file) ? new Uint8Array(file.buffer, file.byteOffset, file.byteLength) : new Uint8Array(file);
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isGlb = bytes.length > 20 && words.getUint32(0, true) === GLB;
  return JSON.parse(new TextDecoder().decode(isGlb ? bytes.subarray(20, 20 + words.getUint32(12, true)) : bytes));
}
