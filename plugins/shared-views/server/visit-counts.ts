import type { Disposable } from '@trellis/sdk/shared';
import type { Logger, PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import { shownDays, type LinkVisits } from '../shared/index.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Days for which daily visits are stored. */
const keptDays = 400;
/** Milliseconds until a visit is written. */
const writesAfter = 20_000;

interface DayRow {
  readonly view_id: string;
  readonly day: string;
  readonly visits: number | string;
  readonly last_at: number | string;
}

/** Visits of a view on a day that are not written yet. */
interface Gathered {
  readonly viewId: string;
  readonly day: string;
  count: number;
  lastAt: number;
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/**
 * Counts how often the pages of links were opened: a number for each view and day (UTC), and the last time. Nothing about the
 * visitors is stored. Visits are collected in memory and written together a little later, so that a busy link causes few writes; a
 * killed server loses those of the last seconds.
 */
export class VisitCounts implements Disposable {
  readonly #db: PluginDatabase;
  readonly #logger: Logger;
  readonly #now: () => number;
  #gathered = new Map<string, Gathered>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(of: { readonly db: PluginDatabase; readonly logger: Logger; readonly now?: () => number }) {
    this.#db = of.db;
    this.#logger = of.logger;
    this.#now = of.now ?? Date.now;
  }

  count(viewId: string): void {
    const at = this.#now();
    this.#gather({ viewId, day: dayOf(at), count: 1, lastAt: at });
    this.#timer ??= setTimeout(() => void this.#flush(), writesAfter).unref();
  }

  /** The visits of views, including those that are not written yet. */
  async of(viewIds: readonly string[]): Promise<ReadonlyMap<string, LinkVisits>> {
    await this.#writing;
    const kept = await this.#db.read((unit) =>
      unit.all<DayRow>(unit.table('visit').whereIn('view_id', viewIds).select()),
    );
    const now = this.#now();
    const days = Array.from({ length: shownDays }, (_, at) => dayOf(now - (shownDays - 1 - at) * dayMs));
    const all = [
      ...kept.map((row) => ({
        viewId: row.view_id,
        day: row.day,
        count: Number(row.visits),
        lastAt: Number(row.last_at),
      })),
      ...this.#gathered.values(),
    ];
    return new Map(
      viewIds.map((viewId) => {
        const own = all.filter((of) => of.viewId === viewId);
        const on = (day: string) => sum(own.filter((of) => of.day === day));
        const lastAt = Math.max(0, ...own.map((of) => of.lastAt));
        const last = lastAt === 0 ? null : new Date(lastAt).toISOString();
        return [viewId, { total: sum(own), days: days.map(on), last_at: last }];
      }),
    );
  }

  async forget(viewId: string): Promise<void> {
    for (const [key, of] of this.#gathered) if (of.viewId === viewId) this.#gathered.delete(key);
    await this.#writing;
    await this.#db.write((unit) => unit.run(unit.table('visit').where({ view_id: viewId }).delete()));
  }

  /** Deletes old days, and the counts of views that no longer have a link. */
  async prune(): Promise<void> {
    const oldest = dayOf(this.#now() - keptDays * dayMs);
    await this.#db.write(async (unit) => {
      await unit.run(unit.table('visit').where('day', '<', oldest).delete());
      await unit.run(
        unit.table('visit').whereNotIn('view_id', this.#db.table('link').select('view_id')).delete(),
      );
    });
  }

  /** Writes the collected visits. */
  async dispose(): Promise<void> {
    await this.#flush();
  }

  #gather({ viewId, day, count, lastAt }: Gathered): void {
    const key = `${viewId} ${day}`;
    const known = this.#gathered.get(key);
    if (known === undefined) return void this.#gathered.set(key, { viewId, day, count, lastAt });
    known.count += count;
    known.lastAt = Math.max(known.lastAt, lastAt);
  }

  #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const gathered = this.#gathered;
    if (gathered.size === 0) return;
    this.#gathered = new Map();
    for (const of of gathered.values())
      try {
        // Another server may insert the day at the same moment.
        await this.#db.writeKey((unit) => add(unit, of));
      } catch (error) {
        this.#gather(of);
        this.#logger.warn('Visits of a link were not written; they are tried again with the next ones.', {
          view: of.viewId,
          error,
        });
      }
  }
}

const sum = (of: readonly { readonly count: number }[]) => of.reduce((all, { count }) => all + count, 0);

async function add(unit: PluginUnit, { viewId, day, count, lastAt }: Gathered): Promise<void> {
  const key = { view_id: viewId, day };
  const changed = await unit.run(
    unit.table('visit').where(key).increment('visits', count).update({ last_at: lastAt }),
  );
  if (changed === 0) await unit.run(unit.table('visit').insert({ ...key, visits: count, last_at: lastAt }));
}
