import type { PluginManifest } from '@trellis/core';
import { manifestPlaces } from './json-places.ts';
import { at } from './read-manifest.ts';

/** The two registries of a file format: the server's reader or writer, and the page's entry with the same id. */
interface FormatPair {
  readonly server: 'importers' | 'exporters';
  readonly page: 'importFormats' | 'exportFormats';
}

const pairs: readonly FormatPair[] = [
  { server: 'importers', page: 'importFormats' },
  { server: 'exporters', page: 'exportFormats' },
];

/**
 * File formats that the page would offer without any reader or writer. If a plugin depends on others, one of them may provide it.
 *
 * @returns a line for each
 */
export async function forlornFormats(root: string, manifest: PluginManifest): Promise<readonly string[]> {
  const others = { ...manifest.dependencies, ...manifest.optionalDependencies };
  if (Object.keys(others).length > 0) return [];
  const places = await manifestPlaces(root);
  return pairs.flatMap(({ server, page }) =>
    idsIn(manifest, page).flatMap((id, index) =>
      idsIn(manifest, server).includes(id)
        ? []
        : [
            `${at(places.ofValue(`/contributes/${page}/${index}/id`))} '${id}' would be offered to people and work for nobody: 'contributes.${server}' has no item of that id.`,
          ],
    ),
  );
}

/** File formats that only the API offers, as a sentence; undefined if the page offers all of them. */
export function unofferedFormats(manifest: PluginManifest): string | undefined {
  const told = pairs.flatMap(({ server, page }) =>
    idsIn(manifest, server)
      .filter((id) => !idsIn(manifest, page).includes(id))
      .map((id) => `'${id}' of ${server} comes by the API alone, since ${page} has no item of that id`),
  );
  return told.length === 0 ? undefined : told.join('; ');
}

function idsIn({ contributes = {} }: PluginManifest, registry: string): readonly string[] {
  return ((contributes[registry] ?? []) as readonly { readonly id: string }[]).map(({ id }) => id);
}
