import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { parseJson } from '@trellis/core';
import type { Plugin, Rolldown } from 'vite';
import type { PluginHalf } from '../shared/index.ts';
import { type Import, packageOf, placeOfImport } from './import-places.ts';
import { secondCopyIn } from './second-copies.ts';

/** What the files of packages may import, as part of a half. */
export interface PackageImportsOptions {
  readonly root: string;
  readonly half: PluginHalf;
  /** Whether the host resolves this import to its own copy. */
  readonly isShared: (id: string) => boolean;
  /** Whether it is a file of the plugin itself. */
  readonly isOwn: (file: string) => boolean;
  /** The plugin's own imports of packages, by the files to which they lead. */
  readonly entrances: ReadonlyMap<string, Import>;
  /** Receives each message, with the place that it is about. */
  readonly tell: (place: string, message: string) => void;
}

/** What is read of a package's manifest. */
interface PackageManifest {
  readonly browser?: string | Readonly<Record<string, string | false>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * How packages import what must be there. A `require` may stand behind a condition, and the package may do without its result; so
 * may an `import()`, which the builder of pages nevertheless follows.
 */
const told: Readonly<Record<PluginHalf, readonly string[]>> = {
  server: ['import-statement'],
  web: ['import-statement', 'dynamic-import'],
};

/** Finds imports in packages that would fail where the plugin runs: modules of Node in a page, and packages that are not installed. */
export function packageImports(options: PackageImportsOptions): Plugin {
  const { root, half, isShared, isOwn, entrances, tell } = options;
  const ofNode = new Map<string, Import>();
  const absent: Import[] = [];

  /** The plugin's own import that leads to a file of a package. */
  function entranceOf(file: string, { getModuleInfo }: Rolldown.PluginContext): Import | undefined {
    const seen = new Set([file]);
    for (const id of seen) {
      const entrance = entrances.get(id);
      if (entrance !== undefined) return entrance;
      const { importers = [], dynamicImporters = [] } = getModuleInfo(id) ?? {};
      for (const importer of [...importers, ...dynamicImporters]) seen.add(importer);
    }
    return undefined;
  }

  async function report(context: Rolldown.PluginContext, found: Import, problem: string): Promise<void> {
    const entrance = entranceOf(found.importer, context);
    const file = relative(root, found.importer);
    const place = entrance === undefined ? '' : `${await placeOfImport(root, entrance)}; with it comes `;
    tell(place + file, `${place}${file}${place === '' ? '' : ', which'} imports '${found.id}', ${problem}.`);
  }

  return {
    name: 'trellis-package-imports',
    enforce: 'pre',
    async resolveId(id, importer, { kind = '' }) {
      if (!told[half].includes(kind) || importer === undefined || !isAbsolute(importer)) return undefined;
      if (isOwn(importer) || isShared(id) || id.startsWith('.') || isAbsolute(id)) return undefined;
      if (isBuiltin(id)) {
        if (half === 'server' || kind !== 'import-statement' || (await isReplaced(id, importer)))
          return undefined;
        const nothing = `\0nothing:${id}:${importer}`;
        ofNode.set(nothing, { importer, id });
        return { id: nothing, moduleSideEffects: false };
      }
      const resolved = await this.resolve(id, importer, { skipSelf: true });
      if (resolved !== null) return resolved;
      if (await isOptional(packageOf(id), importer)) return { id, external: true };
      // What a second copy imports is no concern of the author's.
      if (half === 'server' || secondCopyIn(importer) === undefined) absent.push({ importer, id });
      return { id, external: true };
    },
    // As CommonJS, it can be asked for every name.
    load: (id) => (ofNode.has(id) ? 'module.exports = {};' : undefined),
    async generateBundle(_, output) {
      const chunks = Object.values(output).filter((part) => part.type === 'chunk');
      const isIn = (file: string) => chunks.some(({ modules }) => (modules[file]?.renderedLength ?? 0) > 0);
      for (const [, found] of [...ofNode].filter(([nothing]) => isIn(nothing)))
        await report(
          this,
          found,
          'which browsers do not have; take another package, or do that in the server half, behind a route of the plugin',
        );
      for (const found of absent)
        await report(
          this,
          found,
          `a package that is not installed; run "npm install ${packageOf(found.id)}" in the plugin's folder`,
        );
    },
  };
}

/** Whether pages get something else for a module of Node: by the package's manifest, or from a package of that name. */
async function isReplaced(id: string, importer: string): Promise<boolean> {
  const { browser = {} } = await manifestOf(importer);
  if (typeof browser !== 'string' && (id in browser || id.replace(/^node:/, '') in browser)) return true;
  // With a slash, Node looks for a package.
  const places = createRequire(importer).resolve.paths(`${id}/`) ?? [];
  return !id.startsWith('node:') && places.some((place) => existsSync(join(place, packageOf(id))));
}

async function isOptional(name: string, importer: string): Promise<boolean> {
  const { peerDependenciesMeta, optionalDependencies = {} } = await manifestOf(importer);
  return peerDependenciesMeta?.[name]?.optional === true || name in optionalDependencies;
}

/** The manifest of the package whose file it is, which is the nearest one with a name. */
async function manifestOf(file: string): Promise<PackageManifest> {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const place = join(folder, 'package.json');
    if (!existsSync(place)) continue;
    const manifest = parseJson(await readFile(place, 'utf8'), place) as PackageManifest;
    if ('name' in (manifest as object)) return manifest;
  }
  return {};
}
