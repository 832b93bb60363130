import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

// The needed files of MediaPipe's packages. Browsers without SIMD (before 2023) are not
// supported: they can label by hand, and cannot mirror.
const PACKAGES: Record<string, readonly string[]> = {
  face_mesh: [
    'face_mesh.js', 'face_mesh.binarypb', 'face_mesh_solution_packed_assets.data', 'face_mesh_solution_packed_assets_loader.js',
    'face_mesh_solution_simd_wasm_bin.js', 'face_mesh_solution_simd_wasm_bin.wasm',
  ],
  hands: [
    'hands.js', 'hands.binarypb', 'hand_landmark_lite.tflite', 'hands_solution_packed_assets.data', 'hands_solution_packed_assets_loader.js',
    'hands_solution_simd_wasm_bin.js', 'hands_solution_simd_wasm_bin.wasm',
  ],
  pose: [
    'pose.js', 'pose_web.binarypb', 'pose_landmark_full.tflite', 'pose_solution_packed_assets.data', 'pose_solution_packed_assets_loader.js',
    'pose_solution_simd_wasm_bin.js', 'pose_solution_simd_wasm_bin.wasm',
  ],
};

/** Writes them gzipped beside the studio, as the server delivers them. */
function mediapipe(): Plugin {
  let out = '';
  const pack = (name: string, file: string) => {
    const bytes = readFileSync(resolve(import.meta.dirname, 'node_modules/@mediapipe', name, file));
    writeFileSync(join(out, name, `${file}.gz`), gzipSync(bytes, { level: 9 }));
  };
  return {
    name: 'mediapipe',
    apply: 'build',
    configResolved: ({ root, build }) => { out = resolve(root, build.outDir); },
    writeBundle() {
      for (const [name, files] of Object.entries(PACKAGES)) {
        mkdirSync(join(out, name), { recursive: true });
        files.forEach(file => pack(name, file));
      }
    },
  };
}

// Files with fixed names, because the server embeds them one by one.
export default defineConfig({
  plugins: [mediapipe()],
  // MediaPipe's scripts set globals, which does not work in a module worker.
  worker: { format: 'iife', rollupOptions: { output: { entryFileNames: 'person.js' } } },
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 1500,
    modulePreload: false,
    rollupOptions: {
      input: ['index.html', 'mesh.html'],
      output: { entryFileNames: ({ name }) => name === 'mesh' ? 'mesh.js' : 'studio.js', assetFileNames: 'studio.[ext]' },
    },
  },
});
