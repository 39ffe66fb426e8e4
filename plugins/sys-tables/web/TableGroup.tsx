import type { TableEntity } from '@trellis/sdk/shared';
import { useSortable, type TreeItemProps } from '@trellis/sdk/web/ui';
import type { ReactNode } from 'react';
import type { TablesOfBase } from './tables-by-base.ts';

/** The tables of one database, which are put in order among themselves. */
export function TableGroup({
  group: { name, tables },
  onMove,
  item,
}: {
  readonly group: TablesOfBase;
  /** A table is to stand where another one of the group does; undefined where nobody may move them. */
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
