import type { AttachedFile } from '@trellis/sdk/shared';
import {
  fileIdOf,
  kindOf,
  mayHavePreview,
  typeOfName,
  unknownType,
  type FileKind,
  type PreviewSize,
} from '../shared/index.ts';

/**
 * The address at which the page reads a file: stored files always from this site, even if the site had another address at the
 * upload.
 */
export function hrefOf(file: AttachedFile): string {
  const { url } = file;
  if (isLink(file)) return url;
  return url.startsWith('/') ? url : new URL(url).pathname;
}

/** The address of a picture's preview, or of the picture itself if it is small. */
export function previewOf(file: AttachedFile, size: PreviewSize): string {
  return mayHavePreview(file) ? `${hrefOf(file)}?preview=${size}` : hrefOf(file);
}

/** What the page can show of a file. External links are only opened, never loaded. */
export function shownKind(file: AttachedFile): FileKind {
  if (isLink(file)) return 'other';
  return kindOf(file.mimetype ?? typeOfName(file.url) ?? unknownType);
}

/**
 * Whether an address leads to another site. An address with a host belongs to a stored file only if the server knows the file and
 * gave its size.
 */
export function isLink({ url, size }: AttachedFile): boolean {
  return fileIdOf(url) === undefined || (size === undefined && !url.startsWith('/'));
}

const icons: ReadonlyMap<FileKind, string> = new Map([
  ['picture', 'image'],
  ['pdf', 'file-pdf'],
  ['video', 'video'],
  ['audio', 'volume-up'],
  ['text', 'align-left'],
]);

/** The icon of a file without a picture. */
export function iconName(file: AttachedFile): string {
  if (isLink(file)) return 'external-link';
  if (file.icon === 'mdi-file-word-outline') return 'file-word';
  return file.icon === 'mdi-file-excel-outline' ? 'file-excel' : (icons.get(shownKind(file)) ?? 'file');
}
