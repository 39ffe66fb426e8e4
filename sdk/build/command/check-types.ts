import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { assertTsconfig } from '../manifest/assert-tsconfig.ts';
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
  const { status, output } = await runProgram('typescript', 'bin/tsc', ['-p', own], { folder, signal });
  if (status !== 0) throw new Error(output.trim().replaceAll(placeOfTsc, '$1:$2:$3: '));
}
