import type { ClaimedRows, PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import { columnsOf, type Run } from './run-store.ts';

/** A run that can begin or go on; what started it is read once it does. */
export type DueRun = Pick<Run, 'id' | 'rowKey'>;

/** The runs that can begin or go on, shared by the servers by claims. */
export class DueRuns {
  readonly #db: PluginDatabase;
  readonly #claims: ClaimedRows;

  constructor(db: PluginDatabase, claims: ClaimedRows) {
    this.#db = db;
    this.#claims = claims;
  }

  /** The ids of the automations that have a run which can begin or go on, be it where a server ended. */
  async dueRules(now: number): Promise<readonly string[]> {
    await this.#claims.free();
    const rows = await this.#db.read((unit) =>
      unit.all<{ readonly rule_id: string }>(
        unit
          .table('run')
          .whereIn('state', ['waiting', 'running'])
          .andWhere('next_at', '<=', now)
          .andWhere('lease_until', '<=', now)
          // What waits for an automation that is paused may be much, and is not looked at.
          .whereIn('rule_id', running(unit))
          .distinct('rule_id')
          .limit(1000),
      ),
    );
    return rows.map(({ rule_id }) => rule_id);
  }

  /**
   * What can begin or go on of an automation, the oldest events first. Of a row of which a run is under way, or waits to be tried again,
   * nothing: that one goes first. One that waits for its own moment keeps no others back.
   */
  async due(ruleId: string, now: number, limit: number): Promise<readonly DueRun[]> {
    const rows = await this.#db.read((unit) => {
      const own = () => unit.table('run').where({ rule_id: ruleId });
      const rowsOf = (runs: ReturnType<typeof own>) => runs.whereNot('row_key', '').select('row_key');
      const underWay = own()
        .where({ state: 'running' })
        .andWhere((run) => void run.where('lease_until', '>', now).orWhere('next_at', '>', now));
      const toTryAgain = own()
        .where({ state: 'waiting' })
        .andWhere('attempts', '>', 0)
        .andWhere('next_at', '>', now);
      return unit.all<{ readonly id: string; readonly row_key: string }>(
        own()
          .whereIn('state', ['waiting', 'running'])
          .andWhere('next_at', '<=', now)
          .andWhere('lease_until', '<=', now)
          .whereNotIn('row_key', rowsOf(underWay))
          .whereNotIn('row_key', rowsOf(toTryAgain))
          .orderBy(['seq', 'position', 'created_at', 'id'])
          .limit(limit)
          // What started them may be much, and few of them begin at once.
          .select('id', 'row_key'),
      );
    });
    return rows.map(({ id, row_key: rowKey }) => ({ id, rowKey }));
  }

  /** Whether at least `least` runs of an automation wait. */
  isWaiting(ruleId: string, least: number): Promise<boolean> {
    return this.#claims.isWaiting({ rule_id: ruleId }, least);
  }

  /** Lets a run that waits go on at once; what another one has taken meanwhile goes on anyway. */
  async hurry(id: string): Promise<void> {
    await this.#db.write((unit) =>
      unit.run(unit.table('run').where({ id, state: 'waiting' }).update({ next_at: 0 })),
    );
  }

  /** Lets a run that failed go on as its automation is set now; one that somebody else has let go on meanwhile is not begun beside itself. */
  async tryAgain(id: string, version: number): Promise<void> {
    await this.#db.write((unit) =>
      unit.run(
        unit
          .table('run')
          .where({ id, state: 'failed' })
          .update(columnsOf({ state: 'waiting', attempts: 0, version })),
      ),
    );
  }

  /** Takes a run for this server until `until`; false where another one has it, or its automation was paused or switched off since. */
  async claim(id: string, now: number, until: number): Promise<boolean> {
    const changed = await this.#db.write((unit) =>
      unit.run(
        unit
          .table('run')
          .where({ id })
          .whereIn('state', ['waiting', 'running'])
          .andWhere('lease_until', '<=', now)
          // Another server may have tried it since it was found due.
          .andWhere('next_at', '<=', now)
          .whereIn('rule_id', running(unit))
          .update({ state: 'running', ...this.#claims.takenUntil(until) }),
      ),
    );
    return changed > 0;
  }
}

/** The automations that begin runs. */
function running(unit: PluginUnit): ReturnType<PluginUnit['table']> {
  return unit.table('rule').where({ active: true }).whereNull('paused').select('id');
}
