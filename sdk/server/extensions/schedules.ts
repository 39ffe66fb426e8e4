import type { Readable } from 'node:stream';
import { createToken, type SettingsSchema } from '../../shared/index.ts';
import type { AccessScope } from '../access.ts';
import type { Logger } from '../logger.ts';
import type { TableHandle } from '../table-handle.ts';
import type { FileFacts } from './files.ts';

/** The parameters of one attempt of a run, for an action. @public */
export interface ScheduledRun<Settings = Readonly<Record<string, unknown>>> {
  /** The same for every attempt, so that a receiver can recognise a repetition. */
  readonly runId: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** The planned time of the run: UTC, milliseconds since 1970. */
  readonly dueAt: number;
  readonly schedule: { readonly id: string; readonly title: string; readonly timeZone: string };
  readonly settings: Settings;
  /** The current rights of the person who set what the schedule does. */
  readonly scope: AccessScope;
  /** The view of an action with the target `view`; undefined for others. */
  readonly handle: TableHandle | undefined;
  /**
   * Aborts when the run is cancelled, takes too long, its server stops or its plugin is disabled. The action should then reject
   * soon.
   */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /**
   * Stores a file with the run, where people find it until the run is deleted; it replaces an earlier one. At most 1 GB. Only the
   * `newest` files of the schedule are kept, including this one; without it, all are kept as long as their runs.
   */
  keepFile(
    content: Readable | Uint8Array,
    facts: FileFacts,
    options?: { readonly newest?: number | undefined },
  ): Promise<void>;
  /** Reports the progress of the run, which people see until it ends or reports again. */
  tell(progress: ScheduledOutcome): Promise<void>;
}

/** The result of a run for its log; `code` and `params` let the page say it in the reader's language. @public */
export interface ScheduledOutcome {
  readonly msg: string;
  readonly code?: string;
  readonly params?: Readonly<Record<string, string | number>>;
}

/**
 * Something that runs by the clock, for the registry `scheduledActions`, which the plugin `schedules` creates: a plugin that fills
 * it names `schedules` among its dependencies. While nobody provides an action, its schedules are paused with that reason.
 *
 * A run that fails or is interrupted is tried again as its schedule says, so the action must tolerate repetition.
 * @beta
 */
export interface ScheduledAction<Settings = Readonly<Record<string, unknown>>> {
  /** With the plugin's id as prefix; stored with schedules. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** A name of the icon font without its prefix. */
  readonly icon: string;
  /** `view`: people choose a table and a view, which become `handle`. */
  readonly target: 'view' | 'none';
  /** Required of the person who sets a schedule, and again at each run; in the table, if there is one. */
  readonly permission?: string;
  /** A form is made of it. Stored sealed, but visible to everybody who edits schedules of the project: no place for secrets. */
  readonly settings: SettingsSchema;
  /** False for actions that people cannot choose: other plugins create their schedules with `Schedules.keep`. Default true. */
  readonly isOffered?: boolean;
  /** Whether its runs may take hours; they then leave room for runs of other actions. Default false. */
  readonly isLong?: boolean;
  /** Problems of settings, by JSON pointer; empty if there are none. */
  check?(settings: Settings): Readonly<Record<string, string>>;
  /**
   * Asynchronous checks, called after `check`, but not if the settings stay unchanged. Refuses by throwing a `TrellisError` of 400.
   */
  willSave?(settings: Settings): Promise<void>;
  /** A `TrellisError` is shown to people; any other error is logged, and people are told that the run failed. */
  run(run: ScheduledRun<Settings>): Promise<ScheduledOutcome>;
}

/** A schedule that a plugin creates for something of its own. @beta */
export interface KeptSchedule {
  /** The id of an action. */
  readonly action: string;
  /** Its purpose, such as the id of a rule: each action and key has one schedule. At most 100 characters. */
  readonly key: string;
  readonly title: string;
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** A name of the IANA database: `Europe/Berlin`. */
  readonly timeZone: string;
  /** For an action with the target `view`: the table, and the view unless all rows are meant. */
  readonly tableId?: string;
  readonly viewId?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Default `skip`: no run begins while an earlier one continues. */
  readonly overlap?: 'skip' | 'wait' | 'beside';
  /** What happens to runs that were due while no server was running. Default `once`. */
  readonly missed?: 'skip' | 'once' | 'all';
  /** Further attempts after a failed one. Default 2. */
  readonly retries?: number;
}

/**
 * Schedules of other plugins. They run like those of people, with the rights of the scope that created them, and are not listed
 * among them. Throws 400 `SCHEDULE_INVALID` for a time that cannot be parsed; its `params.problems` are messages by JSON pointer.
 * @beta
 */
export interface Schedules {
  /** The next times of a schedule after `after` (default now): UTC, milliseconds since 1970; at most 100. */
  nextRuns(
    plan: Pick<KeptSchedule, 'cron' | 'timeZone'>,
    options: { readonly count: number; readonly after?: number },
  ): readonly number[];
  /**
   * The last time of a schedule from `from` to `to`, both included; undefined if there is none. Takes one step for each day between
   * them.
   */
  lastRun(
    plan: Pick<KeptSchedule, 'cron' | 'timeZone'>,
    span: { readonly from: number; readonly to: number },
  ): number | undefined;
  /**
   * Creates the schedule of an action and a key in the scope's project, or replaces it. Requires `scheduleUpdate`. A repeated call
   * with the same times restarts the schedule from now.
   */
  keep(scope: AccessScope, schedule: KeptSchedule): Promise<{ readonly nextAt: number }>;
  /** Deletes it with its log; does nothing if there is none. Requires `scheduleUpdate`. */
  drop(scope: AccessScope, actionId: string, key: string): Promise<void>;
}
/** Schedules of other plugins. Provided by `schedules`. @beta */
export const SchedulesToken = createToken<Schedules>('schedules');

declare module '../registries.ts' {
  interface ServerRegistries {
    scheduledActions: ScheduledAction;
  }
}
