import { hostname } from 'node:os';
import type { PersistedPluginState } from '@trellis/core';
import type { Metadata } from '../metadata/metadata.ts';

interface PluginRow {
  readonly id: string;
  readonly enabled: unknown;
  readonly starting_since: number | string | null;
  /** While it starts, which process starts it; {@link crashed} once it took one down. */
  readonly reason: string | null;
}

/** How long another machine may take to start a plugin before it counts as dead. */
const longestStart = 30_000;

/** What was decided about plugins, in `trellis_plugin`. */
export interface PluginRows {
  read(): Promise<ReadonlyMap<string, PersistedPluginState>>;
  /** `starting` is the crash marker: found at the next start, it means that the plugin took the host down. */
  write(id: string, version: string | undefined, state: PersistedPluginState): Promise<void>;
}

export function createPluginRows({ database, generations }: Metadata): PluginRows {
  return {
    async read() {
      const rows = await database.read((unit) =>
        unit.all<PluginRow>(unit.knex('trellis_plugin').select('id', 'enabled', 'starting_since', 'reason')),
      );
      return new Map(rows.map((row) => [row.id, stateOf(row)]));
    },
    async write(id, version, state) {
      await database.write(
        async (unit) => {
          const now = Date.now();
          const known = await unit.first<PluginRow>(
            unit.knex('trellis_plugin').where({ id }).select('id', 'enabled', 'starting_since'),
          );
          const values = {
            version: version ?? null,
            // While it starts, the former decision stands: a crash must not turn a plugin on.
            enabled: state === 'starting' ? isOn(known?.enabled) : state === 'enabled',
            starting_since: state === 'starting' ? now : null,
            reason: state === 'starting' ? self : state === 'crashed' ? crashed : null,
            updated_at: now,
          };
          if (known) await unit.run(unit.knex('trellis_plugin').where({ id }).update(values));
          else await unit.run(unit.knex('trellis_plugin').insert({ id, ...values }));
          const hasChanged =
            state !== 'starting' && (known === undefined || isOn(known.enabled) !== values.enabled);
          if (hasChanged) await generations.bump(unit, 'plugins');
        },
        { retry: true },
      );
    },
  };
}

const self = `${process.pid}@${hostname()}`;

const crashed = 'crashed';

function stateOf(row: PluginRow): PersistedPluginState {
  if (isCrash(row)) return 'starting';
  if (isOn(row.enabled)) return 'enabled';
  return row.reason === crashed ? 'crashed' : 'disabled';
}

/** A start that is under way in a process which lives is none: servers that start together must not switch plugins off. */
function isCrash({ starting_since: since, reason }: PluginRow): boolean {
  if (since === null) return false;
  const [pid, host] = (reason ?? '').split('@');
  if (host !== hostname()) return Date.now() - Number(since) > longestStart;
  return !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It lives and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isOn(value: unknown): boolean {
  return value === true || value === 1 || value === '1';
}
