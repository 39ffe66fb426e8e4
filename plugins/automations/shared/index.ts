import type { AutomationInput, AutomationSettings, Row, SettingsSchema } from '@trellis/sdk/shared';

export * from './own-kinds.ts';
export * from './template-names.ts';
export { timePlanIn, timePlanOf } from './time-plan-of.ts';

/** A step of an automation. */
export interface StepDefinition {
  /** Constant for the step: a repeated run skips the steps that it has finished. */
  readonly id: string;
  /** The name by which later steps use its output; unique within the automation. */
  readonly name: string;
  /** The id of an item of the registry `automationSteps`. */
  readonly type: string;
  readonly settings: AutomationSettings;
  /** If set, the step runs once for each row that an earlier one found. */
  readonly each?: EachRow;
}

/** The rows for which a step runs, in templates `{{item}}`. */
export interface EachRow {
  /** The id of the step that found them. */
  readonly step: string;
  /** Whether the step continues with the other rows if it fails for one. */
  readonly goesOn?: boolean;
}

/** What becomes of automations whose channel is switched off. */
export const automationsByChannel =
  'Automations that tell by {{channel}}: {{number}}. Their runs wait at that step for {{days}} days while it is off or removed, and go on if it is on again by then.';

/** What people set of an automation. */
export interface AutomationDefinition {
  readonly title: string;
  /** `type` is the id of an item of the registry `automationTriggers`. */
  readonly trigger: { readonly type: string; readonly settings: AutomationSettings };
  /** Filters in the form of those of views; a run begins only for rows that meet them. */
  readonly conditions: readonly unknown[];
  readonly steps: readonly StepDefinition[];
}

/** A failure in answers: `msg` is its English text. */
export interface Problem {
  readonly msg: string;
  readonly code?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Runs that are held back by a problem. */
export interface Stuck {
  readonly count: number;
  /** The problem of the first one. */
  readonly reason: Problem;
}

/** An automation in answers. Times are ISO 8601 in UTC. */
export interface AutomationEntity extends AutomationDefinition {
  readonly id: string;
  readonly project_id: string;
  readonly active: boolean;
  /** Why no run begins at the moment although the automation is on. */
  readonly paused: Problem | null;
  /** Whose rights it runs with: the last person who saved it or switched it on. */
  readonly owner: { readonly id: string; readonly email: string };
  readonly version: number;
  /** Identifies the current definition: a change sends it back as `replaces`. */
  readonly revision: string;
  readonly last_run: { readonly state: RunState; readonly at: string } | null;
  /** The next start times, for a time trigger; empty while it is paused or off. */
  readonly next_runs: readonly string[];
  /** The number of failed runs in the log. */
  readonly failures: number;
  /** Runs that wait: for their time, for another try, or for a paused automation. */
  readonly waiting: number;
  /** Those of them that a problem holds back; null for none. */
  readonly stuck: Stuck | null;
  /** How many of its events were not stored since it was paused, because enough of them wait. */
  readonly dropped: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A skipped run never begins: the rows that would have started it are not known. */
export type RunState = 'waiting' | 'running' | 'done' | 'failed' | 'skipped';

/** A run, for the log of its automation. */
export interface RunEntity {
  readonly id: string;
  readonly state: RunState;
  readonly version: number;
  /** The key of the row that started it; empty if no row did. */
  readonly row_id: string;
  /** The row's title at that time; null if its display column was empty. */
  readonly row_title: string | null;
  readonly error: Problem | null;
  readonly created_at: string;
  readonly ended_at: string | null;
  /** When it continues, if it waits for a time. */
  readonly next_at: string | null;
}

/** A step of a run. */
export interface RunStepEntity {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly state: 'running' | 'done' | 'failed';
  readonly input: unknown;
  readonly output: unknown;
  readonly error: Problem | null;
  readonly started_at: string;
  readonly duration_ms: number | null;
  /** The result for each row; empty for a step that runs once. */
  readonly items: readonly RunItemEntity[];
  /** The earlier tries, the oldest first: the last 25. */
  readonly attempts: readonly RunAttemptEntity[];
}

/** An earlier try of a step. `cut-off`: its server ended during it. */
export interface RunAttemptEntity {
  readonly state: 'failed' | 'cut-off';
  readonly input: unknown;
  readonly error: Problem | null;
  readonly started_at: string;
  readonly duration_ms: number | null;
}

/** The result of a run's step for one of its rows. */
export interface RunItemEntity {
  /** The index of the row, from 0. */
  readonly item: number;
  readonly state: 'done' | 'failed';
  readonly input: unknown;
  readonly output: unknown;
  readonly error: Problem | null;
  readonly duration_ms: number | null;
}

/** A run with its steps and its trigger. */
export interface RunDetail extends RunEntity {
  readonly trigger: unknown;
  readonly steps: readonly RunStepEntity[];
}

/** A version of an automation. */
export interface VersionEntity extends AutomationDefinition {
  readonly version: number;
  readonly author: string;
  readonly created_at: string;
}

/** A trigger to choose from. */
export interface TriggerKindEntity {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly inputs: readonly AutomationInput[];
  /** The setting that names the table of `{{row}}`; null if there is no row. */
  readonly table: string | null;
  readonly values: readonly string[];
  /** Whether it applies only to new rows. */
  readonly onlyNew?: boolean;
}

/** A step to choose from. */
export interface StepKindEntity {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly inputs: readonly AutomationInput[];
  readonly outputs: readonly string[];
}

/** The available triggers, steps and channels. */
export interface KindsEntity {
  readonly triggers: readonly TriggerKindEntity[];
  readonly steps: readonly StepKindEntity[];
  /** The available notification channels. */
  readonly channels: readonly {
    readonly id: string;
    readonly label: string;
    /** The plugin whose texts name its settings. */
    readonly plugin: string;
    readonly settings: SettingsSchema;
  }[];
  /** Channels of plugins that are off. */
  readonly channels_off: readonly { readonly id: string; readonly label: string }[];
}

/** What a step of a dry run would do. */
export interface TriedStepEntity {
  /** For a step that runs for each row: the index of the shown row and the number of rows. */
  readonly item: { readonly at: number; readonly count: number } | null;
  readonly name: string;
  readonly type: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly error: Problem | null;
}

/** The result of a dry run; it ends at the first step that failed. */
export interface TryAnswer {
  /** Whether the row meets the conditions of the automation; true for a sample row. */
  readonly is_met: boolean;
  /** The sample row, if the table has no row that the caller may see; null if a real one was used, or none is needed. */
  readonly sample: Row | null;
  readonly steps: readonly TriedStepEntity[];
}

/** The kind of the live event for changed automations of a project, or their runs. */
export const automationsObjectKind = 'automations';

export const mostSteps = 25;
/** The most rows for which one step runs. */
export const mostItems = 100;
/** The rows for which a dry run shows a step. */
export const triedItems = 3;
export const mostConditions = 50;
/** The most automations that one change may start in sequence. */
export const longestChain = 5;
