import { nearestWord } from '../errors/nearest-word.ts';
import type { JsonSchema } from './json-schema.ts';
import { pointer, type SchemaProblem } from './schema-problem.ts';
import { branches, schemasOf } from './secrets.ts';
import { isRecord, setOwn } from './values.ts';

/** The part of settings that their schema knows, and a problem for each unknown key. @public */
export interface KnownPart {
  readonly value: Readonly<Record<string, unknown>>;
  readonly problems: readonly SchemaProblem[];
}

/**
 * Separates settings from keys that their schema does not know, which nobody would read. An object whose schema has no
 * `properties` accepts every key, and so does one whose `additionalProperties` or branches accept others.
 *
 * @param stored the settings stored before: keys that they contain too are from an earlier schema, and are no problem
 * @public
 */
export function knownPart(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  stored?: unknown,
): KnownPart {
  const problems: SchemaProblem[] = [];

  /** @param before the values that may have been stored in this place; for a list, any of its items */
  function walk(at: readonly JsonSchema[], here: unknown, path: string, before: readonly unknown[]): unknown {
    const schemas = at.flatMap(withBranches);
    if (schemas.length === 0) return here;
    if (Array.isArray(here)) {
      const items = before.filter(Array.isArray).flat() as readonly unknown[];
      const ofItems = schemas.flatMap((of) => of.items ?? []);
      return here.map((item, index) => walk(ofItems, item, pointer(path, index), items));
    }
    return isRecord(here) ? walkObject(schemas, here, path, before.filter(isRecord)) : here;
  }

  function walkObject(
    schemas: readonly JsonSchema[],
    here: Readonly<Record<string, unknown>>,
    path: string,
    before: readonly Readonly<Record<string, unknown>>[],
  ): Record<string, unknown> {
    const known: Record<string, unknown> = {};
    for (const [key, child] of Object.entries(here)) {
      const below = schemas.flatMap((of) => schemasOf(of, key));
      const former = before.filter((of) => Object.hasOwn(of, key)).map((of) => of[key]);
      const place = pointer(path, key);
      if (below.length > 0 || takesOthers(schemas)) setOwn(known, key, walk(below, child, place, former));
      else if (former.length === 0) problems.push(unknownKey(place, key, namedIn(schemas)));
    }
    return known;
  }

  return { value: walk([schema], value, '', [stored]) as KnownPart['value'], problems };
}

/** A schema, and all its branches for the same place. */
function withBranches(schema: JsonSchema): readonly JsonSchema[] {
  return [schema, ...branches(schema).flatMap(withBranches)];
}

function takesOthers(schemas: readonly JsonSchema[]): boolean {
  const isOpen = (of: JsonSchema) =>
    of.additionalProperties === true || isRecord(of.additionalProperties) || branches(of).length > 0;
  return schemas.every(({ properties }) => properties === undefined) || schemas.some(isOpen);
}

function namedIn(schemas: readonly JsonSchema[]): readonly string[] {
  return schemas.flatMap(({ properties = {} }) => Object.keys(properties));
}

function unknownKey(path: string, key: string, known: readonly string[]): SchemaProblem {
  const meant = nearestWord(key, known);
  const message = `is not known here${meant === undefined ? '' : `; did you mean '${meant}'?`}`;
  return { path, keyword: 'additionalProperties', message, params: { property: key } };
}
