import { join } from 'node:path';
import type { Contribution, PluginManifest } from '@trellis/core';
import type { Metadata } from '../../metadata/metadata.ts';
import { readSetting, writeSetting } from '../../metadata/settings.ts';
import type { Unit } from '../../sql/unit.ts';
import { discoverBuiltIn, discoverInstalled, mergeFound, type GivenPlugin } from './discover.ts';
import { isInFolder, type FoundPlugin } from './found-plugin.ts';
import { readInstalled } from './installed-folder.ts';
import { keptInViews } from './plugin-view-use.ts';

/** A difference that a new scan of the folders found. */
export interface LibraryChange {
  readonly id: string;
  /** Undefined when its folder is gone. */
  readonly next?: FoundPlugin;
}

/** The facts still known about a plugin whose folder is gone. */
export interface RememberedPlugin {
  readonly name: string;
  readonly version: string;
  readonly category?: string;
  readonly description?: string;
  /** The raw key that signed it, in base64. */
  readonly signer?: string;
  /** Whether it is installed as far as people know: without a folder it is missing, and not removed. */
  readonly isInstalled?: boolean;
  /** As the manifest announces them. */
  readonly columnTypes?: readonly Contribution[];
  readonly filterOperators?: Contributed;
  readonly aggregations?: Contributed;
  readonly viewAdditions?: Contributed;
}

type Contributed = readonly string[] | readonly Contribution[];

/** The plugins on this server: those of the product, those handed in, and those in the data folder. */
export interface PluginLibrary {
  readonly found: readonly FoundPlugin[];
  /** Where installed plugins are. */
  readonly folder: string;
  find(id: string): FoundPlugin | undefined;
  /** The folder that this manifest object was read from. During a change of version both folders are known. */
  of(manifest: PluginManifest): FoundPlugin | undefined;
  /** Whether the version of this manifest is from before manifests listed hooks. */
  readonly tapsUnlisted: (manifest: PluginManifest) => boolean;
  /** Scans all folders for the first time. */
  load(): Promise<void>;
  /** Scans the folders of installed plugins again; differences count only when they are accepted. */
  look(): Promise<readonly LibraryChange[]>;
  accept(change: LibraryChange): void;
  /** Announces a plugin that is about to replace another one, so that it can be loaded before. */
  expect(plugin: FoundPlugin): void;
  /** Reads the versions of an installed plugin again, and the consent. */
  refresh(id: string): Promise<void>;
  /**
   * Stores names and versions of present plugins, for the time when one is gone.
   *
   * @param ids those that are known to be there; another server may have removed others. By default all of them, after a scan.
   */
  remember(ids?: readonly string[]): Promise<void>;
  remembered(id: string): RememberedPlugin | undefined;
  /** The ids of plugins whose folders are gone although nobody removed them. */
  missing(): readonly string[];
  /** Notes that a plugin was removed whose data stays: it is no missing one. */
  release(id: string): Promise<void>;
  /** Forgets a plugin that was removed with its data. */
  forget(id: string): Promise<void>;
}

export interface PluginLibraryOptions {
  readonly metadata: Metadata;
  readonly builtInFolder: string;
  readonly installedFolder: string;
  readonly given?: readonly GivenPlugin[];
}

type Remembered = Readonly<Record<string, RememberedPlugin>>;

const settingKey = 'plugin-names';

async function readRemembered(unit: Unit): Promise<Remembered> {
  const kept = await readSetting(unit, settingKey);
  return kept === undefined ? {} : (JSON.parse(kept) as Remembered);
}

export function createPluginLibrary(options: PluginLibraryOptions): PluginLibrary {
  const { metadata } = options;
  const byManifest = new WeakMap<PluginManifest, FoundPlugin>();
  let builtIn: readonly FoundPlugin[] = [];
  let found: readonly FoundPlugin[] = [];
  let remembered: Remembered = {};

  function set(all: readonly FoundPlugin[]): void {
    found = all;
    for (const plugin of all) note(plugin);
  }

  function note(plugin: FoundPlugin): void {
    if (plugin.manifest !== undefined) byManifest.set(plugin.manifest, plugin);
  }

  /** Changes what the database remembers, which another server may have changed since it was read. */
  async function keep(change: (before: Remembered) => Remembered): Promise<void> {
    if (isEqual(change(remembered), remembered)) return;
    await metadata.database.write(
      async (unit) => {
        remembered = change(await readRemembered(unit));
        await writeSetting(unit, settingKey, JSON.stringify(remembered));
      },
      { retry: true },
    );
  }

  return {
    get found() {
      return found;
    },
    folder: options.installedFolder,
    find: (id) => found.find((plugin) => plugin.id === id),
    of: (manifest) => byManifest.get(manifest),
    tapsUnlisted: ({ id, version }) => found.find((plugin) => plugin.id === id)?.unlistedHooks === version,
    async load() {
      builtIn = await discoverBuiltIn(options.builtInFolder, options.given);
      set(mergeFound(builtIn, await discoverInstalled(options.installedFolder)));
      remembered = await metadata.database.read(readRemembered);
    },
    async look() {
      const now = mergeFound(builtIn, await discoverInstalled(options.installedFolder));
      // Changes of ignored entries only do not restart a plugin.
      found = found.map((plugin) => withFacts(plugin, now.find(({ id }) => id === plugin.id) ?? plugin));
      const changed = now.filter(
        (plugin) =>
          !isSame(
            found.find(({ id }) => id === plugin.id),
            plugin,
          ),
      );
      // During a replacement either version may be loaded.
      for (const plugin of changed) note(plugin);
      remembered = await metadata.database.read(readRemembered);
      const gone = found.filter(({ id }) => !now.some((plugin) => plugin.id === id));
      return [...gone.map(({ id }) => ({ id })), ...changed.map((next) => ({ id: next.id, next }))];
    },
    accept({ id, next }) {
      const others = found.filter((plugin) => plugin.id !== id);
      set(next === undefined ? others : [...others, next]);
    },
    expect: note,
    async refresh(id) {
      const now = await readInstalled(id, join(options.installedFolder, id));
      found = found.map((plugin) => (plugin.id === id ? withFacts(plugin, now) : plugin));
    },
    remember(ids) {
      const present = found.filter((plugin) => isInFolder(plugin) && ids?.includes(plugin.id) !== false);
      const names = present.flatMap((plugin) => toRemembered(plugin));
      return keep((before) => ({ ...before, ...Object.fromEntries(names) }));
    },
    missing: () =>
      Object.keys(remembered).filter(
        (id) => remembered[id]?.isInstalled === true && !found.some((plugin) => plugin.id === id),
      ),
    release: (id) =>
      keep((before) => {
        const { [id]: plugin, ...others } = before;
        return plugin === undefined ? before : { ...others, [id]: { ...plugin, isInstalled: false } };
      }),
    forget: (id) => keep(({ [id]: _, ...others }) => others),
    remembered: (id) => (Object.hasOwn(remembered, id) ? remembered[id] : undefined),
  };
}

/** The plugin with the present facts of its folder. */
function withFacts(plugin: FoundPlugin, now: FoundPlugin): FoundPlugin {
  const { notes, versions, consent, isCopied = false, signer, unlistedHooks } = now;
  return { ...plugin, notes, versions, consent, isCopied, signer, unlistedHooks };
}

function toRemembered({
  id,
  manifest,
  signer,
}: FoundPlugin): readonly (readonly [string, RememberedPlugin])[] {
  if (manifest === undefined) return [];
  const { name, version, category, description, contributes } = manifest;
  const columnTypes = (contributes?.['columnTypes'] ?? []).filter((item) => typeof item !== 'string');
  const inViews = keptInViews.flatMap((registry) => {
    const items = contributes?.[registry] ?? [];
    return items.length === 0 ? [] : [[registry, items] as const];
  });
  const brought = { ...(columnTypes.length > 0 && { columnTypes }), ...Object.fromEntries(inViews) };
  const described = { name, version, category, ...(description !== undefined && { description }) };
  return [[id, { ...described, isInstalled: true, ...(signer !== undefined && { signer }), ...brought }]];
}

function isSame(before: FoundPlugin | undefined, now: FoundPlugin): boolean {
  return before !== undefined && fingerprint(before) === fingerprint(now);
}

function isEqual(left: Remembered, right: Remembered): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function fingerprint({ folder, manifest, problem, build }: FoundPlugin): string {
  return JSON.stringify([folder, manifest, problem, build]);
}
