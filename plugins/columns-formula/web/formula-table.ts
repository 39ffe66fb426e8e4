import type { ColumnEntity } from '@trellis/sdk/shared';
import { kindOfEach } from '@trellis/sdk/web';
import { factsOf, formula, kindOfStorage, type FormulaTable, type Kind } from '../shared/index.ts';
import type { FormulaFunctions } from './use-formula-functions.ts';

/** A table's columns as formulas see them, for a formula that is not saved yet. */
export function formulaTable(
  columns: readonly ColumnEntity[],
  own: ColumnEntity | undefined,
  { added }: { readonly added: FormulaFunctions },
): FormulaTable {
  const others = columns.filter(({ id }) => id !== own?.id);
  return {
    columns: others.map((column) => ({
      id: column.id,
      title: column.title,
      kind: kindOfColumn(column),
      isList: isList(column),
    })),
    added,
    facts: factsOf(others.map(({ id, uidt, column_name }) => ({ id, uidt, columnName: column_name }))),
    keyIds: columns.filter(({ pk }) => pk).map(({ id }) => id),
  };
}

/** Whether a cell contains several values, as a lookup's may. */
export function isList({ asked }: ColumnEntity): boolean {
  return asked?.several === true;
}

export function kindOfColumn(column: ColumnEntity): Kind | undefined {
  if (column.virtual !== true || column.uidt !== formula.id) return kindOfStorage(kindOfEach(column));
  const { error, result } = (column.colOptions ?? {}) as {
    readonly error?: string | null;
    readonly result?: Kind;
  };
  return error ? undefined : (result ?? 'any');
}
