import type { ColumnEntity } from '@trellis/sdk/shared';
import { useRegistry } from '@trellis/sdk/web';

/** The columns that conditions can use. */
export function useFiltered(columns: readonly ColumnEntity[]): readonly ColumnEntity[] {
  const types = useRegistry('columnTypes');
  return columns.filter(
    ({ virtual, uidt, system }) =>
      system !== true &&
      (virtual !== true || types.some(({ id, operators }) => id === uidt && operators.length > 0)),
  );
}
