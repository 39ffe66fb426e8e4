import { randomUUID } from 'node:crypto';
import { pauseAfter } from './keyed-work.ts';
import type { PluginDatabase, PluginSchema, PluginUnit } from './plugin-database.ts';
import type { Servers } from './servers.ts';

type Query = ReturnType<PluginUnit['table']>;

/** Ends of servers in the middle of one piece of work that it survives without a pause: people restart servers. */
const restarts = 5;
/**
 * Ends of servers in the middle of one piece of work before it is given up, about a day after the first: it may be what ends them.
 * @public
 */
export const mostInterrupted = restarts + 12;

/**
 * Rows of a plugin's table that are work, shared by the servers on one database. A row is taken under the id of its server for a while: what a
 * server held that has ended is free at once, and what one held that hangs is free when that while is over. Its table has `state`, `next_at`,
 * `lease_until` and the columns of `addTo`.
 * @public
 */
export class ClaimedRows {
  readonly #deps: { readonly db: PluginDatabase; readonly servers: Servers };
  readonly #table: string;
  readonly #now: () => number;
  /** A plugin that was switched off and on in one process left what it held behind as well. */
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

  /** A migration that lets the rows of a table be claimed. */
  static async addTo(schema: PluginSchema, table: string): Promise<void> {
    // Who has taken it, and how often it was taken by a server that ended in the middle of it; empty for none.
    await schema.addColumn(table, 'claimed_by', { kind: 'string', length: 80 });
    await schema.addColumn(table, 'interrupted', { kind: 'integer' });
    await schema.addIndex(table, ['claimed_by']);
  }

  /** What a row holds while this server has it. */
  takenUntil(until: number) {
    return { claimed_by: this.#id, lease_until: until };
  }

  /** What a row holds when the one who took it is done with it. */
  static readonly done = { claimed_by: null, lease_until: 0, interrupted: null };

  /** Whether at least `least` of the chosen rows wait. */
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
   * Frees what others took and do not go on with. Called by each look for what is due. What servers ended in the middle of more than a few
   * times waits longer and longer for its next turn, so that it cannot keep every start down.
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

  /** Those that have ended: servers, and what this one did before it was switched off. */
  async #endedOf(claimants: readonly string[]): Promise<ReadonlySet<string>> {
    const { servers } = this.#deps;
    const serverOf = (by: string) => by.slice(0, by.lastIndexOf('/'));
    const ended = new Set([servers.id, ...(await servers.endedOf(claimants.map(serverOf)))]);
    return new Set(claimants.filter((by) => by !== this.#id && ended.has(serverOf(by))));
  }
}
