import { hostname } from 'node:os';
import type { Knex } from 'knex';
import type { PersistedPluginState } from '@trellis/core';
import type { Metadata } from '../metadata/metadata.ts';
import type { Unit } from '../sql/unit.ts';
import { randomText } from '../runtime/ids.ts';
import { flag } from '../metadata/stored-values.ts';

interface PluginRow {
  readonly id: string;
  readonly version?: string | null;
  readonly enabled: unknown;
  readonly starting_since: number | string | null;
  /**
   * During a start a {@link Starter} as text. After that {@link crashed} if it took a process down, or {@link failed} if it could
   * not be enabled, each followed by the reason.
   */
  readonly reason: string | null;
}

/** Milliseconds that another machine may take to start a plugin before that start counts as a crash. */
const longestStart = 30_000;

/** The decision about one plugin, and why it does not run if that is not obvious. */
interface PluginDecision {
  readonly state: PersistedPluginState;
  readonly reason: string | undefined;
  /** The plugin's version at the time of the decision. */
  readonly version: string | undefined;
}

/** A change to store for one plugin. */
interface PluginStep {
  readonly id: string;
  readonly version: string | undefined;
  readonly state: PersistedPluginState;
  readonly reason?: string | undefined;
}

/** The decisions about plugins, in `trellis_plugin`. */
export interface PluginRows {
  read(): Promise<ReadonlyMap<string, PluginDecision>>;
  /** `starting` marks a possible crash: if the next start finds it, the plugin took the host down. */
  write(step: PluginStep): Promise<void>;
  /**
   * Keeps a step until the next one is written or `settle` is called, and writes both in one transaction, so that a start of the
   * server waits for the disk once per plugin and not twice.
   */
  writeLater(step: PluginStep): void;
  /** Writes the steps that were kept. */
  settle(): Promise<void>;
}

export function createPluginRows({ database, generations }: Metadata): PluginRows {
  /** Plugins about which something was decided once; this never changes back. */
  const decided = new Set<string>();
  let kept: readonly PluginStep[] = [];

  /** Whether a step only says that a plugin starts, or runs as decided. Most steps during a start of the server do. */
  function isPlain({ id, state, reason }: PluginStep): boolean {
    return (state === 'starting' || state === 'enabled') && reason === undefined && decided.has(id);
  }

  function plainUpdate({ id, version, state }: PluginStep): Knex.QueryBuilder {
    const now = Date.now();
    const row = database.builder('trellis_plugin').where({ id });
    const isStarting = state === 'starting';
    return (isStarting ? row : row.where({ enabled: true })).update({
      version: version ?? null,
      starting_since: isStarting ? now : null,
      reason: isStarting ? self : null,
      updated_at: now,
    });
  }

  /** Writes plain steps with one statement each. Returns the steps that need more. */
  function writePlain(steps: readonly PluginStep[]): Promise<readonly PluginStep[]> {
    const updates = steps.map(plainUpdate);
    return database.write(
      async (unit) => {
        const answers = await unit.last(updates);
        return steps.filter((_, index) => answers[index]?.changes !== 1);
      },
      { retry: true },
    );
  }

  async function writeWhole(unit: Unit, { id, version, state, reason }: PluginStep): Promise<void> {
    const table = () => unit.knex('trellis_plugin');
    const now = Date.now();
    // Servers that start together on an empty database both insert: the second one waits and then finds the first one's row.
    const fresh = { id, enabled: false, updated_at: now };
    const { changes: made } = await unit.run(table().insert(fresh).onConflict('id').ignore());
    const known = await unit.first<PluginRow>(
      table().where({ id }).select('id', 'enabled', 'starting_since', 'reason'),
    );
    const isUndecided = made > 0 || known === undefined || starterOf(known)?.isUndecided === true;
    // During a start, and when it fails, the earlier decision stays: a crash must not turn a plugin on, and neither may a failure
    // on one server when another one has switched it off meanwhile.
    const isKept = state === 'starting' || (state === 'enabled' && reason !== undefined && !isUndecided);
    const values = {
      version: version ?? null,
      enabled: isKept ? flag(known?.enabled) : state === 'enabled',
      starting_since: state === 'starting' ? now : null,
      reason: reasonOf(state, isUndecided, reason),
      updated_at: now,
    };
    await unit.run(table().where({ id }).update(values));
    const hasChanged = state !== 'starting' && (isUndecided || flag(known?.enabled) !== values.enabled);
    if (hasChanged) await generations.bump(unit, 'plugins');
  }

  async function writeAll(steps: readonly PluginStep[]): Promise<void> {
    const whole = steps.length > 0 && steps.every(isPlain) ? await writePlain(steps) : steps;
    if (whole.length === 0) return;
    await database.write(
      async (unit) => {
        for (const step of whole) await writeWhole(unit, step);
      },
      { retry: true },
    );
  }

  async function write(steps: readonly PluginStep[]): Promise<void> {
    const before = kept;
    kept = [];
    try {
      await writeAll([...before, ...steps]);
    } catch (error) {
      kept = [...before, ...kept];
      throw error;
    }
  }

  return {
    async read() {
      const rows = await database.read((unit) =>
        unit.all<PluginRow>(
          unit.knex('trellis_plugin').select('id', 'version', 'enabled', 'starting_since', 'reason'),
        ),
      );
      const decisions = rows.flatMap((row) => {
        const state = stateOf(row);
        const version = row.version ?? undefined;
        return state === undefined ? [] : [[row.id, { state, version, reason: keptReason(row) }] as const];
      });
      for (const [id] of decisions) decided.add(id);
      return new Map(decisions);
    },
    write: (step) => write([step]),
    writeLater(step) {
      kept = [...kept, step];
    },
    settle: () => write([]),
  };
}

/** Distinguishes a restarted process in a container from the one before, which has the same host name and often the same pid. */
const thisRun = randomText(8);
const self = `${process.pid}@${hostname()}@${thisRun}`;

/** Follows the process in the reason of a plugin's first start: nobody has switched it on or off yet. */
const undecided = ' undecided';

const crashed = 'crashed';
const failed = 'failed';
/** The most characters of a stored reason. */
const longestReason = 2000;

/** The process that starts a plugin, and whether there was an earlier decision about the plugin. */
interface Starter {
  readonly pid: number;
  readonly host: string;
  readonly run: string;
  readonly isUndecided: boolean;
}

function reasonOf(state: PersistedPluginState, isUndecided: boolean, why: string | undefined): string | null {
  if (state === 'crashed' || (state !== 'starting' && why !== undefined)) {
    const kind = state === 'crashed' ? crashed : failed;
    return why === undefined ? kind : `${kind}: ${why.slice(0, longestReason)}`;
  }
  if (state !== 'starting') return null;
  return isUndecided ? self + undecided : self;
}

/** The stored reason, without the parts that are not for people. */
function keptReason({ starting_since: since, reason }: PluginRow): string | undefined {
  if (since !== null || reason === null) return undefined;
  return /^(?:crashed|failed): ([^]*)$/.exec(reason)?.[1];
}

function starterOf({ starting_since: since, reason }: PluginRow): Starter | undefined {
  if (since === null) return undefined;
  const isUndecided = reason?.endsWith(undecided) === true;
  const starter = isUndecided ? reason.slice(0, -undecided.length) : (reason ?? '');
  const [pid = '', host = '', run = ''] = starter.split('@');
  return { pid: Number(pid), host, run, isUndecided };
}

/** The decision about a plugin; undefined during its first start. */
function stateOf(row: PluginRow): PersistedPluginState | undefined {
  const starter = starterOf(row);
  if (starter !== undefined && isCrash(row, starter)) return 'starting';
  if (starter?.isUndecided === true) return undefined;
  if (flag(row.enabled)) return 'enabled';
  return row.reason?.startsWith(crashed) === true ? 'crashed' : 'disabled';
}

/** Whether an unfinished start is a crash. It is none while its process lives: servers that start together must not switch plugins off. */
function isCrash({ starting_since: since }: PluginRow, { pid, host, run }: Starter): boolean {
  if (host !== hostname()) return Date.now() - Number(since) > longestStart;
  if (pid === process.pid) return run !== thisRun;
  return !isAlive(pid);
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // `EPERM` means that the process lives and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
