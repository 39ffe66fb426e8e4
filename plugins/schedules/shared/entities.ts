import type { SettingsSchema, TimePlan } from '@trellis/sdk/shared';

/** What happens when it is time and a run of before goes on. */
export const overlapPolicies = ['skip', 'wait', 'beside'] as const;
export type OverlapPolicy = (typeof overlapPolicies)[number];

/** What happens with the runs for which no server was there. */
export const missedPolicies = ['skip', 'once', 'all'] as const;
export type MissedPolicy = (typeof missedPolicies)[number];

/** Runs that `all` makes up for at most; older ones are passed over. */
export const mostMadeUp = 24;

export const limits = { title: 120, retries: 10, retryMinutes: 1440, minutes: 720 } as const;

/** `waiting`: kept, and not begun; also between two attempts. `cut-off`: its server went away and it was not tried again. */
export type RunState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'skipped' | 'cut-off';

/** A sentence, and what lets the page say it in the reader's language. */
export interface ToldEntity {
  readonly msg: string;
  readonly code?: string;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** An attempt of a run. */
export interface RunAttemptEntity {
  /** ISO 8601 in UTC. */
  readonly started_at: string;
  readonly ended_at: string;
  readonly outcome: Exclude<RunState, 'waiting' | 'running' | 'skipped'>;
  readonly message: ToldEntity;
}

/** A run of a schedule as it travels. */
export interface RunEntity {
  readonly id: string;
  readonly schedule_id: string;
  readonly state: RunState;
  /** Whether it came by itself, was asked for by a person, or makes up for one that was missed. */
  readonly cause: 'time' | 'person' | 'missed';
  /** For when it was planned: ISO 8601 in UTC. */
  readonly due_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** Not before which it is tried again; null for what waits for nothing but its turn. */
  readonly next_at: string | null;
  /** How it went, or why it did not. */
  readonly message: ToldEntity | null;
  /** How many runs in a row were passed over for the same reason; 1 for all others. */
  readonly times: number;
  readonly attempts: readonly RunAttemptEntity[];
  /** The file that it made, while it is kept. */
  readonly file: { readonly name: string; readonly size: number } | null;
  readonly is_cancelling: boolean;
}

/** What a person sets of a schedule. */
export interface ScheduleInput extends TimePlan {
  readonly title: string;
  /** The id of an item of the registry `scheduledActions`. */
  readonly action: string;
  /** The table, and the view, whose rows it is about; null where the action is about none. */
  readonly table_id: string | null;
  readonly view_id: string | null;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly overlap: OverlapPolicy;
  readonly missed: MissedPolicy;
  /** Further attempts after one that failed. */
  readonly retries: number;
  /** Minutes between two attempts. */
  readonly retry_minutes: number;
  /** Minutes that an attempt may take. */
  readonly limit_minutes: number;
}

/** A schedule as it travels. */
export interface ScheduleEntity extends ScheduleInput {
  readonly id: string;
  /** Names what is set: a change sends it back as `replaces`. */
  readonly revision: string;
  readonly active: boolean;
  /** Why it stands still, where nobody switched it off. */
  readonly paused: ToldEntity | null;
  /** The address of whoever set what it does, and with whose rights it runs; empty where the account is gone. */
  readonly owner: string;
  /** The next runs, ISO 8601 in UTC; none while it stands still. */
  readonly next_runs: readonly string[];
  readonly last_run: RunEntity | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Something that a schedule can do, as it travels. */
export interface ActionEntity {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  /** `view`: it is about the rows of a view of a table. */
  readonly target: 'view' | 'none';
  readonly settings: SettingsSchema;
}

/** The kind of live event that says that schedules of a project or their runs changed. */
export const schedulesObjectKind = 'schedules';
