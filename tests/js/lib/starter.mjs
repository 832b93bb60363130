// The built-in clips as separate files.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { convert, folder } from './vivant.mjs';

const JSON_CHUNK = 0x4e4f534a, BIN_CHUNK = 0x004e4942;

function read(path) {
  const file = readFileSync(path), length = file.readUInt32LE(12);
  return { document: JSON.parse(file.toString('utf8', 20, 20 + length)), binary: file.subarray(20 + length + 8) };
}

const padded = (bytes, by) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3, by)]);

function write(path, document, binary) {
  const chunks = [[JSON_CHUNK, padded(Buffer.from(JSON.stringify(document)), 0x20)], [BIN_CHUNK, padded(binary, 0)]];
  const all = chunks.map(([kind, bytes]) => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.length, 0);
    head.writeUInt32LE(kind, 4);
    return Buffer.concat([head, bytes]);
  });
  const head = Buffer.from('glTF\0\0\0\0\0\0\0\0', 'latin1');
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + all[0].length + all[1].length, 8);
  writeFileSync(path, Buffer.concat([head, ...all]));
}

/** Removes weight channels, because the files have no face. */
const bodily = ({ channels, ...rest }) => ({ ...rest, channels: channels.filter(({ target }) => target.path !== 'weights') });

/** Returns a document with only one animation and its data. */
function alone({ document, binary }, whole) {
  const animation = bodily(whole), kept = [...new Set(animation.channels.map(({ sampler }) => sampler))];
  animation.samplers = kept.map(index => animation.samplers[index]);
  animation.channels = animation.channels.map(channel => ({ ...channel, sampler: kept.indexOf(channel.sampler) }));
  const used = [...new Set(animation.samplers.flatMap(({ input, output }) => [input, output]))];
  const parts = [], views = [], accessors = [];
  let offset = 0;
  for (const index of used) {
    const accessor = document.accessors[index], view = document.bufferViews[accessor.bufferView];
    const bytes = padded(binary.subarray(view.byteOffset ?? 0, (view.byteOffset ?? 0) + view.byteLength), 0);
    accessors.push({ ...accessor, bufferView: views.length });
    views.push({ ...view, buffer: 0, byteOffset: offset });
    parts.push(bytes);
    offset += bytes.length;
  }
  const at = index => used.indexOf(index);
  const samplers = animation.samplers.map(sampler => ({ ...sampler, input: at(sampler.input), output: at(sampler.output) }));
  const { meshes, skins, materials, textures, images, samplers: _, extensions: { VRMC_vrm: vrm }, ...rest } = document;
  const extensions = { VRMC_vrm: { specVersion: vrm.specVersion, meta: vrm.meta, humanoid: vrm.humanoid } };
  const nodes = document.nodes.map(({ mesh, skin, ...node }) => node);
  const made = { ...rest, extensions, extensionsUsed: ['VRMC_vrm'], nodes, accessors, bufferViews: views, buffers: [{ byteLength: offset }], animations: [{ ...animation, samplers }] };
  return [made, Buffer.concat(parts)];
}

/** Writes the clips of these names. Returns their paths. */
export function starterFiles(names) {
  const all = read(convert('builtin', 'glb')), into = mkdtempSync(join(folder, 'clips-'));
  return names.map(name => {
    const animation = all.document.animations.find(one => one.name === name);
    if (!animation) throw new Error(`the built-in character has no clip ${name}`);
    const path = join(into, `${name}.glb`);
    write(path, ...alone(all, animation));
    return path;
  });
}
