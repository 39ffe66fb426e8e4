import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { pack } from 'tar-stream';
import {
  type ArchiveChecksums,
  type ArchiveSignature,
  archiveLimits,
  checksumsPath,
  comparePaths,
  isArchivePath,
  jsonLimits,
  shown,
  signaturePath,
} from './format.ts';

/** A plugin's files by archive path, without the checksums and the signature. @public */
export type ArchiveFiles = ReadonlyMap<string, Uint8Array>;

/** Signs the bytes of an archive's checksums. @public */
export type ArchiveSigner = (checksums: Uint8Array) => ArchiveSignature;

/**
 * Creates the archive of a plugin's files. The same files always give the same bytes, regardless of person, place and time.
 *
 * @throws Error if a path could not be unpacked on every system, or if the limits for installation are exceeded
 * @public
 */
export async function writeArchive(files: ArchiveFiles, sign?: ArchiveSigner): Promise<Buffer> {
  const checksums = jsonFile(checksumsOf(files));
  const whole = new Map([...files, [checksumsPath, checksums] as const]);
  if (sign !== undefined) whole.set(signaturePath, jsonFile(sign(checksums)));
  assertWithinLimits(whole);

  const tar = pack();
  for (const path of [...whole.keys()].sort(comparePaths)) {
    tar.entry(
      { name: path, mtime: new Date(0), uid: 0, gid: 0, mode: 0o644 },
      Buffer.from(whole.get(path) ?? []),
    );
  }
  tar.finalize();
  const zipped = await promisify(gzip)(await buffer(tar), {
    level: 9,
  });
  return withoutOrigin(zipped);
}

/** The digests of all files but the signature; the signature signs these digests. */
function checksumsOf(files: ArchiveFiles): ArchiveChecksums {
  const digests = [...files.keys()].sort(comparePaths).map(
    (path) =>
      [
        path,
        createHash('sha256')
          .update(files.get(path) ?? '')
          .digest('hex'),
      ] as const,
  );
  return { algorithm: 'sha256', files: Object.fromEntries(digests) };
}

function jsonFile(value: ArchiveChecksums | ArchiveSignature): Buffer {
  return Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** Gzip's header contains the time and the operating system; zlib leaves the time 0, and this sets the system to "unknown". */
function withoutOrigin(zipped: Buffer): Buffer {
  zipped[9] = 0xff;
  return zipped;
}

function assertWithinLimits(files: ArchiveFiles): void {
  const wrong = [...files.keys()].find((path) => !isArchivePath(path));
  if (wrong !== undefined)
    throw new Error(
      `'${shown(wrong)}' cannot be packed: a path has at most ${archiveLimits.pathBytes} bytes and no characters that some systems refuse. Rename the file.`,
    );
  if (files.size > archiveLimits.files)
    throw new Error(`The plugin has ${files.size} files; an archive holds at most ${archiveLimits.files}.`);
  for (const [path, limit] of jsonLimits) {
    const size = files.get(path)?.byteLength ?? 0;
    if (size > limit)
      throw new Error(`'${path}' has ${size} bytes; an archive takes at most ${limit} of it.`);
  }
  const bytes = [...files.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (bytes > archiveLimits.bytes)
    throw new Error(
      `The plugin weighs ${bytes} bytes; an archive holds at most ${archiveLimits.bytes}. Leave pictures and data out of it.`,
    );
}
