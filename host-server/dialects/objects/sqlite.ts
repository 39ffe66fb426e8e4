import { select } from '../introspection/default.ts';
import { unlessBroken } from '../introspection/sqlite.ts';
import { limitTo, type ObjectCatalogue } from './default.ts';

/**
 * SQLite has views, triggers and indexes, and stores the statements that made them. Indexes from a table's own definition, for a
 * key or a unique column, have no statement and are not listed.
 */
export const sqliteObjects: ObjectCatalogue = {
  kinds: ['view', 'trigger', 'index'],
  first: limitTo,
  all: () => ({
    sql:
      "select type as kind, name as id, name as name, case type when 'view' then '' else tbl_name end as about " +
      "from sqlite_master where type in ('view', 'trigger', 'index') and sql is not null",
    bindings: [],
  }),
  async read(unit, { kind, name }) {
    const [made] = await select<{ sql: string | null }>(
      unit,
      'select sql from sqlite_master where type = ? and name = ?',
      [kind, name],
    );
    const definition = made?.sql ?? undefined;
    if (kind !== 'view') return { definition };
    const columns = await unlessBroken(() =>
      select<{ name: string; type: string }>(
        unit,
        'select name, type from pragma_table_xinfo(?) order by cid',
        [name],
      ),
    );
    return { definition, ...(columns && { columns }) };
  },
};
