import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { buildPlugin } from '../build-plugin.ts';
import { assertModules } from '../manifest/assert-modules.ts';
import { UnreadableTsconfig } from '../manifest/assert-tsconfig.ts';
import { forlornFormats, unofferedFormats } from '../manifest/file-formats.ts';
import { foreignPaths } from '../manifest/foreign-paths.ts';
import { misspeltRegistries } from '../manifest/misspelt-registries.ts';
import { misspeltTexts, translatedPart } from '../manifest/misspelt-texts.ts';
import { misspeltWords } from '../manifest/misspelt-words.ts';
import { readManifest } from '../manifest/read-manifest.ts';
import { settingsSlips } from '../manifest/settings-slips.ts';
import { hookDifferences, tappedHooks, writeHooks } from '../manifest/tapped-hooks.ts';
import { misspeltThemeProperties } from '../manifest/theme-properties.ts';
import { unfitManifest } from '../manifest/unfit-manifest.ts';
import { CheckFolders } from './check-folder.ts';
import { checkTypes } from './check-types.ts';
import { type Command, messageOf, namedFolder, readArguments, say } from './command.ts';
import { dist, tryPromises } from './try-promises.ts';

/** One check. It throws the problems, one per line. */
interface Check {
  readonly name: string;
  /** @returns a remark on the result: what it was checked with, if that varies, or what else may be meant */
  look(folder: string, run: CheckRun): Promise<string | undefined | void>;
}

/** What the checks of one command have in common. */
interface CheckRun {
  /** Whether derivable values are written to the manifest. */
  readonly writes: boolean;
  readonly checks: CheckFolders;
}

/** @throws Error with all problems if there are any */
function assertNone(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

const manifest: Check = {
  name: 'manifest',
  async look(folder) {
    const read = await readManifest(folder);
    const looks = [
      misspeltRegistries,
      misspeltWords,
      unfitManifest,
      forlornFormats,
      settingsSlips,
      misspeltTexts,
      foreignPaths,
    ];
    const problems = (await Promise.all(looks.map((look) => look(folder, read)))).flat();
    assertNone(problems);
    const remarks = [unofferedFormats(read), await translatedPart(folder, read)];
    const said = remarks.filter((remark) => remark !== undefined).join('; ');
    return said === '' ? undefined : said;
  },
};

/** A build that failed: without it the promises cannot be tried. */
class Unbuilt extends Error {}

const types: Check = {
  name: 'types',
  async look(folder) {
    await assertModules(folder);
    await checkTypes(folder);
  },
};

const imports: Check = {
  name: 'imports',
  // Builds next to `dist`, which stays as it is.
  async look(folder, { writes, checks }) {
    const to = join(await checks.nameIn(folder), dist);
    const { folder: built, sources } = await buildPlugin(folder, to).catch((error: unknown) => {
      throw new Unbuilt(messageOf(error), { cause: error });
    });
    const tapped = await tappedHooks(built);
    if (writes) await writeHooks(folder, tapped);
    const properties = await misspeltThemeProperties(folder, built, sources.web);
    assertNone([...(await hookDifferences(folder, tapped)), ...properties]);
  },
};

const promises = (folders: readonly [string, ...string[]], isWhole: boolean): Check => ({
  name: 'promises',
  look: (_, { checks }) => tryPromises(folders, checks, isWhole),
});

/** Runs a check and reports its result. @returns the problem; undefined if there is none */
async function wrongBy(check: Check, folder: string, run: CheckRun): Promise<unknown> {
  try {
    const note = await check.look(folder, run);
    say(`ok      ${check.name}${typeof note === 'string' ? `: ${note}` : ''}`);
    return undefined;
  } catch (error) {
    say(`FAILED  ${check.name}`);
    say(messageOf(error).replaceAll(/^/gm, '  '));
    return error;
  }
}

/** Checks what can be checked of a plugin without running it. */
async function lookAt(
  folder: string,
  run: CheckRun,
): Promise<{ readonly isWell: boolean; readonly canRun: boolean }> {
  let isWell = true;
  for (const check of [manifest, types, imports]) {
    const wrong = await wrongBy(check, folder, run);
    isWell &&= wrong === undefined;
    // If these fail, nothing else of the plugin can be checked.
    if (wrong !== undefined && (check === manifest || wrong instanceof UnreadableTsconfig))
      return { isWell, canRun: false };
    if (wrong instanceof Unbuilt) {
      say('skipped promises: what does not build cannot be tried');
      return { isWell, canRun: false };
    }
  }
  return { isWell, canRun: true };
}

export const checkCommand: Command = {
  takes: '[folder...] [--write] [--verbose]',
  does: 'finds what is wrong: the manifest, types, imports, and what the plugin and its column types promise, also on the databases at TRELLIS_TEST_POSTGRES and TRELLIS_TEST_MYSQL (postgres://user:password@host:5432/); of several plugins at once where they find one SDK, as those of an npm workspace do; --write writes the hooks that the code taps into the manifest; --verbose shows all that Jest says of broken promises',
  async run(args) {
    const { named, flags } = readArguments(args, [], ['write', 'verbose'], {
      most: Number.POSITIVE_INFINITY,
    });
    const checks = new CheckFolders();
    try {
      const isWell = await checkAll(named, { writes: flags.write === true, checks }, flags.verbose === true);
      return isWell ? 0 : 1;
    } finally {
      await checks.remove();
    }
  },
};

async function checkAll(named: readonly string[], run: CheckRun, isWhole: boolean): Promise<boolean> {
  let isWell = true;
  const running: string[] = [];
  for (const name of named.length === 0 ? [undefined] : named) {
    const given = namedFolder(name);
    const folder = await realpath(given).catch(() => given);
    if (named.length > 1) say(String(name));
    const seen = await lookAt(folder, run);
    isWell &&= seen.isWell;
    if (seen.canRun) running.push(folder);
  }
  const [first, ...others] = running;
  if (first === undefined) return isWell;
  return (await wrongBy(promises([first, ...others], isWhole), first, run)) === undefined && isWell;
}
