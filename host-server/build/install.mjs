import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Installs the dependencies unless node_modules matches the lock file. Uses only Node, because it runs before any package exists.
 *
 * @param {{ tools: boolean }} options `tools`: also what only tests, stories and checks need. Without it, the packages that build
 *   and serve the product are enough; installed tools are still kept up to date.
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
 * The SQLite driver was compiled for the Node that installed it: under another Node it is downloaded or compiled again. A note
 * names the Node for which it was checked, so that later starts need not check it.
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
  // If the user may not write to the folder, each start checks again.
  await mkdir(dirname(note), { recursive: true })
    .then(() => writeFile(note, node))
    .catch(() => undefined);
}

/** Whether this Node can load a native module. It is tried in a separate process, because a loaded module cannot be unloaded. */
async function isLoaded(file) {
  const load = 'process.dlopen({ exports: {} }, process.argv[1])';
  const child = spawn(process.execPath, ['--eval', load, file], { stdio: 'ignore' });
  return (await endOf(child)) === 0;
}

/** If SQLite had to be compiled, deletes the compiler's object files: 20 MB that nothing reads. */
async function dropObjectFiles(root) {
  const release = join(root, 'node_modules/better-sqlite3/build/Release');
  for (const left of ['obj', 'obj.target', '.deps', 'sqlite3.a'])
    await rm(join(release, left), { recursive: true, force: true });
}

/**
 * Compares the lock file with npm's record of what it installed. Contents are compared, not times, because a checkout touches the
 * lock file without changing it. Packages for other platforms are only in the lock file.
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
 * Names the wanted packages explicitly, regardless of NODE_ENV. Without the tools, optional peer packages are omitted too
 * (`--legacy-peer-deps`): these are TypeScript and esbuild.
 */
function npmCi(root, withTools) {
  const set = withTools ? ['--include=dev'] : ['--omit=dev', '--legacy-peer-deps'];
  return runNpm(root, ['ci', ...set, '--no-audit', '--no-fund', '--loglevel=error']);
}

/** Runs npm; if npm called this script, the same npm. */
async function runNpm(root, args) {
  const npm = process.env.npm_execpath;
  const child =
    npm !== undefined && /\.c?js$/.test(npm)
      ? spawn(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
      : spawn('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  const code = await endOf(child);
  if (code !== 0) throw new Error(`npm ${args[0]} failed with code ${code}; see its messages above.`);
}

/** Resolves to a process's exit code. */
function endOf(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
}
