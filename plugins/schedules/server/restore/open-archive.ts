import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Files } from '@trellis/sdk/server';
import { Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { contentsPath, readContents, type Archive } from '../backup/archive.ts';
import { restoreErrors } from '../schedule-errors.ts';

/** A file of which the bytes are kept. */
export interface KeptFile {
  readonly ref: string;
  readonly size: number;
}

/** An archive that is being read. */
export interface OpenArchive {
  readonly contents: Archive;
  /** Undefined for a file that the archive does not have. */
  read(path: string): Promise<Readable | undefined>;
  close(): void;
}

const megabyte = 1024 * 1024;
/** Bytes of `trellis.json`: 400 tables with 100 columns and five views each. What it may hold is limited beside that. */
const largestContents = 64 * megabyte;
const mostEntries = 2_000_000;
/** How many times as large as an archive its files may be: as deflate packs at the best, which rows with a thousand empty cells come near. */
const mostTimes = 1032;
/** Bytes of all that an archive unpacks to. */
const mostUnpacked = 256 * 1024 * megabyte;
const block = 64 * 1024;

/** What an archive of ours holds; anything else of it is passed over. Nothing is ever written to where an archive says. */
const ownPath = /^(?:trellis\.json|rows\/[^/\\]{1,200}\.jsonl|files\/[A-Za-z0-9_-]{1,100})$/;

/**
 * Opens an archive that anybody may have made.
 *
 * @throws TrellisError 400 `RESTORE_NO_BACKUP`, `RESTORE_DAMAGED`, `RESTORE_VERSION` or 413 `RESTORE_UNPACKS`.
 */
export async function openArchive(
  files: Pick<Files, 'read'>,
  file: KeptFile,
  signal: AbortSignal,
): Promise<OpenArchive> {
  const reader = new KeptFileReader(files, file, signal);
  const zip = await asBackup(
    () => fromRandomAccessReaderPromise(reader, file.size, { autoClose: false }),
    reader,
  );
  try {
    const entries = await asBackup(() => entriesOf(zip, file.size), reader);
    const about = entries.get(contentsPath);
    if (about === undefined) throw restoreErrors.create('RESTORE_NO_BACKUP');
    if (about.uncompressedSize > largestContents) throw restoreErrors.create('RESTORE_UNPACKS');
    const contents = await asBackup(async () => readContents(await zip.openReadStreamPromise(about)), reader);
    return {
      contents,
      async read(path) {
        const entry = entries.get(path);
        return entry && asBackup(() => zip.openReadStreamPromise(entry), reader);
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function entriesOf(zip: ZipFile, size: number): Promise<ReadonlyMap<string, Entry>> {
  if (zip.entryCount > mostEntries) throw restoreErrors.create('RESTORE_UNPACKS');
  const entries = new Map<string, Entry>();
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    unpacked += entry.uncompressedSize;
    if (unpacked > Math.min(mostTimes * size, mostUnpacked)) throw restoreErrors.create('RESTORE_UNPACKS');
    if (entry.isEncrypted() || entries.has(entry.fileName)) throw restoreErrors.create('RESTORE_DAMAGED');
    if (ownPath.test(entry.fileName)) entries.set(entry.fileName, whereaboutsOf(entry));
  }
  return entries;
}

/** What it takes to read an entry, without what else an archive says of it: many times as much memory as its bytes. */
function whereaboutsOf(entry: Entry): Entry {
  const kept = new Entry();
  kept.compressedSize = entry.compressedSize;
  kept.compressionMethod = entry.compressionMethod;
  kept.generalPurposeBitFlag = entry.generalPurposeBitFlag;
  kept.relativeOffsetOfLocalHeader = entry.relativeOffsetOfLocalHeader;
  kept.uncompressedSize = entry.uncompressedSize;
  return kept;
}

/** Whatever the reader of archives says is about the file, but for what kept its bytes from being read. */
async function asBackup<Answer>(work: () => Promise<Answer>, reader: KeptFileReader): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw asProblem(error, reader.failure);
  }
}

function asProblem(error: unknown, failure: unknown): unknown {
  if (failure !== undefined) return failure;
  const isOurs = error instanceof Error && 'code' in error && String(error.code).startsWith('RESTORE_');
  return isOurs ? error : restoreErrors.create('RESTORE_NO_BACKUP', undefined, error);
}

/** Reads parts of a kept file, wherever it is kept. */
class KeptFileReader extends RandomAccessReader {
  readonly #files: Pick<Files, 'read'>;
  readonly #file: KeptFile;
  readonly #signal: AbortSignal;
  #block: { readonly start: number; readonly bytes: Buffer } | undefined;
  /** Why the bytes could not be read. */
  failure: unknown;

  constructor(files: Pick<Files, 'read'>, file: KeptFile, signal: AbortSignal) {
    super();
    this.#files = files;
    this.#file = file;
    this.#signal = signal;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const passed = new PassThrough();
    const part = { start, end: end - 1 };
    const read = async () =>
      pipeline(await this.#files.read(this.#file.ref, { part, signal: this.#signal }), passed);
    read().catch((error: unknown) => {
      if (!isClosedEarly(error)) this.failure ??= error;
      passed.destroy(error as Error);
    });
    return passed;
  }

  /** The directory of an archive is read in many small parts. */
  // oxlint-disable-next-line max-params -- the reader of archives calls it so
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    void this.#copy(buffer, offset, { position, length, callback });
  }

  async #copy(
    buffer: Buffer,
    offset: number,
    of: {
      readonly position: number;
      readonly length: number;
      readonly callback: (error: Error | null) => void;
    },
  ): Promise<void> {
    let problem: Error | null = null;
    try {
      (await this.#bytes(of.position, of.length)).copy(buffer, offset);
    } catch (error) {
      problem = error as Error;
    }
    of.callback(problem);
  }

  async #bytes(position: number, length: number): Promise<Buffer> {
    const held = this.#block;
    const from = held === undefined ? 0 : position - held.start;
    if (held !== undefined && from >= 0 && from + length <= held.bytes.length)
      return held.bytes.subarray(from, from + length);
    const end = Math.min(this.#file.size, position + Math.max(length, block));
    const bytes = await collected(this._readStreamForRange(position, end));
    if (bytes.length < length) throw restoreErrors.create('RESTORE_DAMAGED');
    this.#block = { start: position, bytes };
    return bytes.subarray(0, length);
  }
}

async function collected(content: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of content) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Somebody who reads a part of a file and no more is no failure of it. */
function isClosedEarly(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
