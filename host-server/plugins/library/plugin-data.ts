import type { PluginManifest, RegistryView } from '@trellis/core';
import type { PluginColumnUse, PluginFilterUse, PluginRemovalPlan } from '@trellis/sdk/shared';
import type { Metadata } from '../../metadata/metadata.ts';
import type { Unit } from '../../sql/unit.ts';
import { tableNameOf } from '../plugin-database.ts';
import { contributionIds } from '../plugin-entity.ts';

/** A plugin's data in the metadata database, and what people made with its contributions. */
export interface PluginData {
  columnsOf(manifest: Pick<PluginManifest, 'id' | 'contributes'>): Promise<readonly PluginColumnUse[]>;
  /** Filters by its comparisons in views that are not in the trash with their table or project. */
  filtersOf(manifest: Pick<PluginManifest, 'id' | 'contributes'>): Promise<readonly PluginFilterUse[]>;
  /**
   * Its own tables with their rows. Tables of a plugin whose id begins with this one's id are not included, even if that plugin
   * was removed and left its data.
   *
   * @param known ids of the present plugins
   */
  tablesOf(id: string, known: readonly string[]): Promise<PluginRemovalPlan['tables']>;
  valuesOf(id: string): Promise<number>;
  /** The rows of its tables and its values, as pieces of one JSON object. */
  pieces(id: string, tables: readonly string[], head: object): AsyncIterable<string>;
  /** Forgets that its migrations ran, and drops its values and its tables. */
  drop(id: string, tables: readonly string[]): Promise<void>;
  /** Forgets the decisions about it and its settings. */
  forget(id: string): Promise<void>;
}

/** The last type of every chain of fallbacks. */
const lastFallback = 'LongText';

export function createPluginData(
  { database, generations }: Metadata,
  columnTypes: RegistryView<{ readonly id: string; readonly fallback?: string }>,
): PluginData {
  function fallbackOf(contribution: { readonly id: string; readonly [detail: string]: unknown }): string {
    const named = columnTypes.get(contribution.id)?.fallback ?? contribution['fallback'];
    return typeof named === 'string' && columnTypes.get(named) !== undefined ? named : lastFallback;
  }

  const values = (unit: Unit, id: string) => unit.knex('trellis_plugin_kv').where({ plugin_id: id });

  /** Ids of plugins with data here, including removed plugins that kept it. */
  async function idsWithData(unit: Unit): Promise<readonly string[]> {
    const found = [];
    for (const table of ['trellis_plugin_migration', 'trellis_plugin_kv'])
      found.push(
        ...(await unit.all<{ id: string }>(unit.knex(table).distinct({ id: 'plugin_id' }))).map(
          ({ id }) => id,
        ),
      );
    return found;
  }

  return {
    async columnsOf({ contributes }) {
      const types = (contributes?.['columnTypes'] ?? []).flatMap((item) =>
        typeof item === 'string' ? [] : [item],
      );
      if (types.length === 0) return [];
      const fallbacks = new Map(types.map((type) => [type.id, fallbackOf(type)]));
      const rows = await database.read((unit) =>
        unit.all<Omit<PluginColumnUse, 'fallback'>>(
          unit
            .knex('trellis_column as of')
            .join('trellis_table as at', 'at.id', 'of.table_id')
            .join('trellis_project as project', 'project.id', 'at.project_id')
            .whereNull('of.parked_at')
            .whereNull('at.parked_at')
            .whereNull('project.deleted_at')
            .whereIn('of.uidt', [...fallbacks.keys()])
            .orderBy(['project.title', 'at.title', 'of.title'])
            .select({
              id: 'of.id',
              title: 'of.title',
              type: 'of.uidt',
              table: 'at.title',
              project: 'project.title',
              projectId: 'project.id',
            }),
        ),
      );
      return rows.map((row) => ({ ...row, fallback: fallbacks.get(row.type) ?? lastFallback }));
    },
    async filtersOf({ contributes = {} }) {
      const { filterOperators: ids = [] } = contributionIds(contributes);
      if (ids.length === 0) return [];
      return database.read((unit) =>
        unit.all<PluginFilterUse>(
          unit
            .knex('trellis_filter as of')
            .join('trellis_view as view', 'view.id', 'of.view_id')
            .join('trellis_table as at', 'at.id', 'view.table_id')
            .join('trellis_project as project', 'project.id', 'at.project_id')
            .whereNull('at.parked_at')
            .whereNull('project.deleted_at')
            .whereIn('of.operator', ids)
            .orderBy(['project.title', 'at.title', 'view.title', 'of.id'])
            .select({
              id: 'of.id',
              operator: 'of.operator',
              viewId: 'view.id',
              view: 'view.title',
              table: 'at.title',
              project: 'project.title',
              projectId: 'project.id',
            }),
        ),
      );
    },
    async tablesOf(id, known) {
      const prefix = tableNameOf(id, '');
      return database.read(async (unit) => {
        const longer = [...known, ...(await idsWithData(unit))]
          .map((other) => tableNameOf(other, ''))
          .filter((of) => of !== prefix && of.startsWith(prefix));
        const { tables } = await database.dialect.introspection.read(unit);
        const own = tables
          .map(({ name }) => name)
          .filter((name) => name.startsWith(prefix) && !longer.some((of) => name.startsWith(of)));
        const counted = [];
        for (const name of own) {
          const row = await unit.first<{ rows: number | string }>(unit.knex(name).count({ rows: '*' }));
          counted.push({ name: name.slice(prefix.length), rows: Number(row?.rows ?? 0) });
        }
        return counted;
      });
    },
    async valuesOf(id) {
      const row = await database.read((unit) =>
        unit.first<{ count: number | string }>(values(unit, id).count({ count: '*' })),
      );
      return Number(row?.count ?? 0);
    },
    async *pieces(id, tables, head) {
      const kept = await database.read((unit) =>
        unit.all<{ key: string; value: string }>(values(unit, id).select('key', 'value')),
      );
      const all = Object.fromEntries(kept.map(({ key, value }) => [key, JSON.parse(value) as unknown]));
      yield `${JSON.stringify({ ...head, values: all }).slice(0, -1)},"tables":{`;
      for (const [index, name] of tables.entries()) {
        yield `${index === 0 ? '' : ','}\n${JSON.stringify(name)}:[`;
        let isFirst = true;
        for await (const { columns, rows } of database.stream(
          database.builder(tableNameOf(id, name)).select('*'),
        )) {
          const texts = rows.map((row) => JSON.stringify(toObject(columns, row)));
          if (texts.length > 0) yield `${isFirst ? '' : ','}\n${texts.join(',\n')}`;
          isFirst &&= texts.length === 0;
        }
        yield ']';
      }
      yield '}}\n';
    },
    async drop(id, tables) {
      // Tables are dropped last: a migration creates a remaining table again, but a migration that counts as run never creates a lost one.
      await database.write(async (unit) => {
        await unit.run(values(unit, id).delete());
        await unit.run(unit.knex('trellis_plugin_migration').where({ plugin_id: id }).delete());
      });
      for (const name of tables) await database.schema((changer) => changer.dropTable(tableNameOf(id, name)));
    },
    async forget(id) {
      await database.write(async (unit) => {
        await unit.run(unit.knex('trellis_plugin').where({ id }).delete());
        await generations.bump(unit, 'plugins');
      });
    },
  };
}

function toObject(columns: readonly string[], row: readonly unknown[]): object {
  return Object.fromEntries(
    columns.map((column, index) => {
      const cell = row[index];
      return [column, cell instanceof Uint8Array ? Buffer.from(cell).toString('base64') : cell];
    }),
  );
}
