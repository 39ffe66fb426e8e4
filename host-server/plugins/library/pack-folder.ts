import { Readable } from 'node:stream';
import { defineErrors } from '@trellis/core';
import { isPackedPath } from '@trellis/sdk/shared';
import { manifestPath, signaturePath, type ArchiveSignature } from '@trellis/sdk/build/archive/format';
import { parseArchiveJson } from '@trellis/sdk/build/archive/parse-archive-json';
import { writeArchive } from '@trellis/sdk/build/archive/write-archive';

const folderErrors = defineErrors({
  PLUGIN_FOLDER_NO_MANIFEST: {
    status: 400,
    message: 'The folder has no plugin.json, so it is no plugin; choose the folder in which that file lies.',
  },
  PLUGIN_FOLDER_REFUSED: { status: 400, message: 'The folder cannot be packed: {reason}' },
});

/** Makes the archive of a plugin's folder, which is then checked like any other archive. */
export async function packFolder(files: ReadonlyMap<string, Uint8Array>): Promise<Readable> {
  const manifest = files.get(manifestPath);
  if (manifest === undefined) throw folderErrors.create('PLUGIN_FOLDER_NO_MANIFEST');
  const { icon } = Object(parseArchiveJson(manifestPath, Buffer.from(manifest))) as {
    readonly icon?: unknown;
  };
  const picture = typeof icon === 'string' ? icon : undefined;
  const own = new Map([...files].filter(([path]) => isPackedPath(path, picture)));
  // The signature of an unpacked archive stays valid: it signs checksums of the same files.
  const signature = files.get(signaturePath);
  const sign =
    signature &&
    (() => parseArchiveJson(signaturePath, Buffer.from(signature)) as unknown as ArchiveSignature);
  try {
    return Readable.from([await writeArchive(own, sign)]);
  } catch (error) {
    throw folderErrors.create('PLUGIN_FOLDER_REFUSED', { reason: (error as Error).message }, error);
  }
}
