import { RowPanelToken, useHost, type OpenedRow } from '@trellis/sdk/web';
import { Suspense, useCallback, useState, type ReactNode } from 'react';

/** The row that a visitor opened. It is drawn within the view's context, because its cells belong to the visit too. */
export function useReadRow(): {
  /** Undefined if no plugin shows rows to visitors. */
  readonly openRow: ((row: OpenedRow) => void) | undefined;
  readonly row: ReactNode;
} {
  const Reader = useHost().find(RowPanelToken)?.Reader;
  const [opened, setOpened] = useState<OpenedRow>();
  const openRow = useCallback((row: OpenedRow) => {
    const { rows, rowKey = '' } = row;
    // Rows of a table without a key are identified by their index, which is not unique across stacks.
    const isKnown = rows?.source.indexOf(rowKey) !== undefined || hasKey(row);
    if (isKnown) setOpened(row);
  }, []);
  if (Reader === undefined) return { openRow: undefined, row: undefined };
  const { table, view, rows, rowKey, onClosed } = opened ?? {};
  const isOpen = table && view && rows && rowKey !== undefined;
  return {
    openRow,
    row: isOpen && (
      <Suspense>
        <Reader
          {...{ table, view, rows, rowKey }}
          onMove={(key) => setOpened((before) => before && { ...before, rowKey: key })}
          onClose={() => {
            setOpened(undefined);
            onClosed?.(rowKey);
          }}
        />
      </Suspense>
    ),
  };
}

const hasKey = ({ table: { columns = [] } }: OpenedRow): boolean => columns.some(({ pk }) => pk);
