import { bound, sql } from '../../sql/fragment.ts';
import { jsonPath, type JsonSql } from './default.ts';

export const sqliteJson: JsonSql = {
  textAt: (value, path) =>
    sql`case when json_valid(${value}) then cast(json_extract(${value}, ${bound(jsonPath(path))}) as text) end`,
  isEmpty: (value) => sql`(${value} is null or ${value} in ('', 'null', '[]', '{}'))`,
};
