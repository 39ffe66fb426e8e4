import { messageOfError, useHost, useRegistry, type RowReaderProps } from '@trellis/sdk/web';
import { titledRow, type RowData } from '@trellis/sdk/web/rows';
import { Notice } from '@trellis/sdk/web/ui';
import { useViewColumns } from '@trellis/sdk/web/views';
import { useEffect, useRef, useState } from 'react';
import { RowField, StoredValue } from './RowField.tsx';
import { titleOf } from './row-names.ts';
import { RowPanelHeader } from './RowPanelHeader.tsx';
import { useRowPlace } from './use-row-place.ts';
import { useSourceVersion } from './use-source-version.ts';

/** A row for visitors of a shared view: shows the view's fields, at the side; on a phone it covers the page. */
export default function RowReader({ table, view, rows, rowKey, onMove, onClose }: RowReaderProps) {
  const { t, toast } = useHost();
  const types = useRegistry('columnTypes');
  const { columns: inView = [] } = useViewColumns({ table, view });
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  useSourceVersion(rows.source);
  const isStacked = rows.source.indexOf(rowKey) === undefined;
  const source = isStacked ? rows.stacks.holding(rowKey)?.window : rows.source;
  const place = useRowPlace(source, rowKey, {
    onMove,
    onFailure: (error) => toast({ severity: 'error', summary: messageOfError(error, t) }),
  });
  const found = place && source?.rowAt(place.index);
  // A row that was deleted or is no longer searched for stays visible until the panel is closed.
  const [held, setHeld] = useState<RowData>();
  if (found !== undefined && found !== held) setHeld(found);
  const row = found ?? (held?.key === rowKey ? held : undefined);
  const columns = table.columns ?? [];
  const values = titledRow(row?.values ?? {}, columns);
  const title = titleOf(columns, values, types) ?? t('Row {{key}}', { key: rowKey });
  const fields = inView
    .filter(({ inView: of }) => of.show)
    .map(({ column }) => column)
    .toSorted((a, b) => Number(b.pv) - Number(a.pv));

  return (
    <aside
      ref={box}
      className="rows-panel rows-panel--alone"
      role="dialog"
      aria-label={title}
      tabIndex={-1}
      onKeyDown={(event) => {
        // Popups that a cell opens above the panel close themselves.
        if (event.defaultPrevented || !(event.target instanceof Node) || !box.current?.contains(event.target))
          return;
        if (event.key === 'Escape') onClose();
        const by = event.altKey ? ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key] : undefined;
        if (by === undefined) return;
        event.preventDefault();
        void place?.onStep(by);
      }}
    >
      <RowPanelHeader title={title} place={place} onClose={onClose} />
      <div className="rows-fields">
        {row === undefined ? (
          <Notice severity="info">{t('This row is gone.')}</Notice>
        ) : (
          fields.map((column) => (
            <RowField key={`${row.key} ${column.id}`} column={column}>
              <StoredValue column={column} row={values} value={values[column.title] ?? null} />
            </RowField>
          ))
        )}
      </div>
    </aside>
  );
}
