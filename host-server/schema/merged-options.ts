import { isRecord, sameJson } from '@trellis/core';
import { withoutUndefined } from '@trellis/sdk/shared';
import { schemaErrors } from './schema-errors.ts';

type Options = Readonly<Record<string, unknown>>;
type Item = Options & { readonly id: string };

/** Two people changed the same thing differently. */
export class OptionsConflict extends Error {}

/**
 * What options are when somebody changes them who saw an earlier state of them: both changes, where they concern different things.
 *
 * Objects are merged by key and lists of things with an `id` by that id; everything else is one thing.
 *
 * @param before what the person saw
 * @throws OptionsConflict where both changed the same thing, and not in the same way.
 */
export function mergedOptions(before: Options, wanted: Options, now: Options): Options {
  const names = new Set([...Object.keys(now), ...Object.keys(wanted)]);
  const entries = [...names].map((name) => [name, merged(before[name], wanted[name], now[name])] as const);
  return withoutUndefined(Object.fromEntries(entries));
}

/** Options that a client asks for, and those that it saw when it made them. */
export interface AskedOptions {
  readonly wanted: Options;
  /** Undefined where the client does not say: then it asks for these options whatever others changed. */
  readonly before: Options | undefined;
}

/**
 * The options that a client asks for, with what others changed since it saw them. What is hidden from the client stays in any case.
 *
 * @param of.withDefaults fills in what stands for options that are not stored: clients may send them along
 * @throws TrellisError 409 `OPTIONS_CHANGED` with the options that there are, where both changed the same thing.
 */
export function presentOptions(
  of: {
    readonly title: string;
    readonly meta: Options | undefined;
    /** What the client may be told of `meta`; all of it where left out. */
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
