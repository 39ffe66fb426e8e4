import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';

/** The bytes of a file, and the state of the file when they were read. */
interface FileDigest {
  readonly digest: string;
  readonly state: string;
}

/** By folder and name: files are read again only after a change. */
const known = new Map<string, ReadonlyMap<string, FileDigest>>();

/** Milliseconds within which the clock of some file systems does not tell two writes apart. */
const clockTick = 100;

/**
 * Identifies a build by the bytes of its files: times are no help, since archives may hold the same one for all files. Entries that
 * are no readable files, such as broken links of an editor, are ignored.
 *
 * @throws Error when the folder cannot be read
 */
export function buildIdOf(folder: string): string {
  const before = known.get(folder);
  const files = new Map<string, FileDigest>();
  const hash = createHash('sha256');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const file = digestOf(join(folder, name), before?.get(name));
    if (file === undefined) continue;
    files.set(name, file);
    hash.update(`${name}\0${file.digest}\0`);
  }
  known.set(folder, files);
  return hash.digest('base64url').slice(0, 12);
}

function digestOf(path: string, before: FileDigest | undefined): FileDigest | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true) return undefined;
  const state = stateOf(found);
  if (before !== undefined && before.state === state) return before;
  const digest = createHash('sha256').update(readFileSync(path)).digest('base64url');
  // A file that was written a moment ago is read once more: another write may leave the same times.
  return { digest, state: Date.now() - found.ctimeMs > clockTick ? state : '' };
}

/** Nobody can set the time of the last change of a file, as opposed to that of its content. */
function stateOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}
