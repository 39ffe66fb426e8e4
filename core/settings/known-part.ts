import { nearestWord } from '../errors/nearest-word.ts';
import type { JsonSchema } from './json-schema.ts';
import { pointer, type SchemaProblem } from './schema-problem.ts';
import { branches, schemasOf } from './secrets.ts';
import { isRecord, setOwn } from './values.ts';

/** The part of settings that a schema knows, and a problem for each key that it does not. @public */
export interface KnownPart {
  readonly value: Readonly<Record<string, unknown>>;
  readonly problems: readonly SchemaProblem[];
}

/**
 * Parts settings from keys that their schema does not know, which nobody would read. An object of which the schema names no `properties`
 * knows every key, and so does one that says by `additionalProperties` or by branches what else it takes.
 *
 * @param stored what was stored before: keys that it has as well come from an earlier schema, and are no problem
 * @public
 */
export function knownPart(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  stored?: unknown,
): KnownPart {
  const problems: SchemaProblem[] = [];

  /** @param before what may have been stored in this place: of a list, any of its items */
  function walk(
    at: JsonSchema | undefined,
    here: unknown,
    path: string,
    before: readonly unknown[],
  ): unknown {
    if (at === undefined) return here;
    if (Array.isArray(here)) {
      const items = before.filter(Array.isArray).flat() as readonly unknown[];
      return here.map((item, index) => walk(at.items, item, pointer(path, index), items));
    }
    return isRecord(here) ? walkObject(at, here, path, before.filter(isRecord)) : here;
  }

  function walkObject(
    at: JsonSchema,
    here: Readonly<Record<string, unknown>>,
    path: string,
    before: readonly Readonly<Record<string, unknown>>[],
  ): Record<string, unknown> {
    const known: Record<string, unknown> = {};
    for (const [key, child] of Object.entries(here)) {
      const [below] = schemasOf(at, key);
      const former = before.filter((of) => Object.hasOwn(of, key)).map((of) => of[key]);
      const place = pointer(path, key);
      if (below !== undefined || takesOthers(at)) setOwn(known, key, walk(below, child, place, former));
      else if (former.length === 0) problems.push(unknownKey(place, key, Object.keys(at.properties ?? {})));
    }
    return known;
  }

  return { value: walk(schema, value, '', [stored]) as KnownPart['value'], problems };
}

function takesOthers(schema: JsonSchema): boolean {
  const { properties, additionalProperties } = schema;
  return (
    properties === undefined ||
    additionalProperties === true ||
    isRecord(additionalProperties) ||
    branches(schema).length > 0
  );
}

function unknownKey(path: string, key: string, known: readonly string[]): SchemaProblem {
  const meant = nearestWord(key, known);
  const message = `is not known here${meant === undefined ? '' : `; did you mean '${meant}'?`}`;
  return { path, keyword: 'additionalProperties', message, params: { property: key } };
}
