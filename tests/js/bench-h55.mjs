// Workload H55 in three.js: time of its animation mixer for the same bones, clips and weights.
import {
  AdditiveAnimationBlendMode, AnimationClip, AnimationMixer, Bone, QuaternionKeyframeTrack, Vector3, VectorKeyframeTrack,
} from 'three';

const [frames = 600, repeats = 5] = process.argv.slice(2).map(Number);
const KEYS = 301, RATE = 30, WEIGHTS = [1, 0.7, 0.4];

// Parents of the 55 humanoid bones of VRM 1.0, depth first.
const parents = [-1, 0, 1, 2, 3, 4, 5, 5, 5];
for (const shoulder of [9, 28]) {
  parents.push(3, shoulder, shoulder + 1, shoulder + 2);
  for (let i = 0; i < 15; i++) parents.push(i % 3 ? shoulder + 3 + i : shoulder + 3);
}
parents.push(0, 47, 48, 49, 0, 51, 52, 53);

const bones = parents.map((parent, j) => {
  const bone = new Bone();
  bone.name = `bone${j}`;
  bone.position.set(0, j ? 0.1 : 1, 0);
  return bone;
});
bones.forEach((bone, j) => parents[j] >= 0 && bones[parents[j]].add(bone));

const times = Array.from({ length: KEYS }, (_, k) => k / RATE);

function clip(c) {
  const tracks = bones.map((bone, j) => {
    const axis = new Vector3(Math.sin(j + 1), Math.cos(2 * j + 1), Math.sin(3 * j + 2)).normalize();
    const values = times.flatMap(t => {
      const angle = (c ? 0.2 : 0.5) * Math.sin(2 * Math.PI * 0.1 * (1 + j % 5) * t + c), s = Math.sin(angle / 2);
      return [axis.x * s, axis.y * s, axis.z * s, Math.cos(angle / 2)];
    });
    return new QuaternionKeyframeTrack(`${bone.name}.quaternion`, times, values);
  });
  if (c === 0) {
    const place = t => [0.05 * Math.sin(2 * Math.PI * 0.2 * t), 1 + 0.02 * Math.sin(2 * Math.PI * 0.4 * t), 0];
    tracks.push(new VectorKeyframeTrack('bone0.position', times, times.flatMap(place)));
  }
  const made = new AnimationClip(`clip ${c}`, -1, tracks);
  if (c) made.blendMode = AdditiveAnimationBlendMode;
  return made;
}

const mixer = new AnimationMixer(bones[0]);
const actions = WEIGHTS.map((weight, c) => mixer.clipAction(clip(c)).setEffectiveWeight(weight).play());
let best = Infinity;
for (let r = 0; r < repeats; r++) {
  actions.forEach((action, c) => { action.time = (3.3 * c) % 10; });
  const begin = performance.now();
  for (let f = 0; f < frames; f++) {
    mixer.update(1 / 60);
    bones[0].updateMatrixWorld(true);
  }
  best = Math.min(best, performance.now() - begin);
}
console.log(`three.js N=1 F=${frames} R=${repeats}: best ${(best * 1e6 / frames).toFixed(0)} ns per character and frame`);
for (const j of [12, 5]) {
  const [x, y, z] = bones[j].matrixWorld.elements.slice(12).map(n => n.toFixed(5));
  console.log(`joint ${j} pos ${x} ${y} ${z}`);
}
