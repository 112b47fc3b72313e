import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react()],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    rolldownOptions: {
      input: [resolve(import.meta.dirname, 'index.html'), resolve(import.meta.dirname, 'share.html')],
    },
    assetsDir: 'assets',
    // the page has a strict Content-Security-Policy: no data: URL for scripts and workers
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_500,
  },
});
