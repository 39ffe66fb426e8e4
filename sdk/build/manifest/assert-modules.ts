import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { parseJson } from '@trellis/core';
import { UnreadableTsconfig } from './assert-tsconfig.ts';

/** @throws UnreadableTsconfig unless the nearest `package.json` says that `.js` and `.ts` files are modules */
export async function assertModules(folder: string): Promise<void> {
  const file = nearestPackage(folder);
  const wayOut = 'write { "type": "module" } into it, without which no import is understood.';
  if (file === undefined) throw new UnreadableTsconfig(`package.json is missing; ${wayOut}`);
  const { type } = Object(parseJson(await readFile(file, 'utf8'), relative(folder, file))) as {
    readonly type?: unknown;
  };
  if (type !== 'module')
    throw new UnreadableTsconfig(
      `${relative(folder, file)} does not say that its files are modules; ${wayOut}`,
    );
}

function nearestPackage(folder: string): string | undefined {
  const file = join(folder, 'package.json');
  if (existsSync(file)) return file;
  return dirname(folder) === folder ? undefined : nearestPackage(dirname(folder));
}
