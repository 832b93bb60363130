// A character in a page: three lines animate it, the rest is the page.
import { VRMLoaderPlugin, VRMUtils } from '@pixiv/three-vrm';
import { Color, DirectionalLight, HemisphereLight, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { vivant } from 'vivant/three-vrm';

const find = id => document.getElementById(id);
const note = words => { find('note').textContent = words; };

const renderer = new WebGLRenderer({ canvas: find('stage'), antialias: true });
const scene = new Scene(), camera = new PerspectiveCamera(24, 1, 0.1, 50);
const controls = new OrbitControls(camera, renderer.domElement);
light();
resize();
addEventListener('resize', resize);

const loader = new GLTFLoader();
loader.register(parser => new VRMLoaderPlugin(parser));

let life, avatar;

/** Loads an avatar and animates it. */
async function enter(url) {
  note('Loading…');
  const gltf = await loader.loadAsync(url);
  life?.dispose();
  avatar?.removeFromParent();
  if (gltf.userData.vrm) VRMUtils.rotateVRM0(gltf.userData.vrm);
  gltf.scene.traverse(object => { object.frustumCulled = false; });

  life = await vivant(gltf);
  life.attend(camera);

  scene.add(avatar = gltf.scene);
  frameFace(life.performer.info.eyes);
  looks();
  note(life.performer.warnings.join(' '));
  Object.assign(window, { life, avatar, camera, renderer }); // for the console
}

let last;
renderer.setAnimationLoop(milliseconds => {
  const delta = Math.min((milliseconds - (last ?? milliseconds)) / 1000, 0.25);
  last = milliseconds;
  controls.update();
  life?.update(delta);
  renderer.render(scene, camera);
});

function light() {
  const sun = new DirectionalLight(0xfff3e4, 2.4), rim = new DirectionalLight(0xdfe8ff, 0.8);
  sun.position.set(0.9, 2.4, 2.8);
  rim.position.set(-1.6, 2.2, -2.2);
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
  scene.background = new Color(isDark ? 0x1e2025 : 0xf3efe8);
  scene.add(sun, rim, new HemisphereLight(0xffffff, 0xd8c4b0, 1.1));
}

function resize() {
  const { clientWidth: width, clientHeight: height } = renderer.domElement.parentElement;
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(width, height, false);
  camera.aspect = width / height;
  // On a wide page the panel covers the left side.
  if (width > 900) camera.setViewOffset(width, height, -150, 0, width, height);
  else camera.clearViewOffset();
  camera.updateProjectionMatrix();
}

/** Frames hips to head, from eye height. */
function frameFace(eyes) {
  camera.position.set(0, eyes, 1.75 * eyes);
  controls.target.set(0, 0.84 * eyes, 0);
}

const pointer = new Vector3();
addEventListener('pointermove', ({ clientX, clientY }) => {
  pointer.set(clientX / innerWidth * 2 - 1, 1 - clientY / innerHeight * 2, 0.5).unproject(camera);
  pointer.sub(camera.position).setLength(1).add(camera.position);
});

function looks() {
  const target = { attend: null, follow: camera, pointer }[find('looks').value];
  life.lookAt(target);
}

/** Runs an action and shows its error message. */
function tell(act) {
  try {
    note('');
    if (life) act(life);
  } catch (error) {
    note(error.message);
  }
}

find('looks').addEventListener('change', () => tell(looks));
find('controls').addEventListener('click', ({ target }) => {
  if (target.dataset.intent) tell(() => life.intend(target.dataset.intent));
});
for (const id of ['be', 'mood']) {
  find(id).addEventListener('change', () => tell(() => life.intend({ be: find('be').value, ...find('mood').value && { mood: find('mood').value } })));
}
for (const slider of document.querySelectorAll('[data-temper]')) {
  slider.addEventListener('input', () => tell(() => life.temper(temperament())));
}

/** Returns the values of moved sliders. */
function temperament() {
  const moved = [...document.querySelectorAll('[data-temper]')].filter(({ value, defaultValue }) => value !== defaultValue);
  return Object.fromEntries(moved.map(({ dataset, value }) => [dataset.temper, Number(value)]));
}

find('controls').addEventListener('submit', event => {
  event.preventDefault();
  const text = find('text').value;
  if (!find('aloud').checked) return tell(() => life.say(text));
  // The browser's voice provides no audio samples, so the mouth starts with it and follows the text.
  const spoken = new SpeechSynthesisUtterance(text.replace(/\[[^\]]*\]/g, ''));
  spoken.onstart = () => tell(() => life.say(text, { at: life.performer.time }));
  spoken.onerror = () => tell(() => life.say(text));
  speechSynthesis.speak(spoken);
});

addEventListener('dragover', event => event.preventDefault());
addEventListener('drop', async event => {
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (!file) return;
  try {
    if (file.type.startsWith('audio/')) await play(await file.arrayBuffer());
    else await enter(URL.createObjectURL(file));
  } catch (error) {
    note(`${file.name}: ${error.message}`);
  }
});

/** Plays a voice with audio lip-sync. */
async function play(bytes) {
  const audio = new AudioContext(), voice = await audio.decodeAudioData(bytes), source = audio.createBufferSource();
  source.buffer = voice;
  source.connect(audio.destination);
  source.start();
  life.say('', { voice, at: life.performer.time });
}

const wanted = new URLSearchParams(location.search).get('avatar') ?? 'avatar.vrm';
enter(wanted).catch(error => note(`${wanted}: ${error.message}. Drop a VRM or GLB here, or create one: vivant mannequin -o packages/vivant/example/avatar.vrm`));
