import type { PageContribution } from '@trellis/core';
import { matchPath } from 'react-router-dom';
import type { WebPluginEntry } from './web-plugin-manifest.ts';

type Listed = Pick<WebPluginEntry, 'id' | 'manifest'>;

/** The entries that match, and those that they depend on. */
function withNeeded<Entry extends Listed>(
  entries: readonly Entry[],
  isWanted: (entry: Entry) => boolean,
): readonly Entry[] {
  const wanted = new Set<string>();
  const add = (entry: Entry): void => {
    if (wanted.has(entry.id)) return;
    wanted.add(entry.id);
    for (const id of Object.keys(entry.manifest.dependencies ?? {})) {
      const needed = entries.find((other) => other.id === id);
      if (needed !== undefined) add(needed);
    }
  };
  for (const entry of entries.filter(isWanted)) add(entry);
  return entries.filter(({ id }) => wanted.has(id));
}

/** The plugins whose manifests name one of the addresses, those that add to such a page, and the dependencies of both. */
export function pluginsOfPages<Entry extends Listed>(
  entries: readonly Entry[],
  addresses: readonly string[],
): readonly Entry[] {
  const pagesOf = ({ manifest }: Listed) =>
    (manifest.contributes?.pages ?? [])
      .map((page): PageContribution => (typeof page === 'string' ? { id: page } : page))
      .filter(({ id }) => addresses.some((address) => matchPath(id, address) !== null));
  const shown = new Set(entries.flatMap(pagesOf).flatMap(({ shows = [] }) => shows));
  const addsTo = ({ manifest }: Listed): boolean =>
    [...shown].some((registry) => (manifest.contributes?.[registry]?.length ?? 0) > 0);
  return withNeeded(entries, (entry) => pagesOf(entry).length > 0 || addsTo(entry));
}
