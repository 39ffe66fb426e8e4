import { FormulaError } from '../problems.ts';
import type { Kind } from '../typed.ts';
import type { FormulaFunction, FormulaPlace } from './define.ts';

/** The facts about rows that a table may store, each in a column. */
export type RowFact = 'createdBy' | 'changedBy' | 'createdAt' | 'changedAt';

/** A column of a table, with the property names of the API. */
interface FactColumn {
  readonly id: string;
  readonly uidt: string;
  readonly columnName: string | null;
}

const typeOfFact: Readonly<Record<RowFact, string>> = {
  createdBy: 'CreatedBy',
  changedBy: 'LastModifiedBy',
  createdAt: 'CreateTime',
  changedAt: 'LastModifiedTime',
};

/** The columns that every new table has for two of them. */
const plainNames: Readonly<Partial<Record<RowFact, string>>> = {
  createdAt: 'created_at',
  changedAt: 'updated_at',
};

/** The columns of a table that store facts about its rows: those of the special types, else the plain ones by their names. */
export function factsOf(columns: readonly FactColumn[]): FormulaPlace['facts'] {
  return Object.fromEntries(
    Object.entries(typeOfFact).flatMap(([fact, type]) => {
      const plain = plainNames[fact as RowFact];
      const found =
        columns.find(({ uidt }) => uidt === type) ??
        columns.find(({ uidt, columnName }) => uidt === 'DateTime' && columnName === plain);
      return found === undefined ? [] : [[fact, found.id]];
    }),
  );
}

/** @param label the column type that stores it */
function ofRow(name: string, fact: RowFact, label: string, summary: string): FormulaFunction {
  const result: Kind = plainNames[fact] === undefined ? 'text' : 'datetime';
  return {
    name,
    group: result === 'text' ? 'Texts' : 'Dates',
    parameters: [],
    result,
    summary,
    columnOf({ facts }, span) {
      const id = facts?.[fact];
      if (id === undefined) throw new FormulaError('noColumnOfType', span, { function: name, type: label });
      return id;
    },
    // The call stands for a column, which has the tree and the values.
    build: () => undefined,
    run: () => null,
  };
}

export const rowFunctions: readonly FormulaFunction[] = [
  ofRow(
    'CREATED_BY',
    'createdBy',
    'Created by',
    'Who made the row, by the column of the table that keeps it.',
  ),
  ofRow(
    'LAST_MODIFIED_BY',
    'changedBy',
    'Last modified by',
    'Who changed the row last, by the column of the table that keeps it.',
  ),
  ofRow(
    'CREATED_TIME',
    'createdAt',
    'Created',
    'When the row was made, by the column of the table that keeps it.',
  ),
  ofRow(
    'LAST_MODIFIED_TIME',
    'changedAt',
    'Last modified',
    'When the row was last changed, by the column of the table that keeps it.',
  ),
];
