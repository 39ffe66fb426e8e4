import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packedPaths } from '@trellis/core';
import { manifestPlaces } from '../manifest/json-places.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import type { CheckFolders } from './check-folder.ts';
import { brokenPromises } from './promise-report.ts';
import { runJest } from './run-jest.ts';

/** The name of the build within a check folder, as in the plugin's own and in an archive. */
export const dist = 'dist';

/** Servers on which the test kit additionally tests column types, by the variables that name them. */
const servers: Readonly<Record<string, string>> = {
  TRELLIS_TEST_POSTGRES: 'PostgreSQL',
  TRELLIS_TEST_MYSQL: 'MySQL',
};

/**
 * Tests the plugins' contributions, from their sources and as the check folders hold them built, several plugins in one Jest run,
 * because loading the server and the page takes the most time.
 *
 * @param isWhole whether Jest's whole output is shown in place of the causes alone
 * @returns what column types were tried on, if that varies
 * @throws Error with what is broken
 */
export async function tryPromises(
  folders: readonly [string, ...string[]],
  checks: CheckFolders,
  isWhole: boolean,
): Promise<string | undefined> {
  const [first] = folders;
  const within = await checks.nameIn(first);
  const plugins = await Promise.all(
    folders.map(async (folder) => {
      const { id, contributes = {} } = await readManifest(folder);
      const shipped = join(folder, await checks.nameIn(folder));
      await layOut(folder, shipped);
      const hasTypes = contributes['columnTypes'] !== undefined;
      return { id, folder, shipped, hasTypes, places: await manifestPlaces(folder) };
    }),
  );
  // A test server gives the known types. If the manifest does not name a type, the plugin's own tests report it.
  const withTypes = plugins.filter(({ hasTypes }) => hasTypes);
  const call = (name: string, ...given: readonly string[]) =>
    `${name}(${given.map((text) => JSON.stringify(text)).join(', ')});`;
  await writeFile(
    join(first, within, 'promises.test.ts'),
    [
      "import { describeColumnTypes, describePlugin } from '@trellis/sdk/testing/server';",
      ...plugins.map(({ folder, shipped }) => call('describePlugin', folder, shipped)),
      ...withTypes.map(({ folder }) => call('await describeColumnTypes', folder)),
    ].join('\n'),
  );
  await writeFile(
    join(first, within, 'promises.test.tsx'),
    [
      "import { describeWebPlugin } from '@trellis/sdk/testing/web-plugin';",
      ...plugins.map(({ folder, shipped }) => call('describeWebPlugin', folder, shipped)),
    ].join('\n'),
  );
  const results = join(first, within, 'results.json');
  const args = ['--json', `--outputFile=${results}`];
  const { status, output } = await runJest(first, { within, args });
  if (status !== 0)
    throw new Error((isWhole ? undefined : await brokenPromises(results, plugins)) ?? output.trim());
  const given = Object.keys(servers).filter((variable) => process.env[variable] !== undefined);
  if (withTypes.length === 0 || given.length === 0) return undefined;
  return `column types on SQLite, ${given.map((variable) => servers[variable]).join(', ')}`;
}

/** Puts beside a build what an archive has beside it. */
async function layOut(folder: string, shipped: string): Promise<void> {
  const beside = packedPaths.filter((path) => path !== dist);
  await Promise.all(
    beside.map((path) =>
      cp(join(folder, path), join(shipped, path), { recursive: true, dereference: true }).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
        },
      ),
    ),
  );
}
