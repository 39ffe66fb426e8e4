import { nearestWord, type PluginManifest, type Registries } from '@trellis/core';
import type { ServerRegistries } from '@trellis/sdk/server';
import type { RouteTable } from '../http/route-table.ts';

/** Only its author can fix a plugin that does not do what it says. */
const wayOut = 'update it, or tell its author';

export interface NoticeSources {
  readonly registries: Registries<ServerRegistries>;
  readonly routes: Pick<RouteTable, 'list'>;
  /** The product's registries, including those of the page and of other plugins: such a name in a manifest is no typo. */
  readonly namesOfProduct: ReadonlySet<string>;
  /** The titles of required settings that have no value. */
  readonly missingSettings: (manifest: PluginManifest) => readonly string[];
  /** Why its web half did not start in a browser, if a browser reported it. */
  readonly pageFailure: () => string | undefined;
}

/**
 * Where a running plugin differs from its manifest, and what it still needs, a sentence each: people read the manifest before
 * they switch a plugin on.
 */
export function pluginNotices(manifest: PluginManifest, sources: NoticeSources): readonly string[] {
  const missing = sources.missingSettings(manifest);
  const pageFailure = sources.pageFailure();
  return [
    ...(missing.length > 0 ? [`It needs settings before it can work: ${missing.join(', ')}.`] : []),
    ...(pageFailure === undefined
      ? []
      : [`Its page half did not start in a browser: ${pageFailure.replace(/\.$/, '')}; ${wayOut}.`]),
    ...unknownRegistries(manifest, sources),
    ...sources.registries.ids().flatMap((id) => registryNotices(manifest, id, sources.registries)),
    ...routeNotices(manifest, sources.routes),
  ];
}

/** Names in the manifest that are nearly the name of a registry; other names may be registries of the page. */
function unknownRegistries(
  { contributes = {} }: PluginManifest,
  { registries, namesOfProduct }: NoticeSources,
): readonly string[] {
  return Object.keys(contributes)
    .filter((name) => !registries.has(name) && !namesOfProduct.has(name))
    .flatMap((name) => {
      const known = registries.ids();
      const meant = nearestWord(name, known);
      if (meant === undefined) return [];
      return [
        `Its manifest promises something for '${name}', which is no registry; did it mean '${meant}'? If not, ${wayOut}.`,
      ];
    });
}

function registryNotices(
  { id: owner, contributes = {} }: PluginManifest,
  registry: string,
  registries: NoticeSources['registries'],
): readonly string[] {
  const entries = registries.get(registry as 'jobs').entries();
  const items = new Map(entries.filter((of) => of.owner === owner).map(({ item }) => [item.id, item]));
  const registered = new Set(items.keys());
  const promised = (contributes[registry] ?? []).map((item) =>
    typeof item === 'string' ? { id: item } : item,
  );
  const listed = promised.map(({ id }) => id);
  const isSuspended = (id: string) => registries.get(registry as 'jobs').ownerOf(id) === owner;
  const broken = listed.filter((id) => !registered.has(id) && !isSuspended(id));
  const unlisted = [...registered].filter((id) => !listed.includes(id));
  return [
    ...broken.map(
      (id) => `Its manifest promises '${id}' in ${registry}, which it does not register; ${wayOut}.`,
    ),
    ...unlisted.map(
      (id) => `It registers '${id}' in ${registry}, which its manifest does not name; ${wayOut}.`,
    ),
    ...promised.flatMap((promise) => {
      const item = items.get(promise.id);
      if (item === undefined) return [];
      return untrueDetails(promise, item).map(
        ([detail, said, is]) =>
          `Its manifest says '${said}' for '${detail}' of '${promise.id}' in ${registry}, and it registers '${is}'; ${wayOut}.`,
      );
    }),
  ];
}

/** The texts of an item that differ from those in the manifest. The item's own name may differ. */
function untrueDetails(
  promise: object,
  item: object,
): readonly (readonly [detail: string, said: string, is: string])[] {
  const registered = new Map<string, unknown>(Object.entries(item));
  return Object.entries(promise).flatMap(([detail, said]) => {
    const is = registered.get(detail);
    const isUntrue = detail !== 'label' && typeof said === 'string' && typeof is === 'string' && said !== is;
    return isUntrue ? [[detail, said, is] as const] : [];
  });
}

function routeNotices(
  { id, contributes }: PluginManifest,
  routes: NoticeSources['routes'],
): readonly string[] {
  const listed = contributes?.routes ?? [];
  if (listed.length === 0) return [];
  const served = routes
    .list()
    .filter(({ owner }) => owner === id)
    .flatMap(({ route }) => [route.path, ...(route.aliases ?? [])]);
  const prefix = (path: string) => `${path.replace(/^[A-Z]+ /, '')}/`;
  return listed
    .filter((path) => !served.some((of) => `${of}/`.startsWith(prefix(path))))
    .map((path) => `Its manifest promises the path '${path}', which it does not serve; ${wayOut}.`);
}
