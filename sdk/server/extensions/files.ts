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
 * A storage for files, for the registry `storageAdapters`. The host makes the keys: lower-case letters, digits and slashes.
 * @public
 */
export interface StorageAdapter {
  readonly id: string;
  readonly label: string;
  /** Lower is written to first. Default 0; the folder of this server has 1000. */
  readonly order?: number;
  isConfigured(): boolean;
  put(key: string, content: Readable, facts: FileFacts, call: AdapterCall): Promise<void>;
  /** Throws 404 `FILE_UNKNOWN` for an unknown key. */
  get(key: string, call: AdapterCall): Promise<Readable>;
  /** As `get`, for a part of the file. An adapter without it is asked for the whole file, and the rest is dropped. */
  getPart?(key: string, part: ByteRange, call: AdapterCall): Promise<Readable>;
  /** A missing key is no error. */
  remove(key: string, call: AdapterCall): Promise<void>;
  /** An address from which a browser may read the file for that time; undefined if only the server can read it. */
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

/** A storage for files: an adapter in its present state. @public */
export interface StoragePlace {
  /** The adapter's id, with which the references of its files begin. */
  readonly id: string;
  readonly label: string;
  /** The plugin that brings it; `host` for the folder of this server. */
  readonly pluginId: string;
  /** Whether it is set up. */
  readonly isReady: boolean;
}

/** The storage of a new file, for the hook `files.willPut`. @public */
export interface FilePlacement {
  /** The ids of the configured adapters; the first one is the default. */
  readonly ready: readonly string[];
  /** The id of the adapter to use; ignored if it is not configured. */
  readonly place?: string;
}

/** A file whose reference is stored. @public */
export interface HeldFile {
  readonly ref: string;
  /** Bytes, where they are known. */
  readonly size?: number;
}

/**
 * The file references that a plugin stores, for the registry `fileHolders`: they are needed to count the files of a storage, and
 * to move them to another one.
 * @public
 */
export interface FileHolder {
  readonly id: string;
  /** The number of its files in an adapter, and their bytes as far as known. Files that are about to be removed do not count. */
  count(place: string): Promise<{ readonly files: number; readonly bytes: number }>;
  /** Some of them ordered by reference, after a given one; at most `most`. */
  list(
    place: string,
    options: { readonly after?: string | undefined; readonly most: number },
  ): Promise<readonly HeldFile[]>;
  /**
   * Replaces one reference by another, in one step; false if the former is no longer stored, or is about to be removed. Both
   * refer to the same bytes.
   */
  repoint(from: string, to: string): Promise<boolean>;
  /** Whether a reference is held. */
  holds(ref: string): Promise<boolean>;
}

/**
 * Stores files in the first configured adapter, or the one that the hook `files.willPut` names, and reads each from the adapter
 * that wrote it. The folder of this server is an adapter that is always available. Throws 503 `STORAGE_ABSENT` for a file whose
 * adapter is missing (it is readable again once the plugin is on), 404 `FILE_UNKNOWN`, 413 `FILE_TOO_LARGE`, 502
 * `ADAPTER_FAILED`, 504 `ADAPTER_TIMEOUT`.
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
  /** The storages in the order of preference for writing; the folder of this server is the last. */
  places(): readonly StoragePlace[];
  /** A new, unused reference in a storage, as a target of `copy`. Throws 503 `STORAGE_ABSENT`. */
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
  /** Undefined if the file must be read by `read`. */
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
