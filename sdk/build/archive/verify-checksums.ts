import { createHash } from 'node:crypto';
import { archiveErrors } from './archive-errors.ts';
import { type ArchiveChecksums, checksumsPath, signaturePath } from './format.ts';
import { parseArchiveJson } from './parse-archive-json.ts';

/** @throws TrellisError if a file is missing, was added or does not match its checksum. */
export function verifyChecksums(files: ReadonlyMap<string, Buffer>, bytes: Buffer): void {
  const { algorithm, files: digests } = parseArchiveJson<ArchiveChecksums>(checksumsPath, bytes);
  if (algorithm !== 'sha256' || typeof digests !== 'object' || digests === null) {
    const reason = 'it must hold "algorithm": "sha256" and "files"';
    throw archiveErrors.create('ARCHIVE_JSON', { path: checksumsPath, reason });
  }
  const expected = new Map(Object.entries(digests));
  for (const path of expected.keys())
    if (!files.has(path)) throw archiveErrors.create('ARCHIVE_FILE_MISSING', { path });
  for (const [path, content] of files) {
    if (path === checksumsPath || path === signaturePath) continue;
    const digest = expected.get(path);
    if (digest === undefined) throw archiveErrors.create('ARCHIVE_FILE_EXTRA', { path });
    if (createHash('sha256').update(content).digest('hex') !== digest)
      throw archiveErrors.create('ARCHIVE_FILE_CHANGED', { path });
  }
}
