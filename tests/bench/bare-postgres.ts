import pg from 'pg';
import { columnOf, listSql, selected, type BareRow, type OpenBareTable } from './bare-table.ts';
import { written } from './rows.ts';

/** The product's number of connections. */
const connections = 10;
/** Dates keep PostgreSQL's notation. */
const dateType = 1082;

/** Tables of a PostgreSQL database, accessed through a pool with prepared statements. */
export function openBarePostgres(url: string): { readonly table: OpenBareTable; close(): Promise<void> } {
  pg.types.setTypeParser(dateType, (text) => text);
  const pool = new pg.Pool({ connectionString: url, max: connections });
  const texts = new Map<string, { readonly name: string; readonly text: string }>();
  const prepared = (sql: string) => {
    let at = 0;
    const made = texts.get(sql) ?? {
      name: `s${texts.size}`,
      text: sql.replaceAll('?', () => `$${(at += 1)}`),
    };
    texts.set(sql, made);
    return made;
  };
  const ask = async (sql: string, values: readonly unknown[]) =>
    (await pool.query({ ...prepared(sql), values: [...values] })).rows as unknown[];

  const table: OpenBareTable = (name) => {
    const places = written.map(() => '?').join(', ');
    const insertInto = `insert into "${name}" (${written.map((column) => `"${column.column_name}"`).join(', ')})`;
    const cellsOf = (row: BareRow) => written.map((column) => row[column.title]);
    return {
      async page(query) {
        const { above, limit, offset, isCounted } = query;
        const sql = listSql(name, query);
        const bindings = above === undefined ? [] : [above.least];
        const [rows, counted] = await Promise.all([
          ask(sql.rows, [...bindings, limit, offset]),
          isCounted ? ask(sql.count, bindings) : [],
        ]);
        return { rows, count: Number((counted[0] as { n: string } | undefined)?.n ?? 0) };
      },
      read: async (id) => (await ask(`select ${selected} from "${name}" where "id" = ?`, [id]))[0],
      insert: async (row) =>
        (await ask(`${insertInto} values (${places}) returning ${selected}`, cellsOf(row)))[0],
      insertAll(rows) {
        const tuples = Array<string>(rows.length).fill(`(${places})`).join(', ');
        return ask(`${insertInto} values ${tuples} returning "id" as "Id"`, rows.flatMap(cellsOf));
      },
      async update(id, row) {
        const titles = Object.keys(row);
        const assignments = titles.map((title) => `"${columnOf(title)}" = ?`).join(', ');
        const sql = `update "${name}" set ${assignments} where "id" = ? returning ${selected}`;
        return (await ask(sql, [...titles.map((title) => row[title]), id]))[0];
      },
    };
  };
  return { table, close: () => pool.end() };
}
