import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Installs the dependencies when the lock file is not the one that they were installed from. Uses Node alone, since
 * it runs before anything is there.
 */
export async function ensureInstalled(root, say) {
  const lockFile = join(root, 'package-lock.json');
  const stampFile = join(root, 'node_modules', '.trellis-lock');
  const wanted = createHash('sha256')
    .update(await readFile(lockFile))
    .digest('hex');
  if ((await readFile(stampFile, 'utf8').catch(whenMissing(''))) === wanted) return;
  if (!(await installedByHand(root, lockFile))) {
    say('Installing dependencies (first start only, about a minute)...');
    await npmCi(root);
  }
  await writeFile(stampFile, wanted);
}

const whenMissing = (fallback) => (error) => {
  if (error.code === 'ENOENT') return fallback;
  throw error;
};

/** npm notes when it last installed; after a change of the lock file that note is older. */
async function installedByHand(root, lockFile) {
  const note = join(root, 'node_modules', '.package-lock.json');
  const modified = (file) => stat(file).then((found) => found.mtimeMs);
  return (await modified(note).catch(whenMissing(0))) >= (await modified(lockFile));
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
