import type { ColumnEntity, TableEntity } from '../../shared/index.ts';
import type { WebColumnType } from '../extensions/index.ts';
import { useRegistry } from '../host.tsx';

/** A column as a choice of a `Select`: its value is the id. @public */
export interface ColumnChoice {
  readonly value: string;
  readonly label: string;
}

/** Gives the columns of a table whose type fits, to be chosen in the settings of a view; those of the system are none. @public */
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
