import { readFile } from 'node:fs/promises';
import type { UploadedFile } from '@trellis/sdk/server';
import { defineErrors } from '@trellis/sdk/shared';

const sentFolderErrors = defineErrors({
  PLUGIN_NO_FOLDER: {
    status: 400,
    message:
      "Send the bytes of all files of the folder one after the other, as the file 'content', and before it, as the field 'files', a JSON list of their paths and sizes.",
  },
});

interface SentFile {
  readonly path: string;
  readonly size: number;
}

/**
 * The files of a folder that a page sent as one: multipart bodies hold few files, and a plugin may have many.
 *
 * @throws TrellisError 400 `PLUGIN_NO_FOLDER` where the list does not fit the bytes
 */
export async function readSentFolder(
  fields: unknown,
  files: readonly UploadedFile[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const [content, ...others] = files;
  const list = parseList((Object(fields) as { readonly files?: unknown }).files);
  const total = list?.reduce((sum, { size }) => sum + size, 0);
  if (list === undefined || content === undefined || others.length > 0 || total !== content.size)
    throw sentFolderErrors.create('PLUGIN_NO_FOLDER');
  const bytes = await readFile(content.path);
  const found = new Map<string, Uint8Array>();
  let at = 0;
  for (const { path, size } of list) {
    found.set(path, bytes.subarray(at, at + size));
    at += size;
  }
  return found;
}

function parseList(text: unknown): readonly SentFile[] | undefined {
  let list: unknown;
  try {
    list = JSON.parse(String(text));
  } catch {
    return undefined;
  }
  return Array.isArray(list) && list.every(isSentFile) ? list : undefined;
}

function isSentFile(value: unknown): value is SentFile {
  const { path, size } = Object(value) as Partial<SentFile>;
  return typeof path === 'string' && Number.isSafeInteger(size) && Number(size) >= 0;
}
