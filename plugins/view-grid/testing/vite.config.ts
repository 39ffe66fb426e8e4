import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Serves the demo page: `npx vite -c plugins/view-grid/testing/vite.config.ts --port 4300`. */
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../../../node_modules/.cache/trellis/grid-demo',
  plugins: [react()],
  server: { host: '127.0.0.1', port: 4300, hmr: false },
  build: { outDir: '../../../node_modules/.cache/trellis/grid-demo-dist', emptyOutDir: true },
  logLevel: 'warn',
});
