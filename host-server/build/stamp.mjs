import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const sources = ['core', 'sdk', 'host-server', 'host-web', 'plugins'];
const singles = ['package-lock.json', 'package.json', 'tsconfig.json'];
const ignored = /(^|\/)(node_modules|testing|fixtures)(\/|$)|\.(test|stories)\.tsx?$|\.md$/;

/** A hash over path, size and time of change of everything that the build reads. */
export async function sourceHash(root) {
  const listed = await Promise.all(sources.map((folder) => filesIn(root, folder)));
  const files = [...singles, ...listed.flat()].sort();
  const lines = await Promise.all(
    files.map(async (file) => {
      const { size, mtimeMs } = await stat(join(root, file));
      return `${file} ${size} ${mtimeMs}`;
    }),
  );
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

async function filesIn(root, folder) {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const found = await Promise.all(
    entries.map((entry) => {
      const path = `${folder}/${entry.name}`;
      if (ignored.test(path)) return [];
      return entry.isDirectory() ? filesIn(root, path) : [path];
    }),
  );
  return found.flat();
}

const stampFile = (root) => join(root, 'dist', '.stamp');

/** Whether dist/ was built from exactly these sources. */
export async function isFresh(root, hash) {
  try {
    return (await readFile(stampFile(root), 'utf8')) === hash;
  } catch (error) {
    if (error.code === 'ENOENT') return false;
    throw error;
  }
}

export const clearStamp = (root) => rm(stampFile(root), { force: true });
export const writeStamp = (root, hash) => writeFile(stampFile(root), hash);
