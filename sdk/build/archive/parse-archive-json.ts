import { archiveErrors } from './archive-errors.ts';

/** Parses a JSON object of an archive; its members are not checked yet. @throws TrellisError `ARCHIVE_JSON`. */
export function parseArchiveJson<T extends object>(
  path: string,
  bytes: Buffer,
): { readonly [Key in keyof T]?: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw archiveErrors.create('ARCHIVE_JSON', { path, reason }, error);
  }
  if (typeof value !== 'object' || value === null)
    throw archiveErrors.create('ARCHIVE_JSON', { path, reason: 'it is no JSON object' });
  return value;
}
