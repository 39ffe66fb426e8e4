import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { sharedModules } from '../../sdk/build/shared-modules.ts';
import { builtInPlugins, filesOfJoined, filesOfTexts } from './built-in-plugins.ts';
import { compressedFiles } from './compressed-files.ts';
import { laterChunks, messageChunks, pageChunks, sharedPluginChunks } from './page-chunks.ts';
import { primeReactTheme } from './primereact-theme.ts';
import { sharedModulesPlugin } from './shared-modules-plugin.ts';

const root = resolve(import.meta.dirname, '../..');
const fileOf = filesOfJoined(root);

/** The only build of the web half: the host, the shared modules and the web half of each built-in plugin. */
export default defineConfig({
  root: resolve(root, 'host-web'),
  base: '/',
  publicDir: resolve(root, 'host-web/public'),
  cacheDir: resolve(root, 'node_modules/.vite'),
  plugins: [react(), primeReactTheme(), sharedModulesPlugin(), builtInPlugins(root), compressedFiles()],
  // Listed in advance; otherwise the development server finds them one by one and reloads the page each time.
  optimizeDeps: {
    entries: [resolve(root, 'host-web/index.html'), resolve(root, 'plugins/*/web/index.tsx')],
    include: sharedModules.map(({ id }) => id).filter((id) => !id.startsWith('@trellis/')),
  },
  server: { fs: { allow: [root] } },
  build: {
    outDir: resolve(root, 'dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 2000,
    // Inlined files would require data: URLs in the content security policy.
    assetsInlineLimit: 0,
    // Browsers that need the polyfill cannot run the rest.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { main: resolve(root, 'host-web/index.html') },
      output: {
        codeSplitting: {
          groups: [
            { name: pageChunks(root), priority: 2 },
            { name: laterChunks(root), priority: 1, includeDependenciesRecursively: false },
            { name: messageChunks(root, filesOfTexts(root)), includeDependenciesRecursively: false },
            {
              name: sharedPluginChunks(root, fileOf),
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
      // Otherwise the bundler may drop an entry's exports, and the shared modules consist only of exports.
      preserveEntrySignatures: 'allow-extension',
      // The plugins' build time depends on the machine's load, so a warning about it would be useless.
      checks: { bundlerTimings: false },
    },
  },
});
