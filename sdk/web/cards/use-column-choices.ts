import type { ColumnEntity, TableEntity } from '../../shared/index.ts';
import type { WebColumnType } from '../extensions/index.ts';
import { useRegistry } from '../host.tsx';

/** A column as an option of a `Select`: its value is the id. @public */
export interface ColumnChoice {
  readonly value: string;
  readonly label: string;
}

/** Returns the columns of a table with a suitable type, as choices for the settings of a view; without system columns. @public */
export function useColumnChoices({
  columns = [],
}: Pick<TableEntity, 'columns'>): (
  fits: (type: WebColumnType | undefined, column: ColumnEntity) => boolean,
) => readonly ColumnChoice[] {
  const types = useRegistry('columnTypes');
  const typeOf = ({ uidt }: ColumnEntity) => types.find(({ id }) => id === uidt);
  return (fits) =>
    columns
      .filter((column) => !column.system && fits(typeOf(column), column))
      .map(({ id, title }) => ({ value: id, label: title }));
}
