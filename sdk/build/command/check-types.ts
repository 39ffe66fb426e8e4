import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { parseJson } from '@trellis/core';
import { assertTsconfig, UnreadableTsconfig } from '../manifest/assert-tsconfig.ts';
import { runProgram } from './run-jest.ts';

/** The compiler's format for places; it is replaced by the common one, which terminals can open. */
const placeOfTsc = /^(\S.*?)\((\d+),(\d+)\): /gm;

/** The path of a plugin's TypeScript configuration. */
export function tsconfigOf(folder: string): string {
  return join(folder, 'tsconfig.json');
}

/**
 * Checks a plugin's types.
 *
 * @param signal aborts an outdated check; its error is then irrelevant
 * @throws Error with a line for each mistake, with its file and place
 */
export async function checkTypes(folder: string, signal?: AbortSignal): Promise<void> {
  const own = tsconfigOf(folder);
  if (!existsSync(own))
    throw new Error('tsconfig.json is missing; write { "extends": "@trellis/sdk/tsconfig.json" }.');
  await assertTsconfig(folder);
  await assertModules(folder);
  const { status, output } = await runProgram('typescript', 'bin/tsc', ['-p', own], { folder, signal });
  if (status !== 0) throw new Error(output.trim().replaceAll(placeOfTsc, '$1:$2:$3: '));
}

/** @throws UnreadableTsconfig unless the nearest `package.json` says that `.js` and `.ts` files are modules */
async function assertModules(folder: string): Promise<void> {
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
