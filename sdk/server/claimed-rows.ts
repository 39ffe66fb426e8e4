import { randomUUID } from 'node:crypto';
import { pauseAfter } from './keyed-work.ts';
import type { PluginDatabase, PluginSchema, PluginUnit } from './plugin-database.ts';
import type { Servers } from './servers.ts';

type Query = ReturnType<PluginUnit['table']>;

/** How often servers may end during one piece of work before it has to wait: people restart servers. */
const restarts = 5;
/**
 * How often servers may end during one piece of work before it is given up, about a day after the first time: the work may be the
 * cause.
 * @public
 */
export const mostInterrupted = restarts + 12;

/**
 * Rows of a plugin's table that are work for the servers on one database. A server takes a row under its id for a limited time.
 * Rows of a server that has ended are free at once, and rows of one that hangs when the time is over. The table has `state`,
 * `next_at`, `lease_until` and the columns of `addTo`.
 * @public
 */
export class ClaimedRows {
  readonly #deps: { readonly db: PluginDatabase; readonly servers: Servers };
  readonly #table: string;
  readonly #now: () => number;
  /** Made anew for each start of the plugin: switching it off and on within one process also leaves rows behind. */
  readonly #id: string;

  constructor(
    deps: { readonly db: PluginDatabase; readonly servers: Servers },
    table: string,
    now: () => number = Date.now,
  ) {
    this.#deps = deps;
    this.#table = table;
    this.#now = now;
    this.#id = `${deps.servers.id}/${randomUUID().slice(0, 8)}`;
  }

  /** A migration that prepares a table for claims. */
  static async addTo(schema: PluginSchema, table: string): Promise<void> {
    // The claimant, and how often a server ended while it held the row; empty for none.
    await schema.addColumn(table, 'claimed_by', { kind: 'string', length: 80 });
    await schema.addColumn(table, 'interrupted', { kind: 'integer' });
    await schema.addIndex(table, ['claimed_by']);
  }

  /** The fields of a row while this server holds it. */
  takenUntil(until: number) {
    return { claimed_by: this.#id, lease_until: until };
  }

  /** The fields of a row when its holder is done with it. */
  static readonly done = { claimed_by: null, lease_until: 0, interrupted: null };

  /** Whether at least `least` of the selected rows wait. */
  async isWaiting(of: Readonly<Record<string, string>>, least: number): Promise<boolean> {
    const found = await this.#deps.db.read((unit) =>
      unit.first(
        unit
          .table(this.#table)
          .where({ ...of, state: 'waiting' })
          .orderBy(['seq', 'position'])
          .offset(Math.max(0, least - 1))
          .limit(1)
          .select('state'),
      ),
    );
    return found !== undefined;
  }

  /**
   * Frees rows whose holder does not continue. Called at each check for due rows. A row during which servers ended more than a
   * few times waits longer each time, so that it cannot prevent every start.
   */
  async free(): Promise<void> {
    const now = this.#now();
    const taken = await this.#deps.db.read((unit) =>
      unit.all<{
        readonly claimed_by: string;
        readonly interrupted: number | null;
        readonly until: number | string;
      }>(
        unit
          .table(this.#table)
          .whereNotNull('claimed_by')
          .groupBy('claimed_by', 'interrupted')
          .select('claimed_by', 'interrupted')
          .min({ until: 'lease_until' }),
      ),
    );
    const gone = await this.#endedOf(taken.map(({ claimed_by: by }) => by));
    for (const { claimed_by: by, interrupted, until } of taken) {
      const isGone = gone.has(by);
      if (!isGone && Number(until) > now) continue;
      await this.#deps.db.write((unit) => {
        const held = unit.table(this.#table).where({ claimed_by: by, interrupted });
        return unit.run(
          this.#freed(isGone ? held : held.andWhere('lease_until', '<=', now), interrupted ?? 0),
        );
      });
    }
  }

  #freed(held: Query, interrupted: number): Query {
    const times = interrupted + 1;
    return held.update({
      claimed_by: null,
      lease_until: 0,
      interrupted: times,
      ...(times > restarts && { next_at: this.#now() + pauseAfter(times - restarts) }),
    });
  }

  /** The claimants that have ended: servers, and former starts of the plugin on this one. */
  async #endedOf(claimants: readonly string[]): Promise<ReadonlySet<string>> {
    const { servers } = this.#deps;
    const serverOf = (by: string) => by.slice(0, by.lastIndexOf('/'));
    const ended = new Set([servers.id, ...(await servers.endedOf(claimants.map(serverOf)))]);
    return new Set(claimants.filter((by) => by !== this.#id && ended.has(serverOf(by))));
  }
}
