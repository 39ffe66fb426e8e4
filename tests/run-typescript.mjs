/**
 * Runs one TypeScript file of this repository in plain Node: `node tests/run-typescript.mjs file.ts [arguments]`. The repository's
 * code is bundled first (a tenth of a second, more for large parts of the product); packages stay where they are.
 *
 * With `--bundle file.ts` the file is bundled but not run: the bundle's path is printed, Node can run it repeatedly, and the caller
 * removes its folder.
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));
const isBundled = process.argv[2] === '--bundle';
const file = process.argv[isBundled ? 3 : 2];
if (file === undefined) {
  console.error('Which file? node tests/run-typescript.mjs path/to/file.ts');
  process.exit(2);
}
// Under node_modules, so that the bundle finds packages as its sources do.
const folder = join(root, 'node_modules/.cache/trellis/run', randomUUID());
await build({
  input: { [basename(file, '.ts')]: resolve(file) },
  cwd: root,
  platform: 'node',
  tsconfig: join(root, 'tsconfig.json'),
  external: (id) => !/^[./#\0]/.test(id) && !id.startsWith('@trellis/'),
  output: { dir: folder, format: 'esm', sourcemap: 'inline', entryFileNames: '[name].mjs' },
  checks: { bundlerTimings: false },
  logLevel: 'warn',
});
const bundle = join(folder, `${basename(file, '.ts')}.mjs`);
if (isBundled) process.stdout.write(bundle);
else await run();

async function run() {
  process.argv.splice(1, 2, resolve(file));
  try {
    await import(pathToFileURL(bundle).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
