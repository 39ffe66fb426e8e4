import { useMemo } from 'react';
import type { ColumnEntity } from '../../shared/index.ts';
import type { WebColumnType } from '../extensions/index.ts';
import { useRegistry } from '../host.tsx';
import type { RowData } from '../rows/index.ts';
import { shownColumns, type ViewColumn } from '../views/index.ts';

/** A column on a card. @public */
export interface CardField {
  readonly column: ColumnEntity;
  /** Undefined while no plugin provides it: values are shown as text. */
  readonly type: WebColumnType | undefined;
}

/** What stands on the cards of a view. @public */
export interface CardFields {
  /** The one that names the row; undefined for a table that has none. */
  readonly naming: CardField | undefined;
  /** The others that the view shows, in its order. */
  readonly fields: readonly CardField[];
  /** The one whose pictures are the cover; undefined for cards without one. */
  readonly cover: CardField | undefined;
}

/** How cards look. @public */
export interface CardLook {
  readonly coverFit: 'cover' | 'contain';
  /** Pixels; counted only where cards have a cover. */
  readonly coverHeight: number;
  readonly showsNames: boolean;
}

const padding = 20;
const nameHeight = 24;
const fieldHeight = 28;
const namedFieldHeight = 44;

/** What stands on the card of a row: a field without a value is left out. All fields stand there while the row is on its way. */
export function fieldsWithValue(
  { fields }: Pick<CardFields, 'fields'>,
  row: RowData | undefined,
): readonly CardField[] {
  if (row === undefined) return fields;
  return fields.filter((field) => hasValue(field, row));
}

/** Whether a row has a value in a field. */
export function hasValue({ column }: CardField, row: RowData): boolean {
  const value = row.values[column.id];
  return (
    value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
  );
}

/** How high the card of a row is, in pixels; of no row in particular, how high cards are that have a value in every field. @public */
export function cardHeight(
  { fields, cover }: CardFields,
  { coverHeight, showsNames }: CardLook,
  row?: RowData,
): number {
  const ofField = showsNames ? namedFieldHeight : fieldHeight;
  const drawn = fieldsWithValue({ fields }, row).length;
  return padding + nameHeight + drawn * ofField + (cover === undefined ? 0 : coverHeight);
}

/**
 * What stands on the cards of a view.
 *
 * @param coverId the column of the cover; empty for none, undefined for the first one that has pictures
 * @param without columns that are told otherwise, such as by the stack of a card
 * @public
 */
export function useCardFields(
  columns: readonly ColumnEntity[],
  inView: readonly ViewColumn[],
  { coverId, without }: { readonly coverId: string | undefined; readonly without?: string | undefined },
): CardFields {
  const types = useRegistry('columnTypes');
  return useMemo(() => {
    const fieldOf = (column: ColumnEntity): CardField => ({
      column,
      type: types.find(({ id }) => id === column.uidt),
    });
    const all = columns.map(fieldOf);
    const isCover = ({ type }: CardField) => type?.Cover !== undefined;
    const chosen = all.find((field) => field.column.id === coverId && isCover(field));
    const cover =
      coverId === '' ? undefined : (chosen ?? (coverId === undefined ? all.find(isCover) : undefined));
    const naming = all.find(({ column }) => column.pv);
    const fields = shownColumns(
      columns,
      inView.map((each) => each.inView),
    )
      .filter(({ column }) => ![cover?.column.id, naming?.column.id, without].includes(column.id))
      .map(({ column }) => fieldOf(column));
    return { naming, fields, cover };
  }, [columns, inView, types, coverId, without]);
}
