import { access, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseManifest, type KnownPlugin, type PluginManifest } from '@trellis/core';
import type { ServerPlugin } from '@trellis/sdk/server';
import newestFirst from 'semver/functions/rcompare.js';
import validVersion from 'semver/functions/valid.js';

/** A plugin's folder, with what can be known of it without running it. */
export interface FoundPlugin {
  readonly id: string;
  readonly origin: 'built-in' | 'installed';
  readonly folder: string;
  readonly manifest?: PluginManifest;
  readonly problem?: string;
  /** The server half of a plugin that was handed in and has no module. */
  readonly server?: ServerPlugin;
}

/** A plugin that is handed to the host instead of being found in a folder; for tests and for embedding. */
export interface GivenPlugin {
  readonly manifest: unknown;
  readonly server: ServerPlugin;
  /** Default `installed`: only built-in plugins may be system plugins. */
  readonly origin?: FoundPlugin['origin'];
}

/** The folders in a folder; a symbolic link to one counts, so that an author may work where they like. */
async function folders(path: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    const isFolder = await Promise.all(
      entries.map(async (entry) =>
        entry.isSymbolicLink()
          ? stat(join(path, entry.name)).then(
              (target) => target.isDirectory(),
              () => false,
            )
          : entry.isDirectory(),
      ),
    );
    return entries.filter((_, index) => isFolder[index]).map(({ name }) => name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Reads the manifest in a folder; undefined when there is none. @param name of the file, for messages. */
async function readPlugin(
  found: Pick<FoundPlugin, 'id' | 'folder' | 'origin'>,
  name: string,
): Promise<FoundPlugin | undefined> {
  const { id, folder } = found;
  try {
    const manifest = parseManifest(
      parseJson(await readFile(join(folder, 'plugin.json'), 'utf8'), name),
      name,
    );
    if (manifest.id === id) return { ...found, manifest };
    return {
      ...found,
      problem: `${name} says '${manifest.id}', its folder is called '${id}'; they must be the same.`,
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    return { ...found, problem: error instanceof Error ? error.message : String(error) };
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** What is wrong with an installed plugin besides its manifest; undefined when it can run. */
async function problemOf(
  { id, folder, manifest }: FoundPlugin,
  version: string,
): Promise<string | undefined> {
  if (manifest === undefined) return undefined;
  if (manifest.version !== version)
    return `${id}/${version}/plugin.json says version ${manifest.version}; its folder must be called so, too.`;
  const halves = ['dist/server/index.js', 'dist/web/index.js'].map((half) => exists(join(folder, half)));
  if ((await Promise.all(halves)).includes(true)) return undefined;
  return `There is nothing to run in ${id}/${version}/dist; build the plugin with "npm run build:plugin" and copy its dist folder.`;
}

/** Hears of a folder that is not taken, in words, with the plugin whose it is. */
type OnPassedOver = (id: string, why: string) => void;

/** The newest version of an installed plugin that has a manifest, or what is wrong with its folder. */
async function readInstalled(
  id: string,
  home: string,
  onPassedOver: OnPassedOver,
): Promise<FoundPlugin | undefined> {
  const names = await folders(home);
  const versions = names.filter((name) => validVersion(name) === name).toSorted(newestFirst);
  for (const version of versions) {
    const found = await readPlugin(
      { id, folder: join(home, version), origin: 'installed' },
      `${id}/${version}/plugin.json`,
    );
    if (found === undefined) continue;
    const others = versions.filter((other) => other !== version);
    if (others.length > 0)
      onPassedOver(id, `${id} is there in several versions; ${version} is taken, not ${others.join(', ')}.`);
    const problem = await problemOf(found, version);
    return problem === undefined ? found : { id, folder: found.folder, origin: 'installed', problem };
  }
  const isFlat = await exists(join(home, 'plugin.json'));
  if (!isFlat && names.length === 0) return undefined;
  const problem = isFlat
    ? `Its files must stand in a folder that is called like its version: ${id}/1.0.0/plugin.json.`
    : `None of its folders is a version with a plugin.json, such as ${id}/1.0.0/plugin.json.`;
  return { id, folder: home, origin: 'installed', problem };
}

/**
 * Finds the built-in plugins (`plugins/<id>`) and the installed ones (`<data>/plugins/<id>/<version>`). One that is handed in
 * takes the place of the one with its id; a built-in one goes before an installed one, and the newest version before others.
 */
export async function discoverPlugins(
  builtInFolder: string,
  installedFolder: string,
  given: readonly GivenPlugin[] = [],
  onPassedOver: OnPassedOver = () => {},
): Promise<readonly FoundPlugin[]> {
  const found: FoundPlugin[] = given.map(({ manifest, server, origin = 'installed' }) => {
    const parsed = parseManifest(manifest, 'the manifest that was handed in');
    return { id: parsed.id, origin, folder: '', manifest: parsed, server };
  });
  const isGiven = new Set(found.map(({ id }) => id));
  for (const id of await folders(builtInFolder)) {
    if (isGiven.has(id)) continue;
    const plugin = await readPlugin(
      { id, folder: join(builtInFolder, id), origin: 'built-in' },
      `${id}/plugin.json`,
    );
    if (plugin) found.push(plugin);
  }
  for (const id of await folders(installedFolder)) {
    const namesake = found.find((plugin) => plugin.id === id);
    if (namesake !== undefined) {
      if (namesake.origin === 'built-in')
        onPassedOver(
          id,
          `${join(installedFolder, id)} is not used: '${id}' is built in; give yours another id.`,
        );
      continue;
    }
    const plugin = await readInstalled(id, join(installedFolder, id), onPassedOver);
    if (plugin) found.push(plugin);
  }
  return found;
}

/** As the plugin manager wants it, with what was decided before. */
export function toKnownPlugin(
  found: FoundPlugin,
  decided: { readonly state: KnownPlugin['persisted']; readonly reason: string | undefined } | undefined,
): KnownPlugin {
  const { id, origin, manifest, problem } = found;
  return { id, origin, manifest, problem, persisted: decided?.state, persistedReason: decided?.reason };
}
