import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { placeAt, type PluginManifest } from '@trellis/core';
import { pluginSources } from './plugin-sources.ts';

const ownPath = /['"`]\/api\/v1\/plugins\/([a-z][a-z\d-]*)\//g;

/**
 * Paths in the code that belong to a plugin which is neither this one nor one that it depends on, such as the id of the example of
 * which it is a copy.
 *
 * @returns a line for each
 */
export async function foreignPaths(
  root: string,
  { id, dependencies, optionalDependencies }: PluginManifest,
): Promise<readonly string[]> {
  const known = new Set([id, ...Object.keys({ ...dependencies, ...optionalDependencies })]);
  const sources = await pluginSources(root);
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(ownPath)]
      .filter(([, of = '']) => !known.has(of) && !isOfProduct(of))
      .map(({ index, 1: of = '' }) => {
        const { line, column } = placeAt(text, index + 1);
        return `${path}:${line}:${column} '/api/v1/plugins/${of}/' are paths of '${of}', on which this plugin does not depend; its own begin with '/api/v1/plugins/${id}/'.`;
      }),
  );
}

function isOfProduct(id: string): boolean {
  const sdk = import.meta.resolve('@trellis/sdk/plugin.schema.json');
  return existsSync(fileURLToPath(new URL(`plugins/${id}/plugin.json`, sdk)));
}
