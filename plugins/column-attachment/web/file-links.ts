import {
  fileIdOf,
  kindOf,
  mayHavePreview,
  typeOfName,
  unknownType,
  type AttachedFile,
  type FileKind,
  type PreviewSize,
} from '../shared/index.ts';

/** Where the page reads a file: files of ours from this very site, whatever address the site had when they were uploaded. */
export function hrefOf(file: AttachedFile): string {
  const { url } = file;
  if (isLink(file)) return url;
  return url.startsWith('/') ? url : new URL(url).pathname;
}

/** Where the page reads a small picture of a picture, or the picture itself where that is small. */
export function previewOf(file: AttachedFile, size: PreviewSize): string {
  return mayHavePreview(file) ? `${hrefOf(file)}?preview=${size}` : hrefOf(file);
}

/** What the page can show of a file. Links to elsewhere are opened and never loaded. */
export function shownKind(file: AttachedFile): FileKind {
  if (isLink(file)) return 'other';
  return kindOf(file.mimetype ?? typeOfName(file.url) ?? unknownType);
}

/** Whether an address leads away from this site. One with a host is ours where the server knows the file, and then it gave a size. */
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

/** The icon of a file that has no picture of itself. */
export function iconName(file: AttachedFile): string {
  if (isLink(file)) return 'external-link';
  if (file.icon === 'mdi-file-word-outline') return 'file-word';
  return file.icon === 'mdi-file-excel-outline' ? 'file-excel' : (icons.get(shownKind(file)) ?? 'file');
}
