import SqliteFile from 'better-sqlite3';

/** The measured table's columns in the API's form. */
export const columns = [
  { title: 'Id', column_name: 'id', uidt: 'ID', pk: true, ai: true, rqd: true },
  { title: 'Name', column_name: 'name', uidt: 'SingleLineText' },
  { title: 'Notes', column_name: 'notes', uidt: 'LongText' },
  { title: 'Amount', column_name: 'amount', uidt: 'Number' },
  { title: 'Price', column_name: 'price', uidt: 'Decimal' },
  { title: 'Due', column_name: 'due', uidt: 'Date' },
  { title: 'Done', column_name: 'done', uidt: 'Checkbox' },
] as const;

/** The columns that a client may write, in order. */
export const written = columns.slice(1);

export type Cell = string | number | boolean;

/** A row's cells in the API's form; the same for the same number. */
export function cellsOf(number: number): Readonly<Record<string, Cell>> {
  const day = String((number % 28) + 1).padStart(2, '0');
  return {
    Name: `Customer ${number}`,
    Notes: `Note ${number}: called on the ${day}th, will call back about the offer.`,
    Amount: (number * 7919) % 1_000_000,
    Price: ((number * 31) % 100_000) / 100,
    Due: `2026-05-${day}`,
    Done: number % 3 === 0,
  };
}

/** Fills a table of a SQLite file directly with rows 1 to `count`. */
export function fill(file: string, table: string, count: number): void {
  const database = new SqliteFile(file);
  try {
    database.pragma('synchronous = off');
    const names = columns.map((column) => `"${column.column_name}"`);
    const insert = database.prepare(
      `insert into "${table}" (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
    );
    database.transaction(() => {
      for (let number = 1; number <= count; number += 1) {
        const cells = Object.values(cellsOf(number));
        insert.run(
          BigInt(number),
          ...cells.map((cell) =>
            typeof cell === 'boolean' ? BigInt(Number(cell)) : Number.isInteger(cell) ? BigInt(cell) : cell,
          ),
        );
      }
    })();
    database.pragma('wal_checkpoint(truncate)');
  } finally {
    database.close();
  }
}
