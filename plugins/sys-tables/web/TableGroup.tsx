import type { TableEntity } from '@trellis/sdk/shared';
import { useSortable, type TreeItemProps } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';
import type { TablesOfBase } from './tables-by-base.ts';

/** The tables of one database, which can be reordered within it. */
export function TableGroup({
  group: { name, tables },
  onMove,
  item,
}: {
  readonly group: TablesOfBase;
  /** Moves a table to the place of another one in the group; undefined if the person may not. */
  readonly onMove: ((table: TableEntity, target: TableEntity) => void) | undefined;
  readonly item: (table: TableEntity, sortable: TreeItemProps['sortable']) => ReactNode;
}) {
  const sortable = useSortable(tables.length, (from, to) => {
    const [table, target] = [tables[from], tables[to]];
    if (table !== undefined && target !== undefined) onMove?.(table, target);
  });
  return (
    <>
      {name !== undefined && <h3 className="tables-base">{name}</h3>}
      <ul>
        {tables.map((table, at) =>
          item(
            table,
            onMove && { row: sortable.row(at), press: sortable.press(at), handle: sortable.handle(at) },
          ),
        )}
      </ul>
    </>
  );
}
