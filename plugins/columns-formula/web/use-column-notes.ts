import type { ColumnEntity } from '@trellis/sdk/shared';
import { useRegistry, useT } from '@trellis/sdk/web';
import { useMemo } from 'react';

/** By the titles of columns: what their numbers are in formulas, where that is not what cells show. */
export type ColumnNotes = ReadonlyMap<string, string>;

export function useColumnNotes(columns: readonly ColumnEntity[]): ColumnNotes {
  const t = useT();
  const types = useRegistry('columnTypes');
  return useMemo(() => {
    const notes = new Map<string, string>();
    for (const { title, uidt } of columns) {
      const note = types.find(({ id }) => id === uidt)?.inFormulas;
      if (note !== undefined) notes.set(title, t(note));
    }
    return notes;
  }, [columns, types, t]);
}
