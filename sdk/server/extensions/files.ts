import type { Readable } from 'node:stream';
import { createToken } from '../../shared/index.ts';
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

/**
 * Keeps files through the first configured adapter, and reads each through the one that wrote it. The folder of this server is an
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
  /** Undefined where the file must be read through `read`. */
  url(ref: string, options: FileFacts & { readonly seconds: number }): Promise<string | undefined>;
}
/** Kept files. @beta */
export const FilesToken = createToken<Files>('files');
