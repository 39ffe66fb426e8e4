import { bound, sql } from '../../sql/fragment.ts';
import { jsonPath, type JsonSql } from './default.ts';

export const mysqlJson: JsonSql = {
  textAt: (value, path) =>
    sql`case when json_valid(${value}) then nullif(json_unquote(json_extract(${value}, ${bound(jsonPath(path))})), 'null') end`,
  isEmpty: (value) => sql`(${value} is null or cast(${value} as char) in ('', 'null', '[]', '{}'))`,
};
