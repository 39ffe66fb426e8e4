import { isSecret } from './formats.ts';
import type { JsonSchema } from './json-schema.ts';
import { pointer } from './schema-problem.ts';
import { isRecord, sameJson, setOwn } from './values.ts';

/** The text that answers show for a stored secret. Sent back unchanged, it keeps the stored one. */
export const SECRET_MASK = '********';

/** A path from a value to a part of it. */
export type Steps = readonly (string | number)[];

/** The paths of secrets in a schema. A star matches every item of a list or every further property. */
export function secretPaths(schema: JsonSchema): readonly string[] {
  const paths = new Set<string>();
  const walk = (at: JsonSchema, path: string): void => {
    if (isSecret(at)) paths.add(path);
    for (const [name, child] of Object.entries(at.properties ?? {})) walk(child, pointer(path, name));
    for (const child of Object.values(at.patternProperties ?? {})) walk(child, `${path}/*`);
    if (isRecord(at.additionalProperties)) walk(at.additionalProperties, `${path}/*`);
    if (at.items !== undefined) walk(at.items, `${path}/*`);
    for (const child of branches(at)) walk(child, path);
  };
  walk(schema, '');
  return [...paths];
}

/** A copy in which every secret that is set went through `change`; used to mask, to encrypt and to decrypt. */
export function mapSecrets<T>(
  schema: JsonSchema,
  value: T,
  change: (secret: unknown, steps: Steps) => unknown,
): T {
  let copy: unknown = value;
  for (const steps of findSecrets(schema, value).values()) {
    copy = replaceAt(copy, steps, 0, (secret) => change(secret, steps));
  }
  return copy as T;
}

/** A copy for display: every secret that is set is replaced by {@link SECRET_MASK}. */
export function maskSecrets<T>(schema: JsonSchema, value: T): T {
  return mapSecrets(schema, value, () => SECRET_MASK);
}

/**
 * The settings to store when a form is submitted: masked secrets get the stored value again. List items with an `id` are matched
 * by it, others by all values that are no secrets; if none matches, by position, as long as the list's length is unchanged. A
 * mask without a stored value becomes empty.
 */
export function keepMaskedSecrets<T>(schema: JsonSchema, incoming: T, stored: unknown): T {
  return mapSecrets(schema, incoming, (secret, steps) =>
    secret === SECRET_MASK ? (findStored(incoming, stored, steps) ?? '') : secret,
  );
}

export function branches(schema: JsonSchema): readonly JsonSchema[] {
  return [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
}

/** By pointer, so that a secret described by two branches is found once. */
export function findSecrets(schema: JsonSchema, value: unknown): ReadonlyMap<string, Steps> {
  const found = new Map<string, Steps>();
  const walk = (at: JsonSchema, here: unknown, path: string, steps: Steps): void => {
    if (here === undefined || here === null || here === '') return;
    if (isSecret(at)) found.set(path, steps);
    if (Array.isArray(here) && at.items !== undefined) {
      const { items } = at;
      here.forEach((item, index) => walk(items, item, pointer(path, index), [...steps, index]));
    }
    if (isRecord(here)) {
      for (const [key, child] of Object.entries(here)) {
        for (const below of schemasOf(at, key)) walk(below, child, pointer(path, key), [...steps, key]);
      }
    }
    for (const branch of branches(at)) walk(branch, here, path, steps);
  };
  walk(schema, value, '', []);
  return found;
}

export function schemasOf(schema: JsonSchema, key: string): readonly JsonSchema[] {
  const own =
    schema.properties !== undefined && Object.hasOwn(schema.properties, key)
      ? schema.properties[key]
      : undefined;
  const matching = Object.entries(schema.patternProperties ?? {})
    .filter(([pattern]) => new RegExp(pattern, 'u').test(key))
    .map(([, child]) => child);
  const known = own === undefined ? matching : [own, ...matching];
  return known.length === 0 && isRecord(schema.additionalProperties) ? [schema.additionalProperties] : known;
}

function replaceAt(value: unknown, steps: Steps, depth: number, change: (old: unknown) => unknown): unknown {
  const step = steps[depth];
  if (step === undefined) return change(value);
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) =>
      index === step ? replaceAt(item, steps, depth + 1, change) : item,
    );
  }
  const copy: Record<string, unknown> = {};
  for (const [key, child] of Object.entries(value as Record<string, unknown>)) {
    setOwn(copy, key, key === step ? replaceAt(child, steps, depth + 1, change) : child);
  }
  return copy;
}

export function findStored(incoming: unknown, stored: unknown, steps: Steps): unknown {
  let now: unknown = incoming;
  let before: unknown = stored;
  for (const step of steps) {
    if (Array.isArray(now) && Array.isArray(before)) {
      before = findItem(now, before, Number(step));
      now = now[Number(step)];
    } else if (isRecord(now) && isRecord(before)) {
      before = Object.hasOwn(before, step) ? before[step] : undefined;
      now = now[step];
    } else {
      return undefined;
    }
  }
  return before;
}

/** The stored item for a submitted list item. A secret must not go to another item just because the list was reordered. */
function findItem(items: readonly unknown[], stored: readonly unknown[], place: number): unknown {
  const item = items[place];
  if (isRecord(item) && item.id !== undefined) return findById(stored, item.id);
  const alike = stored.filter((of) => looksLike(item, of));
  if (alike.length > 0) {
    const own = stored[place];
    // An item that is unchanged at its position is the same one; positions mean nothing if the list's length changed.
    if (items.length === stored.length && alike.includes(own)) return own;
    const [first] = alike;
    const before = items.slice(0, place).filter((of) => looksLike(of, first)).length;
    return alike[before];
  }
  const former = stored[place];
  const isTaken = items.some((of) => looksLike(of, former));
  return items.length === stored.length && !isTaken ? former : undefined;
}

/** Whether a submitted value equals the stored one, apart from masked secrets. */
function looksLike(incoming: unknown, stored: unknown): boolean {
  if (incoming === SECRET_MASK || !isRecord(incoming) || !isRecord(stored))
    return incoming === SECRET_MASK || sameJson(incoming, stored);
  const keys = [...new Set([...Object.keys(incoming), ...Object.keys(stored)])];
  return keys.every((key) => looksLike(incoming[key], stored[key]));
}

function findById(items: readonly unknown[], id: unknown): unknown {
  return items.find((item) => isRecord(item) && item.id === id);
}
