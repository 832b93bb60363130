import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

// What MediaPipe's face mesh needs of its package. Browsers without SIMD are from before 2023: they label by hand.
const MESH = [
  'face_mesh.js', 'face_mesh.binarypb', 'face_mesh_solution_packed_assets.data', 'face_mesh_solution_packed_assets_loader.js',
  'face_mesh_solution_simd_wasm_bin.js', 'face_mesh_solution_simd_wasm_bin.wasm',
];

/** Leaves them beside the studio, packed, as the server gives them out. */
function faceMesh(): Plugin {
  let out = '';
  return {
    name: 'face-mesh',
    apply: 'build',
    configResolved: ({ root, build }) => { out = resolve(root, build.outDir, 'face_mesh'); },
    writeBundle() {
      mkdirSync(out, { recursive: true });
      for (const name of MESH) {
        const bytes = readFileSync(resolve(import.meta.dirname, 'node_modules/@mediapipe/face_mesh', name));
        writeFileSync(join(out, `${name}.gz`), gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

// Files with fixed names, because the server embeds them one by one.
export default defineConfig({
  plugins: [faceMesh()],
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
