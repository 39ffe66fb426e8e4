import type { Change } from '@trellis/sdk/server';
import { DatabaseError } from '../../sql/database-error.ts';

/** Milliseconds until a table or database that is held back is tried again: after its first failure, and at the most. */
const firstPause = 5000;
const longestPause = 60_000;
/** Events of one table that fail, and none goes through, before the rest of them is held back. */
const mostInARow = 8;

/** Where an event stands. */
export type Place = Pick<Change, 'tableId' | 'baseId'>;

interface Held {
  /** UTC, milliseconds since 1970; infinity while one event asks whether the others may go. */
  until: number;
  pause: number;
}

/** Whether a delivery failed because the database behind its table does not answer: that says nothing of the event. */
export function isOutage(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === new DatabaseError('unreachable').code;
}

/**
 * The bases whose database does not answer, and the tables of which one event after the other fails, as where a formula takes too long. Their
 * events wait together, and only one of them asks from time to time, so that neither uses up the attempts of all events, nor keeps those of
 * others waiting. Each server finds out by itself.
 */
export class HeldBack {
  readonly #now: () => number;
  /** By the ids of bases and tables. */
  readonly #held = new Map<string, Held>();
  /** The events of tables that failed since one went through: one that is tried again and again says nothing of the others. */
  readonly #failures = new Map<string, Set<string>>();
  readonly #baseOfTable = new Map<string, string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  learn({ tableId, baseId }: Place): void {
    this.#baseOfTable.set(tableId, baseId);
  }

  /** The tables that are held back at the moment. */
  tables(): readonly string[] {
    if (this.#held.size === 0) return [];
    return [...this.#baseOfTable]
      .filter(([tableId, baseId]) => this.isHeld({ tableId, baseId }))
      .map(([tableId]) => tableId);
  }

  isHeld({ tableId, baseId }: Place): boolean {
    return [tableId, baseId].some((id) => (this.#held.get(id)?.until ?? 0) > this.#now());
  }

  /** Whether an event may be tried. When the time of a table or database that is held back is over, one event is tried for all of them. */
  mayTry({ tableId, baseId }: Place): boolean {
    if (this.isHeld({ tableId, baseId })) return false;
    for (const id of [tableId, baseId]) {
      const held = this.#held.get(id);
      if (held !== undefined) held.until = Number.POSITIVE_INFINITY;
    }
    return true;
  }

  /** An event failed because its database does not answer. */
  isAway({ tableId, baseId }: Place): void {
    this.#hold(baseId);
    if (this.#held.has(tableId)) this.#hold(tableId);
  }

  /** Notes a failure that belongs to the event or to its table, not to the database. */
  didFail({ id, tableId, baseId }: Place & Pick<Change, 'id'>): void {
    this.#held.delete(baseId);
    const failures = this.#failures.get(tableId) ?? new Set<string>();
    this.#failures.set(tableId, failures);
    if (failures.size < mostInARow) failures.add(id);
    if (failures.size >= mostInARow) this.#hold(tableId);
  }

  didAnswer({ tableId, baseId }: Place): void {
    for (const id of [tableId, baseId]) this.#held.delete(id);
    this.#failures.delete(tableId);
  }

  #hold(id: string): void {
    const held = this.#held.get(id);
    // Events that ran at the same time report one outage. Only the event that is tried for all of them shows that it lasts.
    if (held !== undefined && Number.isFinite(held.until) && held.until > this.#now()) return;
    const pause = Math.min(longestPause, (held?.pause ?? firstPause / 2) * 2);
    this.#held.set(id, { until: this.#now() + pause, pause });
  }
}
