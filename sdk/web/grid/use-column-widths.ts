import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { holdColumnWidth } from './column-layout.ts';
import type { GridColumn } from './grid-column.ts';

interface Resized {
  /** The column's width when the user started dragging. */
  readonly given: number;
  readonly width: number;
}

/**
 * Column widths during and after dragging. A dragged width applies until the column gets another one, so that nothing jumps while
 * the new width is being saved.
 */
export function useColumnWidths(columns: readonly GridColumn[]): {
  readonly columns: readonly GridColumn[];
  readonly resize: (column: GridColumn, width: number) => void;
} {
  const [resized, setResized] = useState<ReadonlyMap<string, Resized>>(new Map());
  const shown = useMemo(
    () =>
      columns.map((column) => {
        const own = resized.get(column.entity.id);
        return own !== undefined && own.given === column.width ? { ...column, width: own.width } : column;
      }),
    [columns, resized],
  );
  const given = useRef(columns);
  useEffect(() => {
    given.current = columns;
  });
  const resize = useCallback((column: GridColumn, width: number) => {
    const from = given.current.find((each) => each.entity.id === column.entity.id)?.width;
    if (from === undefined) return;
    const held = holdColumnWidth(width);
    setResized((before) => new Map(before).set(column.entity.id, { given: from, width: held }));
  }, []);
  return { columns: shown, resize };
}
