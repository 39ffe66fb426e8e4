import type { PersistedPluginState } from '@trellis/core';
import type { Metadata } from '../metadata/metadata.ts';

interface PluginRow {
  readonly id: string;
  readonly enabled: unknown;
  readonly starting_since: number | string | null;
}

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
        unit.all<PluginRow>(unit.knex('trellis_plugin').select('id', 'enabled', 'starting_since')),
      );
      return new Map(
        rows.map((row) => [
          row.id,
          row.starting_since !== null ? 'starting' : isOn(row.enabled) ? 'enabled' : 'disabled',
        ]),
      );
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

function isOn(value: unknown): boolean {
  return value === true || value === 1 || value === '1';
}
