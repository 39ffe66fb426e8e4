import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { serverBundle } from './server-bundle.mjs';
import { clearStamp, isFresh, sourceHash, writeStamp } from './stamp.mjs';

/** Builds both halves into dist/ unless it contains exactly these sources; resolves to whether it had to build. */
export async function ensureBuilt(root, say) {
  const hash = sourceHash(root);
  if (await isFresh(root, hash)) return false;
  say('Building...');
  const started = performance.now();
  await clearStamp(root);
  await Promise.all([buildServer(root), buildWeb(root)]);
  await writeStamp(root, hash);
  say(`Built in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
  return true;
}

async function buildServer(root) {
  const { build } = await import('rolldown');
  await rm(join(root, 'dist/server'), { recursive: true, force: true });
  await build({ ...serverBundle(root), logLevel: 'warn' });
}

async function buildWeb(root) {
  const { build } = await import('vite');
  // Vite builds for the value of NODE_ENV, even in tests; the started product is always the production build.
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    await build({ configFile: join(root, 'host-web/build/vite.config.ts'), logLevel: 'warn' });
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}
