import { ClaimedRows, type PluginDatabase, type PluginUnit, type Secrets } from '@trellis/sdk/server';
import type { TemplateValues } from '@trellis/sdk/shared';
import type { Problem, RunState, RunStepEntity, StepDefinition, Stuck } from '../shared/index.ts';
import { keepAttempt, type FormerTry } from './run-attempts.ts';

/** A run, before it begins. */
export interface NewRun {
  readonly id: string;
  readonly ruleId: string;
  readonly projectId: string;
  readonly eventId: string;
  readonly version: number;
  readonly rowKey: string;
  readonly seq: number;
  readonly position: number;
  readonly values: TemplateValues;
  readonly chain: readonly string[];
  /** Why it never begins. */
  readonly skipped?: Problem;
}

/** Times are in milliseconds since 1970. */
export interface Run extends Omit<NewRun, 'skipped'> {
  readonly state: RunState;
  readonly attempts: number;
  /** How often a server claimed it and ended before the current step did. */
  readonly interrupted: number;
  readonly nextAt: number;
  readonly error: Problem | undefined;
  readonly createdAt: number;
  readonly endedAt: number | undefined;
}

/** A stored step of a run. */
export interface RunStep {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly state: RunStepEntity['state'];
  readonly input: unknown;
  /** As the log shows it; for the values of later steps, see `RunStore.outputOf`. */
  readonly output: unknown;
  /** The full output, sealed, if the log shows less. */
  readonly keptOutput: string | undefined;
  readonly error: Problem | undefined;
  readonly startedAt: number;
  readonly durationMs: number | undefined;
}

/** The result of a step. */
export interface StepEnd extends Pick<RunStep, 'state' | 'input' | 'error' | 'durationMs'> {
  readonly output: TemplateValues | undefined;
  /** The output without secrets, for the log. */
  readonly shownOutput: TemplateValues | undefined;
}

/** The new state of a run. */
export interface RunPatch {
  readonly state: RunState;
  readonly attempts?: number;
  readonly nextAt?: number;
  /** Set if the run continues at once. */
  readonly leaseUntil?: number;
  readonly error?: Problem | undefined;
  readonly version?: number;
}

export type Stored = Readonly<Record<string, string | number | null>>;

const longestKey = 255;
const rowsAtOnce = 100;
const purpose = 'automation-output';
/** The most characters that the log shows of a step's input, and of its output. */
const longestShown = 64 * 1024;

/** Runs with their steps. */
export class RunStore {
  readonly #db: PluginDatabase;
  readonly #secrets: Secrets;

  constructor(db: PluginDatabase, secrets: Secrets) {
    this.#db = db;
    this.#secrets = secrets;
  }

  /**
   * Stores runs; an event that has already started an automation is ignored. Returns the number of new ones.
   *
   * @param also writes something else in the same transaction
   */
  async add(runs: readonly NewRun[], also?: (unit: PluginUnit) => Promise<void>): Promise<number> {
    if (runs.length === 0 && also === undefined) return 0;
    const at = Date.now();
    const rows = runs.map((run) => ({
      id: run.id,
      rule_id: run.ruleId,
      project_id: run.projectId,
      event_id: run.eventId,
      version: run.version,
      row_key: run.rowKey.slice(0, longestKey),
      seq: run.seq,
      position: run.position,
      event_values: JSON.stringify(run.values),
      chain: JSON.stringify(run.chain),
      state: run.skipped === undefined ? 'waiting' : 'skipped',
      error: run.skipped === undefined ? null : JSON.stringify(run.skipped),
      ended_at: run.skipped === undefined ? null : at,
      attempts: 0,
      next_at: 0,
      lease_until: 0,
      created_at: at,
    }));
    return this.#db.write(async (unit) => {
      let added = 0;
      for (let first = 0; first < rows.length; first += rowsAtOnce) {
        const part = rows.slice(first, first + rowsAtOnce);
        const held = await unit.all<{ readonly rule_id: string; readonly event_id: string }>(
          unit
            .table('run')
            .whereIn('event_id', [...new Set(part.map((row) => row.event_id))])
            .select('rule_id', 'event_id'),
        );
        const known = new Set(held.map((row) => `${row.rule_id} ${row.event_id}`));
        const fresh = part.filter((row) => !known.has(`${row.rule_id} ${row.event_id}`));
        if (fresh.length === 0) continue;
        await unit.run(unit.table('run').insert(fresh).onConflict(['rule_id', 'event_id']).ignore());
        added += fresh.length;
      }
      await also?.(unit);
      return added;
    });
  }

  async byId(id: string): Promise<Run | undefined> {
    const row = await this.#db.read((unit) => unit.first<Stored>(unit.table('run').where({ id })));
    return row && toRun(row);
  }

  /** The run of an automation that an event started. */
  async byEvent(ruleId: string, eventId: string): Promise<Run | undefined> {
    const own = { rule_id: ruleId, event_id: eventId };
    const row = await this.#db.read((unit) => unit.first<Stored>(unit.table('run').where(own)));
    return row && toRun(row);
  }

  /** How often an automation was started since a given time. */
  async countSince(ruleId: string, since: number): Promise<number> {
    const row = await this.#db.read((unit) =>
      unit.first<{ readonly total: number | string }>(
        unit
          .table('run')
          .where({ rule_id: ruleId })
          .whereNot({ state: 'skipped' })
          .andWhere('created_at', '>=', since)
          .count({ total: '*' }),
      ),
    );
    return Number(row?.total ?? 0);
  }

  async steps(runId: string): Promise<readonly RunStep[]> {
    const rows = await this.#db.read((unit) =>
      unit.all<Stored>(unit.table('run_step').where({ run_id: runId }).orderBy('position')),
    );
    return rows.map(toStep);
  }

  /** The output of a finished step for later ones. @throws TrellisError `SECRET_UNREADABLE` */
  outputOf({ output, keptOutput }: RunStep): TemplateValues {
    if (keptOutput === undefined) return (output ?? {}) as TemplateValues;
    return JSON.parse(this.#secrets.decrypt(purpose, keptOutput)) as TemplateValues;
  }

  /** Stores that a step begins, and its earlier result; false if its run was deleted. */
  async beginStep(
    run: Pick<Run, 'id' | 'interrupted'>,
    step: StepDefinition,
    position: number,
    leaseUntil: number,
  ): Promise<boolean> {
    const { id: runId } = run;
    return this.#db.write(async (unit) => {
      const whole = unit.table('run').where({ id: runId });
      // Not by the number of changed rows: MySQL does not count a row that is updated to the same values.
      if ((await unit.first(whole.clone().forUpdate().select('id'))) === undefined) return false;
      await unit.run(whole.clone().update({ lease_until: leaseUntil }));
      const own = () => unit.table('run_step').where({ run_id: runId, step_id: step.id });
      const former = await unit.first<FormerTry>(own());
      // A step that waited between two rows continues.
      if (former !== undefined && (former.state === 'failed' || run.interrupted > 0))
        await keepAttempt(unit, former);
      await unit.run(own().delete());
      await unit.run(
        unit.table('run_step').insert({
          run_id: runId,
          step_id: step.id,
          position,
          name: step.name,
          type: step.type,
          state: 'running',
          started_at: Date.now(),
        }),
      );
      return true;
    });
  }

  /** Stores a step's result and the new state of its run, in one transaction. */
  async endStep(runId: string, stepId: string, end: StepEnd, run: RunPatch): Promise<void> {
    const output = end.output === undefined ? null : JSON.stringify(end.output);
    const shown = shownJson(end.shownOutput);
    const kept = output === null || output === shown ? null : this.#secrets.encrypt(purpose, output);
    await this.#db.write(async (unit) => {
      await unit.run(
        unit
          .table('run_step')
          .where({ run_id: runId, step_id: stepId })
          .update({
            state: end.state,
            input: shownJson(end.input),
            output: shown,
            kept_output: kept,
            error: end.error === undefined ? null : JSON.stringify(end.error),
            duration_ms: end.durationMs ?? null,
          }),
      );
      await unit.run(unit.table('run').where({ id: runId }).update(columnsOf(run)));
    });
  }

  async change(runId: string, patch: RunPatch): Promise<void> {
    await this.#db.write((unit) => unit.run(unit.table('run').where({ id: runId }).update(columnsOf(patch))));
  }

  /** The newest first. */
  async log(ruleId: string, page: { readonly limit: number; readonly offset: number }) {
    return this.#db.read(async (unit) => {
      const own = () => unit.table('run').where({ rule_id: ruleId });
      const rows = await unit.all<Stored>(
        own()
          .orderBy([
            { column: 'created_at', order: 'desc' },
            { column: 'seq', order: 'desc' },
            { column: 'position', order: 'desc' },
            { column: 'id', order: 'desc' },
          ])
          .limit(page.limit)
          .offset(page.offset),
      );
      const total = await unit.first<{ readonly total: number | string }>(own().count({ total: '*' }));
      return { list: rows.map(toRun), total: Number(total?.total ?? 0) };
    });
  }

  /**
   * For each automation of a project: time and result of the last run, the number of failed and of waiting runs, and why some of
   * these are held back.
   */
  async summaries(projectId: string) {
    return this.#db.read(async (unit) => {
      const counted = await unit.all<Stored>(
        unit
          .table('run')
          .where({ project_id: projectId })
          .whereIn('state', ['failed', 'waiting'])
          .groupBy('rule_id', 'state')
          .select('rule_id', 'state')
          .count({ total: '*' }),
      );
      const newest = await unit.all<Stored>(
        unit
          .table('run')
          .where({ project_id: projectId })
          .whereNot({ state: 'skipped' })
          .groupBy('rule_id')
          .select('rule_id')
          .max({ at: 'created_at' }),
      );
      const last = new Map<string, { readonly state: RunState; readonly at: number }>();
      for (const { rule_id, at } of newest) {
        const row = await unit.first<Stored>(
          unit
            .table('run')
            .where({ rule_id, created_at: at })
            .whereNot({ state: 'skipped' })
            .orderBy([
              { column: 'seq', order: 'desc' },
              { column: 'position', order: 'desc' },
            ])
            .select('state'),
        );
        last.set(String(rule_id), { state: (row?.state ?? 'waiting') as RunState, at: Number(at) });
      }
      const held = await unit.all<Stored>(
        heldBack(unit, { project_id: projectId })
          .groupBy('rule_id')
          .select('rule_id')
          .count({ total: '*' })
          .min({ at: 'created_at' }),
      );
      const stuck = new Map<string, Stuck>();
      for (const { rule_id, at, total } of held) {
        const row = await unit.first<Stored>(
          heldBack(unit, { rule_id: String(rule_id), created_at: Number(at) }).select('error'),
        );
        const reason = json<Problem>(row?.error);
        if (reason !== undefined) stuck.set(String(rule_id), { count: Number(total), reason });
      }
      const of = (wanted: RunState) =>
        new Map(
          counted
            .filter(({ state }) => state === wanted)
            .map(({ rule_id, total }) => [String(rule_id), Number(total)]),
        );
      return { last, failures: of('failed'), waiting: of('waiting'), stuck };
    });
  }
}

export function columnsOf({ state, attempts, nextAt = 0, leaseUntil, error, version }: RunPatch) {
  return {
    state,
    next_at: nextAt,
    ...(leaseUntil === undefined ? ClaimedRows.done : { lease_until: leaseUntil, interrupted: null }),
    error: error === undefined ? null : JSON.stringify(error),
    ended_at: state === 'done' || state === 'failed' ? Date.now() : null,
    ...(attempts !== undefined && { attempts }),
    ...(version !== undefined && { version }),
  };
}

export function shownJson(value: unknown): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  return text.length <= longestShown ? text : JSON.stringify(`${text.slice(0, longestShown)}…`);
}

/** Runs that wait because of a problem: a channel that is off, or a step that will be tried again. */
function heldBack(unit: PluginUnit, of: Stored): ReturnType<PluginUnit['table']> {
  return unit
    .table('run')
    .where({ ...of, state: 'waiting' })
    .whereNotNull('error');
}

const number = (value: string | number | null | undefined) =>
  value === null || value === undefined ? undefined : Number(value);
const json = <T>(value: string | number | null | undefined): T | undefined =>
  typeof value === 'string' ? (JSON.parse(value) as T) : undefined;

function toRun(row: Stored): Run {
  return {
    id: String(row.id),
    ruleId: String(row.rule_id),
    projectId: String(row.project_id),
    eventId: String(row.event_id),
    version: Number(row.version),
    rowKey: String(row.row_key),
    seq: Number(row.seq),
    position: Number(row.position),
    values: json<TemplateValues>(row.event_values) ?? {},
    chain: json<readonly string[]>(row.chain) ?? [],
    state: row.state as RunState,
    attempts: Number(row.attempts),
    interrupted: Number(row.interrupted ?? 0),
    nextAt: Number(row.next_at),
    error: json<Problem>(row.error),
    createdAt: Number(row.created_at),
    endedAt: number(row.ended_at),
  };
}

function toStep(row: Stored): RunStep {
  return {
    id: String(row.step_id),
    name: String(row.name),
    type: String(row.type),
    state: row.state as RunStep['state'],
    input: json(row.input),
    output: json(row.output),
    keptOutput: typeof row.kept_output === 'string' ? row.kept_output : undefined,
    error: json<Problem>(row.error),
    startedAt: Number(row.started_at),
    durationMs: number(row.duration_ms),
  };
}
