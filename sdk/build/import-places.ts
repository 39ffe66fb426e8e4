import { readFile } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { placeAt } from '@trellis/core';

/** One import: the file that it stands in, and the name that it gives. */
export interface Import {
  readonly importer: string;
  readonly id: string;
}

/** The place of an import and what it imports, for the beginning of a message: `web/index.tsx:3:1 imports 'x'`. */
export async function placeOfImport(root: string, { importer, id }: Import): Promise<string> {
  const text = await readFile(importer, 'utf8').catch(() => '');
  const at = Math.max(text.indexOf(`'${id}'`), text.indexOf(`"${id}"`));
  const { line, column } = placeAt(text, Math.max(at, 0));
  return `${relative(root, importer)}:${line}:${column} imports '${id}'`;
}

/** The package that an import names. */
export function packageOf(id: string): string {
  return id.split('/', id.startsWith('@') ? 2 : 1).join('/');
}

/** The package whose file it is, and the file's name in it; undefined for the plugin's own. */
export function installedFile(file: string): { readonly name: string; readonly path: string } | undefined {
  const path = /.*\/node_modules\/(.*)/.exec(file.replaceAll(sep, '/'))?.[1];
  return path === undefined ? undefined : { name: packageOf(path), path };
}
