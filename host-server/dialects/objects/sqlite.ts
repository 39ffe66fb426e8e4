import { select } from '../introspection/default.ts';
import { unlessBroken } from '../introspection/sqlite.ts';
import { limitTo, type ObjectCatalogue } from './default.ts';

/** SQLite has views and triggers, and keeps the text by which they were made. */
export const sqliteObjects: ObjectCatalogue = {
  kinds: ['view', 'trigger'],
  first: limitTo,
  all: () => ({
    sql:
      "select type as kind, name as id, name as name, case type when 'trigger' then tbl_name else '' end as about " +
      "from sqlite_master where type in ('view', 'trigger')",
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
