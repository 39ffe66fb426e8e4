import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Installs the dependencies unless node_modules holds what the lock file asks for. Uses Node alone, since it runs
 * before anything is there.
 */
export async function ensureInstalled(root, say) {
  if (await isInstalled(root)) return;
  say('Installing dependencies (first start only, about a minute)...');
  await npmCi(root);
}

/**
 * Compares the lock file with npm's own note of what it installed. Contents are compared, not times: a checkout
 * touches the lock file without changing it. Packages for other platforms are in the lock file alone.
 */
async function isInstalled(root) {
  const wanted = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')).packages;
  const found = await readInstalled(root);
  if (found === undefined) return false;
  return Object.entries(wanted)
    .filter(([path]) => path.startsWith('node_modules/'))
    .every(([path, { version, integrity, optional, devOptional, link }]) => {
      const installed = found[path];
      if (installed === undefined) return optional === true || devOptional === true;
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

/** Development packages are wanted too, whatever NODE_ENV says: they build the product. */
function npmCi(root) {
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const child =
    npm !== undefined && /\.c?js$/.test(npm)
      ? spawn(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
      : spawn('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`npm ci failed with code ${code}; see its messages above.`));
    });
  });
}
