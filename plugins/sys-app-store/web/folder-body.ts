import { isPackedPath } from '@trellis/sdk/shared';
import type { FolderFile } from '@trellis/sdk/web/ui';

/** Says by whom an unpacked archive was signed. */
const signaturePath = 'signature.json';

/** The files of a plugin's folder that its archive holds, as the server takes a folder: a list of them, and their bytes as one file. */
export async function folderBody(files: readonly FolderFile[]): Promise<FormData> {
  const icon = await iconOf(files.find(({ path }) => path === 'plugin.json')?.file);
  const sent = files.filter(({ path }) => path === signaturePath || isPackedPath(path, icon));
  const body = new FormData();
  body.append('files', JSON.stringify(sent.map(({ path, file }) => ({ path, size: file.size }))));
  body.append('content', new Blob(sent.map(({ file }) => file)), 'content');
  return body;
}

/** Undefined where there is none, and where the manifest cannot be read: of that the server tells. */
async function iconOf(manifest: File | undefined): Promise<string | undefined> {
  try {
    const { icon } = Object(JSON.parse((await manifest?.text()) ?? '')) as { readonly icon?: unknown };
    return typeof icon === 'string' ? icon : undefined;
  } catch {
    return undefined;
  }
}
