import type { CellValue, ColumnEntity, TableEntity } from '@trellis/sdk/shared';
import { showCell, useHost, useRegistry } from '@trellis/sdk/web';
import { useEffect, useLayoutEffect, useRef } from 'react';

/** What is kept by column id. */
type ByColumn<T> = Readonly<Record<string, T>>;

/** What belongs to columns that the table has. */
export function ofTable<T>(kept: ByColumn<T>, { columns }: TableEntity): ByColumn<T> {
  const ids = new Set(columns?.map(({ id }) => id) ?? Object.keys(kept));
  return Object.keys(kept).every((id) => ids.has(id))
    ? kept
    : Object.fromEntries(Object.entries(kept).filter(([id]) => ids.has(id)));
}

export function withoutColumns<T>(kept: ByColumn<T>, columnIds: readonly string[]): ByColumn<T> {
  return Object.fromEntries(Object.entries(kept).filter(([id]) => !columnIds.includes(id)));
}

/** Tells what was typed for columns that somebody took away, and has it dropped. */
export function useTellGone(
  { edits, problems }: { readonly edits: ByColumn<CellValue>; readonly problems: ByColumn<string> },
  { columns }: TableEntity,
  onGone: (columnIds: readonly string[]) => void,
): void {
  const { t, toast } = useHost();
  const types = useRegistry('columnTypes');
  /** Columns as they were last: nothing else knows the title of one that is gone. */
  const known = useRef(new Map<string, ColumnEntity>());
  const latest = useRef({ types, onGone });
  useLayoutEffect(() => {
    latest.current = { types, onGone };
  });
  useEffect(() => {
    if (columns === undefined) return;
    const touched = [...new Set([...Object.keys(edits), ...Object.keys(problems)])];
    const gone = touched.filter((id) => columns.every((column) => column.id !== id));
    for (const id of gone) {
      const column = known.current.get(id);
      const value = edits[id];
      if (column === undefined) continue;
      const type = latest.current.types.find((of) => of.id === column.uidt);
      toast({
        severity: 'warn',
        summary: t('The column “{{title}}” was taken away while you typed.', { title: column.title }),
        ...(value !== undefined && value !== null && { detail: showCell(value, column, type) }),
        life: 15_000,
      });
    }
    for (const column of columns) known.current.set(column.id, column);
    if (gone.length > 0) latest.current.onGone(gone);
  }, [columns, edits, problems, t, toast]);
}
