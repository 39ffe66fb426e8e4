import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Installs the dependencies unless node_modules holds what the lock file asks for. Uses Node alone, since it runs
 * before anything is there.
 *
 * @param {{ tools: boolean }} options `tools`: also what only tests, stories and checks need. Without it the packages that
 *   build and serve the product are enough; tools that are there already are kept up to date.
 */
export async function ensureInstalled(root, say, { tools }) {
  const wanted = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')).packages;
  const found = await readInstalled(root);
  const withTools = tools || Object.values(found ?? {}).some(({ dev }) => dev === true);
  if (found === undefined || !isInstalled(wanted, found, withTools)) {
    say(
      `Installing ${tools ? 'all dependencies' : 'dependencies (first start only, one to three minutes)'}...`,
    );
    await npmCi(root, withTools);
    await dropObjectFiles(root);
  }
  await fitDriver(root, say);
}

/**
 * The driver of SQLite was compiled for the Node that installed it: under another one it is fetched or compiled again. A note says for
 * which one it was tried, so that later starts need not try it.
 */
async function fitDriver(root, say) {
  const driver = join(root, 'node_modules/better-sqlite3');
  const note = join(root, 'node_modules/.cache/trellis/node-of-driver');
  const node = process.versions.modules;
  const tried = await readFile(note, 'utf8').catch(() => undefined);
  if (tried === node || !existsSync(driver)) return;
  if (!(await isLoaded(join(driver, 'build/Release/better_sqlite3.node')))) {
    say(`Fitting SQLite to Node ${process.version} (a few minutes where it must be compiled)...`);
    await runNpm(root, ['rebuild', 'better-sqlite3', '--loglevel=error']);
    await dropObjectFiles(root);
  }
  // Whoever starts may not own the folder, and tries it anew each time.
  await mkdir(dirname(note), { recursive: true })
    .then(() => writeFile(note, node))
    .catch(() => undefined);
}

/** Whether this Node can load a native part. It is tried in a process of its own: what is loaded stays. */
async function isLoaded(file) {
  const load = 'process.dlopen({ exports: {} }, process.argv[1])';
  const child = spawn(process.execPath, ['--eval', load, file], { stdio: 'ignore' });
  return (await endOf(child)) === 0;
}

/** Where SQLite had to be compiled, drops what the compiler left beside its result: 20 MB that nobody reads again. */
async function dropObjectFiles(root) {
  const release = join(root, 'node_modules/better-sqlite3/build/Release');
  for (const left of ['obj', 'obj.target', '.deps', 'sqlite3.a'])
    await rm(join(release, left), { recursive: true, force: true });
}

/**
 * Compares the lock file with npm's own note of what it installed. Contents are compared, not times: a checkout
 * touches the lock file without changing it. Packages for other platforms are in the lock file alone.
 */
function isInstalled(wanted, found, withTools) {
  return Object.entries(wanted)
    .filter(([path]) => path.startsWith('node_modules/'))
    .every(([path, { version, integrity, dev, optional, devOptional, link }]) => {
      const installed = found[path];
      if (installed === undefined) return optional === true || devOptional === true || (dev && !withTools);
      return link === true || (installed.version === version && installed.integrity === integrity);
    });
}

async function readInstalled(root) {
  try {
    return JSON.parse(await readFile(join(root, 'node_modules/.package-lock.json'), 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Says which packages are wanted whatever NODE_ENV says. Without the tools, packages that others could use but do not need
 * are left out as well (`--legacy-peer-deps`): that is the whole of TypeScript and of esbuild.
 */
function npmCi(root, withTools) {
  const set = withTools ? ['--include=dev'] : ['--omit=dev', '--legacy-peer-deps'];
  return runNpm(root, ['ci', ...set, '--no-audit', '--no-fund', '--loglevel=error']);
}

/** Runs npm, the one that called this where one did. */
async function runNpm(root, args) {
  const npm = process.env.npm_execpath;
  const child =
    npm !== undefined && /\.c?js$/.test(npm)
      ? spawn(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
      : spawn('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  const code = await endOf(child);
  if (code !== 0) throw new Error(`npm ${args[0]} failed with code ${code}; see its messages above.`);
}

/** Resolves to the code with which a process ended. */
function endOf(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
}
