import { meantInstead, nearestWord, type PluginManifest } from '@trellis/core';
import { manifestPlaces } from './json-places.ts';
import { knownWords } from './known-words.ts';
import { at } from './read-manifest.ts';

/**
 * A manifest's contributions to registries that the product does not have. Another plugin's registry is accepted if the manifest
 * depends on other plugins, unless its name is very similar to one of the product's.
 *
 * @returns a line for each mistake
 */
export async function misspeltRegistries(root: string, manifest: PluginManifest): Promise<readonly string[]> {
  const { registries: known } = await knownWords();
  const hasOthers = [manifest.dependencies, manifest.optionalDependencies].some(
    (plugins) => Object.keys(plugins ?? {}).length > 0,
  );
  const places = await manifestPlaces(root);
  return Object.keys(manifest.contributes ?? {})
    .filter((id) => !known.includes(id))
    .filter((id) => !hasOthers || nearestWord(id, known) !== undefined)
    .map(
      (id) => `${at(places.ofKey(`/contributes/${id}`))} '${id}' is no registry${meantInstead(id, known)}`,
    );
}
