import { DatabaseError } from '../../sql/database-error.ts';

/** Milliseconds until a base is asked again: after its first failure, and at the most. */
const firstPause = 5000;
const longestPause = 60_000;

interface Away {
  /** UTC, milliseconds since 1970; infinity while one event asks whether the base is back. */
  until: number;
  pause: number;
}

/** Whether a delivery failed because the database behind its table does not answer: that says nothing of the event. */
export function isOutage(error: unknown): boolean {
  return (error as { readonly code?: unknown } | null)?.code === new DatabaseError('unreachable').code;
}

/**
 * The bases whose database does not answer. Their events wait together, and only one of them asks from time to time, so that an
 * outage neither uses up their attempts nor keeps the events of other bases waiting. Each server finds out by itself.
 */
export class AwayBases {
  readonly #now: () => number;
  readonly #away = new Map<string, Away>();
  readonly #baseOfTable = new Map<string, string>();

  constructor(now: () => number) {
    this.#now = now;
  }

  learn({ tableId, baseId }: { readonly tableId: string; readonly baseId: string }): void {
    this.#baseOfTable.set(tableId, baseId);
  }

  /** The tables of which nothing is tried at the moment. */
  tables(): readonly string[] {
    if (this.#away.size === 0) return [];
    const waiting = [...this.#away].filter(([, { until }]) => until > this.#now()).map(([baseId]) => baseId);
    return [...this.#baseOfTable]
      .filter(([, baseId]) => waiting.includes(baseId))
      .map(([tableId]) => tableId);
  }

  isAway(baseId: string): boolean {
    return (this.#away.get(baseId)?.until ?? 0) > this.#now();
  }

  /** Whether an event of the base may be delivered. Of those of a base that was away, the first one asks for all. */
  mayTry(baseId: string): boolean {
    const away = this.#away.get(baseId);
    if (away === undefined) return true;
    if (away.until > this.#now()) return false;
    away.until = Number.POSITIVE_INFINITY;
    return true;
  }

  didFail(baseId: string): void {
    const away = this.#away.get(baseId);
    // Events that were under way together tell of the same outage; only the one that asks for all tells of a longer one.
    if (away !== undefined && Number.isFinite(away.until) && away.until > this.#now()) return;
    const pause = Math.min(longestPause, (away?.pause ?? firstPause / 2) * 2);
    this.#away.set(baseId, { until: this.#now() + pause, pause });
  }

  didAnswer(baseId: string): void {
    this.#away.delete(baseId);
  }
}
