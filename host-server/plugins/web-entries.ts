import { existsSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { PluginStatus } from '@trellis/core';
import type { WebPluginEntry } from '@trellis/sdk/server';
import { buildIdOf } from './build-id.ts';
import type { FoundPlugin } from './library/found-plugin.ts';
import { webFolder, type ModuleLocations } from './locate-modules.ts';
import { placeOfBuilt } from './source-place.ts';

/** Where the page's build put the web halves of built-in plugins, by id. */
export type WebManifest = Readonly<
  Record<string, { readonly url: string; readonly part?: string; readonly css?: readonly string[] }>
>;

export async function readWebManifest(locations: ModuleLocations): Promise<WebManifest> {
  try {
    return JSON.parse(await readFile(join(webFolder(locations), 'plugins.json'), 'utf8')) as WebManifest;
  } catch (error) {
    // Tests of the server alone run without a built page.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** Separates version and build in URLs of an installed plugin's files. */
const buildMark = '~';

/** Milliseconds for which a build is assumed to be unchanged: somebody who builds without a rescan reloads later than that. */
const believedFor = 1000;
const looked = new Map<string, { readonly build: string; readonly at: number }>();

/** Reads each build again, after somebody announced new ones. */
export function forgetBuilds(): void {
  looked.clear();
}

/** The build of a web half: no browser uses the files of another one. */
function buildOf(folder: string): string {
  const known = looked.get(folder);
  if (known !== undefined && Date.now() - known.at < believedFor) return known.build;
  const build = buildIdOf(folder);
  looked.set(folder, { build, at: Date.now() });
  return build;
}

/** The files of an installed web half, as `/ext/<id>/<version>~<build>/…` names them. */
export interface WebFiles {
  readonly folder: string;
  /** False when the plugin was rebuilt after the URL was made. */
  readonly isCurrent: boolean;
}

/** @param place the version with the build, as in a URL. */
export function webFilesOf(found: readonly FoundPlugin[], id: string, place: string): WebFiles | undefined {
  const [version, build] = place.split(buildMark);
  const plugin = found.find((of) => of.id === id && of.origin === 'installed');
  // A page that was opened before an update still loads parts of the version before.
  if (plugin === undefined || version === undefined || plugin.versions?.includes(version) !== true)
    return undefined;
  const folder = join(dirname(plugin.folder), version, 'dist', 'web');
  if (!existsSync(folder)) return undefined;
  return { folder, isCurrent: build === buildOf(folder) };
}

/** `/ext/acme/1.0.0~Zm9v/index.js:10:7`. */
const builtPlace = /^\/ext\/([^/]+)\/([^/]+)\/([^:]+):(\d+):(\d+)$/;

/** The place in the sources for a place in an installed web half's file; undefined when there is another build by now. */
export function webPlaceOf(found: readonly FoundPlugin[], id: string, thrownAt: string): string | undefined {
  const [, of, build = '', file = '', line, column] = builtPlace.exec(thrownAt) ?? [];
  const files = of === id ? webFilesOf(found, id, build) : undefined;
  if (files?.isCurrent !== true) return undefined;
  const folder = realpathSync(files.folder);
  const path = join(folder, file);
  if (!path.startsWith(folder + sep)) return undefined;
  return placeOfBuilt({ path, line: Number(line), column: Number(column), build }, join(folder, '../..'));
}

/** Undefined for a plugin that is not installed. */
export function toWebEntry(
  status: PluginStatus,
  found: readonly FoundPlugin[],
  web: WebManifest,
): readonly WebPluginEntry[] {
  const { id, manifest } = status;
  const plugin = found.find((of) => of.id === id);
  if (manifest === undefined || plugin === undefined) return [];
  const {
    name,
    version,
    category,
    description,
    dependencies,
    optionalDependencies,
    contributes,
    sdk,
    engines,
  } = manifest;
  const shared = {
    id,
    manifest: {
      id,
      name,
      version,
      category,
      description,
      dependencies,
      optionalDependencies,
      contributes,
      sdk,
      engines,
    },
  };
  if (plugin.origin === 'built-in') {
    const { url = null, part, css = [] } = web[id] ?? {};
    return [{ ...shared, url, ...(part !== undefined && { part }), css }];
  }
  const tapsUnlisted = plugin.unlistedHooks === version && { tapsUnlisted: true };
  const folder = join(plugin.folder, 'dist', 'web');
  if (!existsSync(folder)) return [{ ...shared, url: null, css: [] }];
  const base = `/ext/${id}/${version}${buildMark}${buildOf(folder)}/`;
  return [
    {
      ...shared,
      ...tapsUnlisted,
      url: existsSync(join(folder, 'index.js')) ? `${base}index.js` : null,
      css: existsSync(join(folder, 'index.css')) ? [`${base}index.css`] : [],
    },
  ];
}
