import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { assertTsconfig } from '../manifest/assert-tsconfig.ts';
import { runProgram } from './run-jest.ts';

/** As the compiler writes it; terminals open what is written as everything else is. */
const placeOfTsc = /^(\S.*?)\((\d+),(\d+)\): /gm;

/** Where a plugin says which types it is checked with. */
export function tsconfigOf(folder: string): string {
  return join(folder, 'tsconfig.json');
}

/**
 * Checks the types of a plugin.
 *
 * @param signal ends it, since what it looks at is out of date; what it throws then is no matter
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
