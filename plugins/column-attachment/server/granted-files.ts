import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { FileGrant, FilesOfPlace, SharedFiles } from '@trellis/sdk/server';
import type { RegistryView } from '@trellis/sdk/shared';
import { fileErrors } from './file-errors.ts';
import { cellOf, readFiles } from '../shared/index.ts';

/** No folder of an upload can have this name, since theirs contain no dots. */
const folder = '.by';
/** A truncated text may end within an id. */
const address =
  /\/download\/(?:[^\s/?#"'()]+\/){0,12}(?:([A-Za-z0-9_-]{22})(?![A-Za-z0-9_-])|[A-Za-z0-9_-]{1,22}$)/g;
const granted = /^\.by\/([a-z0-9-]+)\/([A-Za-z0-9_-]+)\/([A-Za-z0-9_-]{22})(?:\.[a-z0-9]{1,10})?$/;

/** Ids are 16 random bytes, one block of the cipher: each gets another name, which reveals nothing of the id without the key. */
const cipher = 'aes-256-ecb';

function named(id: string, key: Uint8Array): string {
  const block = createCipheriv(cipher, key, null).setAutoPadding(false);
  return Buffer.concat([block.update(Buffer.from(id, 'base64url')), block.final()]).toString('base64url');
}

function idOf(name: string, key: Uint8Array): string {
  const block = createDecipheriv(cipher, key, null).setAutoPadding(false);
  return Buffer.concat([block.update(Buffer.from(name, 'base64url')), block.final()]).toString('base64url');
}

function readdressed(cell: unknown, of: FilesOfPlace): unknown {
  if (typeof cell === 'string')
    return cell.includes('/download/')
      ? cell.replace(
          address,
          (_, id?: string) =>
            `/download/${id === undefined ? '' : `${folder}/${of.grant}/${of.place}/${named(id, of.key)}`}`,
        )
      : cell;
  if (Array.isArray(cell)) return cell.map((part) => readdressed(part, of));
  return typeof cell === 'object' && cell !== null
    ? Object.fromEntries(Object.entries(cell).map(([name, part]) => [name, readdressed(part, of)]))
    : cell;
}

/** The address of a file on this server that a granted address names; undefined for any other. */
function ownAddress(url: string, { grant, place, key }: FilesOfPlace): string | undefined {
  const [, ofGrant, ofPlace, name = ''] = granted.exec(url.replace(/^.*?\/download\//, '')) ?? [];
  return ofGrant === grant && ofPlace === place ? `/download/${idOf(name, key)}` : undefined;
}

function restored(cell: unknown, of: FilesOfPlace): unknown {
  const read = readFiles(cell);
  if (!read.ok || read.value === null) return cell;
  const files = read.value.map((file) => {
    const url = ownAddress(file.url, of);
    if (url === undefined) throw fileErrors.create('FILE_NOT_HERE', { title: file.title });
    return { ...file, url };
  });
  return cellOf(files);
}

export const grantedAddresses: Pick<SharedFiles, 'readdressed' | 'restored'> = {
  // The shape stays: texts replace texts.
  readdressed: (cell, of) => readdressed(cell, of) as typeof cell,
  restored,
};

/** Whether a path below `/download/` came from a grant. */
export const isGranted = (path: string): boolean => path.startsWith(`${folder}/`);

/** The file of such a path, as long as its grant is valid. */
export async function grantedFile(
  path: string,
  grants: RegistryView<FileGrant>,
): Promise<{ readonly id: string; readonly projectId: string } | undefined> {
  const [, grant = '', place = '', name = ''] = granted.exec(path) ?? [];
  const held = await grants.get(grant)?.keyOf(place);
  return held && { id: idOf(name, held.key), projectId: held.projectId };
}
