import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
let entry: Promise<URL> | undefined;

/**
 * The worker's code: beside the built server, or, if that is missing (tests, tools), in a bundle that is built once per state of
 * the sources.
 */
export function sqliteWorkerEntry(): Promise<URL> {
  entry ??= findEntry();
  return entry;
}

async function findEntry(): Promise<URL> {
  const built = new URL('./sqlite.worker.mjs', import.meta.url);
  return (await exists(fileURLToPath(built))) ? built : bundleSource(await sourceFolder());
}

/** This file's folder when it runs as TypeScript; if bundled by a tool, that of the repository around the bundle. */
async function sourceFolder(): Promise<string> {
  let folder = dirname(fileURLToPath(import.meta.url));
  if (import.meta.url.endsWith('.ts')) return folder;
  for (; folder !== dirname(folder); folder = dirname(folder)) {
    const source = join(folder, 'host-server/databases/sqlite');
    if (await exists(join(source, 'sqlite.worker.ts'))) return source;
  }
  throw new Error('The server is not built whole: sqlite.worker.mjs is missing beside it; build it again');
}

async function bundleSource(folder: string): Promise<URL> {
  const hash = createHash('sha256');
  // The worker uses modules of these rooms, too.
  for (const room of ['../../databases', '../../sql', '../../../sdk/shared', '../../../core/errors']) {
    const names = (await readdir(join(folder, room), { recursive: true })).filter((name) =>
      name.endsWith('.ts'),
    );
    for (const name of names.sort()) hash.update(await readFile(join(folder, room, name)));
  }

  const rolldown = createRequire(join(folder, 'sqlite.worker.ts')).resolve('rolldown');
  const modules = rolldown.slice(0, rolldown.lastIndexOf('node_modules') + 'node_modules'.length);
  const cache = join(modules, '.cache', 'trellis');
  const bundle = join(cache, `sqlite.worker-${hash.digest('hex').slice(0, 16)}.mjs`);
  if (!(await exists(bundle))) {
    await mkdir(cache, { recursive: true });
    const draft = `${bundle}.${process.pid}`;
    await run(process.execPath, [
      '--input-type=module',
      '--eval',
      BUILD,
      pathToFileURL(rolldown).href,
      join(folder, 'sqlite.worker.ts'),
      draft,
    ]);
    await rename(draft, bundle);
  }
  return pathToFileURL(bundle);
}

/** Runs in a separate process, so that the bundler's threads end with it. */
const BUILD = `
  const [rolldown, input, file] = process.argv.slice(1);
  const { build } = await import(rolldown);
  await build({ input, platform: 'node', external: [/^(?!@trellis\\/)[^./]/], output: { file, format: 'esm' }, logLevel: 'warn' });
`;

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
