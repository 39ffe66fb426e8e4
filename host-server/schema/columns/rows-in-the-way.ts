import type { ColumnSchema, TableSchema } from '@trellis/sdk/server';
import type { Database } from '../../databases/database.ts';

/** What keeps a column from getting a rule: how many, and some of them in words. */
export interface RowsInTheWay {
  readonly count: number;
  readonly samples: string;
}

const mostSamples = 3;
const longestSample = 40;

function named(values: readonly unknown[]): string {
  const shown = values.slice(0, mostSamples).map((value) => {
    const text = String((value as string | number | null) ?? '');
    return `'${text.length > longestSample ? `${text.slice(0, longestSample)}…` : text}'`;
  });
  return shown.join(', ');
}

/** The rows without a value in a column; all rows of the table for a column that is yet to be added. */
export async function emptyRows(
  target: Database,
  table: TableSchema,
  columnName: string | undefined,
): Promise<RowsInTheWay> {
  const { identifiers } = target.dialect;
  const rows = () => {
    const query = target.builder(identifiers.knexName(table.tableName));
    return columnName === undefined ? query : query.whereNull(identifiers.knexName(columnName));
  };
  // What names a row to people, as far as it can be shown in a sentence.
  const stored = table.columns.filter((column) => column.columnName !== '');
  const name = stored.find(({ display, storage }) => display && storage !== 'json') ?? stored[0];
  return target.read(async (unit) => {
    const { rows: counted } = await unit.rows(rows().count());
    const count = Number(counted[0]?.[0] ?? 0);
    if (count === 0 || name === undefined) return { count, samples: '' };
    const found = await unit.rows(rows().select(identifiers.knexName(name.columnName)).limit(mostSamples));
    return { count, samples: named(found.rows.map(([value]) => value)) };
  });
}

/** The values of a column that stand in more than one row. */
export async function repeatedValues(
  target: Database,
  table: TableSchema,
  column: ColumnSchema,
): Promise<RowsInTheWay> {
  const { identifiers } = target.dialect;
  const name = identifiers.knexName(column.columnName);
  const repeated = () => {
    const counted = target
      .builder(identifiers.knexName(table.tableName))
      .whereNotNull(name)
      .groupBy(name)
      .select(name)
      .count({ times: '*' });
    return target.builder(counted.as('of_values')).where('times', '>', 1);
  };
  return target.read(async (unit) => {
    const { rows: counted } = await unit.rows(repeated().count());
    const found = await unit.rows(repeated().select(name).orderBy(name).limit(mostSamples));
    return { count: Number(counted[0]?.[0] ?? 0), samples: named(found.rows.map(([value]) => value)) };
  });
}
