// Animates three-vrm and plain glTF avatars.
import init, { Performer, expressionOf, prepare } from './vivant.js';
import { ModelBody, STANDING, VrmBody, restOf, signOf } from './body.js';
import { bytesOf, nodesByName, nodesOf } from './file.js';
import { Life } from './life.js';

const isVrm = it => Boolean(it?.humanoid?.getNormalizedBoneNode && it.scene);
const isGltf = it => Boolean(it?.scene?.isObject3D && it.parser?.associations);

/** Animates an avatar: a VRM, the result of GLTFLoader, or an object of the scene with the `bytes` of its file. */
export async function vivant(avatar, { bytes, body: isWhole = true, updateVrm: updatesVrm = true, ...options } = {}) {
  await init();
  const vrm = isVrm(avatar) ? avatar : avatar?.userData?.vrm;
  const own = isWhole ? options : { motions: STANDING, ...options };
  const settings = { isWhole, updatesVrm };
  if ((own.motions ?? 'builtin') === 'builtin') await prepare();
  if (isVrm(vrm)) return ofVrm(vrm, isGltf(avatar) ? avatar.parser : undefined, bytes, settings, own);
  if (isGltf(avatar)) {
    const { scene, parser } = avatar, performer = new Performer(bytes ?? await bytesOf(parser), own);
    return new Life(performer, new ModelBody(scene, nodesOf(scene, parser), performer.info, settings));
  }
  if (!avatar?.isObject3D) throw new TypeError('expected a VRM, the result of GLTFLoader, or an Object3D with `bytes`');
  if (!bytes) throw new TypeError('an Object3D needs the `bytes` of its file; or pass the result of GLTFLoader');
  const performer = new Performer(bytes, own); // reports errors of the file
  return new Life(performer, new ModelBody(avatar, nodesByName(avatar, bytes), performer.info, settings));
}

export default vivant;

async function ofVrm(vrm, parser, bytes, settings, options) {
  const names = namesOf(vrm), read = bytes ?? (parser && await bytesOf(parser));
  const performer = new Performer(read ?? rigOf(vrm, names), { name: vrm.meta?.name ?? vrm.meta?.title, ...options });
  const file = parser && nodesOf(vrm.scene, parser);
  const life = new Life(performer, new VrmBody(vrm, performer.info, { ...settings, names, file }));
  if (vrm.lookAt?.target) life.lookAt(vrm.lookAt.target);
  return life;
}

/** Maps Vivant's expressions to three-vrm's names; an avatar may have several for one. */
function namesOf({ expressionManager }) {
  const names = new Map();
  for (const { expressionName } of expressionManager?.expressions ?? []) {
    const ours = expressionOf(expressionName);
    names.set(ours, [...names.get(ours) ?? [], expressionName]);
  }
  return names;
}

/** Describes an avatar without its file. */
function rigOf(vrm, names) {
  return { bones: restOf(vrm), expressions: [...names.keys()].filter(name => name.trim() !== ''), lookAt: lookOf(vrm) };
}

function lookOf(vrm) {
  const { applier, offsetFromHeadBone } = vrm.lookAt ?? {};
  if (!applier) return undefined;
  const within = number => Math.max(0, Math.min(180, number));
  const range = ({ inputMaxValue, outputScale }) => ({ inputMaxDegrees: within(inputMaxValue), outputScale: within(outputScale) });
  const { x, y, z } = offsetFromHeadBone, sign = signOf(vrm);
  return {
    byExpression: 'expressions' in applier, offsetFromHead: [sign * x, y, sign * z],
    inner: range(applier.rangeMapHorizontalInner), outer: range(applier.rangeMapHorizontalOuter),
    down: range(applier.rangeMapVerticalDown), up: range(applier.rangeMapVerticalUp),
  };
}
