import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { messageOf, nearestWord, parseJson, withoutByteOrderMark } from '@trellis/core';
import type { Plugin } from 'vite';
import { type Import, installedFile, packageOf, placeOfImport } from './import-places.ts';
import { packageImports } from './package-imports.ts';
import { secondCopyIn, wayToReact } from './second-copies.ts';
import { sharedModules } from './shared-modules.ts';

/** What a half may import besides its own files and installed packages. */
export interface OwnImportsOptions {
  readonly root: string;
  readonly half: 'server' | 'web';
  /** Whether the host resolves this import to its own copy. */
  readonly isShared: (id: string) => boolean;
}

/** Imports that would fail where the plugin runs. */
export interface OwnImports {
  /** Collect them during a half's build. The build continues, so that all of them are found at once. */
  readonly plugins: readonly Plugin[];
  /** @throws Error with a line for each of them: its place and the solution */
  assertNone(): void;
  /** All files that were read, including those that are not in the output. */
  files(): readonly string[];
}

/** The internals of React that a second copy does not share with the first one. */
const insideReact = /\.__(?:CLIENT|SECRET)_INTERNALS_DO_NOT_USE\w+\s*=(?!=)/;

/** The packages that the SDK brings with it for plugins. */
const withSdk = new Set(['@trellis/sdk', ...sharedModules.map(({ id }) => packageOf(id))]);

/** Finds imports of a half that would fail where the plugin runs, and second copies of what a page may contain only once. */
export function ownImports({ root, half, isShared }: OwnImportsOptions): OwnImports {
  /** Messages by subject: many files form one second copy. */
  const found = new Map<string, string>();
  const files = new Set<string>();
  const entrances = new Map<string, Import>();
  const entries = [...sharedModules.map(({ id }) => id).filter(isShared), `@trellis/sdk/${half}`];
  const isEntry = (id: string) =>
    id === '@trellis/sdk/server' ||
    (id.startsWith('@trellis/') && sharedModules.some((module) => module.id === id));
  const isWithin = (file: string) => file.startsWith(root + sep);
  const isOwn = (file: string) => isWithin(file) && installedFile(file) === undefined;

  /** The solution for an import; undefined if its name is valid. */
  function problemOf(id: string, importer: string): string | undefined {
    if (isBuiltin(id))
      return half === 'web'
        ? 'which browsers do not have; do that in the server half, behind a route of the plugin'
        : undefined;
    if (id.startsWith('.') || isAbsolute(id))
      return isWithin(resolve(dirname(importer), id))
        ? undefined
        : 'which lies outside of the plugin; an installed plugin has its own files alone';
    if (id.startsWith('#')) return 'which only plugins of the product have; import from the SDK';
    if (isEntry(id))
      return `which a ${half} half does not have; import from '@trellis/sdk/${half}' or '@trellis/sdk/shared'`;
    if (id.startsWith('@trellis/'))
      return `which is not offered here; ${meant(id) ?? `import from '@trellis/sdk/${half}', '@trellis/sdk/shared' or another part of the SDK`}`;
    return undefined;
  }

  function meant(id: string, words: readonly string[] = entries): string | undefined {
    const word = nearestWord(id, words);
    return word === undefined ? undefined : `did you mean '${word}'?`;
  }

  /** Suggests the right name: installing a misspelt package is dangerous, because anybody may have published it. */
  async function absentPackage(id: string): Promise<string> {
    const name = packageOf(id);
    const known = [...entries.map(packageOf), ...((await dependenciesOf(root)) ?? [])];
    const wayOut = known.includes(name)
      ? `run "npm install" in the plugin's folder`
      : (meant(name, known) ?? `run "npm install ${name}" in the plugin's folder`);
    return `a package that is not installed; ${wayOut}`;
  }

  /** Tells of a package that only other packages brought. Without a `package.json`, nobody else installs the plugin's packages. */
  async function tellUnnamed(importer: string, id: string): Promise<void> {
    const name = packageOf(id);
    const named = await dependenciesOf(root);
    if (named === undefined || withSdk.has(name) || named.includes(name)) return;
    await tell(
      importer,
      id,
      `a package that package.json does not name, so that it is missing where nothing else brings it; run "npm install ${name}" in the plugin's folder`,
    );
  }

  async function tell(importer: string, id: string, problem: string): Promise<void> {
    const end = problem.endsWith('?') ? '' : '.';
    const place = await placeOfImport(root, { importer, id });
    found.set(place, `${place}, ${problem}${end}`);
  }

  /** Whether a file belongs to a package that is told of as a second copy. */
  const isSecondCopy = (file: string) => found.has(secondCopyIn(file)?.of ?? '');

  /** The JSON of a file; of one that is none, an empty object, so that the build goes on. */
  function readableJson(code: string, file: string): string {
    try {
      parseJson(code, relative(root, file));
      return withoutByteOrderMark(code);
    } catch (error) {
      found.set(file, messageOf(error));
      return '{}';
    }
  }

  const plugin: Plugin = {
    name: 'trellis-own-imports',
    enforce: 'pre',
    async resolveId(id, importer) {
      if (importer === undefined || !isOwn(importer) || isShared(id)) return undefined;
      const problem = problemOf(id, importer);
      if (problem === undefined && (isBuiltin(id) || id.startsWith('.') || isAbsolute(id))) return undefined;
      const resolved = problem === undefined ? await this.resolve(id, importer, { skipSelf: true }) : null;
      if (resolved !== null && resolved.external === false) {
        entrances.set(resolved.id, { importer, id });
        if (!isOwn(resolved.id)) await tellUnnamed(importer, id);
        return resolved;
      }
      await tell(importer, id, problem ?? (await absentPackage(id)));
      return { id, external: true };
    },
    load(file) {
      const second = half === 'web' ? secondCopyIn(file) : undefined;
      if (second !== undefined)
        found.set(
          second.of,
          `${relative(root, file)} would be a second copy of '${second.of}', which the page shares; ${second.wayOut}.`,
        );
    },
    transform(code, id) {
      const file = id.replace(/\?.*$/, '');
      files.add(file);
      if (isWithin(file) && file.endsWith('.json')) {
        const readable = readableJson(code, file);
        // Without a map the bundler warns of one that may be wrong.
        return readable === code ? undefined : { code: readable, map: { mappings: '' } };
      }
      if (half === 'web' && isWithin(file) && !isSecondCopy(file) && insideReact.test(code))
        found.set(
          file,
          `${relative(root, file)} holds a second copy of React, whose hooks fail beside the page's own; ${wayToReact}.`,
        );
      return undefined;
    },
  };
  const ofPackages = packageImports({
    root,
    half,
    isShared,
    isOwn,
    entrances,
    tell: (place, message) => found.set(place, message),
  });
  return {
    plugins: [plugin, ofPackages],
    files: () => [...files],
    assertNone() {
      if (found.size > 0) throw new Error([...found.values()].toSorted().join('\n'));
    },
  };
}

/** The packages in the plugin's own `package.json`; undefined if there is none. */
async function dependenciesOf(root: string): Promise<readonly string[] | undefined> {
  const text = await readFile(join(root, 'package.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const own = parseJson(text, 'package.json') as Readonly<Record<string, Readonly<Record<string, string>>>>;
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = own;
  return Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies, ...optionalDependencies });
}
