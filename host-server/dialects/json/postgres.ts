import { bound, joined, sql } from '../../sql/fragment.ts';
import type { JsonSql } from './default.ts';

export const postgresJson: JsonSql = {
  textAt: (value, path) =>
    sql`json_extract_path_text((${value})::json, ${joined(
      path.map((key) => sql`cast(${bound(key)} as text)`),
      ', ',
    )})`,
  isEmpty: (value) => sql`(${value} is null or (${value})::text in ('', 'null', '[]', '{}'))`,
};
