import type { ColumnEntity } from '@trellis/sdk/shared';
import { useRegistry, useT } from '@trellis/sdk/web';
import { useMemo } from 'react';
import { isList } from './formula-table.ts';

/** By column title: what a value is in formulas, if cells show something else. */
export type ColumnNotes = ReadonlyMap<string, string>;

export function useColumnNotes(columns: readonly ColumnEntity[]): ColumnNotes {
  const t = useT();
  const types = useRegistry('columnTypes');
  return useMemo(() => {
    const notes = new Map<string, string>();
    for (const column of columns) {
      const note = types.find(({ id }) => id === column.uidt)?.inFormulas;
      const parts = [
        ...(isList(column) ? [t('a list of values.')] : []),
        ...(note === undefined ? [] : [t(note)]),
      ];
      if (parts.length > 0) notes.set(column.title, parts.join(' '));
    }
    return notes;
  }, [columns, types, t]);
}
