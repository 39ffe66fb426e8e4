import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { meantInstead, nearestWord, type PluginManifest } from '@trellis/core';
import { JsonPlaces } from './json-places.ts';
import { at } from './read-manifest.ts';

/**
 * What a manifest contributes to that is no registry of the product. A registry that another plugin defines is right where the
 * manifest depends on other plugins, unless its name is nearly one of the product's.
 *
 * @returns a line for each mistake
 */
export async function misspeltRegistries(root: string, manifest: PluginManifest): Promise<readonly string[]> {
  const known = await knownRegistries();
  const hasOthers = [manifest.dependencies, manifest.optionalDependencies].some(
    (plugins) => Object.keys(plugins ?? {}).length > 0,
  );
  const places = new JsonPlaces(await readFile(join(root, 'plugin.json'), 'utf8'));
  return Object.keys(manifest.contributes ?? {})
    .filter((id) => !known.includes(id))
    .filter((id) => !hasOthers || nearestWord(id, known) !== undefined)
    .map(
      (id) => `${at(places.ofKey(`/contributes/${id}`))} '${id}' is no registry${meantInstead(id, known)}`,
    );
}

/** The registries of the product, which the schema for editors names. */
async function knownRegistries(): Promise<readonly string[]> {
  const file = fileURLToPath(import.meta.resolve('@trellis/sdk/plugin.schema.json'));
  const { properties } = JSON.parse(await readFile(file, 'utf8')) as {
    readonly properties: { readonly contributes: { readonly properties: object } };
  };
  return Object.keys(properties.contributes.properties);
}
