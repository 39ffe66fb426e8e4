import { TableDialogsToken, useHost, type TableDialogs } from '@trellis/sdk/web';
import type { GridColumn, GridHandle } from '@trellis/sdk/web/grid';
import { type RefObject, useEffect, useMemo, useRef } from 'react';

/**
 * The panel that adds columns; the cell cursor goes to one that was added as soon as the grid has it. Undefined while no plugin has
 * such a panel.
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
    // Who has opened a panel or a dialog meanwhile, such as for the next column, keeps working in it.
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
