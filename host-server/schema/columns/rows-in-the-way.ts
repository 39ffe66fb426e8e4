import { mayRead, type AccessScope, type ColumnSchema } from '@trellis/sdk/server';
import type { Database } from '../../databases/database.ts';
import { selectRepeated, selectSome } from '../../query/samples.ts';
import type { SchemaStoreParts } from '../schema-store-parts.ts';
import type { FoundTable } from './column-tools.ts';

/** The rows that keep a column from getting a rule: their number, and a few of them as text. */
export interface RowsInTheWay {
  readonly count: number;
  /** Only of rows and columns that the caller may read; empty if there are none. */
  readonly samples: string;
}

/** The table to check, and the caller who sees the samples. */
export interface RowsAsked extends FoundTable {
  readonly scope: AccessScope;
  readonly target: Database;
}

const mostSamples = 3;
const longestSample = 40;

function named(rows: readonly (readonly unknown[])[]): string {
  const shown = rows.map(([value]) => {
    const text = String((value as string | number | null) ?? '');
    return `'${text.length > longestSample ? `${text.slice(0, longestSample)}…` : text}'`;
  });
  return shown.join(', ');
}

/** Counts all rows that violate a rule, and quotes those that the caller may see. */
export function createRowsInTheWay({
  columnTypes,
  functions,
}: Pick<SchemaStoreParts, 'columnTypes' | 'functions'>) {
  function sampleOf({ scope, snapshot, table, target }: RowsAsked) {
    return {
      context: { table, dialect: target.dialect, reach: { snapshot, columnTypes, functions } },
      sample: { rule: scope.rowPredicate(table.id), limit: mostSamples },
    };
  }

  return {
    /** The rows with an empty cell in a column; all rows of the table for a column that is yet to be added. */
    async empty(asked: RowsAsked, emptyIn: ColumnSchema | undefined): Promise<RowsInTheWay> {
      const { scope, table, target } = asked;
      const { identifiers } = target.dialect;
      const rows = target.builder(identifiers.knexTable(table.tableName)).count();
      if (emptyIn !== undefined) void rows.whereNull(identifiers.knexName(emptyIn.columnName));
      // The display column, or another one that can be shown within a sentence.
      const shown = table.columns.filter((column) => column.columnName !== '' && mayRead(scope, column));
      const name = shown.find(({ display, storage }) => display && storage !== 'json') ?? shown[0];
      return target.read(async (unit) => {
        const { rows: counted } = await unit.rows(rows);
        const count = Number(counted[0]?.[0] ?? 0);
        if (count === 0 || name === undefined) return { count, samples: '' };
        const { context, sample } = sampleOf(asked);
        const found = await unit.rows(selectSome(context, name, { ...sample, emptyIn }));
        return { count, samples: named(found.rows) };
      });
    },

    /** The values of a column that are in more than one row. */
    async repeated(asked: RowsAsked, column: ColumnSchema): Promise<RowsInTheWay> {
      const { scope, table, target } = asked;
      const { identifiers } = target.dialect;
      const name = identifiers.knexName(column.columnName);
      const values = target
        .builder(identifiers.knexTable(table.tableName))
        .whereNotNull(name)
        .groupBy(name)
        .select(name)
        .count({ times: '*' });
      const repeated = target.builder(values.as('of_values')).where('times', '>', 1).count();
      return target.read(async (unit) => {
        const { rows: counted } = await unit.rows(repeated);
        const count = Number(counted[0]?.[0] ?? 0);
        if (!mayRead(scope, column)) return { count, samples: '' };
        const { context, sample } = sampleOf(asked);
        const found = await unit.rows(selectRepeated(context, column, sample));
        return { count, samples: named(found.rows) };
      });
    },
  };
}
