import type { Metadata } from '../metadata/metadata.ts';
import type { HostBus } from '../runtime/bus/host-bus.ts';

export interface LogFollowerDependencies {
  readonly metadata: Metadata;
  readonly bus: Pick<HostBus, 'hasTransport' | 'hear' | 'subscribe'>;
  readonly onError: (error: unknown) => void;
  /** Milliseconds between looks. Default 500. */
  readonly every?: number;
}

interface FoundEntry {
  readonly seq: number | string;
  readonly project_id: string | null;
  readonly table_id: string | null;
  readonly request_id: string | null;
}

/** How far below the newest number transactions may still be open. */
const openRange = 200;

/**
 * Finds in the log what other servers wrote, where no bus tells of it: on MySQL without a plugin that brings one. Counts and the
 * places of deep pages that this server remembers are then a moment old, and not as old as they may get.
 */
export class LogFollower {
  readonly #deps: LogFollowerDependencies;
  #timer: NodeJS.Timeout | undefined;
  #hearing: { dispose(): unknown } | undefined;
  /** The newest number of the look before; undefined until the first one. */
  #newest: number | undefined;
  /** Numbers in the open range that are known already. */
  #known = new Set<number>();
  #isLooking = false;

  constructor(deps: LogFollowerDependencies) {
    this.#deps = deps;
  }

  start(): void {
    const { bus, metadata, every = 500 } = this.#deps;
    // Other servers stand on a database that many can write to.
    if (!metadata.database.dialect.statements.locksRows) return;
    this.#hearing = bus.subscribe('rows.changed', {
      message: ({ seq }) => {
        // Known numbers are forgotten only by a look at the log, and there is none while a transport tells of entries.
        if (!bus.hasTransport) this.#known.add(seq);
      },
      gap: () => {},
    });
    this.#timer = setInterval(() => void this.#look(), every);
    this.#timer.unref();
  }

  dispose(): void {
    clearInterval(this.#timer);
    void this.#hearing?.dispose();
  }

  async #look(): Promise<void> {
    const { bus, onError } = this.#deps;
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      if (bus.hasTransport) this.#forget();
      else await this.#findNew();
    } catch (error) {
      onError(error);
    } finally {
      this.#isLooking = false;
    }
  }

  #forget(): void {
    this.#newest = undefined;
    this.#known.clear();
  }

  async #findNew(): Promise<void> {
    const { bus } = this.#deps;
    const from = this.#newest;
    const entries = await this.#entriesAfter((from ?? Number.POSITIVE_INFINITY) - openRange);
    const unknown = entries.filter(({ seq }) => !this.#known.has(Number(seq)));
    // The newest entry comes first. There may be very many entries when this server could not look for a while.
    const newest = Math.max(from ?? 0, Number(entries[0]?.seq ?? 0));
    const known = [...this.#known, ...entries.map(({ seq }) => Number(seq))];
    this.#known = new Set(known.filter((seq) => seq > newest - openRange));
    this.#newest = newest;
    if (from === undefined) return;
    for (const { seq, project_id: projectId, table_id: tableId, request_id: requestId } of unknown)
      if (projectId !== null && tableId !== null)
        bus.hear('rows.changed', { projectId, tableId, seq: Number(seq), requestId: requestId ?? '' });
  }

  /** The entries after a number; the newest ones when it is infinite. */
  async #entriesAfter(seq: number): Promise<readonly FoundEntry[]> {
    return this.#deps.metadata.database.read((unit) => {
      const entries = unit
        .knex('trellis_log_entry')
        .orderBy('seq', 'desc')
        .select('seq', 'project_id', 'table_id', 'request_id');
      return unit.all<FoundEntry>(
        Number.isFinite(seq) ? entries.where('seq', '>', seq) : entries.limit(openRange),
      );
    });
  }
}
