import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The product's names that manifests may use: its registries, and the hooks with which a plugin changes or refuses operations. */
export interface KnownContributions {
  readonly registries: readonly string[];
  readonly hooks: readonly string[];
}

/** Reads the names from the schema for editors. */
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
