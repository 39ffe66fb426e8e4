import type { Readable } from 'node:stream';
import { createToken, TrellisError } from '../../shared/index.ts';
import type { AdapterCall } from './mail.ts';

/** What is known of a file. @public */
export interface FileFacts {
  /** As its sender called it: any text, never a path. */
  readonly name: string;
  /** Its media type, as claimed. */
  readonly type: string;
}

/** A part of a file: the first and the last byte, counted from 0. @public */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** How a file is read. @public */
export interface ReadFileOptions {
  /** Ends the reading. */
  readonly signal?: AbortSignal;
  /** The whole file where left out. */
  readonly part?: ByteRange;
}

/**
 * Keeps files, for the registry `storageAdapters`. Keys are made by the host: lower-case letters, digits and slashes.
 * @public
 */
export interface StorageAdapter {
  readonly id: string;
  readonly label: string;
  /** Lower is written to first. Default 0; the folder of this server has 1000. */
  readonly order?: number;
  isConfigured(): boolean;
  put(key: string, content: Readable, facts: FileFacts, call: AdapterCall): Promise<void>;
  /** Throws 404 `FILE_UNKNOWN` for a key that it does not have. */
  get(key: string, call: AdapterCall): Promise<Readable>;
  /** The same for a part of the file alone. An adapter without it is asked for the whole file, of which the rest is dropped. */
  getPart?(key: string, part: ByteRange, call: AdapterCall): Promise<Readable>;
  /** A key that is gone already is no error. */
  remove(key: string, call: AdapterCall): Promise<void>;
  /** An address from which a browser may read the file for so long; undefined for what only the server can read. */
  url?(
    key: string,
    options: FileFacts & { readonly seconds: number },
    call: AdapterCall,
  ): Promise<string | undefined>;
}

/** A file that was kept. @public */
export interface StoredFile extends FileFacts {
  /** Names the adapter and the key; what is stored in a row. */
  readonly ref: string;
  /** Bytes. */
  readonly size: number;
}

/** Where files can be kept: an adapter, as it is now. @public */
export interface StoragePlace {
  /** The adapter's id, with which the references of its files begin. */
  readonly id: string;
  readonly label: string;
  /** The plugin that brings it; `host` for the folder of this server. */
  readonly pluginId: string;
  /** Whether it is set up. */
  readonly isReady: boolean;
}

/** Where a new file goes, for the hook `files.willPut`. @public */
export interface FilePlacement {
  /** The ids of the adapters that are set up, the first of which is written to where nothing else is said. */
  readonly ready: readonly string[];
  /** The id of the one to write to; passed over where it is not set up. */
  readonly place?: string;
}

/** A file of which somebody keeps the reference. @public */
export interface HeldFile {
  readonly ref: string;
  /** Bytes, where they are known. */
  readonly size?: number;
}

/**
 * Knows the references of files that a plugin keeps, for the registry `fileHolders`: without it nobody can say how many files a storage
 * holds, or move them to another one.
 * @public
 */
export interface FileHolder {
  readonly id: string;
  /** How many of its files, and bytes as far as they are known, an adapter keeps. Files that are about to be removed do not count. */
  count(place: string): Promise<{ readonly files: number; readonly bytes: number }>;
  /** Some of them in the order of their references, after one; at most `most`. */
  list(
    place: string,
    options: { readonly after?: string | undefined; readonly most: number },
  ): Promise<readonly HeldFile[]>;
  /**
   * Puts one reference in the place of another, in one step; false where the former is held no longer, or is about to be removed. The two
   * name the same bytes.
   */
  repoint(from: string, to: string): Promise<boolean>;
  /** Whether a reference is held. */
  holds(ref: string): Promise<boolean>;
}

/**
 * Keeps files through the first configured adapter, or the one that the hook `files.willPut` names, and reads each through the one that wrote it. The folder of this server is an
 * adapter that is always there. Throws 503 `STORAGE_ABSENT` for a file whose adapter is not there (nothing is lost: it is readable
 * again once the plugin is on), 404 `FILE_UNKNOWN`, 413 `FILE_TOO_LARGE`, 502 `ADAPTER_FAILED`, 504 `ADAPTER_TIMEOUT`.
 * @beta
 */
export interface Files {
  put(
    content: Readable | Uint8Array,
    facts: FileFacts,
    options: { /** Bytes. */ readonly limit: number; readonly signal?: AbortSignal },
  ): Promise<StoredFile>;
  read(ref: string, options?: ReadFileOptions): Promise<Readable>;
  remove(ref: string): Promise<void>;
  /** Where files can be kept, in the order in which they are written to; the folder of this server is the last. */
  places(): readonly StoragePlace[];
  /** A reference in a place under which nothing is kept yet, to `copy` to. Throws 503 `STORAGE_ABSENT`. */
  newRef(place: string): string;
  /**
   * Copies a file to a reference of `newRef`, reads the copy to its end and compares it by size and hash. It may be run again for the
   * same two. Gives the bytes. Throws what `put` and `read` throw, and 502 `FILE_COPY_DIFFERS`.
   */
  copy(
    from: string,
    to: string,
    options: { readonly signal: AbortSignal },
  ): Promise<{ readonly size: number }>;
  /** Undefined where the file must be read through `read`. */
  url(ref: string, options: FileFacts & { readonly seconds: number }): Promise<string | undefined>;
}
/** Files that are looked for of each holder. */
const sample = 3;

/**
 * The keys of some files that a storage keeps, for adapters that look whether the files are where other settings lead. Empty where nobody
 * holds any.
 * @public
 */
export async function someKeysIn(place: string, holders: readonly FileHolder[]): Promise<readonly string[]> {
  const keys: string[] = [];
  for (const holder of holders)
    for (const { ref } of await holder.list(place, { most: sample })) keys.push(ref.slice(place.length + 1));
  return keys;
}

/**
 * Reads a file of which a row keeps the reference, also while the file is moved to another storage: where the bytes are gone, `find` says
 * whether the row names other ones now. Gives undefined where nobody holds the file, or its bytes are gone for good.
 * @public
 */
export async function readHeld<Held extends { readonly ref: string }, Answer>(
  find: () => Promise<Held | undefined>,
  read: (held: Held) => Promise<Answer>,
): Promise<Answer | undefined> {
  for (let tried: string | undefined; ;) {
    const held = await find();
    if (held === undefined || held.ref === tried) return undefined;
    tried = held.ref;
    try {
      return await read(held);
    } catch (error) {
      if (!(error instanceof TrellisError && error.code === 'FILE_UNKNOWN')) throw error;
    }
  }
}

/** Kept files. @beta */
export const FilesToken = createToken<Files>('files');
