/**
 * `npm start`: installs what is missing, builds what is stale, then runs the server in this process. Options are the
 * server's own (`npm start -- --safe-mode`).
 */
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './build/install.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Trellis needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}

process.env.NODE_ENV ??= 'production';
const root = fileURLToPath(new URL('..', import.meta.url));
try {
  await ensureInstalled(root, console.log);
  // Loaded only now: the build needs packages.
  const { ensureBuilt } = await import('./build/build.mjs');
  await ensureBuilt(root, console.log);
} catch (error) {
  console.error(`Trellis could not be prepared: ${error.message}`);
  process.exit(1);
}
await import(new URL('../dist/server/main.mjs', import.meta.url).href);
