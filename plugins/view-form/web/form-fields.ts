import { isFilled, type ColumnEntity, type ViewColumnEntity } from '@trellis/sdk/shared';
import { columnContext, needsValue, useRegistry, type WebColumnType } from '@trellis/sdk/web';
import { useMemo } from 'react';
import { fieldOptions, type AnswerField } from '../shared/index.ts';

/** A field of a form on the page. */
export interface PageField extends AnswerField {
  readonly column: ColumnEntity;
  readonly type: WebColumnType;
}

/** Who answers: only members may know who the members are, so only they can name one. */
export type Answerer = 'member' | 'stranger';

/** Whether people can answer it. */
export function isAnswerable(
  column: ColumnEntity,
  type: WebColumnType | undefined,
  by: Answerer = 'stranger',
): boolean {
  if (type?.Answer !== undefined) return true;
  if (type === undefined || type.editable === false || isFilled(type)) return false;
  if (type.namesPeople === true && by === 'stranger') return false;
  if (type.needsAccount === true || (column.system && !needsValue(column))) return false;
  return !column.ai && column.virtual !== true && column.generated !== true && type.open === undefined;
}

/** The form's visible fields in order. */
export function useFormFields(
  places: readonly ViewColumnEntity[],
  columns: readonly ColumnEntity[],
  by: Answerer = 'stranger',
): readonly PageField[] {
  const types = useRegistry('columnTypes');
  return useMemo(() => {
    const typeOf = new Map(types.map((type) => [type.id, type]));
    const byId = new Map(columns.map((column) => [column.id, column]));
    return places
      .filter(({ show }) => show)
      .toSorted((a, b) => a.order - b.order)
      .flatMap((place): readonly PageField[] => {
        const column = byId.get(place.fk_column_id);
        const type = column && typeOf.get(column.uidt);
        if (column === undefined || type === undefined || !isAnswerable(column, type, by)) return [];
        const options = fieldOptions(place.meta);
        return [
          {
            columnId: column.id,
            column,
            type,
            context: columnContext(column, type),
            label: options.label || column.title,
            isNeeded: needsValue(column),
            options,
          },
        ];
      });
  }, [places, columns, types, by]);
}
