import SqliteFile, { type Statement } from 'better-sqlite3';
import { columnOf, listSql, selected, type BareRow, type OpenBareTable } from './bare-table.ts';
import { written, type Cell } from './rows.ts';

const stored = (cell: Cell | undefined) => (typeof cell === 'boolean' ? Number(cell) : cell);

function shown(row: unknown): unknown {
  const cells = row as { Done: number | boolean };
  cells.Done = cells.Done === 1;
  return cells;
}

/** Tables of a SQLite file, accessed in this thread with the product's pragmas. */
export function openBareSqlite(file: string): { readonly table: OpenBareTable; close(): Promise<void> } {
  const database = new SqliteFile(file);
  database.pragma('journal_mode = wal');
  database.pragma('synchronous = full');
  database.pragma('foreign_keys = on');
  const known = new Map<string, Statement>();
  const prepared = (sql: string): Statement => {
    const statement = known.get(sql) ?? database.prepare(sql);
    known.set(sql, statement);
    return statement;
  };

  const table: OpenBareTable = (name) => {
    const places = written.map(() => '?').join(', ');
    const insertRow = `insert into "${name}" (${written.map((column) => `"${column.column_name}"`).join(', ')}) values (${places})`;
    const read = (id: number | bigint) =>
      shown(prepared(`select ${selected} from "${name}" where "id" = ?`).get(id));
    const insert = (row: BareRow) =>
      prepared(insertRow).run(...written.map((column) => stored(row[column.title]))).lastInsertRowid;
    const insertAll = database.transaction((rows: readonly BareRow[]) =>
      rows.map((row) => ({ Id: Number(insert(row)) })),
    );
    return {
      async page(query) {
        const { above, limit, offset, isCounted } = query;
        const sql = listSql(name, query);
        const bindings = above === undefined ? [] : [above.least];
        const rows = prepared(sql.rows)
          .all(...bindings, limit, offset)
          .map(shown);
        const { n } = isCounted ? (prepared(sql.count).get(...bindings) as { n: number }) : { n: 0 };
        return { rows, count: n };
      },
      read: async (id) => read(id),
      insert: async (row) => read(insert(row)),
      insertAll: async (rows) => insertAll(rows),
      async update(id, row) {
        const titles = Object.keys(row);
        const assignments = titles.map((title) => `"${columnOf(title)}" = ?`).join(', ');
        prepared(`update "${name}" set ${assignments} where "id" = ?`).run(
          ...titles.map((title) => stored(row[title])),
          id,
        );
        return read(id);
      },
    };
  };
  return { table, close: async () => void database.close() };
}
