// Renders avatars with three.js and three-vrm, as described by data from tests.
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { VRMLoaderPlugin } from '@pixiv/three-vrm';
import { VRMAnimationLoaderPlugin, createVRMAnimationClip } from '@pixiv/three-vrm-animation';

const FIELD_DEGREES = 20;
const LIGHT = '#f3efe8', DARK = '#1e2025';

const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
const scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(FIELD_DEGREES, 1, 0.05, 100);
addLights();
document.body.append(renderer.domElement);

/** Lights: key light from the upper left, rim light from behind on the right, and ambient light. */
function addLights() {
  const key = new THREE.DirectionalLight(0xfffaf2, 2.6), back = new THREE.DirectionalLight(0xdfe8ff, 0.6);
  key.position.set(-1.2, 2.2, 3);
  back.position.set(2, 1.5, -2);
  scene.add(key, back, new THREE.HemisphereLight(0xffffff, 0xd8c8bc, 0.6));
}

const loader = new GLTFLoader();
loader.register(parser => new VRMLoaderPlugin(parser));
loader.register(parser => new VRMAnimationLoaderPlugin(parser));

const loaded = new Map();
const once = (url, read) => loaded.get(url) ?? loaded.set(url, read()).get(url);

/** Loads an avatar once. */
const avatarOf = url => once(url, async () => {
  const { userData: { vrm } } = await loader.loadAsync(url);
  vrm.scene.visible = false;
  vrm.scene.traverse(object => { object.frustumCulled = false; });
  scene.add(vrm.scene);
  return vrm;
});

const motionOf = url => once(url, async () => (await loader.loadAsync(url)).userData.vrmAnimations[0]);

/** Puts an avatar into a pose: `expressions` {name: weight}, `gaze` [left, up] in degrees, `motions` [{url, time}]. */
async function pose({ avatar, expressions = {}, gaze = [0, 0], motions = [], at = [0, 0, 0], turn = 0 }) {
  const vrm = await avatarOf(avatar);
  vrm.scene.visible = true;
  vrm.scene.position.set(...at);
  vrm.scene.rotation.y = THREE.MathUtils.degToRad(turn);
  vrm.humanoid.resetNormalizedPose();
  vrm.expressionManager.resetValues();
  vrm.lookAt.target = null;
  for (const { url, time } of motions) {
    const clip = createVRMAnimationClip(await motionOf(url), vrm);
    const mixer = new THREE.AnimationMixer(vrm.scene);
    mixer.clipAction(clip).play();
    mixer.setTime(Math.min(time, clip.duration - 1e-4));
  }
  for (const [name, weight] of Object.entries(expressions)) vrm.expressionManager.setValue(name, weight);
  [vrm.lookAt.yaw, vrm.lookAt.pitch] = [gaze[0], -gaze[1]];
  vrm.update(0);
  return vrm;
}

/** Sets the camera: target `at` and visible `height` in metres, angles in degrees. */
function aim({ at, height, yaw = 0, pitch = 0, field = FIELD_DEGREES }) {
  if (camera.fov !== field) {
    camera.fov = field;
    camera.updateProjectionMatrix();
  }
  const distance = height / 2 / Math.tan(THREE.MathUtils.degToRad(field / 2));
  const direction = new THREE.Spherical(1, ...[90 - pitch, yaw].map(THREE.MathUtils.degToRad));
  camera.position.setFromSpherical(direction).multiplyScalar(distance).add(new THREE.Vector3(...at));
  camera.lookAt(...at);
}

/** A room as background. The sign on the wall has a colour that identifies the scene. */
const room = new THREE.Group(), PAPER = '#e9e3d6', SIGN = 4;
room.visible = false;
scene.add(room);
for (const [size, color, at] of [
  [[20, 8, 0.1], '#cfc8bd', [0, 4, -1.6]], [[20, 0.1, 10], '#9a7f63', [0, -0.05, 2]], [[20, 0.12, 0.14], '#efeae2', [0, 0.06, -1.55]],
  [[0.7, 0.9, 0.04], '#5e7f8c', [-1, 1.7, -1.53]], [[0.6, 0.8, 0.05], PAPER, [-1, 1.7, -1.52]],
  [[0.9, 1.9, 0.35], '#7b5a3c', [1.35, 0.95, -1.4]], ...[0.25, 0.7, 1.15, 1.6].map(y => [[0.8, 0.05, 0.36], '#caa77a', [1.35, y, -1.38]]),
]) {
  const box = new THREE.Mesh(new THREE.BoxGeometry(...size), new THREE.MeshLambertMaterial({ color }));
  box.position.set(...at);
  room.add(box);
}

/** Renders one image; `cast` is a list of poses. */
async function draw({ cast, view, dark = false }) {
  for (const vrm of await Promise.all([...loaded.values()])) if (vrm.scene) vrm.scene.visible = false;
  scene.background = new THREE.Color(dark ? DARK : LIGHT);
  for (const one of cast) await pose(one);
  aim(view);
  renderer.render(scene, camera);
}

/** Measures an image: share of covered pixels, share of iris colour, and a hash. */
function measure(context, x, y, width, height) {
  const { data } = context.getImageData(x, y, width, height);
  const [red, green, blue] = data;
  let seen = 0, iris = 0, hash = 2166136261;
  for (let i = 0; i < data.length; i += 4) {
    const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
    if (Math.abs(r - red) + Math.abs(g - green) + Math.abs(b - blue) > 24) seen++;
    if (g > r + 12 && b > r + 12) iris++;
    hash = Math.imul(hash ^ (r << 16 | g << 8 | b), 16777619);
  }
  return { seen: seen / (width * height), iris: iris / (width * height), hash: hash >>> 0 };
}

/** Combines images into a sheet: `cells` of `width` × `height` pixels with labels, `columns` per row. */
async function sheet({ cells, columns, width, height }) {
  const LINE = 16;
  const canvas = document.createElement('canvas');
  canvas.width = columns * width;
  canvas.height = Math.ceil(cells.length / columns) * (height + LINE);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.fillStyle = LIGHT;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.font = '11px sans-serif';
  context.fillStyle = '#444';
  renderer.setSize(width, height);
  camera.aspect = width / height;
  camera.updateProjectionMatrix();
  const measured = [];
  for (const [i, cell] of cells.entries()) {
    const [x, y] = [i % columns * width, Math.floor(i / columns) * (height + LINE)];
    await draw(cell);
    context.drawImage(renderer.domElement, x, y);
    context.fillText(cell.label ?? '', x + 4, y + height + 12, width - 8);
    measured.push({ label: cell.label, ...measure(context, x, y, width, height) });
  }
  return { png: canvas.toDataURL('image/png').split(',')[1], cells: measured };
}

/** Bakes a skinned mesh in its current pose into plain triangles. */
function still(mesh) {
  const { geometry: { attributes: { position, uv }, index }, material } = mesh;
  const geometry = new THREE.BufferGeometry(), points = new THREE.BufferAttribute(new Float32Array(3 * position.count), 3);
  const point = new THREE.Vector3();
  for (let i = 0; i < position.count; i++) points.setXYZ(i, ...mesh.applyBoneTransform(i, point.fromBufferAttribute(position, i)).applyMatrix4(mesh.matrixWorld));
  geometry.setAttribute('position', points);
  if (uv) geometry.setAttribute('uv', uv);
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  return new THREE.Mesh(geometry, material);
}

const statues = new Map();

/** A baked person in a pose, cached because skinning is slow without a graphics card. */
async function statue({ avatar, motions, turn = 0, at = [0, 0, 0] }) {
  const key = JSON.stringify([avatar, motions]);
  if (!statues.has(key)) {
    const vrm = await pose({ avatar, motions }), group = new THREE.Group();
    vrm.scene.updateMatrixWorld(true);
    vrm.scene.traverse(object => { if (object.isSkinnedMesh) group.add(still(object)); });
    vrm.scene.visible = false;
    scene.add(group);
    statues.set(key, group);
  }
  const group = statues.get(key);
  group.visible = true;
  group.position.set(...at);
  group.rotation.y = THREE.MathUtils.degToRad(turn);
}

/** Renders people in a room as JPEG; `sign` is the colour of the sign on the wall. */
async function photo({ cast, view, width, height, sign }) {
  if (renderer.domElement.width !== width || renderer.domElement.height !== height) {
    renderer.setSize(width, height);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
  }
  room.visible = true;
  room.children[SIGN].material.color.set(sign ?? PAPER);
  for (const one of cast) await statue(one);
  await draw({ cast: [], view });
  for (const group of [room, ...statues.values()]) group.visible = false;
  return renderer.domElement.toDataURL('image/jpeg', 0.9).split(',')[1];
}

/** Renders one image as PNG. */
async function picture({ cast, view, width, height }) {
  renderer.setSize(width, height);
  camera.aspect = width / height;
  camera.updateProjectionMatrix();
  await draw({ cast, view });
  return renderer.domElement.toDataURL('image/png').split(',')[1];
}

/** Bones and expressions that three-vrm finds in an avatar. */
async function about(url) {
  const vrm = await avatarOf(url);
  const bones = Object.keys(vrm.humanoid.humanBones).length;
  return { bones, expressions: vrm.expressionManager.expressions.map(e => e.expressionName), lookAt: vrm.lookAt?.applier?.constructor.type };
}

/** Returns expressions that move no vertex, and the largest movement of each other one in metres. */
async function movements(url) {
  const vrm = await pose({ avatar: url });
  const meshes = [];
  vrm.scene.traverse(object => object.isSkinnedMesh && object.morphTargetInfluences && meshes.push(object));
  const moved = {};
  for (const { expressionName } of vrm.expressionManager.expressions) {
    await pose({ avatar: url, expressions: { [expressionName]: 1 } });
    moved[expressionName] = Math.max(0, ...meshes.map(farthest));
  }
  return moved;
}

/** Largest vertex movement of a mesh by its current morph target weights. */
function farthest({ geometry, morphTargetInfluences }) {
  const { position } = geometry.morphAttributes;
  const active = position.map((attribute, i) => ({ attribute, weight: morphTargetInfluences[i] })).filter(t => t.weight > 0);
  let most = 0;
  for (let v = 0; active.length > 0 && v < geometry.attributes.position.count; v++) {
    const sum = axis => active.reduce((total, { attribute, weight }) => total + weight * attribute[axis](v), 0);
    most = Math.max(most, Math.hypot(sum('getX'), sum('getY'), sum('getZ')));
  }
  return most;
}

/** Angle in degrees between each eye's direction and the gaze target. */
async function lookAt(url, target) {
  const vrm = await pose({ avatar: url });
  const point = new THREE.Object3D();
  point.position.set(...target);
  point.updateMatrixWorld();
  vrm.lookAt.target = point;
  vrm.update(0);
  vrm.scene.updateMatrixWorld(true);
  const off = ['leftEye', 'rightEye'].map(name => {
    const eye = vrm.humanoid.getRawBoneNode(name);
    const ahead = new THREE.Vector3(0, 0, 1).transformDirection(eye.matrixWorld);
    const there = point.position.clone().sub(eye.getWorldPosition(new THREE.Vector3())).normalize();
    return THREE.MathUtils.radToDeg(ahead.angleTo(there));
  });
  vrm.lookAt.target = null;
  return off;
}

window.stage = { sheet, photo, picture, about, movements, lookAt };
