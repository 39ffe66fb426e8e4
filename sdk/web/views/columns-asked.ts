import type { ColumnEntity } from '../../shared/index.ts';
import type { WebColumnType } from '../extensions/index.ts';

/**
 * The columns that people may ask about, as conditions and groups do, in the order in which they are offered: keys, stamps and what links
 * are made of come last, since people seldom mean them.
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
