import { bound, sql } from '../../sql/fragment.ts';
import { jsonPath, type JsonSql } from './default.ts';

export const mssqlJson: JsonSql = {
  // `json_value` returns no text of more than 4,000 characters, and no objects or lists; `openjson` returns each member whole.
  textAt(value, path) {
    const name = path.at(-1) ?? '';
    const holder = path.length > 1 ? sql`json_query(${value}, ${bound(jsonPath(path.slice(0, -1)))})` : value;
    const json = sql`case when isjson(${value}) = 1 then ${holder} end`;
    return sql`(select top (1) found.[value] from openjson(${json}) as found where found.[key] = ${bound(name)} and found.[type] > 0)`;
  },
  isEmpty: (value) =>
    sql`(${value} is null or cast(${value} as nvarchar(max)) in (N'', N'null', N'[]', N'{}'))`,
};
