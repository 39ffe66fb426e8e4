import type { ClaimedRows, PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import { columnsOf, type Run } from './run-store.ts';

/** A run that can begin or continue; its event is read once it does. */
export type DueRun = Pick<Run, 'id' | 'rowKey'>;

/** The runs that can begin or continue, shared among the servers by claims. */
export class DueRuns {
  readonly #db: PluginDatabase;
  readonly #claims: ClaimedRows;

  constructor(db: PluginDatabase, claims: ClaimedRows) {
    this.#db = db;
    this.#claims = claims;
  }

  /** The ids of the automations with a run that can begin or continue, including runs of ended servers. */
  async dueRules(now: number): Promise<readonly string[]> {
    await this.#claims.free();
    const rows = await this.#db.read((unit) =>
      unit.all<{ readonly rule_id: string }>(
        unit
          .table('run')
          .whereIn('state', ['waiting', 'running'])
          .andWhere('next_at', '<=', now)
          .andWhere('lease_until', '<=', now)
          // A paused automation may have many waiting runs, which are not read.
          .whereIn('rule_id', running(unit))
          .distinct('rule_id')
          .limit(1000),
      ),
    );
    return rows.map(({ rule_id }) => rule_id);
  }

  /**
   * The runs of an automation that can begin or continue, oldest events first. None of a row with a running run, or with one to be
   * retried, which goes first. A run that waits for its own time holds back no others.
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
          // Without their events, which may be large and of which few begin at once.
          .select('id', 'row_key'),
      );
    });
    return rows.map(({ id, row_key: rowKey }) => ({ id, rowKey }));
  }

  /** Whether at least `least` runs of an automation wait. */
  isWaiting(ruleId: string, least: number): Promise<boolean> {
    return this.#claims.isWaiting({ rule_id: ruleId }, least);
  }

  /** Lets a waiting run continue at once; one that a server has claimed meanwhile continues anyway. */
  async hurry(id: string): Promise<void> {
    await this.#db.write((unit) =>
      unit.run(unit.table('run').where({ id, state: 'waiting' }).update({ next_at: 0 })),
    );
  }

  /** Lets a failed run continue with the automation's current definition, unless somebody else has done so meanwhile. */
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

  /** Claims a run for this server until `until`; false if another one has it, or if its automation was paused or switched off. */
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

/** The automations that may begin runs. */
function running(unit: PluginUnit): ReturnType<PluginUnit['table']> {
  return unit.table('rule').where({ active: true }).whereNull('paused').select('id');
}
