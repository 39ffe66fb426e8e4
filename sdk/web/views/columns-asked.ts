import type { ColumnEntity } from '../../shared/index.ts';
import type { WebColumnType } from '../extensions/index.ts';

/**
 * The columns for conditions and groups, in the order of the list: keys, stamps and foreign keys come last, since people seldom
 * need them.
 * @public
 */
export function columnsAsked(
  columns: readonly ColumnEntity[],
  types: readonly WebColumnType[],
): readonly ColumnEntity[] {
  const isAsked = ({ virtual, uidt, system }: ColumnEntity): boolean =>
    virtual !== true || (!system && types.some(({ id, operators }) => id === uidt && operators.length > 0));
  return columns.filter(isAsked).toSorted((a, b) => Number(isInternal(a)) - Number(isInternal(b)));
}

function isInternal({ system, uidt, pv }: ColumnEntity): boolean {
  return !pv && (system || uidt === 'ID' || uidt === 'ForeignKey');
}
