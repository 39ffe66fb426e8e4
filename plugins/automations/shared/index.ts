import type { AutomationInput, AutomationSettings, Row, SettingsSchema } from '@trellis/sdk/shared';

export * from './own-kinds.ts';
export * from './template-names.ts';
export { timePlanIn, timePlanOf } from './time-plan-of.ts';

/** A step of an automation. */
export interface StepDefinition {
  /** Stays with the step: a run that is tried again passes over the steps that it has taken. */
  readonly id: string;
  /** By which later steps name its output; of an automation, each another one. */
  readonly name: string;
  /** The id of an item of the registry `automationSteps`. */
  readonly type: string;
  readonly settings: AutomationSettings;
  /** Where it is set, the step is taken once for each row that another one before it found. */
  readonly each?: EachRow;
}

/** The rows for which a step is taken, in templates `{{item}}`. */
export interface EachRow {
  /** The id of the step that found them. */
  readonly step: string;
  /** Whether the others are taken where the step fails for one of them. */
  readonly goesOn?: boolean;
}

/** What becomes of automations whose channel is switched off. */
export const automationsByChannel =
  'Automations that tell by {{channel}}: {{number}}. Their runs wait at that step until it is on again, for {{days}} days; nothing of that is lost.';

/** What people set of an automation. */
export interface AutomationDefinition {
  readonly title: string;
  /** `type` is the id of an item of the registry `automationTriggers`. */
  readonly trigger: { readonly type: string; readonly settings: AutomationSettings };
  /** Filters as those of views travel; a run begins only for rows that meet them. */
  readonly conditions: readonly unknown[];
  readonly steps: readonly StepDefinition[];
}

/** A failure as it travels: `msg` is its English text. */
export interface Problem {
  readonly msg: string;
  readonly code?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Runs that wait because something was in their way. */
export interface Stuck {
  readonly count: number;
  /** What is in the way of the first one. */
  readonly reason: Problem;
}

/** An automation as it travels. Times are ISO 8601 in UTC. */
export interface AutomationEntity extends AutomationDefinition {
  readonly id: string;
  readonly project_id: string;
  readonly active: boolean;
  /** Why no run begins at the moment although the automation is on. */
  readonly paused: Problem | null;
  /** Whose rights it runs with: who saved it, or switched it on again, last. */
  readonly owner: { readonly id: string; readonly email: string };
  readonly version: number;
  /** Names the definition that stands: a change sends it back as `replaces`. */
  readonly revision: string;
  readonly last_run: { readonly state: RunState; readonly at: string } | null;
  /** When it starts next, where a time does that; none while it is paused or off. */
  readonly next_runs: readonly string[];
  /** Runs of the log that failed. */
  readonly failures: number;
  /** Runs that wait: for their moment, for another try, or for an automation that is paused to go on. */
  readonly waiting: number;
  /** Those of them that something keeps back; null for none. */
  readonly stuck: Stuck | null;
  /** What started it since it was paused and was not kept, because enough of it waits. */
  readonly dropped: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What was skipped began never: the rows that would have started it are not known. */
export type RunState = 'waiting' | 'running' | 'done' | 'failed' | 'skipped';

/** A run, for the log of its automation. */
export interface RunEntity {
  readonly id: string;
  readonly state: RunState;
  readonly version: number;
  /** The key of the row that started it; empty where no row did. */
  readonly row_id: string;
  /** What the row was called when it did; null where it said nothing in the column that names rows. */
  readonly row_title: string | null;
  readonly error: Problem | null;
  readonly created_at: string;
  readonly ended_at: string | null;
  /** When it goes on, where it waits for a moment. */
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
  /** What it came to for each row; empty for a step that is taken once. */
  readonly items: readonly RunItemEntity[];
  /** The tries before the one that this tells of, the oldest first: the last 25. */
  readonly attempts: readonly RunAttemptEntity[];
}

/** A try of a step after which it was tried again. `cut-off`: its server ended in the middle of it. */
export interface RunAttemptEntity {
  readonly state: 'failed' | 'cut-off';
  readonly input: unknown;
  readonly error: Problem | null;
  readonly started_at: string;
  readonly duration_ms: number | null;
}

/** What a step of a run came to for one of its rows. */
export interface RunItemEntity {
  /** The place of the row, from 0. */
  readonly item: number;
  readonly state: 'done' | 'failed';
  readonly input: unknown;
  readonly output: unknown;
  readonly error: Problem | null;
  readonly duration_ms: number | null;
}

/** A run with its steps and with what started it. */
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

/** A trigger that can be chosen. */
export interface TriggerKindEntity {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly inputs: readonly AutomationInput[];
  /** The setting that names the table of `{{row}}`; null where it has no row. */
  readonly table: string | null;
  readonly values: readonly string[];
  /** Whether it is about rows that were not there before. */
  readonly onlyNew?: boolean;
}

/** A step that can be chosen. */
export interface StepKindEntity {
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly inputs: readonly AutomationInput[];
  readonly outputs: readonly string[];
}

/** What an automation can be made of. */
export interface KindsEntity {
  readonly triggers: readonly TriggerKindEntity[];
  readonly steps: readonly StepKindEntity[];
  /** The channels over which people can be told. */
  readonly channels: readonly {
    readonly id: string;
    readonly label: string;
    /** Whose words its settings are called by. */
    readonly plugin: string;
    readonly settings: SettingsSchema;
  }[];
  /** Those of plugins that are switched off. */
  readonly channels_off: readonly { readonly id: string; readonly label: string }[];
}

/** What a step of a dry run would do. */
export interface TriedStepEntity {
  /** Of a step that is taken for each row: which one of how many it is shown for. */
  readonly item: { readonly at: number; readonly count: number } | null;
  readonly name: string;
  readonly type: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly error: Problem | null;
}

/** What a dry run came to; after a step that could not be taken there are no others. */
export interface TryAnswer {
  /** Whether the row meets the conditions of the automation; true for one that is made up. */
  readonly is_met: boolean;
  /** The row that was made up because the table has none yet that the caller may see; null where a real one was taken, or none is needed. */
  readonly sample: Row | null;
  readonly steps: readonly TriedStepEntity[];
}

/** The kind of live event that says that automations of a project, or their runs, changed. */
export const automationsObjectKind = 'automations';

export const mostSteps = 25;
/** Rows for which one step is taken. */
export const mostItems = 100;
/** Rows for which a dry run shows a step. */
export const triedItems = 3;
export const mostConditions = 50;
/** Automations that one change may start one after the other. */
export const longestChain = 5;
