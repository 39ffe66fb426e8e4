import { nextRuns, readTimePlan, type TimePlan } from '@trellis/sdk/shared';
import type {
  AutomationEntity,
  RunAttemptEntity,
  RunEntity,
  RunItemEntity,
  RunState,
  RunStepEntity,
  Stuck,
} from '../shared/index.ts';
import type { Automation } from './automation-store.ts';
import type { Run, RunStep } from './run-store.ts';

const iso = (at: number) => new Date(at).toISOString();
const shownRuns = 5;

/** Identifies the current definition; every change gets another version. */
export function automationRevision({ version }: Pick<Automation, 'version'>): string {
  return String(version);
}

/** An automation with a summary of its log. */
export function toAutomationEntity(
  automation: Automation,
  of: {
    /** The times at which it starts. */
    readonly plan: TimePlan | undefined;
    readonly last?: { readonly state: RunState; readonly at: number } | undefined;
    readonly failures?: number | undefined;
    readonly waiting?: number | undefined;
    readonly stuck?: Stuck | undefined;
  },
): AutomationEntity {
  const { id, projectId, owner, active, paused, dropped, version, definition, createdAt, updatedAt } =
    automation;
  return {
    id,
    project_id: projectId,
    ...definition,
    active,
    paused: paused ?? null,
    owner: { id: owner.id, email: owner.email },
    version,
    revision: automationRevision(automation),
    last_run: of.last === undefined ? null : { state: of.last.state, at: iso(of.last.at) },
    next_runs: active && paused === undefined && of.plan !== undefined ? nextOf(of.plan) : [],
    failures: of.failures ?? 0,
    waiting: of.waiting ?? 0,
    stuck: of.stuck ?? null,
    dropped,
    created_at: iso(createdAt),
    updated_at: iso(updatedAt),
  };
}

function nextOf(plan: TimePlan): readonly string[] {
  const read = readTimePlan(plan);
  return read.ok ? nextRuns(read.plan, read.zone, Date.now(), shownRuns).map(iso) : [];
}

/** @param naming the title of the display column of the rows that start runs; undefined if none do */
export function toRunEntity(run: Run, naming: string | undefined): RunEntity {
  const { id, state, version, rowKey, error, createdAt, endedAt, nextAt } = run;
  return {
    id,
    state,
    version,
    row_id: rowKey,
    row_title: titleIn(run.values.row, naming),
    error: error ?? null,
    created_at: iso(createdAt),
    ended_at: endedAt === undefined ? null : iso(endedAt),
    next_at: state === 'waiting' && nextAt > 0 ? iso(nextAt) : null,
  };
}

/** The most characters of a row's title. */
const longestTitle = 200;

function titleIn(row: unknown, naming: string | undefined): string | null {
  if (naming === undefined || typeof row !== 'object' || row === null || !Object.hasOwn(row, naming))
    return null;
  const value = (row as Readonly<Record<string, unknown>>)[naming];
  const isText = typeof value === 'string' || typeof value === 'number';
  return isText && value !== '' ? String(value).slice(0, longestTitle) : null;
}

export function toRunStepEntity(
  { startedAt, durationMs, error, output, keptOutput: _, ...step }: RunStep,
  {
    items = [],
    attempts = [],
  }: {
    readonly items?: readonly RunItemEntity[] | undefined;
    readonly attempts?: readonly RunAttemptEntity[] | undefined;
  } = {},
): RunStepEntity {
  return {
    ...step,
    output: output ?? null,
    error: error ?? null,
    started_at: iso(startedAt),
    duration_ms: durationMs ?? null,
    items,
    attempts,
  };
}
