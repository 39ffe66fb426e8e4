import type { PluginDatabase, PluginUnit } from '@trellis/sdk/server';
import type { Problem, RunAttemptEntity } from '../shared/index.ts';
import { jsonOf, toOutcome, type KeptOutcome } from './kept-outcome.ts';
import { isWaitForChannel } from './off-channels.ts';

/** A step as stored before it is tried again. */
export interface FormerTry extends KeptOutcome {
  readonly run_id: string;
  readonly step_id: string;
  readonly state: string;
  readonly started_at: number | string;
}

interface Stored extends FormerTry {
  readonly attempt: number | string;
}

/** The most stored tries of a step, which may be tried any number of times. */
const mostKept = 25;

/** Stores the result of a step before it is tried again, in the transaction that begins the next try. */
export async function keepAttempt(
  unit: PluginUnit,
  { run_id, step_id, state, input, error, started_at, duration_ms }: FormerTry,
): Promise<void> {
  const problem = jsonOf(error) as Problem | null;
  // Nothing was tried.
  if (problem !== null && isWaitForChannel(problem)) return;
  const own = () => unit.table('run_attempt').where({ run_id, step_id });
  const last = await unit.first<{ readonly at: number | string | null }>(own().max({ at: 'attempt' }));
  const attempt = Number(last?.at ?? 0) + 1;
  const came = state === 'failed' ? 'failed' : 'cut-off';
  await unit.run(
    unit
      .table('run_attempt')
      .insert({ run_id, step_id, attempt, state: came, input, error, started_at, duration_ms }),
  );
  if (attempt > mostKept)
    await unit.run(
      own()
        .andWhere('attempt', '<=', attempt - mostKept)
        .delete(),
    );
}

/** The earlier results of a run's steps, by step id: the oldest first. */
export async function attemptsOf(
  db: PluginDatabase,
  runId: string,
): Promise<ReadonlyMap<string, readonly RunAttemptEntity[]>> {
  const rows = await db.read((unit) =>
    unit.all<Stored>(unit.table('run_attempt').where({ run_id: runId }).orderBy(['step_id', 'attempt'])),
  );
  const ofSteps = new Map<string, RunAttemptEntity[]>();
  for (const row of rows) ofSteps.set(row.step_id, [...(ofSteps.get(row.step_id) ?? []), toAttempt(row)]);
  return ofSteps;
}

function toAttempt(row: Stored): RunAttemptEntity {
  return {
    state: row.state as RunAttemptEntity['state'],
    ...toOutcome(row),
    started_at: new Date(Number(row.started_at)).toISOString(),
  };
}
