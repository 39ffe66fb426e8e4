import type { PluginDatabase } from '@trellis/sdk/server';
import type { RunItemEntity } from '../shared/index.ts';
import { jsonOf, toOutcome, type KeptOutcome } from './kept-outcome.ts';
import { columnsOf, shownJson, type RunPatch } from './run-store.ts';

interface Stored extends KeptOutcome {
  readonly step_id: string;
  readonly item: number | string;
  readonly state: RunItemEntity['state'];
  readonly output: string | null;
}

/** The results of a step that runs for each row, by row. */
export class RunItemStore {
  readonly #db: PluginDatabase;

  constructor(db: PluginDatabase) {
    this.#db = db;
  }

  /** By the ids of the steps of a run, in the order of their rows. */
  async ofRun(runId: string): Promise<ReadonlyMap<string, readonly RunItemEntity[]>> {
    const rows = await this.#db.read((unit) =>
      unit.all<Stored>(unit.table('run_item').where({ run_id: runId }).orderBy(['step_id', 'item'])),
    );
    const ofSteps = new Map<string, RunItemEntity[]>();
    for (const row of rows) ofSteps.set(row.step_id, [...(ofSteps.get(row.step_id) ?? []), toItem(row)]);
    return ofSteps;
  }

  /** Stores the step's result for a row and the new state of the run, in one transaction. */
  async end(runId: string, stepId: string, of: RunItemEntity, run: RunPatch): Promise<void> {
    await this.#db.write(async (unit) => {
      const whole = unit.table('run').where({ id: runId });
      // Deleted meanwhile, with its automation.
      if ((await unit.first(whole.clone().forUpdate().select('id'))) === undefined) return;
      const key = { run_id: runId, step_id: stepId, item: of.item };
      await unit.run(unit.table('run_item').where(key).delete());
      await unit.run(
        unit.table('run_item').insert({
          ...key,
          state: of.state,
          input: shownJson(of.input ?? undefined),
          output: shownJson(of.output ?? undefined),
          error: of.error === null ? null : JSON.stringify(of.error),
          duration_ms: of.duration_ms,
        }),
      );
      await unit.run(whole.clone().update(columnsOf(run)));
    });
  }
}

function toItem(row: Stored): RunItemEntity {
  return {
    item: Number(row.item),
    state: row.state,
    ...toOutcome(row),
    output: jsonOf(row.output),
  };
}
