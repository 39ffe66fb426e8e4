import { useMemo } from 'react';
import { layOutColumns } from './column-layout.ts';
import type { GridColumn } from './grid-column.ts';
import { drawnRowCount } from './grid-context.ts';
import type { GridFrame } from './grid-scroller.ts';
import type { GridProps } from './grid-types.ts';
import { createRowLines } from './row-lines.ts';
import { createRowScale } from './row-scale.ts';
import type { ElementSize } from './use-element-size.ts';
import { useRightToLeft } from './use-right-to-left.ts';
import { isWithoutHover } from './without-hover.ts';

export const HEADER_HEIGHT = 36;
/** The height of a row with one line of text. */
export const SHORT_ROW = 34;
/** Space for the add-row line and below it. */
const TAIL_HEIGHT = 76;
/** Placeholders drawn past the known rows while the count is unknown. */
const UNKNOWN_STRETCH = 100;

/** The layout: rows, groups, columns and the gutter before them, in a box of a given size. */
export function useGridFrame(props: GridProps, columns: readonly GridColumn[], size: ElementSize): GridFrame {
  const { source, heads, rowHeight = SHORT_ROW, firstNumber = 1 } = props;
  const isRightToLeft = useRightToLeft();
  const rowCount = drawnRowCount(source, UNKNOWN_STRETCH);
  const gutterWidth = gutterWidthFor(rowCount + firstNumber - 1, {
    canOpen: props.onOpenRow !== undefined,
    canMove: props.onMoveRows !== undefined,
  });
  // A group heading has one line of text, however high its rows are.
  const lines = useMemo(
    () => createRowLines(rowCount, heads, { row: rowHeight, head: SHORT_ROW }),
    [rowCount, heads, rowHeight],
  );
  return useMemo((): GridFrame => {
    const bodyHeight = Math.max(0, size.height - HEADER_HEIGHT);
    return {
      scale: createRowScale(lines.height + TAIL_HEIGHT, bodyHeight),
      lines,
      layout: layOutColumns(columns, gutterWidth, size.width),
      size,
      rowCount,
      rowHeight,
      headerHeight: HEADER_HEIGHT,
      isRightToLeft,
    };
  }, [columns, gutterWidth, size, lines, rowCount, rowHeight, isRightToLeft]);
}

/** Wide enough for the greatest row number, its checkbox and its button; without a mouse the checkbox replaces the number. */
function gutterWidthFor(
  rowCount: number,
  { canOpen, canMove }: { readonly canOpen: boolean; readonly canMove: boolean },
): number {
  const numberWidth = Math.max(44, 20 + String(rowCount).length * 7.5);
  // For fingers, the grip must be apart from the checkbox beside it.
  const boxWidth = canMove ? 52 : 34;
  return (isWithoutHover() ? boxWidth : numberWidth) + (canOpen ? 22 : 0);
}
