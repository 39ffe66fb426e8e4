import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  manifestWords,
  meantInstead,
  parseManifest,
  pointer,
  type PluginManifest,
  type SchemaProblem,
  TrellisError,
} from '@trellis/core';
import { JsonPlaces } from './json-places.ts';
import { parseJson, type TextPlace } from '@trellis/core';

/**
 * Reads the manifest of a plugin's folder in the same way as the host.
 *
 * @throws Error with a line for every mistake: `plugin.json:3:5 must not have the unknown property 'titel'; did you mean
 *   'title'?`
 */
export async function readManifest(root: string): Promise<PluginManifest> {
  const text = await readFile(join(root, 'plugin.json'), 'utf8').catch((error: unknown) => {
    const wrong =
      Object(error).code === 'ENOENT' ? 'there is no plugin.json in it' : 'its plugin.json cannot be read';
    throw new Error(
      `${root} is no plugin: ${wrong}. Name the folder of one, or begin one by create-trellis-plugin.`,
      { cause: error },
    );
  });
  const value = parseJson(text, 'plugin.json');
  try {
    return parseManifest(value, 'plugin.json');
  } catch (error) {
    if (!(error instanceof TrellisError)) throw error;
    const problems = error.params['problems'] as readonly SchemaProblem[];
    const places = new JsonPlaces(text);
    throw new Error(problems.map((problem) => lineOf(problem, places)).join('\n'), { cause: error });
  }
}

function lineOf({ path, keyword, message, params }: SchemaProblem, places: JsonPlaces): string {
  const property = params?.['property'];
  if (keyword !== 'additionalProperties' || typeof property !== 'string')
    return `${at(places.ofValue(path))} ${path === '' ? 'the manifest' : `'${path.slice(1)}'`} ${message}${message.endsWith('?') ? '' : '.'}`;
  const place = at(places.ofKey(pointer(path, property)));
  return `${place} unknown property '${property}' is in no manifest${meantInstead(property, manifestWords(path))}`;
}

/** The beginning of a message about a place of the manifest. */
export function at({ line, column }: TextPlace): string {
  return `plugin.json:${line}:${column}`;
}
