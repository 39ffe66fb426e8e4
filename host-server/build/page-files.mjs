import { statSync } from 'node:fs';
import { join, posix } from 'node:path';

/** What Vite serves besides files of its root: its client, files elsewhere, virtual modules, packages. */
const ofVite = /^\/(@|node_modules\/|__)/;

/** Whether a request of the development page is for Vite: the page itself, one of its sources, or Vite's own. */
export function isOfThePage(folder, url = '/') {
  const path = pathOf(url);
  if (path === '/' || ofVite.test(path)) return true;
  return [folder, join(folder, 'public')].some((root) => isFile(join(root, path)));
}

/** The path without the query and without steps upwards. */
function pathOf(url) {
  const [path] = url.split(/[?#]/, 1);
  try {
    return posix.normalize(`/${decodeURIComponent(path)}`).replace(/^\/+/, '/');
  } catch {
    // A stray percent sign: no file of ours has one.
    return path;
  }
}

function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
