import { TableDialogsToken, useHost, type TableDialogs } from '@trellis/sdk/web';
import type { GridColumn, GridHandle } from '@trellis/sdk/web/grid';
import { type RefObject, useEffect, useMemo, useRef } from 'react';

/**
 * The panel that adds columns; the cell cursor moves to an added column when the grid has it. Undefined if no plugin has such a
 * panel.
 */
export function useColumnPanel(
  grid: RefObject<GridHandle | null>,
  columns: readonly GridColumn[],
): Pick<TableDialogs, 'openColumnPanel' | 'addColumnsFor'> | undefined {
  const dialogs = useHost().find(TableDialogsToken);
  const awaited = useRef<string>(undefined);
  const shown = useRef(columns);
  const reveal = useRef(() => {
    const id = awaited.current;
    if (id === undefined || !shown.current.some(({ entity }) => entity.id === id)) return;
    awaited.current = undefined;
    grid.current?.goToColumn(id);
    // If another panel or dialog is open by now, such as for the next column, it keeps the focus.
    if (!document.activeElement?.closest('[aria-modal="true"]')) grid.current?.focus();
  });
  useEffect(() => {
    shown.current = columns;
    reveal.current();
  }, [columns]);
  return useMemo(
    () =>
      dialogs && {
        addColumnsFor: (options) => dialogs.addColumnsFor(options),
        openColumnPanel: (options) =>
          dialogs.openColumnPanel({
            ...options,
            onAdded(columnId) {
              awaited.current = columnId;
              reveal.current();
            },
          }),
      },
    [dialogs],
  );
}
