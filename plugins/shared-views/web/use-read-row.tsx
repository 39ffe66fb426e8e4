import { RowPanelToken, useHost, type OpenedRow } from '@trellis/sdk/web';
import { Suspense, useCallback, useState, type ReactNode } from 'react';

/** The row that a visitor opened: drawn where the view is, since its cells are a visitor's, too. */
export function useReadRow(): {
  /** Undefined while nothing draws rows for visitors. */
  readonly openRow: ((row: OpenedRow) => void) | undefined;
  readonly row: ReactNode;
} {
  const Reader = useHost().find(RowPanelToken)?.Reader;
  const [opened, setOpened] = useState<OpenedRow>();
  const openRow = useCallback((row: OpenedRow) => {
    const { rows, rowKey = '' } = row;
    // Rows of a table without a key are known by their place, which several stacks have.
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
