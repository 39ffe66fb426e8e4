import { pluginsOfPages } from '../plugins/plugins-of-pages.ts';
import type { WebPluginEntry } from '../plugins/web-plugin-manifest.ts';
import { signInPath } from '../router/route-guard.ts';

/** The parts of a plugin that determine which pages wait for it. */
export type ListedPlugin = Pick<WebPluginEntry, 'id' | 'manifest'>;

/**
 * Groups the build's plugins into files, by file name: plugins that the same pages wait for share a file. A page then requests few
 * files, and none that it does not need.
 */
export function pluginFiles(plugins: readonly ListedPlugin[]): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const [id, pages] of pagesThatWait(plugins).byPlugin) {
    const key = pages.toSorted().join(' ');
    files.set(key, [...(files.get(key) ?? []), id]);
  }
  return new Map([...files.values()].map((ids) => [nameOf(ids), ids]));
}

function nameOf(ids: readonly string[]): string {
  const [first = '', ...others] = ids;
  return others.length === 0 ? `plugin-${first}` : `plugins-${first}-and-${others.length}`;
}

/**
 * The name of the file with a plugin's texts, for each language. There are three: for plugins that every page, some pages or no
 * page waits for. Texts are smaller than plugins, so fewer files matter more than omitting unneeded texts. The sign-in form's texts
 * are in the first file, because a first-time visitor has no other file cached.
 */
export function textFiles(plugins: readonly ListedPlugin[]): ReadonlyMap<string, string> {
  const { byPlugin, count } = pagesThatWait(plugins);
  const ofForm = new Set(pluginsOfPages(plugins, [signInPath]).map(({ id }) => id));
  return new Map(
    [...byPlugin].map(([id, pages]) => [
      id,
      pages.length === 0 ? 'later' : pages.length === count || ofForm.has(id) ? 'first' : 'pages',
    ]),
  );
}

/** The pages that wait for each plugin, and the number of pages. */
function pagesThatWait(plugins: readonly ListedPlugin[]): {
  readonly byPlugin: ReadonlyMap<string, readonly string[]>;
  readonly count: number;
} {
  const pages = plugins.flatMap(({ manifest }) =>
    (manifest.contributes?.pages ?? []).map((page) => (typeof page === 'string' ? page : page.id)),
  );
  const waiting = new Map(
    pages.map((page) => [page, new Set(pluginsOfPages(plugins, [page]).map(({ id }) => id))]),
  );
  const pagesOf = (id: string) => [...waiting].filter(([, ids]) => ids.has(id)).map(([page]) => page);
  return { byPlugin: new Map(plugins.map(({ id }) => [id, pagesOf(id)])), count: waiting.size };
}
