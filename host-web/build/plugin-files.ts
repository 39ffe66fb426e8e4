import { pluginsOfPages } from '../plugins/plugins-of-pages.ts';
import type { WebPluginEntry } from '../plugins/web-plugin-manifest.ts';
import { signInPath } from '../router/route-guard.ts';

/** A plugin by what says which pages wait for it. */
export type ListedPlugin = Pick<WebPluginEntry, 'id' | 'manifest'>;

/**
 * Which plugins of the build come in one file, by the file's name: those that the same pages wait for. A page then asks for few files, and
 * for none that it does not show.
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
 * The name of the file that the texts of a plugin come in, for each language: those of plugins that every page waits for, that some pages
 * wait for, and that none does. They are smaller than the plugins, so that fewer files count more than what a page could do without. Those
 * of the sign-in form come with the first, since whoever sees it was never here, and has no other.
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

/** Which pages wait for each plugin, and how many pages there are. */
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
