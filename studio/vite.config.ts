import { defineConfig } from 'vite';

// Three files with fixed names, because the server embeds them one by one.
export default defineConfig({
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 1500,
    modulePreload: false,
    rollupOptions: { output: { entryFileNames: 'studio.js', assetFileNames: 'studio.[ext]' } },
  },
});
