// Light and floor of the stage and of pose images.
import {
  CanvasTexture, CircleGeometry, DirectionalLight, HemisphereLight, Mesh, MeshBasicMaterial, Scene, ShadowMaterial, SRGBColorSpace,
} from 'three';

/** Adds light and floor to a scene. Returns a function that applies the theme. */
export function addScenery(scene: Scene): { paint(isDark: boolean): void } {
  const sun = new DirectionalLight(0xfff3e4, 2.5), rim = new DirectionalLight(0xdfe8ff, 0.8), sky = new HemisphereLight(0xffffff, 0xd8c4b0, 1.15);
  sun.position.set(0.9, 2.4, 2.8);
  rim.position.set(-1.6, 2.2, -2.2);
  shade(sun);
  const shadow = floor(new ShadowMaterial({ opacity: 0.2 }), 0.002);
  shadow.receiveShadow = true;
  const pool = new MeshBasicMaterial({ map: glow(), transparent: true, depthWrite: false });
  scene.add(sun, rim, sky, floor(pool, 0), shadow);
  return {
    paint(isDark) {
      pool.color.set(isDark ? 0x5c5a58 : 0xffffff);
      pool.opacity = isDark ? 0.5 : 0.85;
      shadow.material.opacity = isDark ? 0.42 : 0.2;
      sky.intensity = isDark ? 0.85 : 1.15;
    },
  };
}

function shade(sun: DirectionalLight): void {
  sun.castShadow = true;
  sun.shadow.mapSize.set(1024, 1024);
  Object.assign(sun.shadow.camera, { left: -1.6, right: 1.6, top: 2.2, bottom: -1.4, near: 0.5, far: 8 });
  sun.shadow.radius = 7;
  sun.shadow.bias = -0.0008;
  sun.shadow.normalBias = 0.02;
}

function floor<T extends ShadowMaterial | MeshBasicMaterial>(material: T, height: number): Mesh<CircleGeometry, T> {
  const mesh = new Mesh(new CircleGeometry(2.6, 64), material);
  mesh.rotation.x = -Math.PI / 2;
  mesh.position.y = height;
  return mesh;
}

/** A radial gradient, so that the floor has no visible edge. */
function glow(): CanvasTexture {
  const canvas = document.createElement('canvas'), size = 256;
  canvas.width = canvas.height = size;
  const pen = canvas.getContext('2d')!;
  const light = pen.createRadialGradient(size / 2, size / 2, 0, size / 2, size / 2, size / 2);
  [[0, 0.9], [0.35, 0.6], [0.7, 0.15], [1, 0]].forEach(([at, strength]) => light.addColorStop(at!, `rgba(255, 255, 255, ${strength})`));
  pen.fillStyle = light;
  pen.fillRect(0, 0, size, size);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}
