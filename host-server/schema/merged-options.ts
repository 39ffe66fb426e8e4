import { isRecord, sameJson } from '@trellis/core';
import { withoutUndefined } from '@trellis/sdk/shared';
import { schemaErrors } from './schema-errors.ts';

type Options = Readonly<Record<string, unknown>>;
type Item = Options & { readonly id: string };

/** Two people changed the same option to different values. */
export class OptionsConflict extends Error {}

/**
 * Merges a change of options that was made from an earlier state of them. Changes of different parts are both kept.
 *
 * Objects are merged by key, and lists of items with an `id` by that id. Every other value is one part.
 *
 * @param before the options that the person saw
 * @throws OptionsConflict when both changed the same part to different values
 */
export function mergedOptions(before: Options, wanted: Options, now: Options): Options {
  const names = new Set([...Object.keys(now), ...Object.keys(wanted)]);
  const entries = [...names].map((name) => [name, merged(before[name], wanted[name], now[name])] as const);
  return withoutUndefined(Object.fromEntries(entries));
}

/** The options that a client asks for, and those that it saw before. */
export interface AskedOptions {
  readonly wanted: Options;
  /** Undefined when the client does not state them: then its options replace the present ones. */
  readonly before: Options | undefined;
}

/**
 * The options that a client asks for, merged with changes that others made since. Options that are hidden from the client stay.
 *
 * @param of.withDefaults adds the defaults of options that are not stored, since clients may send them along
 * @throws TrellisError 409 `OPTIONS_CHANGED` with the present options, when both changed the same part
 */
export function presentOptions(
  of: {
    readonly title: string;
    readonly meta: Options | undefined;
    /** The part of `meta` that the client may see; all of it if left out. */
    readonly told?: Options | undefined;
    readonly withDefaults: (options: Options) => Options;
  },
  { wanted, before: seen }: AskedOptions,
): Options {
  const { title, meta = {}, told = meta, withDefaults } = of;
  if (seen === undefined && sameJson(told, meta)) return wanted;
  const before = seen ?? told;
  const now = withDefaults(meta);
  try {
    const options = mergedOptions(withDefaults(before), withDefaults(wanted), now);
    return sameJson(options, now) ? meta : options;
  } catch (error) {
    if (!(error instanceof OptionsConflict)) throw error;
    throw schemaErrors.create('OPTIONS_CHANGED', { title, meta: told }, error);
  }
}

function merged(before: unknown, wanted: unknown, now: unknown): unknown {
  if (sameJson(wanted, before) || sameJson(wanted, now)) return now;
  if (sameJson(now, before)) return wanted;
  if (isRecord(wanted) && isRecord(now)) return mergedOptions(isRecord(before) ? before : {}, wanted, now);
  if (isList(wanted) && isList(now)) return mergedList(isList(before) ? before : [], wanted, now);
  // Removing an object or a list removes only the parts that the caller saw; others added parts since.
  if (wanted === undefined && isRecord(before) && isRecord(now)) return mergedOptions(before, {}, now);
  if (wanted === undefined && isList(before) && isList(now)) return mergedList(before, [], now);
  throw new OptionsConflict();
}

function mergedList(
  before: readonly Item[],
  wanted: readonly Item[],
  now: readonly Item[],
): readonly unknown[] {
  const [seen, asked, present] = [before, wanted, now].map((list) => new Map(list.map((of) => [of.id, of])));
  // The order of the caller that reordered the list is kept; new items of the other one come last.
  const known = new Set(before.map(({ id }) => id));
  const orderOf = (list: readonly Item[], other: Map<string, Item> | undefined) =>
    list.flatMap(({ id }) => (known.has(id) && other?.has(id) === true ? [id] : []));
  const isReordered = !sameJson(orderOf(wanted, seen), orderOf(before, asked));
  const [first, second] = isReordered ? [wanted, now] : [now, wanted];
  const ids = new Set([...first, ...second].map(({ id }) => id));
  return [...ids].flatMap((id) => {
    const item = merged(seen?.get(id), asked?.get(id), present?.get(id));
    return item === undefined ? [] : [item];
  });
}

function isList(value: unknown): value is readonly Item[] {
  return Array.isArray(value) && value.every((item) => isRecord(item) && typeof item.id === 'string');
}
