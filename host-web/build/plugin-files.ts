import { pluginsOfPages } from '../plugins/plugins-of-pages.ts';
import type { WebPluginEntry } from '../plugins/web-plugin-manifest.ts';

/** A plugin by what says which pages wait for it. */
export type ListedPlugin = Pick<WebPluginEntry, 'id' | 'manifest'>;

/**
 * Which plugins of the build come in one file, by the file's name: those that the same pages wait for. A page then asks for few files, and
 * for none that it does not show.
 */
export function pluginFiles(plugins: readonly ListedPlugin[]): ReadonlyMap<string, readonly string[]> {
  const pages = plugins.flatMap(({ manifest }) =>
    (manifest.contributes?.pages ?? []).map((page) => (typeof page === 'string' ? page : page.id)),
  );
  const waiting = new Map(
    pages.map((page) => [page, new Set(pluginsOfPages(plugins, [page]).map(({ id }) => id))]),
  );
  const files = new Map<string, string[]>();
  for (const { id } of plugins) {
    const by = [...waiting].filter(([, ids]) => ids.has(id)).map(([page]) => page);
    const key = by.toSorted().join(' ');
    files.set(key, [...(files.get(key) ?? []), id]);
  }
  return new Map([...files.values()].map((ids) => [nameOf(ids), ids]));
}

function nameOf(ids: readonly string[]): string {
  const [first = '', ...others] = ids;
  return others.length === 0 ? `plugin-${first}` : `plugins-${first}-and-${others.length}`;
}
