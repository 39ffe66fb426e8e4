import type { AttachedFile, ParseResult, Refusal } from '@trellis/sdk/shared';

/** The most files of a cell, whatever its column's limit. */
export const mostFiles = 100;

const hour = 60 * 60 * 1000;
/**
 * Milliseconds for which an upload waits for its row. Visitors' uploads wait for less, since visitors of the same link share the
 * space.
 */
export const waitingMs = { member: 24 * hour, stranger: hour } as const;
const longestTitle = 255;
const longestUrl = 2000;

/** `/download/<folders>/<id><ending>`: only the id identifies a file, the rest is for readers. */
const ownPath = /^\/download\/(?:[^/?#]+\/){0,12}([A-Za-z0-9_-]{22})(?:\.[a-z0-9]{1,10})?$/;

/** A web address; the group is its path. */
const webAddress = /^https?:\/\/[^\s/?#]+([^?#]*)/i;

/** The id in an address of one of our files, on any host; undefined for links to other sites. */
export function fileIdOf(url: string): string | undefined {
  const path = url.startsWith('/') ? url : (webAddress.exec(url)?.[1] ?? '');
  return ownPath.exec(path)?.[1];
}

/** Whether two addresses belong to the same file: for ours, only the id counts. */
export function sameFile(one: string, other: string): boolean {
  return one === other || (fileIdOf(one) !== undefined && fileIdOf(one) === fileIdOf(other));
}

/** The files of a cell; none for a value that is no list of files, such as a text from another program. */
export function filesOf(value: unknown): readonly AttachedFile[] {
  if (typeof value !== 'string') return [];
  const read = readFiles(value);
  return read.ok ? (read.value ?? []) : [];
}

/** A cell with these files. */
export function cellOf(files: readonly AttachedFile[]): string | null {
  return files.length === 0 ? null : JSON.stringify(files);
}

/** The files in the form for copying and exports: `title(url)`, joined by a comma and a space. */
export function textOf(files: readonly AttachedFile[]): string {
  return files.map(({ title, url }) => `${title}(${url})`).join(', ');
}

const refused = {
  ok: false,
  message: 'must be a list of files such as [{"url":"https://example.com/a.png","title":"a.png"}]',
} as const;

/** Refuses a cell of more files than it may hold. */
export function tooManyFiles(most: number): Refusal {
  return { message: 'must hold at most {{most}} files', params: { most } };
}

/** Parses a client's or pasted value: a list of files, its JSON text, or `title(url)` as in copies and exports. */
export function readFiles(input: unknown): ParseResult<readonly AttachedFile[]> {
  if (input === null || input === undefined) return { ok: true, value: null };
  if (Array.isArray(input)) return listOf(input);
  if (typeof input !== 'string') return refused;
  const text = input.trim();
  if (text === '') return { ok: true, value: null };
  if (!text.startsWith('[')) return copiedFiles(text);
  try {
    const list = JSON.parse(text) as unknown;
    if (Array.isArray(list)) return listOf(list);
  } catch {
    // A title may begin with a bracket as well.
  }
  return copiedFiles(text);
}

function listOf(items: readonly unknown[]): ParseResult<readonly AttachedFile[]> {
  if (items.length > mostFiles) return { ok: false, ...tooManyFiles(mostFiles) };
  const files: AttachedFile[] = [];
  for (const item of items) {
    const file = fileOf(item);
    if (file === undefined) return refused;
    files.push(file);
  }
  return { ok: true, value: files.length === 0 ? null : files };
}

/** Keeps the known keys with valid values. */
function fileOf(item: unknown): AttachedFile | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { url, title, mimetype, size, icon } = item as Readonly<Record<string, unknown>>;
  if (typeof url !== 'string' || !isAddress(url)) return undefined;
  // A space or a bracket would end the address in a copied text.
  const address = url.replace(/[ ()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  const name = typeof title === 'string' ? tidyTitle(title) : '';
  return {
    url: address,
    title: name === '' ? lastPartOf(address) : name,
    ...(typeof mimetype === 'string' && mimetype.length <= 100 && { mimetype }),
    ...(typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 && { size }),
    ...(typeof icon === 'string' && icon.length <= 50 && { icon }),
  };
}

/** Ours, or on the web: other schemes of addresses run code or read files. */
function isAddress(url: string): boolean {
  if (url.length > longestUrl || /[\s\p{Cc}<>"]/u.test(url.replaceAll(' ', ''))) return false;
  if (url.startsWith('/')) return fileIdOf(url) !== undefined;
  return webAddress.test(url);
}

/**
 * A name without invisible characters: control characters, lone surrogates, and marks that change the direction to hide an ending.
 */
export function tidyTitle(title: string): string {
  return title
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .slice(0, longestTitle)
    .replace(/\p{Surrogate}/gu, '')
    .trim();
}

function lastPartOf(url: string): string {
  const path = url.replace(/[?#].*$/, '');
  return tidyTitle(path.slice(path.lastIndexOf('/') + 1)) || tidyTitle(url);
}

/** Parses `title(url), title(url)`. A title may contain brackets and commas; an address ends at its closing bracket. */
function copiedFiles(text: string): ParseResult<readonly AttachedFile[]> {
  const items: { title: string; url: string }[] = [];
  let rest = 0;
  for (const found of text.matchAll(/\(((?:https?:\/|\/download)\/[^()\s]+)\)(?=\s*(?:,|$))/g)) {
    const title = text.slice(rest, found.index);
    items.push({ title: items.length === 0 ? title : title.replace(/^\s*,/, ''), url: found[1] ?? '' });
    rest = found.index + found[0].length;
  }
  if (items.length > 0) return text.slice(rest).trim() === '' ? listOf(items) : refused;
  const addresses = text.split(/,?\s+/);
  return addresses.every(isAddress) ? listOf(addresses.map((url) => ({ url }))) : refused;
}
