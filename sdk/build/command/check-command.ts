import { realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPlugin } from '../build-plugin.ts';
import { UnreadableTsconfig } from '../manifest/assert-tsconfig.ts';
import { forlornFormats, unofferedFormats } from '../manifest/file-formats.ts';
import { misspeltRegistries } from '../manifest/misspelt-registries.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { compareHooks, tappedHooks, writeHooks } from '../manifest/tapped-hooks.ts';
import { unfitManifest } from '../manifest/unfit-manifest.ts';
import { inCheckFolder } from './check-folder.ts';
import { checkTypes } from './check-types.ts';
import { type Command, messageOf, namedFolder, readArguments, say } from './command.ts';
import { runJest } from './run-jest.ts';

/** One thing that is looked at. It throws what is wrong, in a line for each mistake. */
interface Check {
  readonly name: string;
  /**
   * @param writes whether what can be derived is written into the manifest
   * @returns what there is to know of it: with what it was looked at, where that differs from one call to the next, or what may be meant
   */
  look(folder: string, writes: boolean): Promise<string | undefined | void>;
}

const manifest: Check = {
  name: 'manifest',
  async look(folder) {
    const read = await readManifest(folder);
    const looks = [misspeltRegistries, unfitManifest, forlornFormats];
    const problems = (await Promise.all(looks.map((look) => look(folder, read)))).flat();
    if (problems.length > 0) throw new Error(problems.join('\n'));
    return unofferedFormats(read);
  },
};

const types: Check = {
  name: 'types',
  look: (folder) => checkTypes(folder),
};

const imports: Check = {
  name: 'imports',
  // A build beside `dist`, which stays as it is.
  look: (folder, writes) =>
    inCheckFolder(folder, async (name) => {
      const { folder: built } = await buildPlugin(folder, name);
      const tapped = await tappedHooks(built);
      if (writes) await writeHooks(folder, tapped);
      await compareHooks(folder, tapped);
    }),
};

/** Servers on which the test kit tries column types besides, by the variables that name them. */
const servers: Readonly<Record<string, string>> = {
  TRELLIS_TEST_POSTGRES: 'PostgreSQL',
  TRELLIS_TEST_MYSQL: 'MySQL',
};

const promises: Check = {
  name: 'promises',
  look: (folder) =>
    inCheckFolder(folder, async (name) => {
      const own = join(folder, name);
      const { contributes = {} } = await readManifest(folder);
      // A server is asked which there are. Of one that the manifest does not name, the promises of the plugin tell.
      const hasTypes = contributes['columnTypes'] !== undefined;
      const place = JSON.stringify(folder);
      await writeFile(
        join(own, 'promises.test.ts'),
        `import { describeColumnTypes, describePlugin } from '@trellis/sdk/testing/server';
         describePlugin(${place});
         ${hasTypes ? `await describeColumnTypes(${place});` : ''}`,
      );
      await writeFile(
        join(own, 'promises.test.tsx'),
        `import { describeWebPlugin } from '@trellis/sdk/testing/web-plugin';
         describeWebPlugin(${place});`,
      );
      const { status, output } = await runJest(folder, { within: name });
      if (status !== 0) throw new Error(output.trim());
      const given = Object.keys(servers).filter((variable) => process.env[variable] !== undefined);
      if (!hasTypes || given.length === 0) return undefined;
      return `column types on SQLite, ${given.map((variable) => servers[variable]).join(', ')}`;
    }),
};

export const checkCommand: Command = {
  takes: '[folder] [--write]',
  does: 'finds what is wrong: the manifest, types, imports, and what the plugin and its column types promise, also on the databases at TRELLIS_TEST_POSTGRES and TRELLIS_TEST_MYSQL (postgres://user:password@host:5432/); --write writes the hooks that the code taps into the manifest',
  async run(args) {
    const { named, flags } = readArguments(args, [], ['write']);
    const given = namedFolder(named[0]);
    const folder = await realpath(given).catch(() => given);
    let isWell = true;
    for (const check of [manifest, types, imports, promises]) {
      try {
        const note = await check.look(folder, flags.write === true);
        say(`ok      ${check.name}${typeof note === 'string' ? `: ${note}` : ''}`);
      } catch (error) {
        isWell = false;
        say(`FAILED  ${check.name}`);
        say(messageOf(error).replaceAll(/^/gm, '  '));
        // Without these nothing else of a plugin can be looked at.
        if (check === manifest || error instanceof UnreadableTsconfig) break;
      }
    }
    return isWell ? 0 : 1;
  },
};
