import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { Transform, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { TrellisError } from '@trellis/core';
import { extract, type Headers } from 'tar-stream';
import { archiveErrors } from './archive-errors.ts';
import { archiveLimits, checksumsPath, isArchivePath, shown, manifestPath, signaturePath } from './format.ts';
import { verifyChecksums } from './verify-checksums.ts';
import { verifySignature } from './verify-signature.ts';

/** An archive's contents after all checks. @public */
export interface ReadArchive {
  /** All files by path, including the checksums and the signature. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** SHA-256 of the received archive, in hexadecimal. */
  readonly sha256: string;
  /** Bytes of the unpacked files. */
  readonly bytes: number;
  /** The signer's raw ed25519 key in base64; absent if unsigned. */
  readonly signer?: string;
}

/** @public */
export interface ReadArchiveOptions {
  readonly signal?: AbortSignal;
  /** Maximum seconds for reading. Default 30. */
  readonly seconds?: number;
}

/** Bytes of a tar for each file besides its contents: a header, one for a long name, and the padding of the last block. */
const tarOverhead = 4096;
const largestTar = archiveLimits.bytes + archiveLimits.files * tarOverhead;

/**
 * Reads a plugin's archive into memory and checks all of it; nothing is written anywhere.
 *
 * @throws TrellisError of `archiveErrors`, one for each possible problem
 * @public
 */
export async function readArchive(source: Readable, options: ReadArchiveOptions = {}): Promise<ReadArchive> {
  const { signal, seconds = 30 } = options;
  const late = AbortSignal.timeout(seconds * 1000);
  const digest = createHash('sha256');
  const tar: Buffer[] = [];
  try {
    await pipeline(
      source,
      onEachChunk((chunk) => void digest.update(chunk)),
      createGunzip(),
      bounded(largestTar),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) tar.push(chunk);
      },
      { signal: signal === undefined ? late : AbortSignal.any([signal, late]) },
    );
  } catch (error) {
    if (late.aborted) throw archiveErrors.create('ARCHIVE_TOO_SLOW', { seconds }, error);
    signal?.throwIfAborted();
    throw toArchiveError(error);
  }
  const { files, bytes } = await readTar(Buffer.concat(tar));
  if (!files.has(manifestPath)) throw archiveErrors.create('ARCHIVE_NO_MANIFEST');
  const checksums = files.get(checksumsPath);
  if (checksums === undefined) throw archiveErrors.create('ARCHIVE_NO_CHECKSUMS');
  verifyChecksums(files, checksums);
  const signature = files.get(signaturePath);
  const signer = signature === undefined ? undefined : verifySignature(checksums, signature);
  return {
    files,
    sha256: digest.digest('hex'),
    bytes,
    ...(signer !== undefined && { signer }),
  };
}

function onEachChunk(look: (chunk: Buffer) => Error | void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const problem = look(chunk);
      if (problem instanceof Error) done(problem);
      else done(undefined, chunk);
    },
  });
}

/** Aborts unpacking if the contents exceed the maximum, before they fill the memory. */
function bounded(limit: number): Transform {
  let bytes = 0;
  return onEachChunk((chunk) => {
    bytes += chunk.length;
    return bytes > limit
      ? archiveErrors.create('ARCHIVE_TOO_LARGE', { limit: archiveLimits.bytes })
      : undefined;
  });
}

async function readTar(tar: Buffer): Promise<Entries> {
  const reader = extract();
  const entries = new Entries();
  reader.end(tar);
  try {
    for await (const entry of reader) await entries.take(entry.header, entry as AsyncIterable<Uint8Array>);
  } catch (error) {
    if (error instanceof TrellisError) throw error;
    throw archiveErrors.create('ARCHIVE_NOT_TAR', {}, error);
  }
  return entries;
}

/** Collects the entries of a tar. */
class Entries {
  readonly files = new Map<string, Buffer>();
  bytes = 0;
  /** Spellings that some systems treat as equal, by their common form. */
  readonly #spellings = new Map<string, string>();

  async take({ name, type, size = 0 }: Headers, content: AsyncIterable<Uint8Array>): Promise<void> {
    this.#check(name, type ?? 'file');
    // `tar-stream` waits for ever for the content of a file with an invalid size.
    if (!Number.isSafeInteger(size) || size < 0) throw archiveErrors.create('ARCHIVE_NOT_TAR');
    const parts: Uint8Array[] = [];
    this.bytes += size;
    if (this.bytes > archiveLimits.bytes)
      throw archiveErrors.create('ARCHIVE_TOO_LARGE', { limit: archiveLimits.bytes });
    for await (const part of content) parts.push(part);
    this.files.set(name, Buffer.concat(parts));
  }

  #check(path: string, kind: string): void {
    if (kind !== 'file') throw archiveErrors.create('ARCHIVE_KIND', { path: shown(path), kind });
    if (!isArchivePath(path)) throw archiveErrors.create('ARCHIVE_PATH', { path: shown(path) });
    if (this.files.has(path)) throw archiveErrors.create('ARCHIVE_TWICE', { path });
    if (this.files.size >= archiveLimits.files)
      throw archiveErrors.create('ARCHIVE_TOO_MANY_FILES', { limit: archiveLimits.files });
    // Each folder of the path is a name too: no file may have the same name.
    const names = path.split('/');
    for (let depth = 1; depth <= names.length; depth += 1)
      this.#claim(names.slice(0, depth).join('/'), depth === names.length);
  }

  #claim(path: string, isFile: boolean): void {
    // Systems fold case: ſ is S there, and what is lower-case in two ways has one capital.
    const common = path.normalize('NFC').toUpperCase().toLowerCase();
    const spelling = `${path}${isFile ? '' : '/'}`;
    const other = this.#spellings.get(common);
    if (other !== undefined && other !== spelling)
      throw archiveErrors.create('ARCHIVE_TWINS', { path: spelling, other });
    this.#spellings.set(common, spelling);
  }
}

function toArchiveError(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return code.startsWith('Z_') ? archiveErrors.create('ARCHIVE_NOT_GZIP', {}, error) : error;
}
