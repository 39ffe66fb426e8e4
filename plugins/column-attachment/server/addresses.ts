import type { AttachedFile } from '@trellis/sdk/shared';
import { endingOf, iconOf } from '../shared/index.ts';
import type { FileRecord } from './file-store.ts';

const mostFolders = 12;
const longestFolder = 50;
/** The most characters of all folders together, encoded. */
const longestPath = 1200;

/** The folders of an address from a client's path: they are only readable, nothing is looked up by them. */
export function folderOf(path: string): string {
  const names = path
    .split('/')
    .map((name) => name.trim().slice(0, longestFolder))
    .filter((name) => name !== '')
    .slice(0, mostFolders)
    .map((name) => encodeURIComponent(name.replace(/[./?#\\()<>"%\p{Cc}\p{Surrogate}]/gu, '_')));
  let folder = '';
  for (const name of names) {
    if (folder.length + name.length >= longestPath) break;
    folder += `${name}/`;
  }
  return folder;
}

/** A file in the form of cells. `site` is the public address of the server, empty if it is not set. */
export function attachedFile(
  file: FileRecord,
  title: string,
  site: string,
): Required<Omit<AttachedFile, 'icon'>> & Pick<AttachedFile, 'icon'> {
  const ending = endingOf(file.name);
  const icon = iconOf(file.name);
  return {
    url: `${site}/download/${file.folder}${file.id}${ending === '' ? '' : `.${ending}`}`,
    title,
    mimetype: file.type,
    size: file.size,
    ...(icon !== undefined && { icon }),
  };
}
