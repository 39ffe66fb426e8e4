import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { CellValue, RowKey } from '../../shared/index.ts';
import type { ViewProps } from '../extensions/index.ts';
import { useHost } from '../host.tsx';
import type { RowData } from '../rows/index.ts';
import { useCardCommands } from './card-commands.ts';
import { moveToValues, rulesOfNoDay, type DateRange } from './day-spans.ts';
import { useCardRows, type CardRows } from './use-card-rows.ts';

/** The rows of a view without a date. @public */
export interface UndatedRowsOf {
  readonly of: CardRows;
  /** Their number; undefined while unknown. */
  readonly count: number | undefined;
  /** Whether they are shown beside the days. */
  readonly isShown: boolean;
  toggle(this: void): void;
  /**
   * Shows a single row; once that is closed, rows that got a date are no longer listed. Undefined while no plugin shows single
   * rows.
   */
  readonly open: ((rowKey: RowKey) => void) | undefined;
  /** Writes the date cells of a row; a refusal is shown, and resolves with false. */
  put(this: void, row: RowData, values: Readonly<Record<string, CellValue>>): Promise<boolean>;
}

/**
 * Reads the rows of a view without a date, for `UndatedRows`, and gives them one.
 *
 * @param focus returns the focus to a row that was shown singly
 * @public
 */
export function useUndatedRows(
  props: ViewProps,
  range: DateRange,
  focus: (rowKey: RowKey) => void,
): UndatedRowsOf {
  const host = useHost();
  const [isShown, setShown] = useState(false);
  const rules = useMemo(() => rulesOfNoDay(range), [range]);
  const of = useCardRows(props, { rules, isAside: true });
  const { rows } = of;
  const { source } = rows;
  useSyncExternalStore(source.subscribe, () => source.version);
  useEffect(() => source.ensure(0, 1), [source]);
  const { open } = useCardCommands(props, {
    rows,
    isArranged: false,
    focus: (rowKey) => {
      rows.rearrange();
      focus(rowKey);
    },
  });
  return {
    open,
    of,
    count: source.count,
    isShown,
    toggle: () => setShown(!isShown),
    async put(row, values) {
      const isSaved = await moveToValues({ rows, host }, row, values);
      if (isSaved) rows.rearrange();
      return isSaved;
    },
  };
}
