import { useState } from 'react';
import type { RowKey } from '../../shared/index.ts';
import type { RowData, RowSource } from '../rows/index.ts';

/** The cards that a person selected, with their values at that time. @public */
export interface CardSelection {
  readonly rows: ReadonlyMap<RowKey, RowData>;
  toggle(this: void, row: RowData): void;
  /** Selects all loaded rows from the last selected one to this index; only this one if the last is in another source. */
  extend(this: void, source: RowSource, index: number): void;
  /** Removes rows from the selection. */
  forget(this: void, keys: Iterable<RowKey>): void;
  clear(this: void): void;
}

const none: ReadonlyMap<RowKey, RowData> = new Map();
const byKey = (rows: Iterable<RowData>) => new Map([...rows].map((row) => [row.key, row]));

/** The loaded rows from the last selected one to an index. */
function rowsUpTo(source: RowSource, last: RowKey | undefined, index: number): readonly RowData[] {
  const from = (last === undefined ? undefined : source.indexOf(last)) ?? index;
  const [start, end] = [Math.min(from, index), Math.max(from, index)];
  return Array.from({ length: end - start + 1 }, (_, at) => source.rowAt(start + at) ?? []).flat();
}

/** The selection of a view's cards. @public */
export function useCardSelection(): CardSelection {
  const [rows, setRows] = useState(none);
  const [last, setLast] = useState<RowKey>();
  return {
    rows,
    toggle(row) {
      setLast(row.key);
      setRows((before) => {
        const next = new Map(before);
        if (!next.delete(row.key)) next.set(row.key, row);
        return next;
      });
    },
    extend(source, index) {
      const added = rowsUpTo(source, last, index);
      if (last === undefined || source.indexOf(last) === undefined) setLast(added[0]?.key);
      setRows((before) => new Map([...before, ...byKey(added)]));
    },
    forget: (keys) =>
      setRows((before) => {
        const gone = new Set(keys);
        return new Map([...before].filter(([key]) => !gone.has(key)));
      }),
    clear: () => setRows(none),
  };
}
