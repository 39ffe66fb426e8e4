import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { CellValue } from '../../shared/index.ts';
import type { ViewProps } from '../extensions/index.ts';
import { useHost } from '../host.tsx';
import type { RowData } from '../rows/index.ts';
import { moveToValues, rulesOfNoDay, type DateRange } from './day-spans.ts';
import { useCardRows, type CardRows } from './use-card-rows.ts';

/** The rows of a view that stand on no day. @public */
export interface UndatedRowsOf {
  readonly of: CardRows;
  /** How many there are; undefined while it is not known. */
  readonly count: number | undefined;
  /** Whether they are shown beside the days. */
  readonly isShown: boolean;
  toggle(this: void): void;
  /** Writes the cells that say when a row is; a refusal is told, and resolves with false. */
  put(this: void, row: RowData, values: Readonly<Record<string, CellValue>>): Promise<boolean>;
}

/** Reads the rows of a view that stand on no day, for `UndatedRows`, and puts them on one. @public */
export function useUndatedRows(props: ViewProps, range: DateRange): UndatedRowsOf {
  const host = useHost();
  const [isShown, setShown] = useState(false);
  const rules = useMemo(() => rulesOfNoDay(range), [range]);
  const of = useCardRows(props, { rules, isAside: true });
  const { rows } = of;
  const { source } = rows;
  useSyncExternalStore(source.subscribe, () => source.version);
  useEffect(() => source.ensure(0, 1), [source]);
  return {
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
