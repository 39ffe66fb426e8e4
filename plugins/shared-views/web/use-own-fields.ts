import type { ViewColumnEntity } from '@trellis/sdk/shared';
import type { FieldPlace } from '@trellis/sdk/web/views';
import { useMemo, useState } from 'react';

/** Which of the view's fields a visitor sees, and in which order, until they leave the page. */
export function useOwnFields(places: readonly ViewColumnEntity[]): {
  /** The view's fields, for `FieldEditor`. */
  readonly fields: readonly FieldPlace[];
  /** The number of fields that the visitor hides. */
  readonly hidden: number;
  /** The view's columns in the visitor's arrangement. */
  readonly columns: readonly ViewColumnEntity[];
  change(this: void, fields: readonly FieldPlace[]): void;
} {
  const [chosen, setChosen] = useState<readonly FieldPlace[]>();
  const shown = useMemo(
    () => places.filter(({ show }) => show).toSorted((a, b) => a.order - b.order),
    [places],
  );
  const fields = useMemo(() => {
    const all = shown.map(({ fk_column_id: columnId }) => ({ columnId, isShown: true }));
    if (chosen === undefined) return all;
    // The view's columns may have changed.
    const kept = chosen.filter(({ columnId }) => all.some((each) => each.columnId === columnId));
    const added = all.filter(({ columnId }) => !kept.some((each) => each.columnId === columnId));
    return [...kept, ...added];
  }, [shown, chosen]);
  const columns = useMemo(() => {
    if (chosen === undefined) return places;
    return places.map((place) => {
      const order = fields.findIndex(({ columnId }) => columnId === place.fk_column_id);
      return order < 0 ? place : { ...place, order, show: fields[order]?.isShown === true };
    });
  }, [places, chosen, fields]);
  return { fields, hidden: fields.filter(({ isShown }) => !isShown).length, columns, change: setChosen };
}
