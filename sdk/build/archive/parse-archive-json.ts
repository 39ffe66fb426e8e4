import { withoutByteOrderMark } from '@trellis/core';
import { archiveErrors } from './archive-errors.ts';
import { jsonLimits } from './format.ts';

/** Reads a JSON object of an archive; its members are still to be checked. @throws TrellisError `ARCHIVE_JSON`, `ARCHIVE_JSON_TOO_LARGE`. */
export function parseArchiveJson<T extends object>(
  path: string,
  bytes: Buffer,
): { readonly [Key in keyof T]?: unknown } {
  const limit = jsonLimits.get(path) ?? 0;
  if (bytes.length > limit) throw archiveErrors.create('ARCHIVE_JSON_TOO_LARGE', { path, limit });
  let value: unknown;
  try {
    value = JSON.parse(withoutByteOrderMark(bytes.toString()));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw archiveErrors.create('ARCHIVE_JSON', { path, reason }, error);
  }
  if (typeof value !== 'object' || value === null)
    throw archiveErrors.create('ARCHIVE_JSON', { path, reason: 'it is no JSON object' });
  return value;
}
