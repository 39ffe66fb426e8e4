import type { PluginEntity } from '../shared/index.ts';
import { webAbsentPolicies } from './create-registries.ts';
import type { WebHost } from './host.tsx';
import type { HostWebRegistries } from './registries.ts';

/** An item named in a manifest. @public */
export interface PromisedItem {
  readonly registry: string;
  readonly id: string;
}

/**
 * Items of the page's own registries that a plugin's manifest names but its web half does not register; nothing while it does not
 * run in this page.
 *
 * @public
 */
export function unregisteredItems(
  host: Pick<WebHost, 'registry' | 'isPluginEnabled'>,
  { id: owner, contributes }: Pick<PluginEntity, 'id' | 'contributes'>,
): readonly PromisedItem[] {
  if (!host.isPluginEnabled(owner)) return [];
  return Object.entries(contributes).flatMap(([registry, ids]) =>
    // The routes in a manifest are addresses of the server half.
    registry !== 'routes' && Object.hasOwn(webAbsentPolicies, registry)
      ? ids
          .filter((id) => host.registry(registry as keyof HostWebRegistries).ownerOf(id) !== owner)
          .map((id) => ({ registry, id }))
      : [],
  );
}
