import { statSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Vite's addresses besides files of its root: its client, files elsewhere, virtual modules, packages. */
const ofVite = /^\/(@|node_modules\/|__)/;

/** Whether the development page's request is for Vite: the page, one of its sources, or a file of Vite. */
export function isOfThePage(folder, url = '/') {
  const path = pathOf(url);
  if (path === '/' || ofVite.test(path)) return true;
  return [folder, join(folder, 'public')].some((root) => isFile(join(root, path)));
}

/** The path without the query and without `..` steps. */
function pathOf(url) {
  const [path] = url.split(/[?#]/, 1);
  try {
    return posix.normalize(`/${decodeURIComponent(path)}`).replace(/^\/+/, '/');
  } catch {
    // A stray percent sign: no file of the product has one.
    return path;
  }
}

function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
