import type { ParseResult, Refusal } from '@trellis/sdk/shared';

/** One file of a cell, as the v1 API writes it. */
export interface AttachedFile {
  /** Where it is read from: an address of this server, or one elsewhere that is a link and no file of ours. */
  readonly url: string;
  /** What people call it. */
  readonly title: string;
  /** Its media type; absent for links. */
  readonly mimetype?: string;
  /** Bytes; absent for links. */
  readonly size?: number;
  /** Of office files alone. */
  readonly icon?: string;
}

/** The most files that a cell can hold, whatever its column says. */
export const mostFiles = 100;

const hour = 60 * 60 * 1000;
/**
 * Milliseconds for which an upload waits for its row. Those of senders without an account, who take room from others that send by the
 * same link, wait for less.
 */
export const waitingMs = { member: 24 * hour, stranger: hour } as const;
const longestTitle = 255;
const longestUrl = 2000;

/** `/download/<folders>/<id><ending>`: the id is all that names a file, the rest is there to be read. */
const ownPath = /^\/download\/(?:[^/?#]+\/){0,12}([A-Za-z0-9_-]{22})(?:\.[a-z0-9]{1,10})?$/;

/** An address on the web; the group is its path. */
const webAddress = /^https?:\/\/[^\s/?#]+([^?#]*)/i;

/** The id of the file that an address names if it is one of ours, on whatever host; undefined for links to elsewhere. */
export function fileIdOf(url: string): string | undefined {
  const path = url.startsWith('/') ? url : (webAddress.exec(url)?.[1] ?? '');
  return ownPath.exec(path)?.[1];
}

/** Whether two addresses are of one file: of one of ours its id alone says so. */
export function sameFile(one: string, other: string): boolean {
  return one === other || (fileIdOf(one) !== undefined && fileIdOf(one) === fileIdOf(other));
}

/** The files of a cell; none for what is no list of files, such as a text in a database that others write to. */
export function filesOf(value: unknown): readonly AttachedFile[] {
  if (typeof value !== 'string') return [];
  const read = readFiles(value);
  return read.ok ? (read.value ?? []) : [];
}

/** A cell with these files. */
export function cellOf(files: readonly AttachedFile[]): string | null {
  return files.length === 0 ? null : JSON.stringify(files);
}

/** The files as people copy and export them: `title(url)`, joined by a comma and a blank. */
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

/** What a client sent or a person pasted: a list of files, the JSON text of one, or `title(url)` as it is copied and exported. */
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

/** Keeps the keys that we know, where they hold what they should. */
function fileOf(item: unknown): AttachedFile | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { url, title, mimetype, size, icon } = item as Readonly<Record<string, unknown>>;
  if (typeof url !== 'string' || !isAddress(url)) return undefined;
  // A blank or a bracket would end the address where it is copied as a text.
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

/** Ours, or on the web: what else an address can begin with runs code or reads files. */
function isAddress(url: string): boolean {
  if (url.length > longestUrl || /[\s\p{Cc}<>"]/u.test(url.replaceAll(' ', ''))) return false;
  if (url.startsWith('/')) return fileIdOf(url) !== undefined;
  return webAddress.test(url);
}

/** A name without what nobody can see: control characters, halves of characters, marks that turn the direction to hide an ending. */
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

/** Reads `title(url), title(url)`. A title may hold brackets and commas; an address ends at the bracket that closes it. */
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
