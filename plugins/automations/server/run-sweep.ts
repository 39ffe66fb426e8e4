import type { PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import type { Problem } from '../shared/index.ts';
import { waitingForChannel } from './off-channels.ts';
import { columnsOf } from './run-store.ts';

type Query = ReturnType<PluginUnit['table']>;

/** Runs per transaction, so that other writes do not wait long. */
const runsAtOnce = 500;

/** Deletes runs that are no longer needed, in any number. */
export class RunSweep {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  /** Deletes runs created before a given time that have ended. */
  async forgetEnded(before: number): Promise<void> {
    await this.#inParts(
      (unit) =>
        unit.table('run').where('created_at', '<', before).whereIn('state', ['done', 'failed', 'skipped']),
      forget,
    );
  }

  /** The ids of deleted automations that still have runs. */
  async orphaned(): Promise<readonly string[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<{ readonly rule_id: string }>(
        unit.table('run').whereNotIn('rule_id', unit.table('rule').select('id')).distinct('rule_id'),
      ),
    );
    return rows.map(({ rule_id }) => rule_id);
  }

  /** Deletes the runs of a deleted automation. */
  async forget(ruleId: string, signal: AbortSignal): Promise<void> {
    await this.#inParts((unit) => unit.table('run').where({ rule_id: ruleId }), forget, signal);
  }

  /** Deletes the runs of an automation that wait to begin and were created before now; a run that has begun continues. */
  async dropWaiting(ruleId: string, signal: AbortSignal): Promise<void> {
    const now = Date.now();
    await this.#inParts((unit) => notBegun(unit, ruleId).andWhere('created_at', '<=', now), forget, signal);
  }

  /** The number of an automation's runs that wait to begin. */
  async countWaiting(ruleId: string): Promise<number> {
    const row = await this.#db.read((unit) =>
      unit.first<{ readonly total: number | string }>(notBegun(unit, ruleId).count({ total: '*' })),
    );
    return Number(row?.total ?? 0);
  }

  /**
   * Gives up runs that could have begun before a given time and still wait for an automation that is paused or off, or for a
   * channel that is off.
   */
  async giveUpWaiting(before: number, error: Problem): Promise<void> {
    const ofPaused = (unit: PluginUnit) =>
      unit
        .table('run')
        .where({ state: 'waiting' })
        .andWhere('created_at', '<', before)
        .andWhere('next_at', '<', before)
        .whereIn(
          'rule_id',
          unit
            .table('rule')
            .where((one) => void one.where({ active: false }).orWhereNotNull('paused'))
            .select('id'),
        );
    for (const meant of [
      ofPaused,
      (unit: PluginUnit) => waitingForChannel(unit).andWhere('created_at', '<', before),
    ])
      await this.#inParts(meant, async (unit, ids) => {
        await unit.run(
          unit
            .table('run')
            .whereIn('id', ids)
            .update(columnsOf({ state: 'failed', error })),
        );
      });
  }

  /**
   * Applies something to all selected runs, a part in each transaction.
   *
   * @param does must leave none of its runs in the selection
   */
  async #inParts(
    meant: (unit: PluginUnit) => Query,
    does: (unit: PluginUnit, ids: string[]) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void> {
    for (let isMore = true; isMore && signal?.aborted !== true;) {
      const found = await this.#db.read((unit) => idsOf(unit, meant(unit).limit(runsAtOnce)));
      isMore = found.length === runsAtOnce;
      if (found.length === 0) break;
      await this.#db.write(async (unit) => {
        // Some may have begun meanwhile; none can begin while locked.
        const ids = await idsOf(unit, meant(unit).whereIn('id', found).forUpdate());
        await does(unit, ids);
      });
    }
  }
}

/** Waiting runs without a step: others wait in the middle of their work. */
function notBegun(unit: PluginUnit, ruleId: string): Query {
  const waiting = () => unit.table('run').where({ rule_id: ruleId, state: 'waiting' });
  const begun = unit.table('run_step').whereIn('run_id', waiting().select('id')).select('run_id');
  return waiting().whereNotIn('id', begun);
}

async function idsOf(unit: PluginUnit, runs: Query): Promise<string[]> {
  const rows = await unit.all<{ readonly id: string }>(runs.select('id'));
  return rows.map(({ id }) => id);
}

async function forget(unit: PluginUnit, ids: string[]): Promise<void> {
  await unit.run(unit.table('run_step').whereIn('run_id', ids).delete());
  await unit.run(unit.table('run_item').whereIn('run_id', ids).delete());
  await unit.run(unit.table('run_attempt').whereIn('run_id', ids).delete());
  await unit.run(unit.table('run').whereIn('id', ids).delete());
}
