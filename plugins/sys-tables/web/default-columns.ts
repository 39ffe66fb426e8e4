import type { BaseEntity } from '@trellis/sdk/shared';

/** The columns of a new table: a key, a title, and when the row was made and changed. */
export function defaultColumns(client: BaseEntity['type']): readonly object[] {
  const now = { sqlite3: 'CURRENT_TIMESTAMP', pg: 'now()', mysql2: 'CURRENT_TIMESTAMP', mssql: 'GETDATE()' }[
    client
  ];
  return [
    { column_name: 'id', title: 'Id', uidt: 'ID', pk: true, ai: true, rqd: true },
    { column_name: 'title', title: 'Title', uidt: 'SingleLineText', dt: 'varchar', dtxp: '45' },
    { column_name: 'created_at', title: 'CreatedAt', uidt: 'DateTime', cdf: now },
    { column_name: 'updated_at', title: 'UpdatedAt', uidt: 'DateTime', cdf: now, au: true },
  ];
}
