import type { JsonSchema } from './json-schema.ts';
import { isRecord } from './values.ts';

/** An item of a registry that a value names. */
export interface NamedItem {
  readonly registry: string;
  readonly id: string;
}

/** The items that a value names where its schema says so by `x-names`, in the order of the value; each as often as it is named. */
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

/** Whether a value can be meant by one of several schemas: what that requires is there, and what it fixes is so. */
function fits({ required = [], properties = {} }: JsonSchema, value: unknown): boolean {
  if (!isRecord(value)) return false;
  return (
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(properties).every(
      ([name, property]) => property.const === undefined || property.const === value[name],
    )
  );
}
