import type { Readable } from 'node:stream';
import { createToken, type SettingsSchema } from '../../shared/index.ts';
import type { AccessScope } from '../access.ts';
import type { Logger } from '../logger.ts';
import type { TableHandle } from '../table-handle.ts';
import type { FileFacts } from './files.ts';

/** What an action is told of one attempt of a run. @public */
export interface ScheduledRun<Settings = Readonly<Record<string, unknown>>> {
  /** The same for every attempt, so that a receiver can tell a repetition. */
  readonly runId: string;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** For when the run was planned: UTC, milliseconds since 1970. */
  readonly dueAt: number;
  readonly schedule: { readonly id: string; readonly title: string; readonly timeZone: string };
  readonly settings: Settings;
  /** The rights of whoever set what the schedule does, as they are now. */
  readonly scope: AccessScope;
  /** What an action with the target `view` is about; undefined for others. */
  readonly handle: TableHandle | undefined;
  /** Aborts when the run is cancelled, takes too long, its server stops or its plugin is disabled. It should then reject soon. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /**
   * Keeps a file with the run, where people find it until the run is forgotten; another one takes its place. At most 1 GB. Of
   * the files of the schedule the `newest` stay, this one among them; without it all do, as long as their runs are remembered.
   */
  keepFile(
    content: Readable | Uint8Array,
    facts: FileFacts,
    options?: { readonly newest?: number | undefined },
  ): Promise<void>;
  /** Says how far the run is, which people see until it ends or says something else. */
  tell(progress: ScheduledOutcome): Promise<void>;
}

/** How a run went, for its log; `code` and `params` let the page say it in the reader's language. @public */
export interface ScheduledOutcome {
  readonly msg: string;
  readonly code?: string;
  readonly params?: Readonly<Record<string, string | number>>;
}

/**
 * Something that can be done by the clock, for the registry `scheduledActions`, which the plugin `schedules` makes: a plugin that fills it
 * names `schedules` among its dependencies. While nobody provides an action, its schedules are paused with that reason.
 *
 * A run that fails or is cut off is tried again as its schedule says, so what it does must be able to happen twice.
 * @beta
 */
export interface ScheduledAction<Settings = Readonly<Record<string, unknown>>> {
  /** With the plugin's id as prefix: stored with schedules. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** A name of the icon font without its prefix. */
  readonly icon: string;
  /** `view`: people choose a table and a view, which `handle` is. */
  readonly target: 'view' | 'none';
  /** Required of whoever sets a schedule, and of them again at each run; in the table where there is one. */
  readonly permission?: string;
  /** A form is made of it. Kept sealed, and shown to whoever keeps schedules of the project: no place for secrets. */
  readonly settings: SettingsSchema;
  /** False for what people do not choose: other plugins keep schedules of it by `Schedules.keep`. Default true. */
  readonly isOffered?: boolean;
  /** Its runs may take hours, and leave room for those of other actions. Default false. */
  readonly isLong?: boolean;
  /** What is wrong with settings, by JSON pointer; empty where nothing is. */
  check?(settings: Settings): Readonly<Record<string, string>>;
  /** Behind `check`, for what has to be waited for; not asked where the settings stay as they are. Refuses by throwing a `TrellisError` of 400. */
  willSave?(settings: Settings): Promise<void>;
  /** A `TrellisError` that it throws is told to people; anything else is logged, and they are told that it failed. */
  run(run: ScheduledRun<Settings>): Promise<ScheduledOutcome>;
}

/** A schedule that a plugin keeps for something of its own. @beta */
export interface KeptSchedule {
  /** The id of an action. */
  readonly action: string;
  /** What it is kept for, such as the id of a rule: of one action and key there is one schedule. At most 100 characters. */
  readonly key: string;
  readonly title: string;
  /** Five fields: minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** A name of the IANA database: `Europe/Berlin`. */
  readonly timeZone: string;
  /** For an action with the target `view`: the table, and the view where not all rows are meant. */
  readonly tableId?: string;
  readonly viewId?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Default `skip`: nothing begins while a run of before goes on. */
  readonly overlap?: 'skip' | 'wait' | 'beside';
  /** What becomes of runs for which no server was there. Default `once`. */
  readonly missed?: 'skip' | 'once' | 'all';
  /** Further attempts after one that failed. Default 2. */
  readonly retries?: number;
}

/**
 * Schedules of other plugins. They run like those of people, with the rights of whose scope kept them, and are not listed among them.
 * Throws 400 `SCHEDULE_INVALID` for a time that cannot be read; its `params.problems` are messages by JSON pointer.
 * @beta
 */
export interface Schedules {
  /** The next moments of a schedule after `after` (default now): UTC, milliseconds since 1970; at most 100. */
  nextRuns(
    plan: Pick<KeptSchedule, 'cron' | 'timeZone'>,
    options: { readonly count: number; readonly after?: number },
  ): readonly number[];
  /** The last moment of a schedule from `from` to `to`, both included; undefined where there is none. Costs a step for each day between them. */
  lastRun(
    plan: Pick<KeptSchedule, 'cron' | 'timeZone'>,
    span: { readonly from: number; readonly to: number },
  ): number | undefined;
  /**
   * Makes the schedule of an action and a key in the scope's project, or puts another one in its place. Requires `scheduleUpdate`. A
   * repeated call with the same times begins to count anew, from now.
   */
  keep(scope: AccessScope, schedule: KeptSchedule): Promise<{ readonly nextAt: number }>;
  /** Takes it away with its log; nothing happens where there is none. Requires `scheduleUpdate`. */
  drop(scope: AccessScope, actionId: string, key: string): Promise<void>;
}
/** Schedules of other plugins. Provided by `schedules`. @beta */
export const SchedulesToken = createToken<Schedules>('schedules');

declare module '../registries.ts' {
  interface ServerRegistries {
    scheduledActions: ScheduledAction;
  }
}
