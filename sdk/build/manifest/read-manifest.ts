import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  manifestSchema,
  parseManifest,
  pointer,
  type PluginManifest,
  type SchemaProblem,
  TrellisError,
} from '@trellis/core';
import { JsonPlaces, placeAt, type TextPlace } from './json-places.ts';
import { nearestWord } from './nearest-word.ts';

/**
 * Reads the manifest of a plugin's folder as the host will.
 *
 * @throws Error with a line for every mistake: `plugin.json:3:5 must not have the unknown property 'titel'; did you mean 'title'?`
 */
export async function readManifest(root: string): Promise<PluginManifest> {
  const text = await readFile(join(root, 'plugin.json'), 'utf8').catch((error: unknown) => {
    throw new Error(`${root} is no plugin: its plugin.json cannot be read.`, { cause: error });
  });
  const value = parseJson(text);
  try {
    return parseManifest(value, 'plugin.json');
  } catch (error) {
    if (!(error instanceof TrellisError)) throw error;
    const problems = error.params['problems'] as readonly SchemaProblem[];
    const places = new JsonPlaces(text);
    throw new Error(problems.map((problem) => lineOf(problem, places)).join('\n'), { cause: error });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [where = '', offset] = / in JSON at position (\d+).*$/.exec(message) ?? [];
    // Without a position or an excerpt the text ended too early.
    const place = placeAt(
      text,
      offset === undefined ? (inExcerpt(message, text) ?? text.length) : Number(offset),
    );
    throw new Error(`${at(place)} is no JSON: ${message.replace(where, '')}.`, { cause: error });
  }
}

/**
 * Where the token stands that an error names beside the text around the token, as V8 does: `Unexpected token 'T', ..."system": True }" is
 * not valid JSON`. An excerpt that is cut off at its start begins ten characters before the token.
 */
function inExcerpt(message: string, text: string): number | undefined {
  const [, token, cut, excerpt] =
    /^Unexpected token '([^]+?)', (\.\.\.)?"([^]*)"(?:\.\.\.)? is not valid JSON$/.exec(message) ?? [];
  if (token === undefined || excerpt === undefined) return undefined;
  return cut === undefined ? text.indexOf(token) : text.indexOf(excerpt) + 10;
}

function lineOf({ path, keyword, message, params }: SchemaProblem, places: JsonPlaces): string {
  const property = params?.['property'];
  if (keyword !== 'additionalProperties' || typeof property !== 'string')
    return `${at(places.ofValue(path))} ${path === '' ? 'the manifest' : `'${path.slice(1)}'`} ${message}.`;
  const { properties = {} } = manifestSchema;
  const words = path === '' ? properties : (properties[path.slice(1)]?.properties ?? {});
  const meant = nearestWord(property, Object.keys(words));
  return `${at(places.ofKey(pointer(path, property)))} ${message.replace('must not have the ', '')} is in no manifest${question(meant)}`;
}

/** How a message begins that is about a place of the manifest. */
export function at({ line, column }: TextPlace): string {
  return `plugin.json:${line}:${column}`;
}

/** How a message ends that may know what was meant. */
export function question(meant: string | undefined): string {
  return meant === undefined ? '.' : `; did you mean '${meant}'?`;
}
