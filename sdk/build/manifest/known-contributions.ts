import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** What manifests may name of the product: its registries, and the hooks by which a plugin changes or refuses what happens. */
export interface KnownContributions {
  readonly registries: readonly string[];
  readonly hooks: readonly string[];
}

/** As the schema for editors names them. */
export async function knownContributions(): Promise<KnownContributions> {
  const file = fileURLToPath(import.meta.resolve('@trellis/sdk/plugin.schema.json'));
  const { properties } = JSON.parse(await readFile(file, 'utf8')) as {
    readonly properties: {
      readonly contributes: {
        readonly properties: {
          readonly hooks: {
            readonly items: { readonly anyOf: readonly [{ readonly enum: readonly string[] }] };
          };
        };
      };
    };
  };
  const { hooks, ...others } = properties.contributes.properties;
  return { registries: ['hooks', ...Object.keys(others)], hooks: hooks.items.anyOf[0].enum };
}
