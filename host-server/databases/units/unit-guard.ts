import { AsyncLocalStorage } from 'node:async_hooks';

interface OpenUnit {
  readonly owner: object;
  readonly outer: OpenUnit | undefined;
  open: boolean;
}

const current = new AsyncLocalStorage<OpenUnit>();

/** Tracking costs several microseconds a call. In production, a unit nested in another one ends at the two-second limit of its pool. */
const isGuarded = process.env['NODE_ENV'] !== 'production';

/**
 * Runs `work` as the one unit of `owner` in this flow of calls.
 *
 * Nested checkouts deadlock a pool: N callers each hold one connection and wait for another. So nesting is an error at once, also
 * in tests, and not a hang under load.
 */
export async function asUnitOf<T>(owner: { readonly name: string }, work: () => Promise<T>): Promise<T> {
  assertNoUnitOf(owner);
  return isGuarded ? insideUnitOf(owner, work) : work();
}

/**
 * Runs foreign code while a unit of `owner` is open, and refuses it units of its own, in production as well. From the first call
 * on, Node tracks every promise of the process, so this is only used for code of plugins.
 */
export async function insideUnitOf<T>(owner: { readonly name: string }, work: () => Promise<T>): Promise<T> {
  const unit: OpenUnit = { owner, outer: current.getStore(), open: true };
  try {
    return await current.run(unit, work);
  } finally {
    unit.open = false;
  }
}

/** Throws when this flow of calls already holds a unit of `owner`. */
export function assertNoUnitOf(owner: { readonly name: string }): void {
  for (let unit = current.getStore(); unit !== undefined; unit = unit.outer) {
    if (unit.open && unit.owner === owner) {
      throw new Error(
        `A unit of database '${owner.name}' is already open in this call; pass it on instead of opening another`,
      );
    }
  }
}
