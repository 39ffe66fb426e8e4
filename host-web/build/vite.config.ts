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

/** The one build of the web half: the host, the shared modules and the web half of each built-in plugin. */
export default defineConfig({
  root: resolve(root, 'host-web'),
  base: '/',
  publicDir: resolve(root, 'host-web/public'),
  cacheDir: resolve(root, 'node_modules/.vite'),
  plugins: [react(), primeReactTheme(), sharedModulesPlugin(), builtInPlugins(root), compressedFiles()],
  // Found at once, or the development server meets them one by one and reloads the page each time.
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
    // Inlined files would need data: URLs in the content-security policy.
    assetsInlineLimit: 0,
    // The polyfill is for browsers that cannot run the rest either.
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
      // Without this an entry's exports may be dropped, and the shared modules are nothing but exports.
      preserveEntrySignatures: 'allow-extension',
      // How long plugins take depends on what else the machine does; it is no reason to warn whoever starts the server.
      checks: { bundlerTimings: false },
    },
  },
});
