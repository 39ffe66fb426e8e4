import type { JsonSchema } from './json-schema.ts';
import { isRecord } from './values.ts';

/** A registry item named by a value. */
export interface NamedItem {
  readonly registry: string;
  readonly id: string;
}

/** The items that a value names where its schema has `x-names`, in the order of the value, including repetitions. */
export function namedItems(schema: JsonSchema, value: unknown): readonly NamedItem[] {
  if (value === undefined) return [];
  const registry = schema['x-names'];
  if (registry !== undefined)
    return typeof value === 'string' && value !== '' ? [{ registry, id: value }] : [];
  const ways = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const way = ways.find((each) => fits(each, value));
  const ofWay = way === undefined ? [] : namedItems(way, value);
  if (Array.isArray(value))
    return [...ofWay, ...value.flatMap((item) => (schema.items ? namedItems(schema.items, item) : []))];
  if (!isRecord(value)) return ofWay;
  const ofProperties = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    Object.hasOwn(value, name) ? namedItems(property, value[name]) : [],
  );
  return [...ofWay, ...ofProperties];
}

/** Whether a value can match one of several schemas: required properties are present, and fixed ones have their value. */
function fits({ required = [], properties = {} }: JsonSchema, value: unknown): boolean {
  if (!isRecord(value)) return false;
  return (
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(properties).every(
      ([name, property]) => property.const === undefined || property.const === value[name],
    )
  );
}
