import type { SettingsSchema, TimePlan } from '@trellis/sdk/shared';

/** What happens when a run is due while an earlier one continues. */
export const overlapPolicies = ['skip', 'wait', 'beside'] as const;
export type OverlapPolicy = (typeof overlapPolicies)[number];

/** What happens to runs that were due while no server was running. */
export const missedPolicies = ['skip', 'once', 'all'] as const;
export type MissedPolicy = (typeof missedPolicies)[number];

/** The most runs that `all` catches up on; older ones are skipped. */
export const mostMadeUp = 24;

export const limits = { title: 120, retries: 10, retryMinutes: 1440, minutes: 720 } as const;

/** `waiting`: stored but not begun; also between two attempts. `cut-off`: its server ended and it was not tried again. */
export type RunState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled' | 'skipped' | 'cut-off';

/** A sentence, with the code and values that let the page say it in the reader's language. */
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

/** A run of a schedule in answers. */
export interface RunEntity {
  readonly id: string;
  readonly schedule_id: string;
  readonly state: RunState;
  /** Whether it was due, requested by a person, or a missed one. */
  readonly cause: 'time' | 'person' | 'missed';
  /** The planned time: ISO 8601 in UTC. */
  readonly due_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** The earliest time of the next attempt; null for a run that waits only for its turn. */
  readonly next_at: string | null;
  /** The result, or why it was not run. */
  readonly message: ToldEntity | null;
  /** How many consecutive runs were skipped for the same reason; 1 for all others. */
  readonly times: number;
  readonly attempts: readonly RunAttemptEntity[];
  /** The file that it created, while it is stored. */
  readonly file: { readonly name: string; readonly size: number } | null;
  readonly is_cancelling: boolean;
}

/** The settings of a schedule. */
export interface ScheduleInput extends TimePlan {
  readonly title: string;
  /** The id of an item of the registry `scheduledActions`. */
  readonly action: string;
  /** The table, and the view, of its rows; null if the action needs none. */
  readonly table_id: string | null;
  readonly view_id: string | null;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly overlap: OverlapPolicy;
  readonly missed: MissedPolicy;
  /** Further attempts after a failed one. */
  readonly retries: number;
  /** Minutes between two attempts. */
  readonly retry_minutes: number;
  /** The most minutes of an attempt. */
  readonly limit_minutes: number;
}

/** A schedule in answers. */
export interface ScheduleEntity extends ScheduleInput {
  readonly id: string;
  /** Identifies the settings: a change sends it back as `replaces`. */
  readonly revision: string;
  readonly active: boolean;
  /** Why it is paused, unless somebody switched it off. */
  readonly paused: ToldEntity | null;
  /** The address of the owner, who set what it does and whose rights it uses; empty if the account was deleted. */
  readonly owner: string;
  /** The next runs, ISO 8601 in UTC; empty while it is paused or off. */
  readonly next_runs: readonly string[];
  readonly last_run: RunEntity | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** An action of schedules, in answers. */
export interface ActionEntity {
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  /** `view`: it works on the rows of a view of a table. */
  readonly target: 'view' | 'none';
  readonly settings: SettingsSchema;
}

/** The kind of the live event for changed schedules of a project, or their runs. */
export const schedulesObjectKind = 'schedules';
