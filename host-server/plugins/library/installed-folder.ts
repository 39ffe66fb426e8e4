import { access, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import newestFirst from 'semver/functions/rcompare.js';
import validVersion from 'semver/functions/valid.js';
import { buildIdOf } from '../build-id.ts';
import { readPlugin, type FoundPlugin } from './found-plugin.ts';
import { readInstallNote } from './install-note.ts';

/** The subfolders of a folder, and broken links. Names that begin with a dot are no plugins. */
export interface Folders {
  readonly names: readonly string[];
  readonly astray: readonly string[];
}

/** A symbolic link to a folder counts, so that an author may work where they like. */
export async function foldersIn(path: string): Promise<Folders> {
  try {
    const entries = (await readdir(path, { withFileTypes: true })).filter(({ name }) => name[0] !== '.');
    const kinds = await Promise.all(
      entries.map(async (entry) => {
        if (!entry.isSymbolicLink()) return entry.isDirectory() ? 'folder' : 'file';
        const target = await stat(join(path, entry.name)).catch(() => undefined);
        if (target === undefined) return 'astray';
        return target.isDirectory() ? 'folder' : 'file';
      }),
    );
    const namesOf = (kind: string) =>
      entries.filter((_, index) => kinds[index] === kind).map(({ name }) => name);
    return { names: namesOf('folder'), astray: namesOf('astray') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { names: [], astray: [] };
    throw error;
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Why an installed plugin cannot run, apart from its manifest; undefined when it can. */
function problemOf({ id, manifest, halves = [] }: FoundPlugin, version: string): string | undefined {
  if (manifest === undefined) return undefined;
  if (manifest.version !== version)
    return `${id}/${version}/plugin.json says version ${manifest.version}; its folder must be called so, too.`;
  if (halves.length > 0) return undefined;
  return `There is nothing to run in ${id}/${version}/dist; build the plugin with "npm run build:plugin" and copy its dist folder.`;
}

/** One version of an installed plugin, or the problem of its folder; undefined without a manifest. */
export async function readVersion(
  id: string,
  home: string,
  version: string,
): Promise<FoundPlugin | undefined> {
  const folder = join(home, version);
  const found = await readPlugin({ id, folder, origin: 'installed' }, `${id}/${version}/plugin.json`);
  if (found === undefined) return undefined;
  const problem = problemOf(found, version);
  if (problem !== undefined) return { id, folder, origin: 'installed', problem };
  if (found.manifest === undefined) return found;
  return { ...found, build: buildIdOf(join(folder, 'dist')) };
}

/** Versions with a manifest, readable or not, the newest first. */
async function versionsIn(home: string, { names }: Folders): Promise<readonly string[]> {
  const valid = names.filter((name) => validVersion(name) === name).toSorted(newestFirst);
  const isWhole = await Promise.all(valid.map((version) => exists(join(home, version, 'plugin.json'))));
  return valid.filter((_, index) => isWhole[index]);
}

/**
 * An installed plugin in its chosen version (or, during a change, in the former one), else in the newest version with a manifest;
 * or the problem of its folder.
 *
 * @param home its folder, with a folder for each version
 */
export async function readInstalled(id: string, home: string): Promise<FoundPlugin> {
  const folders = await foldersIn(home);
  const versions = await versionsIn(home, folders);
  const notes = [
    ...folders.astray.map((name) => `${id}/${name} is a link that leads nowhere; mend it or remove it.`),
    ...folders.names
      .filter((name) => validVersion(name) === name && !versions.includes(name))
      .map((name) => `${id}/${name} has no plugin.json and is passed over; copy all of it or remove it.`),
  ];
  const {
    inUse: chosen,
    passedOver,
    consent,
    pending,
    unlistedHooks,
    versions: origins = {},
  } = await readInstallNote(home);
  // A start of the server during a change begins with the former version.
  const inUse = pending?.former ?? chosen;
  const version = inUse !== undefined && versions.includes(inUse) ? inUse : versions[0];
  const found = version === undefined ? undefined : await readVersion(id, home, version);
  if (version !== versions[0] && versions[0] !== passedOver)
    notes.push(`${versions[0]} is there as well, which is newer and not in use; its card puts it into use.`);
  const isRestored = pending?.former !== undefined && pending.wasOn;
  if (version !== undefined && version === unlistedHooks)
    notes.push(
      'It was made before manifests listed hooks, so nobody was asked by which of them it changes or refuses what people do; its author lists them in a newer version.',
    );
  const signer = version === undefined ? undefined : origins[version]?.signer;
  const isCopied = version !== undefined && origins[version] === undefined;
  if (found !== undefined)
    return {
      ...found,
      versions,
      notes,
      consent,
      ...(isRestored && { isRestored }),
      ...(isCopied && { isCopied }),
      ...(signer !== undefined && { signer }),
      ...(unlistedHooks !== undefined && { unlistedHooks }),
    };
  return { id, folder: home, origin: 'installed', notes, problem: await layoutProblem(id, home, folders) };
}

async function layoutProblem(id: string, home: string, { names }: Folders): Promise<string> {
  if (await exists(join(home, 'plugin.json')))
    return `Its files must stand in a folder that is called like its version: ${id}/1.0.0/plugin.json.`;
  return names.length > 0
    ? `None of its folders is a version with a plugin.json, such as ${id}/1.0.0/plugin.json.`
    : `Its folder holds no version; copy one to ${id}/1.0.0, with its plugin.json, or remove the folder.`;
}
